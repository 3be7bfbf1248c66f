"""What can be done to a running heed and to what it stands on. A harm lasts while its context does; leaving heals."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from bench.trust.machines import Clock, Disk, Sound
from bench.trust.probes import restart
from bench.trust.service import Service

Harm = Callable[[random.Random], AbstractContextManager[None]]
"""Chance decides on details."""

DAY = 86_400


def kill(service: Service, name: str) -> Harm:
    """kill -9; what starts it again is heed, or the service manager."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        if pid := service.processes().get(name):
            os.kill(pid, signal.SIGKILL)
        yield

    return harm


def freeze(service: Service, seconds: float, *names: str) -> Harm:
    """SIGSTOP to these processes, and SIGCONT after a while; none named: all, as when a machine sleeps."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        pids = [pid for name, pid in service.processes().items() if not names or name in names]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        yield

    return harm


def lock(service: Service) -> Harm:
    """Another program has begun to write to memory.sqlite, and does not end."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        with sqlite3.connect(service.memory, timeout=20, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        other.close()

    return harm


def limit_files(service: Service) -> Harm:
    """Let no file of heed's grow any more."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        pid = service.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
        yield
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    return harm


def spoil(service: Service) -> Harm:
    """A third of the pages of memory.sqlite are noise; heed is killed too, half of the times."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        size = service.memory.stat().st_size
        with service.memory.open("r+b") as file:
            for page in chance.sample(range(size // 4096), max(1, size // 4096 // 3)):
                file.seek(4096 * page)
                file.write(chance.randbytes(4096))
        if chance.random() < 0.5:
            os.kill(service.pid, signal.SIGKILL)
        yield
        if "damaged" not in " ".join(path.name for path in service.state.iterdir()):
            restart(service)
        for aside in service.state.glob("*.damaged-*"):
            aside.unlink()  # room for the next

    return harm


def fill(disk: Disk) -> Harm:
    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        disk.fill()
        yield
        disk.empty()

    return harm


def break_disk(service: Service, disk: Disk, restarted: bool) -> Harm:
    """The kernel makes it read-only; heed goes on, or is killed and starts with such a disk."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        disk.break_down()
        if restarted:
            os.kill(service.pid, signal.SIGKILL)
        yield
        while not (_ended(service) and disk.repair()):
            time.sleep(0.2)

    return harm


def silence(sound: Sound) -> Harm:
    """The sound server is killed and, some seconds later, back."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        sound.kill()
        time.sleep(chance.uniform(0.0, 8.0))
        sound.start()
        yield

    return harm


def lose_model(service: Service, kept: Path, file: Path) -> Harm:
    """A model file is put there and used; then it is gone, and its worker or heed is killed, so that it is missed."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        shutil.copyfile(kept, file)
        service.ask("use_model", timeout=120.0, file=file.name)
        service.ask("say", text="go to the sink")
        time.sleep(chance.uniform(0.0, 4.0))
        file.unlink()
        victim = service.processes().get(chance.choice(["model_worker", "heed"]), service.pid)
        os.kill(victim, signal.SIGKILL)
        yield

    return harm


def shift(clock: Clock) -> Harm:
    """The wall clock jumps by seconds, days or years, forth and back."""

    @contextmanager
    def harm(chance: random.Random) -> Iterator[None]:
        clock.set(chance.choice([-1, 1]) * chance.choice([3, 3600, DAY, 3650 * DAY]))
        yield
        clock.set(0)

    return harm


def _ended(service: Service) -> bool:
    """Kills heed; it lets go of its files."""
    with suppress(ProcessLookupError):
        os.kill(service.pid, signal.SIGKILL)
    return True
