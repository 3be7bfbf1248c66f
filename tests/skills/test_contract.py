"""Every skill that is installed keeps the contract, and the contract notices what does not.

What is not asked for here: whether a skill does what it is for.
"""

from collections.abc import Callable
from typing import Any

import pytest

from daemon.cli.skill_trial import breaches_of, breaches_on, in_thought, simulated_robot
from hw.state import GoalState
from skills.contract import breaches, calls_in, working_plan
from skills.motion import carry_out
from skills.perception import look
from skills.skill import Cancelled, Skill, SkillContext, SkillError, load_skills

EVERY = sorted(load_skills())
MOVING = [name for name in EVERY if not load_skills()[name].read_only]


@pytest.mark.parametrize("name", EVERY)
def test_a_skill_is_described_ends_when_cancelled_or_stopped_and_says_what_to_do_instead(name: str) -> None:
    assert breaches_of(name) == []


def test_on_the_simulated_wire_a_cancelled_skill_leaves_the_robot_at_rest_and_a_stopped_one_does_not_begin() -> None:
    with simulated_robot() as body:
        assert breaches_on(body, "move_to") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVING)
def test_on_the_simulated_wire_every_skill_does(name: str) -> None:
    with simulated_robot() as body:
        assert breaches_on(body, name) == []


def test_the_way_to_a_call_that_works_is_found_by_following_hints() -> None:
    skills = load_skills()
    plan = [call.name for call in working_plan(skills["handover"], skills, in_thought) or []]
    assert plan == ["move_to", "open_door", "grasp", "move_to", "handover"]


@pytest.mark.parametrize(
    ("statements", "calls"),
    [
        ("move_to('sink'); grasp('cup', hand='left')", ["move_to('sink')", "grasp('cup', hand='left')"]),
        ("place() or handover() something first", None),
        ("grasp(name)", None),
        ("", None),
    ],
)
def test_calls_are_read_and_advice_in_words_is_not(statements: str, calls: list[str] | None) -> None:
    found = calls_in(statements)
    assert calls == (found and [str(call) for call in found])


# --- skills that break it, each in one way ---


def lift(robot: SkillContext) -> None:
    carry_out(robot, "lift", lambda: robot.body.move_tip("left", 0.4, 0.18, 1.0))


def swallows_a_cancel(robot: SkillContext) -> str:
    """Lift a hand."""
    try:
        lift(robot)
    except Cancelled:
        return "never mind"
    return "success"


def tries_again(robot: SkillContext) -> str:
    """Lift a hand."""
    try:
        lift(robot)
    except (Cancelled, SkillError):
        lift(robot)
    return "success"


def does_not_look_how_it_ended(robot: SkillContext) -> str:
    """Lift a hand."""
    robot.body.move_tip("left", 0.4, 0.18, 1.0).wait()
    return "success"


def does_not_look_where_it_is(robot: SkillContext) -> str:
    """Drive to the sink."""
    x, y, theta = look(robot).location("sink").approach
    carry_out(robot, "drive", lambda: robot.body.drive_to(x, y, theta))
    return "success"


def fails_without_a_hint(robot: SkillContext) -> str:
    """Lift a hand."""
    result = robot.body.move_tip("left", 0.4, 0.18, 1.0).wait()
    if result.state is GoalState.CANCELED:
        raise Cancelled
    if result.state is not GoalState.SUCCEEDED:
        raise SkillError("it failed")
    return "success"


def crashes(robot: SkillContext, object: str) -> str:
    """Where an object is."""
    return str({"cup": "sink"}[object])


def has_no_type(robot: SkillContext, object) -> str:  # type: ignore[no-untyped-def]
    """Where an object is."""
    return "sink"


def moves_in_secret(robot: SkillContext) -> str:
    """Look around."""
    lift(robot)
    return "nothing"


def takes_what_nobody_can_guess(robot: SkillContext, song: list[str]) -> str:
    """Dance."""
    lift(robot)
    return "success"


@pytest.mark.parametrize(
    ("function", "uses", "complaint"),
    [
        (swallows_a_cancel, ("arms",), "is cancelled, it ends with success, not with Cancelled"),
        (tries_again, ("arms",), "it goes on moving after motion 1"),
        (does_not_look_how_it_ended, ("arms",), "fails, it ends with success, not with SkillError"),
        (does_not_look_how_it_ended, ("arms",), "by a stop, it ends with StoppedError, not with SkillError"),
        (does_not_look_where_it_is, ("base",), "ends with success though motion 1 was not made"),
        (fails_without_a_hint, ("arms",), "fails without a hint"),
        (crashes, (), "fails with KeyError, not with a SkillError"),
        (has_no_type, (), "object of has_no_type has no type"),
        (moves_in_secret, (), "it moves the robot, but does not say so"),
        (takes_what_nobody_can_guess, ("arms",), "say how to call it"),
    ],
)
def test_what_a_skill_does_not_keep_is_noticed(
    function: Callable[..., Any], uses: tuple[str, ...], complaint: str
) -> None:
    skill = Skill(function.__name__, function, uses, confirm=False)
    found = breaches(skill, load_skills() | {skill.name: skill}, in_thought)
    assert any(complaint in problem for problem in found), found


def test_an_example_says_how_a_skill_is_called() -> None:
    name = takes_what_nobody_can_guess.__name__
    skill = Skill(name, takes_what_nobody_can_guess, ("arms",), confirm=False, examples=(("dance", f"{name}(['la'])"),))
    assert breaches(skill, load_skills() | {name: skill}, in_thought) == []


def test_an_example_that_does_not_call_its_skill_is_noticed() -> None:
    skill = Skill("crashes", crashes, (), confirm=False, examples=(("find the cup", "look_for('cup')"),))
    assert "does not call it" in breaches(skill, load_skills() | {skill.name: skill}, in_thought)[0]
