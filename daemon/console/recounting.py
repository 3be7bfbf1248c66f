"""What was done, in words to say: for "what did you just do?" and "how far are you?"."""

from collections.abc import Sequence

from daemon.console.deliveries import calls
from daemon.console.history import Turn
from daemon.console.situation import SOMEBODY
from daemon.names import joined, mention, spoken, without_end
from daemon.transcript import Step

DONE, RECOUNTS = "done", "say(recount())"
"""What the robot did, as somebody asks to be told of it, and the statement that tells it."""
NOTHING, IDLE = "I have not done anything yet.", "I am doing nothing."
_DEEDS = {
    "move_to": "went to the {0}",
    "grasp": "took the {0}",
    "place": "put the {0} on the {1}",
    "handover": "gave you the {0}",
    "open_door": "opened the {0}",
    "close_door": "closed the {0}",
    "point_at": "pointed at the {0}",
}
"""What a skill does, in words to say; one that is not here is told by its name."""
_DOING = {
    "move_to": "on my way to the {0}",
    "grasp": "taking the {0}",
    "place": "putting down the {0}",
    "handover": "handing over the {0}",
    "open_door": "opening the {0}",
    "close_door": "closing the {0}",
    "point_at": "pointing at the {0}",
}
"""The same while it is done, as the end of "I am ..."."""
_MOVES = ("grasp", "place", "handover")
_TALK = frozenset(["wait_for_trigger", "say", "ask", "learn_from_interaction", "forget_lesson", "undo_lesson"])
_TALK |= frozenset(["explain", "recount", "about_tasks"])


def recounted(past: Sequence[Turn]) -> str:
    """Return what was done last and what came of it; turns that only recounted are not counted."""
    turn = _last_one(past)
    if turn is None:
        return NOTHING
    if done := deeds_of(turn):
        return f"You said: {without_end(turn.utterance)}. So I {done}."
    reason = _failures(turn)[-1].partition(": ")[2].partition(" Hint:")[0].rstrip(".")
    return f"You said: {without_end(turn.utterance)}. I did not manage that: {reason}."


def is_recounted(past: Sequence[Turn], text: str) -> bool:
    """Return whether words tell of what was done last: of each thing that was moved; not where none was."""
    turn = _last_one(past)
    done = calls(turn.steps) if turn and deeds_of(turn) else ()
    moved = [arguments[0] for name, arguments in done if name in _MOVES and arguments]
    return bool(moved) and all(mention(spoken(str(thing)), text) for thing in moved)


def _last_one(past: Sequence[Turn]) -> Turn | None:
    """The last turn in which something was done, or failed."""
    tried = (turn for turn in reversed(past) if deeds_of(turn) or (_failures(turn) and not _recounts(turn)))
    return next(tried, None)


def _failures(turn: Turn) -> list[str]:
    return [step.error for step in turn.steps if step.error]


def _recounts(turn: Turn) -> bool:
    return any("recount()" in step.statement for step in turn.steps)


def progress_of(turn: Turn | None) -> str:
    """Return how far the turn under way has come."""
    if turn is None:
        return IDLE
    so_far = deeds_of(turn)
    return f"I am doing what you said: {without_end(turn.utterance)}." + (f" So far I {so_far}." if so_far else "")


def doing_in(statement: str) -> str:
    """Return what a statement does while it runs, as the end of "I am ..."; "" for one that moves nothing."""
    for name, arguments in calls([Step(statement)]):
        if name in _DOING and arguments:
            return _DOING[name].format(*(spoken(str(argument)) for argument in arguments))
    return ""


def deeds_of(turn: Turn) -> str:
    """Return what was done in a turn, as the end of "I ..."; "" for nothing."""
    told = [words for name, arguments in calls(turn.steps) if (words := _told(name, arguments))]
    return joined(list(dict.fromkeys(told))) if told else ""


def _told(name: str, arguments: Sequence[str]) -> str:
    if name in _TALK or name.startswith(("list_", "get_", "is_", "other_")):
        return ""
    words = [spoken(str(argument)) for argument in arguments]
    if (name, words) == ("move_to", [SOMEBODY]):
        return "came to you"
    try:
        return _DEEDS[name].format(*words)
    except (KeyError, IndexError):
        return " ".join(["did", spoken(name), *words])
