"""A picture with what was found in it drawn in: tags, what carries them, and how well its place is known."""

import os
import time
from pathlib import Path

import numpy as np

from camera.look import Look
from camera.trouble import EyesError, package

GREEN, RED, ORANGE = (0, 200, 0), (0, 0, 255), (0, 120, 255)
"""Blue, green, red."""
WIDEST = 640
"""Pixels of the picture for a page."""


def drawn_look(look: Look, names: dict[int, str]) -> np.ndarray:
    """Return the picture of a look in colour; `names` has what carries a tag, by its id."""
    cv2 = package("cv2")
    picture = cv2.cvtColor(look.frame.picture, cv2.COLOR_GRAY2BGR)
    sigmas = {thing.name: thing.sigma for thing in look.things}
    for tag in look.found:
        corners = np.round(tag.corners).astype(np.int32)
        cv2.polylines(picture, [corners], isClosed=True, color=GREEN, thickness=2)
        cv2.circle(picture, [int(value) for value in corners[0]], 4, RED, -1)  # its top left
        at = [int(value) for value in corners.max(axis=0)]
        _write(picture, _label(tag.id, names.get(tag.id, ""), sigmas), at)
    for box in look.boxes:
        left, top = round(box.left), round(box.top)
        cv2.rectangle(picture, (left, top), (round(box.right), round(box.bottom)), GREEN, 2)
        _write(picture, f"{box.name} {box.confidence:.2f}", [left, top - 6])
    taken = time.strftime("%H:%M:%S", time.localtime(look.frame.at))
    _write(picture, f"{taken}  {look.trouble}", [10, 30])
    return np.asarray(picture)


def cropped(look: Look, names: dict[int, str], thing: str) -> np.ndarray | None:
    """Return the part of a picture where a thing is, in colour, as it was taken; None where it was not found.

    `thing` is a name, or "tag 17". Around tags it is three times as wide and high as they are together, for a tag is
    smaller than what carries it; of what a detector found, it is the box.
    """
    corners = [tag.corners for tag in look.found if thing in (names.get(tag.id), f"tag {tag.id}")]
    if corners:
        low, high = np.concatenate(corners).min(axis=0), np.concatenate(corners).max(axis=0)
        (left, top), (right, bottom) = low - (high - low), high + (high - low)
    elif box := next((box for box in look.boxes if box.name == thing), None):
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
    else:
        return None
    part = slice(max(round(top), 0), max(round(bottom), 0)), slice(max(round(left), 0), max(round(right), 0))
    cut = np.asarray(look.frame.coloured[part])
    return cut if cut.size else None


def write_look(look: Look, names: dict[int, str], file: Path, widest: int = 10_000) -> None:
    """Write it as a PNG, at most so many pixels wide. Raises EyesError where it cannot be written."""
    write_picture(drawn_look(look, names), file, widest)


def write_picture(picture: np.ndarray, file: Path, widest: int = 10_000) -> None:
    """Write a picture as a PNG, at most so many pixels wide; whoever reads gets the old one or the new one.

    Raises EyesError where it cannot be written.
    """
    cv2 = package("cv2")
    if (scale := widest / picture.shape[1]) < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fresh = file.with_name(f".{file.name}")
    try:
        fresh.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        os.replace(fresh, file)
    except OSError as error:
        raise EyesError(f"{file} cannot be written", "name a .png in a folder that is there") from error


def _label(id: int, name: str, sigmas: dict[str, float]) -> str:
    known = f" +-{sigmas[name] * 1000:.0f} mm" if name in sigmas else ""
    return f"{id} {name}{known}" if name else str(id)


def _write(picture: np.ndarray, text: str, at: list[int]) -> None:
    cv2 = package("cv2")
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ORANGE, 2)
