"""Yes, no, or a change in words: what a person's answer to a question of consent means.

Unanswered, or unclear, is not yes.
"""

import re
from dataclasses import replace
from enum import Enum

from daemon.console.teaching import place_called, scope_called, thing_called
from daemon.memory.effects import Also, Effect, Speed, Target
from daemon.memory.rules import Rule, Scope
from skills.scene import Scene


class Consent(Enum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


YES = re.compile(
    r"\b(yes|yeah|yep|yup|sure|ok|okay|please do|do that|do it|of course|right|correct|exactly|fine|good|certainly|"
    r"absolutely|go ahead|remember that|remember it)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"\b(no|nope|not|don't|dont|do not|never|nothing|wrong|forget it|forget that|leave it|wait|stop|"
    r"but|instead|only|just|except)\b",
    re.IGNORECASE,
)
ONLY_FOR = re.compile(
    r"\b(?:only|just|but not for others,? only) (?:for|with|when (?:it is|i ask for)|if it is) (?P<what>[\w -]+)",
    re.IGNORECASE,
)
FOR_ALL = re.compile(
    r"\b(?:for|with) (?:all|any|every|each|the other) (?P<what>[\w -]+?)s?(?: too| as well)?\W*$", re.IGNORECASE
)
TIMES = re.compile(r"\b(?:only|just)\b.*?\b(?P<time>in the (?:morning|afternoon|evening)|at night)\b", re.IGNORECASE)
APART = re.compile(
    r"\b(not (?:both )?at once|not together|one after (?:the other|another)|separately)\b", re.IGNORECASE
)
OTHER = re.compile(
    r"\b(?:but |no,? |rather )?(?:bring|with|take|use|on|to|in) (?P<what>(?:the|a|an|my) [\w -]+?)(?: instead)?\W*$",
    re.IGNORECASE,
)


def consent_in(answer: str) -> Consent:
    """Read an answer. "No" outweighs "yes": "yes, but not on Sundays" is not a plain yes."""
    text = answer.replace("’", "'")
    if NO.search(text):
        plain_no = re.fullmatch(r"\W*(no|nope)\b.*", text, re.IGNORECASE) or not YES.search(text)
        return Consent.NO if plain_no else Consent.UNCLEAR
    return Consent.YES if YES.search(text) else Consent.UNCLEAR


def changed(effect: Effect | Rule, answer: str, scene: Scene) -> Effect | None:
    """The effect as the answer would have it: "yes, but only for juice"; None where it names no change that we know."""
    if isinstance(effect, Also | Target):
        if scope := _other_scope(effect.scope, answer, scene):
            return replace(effect, scope=scope[0], example=scope[1] or "")
        if isinstance(effect, Also) and effect.at_once and APART.search(answer):
            return replace(effect, at_once=False)
    match = OTHER.search(answer)
    if match and isinstance(effect, Also) and (thing := thing_called(match["what"], scene)):
        return replace(effect, bring=thing) if thing != effect.bring else None
    if match and isinstance(effect, Target) and (place := place_called(match["what"], scene)):
        return replace(effect, place=place) if place != effect.place else None
    if isinstance(effect, Speed) and (number := re.search(r"\b(\d+(?:\.\d+)?) times\b", answer)):
        return replace(effect, factor=min(float(number[1]), effect.factor))
    return None


def _other_scope(scope: Scope, answer: str, scene: Scene) -> tuple[Scope, str] | None:
    if time := TIMES.search(answer):
        return replace(scope, time=time["time"].lower()), ""
    if match := ONLY_FOR.search(answer) or FOR_ALL.search(answer):
        found = scope_called(match["what"], scene)
        return found if found and found[0] != scope else None
    return None
