"""A hand hides nothing from the head's camera, and goes out for nothing that is only remembered."""

import math
from dataclasses import replace
from typing import Any

import pytest

from hw.arm_manner import Manner
from hw.state import HardwareError, Pose2D, RobotState
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from sim.scene import Scene
from skills.manipulation import place
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
        self.age = 0.2
        """Seconds of what is seen."""
        self.sigma = 0.002
        """Metres, of where things are seen."""
        self.drift = 0.0
        """Metres along x by which the base takes itself to stand, and things to be, elsewhere until the second look."""

    def move_tip(self, arm: str, x: float, y: float, z: float, *more: Any, **named: Any) -> RehearsalGoal:
        self.sent.append((x, y, z))
        return super().move_tip(arm, x, y, z, *more, **named)

    def look(self) -> None:
        self.looks_left -= 1
        if self.looks_left == 98:
            self.drift = 0.0
        if self.looks_left < 0 and self.trouble:
            raise HardwareError(self.trouble)

    def observe(self) -> dict[str, Any]:
        seen = super().observe()
        sight = (
            {"present": True, "age": self.age, "sigma": self.sigma}
            if self.looks_left >= 0
            else {"present": False, "age": 3.0}
        )
        return seen | {"objects": [self._drifted(thing) | sight for thing in seen["objects"]]}

    def state(self) -> RobotState:
        state = super().state()
        return replace(state, base=Pose2D(state.base.x + self.drift, state.base.y, state.base.theta))

    def _drifted(self, thing: dict[str, Any]) -> dict[str, Any]:
        x, y, z = thing["position"]
        return thing | {"position": [x + self.drift, y, z]}

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


def test_a_thing_has_not_moved_because_the_base_turns_out_to_stand_elsewhere() -> None:
    robot = Watched()
    robot.drift = 0.10
    robot.grasp()
    assert robot.drift == 0.0
    assert robot.observe()["objects"][0]["held_by"] == "left"


class Ageing(Watched):
    """Sees the apple at a look, and each motion takes half a second: keeps how old the look was that a hand went by."""

    def __init__(self) -> None:
        super().__init__()
        self.gone_by: list[float] = []

    def look(self) -> None:
        super().look()
        self.age = 0.2

    def move_tip(self, arm: str, x: float, y: float, z: float, *more: Any, **named: Any) -> RehearsalGoal:
        to, apple = self.state().base.to_map(x, y), self.scene.thing("apple")
        if apple.held_by is None and math.dist(to, apple.position[:2]) < 0.05:
            self.gone_by.append(self.age)
        self.age += 0.5
        return super().move_tip(arm, x, y, z, *more, **named)

    def grip(self, arm: str, opening: float) -> RehearsalGoal:
        self.age += 0.5
        return super().grip(arm, opening)


REACHING = [("grasp", ("apple",), 2), ("point_at", ("apple",), 1), ("shift", ("apple", "left", 0.05), 2)]
"""Skills that reach for a thing, and how many motions towards it each begins before it has it."""


@pytest.mark.parametrize(("skill", "arguments", "motions"), REACHING)
def test_each_motion_towards_a_thing_goes_by_a_look_that_is_young(skill: str, arguments: Any, motions: int) -> None:
    robot = Ageing()
    load_skills()[skill].bind(SkillContext(robot, robot.observe, look=robot.look))(*arguments)
    assert robot.gone_by[:motions] == [0.2] * motions


@pytest.mark.parametrize(("skill", "arguments", "_motions"), REACHING)
def test_no_hand_sets_out_for_what_is_seen_too_late_each_time(skill: str, arguments: Any, _motions: int) -> None:
    robot = Watched()
    robot.age = 0.9
    with pytest.raises(SkillError, match="what I see of apple comes too late to reach for it"):
        load_skills()[skill].bind(SkillContext(robot, robot.observe, look=robot.look))(*arguments)
    assert robot.sent == []


def test_what_is_in_sight_is_told_after_a_fresh_look() -> None:
    robot = Watched()
    context = SkillContext(robot, robot.observe, look=robot.look)
    assert load_skills()["get_objects_in_sight"].bind(context)() == [("apple", "thing", "table")]
    robot.looks_left = 0
    assert load_skills()["get_objects_in_sight"].bind(context)() == []


def test_no_hand_goes_out_for_what_is_known_to_some_centimetres_only() -> None:
    robot = Watched()
    robot.sigma = 0.05
    with pytest.raises(SkillError, match=r"know only to 5 cm where apple is.*printed tag"):
        robot.grasp()
    assert robot.sent == []
    robot.sigma = 0.03
    robot.grasp()


def test_what_slips_out_after_it_was_seen_in_a_hand_is_told() -> None:
    robot = Watched()
    context = SkillContext(robot, robot.observe, look=robot.look)
    with pytest.raises(SkillError, match=r"apple is not in a hand any more.*grasp\('apple'\)"):
        place(context, "apple", "table")
