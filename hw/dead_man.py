"""A dead-man outside of servos that have none: a board that gives wheels their supply while it hears a heartbeat.

A byte (BEAT) goes to a serial port of its own at each tick. The board closes a relay in the supply of the wheels once
it has heard beats for half a second, and opens it when none comes any more. It says nothing back: whether it does its
duty is seen by the servos, which fall silent without their supply. docs/robots/dead-man.md has wiring and program.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hw.device_faults import ComponentError, FaultCode
from hw.transport import ByteTransport

BEAT = b"!"
UNSEEN = 0.03
"""Seconds since the wheels were seen last after which the heart stops: three ticks."""
FURTHEST = 0.025
"""Metres that a wheel may roll from the moment in which it is not seen any more until it has no supply."""
PAUSE = 1.0
"""Seconds without a beat after which a servo has surely been without its supply."""
ASKED = 10
"""Questions in a row that a servo must have left unanswered to count as silent."""
PATIENCE = 3.0
"""Seconds until the servos must have come back, and until they must have been heard before."""


@dataclass(frozen=True)
class DeadMan:
    """The board as the robot's description declares it."""

    device: Path
    baud: int
    within: float
    """Seconds after the last beat when the wheels have lost their supply at the latest."""


class Heartbeat:
    """Beats to the board; its port stays open, since some boards begin anew when it is opened."""

    def __init__(self, open_port: Callable[[], ByteTransport]) -> None:
        self.beaten_at = -math.inf
        self._open_port = open_port
        self._port: ByteTransport | None = None

    def open(self) -> None:
        """Open the port unless it is open. Raises TransportError."""
        self._port = self._port or self._open_port()

    def beat(self, now: float) -> None:
        """Send one more, if the port is open. Raises TransportError when the board is gone."""
        if self._port is None:
            return
        try:
            self._port.send(BEAT)
        except OSError:
            self.close()
            raise
        self.beaten_at = now

    def close(self) -> None:
        if self._port:
            self._port.close()
        self._port = None


class Hearing(NamedTuple):
    """What was heard on the bus so far."""

    wheels: Mapping[int, float]
    """When each wheel was heard last, by servo; monotonic seconds."""
    others: float
    """When another servo of the bus was; it has a supply of its own."""
    cycles: int
    """How often all were asked."""
    paused: bool
    """Somebody asks a servo something else, and nobody is asked for its state."""


class SilenceTrial:
    """Withholds the heartbeat, and sees by the servos that their supply goes in time, and comes back."""

    def __init__(self, within: float, now: float) -> None:
        self.done = False
        self._within = within
        self._since = now
        """When the step began that is under way."""
        self._step: Callable[[float, Hearing], None] = self._wait_for_all
        self._asked = 0

    @property
    def beats(self) -> bool:
        return self._step != self._withhold

    def look(self, now: float, heard: Hearing) -> None:
        """Go on, once a tick. Raises ComponentError when the dead-man has not proved itself."""
        self._step(now, heard)

    def _begin(self, step: Callable[[float, Hearing], None], now: float) -> None:
        self._step, self._since = step, now

    def _wait_for_all(self, now: float, heard: Hearing) -> None:
        """Nobody is believed to fall silent who was silent already."""
        if heard.paused:
            self._since = now
        elif now - min(heard.wheels.values(), default=-math.inf) < UNSEEN:
            self._begin(self._withhold, now)
        elif now - self._since > PATIENCE:
            raise _unproved("not every wheel answers, so that it could not be tried")

    def _withhold(self, now: float, heard: Hearing) -> None:
        if heard.paused:
            raise _unproved("an arm needed the bus while it was tried: try again")
        servo, last = max(heard.wheels.items(), key=lambda wheel: wheel[1])
        if last - self._since > self._within:
            raise _unproved(
                f"servo {servo} still answers {1000 * (last - self._since):.0f} ms after the last heartbeat, where "
                f"it should have lost its supply within {1000 * self._within:.0f} ms"
            )
        if now - self._since <= self._within:
            self._asked = heard.cycles
        elif heard.cycles - self._asked >= ASKED:
            self._believe(now, heard)

    def _believe(self, now: float, heard: Hearing) -> None:
        """The wheels are silent. Was it their supply, or the bus?"""
        if heard.others < self._since + self._within:
            raise _unproved(
                "the arm fell silent with the wheels: its relay belongs into the supply of the wheels alone"
            )
        self._begin(self._wait_for_return, now)

    def _wait_for_return(self, now: float, heard: Hearing) -> None:
        if min(heard.wheels.values()) > self._since:
            self.done = True
        elif now - self._since > PATIENCE and not heard.paused:
            raise _unproved("the supply of the wheels did not come back with the heartbeat")


def _unproved(what: str) -> ComponentError:
    return ComponentError(FaultCode.DEAD_MAN, what)
