"""Measures the ear: how soon, how rightly, and how safely heed understands recorded people.

The clips run through the parts that run in earnest: voice detector, keyword spotter, reducer, recogniser, judgement.
Time is counted in samples, and to it is added what the recogniser computed, as CPU time of one core: a replay that is
aware of computation, and nearly the same on a busy machine as on an idle one. Only the stops are measured on the wall
clock, too: in real time, with every core kept busy, up to the datagram (`.replayed`: like the rest).

Whisper stands here with the true shapes of base but random weights: it measures time, and says nothing of words.
Words are those of the ears that heed brings along (`--recognizer`), in three conditions: `words_right` with the tested
sentence kept out of everything that the robot was told; `commands_right` with the scene's names, numbers and opposites
put into the other sentences; `.known` with the sentence itself. A command is right when it is executed, but for
articles and plurals word for word, or when it is asked back.
"""

import argparse
import itertools
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from bench.report import BenchError, Options, Report, share
from bench.voice.clips import NAME, Clip, first_word, louder, percentile, read_clips, said, sensible, voices
from bench.voice.counting import asked, executed, word_errors, wrong
from bench.voice.ear_memory import measure_memory
from bench.voice.echo import measure_echo
from bench.voice.gain import measure_gain
from bench.voice.random_whisper import BASE, write_random_whisper
from bench.voice.replay import EMBEDDED_RECOGNIZERS, Ear, Heard, Told
from bench.voice.sound_files import WavSource
from bench.voice.stops import measure_stops
from bench.voice.unexpected import measure_unexpected
from daemon.service.metrics import process_figures
from daemon.speech.attention import Attention
from daemon.speech.audio import Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import Do, Others, Sound, Stop
from daemon.speech.ear_state import Ear as Ears
from daemon.speech.ear_state import Policy, State
from daemon.speech.keywords import Keywords
from daemon.speech.listener import loudness
from daemon.speech.recognizers.whisper import WhisperRecognizer
from daemon.speech.spoken_words import spoken_words
from daemon.speech.vad import BLOCK, RATE

NAIVE_WAIT = 0.640
"""Seconds of silence that the naive pipeline waits for, before it begins to recognise."""
NAIVE_EVERY = 8
"""The naive pipeline is measured on every so manieth clip: it takes long, and always the same."""
HOUR = 3600
OWN_WORDS = (
    "Here is the juice. Shall I bring a cup, too?",
    "I have stopped. Say go on when I may move.",
    "I cannot find the red cup. Where is it?",
    "When you ask for juice I also bring the cup, both at once. Shall I remember that?",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", help="parts, separated by commas: " + ", ".join(PARTS))
    parser.add_argument("--recognizer", default="both", choices=list(EMBEDDED_RECOGNIZERS), help="of the words")


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


# --- the parts ---


def measure_time(clips: list[Clip], options: Options) -> dict[str, float | None]:
    """Measure from the end of speech to its text, with Whisper of base size, beside the naive way."""
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
        "text_p50_ms": percentile(text, 50), "text_p95_ms": percentile(text, 95), "wait_p50_ms": percentile(wait, 50),
        "naive_text_p50_ms": percentile(naive, 50),
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
    """Measure what the embedded recogniser understands, and what becomes of it."""
    commands = [clip for clip in clips if clip.is_command]
    texts = [clip.text for clip in commands]
    names = {name for text in texts for name in NAME.findall(text)}
    told_of = Told(options.own.recognizer)
    known = sensible(texts, names)
    figures: dict[str, float | int | None] = {}
    times: list[float] = []
    mistakes: list[str] = []
    for group, human in (("human", True), ("synthetic", False)):
        rows = []
        for clip in options.progress([clip for clip in commands if clip.is_human is human]):
            others = [text for text in texts if spoken_words(text) != clip.words]
            scene = sensible(others, names)
            strict = told_of(scene - {" ".join(clip.words)}, names=names).hear(clip.sound)
            told = told_of(scene, names=names).hear(clip.sound)
            sure = told_of(known, names=names).hear(clip.sound)
            times += _text_times([sure])[0]
            rows.append((clip, strict, told, sure))
            if wrong(told, clip):
                mistakes.append(f"{clip.text!r} became {told.executed!r}")
        words = sum(len(clip.words) for clip, *_ in rows)
        figures |= {
            f"words_right_{group}": 1 - sum(word_errors(c.words, s.heard) for c, s, _, _ in rows) / max(words, 1),
            f"words_right_{group}.known": 1 - sum(word_errors(c.words, k.heard) for c, _, _, k in rows) / max(words, 1),
            f"commands_right_{group}": share(asked(t) or executed(t, c) for c, _, t, _ in rows),
            f"commands_right_{group}.known": share(asked(k) or executed(k, c) for c, _, _, k in rows),
            f"commands_asked_{group}": share(asked(t) for _, _, t, _ in rows),
            f"commands_asked_{group}.known": share(asked(k) for _, _, _, k in rows),
            f"commands_wrong_{group}": sum(wrong(t, c) for c, _, t, _ in rows),
            f"commands_wrong_{group}.known": sum(wrong(k, c) for c, _, _, k in rows),
        }
        if human:
            figures["human_split"] = sum(len(sure.taken) > 1 for *_, sure in rows)
    for line in mistakes:
        options.note(f"wrong: {line}")
    strange = [clip for clip in clips if "out-of-vocabulary" in clip.kind]
    figures["oov_executed"] = sum(bool(told_of(known, names=names).hear(clip.sound).executed) for clip in strange)
    single = [c for c in clips if len(c.words) == 1 and c.folder in ("commands_en", "keywords") and c.is_human]
    figures["one_word_missed"] = sum(told_of(known).hear(clip.sound).orders == 0 for clip in single)
    return figures | {"text_p50_ms.embedded": percentile(times, 50), "text_p95_ms.embedded": percentile(times, 95)}


def measure_quiet(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Measure what is accepted although nobody spoke to the robot, what it costs to listen, and what stops it by
    mistake.
    """
    commands = [clip.text for clip in clips if clip.is_command]
    ear = Told(options.own.recognizer)(sensible(commands, {name for text in commands for name in NAME.findall(text)}))
    silent = [c for c in clips if c.folder in ("noise", "earcons") or c.kind in ("music", "noise", "silence")]
    sounds = [louder(clip.sound, gain) for clip in silent for gain in (0.25, 0.5, 1.0, 2.0, 4.0)]
    before = time.process_time()
    heard = [ear.hear(sound) for sound in options.progress(sounds)]
    cost = time.process_time() - before
    seconds = sum(map(len, sounds)) / RATE
    for words, voice in itertools.product(OWN_WORDS, voices()):
        own = said(voice, words)
        heard.append(ear.hear(own, Others(speaking=True), own_words=words))
        seconds += len(own) / RATE
    speech = [clip for clip in clips if clip.folder in ("commands_en", "asr", "wake", "vad", "keywords")]
    moving = Others(moving=True)
    others = [ear.hear(clip.sound, moving) for clip in options.progress(speech)]
    return {
        "false_accepts": sum(len(h.executed) for h in heard),
        "false_questions": sum(len(h.taken) - len(h.executed) for h in heard),
        "false_accept_minutes": seconds / 60,
        "ear_core_share": cost / (sum(map(len, sounds)) / RATE),
        "false_stops": sum(isinstance(a, Stop) for h in others for _, a in h.actions),
        "false_slow_downs": sum(a is Do.SLOW_DOWN for h in others for _, a in h.actions),
        "other_speech_minutes": sum(len(clip.sound) for clip in speech) / RATE / 60,
    }


def measure_barge_in(clips: list[Clip], options: Options) -> dict[str, float | None]:
    """Measure how soon our voice gives way to a person's, and whether it goes on when it was none; after an echo
    canceller.
    """
    commands = [clip for clip in clips if clip.is_command and clip.is_human]
    sentences = sensible([clip.text for clip in commands], ())
    ear = Told(options.own.recognizer)(sentences, Policy(both_at_once=True))
    speaking = Others(speaking=True)
    delays = []
    for clip in options.progress(commands):
        began = first_word(clip)
        ducked = [at for at, action in ear.hear(clip.sound, speaking).actions if action is Do.DUCK and at > began]
        delays.append((min(ducked, default=len(clip.sound)) - began) * 1000 / RATE)
    resumed = []
    for sound in _interruptions(clips):
        actions = [action for _, action in ear.hear(sound, speaking).actions]
        if Do.DUCK in actions:
            resumed.append(Do.HUSH not in actions and Do.GO_ON in actions)
    return {"duck_p95_ms": percentile(delays, 95), "resumed": share(resumed), "interruptions": len(resumed)}


def _interruptions(clips: list[Clip]) -> Iterator[Samples]:
    """Yield what makes one fall silent without reason: bursts of noise, signs of listening, words of others."""
    random = np.random.default_rng(0)
    for seconds, volume in itertools.product((0.1, 0.3, 0.6), (1000, 4000)):
        burst = random.normal(0, volume, round(seconds * RATE)).astype(np.int16)
        yield np.concatenate([np.zeros(RATE, np.int16), burst, np.zeros(2 * RATE, np.int16)])
    for voice, word in itertools.product(voices(), ("okay", "yeah", "right")):
        yield said(voice, word)
    yield from (clip.sound for clip in clips if clip.name.startswith("wake/neg_") or clip.folder == "earcons")


def measure_day(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Measure whether anything grows in a quiet room: an hour of it through the whole ear, a day through the
    reducer.
    """
    room = next((clip.sound[:-RATE] for clip in clips if clip.name.startswith("noise/room")), np.zeros(RATE, np.int16))
    attention, state = Attention(Keywords()), State()
    sizes: list[float] = []
    for _ in range(HOUR * RATE // len(room)):
        for block in WavSource(room).blocks():
            voice, _ = attention(block, state.ear is Ears.QUIET)
            state, _ = step(state, Sound(voice, len(block), loudness(block)))
        sizes.append(process_figures({"ear": os.getpid()})["ear_memory_bytes"] / 1e6)
    for _ in range(24 * HOUR * RATE // BLOCK):
        state, _ = step(state, Sound(0.01, BLOCK, 20.0))
    return {"hour_grown_mb": max(sizes) - sizes[len(sizes) // 10], "day_at_rest": int(state.ear is Ears.QUIET)}


PARTS = {
    "time": measure_time,
    "words": measure_words,
    "unexpected": measure_unexpected,
    "quiet": measure_quiet,
    "barge_in": measure_barge_in,
    "echo": measure_echo,
    "gain": measure_gain,
    "stops": measure_stops,
    "day": measure_day,
    "memory": measure_memory,
}
