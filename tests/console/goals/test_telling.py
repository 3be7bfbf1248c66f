"""What is where, told from what is seen."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from daemon.console.acting_statements import deeds_in
from daemon.console.goals.surroundings import Seen
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


class Around:
    """What is seen at five past two."""

    here = "hall"
    now = datetime(2026, 1, 14, 14, 5)

    def __init__(self, scene: SeenScene) -> None:
        self.scene = scene

    def forbids(self, skill: str, given: Mapping[str, str]) -> bool:
        return False

    def comes_along(self, thing: str) -> Sequence[Sequence[str]]:
        return ()

    def liked(self, thing: str) -> str:
        return ""

    def instead_of(self, thing: str) -> Sequence[str]:
        return ()


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
    assert Tell(which).answer(Seen(Around(replace(seen, objects=things)))) == told


def test_what_is_in_the_hand_is_told_so(memory: Memory) -> None:  # noqa: F811
    flat = Kitchen(Leader(["take('blue_mug')\ntell('blue_mug')"]), memory, scene=Scene.from_description(FLAT))
    flat.talk("take the mug, where is it now")
    assert flat.seen.speech == ["The blue mug is in my hand."]


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("robot", "I am at the hall, with empty hands."),
        ("time", "It is 14:05, Wednesday 14 January."),
        ("scene", "I see the scissors and the blue mug on the shelf."),
        (
            "skills",
            "I can bring you things and put them where you say, open and close doors, go where you send me, tell you "
            "what is where, do things later, and remember what you teach me. Say, for example: bring me the milk.",
        ),
    ],
)
def test_where_it_is_what_time_it_is_and_what_it_can_do_is_told(which: str, told: str) -> None:
    seen = SeenScene.from_observation(Scene.from_description(FLAT).observe())
    assert Tell(which).answer(Seen(Around(seen))) == told


def test_one_that_stands_still_hands_over_and_drives_nowhere() -> None:
    seen = replace(SeenScene.from_observation(Scene.from_description(FLAT).observe()), drives=False)
    held = replace(seen.objects[0], held_by="left")
    around = Seen(Around(replace(seen, objects=(held, *seen.objects[1:]))))
    assert Tell("robot").answer(around) == "I stand still, with the milk in my left hand."
    assert Tell("scene").answer(around).endswith("; the milk in my left hand.")
    assert Tell("skills").answer(around).startswith("I can hand you things and put them where you say, tell you")


@pytest.mark.parametrize(
    ("which", "text", "is_so"),
    [
        ("milk", "In the fridge.", True),
        ("milk", "The milk is on the shelf.", False),
        ("milk", "On the shelf, not in the fridge.", False),
        ("blue_mug", "You have it.", False),
        ("snips", "They are on the rack.", True),
        ("red_mug", "Mia has it.", True),
        ("shelf", "The scissors and the mug.", True),
        ("shelf", "The scissors.", False),
        ("shelf", "The scissors, the blue mug and the scissors.", False),
        ("shelf", "The scissors, the blue mug and the milk.", False),
        ("sink", "Nothing.", False),
        ("robot", "I am in the hall.", True),
        ("robot", "I am at the sink.", False),
        ("time", "It is 14:05.", True),
        ("time", "I do not know that.", False),
        ("skills", "I can do everything.", False),
        ("top_hat", "Nowhere.", False),
    ],
)
def test_whether_words_tell_what_is_so(which: str, text: str, is_so: bool) -> None:
    seen = SeenScene.from_observation(Scene.from_description(FLAT).observe())
    assert Tell(which).is_in(text, Seen(Around(seen))) is is_so


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


@pytest.mark.parametrize(
    ("here", "told", "no_truth"),
    [("fridge", "I am at the fridge", "I am in the fridge."), ("person", "I am with you", "I am at the sink.")],
)
def test_it_stands_before_what_has_a_door(here: str, told: str, no_truth: str) -> None:
    around = Around(SeenScene.from_observation(Scene.from_description(FLAT).observe()))
    around.here = here
    assert Tell("robot").answer(Seen(around)) == f"{told}, with empty hands."
    assert Tell("robot").is_in(f"{told}.", Seen(around))
    assert not Tell("robot").is_in(no_truth, Seen(around))
