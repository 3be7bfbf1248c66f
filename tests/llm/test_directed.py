"""The network that tells for whom words are: MiniLM's last layers, with an adapter and a head."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file

from daemon.llm.directed import DirectedSpeech
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.minilm_onnx import ADDRESSEE, build_addressee, weights_folder
from daemon.llm.model import ModelError

TEXTS = ["bring me the juice", "she never told me that they had moved, you know", "stop"]
DENSE = "encoder.layer.5.output.dense"


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def made(folder: Path, embedder: MiniLmEmbedder, learned: dict[str, NDArray[np.float32]]) -> DirectedSpeech:
    model = build_addressee(load_file(weights_folder() / "model.safetensors"), learned)
    (folder / "addressee.onnx").write_bytes(model.SerializeToString())
    return DirectedSpeech(embedder, folder)


def test_without_an_adapter_the_layers_are_those_of_the_embedding(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    chance = np.random.default_rng(0)
    one, other = chance.normal(size=(2, 384)).astype(np.float32)
    nothing = np.zeros(1, np.float32)
    odds = [made(tmp_path, embedder, {"head.weight": w, "head.bias": nothing}).odds(TEXTS) for w in (one, other)]
    rows = embedder.embed(TEXTS)  # the same means, with length 1
    np.testing.assert_allclose(odds[0] / odds[1], (rows @ one) / (rows @ other), rtol=1e-3)


def test_adapter_and_bias_change_what_is_told(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    chance = np.random.default_rng(0)
    head = {"head.weight": chance.normal(size=384).astype(np.float32), "head.bias": np.ones(1, np.float32)}
    adapter = {
        f"{DENSE}.down": chance.normal(size=(2, 1536)).astype(np.float32),
        f"{DENSE}.up": np.zeros((384, 2), np.float32),
    }
    before = made(tmp_path, embedder, head).odds(TEXTS)
    np.testing.assert_allclose(made(tmp_path, embedder, head | adapter).odds(TEXTS), before, rtol=1e-4)
    adapter[f"{DENSE}.up"] = chance.normal(size=(384, 2)).astype(np.float32)
    assert np.abs(made(tmp_path, embedder, head | adapter).odds(TEXTS) - before).max() > 0.1
    higher = head | {"head.bias": np.full(1, 3.0, np.float32)}
    np.testing.assert_allclose(made(tmp_path, embedder, higher).odds(TEXTS), before + 2.0, rtol=1e-4)


def test_set_up_makes_it_of_what_was_learned(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    shipped = made(tmp_path, embedder, dict(np.load(ADDRESSEE)))
    np.testing.assert_allclose(DirectedSpeech(embedder).odds(TEXTS), shipped.odds(TEXTS), atol=1e-3)


def test_a_sentence_does_not_depend_on_its_neighbours(embedder: MiniLmEmbedder) -> None:
    directed = DirectedSpeech(embedder)
    together = directed.odds([*TEXTS] * 20)
    assert together.shape == (60,)
    np.testing.assert_allclose(together[:3], [directed.odds([text])[0] for text in TEXTS], atol=1e-4)
    assert directed.odds([]).shape == (0,)


def test_missing_and_broken_files_say_what_to_do(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    with pytest.raises(ModelError, match="run script/setup"):
        DirectedSpeech(embedder, tmp_path)
    (tmp_path / "addressee.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="delete it"):
        DirectedSpeech(embedder, tmp_path)
