"""What an effect makes of a request, in words: "I want some juice" becomes "I want some juice and the cup".

Where its scope does not cover the request, the request stays as it is.
"""

import re
from collections.abc import Callable, Sequence

from daemon.console.learning.scope import is_in, is_of_kind
from daemon.imitation.english.noun_phrases import ARTICLE, Reference, masked, references_in
from daemon.imitation.english.scene_mentions import (
    Situation,
    listed,
    mentioned_places,
    mentioned_things,
    named_things,
    there,
    where_mentioned,
)
from daemon.imitation.english.teaching.corrections import QUESTION
from daemon.imitation.english.teaching.routines import edited
from daemon.lexicon.inflection import stem
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.memory.effects import (
    Alone,
    Also,
    Belongs,
    Choice,
    Closing,
    Fact,
    FurtherStep,
    Meaning,
    Routine,
    Target,
    Together,
)
from daemon.memory.prohibitions import KeptOff, Never, Untouched
from daemon.memory.rules import Does, Scope
from daemon.names import called, mention, spoken
from daemon.transcript import PARTS
from skills.scene import Location, Scene, Thing

NOT_FETCHING = re.compile(
    r"\b(put|place|tidy|clean|wash|throw|pour|return|close|open|leave|store|move|take .*away|pick up|hold|drop|back)\b",
    re.IGNORECASE,
)
NOTHING_ELSE = re.compile(r"\b(only|just|alone|nothing else|without|no (other|extra))\b", re.IGNORECASE)
MAKING = re.compile(r"\b(make|prepare|cook|bake|mix)\b", re.IGNORECASE)
"""Verbs whose object is not simply fetched; what comes along is fetched by itself then."""
PRONOUN = re.compile(r"\b(it|that|them|this|those|these)\b", re.IGNORECASE)
_TARGET = re.compile(r"\b(?:on|onto|in|into|to|at) (?P<place>P\d+)", re.IGNORECASE)
_TO_ME = re.compile(r"\b(?:me|us|here)\b", re.IGNORECASE)
_AND_END = re.compile(r",?\s*\b(?:and|or|plus|with)\s+$", re.IGNORECASE)
_AND_START = re.compile(r"^\s*,?\s*(?:and|or|plus)\b", re.IGNORECASE)
ARTICLE_END = re.compile(r"\b(?:the|a|an|some|any|my|your)\s+$", re.IGNORECASE)
TIDY = re.compile(
    r"\b(tidy|clean|clear|sort|stow|(?:put|take) (?:\w+ ){0,4}away"
    r"|where (?:it|they) (?:really |always |usually )?(?:belongs?|lives?|goes?)"
    r"|(?:to|in) (?:its|their) (?:usual |right |proper )?(?:place|home|spot))\b",
    re.IGNORECASE,
)


def reword(text: str, effect: Does, situation: Situation) -> tuple[str, list[str]]:
    """Return the request as the effect has it, and what is missing for that; the same text where it does not apply."""
    return _REWORDING.get(type(effect), lambda text, *_: (text, []))(text, effect, situation)


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
    match = where_mentioned(asked[0], text) if asked else None
    if match is None or MAKING.search(text):
        return f"{text.rstrip(' .?!')}{PARTS}bring me the {effect.bring}", []
    return f"{text[: match.end()]} and the {effect.bring}{text[match.end() :]}", []


def _further_step(text: str, effect: FurtherStep, situation: Situation) -> tuple[str, list[str]]:
    """Return the request with the step before or after it, unless the step is done already."""
    if effect.scope.place and effect.scope.which != "the ":
        fits = puts_on(text, effect.scope, effect.scope.place, situation)
    else:
        elsewhere = NOT_FETCHING.search(text) or (mentioned_places(text, situation.scene) and not _TO_ME.search(text))
        elsewhere = elsewhere and not _same_target(text, effect.step, situation)
        fits = (bool(effect.scope.place) or not elsewhere) and situation.covered_by(effect.scope, text)
    if not fits or NOTHING_ELSE.search(text) or QUESTION.search(text):
        return text, []
    step = mentioned_things(effect.step, situation.scene)
    places = [place for _, place in mentioned_places(effect.step, situation.scene)]
    is_so = any(thing.location == place.name for thing in step for place in places)
    if is_so or not (step or places) or any(thing in mentioned_things(text, situation.scene) for thing in step):
        return text, []
    request = text.rstrip(" .?!")
    return (PARTS.join((effect.step, request) if effect.first else (request, effect.step))), []


def _same_target(text: str, step: str, situation: Situation) -> bool:
    """Return whether a request and a step put things at the same place."""
    targets = [_TARGET.search(masked(one, situation.scene).text) for one in (text, step)]
    if not all(targets):
        return False
    one, other = (
        masked(said, situation.scene).place(target["place"])
        for said, target in zip((text, step), targets, strict=True)
        if target
    )
    return one == other


def _alone(text: str, effect: Alone, situation: Situation) -> tuple[str, list[str]]:
    """A request for several things as one for each, so that each has a trip of its own."""
    things = named_things(text, situation.scene)
    if len(things) < 2 or not any(_covers(effect.scope, thing, situation) for thing in things):
        return text, []
    if NOT_FETCHING.search(text) or mentioned_places(text, situation.scene) or QUESTION.search(text):
        return text, []
    return PARTS.join(f"bring me the {spoken(thing.name)}" for thing in things), []


def _together(text: str, effect: Together, situation: Situation) -> tuple[str, list[str]]:
    things = named_things(text, situation.scene)
    pair = len(things) == 2 and all(any(called(t.name, one) for t in things) for one in (effect.one, effect.other))
    if not pair or NOT_FETCHING.search(text) or mentioned_places(text, situation.scene):
        return text, []
    return f"bring me {listed(things)}", []


def without(text: str, effect: Never | Untouched, situation: Situation) -> str:
    """Return a request without what is never brought, or never touched: "" where nothing is left of it.

    Where any of several would do, another one is named; the text itself where nobody asks for it, and where it is the
    only thing that a request would put somewhere: the skills refuse that.
    """
    if QUESTION.search(text):
        return text
    fetched = not (NOT_FETCHING.search(text) or (mentioned_places(text, situation.scene) and not _TO_ME.search(text)))
    if not fetched and isinstance(effect, Never):
        return text
    unwanted = _unwanted_in(text, effect, situation.scene)
    if unwanted is None:
        return _another(text, effect, situation)
    bare = ARTICLE_END.sub("", text[: unwanted[0]])
    before, after = _AND_END.sub(" ", bare), text[unwanted[1] :]
    if before == bare:
        after = _AND_START.sub("", after)
    rest = f"{before.rstrip()} {after.strip()}".strip()
    if mentioned_things(rest, situation.scene):
        return rest
    return "" if fetched else text


def _unwanted_in(text: str, effect: Never | Untouched, scene: Scene) -> tuple[int, int] | None:
    """Return where a request names what is never brought or touched, by name or as the class that is forbidden."""
    named = (
        one
        for one in references_in(text, scene)
        if one.things and not one.category and all(_is_unwanted(thing, effect) for thing in one.things)
    )
    if one := next(named, None):
        return one.start, one.end
    words = effect.thing if isinstance(effect, Never) else effect.scope.object_class
    looked_for = isinstance(effect, Untouched) and effect.scope.look
    match = None if looked_for else mention(words, text)
    return match and match.span()


def _is_unwanted(thing: Thing, effect: Never | Untouched) -> bool:
    return called(thing.name, effect.thing) if isinstance(effect, Never) else is_in(thing, effect.scope)


def puts_where_never(text: str, effect: KeptOff, situation: Situation) -> bool:
    """Return whether a request comes down to putting a thing where it is never to be."""
    return puts_on(text, effect.scope, effect.place, situation)


def puts_on(text: str, scope: Scope, at: str, situation: Situation) -> bool:
    """Return whether a request comes down to putting one of these things at a place."""
    said = masked(text, situation.scene)
    places = {said.place(token) for token in said.tokens if token[0] == "P"}
    target = _TARGET.search(said.text)
    if target is None or len(places) > 1 or QUESTION.search(text):
        return False
    named = any(called(place.name, at) for place in said.references[int(target["place"][1:])].places)
    meant = [said.references[int(token[1:])] for token in said.tokens if token[0] in "TC"]
    there = [one for one in meant if one.things and all(called(thing.location, at) for thing in one.things)]
    return named and any(_all_in(scope, one, situation) for one in meant if one not in there)


def _all_in(scope: Scope, one: Reference, situation: Situation) -> bool:
    """Return whether all that the phrase may mean is in the scope; of a class of things, one member is enough."""
    if one.things:
        return all(is_in(thing, scope) for thing in one.things)
    members = [thing for thing in situation.scene.objects if one.category and is_of_kind(thing, one.category)]
    return any(is_in(thing, scope) for thing in members) and one.look in ("", scope.look)


def _another(text: str, effect: Never | Untouched, situation: Situation) -> str:
    """Any razor will do, but not this one: then it is the other."""
    for one in references_in(text, situation.scene):
        members = [
            t for t in situation.scene.objects if t in one.things or (one.category and is_of_kind(t, one.category))
        ]
        others = [member for member in members if not _is_unwanted(member, effect)]
        if others and len(others) < len(members):
            return f"{ARTICLE_END.sub('', text[: one.start])}the {spoken(others[0].name)}{text[one.end :]}"
    return text


def _target(text: str, effect: Target, situation: Situation) -> tuple[str, list[str]]:
    asked = [thing for thing in mentioned_things(text, situation.scene) if _covers(effect.scope, thing, situation)]
    if not asked or NOT_FETCHING.search(text) or mentioned_places(text, situation.scene):
        return text, []
    things = listed(mentioned_things(text, situation.scene)[:1] or asked[:1])
    return f"put {things} {there(effect.place, situation.scene)}", []


def _meaning(text: str, effect: Meaning, situation: Situation) -> tuple[str, list[str]]:
    match = mention(effect.word, text)
    if match is None and _speaks_of(effect.word, text, situation):
        return effect.phrase, []
    if match is None or mention(effect.phrase, text) or _in_another_name(match, text, situation):
        return text, []
    if ARTICLE.match(effect.phrase) and _OF_ANOTHER_KIND.search(text[: match.start()]):
        return text, []
    is_deed = tuple(stems(effect.phrase)[:1]) in lexicon().verb_stems and not PRONOUN.search(effect.phrase)
    if is_deed and not mentioned_things(text, situation.scene):
        return (text if _DENIES.search(text) else effect.phrase), []
    if not PRONOUN.search(effect.phrase):
        before = ARTICLE_END.sub("", text[: match.start()]) if ARTICLE.match(effect.phrase) else text[: match.start()]
        return f"{before}{effect.phrase}{text[match.end() :]}", []
    things = named_things(text[match.end() :], situation.scene)
    if not things:
        return text, []
    return PRONOUN.sub(lambda _: listed(things), effect.phrase, count=1), []


_OF_ANOTHER_KIND = re.compile(
    r"\b(?:the|a|an|my|your|our|some|any) (?!(?:usual|same|nice|good|lovely|hot|cold|fresh|little|more)\b)"
    r"[\w-]+ $",
    re.IGNORECASE,
)
"""Before a word that means a particular thing: "the ordinary coffee" is not the decaf, "my usual coffee" is."""
_DENIES = re.compile(r"\b(?:no|not|never|later|tomorrow|yesterday)\b|n't\b", re.IGNORECASE)


def _speaks_of(words: str, text: str, situation: Situation) -> bool:
    """Return whether a text has all words of an expression, in another order or form, and names nothing besides:
    "the bench could do with tidying up" speaks of "tidy up the bench".
    """
    if _same_deed(words, text):
        return not _DENIES.search(text)
    wanted = [word for word in map(stem, stems(words)) if word not in _SMALL]
    said = set(map(stem, stems(text)))
    besides = [thing for thing in mentioned_things(text, situation.scene) if not where_mentioned(thing, words)]
    return len(wanted) > 1 and said.issuperset(wanted) and not besides and not QUESTION.search(text)


def _same_deed(words: str, text: str) -> bool:
    """Return whether a text has an order by another verb for the same: "lay the table" for "set the table"."""
    verb, _, rest = words.partition(" ")
    alike = {other for plain, others in lexicon().verbs.items() for other in others if verb in (plain, *others)}
    if not rest or not alike:
        return False
    return bool(re.search(rf"\b(?:{_either(sorted(alike))}) {re.escape(rest)}\b", text, re.IGNORECASE))


def _in_another_name(match: re.Match[str], text: str, situation: Situation) -> bool:
    """Return whether the word stands in the longer name of something here: "gloves" in "the rubber gloves"."""
    return any(
        one.start <= match.start() and match.end() <= one.end and one.end - one.start > match.end() - match.start()
        for one in references_in(text, situation.scene)
    )


def _belongs(text: str, effect: Belongs, situation: Situation) -> tuple[str, list[str]]:
    places = mentioned_places(text, situation.scene)
    members = [t for t in situation.scene.objects if _is_kind(t, effect.things)]
    named = [thing for thing in mentioned_things(text, situation.scene) if thing in members]
    ambiguous = _ambiguous(places, effect.place)
    if named and ambiguous:
        start, end = ambiguous
        return f"{text[:start]}{effect.place}{text[end:]}", []
    if named and not places and TIDY.search(text):
        return f"put {listed(named)} in the {effect.place}", []
    if TIDY.search(text) and places and not named:
        here = [thing for thing in members if thing.location == places[0][1].name]
        return (PARTS.join(f"put the {spoken(t.name)} in the {effect.place}" for t in here) or text), []
    return text, []


def _choice(text: str, effect: Choice, situation: Situation) -> tuple[str, list[str]]:
    kind = lexicon().kinds.get(effect.object_class)
    nouns = [effect.object_class, *(" ".join(noun) for noun in (kind.nouns if kind else ()))]
    purposes = [effect.object_class, *(" ".join(purpose) for purpose in (kind.purposes if kind else ()))]
    match = re.search(_ANY.format(nouns=_either(nouns), purposes=_either(purposes)), text, re.IGNORECASE)
    here = [t for t in situation.scene.objects if called(t.name, effect.thing) or effect.thing in t.aliases]
    if match is None or all(thing.location == "person" for thing in here):
        return text, []
    return f"{text[: match.start()]}the {effect.thing}{text[match.end() :]}", []


def _either(words: Sequence[str]) -> str:
    return "|".join(map(re.escape, words))


_ANY = (
    r"\b(?:(?:something|anything)(?: \w+)? to (?:{purposes})"
    r"|(?:a|an|any|some|one of (?:the|my|your|our|these|those)|whatever|whichever|either)(?: \w+)? (?:{nouns})s?)\b"
    r"(?: (?:you like|you want|you choose|will do))?"
)
"""Words that leave open which thing of a class is meant."""


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


UNUSABLE = frozenset(
    {"full", "broken", "dirty", "hot", "wet", "locked", "occupied", "in use", "not working", "out of order"}
    | {"out of use", "jammed", "stuck", "taken", "reserved", "blocked"}
)
"""States of a place because of which another one is taken."""


def _routine(text: str, effect: Routine, situation: Situation) -> tuple[str, list[str]]:
    match = mention(effect.name, text)
    if match is None:
        return text, []
    content = edited(effect.content, text[match.end() :])
    if _THINGS_ALONE.fullmatch(masked(content, situation.scene).text):
        return f"{ARTICLE_END.sub('', text[: match.start()])}{content}", []
    return f"{text[: match.start()]}{effect.name}: {content}", []


_THINGS_ALONE = re.compile(r"(?:(?:[TC]\d+|and|an?|the|some|my|both)\b[\s,]*)+")


def _ambiguous(places: Sequence[tuple[re.Match[str], Location]], wanted: str) -> tuple[int, int] | None:
    """Return the span of a phrase that may mean several places, the wanted one among them."""
    for match, place in places:
        same = [other for other_match, other in places if other_match.span() == match.span()]
        if len(same) > 1 and called(place.name, wanted):
            return match.span()
    return None


def _covers(scope: Scope, thing: Thing, situation: Situation) -> bool:
    return any(scope.covers(here) for here in situation.scopes(spoken(thing.name)))


def _is_kind(thing: Thing, kind: str) -> bool:
    if kind.startswith("any"):
        return is_in(thing, Scope.of_which(kind))
    return is_of_kind(thing, kind) or called(thing.name, kind)


def _closing(text: str, effect: Closing, situation: Situation) -> tuple[str, list[str]]:
    doors = {place.name: place for place in situation.scene.locations if place.door == "closed"}
    taken = [thing for thing in named_things(text, situation.scene) if thing.location in doors]
    if not taken or mention("open", text) or mention("close", text):
        return text, []
    behind = dict.fromkeys(thing.location for thing in taken)
    return PARTS.join([text.rstrip(" .?!"), *(f"close the {spoken(door)}" for door in behind)]), []


_SMALL = frozenset(
    ("the", "a", "an", "my", "our", "your", "for", "to", "of", "on", "in", "at", "up", "me", "us", "and")
)
ORDER: tuple[type, ...] = (Choice, Also, Together, Alone, FurtherStep, Routine, Meaning, Belongs, Fact, Target, Closing)
"""Which thing is meant is settled first, then what comes along, then words are replaced, and where things go last."""
_REWORDING: dict[type, Callable[..., tuple[str, list[str]]]] = {
    Also: _also,
    Alone: _alone,
    Together: _together,
    FurtherStep: _further_step,
    Target: _target,
    Meaning: _meaning,
    Belongs: _belongs,
    Fact: _fact,
    Routine: _routine,
    Closing: _closing,
    Choice: _choice,
}
