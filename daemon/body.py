"""The processes of the body: heed-hw, and the simulated robot where there is no metal. Started, watched, restarted."""

import logging
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from daemon.config import BodyConfig, ConfigError

log = logging.getLogger(__name__)

ROOT = Path(__file__).parent.parent
SIMULATED = ROOT / "hw" / "robots" / "sim.toml"
SCENES = ROOT / "sim" / "scenes"
START_SECONDS = 20.0
"""A process that has not made its socket by then is broken, even on a machine under load (usual: 0.5 s)."""
END_SECONDS = 3.0


class BodyError(RuntimeError):
    """A process of the body did not start."""


class BodyProcess:
    """One child process that announces itself by a socket file."""

    def __init__(self, name: str, command: Sequence[str], socket: Path) -> None:
        self.name = name
        self._command = [sys.executable, *command]
        self._socket = socket
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it and wait for its socket. It ends by itself when our end of its input closes."""
        self._socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, cwd=ROOT)
        deadline = time.monotonic() + START_SECONDS
        while not self._socket.exists():
            if not self.alive or time.monotonic() > deadline:
                self.close()
                raise BodyError(f"{self.name} did not start; its messages above say why")
            time.sleep(0.02)

    def close(self) -> None:
        """End it, gently at first."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
        self._process = None


def body_processes(config: BodyConfig, runtime: Path) -> list[BodyProcess]:
    """What has to run for this robot, in starting order; raises ConfigError for a file that is not there."""
    simulated = config.robot == "sim"
    description = SIMULATED if simulated else Path(config.robot)
    if not description.exists():
        raise ConfigError(f'there is no robot description {description}; correct robot in [body], or use "sim"')
    processes = []
    if simulated:
        if not (SCENES / f"{config.scene}.toml").exists():
            known = ", ".join(sorted(file.stem for file in SCENES.glob("*.toml")))
            raise ConfigError(f"there is no scene {config.scene!r} in [body]; there are: {known}")
        command = ["-m", "sim", "--runtime", str(runtime), "--scene", config.scene]
        processes.append(BodyProcess("the simulated robot", command, runtime / "scene.sock"))
    command = ["-m", "hw.server", "--robot", str(description), "--runtime", str(runtime)]
    processes.append(BodyProcess("heed-hw", command, runtime / "hw.sock"))
    return processes
