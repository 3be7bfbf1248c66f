"""Samples of commands that no dialogue of the corpus has, as text: places by voice, speeds, lessons for one alone.

Each stands in the situation of another sample, where something else is said. Nothing is run.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from daemon.console.situation import NEAREST
from daemon.names import spoken
from training.brain.samples import Sample
from training.brain.told import Told, name_of

COMMANDS: Sequence[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text(encoding="utf-8")
)["command"]
_SAID, _NEAR = "{'type': 'dialog', 'text': ", "\n# near: "


def commands(samples: Sequence[Sample], chance: random.Random, count: int) -> Iterator[Sample]:
    """Yield so many, each in the situation of one of the samples."""
    usual = [sample for sample in samples if _NEAR in sample.prompt.rpartition(_SAID)[2]]
    weights = [command["weight"] for command in COMMANDS]
    made = 0
    while made < count:
        sample, command = chance.choice(usual), chance.choices(COMMANDS, weights)[0]
        around = _Around.of(sample.prompt)
        if len(around.things) < len("xy") or not around.places:
            continue
        made += 1
        yield _commanded(sample, command, around, chance)


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
    above, _, below = sample.prompt.rpartition(_SAID)
    rest = below.partition("\n")[2]
    before, _, nearest = f"\n{rest}".rpartition(_NEAR)
    others, _, end = nearest.partition("\n")
    near = [*about, *(name for name in others.split(", ") if name not in about)][:NEAREST]
    prompt = f"{above}{_SAID}{text!r}}}{before}{_NEAR}{', '.join(near)}\n{end}"
    return replace(sample, dialogue=f"command-{chance.random()}", prompt=prompt, answer=command["write"].format(**told))
