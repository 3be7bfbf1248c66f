"""README and docs/: links lead somewhere, README is short and names every room, the picture shows the conversation."""

import re
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), ROOT / "models" / "README.md", *(ROOT / "docs").rglob("*.md")]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
README_LINES = 150
PICTURE_BYTES = 60_000


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = [link for link in LINK.findall(document.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not leads_somewhere(document, link)] == []


def test_readme_is_short_and_names_every_room() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in ROOT.glob("daemon/*/__init__.py")]
    tops = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert len(text.splitlines()) <= README_LINES
    assert [name for name in (*rooms, *tops) if f"{name}/ " not in text] == []


def test_every_line_of_the_conversation_is_heard_in_the_picture() -> None:
    """If not: make conversation"""
    picture = (ROOT / "docs" / "conversation.svg").read_text(encoding="utf-8")
    heard = re.findall(r">heard: (.*)</text>", unescape(picture))
    assert heard == (ROOT / "docs" / "conversation.txt").read_text(encoding="utf-8").splitlines()
    assert len(picture.encode()) < PICTURE_BYTES


def leads_somewhere(document: Path, link: str) -> bool:
    """Return whether a link of `document` names a file that is there, and a heading in it where it names one."""
    name, _, heading = link.partition("#")
    file = document.parent / name if name else document
    return file.exists() and (not heading or heading in headings(file))


def headings(file: Path) -> set[str]:
    """Return the names of a page's headings, as code hosting pages make them."""
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(file.read_text("utf-8"))
    }
