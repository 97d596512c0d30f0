"""Acting on facts by the pages: said before, done once, undone, and refused with what was typed still there."""

import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User
from apps.facts.acting import acting
from apps.facts.projector import bring_up_to_date
from cruxstore.door import Store
from cruxstore.ledger.events import Action, Actor
from tests.holds import place_hold
from tests.pages.conftest import HOSTILE, SignIn, StateFact

STATE = "/t/default/facts/state/"
WORDS = ("Verify again", "Set horizon", "Correct", "Set validity", "Delete")


def hidden_fields(page: str) -> dict[str, str]:
    """The version and the token that a form carries."""
    return dict(re.findall(r'<input type="hidden" name="(expected|token)" value="([^"]*)">', page))


def toast_of(page: str) -> tuple[str, dict[str, str]]:
    """Where the toast's Undo leads, and what it sends."""
    toast = page[page.index('class="toast"') :]
    found = re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', toast, re.DOTALL)
    assert found is not None
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', found.group(2))
    return found.group(1), {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def newest_action(store: Store) -> Action:
    return [event for event, _ in store.events_from(0)][-1].action


def lines(store: Store) -> int:
    return len(store.journal_path.read_bytes().splitlines())


def claim(**changed: str) -> dict[str, str]:
    """What a person types to state a fact."""
    typed = {"entity": "team:a", "key": "lead", "value": "Ana", "confidence": "0.8", "horizon": "medium"}
    return {**typed, "valid_from": "", "valid_to": "", **changed}


def test_stating_a_fact_says_before_what_it_will_write(as_curator: Client, state_fact: StateFact, store: Store) -> None:
    state_fact("team:a", "lead", "Ana and Bea")
    before = store.journal_path.read_bytes()

    page = as_curator.post(STATE, {**claim(value="Ana and Cleo"), "look": "1"}).text

    assert "What will be written: one event and 2 lines" in page
    assert "Version 2 of <bdi>lead</bdi> of <bdi>team:a</bdi> counts from now on" in page
    assert "Version 1 of" in page and "is retired" in page
    assert "Ana and <del>Bea</del><ins>Cleo</ins>" in page
    assert "&quot;op&quot;:&quot;store&quot;" in page and "&quot;by_fact_id&quot;:&quot;f_(new)&quot;" in page
    assert store.journal_path.read_bytes() == before


def test_a_stated_fact_is_told_by_its_event_and_can_be_undone(as_curator: Client, store: Store) -> None:
    page = as_curator.post(STATE, {**claim(), **hidden_fields(as_curator.get(STATE).text)}, follow=True).text
    event = [event for event, _ in store.events_from(0)][-1]
    address, fields = toast_of(page)
    undone = as_curator.post(address, fields, follow=True).text

    assert f"Stated the fact: version 1, event {event.seq}" in page
    assert '<h1 class="title" tabindex="-1" autofocus>' in page
    assert event.action == Action.FACT_STORED
    assert "Deleted version 1" in undone
    assert newest_action(store) == Action.FACT_DELETED


def test_a_correction_undone_lets_the_version_before_count_again(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")
    address = f"/t/default/facts/{fact_id}/correct/"
    form = as_curator.get(address).text
    corrected = as_curator.post(address, {**claim(value="Bea"), **hidden_fields(form)}, follow=True).text

    as_curator.post(*toast_of(corrected))

    assert "Version 2 counts from now on" in form
    assert "Corrected version 1: version 2, event" in corrected
    assert "</svg>Current" in as_curator.get(f"/t/default/facts/{fact_id}/").text


@pytest.mark.parametrize(
    ("act", "typed", "action", "words"),
    [
        ("validity", {"valid_from": "2026-09-15", "valid_to": ""}, Action.FACT_VALIDITY_SET, "Set the validity"),
        ("horizon", {"horizon": "stable"}, Action.FACT_HORIZON_SET, "Set the horizon to stable"),
        ("verify", {}, Action.FACT_REVERIFIED, "Verified again"),
        ("delete", {}, Action.FACT_DELETED, "Deleted version 1"),
    ],
)
def test_an_act_is_written_once_and_told(
    as_curator: Client,
    state_fact: StateFact,
    store: Store,
    act: str,
    typed: dict[str, str],
    action: Action,
    words: str,
) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")
    address = f"/t/default/facts/{fact_id}/{act}/"
    form = as_curator.get(address).text
    sent = {**typed, **hidden_fields(form)}

    page = as_curator.post(address, sent, follow=True).text
    events = len(list(store.events_from(0)))
    as_curator.post(address, sent)

    assert action.value in form
    assert f"{words}, event" in page
    assert newest_action(store) == action
    assert len(list(store.events_from(0))) == events


def test_a_horizon_and_a_verification_count_at_once(as_curator: Client, state_fact: StateFact) -> None:
    address = f"/t/default/facts/{state_fact('team:a', 'lead', 'Ana', confidence=0.7)}/"
    horizon = {"horizon": "volatile", **hidden_fields(as_curator.get(f"{address}horizon/").text)}
    with_horizon = as_curator.post(f"{address}horizon/", horizon, follow=True).text
    verify = hidden_fields(as_curator.get(f"{address}verify/").text)
    verified = as_curator.post(f"{address}verify/", verify, follow=True).text

    assert "volatile, threshold</dt><dd>24 h" in with_horizon or "volatile, threshold</dt><dd>1 d" in with_horizon
    assert "Anchor</a>: recorded" in with_horizon
    assert "Anchor</a>: verified again" in verified


def test_validity_set_and_undone_is_as_before(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")
    address = f"/t/default/facts/{fact_id}/validity/"
    sent = {"valid_from": "2026-09-15 08:30", "valid_to": "", **hidden_fields(as_curator.get(address).text)}

    done = as_curator.post(address, sent, follow=True).text
    undone = as_curator.post(*toast_of(done), follow=True).text

    assert 'Valid from <time datetime="2026-09-15T08:30:00Z">' in done
    assert "Valid at any time" in undone


def test_what_changed_meanwhile_is_shown_and_what_was_typed_stays(
    as_curator: Client, operator: User, sign_in: SignIn, state_fact: StateFact, store: Store
) -> None:
    fact_id = state_fact("team:a", "lead", "Ana leads")
    address = f"/t/default/facts/{fact_id}/correct/"
    mine, theirs = as_curator.get(address).text, sign_in(operator)
    theirs.post(address, {**claim(value="Bea leads"), **hidden_fields(theirs.get(address).text)})
    before = store.journal_path.read_bytes()

    refused = as_curator.post(address, {**claim(value="Cleo leads"), **hidden_fields(mine)})
    unwritten = store.journal_path.read_bytes()
    done = as_curator.post(address, {**claim(value="Cleo leads"), **hidden_fields(refused.text)})

    assert refused.status_code == 409
    assert "It has changed since you looked" in refused.text
    assert "<b><bdi>Operator</bdi></b> stated a new version at" in refused.text
    assert "<del>Ana</del><ins>Bea</ins> leads" in refused.text
    assert "Cleo leads</textarea>" in refused.text
    assert unwritten == before
    assert done.status_code == 302


def test_a_form_sent_again_with_something_else_is_refused_and_can_be_sent_anew(
    as_curator: Client, store: Store
) -> None:
    form = hidden_fields(as_curator.get(STATE).text)
    as_curator.post(STATE, {**claim(), **form})

    again = as_curator.post(STATE, {**claim(value="Bea"), **form})
    before = len(list(store.events_from(0)))
    look = as_curator.post(STATE, {**claim(value="Bea"), **hidden_fields(again.text), "look": "1"}).text
    anew = as_curator.post(STATE, {**claim(value="Bea"), **hidden_fields(look)})

    assert again.status_code == 409
    assert "idempotency_conflict" in again.text and "Bea</textarea>" in again.text
    assert anew.status_code == 302
    assert len(list(store.events_from(0))) == before + 1


def test_stating_over_a_value_that_nobody_has_seen_shows_it_first(as_curator: Client, state_fact: StateFact) -> None:
    form = hidden_fields(as_curator.get(STATE).text)
    state_fact("team:a", "lead", "Ana")

    answer = as_curator.post(STATE, {**claim(value="Bea"), **form})

    assert answer.status_code == 409
    assert "A value stands here already" in answer.text
    assert "What will be written: one event and 2 lines" in answer.text


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"confidence": "1.5"}, "Type a number from 0 to 1"),
        ({"confidence": "nan"}, "Type a number from 0 to 1"),
        ({"value": ""}, "Say what is believed"),
        ({"entity": "   "}, "more than blanks"),
        ({"valid_from": "yesterday"}, "Type now, a date"),
        ({"valid_from": "2026-09-15", "valid_to": "2026-09-01"}, "ends before it starts"),
        ({"entity": "__legal_hold__::H-9"}, "private and not yours"),
        ({"horizon": "never"}, "Choose one of the four"),
    ],
)
def test_what_cannot_be_taken_is_said_at_its_field(
    as_curator: Client, store: Store, changed: dict[str, str], words: str
) -> None:
    before = store.ledger_path.read_bytes()

    answer = as_curator.post(STATE, {**claim(**changed), **hidden_fields(as_curator.get(STATE).text)})

    assert answer.status_code == 422
    assert "Nothing was written" in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert words in answer.text
    assert store.ledger_path.read_bytes() == before


def test_facts_that_contradict_are_consolidated_and_the_consolidation_undone(
    as_curator: Client, state_fact: StateFact, store: Store
) -> None:
    first, second = (
        state_fact("team:a", "lead", "Ana", confidence=0.7),
        state_fact("team:a", "lead", "Bea", confidence=0.7),
    )
    with acting(store) as (door, view):
        door.clear_supersede(Actor("agent", "bot"), "default", first, view=view)
    address = f"/t/default/facts/{second}/consolidate/"
    sent = {"value": "Ana and Bea", "confidence": "0.9", "horizon": "medium"}

    form = hidden_fields(as_curator.get(address).text)
    refused = as_curator.post(address, {**sent, **form, "targets": [first]})
    done = as_curator.post(address, {**sent, **form, "targets": [first, second]}, follow=True).text
    undone = as_curator.post(*toast_of(done), follow=True).text

    assert refused.status_code == 422
    assert "implicit_prior_not_target" in refused.text and "would be retired without being named" in refused.text
    assert "Consolidated 2 facts" in done
    assert "Undid the consolidation" in undone
    assert "</svg>Current" in as_curator.get(f"/t/default/facts/{first}/").text


def test_a_held_fact_is_not_offered_for_deletion_and_not_deleted(
    as_curator: Client, state_fact: StateFact, store: Store
) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")
    address = f"/t/default/facts/{fact_id}/"
    form = hidden_fields(as_curator.get(f"{address}delete/").text)
    place_hold(store, "team:")
    bring_up_to_date(store, now_ns=1)

    page, refused = as_curator.get(address).text, as_curator.post(f"{address}delete/", form)

    assert 'aria-disabled="true" aria-describedby="why-not">Delete</span>' in page
    assert "Delete: Refused while H-3 binds this fact." in page
    assert refused.status_code == 409
    assert "fact_held" in refused.text


def test_an_older_version_is_neither_corrected_nor_verified(as_curator: Client, state_fact: StateFact) -> None:
    first = state_fact("team:a", "lead", "Ana")
    state_fact("team:a", "lead", "Bea")

    page = as_curator.get(f"/t/default/facts/{first}/").text
    correct = as_curator.get(f"/t/default/facts/{first}/correct/").text

    assert "Verify again and Set horizon: A newer version counts." in page
    assert "not_newest" in correct
    assert '<button class="btn main">Correct' not in correct


@pytest.mark.parametrize("role", ["viewer", "officer"])
def test_who_may_not_act_sees_no_buttons(
    request: pytest.FixtureRequest, sign_in: SignIn, state_fact: StateFact, role: str
) -> None:
    browser = sign_in(request.getfixturevalue(role))
    address = f"/t/default/facts/{state_fact('team:a', 'lead', 'Ana')}/"

    page = browser.get(address).text

    assert not [word for word in WORDS if re.search(rf'class="btn[^>]*>{word}', page)]
    assert ">State a fact" not in browser.get("/t/default/facts/").text
    assert browser.get(STATE).status_code == 403
    for act in ("correct", "delete", "validity", "horizon", "verify", "consolidate", "undo-consolidation"):
        assert browser.get(f"{address}{act}/").status_code == 403


def test_the_acts_of_another_tenant_do_not_exist(as_stranger: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")

    assert as_stranger.get(f"/t/acme/facts/{fact_id}/verify/").status_code == 404
    assert as_stranger.post(f"/t/acme/facts/{fact_id}/delete/").status_code == 404


def test_the_toast_stays_until_it_is_dismissed(as_curator: Client, state_fact: StateFact) -> None:
    address = f"/t/default/facts/{state_fact('team:a', 'lead', 'Ana')}/"
    as_curator.post(f"{address}verify/", hidden_fields(as_curator.get(f"{address}verify/").text), follow=True)

    stays = as_curator.get(address).text
    as_curator.post(f"{address}dismiss/")

    assert 'class="toast"' in stays and "autofocus" not in stays
    assert 'class="toast"' not in as_curator.get(address).text


def test_hostile_text_stays_text_in_what_will_be_written(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("vendor:northpass", "domain", HOSTILE)

    page = as_curator.get(f"/t/default/facts/{fact_id}/validity/").text

    assert "<script>alert" not in page and "\u202e" not in page


def test_an_observed_journal_is_only_read_and_says_so(
    as_curator: Client, state_fact: StateFact, settings: Settings, tmp_path: Path, store: Store
) -> None:
    fact_id = state_fact("team:a", "lead", "Ana")
    observed = tmp_path / "facts.jsonl"
    observed.write_bytes(store.journal_path.read_bytes())
    settings.OBSERVED_JOURNAL = observed
    address = f"/t/default/facts/{fact_id}/"

    page = as_curator.get(address).text
    state, listed = as_curator.get(STATE), as_curator.get("/t/default/facts/").text
    refused = as_curator.post(STATE, {**claim(key="other"), **hidden_fields(state.text)})
    verified = as_curator.post(f"{address}verify/", hidden_fields(as_curator.get(f"{address}verify/").text))

    assert "Correct, Set validity and Delete: The journal belongs to a daemon and is only read here." in page
    assert 'aria-describedby="why-not">State a fact</span>' in listed
    assert "journal_not_ours" in state.text and '<button class="btn main">State' not in state.text
    assert refused.status_code == 409
    assert verified.status_code == 302
    assert observed.read_bytes() == store.journal_path.read_bytes()
