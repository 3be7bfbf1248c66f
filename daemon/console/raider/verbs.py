"""What people call each action. Pure text."""

import re
from collections.abc import Iterator

ACTIONS = {
    "turn_on": "turnon", "turn_off": "turnoff", "toggleon": "turnon", "toggleoff": "turnoff", "toggle_on": "turnon",
    "toggle_off": "turnoff", "switch_on": "turnon", "switch_off": "turnoff", "grasp": "pick", "pickup": "pick",
    "pick_up": "pick", "put": "place", "put_down": "place", "cut": "slice", "open_door": "open",
    "close_door": "close", "grab": "pick", "take": "pick", "move_to": "approach", "give": "handover",
}  # fmt: skip
"""Other names of actions in structured orders."""


def read_verb(text: str) -> tuple[str, str] | None:
    """The action that a clause begins with, and the rest of the clause; None where it begins with no known verb."""
    for form in _plain(text):
        for pattern, action in _VERBS:
            if match := pattern.match(form):
                return action, match["rest"]
    return None


def _plain(text: str) -> Iterator[str]:
    """The clause, and where it begins as in "would you mind getting the cup", with the plain forms of its verb."""
    yield text
    if match := re.match(r"(?P<stem>[a-z]{2,})ing (?P<rest>.+)$", text, re.IGNORECASE):
        stem, rest = match["stem"], match["rest"]
        yield f"{stem} {rest}"
        yield f"{stem}e {rest}"
        if stem[-1] == stem[-2]:
            yield f"{stem[:-1]} {rest}"


_SWITCH = r"(?:turn|switch|power|flip|flick|toggle|click|make(?! sure\b))"
_VERBS = [
    (re.compile(pattern, re.IGNORECASE), action)
    for pattern, action in (
        (rf"^(?:{_SWITCH} on|start(?: up)?|fire up|boot(?: up)?|activate|light(?: up)?)\s+(?P<rest>.+)$", "turnon"),
        (rf"^(?:(?:{_SWITCH}|shut) (?:off|down)|deactivate|extinguish|put out|stop)\s+(?P<rest>.+)$", "turnoff"),
        (rf"^{_SWITCH}\s+(?P<rest>.+)\s+on$", "turnon"),
        (rf"^(?:{_SWITCH}|shut)\s+(?P<rest>.+)\s+(?:off|down)$", "turnoff"),
        (
            r"^(?:pick|lift|pull|take|get|grab|gather|scoop|dig|fish|snatch|bring)\s+(?P<rest>.+)\s+(?:up|out|down|away)$",
            "pick",
        ),
        (r"^(?:slice|cut|chop|carve)\s+(?P<rest>.+)\s+up$", "slice"),
        (r"^(?:hand|pass|bring|fetch)\s+(?P<rest>.+?)\s+(?:over(?: here)?|here)$", "pick"),
        (r"^open\s+(?P<rest>.+)\s+up$", "open"),
    )
] + [
    (re.compile(rf"^(?:{verb})\s+(?P<rest>.+)$", re.IGNORECASE), action)
    for verb, action in (
        (
            r"put (?:back|away|down)|put|place|set(?: down)?|drop|leave|insert|store|lay|load|throw|toss|return"
            r"|stick|shove|pop|slide|tuck|(?:carry|move|transport|shift)(?! to\b)",
            "place",
        ),
        (r"(?:hand|give|pass|lend) (?:me|us)|hand over to me", "pick"),
        (r"hand over|hand|give|pass|deliver|offer", "handover"),
        (
            r"(?:pick|lift|pull|take|get|grab|gather|scoop|dig|fish) (?:up|out|down|away)(?! of\b)"
            r"|pick|grab|grasp|snatch|take|(?:get|fetch|bring)(?: me| us)?|lift|hold|reach for|collect|retrieve|catch",
            "pick",
        ),
        (r"open(?: up)?", "open"),
        (r"close|shut", "close"),
        (r"slice(?: up)?|cut(?: up)?|chop(?: up)?|carve", "slice"),
        (r"go to|drive to|move to|approach|walk to|come to", "approach"),
    )
]
