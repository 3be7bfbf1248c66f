"""Questions to which code knows the answer, as samples, and words that look like these and are not.

Where something is, what lies somewhere, what all there is, what the robot holds, what it has done, what it can do, what
time it is. Twenty-four voices of four authors wrote the lines of questions.json, without view of the code. Each stands
in the situation of another sample, with names of what is there.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from daemon.console.prompt_parts import name_of
from daemon.console.situation import SOMEBODY
from daemon.names import spoken
from training.brain.samples import Sample
from training.brain.told import Told

LINES: Mapping[str, Sequence[str]] = json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))
"""By what is asked for; {thing}, {place} and {person} are names."""
OTHER_NAME = 0.3
"""How often a thing or place is called by another of its names."""


def questions(
    samples: Sequence[Sample], chance: random.Random, times: int, lines: Mapping[str, Sequence[str]] = LINES
) -> Iterator[Sample]:
    """Yield each line so often, each time in the situation of one of the samples in which nothing was done yet."""
    usual = [sample for sample in samples if _is_usual(Told.by(sample.prompt))]
    for kind, said in lines.items():
        for line in said:
            for _ in range(times):
                sample = chance.choice(usual)
                yield _asking(kind, line, sample, chance)


def _is_usual(told: Told) -> bool:
    return bool(told.near) and not told.begun and _Here.of(told) is not None


@dataclass(frozen=True)
class _Here:
    """What is there, each with other names."""

    things: Mapping[str, Sequence[str]]
    places: Mapping[str, Sequence[str]]
    people: Sequence[str]

    @classmethod
    def of(cls, told: Told) -> Self | None:
        """Return it; None where something lacks that a line may name."""
        people = [name for person in told.people if (name := name_of(person)) not in (SOMEBODY, told.speaker)]
        here = cls(
            {thing.name: _also(thing.about) for thing in told.things},
            {name: _also(place) for place, _ in told.places if (name := name_of(place)) not in (*people, SOMEBODY)},
            people,
        )
        return here if here.things and here.places and here.people else None


def _asking(kind: str, line: str, sample: Sample, chance: random.Random) -> Sample:
    told = Told.by(sample.prompt)
    here = _Here.of(told)
    assert here is not None
    named = {"thing": here.things, "place": here.places, "person": dict.fromkeys(here.people, ())}
    names = {slot: chance.choice([*those]) for slot, those in named.items()}
    words = {slot: _called(name, named[slot][name], chance) for slot, name in names.items()}
    if kind == "there":
        _go(told, names["place"])
    told.say_otherwise([*told.said[:-1], line.format(**words)])
    answer = {"thing": names["thing"], "place": names["place"], "there": names["place"], "person": names["person"]}
    written = "say('.')" if kind == "none" else f"tell({answer.get(kind, kind)!r})"
    return replace(sample, dialogue=f"asked-{kind}", prompt=told.text, answer=written)


def _go(told: Told, place: str) -> None:
    """Have gone to the place in the turn before."""
    turn = [">>> wait_for_trigger()", repr({"type": "dialog", "text": f"go to the {spoken(place)}"})]
    told.before += [*turn, f">>> move_to({place!r})", f">>> say('I am at the {spoken(place)}.')"]
    robot, hands = told.robot.split(";", 1)
    told.robot = f"{robot.rpartition(' at ')[0]} at {place};{hands}"


def _called(name: str, also: Sequence[str], chance: random.Random) -> str:
    return chance.choice(also) if also and chance.random() < OTHER_NAME else spoken(name)


def _also(told: str) -> list[str]:
    """Other names in what a situation tells."""
    return [
        part.strip(" ()").removeprefix("also ") for part in told.split(", ") if part.strip(" (").startswith("also ")
    ]
