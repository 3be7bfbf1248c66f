"""What can go wrong: a code, how severe it is, and what a person does about it."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from hw.state import Fault, Severity


class FaultCode(StrEnum):
    PORT_LOST = "PORT_LOST"
    COMM_TIMEOUT = "COMM_TIMEOUT"
    COMM_CORRUPT = "COMM_CORRUPT"
    NOT_READY = "NOT_READY"
    WRONG_DEVICE = "WRONG_DEVICE"
    DEVICE_ERROR = "DEVICE_ERROR"
    DEVICE_NOT_ARMED = "DEVICE_NOT_ARMED"
    DEVICE_WATCHDOG = "DEVICE_WATCHDOG"
    OVERLOAD = "OVERLOAD"
    OVERHEAT = "OVERHEAT"
    HOT = "HOT"
    UNDERVOLTAGE = "UNDERVOLTAGE"
    OVERVOLTAGE = "OVERVOLTAGE"
    FOLLOWING_ERROR = "FOLLOWING_ERROR"
    STALL = "STALL"
    HOLD_LOST = "HOLD_LOST"
    LIMIT_CLAMPED = "LIMIT_CLAMPED"
    LIMIT_REJECTED = "LIMIT_REJECTED"
    LIMIT_MISMATCH = "LIMIT_MISMATCH"
    LIMITS_UNCHECKED = "LIMITS_UNCHECKED"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    CALIBRATION_MISMATCH = "CALIBRATION_MISMATCH"
    NOT_CALIBRATED = "NOT_CALIBRATED"
    PHASE_MISMATCH = "PHASE_MISMATCH"
    DEAD_MAN = "DEAD_MAN"
    COMMAND_STALE = "COMMAND_STALE"
    CLIENT_LOST = "CLIENT_LOST"
    ESTOP_ACTIVE = "ESTOP_ACTIVE"
    LOOP_OVERRUN = "LOOP_OVERRUN"


class Meaning(NamedTuple):
    severity: Severity
    hint: str


MEANINGS: dict[FaultCode, Meaning] = {
    FaultCode.PORT_LOST: Meaning(
        Severity.STOP, "check the cable and power of the bus; when it is back, clear and activate"
    ),
    FaultCode.COMM_TIMEOUT: Meaning(
        Severity.STOP, "check bus cable, termination and device power, then clear and activate"
    ),
    FaultCode.COMM_CORRUPT: Meaning(
        Severity.WARNING, "many packets arrive damaged: shorten the cable, check its ground and termination"
    ),
    FaultCode.NOT_READY: Meaning(
        Severity.STOP, "wait until the device is connected and answers, or see `heed hw status`"
    ),
    FaultCode.WRONG_DEVICE: Meaning(
        Severity.FATAL, "compare `heed hw scan` with the robot description; when the right device answers, clear it"
    ),
    FaultCode.DEVICE_ERROR: Meaning(
        Severity.STOP, "read the device's own error, remove its cause, then clear and activate"
    ),
    FaultCode.DEVICE_NOT_ARMED: Meaning(
        Severity.STOP, "check motor power and the axis' calibration, then clear and activate"
    ),
    FaultCode.DEVICE_WATCHDOG: Meaning(
        Severity.STOP, "heed-hw fell silent for too long: see LOOP_OVERRUN and the bus cable, then clear and activate"
    ),
    FaultCode.OVERLOAD: Meaning(Severity.STOP, "take the load off the arm, then clear and activate"),
    FaultCode.OVERHEAT: Meaning(Severity.STOP, "let the motor cool down for some minutes, then clear and activate"),
    FaultCode.HOT: Meaning(Severity.WARNING, "let the arm rest in a pose that needs no force"),
    FaultCode.UNDERVOLTAGE: Meaning(Severity.STOP, "charge the battery or check the supply, then clear and activate"),
    FaultCode.OVERVOLTAGE: Meaning(Severity.STOP, "check the supply's voltage before anything else, then clear"),
    FaultCode.FOLLOWING_ERROR: Meaning(
        Severity.STOP, "see what blocks the movement and free it, then clear and activate"
    ),
    FaultCode.STALL: Meaning(Severity.STOP, "free what the motor pushes against, then clear and activate"),
    FaultCode.HOLD_LOST: Meaning(
        Severity.STOP, "see what has moved the arm: a push, a load too heavy, a servo; then clear and activate"
    ),
    FaultCode.LIMIT_CLAMPED: Meaning(Severity.WARNING, "the request went beyond a limit and was shortened to it"),
    FaultCode.LIMIT_REJECTED: Meaning(Severity.WARNING, "the request was refused and nothing moved"),
    FaultCode.LIMIT_MISMATCH: Meaning(
        Severity.FATAL, "the device did not keep its limits; check its firmware or replace it, then clear"
    ),
    FaultCode.LIMITS_UNCHECKED: Meaning(
        Severity.WARNING, "name the axes' endpoints in the robot description, so that limits are read back"
    ),
    FaultCode.OUT_OF_RANGE: Meaning(Severity.STOP, "move the joint by hand back into its range, clear, then activate"),
    FaultCode.NOT_CALIBRATED: Meaning(
        Severity.FATAL, "take over what LeRobot has: `heed hw import-lerobot`; or measure: `heed hw calibrate`"
    ),
    FaultCode.PHASE_MISMATCH: Meaning(
        Severity.FATAL,
        "the wheel stays without torque: lift the robot and run `heed hw test wheels`, which finds out what is right; "
        "write that as `phase` into [base], or correct the register with Feetech's own program",
    ),
    FaultCode.DEAD_MAN: Meaning(
        Severity.STOP,
        "the wheels stay without torque: see how its relay is wired and timed (docs/robots/dead-man.md), then clear "
        "and activate",
    ),
    FaultCode.CALIBRATION_MISMATCH: Meaning(
        Severity.FATAL, "was a servo replaced or turned on its horn? run `heed hw calibrate`, then clear"
    ),
    FaultCode.COMMAND_STALE: Meaning(Severity.WARNING, "send the command every 0.1 s while it shall last"),
    FaultCode.CLIENT_LOST: Meaning(Severity.STOP, "start the program again that asked for the motion, then clear"),
    FaultCode.ESTOP_ACTIVE: Meaning(
        Severity.STOP, "see that nobody is in danger, release the emergency stop, then clear and activate"
    ),
    FaultCode.LOOP_OVERRUN: Meaning(
        Severity.WARNING, "the computer is too busy for 100 Hz: allow SCHED_FIFO (LimitRTPRIO) or give it less to do"
    ),
}


class ComponentError(Exception):
    """A component cannot do what it should; becomes a Fault or a refusal."""

    def __init__(self, code: FaultCode, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail

    @property
    def severity(self) -> Severity:
        return MEANINGS[self.code].severity

    @property
    def hint(self) -> str:
        return MEANINGS[self.code].hint

    def fault(self, component: str) -> Fault:
        return Fault(component, self.code, self.detail, self.hint, self.severity)


class FaultList:
    """What is wrong now: one entry per component and code, with the latest detail and how often it was seen."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, str], Fault] = {}

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults.values())

    def add(self, component: str, error: ComponentError) -> None:
        key = (component, str(error.code))
        seen = self._faults.get(key)
        self._faults[key] = replace(error.fault(component), count=seen.count + 1 if seen else 1)

    def clear(self, component: str | None = None) -> None:
        """Forget those of one component, or all."""
        self._faults = {
            key: fault for key, fault in self._faults.items() if component is not None and fault.component != component
        }
