"""A prompt in parts: what was said and done, what is where, who is here, what was learned, and the last words.

The one reader of the text that daemon/console/situation.py writes: for whoever reads beside a mind, and for those who
tell samples otherwise (training/brain/told.py).
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from daemon.names import as_name, forms, mention

BEGINNING = "# A new conversation begins."
TURN = ">>> wait_for_trigger()"
ROBOT, PEOPLE, RULE, LATER = "# you are at ", "# people: ", "# learned ", "# later "
UNDER_WAY = "# under way: "
"""Stands behind what is said while heed works."""
SAID = "{'type': 'dialog', "
_IN_BRACKETS = re.compile(r"(\w+)(?: \((.*)\))?$")


@dataclass(frozen=True)
class Known:
    """A thing of the situation."""

    name: str
    place: str
    about: str
    """Kind, states and other names."""

    def is_of(self, word: str) -> bool:
        """Return whether a word names it, its kind or its state."""
        words = [*forms(self.name), *re.split(r", (?:also )?", self.about)]
        return len(word) > len("all") and any(mention(one, word) for one in words if one)


@dataclass
class PromptParts:
    """A prompt in parts."""

    before: list[str]
    """Lines before the last situation."""
    places: list[tuple[str, list[str]]]
    """Each with what is there, as situations tell them: `burette (glassware, also the long one)`."""
    robot: str
    people: list[str]
    rules: list[str]
    """Learned ones."""
    after: list[str]
    """Lines from the last words on."""

    @classmethod
    def by(cls, prompt: str) -> Self:
        """Read it; without places where there is no situation as it is known here."""
        lines = prompt.split("\n")
        robot = max((number for number, line in enumerate(lines) if line.startswith(ROBOT)), default=-1)
        people = robot + 1
        if robot < 0 or not "".join(lines[people : people + 1]).startswith(PEOPLE):
            return cls(lines, [], "", [], [], [])
        first = robot
        while lines[first - 1].startswith("# ") and lines[first - 1] != BEGINNING:
            first -= 1
        rules = [line for line in lines[people + 1 :] if line.startswith(RULE)]
        end = people + 1 + len(rules)
        if lines[people + 1 : end] != rules:
            return cls(lines, [], "", [], [], [])
        return cls(
            lines[:first],
            [_place(line.removeprefix("# ")) for line in lines[first:robot]],
            lines[robot],
            parts_of(lines[people].removeprefix(PEOPLE)),
            rules,
            lines[end:],
        )

    @property
    def said(self) -> list[str]:
        """Return what was said so far."""
        return [ast.literal_eval(line)["text"] for line in (*self.before, *self.after) if line.startswith(SAID)]

    @property
    def begun(self) -> bool:
        """Return whether something was done since the last words."""
        said = max((at for at, line in enumerate(self.after) if line.startswith(SAID)), default=0)
        return any(line.startswith(">>> ") for line in self.after[said + 1 :])

    @property
    def words(self) -> str:
        """Return what was said last, in lower case; "" for nothing."""
        return (self.said or [""])[-1].lower()

    @property
    def speaker(self) -> str:
        """Return who said that, as persons are named; "" where nobody knows."""
        last = next((line for line in reversed(self.after) if line.startswith(SAID)), "{}")
        return as_name(ast.literal_eval(last).get("speaker", ""))

    @property
    def things(self) -> Iterator[Known]:
        """Yield what lies where."""
        for place, inside in self.places:
            for thing in inside:
                if found := _IN_BRACKETS.match(thing):
                    yield Known(found[1], name_of(place), found[2] or "")

    @property
    def turns(self) -> list[str]:
        """Return what was said and done before, each turn as one text."""
        text = "\n".join(self.before[1:])
        return [f"{TURN}{turn}".rstrip("\n") for turn in text.split(TURN)[1:]]


def name_of(told: str) -> str:
    """Return the name in what a situation tells of a thing, a place or a person."""
    return told.partition(" (")[0]


def rule_of(line: str) -> str:
    """Return the rule in a line that tells it."""
    return line.partition(": ")[2]


def _place(line: str) -> tuple[str, list[str]]:
    depth = 0
    for number, sign in enumerate(line):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and line.startswith(": ", number):
            return line[:number], parts_of(line[number + 2 :])
    return line, []


def parts_of(line: str) -> list[str]:
    """Return what commas part, but not within brackets."""
    parts, depth, begin = [], 0, 0
    for number, sign in enumerate(line):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and line.startswith(", ", number):
            parts.append(line[begin:number])
            begin = number + 2
    return [*parts, line[begin:]]
