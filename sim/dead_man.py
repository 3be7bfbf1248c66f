"""The board that cuts the supply of wheels when it hears no heartbeat any more, as docs/robots/dead-man.md has it.

Pure. It says nothing back; what it does is seen by the servos.
"""

from collections.abc import Iterable

from sim.servo import SimulatedServo

BEAT = ord("!")
CLOSES_AFTER = 0.5
"""Seconds of beats until the relay closes."""


class SimulatedDeadMan:
    """A relay in the supply of wheels, open in the beginning."""

    def __init__(self, wheels: Iterable[SimulatedServo], within: float) -> None:
        """within: seconds after the last beat when it has opened at the latest; it takes four fifths of that."""
        self.opens_after = 0.8 * within
        self.welded = False
        """Its contacts do not open any more."""
        self._wheels = tuple(wheels)
        self._silent = self._heard = 0.0
        """Seconds since the last beat, and of beats before it."""
        self._switch(False)

    def receive(self, data: bytes) -> tuple[bytes, list[int]]:
        """Take in the beats; nothing goes back."""
        beats = [byte for byte in data if byte == BEAT]
        if beats:
            self._silent = 0.0
        return b"", beats

    def step(self, dt: float) -> bytes:
        self._silent += dt
        self._heard += dt
        if self._silent > self.opens_after:
            self._heard = 0.0
            self._switch(self.welded and self._closed)
        elif self._heard > CLOSES_AFTER:
            self._switch(True)
        return b""

    def disconnect(self) -> None:
        """Silence says it all."""

    def _switch(self, closed: bool) -> None:
        self._closed = closed
        for servo in self._wheels:
            if servo.supplied != closed:
                servo.supplied = closed
                servo.reset()
