"""What a skill was to bring about is looked at before anybody hears that it is done."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.config import MemoryConfig
from daemon.memory.store import Memory
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from tests.console.test_leading import Leader
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen

ALL = ("move_joints", "grip", "drive_to")


class Claiming(RehearsalRobot):
    """Reports every motion as done, and does not make those that are named in `idle`."""

    idle: Sequence[str] = ()

    def move_joints(self, *given: Any, **named: Any) -> RehearsalGoal:
        return RehearsalGoal() if "move_joints" in self.idle else super().move_joints(*given, **named)

    def grip(self, *given: Any, **named: Any) -> RehearsalGoal:
        return RehearsalGoal() if "grip" in self.idle else super().grip(*given, **named)

    def drive_to(self, *given: Any, **named: Any) -> RehearsalGoal:
        return RehearsalGoal() if "drive_to" in self.idle else super().drive_to(*given, **named)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def told_to(memory: Memory, before: str, idle: Sequence[str], *answers: str) -> tuple[Kitchen, Leader]:
    """Let a mind do something, and then, on a robot that makes not all of its motions any more, the answers."""
    model = Leader([f"{before}\nsay('Ready.')", *answers])
    kitchen = Kitchen(model, memory, robot=Claiming)
    kitchen.triggers.meanwhile = {"now": lambda: setattr(kitchen.robot, "idle", idle)}
    kitchen.talk("get ready", "now")
    assert kitchen.seen.speech[0] == "Ready."
    return kitchen, model


DEEDS = [
    ("pass", "move_to('sink')", "the robot did not arrive at sink"),
    ("move_to('fridge')", "open_door('fridge')", "the door of fridge is not open"),
    ("move_to('fridge')\nopen_door('fridge')", "close_door('fridge')", "the door of fridge is not closed"),
    ("move_to('counter')", "grasp('cup')", "the left hand missed cup"),
    ("move_to('counter')", "shift('cup', 'left', 0.05)", "cup is at counter, and not where it was to go"),
    ("move_to('counter')\ngrasp('cup')", "shift('cup', 'up', 0.05)", "cup is in the left hand, and not where it was"),
    ("move_to('counter')\ngrasp('cup')\nmove_to('table')", "place('cup', 'table')", "cup is in the left hand, not at"),
    ("move_to('counter')\ngrasp('cup')\nmove_to('person')", "handover('cup')", "cup is in the left hand, not at"),
    ("pass", "bring('cup')", "the robot did not arrive at counter"),
]


@pytest.mark.parametrize(("before", "deed", "seen"), DEEDS, ids=[deed for _, deed, _ in DEEDS])
def test_effects_are_verified_before_done_is_said(memory: Memory, before: str, deed: str, seen: str) -> None:
    kitchen, model = told_to(memory, before, ALL, f"{deed}\nsay('Done.')", "say('It did not work.')")
    assert kitchen.seen.speech == ["Ready.", "It did not work."]
    assert f"RuntimeError: {seen}" in model.prompts[-1].history


@pytest.mark.parametrize("nothing", ["wait_for_trigger()", "pass"])
def test_a_mind_that_leaves_it_at_that_has_heed_say_what_is_so(memory: Memory, nothing: str) -> None:
    kitchen, _ = told_to(memory, "move_to('counter')", ALL, "grasp('cup')", nothing)
    assert kitchen.seen.speech[1:] == ["I could not do that: the left hand missed cup."]


def test_what_failed_is_not_told_as_done_because_something_else_worked(memory: Memory) -> None:
    kitchen, _ = told_to(memory, "move_to('counter')", ["grip"], "grasp('cup')", "move_to('table')")
    assert kitchen.seen.speech[1:] == ["I could not do that: the left hand missed cup."]


def test_what_failed_and_was_made_good_is_told_as_done(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["move_to('fridge')\ngrasp('juice')", "open_door('fridge')\ngrasp('juice')"]), memory)
    kitchen.talk("take the juice")
    assert kitchen.seen.speech == ["That is done."]
