"""A docstring begins with a verb or defines its noun, and is read once.

No program tells a verb from a noun. What this one knows is which small words begin neither: "Of one arm", "Whether it
moves", "Nothing is kept open", "As above". A class may be what, who, how or where something is, for that defines it.
A file's docstring is its title. What a mind is shown of skills, in the words that it was taught with, is left alone.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon.console.builtins import TALK
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.raider.tools import ASSISTIVE
from daemon.console.reminders import REMINDERS
from daemon.console.tasks.task_functions import TASKS
from skills.skill import load_skills

ROOT = Path(__file__).parents[1]
ROOMS = ("hw", "sim", "skills", "camera", "daemon", "bridge", "bench", "training")
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
SHOWN_TO_MINDS = {*load_skills(), *ASSISTIVE, *(skill.name for skill in (*TALK, *TEACHING, *REMINDERS, *TASKS))}


def words(*rows: str) -> frozenset[str]:
    """Return the words of some rows."""
    return frozenset(word for row in rows for word in row.split())


BEGIN_NOTHING = words(
    "it its they their those these this that there he she his her both",
    "as of by from for with without within beside below until like at in on to into after before since while though",
    "once so if because too such than no not never perhaps true false",
    "somebody someone something everybody everyone everything nobody nothing anybody anything",
    "what who whom whose which whether where when why how whoever whatever",
    "raises returns asks listens speaks calls told opened carried",
)
TEXT = words(
    "str int float bool datetime date None re Match Pattern", "Sequence Iterable Mapping Callable tuple list dict set"
)
"""What may stand in the type of what a function is given that reads text alone."""
DEFINE_A_CLASS = words("what who whom how where when somebody something everything nobody")
MOST_WORDS = 70
"""Of a docstring: twenty seconds."""
LONGEST_SENTENCE = 36
"""Words, up to the next full stop, colon or semicolon."""


@dataclass(frozen=True)
class Docstring:
    """What is written under the name of a public function or class."""

    place: str
    name: str
    text: str
    of_class: bool

    @property
    def begins_well(self) -> bool:
        """Return whether it may begin with a verb, or with the noun that it defines."""
        first = self.text.split()[0].strip("`\"'(),.;:").lower()
        return first not in BEGIN_NOTHING or (self.of_class and first in DEFINE_A_CLASS)

    @property
    def is_read_once(self) -> bool:
        """Return whether neither it nor one of its sentences is too long."""
        sentences = re.split(r"(?<=[.:;])\s|\n\n", self.text)
        return len(self.text.split()) <= MOST_WORDS and max(len(s.split()) for s in sentences) <= LONGEST_SENTENCE


@pytest.mark.parametrize("room", ROOMS)
def test_a_docstring_begins_with_a_verb_or_defines_its_noun(room: str) -> None:
    wrong = [one for one in docstrings(room) if not one.begins_well and one.name not in SHOWN_TO_MINDS]
    assert [f"{one.place} {one.name}: {one.text.splitlines()[0]}" for one in wrong] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_file_that_claims_to_be_pure_text_is_given_nothing_else(room: str) -> None:
    """No scene, turn, file, or store: words, numbers, times, what regular expressions found, and its own values."""
    assert [
        place for place, source in sources(room) if "pure text" in title(source).lower() and beyond_text(source)
    ] == []


def test_what_is_more_than_text_is_seen() -> None:
    read = "def read(said: str, scene: {}) -> str: ..."
    assert beyond_text(read.format("Scene | None")) == {"Scene"}
    assert beyond_text(read.format("Path")) == {"Path"}
    assert beyond_text(read.format("Sequence[re.Match[str]]")) == set()
    assert beyond_text(f"class Part: ...\n{read.format('Part')}") == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_docstring_is_read_once(room: str) -> None:
    assert [f"{one.place} {one.name}" for one in docstrings(room) if not one.is_read_once] == []


def sources(room: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each file of a room."""
    for path in sorted((ROOT / room).rglob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def title(source: str) -> str:
    """Return the docstring of a file."""
    return ast.get_docstring(ast.parse(source)) or ""


def beyond_text(source: str) -> set[str]:
    """Return the names of types, other than those of text and the file's own, in what its functions are given."""
    tree = ast.parse(source)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    given = [node.annotation for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation]
    return {name for one in given for name in re.findall(r"\w+", ast.unparse(one))} - TEXT - own


def docstrings(room: str) -> Iterator[Docstring]:
    """Yield those of all public functions and classes of a room."""
    for path in sorted((ROOT / room).rglob("*.py")):
        yield from _in(path, ast.parse(path.read_text(encoding="utf-8")))


def _in(path: Path, node: ast.AST) -> Iterator[Docstring]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*FUNCTION, ast.ClassDef)) and not child.name.startswith("_"):
            is_class = isinstance(child, ast.ClassDef)
            if text := ast.get_docstring(child):
                yield Docstring(f"{path.relative_to(ROOT)}:{child.lineno}", child.name, text, is_class)
            if is_class:
                yield from _in(path, child)
