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
                str(folder / "model.onnx"), _one_thread(), providers=["CPUExecutionProvider"]
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

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch(list(texts))
        inputs = {
            "token_ids": np.array([text.ids for text in encoded], np.int64),
            "mask": np.array([text.attention_mask for text in encoded], np.int64),
        }
        rows: NDArray[np.float32] = self._session.run(["embedding"], inputs)[0]
        return rows


def _one_thread() -> onnxruntime.SessionOptions:
    """A second thread gains nothing on one sentence, and spins beside the ear and the language model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options


def main(arguments: Sequence[str]) -> int:
    """Make the embedding model in the given folder, unless it is there."""
    folder = Path(arguments[0]) if arguments else DEFAULT_FOLDER
    if (folder / "model.onnx").is_file():
        return 0
    # Imported here since the converter needs safetensors, which only set-up has.
    from daemon.llm.minilm_onnx import make_minilm

    try:
        make_minilm(folder)
    except OSError as error:
        print(f"the embedding model cannot be made: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
