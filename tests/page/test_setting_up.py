"""`heed setup robot` and `heed setup voice` on the page: the commands themselves, asked and answered by requests.

The robot's against simulated arms, the voice's on a machine without sound; with sound: test_voice_set_up.py.
"""

import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from daemon.config import Config
from daemon.page.setting_up import Conversation, SettingUp
from daemon.reflex import Reflex, reflex_in
from daemon.service.control import CommandError, Message
from daemon.speech.audio import AudioUnavailable
from daemon.speech.sound_devices import audio_devices
from tests.cli.test_setup_robot import _servo, config, plugged_in
from tests.support.waiting import until

__all__ = ["config"]


class Page:
    """A person at the page of a robot with these arms."""

    def __init__(
        self,
        folder: Path,
        robot: Sequence[str] = ("right",),
        refusal: CommandError | None = None,
        unwatched: float = math.inf,
    ) -> None:
        ports = [argument for name in robot for argument in ("--port", str(folder / "dev" / f"{name}_arm"))]
        command = [sys.executable, "-u", "-m", "daemon", "--config", str(folder / "config.toml"), "setup"]
        self.stopped: list[str] = []
        self.handed: list[str] = []
        """What became of that which is lent."""
        self.meanwhile: Callable[[], None] = lambda: None
        """Happens while it is handed over."""
        conversations = {
            "robot": Conversation([*command, "robot", *ports], lambda: refusal, self._lent, unwatched),
            "voice": Conversation([*command, "voice"], lambda: refusal, self._lent, unwatched),
        }
        self.setting_up = SettingUp(conversations, self._stops)

    def _stops(self, answer: str) -> bool:
        if reflex_in(answer) is not Reflex.STOP:
            return False
        self.stopped.append(answer)
        self.setting_up.end()
        return True

    @contextmanager
    def _lent(self) -> Iterator[None]:
        self.handed.append("over")
        self.meanwhile()
        yield
        self.handed.append("back")

    def do(self, what: str = "", text: str = "", sets_up: str = "robot") -> Message:
        return self.setting_up.handlers["setup"]({"do": what, "text": text, "what": sets_up, "source": "page"})

    def reads(self, question: str) -> None:
        """Wait until this is asked."""
        until(lambda: self.do()["asks"] and question in str(self.do()["text"]).splitlines()[-1])

    def ended(self) -> str:
        until(lambda: not self.do()["runs"])
        return str(self.do()["text"])


@contextmanager
def page_in(folder: Path, refusal: CommandError | None = None, unwatched: float = math.inf) -> Iterator[Page]:
    page = Page(folder, refusal=refusal, unwatched=unwatched)
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
        assert "begin again whenever you like" in page.ended()
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


def test_an_answer_that_is_a_stop_is_one(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path) as page:
        page.do("begin")
        page.reads("101/100")
        page.do("answer", "Stop!")
        assert "begin again whenever you like" in page.ended()
        assert page.stopped == ["Stop!"]


def test_a_stop_while_it_begins_ends_it_too(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path) as page:
        page.meanwhile = page.setting_up.end
        page.do("begin")
        assert "101/100" not in page.ended()


@pytest.mark.whole
def test_what_was_lent_comes_back_however_it_ends(tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices, page_in(tmp_path) as page:
        page.do("begin")
        page.reads("101/100")
        assert page.handed == ["over"]
        page.do("end")
        page.ended()
        assert page.handed == ["over", "back"]
        _servo(devices, 4, mute=True)
        page.do("begin")
        page.ended()
        assert page.handed == ["over", "back"] * 2
        _servo(devices, 4, mute=False)
        page.do("begin")
        page.reads("101/100")
        page.setting_up.close()
    assert page.handed == ["over", "back"] * 3


@pytest.mark.whole
def test_one_that_no_page_looks_at_any_more_ends_by_itself(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path, unwatched=2.0) as page:
        page.do("begin")
        page.reads("101/100")
        until(lambda: page.handed == ["over", "back"])
        assert "Nobody follows this any more." in page.ended()
        page.do("begin")
        page.reads("101/100")


def test_there_is_one_set_up_at_a_time_and_the_second_is_told_so(tmp_path: Path) -> None:
    with plugged_in(tmp_path), page_in(tmp_path) as page, page_in(tmp_path) as other:
        page.do("begin")
        page.reads("101/100")
        with pytest.raises(CommandError, match="a set-up is under way already"):
            page.do("begin", sets_up="voice")
        other.do("begin", sets_up="voice")  # as in a terminal
        assert other.ended() == "heed: another set-up is under way, on the page or in a terminal: end that first\n"
        page.do("answer", "101")
        page.reads("Use that")


def test_what_cannot_be_set_up_is_told(tmp_path: Path) -> None:
    with page_in(tmp_path) as page, pytest.raises(CommandError, match="'wheels' cannot be set up"):
        page.do("begin", sets_up="wheels")


def test_a_machine_without_sound_says_so_in_one_sentence(tmp_path: Path) -> None:
    with suppress(AudioUnavailable):
        if audio_devices():
            pytest.skip("this machine has sound")
    before = (tmp_path / "config.toml").read_bytes()
    with page_in(tmp_path) as page:
        page.do("begin", sets_up="voice")
        assert page.ended().startswith("heed: there is no sound on this machine: ")
        assert page.ended().count("\n") == 1
    assert page.handed == ["over", "back"]
    assert (tmp_path / "config.toml").read_bytes() == before
