"""`heed bench spoken`: sentences said aloud to a whole heed, beside the same sentences typed.

Each sentence is said by one of two synthetic voices, in turn, into a room of a sound server, to a heed that has just
been started in its kitchen, and judged by what has moved and what was said, as in `heed bench talk`; nobody answers
its questions. *Typed* are the same sentences in the same order, to the same mind, in this process.
`spoken.of_typed` is the share of what typed words achieve; `asked_by_ear` that of sentences about which heed asked
only when they were spoken; `done_wrong_by_ear` counts wrong deeds of which typed words are innocent. A person is
silent before and after. All that is computed competes for this machine: the load stands beside the figures.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path
from typing import Any

from bench.mind.brain import open_brain
from bench.mind.embedding_cache import EmbeddingCache
from bench.report import BenchError, Options, Report, share
from bench.suites.talk import ACTING, Came, Tally, said_to_a_fresh_robot, world_of
from bench.support.whereabouts import doors_of, moved, places
from bench.voice.listening_heed import SETTLED, ListeningHeed
from bench.voice.room_with_people import Room, Voice, two_voices
from bench.voice.sound_server import lacking_sound_server
from bench.voice.talk_transcript import words
from daemon.llm.embedder import MiniLmEmbedder
from daemon.trigger import Utterance
from hw.client import Robot
from sim.perception import SimCamera
from sim.scene import Scene
from skills.scene import Scene as SeenScene

NOTICED = 12.0
"""Seconds after which heed has not heard a sentence."""
CALM = 2.0
"""Seconds for which it has listened again when it has done with a sentence."""
LONGEST = 120.0
"""Seconds that one sentence may take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--show", action="store_true", help="show what was heard and answered, and what was wrong")


def run(options: Options) -> Report:
    """Type every sentence, then say it. Raises BenchError without PulseAudio, or for another world than its own."""
    if lacking := lacking_sound_server():
        raise BenchError(lacking)
    data = options.read()
    if any("world" in case or "scene" in case for case in data["cases"]):
        raise BenchError('a robot lives in one room here: give the file a "scene", and its cases none')
    typed = _typed(data, options)
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, ExitStack() as opened:
        kitchen = SpokenTo(Path(folder), options, data.get("scene", "kitchen"), opened)
        turns = zip(data["cases"], cycle(two_voices().values()))
        spoken = [kitchen.hears(case["say"][0], voice) for case, voice in options.progress(list(turns))]
    if options.own.show:
        for case, one, (other, heard) in zip(data["cases"], typed, spoken, strict=True):
            wrong = ", ".join(other.against(case)) or "right"
            print(f"{case['id']} {case['say'][0]}\n    heard {heard!r} -> {other.speech} [{wrong}]")
            print(f"    typed -> {one.speech} [{', '.join(one.against(case)) or 'right'}]")
    return Report("spoken", len(typed), figures(data["cases"], typed, spoken), options.brain, data=_name(options))


class SpokenTo:
    """A room with a microphone, and one fresh heed after another that listens there."""

    def __init__(self, folder: Path, options: Options, scene: str, opened: ExitStack) -> None:
        """Start the room, and let a first heed settle; what has to be ended goes onto `opened`."""
        self._server = Room(folder)
        self._server.start()
        opened.callback(self._server.kill)
        self._folder, self._options, self._scene = folder, options, scene
        self._first = folder / "first"
        with closing(self._heed(self._first)) as heed:
            heed.wait(heed.has_settled, SETTLED)

    def hears(self, sentence: str, voice: Voice) -> tuple[Came, str]:
        """Say the sentence to a heed that knows nothing yet. Returns what came of it, and what heed heard."""
        home = self._folder / "home"
        shutil.copytree(self._first, home, ignore=shutil.ignore_patterns("run"))
        try:
            with closing(self._heed(home)) as heed, closing(SimCamera(heed.runtime)) as camera:
                heed.wait(heed.has_settled, SETTLED)
                before = places(camera.observe())
                begun = len(heed.lines)
                sound, rate = voice(sentence)
                self._server.play(sound, "person", rate)
                time.sleep(len(sound) / rate)
                self._wait_until_done(heed, begun)
                return self._came(heed, before, camera.observe(), begun)
        finally:
            shutil.rmtree(home)

    def _heed(self, home: Path) -> ListeningHeed:
        home.mkdir(exist_ok=True)
        body = f'[body]\nscene = "{self._scene}"\n'
        return ListeningHeed(home, self._server, self._options.config, self._options.brain, body)

    def _wait_until_done(self, heed: ListeningHeed, begun: int) -> None:
        heed.wait(lambda: len(heed.lines) > begun, NOTICED)
        until = time.monotonic() + LONGEST
        calm_since = time.monotonic()
        while time.monotonic() < min(until, calm_since + CALM):
            if not heed.listens():
                calm_since = time.monotonic()
            time.sleep(0.1)

    def _came(
        self, heed: ListeningHeed, before: Mapping[str, str | None], seen: dict[str, Any], begun: int
    ) -> tuple[Came, str]:
        lines = heed.lines[begun:]
        with Robot(heed.runtime) as robot:
            base = robot.state().base
        here = SeenScene.from_observation(seen).location_at(base.x, base.y)
        came = Came(
            moved(before, places(seen)),
            any(kind == "does" and text.startswith(ACTING) for _, kind, text in lines),
            " ".join(text for _, kind, text in lines if kind == "heed"),
            (),
            0,
            doors_of(seen),
            here.name if here else None,
        )
        return came, " ".join(text for _, kind, text in lines if kind == "heard")


def _typed(data: Mapping[str, Any], options: Options) -> list[Came]:
    embedder = EmbeddingCache(MiniLmEmbedder())
    with closing(open_brain(options, embedder)) as model:
        return [
            said_to_a_fresh_robot(
                [Utterance(case["say"][0])], Scene.from_description(world_of(case, data)), model, embedder
            )
            for case in options.progress(data["cases"])
        ]


def figures(
    cases: Sequence[Mapping[str, Any]], typed: Sequence[Came], spoken: Sequence[tuple[Came, str]]
) -> dict[str, float | int | None]:
    """Return what came of the cases typed, and spoken with what heed heard of each."""
    tallies = {"typed": Tally(), "spoken": Tally()}
    asked, wronged, heard_right = [], 0, []
    for case, one, (other, heard) in zip(cases, typed, spoken, strict=True):
        for name, came in (("typed", one), ("spoken", other)):
            tallies[name].note(case, came, came.against(case))
        asked.append(_only_asks(other, case) and not _only_asks(one, case))
        wronged += other.did_wrong(case) and not one.did_wrong(case)
        heard_right.append(words(heard) == words(case["say"][0]))
    found = {
        f"{name}.{figure}": tally.figures[figure]
        for name, tally in tallies.items()
        for figure in ("right", "right_or_asked", "wrong_deeds")
    }
    right = found["typed.right"]
    return found | {
        "spoken.of_typed": (found["spoken.right"] or 0) / right if right else None,
        "asked_by_ear": share(asked),
        "done_wrong_by_ear": wronged,
        "heard_word_for_word": share(heard_right),
    }


def _only_asks(came: Came, case: Mapping[str, Any]) -> bool:
    return came.asks and bool(came.against(case))


def _name(options: Options) -> str:
    return options.data.name if options.data else "-"
