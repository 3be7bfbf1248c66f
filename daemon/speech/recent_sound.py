"""The last seconds of a stream of sound, from which what was said is cut."""

from collections import deque

import numpy as np
from numpy.typing import NDArray


class RecentSound:
    """The last so many samples of a stream, addressed by their number since its beginning."""

    def __init__(self, kept: int) -> None:
        self._blocks: deque[NDArray[np.int16]] = deque()
        self._kept = kept
        self._begin = 0
        self.end = 0
        """Number of the next sample."""

    def add(self, block: NDArray[np.int16]) -> None:
        self._blocks.append(block)
        self.end += len(block)
        while self.end - self._begin - len(self._blocks[0]) >= self._kept:
            self._begin += len(self._blocks.popleft())

    def cut(self, begin: int, end: int) -> NDArray[np.int16]:
        """Samples from `begin` to before `end`, as far as they are still there."""
        sound = np.concatenate([np.zeros(0, np.int16), *self._blocks])
        return sound[max(0, begin - self._begin) : max(0, end - self._begin)]
