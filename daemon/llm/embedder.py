"""Sentences to vectors with MiniLM on onnxruntime; no torch in this process.

`python -m daemon.llm.embedder [FOLDER]` makes the model's files, once, at set-up.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from daemon.llm.model import ModelError

DIMENSION = 384
MAX_TOKENS = 256
"""Longer texts are cut here, as the model's own sentence_bert_config.json says."""
BATCH = 32
"""Texts per run, so that re-embedding a large memory keeps to a few MB."""
DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "models" / "minilm"


class MiniLmEmbedder:
    """all-MiniLM-L6-v2: 384 dimensions, mean over the tokens, about 7 ms for a sentence on one core.

    Raises ModelError when the model's files are missing or broken.
    """

    name = "all-MiniLM-L6-v2"
    dimension = DIMENSION

    def __init__(self, folder: Path = DEFAULT_FOLDER) -> None:
        for file in (folder / "model.onnx", folder / "tokenizer.json"):
            if not file.is_file():
                raise ModelError(f"the embedding model {file} is missing; run script/setup")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), one_thread(), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # tokenizers raises Exception itself, onnxruntime a class per status code
            raise ModelError(
                f"the embedding model in {folder} is broken ({error}); delete it, run script/setup"
            ) from error
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), 384)."""
        rows = [self._embed_batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(rows) if rows else np.zeros((0, DIMENSION), np.float32)

    def between(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return what the shared layers make of texts, shape (texts, tokens, 384), and a mask of their tokens.

        From here daemon/llm/directed.py goes another way.
        """
        inputs = self._inputs(texts)
        return self._session.run(["between"], inputs)[0], inputs["mask"]

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows: NDArray[np.float32] = self._session.run(["embedding"], self._inputs(texts))[0]
        return rows

    def _inputs(self, texts: Sequence[str]) -> dict[str, NDArray[np.int64]]:
        encoded = self._tokenizer.encode_batch(list(texts))
        return {
            "token_ids": np.array([text.ids for text in encoded], np.int64),
            "mask": np.array([text.attention_mask for text in encoded], np.int64),
        }


def one_thread() -> onnxruntime.SessionOptions:
    """Options for small networks: a second thread gains nothing on one sentence, and spins beside ear and mind."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options


def main(arguments: Sequence[str]) -> int:
    """Make the embedding model in the given folder, unless it is there and of today."""
    folder = Path(arguments[0]) if arguments else DEFAULT_FOLDER
    # Imported here since the converter needs safetensors, which only set-up has.
    from daemon.llm.minilm_onnx import is_made, make_minilm

    if is_made(folder):
        return 0
    try:
        make_minilm(folder)
    except OSError as error:
        print(f"the embedding model cannot be made: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
