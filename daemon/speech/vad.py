"""Is this a voice? The Silero network. Where speech begins and ends is decided in ear_core.py."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RATE = 16000
"""Hertz. Everything between microphone and recogniser runs at this rate."""
BLOCK = 512
"""Samples (32 ms): what the network judges at a time."""

_CONTEXT = 64
"""Samples of the block before that the network wants to see again."""


_QUIET, _QUIET_BLOCKS = 0.35, 32
"""Below this probability a block is quiet; after so many of them (1 s) the network begins anew."""


class SpeechProbability:
    """The Silero VAD, version 6, as it lies in the faster-whisper wheel (MIT); keeps its state from block to block.

    In quiet the state drifts: after 14 s of it 2 of 20 recorded commands were not noticed at all, and 7 others up to
    1.2 s late, with their first word lost. So it forgets the quiet every second; then all begin where they do at once.
    """

    def __init__(self) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._network = onnxruntime.InferenceSession(
            str(_network_file()), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._h = self._c = np.zeros((1, 1, 128), np.float32)
        self._context = np.zeros(_CONTEXT, np.float32)
        self._quiet = 0

    def __call__(self, block: NDArray[np.int16]) -> float:
        """Probability, 0 to 1, that someone speaks in the next `BLOCK` samples."""
        if self._quiet >= _QUIET_BLOCKS:
            self.reset()
        samples = block.astype(np.float32) / 32768.0
        seen = np.concatenate([self._context, samples])[None, :]
        probability, self._h, self._c = self._network.run(None, {"input": seen, "h": self._h, "c": self._c})
        self._context = samples[-_CONTEXT:]
        self._quiet = self._quiet + 1 if probability.item() < _QUIET else 0
        return float(probability.item())

    def reset(self) -> None:
        """Forget what was heard, for example after a gap in the sound."""
        self._h = self._c = np.zeros((1, 1, 128), np.float32)
        self._context = np.zeros(_CONTEXT, np.float32)
        self._quiet = 0


def _network_file() -> Path:
    package = find_spec("faster_whisper")  # not imported: that takes a second
    if package is None or package.origin is None:
        raise RuntimeError("faster-whisper is not installed, and the voice detector lies in it: make setup")
    return Path(package.origin).parent / "assets" / "silero_vad_v6.onnx"


@dataclass(frozen=True)
class Segment:
    """A stretch of speech, as sample numbers counted from the first sample that was fed."""

    start: int
    """With the pre-roll, in which a soft beginning may hide; never inside the segment before."""
    speech_start: int
    """First block that counted as speech."""
    speech_end: int
    """End of the last block that counted as speech."""
    end: int
    """Where the decision fell: after the silence that ends a turn, or at the longest length."""

    def around(self, lead: int, trail: int) -> tuple[int, int]:
        """Begin and end of the speech with so many samples before and after it, as far as they are there."""
        return max(self.start, self.speech_start - lead), min(self.end, self.speech_end + trail)
