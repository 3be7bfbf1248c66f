"""How a camera sees, from pictures of a printed sheet: its lens, and its mount on the robot.

One sheet serves both: a board of 24 tags, of which any part that is in view counts, at a computer's screen as well as
on paper. A chessboard, as other programs print it, will do for the lens. cv2.calibrateCamera does the arithmetic.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from camera.fit import camera_before
from camera.lens import Floats, Lens
from camera.mount import Mount
from camera.tags import Found, Picture
from camera.trouble import EyesError, package

VIEWS, LEAST_VIEWS = 15, 6
LEAST_TAGS = 6
"""Of the board in one picture; fewer say little, and may be a mistake."""
LEAST_SPREAD = 0.5
"""Share of the picture's width, and of its height, that all views together have to reach over."""
UNSURE = 0.01
"""Share of the focal length by which it, and the pixel straight ahead, may be uncertain, one standard deviation."""
WIDEST, NARROWEST = 0.2, 5.0
"""Focal lengths, in widths of the picture, beyond which no camera for a robot is; sheets that never tilt end there."""
BLURRED_RMS = 1.5
"""Pixels; a lens that was calibrated well is off by a third of one."""
MOVED = 0.06
"""Share of the picture's width by which a board has to have moved, for another view of it to tell something new."""
LARGEST_MOUNT_RESIDUAL = 2.0
"""Pixels."""


@dataclass(frozen=True)
class Board:
    """Tags in rows and columns on one sheet; x to the right, y up, the origin in the middle, metres."""

    columns: int = 4
    rows: int = 6
    size: float = 0.030
    """Of the black squares."""
    gap: float = 0.009
    first: int = 500
    """Id of the tag at the top left; the others follow row by row."""

    @property
    def ids(self) -> range:
        return range(self.first, self.first + self.columns * self.rows)

    def printed(self, size: float) -> "Board":
        """Return the board as a printer made it, from the measured side of a black square (metres; 0: as it should be).

        Raises EyesError for a side that no printer made of it.
        """
        if size == 0:
            return self
        if not 0.5 < size / self.size < 2:
            raise EyesError(f"a black square of {size * 1000:g} mm is not this board's", "measure one, in millimetres")
        return replace(self, size=size, gap=self.gap * size / self.size)

    def corners(self, id: int) -> Floats:
        """Return the corners of one tag, (4, 3), in the order of eyes.tags."""
        row, column = divmod(id - self.first, self.columns)
        step = self.size + self.gap
        left = column * step - (self.columns * step - self.gap) / 2
        top = (self.rows * step - self.gap) / 2 - row * step
        square = ((0, 0), (self.size, 0), (self.size, -self.size), (0, -self.size))
        return np.array([(left + x, top + y, 0.0) for x, y in square])


@dataclass(frozen=True)
class View:
    """One picture of a board."""

    points: Floats
    """(n, 3) metres, in the board's frame."""
    pixels: Floats
    """(n, 2)."""

    def differs(self, other: "View", width: int) -> bool:
        """Return whether the board has moved or turned since the other view."""
        corners = [each.pixels[[0, -1]] for each in (self, other)]
        return float(np.abs(corners[0] - corners[1]).max()) > MOVED * width


def board_view(found: Iterable[Found], board: Board) -> View | None:
    """Return what is seen of the board; None where that is too little."""
    tags = [tag for tag in found if tag.id in board.ids]
    if len(tags) < LEAST_TAGS:
        return None
    return View(np.vstack([board.corners(tag.id) for tag in tags]), np.vstack([tag.corners for tag in tags]))


def chessboard_view(picture: Picture, columns: int, rows: int) -> View | None:
    """Return the inner corners of a chessboard; None where it is not all in view. Sizes do not matter for a lens."""
    cv2 = package("cv2")
    well, corners = cv2.findChessboardCornersSB(picture, (columns, rows), flags=cv2.CALIB_CB_ACCURACY)
    if not well:
        return None
    points = [(column, -row, 0.0) for row in range(rows) for column in range(columns)]
    return View(np.array(points, dtype=float), np.asarray(corners, dtype=float).reshape(-1, 2))


def new_views(views: Iterable[View], width: int) -> list[View]:
    """Return the views that differ from all before them."""
    kept: list[View] = []
    for view in views:
        if all(view.differs(other, width) for other in kept):
            kept.append(view)
    return kept


def calibrate_lens(views: Sequence[View], size: tuple[int, int]) -> Lens:
    """Return the lens that explains all views best; `size` is that of the pictures.

    Raises EyesError where the views are too few, too much alike, or blurred.
    """
    if len(views) < LEAST_VIEWS:
        raise EyesError(f"{len(views)} usable pictures of the sheet are too few", f"take {VIEWS}, each from elsewhere")
    everywhere = np.vstack([view.pixels for view in views])
    if (np.ptp(everywhere, axis=0) < LEAST_SPREAD * np.array(size)).any():
        raise EyesError("the sheet was in one part of the picture only", "bring it to all corners of the picture")
    points = [view.points.astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    rms, matrix, distortion, _, _, spread, _, _ = package("cv2").calibrateCameraExtended(
        points, pixels, size, None, None
    )
    if not math.isfinite(rms) or rms > BLURRED_RMS:
        raise EyesError(f"the lens explains the pictures to {rms:.1f} pixels only", "hold the sheet still and flat")
    (fx, _, cx), (_, fy, cy) = ([float(value) for value in row] for row in matrix[:2])
    told = np.isfinite(spread[:4]).all() and NARROWEST * size[0] > fx > WIDEST * size[0]
    if not told or float(np.max(spread[:4])) > UNSURE * fx:
        raise EyesError("the focal length cannot be told from these pictures", "tilt the sheet by 30 degrees and more")
    bends = tuple(float(value) for value in np.ravel(distortion)[:5])
    return Lens(size, fx, fy, cx, cy, bends, float(rms))


def calibrate_mount(view: View, lens: Lens, at: Sequence[float]) -> tuple[Mount, float]:
    """Return where the camera sits, and the residual in pixels, from one picture of the board that lies flat.

    `at` is the board's middle in the robot frame, metres; its upper edge points away from the robot.
    Raises EyesError where nothing fits.
    """
    ahead, left, up = at
    lying = np.column_stack([ahead + view.points[:, 1], left - view.points[:, 0], np.full(len(view.points), float(up))])
    found = camera_before(lying, lens.straighten(view.pixels), lens)
    if found is None or found[1] > LARGEST_MOUNT_RESIDUAL:
        raise EyesError("no place of the camera fits this picture", "calibrate the lens first, and lay the sheet flat")
    mount, residual = found
    if mount.position[2] < up:
        raise EyesError("the camera would be below the sheet", "lay the sheet with its print upwards")
    return mount, residual
