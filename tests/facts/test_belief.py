"""The belief map of journals that others write."""

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import BeliefMap
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import compare_moments, get_belief
from cruxstore.facts.records import Store, Supersede
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact

pytestmark = pytest.mark.django_db
STAMP = "2026-11-30T09:00:00+00:00"


@pytest.fixture
def replaced(files: Files) -> Files:
    """A daemon's two versions, the second retiring the first on a line of its own."""
    nine, ten = parse_timestamp("2026-11-30T09:00:00Z"), parse_timestamp("2026-11-30T10:00:00Z")
    files.write(
        [
            Store(make_fact(1, "yes", stored_at=nine)),
            Store(make_fact(2, "no", version=2, supersedes=1, stored_at=ten)),
            Supersede(fact_id(1), fact_id(2), STAMP),
        ]
    )
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)
    return files


def belief_of(files: Files, reader: Scope) -> BeliefMap:
    return get_belief(reader, "service:checkout", "deploy_gate", store=files, now_ns=NOON_NS)


def test_a_daemons_version_and_the_line_that_retires_the_one_before_are_one_change(
    replaced: Files, reader: Scope
) -> None:
    belief = belief_of(replaced, reader)

    assert [(band.deed.place, band.deed.op, band.deed.version) for band in belief.bands] == [
        ("line 1", "store", 1),
        ("line 3", "store", 2),
    ]
    assert [[span.letters for span in band.spans] for band in belief.bands] == [[("A",)], [("A",), ("B",)]]
    assert belief.current_fact_id == fact_id(2)


def test_the_cause_of_a_difference_is_the_change_with_its_kind(replaced: Files, reader: Scope) -> None:
    found = compare_moments(reader, "service:checkout", ("line 1", ""), ("", ""), store=replaced, now_ns=NOON_NS)

    (key,) = found.keys
    assert (key.sign, key.before, key.after) == ("±", ("yes",), ("no",))
    assert key.deed is not None and key.replacement is not None
    assert (key.deed.place, key.deed.actor_id, key.replacement.kind) == ("line 3", "deploy-bot", "change")
