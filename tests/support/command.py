"""The `heed` command, run in the tests' own process: for commands that neither stay nor change the process."""

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from daemon.__main__ import main


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def heed_command(config: Path, *arguments: str) -> Answer:
    """Run a command with these settings."""
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(io.StringIO()) as complained:
        status = main(["--config", str(config), *arguments])
    return Answer(status, said.getvalue(), complained.getvalue())
