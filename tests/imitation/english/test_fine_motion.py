"""A bit to the left, a little more, back: small motions, in the frame and by the size of the thing they are about."""

import pytest

from daemon.console.history import Turn
from daemon.imitation.english.motion_corrections import fine_motion
from daemon.transcript import Step
from skills.scene import Scene, Thing
from tests.support.worlds import Kitchen

CUP = Thing("cup", "dishes", "table", (1.0, 0.0, 0.7), width=0.08)
SCENE = Scene((CUP, Thing("spoon", "dishes", "table", (1.0, 0.3, 0.7), width=0.02)), ())


def after(*statements: str) -> list[Turn]:
    return [Turn("earlier", tuple(Step(statement, "'success'") for statement in statements))]


@pytest.mark.parametrize(
    ("said", "before", "statement"),
    [
        ("a bit to the left", "place('cup', 'table')", "shift('cup', 'left', 0.02)"),
        ("a bit to the left", "place('spoon', 'table')", "shift('spoon', 'left', 0.005)"),
        ("three centimetres up please", "grasp('cup')", "shift('cup', 'up', 0.03)"),
        ("a little more", "shift('cup', 'left', 0.04)", "shift('cup', 'left', 0.02)"),
        ("more", "shift('cup', 'left', 0.04)", "shift('cup', 'left', 0.04)"),
        ("back", "shift('cup', 'left', 0.04)", "shift('cup', 'right', 0.04)"),
        ("no, the other way", "shift('cup', 'up', 0.02)", "shift('cup', 'down', 0.04)"),
        ("that was too far", "shift('cup', 'up', 0.02)", "shift('cup', 'down', 0.01)"),
        ("move the spoon a bit to the right", "place('cup', 'table')", "shift('spoon', 'right', 0.005)"),
        ("a lot further", "shift('cup', 'left', 0.1)", "shift('cup', 'left', 0.1)"),
    ],
)
def test_a_motion_is_scaled_and_relative_to_the_last_one(said: str, before: str, statement: str) -> None:
    assert fine_motion(said, SCENE, after(before)) == statement


@pytest.mark.parametrize(
    "said",
    [
        "bring me some more juice",
        "go back to the table",
        "put the cup down",
        "put away the cup",
        "right",
        "more tea please",
    ],
)
def test_other_requests_are_none(said: str) -> None:
    assert fine_motion(said, SCENE, after("move_to('table')")) is None


def test_nothing_was_moved_so_more_means_nothing() -> None:
    assert fine_motion("a little more", SCENE, after("move_to('table')")) is None


def test_the_simulated_robot_moves_a_thing_to_its_left_and_back(kitchen: Kitchen) -> None:
    kitchen.talk("put the cup on the table", "a bit to the left", "back")
    shifts = [statement for statement in kitchen.seen.statements if statement.startswith("shift")]
    assert [shift.split(",")[1].strip() for shift in shifts] == ["'left'", "'right'"]
    assert kitchen.where("cup") == "table"
