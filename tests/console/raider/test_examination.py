"""What a mind that leads calls for is examined before an arm moves: by the scene, or by the mind with tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.raider.flow import Final, final_response
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.console.test_leading import Leader
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen

WORLD: dict[str, Any] = {
    "locations": [
        "hall",
        "bench",
        {"name": "washing_machine", "kind": "container", "door": "closed", "state": {"on": True}},
        {"name": "safe", "kind": "container", "door": "closed", "state": {"locked": True}},
        {"name": "person", "kind": "person"},
    ],
    "objects": {
        "aspirin": {"category": "medicine", "location": "bench"},
        "ibuprofen": {"category": "medicine", "location": "bench", "aliases": ["the strong one"]},
        "red_cup": {"location": "bench"},
        "blue_cup": {"location": "bench"},
        "atlas": {"location": "bench", "holds": 1},
        "magnifier": {"location": "atlas"},
    },
    "robot": {"location": "hall"},
}
TAKE = "move_to('bench')\ngrasp('{}')"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


class Taught(Leader):
    """One that can be asked for nothing but its next answer."""

    taught = True


def kitchen(model: Leader, memory: Memory, policy: str = "described") -> Kitchen:
    return Kitchen(model, memory, ConsoleConfig(look_first=policy), Scene.from_description(WORLD))


def held(room: Kitchen) -> Sequence[str]:
    return [thing.name for thing in room.robot.scene.things() if thing.held_by]


def none(*grounded: str) -> str:
    return final_response(Final.NONE, "It can be done.", grounded)


def test_what_the_first_stage_settles_costs_no_completion(memory: Memory) -> None:
    model = Leader([TAKE.format("aspirin")])
    room = kitchen(model, memory)
    room.talk("the aspirin, please")
    assert held(room) == ["aspirin"]
    assert len(model.prompts) == 1


def test_what_lies_on_a_thing_is_told_before_the_hand_moves(memory: Memory) -> None:
    model = Leader([TAKE.format("atlas"), "say('There is something on it.')"])
    room = kitchen(model, memory)
    room.talk("the atlas, please")
    assert held(room) == []
    assert "The magnifier lies on top of the atlas and obstructs it. Hint: grasp('magnifier')" in str(room.seen.results)


@pytest.mark.parametrize(
    ("door", "told"),
    [
        ("washing_machine", "is on and still running. Hint: say so, and do nothing else"),
        ("safe", "The safe is locked. Hint: ask('The safe is locked. Could you unlock it, please?')"),
    ],
)
def test_a_door_that_is_locked_or_must_stay_shut_is_not_pulled(memory: Memory, door: str, told: str) -> None:
    room = kitchen(Leader([f"move_to({door!r})\nopen_door({door!r})", "say('No.')"]), memory)
    room.talk("open it")
    assert told in str(room.seen.results)


def test_a_mind_examines_by_tools_which_of_two_medicines_is_meant(memory: Memory) -> None:
    look = 'call_tool{"tool": "object_detection", "args": []}'
    model = Leader([TAKE.format("aspirin"), look, none("aspirin")])
    room = kitchen(model, memory)
    room.talk("what I take for my head")
    assert held(room) == ["aspirin"]
    assert model.prompts[1].history.startswith("ORDER: what I take for my head\n")
    assert 'RESULT: ["aspirin", "ibuprofen"' in model.prompts[2].history


@pytest.mark.parametrize("found", [final_response(Final.AMBIGUITY, "Two fit.", []), none("ibuprofen")])
def test_a_medicine_that_is_perhaps_not_meant_is_asked_about(memory: Memory, found: str) -> None:
    question = "ask('Which one do you mean: the aspirin or the ibuprofen?')"
    model = Leader([TAKE.format("aspirin"), found, question, "grasp('ibuprofen')"])
    room = kitchen(model, memory)
    room.talk("my pills", "the strong one")
    assert f"Hint: {question}" in str(room.seen.results)
    assert held(room) == ["ibuprofen"]


def test_for_a_mind_that_cannot_examine_the_scene_tells_what_may_be_meant(memory: Memory) -> None:
    model = Taught([TAKE.format("aspirin"), "ask('The aspirin or the ibuprofen?')", "grasp('aspirin')"])
    room = kitchen(model, memory)
    room.talk("my pills", "the aspirin")
    assert len(model.prompts) == 3
    assert held(room) == ["aspirin"]


def test_of_two_cups_any_will_do_unless_every_order_is_examined(memory: Memory) -> None:
    room = kitchen(Leader([TAKE.format("red_cup")]), memory)
    room.talk("a cup, please")
    assert held(room) == ["red_cup"]
    model = Leader([TAKE.format("red_cup"), final_response(Final.AMBIGUITY, "Two fit.", []), "say('Which?')"])
    room = kitchen(model, memory, "always")
    room.talk("a cup, please")
    assert held(room) == []
    assert len(model.prompts) == 3


def test_what_a_mind_chose_by_words_that_no_name_has_is_not_asked_about_again(memory: Memory) -> None:
    model = Leader([TAKE.format("blue_cup")])
    room = kitchen(model, memory)
    room.talk("take the coldest cup on the left")
    assert (held(room), room.seen.speech, len(model.prompts)) == (["blue_cup"], ["That is done."], 1)


def test_what_the_words_tell_of_one_of_them_settles_it(memory: Memory) -> None:
    model = Leader([TAKE.format("red_cup")])
    room = kitchen(model, memory, "always")
    room.talk("the red one, please")
    assert len(model.prompts) == 1


def test_what_was_handled_just_before_is_meant_by_them(memory: Memory) -> None:
    model = Taught([TAKE.format("aspirin"), "place('aspirin', 'bench')", "grasp('aspirin')"])
    room = kitchen(model, memory)
    room.talk("the aspirin, please", "back with them", "no, give them here after all")
    assert held(room) == ["aspirin"]
    assert len(model.prompts) == 3


def test_a_word_of_another_name_is_enough(memory: Memory) -> None:
    model = Taught([TAKE.format("ibuprofen")])
    room = kitchen(model, memory)
    room.talk("something strong for my head")
    assert held(room) == ["ibuprofen"]


def test_nothing_is_examined_where_that_is_not_wanted(memory: Memory) -> None:
    room = kitchen(Leader([TAKE.format("atlas")]), memory, "never")
    room.talk("the atlas, please")
    assert held(room) == ["atlas"]


def test_help_that_was_asked_for_on_the_way_does_not_tell_which_of_two_medicines_is_meant(memory: Memory) -> None:
    model = Taught(["bring('aspirin')", "say('Which?')"])
    chair = {"chair": {"at": [9.0, 9.0], "radius": 0.3, "mass": 6.0}}
    scene = Scene.from_description({**WORLD, "objects": {**WORLD["objects"], **chair}})
    room = Kitchen(model, memory, ConsoleConfig(), scene)
    there, here = room.robot.scene.location("bench").approach, room.robot.state().base
    room.robot.scene.found("chair", ((there.x + here.x) / 2, (there.y + here.y) / 2, 0.0))
    room.triggers.meanwhile["yes, it is away"] = lambda: room.robot.scene.found("chair", (9.0, 9.0, 0.0))
    room.talk("my pills", "yes, it is away")
    assert room.seen.speech[0].startswith("The chair blocks my way")
    assert "Hint: ask('Which one do you mean: the aspirin or the ibuprofen?')" in str(room.seen.results)
    assert held(room) == []
