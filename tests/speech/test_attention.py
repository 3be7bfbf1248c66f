"""The ear looks for voices and keywords while there is something to hear, and loses nothing by resting meanwhile."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource
from daemon.speech.attention import MISSED, Attention
from daemon.speech.audio import RATE
from daemon.speech.keywords import Keywords
from daemon.speech.vad import BLOCK, SpeechProbability

Samples = NDArray[np.int16]
SECOND = RATE // BLOCK


class Counting(Keywords):
    """Counts the blocks that it is shown, and hears a keyword where one is made of sevens."""

    def __init__(self) -> None:
        self.shown: list[Samples] = []

    def heard(self, block: Samples) -> str | None:
        self.shown.append(block)
        return "stop" if (block[::2] == 777).all() else None


def noise(seconds: float, volume: float, seed: int = 0) -> Samples:
    return np.random.default_rng(seed).normal(0, volume, round(seconds * RATE)).astype(np.int16)


def shown(*sounds: Samples, nobody: bool = True) -> list[int]:
    """How many blocks of each sound were looked at."""
    keywords = Counting()
    attention, counts = Attention(keywords), []
    for sound in sounds:
        before = len(keywords.shown)
        for block in _blocks(sound):
            attention(block, nobody)
        counts.append(len(keywords.shown) - before)
    return counts


def _blocks(sound: Samples) -> Iterable[Samples]:
    return WavSource(sound).blocks()


@pytest.mark.parametrize("volume", [0, 5, 300])
def test_in_a_steady_room_it_hardly_looks(volume: float) -> None:
    assert sum(shown(noise(60, volume))) < 6 * SECOND


def test_while_somebody_is_listened_to_it_never_rests() -> None:
    assert sum(shown(noise(10, 0), nobody=False)) == len(list(_blocks(noise(10, 0))))


def test_a_rumble_that_comes_and_goes_does_not_wake_it() -> None:
    time = np.arange(60 * RATE) / RATE
    rumble = (300 * np.sin(2 * np.pi * 20 * time) * (np.sin(time) > 0)).astype(np.int16)
    assert sum(shown(noise(60, 60) + rumble)) < 10 * SECOND


def test_a_fan_that_starts_is_quiet_after_a_while() -> None:
    before, starting, later = shown(noise(10, 20), noise(20, 100), noise(60, 100, seed=1))
    assert before < 2 * SECOND < 5 * SECOND < starting
    assert later < 6 * SECOND


def test_what_came_just_before_a_sound_is_looked_at_in_its_order() -> None:
    keywords = Counting()
    attention = Attention(keywords)
    blocks = list(_blocks(np.concatenate([noise(3, 10), noise(0.5, 500)])))
    for block in blocks:
        attention(block)
    first = len(list(_blocks(noise(3, 10))))
    woken = keywords.shown[-(len(blocks) - first + MISSED) :]
    assert all(a is b for a, b in zip(woken, blocks[first - MISSED :], strict=True))


def test_a_keyword_in_what_was_missed_is_told() -> None:
    attention = Attention(Counting())
    for block in _blocks(np.full(3 * RATE, 777, np.int16)):  # as still as a steady tone: nothing changes in it
        attention(block)
    assert attention(noise(1, 500)[:BLOCK])[1] == "stop"


def test_after_a_gap_it_looks_again() -> None:
    keywords = Counting()
    attention = Attention(keywords)
    for block in _blocks(noise(3, 10)):
        attention(block)
    seen = len(keywords.shown)
    attention(noise(1, 10)[:BLOCK])
    assert len(keywords.shown) == seen < SECOND
    attention.reset()
    attention(noise(1, 10)[:BLOCK])
    assert len(keywords.shown) == seen + 1


@pytest.mark.parametrize("name", ["next", "nevermind", "pause", "what_time_is_it", "turn_on_standing_light"])
@pytest.mark.parametrize("above", [20, 10])
def test_a_person_in_a_quiet_or_noisy_room_is_noticed_when_always_looking_notices(
    recording: Callable[[str], Samples], name: str, above: float
) -> None:
    voice = recording(name).astype(np.float32)
    loud = float(np.sqrt(np.mean(np.square(voice[np.abs(voice) > 0.1 * np.abs(voice).max()]))))
    sound = np.concatenate([np.zeros(5 * RATE, np.float32), voice])
    room = np.random.default_rng(1).normal(0, loud / 10 ** (above / 20), len(sound))
    blocks = list(_blocks(np.clip(sound + room, -32768, 32767).astype(np.int16)))
    always, resting = SpeechProbability(), Attention(Counting())
    began = next(i for i, block in enumerate(blocks) if always(block) >= 0.5)
    noticed = next(i for i, block in enumerate(blocks) if resting(block)[0] >= 0.5)
    assert began > 4 * SECOND
    assert noticed <= began + 1
