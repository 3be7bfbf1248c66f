"""Dynamixel X servos as a bus sees them: registers, a shaft that follows, the Bus Watchdog. Pure.

Not imitated: time on the wire, acceleration, currents, shutdown.
"""

import math
import struct
from collections.abc import Sequence

from hw.protocol import dxl2
from hw.protocol.dxl2 import Instruction, Packet, Register

MEMORY = 256
ACCESS_ERROR = 7
EEPROM_END = 64


class SimulatedDynamixel:
    """One servo."""

    def __init__(self, servo: int, position: float) -> None:
        self.id = servo
        self.position = position
        """Steps."""
        self.obstacle: tuple[float, float] = (0.0, 4095.0)
        self.hardware_error = 0
        self.voltage, self.temperature = 12.0, 30
        self.refuses_goals = False
        """The watchdog has tripped."""
        self._memory = bytearray(MEMORY)
        self._silence = 0.0
        self._moved = 0.0
        self._stuck = False
        for register, value in (
            (dxl2.MODEL_NUMBER, 1060),
            (dxl2.ID, servo),
            (dxl2.OPERATING_MODE, 3),
            (dxl2.MAX_POSITION, 4095),
            (dxl2.GOAL_PWM, dxl2.FULL_PWM),
            (dxl2.GOAL_POSITION, position),
        ):
            self.put(register, value)

    def value(self, register: Register) -> int:
        return dxl2.decode_value(register, bytes(self._memory[register.address :][: register.size]))

    def put(self, register: Register, value: float) -> None:
        self._memory[register.address : register.address + register.size] = dxl2.encode_value(register, value)[0]

    def read(self, address: int, size: int) -> bytes:
        state = dxl2.ServoState(round(self.position), self._moved, self._load(), self.voltage, self.temperature)
        self._memory[dxl2.STATE_ADDRESS : dxl2.STATE_ADDRESS + dxl2.STATE_SIZE] = state.encode()
        self._memory[dxl2.HARDWARE_ERROR.address] = self.hardware_error
        return bytes(self._memory[address : address + size])

    def write(self, address: int, data: bytes) -> int:
        """The error of the status packet: EEPROM is locked while torque is on, goals after the watchdog."""
        locked = address < EEPROM_END and self.value(dxl2.TORQUE_ENABLE)
        if locked or (self.refuses_goals and dxl2.GOAL_PWM.address <= address <= dxl2.GOAL_POSITION.address):
            return ACCESS_ERROR
        self._memory[address : address + len(data)] = data
        if address == dxl2.BUS_WATCHDOG.address:
            self.refuses_goals = False
        return 0

    def heard(self) -> None:
        """An instruction packet was on the bus."""
        self._silence = 0.0

    def step(self, dt: float) -> None:
        self._silence += dt
        watchdog = self.value(dxl2.BUS_WATCHDOG)
        if watchdog > 0 and self._silence > watchdog * dxl2.WATCHDOG_UNIT:
            self.refuses_goals = True
            self.put(dxl2.BUS_WATCHDOG, -1)
        self._moved, self._stuck = 0.0, False
        if not self.value(dxl2.TORQUE_ENABLE) or self.refuses_goals:
            return
        low, high = self.value(dxl2.MIN_POSITION), self.value(dxl2.MAX_POSITION)
        way = min(max(self.value(dxl2.GOAL_POSITION), low), high) - self.position
        reach = self.value(dxl2.PROFILE_VELOCITY) * dxl2.SPEED_UNIT * dt
        wanted = self.position + math.copysign(min(abs(way), reach), way)
        reached = min(max(wanted, self.obstacle[0]), self.obstacle[1])
        self._stuck = abs(wanted - reached) > 0.5
        self._moved = (reached - self.position) / dt
        self.position = reached

    def _load(self) -> float:
        return self.value(dxl2.GOAL_PWM) / dxl2.FULL_PWM * 1000 if self._stuck else 0.0


class DynamixelChain:
    """The servos of one bus and how they answer."""

    def __init__(self, servos: Sequence[SimulatedDynamixel]) -> None:
        self.servos = {servo.id: servo for servo in servos}
        self._parser = dxl2.Parser()

    def receive(self, data: bytes) -> tuple[bytes, list[Packet]]:
        """The bytes that go back, and the packets that were understood."""
        packets = self._parser.feed(data)
        return b"".join(self._answer(packet) for packet in packets), packets

    def step(self, dt: float) -> bytes:
        for servo in self.servos.values():
            servo.step(dt)
        return b""

    def _answer(self, packet: Packet) -> bytes:
        for servo in self.servos.values():
            servo.heard()
        if packet.code == Instruction.SYNC_WRITE:
            address, blocks = dxl2.decode_sync_write(packet)
            for number, block in blocks.items():
                if number in self.servos:
                    self.servos[number].write(address, block)
            return b""
        if packet.code in (Instruction.SYNC_READ, Instruction.FAST_SYNC_READ):
            address, size = struct.unpack_from("<HH", packet.parameters)
            asked = [self.servos[number] for number in packet.parameters[4:] if number in self.servos]
            if packet.code == Instruction.FAST_SYNC_READ:
                return fast_status([(servo.id, _error(servo), servo.read(address, size)) for servo in asked])
            return b"".join(_status(servo, servo.read(address, size)) for servo in asked)
        servo = self.servos.get(packet.id)
        return self._answer_alone(servo, packet) if servo else b""

    def _answer_alone(self, servo: SimulatedDynamixel, packet: Packet) -> bytes:
        if packet.code == Instruction.PING:
            return _status(servo, servo.read(0, 2) + b"\x2d")
        if packet.code == Instruction.READ:
            return _status(servo, servo.read(*struct.unpack("<HH", packet.parameters)))
        (address,) = struct.unpack_from("<H", packet.parameters)
        return _status(servo, b"", servo.write(address, packet.parameters[2:]))


def fast_status(answers: Sequence[tuple[int, int, bytes]]) -> bytes:
    """All answers in one packet; each but the last is followed by the CRC of everything up to it."""
    length = sum(len(data) + 4 for _, _, data in answers) + 1
    wire = b"\xff\xff\xfd\x00\xfe" + struct.pack("<HB", length, Instruction.STATUS)
    for servo, error, data in answers:
        wire += bytes([error, servo]) + data
        wire += struct.pack("<H", dxl2.crc(wire))
    return wire


def _error(servo: SimulatedDynamixel) -> int:
    return dxl2.ALERT if servo.hardware_error else 0


def _status(servo: SimulatedDynamixel, parameters: bytes = b"", error: int = 0) -> bytes:
    return dxl2.encode(Packet(servo.id, Instruction.STATUS, parameters, error | _error(servo)))
