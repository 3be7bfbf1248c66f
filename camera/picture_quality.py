"""What is wrong with a picture: too dark, too bright, covered, blurred, or always the same one."""

import zlib
from collections import deque

import numpy as np

from camera.tags import Picture

DARK, BRIGHT = 25.0, 230.0
"""Of the mean grey, 0 to 255."""
DAZZLED = 0.3
"""Share of pixels at the very top: a window in the picture is usual, a lamp into the lens is not."""
FLAT = 4.0
"""Grey by which blocks of a picture differ, one standard deviation; less is a hand or a cap before the lens."""
SOFT = 0.12
"""Of the whole contrast that the steepest edges reach within two pixels; a sharp one reaches half of it."""
BLOCK = 32
"""Pixels of a block's side: the noise of a sensor does not show in its mean."""
SAME = 4
"""Pictures in a row whose every bit is the same: a sensor's noise never repeats, so that the camera has frozen."""

DARK_WORDS = "it is too dark to see"
BRIGHT_WORDS = "I am dazzled"
COVERED_WORDS = "something covers the camera"
BLURRED_WORDS = "the picture is blurred"
FROZEN_WORDS = "the camera shows the same picture again and again"


def trouble_of(picture: Picture) -> str:
    """Return in words why nothing can be seen in this picture; "" where it is fine."""
    mean = float(picture.mean())
    if mean < DARK:
        return DARK_WORDS
    if mean > BRIGHT or float((picture >= 254).mean()) > DAZZLED:
        return BRIGHT_WORDS
    return COVERED_WORDS if _blocks(picture).std() < FLAT else ""


def is_blurred(picture: Picture) -> bool:
    """Return whether no edge of the picture is sharp. Of a picture in which tags were found that need not be asked."""
    halved = _mean_of_blocks(picture, 2)
    contrast = float(np.subtract(*np.percentile(halved, (99, 1))))
    steps = np.abs(halved[:, 1:] - halved[:, :-1])
    return contrast > 0 and float(np.percentile(steps, 99.9)) / contrast < SOFT


class FrozenWatch:
    """Notices a camera that gives one picture again and again."""

    def __init__(self) -> None:
        self._last: deque[int] = deque(maxlen=SAME)

    def is_frozen(self, picture: Picture) -> bool:
        """Take in the next picture, and return whether it and those before it are one."""
        self._last.append(zlib.crc32(picture.tobytes()))
        return len(self._last) == SAME and len(set(self._last)) == 1


def _blocks(picture: Picture) -> np.ndarray:
    return _mean_of_blocks(picture, min(BLOCK, *picture.shape))


def _mean_of_blocks(picture: Picture, side: int) -> np.ndarray:
    height, width = (length // side * side for length in picture.shape)
    blocks = picture[:height, :width].reshape(height // side, side, width // side, side)
    return np.asarray(blocks.mean(axis=(1, 3)))
