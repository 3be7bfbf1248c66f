"""The network that reads answers: MiniLM, whose last layers have an adapter and a head."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file

from daemon.llm.answers import Answers, Meaning
from daemon.llm.embedder import DEFAULT_FOLDER, MiniLmEmbedder
from daemon.llm.minilm_onnx import build_answers, weights_folder
from daemon.llm.model import ModelError

TEXTS = ["yes please", "leave it", "bring me the juice"]


def made(folder: Path, learned: dict[str, NDArray[np.float32]]) -> Answers:
    model = build_answers(load_file(weights_folder() / "model.safetensors"), learned)
    (folder / "answers.onnx").write_bytes(model.SerializeToString())
    (folder / "tokenizer.json").write_bytes((DEFAULT_FOLDER / "tokenizer.json").read_bytes())
    return Answers(folder)


def test_without_an_adapter_the_head_reads_the_embedding(tmp_path: Path) -> None:
    head = np.random.default_rng(0).normal(size=(3, 384)).astype(np.float32)
    answers = made(tmp_path, {"head.weight": head, "head.bias": np.zeros(3, np.float32)})
    towards = MiniLmEmbedder().embed(TEXTS) @ head.T  # of the same means, with length 1
    assert [answers.means(text)[0].value for text in TEXTS] == towards.argmax(axis=1).tolist()


def test_how_sure_it_is_comes_from_the_odds(tmp_path: Path) -> None:
    learned = {"head.weight": np.zeros((3, 384), np.float32), "head.bias": np.log(np.float32([0.2, 0.7, 0.1]))}
    assert made(tmp_path, learned).means("whatever") == (Meaning.NO, pytest.approx(0.7))


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [("yes", Meaning.YES), ("no", Meaning.NO), ("bring me the juice", Meaning.MORE), ("yes and a spoon", Meaning.MORE)],
)
def test_what_ships_reads_what_is_plain(answer: str, meaning: Meaning) -> None:
    assert Answers().means(answer)[0] is meaning


def test_missing_and_broken_files_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="run script/setup"):
        Answers(tmp_path)
    (tmp_path / "answers.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="delete it"):
        Answers(tmp_path)
