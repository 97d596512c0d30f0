"""The style sheets and templates keep what the console's look promises."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings

STATIC = settings.BASE_DIR / "static"
TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TOKENS = dict(
    re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)", (STATIC / "css/tokens.css").read_text())
)
SURFACES = ("well", "paper", "raised")


def contrast(one: str, other: str, theme: int) -> float:
    """The contrast of two tokens in a theme, 0 for light and 1 for dark, as WCAG reckons it."""
    lighter, darker = sorted((luminance(TOKENS[name].split(", ")[theme]) for name in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as #1b4f9c."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


TEXT = [
    *product(("ink", "ink-2", "accent", "good", "warn", "bad"), SURFACES),
    *(("ink", wash) for wash in ("accent-wash", "good-wash", "warn-wash", "bad-wash")),
    ("ink-2", "accent-wash"),
    ("on-accent", "accent"),
    ("paper", "bad"),
    ("paper", "ink"),
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("text, behind", TEXT)
def test_text_can_be_read_on_what_is_behind_it(text: str, behind: str, theme: int) -> None:
    assert contrast(text, behind, theme) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("behind", SURFACES)
def test_the_edge_of_a_control_can_be_seen(behind: str, theme: int) -> None:
    assert contrast("edge", behind, theme) >= 3


def test_every_colour_comes_from_the_tokens() -> None:
    elements = (STATIC / "css/elements.css").read_text()

    assert re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(|light-dark\(", elements) == []


def test_the_sheets_stay_small() -> None:
    assert sum(path.stat().st_size for path in (STATIC / "css").iterdir()) < 60_000


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_nothing_inline(path: Path) -> None:
    text = path.read_text()

    assert not re.search(r"\sstyle=|\son\w+=|hx-on|javascript:|<style|<script(?![^>]* src=)", text)


def test_the_script_evaluates_nothing() -> None:
    script = (STATIC / "js/console.js").read_text()

    assert not re.search(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", script)


def test_every_icon_that_a_template_names_is_in_the_sprite() -> None:
    known = set(re.findall(r'id="i-([\w-]+)"', (settings.BASE_DIR / "templates/icons.html").read_text()))
    named = {name for path in TEMPLATES for name in re.findall(r'{% (?:icon|tag) "([\w-]+)"', path.read_text())}

    assert named <= known
