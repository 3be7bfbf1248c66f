"""A microphone that is too quiet: what is understood of recorded people, softer and softer, as it is and turned up.

The people speak one after the other, so that the gain begins, as in earnest, after the first sentence that was soft.
`.recording` is what the page and satellites hand over: turned up as a whole, before anybody listens.
"""

import numpy as np

from bench.report import Options
from bench.voice.clips import NAME, Clip, sensible
from bench.voice.counting import word_errors, wrong
from bench.voice.replay import Ear, Heard, Told
from bench.voice.sound_files import WavSource
from daemon.speech.audio import Samples
from daemon.speech.gain import AutomaticGain, open_gain, turned_up

SOFTER = (0, 20, 30, 40, 50)
"""Decibels below the recordings."""


def measure_gain(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Word errors, commands that were not noticed, wrong ones; and noises that were taken for a person."""
    texts = [clip.text for clip in clips if clip.is_command]
    ear = Told(options.own.recognizer)(sensible(texts, {name for text in texts for name in NAME.findall(text)}))
    people = [clip for clip in clips if clip.is_command and clip.is_human]
    noises = [c for c in clips if c.folder in ("noise", "earcons") or c.kind in ("music", "noise", "silence")]
    figures: dict[str, float | int | None] = {}
    for decibels in options.progress(list(SOFTER)):
        for name, opener, whole in (("", _Unchanged, _as_it_is), (".gain", open_gain, _as_it_is),
                                    (".recording", _Unchanged, turned_up)):  # fmt: skip
            gain = AutomaticGain(opener)
            suffix = f".{decibels}_db{name}"
            figures |= _understood(
                people, [_hear(ear, gain, whole(_softer(clip, decibels))) for clip in people], suffix
            )
            heard = [_hear(ear, gain, whole(_softer(clip, decibels))) for clip in noises]
            figures[f"noises_taken{suffix}"] = sum(len(one.taken) for one in heard)
    return figures


def _softer(clip: Clip, decibels: int) -> Samples:
    return np.round(clip.sound * 10 ** (-decibels / 20)).astype(np.int16)


def _as_it_is(sound: Samples) -> Samples:
    return sound


def _hear(ear: Ear, gain: AutomaticGain, sound: Samples) -> Heard:
    sound = np.concatenate([gain(block, ours=False) for block in WavSource(sound).blocks()])
    heard = ear.hear(sound)
    for delivery in heard.taken:
        gain.learn(sound[delivery.segment.speech_start : delivery.segment.speech_end])
    return heard


def _understood(clips: list[Clip], heard: list[Heard], suffix: str) -> dict[str, float | int | None]:
    words = sum(len(clip.words) for clip in clips)
    errors = sum(word_errors(clip.words, one.heard) for clip, one in zip(clips, heard, strict=True))
    return {
        f"word_errors{suffix}": errors / max(words, 1),
        f"missed{suffix}": sum(one.orders == 0 for one in heard),
        f"wrong{suffix}": sum(wrong(one, clip) for clip, one in zip(clips, heard, strict=True)),
    }


class _Unchanged:
    """A gain that raises nothing."""

    gain_db = 0.0

    def process(self, audio: Samples, speech_probability: float | None = None) -> Samples:
        return audio
