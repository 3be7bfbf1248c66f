"""What things look like, as vectors, so that the lesson of a thing that looks alike is found (DROC: Zha et al. 2024).

With an image encoder in ONNX form (DINOv2, the image half of CLIP) its features; else a small descriptor of our own
that goes by shape, and by colour only where shapes are the same. Knows nothing of lessons.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Height x width x 3, RGB; the thing fills most of it."""
Vector = NDArray[np.float32]
GRID = 12
"""Cells per side of the outline and of what stands out within it."""
APART = 24
"""Steps of 255 by which one colour stands out from another, beyond noise."""
COLOUR = 0.15
"""Weight of colour beside shape: of two red drawers the one with the same handle is meant, not the redder one."""
SPECKS = 0.03
"""Share of a row or column below which what stands out is noise."""


class ImageEncoder(Protocol):
    """Images to vectors in which likeness is the cosine."""

    name: str

    def encode(self, image: Image) -> Vector:
        """One L2-normalised vector."""
        ...


class ShapeAndColour:
    """The embedded descriptor: a thing's outline, what stands out within it, and a little of its colour."""

    name = "shape-and-colour"

    def encode(self, image: Image) -> Vector:
        """Outline and details (GRID x GRID each), and colour (3), weighed; L2-normalised."""
        thing, outline = _cropped(image)
        colour = np.median(thing[outline], axis=0) if outline.any() else np.full(3, 127.5)
        details = outline & (np.abs(thing - colour).max(axis=2) > APART)
        parts = [_normalised(_coarse(part) - _coarse(part).mean()) for part in (outline, details)]
        return _normalised(np.concatenate([*parts, COLOUR * _normalised(colour - 127.5)]))


class OnnxEncoder:
    """An image encoder in a file: one input of shape (batch, 3, side, side), as DINOv2 and CLIP have it."""

    def __init__(self, file: Path) -> None:
        """Raises ValueError for a file that is no image encoder."""
        import onnxruntime

        self.name = file.stem
        try:
            self._session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ValueError(f"{file} cannot be loaded: {error}") from error
        first, *others = self._session.get_inputs()
        if others or len(first.shape) != 4 or first.shape[1] != 3:
            raise ValueError(f"{file} is no image encoder: it wants {[i.shape for i in self._session.get_inputs()]}")
        self._input = first.name
        self._side = first.shape[2] if isinstance(first.shape[2], int) else 224

    def encode(self, image: Image) -> Vector:
        """The class token, or the pooled embedding; L2-normalised."""
        mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # of ImageNet
        pixels = (_resized(image, self._side) / 255 - mean) / deviation
        batch = np.ascontiguousarray(pixels.transpose(2, 0, 1)[None], np.float32)
        output: Any = np.asarray(self._session.run(None, {self._input: batch})[0])
        return _normalised(output[0, 0] if output.ndim == 3 else output[0].ravel())


def open_encoder(models: Path) -> ImageEncoder:
    """The first *.onnx image encoder in models/vision/, else the embedded descriptor. Raises ValueError.

    A model with a toml beside it is a detector (camera/detector_description.py).
    """
    files = sorted(file for file in (models / "vision").glob("*.onnx") if not file.with_suffix(".toml").exists())
    return OnnxEncoder(files[0]) if files else ShapeAndColour()


def most_alike(look: Vector, known: Sequence[Vector]) -> int:
    """Return which of the known looks is nearest. Raises ValueError for none."""
    if not len(known):
        raise ValueError("nothing is known that it could look like")
    return int(np.argmax(np.stack(known) @ look))


def _cropped(image: Image) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The part that differs from the background, which is what stands along the border; and where it does."""
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    apart = np.abs(image.astype(float) - np.median(border, axis=0)).max(axis=2) > APART
    if not apart.any():
        return image.astype(float), apart
    rows, columns = np.flatnonzero(apart.mean(axis=1) > SPECKS), np.flatnonzero(apart.mean(axis=0) > SPECKS)
    if not len(rows) or not len(columns):
        return image.astype(float), apart
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return image[box].astype(float), apart[box]


def _coarse(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how much of each cell is set, GRID x GRID, flat."""
    fine = _resized(mask, 4 * GRID)
    return fine.reshape(GRID, 4, GRID, 4).mean(axis=(1, 3)).ravel()


def _resized(image: NDArray[Any], side: int) -> NDArray[np.float64]:
    """side x side pixels, the nearest of the image's own."""
    rows = (np.arange(side) + 0.5) * image.shape[0] / side
    columns = (np.arange(side) + 0.5) * image.shape[1] / side
    return image[rows.astype(int)][:, columns.astype(int)].astype(float)


def _normalised(vector: NDArray[Any]) -> Vector:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)
