"""Measures the ear: how soon, how rightly, and how safely heed understands recorded people.

The clips run through the parts that run in earnest: voice detector, keyword spotter, reducer, recogniser, judgement.
Time is counted in samples, and to it is added what the recogniser computed, as CPU time of one core: a replay that is
aware of computation, and nearly the same on a busy machine as on an idle one. Only the stops are measured on the wall
clock, too: in real time, with every core kept busy, up to the datagram (`.replayed`: like the rest).

Whisper stands here with the true shapes of base but random weights: it measures time, and says nothing of words.
Words are the embedded recogniser's, in three conditions: `words_right` with the tested sentence kept out of
everything that the robot was told; `commands_right` with the scene's names, numbers and opposites put into the other
sentences; `.known` with the sentence itself. A command is right when it is executed, but for articles and plurals word
for word, or when it is asked back.
"""

import argparse
import csv
import itertools
import multiprocessing
import re
import socket
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.random_whisper import BASE, write_random_whisper
from bench.report import BenchError, Options, Report, share
from daemon.speech.asr import PocketsphinxRecognizer, Recognizer, WhisperRecognizer
from daemon.speech.audio import Samples, WavSource, read_sound, resample
from daemon.speech.core import (
    Action,
    Deliver,
    Do,
    End,
    Event,
    Others,
    Policy,
    Recognize,
    Sound,
    State,
    Stop,
    StopHint,
    Understood,
    step,
)  # fmt: skip
from daemon.speech.judgement import Evidence, Verdict
from daemon.speech.keywords import Keywords
from daemon.speech.listener import Listener, Order, Reactions, understood
from daemon.speech.sense import Sense
from daemon.speech.tts import EspeakSynthesizer, FliteSynthesizer, Synthesizer
from daemon.speech.vad import RATE, SpeechProbability
from daemon.speech.words import spoken_words
from hw.client import send_stop

ROOM = RATE
"""Samples of quiet after each clip: longer than the longest patience."""
NAIVE_WAIT = 0.640
"""Seconds of silence that the naive pipeline waits for, before it begins to recognise."""
NAIVE_EVERY = 8
"""The naive pipeline is measured on every so manieth clip: it takes long, and always the same."""
OWN_WORDS = (
    "Here is the juice. Shall I bring a cup, too?",
    "I have stopped. Say go on when I may move.",
    "I cannot find the red cup. Where is it?",
    "When you ask for juice I also bring the cup, both at once. Shall I remember that?",
)
STOPS = ("stop", "stop stop", "please stop", "robot stop", "stop it")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", help="parts, separated by commas: " + ", ".join(PARTS))


def run(options: Options) -> Report:
    """Measure all parts, or those that were asked for."""
    data = options.data or options.config.folder / ".." / "shared" / "audio"
    clips = read_clips(data)
    wanted = [part for part in options.own.only.split(",") if part] or list(PARTS)
    if unknown := [part for part in wanted if part not in PARTS]:
        raise BenchError(f"there is no part {unknown[0]!r}; known are {', '.join(PARTS)}")
    figures: dict[str, float | int | None] = {}
    for part in wanted:
        options.note(f"measuring {part} ...")
        figures |= PARTS[part](clips, options)
    return Report("voice", len(clips), figures, brain="-", data=str(data.name))


# --- clips ---


@dataclass(frozen=True)
class Clip:
    """One recording."""

    folder: str
    name: str
    kind: str
    text: str
    file: Path

    @property
    def sound(self) -> Samples:
        return np.concatenate([read_sound(self.file), np.zeros(ROOM, np.int16)])

    @property
    def is_command(self) -> bool:
        return self.folder == "commands_en" and bool(self.text)

    @property
    def is_human(self) -> bool:
        return self.kind.startswith("human")

    @property
    def words(self) -> list[str]:
        return spoken_words(self.text)


def read_clips(data: Path) -> list[Clip]:
    """The clips that index.tsv lists and that are there."""
    index = data / "index.tsv"
    if not index.exists():
        raise BenchError(f"there is no {index}: give the folder of the clips with --data DIR")
    with index.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if (data / row["file"]).exists()]
    return [Clip(Path(r["file"]).parent.name, r["file"], r["kind"], r["text"] or "", data / r["file"]) for r in rows]


NAME = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*)*")
_NUMBERS = "one two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty sixty"
NUMBERS = _NUMBERS.split()
OPPOSITES = (("on", "off"), ("open", "close"), ("locked", "unlocked"), ("lock", "unlock"), ("start", "stop"))


def sensible(texts: Iterable[str], names: Iterable[str]) -> set[str]:
    """These sentences, and what they become with other names, numbers and opposites of the same scene."""
    named = {t.replace(name, other) for t in texts for name in NAME.findall(t) for other in names}
    sentences = {" ".join(spoken_words(text)) for text in [*texts, *named]}
    swaps = [*itertools.permutations(NUMBERS, 2), *OPPOSITES, *((b, a) for a, b in OPPOSITES)]
    by_word: dict[str, list[str]] = {}
    for word, other in swaps:
        by_word.setdefault(word, []).append(other)
    for sentence in list(sentences):
        words = sentence.split()
        for at, word in enumerate(words):
            sentences |= {" ".join([*words[:at], other, *words[at + 1 :]]) for other in by_word.get(word, ())}
    return sentences


# --- the replay ---


@dataclass
class Heard:
    """What came of one clip; times in samples of the clip."""

    deliveries: list[tuple[int, Deliver]] = field(default_factory=list)
    actions: list[tuple[int, Action]] = field(default_factory=list)
    orders: int = 0

    @property
    def taken(self) -> list[Deliver]:
        """What was executed or asked back."""
        return [d for _, d in self.deliveries if d.judgement.verdict is not Verdict.DROP]

    @property
    def executed(self) -> list[str]:
        return [d.judgement.text for d in self.taken if d.judgement.verdict is Verdict.ACCEPT]

    @property
    def heard(self) -> list[str]:
        """The words that were recognised, whatever became of them."""
        return [word for _, d in self.deliveries for word in spoken_words(d.judgement.heard)]

    def first(self, *wanted: Action | type) -> int | None:
        """When such an action came first."""
        return next((at for at, a in self.actions if a in wanted or type(a) in wanted), None)


class Ear:
    """Everything between sound and actions, without threads: what the recogniser computes takes simulated time."""

    def __init__(self, recognizer: Recognizer, sense: Sense, policy: Policy | None = None) -> None:
        self._recognizer, self._sense = recognizer, sense
        self._policy = policy or Policy()

    def hear(self, sound: Samples, others: Others | None = None, own_words: str = "") -> Heard:
        state, heard, probability = State(self._policy), Heard(), SpeechProbability()
        keywords = Keywords(own_words=lambda: own_words)
        answers: list[tuple[float, Understood]] = []
        free_at = 0.0
        for block in [*WavSource(sound).blocks(), None]:
            due = [answer for at, answer in answers if at <= state.now or block is None]
            answers = [(at, answer) for at, answer in answers if at > state.now and block is not None]
            events: list[Event] = [*due, others or Others()]
            if block is None:
                events.append(End())
            else:
                events.append(Sound(probability(block), len(block)))
                events += [StopHint()] if keywords.heard(block) else []
            for event in events:
                state, actions = step(state, event)
                for action in actions:
                    heard.actions.append((state.now, action))
                    if isinstance(action, Deliver):
                        heard.deliveries.append((state.now, action))
                    elif isinstance(action, Recognize):
                        heard.orders += 1
                        before = time.process_time()
                        answer = self._recognize(action, sound, own_words)
                        free_at = max(free_at, state.now) + (time.process_time() - before) * RATE
                        answers.append((free_at, answer))
        return heard

    def _recognize(self, order: Recognize, sound: Samples, own_words: str) -> Understood:
        begin, end = order.segment.around(self._recognizer.lead, self._recognizer.trail)
        evidence = Evidence((order.segment.speech_end - order.segment.speech_start) / RATE, own_words)
        order_with_sound = Order(order, sound[begin:end], evidence)
        return Understood(order.ticket, understood(self._recognizer, order_with_sound, self._sense))


# --- the parts ---


def measure_time(clips: list[Clip], options: Options) -> dict[str, float | None]:
    """From the end of speech to its text, with Whisper of base size, beside the naive way."""
    commands = [clip for clip in clips if clip.is_command]
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        model = write_random_whisper(Path(folder) / "whisper", BASE)
        short = WhisperRecognizer(model, windows=(5,), threads=1)
        short.recognize(np.zeros(RATE, np.int16))  # the first time takes longer
        ear = Ear(short, Sense())
        text, wait = _text_times(ear.hear(clip.sound) for clip in options.progress(commands))
        whole = WhisperRecognizer(model, windows=(30,), threads=1)
        naive = []
        for clip in commands[::NAIVE_EVERY]:
            before = time.process_time()
            whole.recognize(clip.sound)
            naive.append(1000 * (NAIVE_WAIT + time.process_time() - before))
    return {
        "text_p50_ms": _p(text, 50), "text_p95_ms": _p(text, 95), "wait_p50_ms": _p(wait, 50),
        "naive_text_p50_ms": _p(naive, 50),
    }  # fmt: skip


def _text_times(all_heard: Iterable[Heard]) -> tuple[list[float], list[float]]:
    """Milliseconds from the end of speech to the text, and to the decision that it was the end."""
    text, wait = [], []
    for heard in all_heard:
        for at, delivery in heard.deliveries:
            text.append((at - delivery.segment.speech_end) * 1000 / RATE)
            wait.append((delivery.segment.end - delivery.segment.speech_end) * 1000 / RATE)
    return text, wait


def measure_words(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """What the embedded recogniser understands, and what becomes of it."""
    commands = [clip for clip in clips if clip.is_command]
    texts = [clip.text for clip in commands]
    names = {name for text in texts for name in NAME.findall(text)}
    known = _embedded(sensible(texts, names))
    figures: dict[str, float | int | None] = {}
    times: list[float] = []
    wrong: list[str] = []
    for group, human in (("human", True), ("synthetic", False)):
        rows = []
        for clip in options.progress([clip for clip in commands if clip.is_human is human]):
            others = [text for text in texts if spoken_words(text) != clip.words]
            scene = sensible(others, names)
            strict = _embedded(scene - {" ".join(clip.words)}).hear(clip.sound)
            told = _embedded(scene).hear(clip.sound)
            sure = known.hear(clip.sound)
            times += _text_times([sure])[0]
            rows.append((clip, strict, told, sure))
            if _wrong(told, clip):
                wrong.append(f"{clip.text!r} became {told.executed!r}")
        words = sum(len(clip.words) for clip, *_ in rows)
        figures |= {
            f"words_right_{group}": 1 - sum(_errors(c.words, s.heard) for c, s, _, _ in rows) / max(words, 1),
            f"words_right_{group}.known": 1 - sum(_errors(c.words, k.heard) for c, _, _, k in rows) / max(words, 1),
            f"commands_right_{group}": share(_right(t, c) for c, _, t, _ in rows),
            f"commands_right_{group}.known": share(_right(k, c) for c, _, _, k in rows),
            f"commands_asked_{group}": share(bool(t.taken) and not t.executed for _, _, t, _ in rows),
            f"commands_asked_{group}.known": share(bool(k.taken) and not k.executed for _, _, _, k in rows),
            f"commands_wrong_{group}": sum(_wrong(t, c) for c, _, t, _ in rows),
            f"commands_wrong_{group}.known": sum(_wrong(k, c) for c, _, _, k in rows),
        }
        if human:
            figures["human_split"] = sum(len(sure.taken) > 1 for *_, sure in rows)
    for line in wrong:
        options.note(f"wrong: {line}")
    strange = [clip for clip in clips if "out-of-vocabulary" in clip.kind]
    figures["oov_executed"] = sum(bool(known.hear(clip.sound).executed) for clip in strange)
    single = [c for c in clips if len(c.words) == 1 and c.folder in ("commands_en", "keywords") and c.is_human]
    figures["one_word_missed"] = sum(known.hear(clip.sound).orders == 0 for clip in single)
    return figures | {"text_p50_ms.pocketsphinx": _p(times, 50), "text_p95_ms.pocketsphinx": _p(times, 95)}


def _embedded(sentences: Iterable[str]) -> Ear:
    sentences = sorted(sentences)
    return Ear(PocketsphinxRecognizer(sentences), Sense(sentences))


def _right(heard: Heard, clip: Clip) -> bool:
    """Executed in its meaning, or asked back."""
    asked = bool(heard.taken) and not heard.executed
    return asked or [meaning(text) for text in heard.executed] == [meaning(clip.text)]


def _wrong(heard: Heard, clip: Clip) -> bool:
    """Something else was executed."""
    return any(meaning(text) != meaning(clip.text) for text in heard.executed)


def meaning(text: str) -> list[str]:
    """The words without those that change nothing: articles, and the s of a plural."""
    words = " ".join(spoken_words(text)).replace("what's", "what is").split()
    return [word.removesuffix("s") if len(word) > 3 else word for word in words if word not in ("a", "the", "of")]


def _errors(wanted: list[str], got: list[str]) -> int:
    """Words to insert, delete or replace."""
    row = list(range(len(got) + 1))
    for i, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(got, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def measure_quiet(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """What is accepted although nobody spoke to the robot, what it costs to listen, and what stops it by mistake."""
    commands = [clip.text for clip in clips if clip.is_command]
    ear = _embedded(sensible(commands, {name for text in commands for name in NAME.findall(text)}))
    silent = [c for c in clips if c.folder in ("noise", "earcons") or c.kind in ("music", "noise", "silence")]
    sounds = [louder(clip.sound, gain) for clip in silent for gain in (0.5, 1.0, 2.0, 4.0)]
    before = time.process_time()
    accepted = sum(len(ear.hear(sound).executed) for sound in options.progress(sounds))
    cost = time.process_time() - before
    seconds = sum(map(len, sounds)) / RATE
    for words, voice in itertools.product(OWN_WORDS, _voices()):
        own = _said(voice, words)
        accepted += len(ear.hear(own, Others(speaking=True), own_words=words).executed)
        seconds += len(own) / RATE
    speech = [clip for clip in clips if clip.folder in ("commands_en", "asr", "wake", "vad", "keywords")]
    moving = Others(moving=True)
    heard = [ear.hear(clip.sound, moving) for clip in options.progress(speech)]
    return {
        "false_accepts": accepted,
        "false_accept_minutes": seconds / 60,
        "ear_core_share": cost / (sum(map(len, sounds)) / RATE),
        "false_stops": sum(isinstance(a, Stop) for h in heard for _, a in h.actions),
        "false_slow_downs": sum(a is Do.SLOW_DOWN for h in heard for _, a in h.actions),
        "other_speech_minutes": sum(len(clip.sound) for clip in speech) / RATE / 60,
    }


def measure_barge_in(clips: list[Clip], options: Options) -> dict[str, float | None]:
    """How soon our voice gives way to a person's, and whether it goes on when it was none; after an echo canceller."""
    commands = [clip for clip in clips if clip.is_command and clip.is_human]
    sentences = sensible([clip.text for clip in commands], ())
    policy = Policy(both_at_once=True)
    ear = Ear(PocketsphinxRecognizer(sorted(sentences)), Sense(sentences), policy)
    speaking = Others(speaking=True)
    delays = []
    for clip in options.progress(commands):
        sound = clip.sound
        ducked = ear.hear(sound, speaking).first(Do.DUCK)
        if ducked is not None:
            delays.append((ducked - onset(sound)) * 1000 / RATE)
    resumed = []
    for sound in _interruptions(clips):
        actions = [action for _, action in ear.hear(sound, speaking).actions]
        if Do.DUCK in actions:
            resumed.append(Do.HUSH not in actions and Do.GO_ON in actions)
    return {"duck_p95_ms": _p(delays, 95), "resumed": share(resumed), "interruptions": len(resumed)}


def _interruptions(clips: list[Clip]) -> Iterator[Samples]:
    """What makes one fall silent without reason: bursts of noise, signs of listening, words of others."""
    random = np.random.default_rng(0)
    for seconds, loudness in itertools.product((0.1, 0.3, 0.6), (1000, 4000)):
        burst = random.normal(0, loudness, round(seconds * RATE)).astype(np.int16)
        yield np.concatenate([np.zeros(RATE, np.int16), burst, np.zeros(2 * RATE, np.int16)])
    for voice, word in itertools.product(_voices(), ("okay", "yeah", "right")):
        yield _said(voice, word)
    yield from (clip.sound for clip in clips if clip.name.startswith("wake/neg_") or clip.folder == "earcons")


def measure_stops(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """From the end of the word to slowing down and to the stop datagram, in real time, with all cores kept busy."""
    voices = list(_voices())
    rooms = [clip.sound for clip in clips if clip.name.startswith("noise/room")]
    spoken = [(_said(voice, words), i) for i, (words, voice) in enumerate(itertools.product(STOPS, voices))]
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
        ear = Listener(source, PocketsphinxRecognizer(sentences), reactions)
        ear.sense = Sense(sentences)
        ear.start()
        ear.wait_drained(len(script) / RATE + 60)
        ear.close()
    replayed = Ear(PocketsphinxRecognizer(sentences), Sense(sentences))
    alone = [_replayed(replayed, sound, offset(clean)) for (clean, _), sound in zip(spoken, sounds, strict=True)]
    proofs = [_after(end, stops.times, source.began) for end in ends]
    slows = [_after(end, [*slowed, *stops.times], source.began) for end in ends]
    missed = proofs.count(None)
    return {
        "stop_slow_p95_ms": _p(_known(slows), 95),
        "stop_proof_p50_ms": _p(_known(proofs), 50),
        "stop_proof_p95_ms": _p(_known(proofs), 95),
        "stop_proof_p95_ms.replayed": _p(_known(alone), 95),
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


# --- sounds ---


def _voices() -> list[Synthesizer]:
    return [*(FliteSynthesizer(name) for name in ("slt", "rms", "awb")), EspeakSynthesizer()]


def _said(voice: Synthesizer, words: str) -> Samples:
    """Words in a silent room: half a second before, and two after."""
    samples, rate = voice.synthesize(words)
    quiet = np.zeros(RATE // 2, np.int16)
    return np.concatenate([quiet, resample(samples, rate, RATE), quiet, quiet, quiet, quiet])


def louder(sound: Samples, gain: float) -> Samples:
    return np.clip(sound * gain, -32768, 32767).astype(np.int16)


def in_room(sound: Samples, room: Samples, decibels: float) -> Samples:
    """A voice that is so much louder than the noise of a room, which goes on all the time."""
    noise = np.resize(room[: -ROOM or None], len(sound)).astype(np.float64)
    voiced = sound[np.abs(sound) > 500].astype(np.float64)
    wanted = np.sqrt(np.mean(voiced**2)) / 10 ** (decibels / 20)
    noise *= wanted / max(1.0, float(np.sqrt(np.mean(noise**2))))
    return np.clip(sound + noise, -32768, 32767).astype(np.int16)


def onset(sound: Samples) -> int:
    """First sample of the loud part: where a person hears the voice begin."""
    return int(_loud(sound)[0]) * 160


def offset(sound: Samples) -> int:
    """End of the loud part."""
    return (int(_loud(sound)[-1]) + 1) * 160


def _loud(sound: Samples) -> np.ndarray:
    """Numbers of the 10 ms frames within 26 dB of the loudest one."""
    frames = sound[: len(sound) // 160 * 160].reshape(-1, 160).astype(np.float64)
    level = np.sqrt(np.mean(frames**2, axis=1))
    return np.flatnonzero(level > level.max() / 20)


def _p(values: list[float], percent: int) -> float | None:
    return float(np.percentile(values, percent)) if values else None


PARTS = {
    "time": measure_time,
    "words": measure_words,
    "quiet": measure_quiet,
    "barge_in": measure_barge_in,
    "stops": measure_stops,
}
