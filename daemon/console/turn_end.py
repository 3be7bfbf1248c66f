"""How a turn ends honestly: what was not told of it, and whether the model still gets anywhere. Pure functions."""

from collections.abc import Sequence

from daemon.console.acting_statements import deeds_in
from daemon.console.history import Turn
from daemon.transcript import Step

CIRCLES = 3
"""How often the same statements may bring the same results in a row: twice may be a retry, three times is a loop.

Three cups carried to the sink are none: each round is about another cup.
"""
ADVICE = Step(
    "pass  # the same again",
    "RuntimeError: the same statements bring the same results. Hint: do something else, or say why it cannot be done",
)
"""What the model reads the first time that it goes in circles; the second time heed gives up."""
LOST = "Sorry, I do not know how to go on."
TRIED = "I have tried many things and it is still not done. I stop here."
DONE, ACKNOWLEDGED = "That is done.", "All right."
"""What a language model need not have said itself."""
SILENT = ("begin_later",)
"""After these heed speaks by itself."""


def interrupted(turn: Turn | None) -> bool:
    """Return whether a person ended the last statement: what comes next is theirs to say."""
    return turn is not None and (turn.steps[-1].error or "").startswith("KeyboardInterrupt")


def failure_untold(turn: Turn | None) -> str:
    """Return what to say where the last statement failed and the model would leave it at that; else ""."""
    error = turn.steps[-1].error if turn and len(turn.steps) > 1 else None
    return _told(error) if error else ""


def deed_untold(turn: Turn, leads: bool) -> str:
    """Return what to say where a turn has ended without a word; "" where words were not for the robot, or all is told.

    Nothing is told as done of which a part has failed. `leads`: the model reads by itself what people say.
    """
    if failed := _not_made_good(turn):
        return _told(failed)
    if (leads and turn.steps[-1].called in SILENT) or turn.steps[-1].statement == "pass":
        return ""
    acted = any(any(deeds_in(step.statement)) for step in turn.steps[1:] if not step.error)
    return DONE if acted else ACKNOWLEDGED


def _not_made_good(turn: Turn) -> str:
    """Return the error of the last deed that a skill refused or missed, unless the same skill worked after it."""
    worked: set[str | None] = set()
    for step in reversed(turn.steps[1:]):
        error = step.error or ""
        if _is_a_skill_s(error) and step.called not in worked and any(deeds_in(step.statement)):
            return error
        worked.add("" if error else step.called)
    return ""


def _told(error: str) -> str:
    reason = error.partition(": ")[2].partition(" Hint:")[0].rstrip(".")
    return f"I could not do that: {reason}." if _is_a_skill_s(error) else LOST


def _is_a_skill_s(error: str) -> bool:
    return error.startswith("RuntimeError: ")


def stuck(turn: Turn | None, most: int) -> str | None:
    """Return why the model will not get anywhere in a turn of at most so many steps, in a person's words; None: it
    may.
    """
    if turn is None:
        return None
    if len(turn.steps) > most:
        return TRIED
    return LOST if ADVICE in turn.steps and goes_in_circles(turn) else None


def goes_in_circles(turn: Turn | None) -> bool:
    """Return whether a turn repeats itself; after an advice one repetition is enough."""
    if turn is None:
        return False
    if ADVICE not in turn.steps:
        return _repeats(turn.steps, CIRCLES)
    return _repeats(turn.steps[turn.steps.index(ADVICE) + 1 :], 2)


def _repeats(steps: Sequence[Step], times: int) -> bool:
    """Return whether the last steps, however many make up a round, are the same round so many times."""
    for length in range(1, len(steps) // times + 1):
        rounds = [tuple(steps[-length * i : len(steps) - length * (i - 1)]) for i in range(1, times + 1)]
        if len(set(rounds)) == 1:
            return True
    return False
