"""What the files for deployments name exists; there is no container engine to run them here."""

import os
import re
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))
HOME = "/opt/cruxweb"
VARIABLE = re.compile(r"^#?(CRUXWEB_\w+)=", re.MULTILINE)


def described() -> str:
    """The page that describes every variable."""
    return (ROOT / "docs/settings.md").read_text()


def compose() -> dict[str, Any]:
    """compose.yaml, its anchors followed."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return read


def unit(path: Path) -> RawConfigParser:
    """A unit file by its sections; none of ours says a thing twice."""
    parser = RawConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # systemd tells upper case from lower
    parser.read_string(path.read_text())
    return parser


def refuse_unknown(command: list[str]) -> None:
    """Fails where manage.py does not know a command or an option of it."""
    assert command[:2] == ["python", "manage.py"]
    told = subprocess.run(
        [sys.executable, "manage.py", command[2], "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert [option for option in command[3:] if option.startswith("--") and option not in told.stdout] == []


def test_containers_run_commands_that_exist_with_variables_that_are_described() -> None:
    services = compose()["services"]
    ours = {name: one for name, one in services.items() if one.get("image") == "cruxweb"}

    assert set(ours) == {"prepare", "web", "workers"}
    for one in ours.values():
        refuse_unknown(one["command"])
        assert one["volumes"] == ["data:/data"]
        for name in one["environment"]:
            assert f"`{name}`" in described()


def test_containers_wait_for_what_exists_and_is_told_to_be_healthy() -> None:
    services, volumes = compose()["services"], compose()["volumes"]

    for one in services.values():
        for name, condition in one.get("depends_on", {}).items():
            assert condition["condition"] in {"service_healthy", "service_completed_successfully"}
            assert condition["condition"] != "service_healthy" or "healthcheck" in services[name]
        assert {volume.partition(":")[0] for volume in one.get("volumes", ())} <= set(volumes)


def test_only_the_web_server_is_reached_and_only_from_the_host() -> None:
    ports = {name: one["ports"] for name, one in compose()["services"].items() if "ports" in one}

    assert ports == {"web": ["127.0.0.1:8000:8000"]}


def test_the_image_is_made_of_files_that_are_there_and_not_left_out() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]]
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}

    assert copied and all((ROOT / name).exists() for name in copied)
    assert set(copied) == kept
    commands = [line for line in lines if line.startswith("CMD ")]
    assert len(commands) == 1
    refuse_unknown(["python", "manage.py", "serve", *re.findall(r"--\w+", commands[0])])


@pytest.mark.parametrize("path", UNITS, ids=[path.stem for path in UNITS])
def test_a_unit_runs_a_command_that_exists_after_units_that_exist(path: Path) -> None:
    service = unit(path)["Service"]
    program, *command = service["ExecStart"].split()

    assert program == f"{HOME}/.venv/bin/python"
    refuse_unknown(["python", *command])
    assert service["WorkingDirectory"] == HOME
    assert (service["User"], service["NoNewPrivileges"], service["ProtectSystem"]) == ("cruxweb", "yes", "strict")
    needed = unit(path)["Unit"].get("Requires", "").split()
    assert all((path.parent / name).exists() for name in needed)


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None and os.environ.get("CI") != "true":
        pytest.skip("This system has no systemd.")
    assert analyze is not None
    for path in UNITS:
        text = path.read_text().replace(f"{HOME}/.venv/bin/python", sys.executable).replace(HOME, str(ROOT))
        (tmp_path / path.name).write_text(text)

    told = subprocess.run(
        [analyze, "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )

    assert [line for line in told.stderr.splitlines() if "cruxweb" in line] == []
    assert told.returncode == 0, told.stderr


def test_the_example_names_variables_that_are_described() -> None:
    named = VARIABLE.findall((ROOT / "deploy/environment.example").read_text())

    assert named
    assert [name for name in named if f"`{name}`" not in described()] == []


def test_the_manual_tells_every_code_of_readiness() -> None:
    page = (ROOT / "docs/manual/running.md").read_text()
    sources = [(ROOT / name).read_text() for name in ("cruxweb/health.py", "apps/facts/queries/readiness.py")]
    codes = set(
        re.findall(r'"((?:index|journal|ledger|disk|store|continuity|files|database)_[a-z_]+)"', "".join(sources))
    )
    # what the journal or the ledger records, and names of tables
    codes -= {"journal_replaced", "journal_cut"}

    assert codes
    assert [code for code in sorted(codes) if f"`{code}`" not in page] == []
