"""One frame of a CAN 2.0 bus."""

from typing import NamedTuple


class Frame(NamedTuple):
    """A CAN frame, whichever adapter carries it."""

    id: int
    """Arbitration id: 11 bits, or 29 when extended."""
    data: bytes = b""
    """At most 8 bytes; empty for a remote frame."""
    extended: bool = False
    remote: bool = False
    """RTR: asks for data. Never sent to an armed ODrive axis, whose watchdog it would feed."""
