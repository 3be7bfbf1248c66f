"""Tags: finds AprilTags (family 36h11) in pictures, and draws them. Everything about corner order stands here.

The corners of a tag are those of its black square, as seen when it stands upright as it is drawn here: top left, top
right, bottom right, bottom left. libapriltag orders them otherwise, and cv2's drawing of the same tags was turned by
180 degrees in some versions; so both finding and drawing come from libapriltag, and a test holds one against the other.
"""

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camera.lens import Floats
from camera.trouble import EyesError, package

Picture = NDArray[np.uint8]
"""Grey, (height, width)."""

FAMILY = "tag36h11"
TAGS = 587
"""Of that family: 0 to 586."""
CELLS = 8
"""Of the black square's side; the white margin around it is one cell wide."""
MOST_WRONG_BITS = 1
LEAST_MARGIN = 25.0
"""Of the detector's decision margin: no tag was found above 20 in some 4,000 pictures without tags."""
DECIMATE = 1.5
"""With 2 the same drawn tags of 30 mm were found in 84 of 100 cases, in 44 ms; with 1.5 in 98, in 59 ms; with 1 in all,
in 183 ms."""
_UPRIGHT = [3, 2, 1, 0]
"""libapriltag's corners in our order: it begins at the bottom left of a tag as it is drawn here, and goes on to the
bottom right."""


@dataclass(frozen=True)
class Found:
    """One tag in a picture."""

    id: int
    corners: Floats
    """(4, 2) pixels: top left, top right, bottom right, bottom left of the upright tag."""
    margin: float
    """How sure the detector is; above LEAST_MARGIN."""

    @property
    def side(self) -> float:
        """Pixels of its shortest side."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, -1, axis=0), axis=1).min())


class TagDetector:
    """Finds tags. One per process, and for good: libapriltag's own clean-up is known to crash (decisions/camera.md)."""

    def __init__(self, decimate: float = DECIMATE) -> None:
        """`decimate` shrinks the picture while squares are searched; 1.0 finds the smallest.

        Raises MissingError without pyapriltags.
        """
        self._detector = _detector()
        self._decimate = decimate

    def find(self, picture: Picture) -> list[Found]:
        """Return the tags of a picture, by id. A tag that is there twice comes once, the surer one."""
        self._detector.tag_detector_ptr.contents.quad_decimate = self._decimate
        surest: dict[int, Found] = {}
        for each in self._detector.detect(np.ascontiguousarray(picture)):
            if each.hamming > MOST_WRONG_BITS or each.decision_margin < LEAST_MARGIN:
                continue
            corners = np.array(each.corners[_UPRIGHT], dtype=float) - 0.5  # libapriltag counts from a pixel's corner
            found = Found(int(each.tag_id), corners, float(each.decision_margin))
            if found.id not in surest or surest[found.id].margin < found.margin:
                surest[found.id] = found
        return [surest[id] for id in sorted(surest)]


def drawn(id: int) -> Picture:
    """Return a tag with its white margin, one pixel per cell, (10, 10), 0 or 255; top row first.

    Raises EyesError for an id that the family does not have, MissingError without pyapriltags.
    """
    if not 0 <= id < TAGS:
        raise EyesError(f"there is no tag {id}", f"tags of {FAMILY} have the ids 0 to {TAGS - 1}")
    family = _detector().tag_families[FAMILY].contents
    picture = np.zeros((CELLS + 2, CELLS + 2), dtype=np.uint8)
    picture[[0, -1], :] = picture[:, [0, -1]] = 255
    code, border = int(family.codes[id]), (family.total_width - family.width_at_border) // 2
    for bit in range(family.nbits):
        if code >> (family.nbits - bit - 1) & 1:
            picture[_at(family.bit_y, bit) + border, _at(family.bit_x, bit) + border] = 255
    return picture


def _at(numbers: Any, index: int) -> int:
    return int(ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int32))[index])


@cache
def _detector() -> Any:
    kept = type("KeptDetector", (package("pyapriltags").Detector,), {"__del__": lambda self: None})
    detector = kept(families=FAMILY, nthreads=1)
    detector.tag_detector_ptr.contents.decode_sharpening = 0.25  # pyapriltags makes a whole number of it: 0
    return detector
