"""What words on packages are on: a thing that is seen besides, or about where they are. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from camera.boxes import Box, Point, beam
from camera.lens import Floats, Lens
from camera.mount import Mount
from camera.observation import Observation

BESIDE = 0.06
"""Metres by which a word may pass the upright axis of a thing that it is on."""
ALONG = 0.25
"""Metres above and below the point where a thing is taken, within which it has words on it."""
HIGH, HIGH_SPREAD = 0.07, 0.04
"""Metres above what a thing stands on at which words are on it."""


@dataclass(frozen=True)
class Label:
    """Words on something."""

    text: str
    confidence: float
    on: str = ""
    """The thing that is seen there; "" where nothing else tells of one."""
    position: Point | None = None
    """Where the words are, metres, robot frame; None where that is not known."""
    sigma: float = 0.0

    def message(self) -> dict[str, Any]:
        """Return it as eyes.sock takes it (docs/eyes.md)."""
        told: dict[str, Any] = {"text": self.text, "confidence": self.confidence}
        if self.on:
            return told | {"on": self.on}
        return told if self.position is None else told | {"position": list(self.position), "sigma": self.sigma}


def placed_labels(
    words: Iterable[Box], things: Sequence[Observation], lens: Lens, mount: Mount, surface: float | None
) -> list[Label]:
    """Say of each word what it is on; `surface` is how high things stand there, metres."""
    return [_placed(word, things, beam(word.middle, lens, mount), np.array(mount.position), surface) for word in words]


def _placed(word: Box, things: Sequence[Observation], along: Floats, eye: Floats, surface: float | None) -> Label:
    near = min(((_passes(along, eye, thing), thing.name) for thing in things), default=None)
    if near and near[0] <= BESIDE:
        return Label(word.name, word.confidence, near[1])
    if surface is None or along[2] > -1e-3:
        return Label(word.name, word.confidence)
    at, higher = (eye + (surface + z - eye[2]) / along[2] * along for z in (HIGH, HIGH + HIGH_SPREAD))
    x, y, z = (float(value) for value in at)
    return Label(word.name, word.confidence, "", (x, y, z), float(np.linalg.norm(higher - at)))


def _passes(along: Floats, eye: Floats, thing: Observation) -> float:
    """Return by how many metres a beam passes the upright axis of a thing, where it passes at its height."""
    level = along[:2]
    to_axis = np.array(thing.position[:2]) - eye[:2]
    reach = float(level @ to_axis) / max(float(level @ level), 1e-9)
    height = eye[2] + reach * along[2]
    if reach <= 0 or abs(height - thing.position[2]) > ALONG:
        return float("inf")
    return float(np.linalg.norm(reach * level - to_axis))
