"""README and docs/: links lead somewhere, README is short and names every room, the picture shows the conversation.

Also: what the docstrings of rooms, docs/architecture.md and CONTRIBUTING.md tell of the code is so.
"""

import ast
import re
from html import unescape
from pathlib import Path

import pytest

from daemon.imitation.before_the_model import STAGES

ROOT = Path(__file__).parents[1]
PACKAGES = sorted(path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests")
ROOMS = sorted(path for package in PACKAGES for path in package.rglob("__init__.py") if path.stat().st_size)
DOCUMENTS = [*ROOT.glob("*.md"), ROOT / "models" / "README.md", *(ROOT / "docs").rglob("*.md")]
LINK = re.compile(r"\]\(([^)\s]+)\)")
LISTED = re.compile(r"^(\w+(?:\.py|/))  *", re.MULTILINE)
"""A file or folder at the start of a line, with what it is for behind it."""
NAMED = re.compile(r"`([\w/]+(?:\.(?:py|txt|toml)|/))`")
"""A file or folder in a text."""
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
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


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_every_file_that_a_room_lists_is_in_it(room: Path) -> None:
    listed = LISTED.findall(ast.get_docstring(ast.parse(room.read_text(encoding="utf-8"))) or "")
    assert [name for name in listed if not (room.parent / name).exists()] == []


def test_the_architecture_names_every_stage_in_its_order() -> None:
    text = " ".join((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split())
    assert f"stages first: {', '.join(name for name, _ in STAGES)}." in text


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = set(NAMED.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")))
    there = [f"/{path}/" for package in PACKAGES for path in (package, *package.rglob("*"))]
    there += [f"/{path}/" for path in ROOT.glob("tests/*.py")]
    assert len(named) > 60
    assert sorted(name for name in named if not any(path.endswith(f"/{name.rstrip('/')}/") for path in there)) == []


def test_every_test_that_a_document_names_is_there() -> None:
    files = list((ROOT / "tests").rglob("test_*.py"))
    there = {file.name for file in files}
    there |= {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text(encoding="utf-8"))}
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    assert {name for text in texts for name in re.findall(r"`(test_\w+(?:\.py)?)`", text)} - there == set()


def test_no_function_is_longer_than_contributors_are_told() -> None:
    told = re.search(r"(\d+) the very most", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    sources = [path for package in PACKAGES for path in package.rglob("*.py")]
    assert told
    assert [name for path in sources for name in longer_functions(path, int(told[1]))] == []


def longer_functions(path: Path, lines: int) -> list[str]:
    """Return the functions of a file that have more than so many lines, the first and the last counted."""
    functions = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, FUNCTION))
    return [f"{path}: {node.name}" for node in functions if (node.end_lineno or 0) - node.lineno >= lines]


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
