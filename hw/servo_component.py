"""A part of the body whose motors are servos on one bus: what a limb and a base of wheels have in common."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from hw.device import Component
from hw.servo import Target
from hw.servo_group import ServoGroup
from hw.state import Lifecycle, Standstill


class ServoComponent(Component):
    """A component on servos: it asks them, looks after them, and lets them hold where they are."""

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

    def _close_port(self) -> None:
        self._servos.disconnect()

    def _release(self) -> None:
        self._servos.release()

    def _hold_at(self, goals: Callable[[], Mapping[int, Target]]) -> bool:
        """Be inactive, and send these goals; returns whether they went out."""
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self._servos.bus.send_goals(goals()))
        return len(self.troubles) == troubles

    def _look_after(self, now: float, powered: bool) -> None:
        """Find what is wrong with servos, `powered` or not; those of a component that has failed are asked why."""
        if self.lifecycle is Lifecycle.FAULT:
            self._servos.explain(now)
            return
        self._servos.check(now, powered)
        self.troubles += self._servos.take_warnings()
