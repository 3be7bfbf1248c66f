"""Corrections of one motion: "a bit to the left", "a little more", "back" (after DROC: Zha et al. 2024, sec. IV).

In the frame of the thing that was handled last, scaled by its size, relative to the last such motion. What comes
of it is a call of shift(), which stands in the history and so is what "more" refers to next time.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from daemon.console.history import Turn
from daemon.imitation.english.noun_phrases import masked
from daemon.imitation.english.teaching.number_phrases import length_in
from daemon.transcript import Step
from skills.fine_motion import FARTHEST
from skills.scene import Scene, Thing

OPPOSITE = {"left": "right", "right": "left", "forward": "back", "back": "forward", "up": "down", "down": "up"}
RECENT = 3
"""Turns after which nobody speaks of a motion any more."""
LEAST = 0.005
"""Metres; less cannot be seen."""


def fine_motion(text: str, scene: Scene, past: Sequence[Turn]) -> str | None:
    """The statement that a correction of one motion asks for; None for every other sentence."""
    said = masked(text.strip(" .!?"), scene)
    another = _PHRASAL.search(said.text) and not _AMOUNT.search(said.text)
    if not _FORM.fullmatch(said.text) or another or len(said.tokens) > 1:
        return None
    last = _last_shift(past)
    thing = _meant(said.references[0].things if said.references else (), scene, last, past)
    if thing is None:
        return None
    wanted = _wanted(said.text, last, thing)
    if wanted is None:
        return None
    direction, distance = wanted
    return f"shift({thing.name!r}, {direction!r}, {round(min(max(distance, LEAST), FARTHEST), 3)})"


def _wanted(text: str, last: tuple[str, str, float] | None, thing: Thing) -> tuple[str, float] | None:
    """Direction and distance (metres)."""
    said = next((name for name, pattern in _DIRECTIONS.items() if pattern.search(text)), None)
    if said == "back" and last and not _AMOUNT.search(text):
        return OPPOSITE[last[1]], last[2]
    distance = length_in(text) or _amount(text, thing)
    if said is not None:
        return said, distance
    if last is None:
        return None
    _, direction, before = last
    if _TOO_FAR.search(text):
        return OPPOSITE[direction], before / 2
    if _OTHER_WAY.search(text):
        return OPPOSITE[direction], min(2 * before, FARTHEST)
    if length_in(text):
        return direction, distance
    share = 0.5 if re.search(r"\b(?:bit|little|slightly|touch|half)\b", text, re.IGNORECASE) else 1.0
    return direction, share * before


def _amount(text: str, thing: Thing) -> float:
    """A bit is a quarter of the thing's size, a lot all of it."""
    share = next((share for pattern, share in _SHARES if pattern.search(text)), 0.5)
    return share * thing.width


def _last_shift(past: Sequence[Turn]) -> tuple[str, str, float] | None:
    """The thing, the direction and the distance of the last small motion."""
    for step in _recent(past):
        if step.called in ("grasp", "place", "handover"):
            return None
        if step.called == "shift":
            match ast.parse(step.statement).body:
                case [
                    ast.Expr(
                        value=ast.Call(
                            args=[ast.Constant(value=name), ast.Constant(value=way), ast.Constant(value=far)]
                        )
                    )
                ]:
                    return str(name), str(way), float(far)  # type: ignore[arg-type]
    return None


def _meant(
    named: Sequence[Thing], scene: Scene, last: tuple[str, str, float] | None, past: Sequence[Turn]
) -> Thing | None:
    """The thing that is named; else what was moved last, is in a hand, or was handled last."""
    if named:
        return named[0]
    held = [thing for thing in scene.objects if thing.held_by]
    handled = [_first_argument(step) for step in _recent(past) if step.called in ("grasp", "place")]
    names = [last[0]] if last else [*(thing.name for thing in held), *handled]
    return next((thing for name in names for thing in scene.objects if thing.name == name), None)


def _recent(past: Sequence[Turn]) -> Iterator[Step]:
    """Steps that went well, the last one first."""
    for turn in reversed(past[-RECENT:]):
        yield from (step for step in reversed(turn.steps) if not step.error)


def _first_argument(step: Step) -> str:
    match = re.match(r"\w+\(['\"](.+?)['\"]", step.statement)
    return match[1] if match else ""


_DIRECTIONS = {
    "left": re.compile(r"\bleft(?:wards?)?\b", re.IGNORECASE),
    "right": re.compile(r"\bright(?:wards?)?\b", re.IGNORECASE),
    "up": re.compile(r"\b(?:up(?:wards?)?|higher|raise)\b", re.IGNORECASE),
    "down": re.compile(r"\b(?:down(?:wards?)?|lower)\b", re.IGNORECASE),
    "forward": re.compile(r"\b(?:forwards?|away|farther away|further away|ahead)\b", re.IGNORECASE),
    "back": re.compile(r"\b(?:back(?:wards?)?|closer|nearer|towards (?:you|me))\b", re.IGNORECASE),
}
_LENGTHS = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|ten) ?(?:cm|centimet\w+|mm|millimet\w+|inch(?:es)?)"
_AMOUNT = re.compile(rf"\b(?:bit|little|slightly|touch|lot|much|{_LENGTHS})\b", re.IGNORECASE)
_SHARES = (
    (re.compile(r"\b(?:tiny|touch|slightly|hair)\b", re.IGNORECASE), 0.15),
    (re.compile(r"\b(?:bit|little)\b", re.IGNORECASE), 0.25),
    (re.compile(r"\b(?:lot|much)\b", re.IGNORECASE), 1.0),
)
_TOO_FAR = re.compile(r"\b(?:too (?:far|much)|overshot|less)\b", re.IGNORECASE)
_OTHER_WAY = re.compile(r"\b(?:other|opposite|wrong) (?:way|direction|side)\b", re.IGNORECASE)
_FILLER = (
    r"(?:no|not|ok|okay|yes|now|please|and|then|move|shift|push|pull|slide|put|it|that|T\d+|the|your|my|hand|gripper|arm|go|come|to|a|an|"
    r"just|again|still|was|is|that's|it's|by|some|very|so|one|also|a tad|tad|of|side|direction|way|me|you|towards)"
)
_MOTION = (
    rf"(?:left\w*|right\w*|up\w*|down\w*|higher|lower|raise|forwards?|back\w*|closer|nearer|away|ahead|further|farther|more|less|"
    rf"keep going|bit|little|slightly|touch|tiny|hair|lot|much|half|too far|too much|overshot|other|opposite|"
    rf"wrong|{_LENGTHS})"
)
_PHRASAL = re.compile(
    r"^\W*(?:please )?(?:put|pick|set|lay|go|come|bring|take)\b.*\b(?:down|up|back|away)$"
    r"|^\W*(?:please )?put (?:away|back)\b|^\W*(?:that's |that is |all )?right$",
    re.IGNORECASE,
)
"""Verbs of their own: "put it down", "go back"; and "right" may be praise."""
_FORM = re.compile(
    rf"(?=.*\b(?:left|right|up|down|higher|lower|raise|forwards?|back|backwards?|closer|nearer|away|more|less|"
    rf"further|farther|keep going|"
    rf"too far|too much|overshot|(?:other|opposite|wrong) (?:way|direction))\b)(?:\W*\b(?:{_MOTION}|{_FILLER})\b)+\W*",
    re.IGNORECASE,
)
"""Nothing but directions, amounts and small words: anything else is a request of another kind."""
