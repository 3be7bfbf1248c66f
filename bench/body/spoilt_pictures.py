"""What goes wrong before and in a camera, done to a picture."""

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from camera.tags import Picture

COVERED, GRAIN = 70, 4
"""Grey of a hand before the lens, and the noise on it."""


def dark(picture: Picture) -> Picture:
    """Return it with a thirtieth of the light."""
    return np.asarray(picture * 0.03, dtype=np.uint8)


def glare(picture: Picture) -> Picture:
    """Return it with a lamp into the lens."""
    return np.asarray(np.clip(picture.astype(float) * 4 + 200, 0, 255), dtype=np.uint8)


def covered(picture: Picture) -> Picture:
    """Return what a hand before the lens leaves: one grey, and noise."""
    grain = np.random.default_rng().normal(COVERED, GRAIN, picture.shape)
    return np.asarray(grain.clip(0, 255), dtype=np.uint8)


def blurred(picture: Picture) -> Picture:
    """Return it far out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 12), dtype=np.uint8)


SPOILT: Mapping[str, Callable[[Picture], Picture]] = {
    "dark": dark,
    "glare": glare,
    "covered": covered,
    "blurred": blurred,
}
