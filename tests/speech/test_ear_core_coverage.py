"""Every decision and every transition of the reducer of the ear has a test with fixed events: else this fails.

    script/test -m whole tests/speech/test_ear_core_coverage.py

The tests of test_ear_core.py, test_transitions.py and test_showing.py run once more in a process of their own, without
those that draw their events at random.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.speech.transitions import possible_transitions

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
REDUCER = [
    f"daemon/speech/{name}.py" for name in ("ear_core", "showing", "stopping", "yielding", "ear_state", "ear_events")
]
TESTS = [
    "-m",
    "not hypothesis",
    "-p",
    "no:cacheprovider",
    "tests/speech/test_ear_core.py",
    "tests/speech/test_transitions.py",
    "tests/speech/test_showing.py",
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """The run of the tests; returns "transitions" or "coverage" of it."""
    folder = tmp_path_factory.mktemp("coverage")
    data = f"--data-file={folder / 'data'}"
    environment = os.environ | {"TRANSITIONS": str(folder / "transitions")}

    def coverage(*arguments: str) -> None:
        command = [sys.executable, "-m", "coverage", *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=60)

    measured = f"--include={','.join(REDUCER)}"
    coverage("run", "--branch", data, measured, "-m", "pytest", "-p", "tests.speech.transitions", *TESTS)
    coverage("json", data, "-o", str(folder / "coverage"))
    return lambda what: json.loads((folder / what).read_text())


def test_every_line_and_every_branch_of_the_reducer_has_a_test(run: Callable[[str], Any]) -> None:
    files = run("coverage")["files"]
    assert sorted(files) == sorted(REDUCER)
    missing = {name: (file["missing_lines"], file["missing_branches"]) for name, file in files.items()}
    assert missing == {name: ([], []) for name in REDUCER}


def test_every_transition_that_can_happen_has_a_test(run: Callable[[str], Any]) -> None:
    tested = {tuple(transition) for transition in run("transitions")}
    possible = possible_transitions()
    assert len(possible) > 50
    assert sorted(possible - tested) == []
