"""Samples of what no dialogue of the corpus has, as text: commands (places by voice, speeds, lessons for one alone),
and talk between people that a robot overhears.

Each stands in the situation of another sample, where something else is said. Nothing is run.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from daemon.console.prompt_parts import name_of
from daemon.console.situation import NEAREST
from daemon.names import spoken
from training.brain.samples import Sample
from training.brain.told import Told

COMMANDS: Sequence[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text(encoding="utf-8")
)["command"]


def commands(samples: Sequence[Sample], chance: random.Random, count: int) -> Iterator[Sample]:
    """Yield so many, each in the situation of one of the samples."""
    usual = _just_heard(samples)
    weights = [command["weight"] for command in COMMANDS]
    made = 0
    while made < count:
        sample, command = chance.choice(usual), chance.choices(COMMANDS, weights)[0]
        around = _Around.of(sample.prompt)
        if len(around.things) < len("xy") or not around.places:
            continue
        made += 1
        yield _commanded(sample, command, around, chance)


def overheard(samples: Sequence[Sample], lines: Sequence[str], chance: random.Random) -> Iterator[Sample]:
    """Yield one for each line of talk between people, which is nothing to a robot, in the situation of a sample."""
    usual = _just_heard(samples)
    for line in lines:
        yield _with_words(chance.choice(usual), line, (), "pass")


def _just_heard(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Return those of which nothing was done yet at the last words."""
    told = ((sample, Told.by(sample.prompt)) for sample in samples)
    return [sample for sample, parts in told if parts.near and not parts.begun]


@dataclass(frozen=True)
class _Around:
    """What is there."""

    places: Sequence[str]
    things: Sequence[str]

    @classmethod
    def of(cls, prompt: str) -> "_Around":
        told = Told.by(prompt)
        people = set(map(name_of, told.people))
        places = [name for place, _ in told.places if (name := name_of(place)) not in people]
        return cls(places, [thing.name for thing in told.things])


def _commanded(sample: Sample, command: Mapping[str, Any], around: _Around, chance: random.Random) -> Sample:
    x, y = chance.sample(around.things, 2)
    names = {"x": x, "y": y, "p": chance.choice(around.places), "n": chance.choice(command.get("names", [""]))}
    told = names | {f"{key}_spoken": spoken(name) for key, name in names.items()}
    said = chance.choice(command["says"])
    about = [names[key] for key in "xy" if f"{{{key}}}" in said]
    text = said.format(**{key: spoken(name) for key, name in names.items()})
    return _with_words(sample, text, about, command["write"].format(**told))


def _with_words(sample: Sample, text: str, about: Sequence[str], answer: str) -> Sample:
    """The sample, with this said last, and something else to write."""
    told = Told.by(sample.prompt)
    told.say_otherwise([*told.said[:-1], text])
    told.near = [*about, *(name for name in told.near if name not in about)][:NEAREST]
    return replace(sample, dialogue=f"said-{text}", prompt=told.text, answer=answer)
