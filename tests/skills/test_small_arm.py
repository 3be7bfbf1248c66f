"""Skills of a robot that is one small arm on a desk: it reaches what is near, and asks for the rest."""

from pathlib import Path

import pytest

from daemon.config import ROBOTS
from hw.description import load_description
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.hand_motion import opening_for
from skills.perception import look
from skills.skill import SkillContext, SkillError, load_skills

SKILLS = load_skills()


@pytest.fixture
def arm() -> SkillContext:
    return _robot("so101")


@pytest.mark.parametrize(("thing", "place"), [("red_cube", "tray"), ("screwdriver", "box"), ("battery", "mat")])
def test_it_puts_a_thing_elsewhere(arm: SkillContext, thing: str, place: str) -> None:
    _do(arm, "grasp", thing)
    _do(arm, "place", thing, place)
    assert _where(arm, thing) == place


def test_it_hands_over_without_driving(arm: SkillContext) -> None:
    _do(arm, "move_to", "mat")
    _do(arm, "grasp", "pen")
    _do(arm, "move_to", "person")
    _do(arm, "handover", "pen")
    assert _where(arm, "pen") == "person"


def test_the_one_hand_is_full(arm: SkillContext) -> None:
    _do(arm, "grasp", "pen")
    with pytest.raises(SkillError, match="the hand is full"):
        _do(arm, "grasp", "red_cube")
    with pytest.raises(SkillError, match="there is no hand 'left'"):
        _do(arm, "grasp", "red_cube", "left")


def test_what_is_out_of_reach_is_asked_for(arm: SkillContext) -> None:
    robot = arm.body
    assert isinstance(robot, RehearsalRobot)
    robot.scene.found("pen", (0.9, 0.0, 0.03))
    with pytest.raises(SkillError, match=r"pen is out of my reach, and I cannot drive.*Could you bring the pen to me"):
        _do(arm, "grasp", "pen")


def test_of_two_arms_the_one_that_reaches_is_taken() -> None:
    pair = _robot("so101-pair")
    for thing, place in (("screwdriver", "tray"), ("battery", "box")):
        _do(pair, "grasp", thing)
        _do(pair, "place", thing, place)


@pytest.mark.parametrize(("beside", "wide"), [(0.057, 0.05), (0.065, 0.06), (0.2, 0.08)])
def test_fingers_open_only_as_far_as_what_stands_beside_a_thing_leaves_room(
    arm: SkillContext, beside: float, wide: float
) -> None:
    robot = arm.body
    assert isinstance(robot, RehearsalRobot)
    for number, name in enumerate(("pen", "blue_cube")):
        robot.scene.found(name, (0.29, beside + 0.1 * number, 0.03))
    robot.scene.found("red_cube", (0.29, 0.0, 0.03))
    scene = look(arm)
    cube = scene.object("red_cube")
    assert opening_for(scene, cube, cube.position) == pytest.approx(wide)
    _do(arm, "grasp", "red_cube")
    assert _where(arm, "red_cube") is None


def _robot(name: str) -> SkillContext:
    description = load_description(ROBOTS / f"{name}.toml", Path("."), simulated=True)
    robot = RehearsalRobot(Scene.load(Path("sim/scenes/desk.toml")), description)
    return SkillContext(robot, robot.observe)


def _do(robot: SkillContext, name: str, *arguments: str) -> None:
    skill = SKILLS[name]
    bound = dict(zip([parameter.name for parameter in skill.parameters], arguments, strict=False))
    if skill.needs:
        skill.needs.check(robot, bound)
    skill.function(robot, **bound)


def _where(robot: SkillContext, thing: str) -> str | None:
    return next(seen["location"] for seen in robot.observe()["objects"] if seen["name"] == thing)
