"""A wrong setting stops the start with one sentence that says what to write."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from cruxweb.environment import read_flag, read_journal, read_port, read_secret_key, read_site_address

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
