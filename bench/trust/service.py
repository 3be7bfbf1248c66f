"""A heed in a folder of its own, started again when it ends as systemd would, for benches that do it harm."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bench.report import BenchError
from daemon.service.control import CommandError, request
from daemon.service.metrics import process_figures
from hw.client import Robot
from hw.state import HardwareError, Lifecycle
from sim.perception import SimCamera

ROOT = Path(__file__).parents[2]
RESTART_SECONDS = 2.0
"""As in systemd/heed.service."""
KNOWN = {
    "run --service": "heed",
    "hw.server": "heed_hw",
    "-m sim": "sim",
    "monty": "console_worker",
    "daemon.llm.llama_worker": "model_worker",
}
"""Words in a command line, and what its process is called here."""


class Service:
    """`heed run --service` on the simulated robot, with a page; restarted until close()."""

    def __init__(
        self,
        folder: Path,
        models: Path,
        brain: str = "imitation",
        environment: Mapping[str, str] | None = None,
        settings: str = "",
        spoken_to: bool = False,
    ) -> None:
        """All of it in `folder`, memory.sqlite in folder/state; `environment` is added, `settings` end config.toml.

        With `spoken_to` it has ears and a voice, and a person asks it without end (bench/trust/speech_load.py).
        """
        self.runtime = folder / "run"
        self.state = folder / "state"
        self.memory = self.state / "memory.sqlite"
        self.page = f"127.0.0.1:{_free_port()}"
        self.starts = 0
        self._log: list[str] = []
        self._environment = {**os.environ, "HEED_LOG": "INFO", **(environment or {})}
        self._config = folder / "config.toml"
        self._config.write_text(
            f'[service]\nruntime_directory = "{self.runtime}"\nstate_directory = "{self.state}"\n'
            f'models_directory = "{models}"\npage = "{self.page}"\n[llm]\nbrain = "{brain}"\n{settings}'
        )
        config = ["--config", str(self._config)]
        self._program = ["bench.trust.speech_load", *config] if spoken_to else ["daemon", *config, "run", "--service"]
        self._closing = threading.Event()
        self._start()
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self._keeper.start()

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, command: str, timeout: float = 20.0, **fields: Any) -> dict[str, Any]:
        """A command over the socket. Raises CommandError."""
        return request(self.runtime, command, timeout, **fields)

    def status(self) -> dict[str, Any] | None:
        """None while heed does not answer."""
        with contextlib.suppress(CommandError, ValueError):
            return self.ask("status", timeout=5.0)
        return None

    def waits(self) -> bool:
        status = self.status()
        return bool(status) and status["doing"] == "waiting" and not status["waiting_utterances"]  # type: ignore[index]

    def walks(self, text: str = "") -> int:
        """Utterances, or those with this text, that were carried through since the first start."""
        return self.log().count(f" text={text!r}\n" if text else " utterance source=")

    def log(self) -> str:
        """All that it and its children wrote since the first start."""
        return "".join(self._log)

    def processes(self) -> dict[str, int]:
        """Process ids by name, of those that live."""
        found: dict[str, int] = {}
        for pid in (self.pid, *descendants(self.pid)):
            with contextlib.suppress(OSError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found |= {name: pid for words, name in KNOWN.items() if words in command}
        return found

    def figures(self) -> dict[str, float]:
        return process_figures(self.processes())

    def close(self) -> None:
        self._closing.set()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._keeper.join(RESTART_SECONDS + 5)

    def _start(self) -> None:
        """Through a pipe, as to the journal: what it says must be heard also while it may write no file."""
        self.starts += 1
        self._process = subprocess.Popen(
            [sys.executable, "-m", *self._program],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=self._environment,
        )
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self._log.append(line)

    def _keep(self) -> None:
        while True:
            self._process.wait()
            if self._closing.wait(RESTART_SECONDS):
                return
            self._start()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def descendants(pid: int) -> Iterator[int]:
    """Children, their children, and so on, that live now."""
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from descendants(int(child))


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60.0) -> float:
    """Seconds until the condition held. Raises BenchError, naming what did not happen."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise BenchError(f"within {seconds:g} s this did not happen: {what}")
        time.sleep(0.02)
    return time.monotonic() - began


@dataclass(frozen=True)
class Look:
    """What there is to see of a robot and its room at one moment."""

    pose: tuple[float, float, float]
    joints: tuple[float, ...]
    places: Mapping[str, str]
    """Where each object is."""

    def differs(self, other: "Look") -> bool:
        """More than by what settles and rounds: 5 cm or 3 degrees of the base, 6 degrees of a joint."""
        base = max(abs(a - b) for a, b in zip(self.pose, other.pose, strict=True))
        joint = max(abs(a - b) for a, b in zip(self.joints, other.joints, strict=True))
        return base > 0.05 or joint > 0.1 or self.places != other.places


def look_at(service: Service) -> Look:
    """Look as soon as the whole body is there. Raises BenchError."""
    looks: list[Look] = []

    def seen() -> bool:
        looks.extend(_look(service))
        return bool(looks)

    wait_for(seen, "the whole body answers")
    return looks[0]


def _look(service: Service) -> Iterator[Look]:
    """Nothing while a part of the body is being started again."""
    with contextlib.suppress(HardwareError), contextlib.ExitStack() as opened:
        robot = opened.enter_context(Robot(service.runtime))
        camera = opened.enter_context(contextlib.closing(SimCamera(service.runtime)))
        state = robot.state()
        if Lifecycle.UNCONFIGURED not in state.lifecycle.values():  # else odometry is not there yet
            yield Look(
                (state.base.x, state.base.y, state.base.theta),
                tuple(angle for arm in state.arms.values() for angle in arm.joints),
                {thing["name"]: thing["location"] for thing in camera.observe()["objects"]},
            )
