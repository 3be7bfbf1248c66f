"""What people call each action. Pure text."""

import re
from collections.abc import Iterator

from daemon.lexicon.inflection import plain_forms

ACTIONS = {
    "turn_on": "turnon", "turn_off": "turnoff", "toggleon": "turnon", "toggleoff": "turnoff", "toggle_on": "turnon",
    "toggle_off": "turnoff", "switch_on": "turnon", "switch_off": "turnoff", "grasp": "pick", "pickup": "pick",
    "pick_up": "pick", "put": "place", "put_down": "place", "cut": "slice", "open_door": "open",
    "close_door": "close", "grab": "pick", "take": "pick", "move_to": "approach", "give": "handover",
}  # fmt: skip
"""Other names of actions in structured orders."""
SAID = {
    "pick": "take", "place": "put", "open": "open", "close": "close", "turnon": "turn on", "turnoff": "turn off",
    "slice": "slice", "handover": "give", "approach": "go to",
}  # fmt: skip
"""The plainest words for each action."""
BRINGS_ABOUT = {
    "on": "turnon", "off": "turnoff", "open": "open", "closed": "close", "shut": "close", "going": "turnon",
    "running": "turnon", "started": "turnon", "working": "turnon", "out": "pick", "away": "pick", "gone": "pick",
}  # fmt: skip
"""The action after which a thing is so."""


def read_verb(text: str) -> tuple[str, str] | None:
    """Return the action that a clause begins with, and its rest; None where it begins with no known verb."""
    for form in _plain(text):
        for pattern, action in _VERBS:
            if match := pattern.match(form):
                return action, match["rest"]
    return None


def base_of(form: str) -> str:
    """Return the plain form of a verb that names an action, "opened" or "opening" is "open"; "" for any other word."""
    if form in _IRREGULAR:
        return _IRREGULAR[form]
    known = (verb for verb in (*plain_forms(form), form) if read_verb(f"{verb} it") or verb in _SWITCHES)
    return next(known, "")


def _plain(text: str) -> Iterator[str]:
    """Yield the clause; where it begins with a verb in -ing, "getting the cup", also with the verb's plain forms."""
    yield text
    if match := re.match(r"(?P<form>[a-z]{2,}ing) (?P<rest>.+)$", text, re.IGNORECASE):
        yield from (f"{verb} {match['rest']}" for verb in plain_forms(match["form"]))


_IRREGULAR = {
    "taken": "take", "brought": "bring", "shut": "shut", "given": "give", "got": "get", "gotten": "get", "cut": "cut",
    "put": "put", "held": "hold", "lit": "light", "set": "set", "hung": "hang", "stuck": "stick", "caught": "catch",
    "thrown": "throw", "laid": "lay", "left": "leave",
}  # fmt: skip
_SWITCHES = ("turn", "switch", "power", "flip", "flick")
_SWITCH = r"(?:turn|switch|power|flip|flick|toggle|click|make(?! sure\b))"
_VERBS = [
    (re.compile(pattern, re.IGNORECASE), action)
    for pattern, action in (
        (
            rf"^(?:{_SWITCH} on|start(?: up)?|fire up|boot(?: up)?|crank up|rev up|power up|activate|light(?: "
            rf"up)?|run|launch|"
            r"put on)\s+(?P<rest>.+)$",
            "turnon",
        ),
        (
            rf"^(?:(?:{_SWITCH}|shut) (?:off|down)|deactivate|extinguish|put out|stop|kill|cut off|unplug"
            rf"|silence|mute|douse|"
            r"put (?:a stop|an end) to|call time on|"
            r"snuff(?: out)?|quench|quit|disable|end)\s+(?P<rest>.+)$",
            "turnoff",
        ),
        (rf"^{_SWITCH}\s+(?P<rest>.+)\s+on$", "turnon"),
        (
            r"^(?:pop|stick|put|get|whack|bung|have|leave|kick|fire|boot|start|rev|crank|power)\s+(?P<rest>.+)\s+"
            r"(?:on|up|going|running|started|working)$",
            "turnon",
        ),
        (rf"^(?:{_SWITCH}|shut|put|get|have|knock|power)\s+(?P<rest>.+)\s+(?:off|down)$", "turnoff"),
        (
            r"^(?:pick|lift|pull|take|get|grab|gather|scoop|dig|fish|snatch|bring|haul|carry|clear|move|drag"
            r"|put|whip|"
            r"fetch|hoist|pluck|root)\s+(?P<rest>.+)\s+(?:up|out|down|away|off|from here|out of here|out of "
            r"the way)$",
            "pick",
        ),
        (r"^(?:slice|cut|chop|carve)\s+(?P<rest>.+)\s+up$", "slice"),
        (
            r"^(?:hand|pass|bring|fetch|chuck|throw|sling|lob|send|get|slide)\s+(?P<rest>.+?)\s+"
            r"(?:over(?: here)?|here|this way|my way|our way|across)$",
            "pick",
        ),
        (r"^(?:open|crack|pop|prise|pry|throw|swing|pull|push|fling|slide|get)\s+(?P<rest>.+)\s+(?:up|open)$", "open"),
        (r"^(?:push|pull|slam|swing|slide|click|bang)\s+(?P<rest>.+)\s+(?:shut|closed|to)$", "close"),
    )
] + [
    (re.compile(rf"^(?:{verb})\s+(?P<rest>.+)$", re.IGNORECASE), action)
    for verb, action in (
        (
            r"put (?:back|away|down)|put|place|set(?: down)?|drop|leave|insert|store|lay|load|toss|return"
            r"|stick|shove|pop|slide|slip|tuck|hang(?: up)?|dump|rest|stow|stash|park|prop|chuck (?!me|us)"
            r"|bung|plonk|plop"
            r"|squeeze|deposit|mount|stuff|pack|throw(?! (?:me|us)\b)|(?:carry|move|transport|shift)(?! to\b)",
            "place",
        ),
        (
            r"(?:hand|give|pass|lend|chuck|throw|toss|slip|sling|lob|spare|grant) (?:me|us)|hand over to me"
            r"|let (?:me|us) have",
            "pick",
        ),
        (r"hand over|hand|give|pass|deliver|offer|present|serve", "handover"),
        (
            r"(?:pick|lift|pull|take|get|grab|gather|scoop|dig|fish|haul|clear|root|whip|hoist) (?:up|out"
            r"|down|away|off)(?! of\b)"
            r"|get rid of|get hold of|dispose of|do away with|remove|get shot of|have hold of|lay hands on"
            r"|(?:hold|hang) on to|pick|grab|reach|grasp|snatch|take|(?:get|fetch|bring)(?: me| us)?|lift|hold"
            r"|reach for|collect"
            r"|retrieve|catch"
            r"|haul|clear|pluck|seize|clutch|acquire|find (?:me|us)|dig out|fish out|go get|go and get|rescue"
            r"|save|relieve",
            "pick",
        ),
        (r"open(?: up)?|crack(?: open)?|unlatch|unseal|uncover|unbolt", "open"),
        (r"close(?: up)?|shut(?! (?:off|down)\b)|seal", "close"),
        (r"slice(?: up)?|cut(?: up)?|chop(?: up)?|carve|dice|quarter|halve", "slice"),
        (r"go to|drive to|move to|approach|walk to|come to", "approach"),
    )
]
