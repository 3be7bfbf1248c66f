"""What every part of the body has in common: a life of unconfigured, inactive, active and fault.

Inactive means readable, but no motion. A component that is powered holds its place; only an active one moves.
Whatever goes wrong is kept in `troubles` until the body takes it; a warning changes nothing else.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from hw.device_faults import ComponentError, FaultCode
from hw.state import Lifecycle, Severity, Standstill
from hw.transport import TransportError

RETRY = 0.5
"""Seconds between attempts to open a port."""
SETTLE = 0.03
"""Seconds after a stop before a measurement counts: one that was on its way could be older than the stop."""


class Component(ABC):
    """One thing on one bus. `receive` is called when its port has bytes, for each component that shares it; `tick` a
    hundred times a second, or less often while everything is resting."""

    def __init__(self, name: str, feedback_timeout: float) -> None:
        self.name = name
        self.lifecycle = Lifecycle.UNCONFIGURED
        self.powered = False
        """Torque is on, or the axes are armed."""
        self.reason = "not connected yet"
        """Why it is not inactive or active."""
        self.hint = ""
        """What a person does about that."""
        self.troubles: list[ComponentError] = []
        self._timeout = feedback_timeout
        self._next_attempt = -math.inf
        self._is_fatal = False

    @property
    def active(self) -> bool:
        return self.lifecycle is Lifecycle.ACTIVE

    @abstractmethod
    def fileno(self) -> int | None:
        """Return the descriptor to poll; None while no port is open."""

    @property
    @abstractmethod
    def asking(self) -> bool:
        """One question follows upon the other: answers are to be taken in as they come, not once a tick."""

    @property
    @abstractmethod
    def resting(self) -> bool:
        """Return whether nothing moves or is about to, and nothing is missing: it is enough to look now and then."""

    def receive(self, now: float) -> None:
        self._guard(lambda: self._receive(now))

    def tick(self, now: float, dt: float) -> None:
        """dt: seconds since the last tick, as far as motion may count them."""
        if self.fileno() is None:
            self._connect(now)
        else:
            self._guard(lambda: self._tick(now, dt))

    def activate(self, now: float) -> None:
        """Begin to become active; `activating` tells how long it takes. From inactive only."""
        self._guard(lambda: self._activate(now))

    @property
    @abstractmethod
    def activating(self) -> bool: ...

    @abstractmethod
    def stop(self) -> bool:
        """Come to rest at once and hold; True when the frame that says so has been written to the bus."""

    @property
    def voltage(self) -> float | None:
        """The motors' supply in volts, as the device measures it; None when it does not say."""
        return None

    @abstractmethod
    def details(self) -> list[dict[str, Any]]:
        """Return what each of its motors measures, for a person to read."""

    @abstractmethod
    def standstill(self, since: float) -> Standstill:
        """Return what the device measured after `since`, a monotonic time."""

    def deactivate(self) -> None:
        """End all motion until it is activated again; what is powered goes on holding."""
        if self.active:
            self.lifecycle = Lifecycle.INACTIVE

    def clear(self) -> None:
        """A person has seen the fault."""
        if self.lifecycle is not Lifecycle.FAULT:
            return
        if self._is_fatal:
            self._disconnect("is set up anew")
        else:
            self.lifecycle = Lifecycle.INACTIVE

    def cut(self) -> None:
        """Note that somebody else took the power away. The motors are told too: none wakes up with an old goal."""
        self.deactivate()
        if self.fileno() is not None and self.lifecycle is not Lifecycle.UNCONFIGURED:
            self._guard(self._release)
        self.powered = False

    def fail(self, error: ComponentError) -> None:
        """Fail for what was seen from outside: a motion that does not get on."""
        self._fail(error)

    def warn(self, code: FaultCode, detail: str) -> None:
        """Tell a person what they should know; motion goes on."""
        self.troubles.append(ComponentError(code, detail))

    def close(self) -> None:
        """Give the port back; the devices keep their power."""
        self._disconnect("closed")

    def _connect(self, now: float) -> None:
        if now < self._next_attempt:
            return
        self._next_attempt = now + RETRY
        try:
            self._open(now)
        except TransportError as error:
            self._disconnect(str(error))

    def _guard(self, work: Callable[[], None]) -> None:
        """Turn what goes wrong into a trouble and an honest state."""
        try:
            work()
        except TransportError as error:
            was_configured = self.lifecycle is not Lifecycle.UNCONFIGURED
            self._disconnect(str(error))
            if was_configured:
                self.troubles.append(ComponentError(FaultCode.PORT_LOST, str(error)))
        except ComponentError as error:
            self._fail(error)

    def _fail(self, error: ComponentError) -> None:
        if self.lifecycle is Lifecycle.UNCONFIGURED and error.severity is not Severity.FATAL:
            self._disconnect(str(error), error.hint)
            return
        self.troubles.append(error)
        if error.severity is Severity.WARNING:
            return
        self.lifecycle = Lifecycle.FAULT
        self.reason, self.hint = error.detail, error.hint
        self._is_fatal = error.severity is Severity.FATAL

    def _disconnect(self, reason: str, hint: str = "") -> None:
        self._close_port()
        self.lifecycle = Lifecycle.UNCONFIGURED
        self.powered = False
        self.reason, self.hint = reason, hint

    @abstractmethod
    def _open(self, now: float) -> None: ...

    @abstractmethod
    def _close_port(self) -> None: ...

    @abstractmethod
    def _receive(self, now: float) -> None: ...

    @abstractmethod
    def _tick(self, now: float, dt: float) -> None: ...

    @abstractmethod
    def _activate(self, now: float) -> None: ...

    @abstractmethod
    def _release(self) -> None:
        """Tell the motors to hold nothing."""
