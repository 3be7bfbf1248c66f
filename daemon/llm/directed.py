"""Said to a robot, or between people? Device-directed speech detection on onnxruntime.

MiniLM's last two layers were taught this beside what they do for embeddings (`python -m training.addressee`); the
layers before are the same for both. About 10 ms for a sentence on one core.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from daemon.llm.embedder import BATCH, DEFAULT_FOLDER, MiniLmEmbedder, one_thread
from daemon.llm.model import ModelError


class DirectedSpeech:
    """Tells how likely sentences are said to a robot. Raises ModelError where its file is missing or broken."""

    def __init__(self, embedder: MiniLmEmbedder, folder: Path = DEFAULT_FOLDER) -> None:
        file = folder / "addressee.onnx"
        if not file.is_file():
            raise ModelError(f"the model {file} is missing; run script/setup")
        self._embedder = embedder
        try:
            self._session = onnxruntime.InferenceSession(str(file), one_thread(), providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has a class per status code
            raise ModelError(f"the model {file} is broken ({error}); delete it, run script/setup") from error

    def odds(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Return the logarithmic odds of each, written as recognisers write them: shape (len(sentences),)."""
        told = [self._odds(sentences[start : start + BATCH]) for start in range(0, len(sentences), BATCH)]
        return np.concatenate(told) if told else np.zeros(0, np.float32)

    def _odds(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        hidden, mask = self._embedder.between(sentences)
        told: NDArray[np.float32] = self._session.run(["odds"], {"between": hidden, "mask": mask})[0]
        return told
