"""`heed bench helper`: named routines, taught by voice and asked for by name, with and without a change.

The routines of HELPER (Sarch et al. 2023) are taught in one sentence each. What is measured is what heed then
understands by the name: the parts and their numbers, after a change that was said for once, and after the routine was
replaced. Where code reads what is said, they stand in the request that the brain is given; a model that leads shows
them by what it moves, in a kitchen that has everything cut, toasted and washed. Not measured: cooking, slicing and
toasting, which no body here can.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.mind.brain import open_brain
from bench.report import Options, Report, share
from bench.support.taught_rehearsal import Robot, Turn
from daemon.config import MemoryConfig
from daemon.imitation.english.teaching.routines import Part, parts_in
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory

WORLD = {
    "locations": [{"name": "counter"}, {"name": "table"}, {"name": "person", "kind": "person"}],
    "objects": {"tomato": {"category": "vegetable", "location": "counter"}},
}
PLACES = ("table", "sofa", "desk")
DISHES = ("plate", "mug")
SPARE = 1
"""More of each thing than anything asks for: who takes all that there is is not right by chance."""


def run(options: Options) -> Report:
    """Teach every routine, then ask."""
    data = options.read()
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.sqlite", embedder, MemoryConfig()) as memory:
        world = kitchen(data) if model.leads else WORLD
        taught = [_taught(Robot(world, model, memory), routine) for routine in options.progress(data["named_routines"])]
        edits = [_right(Robot(world, model, memory), memory, probe) for probe in data["probes"]]
    model.close()
    figures = {"routines": share(taught), "edits": share(edits), "routines.taught": len(taught)}
    name = options.data.name if options.data else "-"
    return Report("helper", len(taught) + len(edits), figures, options.brain, options.method, name)


def _taught(robot: Robot, routine: Mapping[str, str]) -> bool:
    """Return whether a routine that is taught means its parts when it is asked for."""
    robot.talk(f"the {routine['name']} is {routine['what']}")
    turn = robot.talk(f"make me the {routine['name']}")[-1]
    return _agree(_meant(turn), _counts(routine["what"]))


def _right(robot: Robot, memory: Memory, probe: Mapping[str, Any]) -> bool:
    """Return whether a probe is understood as expected; the routines that are kept are compared where it says so."""
    before = [lesson.rule.text for lesson in memory.lessons()]
    turn = robot.talk(probe["ask"])[-1]
    expected = str(probe["expect"])
    if "asks" in expected:
        return not _meant(turn) and any(re.search(r"\?|not (?:know|learned)|which", said) for said in turn.speech)
    if "replaced" in expected:
        now = [lesson.rule.text for lesson in memory.lessons()]
        return len(now) == len(before) and now != before
    unchanged = "unchanged" not in expected or before == [lesson.rule.text for lesson in memory.lessons()]
    return unchanged and _agree(_meant(turn), _counts(expected.split(";")[0]))


def kitchen(data: Mapping[str, Any]) -> dict[str, Any]:
    """A world that has all parts of all routines and probes, each kind on a tray of its own."""
    told = [routine["what"] for routine in data["named_routines"]] + [probe["expect"] for probe in data["probes"]]
    most: dict[str, int] = {}
    for item, count in (part for text in told for part in _counts(text).items()):
        same = next((kept for kept in most if kept.split()[0] == item.split()[0]), item)
        most[same] = max(count, most.get(same, 0))
    things = {
        f"{item.replace(' ', '_')}_{number}": {"category": item, "location": f"{item} tray"}
        for item, count in most.items()
        for number in range(1, count + SPARE + 1)
    }
    places = [{"name": name} for name in (*PLACES, *(f"{item} tray" for item in most))]
    return {"locations": [*places, {"name": "person", "kind": "person"}], "objects": things}


def _meant(turn: Turn) -> dict[str, int]:
    if told := _counts(turn.meaning.partition(":")[2]):
        return told
    moved = [name for name, place in turn.after.items() if place != turn.before.get(name)]
    return dict(Counter(name.rpartition("_")[0].replace("_", " ") for name in moved))


def _counts(text: str) -> dict[str, int]:
    return {part.item: part.count for part in parts_in(text) if not _is_plate(part)}


def _agree(meant: Mapping[str, int], expected: Mapping[str, int]) -> bool:
    """Return whether the numbers are the same; "2 tomato" is said for two tomato slices, and dishes are not always
    counted.
    """
    wanted = {item.split()[0]: count for item, count in expected.items()}
    short = {item.split()[0]: count for item, count in meant.items()}
    return {item: count for item, count in short.items() if item in wanted or item not in DISHES} == wanted


def _is_plate(part: Part) -> bool:
    """ "On a clean plate" is where, not what."""
    return part.item.startswith("clean ")
