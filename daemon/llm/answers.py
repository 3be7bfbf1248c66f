"""A yes, a no, or more than that? What people answer where heed asks whether to go on, read by MiniLM on onnxruntime.

Its last two layers were taught this (`python -m training.answers`) with answers that strangers wrote: people seldom say
yes in so many words. About 10 ms for an answer on one core.
"""

from enum import Enum
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from daemon.llm.embedder import DEFAULT_FOLDER, MAX_TOKENS, one_thread
from daemon.llm.model import ModelError


class Meaning(Enum):
    """What an answer means; the value is its place in what the network tells."""

    YES = 0
    """Go on, exactly as asked."""
    NO = 1
    """Do not, and nothing else instead."""
    MORE = 2
    """Something is changed, added or asked back, or something else is wanted."""


class Answers:
    """Reads answers. Raises ModelError where its files are missing or broken."""

    def __init__(self, folder: Path = DEFAULT_FOLDER) -> None:
        file = folder / "answers.onnx"
        if not file.is_file():
            raise ModelError(f"the model {file} is missing; run script/setup")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(str(file), one_thread(), providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers raises Exception itself, onnxruntime a class per status code
            raise ModelError(f"the model {file} is broken ({error}); delete it, run script/setup") from error
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self.means = lru_cache(maxsize=8)(self._means)

    def _means(self, answer: str) -> tuple[Meaning, float]:
        """Return what an answer means, in small letters and without punctuation, and how likely: from 0 to 1."""
        ids = np.array([self._tokenizer.encode(answer).ids], np.int64)
        told: NDArray[np.float32] = self._session.run(["meanings"], {"token_ids": ids, "mask": np.ones_like(ids)})[0][0]
        chances = np.exp(told - told.max())
        likeliest = int(chances.argmax())
        return Meaning(likeliest), float(chances[likeliest] / chances.sum())
