"""Feetech STS packets: what is encoded is decoded, and garbage is survived."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.protocol import sts

packets = st.builds(sts.Packet, st.integers(0, 254), st.integers(0, 255), st.binary(max_size=100))


def test_a_ping_has_the_bytes_of_the_manual() -> None:
    assert sts.ping(1) == bytes.fromhex("FFFF010201FB")


def test_a_read_of_the_present_position_has_the_bytes_of_the_manual() -> None:
    assert sts.read(1, sts.PRESENT_POSITION) == bytes.fromhex("FFFF0104023802BE")


@given(st.lists(packets, max_size=5), st.integers(1, 50))
def test_packets_survive_the_wire_in_any_pieces(sent: list[sts.Packet], piece: int) -> None:
    stream = b"".join(sts.encode(packet) for packet in sent)
    parser = sts.Parser()
    received = [p for i in range(0, len(stream), piece) for p in parser.feed(stream[i : i + piece])]
    assert received == sent


@given(st.binary(max_size=300), packets)
def test_garbage_raises_nothing_and_a_packet_after_silence_is_found(garbage: bytes, packet: sts.Packet) -> None:
    parser = sts.Parser()
    parser.feed(garbage)
    parser.reset()
    assert parser.feed(sts.encode(packet)) == [packet]


@given(packets, st.data())
def test_one_flipped_bit_never_yields_another_packet_of_the_same_length(
    packet: sts.Packet, data: st.DataObject
) -> None:
    wire = bytearray(sts.encode(packet))
    bit = data.draw(st.integers(8 * 4, 8 * len(wire) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    assert packet not in sts.Parser().feed(bytes(wire))


@given(st.integers(-5000, 5000), st.integers(-3000, 3000), st.integers(-1000, 1000), st.integers(0, 126))
def test_a_state_block_is_read_as_written(position: int, speed: int, load: int, temperature: int) -> None:
    state = sts.ServoState(position, speed, load, 7.4, temperature, sts.ErrorBits.OVERHEAT, True, 0.13)
    assert sts.ServoState.decode(state.encode()) == state


def test_a_short_state_block_is_no_state() -> None:
    assert sts.ServoState.decode(bytes(14)) is None


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_goal_too_large_for_the_wire_is_clamped_and_reported(position: float, speed: float) -> None:
    block, clamped = sts.Goal(position, speed).encode()
    decoded = sts.Goal.decode(block)
    assert decoded is not None
    assert clamped == (abs(position) > 32767 or abs(speed) > 32767)
    assert clamped or (abs(decoded.position - position) <= 0.5 and abs(decoded.speed - speed) <= 0.5)


def test_nan_is_never_encoded() -> None:
    with pytest.raises(ValueError, match="NaN"):
        sts.Goal(math.nan).encode()


def test_a_sync_write_gives_each_servo_its_own_bytes() -> None:
    wire, clamped = sts.sync_write_goals({1: sts.Goal(2048, 100, 500), 7: sts.Goal(-3, 0, 0)})
    [packet] = sts.Parser().feed(wire)
    address, blocks = sts.decode_sync_write(packet)
    assert (packet.id, packet.code, address, clamped) == (sts.BROADCAST, sts.Instruction.SYNC_WRITE, 41, ())
    assert {i: sts.Goal.decode(block) for i, block in blocks.items()} == {
        1: sts.Goal(2048, 100, 500),
        7: sts.Goal(-3, 0, 0),
    }


@given(st.binary(max_size=60))
def test_an_ill_formed_sync_write_gives_nobody_anything(parameters: bytes) -> None:
    _, blocks = sts.decode_sync_write(sts.Packet(sts.BROADCAST, sts.Instruction.SYNC_WRITE, parameters))
    assert all(len(block) == parameters[1] for block in blocks.values())
