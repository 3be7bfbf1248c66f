"""A machine with a systemd of its own, in namespaces of this one: processes, mounts, network and host name are apart.

It sees our disk and writes to one of its own. Needs root, and cgroup v2 somewhere below /sys/fs/cgroup. What it is not:
another kernel; memory limits hold only where cgroup v2 has the memory controller.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.waiting import DEADLINE

CHECKOUT = Path(__file__).parents[2]
INSIDE = Path(__file__).with_name("inside.sh")
NAMESPACES = ("--mount", "--pid", "--fork", "--cgroup", "--uts", "--ipc", "--net", "--kill-child")
STATE_MEGABYTES = 16
"""Of /var/lib/heed, so that it can be filled."""


def is_possible() -> bool:
    return os.geteuid() == 0 and _cgroups() is not None and Path("/lib/systemd/systemd").exists()


class Machine:
    """Boots, obeys, loses its power, and boots again with what was on its disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = folder / "state"
        self._state.mkdir(parents=True)
        subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", "-o", f"size={STATE_MEGABYTES}m,mode=0755", str(self._state)], check=True
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._systemd = 0

    def boot(self) -> None:
        """Start systemd and wait until it takes orders."""
        shutil.rmtree(self._folder / "work", ignore_errors=True)
        cgroups = _cgroups()
        assert cgroups is not None
        self._cgroup = cgroups / f"heed-boot-{os.getpid()}"
        self._cgroup.mkdir(exist_ok=True)
        python = Path(sys.executable).resolve()
        self._process = subprocess.Popen(
            ["unshare", *NAMESPACES, str(INSIDE), str(self._folder), str(CHECKOUT), str(python)],
            preexec_fn=lambda: (self._cgroup / "cgroup.procs").write_text(str(os.getpid())) and None,
            stdin=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + DEADLINE
        while not self._find_systemd() or "running" not in self.run("systemctl", "is-system-running", check=False) + (
            "running" if self.run("systemctl", "is-active", "boot-test.target", check=False) == "active" else ""
        ):
            assert self._process.poll() is None, "the machine did not boot"
            assert time.monotonic() < deadline, "systemd did not come up"
            time.sleep(0.05)

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command in the machine as root; returns what it wrote, without the last newline."""
        inside = ["nsenter", "-t", str(self._systemd), "-m", "-p", "-u", "-i", "-n", "-C", "-r", "-w"]
        done = subprocess.run([*inside, *command], capture_output=True, text=True, timeout=120, check=False)
        assert not check or done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def heed(self, *command: str, check: bool = True) -> str:
        """Run the `heed` command in the machine, with the settings of the service."""
        heed = str(CHECKOUT / ".venv/bin/heed")
        return self.run("env", "-C", "/", heed, "--config", "/etc/heed/config.toml", *command, check=check)

    def show(self, unit: str, property: str) -> str:
        return self.run("systemctl", "show", unit, "--value", "-p", property, check=False)

    def processes(self) -> dict[str, int]:
        """Of heed.service: what each is, and its process id in the machine."""
        lines = self.run("ps", "-o", "pid=,args=", "--user", "heed", "-ww", check=False).splitlines()
        known = {"run --service": "heed", "hw.server": "heed-hw", "-m sim": "sim", "monty": "console worker"}
        named = [(name, int(line.split()[0])) for line in lines for words, name in known.items() if words in line]
        return dict(reversed(named))

    def cut_power(self) -> None:
        """Everything in the machine ends at once, and is not asked."""
        assert self._process is not None
        os.kill(self._systemd, signal.SIGKILL)  # the first process takes its namespace along
        self._process.wait(60)
        self._process = None

    def close(self) -> None:
        if self._process is not None:
            self.cut_power()
        subprocess.run(["umount", str(self._state)], check=False)
        for folder in sorted(self._cgroup.rglob("*/"), reverse=True):
            _remove(folder)
        _remove(self._cgroup)

    def _find_systemd(self) -> bool:
        """unshare's child is the machine's first process."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        pids = children.read_text().split() if children.exists() else []
        self._systemd = int(pids[0]) if pids else 0
        return bool(pids) and os.path.basename(os.readlink(f"/proc/{pids[0]}/exe")) == "systemd"


def _cgroups() -> Path | None:
    """Where version 2 is mounted."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(place)
    return None


def _remove(folder: Path) -> None:
    if folder.is_dir():
        folder.rmdir()
