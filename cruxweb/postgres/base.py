"""Django's PostgreSQL, but for the one character that its texts cannot hold: U+0000 is kept as U+FDD0 and read back.

The format of the journal allows U+0000 in every text, and what people type into an address may hold it; U+FDD0 is one
of the characters that Unicode sets aside for a program's own use.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.backends.postgresql import base, operations
from psycopg import adapt
from psycopg.abc import Buffer
from psycopg.types.json import Jsonb
from psycopg.types.string import StrDumper, TextLoader

NUL, KEPT_AS = "\0", "\ufdd0"

_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


class KeepingDumper(StrDumper):
    """Writes texts."""

    def dump(self, obj: str) -> Buffer | None:
        """The text without U+0000."""
        return super().dump(obj.replace(NUL, KEPT_AS) if NUL in obj else obj)


class KeepingLoader(TextLoader):
    """Reads texts."""

    def load(self, data: Buffer) -> str | bytes:
        """The text as it was written."""
        text = super().load(data)
        return text.replace(KEPT_AS, NUL) if isinstance(text, str) and KEPT_AS in text else text


class KeepingJsonLoader(TextLoader):
    """Reads JSON as text; Django and the index decode it themselves."""

    def load(self, data: Buffer) -> str | bytes:
        """The JSON as it was written."""
        text = super().load(data)
        return text.replace(KEPT_AS, "\\u0000") if isinstance(text, str) and KEPT_AS in text else text


class DatabaseOperations(operations.DatabaseOperations):
    """Writes JSON too without U+0000."""

    def adapt_json_value(  # type: ignore[override]  # the stubs have what other databases are given
        self, value: Any, encoder: type[json.JSONEncoder] | None
    ) -> Jsonb:
        """A value for a column of JSON."""
        return Jsonb(value, dumps=partial(_dump, partial(json.dumps, cls=encoder)))


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that reads and writes so."""

    ops_class = DatabaseOperations

    def get_connection_params(self) -> dict[str, Any]:
        """What Django gives the driver, with these readers and writers of texts."""
        params: dict[str, Any] = super().get_connection_params()
        adapters = adapt.AdaptersMap(params["context"])
        adapters.register_dumper(str, KeepingDumper)
        for name in ("text", "varchar"):
            adapters.register_loader(name, KeepingLoader)
        adapters.register_loader("jsonb", KeepingJsonLoader)
        return params | {"context": adapters}


def _dump(dumps: Callable[[Any], str], value: Any) -> str:
    text = dumps(value)
    return _ESCAPED_NUL.sub(r"\1\\ufdd0", text) if "\\u0000" in text else text
