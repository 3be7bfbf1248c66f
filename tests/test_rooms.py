"""script/rooms: what each room of a repository holds, of files that lie there and of those of a commit."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "script" / "rooms"
READS_WORDS = 'import re\n\nFORM = re.compile("bring|give|fetch|hand")\nWORD = re.escape("a|b")\nFEW = {"yes", "no"}\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits, and a file that belongs to none; in the second commit a file has left the console."""
    git(tmp_path, "init", "--quiet")
    write(tmp_path, "daemon/console/asides.py", READS_WORDS)
    write(tmp_path, "daemon/app.py", "pass\n")
    git(tmp_path, "add", ".")
    commit(tmp_path)
    (tmp_path / "daemon/imitation/english/orders").mkdir(parents=True)
    git(tmp_path, "mv", "daemon/console/asides.py", "daemon/imitation/english/orders/remarks.py")
    commit(tmp_path)
    write(tmp_path, "hw/bus.py", "pass\npass\n")
    write(tmp_path, "setup.py", "pass\n")
    return tmp_path


def test_files_lines_patterns_and_tables_are_counted_room_by_room(repository: Path) -> None:
    assert rooms(repository) == {
        "daemon": [1, 1, 0, 0],
        "daemon/imitation/english": [1, 5, 1, 1],
        "hw": [1, 2, 0, 0],
        "all": [3, 8, 1, 1],
    }


def test_those_of_an_older_commit_are_counted_and_it_is_not_checked_out(repository: Path) -> None:
    found = rooms(repository, "HEAD~1")
    assert found == {"daemon": [1, 1, 0, 0], "daemon/console": [1, 5, 1, 1], "all": [2, 6, 1, 1]}
    assert not (repository / "daemon/console/asides.py").exists()


def test_a_commit_that_there_is_not_is_told(repository: Path) -> None:
    done = subprocess.run([SCRIPT, "nonsense"], cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("rooms: ")
    assert "nonsense" in done.stderr


def rooms(repository: Path, *commit: str) -> dict[str, list[int]]:
    """Return what the script prints of each room: files, lines, patterns, tables."""
    printed = subprocess.run([SCRIPT, *commit], cwd=repository, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in printed.splitlines()[1:]]
    return {room: [int(count.replace(",", "")) for count in counts] for room, *counts in rows}


def write(repository: Path, name: str, text: str) -> None:
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text(text)


def commit(repository: Path) -> None:
    git(repository, "-c", "user.name=heed", "-c", "user.email=heed@localhost", "commit", "--quiet", "--message", "x")


def git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=repository, check=True)
