"""A part of the body whose motors are servos on one bus: what a limb and a base of wheels have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from hw.device import Component
from hw.servo import Target
from hw.servo_group import ServoGroup
from hw.state import Lifecycle, Standstill


class ServoComponent(Component):
    """A component on servos: it asks them, looks after them, and stops them."""

    _servos: ServoGroup

    def fileno(self) -> int | None:
        return self._servos.fileno()

    @property
    def asking(self) -> bool:
        return self._servos.busy

    @property
    def activating(self) -> bool:
        return self._servos.busy and self.lifecycle is Lifecycle.INACTIVE

    @property
    def resting(self) -> bool:
        if not self._servos.open:
            return True
        bus = self._servos.bus
        return not bus.paused and bus.steady and self._still

    @property
    @abstractmethod
    def _still(self) -> bool:
        """Return whether nothing is asked of its servos, and they are measured to stand."""

    @property
    def voltage(self) -> float | None:
        return self._servos.voltage

    def details(self) -> list[dict[str, Any]]:
        return self._servos.details()

    def standstill(self, since: float) -> Standstill:
        return self._servos.standstill(since)

    def stop(self) -> bool:
        if not self._servos.open:
            return False
        self._give_up()
        if not self.powered:
            return False
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self._servos.bus.send_goals(self._come_to_rest()))
        return len(self.troubles) == troubles

    def clear(self) -> None:
        """A servo that has lost its torque is given it anew by activation; until then nobody says that it holds."""
        super().clear()
        if self._servos.open and any(self._servos.bus.limp(joint.servo) for joint in self._servos.joints):
            self._servos.bus.forget_limp()
            self.powered = False

    def _give_up(self) -> None:
        """End what is under way to become active."""
        if self.activating:
            self._servos.bus.abandon()

    @abstractmethod
    def _come_to_rest(self) -> Mapping[int, Target]:
        """Ask for nothing more than to come to rest at once and hold there; return what to tell."""

    def _close_port(self) -> None:
        self._servos.disconnect()

    def _release(self) -> None:
        self._servos.release()

    def _look_after(self, now: float) -> None:
        """Find what is wrong with its servos; once it has failed, ask the one that complained what it means."""
        if self.lifecycle is Lifecycle.FAULT:
            self._servos.explain(now)
            return
        self._servos.check(now, self.powered)
        self.troubles += self._servos.take_warnings()
