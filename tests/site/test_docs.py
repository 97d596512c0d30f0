"""What the documents say is what there is."""

import re
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
OURS = {"apps.accounts", "apps.facts", "apps.jobs", "cruxweb"}
VARIABLE = re.compile(r"\b(?:CRUXWEB|CORECRUXD)_[A-Z_]+\b")


def sources() -> str:
    """The text of everything that runs."""
    folders = [ROOT / name for name in ("cruxweb", "apps", "cruxstore")]
    return "\n".join(path.read_text() for folder in folders for path in sorted(folder.rglob("*.py")))


def test_every_variable_is_described_and_every_described_one_is_read() -> None:
    described = set(VARIABLE.findall((ROOT / "docs/settings.md").read_text()))

    assert set(VARIABLE.findall(sources())) == described


def test_every_command_is_described_and_every_described_one_exists() -> None:
    described = set(re.findall(r"^\| `(\w+)", (ROOT / "docs/commands.md").read_text(), flags=re.MULTILINE))

    assert {name for name, app in get_commands().items() if app in OURS} == described


def test_every_make_target_of_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    documents = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))

    assert set(re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)", documents)) - {("", "")}
    assert {first or second for first, second in re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)", documents)} <= targets


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            if not target.startswith(("http", "/", "mailto:")):
                assert (document.parent / target).exists(), f"{document.name} links to {target}"
