"""The demo's story through a real sound server: a whole heed, as under systemd, that is spoken to and answers aloud.

Run it with `make test-audio`; it wants Debian's pulseaudio, pulseaudio-utils and libasound2-plugins.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.voice.sound_server import SoundServer
from daemon.cli.demo import TEACHING
from daemon.service.control import CommandError, request
from daemon.speech.voices.flite import FliteSynthesizer
from tests.speech.conftest import require_sound_server
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Heed:
    """A daemon that speaks and hears through the server, and writes down what it does."""

    def __init__(self, folder: Path, server: SoundServer) -> None:
        self._folder, self._server = folder, server
        self._voice = FliteSynthesizer("slt")
        (folder / "config.toml").write_text(
            f'[service]\nruntime_directory = "{folder}/run"\nmodels_directory = "{ROOT / "models"}"\n'
            '[llm]\nbrain = "imitation"\n[speech]\nrecognizer = "moonshine"\nvoice = "espeak-ng"\n'
        )
        self.start()

    def start(self) -> None:
        with (self._folder / "out.txt").open("a") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "daemon", "--config", str(self._folder / "config.toml"), "run", "--service"],
                cwd=ROOT, env=os.environ | self._server.environment, stdin=subprocess.DEVNULL, stdout=out,
                start_new_session=True,
            )  # fmt: skip
        until(lambda: self.status)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(60)

    @property
    def status(self) -> dict[str, Any]:
        try:
            return request(self._folder / "run", "status")
        except CommandError:
            return {}

    @property
    def shown(self) -> str:
        """What it heard, did and said, as on a terminal."""
        return (self._folder / "out.txt").read_text()

    def listen(self) -> bool:
        status = self.status
        return (status["doing"], status["mouth"], status["ear"]) == ("waiting", "silent", "listening")

    def is_told(self, sentence: str) -> None:
        """A person says this once heed listens, waits until it was heard, and says yes when it is asked back."""
        until(self.listen)
        heard, asked = self.shown.count("heard: "), self.shown.count("Did you mean: ")
        samples, rate = self._voice.synthesize(sentence)
        room = np.zeros(rate // 2, np.int16)
        self._server.play(np.concatenate([room, samples, room, room]), "person", rate)
        until(lambda: self.shown.count("heard: ") > heard or self.shown.count("Did you mean: ") > asked)
        if self.shown.count("heard: ") == heard:
            self.is_told("yes")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SoundServer]:
    require_sound_server()
    server = SoundServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def heed(server: SoundServer) -> Iterator[Heed]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        running = Heed(Path(folder), server)
        yield running
        running.close()
        print(running.shown)  # seen where it fails


def test_the_story_is_heard_and_told_through_a_server_that_came_late_was_unplugged_and_killed(
    server: SoundServer, heed: Heed
) -> None:
    server.start()
    heed.is_told(TEACHING[0])
    until(heed.listen)
    server.unplug()
    until(lambda: heed.status["ear"] == "microphone lost")
    server.plug_in()
    heed.is_told(TEACHING[1])
    until(heed.listen)
    server.kill()
    until(lambda: heed.status["ear"] == "microphone lost")
    server.start()
    for sentence in TEACHING[2:]:
        heed.is_told(sentence)
    until(lambda: heed.status["lessons"] == 1)
    until(heed.listen)
    heed.close()
    told_before = len(heed.shown)
    heed.start()
    heed.is_told(TEACHING[0])
    until(heed.listen)
    second_day = heed.shown[told_before:]
    assert second_day.count(">>> move_to('person')") == 1
    assert "juice" in second_day
    assert "cup" in second_day
