"""Which goals there are, and what they take."""

from collections.abc import Iterator

from daemon.console.goals.choice import SEEN
from daemon.console.goals.goal import ARGUMENTS, Goal
from daemon.console.goals.sweeps import SWEEP, Sweep
from daemon.console.goals.telling import TELL, Tell

TAKES = {
    SWEEP[0]: "what it is, where to, and what stays",
    TELL[0]: "a thing, a place, a kind, a state, robot, time or skills",
    SEEN[0]: "what it is and where or how it is, behind `if`",
}
"""What those take that name more than things and places."""


def goal_arguments() -> Iterator[tuple[str, int, str]]:
    """Goal, position and what is named there, as skills.skill.arguments() tells it of skills."""
    for name, named in (*ARGUMENTS.items(), SWEEP, TELL, SEEN):
        for position, kind in enumerate(named):
            yield name, position, kind


def takes(name: str) -> str:
    """Return what a goal of this name takes, in words; "" where there is none."""
    parts = ("a thing" if part == "object" else "a place" for part in ARGUMENTS.get(name, ()))
    return TAKES.get(name, " and ".join(parts))


def is_goal(statement: str) -> bool:
    """Return whether a statement is a goal, with all that it takes."""
    return any(kind.of(statement) for kind in (Goal, Sweep, Tell))
