"""heed-eyes as a child of the daemon: started, watched, started again. Without it heed is blind, and nothing else."""

import logging
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from daemon.service.journal import standard_error

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[2]
PACKAGES = {"cv2": "opencv-python-headless", "pyapriltags": "pyapriltags"}
INSTALL = 'python -m pip install "heed[eyes]"'
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before an ended heed-eyes is started again; each time twice as long, up to the second."""
WELL = 60.0
"""Seconds after which one that lives is well, and the next pause short again."""
END_SECONDS = 2.0
HUNG = 20.0
"""Seconds without a word from it after which it hangs; it tells something every second, and takes a few to start."""


def missing_packages() -> list[str]:
    """Return the packages of the extra "eyes" that are not installed, by their names in a registry."""
    return [name for module, name in PACKAGES.items() if find_spec(module) is None]


class CameraProcess:
    """heed-eyes. It reaches heed over eyes.sock, as every sender, and ends when heed has ended."""

    def __init__(self, robot: Path, runtime: Path, device: str = "") -> None:
        """`robot` is a file with the section [eyes]; `device` goes before the one that it names."""
        self._command = [sys.executable, "-m", "camera", "--robot", str(robot), "--runtime", str(runtime)]
        self._command += ["--device", device] if device else []
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._pause = FIRST_PAUSE
        self._missing = " and ".join(missing_packages())

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it; without its packages it is left alone."""
        if self._missing:
            log.error("the camera is not used: %s not installed; %s", self._missing, INSTALL)
            return
        environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
        self._started_at = time.monotonic()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=standard_error(),
            cwd=ROOT,
            env=environment,
        )

    def mend(self, silent: float = 0.0) -> bool:
        """Start it again where it has ended, and return whether that was done; after a pause that grows.

        One that lives and has said nothing for `silent` seconds hangs, from HUNG on, and is ended.
        """
        if self._process is None:
            return False
        lived = time.monotonic() - self._started_at
        if self._process.poll() is None:
            if min(silent, lived) > HUNG:
                log.error("heed-eyes hangs: it has said nothing for %.0f s, and is ended", silent)
                self._process.kill()
            return False
        if lived > WELL:
            self._pause = FIRST_PAUSE
        if lived < self._pause:
            return False
        log.error("heed-eyes has ended with status %s; it is started again", self._process.returncode)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self.start()
        return True

    def trouble(self) -> str:
        """Return in words why it does not run; "" while it does."""
        if self._missing:
            return f"{self._missing} not installed: {INSTALL}"
        if self._process is not None and (status := self._process.poll()) is not None:
            return f"heed-eyes has ended with status {status}; its messages in the log say why"
        return ""

    def close(self) -> None:
        """End it."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
