"""Routines: what is in a named one, and the same with a change ("but with one tomato slice"). Pure text."""

import re
from dataclasses import dataclass, replace

from daemon.lexicon.inflection import plural, singular
from daemon.names import joined

NUMBERS = {
    "no": 0,
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
}
NUMBERS |= {"nine": 9, "ten": 10, "twelve": 12}
_COUNT = rf"(?:\d+|{'|'.join(NUMBERS)})"
PART = re.compile(
    rf"\b(?P<count>{_COUNT})\s+(?:slices? of (?P<of>\w+)|(?P<item>\w+(?: (?!and\b|on\b|onto\b|from\b|with\b|"
    rf"in\b|to\b)\w+)?))",
    re.IGNORECASE,
)
WITHOUT = re.compile(
    r"\b(?:without|no|hold the|leave out(?: the)?|skip(?: the)?)\s+(?:any |"
    r"the )?(?P<item>\w+(?: \w+)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Part:
    """A part of a routine: so many of something."""

    count: int
    item: str
    """In the singular."""

    @property
    def words(self) -> str:
        return f"{self.count} {self.item if self.count == 1 else plural(self.item)}"


def parts_in(text: str) -> list[Part]:
    """Return the countable parts of a description, in order: "2 tomato slices and a mug" is two of them."""
    found = []
    for match in PART.finditer(text):
        number = match["count"].lower()
        item = f"{match['of']} slice" if match["of"] else match["item"]
        found.append(Part(int(number) if number.isdigit() else NUMBERS[number], singular(item.lower())))
    return found


def edited(content: str, change: str) -> str:
    """Return the content with a change said behind the name; the same where nothing is changed.

    "but with one tomato slice" sets a number, "without lettuce" leaves out, "and one bowl" adds.
    """
    parts = parts_in(content)
    if not parts:
        return _without(content, change)
    for match in WITHOUT.finditer(change):
        gone = singular(match["item"].lower())
        parts = [part for part in parts if not _same(part.item, gone)]
    for wanted in parts_in(WITHOUT.sub("", change)):
        same = [part for part in parts if _same(part.item, wanted.item)]
        parts = [replace(part, count=wanted.count) if part in same else part for part in parts]
        parts += [] if same else [wanted]
    if parts == parts_in(content):
        return content
    where = re.search(r"\b(on|onto|in|into|with) (a|the|my) (\w+ ?\w*)$", content)
    listed = joined([part.words for part in parts if part.count and not (where and where[3] == part.item)]) or "nothing"
    return f"{listed} {where[0]}" if where else listed


def _without(content: str, change: str) -> str:
    """Things that nobody counted: "the milk and the bowl"."""
    gone = tuple(f" {singular(match['item'].lower())}" for match in WITHOUT.finditer(change))
    items = re.split(r",? and |, ", content)
    left = [item for item in items if not f" {item.lower()}".endswith(gone)]
    return content if left == items else joined(left) or "nothing"


def _same(item: str, said: str) -> bool:
    """Return whether two names of parts mean the same: "lettuce" is a lettuce slice, "toast" a toast slice."""
    return item == said or item.split()[0] == said or said.split()[0] == item
