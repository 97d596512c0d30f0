"""A line that the tables cannot hold, whatever the format says of it, is noted; no other line is lost for it."""

from collections.abc import Sequence

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter
from apps.facts.journal import JournalFile
from apps.facts.models import Build, LineNote
from apps.facts.policies import Policies
from apps.facts.projector import batch, bring_up_to_date, catching_up
from apps.facts.queries import find_facts
from cruxstore.facts.journal import JournalLine
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored


@pytest.fixture
def _too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def project(
        build: Build, lines: Sequence[JournalLine], policies: Policies, journal: JournalFile, now_ms: int
    ) -> None:
        batch.project_lines(build, lines, policies, journal, now_ms)
        if any(b"too large" in line.text for line in lines):
            raise OverflowError

    monkeypatch.setattr(catching_up, "project_lines", project)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_too_large")
@pytest.mark.parametrize("limit", [500, None])
def test_the_line_is_noted_and_the_others_are_read(files: Files, reader: Scope, limit: int | None) -> None:
    values = "one", "two", "too large", "four", "five"
    files.write(stored(*(make_fact(at, value, key=f"k{at}") for at, value in enumerate(values, 1))))

    lag = bring_up_to_date(files, now_ns=NOON_NS, limit=limit)

    found = find_facts(reader, FactFilter(), store=files, now_ns=NOON_NS)
    assert (lag.state, lag.lines) == ("current", 5)
    assert {row.fact_id for row in found.rows} == {fact_id(at) for at in (1, 2, 4, 5)}
    assert [(note.line_no, note.sort) for note in LineNote.objects.all()] == [(3, "skipped")]
    assert Build.objects.get().facts == 4
