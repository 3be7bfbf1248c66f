"""Two whole heeds on loopback, each with its own simulated body, as a fleet."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.config import ConfigError, FleetConfig, LlmConfig
from daemon.fleet.fleet import Fleet
from daemon.fleet.member import Body
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import rule_in
from daemon.service.control import CommandError, request
from tests.fleet.test_member import Robot, transcript
from tests.fleet.test_net import address
from tests.story.test_app import Running, config_in, drives, heed, rests, runtime
from tests.support.waiting import until

__all__ = ["address", "heed", "runtime"]  # fixtures
KEY = "the same on both of them"


def start(folder: Path, **fleet: Any) -> Running:
    folder.mkdir()
    (folder / "fleet.key").write_text(KEY)
    running = Running(config_in(folder, llm=LlmConfig(brain="imitation"), fleet=FleetConfig(**fleet)))
    running.wait()
    return running


@pytest.fixture
def two(tmp_path: Path, address: str) -> Iterator[tuple[Running, Running]]:
    kitchen = start(tmp_path / "k", name="kitchen", listen=address)
    workshop = start(tmp_path / "w", name="workshop", connect=address)
    yield kitchen, workshop
    for running in (kitchen, workshop):
        running.app.shut_down("the test is over")
        running.end()


def fleet(running: Running, what: str, **fields: str) -> dict[str, Any]:
    return request(running.app.config.runtime_directory, "fleet", what=what, **fields)


def asked(running: Running) -> bool:
    return running.app.conversation.asking and running.app.conversation.waiting


@pytest.mark.whole
def test_two_heeds_see_each_other_stop_together_and_learn_after_a_yes(
    two: tuple[Running, Running],
) -> None:
    kitchen, workshop = two
    until(lambda: set(fleet(kitchen, "status")["robots"]) == {"kitchen", "workshop"})
    until(lambda: set(fleet(workshop, "status")["robots"]) == {"kitchen", "workshop"})

    assert fleet(kitchen, "say", robot="workshop", text="go to the person")["told"] == {"workshop": {"heard": True}}
    until(drives(workshop))
    stopped = fleet(kitchen, "stop")["stopped"]
    assert set(stopped) == {"kitchen", "workshop"}
    until(lambda: rests(workshop))
    assert workshop.app.body.state().stopped
    assert kitchen.app.body.state().stopped
    workshop.wait()

    rule = rule_in("When you ask for tea, I bring it to the table.", Rule(""))
    kitchen.app.memory.keep_lesson(transcript("I want some tea"), rule, "Anna")
    until(lambda: asked(workshop))
    question = workshop.terminal.speech[-1]
    assert question.startswith("The robot kitchen was taught by Anna: When you ask for tea, I bring it to the table.")
    workshop.say("yes")
    until(lambda: [lesson.rule for lesson in workshop.app.memory.lessons()] == [rule])
    kitchen.app.memory.forget(1)
    until(lambda: workshop.app.memory.lessons() == [])


def test_without_a_section_there_is_no_fleet_and_the_command_says_so(heed: Running) -> None:
    with pytest.raises(CommandError, match="this robot is in no fleet"):
        fleet(heed, "status")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [({"name": "kitchen", "adopt": "always"}, "use one of ask, never"), ({"name": "a/b"}, "use letters, digits")],
)
def test_settings_that_cannot_be_meant_are_refused(settings: dict[str, str], complaint: str, tmp_path: Path) -> None:
    robot = Robot(tmp_path, "kitchen")
    with pytest.raises(ConfigError, match=complaint):
        Fleet(FleetConfig(**settings), tmp_path, tmp_path, Body((), frozenset()), robot.book, None, dict)  # type: ignore[arg-type]
    robot.close()


def test_without_the_extra_a_name_in_the_settings_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "zenoh", None)
    with pytest.raises(ConfigError, match="pip install eclipse-zenoh"):
        start(tmp_path / "alone", name="alone")
