"""Ear and voice are set up on the page of a running heed, through a real sound server, by somebody who speaks.

Run it with `make test-audio`; it wants Debian's pulseaudio, pulseaudio-utils and libasound2-plugins, and in part
chromium and chromium-driver.
"""

import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.voice.sound_files import read_sound
from bench.voice.sound_server import SoundServer
from daemon.config import load_config
from daemon.service.control import CommandError, request
from daemon.speech.audio import RATE, Samples, resample
from daemon.speech.voices.flite import FliteSynthesizer
from tests.page.browser import Browser, is_installed
from tests.page.running_heed import ROOT, Heed
from tests.speech.conftest import require_sound_server
from tests.support.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PERSON = read_sound(Path("tests/data/audio/turn_on_standing_light.flac"))
SPEECH = '[speech]\nrecognizer = "moonshine"\nvoice = "flite" # mine\n'


class Room:
    """A running heed with a page, a microphone and a loudspeaker, and a person at it."""

    def __init__(self, folder: Path, server: SoundServer) -> None:
        self._server = server
        self.heed = Heed(folder, f'physics = "kinematic"\n{SPEECH}')
        self.settings = folder / "config.toml"
        self.before = self.settings.read_bytes()
        until(self.hears)

    # --- the page, by requests ---

    def do(self, what: str = "", text: str = "", sets_up: str = "voice") -> dict[str, Any]:
        return self.ask("setup", {"do": what, "text": text, "what": sets_up})

    def ask(self, command: str, fields: dict[str, str]) -> dict[str, Any]:
        """Raises CommandError with what the page is told."""
        try:
            with self.opened(command, json.dumps(fields).encode()) as answer:
                return dict(json.loads(answer.read()))
        except urllib.error.HTTPError as error:
            raise CommandError(json.loads(error.read())["error"]) from error

    def opened(self, path: str, body: bytes | None = None) -> Any:
        """The answer, as it comes."""
        page, _, token = self.heed.link.partition("#token=")
        asked = urllib.request.Request(f"{page}api/{path}", body, {"Authorization": f"Bearer {token}"})
        return urllib.request.urlopen(asked, timeout=60)

    def told(self) -> str:
        return str(self.do()["text"])

    def reads(self, what: str, times: int = 1) -> None:
        """Look until this stands there so often."""
        until(lambda: self.told().count(what) >= times)

    def is_asked(self, question: str) -> None:
        """Look until this is asked."""
        until(lambda: self.do()["asks"] and question in self.told().splitlines()[-1])

    def answers(self, question: str, answer: str = "") -> None:
        self.is_asked(question)
        self.do("answer", answer)

    def says(self, samples: Samples = PERSON) -> None:
        """Once the set-up records."""
        until(lambda: self._server.records_from("microphone"))
        room = np.zeros(RATE, np.int16)
        self._server.play(np.concatenate([room, samples, room, room]), "person")

    def gets_to_the_loudspeaker(self, language: str = "") -> None:
        self.do("begin")
        self.answers("Which language", language)
        self.reads("Please say a sentence to the system's default microphone")
        self.says()
        self.answers("Shall it be this one")
        self.is_asked("Did you hear me")

    def ended(self) -> str:
        until(lambda: not self.do()["runs"])
        return self.told()

    # --- the daemon ---

    @property
    def ear(self) -> str:
        return str(request(self.heed.folder / "run", "status")["ear"])

    def hears(self) -> bool:
        """The daemon has the microphone again, and records from it."""
        return self.ear == "listening" and self._server.records_from("microphone")

    def is_as_before(self) -> None:
        until(self.hears)
        assert self.settings.read_bytes() == self.before
        assert [file.name for file in self.settings.parent.glob(".config*")] == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    require_sound_server()
    running = SoundServer(tmp_path_factory.mktemp("sound"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def lasting(server: SoundServer) -> Iterator[Room]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, pytest.MonkeyPatch.context() as environment:
        for name, value in server.environment.items():
            environment.setenv(name, value)
        room = Room(Path(folder), server)
        yield room
        room.heed.close()


@pytest.fixture
def room(lasting: Room) -> Iterator[Room]:
    """One in which heed is not stopped, and nothing is chosen yet."""
    lasting.settings.write_bytes(lasting.before)  # newer than what was chosen and not written
    yield lasting
    lasting.do("end")
    lasting.ended()
    lasting.ask("resume", {})
    until(lambda: lasting.hears() and request(lasting.heed.folder / "run", "status")["mouth"] == "silent")


def called(name: str) -> Samples:
    samples, rate = FliteSynthesizer("rms").synthesize(name)
    return resample(samples, rate, RATE)


def test_who_presses_enter_gets_to_ready_and_heed_has_its_microphone_again(room: Room, server: SoundServer) -> None:
    room.gets_to_the_loudspeaker()
    assert room.ear == "lent"
    room.answers("Did you hear me")
    room.answers("Shall I speak so")
    room.answers("Which number")
    room.reads("Please call it: okay nabu")
    assert room.settings.read_bytes() == room.before
    room.says(called("okay nabu"))
    room.reads("I heard it.")
    room.reads("Please say a sentence to it")
    room.says()
    room.answers("Is that what you said")
    told = room.ended()
    assert "I heard: turn on" in told
    assert told.endswith("Ready: start heed anew, and it hears and speaks so\n")
    until(room.hears)
    assert load_config(room.settings).speech.wake == "microwakeword:okay_nabu"
    assert room.settings.read_text().replace('wake = "microwakeword:okay_nabu"\n', "") == room.before.decode()


@pytest.mark.parametrize("moment", ["asked", "listening", "speaking"])
@pytest.mark.parametrize("way", ["button", "said", "end"])
def test_a_stop_ends_it_at_every_moment(moment: str, way: str, room: Room) -> None:
    room.do("begin")
    room.is_asked("Which language")
    if moment != "asked":
        room.do("answer", "")
        room.reads("Please say a sentence")
        until(lambda: room.ear == "lent")
    if moment == "speaking":
        room.says()
        room.answers("Shall it be this one")
    if way == "button":
        room.ask("stop", {"reason": "the button on the page"})
    elif way == "said":
        room.ask("say", {"text": "stop"})
    else:
        room.do("end")
    assert "begin again whenever you like" in room.ended()
    room.is_as_before()


def test_while_the_microphone_is_lent_nothing_begins_to_move(room: Room) -> None:
    room.do("begin")
    room.is_asked("Which language")
    room.ask("say", {"text": "go to the sink"})
    with room.opened("events") as events:
        assert any("lent and nobody could call a stop, nothing was done" in line.decode() for line in events)
    room.is_asked("Which language")


def test_whoever_was_interrupted_keeps_by_enter_what_was_chosen(room: Room) -> None:
    room.gets_to_the_loudspeaker("de")
    room.do("end")
    room.ended()
    room.is_as_before()
    room.do("begin")
    room.is_asked("[de]")


def test_one_that_nobody_looks_at_any_more_gives_the_microphone_back(room: Room) -> None:
    room.gets_to_the_loudspeaker()
    assert room.ear == "lent"
    until(lambda: room.ear == "listening")
    room.is_as_before()
    assert "Nobody follows this any more." in room.ended()


def test_there_is_one_set_up_at_a_time(room: Room) -> None:
    room.do("begin")
    room.is_asked("Which language")
    with pytest.raises(CommandError, match="a set-up is under way already"):
        room.do("begin", sets_up="robot")
    terminal = subprocess.run(
        [sys.executable, "-m", "daemon", "--config", str(room.settings), "setup", "voice"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert terminal.stderr == "heed: another set-up is under way, on the page or in a terminal: end that first\n"
    room.is_asked("Which language")


def test_in_a_terminal_it_is_told_of_the_page_while_heed_listens(room: Room) -> None:
    terminal = subprocess.run(
        [sys.executable, "-m", "daemon", "--config", str(room.settings), "setup", "voice"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "set it up on the page" in terminal.stderr
    assert room.hears()


def test_a_heed_that_is_killed_leaves_no_set_up_behind(room: Room, server: SoundServer) -> None:
    room.gets_to_the_loudspeaker()
    room.heed.kill()
    until(lambda: not server.records_from("microphone"))
    room.heed.start()
    room.is_as_before()
    room.do("begin")
    room.is_asked("Which language")  # nobody else is at it


def begin_in(browser: Browser, room: Room) -> None:
    browser.open(room.heed.link)
    until(lambda: browser.text("#link") == "live")
    browser.click("#setup summary")
    until(lambda: browser.texts("#told") == [room.told()])
    browser.click("#begin-voice")


@pytest.mark.skipif(not is_installed(), reason="apt-get install chromium chromium-driver")
def test_a_browser_that_is_killed_in_the_middle_leaves_all_as_it_was_and_another_takes_it_up(room: Room) -> None:
    for answer in ("de", ""):
        browser = Browser()
        try:
            begin_in(browser, room)
            room.is_asked("Which language")
            until(lambda page=browser: "Which language" in page.text("#told").rpartition("\n")[2])
            assert ("[de]" in browser.text("#told")) is (answer == "")
            browser.type("#word", answer)
            until(lambda page=browser: "Please say a sentence" in page.text("#told"))
            assert room.ear == "lent"
        finally:
            browser.kill()
        until(room.hears)
        assert room.settings.read_bytes() == room.before


@pytest.mark.skipif(not is_installed(), reason="apt-get install chromium chromium-driver")
def test_a_person_at_a_browser_reads_answers_speaks_and_stops(room: Room) -> None:
    browser = Browser()
    try:
        begin_in(browser, room)
        until(lambda: browser.run("return !document.getElementById('word').disabled"))
        browser.type("#word", "")
        until(lambda: "Please say a sentence" in browser.text("#told"))
        assert browser.run("return document.getElementById('begin-robot').disabled")
        room.says()
        until(lambda: "Shall it be this one" in browser.text("#told"))
        browser.click("#stop")
        until(lambda: "begin again whenever you like" in browser.text("#told"))
        until(lambda: not browser.run("return document.getElementById('begin-voice').disabled"))
        assert browser.complaints() == []
    finally:
        browser.close()
    room.is_as_before()
