"""Least squares by Gauss-Newton, of pixels that corners miss. Pure."""

import math
from collections.abc import Callable

import numpy as np

from camera.lens import Floats, Lens

Missed = Callable[[Floats], Floats]
"""Unknowns (n,) to what they miss (m,)."""

STEPS = 12
"""After the first few it no longer moves."""
LEAST_RESIDUAL = 0.2
"""Pixels: no corner is found more exactly, however well a few unknowns fit its numbers."""


def gauss_newton(values: Floats, off: Missed) -> tuple[Floats, float]:
    """Return the values that miss least nearby, and the root mean square by which they miss."""
    best, cost = values, rms(off(values))
    for _ in range(STEPS):
        if not math.isfinite(cost):
            break
        step = np.linalg.lstsq(slope_of(best, off), -off(best), rcond=None)[0]
        while (new := rms(off(best + step))) >= cost and np.abs(step).max() > 1e-7:
            step = step / 4
        if new >= cost:
            break
        best, cost, gained = best + step, new, cost - new
        if gained < 1e-6:
            break
    return best, cost


def slope_of(values: Floats, off: Missed) -> Floats:
    """Return by how much what is missed changes with each unknown, (m, n)."""
    steps = 1e-6 * np.eye(len(values))
    return np.column_stack([(off(values + step) - off(values - step)) / 2e-6 for step in steps])


def missed_by(points: Floats, seen: Floats, lens: Lens) -> Floats:
    """Pixels by which points of the camera's frame are missed; infinite where one is behind it."""
    if points[:, 2].min() <= 0.01:
        return np.full(2 * len(points), math.inf)
    return np.asarray((lens.project(points) - seen).ravel())


def rms(off: Floats) -> float:
    """Root mean square; infinite where one is."""
    return float(np.sqrt(np.mean(off**2))) if np.isfinite(off).all() else math.inf
