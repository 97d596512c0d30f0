"""The store's commands as a person or a script runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cruxstore.__main__ import main
from tests.cruxstore.facts.made import (
    delete_line,
    dump,
    fact_members,
    hold_line,
    store_line,
    supersede_line,
    write_journal,
)

ROOT = Path(__file__).parents[2]
VECTOR = ROOT / "tests" / "data" / "journal-v1.jsonl"
AT = "2026-04-01T00:00:00Z"

Output = pytest.CaptureFixture[str]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with one fact replaced by another and one deleted."""
    return write_journal(
        tmp_path / "facts.jsonl",
        store_line("f_b", value="late"),
        store_line("f_a", value="early", horizon_class="volatile"),
        supersede_line("f_b", "f_a"),
        store_line("f_c"),
        delete_line("f_c"),
    )


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def printed(output: Output) -> list[Any]:
    return [json.loads(line) for line in output.readouterr().out.splitlines()]


def test_state_prints_every_fact_by_id_and_then_what_was_skipped(journal: Path, capsys: Output) -> None:
    status = run("state", journal)

    *facts, last = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [json.loads(line)["fact_id"] for line in facts] == ["f_a", "f_b", "f_c"]
    assert facts[0].encode() == dump(fact_members("f_a", value="early", horizon_class="volatile"))
    assert json.loads(facts[1])["superseded_by"] == "f_a"
    assert json.loads(facts[2])["deleted"] is True
    assert last == '{"skipped":[],"torn_tail_bytes":0}'


def test_state_of_the_sample_journal_names_its_skipped_line(capsys: Output) -> None:
    status = run("state", VECTOR, "--json")

    *facts, last = printed(capsys)
    assert status == 1
    assert len(facts) == 7
    assert last == {"skipped": [[12, "The canonical fact is deleted."]], "torn_tail_bytes": 0}


def test_state_keeps_unknown_fields(tmp_path: Path, capsys: Output) -> None:
    path = write_journal(tmp_path / "facts.jsonl", store_line()[:-2] + b',"salience":0.7}}')

    run("state", path)

    assert capsys.readouterr().out.splitlines()[0].endswith(',"horizon_class":"none","salience":0.7}')


def test_state_reports_a_torn_tail_and_leaves_the_file_alone(journal: Path, capsys: Output) -> None:
    journal.write_bytes(journal.read_bytes() + b'{"op":')
    before = journal.read_bytes()

    status = run("state", journal)

    assert status == 1
    assert printed(capsys)[-1] == {"skipped": [], "torn_tail_bytes": 6}
    assert journal.read_bytes() == before
    assert list(journal.parent.iterdir()) == [journal]


def test_compact_writes_the_current_state(journal: Path, tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "out.jsonl"

    status = run("compact", journal, out, "--at", AT)

    assert status == 0
    assert "Kept 2 facts, dropped 1." in capsys.readouterr().out
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [(line["op"], line.get("superseded_at"), line.get("deleted_at")) for line in lines] == [
        ("store", None, None),
        ("store", None, None),
        ("supersede", "2026-04-01T00:00:00+00:00", None),
        ("delete", None, "2026-04-01T00:00:00+00:00"),
    ]


def test_compact_reports_as_json(journal: Path, tmp_path: Path, capsys: Output) -> None:
    journal.write_bytes(journal.read_bytes() + b"?\n")

    status = run("compact", journal, tmp_path / "out.jsonl", "--at", AT, "--json")

    assert status == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {"facts_dropped": 1, "facts_retained": 2, "tombstones_kept": 1, "lines_lost": 1}
    assert "could not be read and are not in" in output.err


def test_compact_refuses_under_a_hold_and_writes_nothing(tmp_path: Path, capsys: Output) -> None:
    held = (hold_line("f_h", "lh_1"), store_line("f_1", entity="customer::1"), delete_line("f_1"))
    path = write_journal(tmp_path / "facts.jsonl", *held)

    status = run("compact", path, tmp_path / "out.jsonl", "--at", AT, "--json")

    assert status == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["refused"]["hold_ids"] == ["lh_1"]
    assert output.err == "cruxstore: Deleted facts are under legal hold: lh_1. Nothing was written.\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("link", ["same", "symlink", "hardlink"])
def test_compact_never_writes_over_the_journal(journal: Path, tmp_path: Path, capsys: Output, link: str) -> None:
    before = journal.read_bytes()
    out = journal if link == "same" else tmp_path / "other.jsonl"
    if link == "symlink":
        out.symlink_to(journal)
    if link == "hardlink":
        out.hardlink_to(journal)

    status = run("compact", journal, out, "--at", AT)

    assert status == 2
    assert "is the journal itself" in capsys.readouterr().err
    assert journal.read_bytes() == before


@pytest.mark.parametrize("out", ["missing/out.jsonl", ".", "x" * 300])
def test_compact_says_where_it_cannot_write(journal: Path, tmp_path: Path, capsys: Output, out: str) -> None:
    status = run("compact", journal, tmp_path / out, "--at", AT)

    assert status == 2
    assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [journal]


def test_freshness_prints_each_live_fact(journal: Path, capsys: Output) -> None:
    anchor_ms = 1_772_352_930_000

    status = run("freshness", journal, "--now", str(anchor_ms + 86_400_001), "--json")

    assert status == 0
    assert printed(capsys) == [
        {"fact_id": "f_a", "freshness": "stale", "effective_confidence": 0.25, "stale_at": anchor_ms + 86_400_000},
        {"fact_id": "f_b", "freshness": "fresh", "effective_confidence": 0.5, "stale_at": None},
    ]


def test_freshness_heeds_the_daemons_variables(journal: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORECRUXD_DECAY_VOLATILE_HOURS", "48")

    run("freshness", journal, "--now", "1772439330001")

    assert capsys.readouterr().out.splitlines() == ["f_a  fresh  0.5  1772525730000", "f_b  fresh  0.5  -"]


def test_holds_prints_each_hold_and_what_it_covers(tmp_path: Path, capsys: Output) -> None:
    path = write_journal(
        tmp_path / "facts.jsonl",
        hold_line("f_h", "lh_1"),
        store_line("f_2", entity="customer::1"),
        store_line("f_1", entity="customer::2", deleted=True),
        store_line("f_3"),
    )

    status = run("holds", path, "--json")

    assert status == 0
    assert printed(capsys) == [
        {
            "hold_id": "lh_1",
            "active": True,
            "tenant": "default",
            "entity_prefixes": ["customer::"],
            "fact_ids": ["f_1", "f_2"],
        }
    ]


def test_a_person_sees_holds_without_what_could_steer_a_terminal(tmp_path: Path, capsys: Output) -> None:
    covered = store_line("f_\x1b[2J", tenant_hash="acme")
    path = write_journal(tmp_path / "facts.jsonl", hold_line("f_h", "lh_1", tenant="acme", entity_prefixes=[]), covered)

    run("holds", path)

    assert capsys.readouterr().out.splitlines() == [
        "lh_1  active  acme  the whole tenant  facts: 2",
        "  'f_\\x1b[2J'",
        "  f_h",
    ]


@pytest.mark.parametrize("command", [("freshness", "--now", "1"), ("holds",)])
def test_other_commands_mention_what_had_to_be_skipped(journal: Path, capsys: Output, command: tuple[str, ...]) -> None:
    journal.write_bytes(journal.read_bytes() + b"?\n{")

    status = run(command[0], journal, *command[1:])

    assert status == 0
    assert capsys.readouterr().err.splitlines() == [
        "cruxstore: Lines that had to be skipped: 1. `state` lists them.",
        "cruxstore: The journal ends with 1 bytes without a newline, which do not count.",
    ]


@pytest.mark.parametrize(
    "command", [("state",), ("compact", "out.jsonl", "--at", AT), ("freshness", "--now", "1"), ("holds",)]
)
@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_journal_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, capsys: Output, command: tuple[str, ...], name: str
) -> None:
    status = run(command[0], tmp_path / name, *command[1:])

    output = capsys.readouterr()
    assert status == 2
    assert output.out == ""
    assert output.err.startswith(f"cruxstore: {tmp_path / name} cannot be read: ")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("unknown",),
        ("state",),
        ("compact", "a", "b"),
        ("compact", "a", "b", "--at", "yesterday"),
        ("freshness", "a"),
        ("freshness", "a", "--now", "soon"),
    ],
)
def test_a_wrong_call_is_explained(capsys: Output, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)

    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_the_commands_run_as_a_module_without_a_site(journal: Path) -> None:
    code = "import runpy, sys; runpy.run_module('cruxstore', run_name='__main__', alter_sys=True)"
    guard = f"import sys; sys.modules['django'] = None; sys.argv = ['cruxstore', 'state', {str(journal)!r}]; {code}"

    result = subprocess.run([sys.executable, "-c", guard], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 4


def test_a_full_disk_is_one_sentence(journal: Path) -> None:
    command = [sys.executable, "-m", "cruxstore", "state", str(journal)]

    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("cruxstore: The output cannot be written: No space left on device.")


def test_a_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path) -> None:
    path = write_journal(
        tmp_path / "facts.jsonl", *(store_line(f"f_{number}", value="x" * 500) for number in range(2000))
    )
    reading, writing = os.pipe()
    os.close(reading)

    command = [sys.executable, "-m", "cruxstore", "state", str(path)]
    result = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)

    assert (result.returncode, result.stderr) == (141, "")
