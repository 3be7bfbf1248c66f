"""Robots that lack a base, or arms: every skill that would need them says so, and asks for help where it stands."""

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.config import ROBOTS
from hw.description import RobotDescription, describe, load_description
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import Skill, SkillContext, SkillError, load_skills

KITCHEN = Path("sim/scenes/kitchen.toml")
DESCRIPTIONS = {
    file.stem: load_description(file, Path("."), simulated=True)
    for file in ROBOTS.glob("*.toml")
    if file.stem != "ros2"
}
ON_A_TABLE = sorted(name for name, robot in DESCRIPTIONS.items() if robot.base is None)
MOVING = {name: skill for name, skill in load_skills().items() if skill.uses}
PUTTING_DOWN = ("place", "handover")
"""Skills for which the robot has a cup in its hand already."""


def test_robots_on_a_table_are_among_those_that_come_with_heed() -> None:
    assert {"so101", "so100", "so101-pair", "koch"} <= set(ON_A_TABLE)


@pytest.mark.parametrize("name", sorted(MOVING))
@pytest.mark.parametrize("robot", ON_A_TABLE)
def test_a_robot_without_a_base_says_so_for_every_skill_and_is_told_to_drive_by_none(robot: str, name: str) -> None:
    """In a kitchen where all is far away, and the fridge is open."""
    outcomes = list(_outcomes(DESCRIPTIONS[robot], MOVING[name]))
    refused = [told for told in outcomes if told]
    assert not [told for told in refused if "move_to(" in told]
    if name != "handover":  # who cannot drive holds it out where it stands
        assert [told for told in refused if "I cannot drive" in told and "ask(" in told]


def test_a_robot_without_a_base_asks_to_be_handed_what_it_would_have_to_drive_to() -> None:
    (told, *_) = _outcomes(DESCRIPTIONS["so101"], MOVING["move_to"], {"location": ["fridge"]})
    assert told.startswith("fridge is out of my reach, and I cannot drive")
    assert "Could you hand it to me here, please?" in told


@pytest.mark.parametrize("name", sorted(MOVING))
def test_a_robot_without_arms_says_so_for_every_skill_that_needs_them(name: str) -> None:
    table = tomllib.loads((ROBOTS / "sim.toml").read_text())
    del table["arms"]
    outcomes = set(_outcomes(describe(table, Path("."), simulated=True), MOVING[name]))
    if "arms" in MOVING[name].uses:
        assert outcomes == {"I have no arm. Hint: ask('I have no arm. Could you do that, please?')"}
    else:
        assert "" in outcomes


def _outcomes(
    description: RobotDescription, skill: Skill, choices: dict[str, list[Any]] | None = None
) -> Iterator[str]:
    """Call it with whatever there is, each time in a kitchen of its own: what refused it, or ""."""
    known = choices or _choices(description, skill)
    wanted = [known[parameter.name] for parameter in skill.parameters if parameter.default is parameter.empty]
    for arguments in itertools.product(*wanted):
        yield _outcome(description, skill, arguments)


def _choices(description: RobotDescription, skill: Skill) -> dict[str, list[Any]]:
    seen = _kitchen(description, skill).observe()
    places = [place["name"] for place in seen["locations"]]
    things = [thing["name"] for thing in seen["objects"]]
    return {
        "object": things,
        "location": places,
        "container": places,
        "hand": list(seen["hands"]),
        "direction": ["left"],
        "distance": [0.05],
    }


def _outcome(description: RobotDescription, skill: Skill, arguments: tuple[Any, ...]) -> str:
    robot = _kitchen(description, skill)
    before = robot.state().base
    try:
        skill.bind(SkillContext(robot, robot.observe))(*arguments)
    except SkillError as error:
        return str(error)
    finally:
        assert description.base or robot.state().base == before
    return ""


def _kitchen(description: RobotDescription, skill: Skill) -> RehearsalRobot:
    table = tomllib.loads(KITCHEN.read_text())
    next(place for place in table["locations"] if place["name"] == "fridge")["door"] = "open"
    if skill.name in PUTTING_DOWN and description.arms:
        table["objects"]["cup"] = {"category": "dishes", "held_by": description.arms[0].name}
    return RehearsalRobot(Scene.from_description(table), description)
