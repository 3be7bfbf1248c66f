"""Dynamixel Protocol 2.0 packets: what is encoded is decoded, and garbage is survived."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.protocol import dxl2
from sim.dynamixel_servo import fast_status

contents = st.binary(max_size=60) | st.lists(st.sampled_from([b"\xff", b"\xfd", b"\xff\xff\xfd"]), max_size=9).map(
    b"".join
)
packets = st.one_of(
    st.builds(dxl2.Packet, st.integers(0, 252), st.sampled_from([1, 2, 3, 0x83]), contents),
    st.builds(dxl2.Packet, st.integers(0, 252), st.just(0x55), contents, st.integers(0, 255)),
)


def test_packets_have_the_bytes_of_the_manual() -> None:
    assert dxl2.ping(1) == bytes.fromhex("FFFFFD00010300 01194E")
    assert dxl2.read(1, dxl2.PRESENT_POSITION) == bytes.fromhex("FFFFFD00010700028400 04001D15")
    assert dxl2.write(1, dxl2.GOAL_POSITION, 512) == bytes.fromhex("FFFFFD0001090003740000020000CA89")


@given(st.lists(packets, max_size=5), st.integers(1, 50))
def test_packets_survive_the_wire_in_any_pieces(sent: list[dxl2.Packet], piece: int) -> None:
    stream = b"".join(dxl2.encode(packet) for packet in sent)
    parser = dxl2.Parser()
    received = [p for i in range(0, len(stream), piece) for p in parser.feed(stream[i : i + piece])]
    assert received == sent


@given(st.binary(max_size=300), packets)
def test_garbage_raises_nothing_and_a_packet_after_silence_is_found(garbage: bytes, packet: dxl2.Packet) -> None:
    parser = dxl2.Parser()
    parser.feed(garbage)
    parser.reset()
    assert parser.feed(dxl2.encode(packet)) == [packet]


@given(packets, st.data())
def test_one_flipped_bit_yields_no_packet(packet: dxl2.Packet, data: st.DataObject) -> None:
    wire = bytearray(dxl2.encode(packet))
    bit = data.draw(st.integers(8 * 7, 8 * len(wire) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    assert dxl2.Parser().feed(bytes(wire)) == []


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(0, 126))
def test_a_state_block_is_read_as_written(position: int, speed: int, load: int, temperature: int) -> None:
    state = dxl2.ServoState(position, speed * dxl2.SPEED_UNIT, load, 7.4, temperature, dxl2.ALERT)
    read = dxl2.ServoState.decode(state.encode(), error=0x87)
    assert read is not None
    assert read.speed == pytest.approx(state.speed)
    assert (read.position, read.load, read.temperature, read.errors) == (position, load, temperature, dxl2.ALERT)


def test_a_short_state_block_is_no_state() -> None:
    assert dxl2.ServoState.decode(bytes(20)) is None


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_goal_too_large_for_the_wire_is_clamped_and_reported(position: float, speed: float) -> None:
    block, clamped = dxl2.Goal(position, speed).encode()
    decoded = dxl2.Goal.decode(block)
    assert decoded is not None
    assert clamped == (not -(2**31) <= position < 2**31 or speed / dxl2.SPEED_UNIT > 2**32 - 1)
    assert decoded.speed > 0
    assert clamped or abs(decoded.position - position) <= 0.5


def test_nan_is_never_encoded() -> None:
    for goal in (dxl2.Goal(math.nan, 1), dxl2.Goal(1, 1, math.nan)):
        with pytest.raises(ValueError, match="NaN"):
            goal.encode()


def test_a_sync_write_gives_each_servo_its_own_bytes() -> None:
    wire, clamped = dxl2.sync_write_goals({1: dxl2.Goal(2048, 100), 7: dxl2.Goal(-3, 200)})
    [packet] = dxl2.Parser().feed(wire)
    address, blocks = dxl2.decode_sync_write(packet)
    goals = {servo: dxl2.Goal.decode(block) for servo, block in blocks.items()}
    assert (packet.id, address, clamped) == (dxl2.BROADCAST, 108, ())
    assert {servo: goal and goal.position for servo, goal in goals.items()} == {1: 2048, 7: -3}


@given(st.lists(st.tuples(st.integers(1, 252), st.sampled_from([0, 0x80]), st.binary(min_size=21, max_size=21))))
def test_a_fast_answer_is_split_into_those_of_the_servos(answers: list[tuple[int, int, bytes]]) -> None:
    # data that holds a header would be stuffed; no state does, since no servo moves at 0xFDFFFF steps
    answers = [(servo, error, data.replace(b"\xff", b"\0")) for servo, error, data in answers]
    for packet in dxl2.Parser().feed(fast_status(answers)) if answers else ():
        split = dxl2.split_fast_status(packet, 21)
        assert [(p.id, p.error, p.parameters) for p in split] == answers


@given(st.binary(max_size=90), st.integers(0, 60))
def test_any_packet_at_all_is_split_without_an_exception(parameters: bytes, size: int) -> None:
    packet = dxl2.Packet(dxl2.BROADCAST, 0x55, parameters)
    assert all(len(answer.parameters) <= size for answer in dxl2.split_fast_status(packet, size))
    dxl2.decode_sync_write(dxl2.Packet(dxl2.BROADCAST, 0x83, parameters))
