"""A site with an OpenID Connect provider, both in this one process; run by test_elsewhere.py, prints what happened."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SUBJECT = {"sub": "ada-there", "email": "curator@example.org", "name": "Ada Moss"}


class Provider(BaseHTTPRequestHandler):
    """Says yes to everybody, and that everybody is Ada."""

    def do_GET(self) -> None:
        base = f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]
        if self.path.endswith("openid-configuration"):
            names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
            self._tell({"issuer": base, **{f"{name}_endpoint": f"{base}/{path}" for name, path in names.items()}})
        else:
            self._tell(SUBJECT)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._tell({"access_token": "a", "token_type": "Bearer"})

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""

    def _tell(self, answer: dict[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


def main() -> None:
    """Tries a stranger, connects, then signs in by the account there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ.update(
        CRUXWEB_OIDC_URL=f"http://127.0.0.1:{server.server_port}",
        CRUXWEB_OIDC_CLIENT_ID="us",
        CRUXWEB_OIDC_SECRET="between us",
        CRUXWEB_OIDC_NAME="The Guild",
        DJANGO_SETTINGS_MODULE="tests.settings",
    )
    # only now: the settings are read from the environment once
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from apps.accounts.actions import SYSTEM, create_person, create_tenant
    from apps.accounts.models import User
    from apps.accounts.rules import Role
    from apps.store import open_store

    call_command("migrate", verbosity=0)
    store = open_store()
    create_tenant(store, actor=SYSTEM, name="default")
    roles = [("default", Role.CURATOR)]
    create_person(store, actor=SYSTEM, username="curator", name="Ada", password="a long enough phrase", roles=roles)
    User.objects.update(email=SUBJECT["email"])

    def visitor() -> Client:
        return Client(SERVER_NAME="localhost")

    def come_back(browser: Client, start: str) -> str:
        there = urlsplit(browser.post(start).headers["Location"])
        state = parse_qs(there.query)["state"][0]
        answer = browser.get("/sign-in/elsewhere/oidc/oidc/login/callback/", {"code": "c", "state": state}, follow=True)
        return answer.content.decode()

    start = "/sign-in/elsewhere/oidc/oidc/login/"
    told: dict[str, object] = {"policy": visitor().get("/sign-in/").headers["Content-Security-Policy"]}
    told["button"] = "Sign in with The Guild" in visitor().get("/sign-in/").content.decode()
    told["stranger"] = come_back(visitor(), start)
    told["people"] = User.objects.count()
    browser = visitor()
    browser.post("/sign-in/", {"login": "curator", "password": "a long enough phrase"})
    browser.post("/settings/confirm/", {"password": "a long enough phrase"})
    told["connected"] = come_back(browser, f"{start}?process=connect")
    other = visitor()
    come_back(other, start)
    told["signed_in"] = other.get("/settings/").status_code
    json.dump(told, sys.stdout)


main()
