"""Network namespaces on one bridge: machines whose cables can be pulled. Needs root, and Debian's iproute2."""

import os
import subprocess
from collections.abc import Sequence


class Network:
    """The robots' namespaces, and one with the bridge between them; nothing of it touches the machine's own network."""

    def __init__(self, names: Sequence[str]) -> None:
        self._prefix = f"heed{os.getpid()}-"
        self._names = tuple(names)
        self._spaces: list[str] = []
        self._add("wire")
        self._ip("wire", "link", "add", "bridge", "type", "bridge")
        self._ip("wire", "link", "set", "bridge", "up")
        for name in names:
            self._add(name)
            self._ip("wire", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", self._prefix + name)
            self._ip("wire", "link", "set", name, "master", "bridge", "up")
            self._ip(name, "addr", "add", f"{self.address(name)}/24", "dev", "eth0")
            self._ip(name, "link", "set", "eth0", "up")
            self._ip(name, "link", "set", "lo", "up")

    def address(self, name: str) -> str:
        return f"10.77.0.{1 + self._names.index(name)}"

    def command(self, name: str, *command: str) -> list[str]:
        """The same command, as it runs on that machine."""
        return ["ip", "netns", "exec", self._prefix + name, *command]

    def cut(self, name: str) -> None:
        """Nothing comes or goes any more, and nobody is told: connections stay open."""
        self._ip("wire", "link", "set", name, "down")

    def mend(self, name: str) -> None:
        self._ip("wire", "link", "set", name, "up")

    def close(self) -> None:
        for space in self._spaces:
            subprocess.run(["ip", "netns", "del", space], check=True)

    def _add(self, name: str) -> None:
        subprocess.run(["ip", "netns", "add", self._prefix + name], check=True)
        self._spaces.append(self._prefix + name)

    def _ip(self, name: str, *command: str) -> None:
        subprocess.run(["ip", "-n", self._prefix + name, *command], check=True)
