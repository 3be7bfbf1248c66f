"""A whole heed, as under systemd, with the microphone and loudspeaker of a sound server; and what it printed, when."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bench.voice.sound_server import SoundServer
from daemon.config import Config
from daemon.service.control import CommandError, request

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds for which one waits until heed listens again."""
SETTLED = 120.0
"""Seconds for which its first start may take at most."""


class ListeningHeed:
    """A daemon as under systemd, and what it printed, with times."""

    def __init__(self, folder: Path, server: SoundServer, config: Config, brain: str, settings: str = "") -> None:
        """`settings`: further lines of its config.toml."""
        self.lines: list[tuple[float, str, str]] = []
        self.runtime = folder / "run"
        (folder / "config.toml").write_text(
            f'[service]\nruntime_directory = "{self.runtime}"\nmodels_directory = "{config.models_directory}"\n'
            f'[llm]\nbrain = "{brain}"\n{settings}'
        )
        self._process = subprocess.Popen(
            [sys.executable, "-m", "daemon", "--config", str(folder / "config.toml"), "run", "--service"],
            cwd=ROOT, env=os.environ | server.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()
        self.wait(lambda: self._status())

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(PATIENCE)

    def listens(self) -> bool:
        """Return whether it waits for somebody, in silence."""
        status = self._status()
        return (status.get("doing"), status.get("mouth"), status.get("ear")) == ("waiting", "silent", "listening")

    def has_settled(self) -> bool:
        """Return whether it has done what it does after its first start."""
        return self.listens() and not self._status().get("examples_to_embed", 1)

    def asks(self) -> bool:
        return bool(self.lines) and self.lines[-1][1] == "heed"

    @property
    def last_said(self) -> str:
        return next((text for _, kind, text in reversed(self.lines) if kind == "heed"), "")

    @property
    def last_at(self) -> float:
        return self.lines[-1][0] if self.lines else 0.0

    def wait(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until it is so, or `seconds` are over."""
        until = time.monotonic() + seconds
        while not condition() and time.monotonic() < until:
            time.sleep(0.1)

    def _status(self) -> dict[str, object]:
        try:
            return request(self.runtime, "status")
        except CommandError:
            return {}

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            for begins, kind in (("heard: ", "heard"), ("says:  ", "heed"), (">>> ", "does")):
                if line.startswith(begins):
                    self.lines.append((time.monotonic(), kind, line.removeprefix(begins).strip()))
