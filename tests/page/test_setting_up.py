"""`heed setup robot` on the page: the command itself, against simulated arms, asked and answered by requests."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon.config import Config
from daemon.page.setting_up import SettingUp
from daemon.service.control import CommandError, Message
from tests.cli.test_setup_robot import _servo, config, plugged_in
from tests.support.waiting import until

__all__ = ["config"]


class Page:
    """A person at the page."""

    def __init__(self, folder: Path, robot: Sequence[str] = ("right",), refusal: CommandError | None = None) -> None:
        ports = [argument for name in robot for argument in ("--port", str(folder / "dev" / f"{name}_arm"))]
        self.setting_up = SettingUp(
            [sys.executable, "-m", "daemon", "--config", str(folder / "config.toml"), "setup", "robot", *ports],
            lambda: refusal,
        )

    def do(self, what: str = "", text: str = "") -> Message:
        return self.setting_up.handlers["setup"]({"do": what, "text": text, "source": "page"})

    def reads(self, question: str) -> None:
        """Wait until this is asked."""
        until(lambda: self.do()["asks"] and question in str(self.do()["text"]).splitlines()[-1])

    def ended(self) -> str:
        until(lambda: not self.do()["runs"])
        return str(self.do()["text"])


@contextmanager
def page_in(folder: Path, refusal: CommandError | None = None) -> Iterator[Page]:
    page = Page(folder, refusal=refusal)
    try:
        yield page
    finally:
        page.setting_up.close()


@pytest.fixture(autouse=True)
def settings(config: Config, tmp_path: Path) -> None:
    """A config.toml of a first evening: nothing else is named."""
    (tmp_path / "config.toml").write_text(f'[service]\nruntime_directory = "{tmp_path}/run"\n[body]\n')
    assert "HF_LEROBOT_HOME" in os.environ


def test_an_arm_becomes_a_robot_and_each_step_is_asked_on_the_page(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path) as page:
        page.do("begin")
        for question, answer in (("101/100", "101"), ("Use that", ""), ("use it from now on", ""), ("reach", "y")):
            page.reads(question)
            page.do("answer", answer)
        told = page.ended()
    assert "Ready: heed run" in told
    assert 'robot = "robot.toml"' in (tmp_path / "config.toml").read_text()


def test_whoever_ends_it_begins_again_and_is_not_asked_twice(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path) as page:
        page.do("begin")
        page.reads("101/100")
        with pytest.raises(CommandError, match="already"):
            page.do("begin")
        page.do("answer", "100")
        page.reads("Use that")
        page.do("end")
        page.ended()
        page.do("begin")
        page.reads("Use that")
        assert "describes it already" in str(page.do()["text"])


def test_a_stop_ends_what_is_being_tried_and_the_arm_holds(tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices, page_in(tmp_path) as page:
        page.do("begin")
        for question, answer in (("101/100", "101"), ("Use that", ""), ("use it from now on", "n"), ("reach", "y")):
            page.reads(question)
            page.do("answer", answer)
        joints = devices.arms["right"].joints
        until(lambda: any(servo.velocity for servo in joints))
        page.setting_up.end()
        told = page.ended()
        until(lambda: not any(servo.velocity for servo in joints))
        assert all(servo.powered for servo in joints)
    assert "Ready" not in told


@pytest.mark.whole
def test_a_lekiwi_becomes_a_robot_on_the_page(tmp_path: Path, violations: list[str]) -> None:
    answers = ("lifted", "y"), ("left wheel", ""), ("back wheel", "n"), ("right wheel", "")
    asked = ("Use that", ""), *answers, ("use it from now on", ""), ("reach", "y")
    with plugged_in(tmp_path, "lekiwi"), page_in(tmp_path) as page:
        page.do("begin")
        for question, answer in asked:
            page.reads(question)
            page.do("answer", answer)
        assert "Ready: heed run" in page.ended()
    assert "back = { servo = 8, angle = -90, direction = -1 }" in (tmp_path / "robot.toml").read_text()
    violations.clear()  # the inspector minds the speed of 0 that is tried


def test_what_goes_wrong_is_told_in_the_words_of_the_terminal(tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices, page_in(tmp_path) as page:
        _servo(devices, 4, mute=True)
        page.do("begin")
        assert "servo 4 (wrist_flex) does not answer: look at the cable from servo 3" in page.ended()
        with pytest.raises(CommandError, match="nothing is asked"):
            page.do("answer", "y")


def test_nothing_begins_where_heed_has_the_ports(tmp_path: Path) -> None:
    with page_in(tmp_path, CommandError("heed moves this robot, and has its serial ports", "end it")) as page:
        with pytest.raises(CommandError, match="serial ports"):
            page.do("begin")
        assert page.do() == {"text": "", "asks": False, "runs": False}
