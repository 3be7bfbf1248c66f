"""Reads the dialogues of the corpus: a file for each voice in voices/, with its worlds and what was said in them.

A line of a file is a world or a dialogue (README.md beside this file has the form).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VOICES, OTHERWISE = Path(__file__).parent / "voices", Path(__file__).parent / "otherwise"
HELD_OUT = (
    *("mei", "ruth", "carmen", "noor", "lucia", "ottoline", "tobias", "fergus"),
    *("rupert", "jomo", "mireille", "elio", "benita", "pooja", "tunde", "ingeborg", "osei"),
)
"""Voices that are never trained on, with their worlds; a tenth of all."""
OUTCOMES = ("moved", "one", "count", "still", "doors", "at", "said", "unsaid", "rule", "no_rule", "waiting")
"""What may be expected, as in `heed bench talk`."""
KINDS = (
    *("order", "described", "steps", "follow-up", "correction", "question", "teaching", "later", "condition"),
    *("refusal", "talk", "people", "error", "ambiguity", "interrupted"),
)


class DialogueError(ValueError):
    """A line of the corpus is not as it should be."""


@dataclass(frozen=True)
class Turn:
    """What somebody said, and what the mind wrote then."""

    say: str
    """"" where the mind goes on after an error, or after what it looked up."""
    write: str
    """Statements, one below the other; "" where nothing is to be written, as after a yes to a lesson."""
    speaker: str = ""


@dataclass(frozen=True)
class Dialogue:
    """A conversation with a robot that was just started."""

    id: str
    voice: str
    kind: str
    world: Mapping[str, Any]
    """As Scene.from_description() takes it."""
    turns: tuple[Turn, ...]
    learned: tuple[str, ...] = ()
    """Rules that the robot was taught before, in its own words."""
    expected: Mapping[str, Any] = field(default_factory=dict)
    """What is so in the end, by OUTCOMES."""

    @property
    def answers(self) -> list[str]:
        """Return what the mind writes, in order."""
        return [turn.write for turn in self.turns if turn.write]


def voices() -> list[Path]:
    """The files, by name."""
    return sorted(VOICES.glob("*.jsonl"))


def read_voice(file: Path) -> list[Dialogue]:
    """The dialogues of a file. Raises DialogueError that says which line is wrong."""
    worlds: dict[str, Mapping[str, Any]] = {}
    found: dict[str, Dialogue] = {}
    for number, line in _lines(file):
        try:
            entry = json.loads(line)
            if "turns" not in entry:
                worlds[entry["world"]] = entry
                continue
            dialogue = _dialogue(entry, file.stem, worlds)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise DialogueError(f"{file.name}, line {number}: {error!r}") from error
        if dialogue.id in found:
            raise DialogueError(f"{file.name}, line {number}: there is another {dialogue.id}")
        found[dialogue.id] = dialogue
    return list(found.values())


def read_otherwise(file: Path) -> dict[str, list[dict[str, str]]]:
    """Return how other people say what a voice says, by dialogue: what was said -> the same in other words; nothing
    where nobody has written that. Raises DialogueError.
    """
    said = {dialogue.id: [turn.say for turn in dialogue.turns] for dialogue in read_voice(file)}
    other = OTHERWISE / file.name
    found: dict[str, list[dict[str, str]]] = {}
    for number, line in _lines(other) if other.exists() else ():
        entry = json.loads(line)
        for wording in entry["says"]:
            turns = said.get(entry["id"], [])
            if list(map(bool, turns)) != list(map(bool, wording)):
                raise DialogueError(f"{other.name}, line {number}: its turns are not those of {entry['id']}")
            found.setdefault(entry["id"], []).append(
                {words: others for words, others in zip(turns, wording, strict=True) if words}
            )
    return found


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            yield number, line


def _dialogue(entry: Mapping[str, Any], voice: str, worlds: Mapping[str, Mapping[str, Any]]) -> Dialogue:
    unknown = set(entry) - {"id", "kind", "world", "with", "turns", "learned", *OUTCOMES}
    if unknown:
        raise DialogueError(f"nobody knows what {', '.join(sorted(unknown))} means")
    if entry["kind"] not in KINDS:
        raise DialogueError(f"the kind is {entry['kind']!r}; take one of {', '.join(KINDS)}")
    if entry["world"] not in worlds:
        raise DialogueError(f"there is no world {entry['world']!r} above it")
    expected = {name: entry[name] for name in OUTCOMES if name in entry}
    if not expected:
        raise DialogueError(f"it expects nothing; say one of {', '.join(OUTCOMES)}")
    return Dialogue(
        entry["id"],
        voice,
        entry["kind"],
        _changed(worlds[entry["world"]], entry.get("with", {})),
        tuple(_turn(turn) for turn in entry["turns"]),
        tuple(entry.get("learned", ())),
        expected,
    )


def _turn(entry: Mapping[str, Any]) -> Turn:
    unknown = set(entry) - {"say", "speaker", "write"}
    if unknown:
        raise DialogueError(f"nobody knows what {', '.join(sorted(unknown))} in a turn means")
    written: Sequence[str] = entry.get("write", ())
    return Turn(entry.get("say", ""), "\n".join(written), entry.get("speaker", ""))


def _changed(world: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A world on another day: other doors, things elsewhere, absent (null) or new, the robot at another place."""
    unknown = set(changes) - {"doors", "objects", "robot"}
    if unknown:
        raise DialogueError(f"nobody knows what {', '.join(sorted(unknown))} in with means")
    doors, objects = changes.get("doors", {}), dict(world["objects"])
    for name, entry in changes.get("objects", {}).items():
        if entry is None:
            del objects[name]
        else:
            objects[name] = {**objects.get(name, {}), **entry}
    locations = [
        place | {"door": doors[place["name"]]} if isinstance(place, dict) and place["name"] in doors else place
        for place in world["locations"]
    ]
    robot = changes.get("robot", world.get("robot", {"location": _first_name(locations)}))
    return {"robot": robot, "locations": locations, "objects": objects}


def _first_name(locations: Sequence[Any]) -> str:
    return str(locations[0] if isinstance(locations[0], str) else locations[0]["name"])
