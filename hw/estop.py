"""Whether the emergency stop has cut the power of the motors. heed does not cut it; it looks, and latches.

The stop itself is a relay that the owner wires (docs/hardware.md). Three signs tell of it: its auxiliary contact,
the voltage that the devices measure, and devices that lose their power with the motors and fall silent.
"""

import array
import contextlib
import fcntl
import os
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from hw.device import Component
from hw.state import HardwareError

_GET_LINE = 0xC250_B407
_GET_VALUES = 0xC010_B40E
"""GPIO_V2_GET_LINE_IOCTL and GPIO_V2_LINE_GET_VALUES_IOCTL of Linux' <linux/gpio.h>, kernel 5.10 and newer."""
_INPUT, _BIAS_PULL_UP = 1 << 2, 1 << 8


class Contact(Protocol):
    """The auxiliary contact of the relay."""

    def value(self) -> int:
        """0 or 1. Raises OSError when nobody can tell."""

    def close(self) -> None: ...


class GpioContact:
    """An input of a GPIO chip, pulled up: a broken wire reads 1."""

    def __init__(self, chip: Path, line: int) -> None:
        """Raises OSError when there is no such chip or line, or somebody else has it."""
        request = array.array("B", line_request(line))
        with open(chip, "rb", buffering=0) as opened:
            fcntl.ioctl(opened, _GET_LINE, request)
        (self._line,) = struct.unpack_from("<i", request, 588)

    def value(self) -> int:
        values = array.array("B", struct.pack("<QQ", 0, 1))
        fcntl.ioctl(self._line, _GET_VALUES, values)
        return values[0] & 1

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._line)


class FileContact:
    """A file that holds 0 or 1, as /sys/class/gpio has them, or a simulation."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def value(self) -> int:
        text = self._path.read_text().strip()
        if text not in ("0", "1"):
            raise OSError(f"{self._path} holds {text!r}, neither 0 nor 1")
        return int(text)

    def close(self) -> None:
        """Close nothing: nothing is kept open."""


class EmergencyStop:
    """Looks at every sign that there is."""

    def __init__(
        self,
        contact: Contact | None = None,
        released: int = 0,
        voltage_below: float = 0.0,
        silent: Iterable[str] = (),
    ) -> None:
        """released: value of the contact while the robot may have power.

        voltage_below: volts that mean that the supply is cut. silent: components whose silence means it too.
        """
        self.silent = frozenset(silent)
        self._contact = contact
        self._released = released
        self._voltage_below = voltage_below

    @classmethod
    def from_description(cls, table: Mapping[str, Any], runtime: Path) -> "EmergencyStop":
        """Open what section [estop] of a robot description names; HardwareError when its contact cannot be opened."""
        contact = table.get("contact")
        try:
            return cls(
                _open(contact, runtime) if contact else None,
                int(contact.get("released", 0)) if contact else 0,
                float(table.get("voltage_below", 0.0)),
                table.get("silent", ()),
            )
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise HardwareError(
                f"the emergency stop's contact cannot be read: {error!r}",
                "correct [estop] in the robot description; see docs/hardware.md",
            ) from error

    def sign(self, components: Iterable[Component]) -> str | None:
        """Return why the power counts as cut, or None. What cannot be read counts as cut."""
        if self._contact:
            try:
                if self._contact.value() != self._released:
                    return "its contact is open"
            except OSError as error:
                return f"its contact cannot be read ({error})"
        for component in components if self._voltage_below else ():
            voltage = component.voltage
            if voltage is not None and voltage < self._voltage_below:
                return f"{component.name} measures {voltage:.1f} V"
        return None

    def close(self) -> None:
        if self._contact:
            self._contact.close()


def line_request(line: int) -> bytes:
    """struct gpio_v2_line_request for one input: offsets[64], consumer[32], config, num_lines, ..., fd."""
    offsets = struct.pack("<64I", line, *(0,) * 63)
    consumer = b"heed-hw emergency stop".ljust(32, b"\0")
    config = struct.pack("<QI5I", _INPUT | _BIAS_PULL_UP, 0, *(0,) * 5).ljust(272, b"\0")
    return offsets + consumer + config + struct.pack("<II5Ii", 1, 0, *(0,) * 5, -1)


def _open(contact: dict[str, Any], runtime: Path) -> Contact:
    if "file" in contact:
        return FileContact(runtime / contact["file"])
    return GpioContact(Path(contact["chip"]), int(contact["line"]))
