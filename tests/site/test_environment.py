"""A wrong setting stops the start with one sentence that says what to write."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from cruxweb.environment import (
    Database,
    MailServer,
    read_database_url,
    read_flag,
    read_journal,
    read_mail_server,
    read_port,
    read_redis_url,
    read_secret_key,
    read_site_address,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("text", "meaning"), [("1", True), ("YES", True), ("off", False), ("0", False), ("", True)])
def test_a_flag_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, text: str, meaning: bool) -> None:
    monkeypatch.setenv("X", text)

    assert read_flag("X", True) is meaning


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (lambda name: read_flag(name, True), "maybe"),
        (lambda name: read_port(name, 8000), "80a"),
        (lambda name: read_port(name, 8000), "70000"),
        (lambda name: read_port(name, 8000), "-1"),
        (lambda name: read_site_address(name, ""), "memory.example.org"),
        (lambda name: read_site_address(name, ""), "https://memory.example.org/console"),
        (read_journal, "observe:facts.jsonl"),
        (read_journal, "both"),
    ],
)
def test_a_wrong_value_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch, reader: object, text: str) -> None:
    monkeypatch.setenv("CRUXWEB_X", text)
    assert callable(reader)

    with pytest.raises(ImproperlyConfigured, match=r"CRUXWEB_X is .*; write"):
        reader("CRUXWEB_X")


def test_a_database_is_an_address_of_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_X", "postgres://crux:p%40ss@db.example.org:5433/console?sslmode=require")

    assert read_database_url("CRUXWEB_X") == Database(
        host="db.example.org",
        port="5433",
        name="console",
        user="crux",
        password="p@ss",
        options={"sslmode": "require"},
    )


def test_a_database_may_be_reached_through_a_folder_of_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_X", "postgresql:///console?host=/run/postgresql")

    database = read_database_url("CRUXWEB_X")

    assert database is not None
    assert (database.host, database.name, database.options) == ("/run/postgresql", "console", {})


@pytest.mark.parametrize(
    "text",
    [
        "mysql://crux:secret@db/console",
        "sqlite:///index.sqlite3",
        "postgres://crux:secret@db",
        "postgres://crux:secret@db/",
        "postgres://crux:secret@db/one/two",
        "postgres://crux:secret@db:99999/console",
        "postgres://crux:secret@db/console?secret",
    ],
)
def test_anything_else_is_no_database_and_its_password_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("CRUXWEB_X", text)

    with pytest.raises(ImproperlyConfigured) as raised:
        read_database_url("CRUXWEB_X")

    assert str(raised.value) == ("CRUXWEB_X is not an address of PostgreSQL; write postgres://user:password@host/name.")


def test_what_may_follow_a_database_is_listed_where_it_is_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_X", "postgres://db/console?ssl=1")

    with pytest.raises(ImproperlyConfigured, match=r"^CRUXWEB_X holds 'ssl'; behind \? write only host, sslmode, "):
        read_database_url("CRUXWEB_X")


def test_redis_is_an_address_with_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_X", "rediss://:word@cache.example.org:6380/2")
    assert read_redis_url("CRUXWEB_X") == "rediss://:word@cache.example.org:6380/2"

    for text in ("cache.example.org:6379", "http://cache.example.org", "redis://"):
        monkeypatch.setenv("CRUXWEB_X", text)
        with pytest.raises(ImproperlyConfigured, match=r"^CRUXWEB_X is not an address of Redis; write redis://host"):
            read_redis_url("CRUXWEB_X")


def test_a_mail_server_is_an_smtp_address_with_a_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRUXWEB_SMTP_URL", raising=False)
    assert read_mail_server() is None

    monkeypatch.setenv("CRUXWEB_MAIL_FROM", "cruxweb@example.org")
    monkeypatch.setenv("CRUXWEB_SMTP_URL", "smtp://crux:p%40ss@mail.example.org")
    server = read_mail_server()
    assert server == MailServer("mail.example.org", 587, False, "crux", "p@ss", "cruxweb@example.org")
    assert "p@ss" not in repr(server)
    monkeypatch.setenv("CRUXWEB_SMTP_URL", "smtps://mail.example.org")
    assert read_mail_server() == MailServer("mail.example.org", 465, True, "", "", "cruxweb@example.org")
    monkeypatch.setenv("CRUXWEB_SMTP_URL", "smtp://localhost:25/")
    assert read_mail_server() == MailServer("localhost", 25, False, "", "", "cruxweb@example.org")


@pytest.mark.parametrize(
    "text",
    [
        "mail.example.org:587",
        "https://mail.example.org",
        "smtp://",
        "smtp://crux@mail.example.org",
        "smtp://:p4ss@mail.example.org",
        "smtp://mail.example.org:99999",
        "smtp://mail.example.org:0",
        "smtp://mail.example.org/inbox",
        "smtp://mail.example.org?tls=1",
    ],
)
def test_what_is_no_address_of_a_mail_server_stops_the_start(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CRUXWEB_MAIL_FROM", "cruxweb@example.org")
    monkeypatch.setenv("CRUXWEB_SMTP_URL", text)

    with pytest.raises(ImproperlyConfigured, match=r"^CRUXWEB_SMTP_URL is not an address of a mail server; write smtp"):
        read_mail_server()


@pytest.mark.parametrize("text", ["", "cruxweb", "Cruxweb <cruxweb@example.org>", "a@example.org, b@example.org"])
def test_mail_without_a_sender_stops_the_start(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CRUXWEB_SMTP_URL", "smtp://localhost")
    monkeypatch.setenv("CRUXWEB_MAIL_FROM", text)

    with pytest.raises(ImproperlyConfigured, match=r"^CRUXWEB_MAIL_FROM is .*; write the address that mail is from"):
        read_mail_server()


def test_observing_names_an_absolute_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_X", "observe:/var/lib/crux/facts.jsonl")

    assert read_journal("CRUXWEB_X") == Path("/var/lib/crux/facts.jsonl")


def test_the_secret_key_is_made_once_and_readable_by_nobody_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CRUXWEB_X", raising=False)
    kept_in = tmp_path / "data" / "secret_key"

    first = read_secret_key("CRUXWEB_X", kept_in)
    second = read_secret_key("CRUXWEB_X", kept_in)

    assert first == second
    assert len(first) > 50
    assert stat.S_IMODE(kept_in.stat().st_mode) == 0o600
    assert [path.name for path in kept_in.parent.iterdir()] == ["secret_key"]


@pytest.mark.parametrize(
    ("variables", "arguments", "sentence"),
    [
        ({"CRUXWEB_PORT": "99999"}, ["check"], "CRUXWEB_PORT is '99999'; write a port from 1 to 65535."),
        (
            {"CRUXWEB_DATABASE_URL": "mysql://crux:secret@db/console"},
            ["check"],
            "CRUXWEB_DATABASE_URL is not an address of PostgreSQL; write postgres://user:password@host/name.",
        ),
        (
            {"CRUXWEB_REDIS_URL": "localhost"},
            ["check"],
            "CRUXWEB_REDIS_URL is not an address of Redis; write redis://host:6379/0.",
        ),
        (
            {"CRUXWEB_SMTP_URL": "mail.example.org"},
            ["check"],
            "CRUXWEB_SMTP_URL is not an address of a mail server; write smtp://user:password@host:587 or smtps://host.",
        ),
        (
            {"CRUXWEB_DATABASE_URL": "postgres://crux:secret@127.0.0.1:1/console"},
            ["create_tenant", "x"],
            "The database cannot be reached: connection failed: connection to server at "
            '"127.0.0.1", port 1 failed: Connection refused',
        ),
        ({}, ["create_tenant", "x"], "The database is not set up yet. Run manage.py prepare first."),
        ({"CRUXWEB_DATA_DIR": "/dev/null/x"}, ["check"], "The folder /dev/null/x cannot be made: Not a directory."),
    ],
)
def test_the_command_line_says_in_one_sentence_what_is_missing(
    tmp_path: Path, variables: dict[str, str], arguments: list[str], sentence: str
) -> None:
    environment = {"PATH": os.environ["PATH"], "CRUXWEB_DATA_DIR": str(tmp_path / "data"), **variables}
    command = [sys.executable, "manage.py", *arguments]

    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr.strip()) == (1, sentence)
