"""Setting up ODrive axes: limits and watchdog written through their endpoints and read back; errors by their names.

Endpoint numbers differ between firmwares: the maker's flat_endpoints.json has them, and the owner copies those of
SETTINGS into the robot description.
"""

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hw.device_faults import ComponentError, FaultCode
from hw.protocol import cansimple
from hw.protocol.can import Frame
from hw.protocol.cansimple import AxisError, Sdo

SETTINGS = {
    "watchdog_timeout": "axis0.config.watchdog_timeout",
    "enable_watchdog": "axis0.config.enable_watchdog",
    "velocity_limit": "axis0.controller.config.vel_limit",
    "current_limit": "axis0.config.motor.current_soft_max",
}
"""Our names, and the paths under which flat_endpoints.json has them."""
ANSWER = 0.1
"""Seconds to wait for an axis to tell a setting."""
ATTEMPTS = 10
"""Three frames, one of them lost in half of all attempts when one byte in a hundred is damaged behind an adapter."""
_CODES = {
    AxisError.ESTOP_REQUESTED: FaultCode.ESTOP_ACTIVE,
    AxisError.WATCHDOG_TIMER_EXPIRED: FaultCode.DEVICE_WATCHDOG,
    AxisError.DC_BUS_UNDER_VOLTAGE: FaultCode.UNDERVOLTAGE,
    AxisError.DC_BUS_OVER_VOLTAGE: FaultCode.OVERVOLTAGE,
    AxisError.MOTOR_OVER_TEMP: FaultCode.OVERHEAT,
    AxisError.INVERTER_OVER_TEMP: FaultCode.OVERHEAT,
    AxisError.DC_BUS_OVER_CURRENT: FaultCode.OVERLOAD,
    AxisError.CURRENT_LIMIT_VIOLATION: FaultCode.OVERLOAD,
}


def fault_code(error: int) -> FaultCode:
    """The gravest thing that the bits of an axis' error mean."""
    return next((code for bit, code in _CODES.items() if error & bit), FaultCode.DEVICE_ERROR)


def words(error: int) -> str:
    """The bits of an axis' error by name, and in hexadecimal for the maker's manual."""
    names = [bit.name or "" for bit in AxisError if error & bit]
    return f"error 0x{error:X}" + (f" ({', '.join(names)})" if names else "")


class _Wish(NamedTuple):
    node: int
    name: str
    endpoint: int
    bits: int


class Setup:
    """One setting after the other is written and read back; no axis is armed meanwhile."""

    def __init__(
        self, nodes: Sequence[int], endpoints: Mapping[str, int], settings: Mapping[str, float | bool]
    ) -> None:
        """endpoints: numbers of some of SETTINGS. settings: what they shall hold."""
        self._wishes = [
            _Wish(node, name, endpoints[name], bits(settings[name]))
            for node in nodes
            for name in SETTINGS
            if name in endpoints
        ]
        self._asked_at: float | None = None
        self._attempts = 0

    @property
    def done(self) -> bool:
        return not self._wishes

    def frames(self, now: float) -> list[Frame]:
        """Return what goes out now. Raises ComponentError when an axis does not answer, or keeps something else."""
        if self.done or (self._asked_at is not None and now - self._asked_at < ANSWER):
            return []
        wish = self._wishes[0]
        if self._attempts == ATTEMPTS:
            raise ComponentError(
                FaultCode.LIMIT_MISMATCH, f"the axis with node id {wish.node} does not keep its {wish.name}"
            )
        self._attempts += 1
        self._asked_at = now
        return [
            cansimple.encode(wish.node, Sdo(Sdo.WRITE, wish.endpoint, wish.bits)),
            cansimple.encode(wish.node, Sdo(Sdo.READ, wish.endpoint, 0)),
        ]

    def hear(self, node: int, answer: cansimple.SdoAnswer) -> None:
        """Take in what an axis tells; anything but the wish is asked for again."""
        if self.done:
            return
        wish = self._wishes[0]
        if (node, answer.endpoint, answer.bits) == (wish.node, wish.endpoint, wish.bits):
            self._wishes.pop(0)
            self._asked_at, self._attempts = None, 0


def bits(value: float | bool) -> int:
    """A setting as the 32 bits that travel."""
    if isinstance(value, bool):
        return int(value)
    return int(struct.unpack("<I", struct.pack("<f", value))[0])
