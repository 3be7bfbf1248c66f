"""What can go wrong with a component: a code, what it means for motion, and what a person does about it."""

from enum import StrEnum

from hw.state import Fault


class FaultCode(StrEnum):
    PORT_LOST = "PORT_LOST"
    COMM_TIMEOUT = "COMM_TIMEOUT"
    NOT_READY = "NOT_READY"
    DEVICE_ERROR = "DEVICE_ERROR"
    DEVICE_NOT_ARMED = "DEVICE_NOT_ARMED"
    OVERLOAD = "OVERLOAD"
    OVERHEAT = "OVERHEAT"
    VOLTAGE = "VOLTAGE"
    FOLLOWING_ERROR = "FOLLOWING_ERROR"
    LIMIT_MISMATCH = "LIMIT_MISMATCH"
    OUT_OF_RANGE = "OUT_OF_RANGE"


HINTS = {
    FaultCode.PORT_LOST: "check the cable and power of the bus; when it is back, clear and activate",
    FaultCode.COMM_TIMEOUT: "check bus cable, termination and device power, then clear and activate",
    FaultCode.NOT_READY: "wait until the device is connected and answers, or see `heed doctor`",
    FaultCode.DEVICE_ERROR: "read the device's own error, remove its cause, then clear and activate",
    FaultCode.DEVICE_NOT_ARMED: "check motor power and the axis' calibration, then clear and activate",
    FaultCode.OVERLOAD: "take the load off the arm, then clear and activate",
    FaultCode.OVERHEAT: "let the motor cool down for some minutes, then clear and activate",
    FaultCode.VOLTAGE: "check battery and power supply, then clear and activate",
    FaultCode.FOLLOWING_ERROR: "see what blocks the movement and free it, then clear and activate",
    FaultCode.LIMIT_MISMATCH: "the servo did not keep its limits; check its firmware or replace it",
    FaultCode.OUT_OF_RANGE: "move the joint by hand back into its range, then activate",
}


class ComponentError(Exception):
    """A component cannot do what it should; becomes a Fault or a refusal."""

    def __init__(self, code: FaultCode, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail

    def fault(self, component: str) -> Fault:
        return Fault(component, self.code, self.detail, HINTS[self.code])
