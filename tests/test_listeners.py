"""heed listens on no network unless it is asked to: no process of it, by what the kernel says."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.waiting import until

ROOT = Path(__file__).parents[1]
LISTENING = "0A"
"""A TCP socket's state in /proc/net/tcp. UDP has none: whatever has a port there can be sent to."""
WITHOUT_EXTRAS = (
    "import sys; sys.modules.update(mcp=None, zenoh=None); from daemon.__main__ import main; sys.exit(main())"
)


@contextmanager
def running(folder: Path, *more: str) -> Iterator[int]:
    """A heed without extras, with no settings but where its files are; its pid, once it waits for sentences."""
    (folder / "config.toml").write_text('[service]\nruntime_directory = "run"\n')
    command = [sys.executable, "-c", WITHOUT_EXTRAS, "--config", str(folder / "config.toml"), "run", *more]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdin
        while "wait_for_trigger()" not in process.stdout.readline():
            assert process.poll() is None
        yield process.pid
        process.stdin.close()
        process.stdout.read()


def family(pid: int) -> set[int]:
    """A process with all its children and theirs."""
    found = {pid}
    with suppress(FileNotFoundError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found |= family(int(child))
    return found


def sockets(pid: int) -> set[str]:
    """The inodes of its sockets."""
    links = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(os.readlink(file))
    return {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}


def listeners(pids: set[int]) -> list[str]:
    """Protocol and local address of all that these processes could be reached at."""
    found = []
    for pid in pids:
        own = sockets(pid)
        for protocol in ("tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6"):
            table = Path(f"/proc/{pid}/net/{protocol}")
            for line in table.read_text().splitlines()[1:] if table.exists() else []:
                _, address, _, state, *_, inode = line.split()[:10]
                if inode in own and (state == LISTENING or not protocol.startswith("tcp")):
                    found.append(f"{protocol} {address}")
    return found


@pytest.mark.whole
def test_with_no_extra_and_no_section_no_process_of_heed_listens_on_a_network(tmp_path: Path) -> None:
    with running(tmp_path) as pid:
        processes = family(pid)
        assert len(processes) >= 3, "heed, heed-hw and the simulated robot"
        assert listeners(processes) == []


@pytest.mark.whole
def test_a_page_that_was_asked_for_is_found_so_the_test_above_can_fail(tmp_path: Path) -> None:
    with running(tmp_path, "--page", "127.0.0.1:0") as pid:
        until(lambda: listeners(family(pid)))
        (found,) = listeners(family(pid))
        assert found.startswith("tcp 0100007F:")
