"""What a person says to set a number of a skill: how fast on a way, where to take hold of a thing, how far and
how fast to pull."""

import re

from daemon.console.learning.no_lesson import NoLesson
from daemon.imitation.english.noun_phrases import Masked
from daemon.memory.number_rules import Carry, Hold, Pace, Pull, Speed
from daemon.names import spoken
from skills.navigation import MOST

FASTER = 2.0
SLOWER = 0.5
"""Times the normal speed, where nobody says how much."""
A_BIT = 0.02
"""Metres that a hold moves, and a fifth of what a pull changes, where nobody says how much."""
TIMES = {"twice": 2.0, "double": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0, "half": 0.5, "two": 2.0}
_FROM_TO = re.compile(r"\bfrom (P\d+) (?:over |back )?to (P\d+)", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween (P\d+) and (P\d+)", re.IGNORECASE)
_TO_FROM = re.compile(r"\bto (P\d+) from (P\d+)", re.IGNORECASE)
_CARRYING = re.compile(
    r"\b(?:when(?:ever)?|while|if|as long as|every time|each time) (?:you(?:'re| are)? )?"
    r"(?:(?:carry|transport|hold|move|bring)(?:ing)?|(?:have|having)) (?:me |us )?"
    r"(?:(?P<token>[TC]\d+)|it|that|them|something like (?:it|that))\b"
    r"|\b(?:with|while|when(?:ever)?|as long as) (?P<held>[TC]\d+)(?:'s| is| are)? in (?:your|the) "
    r"(?:hands?|grippers?|claws?|fingers)\b",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"\b(?:on (?:your|the) way|(?:go|drive|move|com|going|driving|moving|approaching|heading|near)(?:ing|e|s)?)"
    r"(?: over| up| back)* (?:to(?:wards)? )?(?P<end>P\d+)",
    re.IGNORECASE,
)
_GENERALLY = re.compile(
    r"\b(?:generally|always|never|from now on|every time|each time|whenever|when(?:ever)? you|as a rule|in general|"
    r"(?:in|for) (?:the )?future|next time|on your way)\b",
    re.IGNORECASE,
)
_THAT_WAY = re.compile(
    r"\b(?:on |along |over )?(?:that|this|the same) (?:route|way|path|stretch|distance)\b|\bthere\b", re.IGNORECASE
)
_TEMPO = re.compile(
    r"\b(fast(?:er)?|quick(?:er|ly)?|slow(?:er|ly)?|speed(?:ing)?|careful(?:ly)?|hurry(?:ing)?|rush(?:ing)?|rac(?:e|ing)|"
    r"crawl|take your time|take (?:it|things) (?:easy|slow(?:ly)?)|gent(?:ly|le|ler)|easy)\b",
    re.IGNORECASE,
)
_SLOW = re.compile(
    r"\b(?:slow|careful|gent|easy|crawl|creep|snail|take your time|half"
    r"|(?:not|less|stop) (?:so |that |too |as |going )*(?:fast|quick)|stop (?:rac|rush|speed|hurry)ing"
    r"|(?:don't|do not|never) (?:rush|hurry|speed))|too (?:fast|quick)",
    re.IGNORECASE,
)
_TOO_SLOW = re.compile(r"\b(?:too|so) slow", re.IGNORECASE)
_A_WAY = re.compile(
    r"\b(route|way|path|stretch|when(?:ever)? (?:you )?\w+|always|from now on|remember|learn|next time|every "
    r"time|in (?:the )?future|no matter|"
    r"(?:can|may|should|must) (?:go|drive|move)|"
    r"(?<!can )(?<!could )(?<!would )(?<!will )you (?:go|drive|move|walk|roll))\b",
    re.IGNORECASE,
)
"""Words that speak of a way as such; without them, "quickly, from the table to the sink" is a request."""
_TEACHES = re.compile(
    r"\b(always|from now on|from today|next time|remember|learn|every time|when(?:ever)? you|in (?:the )?future"
    r"|better)\b",
    re.IGNORECASE,
)
_HOLD = re.compile(r"\b(?:grasp|grip|grab|hold|take|pick up|pick|take hold of)\b", re.IGNORECASE)
_HIGHER = re.compile(r"\b(higher|further up|more at the top|at the top|by the rim|near the top|upper)\b", re.IGNORECASE)
_LOWER = re.compile(
    r"\b(lower|further down|deeper|at the bottom|by the base|near the bottom|farther down)\b", re.IGNORECASE
)
_PULL = re.compile(r"\b(?:pull|open|draw)\b", re.IGNORECASE)
_FURTHER = re.compile(r"\b(further|farther|wider|more|all the way|completely|fully)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(less|not so (?:far|wide)|not as (?:far|wide)|only a bit|halfway)\b", re.IGNORECASE)
_DOOR = re.compile(
    r"\b(?:(?P<open>open(?:ing)?|pull)|(?P<close>clos(?:e|ing)|shut(?:ting)?|slam(?:ming)?))\b", re.IGNORECASE
)
_GENTLY = re.compile(
    r"\b(?:slow(?:er|ly)?|gent(?:ly|le|ler)|careful(?:ly)?|soft(?:ly|er)|quiet(?:ly|er)|take your time"
    r"|not so (?:fast|hard|loud)|less (?:fast|hard|loud)|(?:without|stop|no) slamming"
    r"|(?:not|don't|never) (?:ever )?slam)\b",
    re.IGNORECASE,
)
_FASTER = re.compile(r"\b(?:fast(?:er)?|quick(?:er|ly)?)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(\d+(?:\.\d+)?|one|two|three|four|five|ten) ?(cm|centimet\w+|mm|millimet\w+|inch(?:es)?)\b", re.IGNORECASE
)
_NUMBERS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0}
_UNITS = {"c": 0.01, "m": 0.001, "i": 0.0254}


def read_speed(said: Masked, last_way: tuple[str, str] | None) -> Speed | None:
    """Return how fast to drive on a way; `last_way` is the last one that something was carried on.

    Raises NoLesson for more than the body may do.
    """
    text = said.text
    if not _TEMPO.search(text) or not (_A_WAY.search(text) or _GENERALLY.search(text)):
        return None
    both = False
    if match := _FROM_TO.search(text):
        start, end = said.place(match[1]), said.place(match[2])
    elif match := _TO_FROM.search(text):
        start, end = said.place(match[2]), said.place(match[1])
    elif match := _BETWEEN.search(text):
        start, end, both = said.place(match[1]), said.place(match[2]), True
    elif last_way is not None and _THAT_WAY.search(text):
        start, end = last_way
    elif (match := _TOWARDS.search(text)) and _GENERALLY.search(text):
        start, end = "", said.place(match["end"])
    else:
        return None
    return Speed(start, end, allowed_factor(text), both)


def read_carry(said: Masked, last: str) -> Carry | None:
    """Return how fast to drive with a thing in the hand. Raises NoLesson for more than the body may do."""
    match = _CARRYING.search(said.text)
    if match is None or not _TEMPO.search(said.text):
        return None
    token = match["token"] or match["held"] or last
    if not token:
        return None
    scope, example = said.scope(token)
    return Carry(scope, allowed_factor(said.text), example)


def read_hold(said: Masked, last: str) -> Hold | None:
    """Return where to take hold of a thing: higher or lower than usual."""
    text = said.text
    up = bool(_HIGHER.search(text))
    if not _HOLD.search(text) or up is bool(_LOWER.search(text)) or not _TEACHES.search(text):
        return None
    token = next((token for token in said.tokens if token[0] in "TC"), last)
    if not token:
        return None
    scope, example = said.scope(token)
    length = length_in(text) or A_BIT
    return Hold(scope, length if up else -length, example)


def read_pull(said: Masked, last_door: str) -> Pull | None:
    """Return how far to pull a door or drawer open: further or less far than usual."""
    text = said.text
    further = bool(_FURTHER.search(text))
    if not _PULL.search(text) or further is bool(_LESS.search(text)) or not _TEACHES.search(text):
        return None
    place = next((said.place(token) for token in said.tokens if token[0] == "P"), last_door)
    length = length_in(text) or 0.05
    return Pull(place, length if further else -length) if place else None


def read_pace(said: Masked, last_door: str) -> Pace | None:
    """Return how fast to open or close a door or drawer. Raises NoLesson for faster than normal, which is the limit."""
    text = said.text
    door, gently = _DOOR.search(text), _GENTLY.search(text)
    slams = bool(re.search(r"\bslam", text, re.IGNORECASE))
    if not door or not (gently or _FASTER.search(text)) or not (_TEACHES.search(text) or slams):
        return None
    places = [said.references[int(token[1:])].places[0] for token in said.tokens if token[0] == "P"]
    place = next((spoken(place.name) for place in places if place.door), "" if places else last_door)
    if not place:
        return None
    if not gently:
        raise NoLesson("I will not learn that: my hands move as fast as they may already.")
    times = re.search(r"\b(\d+(?:\.\d+)?) times\b", text)
    factor = float(times[1]) if times and 0 < float(times[1]) <= 1 else SLOWER
    return Pace("open" if door["open"] else "close", place, factor)


def length_in(text: str) -> float | None:
    """A length that is said, in metres; None where none is."""
    match = _LENGTH.search(text)
    if match is None:
        return None
    number = match[1].lower()
    return (_NUMBERS.get(number) or float(number)) * _UNITS[match[2][0].lower()]


def allowed_factor(text: str) -> float:
    """Times the normal speed, as it is said. Raises NoLesson for more than the body may do."""
    factor = _factor(text)
    if factor > MOST:
        raise NoLesson(
            f"I will not learn that: {MOST:g} times my normal speed is my limit, and nobody can teach me to exceed it."
        )
    return factor


def _factor(text: str) -> float:
    if times := re.search(r"\b(\d+(?:\.\d+)?|\w+)(?: times|\s?x\b| as fast)", text, re.IGNORECASE):
        said = times[1].lower()
        known = float(said) if said[0].isdigit() else TIMES.get(said)
        if known is not None:
            return known
    if said_word := next((w for w in ("twice", "double", "half") if re.search(rf"\b{w}\b", text, re.IGNORECASE)), None):
        return TIMES[said_word]
    return SLOWER if _SLOW.search(text) and not _TOO_SLOW.search(text) else FASTER
