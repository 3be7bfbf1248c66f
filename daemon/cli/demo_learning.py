"""`heed demo --learning`: heed is taught, asked, made to forget, all by voice, and killed in the middle of each step.

Every step is a process of its own that ends with kill -9 at its worst moment: while the question is open, while the
lesson is being kept, while it is told, while it is forgotten. What was agreed to must be there afterwards, and nothing
else.
"""

import argparse
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from daemon.app import App
from daemon.cli.demo import AUTO, PATIENCE, Person, perform
from daemon.transcript import Step

LESSON = "always bring a cup with a drink"
ASKED = "what have you learned"
FORGET = "forget what I said about the cup"


@dataclass(frozen=True)
class Part:
    """One process of the story."""

    name: str
    tells: str
    """What must be so afterwards."""
    script: Callable[[App, Person], bool]
    """What is said; the process is killed in it, or ends well with True."""
    killed: bool
    left: tuple[int, int]
    """How many lessons are active, and how many are in the file, afterwards."""


def tell(out: Path, brain: str = AUTO) -> int:
    """Tell the whole story; returns 0 when every step left what it should."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("memory.sqlite*"):
        old.unlink()
    well = []
    for number, step in enumerate(STEPS, start=1):
        print(
            f"--- {number} of {len(STEPS)}: {step.name}{', killed with kill -9' if step.killed else ''} ---", flush=True
        )
        command = [sys.executable, "-m", "daemon.cli.demo_learning", str(number), "--out", str(out.resolve())]
        command += ["--brain", brain]
        status = subprocess.run(command, check=False).returncode
        left = _lessons(out)
        right = left == step.left and status == (-signal.SIGKILL if step.killed else 0)
        well.append(right)
        print(f"{'ok' if right else 'FAILED':8}{step.tells}: {left[0]} active, {left[1]} in memory.sqlite", flush=True)
    print(f"demo: {'all is well' if all(well) else 'something went wrong'}; sound and memory lie in {out}/")
    return 0 if all(well) else 1


def _lessons(out: Path) -> tuple[int, int]:
    with sqlite3.connect(out / "memory.sqlite") as database:
        active, total = database.execute(
            "SELECT count(*) FILTER (WHERE status = 'active'), count(*) FROM lesson"
        ).fetchone()
    return int(active), int(total)


def _taught_but_unanswered(app: App, person: Person) -> bool:
    """Killed while heed asks whether to remember it."""
    person.say(LESSON)
    _wait_for(lambda: app.conversation.asking)
    return _killed()


def _kept(app: App, person: Person) -> bool:
    """Killed as soon as the lesson can be read."""
    person.say(LESSON)
    person.say("yes")
    _wait_for(lambda: bool(app.memory.lessons()))
    return _killed()


def _told(app: App, person: Person) -> bool:
    """Killed while heed tells what it has learned."""
    person.say(ASKED)
    _wait_for(lambda: any("also bring the cup" in step.result for step in _steps(app)) or app.heed.speaking)
    return _killed()


def _forgotten(app: App, person: Person) -> bool:
    """Killed as soon as the lesson is forgotten."""
    person.say(FORGET)
    person.say("yes")
    _wait_for(lambda: not app.memory.lessons())
    return _killed()


def _nothing_left(app: App, person: Person) -> bool:
    """Ends in peace: heed answers, and tells of no cup."""
    person.say(ASKED)
    person.wait_until_done()
    told = [f"{step.statement} {step.result}" for step in _steps(app) if step.statement.startswith("say(")]
    return bool(told) and not any("cup" in words for words in told)


STEPS = (
    Part("heed is taught, and not answered", "nothing is kept without a yes", _taught_but_unanswered, True, (0, 0)),
    Part("heed is taught, and agreed with", "what was agreed to is kept", _kept, True, (1, 1)),
    Part("heed is asked what it has learned", "what is kept stays", _told, True, (1, 1)),
    Part("heed is told to forget it", "it is forgotten, and can be restored", _forgotten, True, (0, 1)),
    Part("heed is asked again", "it stays forgotten", _nothing_left, False, (0, 1)),
)


def _steps(app: App) -> Sequence[Step]:
    turn = app.conversation.history.current_turn
    return turn.steps if turn else ()


def _killed() -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    return False


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("heed did not react; what was heard stands above")
        time.sleep(0.002)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step as a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m daemon.cli.demo_learning", description=main.__doc__)
    parser.add_argument("step", type=int, choices=range(1, len(STEPS) + 1))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--brain", default=AUTO)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=os.environ.get("HEED_LOG", "WARNING").upper(), format="%(name)s: %(message)s")
    step = STEPS[options.step - 1]
    return perform(f"step {options.step}", step.script, options.out, brain=options.brain)


if __name__ == "__main__":
    sys.exit(main())
