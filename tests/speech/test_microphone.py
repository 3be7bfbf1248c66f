"""A microphone that is lost and comes back, without a microphone."""

from collections.abc import Iterator

import numpy as np
import pytest

from daemon.speech.audio import AudioSource, AudioUnavailable, Samples
from daemon.speech.microphone import AudioStuck, EnduringSource, SilenceWatch

SOUND = np.full(512, 1000, np.int16)


class Cable:
    """A source that gives so many blocks, then breaks, if it does."""

    name, hears = "microphone", True

    def __init__(self, blocks: int, breaks: bool = True) -> None:
        self._left, self._breaks = blocks, breaks
        self.closed = False

    def blocks(self) -> Iterator[Samples]:
        for _ in range(self._left):
            yield SOUND
        if self._breaks:
            raise AudioUnavailable("unplugged")

    def close(self) -> None:
        self.closed = True


class Endless(Cable):
    """Gives sound until it is closed."""

    def blocks(self) -> Iterator[Samples]:
        while not self.closed:
            yield SOUND


class Shelf:
    """Hands out cables; None stands for an empty place."""

    def __init__(self, *cables: Cable | None) -> None:
        self._cables = list(cables)

    def __call__(self) -> AudioSource:
        cable = self._cables.pop(0)
        if cable is None:
            raise AudioUnavailable("no microphone is connected")
        return cable


def test_a_lost_microphone_is_a_gap_then_silence_then_sound_again() -> None:
    first = Cable(2)
    source = EnduringSource(Shelf(None, Cable(1, breaks=False)), first)
    heard, hears = [], []
    for block in source.blocks():
        heard.append(len(block) and int(block.max()))
        hears.append(source.hears)
    silence = heard[3:-1]
    assert heard[:3] == [1000, 1000, 0]
    assert set(silence) == {0}
    assert heard[-1] == 1000
    assert hears == [True, True, False, *[False] * len(silence), True]
    assert first.closed


def test_one_that_gives_only_zeros_is_opened_again_and_nobody_is_told() -> None:
    class Stuck(Cable):
        def blocks(self) -> Iterator[Samples]:
            yield SOUND
            raise AudioStuck("only zeros")

    source = EnduringSource(Shelf(Cable(1, breaks=False)), Stuck(1))
    assert [(len(block), source.hears) for block in source.blocks()] == [(512, True), (0, True), (512, True)]


def test_a_microphone_that_was_never_there_is_waited_for() -> None:
    source = EnduringSource(Shelf(None, Cable(1, breaks=False)))
    states = [source.hears for _ in source.blocks()]
    assert states == [*[False] * (len(states) - 1), True]


def test_who_waits_for_a_microphone_can_be_closed() -> None:
    source = EnduringSource(Shelf(*[None] * 100))
    for _ in source.blocks():
        source.close()


@pytest.mark.parametrize(
    ("seconds", "too_long"),
    [((1, 29), False), ((1, 31), True), ((0, 100), False), ((1, 20, 1, 20), False)],
)
def test_zeros_that_last_are_a_stuck_driver_only_after_sound(seconds: tuple[int, ...], too_long: bool) -> None:
    watch = SilenceWatch(30)
    found = [
        watch.too_long(np.full(1000, 1 - number % 2, np.int16), 1000.0)
        for number, length in enumerate(seconds)
        for _ in range(length)
    ]
    assert any(found) is too_long


def test_one_that_is_lent_is_closed_and_silent_until_it_is_taken_back_and_nobody_is_told_of_a_loss() -> None:
    first, second = Endless(0), Endless(0)
    source = EnduringSource(Shelf(second), first)
    blocks = source.blocks()
    assert next(blocks).any()
    source.lend()
    assert first.closed
    assert (len(next(blocks)), source.hears) == (0, True)
    assert not np.concatenate([next(blocks) for _ in range(20)]).any()
    source.take_back()
    assert any(next(blocks).any() for _ in range(20))
    source.close()
    assert second.closed
    assert list(blocks) == []


def test_one_that_is_gone_when_it_is_taken_back_is_lost() -> None:
    source = EnduringSource(Shelf(*[None] * 100), Endless(0))
    blocks = source.blocks()
    next(blocks)
    source.lend()
    source.take_back()
    assert any(not source.hears for _ in zip(range(20), blocks, strict=False))


def test_a_microphone_that_another_program_has_is_not_tried_before_it_is_taken_back() -> None:
    source = EnduringSource(Shelf())
    source.lend()
    assert not np.concatenate([block for _, block in zip(range(20), source.blocks(), strict=False)]).any()
