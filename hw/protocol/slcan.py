"""SLCAN (Lawicel): CAN frames as lines of text over a serial port. Pure; both ends of the wire use it.

`t1FF2ABCD\\r` is a frame with id 0x1FF and the two bytes AB CD; capital letters T and R have 8-digit ids.
"""

from binascii import unhexlify

from hw.protocol.can import Frame

BITRATES = (10_000, 20_000, 50_000, 100_000, 125_000, 250_000, 500_000, 800_000, 1_000_000)
"""Bits per second; the place in this row is the digit after S."""

OPEN, CLOSE = b"O\r", b"C\r"

_TIME_STAMP = 2
"""Bytes, of two digits each, that some adapters append. Any other number is a damaged line: no checksum would tell."""
_LONGEST = 32
"""Characters of a line; the longest frame has 26 and a time stamp 4."""
_KINDS = {b"t": (2, False), b"r": (2, True), b"T": (5, False), b"R": (5, True)}
"""Letters of frames: bytes that hold id and length, and whether the frame is remote."""


def encode(frame: Frame) -> bytes:
    """One line. Raises ValueError for an id or data too large for a frame."""
    if len(frame.data) > 8 or frame.id < 0 or frame.id >> (29 if frame.extended else 11):
        raise ValueError(f"{frame} does not fit on a CAN bus")
    kind = "r" if frame.remote else "t"
    head = f"{kind.upper()}{frame.id:08X}" if frame.extended else f"{kind}{frame.id:03X}"
    data = "" if frame.remote else frame.data.hex().upper()
    return f"{head}{len(frame.data)}{data}\r".encode("ascii")


def set_bitrate(bits_per_second: int) -> bytes:
    """The line that sets the bus speed; ValueError when SLCAN has no letter for it."""
    if bits_per_second not in BITRATES:
        raise ValueError(f"SLCAN knows no {bits_per_second} bit/s; choose one of {BITRATES}")
    return f"S{BITRATES.index(bits_per_second)}\r".encode("ascii")


class Parser:
    """Finds frames in a stream of bytes that may hold anything else as well."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.corrupt = 0
        """Lines that began like a frame and were none."""
        self.refused = 0
        """Times that the adapter said no (BELL)."""

    def feed(self, data: bytes) -> list[Frame]:
        return [frame for line in self.feed_lines(data) if (frame := self._frame(line))]

    def feed_lines(self, data: bytes) -> list[bytes]:
        """Whole lines without their ends, commands and answers among them: the adapter's side of the wire."""
        self.refused += data.count(b"\a")
        *lines, rest = (self._buffer + data).replace(b"\a", b"\r").split(b"\r")
        if len(rest) > _LONGEST:
            self.corrupt += 1
            rest = rest[:0]
        self._buffer = bytearray(rest)
        return [bytes(line) for line in lines if line]

    def _frame(self, line: bytes) -> Frame | None:
        frame = decode(line)
        self.corrupt += frame is None and line[:1] in b"tTrR"
        return frame


def decode(line: bytes) -> Frame | None:
    """The frame on a line (a time stamp after it is ignored), or None."""
    kind = _KINDS.get(line[:1])
    if kind is None:
        return None
    head, remote = kind
    extended = head > 2
    try:
        numbers = unhexlify(b"0" + line[1:] if extended else line[1:])
    except ValueError:
        return None
    number = int.from_bytes(numbers[:head], "big")
    id_, length = number >> 4, number & 15
    end = head if remote else head + length
    if length > 8 or id_ >> (29 if extended else 11) or len(numbers) not in (end, end + _TIME_STAMP):
        return None
    return Frame(id_, numbers[head:end], extended, remote)
