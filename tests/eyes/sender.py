"""A program that sees for heed, and a body that stands where the test says."""

import json
import socket
import time
from pathlib import Path
from typing import Any

from hw.state import ArmState, Pose2D, RobotState, TipPose


class Body:
    """Where the base stands, as the test says."""

    def __init__(self) -> None:
        self.base = Pose2D()

    def state(self) -> RobotState:
        return RobotState({"left": ArmState((), TipPose(0.4, 0.2, 0.9), 0.0)}, self.base)


class Sender:
    """A program that sees for heed."""

    def __init__(self, runtime: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(str(runtime / "eyes.sock"))
        self._lines = self._socket.makefile("rb")

    def tell(self, type: str, **fields: Any) -> dict[str, Any]:
        message = {"v": 1, "type": type, "at": time.time(), "frame": "map"} | fields
        self._socket.sendall(json.dumps(message).encode() + b"\n")
        return self.next()

    def raw(self, data: bytes) -> dict[str, Any]:
        self._socket.sendall(data)
        return self.next()

    def next(self) -> dict[str, Any]:
        line = self._lines.readline()
        return json.loads(line) if line else {}

    def close(self) -> None:
        self._lines.close()
        self._socket.close()
