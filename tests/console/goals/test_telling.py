"""What is where, told from what is seen."""

import copy
from dataclasses import replace
from typing import Any

import pytest

from daemon.console.acting_statements import deeds_in
from daemon.console.goals.telling import Tell
from daemon.memory.store import Memory
from sim.scene import Scene
from skills.scene import Scene as SeenScene
from tests.console.test_leading import Leader, memory  # noqa: F401
from tests.support.worlds import Kitchen

FLAT: dict[str, Any] = {
    "robot": {"location": "hall"},
    "locations": [
        {"name": "hall", "kind": "spot"},
        {"name": "shelf", "aliases": ["rack"]},
        {"name": "sink"},
        {"name": "fridge", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
        {"name": "mia", "kind": "person"},
    ],
    "objects": {
        "milk": {"category": "drink", "location": "fridge"},
        "scissors": {"category": "tool", "location": "shelf", "aliases": ["snips"]},
        "blue_mug": {"category": "mug", "location": "shelf"},
        "red_mug": {"category": "mug", "location": "mia", "state": {"dirty": True}},
    },
}


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("milk", "The milk is in the fridge."),
        ("snips", "The scissors are on the shelf."),
        ("red_mug", "The red mug is with Mia."),
        ("fridge", "The fridge is closed. As far as I know the milk is in it."),
        ("rack", "I see the scissors and the blue mug on the shelf."),
        ("sink", "I see nothing on the sink."),
        ("hall", "I see nothing at the hall."),
        ("mia", "Mia has the red mug."),
        ("person", "You have nothing that I know of."),
        ("mugs", "The blue mug is on the shelf and the red mug is with Mia."),
        ("dirty", "The red mug is with Mia."),
        ("top_hat", "I know of no top hat here."),
    ],
)
def test_what_is_where_is_said_as_it_is(memory: Memory, which: str, told: str) -> None:  # noqa: F811
    flat = Kitchen(Leader([f"tell({which!r})"]), memory, scene=Scene.from_description(FLAT))
    flat.talk("where is it")
    assert flat.seen.speech == [told]


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("scissors", "The scissors were on the shelf when I last saw them."),
        ("shelf", "I see the blue mug on the shelf. The scissors were there when I last looked."),
        ("sink", "I see nothing on the sink. The red mug was there when I last looked."),
        ("mugs", "The blue mug is on the shelf and the red mug was on the sink when I last saw it."),
        ("freezer", "The freezer is closed. As far as I know nothing is in it."),
    ],
)
def test_what_is_only_remembered_is_told_so(which: str, told: str) -> None:
    world = copy.deepcopy(FLAT)
    world["locations"].append({"name": "freezer", "kind": "container", "door": "closed"})
    world["objects"]["red_mug"]["location"] = "sink"
    seen = SeenScene.from_observation(Scene.from_description(world).observe())
    things = tuple(replace(thing, present=thing.name == "blue_mug") for thing in seen.objects)
    assert Tell(which).answer(replace(seen, objects=things)) == told


def test_what_is_in_the_hand_is_told_so(memory: Memory) -> None:  # noqa: F811
    flat = Kitchen(Leader(["take('blue_mug')\ntell('blue_mug')"]), memory, scene=Scene.from_description(FLAT))
    flat.talk("take the mug, where is it now")
    assert flat.seen.speech == ["The blue mug is in my hand."]


@pytest.mark.parametrize("statement", ["tell()", "tell('milk', 'mia')", "tell(milk)", "tell(which='milk')", "for"])
def test_other_statements_are_none(statement: str) -> None:
    assert Tell.of(statement) is None


def test_to_tell_is_no_deed() -> None:
    assert list(deeds_in("tell('milk')")) == []


@pytest.mark.parametrize("statement", ["tell('milk', 'mia')", "put_all('mugs')"])
def test_a_goal_that_lacks_something_says_what_it_takes(memory: Memory, statement: str) -> None:  # noqa: F811
    model = Leader([statement, "say('Sorry.')"])
    flat = Kitchen(model, memory, scene=Scene.from_description(FLAT))
    flat.talk("where is it")
    assert flat.seen.speech == ["Sorry."]
    assert f"{statement.partition('(')[0]}() takes" in model.prompts[1].history
