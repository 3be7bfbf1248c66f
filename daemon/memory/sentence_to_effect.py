"""Reads a rule's sentence back into what it does: of rules from before values were kept, and of those that people edit.

The inverse of `sentence` in effects.py, prohibitions.py and number_rules.py; also for what another robot of the fleet
tells. Everything else applies rules as values.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from daemon.memory.effect_rules import rule_of
from daemon.memory.effects import (
    HIGH_PLACE,
    Alone,
    Also,
    Belongs,
    Choice,
    Closing,
    Effect,
    Fact,
    FurtherStep,
    Manner,
    Meaning,
    Routine,
    Target,
    Together,
)
from daemon.memory.number_rules import Carry, Hold, Pace, Parameter, Pull, Speed
from daemon.memory.prohibitions import DEEDS, Forbidden, KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.recurring_times import TIME
from daemon.memory.rules import Rule, Scope


def rule_said(sentence: str) -> Rule | None:
    """The rule that a sentence says, for whom and when; None for a sentence of no known form."""
    effect = read_effect(sentence)
    return rule_of(effect, person_in(sentence), time_in(sentence)) if effect else None


def rule_in(words: str, like: Rule) -> Rule:
    """Return the rule that a person's words say; in no known form, those words with the kind and scope of `like`.

    No words at all say `like` itself.
    """
    said = words.strip()
    return rule_said(said) or replace(like, text=said, effect=None) if said else like


def time_in(sentence: str) -> str:
    """Return at what time alone a rule's sentence holds; "" for always."""
    match = _ONLY_AT.match(_ONLY_FOR.sub("", sentence.strip()))
    return f"{match['time'][0].lower()}{match['time'][1:]}" if match else ""


def person_in(sentence: str) -> str:
    """Return for whom alone a rule's sentence holds; "" for everybody."""
    match = _ONLY_FOR.match(sentence.strip())
    return match["person"] if match else ""


def read_effect(sentence: str) -> Effect | None:
    """The effect that a rule's sentence says, for whomever and whenever; None for no known form, which only informs."""
    bare = _BECAUSE.sub(r"\1", _ONLY_AT.sub("", _ONLY_FOR.sub("", sentence.strip())))
    for pattern, make in (*_PARAMETER_FORMS, *_FORMS):
        if match := pattern.fullmatch(bare):
            return make(match)
    return None


def routine_name(sentence: str) -> str:
    """Return what the routine is called that a rule's sentence tells; "" for another rule."""
    effect = read_effect(sentence)
    return effect.name if isinstance(effect, Routine) else ""


_ONLY_FOR = re.compile(r"^only for (?P<person>[^:]+): ", re.IGNORECASE)
_ONLY_AT = re.compile(rf"^(?P<time>{TIME}), ", re.IGNORECASE)
_BECAUSE = re.compile(r"^(I never .+?), because .+$", re.IGNORECASE)
"""Why something is forbidden, which no code needs."""


def _read_scope(match: re.Match[str]) -> Scope:
    found = match.groupdict()
    if found["put"]:
        return replace(Scope.of_which(found["put"]), place=found["there"])
    if re.match(r"any .|anything that is ", found["object"] or "", re.IGNORECASE):
        return Scope.of_which(found["object"])
    person = "" if (found["who"] or "you").lower() == "you" else found["who"]
    place = HIGH_PLACE if found["high"] else found["place"] or ""
    return Scope(
        object_class=found["category"] or "",
        object="" if found["category"] or found["object"] == "anything" else found["object"] or "",
        place=place,
        person=person,
    )


def _also(match: re.Match[str]) -> Effect:
    return Also(_read_scope(match), match["bring"], bool(match["once"]), _example(match))


def _example(match: re.Match[str]) -> str:
    return (match["object"] or "") if match["category"] else ""


def _signed(centimetres: str, positive: bool) -> float:
    return float(centimetres) / 100 * (1 if positive else -1)


def _never_done(skill: str, at_all: str, there: str) -> Iterator[tuple[str, Callable[[re.Match[str]], Effect]]]:
    yield rf"I never {there.format('(.+?)')}\.?", lambda m: Forbidden(skill, m[1])
    yield rf"I never {at_all}\.?", lambda m: Forbidden(skill)


_WHEN = (
    r"when (?:I put (?P<put>(?:any|the).+?) on the (?P<there>.+?)|(?P<who>\w+) "
    r"(?:asks? for (?:(?:the|an?|some) )?(?P<object>.+?)(?: or another (?P<category>.+?))?"
    r"|needs? to (?:reach (?P<high>a high place)|do something at the (?P<place>.+?))))"
)
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Effect]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (_WHEN + r", I (?:will )?also bring (?:the|an?|some) (?P<bring>.+?)(?P<once>, both at once)?\.?", _also),
        (
            _WHEN + r", I (?:will )?bring it to the (?P<target>.+?)\.?",
            lambda m: Target(_read_scope(m), m["target"], _example(m)),
        ),
        (
            _WHEN + r", I (?P<order>first|then) (?P<step>.+?)\.?",
            lambda m: FurtherStep(
                _read_scope(m),
                re.sub(r"^bring you\b", "bring me", m["step"]),
                m["order"].lower() == "first",
                _example(m),
            ),
        ),
        (r'When you say "(.+?)", you mean "(.+?)"\.?', lambda m: Meaning(m[1], m[2])),
        (r"Where I may choose, (?:the )?(.+?) goe?s? to the (.+?)\.?", lambda m: Belongs(m[1], m[2])),
        (r"Where any (.+?) will do, I take the (.+?)\.?", lambda m: Choice(m[1], m[2])),
        (
            r"When you ask for (?:an?|any|some) (.+?), I (?:bring|take) (?:you )?the ((?:(?! and )[^,])+?)\.?",
            lambda m: Choice(m[1], re.sub(r" one$", f" {m[1]}", m[2])),
        ),
        (r"I never bring the (.+?), even when you ask for it\.?", lambda m: Never(m[1])),
        (r"I never touch ((?:any|the).+?)\.?", lambda m: Untouched(Scope.of_which(m[1]))),
        (r"I (?:never put anything|put nothing) (?:on|in) the (.+?)\.?", lambda m: Forbidden("place", m[1])),
        (
            r"I never put ((?:any|the).+?) on the (.+?)\.?",
            lambda m: KeptOff(Scope.of_which(m[1]), m[2]),
        ),
        (r"No (.+?) (?:on|in) the (.+?)\.?", lambda m: KeptOff(Scope.of_which(f"any {m[1]}"), m[2])),
        *(form for skill, words in DEEDS.items() for form in _never_done(skill, *words)),
        (
            r"When you ask for the (.+?) and the (.+?), I bring both in one trip\.?",
            lambda m: Together(m[1], m[2]),
        ),
        (r"I carry ((?:any|the).+?) alone, one thing in a trip\.?", lambda m: Alone(Scope.of_which(m[1]))),
        (r"I bring the (.+?) only when you ask for it\.?", lambda m: OnlyWhenAsked(m[1])),
        (r"When I open something to take something out, I close it afterwards\.?", lambda m: Closing()),
        (r'When you say something like "(.+?)", I do it as you showed me\.?', lambda m: Manner(m[1])),
        (r"The (.+?) is: (.+?)\.?", lambda m: Routine(m[1], m[2])),
        (r"The (.+?) is ([\w ]+?)\.?", lambda m: Fact(m[1], m[2])),
    )
)
_PARAMETER_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Parameter]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (
            r"On the way(?: from the (.+?))? to the (.+?)( and back)?, I drive at ([\d.]+?) times my normal speed\.?",
            lambda m: Speed(m[1] or "", m[2], float(m[4]), bool(m[3])),
        ),
        (
            r"When I carry ((?:any|the).+?), I drive at ([\d.]+?) times my normal speed\.?",
            lambda m: Carry(Scope.of_which(m[1]), float(m[2])),
        ),
        (
            r"When I grasp ((?:any|the).+?), I take hold ([\d.]+) cm (higher|lower) than usual\.?",
            lambda m: Hold(Scope.of_which(m[1]), _signed(m[2], m[3] == "higher")),
        ),
        (
            r"When I open the (.+?), I pull it ([\d.]+) cm (further|less far) than usual\.?",
            lambda m: Pull(m[1], _signed(m[2], m[3] == "further")),
        ),
        (
            r"When I (open|close) the (.+?), my hand moves at ([\d.]+?) times its normal speed\.?",
            lambda m: Pace(m[1].lower(), m[2], float(m[3])),
        ),
    )
)
