"""Draws where an arm's hand can be, seen from its side.

    python -m bench.body.reach_map so101 > docs/robots/so101-reach.svg

One cell for each two centimetres ahead of the shoulder and above the table, coloured by how the hand points there: the
first of the pitches that its description prefers. What a person reads off it: where to put things.
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

STEP, FARTHEST, HIGHEST = 0.02, 0.50, 0.36
"""Metres."""
CELL, LEFT, BELOW, ABOVE = 16, 60, 60, 90
"""Pixels."""
COLOURS = ("#2b6cb0", "#2f855a", "#d69e2e", "#c05621")


def reach_map(arm: Arm) -> str:
    """The drawing, as SVG."""
    columns, rows = round(FARTHEST / STEP), round(HIGHEST / STEP)
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
    for column, row, number in _cells(arm, columns, rows):
        x, y = LEFT + column * CELL, floor - (row + 1) * CELL
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{COLOURS[number]}"/>')
    parts.append(f'<line x1="{LEFT}" y1="{floor}" x2="{width - 20}" y2="{floor}" stroke="black"/>')
    for column in range(0, columns + 1, 5):
        parts.append(f'<text x="{LEFT + column * CELL}" y="{floor + 18}">{column * STEP:.1f}</text>')
    for row in range(0, rows + 1, 5):
        parts.append(f'<text x="24" y="{floor - row * CELL + 4}">{row * STEP:.1f}</text>')
    parts.append(f'<text x="{LEFT}" y="{floor + 40}">metres ahead of the shoulder, and above the table</text>')
    return "\n".join([*parts, "</svg>", ""])


def _cells(arm: Arm, columns: int, rows: int) -> Iterator[tuple[int, int, int]]:
    """Column and row of each cell whose middle is reached, and the number of the pitch that does it."""
    for column, row in np.ndindex(columns, rows):
        ahead, up = (column + 0.5) * STEP, (row + 0.5) * STEP
        for number, pitch in enumerate(arm.pitches):
            try:
                arm.ik(arm.mount[0] + ahead, arm.mount[1], up, pitch)
            except UnreachableError:
                continue
            yield column, row, number
            break


if __name__ == "__main__":
    description = load_description(ROBOTS / f"{sys.argv[1]}.toml", Path("."), simulated=True)
    sys.stdout.write(reach_map(description.arms[0].kinematics))
