"""Bytes, frames and requests that nobody meant: no parser and no request table raises, and no buffer grows.

The slow ones take a million inputs each: .venv/bin/python -m pytest tests/hw/test_fuzz.py -m slow
"""

import json
import random
from collections.abc import Callable

import pytest

from hw.protocol import cansimple, dxl2, slcan, sts
from hw.protocol.can import Frame
from tests.hw.virtual import VirtualRobot

FEW, MANY = 10_000, 1_000_000
LONGEST_BUFFER = 1100
"""Bytes: the longest Dynamixel packet that is waited for."""

counts = pytest.mark.parametrize(
    "count", [FEW, pytest.param(MANY, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)


def noise(chance: random.Random, packets: list[bytes]) -> bytes:
    """Random bytes, or a packet, whole or with a byte spoiled, or a piece of one."""
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.randrange(40))
    packet = bytearray(chance.choice(packets))
    if kind == 1:
        packet[chance.randrange(len(packet))] ^= 1 << chance.randrange(8)
    elif kind == 2:
        del packet[chance.randrange(len(packet)) :]
    return bytes(packet)


STS = [
    sts.ping(1),
    sts.sync_read_states(range(1, 8)),
    sts.sync_write_goals({i: sts.Goal(2048, 100) for i in range(1, 8)})[0],
    sts.encode(sts.Packet(3, 0, bytes(15))),
]
DXL = [
    dxl2.ping(1),
    dxl2.sync_read(126, 21, range(1, 8)),
    dxl2.sync_write_goals({i: dxl2.Goal(2048, 100) for i in range(1, 8)})[0],
    dxl2.encode(dxl2.Packet(3, 0x55, b"\xff\xff\xfd" + bytes(18), 0x80)),
]
SLCAN = [slcan.encode(Frame(0x29, bytes(8))), slcan.encode(Frame(0x1ABCDEF, b"\1", True)), b"z\r", b"\a", b"V1013\r"]


@counts
@pytest.mark.parametrize(
    ("parser", "packets"), [(sts.Parser, STS), (dxl2.Parser, DXL), (slcan.Parser, SLCAN)], ids=["sts", "dxl2", "slcan"]
)
def test_a_parser_survives_anything(parser: Callable, packets: list[bytes], count: int) -> None:
    chance, parsing = random.Random(1), parser()
    found = 0
    for _ in range(count):
        for item in parsing.feed(noise(chance, packets)):
            found += 1
            if isinstance(item, sts.Packet):
                sts.ServoState.decode(item.parameters)
                sts.decode_sync_write(item)
            elif isinstance(item, dxl2.Packet):
                dxl2.ServoState.decode(item.parameters, item.error)
                dxl2.decode_sync_write(item)
                dxl2.split_fast_status(item, 21)
            else:
                cansimple.decode(item)
        assert len(parsing._buffer) < LONGEST_BUFFER
    assert found > count / 20


@counts
def test_any_frame_decodes_to_a_message_that_encodes_or_to_none(count: int) -> None:
    chance = random.Random(2)
    for _ in range(count):
        frame = Frame(chance.randrange(1 << 11), chance.randbytes(chance.randrange(9)), remote=chance.random() < 0.1)
        decoded = cansimple.decode(frame)
        if decoded:
            assert cansimple.decode(cansimple.encode(*decoded)) == decoded


VALUES = [
    None,
    True,
    0,
    -1,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "left",
    "Ada",
    [],
    {},
    [0] * 6,
    [[0] * 6],
    [None] * 6,
]
KEYS = [
    *("arm", "joints", "speed", "opening", "x", "y", "theta", "forward", "turn", "ttl", "velocities"),
    *("points", "goal", "by", "component", "z", "pitch"),
]


@counts
def test_any_request_is_answered_once_and_raises_nothing(count: int) -> None:
    chance = random.Random(3)
    robot = VirtualRobot().activated()
    operations = [*robot.requests.known, "fly", None, [], {}]
    for number in range(count // 4):
        message = {key: chance.choice(VALUES) for key in chance.sample(KEYS, chance.randrange(8))}
        answers: list[dict] = []
        operation = chance.choice(operations)
        robot.request(message | {"op": operation}, robot, answers.append)
        assert len(answers) == (operation != "activate" or robot.body.stopped is not None)
        json.dumps(answers)
        if number % 50 == 0:
            robot.advance(0.01)
            robot.body._pending.clear()
