"""Two small arms on a cart, in a kitchen: what stands on tables is within their reach, tried without time."""

from pathlib import Path

import pytest

from daemon.config import ROBOTS
from hw.description import load_description
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.perception import look
from skills.skill import SkillContext, load_skills

SKILLS = load_skills()


@pytest.mark.parametrize("name", ["xlerobot", "xlerobot-2wheels"])
@pytest.mark.parametrize(("thing", "place"), [("cup", "counter"), ("apple", "table"), ("tea", "shelf")])
def test_it_brings_a_thing_to_a_person(name: str, thing: str, place: str) -> None:
    description = load_description(ROBOTS / f"{name}.toml", Path("."), simulated=True)
    body = RehearsalRobot(Scene.load(Path("sim/scenes/kitchen.toml")), description)
    robot = SkillContext(body, body.observe)
    for skill, argument in (("move_to", place), ("grasp", thing), ("move_to", "person"), ("handover", thing)):
        SKILLS[skill].function(robot, argument)
    assert next(seen["location"] for seen in robot.observe()["objects"] if seen["name"] == thing) == "person"


def test_its_head_looks_at_what_it_takes_before_each_look() -> None:
    body = RehearsalRobot(
        Scene.load(Path("sim/scenes/kitchen.toml")), load_description(ROBOTS / "xlerobot.toml", Path("."), True)
    )
    told: list[object] = []
    robot = SkillContext(body, body.observe, look=lambda: told.append("look"), face=told.append)
    SKILLS["move_to"].bind(robot)("counter")
    cup = look(robot).object("cup").position
    SKILLS["grasp"].bind(robot)("cup")
    assert told == [cup, "look"] * 3


@pytest.mark.parametrize(("thing", "place", "hand"), [("cup", "counter", "left"), ("spoon", "counter", "right")])
def test_the_hand_that_is_nearer_takes_it(thing: str, place: str, hand: str) -> None:
    description = load_description(ROBOTS / "xlerobot.toml", Path("."), simulated=True)
    body = RehearsalRobot(Scene.load(Path("sim/scenes/kitchen.toml")), description)
    robot = SkillContext(body, body.observe)
    SKILLS["move_to"].function(robot, place)
    there = look(robot).object(thing)
    _, y = body.state().base.to_local(*there.position[:2])
    assert hand == ("left" if y > 0 else "right"), "so it stands in this kitchen"
    SKILLS["grasp"].function(robot, thing)
    assert look(robot).object(thing).held_by == hand
