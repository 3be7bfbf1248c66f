"""Any sentence-transformers model as the embedder, in a process of its own: torch takes ten seconds and 500 MB.

The process is `python -m daemon.llm.torch_embedder NAME`. It reads a JSON list of texts per line, and answers with a
line that tells how many bytes of little-endian 32-bit floats follow, one row per text; its first answer, to no
request, is the number of dimensions. It ends when its input does.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, LlmConfig
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder, ModelError

MINILM = "minilm"
KIND = "sentence-transformers:"
ROOT = Path(__file__).resolve().parents[2]


def open_embedder(config: LlmConfig) -> Embedder:
    """The embedder that the settings name. Raises ConfigError for none, ModelError for one that does not work."""
    if config.embedder == MINILM:
        return MiniLmEmbedder()
    if config.embedder.startswith(KIND):
        return TorchEmbedder(config.embedder.removeprefix(KIND))
    raise ConfigError(f'embedder = "{config.embedder}" is neither "{MINILM}" nor "{KIND}NAME"')


class TorchEmbedder:
    """An Embedder. `model` is a folder, or a name that sentence-transformers finds in its cache: nothing is fetched.

    A process that died is started again at the next call. Raises ModelError when it cannot be.
    """

    def __init__(self, model: str) -> None:
        self.name = f"{KIND}{model}"
        self._model = model
        self._lock = threading.Lock()
        self._process, self.dimension = self._start()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), dimension)."""
        with self._lock:
            if self._process.poll() is not None:
                self._process, _ = self._start()
            try:
                return self._ask(texts)
            except (OSError, ValueError) as error:
                self._process.kill()
                raise ModelError(f"the embedding model {self.name} does not answer ({error})") from error

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(list(texts)).encode() + b"\n")
        self._process.stdin.flush()
        size = int(self._process.stdout.readline())
        content = self._process.stdout.read(size)
        return np.frombuffer(content, "<f4").reshape(len(texts), self.dimension).astype(np.float32)

    def _start(self) -> "tuple[subprocess.Popen[bytes], int]":
        process = subprocess.Popen(
            [sys.executable, "-m", "daemon.llm.torch_embedder", self._model],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"},
        )
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        if first:
            threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
            return process, int(first)
        reason = (process.stderr.read().decode("utf-8", "replace").strip().splitlines() or ["it ended"])[-1]
        process.wait()
        raise ModelError(f"the embedding model {self.name} cannot be used: {reason}")


def _drain(errors: BinaryIO) -> None:
    """Read what libraries complain about, so that they never wait for a reader."""
    with contextlib.suppress(ValueError):
        while errors.read(4096):
            pass


def main(arguments: Sequence[str]) -> None:
    """The process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the answers
    sys.stdout = sys.stderr  # nor, kept back until the end, after the reason why it ended
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        sys.exit("the package sentence-transformers is missing; run: .venv/bin/uv pip install sentence-transformers")
    model: Any = SentenceTransformer(arguments[0])
    answers.write(b"%d\n" % model.get_sentence_embedding_dimension())
    answers.flush()
    for line in sys.stdin.buffer:
        rows = np.asarray(model.encode(json.loads(line), normalize_embeddings=True), "<f4")
        answers.write(b"%d\n" % rows.nbytes + rows.tobytes())
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
