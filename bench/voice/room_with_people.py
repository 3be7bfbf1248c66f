"""A room in a sound server of its own: two people who speak, heed that hears and answers, music at times."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from bench.voice.household_talk import ANNA, Line
from bench.voice.listening_heed import SETTLED, ListeningHeed
from bench.voice.sound_server import SoundServer
from bench.voice.talk_transcript import Entry, Heard, Spoken, words
from daemon.config import Config
from daemon.speech.audio import Samples
from daemon.speech.voices.espeak import EspeakSynthesizer
from daemon.speech.voices.voice_process import hibari_voice

LOWER = 0.93
"""Anna has heed's own voice, played so much slower and lower, so that two women speak."""
INTO_ROOM = {"person": (20, 65536), "speaker": (90, 24000), "music": (20, 12000)}
"""Sink -> milliseconds until it sounds in the room, and its volume there; PulseAudio's 65536 is as it is (0 dB), and
24000 about -26 dB, as far as a loudspeaker at the robot's back."""
MUSIC = ((0.2, 0.4), (0.6, 0.75))
"""When music plays, as parts of the whole."""
NOTICED = 5.0
"""Seconds after which a person thinks that heed has not heard anything."""
RATE = 16000
Voice = Callable[[str], tuple[Samples, int]]
"""Says a sentence: its samples, and how many there are in a second."""


class Household:
    """Anna, Ben and heed in one room."""

    def __init__(self, folder: Path, config: Config, brain: str, opened: ExitStack) -> None:
        """Start all of it; what has to be ended goes onto `opened`."""
        self._server = Room(folder)
        self._server.start()
        opened.callback(self._server.kill)
        self._voices = two_voices()
        self._heed = ListeningHeed(folder, self._server, config, brain)
        opened.callback(self._heed.close)
        self._ears = {name: _Monitor(self._server, name) for name in ("person", "speaker", "room")}
        for ear in self._ears.values():
            opened.callback(ear.end)
        self._heed.wait(self._heed.has_settled, SETTLED)
        self._began = time.monotonic()
        self._spoken: list[Spoken] = []

    def talk(self, lines: Iterable[Line], seconds: float, progress: Callable[[list[Line]], Iterator[Line]]) -> None:
        """Say the lines one after the other, again from the beginning if there is time left."""
        whole, until = list(lines), self._began + seconds
        music = threading.Thread(target=self._play_music, args=(seconds,), daemon=True)
        music.start()
        while time.monotonic() < until:
            for line in progress(whole):
                if time.monotonic() < until:
                    self._say(line)

    def end(self) -> Heard:
        """Return what was said and heard, in seconds since they began."""
        tracks = {name: ear.track(self._began) for name, ear in self._ears.items()}
        entries = [Entry(at - self._began, kind, text) for at, kind, text in self._heed.lines]
        return Heard(self._spoken, entries, tracks)

    # --- how people talk ---

    def _say(self, line: Line) -> None:
        if line.over:
            self._heed.wait(lambda: not self._heed.listens(), NOTICED)
            time.sleep(0.7)
        else:
            self._heed.wait(self._heed.listens)
            time.sleep(0.8)
        self._speak(line.who, line.text, line.over)
        for _ in range(3):
            question = self._question()
            if not question:
                return
            self._answer(line, question)

    def _question(self) -> str:
        """Wait until heed has answered, as long as a person would; returns what it asks, "" for nothing."""
        asked_at = time.monotonic()
        self._heed.wait(lambda: self._heed.last_at > asked_at or not self._heed.listens(), NOTICED)
        self._heed.wait(self._heed.listens)
        said = self._heed.last_said
        return said if said.endswith("?") and self._heed.asks() else ""

    def _answer(self, line: Line, question: str) -> None:
        time.sleep(0.6)
        meant = re.match(r"Did you mean: (.*)\?$", question)
        if meant and words(meant[1]) != words(line.text):
            self._speak(line.who, "no", False)
        elif question == "Who is speaking?":
            self._speak(line.who, line.who, False)
        else:
            self._speak(line.who, line.answer, False)

    def _speak(self, who: str, text: str, over: bool) -> None:
        sound, rate = self._voices[who](text)
        began = time.monotonic()
        self._server.play(sound, "person", rate)
        seconds = len(sound) / rate
        self._spoken.append(Spoken(began - self._began, began - self._began + seconds, who, text, over))
        time.sleep(seconds)

    def _play_music(self, seconds: float) -> None:
        for begin, end in MUSIC:
            time.sleep(max(0.0, self._began + begin * seconds - time.monotonic()))
            self._server.play(music((end - begin) * seconds), "music", RATE)


def two_voices() -> dict[str, Voice]:
    """Anna's, heed's own but lower, and Ben's."""
    anna, ben = hibari_voice(), EspeakSynthesizer("en")

    def lower(text: str) -> tuple[Samples, int]:
        sound, rate = anna.synthesize(text)
        return sound, round(rate * LOWER)

    return {ANNA: lower, "Ben": ben.synthesize}


class Room(SoundServer):
    """The sound server, with a microphone that hears people, loudspeaker and music; as a desktop starts it."""

    rate = RATE
    priority = ("--realtime=no", "--high-priority=yes", "--resample-method=speex-float-1")

    def plug_in(self) -> None:
        for sink in ("music", "room"):
            self.control("load-module", "module-null-sink", f"sink_name={sink}", f"rate={self.rate}", "channels=1")
        for sink, (late, volume) in INTO_ROOM.items():
            self.control(
                "load-module", "module-loopback", f"source={sink}.monitor", "sink=room", f"latency_msec={late}"
            )
            self._soften_last(volume)
        self.control("load-module", "module-remap-source", "source_name=microphone", "master=room.monitor")
        self.control("set-default-source", "microphone")

    def _soften_last(self, volume: int) -> None:
        last = self.control("list", "short", "sink-inputs").splitlines()[-1].split("\t")[0]
        self.control("set-sink-input-volume", last, str(volume))


class _Monitor:
    """Records what sounds in a sink, and knows how loud it was when."""

    def __init__(self, server: SoundServer, sink: str) -> None:
        command = ["parec", "--raw", f"--device={sink}.monitor", f"--rate={RATE}", "--channels=1", "--latency-msec=20"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | server.environment
        )
        self._blocks: list[bytes] = []
        self._first_at = 0.0
        threading.Thread(target=self._read, daemon=True).start()

    def track(self, since: float) -> Samples:
        """Return the sound since a monotonic second."""
        sound = np.frombuffer(b"".join(self._blocks), "<i2").astype(np.int16)
        return sound[max(0, round((since - self._first_at) * RATE)) :]

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while block := self._process.stdout.read(640):
            self._first_at = self._first_at or time.monotonic()
            self._blocks.append(block)


def music(seconds: float) -> Samples:
    """Return chords that come and go, made of tones: no recording of a band."""
    at = np.arange(round(seconds * RATE)) / RATE
    chord = (at // 2).astype(int) % 4
    roots = np.array([220.0, 174.6, 261.6, 196.0])[chord]
    fading = np.exp(-1.5 * (at % 0.5))
    sound = sum(np.sin(2 * np.pi * roots * part * at) / part for part in (1, 1.25, 1.5, 2, 3))
    return np.asarray(4000 * fading * sound, np.int16)
