"""The embedding model is made from the weights in a package, and means what its authors say it means."""

import numpy as np
import pytest

from daemon.llm.embedder import MiniLmEmbedder, main
from daemon.llm.model import ModelError
from tests.support.fakes import WordEmbedder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "minilm"
    assert main([str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def embedder(folder):
    return MiniLmEmbedder(folder)


def test_cosines_are_those_that_the_model_s_authors_publish(embedder):
    # The example at https://sbert.net/docs/quickstart.html, computed there with sentence-transformers.
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    rows = embedder.embed(texts)
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(rows @ rows.T, published, atol=1e-4)


def test_requests_for_the_same_thing_are_nearer_than_others(embedder):
    asked, again, other = embedder.embed(
        ["bring me the juice", "can you get me some juice please", "drive to the kitchen"]
    )
    assert asked @ again > 0.6
    assert asked @ other < 0.4


def test_rows_have_length_one_and_do_not_depend_on_their_neighbours(embedder):
    texts = ["stop", "bring me the juice, and then the cup that stands on the counter", "", "don't 🤖"]
    together = embedder.embed(texts)
    assert together.shape == (4, 384)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_many_texts_and_none_are_both_answered(embedder):
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.embed(["cup"] * 70).shape == (70, 384)


def test_a_text_is_read_as_far_as_256_tokens(embedder):
    long, longer = embedder.embed(["cup " * 254, "cup " * 5000])
    np.testing.assert_allclose(long, longer, atol=1e-6)


def test_making_the_model_again_leaves_it_alone(folder):
    before = (folder / "model.onnx").stat()
    assert main([str(folder)]) == 0
    assert (folder / "model.onnx").stat().st_ino == before.st_ino


def test_missing_and_broken_files_say_what_to_do(folder, tmp_path):
    with pytest.raises(ModelError, match="run script/setup"):
        MiniLmEmbedder(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    (tmp_path / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:1000])
    with pytest.raises(ModelError, match="delete it"):
        MiniLmEmbedder(tmp_path)


def test_the_fake_embedder_finds_shared_words():
    asked, again, other = WordEmbedder().embed(["bring the juice", "the juice bring", "open fridge"])
    assert asked @ again == pytest.approx(1)
    assert asked @ other == pytest.approx(0)
