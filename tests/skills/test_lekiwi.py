"""A small robot on wheels, in a room with low tables: it fetches and carries, tried without time."""

from pathlib import Path

import pytest

from daemon.config import ROBOTS
from hw.description import load_description
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, SkillError, load_skills

SKILLS = load_skills()


@pytest.fixture
def robot() -> SkillContext:
    description = load_description(ROBOTS / "lekiwi.toml", Path("."), simulated=True)
    rehearsed = RehearsalRobot(Scene.load(Path("sim/scenes/playroom.toml")), description)
    return SkillContext(rehearsed, rehearsed.observe)


@pytest.mark.parametrize(("thing", "place"), [("cup", "table"), ("red_block", "toy_box"), ("pen", "rug")])
def test_it_brings_a_thing_to_a_person(robot: SkillContext, thing: str, place: str) -> None:
    _do(robot, "move_to", place)
    _do(robot, "grasp", thing)
    _do(robot, "move_to", "person")
    _do(robot, "handover", thing)
    assert _where(robot, thing) == "person"


def test_it_puts_a_thing_elsewhere_and_picks_one_up_from_the_floor(robot: SkillContext) -> None:
    _do(robot, "move_to", "table")
    _do(robot, "grasp", "juice")
    _do(robot, "move_to", "rug")
    _do(robot, "place", "juice", "rug")
    assert _where(robot, "juice") == "rug"
    body = robot.body
    assert isinstance(body, RehearsalRobot)
    body.scene.found("ball", (0.2, -0.3, 0.03))
    _do(robot, "move_to", "floor")
    _do(robot, "grasp", "ball")
    assert _where(robot, "ball") is None


def test_it_says_where_it_must_drive_to(robot: SkillContext) -> None:
    with pytest.raises(SkillError, match=r"move_to\('table'\)"):
        _do(robot, "grasp", "cup")


def _do(robot: SkillContext, name: str, *arguments: str) -> None:
    skill = SKILLS[name]
    bound = dict(zip([parameter.name for parameter in skill.parameters], arguments, strict=False))
    if skill.needs:
        skill.needs.check(robot, bound)
    skill.function(robot, **bound)


def _where(robot: SkillContext, thing: str) -> str | None:
    return next(seen["location"] for seen in robot.observe()["objects"] if seen["name"] == thing)
