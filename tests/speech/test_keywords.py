"""The stop word in the stream of sound."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource
from daemon.speech.keywords import Keywords

Samples = NDArray[np.int16]


def stops(samples: Samples, own_words: str = "") -> int:
    spotter = Keywords(own_words=lambda: own_words)
    return sum(spotter.heard(block) is not None for block in WavSource(samples).blocks())


def test_stop_is_heard_once(user: Callable[[str], Samples]) -> None:
    assert stops(user("stop")) == 1


def test_stop_is_heard_within_other_words(user: Callable[[str], Samples]) -> None:
    assert stops(user("please stop")) == 1


def test_other_sentences_and_an_empty_room_are_no_stop(
    user: Callable[[str], Samples], recording: Callable[[str], Samples]
) -> None:
    for sentence in ("put the apple next to the cup", "close the door", "slow down", "what is on top"):
        assert stops(user(sentence)) == 0
    for name in ("room", "next", "what_time_is_it"):
        assert stops(recording(name)) == 0


def test_the_robot_does_not_obey_itself(user: Callable[[str], Samples]) -> None:
    assert stops(user("stop"), own_words="Say stop when it is enough.") == 0
    assert stops(user("stop"), own_words="I have stopped.") == 0
    assert stops(user("stop"), own_words="Here is your juice.") == 1


def test_the_robot_has_a_name(user: Callable[[str], Samples]) -> None:
    spotter = Keywords(["okay robot"])
    sound = np.concatenate([user("open the fridge"), user("okay robot"), user("stop")])
    assert [word for word in map(spotter.heard, WavSource(sound).blocks()) if word] == ["okay robot", "stop"]
