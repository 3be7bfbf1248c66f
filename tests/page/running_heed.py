"""A daemon with a page, for browsers."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

from daemon.service.control import CommandError, request
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]


class Heed:
    """A daemon with a page, which may be killed and started again."""

    def __init__(self, folder: Path, body: str) -> None:
        """`body` is what stands below [body] in its config.toml."""
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        (folder / "config.toml").write_text(
            f'[service]\nruntime_directory = "{folder}/run"\nmodels_directory = "{ROOT / "models"}"\n'
            f'page = "127.0.0.1:{self._port}"\n[llm]\nbrain = "imitation"\n[body]\n{body}\n'
        )
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "daemon", "--config", str(self.folder / "config.toml"), "run", "--service"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self.answers)

    def answers(self) -> bool:
        try:
            request(self.folder / "run", "status")
        except CommandError:
            return False
        return True

    @property
    def link(self) -> str:
        return str(request(self.folder / "run", "page")["link"])

    def kill(self) -> None:
        """The daemon alone; its children notice."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
