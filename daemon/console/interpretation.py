"""What a request means, with what was learned: a rule that applies here rewords the request, and is named.

"I want some juice" means "I want some juice and the cup" to a robot that was taught to bring a cup with a drink.
Every brain reads the reworded request below the utterance, so every brain follows the rules; and code, not a model,
decides where a rule applies: where its scope covers what is asked for, and nowhere else.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from daemon.console.corrections import REMEMBER, TEACHING, read_correction
from daemon.console.deliveries import deliveries_in
from daemon.console.history import Turn
from daemon.console.memory_care import read_care
from daemon.console.routines import edited
from daemon.console.teaching import ARTICLE, teaches
from daemon.memory.effects import (
    HIGH_PLACE,
    Also,
    Belongs,
    Closing,
    Effect,
    Fact,
    Manner,
    Meaning,
    OnlyWhenAsked,
    Routine,
    Target,
    read_effect,
)
from daemon.memory.lessons import Lesson
from daemon.memory.rules import EVERYWHERE, Scope
from daemon.names import called, forms, mention, spoken
from daemon.transcript import MEANING
from skills.scene import Location, Scene, Thing

PARTS = "; "
"""Between requests that are done one after the other."""
HIGH = 1.3
"""Metres above the floor from which on people want something to stand on."""
QUESTION = re.compile(
    r"^\W*(where|what|which|who|when|why|how|is|are|was|were|do|does|did|have you|has)\b", re.IGNORECASE
)
NOT_FETCHING = re.compile(
    r"\b(put|place|tidy|clean|wash|throw|pour|return|close|open|leave|store|take .*away|pick up|hold|drop|back)\b",
    re.IGNORECASE,
)
NOTHING_ELSE = re.compile(r"\b(only|just|alone|nothing else|without|no (other|extra))\b", re.IGNORECASE)
BESIDE = re.compile(
    r"\b(under|underneath|below|beneath|behind|beside|next to|in front of|near|inside)\s+(the\s+)?$", re.IGNORECASE
)
MAKING = re.compile(r"\b(make|prepare|cook|bake|mix)\b", re.IGNORECASE)
"""Verbs whose object is not simply fetched; what comes along is fetched by itself then."""
PRONOUN = re.compile(r"\b(it|that|them|this|those|these)\b", re.IGNORECASE)
PURPOSE = re.compile(
    r",? (?:because |since |so that |as )?i (?:want|need|would like|am going|have) to "
    r"(?!have\b|get\b)\w+ (?:it|them|that|this|one)\b.*$",
    re.IGNORECASE,
)
ARTICLE_END = re.compile(r"\b(?:the|a|an|some|any|my|your)\s+$", re.IGNORECASE)
TIDY = re.compile(r"\b(tidy|clean|clear|sort)\b", re.IGNORECASE)
HOURS = {
    "in the morning": range(5, 12),
    "in the afternoon": range(12, 18),
    "in the evening": range(18, 23),
    "at night": range(23, 29),
}


@dataclass(frozen=True)
class Interpretation:
    """How an utterance is to be understood here and now."""

    text: str
    meaning: str
    """The request to carry out; equal to the text where nothing that was learned changes it."""
    lessons: tuple[Lesson, ...] = ()
    """Those that made the difference."""
    missing: tuple[str, ...] = ()
    """What a rule would bring but is not here."""

    @property
    def comments(self) -> list[str]:
        """Lines for the history, so that "why did you do that?" has an answer."""
        reworded = [f"{MEANING}{self.meaning}"] if self.meaning != self.text else []
        return [*(naming(lesson) for lesson in self.lessons), *reworded]


def naming(lesson: Lesson) -> str:
    """The comment by which a lesson is named where it is applied."""
    taught = f"{lesson.taught_at.day} {lesson.taught_at:%B %Y}"
    return f"# Learned from {lesson.taught_by or 'somebody'} on {taught}: {lesson.rule.text}"


@dataclass(frozen=True)
class Situation:
    """What is seen, who speaks, and when."""

    scene: Scene
    person: str = ""
    hour: int | None = None

    def scopes(self, text: str) -> Iterator[Scope]:
        """A Scope for each thing that a sentence is about."""
        times = [
            name
            for name, hours in HOURS.items()
            if self.hour is not None and (self.hour in hours or self.hour + 24 in hours)
        ]
        for time in times or [""]:
            for thing in mentioned_things(text, self.scene):
                for form in (*forms(thing.name), *thing.aliases):
                    yield Scope(object_class=thing.category, object=form, person=self.person, time=time)
            for match, place in mentioned_places(text, self.scene):
                if BESIDE.search(text[: match.start()]):
                    continue
                names = [*forms(place.name), *place.aliases, *([HIGH_PLACE] if place.height >= HIGH else [])]
                yield from (Scope(place=name, person=self.person, time=time) for name in names)

    def covered_by(self, scope: Scope, text: str) -> bool:
        """Whether a sentence is about something in this scope."""
        return scope == EVERYWHERE or any(scope.covers(here) for here in self.scopes(text))


def interpret(text: str, situation: Situation, lessons: Sequence[Lesson], past: Sequence[Turn] = ()) -> Interpretation:
    """Understand an utterance after these turns, with these lessons."""
    if care := read_care(text, past):
        return Interpretation(text, care)
    if correction := read_correction(text):
        return Interpretation(text, correction.meaning(_last_thing(past)))
    if effect := teaches(text, situation.scene):
        now = "" if effect is True else _to_do_now(text, effect, situation, past)
        return Interpretation(text, PARTS.join(filter(None, [now, REMEMBER])))
    meaning = carried_on(text, situation.scene, past)
    applied: list[Lesson] = []
    missing: list[str] = []
    if not QUESTION.search(text) and not TEACHING.search(text):
        effects = [(lesson, effect) for lesson in lessons if (effect := read_effect(lesson.rule.text))]
        never = {effect.bring for _, effect in effects if isinstance(effect, OnlyWhenAsked)}
        for kind in ORDER:
            for lesson, effect in effects:
                if not isinstance(effect, kind) or (isinstance(effect, Also) and effect.bring in never):
                    continue
                reworded, lacking = reword(meaning, effect, situation)
                missing += lacking
                if reworded != meaning or lacking:
                    meaning = reworded
                    applied.append(lesson)
    return Interpretation(text, _without_purpose(meaning), tuple(applied), tuple(missing))


def _to_do_now(text: str, effect: Effect, situation: Situation, past: Sequence[Turn]) -> str:
    """What a taught effect changes about the last request, where it is still to be put right; else nothing."""
    if isinstance(effect, Closing):
        match = re.search(r"\b(?:close|shut) (?:the )?[\w -]+", text, re.IGNORECASE)
        return match[0] if match and mentioned_places(match[0], situation.scene) else ""
    if past and isinstance(effect, Belongs | Fact):
        again = reword(past[-1].utterance, effect, situation)[0]
        return again if again != past[-1].utterance else ""
    return ""


def _without_purpose(text: str) -> str:
    """ "Get me the cereals, I want to put it on the shelf" asks for the cereals; the rest the person will do."""
    match = PURPOSE.search(text)
    return text[: match.start()] if match and len(text[: match.start()].split()) > 2 else text


def reword(text: str, effect: Effect, situation: Situation) -> tuple[str, list[str]]:
    """The request as the effect has it, and what is missing for that; the same text where it does not apply."""
    return _REWORDING.get(type(effect), lambda text, *_: (text, []))(text, effect, situation)


def carried_on(text: str, scene: Scene, past: Sequence[Turn]) -> str:
    """ "I will also need a cup" goes to where the last thing went, when that was no person and nobody says "me"."""
    also = re.search(r"\b(also|too|as well|another)\b", text, re.IGNORECASE)
    things = mentioned_things(text, scene)
    if not also or not things or not past or re.search(r"\b(me|us|here)\b", text) or mentioned_places(text, scene):
        return text
    last = [delivery for turn in past[-3:] for delivery in deliveries_in(turn)]
    if not last or last[-1].handed_over:
        return text
    return f"bring {_listed(things)} to the {spoken(last[-1].target)}"


def mentioned_things(text: str, scene: Scene) -> list[Thing]:
    """The objects that a sentence names, in its order; a category stands for all of it."""
    found: dict[str, tuple[int, Thing]] = {}
    for thing in scene.objects:
        if match := _mention_of(thing, text):
            found[thing.name] = (match.start(), thing)
    return [thing for _, thing in sorted(found.values(), key=lambda pair: pair[0])]


def mentioned_places(text: str, scene: Scene) -> list[tuple[re.Match[str], Location]]:
    """The places that a sentence names, the longest name for each."""
    found = []
    for place in scene.locations:
        if place.kind == "person":
            continue
        matches = [m for form in (*forms(place.name), *place.aliases) if (m := mention(form, text))]
        if matches:
            found.append((max(matches, key=lambda match: match.end() - match.start()), place))
    longest = max((match.end() - match.start() for match, _ in found), default=0)
    exact = [(m, p) for m, p in found if not any(_within(m, other) for other, _ in found)]
    return exact if longest else []


def _within(match: re.Match[str], other: re.Match[str]) -> bool:
    inside = other.start() <= match.start() and match.end() <= other.end()
    return inside and (other.end() - other.start()) > (match.end() - match.start())


def _mention_of(thing: Thing, text: str) -> re.Match[str] | None:
    for phrase in (*forms(thing.name), *thing.aliases, thing.category):
        match = mention(phrase, text) if phrase else None
        if match and not (phrase == thing.category and text[: match.start()].endswith("to ")):
            return match
    return None


def _also(text: str, effect: Also, situation: Situation) -> tuple[str, list[str]]:
    by_place = bool(effect.scope.place)
    unfit = NOTHING_ELSE.search(text) or (not by_place and NOT_FETCHING.search(text))
    if unfit or mention(effect.bring, text) or not situation.covered_by(effect.scope, text):
        return text, []
    candidates = [thing for thing in situation.scene.objects if called(thing.name, effect.bring)]
    candidates += [thing for thing in situation.scene.objects if effect.bring in thing.aliases]
    if not candidates:
        return text, [effect.bring]
    if any(thing.location == "person" or thing.held_by for thing in candidates):
        return text, []
    asked = [
        thing
        for thing in mentioned_things(text, situation.scene)
        if by_place or _covers(effect.scope, thing, situation)
    ]
    match = _mention_of(asked[0], text) if asked else None
    if match is None or MAKING.search(text):
        return f"{text.rstrip(' .?!')}{PARTS}bring me the {effect.bring}", []
    return f"{text[: match.end()]} and the {effect.bring}{text[match.end() :]}", []


def _target(text: str, effect: Target, situation: Situation) -> tuple[str, list[str]]:
    asked = [thing for thing in mentioned_things(text, situation.scene) if _covers(effect.scope, thing, situation)]
    if not asked or NOT_FETCHING.search(text) or mentioned_places(text, situation.scene):
        return text, []
    return f"put {_listed(mentioned_things(text, situation.scene)[:1] or asked[:1])} on the {effect.place}", []


def _meaning(text: str, effect: Meaning, situation: Situation) -> tuple[str, list[str]]:
    match = mention(effect.word, text)
    if match is None or mention(effect.phrase, text):
        return text, []
    if not PRONOUN.search(effect.phrase):
        before = ARTICLE_END.sub("", text[: match.start()]) if ARTICLE.match(effect.phrase) else text[: match.start()]
        return f"{before}{effect.phrase}{text[match.end() :]}", []
    things = _named_things(text[match.end() :], situation.scene)
    if not things:
        return text, []
    return PRONOUN.sub(lambda _: _listed(things), effect.phrase, count=1), []


def _belongs(text: str, effect: Belongs, situation: Situation) -> tuple[str, list[str]]:
    places = mentioned_places(text, situation.scene)
    members = [t for t in situation.scene.objects if _is_kind(t, effect.things)]
    named = [thing for thing in mentioned_things(text, situation.scene) if thing in members]
    ambiguous = _ambiguous(places, effect.place)
    if named and ambiguous:
        start, end = ambiguous
        return f"{text[:start]}{effect.place}{text[end:]}", []
    if named and not places and TIDY.search(text):
        return f"put {_listed(named)} in the {effect.place}", []
    if TIDY.search(text) and places and not named:
        here = [thing for thing in members if thing.location == places[0][1].name]
        return (PARTS.join(f"put the {spoken(t.name)} in the {effect.place}" for t in here) or text), []
    return text, []


def _fact(text: str, effect: Fact, situation: Situation) -> tuple[str, list[str]]:
    if effect.state not in UNUSABLE:
        return text, []
    places = mentioned_places(text, situation.scene)
    ambiguous = _ambiguous(places, effect.place)
    others = [place for _, place in places if not called(place.name, effect.place)]
    if not ambiguous or not others:
        return text, []
    start, end = ambiguous
    return f"{text[:start]}{spoken(others[0].name)}{text[end:]}", []


UNUSABLE = frozenset(["full", "broken", "dirty", "hot", "wet", "locked", "occupied", "in use", "not working"])
"""States of a place because of which another one is taken."""


def _routine(text: str, effect: Routine, situation: Situation) -> tuple[str, list[str]]:
    match = mention(effect.name, text)
    if match is None:
        return text, []
    return f"{text[: match.start()]}{effect.name}: {edited(effect.content, text[match.end() :])}", []


def _ambiguous(places: Sequence[tuple[re.Match[str], Location]], wanted: str) -> tuple[int, int] | None:
    """The span of a phrase that may mean several places, the wanted one among them."""
    for match, place in places:
        same = [other for other_match, other in places if other_match.span() == match.span()]
        if len(same) > 1 and called(place.name, wanted):
            return match.span()
    return None


def _covers(scope: Scope, thing: Thing, situation: Situation) -> bool:
    return any(scope.covers(here) for here in situation.scopes(spoken(thing.name)))


def _is_kind(thing: Thing, kind: str) -> bool:
    return thing.category == kind.lower().strip() or called(thing.name, kind)


def _named_things(text: str, scene: Scene) -> list[Thing]:
    """Like mentioned_things(), but one for each phrase: a category stands for its first thing."""
    things: list[Thing] = []
    taken: list[tuple[int, int]] = []
    for thing in mentioned_things(text, scene):
        span = _mention_of(thing, text).span()  # type: ignore[union-attr]
        if span not in taken:
            things.append(thing)
            taken.append(span)
    return things


def _listed(things: Iterable[Thing]) -> str:
    return " and ".join(f"the {spoken(thing.name)}" for thing in things)


def _last_thing(past: Sequence[Turn]) -> str:
    last = [delivery for turn in past[-3:] for delivery in deliveries_in(turn)]
    return spoken(last[-1].object) if last else ""


def _closing(text: str, effect: Closing, situation: Situation) -> tuple[str, list[str]]:
    doors = {place.name: place for place in situation.scene.locations if place.door == "closed"}
    taken = [thing for thing in _named_things(text, situation.scene) if thing.location in doors]
    if not taken or mention("open", text) or mention("close", text):
        return text, []
    behind = dict.fromkeys(thing.location for thing in taken)
    return PARTS.join([text.rstrip(" .?!"), *(f"close the {spoken(door)}" for door in behind)]), []


ORDER: tuple[type, ...] = (Also, Routine, Meaning, Belongs, Fact, Target, Closing)
"""What comes along is settled before words are replaced, and where things go last."""
_REWORDING: dict[type, Callable[..., tuple[str, list[str]]]] = {
    Also: _also,
    Target: _target,
    Meaning: _meaning,
    Belongs: _belongs,
    Fact: _fact,
    Routine: _routine,
    Closing: _closing,
}


def applies(lesson: Lesson, text: str, situation: Situation) -> bool:
    """Whether the example of a lesson may be shown for a request that its rule does not reword."""
    effect = read_effect(lesson.rule.text)
    if isinstance(effect, Manner):
        return True
    return effect is None and situation.covered_by(lesson.rule.scope, text)


def hour_now() -> int:
    return datetime.now().hour
