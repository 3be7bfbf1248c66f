"""Texts that are nearest in meaning to what was said."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from daemon.memory import nearness
from daemon.memory.nearness import Nearness
from tests.support.fakes import WordEmbedder


class Counted(WordEmbedder):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed(texts)


def test_the_nearest_come_first_and_each_text_is_embedded_once() -> None:
    embedder = Counted()
    near = Nearness(embedder)
    texts = ["red cup", "bread knife", "red bread box"]
    assert near.order("the bread knife please", texts) == [1, 2, 0]
    assert near.order("a cup", texts)[0] == 0
    assert sorted(embedder.asked) == sorted([*texts, "the bread knife please", "a cup"])
    assert near.order("anything", []) == []


def test_what_is_kept_has_an_end(monkeypatch) -> None:
    monkeypatch.setattr(nearness, "KEPT", 3)
    embedder = Counted()
    near = Nearness(embedder)
    for texts in (["a", "b"], ["c", "d"], ["c", "e"]):
        assert len(near.order("a", texts)) == 2
    assert embedder.asked.count("c") == 1
