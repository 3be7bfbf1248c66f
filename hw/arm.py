"""An arm of servos with a gripper, on one bus."""

from hw.channel import Channel
from hw.description import ArmDescription
from hw.device_faults import ComponentError, FaultCode
from hw.servo_limb import ServoLimb
from hw.servo_port import ServoPort
from hw.state import Lifecycle

STALLED = 1.0
"""Seconds that a joint may push with nearly all its effort and not move."""
NEARLY = 0.95
ASTRAY, ASTRAY_FOR = 0.15, 0.2
"""Radians that a joint may be off the place where it is held, and seconds; nobody asked it to move."""


class ServoArm(ServoLimb):
    """Joints and a gripper on one bus."""

    def __init__(self, description: ArmDescription, port: ServoPort, feedback_timeout: float) -> None:
        self.description = description
        self.arm = Channel(description.joints)
        self.gripper = Channel([description.gripper])
        super().__init__(description, (self.arm, self.gripper), port, feedback_timeout)
        self.carried = 0.0
        """Kilograms in the hand, as far as somebody has said."""
        self.held = True
        """No goal moves its joints: they ought to stay where they are. The body says so."""
        self._pushing: dict[int, float] = {}
        """Seconds that a joint has been pushing in vain; those that do not are not in it."""
        self._weakest = min(joint.effort for joint in description.joints)
        self._astray = 0.0
        """Seconds that a joint has been off the place where it is held."""

    @property
    def resting(self) -> bool:
        return super().resting and not self._pushing

    def _tick(self, now: float, dt: float) -> None:
        super()._tick(now, dt)
        if self.lifecycle is not Lifecycle.FAULT and not self._servos.bus.paused:
            self._check_pushing(dt)
            self._check_hold(dt)

    def _check_pushing(self, dt: float) -> None:
        """ComponentError for a joint that pushes with all it has, and stays where it is."""
        if not self.active or self.arm.load < NEARLY * self._weakest:
            self._pushing.clear()
            return
        for joint in self.description.joints:
            reading = self._servos.bus.readings.get(joint.servo)
            if reading is None:
                continue
            if abs(reading.state.load) < NEARLY * joint.effort * 1000 or abs(reading.state.speed) >= 10:
                self._pushing.pop(joint.servo, None)
                continue
            self._pushing[joint.servo] = self._pushing.get(joint.servo, 0.0) + dt
            if self._pushing[joint.servo] > STALLED:
                self._pushing.clear()
                self.arm.pin()
                raise ComponentError(
                    FaultCode.STALL,
                    f"{joint.name} is blocked: it pushes with {reading.state.load / 10:.0f} % and stays",
                )

    def _check_hold(self, dt: float) -> None:
        """ComponentError for a joint that leaves its place though nobody asked: standstill monitoring, the safe
        operating stop of IEC 61800-5-2, as far as software can.
        """
        off = max([abs(error) for error in self.arm.error]) if self.active and self.held else 0.0
        self._astray = self._astray + dt if off > ASTRAY else 0.0
        if self._astray > ASTRAY_FOR:
            error, joint = max(zip(map(abs, self.arm.error), self.description.joints, strict=True), key=lambda e: e[0])
            self._astray = 0.0
            self.arm.pin()
            raise ComponentError(FaultCode.HOLD_LOST, f"{joint.name} is {error:.2f} rad off where it was held")
