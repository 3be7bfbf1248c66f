"""How soon a spoken stop stops, for `heed bench voice`: in real time, with every core kept busy, up to the datagram."""

import itertools
import multiprocessing
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.report import Options
from bench.voice.clips import Clip, in_room, offset, percentile, said, voices
from bench.voice.replay import Ear, Told
from bench.voice.sound_files import WavSource
from daemon.config import SpeechConfig
from daemon.speech.audio import Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Others, Stop
from daemon.speech.listener import Listener
from daemon.speech.reactions import Reactions
from daemon.speech.recognizers.open_recognizer import EMBEDDED, open_recognizer
from daemon.speech.vad import RATE
from hw.client import send_stop

STOPS = ("stop", "stop stop", "please stop", "robot stop", "stop it")


def measure_stops(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Measure from the end of the word to slowing down and to the stop datagram, in real time, all cores busy."""
    rooms = [clip.sound for clip in clips if clip.name.startswith("noise/room")]
    spoken = [(said(voice, words), i) for i, (words, voice) in enumerate(itertools.product(STOPS, voices()))]
    sounds = [in_room(sound, rooms[i % len(rooms)] if rooms else sound, (20, 10)[i % 2]) for sound, i in spoken]
    script, ends = _script([sound for sound, _ in spoken], sounds)
    source = TimedSource(script)
    slowed: list[float] = []
    sentences = [*STOPS, *(clip.text for clip in clips if clip.is_command)]
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder, StopSocket(Path(folder)) as stops, _BusyCores():
        reactions = Reactions(
            lambda utterance: None, lambda words: void(send_stop(Path(folder), words)),
            slow_down=lambda: slowed.append(time.monotonic()), others=lambda: Others(moving=True),
        )  # fmt: skip
        recognizer = open_recognizer(SpeechConfig(recognizer=options.own.recognizer), EMBEDDED)
        recognizer.set_vocabulary(sentences)
        ear = Listener(source, recognizer, reactions)
        ear.sense = Sense(sentences)
        ear.start()
        ear.wait_drained(len(script) / RATE + 60)
        ear.close()
    replayed = Told(options.own.recognizer)(sentences)
    alone = [_replayed(replayed, sound, offset(clean)) for (clean, _), sound in zip(spoken, sounds, strict=True)]
    proofs = [_after(end, stops.times, source.began) for end in ends]
    slows = [_after(end, [*slowed, *stops.times], source.began) for end in ends]
    missed = proofs.count(None)
    return {
        "stop_slow_p95_ms": percentile(_known(slows), 95),
        "stop_proof_p50_ms": percentile(_known(proofs), 50),
        "stop_proof_p95_ms": percentile(_known(proofs), 95),
        "stop_proof_p95_ms.replayed": percentile(_known(alone), 95),
        "stops": len(ends),
        "stops_missed": missed,
        "stops_missed.replayed": alone.count(None),
    }


def _script(clean: list[Samples], sounds: list[Samples]) -> tuple[Samples, list[int]]:
    """All stops one after the other, and the sample at which each word ends."""
    begins = np.cumsum([0, *(len(sound) for sound in sounds)])
    return np.concatenate(sounds), [int(b) + offset(c) for b, c in zip(begins, clean, strict=False)]


def _after(end: int, times: list[float], began: float) -> float | None:
    """Milliseconds from the end of a word to what came of it first; 0 when that came during the word."""
    samples = [(at - began) * RATE - end for at in times]
    near = [sample for sample in samples if -RATE < sample < 2 * RATE]
    return max(0.0, min(near) * 1000 / RATE) if near else None


def _replayed(ear: Ear, sound: Samples, end: int) -> float | None:
    """Milliseconds from the end of the word to the stop, where computing takes its CPU time and no more."""
    at = ear.hear(sound, Others(moving=True)).first(Stop)
    return max(0.0, (at - end) * 1000 / RATE) if at is not None else None


def _known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


class TimedSource(WavSource):
    """A sound in real time that knows when it began."""

    def __init__(self, sound: Samples) -> None:
        super().__init__(sound, realtime=True)
        self.began = 0.0

    def blocks(self) -> Iterator[Samples]:
        self.began = time.monotonic()
        yield from super().blocks()


class StopSocket:
    """Stands for heed-hw: notes when a stop arrives, and answers."""

    def __init__(self, folder: Path) -> None:
        self.times: list[float] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "stop.sock"))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "StopSocket":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        answer = b'{"accepted_at": 0.0, "frame_sent_at": 0.0, "standstill": "true"}'
        while True:
            try:
                _, sender = self._socket.recvfrom(4096)
                self.times.append(time.monotonic())
                self._socket.sendto(answer, sender)
            except OSError:
                return


class _BusyCores:
    """Keeps every core busy, as a model and a synthesiser would."""

    def __enter__(self) -> None:
        self._busy = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(multiprocessing.cpu_count())]
        for process in self._busy:
            process.start()

    def __exit__(self, *_: object) -> None:
        for process in self._busy:
            process.terminate()
            process.join()


def _burn() -> None:
    matrix = np.ones((256, 256))
    while True:
        matrix = matrix @ matrix / 256.0


def void(_: object) -> None:
    """A result that nobody needs."""
