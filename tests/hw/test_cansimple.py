"""CANSimple messages: what is encoded is decoded, and garbage is no message."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.protocol import cansimple
from hw.protocol.can import Frame

numbers = st.floats(-1e6, 1e6, width=32)
words = st.integers(0, 2**32 - 1)
messages = st.one_of(
    st.builds(cansimple.Heartbeat, words, st.integers(0, 255)),
    st.builds(cansimple.EncoderEstimates, numbers, numbers),
    st.builds(cansimple.Estop),
    st.builds(cansimple.SetAxisState, words),
    st.builds(cansimple.SetControllerMode, st.integers(0, 3), st.integers(0, 6)),
    st.builds(cansimple.SetInputVelocity, numbers, numbers),
    st.builds(cansimple.SetLimits, numbers, numbers),
    st.builds(cansimple.ClearErrors),
    st.builds(cansimple.Sdo, st.integers(0, 1), st.integers(0, 65535), words),
    st.builds(cansimple.SdoAnswer, st.integers(0, 65535), words),
    st.builds(cansimple.BusVoltage, numbers, numbers),
)


def test_a_velocity_has_the_bytes_of_the_manual() -> None:
    frame = cansimple.encode(1, cansimple.SetInputVelocity(1.0))
    assert (frame.id, frame.data) == (0x2D, bytes.fromhex("0000803F00000000"))


@given(st.integers(0, 63), messages)
def test_messages_survive_the_wire(node: int, message: cansimple.Message) -> None:
    assert cansimple.decode(cansimple.encode(node, message)) == (node, message)


@given(st.builds(Frame, st.integers(0, 2**29 - 1), st.binary(max_size=8), st.booleans(), st.booleans()))
def test_any_frame_at_all_decodes_without_an_exception(frame: Frame) -> None:
    cansimple.decode(frame)


def test_an_estimate_that_is_not_a_number_is_no_message() -> None:
    assert cansimple.decode(Frame(0x09, struct.pack("<ff", math.nan, 0.0))) is None


@pytest.mark.parametrize("velocity", [math.nan, math.inf, 1e39])
def test_a_number_that_is_not_finite_is_never_encoded(velocity: float) -> None:
    with pytest.raises(ValueError, match=r"finite|fit"):
        cansimple.encode(0, cansimple.SetInputVelocity(velocity))


def test_a_velocity_beyond_the_limit_is_clamped_and_reported() -> None:
    frame, clamped = cansimple.input_velocity(0, -7.0, limit=2.5)
    assert clamped
    assert cansimple.decode(frame) == (0, cansimple.SetInputVelocity(-2.5))
