"""Where speech begins and ends, as arithmetic: no microphone, no network, no clock."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from daemon.speech.vad import BLOCK, Ear, Segment, Segmenter

VOICE, HUM, NOTHING = 0.9, 0.4, 0.1


def fed(segmenter: Segmenter, *stretches: tuple[float, int]) -> list[Segment]:
    """Feed (probability, number of blocks) pairs; the segments that ended meanwhile."""
    segments = [segmenter.feed(probability) for probability, blocks in stretches for _ in range(blocks)]
    return [segment for segment in segments if segment is not None]


def test_silence_changes_nothing() -> None:
    segmenter = Segmenter()
    assert fed(segmenter, (NOTHING, 100)) == []
    assert segmenter.state is Ear.QUIET


def test_two_blocks_are_a_click_and_three_are_speech() -> None:
    assert fed(Segmenter(), (NOTHING, 30), (VOICE, 2), (NOTHING, 30)) == []
    assert len(fed(Segmenter(), (NOTHING, 30), (VOICE, 3), (NOTHING, 30))) == 1


def test_a_segment_tells_where_the_speech_was() -> None:
    (segment,) = fed(Segmenter(), (NOTHING, 40), (VOICE, 10), (NOTHING, 20))
    assert segment == Segment(start=15 * BLOCK, speech_start=40 * BLOCK, speech_end=50 * BLOCK, end=(50 + 16) * BLOCK)


def test_a_pause_shorter_than_half_a_second_does_not_split() -> None:
    assert len(fed(Segmenter(), (VOICE, 10), (NOTHING, 15), (VOICE, 10), (NOTHING, 16))) == 1
    assert len(fed(Segmenter(), (VOICE, 10), (NOTHING, 16), (VOICE, 10), (NOTHING, 16))) == 2


def test_a_hum_neither_begins_speech_nor_ends_it() -> None:
    assert fed(Segmenter(), (HUM, 50), (NOTHING, 20)) == []
    (segment,) = fed(Segmenter(), (VOICE, 5), (HUM, 30), (NOTHING, 16))
    assert segment.speech_end == 35 * BLOCK


def test_speech_without_an_end_is_cut_after_fifteen_seconds() -> None:
    first, second = fed(Segmenter(), (VOICE, 2 * 469))
    assert first.end - first.speech_start >= 15 * 16000
    assert second.start == first.end == second.speech_start


def test_the_pre_roll_never_reaches_into_the_segment_before() -> None:
    first, second = fed(Segmenter(), (VOICE, 10), (NOTHING, 16), (NOTHING, 2), (VOICE, 10), (NOTHING, 16))
    assert second.start == first.end


def test_the_end_of_the_sound_ends_the_speech() -> None:
    segmenter = Segmenter()
    assert fed(segmenter, (VOICE, 10)) == []
    segment = segmenter.finish()
    assert segment is not None
    assert segment.end == 10 * BLOCK
    assert segmenter.finish() is None


def test_dropped_speech_is_forgotten() -> None:
    segmenter = Segmenter()
    fed(segmenter, (VOICE, 10))
    segmenter.drop()
    assert fed(segmenter, (NOTHING, 30)) == []


def test_a_recogniser_gets_what_it_wants_around_the_speech_as_far_as_it_is_there() -> None:
    segment = Segment(start=100, speech_start=200, speech_end=900, end=1000)
    assert segment.around(lead=50, trail=50) == (150, 950)
    assert segment.around(lead=500, trail=500) == (100, 1000)


@given(st.lists(st.floats(0, 1), max_size=1500))
def test_segments_come_in_order_and_never_overlap(probabilities: list[float]) -> None:
    segmenter = Segmenter()
    segments = [s for s in map(segmenter.feed, probabilities) if s] + [s for s in [segmenter.finish()] if s]
    for segment in segments:
        assert 0 <= segment.start <= segment.speech_start < segment.speech_end <= segment.end
        assert segment.end <= len(probabilities) * BLOCK
    assert all(a.end <= b.start for a, b in pairwise(segments))
