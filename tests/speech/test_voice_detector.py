"""The Silero network, block by block, on recordings."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource
from daemon.speech.audio import RATE
from daemon.speech.ear_core import step
from daemon.speech.ear_events import End, Recognize, Sound
from daemon.speech.ear_state import State
from daemon.speech.talker import CHIME
from daemon.speech.vad import BLOCK, Segment, SpeechProbability

Samples = NDArray[np.int16]


def segments_of(samples: Samples) -> list[Segment]:
    probability, state = SpeechProbability(), State()
    found: dict[int, Segment] = {}
    for event in [*(Sound(probability(block)) for block in WavSource(samples).blocks()), End()]:
        state, actions = step(state, event)
        found |= {a.segment.speech_start: a.segment for a in actions if isinstance(a, Recognize)}
    return list(found.values())


@pytest.mark.parametrize("name", ["next", "nevermind", "pause", "what_time_is_it", "turn_on_standing_light"])
def test_a_command_of_a_recorded_person_is_one_segment(recording: Callable[[str], Samples], name: str) -> None:
    (segment,) = segments_of(recording(name))
    assert 0.15 * RATE < segment.speech_end - segment.speech_start < 2.0 * RATE


def test_nobody_speaks_in_an_empty_room(recording: Callable[[str], Samples]) -> None:
    assert segments_of(recording("room")) == []


@pytest.mark.parametrize("loudness", [0.1, 1.0, 3.0])
def test_our_own_chime_is_no_voice_in_somebodys_pause(recording: Callable[[str], Samples], loudness: float) -> None:
    said = recording("what_time_is_it")
    pause = np.zeros(13 * BLOCK, np.int16)
    chime = np.clip(CHIME * loudness, -32768, 32767).astype(np.int16)
    (segment,) = segments_of(np.concatenate([said, pause, chime, np.zeros(RATE, np.int16)]))
    assert segment.speech_end <= len(said)


def test_after_reset_the_same_sound_is_judged_the_same(recording: Callable[[str], Samples]) -> None:
    blocks = list(WavSource(recording("pause")).blocks())
    probability = SpeechProbability()
    first = [probability(block) for block in blocks]
    probability.reset()
    assert [probability(block) for block in blocks] == first


@pytest.mark.parametrize("name", ["nevermind", "turn_on_standing_light"])
def test_after_a_long_quiet_a_command_begins_where_it_does_at_once(
    recording: Callable[[str], Samples], name: str
) -> None:
    (at_once,) = segments_of(recording(name))
    quiet = 14 * RATE // BLOCK * BLOCK
    (later,) = segments_of(np.concatenate([np.zeros(quiet, np.int16), recording(name)]))
    assert abs(later.speech_start - quiet - at_once.speech_start) <= 2 * BLOCK
