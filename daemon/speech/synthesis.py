"""Words into sound, one sentence at a time: what is asked of a voice, and what it gives."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Sound = tuple[NDArray[np.int16], int]
"""Mono samples and their rate in Hertz."""


class SynthesisError(RuntimeError):
    """A sentence cannot be spoken; the message says what to do next."""


class Synthesizer(Protocol):
    """Knows nothing of loudspeakers."""

    @property
    def name(self) -> str: ...

    def synthesize(self, sentence: str) -> Sound:
        """The sound of one sentence; no samples where there is nothing to say. Raises SynthesisError."""
        ...

    def close(self) -> None: ...
