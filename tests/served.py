"""The site in processes of its own over one data folder, and browsers that ask it over HTTP."""

import http.cookiejar
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.services import free_port

BASE_DIR = Path(__file__).resolve().parents[1]
START_SECONDS = 60

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(frozen=True)
class Answer:
    """What came back: the status, where it leads, and the page."""

    status: int
    location: str
    text: str
    content: bytes


class ServedSite:
    """A prepared data folder with what runs over it; `log` gathers what all of it prints."""

    def __init__(self, data_dir: Path, log: Path, **environment: str) -> None:
        self.data_dir, self.log = data_dir, log
        self.environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(data_dir),
            "CRUXWEB_DEMO": "0",
            "CRUXWEB_SECRET_KEY": "only for tests",
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
            **environment,
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def run(self, script: str) -> str:
        """What a script prints that runs with the site set up."""
        command = [sys.executable, "-c", f"import django\ndjango.setup()\n{script}"]
        with self.log.open("ab") as log:
            done = subprocess.run(
                command, env=self.environment, cwd=BASE_DIR, stdout=subprocess.PIPE, stderr=log, check=False
            )
        assert done.returncode == 0, self.log.read_text()
        return done.stdout.decode()

    def start(self, *command: str, port: int | None = None) -> "subprocess.Popen[bytes]":
        """Starts a process, and waits until it serves where it has a port."""
        environment = self.environment | ({"CRUXWEB_PORT": str(port)} if port is not None else {})
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], env=environment, cwd=BASE_DIR, stdout=log, stderr=subprocess.STDOUT
            )
        self._processes.append(process)
        deadline = time.monotonic() + START_SECONDS
        while port is not None and not _answers(port):
            assert process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)
        return process

    def start_web(self) -> int:
        """Starts a web process of its own and answers its port."""
        port = free_port()
        web = ["gunicorn", "cruxweb.wsgi:application", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
        self.start("-m", *web, "--log-level", "warning", port=port)
        return port

    def stop(self) -> None:
        """Asks everything to end, and waits for it."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait(60)


class WebBrowser:
    """A browser without scripts: it keeps cookies, and sends a page's token back with its form."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), _Staying())
        self._token = ""

    def get(self, path: str, asked: Mapping[str, str] | None = None) -> Answer:
        """Opens an address; follows nothing."""
        query = f"?{urllib.parse.urlencode(asked)}" if asked else ""
        return self._ask(urllib.request.Request(f"{self.base}{path}{query}"))

    def post(self, path: str, sent: Mapping[str, str | list[str]]) -> Answer:
        """Sends a form with the newest token that a page held."""
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token, **sent}, doseq=True).encode()
        return self._ask(urllib.request.Request(f"{self.base}{path}", body))

    def send_file(self, path: str, name: str, file_name: str, content: bytes, sent: Mapping[str, str]) -> Answer:
        """Sends a form with a file."""
        boundary = "part-of-a-form"
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
            for field, value in {"csrfmiddlewaretoken": self._token, **sent}.items()
        ]
        disposition = f'form-data; name="{name}"; filename="{file_name}"'
        parts.append(f"--{boundary}\r\nContent-Disposition: {disposition}\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join([*parts, f"--{boundary}--\r\n".encode()])
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self._ask(urllib.request.Request(f"{self.base}{path}", body, headers))

    def sign_in(self, username: str, password: str) -> bool:
        """Whether somebody is let in."""
        self.get("/sign-in/")
        return self.post("/sign-in/", {"login": username, "password": password}).status == 302

    def _ask(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=60) as response:
                return self._answer(response)
        except urllib.error.HTTPError as error:
            return self._answer(error)

    def _answer(self, response: "http.client.HTTPResponse | urllib.error.HTTPError") -> Answer:
        content = response.read()
        text = content.decode(errors="replace")
        if (found := _TOKEN.search(text)) is not None:
            self._token = found[1]
        return Answer(response.status or 0, response.headers.get("Location", ""), text, content)


class _Staying(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object) -> None:
        """Where an answer leads is for the test to see."""


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False
