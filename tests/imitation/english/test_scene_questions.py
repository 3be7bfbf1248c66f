"""Questions about the scene, answered from it."""

from typing import Any

import pytest

from daemon.console.history import Turn
from daemon.imitation.english.scene_questions import answer
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene as Room
from skills.scene import Scene
from tests.support.worlds import DESCRIPTION

WORLD: dict[str, Any] = {
    "locations": [
        {"name": "table"},
        {"name": "top_shelf"},
        {"name": "fridge", "door": "closed"},
        {"name": "hall", "kind": "spot"},
        {"name": "person"},
        {"name": "ben", "kind": "person"},
    ],
    "objects": {
        "blue_mug": {"category": "dishes", "location": "table"},
        "red_mug": {"category": "dishes", "location": "table"},
        "reading_glasses": {"category": "thing", "location": "table", "aliases": ["glasses"]},
        "milk": {"category": "drink", "location": "fridge"},
        "remote": {"category": "thing", "location": "ben"},
        "sponge": {"category": "tool", "held_by": "left"},
    },
    "robot": {"location": "table"},
}


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene.from_observation(RehearsalRobot(Room.from_description(WORLD), DESCRIPTION).observe())


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where's my milk?", "The milk is in the fridge."),
        ("do you know where I left the glasses?", "The reading glasses are on the table."),
        ("where are the mugs", "The blue mug is on the table and the red mug is on the table."),
        ("where is the sponge?", "The sponge is in my hand."),
        ("Is there still milk in the fridge?", "Yes, the milk is in the fridge."),
        ("is the milk on the table?", "No, the milk is in the fridge."),
        ("Have we got any milk left?", "Yes, the milk is in the fridge."),
        ("What's on the table at the minute?", "I see the blue mug, the red mug and the reading glasses on the table."),
        ("Have we got anything on the top shelf?", "I see nothing on the top shelf."),
        ("How many mugs are there on the table?", "Two: the blue mug and the red mug."),
        ("how many drinks are on the table?", "None on the table."),
        ("is the fridge shut?", "Yes, the fridge is closed."),
        ("who's got the remote?", "Ben has the remote."),
        ("who has the milk?", "Nobody. The milk is in the fridge."),
        ("what have you got in your hand there?", "I have the sponge in my hand."),
        ("are you holding the milk?", "No, I have the sponge in my hand."),
        ("which has more on it, the table or the fridge?", "The table: 3 things, and 1 on the other."),
    ],
)
def test_what_is_seen_is_told(scene: Scene, question: str, said: str) -> None:
    assert answer(question, scene) == said


@pytest.mark.parametrize(
    "other",
    [
        "bring me the milk", "where is the stapler?", "is the table open?", "what is the weather like?", "is it open?",
        "where is the milk supposed to go?", "the milk is in the fridge", "what do you have to do?",
    ],
)  # fmt: skip
def test_other_sentences_are_left_to_the_model(scene: Scene, other: str) -> None:
    assert answer(other, scene) == ""


def test_it_is_what_was_spoken_of_last(scene: Scene) -> None:
    assert answer("where is it?", scene, [Turn("bring me the milk", ())]) == "The milk is in the fridge."
    assert answer("is it open?", scene, [Turn("go to the fridge", ())]) == "No, the fridge is closed."
