"""Another embedder on a large memory: what was taught last is found at once, the rest soon, and nobody waits."""

import threading

import numpy as np
import pytest

from daemon.config import MemoryConfig
from daemon.memory import store
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from tests.memory.lessons_for_tests import transcript
from tests.support.fakes import WordEmbedder
from tests.support.waiting import until

LESSONS = [
    f"bring the {thing}" for thing in ("milk", "tea", "cup", "bowl", "plate", "spoon", "apple", "bread", "knife")
]


class OtherEmbedder(WordEmbedder):
    """Another vector space; may be made to wait after so many texts."""

    name = "other"

    def __init__(self, stops_after=10**9):
        self.embedded = 0
        self.go_on = threading.Event()
        self._stops_after = stops_after

    def embed(self, texts):
        if self.embedded >= self._stops_after and threading.current_thread() is not threading.main_thread():
            self.go_on.wait(60)
        self.embedded += len(texts)
        return super().embed(texts)


@pytest.fixture
def open_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "AT_ONCE", 4)
    monkeypatch.setattr(store, "BATCH", 2)
    (tmp_path / "none").mkdir()
    with Memory(tmp_path / "m.sqlite", WordEmbedder(), MemoryConfig(), tmp_path / "none") as memory:
        for text in LESSONS:
            memory.keep_lesson(transcript(text), Rule(f"about {text}"))
    return lambda embedder: Memory(tmp_path / "m.sqlite", embedder, MemoryConfig(), tmp_path / "none")


def known(memory):
    return {hit.example.instructions[0] for hit in memory.retrieve(["bring the"], k=99)}


def test_what_was_taught_last_is_there_at_once_and_the_rest_follows(open_memory):
    embedder = OtherEmbedder(stops_after=4)
    with open_memory(embedder) as memory:
        assert known(memory) == set(LESSONS[-4:])
        assert memory.to_embed == len(LESSONS) - 4
        memory.keep_lesson(transcript("open the door"), Rule("r"))
        assert "open the door" in known(memory)  # new ones do not wait behind old ones
        embedder.go_on.set()
        until(lambda: memory.to_embed == 0)
        assert known(memory) == {*LESSONS, "open the door"}


def test_a_heed_that_ends_meanwhile_goes_on_at_its_next_start(open_memory):
    embedder = OtherEmbedder(stops_after=6)
    memory = open_memory(embedder)
    until(lambda: embedder.embedded == 6)
    embedder.go_on.set()
    memory.close()
    again = OtherEmbedder()
    with open_memory(again) as memory:
        until(lambda: memory.to_embed == 0)
        assert known(memory) == set(LESSONS)
        assert again.embedded - 1 <= len(LESSONS) - 6  # beside what was asked


def test_a_lesson_that_is_merged_away_meanwhile_does_no_harm(open_memory):
    embedder = OtherEmbedder(stops_after=4)
    with open_memory(embedder) as memory:
        with memory._transaction():
            memory._database.execute("DELETE FROM example WHERE lesson_id = 1")
        embedder.go_on.set()
        until(lambda: memory.to_embed == 0)
        assert known(memory) == set(LESSONS[1:])


def test_of_a_conversation_only_what_is_new_is_embedded(open_memory):
    embedder = OtherEmbedder()
    with open_memory(embedder) as memory:
        until(lambda: memory.to_embed == 0)
        memory.retrieve(["one", "two"])
        before = embedder.embedded
        assert np.allclose([hit.score for hit in memory.retrieve(["one", "two", "two"])], 0, atol=1)
        assert embedder.embedded == before
        memory.retrieve(["two", "three"])
        assert embedder.embedded == before + 1
