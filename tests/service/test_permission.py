"""What asks before it happens, on a clock and answers of the test's own."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from daemon.config import ConfigError, PermissionConfig
from daemon.service.permission import Permissions, QuietHours, quiet_hours
from skills.skill import Skill, SkillContext, SkillError, load_skills

SHIPPED = Path(__file__).parents[2] / "config.toml"


def handover(robot: SkillContext, object: str, hand: str | None = None) -> str:
    """Hand it over."""
    return "success"


class Person:
    """Answers what is asked, and remembers it."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.turn = 1

    def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)


def guarded(
    person: Person, config: PermissionConfig, confirm: bool = False, uses: tuple[str, ...] = ("arms",), hour: int = 12
) -> Callable[..., str]:
    permissions = Permissions(
        config, load_skills(), person.ask, lambda: person.turn, lambda: datetime(2026, 1, 1, hour, 30)
    )
    return permissions.guarded(Skill("handover", handover, uses, confirm), lambda *args: "success")


def test_without_settings_nobody_is_asked() -> None:
    person = Person()
    assert guarded(person, PermissionConfig())("juice") == "success"
    assert person.asked == []


@pytest.mark.parametrize("config", [PermissionConfig(confirm="grasp, handover"), PermissionConfig(confirm="handover")])
def test_a_skill_named_in_the_settings_asks_each_time(config: PermissionConfig) -> None:
    person = Person("yes", "please do")
    give = guarded(person, config)
    assert give("juice") == give("juice") == "success"
    assert person.asked == ["Shall I handover juice?"] * 2


def test_a_setting_that_names_no_skill_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ConfigError, match=r"confirm .* names hand_over, which is no skill; did you mean handover"):
        guarded(Person(), PermissionConfig(confirm="open_door, hand_over"))


def test_the_example_in_the_shipped_settings_names_skills() -> None:
    example = re.search(r'^# confirm = .*"(.+)"$', SHIPPED.read_text(encoding="utf-8"), re.MULTILINE)
    assert example is not None
    person = Person("yes")
    guarded(person, PermissionConfig(confirm=example[1]))("juice")
    assert len(person.asked) == 1


@pytest.mark.parametrize("answer", ["no", "maybe", "", "stop", "yes, but not now", "import os"])
def test_what_is_not_a_plain_yes_means_that_nothing_is_done(answer: str) -> None:
    with pytest.raises(SkillError, match="did not allow it, nothing was done"):
        guarded(Person(answer), PermissionConfig(), confirm=True)("juice")


def test_in_quiet_hours_a_yes_holds_until_something_else_is_asked_for() -> None:
    person = Person("yes", "no")
    give = guarded(person, PermissionConfig(quiet_hours="22:00-07:00"), hour=23)
    assert give("juice") == give("milk") == "success"
    person.turn += 1
    with pytest.raises(SkillError):
        give("tea")
    assert len(person.asked) == 2


def test_looking_is_allowed_at_night() -> None:
    person = Person()
    assert guarded(person, PermissionConfig(quiet_hours="22:00-07:00"), uses=(), hour=23)("juice") == "success"


@pytest.mark.parametrize(
    ("hours", "hour", "quiet"),
    [
        ("", 3, False),
        ("22:00-07:00", 21, False),
        ("22:00-07:00", 22, True),
        ("22:00-07:00", 6, True),
        ("22:00-07:00", 7, False),
        ("9:00-17:00", 12, True),
        ("9:00-17:00", 18, False),
    ],
)
def test_quiet_hours_go_past_midnight(hours: str, hour: int, quiet: bool) -> None:
    now = datetime(2026, 1, 1, hour, 0)
    assert QuietHours(hours, lambda: now).now is quiet


@pytest.mark.parametrize("text", ["22-7", "25:00-07:00", "22:00", "22:00-07:60", "ten to seven"])
def test_a_time_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(ConfigError, match="22:00-07:00"):
        quiet_hours(text)


def test_a_robot_that_cannot_hear_begins_no_motion_unless_told_so() -> None:
    fetch = Skill("handover", handover, ("arms",), False)
    look = Skill("handover", handover, (), False)

    def deaf(config: PermissionConfig) -> Permissions:
        return Permissions(config, load_skills(), input, int, deaf=lambda: True)

    with pytest.raises(SkillError, match="nobody could call a stop"):
        deaf(PermissionConfig()).guarded(fetch, lambda: "success")()
    assert deaf(PermissionConfig()).guarded(look, lambda: "success")() == "success"
    assert deaf(PermissionConfig(move_while_deaf=True)).guarded(fetch, lambda: "success")() == "success"
