"""The manual."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from apps.facts.presentation.address import FACET_TERMS
from cruxweb.help import STORE_LINE, TITLES, anchor_of, manual_page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", TITLES)
def test_every_page_is_open_to_everyone(client: Client, data_dir: Path, name: str) -> None:
    answer = client.get(f"/help/{name}/")

    assert answer.status_code == 200
    assert f'<h1 class="title">{manual_page(name).title}</h1>' in answer.text


def test_a_page_that_does_not_exist_is_not_found(client: Client, data_dir: Path) -> None:
    assert client.get("/help/settings/").status_code == 404


def test_the_pieces_make_one_line_that_can_be_read() -> None:
    line = "".join(piece.text for piece in STORE_LINE)

    assert line.startswith('{"op":"store","fact":{"fact_id":')
    assert line.endswith("}}")


def test_every_term_that_a_page_links_to_is_in_the_glossary() -> None:
    known = {anchor for anchor, _ in manual_page("glossary").headings}
    linked = {piece.anchor for piece in STORE_LINE} | set(FACET_TERMS.values())
    for path in (settings.BASE_DIR / "templates").rglob("*.html"):
        linked |= set(re.findall(r'{% term "([a-z-]+)"', path.read_text()))
    for name in TITLES:
        linked |= set(re.findall(r"glossary/#([a-z-]+)", manual_page(name).body + manual_page(name).lead))

    assert linked <= known


def test_an_anchor_is_the_heading_in_small_letters() -> None:
    assert anchor_of("Effective confidence") == "effective-confidence"
