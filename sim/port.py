"""The plug that a device hangs on: a pseudo-terminal under a name that stays, for whoever opens it next."""

import contextlib
import errno
import os
import pty
import termios
import tty
from pathlib import Path


class Port:
    """A serial port seen from the device; clients may come, go and come again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        """Where clients find it: a symbolic link."""
        self._master: int | None = None

    def fileno(self) -> int:
        """Return the descriptor to poll. Raises OSError while unplugged."""
        if self._master is None:
            raise OSError(errno.ENODEV, f"{self.path} is unplugged")
        return self._master

    def plug(self) -> None:
        """Appear under the path; whatever lies there is replaced."""
        if self._master is not None:
            return
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self) -> None:
        """Disappear, with whatever was on the way."""
        if self._master is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._master)
        self._master = None

    def receive(self) -> bytes | None:
        """Return what has arrived; None while nobody has the port open."""
        if self._master is None:
            return None
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def send(self, data: bytes) -> None:
        """Send bytes; what a client does not take in time is lost, as on a real wire."""
        if data and self._master is not None:
            with contextlib.suppress(OSError):
                os.write(self._master, data)

    def flush(self) -> None:
        """Forget what the last client has not read."""
        if self._master is not None:
            with contextlib.suppress(termios.error):
                termios.tcflush(self._master, termios.TCIOFLUSH)
