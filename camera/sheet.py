"""Sheets of tags to be printed, as PDF or SVG, written by ourselves. A4, lengths in millimetres from the top left.

Printers shrink pages: each sheet has a line that has to be 100 mm long, and says how large the black squares are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from camera.calibration import Board
from camera.tags import CELLS, Picture, drawn
from camera.trouble import EyesError

WIDTH, HEIGHT = 210.0, 297.0
MARGIN = 15.0
LABEL = 7.0
"""Millimetres below a tag for its number."""
FOOT = 30.0
"""Millimetres at the end of a page for the ruler."""
RULER = 100.0
POINTS = 72 / 25.4
"""Of PDF per millimetre."""


@dataclass(frozen=True)
class Square:
    """A tag's black square."""

    x: float
    y: float
    side: float
    cells: Picture
    """(8, 8)."""


@dataclass(frozen=True)
class Line:
    x: float
    y: float
    length: float


@dataclass(frozen=True)
class Text:
    x: float
    y: float
    """Of its base line."""
    text: str
    height: float = 3.0


Mark = Square | Line | Text
Page = Sequence[Mark]


def tag_pages(ids: Sequence[int], side: float) -> list[Page]:
    """Lay out tags whose black squares have `side` millimetres. Raises EyesError where one does not fit the page."""
    step = side * (CELLS + 2) / CELLS + 2
    columns = int((WIDTH - 2 * MARGIN) / step)
    rows = int((HEIGHT - MARGIN - FOOT) / (step + LABEL))
    if side < 5 or not columns or not rows:
        raise EyesError(f"a black square of {side:g} mm does not fit on A4", "choose a size from 5 to 140 mm")
    pages: list[Page] = []
    for first in range(0, len(ids), columns * rows):
        marks: list[Mark] = []
        for place, id in enumerate(ids[first : first + columns * rows]):
            x = MARGIN + place % columns * step + side / CELLS
            y = MARGIN + place // columns * (step + LABEL) + side / CELLS
            marks += [_square(id, x, y, side), Text(x, y + side * (1 + 1 / CELLS) + 4, f"tag {id}, this side down")]
        pages.append([*marks, *_foot(f"black squares: {side:g} mm; cut outside of the white margin and glue it flat")])
    return pages


def board_page(board: Board) -> Page:
    """Lay out the sheet that cameras are calibrated with."""
    side = board.size * 1000
    marks: list[Mark] = [Text(WIDTH / 2 - 34, MARGIN, "for calibration: this edge away from the robot")]
    for id in board.ids:
        corner = board.corners(id)[0] * 1000
        marks.append(_square(id, WIDTH / 2 + float(corner[0]), HEIGHT / 2 - float(corner[1]), side))
    marks += [Line(WIDTH / 2 - 3, HEIGHT / 2, 6), Text(WIDTH / 2 + 2, HEIGHT / 2 - 1, "middle", 2.0)]
    return [*marks, *_foot(f"black squares: {side:g} mm; keep the paper flat")]


def as_pdf(pages: Iterable[Page]) -> bytes:
    """Write pages as a PDF of version 1.4."""
    contents = [_pdf_content(page) for page in pages]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    box = f"[0 0 {WIDTH * POINTS:.3f} {HEIGHT * POINTS:.3f}]"
    for number, content in enumerate(contents):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {5 + 2 * number} 0 R"
        objects.append(f"{page} /Resources << /Font << /F 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _pdf_file(objects)


def as_svg(page: Page) -> str:
    """Write one page as an SVG, also to be shown on a screen."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}mm" height="{HEIGHT:g}mm" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" shape-rendering="crispEdges">\n'
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="white"/>\n'
        + "\n".join(_svg_mark(mark) for mark in page)
        + "\n</svg>\n"
    )


def _square(id: int, x: float, y: float, side: float) -> Square:
    return Square(x, y, side, drawn(id)[1:-1, 1:-1])


def _foot(text: str) -> list[Mark]:
    y = HEIGHT - 12.0
    return [
        Text(MARGIN, y - 6, f"{text}. Print at 100 %, then measure a square with a rule."),
        Line(MARGIN, y, RULER),
        Text(MARGIN, y + 5, "this line is 100 mm long"),
    ]


def _pdf_content(page: Page) -> bytes:
    return "\n".join([f"{POINTS:.6f} 0 0 {POINTS:.6f} 0 0 cm", *(_pdf_mark(mark) for mark in page)]).encode("ascii")


def _pdf_mark(mark: Mark) -> str:
    match mark:
        case Square(x, y, side, cells):
            image = f"BI /W {CELLS} /H {CELLS} /CS /G /BPC 8 /F /AHx ID {cells.tobytes().hex()}> EI"
            return f"q {side:.4f} 0 0 {side:.4f} {x:.4f} {HEIGHT - y - side:.4f} cm {image} Q"
        case Line(x, y, length):
            return f"0.2 w {x:.4f} {HEIGHT - y:.4f} m {x + length:.4f} {HEIGHT - y:.4f} l S"
        case Text(x, y, text, height):
            plain = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            return f"BT /F {height:g} Tf {x:.4f} {HEIGHT - y:.4f} Td ({plain}) Tj ET"


def _pdf_file(objects: Sequence[bytes]) -> bytes:
    """Put numbered objects together, with the table that tells where each begins."""
    file = b"%PDF-1.4\n"
    begins = []
    for number, content in enumerate(objects, start=1):
        begins.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    size = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(file))
    return file + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def _svg_mark(mark: Mark) -> str:
    match mark:
        case Square(x, y, side, cells):
            cell = side / CELLS
            white = "".join(
                f"M{x + column * cell:.4f} {y + row * cell:.4f}h{cell:.4f}v{cell:.4f}h{-cell:.4f}z"
                for row in range(CELLS)
                for column in range(CELLS)
                if cells[row, column]
            )
            black = f'<rect x="{x:.4f}" y="{y:.4f}" width="{side:.4f}" height="{side:.4f}"/>'
            return f'{black}<path fill="white" d="{white}"/>'
        case Line(x, y, length):
            return f'<rect x="{x:.4f}" y="{y - 0.1:.4f}" width="{length:.4f}" height="0.2"/>'
        case Text(x, y, text, height):
            font = 'font-family="Helvetica, Arial, sans-serif"'
            return f'<text x="{x:.4f}" y="{y:.4f}" font-size="{height:g}" {font}>{escape(text)}</text>'
