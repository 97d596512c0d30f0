"""One fact."""

import hashlib

from blake3 import blake3
from django.test import Client

from tests.pages.conftest import HOSTILE, StateFact


def test_the_page_reckons_the_confidence_item_by_item(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("incident:2026-121", "status", "mitigated", confidence=0.7)

    page = as_curator.get(f"/t/default/facts/{fact_id}/").text

    assert "Effective confidence 0.70" in page
    for item in ("As written", "medium, threshold", "35 d", "Age at", "Left until it goes stale", "Factor, fresh"):
        assert item in page


def test_versions_show_the_words_that_changed(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail preferred, no calls")
    newest = state_fact("customer:halden", "contact", "Written notice only, no calls")

    page = as_curator.get(f"/t/default/facts/{newest}/").text

    assert "<del>E-mail preferred</del><ins>Written notice only</ins>, no calls" in page
    assert "Superseded" in page


def test_json_is_indented_compared_by_path_and_kept_as_written(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("config:gate", "limits", '{"max":400,"gone":true}')
    newest = state_fact("config:gate", "limits", '{"max":500}')

    page = as_curator.get(f"/t/default/facts/{newest}/").text

    assert "{\n  &quot;max&quot;: 500\n}" in page
    assert "{&quot;max&quot;:500}" in page
    assert "<del><bdi>400</bdi></del>" in page and "<ins><bdi>500</bdi></ins>" in page


def test_hidden_characters_are_boxed_and_counted(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("vendor:northpass", "sender_domain", HOSTILE)

    page = as_curator.get(f"/t/default/facts/{fact_id}/").text

    assert "3 invisible characters" in page
    assert '<span class="hid">U+0000</span>' in page
    assert "\u202e" not in page and "<script>alert" not in page


def test_a_long_value_is_folded_with_its_size_and_digest(as_curator: Client, state_fact: StateFact) -> None:
    value = "x" * 300_000 + "the very end"
    fact_id = state_fact("log:build", "output", value)

    page = as_curator.get(f"/t/default/facts/{fact_id}/").text
    last = as_curator.get(f"/t/default/facts/{fact_id}/value/?part=8").text
    whole = as_curator.get(f"/t/default/facts/{fact_id}/value/?form=text")

    assert len(page) < 60_000
    assert blake3(value.encode()).hexdigest() in page
    assert "300,012 bytes" in page
    assert "the very end" not in page
    assert "the very end" in last
    assert whole.content == value.encode()
    assert whole["Content-Disposition"].startswith("attachment")


def test_a_line_is_downloaded_byte_for_byte(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("vendor:northpass", "sender_domain", HOSTILE)

    page = as_curator.get(f"/t/default/facts/{fact_id}/").text
    line = as_curator.get(f"/t/default/facts/{fact_id}/lines/1/").content

    assert "Journal line 1" in page
    assert fact_id.encode() in line
    assert b"\\u0000" in line


def test_the_ledger_names_who_stored_it(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "owner", "team payments")

    page = as_curator.get(f"/t/default/facts/{fact_id}/").text

    assert "fact.stored" in page
    assert "deploy-bot" in page


def test_a_missing_fact_is_not_found(as_curator: Client) -> None:
    answer = as_curator.get(f"/t/default/facts/f_{hashlib.md5(b'none').hexdigest()}/")

    assert answer.status_code == 404
    assert "not_found" in answer.text


def test_the_preview_is_a_fragment(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "owner", "team payments")

    answer = as_curator.get(f"/t/default/facts/{fact_id}/preview/", headers={"HX-Request": "true"})

    assert "<html" not in answer.text
    assert 'id="preview-title"' in answer.text
    assert "team payments" in answer.text
