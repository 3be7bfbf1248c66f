"""Answers to "Shall I remember that?" that are neither yes nor no: a change in words, or another request."""

import re
from dataclasses import replace

from daemon.imitation.english.noun_phrases import Masked, masked
from daemon.imitation.english.teaching.habitual_times import NARROWS
from daemon.imitation.english.teaching.number_phrases import length_in
from daemon.memory.effects import Also, Effect, Target
from daemon.memory.number_rules import Carry, Hold, Pull, Speed
from daemon.memory.rules import Rule, Scope
from skills.scene import Scene

ANOTHER_REQUEST = re.compile(
    r"^\W*(?:(?:please|robot|heed|and|now|ok|okay)\W+)*(?:(?:can|could|would|will) you\b|where (?:is|are)\b|"
    r"(?:bring|give|get|fetch|hand|pass|find|show) (?:me|us)\b|(?:put|take|move|carry) (?!it|that|them|this)\w+|"
    r"(?:go|come|drive|open|close|look|clean|help)\b)",
    re.IGNORECASE,
)
WIDENS = re.compile(r"\b(?:all|any|every|each|whatever|other|too|as well|also|generally)\b", re.IGNORECASE)
APART = re.compile(
    r"\b(not (?:both )?at once|not together|one after (?:the other|another)|separately)\b", re.IGNORECASE
)
SLOWER = re.compile(r"\b(\d+(?:\.\d+)?) times\b", re.IGNORECASE)


def plainly_asks(answer: str) -> bool:
    """Return whether somebody asks for something else instead of answering."""
    return bool(ANOTHER_REQUEST.search(answer)) and not re.search(
        r"\b(?:instead|rather|but|only)\b", answer, re.IGNORECASE
    )


def changed(effect: Effect | Rule, answer: str, scene: Scene) -> Effect | None:
    """Return the effect as the answer would have it: "yes, but only for juice"; None for no change that is known."""
    said = masked(answer, scene)
    if isinstance(effect, Also | Target | Hold) and (scope := _other_scope(effect, said, answer)):
        return replace(effect, scope=scope[0], example=scope[1])
    if isinstance(effect, Also) and effect.at_once and APART.search(answer):
        return replace(effect, at_once=False)
    if isinstance(effect, Also):
        things = [said.thing(token) for token in said.tokens if token[0] == "T"]
        others = [thing for thing in things if thing and thing not in (effect.bring, effect.scope.object)]
        return replace(effect, bring=others[-1]) if others and not NARROWS.search(answer) else None
    if isinstance(effect, Target):
        places = [said.place(token) for token in said.tokens if token[0] == "P"]
        return replace(effect, place=places[-1]) if places and places[-1] != effect.place else None
    if isinstance(effect, Speed | Carry) and (number := SLOWER.search(answer)):
        return replace(effect, factor=min(float(number[1]), effect.factor))
    length = length_in(answer)
    if isinstance(effect, Hold) and length:
        return replace(effect, higher=length if effect.higher > 0 else -length)
    if isinstance(effect, Pull) and length:
        return replace(effect, further=length if effect.further > 0 else -length)
    return None


def _other_scope(effect: Also | Target | Hold, said: Masked, answer: str) -> tuple[Scope, str] | None:
    """Another thing or class: "only for tea", "for all drinks"."""
    letters = "CTPH" if NARROWS.search(answer) else "C" if WIDENS.search(answer) else ""
    for token in said.tokens:
        if token[0] in letters and said.thing(token) != getattr(effect, "bring", None):
            scope, example = said.scope(token)
            wider = replace(scope, person=effect.scope.person)
            if wider != effect.scope and (token[0] != "P" or isinstance(effect, Also)):
                return wider, example
    return None
