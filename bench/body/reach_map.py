"""Draws where an arm's hand can be, seen from its side.

    python -m bench.body.reach_map so101 > docs/robots/so101-reach.svg

One cell for each two centimetres ahead of the shoulder and above the table or the floor, coloured by how the hand
points there: the first of the pitches that its description prefers. What a person reads off it: where to put things.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from daemon.config import ROBOTS
from hw.description import load_description
from hw.kinematics import Arm
from hw.state import UnreachableError

STEP, FARTHEST, HIGHEST = 0.02, 0.50, 0.30
"""Metres; the last one above the shoulder."""
CELL, LEFT, BELOW, ABOVE = 16, 60, 60, 90
"""Pixels."""
COLOURS = ("#2b6cb0", "#2f855a", "#d69e2e", "#c05621")
FOOT = (0.0388, 0.0624)
"""Metres from the middle of an SO-101's foot to its shoulder, ahead and up: from there MEASURED is."""
STEEP = math.pi / 2 - 0.002
MEASURED = {
    (0.00, 0.0): (0.34, 0.44), (0.00, 0.785): (0.06, 0.42), (0.00, 1.309): (0.06, 0.36), (0.00, STEEP): (0.10, 0.32),
    (0.05, 0.0): (0.32, 0.46), (0.05, 0.785): (0.20, 0.42), (0.05, 1.309): (0.12, 0.34), (0.05, STEEP): (0.12, 0.28),
    (0.10, 0.0): (0.26, 0.46), (0.10, 0.785): (0.16, 0.42), (0.10, 1.309): (0.16, 0.32),
    (0.15, 0.0): (0.26, 0.46), (0.15, 0.785): (0.16, 0.38),
}  # fmt: skip
"""Where the hand of an SO-101 can be by its URDF, on a grid of STEP, found without heed's solver: height above the foot
and pitch, nearest and farthest metre ahead of the foot. Pointing down it is nowhere at 0.10 and higher.
"""


def off_measured(arm: Arm) -> float:
    """Return by how many metres the worst end of an SO-101's reach, wherever it is mounted, is off MEASURED."""
    return max(
        abs(end - _end_of_reach(arm, end, way, height, pitch))
        for (height, pitch), ends in MEASURED.items()
        for end, way in zip(ends, (-1, 1), strict=True)
    )


def _end_of_reach(arm: Arm, end: float, way: int, height: float, pitch: float) -> float:
    """Return the last point ahead of the foot, from inside the reach of two steps around `end`, that is reached."""
    line = [end + way * STEP * step for step in range(-2, 2)]
    unreached = (step for step, ahead in enumerate(line) if not _is_reached(arm, ahead, height, pitch))
    return line[max(next(unreached, len(line)) - 1, 0)]


def _is_reached(arm: Arm, ahead: float, height: float, pitch: float) -> bool:
    try:
        arm.ik(arm.mount[0] - FOOT[0] + ahead, arm.mount[1], arm.mount[2] - FOOT[1] + height, pitch)
    except UnreachableError:
        return False
    return True


def reach_map(arm: Arm, ground: str = "table") -> str:
    """Return the drawing, as SVG; ground: what the heights are above."""
    lowest = max(arm.workspace[0][2], 0.0)
    columns, rows = round(FARTHEST / STEP), round((arm.mount[2] + HIGHEST - lowest) / STEP)
    width, height = LEFT + columns * CELL + 20, ABOVE + rows * CELL + BELOW
    floor = ABOVE + rows * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="12" y="20">Where the hand can be, and how it points there (degrees below level)</text>',
    ]
    for number, (pitch, colour) in enumerate(zip(arm.pitches, COLOURS, strict=False)):
        at = 12 + 90 * number
        parts.append(f'<rect x="{at}" y="36" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{at + 18}" y="46">{math.degrees(pitch):.0f}</text>')
    for column, row, number in _cells(arm, columns, rows, lowest):
        x, y = LEFT + column * CELL, floor - (row + 1) * CELL
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{COLOURS[number]}"/>')
    parts.append(f'<line x1="{LEFT}" y1="{floor}" x2="{width - 20}" y2="{floor}" stroke="black"/>')
    for column in range(0, columns + 1, 5):
        parts.append(f'<text x="{LEFT + column * CELL}" y="{floor + 18}">{column * STEP:.1f}</text>')
    for row in range(0, rows + 1, 5):
        parts.append(f'<text x="24" y="{floor - row * CELL + 4}">{lowest + row * STEP:.1f}</text>')
    parts.append(f'<text x="{LEFT}" y="{floor + 40}">metres ahead of the shoulder, and above the {ground}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _cells(arm: Arm, columns: int, rows: int, lowest: float) -> Iterator[tuple[int, int, int]]:
    """Column and row of each cell whose middle is reached, and the number of the pitch that does it."""
    for column, row in np.ndindex(columns, rows):
        ahead, up = (column + 0.5) * STEP, lowest + (row + 0.5) * STEP
        for number, pitch in enumerate(arm.pitches):
            try:
                arm.ik(arm.mount[0] + ahead, arm.mount[1], up, pitch)
            except UnreachableError:
                continue
            yield column, row, number
            break


if __name__ == "__main__":
    description = load_description(ROBOTS / f"{sys.argv[1]}.toml", Path("."), simulated=True)
    sys.stdout.write(reach_map(description.arms[0].kinematics, "floor" if description.base else "table"))
