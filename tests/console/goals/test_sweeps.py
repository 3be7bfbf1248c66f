"""Goals about many things at once."""

import pytest

from daemon.console.acting_statements import deeds_in
from daemon.console.goals.sweeps import Sweep
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.console.test_leading import Leader, memory  # noqa: F401
from tests.support.worlds import Kitchen

SHED = {
    "robot": {"location": "door"},
    "locations": [
        "door",
        {"name": "bench"},
        {"name": "sink"},
        {"name": "locker", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
        {"name": "mia", "kind": "person"},
    ],
    "objects": {
        "drill": {"category": "tool", "location": "bench"},
        "old_rag": {"category": "cloth", "location": "bench", "state": {"dirty": True}},
        "wide_brush": {"category": "brush", "location": "bench"},
        "round_brush": {"category": "brush", "location": "locker", "state": {"dirty": True}},
        "soap": {"category": "soap", "location": "sink"},
    },
}


@pytest.mark.parametrize(
    ("statement", "place", "moved"),
    [
        ("put_all('bench', 'sink')", "sink", {"drill", "old_rag", "wide_brush"}),
        ("put_all('bench', 'sink', 'drill')", "sink", {"old_rag", "wide_brush"}),
        ("put_all('brushes', 'sink')", "sink", {"wide_brush", "round_brush"}),
        ("put_all('brush', 'sink', 'wide_brush')", "sink", {"round_brush"}),
        ("put_all('dirty', 'sink')", "sink", {"old_rag", "round_brush"}),
        ("put_all('tools', 'person')", "person", {"drill"}),
        ("put_all('bench', 'mia', 'old_rag', 'drill')", "mia", {"wide_brush"}),
    ],
)
def test_all_of_them_are_moved_but_those_that_stay(memory: Memory, statement: str, place: str, moved: set[str]) -> None:  # noqa: F811
    shed = Kitchen(Leader([f"{statement}\nsay('Done.')"]), memory, scene=Scene.from_description(SHED))
    before = {name: about["location"] for name, about in SHED["objects"].items()}
    shed.talk("all of it")
    after = {name: shed.where(name) for name in before}
    assert after == {**before, **dict.fromkeys(moved, place)}
    assert shed.seen.speech == ["Done."]


def test_a_kind_is_what_people_usually_mean_by_it(memory: Memory) -> None:  # noqa: F811
    drinks = {"lemonade": "drink", "milk": "dairy", "espresso": "thing"}
    others = {"flour_sack": "food", "flat_screwdriver": "tool"}
    things = {name: {"category": kind, "location": "bench"} for name, kind in {**drinks, **others}.items()}
    scene = Scene.from_description({**SHED, "objects": things})
    shed = Kitchen(Leader(["put_all('drinks', 'sink')\nsay('Done.')"]), memory, scene=scene)
    shed.talk("drinks in the sink")
    assert {name for name in things if shed.where(name) == "sink"} == {*drinks}


@pytest.mark.parametrize(
    ("lesson", "statement", "left"),
    [
        ("forbid('drill', touch=True)", "put_all('bench', 'sink')", "drill"),
        ("forbid('old_rag', place='sink')", "put_all('bench', 'sink')", "old_rag"),
        ("forbid('wide_brush')", "put_all('bench', 'person')", "wide_brush"),
    ],
)
def test_what_a_lesson_refuses_stays_and_is_told(memory: Memory, lesson: str, statement: str, left: str) -> None:  # noqa: F811
    model = Leader([lesson, f"{statement}\nsay('Done.')"])
    shed = Kitchen(model, memory, scene=Scene.from_description(SHED))
    shed.talk("keep that", "yes", "all of it over there")
    assert [name for name in ("drill", "old_rag", "wide_brush") if shed.where(name) == "bench"] == [left]
    assert shed.seen.speech[-2:] == [f"I leave the {left.replace('_', ' ')}, as I was told.", "Done."]


def test_where_a_lesson_refuses_all_of_them_the_mind_hears_why(memory: Memory) -> None:  # noqa: F811
    model = Leader(["forbid('drill', touch=True)", "put_all('tools', 'sink')", "say('Not the drill.')"])
    shed = Kitchen(model, memory, scene=Scene.from_description(SHED))
    shed.talk("hands off the drill", "yes", "all tools to the sink")
    assert shed.where("drill") == "bench"
    assert shed.seen.speech[-1] == "Not the drill."


def test_of_what_there_is_none_the_skill_says_so(memory: Memory) -> None:  # noqa: F811
    shed = Kitchen(Leader(["put_all('hats', 'sink')", "say('No hats.')"]), memory, scene=Scene.from_description(SHED))
    shed.talk("the hats to the sink")
    assert "grasp('hats')" in shed.seen.statements
    assert shed.seen.speech == ["No hats."]


@pytest.mark.parametrize(
    "statement",
    ["put_all('bench')", "put_all('bench', sink)", "put_all('bench', to='sink')", "put('bench', 'sink')", "for"],
)
def test_other_statements_are_none(statement: str) -> None:
    assert Sweep.of(statement) is None


def test_who_is_asked_first_hears_what_would_be_done() -> None:
    told = list(deeds_in("put_all('bench', 'sink', 'drill', 'old_rag')"))
    assert told == ["take all of the bench to the sink, but not the drill and the old rag"]
