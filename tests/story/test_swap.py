"""Another model file under a running heed: a real daemon, its control socket, and the `heed models` command."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.service.control import CommandError, NoDaemonError, request
from tests.llm.tiny_gguf import CHAT_TEMPLATE, make_scripted_gguf, make_tiny_gguf
from tests.support.waiting import until

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]


class Running:
    """`heed run --service` that imitates at first, with a models folder and a memory of its own."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.runtime, self.models = folder / "run", folder / "models"
        self._config = folder / "config.toml"
        self._config.write_text(f'{settings}[service]\nruntime_directory = "{self.runtime}"\n')
        self._output = folder / "output"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "daemon", "--config", str(self._config), "run", "--service"],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._output.open("wb"),
        )
        until(lambda: self.process.poll() is not None or self._waits())

    @property
    def brain(self) -> str:
        return str(request(self.runtime, "status")["brain"])

    def _waits(self) -> bool:
        try:
            return request(self.runtime, "status")["doing"] == "waiting"
        except NoDaemonError:
            return False

    @property
    def output(self) -> str:
        return self._output.read_text()

    def answers(self, words: str, said: str = "go") -> None:
        """Speak to it, and wait until it says this."""
        before = self.output.count(words)
        request(self.runtime, "say", text=said)
        until(lambda: self.output.count(words) > before)
        until(lambda: request(self.runtime, "status")["doing"] == "waiting")

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "daemon", "--config", str(self._config), "models", *arguments],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=100,
            check=False,
        )

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        finally:
            self.process.kill()


def speaking(path: Path, words: str, chat_template: str = "", context: int = 8192) -> Path:
    """A model that says this whenever it is asked."""
    return make_scripted_gguf(path, {">>>": f" say('{words}')\n"}, context=context, chat_template=chat_template)


@pytest.fixture(scope="module")
def heed() -> Iterator[Running]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        models = Path(folder) / "models"
        speaking(models / "plain.gguf", "I am plain")
        speaking(models / "chatty.gguf", "I am chatty", CHAT_TEMPLATE)
        (Path(folder) / "brain").write_text("imitation\n")
        running = Running(Path(folder))
        try:
            yield running
        finally:
            running.close()


def broken(path: Path) -> Path:
    """Cut off in the middle of its weights."""
    content = make_tiny_gguf(path).read_bytes()
    path.write_bytes(content[: len(content) // 2])
    return path


def refused(path: Path) -> Path:
    """With a sound header, and a tensor that llama.cpp misses."""
    path.write_bytes(make_tiny_gguf(path).read_bytes().replace(b"blk.1.ffn_up", b"blk.1.ffn_oh"))
    return path


def vast(path: Path) -> Path:
    """Four terabytes, none of which is on the disk."""
    os.truncate(make_tiny_gguf(path), 1 << 42)
    return path


BAD = {
    "broken": (broken, "is cut off"),
    "refused": (refused, "cannot load"),
    "vast": (vast, "GB of memory"),
    "missing": (lambda path: path, "there is no model"),
    "small": (lambda path: speaking(path, "I am small", context=2048), "too small"),
    "foreign": (lambda path: path.write_bytes(b"PK\x03\x04" * 20), "not a GGUF"),
}


@pytest.mark.parametrize("template", ["plain", "chatty"])
def test_a_file_is_used_at_once_and_after_the_next_start_with_a_chat_template_and_without(
    heed: Running, template: str
) -> None:
    done = heed.command("use", f"{template}.gguf")
    assert done.returncode == 0, done.stderr
    assert "thinks with llama:" in done.stdout
    assert heed.brain.endswith(f"{template}.gguf")
    heed.answers(f"I am {template}")
    assert (heed.models.parent / "brain").read_text().strip() == f"{template}.gguf"
    checked = json.loads(heed.command("check", f"{template}.gguf", "--json").stdout)
    assert ("plain text" in checked["chat_template"]) == (template == "plain")


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_does_not_work_leaves_the_old_one_thinking(heed: Running, kind: str) -> None:
    heed.command("use", "plain.gguf")
    make, complaint = BAD[kind]
    path = heed.models / f"{kind}.gguf"
    make(path)
    try:
        for file in (path.name, str(path)):
            with pytest.raises(CommandError, match=complaint) as refusal:
                request(heed.runtime, "use_model", file=file)
            assert "still in use" in refusal.value.hint
        done = heed.command("use", path.name)
        assert done.returncode in (1, 2)
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr
    finally:
        path.unlink(missing_ok=True)
    assert heed.brain.endswith("plain.gguf")
    assert (heed.models.parent / "brain").read_text().strip() == "plain.gguf"
    heed.answers("I am plain")
    assert heed.process.poll() is None


def test_imitation_needs_no_file_and_gives_the_memory_back(heed: Running) -> None:
    heed.command("use", "plain.gguf")
    worker = _children(heed.process.pid, "daemon.llm.llama_worker")
    assert len(worker) == 1
    assert heed.command("use", "imitation").returncode == 0
    assert heed.brain == "imitation"
    until(lambda: not _children(heed.process.pid, "daemon.llm.llama_worker"))


def test_the_list_shows_what_is_chosen_and_what_one_could_get(heed: Running) -> None:
    heed.command("use", "chatty.gguf")
    (heed.models / "catalog.toml").write_bytes((ROOT / "models" / "catalog.toml").read_bytes())
    listed = heed.command("list").stdout
    assert "* chatty.gguf" in listed
    assert "  imitation" in listed
    assert "none tried with heed" in listed
    assert "heed models pull Qwen/" in listed


def test_a_check_tells_what_it_can_even_of_a_file_that_cannot_be_loaded(heed: Running) -> None:
    path = vast(heed.models / "vast.gguf")
    try:
        done = heed.command("check", "vast.gguf")
    finally:
        path.unlink()
    assert done.returncode == 1
    assert "architecture           llama" in done.stdout
    assert "memory needed" in done.stdout
    assert "GB are free" in done.stderr


def test_a_command_with_too_few_names_says_what_it_wants(heed: Running) -> None:
    assert "a repository and a file" in heed.command("pull", "somebody/something").stderr
    assert "needs a file" in heed.command("check").stderr


def _children(parent: int, what: str) -> list[int]:
    """Processes below this one whose command line holds `what`."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            ppid = int(status.read_text().rpartition(")")[2].split()[1])
            if ppid == parent and what in status.with_name("cmdline").read_text():
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found
