"""The embedded recogniser in a process of its own."""

import os
import signal
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
from daemon.speech.recognizers.sphinx_process import PocketsphinxApart

Samples = NDArray[np.int16]
SENTENCES = ["yes", "no", "bring me the milk"]


@pytest.fixture
def apart() -> Iterator[PocketsphinxApart]:
    recognizer = PocketsphinxApart(SENTENCES)
    yield recognizer
    recognizer.close()


def test_it_understands_the_same_as_in_this_process(apart: PocketsphinxApart, user: Callable[[str], Samples]) -> None:
    here = PocketsphinxRecognizer(SENTENCES)
    for sound in (user("bring me the milk")[6000:-12000], np.zeros(0, np.int16)):
        assert apart.recognize(sound) == here.recognize(sound)


def test_other_sentences_are_heard_after_the_vocabulary_changed(
    apart: PocketsphinxApart, user: Callable[[str], Samples]
) -> None:
    sound = user("bring me the spatula")[6000:-12000]
    assert "spatula" not in apart.recognize(sound).text
    apart.set_vocabulary([*SENTENCES, "bring me the spatula"])
    assert "spatula" in apart.recognize(sound).text


def test_a_process_that_died_is_replaced(apart: PocketsphinxApart, user: Callable[[str], Samples]) -> None:
    os.kill(apart._process._worker.pid, signal.SIGKILL)
    assert apart.recognize(user("bring me the milk")[6000:-12000]).text == "bring me the milk"


def test_others_work_while_it_decodes(apart: PocketsphinxApart, user: Callable[[str], Samples]) -> None:
    """In one process they stand still: pocketsphinx keeps Python's lock."""
    sound, done, steps = np.tile(user("bring me the milk"), 3), threading.Event(), 0

    def decode() -> None:
        apart.recognize(sound)
        done.set()

    threading.Thread(target=decode, daemon=True).start()
    while not done.wait(0.001):
        steps += 1
    assert steps > 20
