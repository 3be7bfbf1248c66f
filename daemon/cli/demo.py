"""`heed demo`: the story of the juice and the cup, spoken (Baermann et al. 2024, sec. 5.1).

A synthetic person speaks into a virtual microphone; from there on everything is as in earnest: voice activity, speech
recognition, console, skills, buses, motors, and a synthetic voice that answers into a WAV file. The first process is
taught; a second one, started afterwards, must still know.
"""

import argparse
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from daemon.app import App
from daemon.cli.terminal import Terminal
from daemon.config import BodyConfig, Config, LlmConfig, ServiceConfig
from daemon.service.sound import Voice
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.voices.flite import FliteSynthesizer
from daemon.speech.voices.open_voice import open_synthesizer
from skills.scene import Scene

TEACHING = (
    "I want some juice",
    "can you also bring me a cup?",
    "thanks, but next time bring both at once, you have two hands",
    "yes",
)
AUTO = LlmConfig().brain
PATIENCE = 120.0
"""Seconds for one sentence to be carried out; it takes about 20."""


def tell(out: Path, killed: bool, brain: str = AUTO) -> int:
    """Tell the story in two processes; returns 0 when it ended well. `killed` ends the first one with kill -9."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("memory.sqlite*"):
        old.unlink()
    print("--- The first day: heed is taught something ---", flush=True)
    first = _part("teach", out, killed, brain)
    lessons = _lessons(out)
    print(f"--- A restart{' after kill -9' if killed else ''}: {len(lessons)} lesson in memory.sqlite ---", flush=True)
    second = _part("ask", out, False, brain) if lessons else 1
    spoken = all(has_sound(out / f"{name}.wav") for name in ("teach", "ask"))
    well = (first == (-signal.SIGKILL if killed else 0), len(lessons) == 1, second == 0, spoken)
    names = ("taught", "kept after a yes", "done unasked after a restart, both hands, one trip", "spoken to WAV files")
    for name, is_well in zip(names, well, strict=True):
        print(f"{'ok' if is_well else 'FAILED':8}{name}")
    print(f"demo: {'all is well' if all(well) else 'something went wrong'}; the sound lies in {out}/")
    return 0 if all(well) else 1


def _part(name: str, out: Path, killed: bool, brain: str) -> int:
    command = [sys.executable, "-m", "daemon.cli.demo", name, "--out", str(out.resolve()), "--brain", brain]
    return subprocess.run([*command, "--kill"] if killed else command, check=False).returncode


def _lessons(out: Path) -> list[str]:
    with sqlite3.connect(out / "memory.sqlite") as database:
        return [str(rule) for (rule,) in database.execute("SELECT rule FROM lessons WHERE status = 'active'")]


def has_sound(file: Path) -> bool:
    """Return whether somebody speaks in a WAV file."""
    if not file.exists():
        return False
    with wave.open(str(file)) as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
    return bool(samples.size and np.abs(samples).max() > 1000)


class Person:
    """A person who speaks into the virtual microphone, each sentence once heed is ready for it."""

    def __init__(self, app: App, microphone: VirtualMicrophone) -> None:
        self._app = app
        self._microphone = microphone
        self._voice = FliteSynthesizer("slt")

    def say(self, sentence: str) -> None:
        """Wait until heed listens, then say this, and wait until it was taken up; asked back, say yes."""
        conversation = self._app.conversation
        before = conversation.heard_count
        for spoken in (sentence, "yes"):
            self._wait_for(lambda: conversation.waiting and not self._app.heed.speaking)
            self._microphone.speak(*self._voice.synthesize(spoken))
            self._wait_for(lambda: conversation.heard_count > before or self._app.heed.doubting)
            if conversation.heard_count > before:
                return
        self._wait_for(lambda: conversation.heard_count > before)

    def wait_until_done(self) -> None:
        """Wait until heed has nothing left to do or to say."""
        self._wait_for(lambda: self._app.conversation.waiting and not self._app.heed.speaking)

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(
                    f"heed did not react; what was heard stands above; it says: {self._app.status.now()}"
                )
            time.sleep(0.05)


def teach(app: App, person: Person, killed: bool) -> bool:
    """The papers' dialogue; with `killed` the process ends at once when the lesson is kept."""
    for sentence in TEACHING:
        person.say(sentence)
    if killed:
        _wait_for_lesson(app)
        os.kill(os.getpid(), signal.SIGKILL)
    person.wait_until_done()
    return len(app.memory.lessons()) == 1


def ask(app: App, person: Person, killed: bool) -> bool:
    """The first sentence again: now both come in one trip."""
    person.say(TEACHING[0])
    person.wait_until_done()
    scene = Scene.from_observation(app.body.observe())
    turn = app.conversation.history.turns[0]
    trips = sum(step.statement == "move_to('person')" for step in turn.steps)
    return scene.object("juice").location == scene.object("cup").location == "person" and trips == 1


def _wait_for_lesson(app: App) -> None:
    deadline = time.monotonic() + PATIENCE
    while not app.memory.lessons() and time.monotonic() < deadline:
        time.sleep(0.005)


def perform(
    name: str,
    script: Callable[[App, Person], bool],
    out: Path,
    body: BodyConfig | None = None,
    terminal: Terminal | None = None,
    brain: str = AUTO,
) -> int:
    """Start heed with a synthetic person who follows the script; returns 0 when that ended well.

    Memory and the sound NAME.wav lie in `out`. Where a model file is guarded, who wrote how much is told.
    """
    microphone = VirtualMicrophone()
    with tempfile.TemporaryDirectory(prefix="heed-demo-") as runtime, closing(WavSink(out / f"{name}.wav")) as sink:
        service = ServiceConfig(runtime_directory=runtime, state_directory=str(out))
        config = replace(Config(), service=service, body=body or BodyConfig(), llm=LlmConfig(brain=brain))
        recognizer = open_recognizer(config.speech, config.models_directory)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        app = App(config, Voice(microphone, recognizer, sink, synthesizer), terminal or Terminal())
        results: list[bool] = []

        def follow() -> None:
            try:
                results.append(script(app, Person(app, microphone)))
            except Exception:
                logging.exception("the story broke off")
            finally:
                app.triggers.close()

        threading.Thread(target=follow, name="person", daemon=True).start()
        status = app.run()
    return status or (0 if results == [True] else 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one part of the story as a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m daemon.cli.demo", description=main.__doc__)
    parser.add_argument("part", choices=("teach", "ask"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--brain", default=AUTO)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=os.environ.get("HEED_LOG", "WARNING").upper(), format="%(name)s: %(message)s")
    script = {"teach": teach, "ask": ask}[options.part]
    return perform(
        options.part, lambda app, person: script(app, person, options.kill), options.out, brain=options.brain
    )


if __name__ == "__main__":
    sys.exit(main())
