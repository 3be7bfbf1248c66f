"""SLCAN lines: what is encoded is decoded, and garbage is survived."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.protocol import slcan
from hw.protocol.can import Frame


def _frame(extended: bool, id_: int, data: bytes, remote: bool) -> Frame:
    return Frame(id_ if extended else id_ & 0x7FF, b"" if remote else data, extended, remote)


frames = st.builds(_frame, st.booleans(), st.integers(0, 2**29 - 1), st.binary(max_size=8), st.booleans())


def test_a_frame_is_one_readable_line() -> None:
    assert slcan.encode(Frame(0x1FF, b"\xab\xcd")) == b"t1FF2ABCD\r"


@given(st.lists(frames, max_size=5), st.integers(1, 40))
def test_frames_survive_the_wire_in_any_pieces(sent: list[Frame], piece: int) -> None:
    stream = b"".join(slcan.encode(frame) for frame in sent)
    parser = slcan.Parser()
    received = [f for i in range(0, len(stream), piece) for f in parser.feed(stream[i : i + piece])]
    assert received == sent


@given(st.binary(max_size=300), frames)
def test_garbage_raises_nothing_and_the_frame_after_it_is_found(garbage: bytes, frame: Frame) -> None:
    parser = slcan.Parser()
    parser.feed(garbage + b"\r")
    assert parser.feed(slcan.encode(frame)) == [frame]


def test_answers_of_the_adapter_are_no_frames() -> None:
    parser = slcan.Parser()
    assert parser.feed(b"\rz\r\aV1013\r") == []
    assert (parser.refused, parser.corrupt) == (1, 0)


def test_a_frame_cut_short_is_counted() -> None:
    parser = slcan.Parser()
    assert parser.feed(b"t1FF2AB\r") == []
    assert parser.corrupt == 1


def test_a_time_stamp_after_a_frame_is_ignored() -> None:
    assert slcan.decode(b"t10021122ABCD") == Frame(0x100, b"\x11\x22")


@pytest.mark.parametrize("frame", [Frame(0x800), Frame(1, bytes(9)), Frame(-1)])
def test_a_frame_that_fits_on_no_bus_is_refused(frame: Frame) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        slcan.encode(frame)


def test_a_bus_speed_without_a_letter_is_answered_with_those_that_have_one() -> None:
    assert slcan.set_bitrate(500_000) == b"S6\r"
    with pytest.raises(ValueError, match="500000"):
        slcan.set_bitrate(123)


def test_a_digit_too_many_is_no_frame_since_no_checksum_would_tell() -> None:
    assert slcan.decode(b"t00180000000008000000")
    assert slcan.decode(b"t001800000000080000001234"), "a time stamp has four digits"
    assert slcan.decode(b"t001800000000008000000") is None


@pytest.mark.parametrize(
    "line", [b"t0011 1", b"t001101_0"[:8], b"t8001AB", b"t0019" + b"00" * 9, b"T200000001AB", b"x0010"]
)
def test_a_line_that_is_nearly_a_frame_is_none(line: bytes) -> None:
    assert slcan.decode(line) is None
