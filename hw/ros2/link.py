"""heed-hw's end of the wire to a robot that runs ROS 2 (hw/ros2/wire.py)."""

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw.ros2.wire import LARGEST_PACKET
from hw.transport import TransportError

START = "start it beside heed, with ROS's Python: python3 -m bridge.ros2.robot (docs/ros2.md)"


class BridgeLink:
    """One part's connection; nothing here ever waits."""

    def __init__(self, path: Path) -> None:
        """Raises TransportError where no bridge listens."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setblocking(False)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise TransportError(f"the bridge to ROS 2 is not there ({error}): {START}") from error

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message. Raises TransportError when the bridge is gone, or takes nothing more."""
        try:
            self._socket.send(json.dumps(message).encode())
        except OSError as error:
            raise TransportError(f"the bridge to ROS 2 takes nothing ({error}): {START}") from error

    def receive(self) -> list[dict[str, Any]]:
        """Return what has arrived. Raises TransportError once the bridge has ended."""
        packets: list[dict[str, Any]] = []
        while True:
            try:
                data = self._socket.recv(LARGEST_PACKET)
            except BlockingIOError:
                return packets
            except OSError as error:
                raise TransportError(f"the bridge to ROS 2 is gone ({error}): {START}") from error
            if not data:
                raise TransportError(f"the bridge to ROS 2 has ended: {START}")
            packets.append(json.loads(data))

    def close(self) -> None:
        self._socket.close()
