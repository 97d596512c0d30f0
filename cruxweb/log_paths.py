"""What a log says of an address: its words and our own ids; whatever else it holds, somebody may have typed.

/t/default/facts/f_0123…/correct/     stays, for it is an id that we made
/t/default/facts/~7a77…/              /t/default/facts/…/    a fact's id may be any text
/set-up/Xb3…/                         /set-up/…/             lets somebody in
/t/nowhere/                           /t/…/                  is no tenant
/nowhere/                             /…                     is no address of ours
"""

import logging
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from gunicorn.glogging import Logger  # type: ignore[import-untyped] # it ships no types

HIDDEN = "…"
NOT_FOUND = "404"

_OURS = re.compile(r"[a-z]{1,2}_[0-9a-f]{32}|[0-9]{1,18}|\d{4}-\d\d-\d\d")
_TENANT = "<slug:tenant>"


def spoken_path(path: str, *, is_found: bool = True) -> str:
    """An address as a log may hold it; one that was not found may name a tenant that is none."""
    if path.startswith(settings.STATIC_URL):
        return path
    try:
        route = resolve(path).route
    except Resolver404:
        return f"/{HIDDEN}"
    words = route.split("/")
    parts = path.removeprefix("/").split("/")
    if len(words) != len(parts):
        return f"/{HIDDEN}"
    return "/" + "/".join(
        part if part == word or (word == _TENANT and is_found) or _OURS.fullmatch(part) else HIDDEN
        for word, part in zip(words, parts, strict=True)
    )


class AccessLog(Logger):  # type: ignore[misc] # the library has no types
    """The web server's log of requests, with addresses as above."""

    def atoms(self, resp: Any, req: Any, environ: Mapping[str, Any], request_time: Any) -> dict[str, Any]:
        """What a line is made of."""
        known: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        try:
            is_found = not str(resp.status).startswith(NOT_FOUND)
            known["U"] = spoken_path(environ.get("PATH_INFO") or "", is_found=is_found)
        except Exception as error:
            # a site that cannot be loaded still says that it was asked
            known["U"] = f"/{HIDDEN} ({type(error).__name__})"
        return known


class SpokenPaths(logging.Filter):
    """Puts addresses as above into what Django says of a request that it refused."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every line passes; one about a request is changed."""
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            is_found = str(getattr(record, "status_code", "")) != NOT_FOUND
            spoken = spoken_path(request.path, is_found=is_found)
            record.args = tuple(spoken if argument == request.path else argument for argument in record.args)
        return True
