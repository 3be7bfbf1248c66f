"""Questions about what is seen, answered from it: where is it, what is there, how many, is it open, who has it.

No model is needed for what the scene tells by itself.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from daemon.console.goals.telling import at, names, stands
from daemon.console.history import Turn
from daemon.console.learning.scope import is_of_kind
from daemon.imitation.english.clauses import polite
from daemon.imitation.english.noun_phrases import Masked, masked
from daemon.imitation.english.past_deeds import last_doors, last_mentioned, last_thing_brought, recently
from daemon.imitation.english.scene_mentions import mentioned_things
from daemon.names import joined, spoken
from skills.scene import Location, Scene, Thing


def answer(text: str, scene: Scene, past: Sequence[Turn] = ()) -> str:
    """Return the answer to a question about the scene; "" for any other sentence, or about what is not known here."""
    bare = _AROUND.sub("", polite(_ASIDE.sub("", text)))
    last = last_mentioned(scene, past)
    if len(last) == 1:
        bare = _IT_THERE.sub(rf"\1the {spoken(last[0].name)}", bare)
    elif doors := last_doors(scene, past):
        bare = re.sub(r"^is it\b", f"is the {spoken(doors[0].name)}", bare, flags=re.IGNORECASE)
    if told := _came_from(bare, scene, past):
        return told
    said = masked(bare, scene)
    for form, reply in _FORMS:
        if match := form.fullmatch(said.text):
            return reply(_Asked(said, match.groupdict()))
    return ""


class _Asked:
    """What the tokens of a question stand for."""

    def __init__(self, said: Masked, tokens: dict[str, str | None]) -> None:
        self.scene = said.scene
        self._said = said
        self._tokens = tokens

    def word(self, group: str) -> str:
        return (self._tokens.get(group) or "").lower()

    @property
    def things(self) -> list[Thing]:
        """Those that the question names; everything where it says "things"."""
        token = self._tokens.get("what") or ""
        if not re.fullmatch(r"[TC]\d+", token):
            return list(self.scene.objects)
        reference = self._said.references[int(token[1:])]
        kind = [thing for thing in self.scene.objects if reference.category and is_of_kind(thing, reference.category)]
        return list(reference.things) or kind

    def places(self, group: str = "place") -> tuple[Location, ...]:
        token = self._tokens.get(group)
        return self._said.references[int(token[1:])].places if token else ()

    def at(self, places: Iterable[Location]) -> list[Thing]:
        """Return the things in question that are there."""
        there = {place.name for place in places}
        return [thing for thing in self.things if thing.location in there and not thing.held_by]


def _where(asked: _Asked) -> str:
    return f"{joined([stands(thing, asked.scene) for thing in asked.things]).capitalize()}."


def _is_there(asked: _Asked) -> str:
    places, things = asked.places(), asked.things
    there = asked.at(places) if places else things
    told = joined([stands(thing, asked.scene) for thing in there or things])
    return f"{'Yes' if there else 'No'}, {told}."


def _what_is_there(asked: _Asked) -> str:
    here, there = asked.at(asked.places()), at(asked.places()[0])
    return f"I see {joined(names(here))} {there}." if here else f"I see nothing {there}."


def _what_is_in(asked: _Asked) -> str:
    carrier = asked.things[0]
    where = f"{'on' if asked.word('on') == 'on' else 'in'} the {spoken(carrier.name)}"
    return f"I see {joined(names(asked.scene.contents(carrier))) or 'nothing'} {where}."


def _how_many(asked: _Asked) -> str:
    places = asked.places()
    counted = asked.at(places) if places else asked.things
    if not counted:
        return f"None{' ' + at(places[0]) if places else ''}."
    number = _NUMBERS[len(counted)] if len(counted) < len(_NUMBERS) else str(len(counted))
    return f"{number.capitalize()}: {joined(names(counted))}."


def _is_open(asked: _Asked) -> str:
    doors = [place for place in asked.places() if place.door is not None]
    if not doors:
        return ""
    wanted = "open" if asked.word("state") == "open" else "closed"
    yes = all(place.door == wanted for place in doors)
    return f"{'Yes' if yes else 'No'}, {joined([f'the {spoken(door.name)} is {door.door}' for door in doors])}."


def _who(asked: _Asked) -> str:
    people = {place.name for place in asked.scene.locations if place.kind == "person"}
    thing = next((thing for thing in asked.things if thing.held_by or thing.location in people), None)
    if thing is None:
        return f"Nobody. {_where(asked)}"
    holder = "I have" if thing.held_by else "You have" if thing.location == "person" else f"{_person(thing)} has"
    return f"{holder} the {spoken(thing.name)}."


def _holding(asked: _Asked) -> str:
    held = [thing for thing in asked.things if thing.held_by]
    others = [thing for thing in asked.scene.objects if thing.held_by]
    yes = "" if asked.word("open") else "Yes, " if held else "No, "
    return f"{yes}I have {joined(names(held or others)) or 'nothing'} in my hand."


def _which_has_more(asked: _Asked) -> str:
    one, other = asked.places("place"), asked.places("other")
    here, there = asked.at(one), asked.at(other)
    if len(here) == len(there):
        return f"As many: {len(here)} each."
    fewer, more = sorted((len(here), len(there)))
    place = one if len(here) > len(there) else other
    return f"The {spoken(place[0].name)}: {more} things, and {fewer} on the other."


def _came_from(text: str, scene: Scene, past: Sequence[Turn]) -> str:
    """Return where something was before the robot took it."""
    match = _FROM_WHERE.fullmatch(text)
    if match is None:
        return ""
    named = mentioned_things(match["what"] or match["same"], scene)
    name = named[0].name if named else last_thing_brought(past)
    for _, before, after in recently(past):
        now = {thing.name: thing.location for thing in after.objects}
        for thing in before.objects:
            if thing.name == name and not thing.held_by and now.get(name) != thing.location:
                told = stands(thing, before, was=True)
                return f"{told[0].upper()}{told[1:]}."
    return ""


def _person(thing: Thing) -> str:
    return spoken(thing.location).title()


_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ASIDE = re.compile(r"\bi mean,?\s|\b(?:still|else|currently|actually|just)\b ?", re.IGNORECASE)
_AROUND = re.compile(
    r"^(?:(?:(?:do|would|might) you )?(?:know|remember|see)|tell me|any idea|(?:let me|i(?:'d| would) like to) know)"
    r"[ ,]+"
    r"|[ ,]+(?:at (?:the|this) (?:minute|moment)|at present|right now|now|there|anywhere|somewhere|left|then|again)$",
    re.IGNORECASE,
)
_FROM_WHERE = re.compile(
    r"where (?:did|have|had) you (?:get|got|take|took|taken|find|found|fetch|bring|have|had) (?P<what>.+?)(?: from)?"
    r"|where did (?P<same>.+?) come from",
    re.IGNORECASE,
)
_IT_THERE = re.compile(r"^(where (?:is|are|was|were|did i (?:leave|put)) |who(?:'s got| has) )(?:it|they|them)\b", re.I)
_WHAT, _PLACE = r"(?P<what>[TC]\d+)", r"(?:on(?: top of)?|in|inside|at|by|with|off) (?P<place>P\d+)"
_WE_HAVE = r"(?:have (?:we|you|i) got|(?:do|did) (?:we|you|i) have|is there|are there|(?:can|do) you see)"
_MY_HAND = r"in (?:your |the )?(?:hands?|grippers?|fingers)"
_FORMS: Sequence[tuple[re.Pattern[str], Callable[[_Asked], str]]] = [
    (re.compile(form, re.IGNORECASE), reply)
    for form, reply in (
        (rf"where(?:'s| is| are|'re| was| were| have (?:i|you|we) (?:left|put)| (?:did|do|can) (?:i|you|we) "
         rf"(?:leave|put|keep|find)) {_WHAT}", _where),
        (rf"where {_WHAT} (?:is|are|was|were)", _where),
        (rf"where (?:i|we|you) (?:left|put|kept) {_WHAT}", _where),
        (rf"(?:is|are) (?:there )?(?:any |some |a |an )*{_WHAT}(?: left)? {_PLACE}", _is_there),
        (rf"{_WE_HAVE} (?:any |some |a |an )*{_WHAT}(?: {_PLACE})?", _is_there),
        (rf"what(?:'s| is| are| things are| (?:do|can) you see| have we got| do we have)?(?: there| lying)* {_PLACE}",
         _what_is_there),
        (rf"{_WE_HAVE} (?:anything|something) {_PLACE}", _what_is_there),
        (rf"what(?:'s| is| are| do you see|(?: things)? lies)(?: there| lying)* (?P<on>in|inside|on) {_WHAT}",
         _what_is_in),
        (rf"how many (?:{_WHAT}|things|objects|items)(?: (?:are|is|do (?:we|you) (?:have|see)|have we got|can you see))"
         rf"(?: there)?(?: {_PLACE})?", _how_many),
        (r"(?:is|are) (?P<place>P\d+)(?: door)? (?P<state>open|closed|shut)", _is_open),
        (rf"who(?:'s| has| is)(?: got| holding)? {_WHAT}", _who),
        (rf"(?P<open>what)(?:'s| is| do you have| have you(?: got)?| are you holding) {_MY_HAND}", _holding),
        (r"(?P<open>what) (?:are you (?:holding|carrying)|do you hold)", _holding),
        (rf"are you (?:holding|carrying) (?:{_WHAT}|anything|something)(?: {_MY_HAND})?", _holding),
        (rf"(?:do you have|have you got) (?:{_WHAT}|anything|something) {_MY_HAND}", _holding),
        (r"(?:which (?:one )?|(?:.*\b)?which )(?:place )?(?:has|holds) more(?: \w+)*(?: (?:on|in) it)?[,:]? "
         r"(?P<place>P\d+) or (?P<other>P\d+)", _which_has_more),
    )
]  # fmt: skip
"""Forms of questions, tokens in the place of what they are about, and how each is answered."""
