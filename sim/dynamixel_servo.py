"""Dynamixel X servos as a bus sees them: registers, a shaft that follows, the Bus Watchdog. Pure.

Not imitated: time on the wire, currents, shutdown, a homing offset that is written while somebody reads positions.
"""

import math
import struct
from collections.abc import Sequence

from hw.protocol import dxl2
from hw.protocol.dxl2 import DriveMode, HardwareError, Instruction, Packet, Register
from sim.shaft import Shaft

MEMORY = 256
"""Bytes of registers."""
ACCESS_ERROR = 7
EEPROM_END = 64
FASTEST, QUICKEST = 4000.0, 40_000.0
"""Steps per second, and per second squared, where nobody bounds them: about an XL430 without load at 12 V."""
XL430, XL330 = 1060, 1200
EXTENDED_MODE = 4
OFFSET_IN_POSITION_MODE = 1024
"""Steps of a homing offset that position mode heeds."""


class SimulatedDynamixel(Shaft):
    """One servo."""

    OVERHEAT, OVERLOAD, VOLTAGE = HardwareError.OVERHEAT, HardwareError.OVERLOAD, HardwareError.VOLTAGE

    def __init__(self, servo: int, position: float) -> None:
        super().__init__(servo, position, dxl2.STEPS_PER_TURN - 1.0)
        self.refuses_goals = False
        """The watchdog has tripped."""
        self._memory = bytearray(MEMORY)
        self._silence = 0.0
        self._turned = 0.0
        """Steps, whole turns, that it counts too much."""
        for register, value in (
            (dxl2.MODEL_NUMBER, XL430),
            (dxl2.FIRMWARE, 46),
            (dxl2.ID, servo),
            (dxl2.OPERATING_MODE, 3),
            (dxl2.PWM_LIMIT, dxl2.FULL_PWM),
            (dxl2.MAX_POSITION, dxl2.STEPS_PER_TURN - 1),
            (dxl2.P_GAIN, 800),
            (dxl2.GOAL_PWM, dxl2.FULL_PWM),
            (dxl2.GOAL_POSITION, position),
        ):
            self.put(register, value)

    def value(self, register: Register) -> int:
        return dxl2.decode_value(register, bytes(self._memory[register.address :][: register.size]))

    def put(self, register: Register, value: float) -> None:
        """Write a register, whatever speaks against it."""
        self.settled = False
        self._memory[register.address : register.address + register.size] = dxl2.encode_value(register, value)[0]

    def read(self, address: int, size: int) -> bytes:
        speed, load = self._measured(self.torque * 1000)
        state = dxl2.ServoState(round(self.count), speed, load, self.voltage, self.temperature)
        self._memory[dxl2.STATE_ADDRESS : dxl2.STATE_ADDRESS + dxl2.STATE_SIZE] = state.encode()
        self._memory[dxl2.HARDWARE_ERROR.address] = self.errors
        return bytes(self._memory[address : address + size])

    def write(self, address: int, data: bytes) -> int:
        """EEPROM is locked while torque is on, goals after the watchdog."""
        if address < EEPROM_END and self.powered:
            return ACCESS_ERROR
        if self.refuses_goals and dxl2.GOAL_PWM.address <= address <= dxl2.GOAL_POSITION.address:
            return ACCESS_ERROR
        data = data[: max(MEMORY - address, 0)]
        self.settled = self.settled and self._memory[address : address + len(data)] == data
        self._memory[address : address + len(data)] = data
        if address == dxl2.BUS_WATCHDOG.address:
            self.refuses_goals = False
        if address == dxl2.OPERATING_MODE.address:
            self._forget_turns()
        return 0

    @property
    def powered(self) -> bool:
        return bool(self.value(dxl2.TORQUE_ENABLE))

    @property
    def torque(self) -> float:
        return self.value(dxl2.GOAL_PWM) / dxl2.FULL_PWM if self.powered else 0.0

    @property
    def count(self) -> float:
        """The position that it tells: position mode ignores a large homing offset, extended mode counts turns."""
        if self._extended:
            return self.position + self._turned
        offset = self.value(dxl2.HOMING_OFFSET)
        if abs(offset) <= OFFSET_IN_POSITION_MODE:
            return self.position
        return (self.position - offset) % dxl2.STEPS_PER_TURN

    def heard(self) -> None:
        """An instruction packet was on the bus."""
        self._silence = 0.0

    def step(self, dt: float) -> None:
        self._silence += dt
        watchdog = self.value(dxl2.BUS_WATCHDOG)
        if watchdog > 0 and self._silence > watchdog * dxl2.WATCHDOG_UNIT:
            self.refuses_goals = True
            self.put(dxl2.BUS_WATCHDOG, -1)
        super().step(dt)

    def reset(self) -> None:
        self.settled = False
        self._memory[EEPROM_END:] = bytes(MEMORY - EEPROM_END)
        self.put(dxl2.GOAL_PWM, self.value(dxl2.PWM_LIMIT))
        self.errors = 0
        self.refuses_goals = False
        self.velocity, self._blocked = 0.0, 0
        self._forget_turns()
        self.put(dxl2.GOAL_POSITION, self.count)

    def _turn(self, dt: float, was_moved: bool) -> None:
        if self.refuses_goals:
            self.velocity, self._blocked = 0.0, 0
            return
        super()._turn(dt, was_moved)

    def _goal(self) -> float:
        told = self.value(dxl2.GOAL_POSITION) - (self.count - self.position)
        if self._extended:
            return told
        return min(max(told, self.value(dxl2.MIN_POSITION)), self.value(dxl2.MAX_POSITION))

    def _pace(self) -> tuple[float, float]:
        if self.value(dxl2.DRIVE_MODE) & DriveMode.BY_TIME:
            return FASTEST, QUICKEST
        fastest = self.value(dxl2.PROFILE_VELOCITY) * dxl2.SPEED_UNIT or FASTEST
        quickest = self.value(dxl2.PROFILE_ACCELERATION) * dxl2.ACCELERATION_UNIT or QUICKEST
        return min(fastest, FASTEST), min(quickest, QUICKEST)

    @property
    def _extended(self) -> bool:
        return self.value(dxl2.OPERATING_MODE) == EXTENDED_MODE

    def _forget_turns(self) -> None:
        """Without the homing offset it begins to count within one turn."""
        turns = math.floor((self.position - self.value(dxl2.HOMING_OFFSET)) / dxl2.STEPS_PER_TURN)
        self._turned = -float(turns * dxl2.STEPS_PER_TURN)


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
        """Let time pass; servos say nothing unasked."""
        for servo in self.servos.values():
            servo.step(dt)
        return b""

    def disconnect(self) -> None:
        """Forget half a packet: whoever was asking has gone."""
        self._parser.reset()

    def _answer(self, packet: Packet) -> bytes:
        for servo in self.servos.values():
            servo.heard()
        if packet.code == Instruction.SYNC_WRITE:
            address, blocks = dxl2.decode_sync_write(packet)
            for number, block in blocks.items():
                if number in self.servos:
                    self.servos[number].write(address, block)
            return b""
        if packet.code in (Instruction.SYNC_READ, Instruction.FAST_SYNC_READ) and len(packet.parameters) >= 4:
            address, size = struct.unpack_from("<HH", packet.parameters)
            asked = [self.servos[number] for number in packet.parameters[4:] if number in self.servos]
            if packet.code == Instruction.FAST_SYNC_READ:
                heard = [servo for servo in asked if not servo.mute]
                return fast_status([(servo.id, _error(servo), servo.read(address, size)) for servo in heard])
            return b"".join(_status(servo, servo.read(address, size)) for servo in asked)
        asked_alone = self.servos.get(packet.id)
        return self._answer_alone(asked_alone, packet) if asked_alone else b""

    def _answer_alone(self, servo: SimulatedDynamixel, packet: Packet) -> bytes:
        if packet.code == Instruction.PING:
            return _status(servo, servo.read(0, 2) + servo.read(dxl2.FIRMWARE.address, 1))
        if packet.code == Instruction.READ and len(packet.parameters) == 4:
            return _status(servo, servo.read(*struct.unpack("<HH", packet.parameters)))
        if packet.code == Instruction.WRITE and len(packet.parameters) > 2:
            (address,) = struct.unpack_from("<H", packet.parameters)
            return _status(servo, b"", servo.write(address, packet.parameters[2:]))
        return b""


def fast_status(answers: Sequence[tuple[int, int, bytes]]) -> bytes:
    """All answers in one packet; each but the last is followed by the CRC of everything up to it."""
    length = sum(len(data) + 4 for _, _, data in answers) + 1
    wire = b"\xff\xff\xfd\x00\xfe" + struct.pack("<HB", length, Instruction.STATUS)
    for servo, error, data in answers:
        wire += bytes([error, servo]) + data
        wire += struct.pack("<H", dxl2.crc(wire))
    return wire


def _error(servo: SimulatedDynamixel) -> int:
    return dxl2.ALERT if servo.errors else 0


def _status(servo: SimulatedDynamixel, parameters: bytes = b"", error: int = 0) -> bytes:
    if servo.mute:
        return b""
    answer = dxl2.encode(Packet(servo.id, Instruction.STATUS, parameters, error | _error(servo)))
    return bytes(byte & 0xA5 for byte in answer) if servo.twin else answer
