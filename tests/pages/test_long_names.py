"""Names and ids that do not fit a line, an address or a file name."""

import html
import re

import pytest
from django.test import Client

from cruxstore.door import Store
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import Fact
from cruxstore.facts.records import Store as StoreOne
from tests.facts.journals import make_fact

LONG = "service:" + "checkout " * 12_000
ODD = ["service:\x1fcut", "service:a\x00b", LONG, "service:two\nlines"]


def add_lines(store: Store, *facts: Fact) -> None:
    """Lines of somebody else's, as the daemon could have written them."""
    with store.journal_path.open("ab") as journal:
        journal.writelines(encode_operation(StoreOne(fact)) + b"\n" for fact in facts)


def links_of(page: str, start: str) -> list[str]:
    """The addresses on a page that start so."""
    return [html.unescape(link) for link in re.findall(rf'href="({start}[^"]*)"', page)]


@pytest.mark.parametrize("entity", ODD, ids=["cut mark", "null", "long", "line"])
def test_every_link_to_an_odd_entity_leads_to_it(store: Store, as_curator: Client, entity: str) -> None:
    add_lines(store, make_fact(1, entity=entity, key=entity, actor=entity))
    fact_page = as_curator.get(f"/t/default/facts/{make_fact(1).fact_id}/").text
    (listed,) = links_of(as_curator.get("/t/default/entities/").text, "/t/default/entity/")

    entity_page = as_curator.get(listed)
    found = links_of(entity_page.text + fact_page, r"/t/default/facts/\?(?:entity|actor)=")

    assert entity_page.status_code == 200
    assert listed in links_of(fact_page, "/t/default/entity/")
    assert len(found) >= 2
    for address in found:
        assert "1 of 1 facts" in as_curator.get(address).text or "1 fact in" in as_curator.get(address).text
        assert len(address) < 1_000


def test_a_name_without_end_is_shown_by_its_beginning(store: Store, as_curator: Client) -> None:
    add_lines(store, *(make_fact(number, entity=LONG, key=LONG, actor=LONG) for number in range(3)))

    for address in ("facts/", "entities/", "", f"facts/{make_fact(1).fact_id}/"):
        assert len(as_curator.get(f"/t/default/{address}").content) < 100_000, address


@pytest.mark.parametrize("fact_id", ["f_a\nb", 'f_"; x="', "f_é/../../etc", "f_" + "x" * 3000])
def test_a_download_has_a_plain_file_name(store: Store, as_curator: Client, fact_id: str) -> None:
    add_lines(store, make_fact(1, "the value")._replace(fact_id=fact_id))
    page = as_curator.get("/t/default/facts/").text
    (address,) = {link for link in links_of(page, "/t/default/facts/[f~]") if "?" not in link}

    for rest in ("value/?form=text", "lines/1/"):
        answer = as_curator.get(f"{address}{rest}")

        assert answer.status_code == 200
        assert re.fullmatch(r'attachment; filename="[A-Za-z0-9._-]{1,80}"', answer["Content-Disposition"])


def test_the_value_of_a_private_fact_has_no_page_but_for_its_owner(store: Store, as_curator: Client) -> None:
    add_lines(store, make_fact(1, "a secret", entity="plan:x", private=True))

    answer = as_curator.get(f"/t/default/facts/{make_fact(1).fact_id}/value/")

    assert answer.status_code == 404
