"""Another embedding model in its own process; the library is a small one of the same name, written here."""

import os
import signal

import numpy as np
import pytest

from daemon.config import ConfigError, LlmConfig
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import ModelError
from daemon.llm.torch_embedder import TorchEmbedder, open_embedder

LIBRARY = """
import numpy
print("a library that talks")
class SentenceTransformer:
    def __init__(self, name):
        if name == "missing":
            raise OSError("there is no model missing here")
    def get_sentence_embedding_dimension(self):
        return 5
    def encode(self, texts, normalize_embeddings):
        rows = numpy.array([[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts])
        return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    (tmp_path / "sentence_transformers.py").write_text(LIBRARY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.fixture
def embedder(library):
    embedder = open_embedder(LlmConfig(embedder="sentence-transformers:vowels"))
    yield embedder
    embedder.close()


def test_each_text_gets_a_row_of_length_one(embedder):
    rows = embedder.embed(["aaa", "don't 🤖\n", "ooo"])
    assert (embedder.name, embedder.dimension, rows.shape) == ("sentence-transformers:vowels", 5, (3, 5))
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0].argmax() == 0
    assert rows[2].argmax() == 3


def test_torch_never_comes_into_this_process(embedder):
    import sys

    embedder.embed(["a"])
    assert "sentence_transformers" not in sys.modules


def test_a_process_that_died_is_started_again(embedder):
    os.kill(embedder._process.pid, signal.SIGKILL)
    embedder._process.wait()
    assert embedder.embed(["aaa"]).shape == (1, 5)


def test_a_model_that_is_not_there_says_so(library):
    with pytest.raises(ModelError, match="there is no model missing here"):
        TorchEmbedder("missing")


def test_without_the_library_one_is_told_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "sentence_transformers.py").write_text("raise ImportError('not installed')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ModelError, match="uv pip install sentence-transformers"):
        TorchEmbedder("any")


def test_the_usual_one_needs_nothing():
    assert isinstance(open_embedder(LlmConfig()), MiniLmEmbedder)
    with pytest.raises(ConfigError, match=r"neither .minilm. nor"):
        open_embedder(LlmConfig(embedder="word2vec"))
