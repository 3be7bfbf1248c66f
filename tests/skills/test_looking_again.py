"""A hand hides nothing from the head's camera, and goes out for nothing that is only remembered."""

from typing import Any

import pytest

from hw.arm_manner import Manner
from hw.state import HardwareError
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, SkillError, load_skills
from tests.support.worlds import DESCRIPTION

WORLD: dict[str, Any] = {
    "locations": [{"name": "table", "approach": [1.0, 0.0, 0.0]}],
    "objects": {"apple": {"location": "table"}},
    "robot": {"location": "table"},
}
Point = tuple[float, float, float]


class Watched(RehearsalRobot):
    """Keeps where its hands were sent (robot frame), and tells of nothing that is seen after so many looks."""

    def __init__(self, looks: int = 100) -> None:
        super().__init__(Scene.from_description(WORLD), DESCRIPTION)
        self.sent: list[Point] = []
        self.looks_left = looks
        self.trouble = ""
        self.late = 0
        """So many looks fail before one comes."""

    def move_tip(self, arm: str, x: float, y: float, z: float, *more: Any, **named: Any) -> RehearsalGoal:
        self.sent.append((x, y, z))
        return super().move_tip(arm, x, y, z, *more, **named)

    def look(self) -> None:
        if self.late:
            self.late -= 1
            raise HardwareError("no picture came")
        self.looks_left -= 1
        if self.looks_left < 0 and self.trouble:
            raise HardwareError(self.trouble)

    def observe(self) -> dict[str, Any]:
        seen = super().observe()
        hidden = {"present": self.looks_left >= 0, "age": 3.0}
        return seen | {"objects": [thing | hidden for thing in seen["objects"]]}

    def grasp(self) -> None:
        load_skills()["grasp"].bind(SkillContext(self, self.observe, look=self.look))("apple")

    @property
    def used(self) -> Manner:
        """The manner of the hand that a grasp takes here."""
        return self.manner("left")


def test_an_empty_hand_is_folded_after_its_work_and_one_that_carries_is_not() -> None:
    robot = Watched()
    robot.grasp()
    assert robot.sent[-1] == robot.used.carry
    load_skills()["place"].bind(SkillContext(robot, robot.observe, look=robot.look))("apple", "table")
    assert robot.sent[-1] == robot.used.rest


def test_a_hand_rises_at_its_side_before_it_goes_out() -> None:
    robot = Watched()
    robot.grasp()
    assert robot.sent[0][:2] == robot.used.rise[:2] != robot.used.carry[:2]


def test_a_hand_that_hides_what_it_goes_for_does_not_go_out_and_is_folded() -> None:
    robot = Watched(looks=1)
    with pytest.raises(SkillError, match="I cannot see apple now: it was at table 3 seconds ago"):
        robot.grasp()
    risen, *back = robot.sent
    assert risen[:2] == robot.used.rise[:2]
    assert back == [robot.used.carry, robot.used.rest]


def test_a_camera_that_fails_while_the_hand_is_above_ends_the_grasp_and_the_hand_is_folded() -> None:
    robot = Watched(looks=2)
    robot.trouble = "I cannot see now: the camera shows the same picture again and again"
    with pytest.raises(SkillError, match="the same picture again and again"):
        robot.grasp()
    assert robot.sent[-2:] == [robot.used.carry, robot.used.rest]


def test_a_hand_does_not_go_down_to_what_it_hides_from_above() -> None:
    robot = Watched(looks=2)
    with pytest.raises(SkillError, match="my left hand hides apple from my eyes"):
        robot.grasp()
    *out, carried, rested = robot.sent
    assert min(z for _, _, z in out) > robot.scene.thing("apple").position[2] + 0.05
    assert (carried, rested) == (robot.used.carry, robot.used.rest)


def test_a_look_that_comes_too_late_is_asked_for_once_more_and_no_oftener() -> None:
    robot = Watched()
    robot.late = 1
    robot.grasp()
    assert robot.observe()["objects"][0]["held_by"] == "left"

    other = Watched()
    other.late = 2
    with pytest.raises(SkillError, match="no picture came"):
        other.grasp()
    assert other.sent == []
