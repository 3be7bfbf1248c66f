"""Rules that are said as a condition and what is done then: "if it's a biscuit you want, it's the oat biscuit".

One reader for all of them. A sentence is cut into its condition and its consequence; the condition asks for something,
hands something over, puts something somewhere, or is a name that nothing here has; the consequence says what is meant,
or orders one thing or several. What does not fit is no rule.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from daemon.console.learning.scope import ANYTHING, is_of_kind
from daemon.imitation.english.noun_phrases import ARTICLE, Masked, masked
from daemon.imitation.english.remarks import without_asides
from daemon.memory.effects import Also, Choice, Effect, FurtherStep, Meaning, Together
from daemon.memory.rules import EVERYWHERE, Scope
from daemon.names import called, spoken
from skills.scene import Scene


@dataclass(frozen=True)
class Condition:
    """When a rule holds."""

    what: str
    """Masked words: what is asked for or handled, or a name."""
    place: str = ""
    """The token of where it is put; "" where it is asked for."""
    said: bool = False
    """Whether a word is said, rather than a thing asked for."""


@dataclass(frozen=True)
class Clause:
    """A part of the consequence: an order, or what is meant."""

    thing: str = ""
    place: str = ""
    order: str = ""
    """In plain words; "" for what only says which thing is meant."""
    means: bool = False
    """Whether it can only say what is meant: "it's the oat biscuit"."""
    first: bool = False
    instead: bool = False
    """Whether it takes the place of what is asked for."""


def read_condition(text: str, scene: Scene, scoped: bool = False, lasting: bool = True) -> Effect | None:
    """The rule of a conditional sentence; None for any other. `scoped`: for somebody, or some time, alone.

    `lasting`: whether something says that it is meant for more than this once.
    """
    bare = _TAG.sub("", without_asides(text))
    if bare.endswith("?"):
        return None
    said = masked(bare, scene)
    for form in (*_SPLITS, *([_IS] if scoped else [])):
        for match in form.finditer(said.text):
            found = match.groupdict()
            before = bool(found.get("before"))
            if found.get("once") and match["when"].startswith("you") and not lasting:
                continue  # an order for this once
            condition = _condition(match["when"].strip(" ,"))
            clauses = list(_clauses(match["then"], said, condition.place if condition else ""))
            if condition and (effect := _combined(condition, clauses, before, match["then"], said, bare)):
                return effect
    return None


def _condition(words: str) -> Condition | None:
    if (match := _HANDLED.fullmatch(words)) is not None:
        return Condition(match["what"], match["place"])
    for form in (_ASKED, _GIVEN, _TIME_FOR, _WORD):
        if match := form.fullmatch(words):
            return Condition(
                _ONLY.sub("", match["what"]).strip(" '\"“”"),
                said=form in (_TIME_FOR, _WORD) or bool(_SAYS.search(words)),
            )
    return None


def _clauses(words: str, said: Masked, place: str) -> Iterator[Clause]:
    """Yield what is done or meant, in order, up to the first part that is neither; `place` is what "there" means."""
    for part in _AND.split(words):
        bare = " ".join(_AROUND.sub(" ", part).split()).strip(" ,:")
        first = bool(_FIRST.search(part))
        if not bare or _DENIED.match(bare):
            continue
        if place:
            bare = _THERE.sub(f"on {place}", bare)
        if match := _MEANT.fullmatch(bare):
            yield Clause(match["thing"], means=True)
        elif match := _PUT.fullmatch(bare):
            place = match["place"]
            yield Clause(
                match["thing"],
                place,
                f"put the {_called(match['thing'], said)} on the {said.place(place)}",
                first=first,
            )
        elif match := _BRING.fullmatch(bare):
            order = f"bring me the {_called(match['thing'], said)}"
            yield Clause(match["thing"], "", order, first=first, instead=bool(_INSTEAD.search(bare)))
        elif match := _DOOR.fullmatch(bare):
            verb = "open" if match["open"] else "close"
            yield Clause(place=match["place"], order=f"{verb} the {said.place(match['place'])}", first=first)
        elif match := _GO.fullmatch(bare):
            yield Clause(place=match["place"], order=f"go to the {said.place(match['place'])}", first=first)
        elif re.search(r"\b[TCPH]\d+\b", bare):
            return


def _combined(
    condition: Condition, clauses: list[Clause], before: bool, then: str, said: Masked, text: str
) -> Effect | None:
    pair = re.fullmatch(r"(T\d+)(?: and| plus|,) (T\d+)", condition.what)
    if pair and _ONE_TRIP.search(then):
        one, other = said.thing(pair[1]), said.thing(pair[2])
        return Together(one, other) if one and other and one != other else None
    if not clauses or any(clause.thing and not said.thing(clause.thing) for clause in clauses):
        return None
    if condition.what in _ANYTHING:
        return _after_anything(condition, clauses, before, said)
    known = re.fullmatch(r"[TC]\d+", condition.what)
    if known is None:
        return _name(condition, clauses, said)
    orders = [clause for clause in clauses if not _same(clause.thing, condition.what, said) or clause.place]
    alone = not condition.place and len(clauses) == 1 and not clauses[0].place
    if alone and (meant := _meant(condition, clauses[0], said, text)) is not None:
        return meant
    if not orders or orders[0].means or (condition.place and not orders[0].order):
        return None
    step = orders[0]
    if _same(step.thing, condition.what, said) and not condition.place:
        return None  # where the thing itself goes
    scope, example = said.scope(condition.what)
    first = before or step.first or clauses.index(step) < len(clauses) - len(orders)
    if condition.place:
        if (step.thing, step.place) == (condition.what, condition.place):
            return None
        put = Scope(scope.object_class, scope.object, said.place(condition.place), look=scope.look)
        return FurtherStep(put, step.order, before or step.first, example)
    if step.place or first:
        return FurtherStep(scope, step.order, first, example)
    return Also(scope, said.thing(step.thing), example=example) if step.thing else None


def _meant(condition: Condition, clause: Clause, said: Masked, text: str) -> Effect | None:
    """Return which thing is meant by a word that may mean another; None where something else is brought."""
    words = said.references[int(condition.what[1:])]
    word = ARTICLE.sub("", text[words.start : words.end])
    thing = said.references[int(clause.thing[1:])].things[0] if clause.thing else None
    if thing is None or len(said.references[int(clause.thing[1:])].things) > 1:
        return None
    one_of_these = called(thing.name, word) or (words.category and is_of_kind(thing, words.category))
    same = words.things == (thing,) and not clause.means
    if same or spoken(thing.name) == word.lower() or not (clause.means or clause.instead or one_of_these):
        return None
    if words.category and is_of_kind(thing, words.category) and not (condition.said or clause.instead):
        return Choice(words.category, said.thing(clause.thing))
    return Meaning(word.lower(), f"the {spoken(thing.name)}")


def _after_anything(condition: Condition, clauses: list[Clause], before: bool, said: Masked) -> Effect | None:
    """Return what is done whenever anything is handed over, or put at a place."""
    step = next((clause for clause in clauses if clause.order), None)
    if step is None:
        return None
    put = Scope(object_class=ANYTHING, place=said.place(condition.place)) if condition.place else EVERYWHERE
    return FurtherStep(put, step.order, before or step.first)


_ANYTHING = ("something", "anything", "things")


def _name(condition: Condition, clauses: list[Clause], said: Masked) -> Effect | None:
    """Return what is done, or meant, when a name is said that nothing here has."""
    if not _A_NAME.fullmatch(condition.what) or re.search(r"\b[TCPH]\d+\b", condition.what):
        return None
    if len(clauses) == 1 and clauses[0].means:
        return Meaning(condition.what.lower(), f"the {_called(clauses[0].thing, said)}")
    if condition.place or not all(clause.order for clause in clauses) or not any(clause.place for clause in clauses):
        return None
    return Meaning(condition.what.lower(), " and ".join(clause.order for clause in clauses))


def _called(token: str, said: Masked) -> str:
    """The full name of a thing; "" where it is no single thing."""
    things = said.references[int(token[1:])].things
    return spoken(things[0].name) if things else ""


def _same(one: str, other: str, said: Masked) -> bool:
    return bool(one) and bool(said.thing(one)) and said.thing(one) == said.thing(other)


_TAG = re.compile(r",? (?:ok|okay|right|all right|alright|yes|will you|would you|got it|understood)\?$", re.IGNORECASE)
_WHO = (
    r"(?:i|we|you hear (?:me|us)|somebody|someone|anyone|anybody|people|one of us|(?:a|the) (?:guest|customer|"
    r"visitor)s?)"
    r"(?:'m|'re|'d|'ll| am| are| would| will)?"
)
_IF = r"(?:when(?:ever)?|if|(?:every|each|any) ?time|(?P<once>as soon as|once|after|(?P<before>before)))"
_BEGINS = (
    r"(?:it(?:'s| is| has| should| must| means)\b|that(?:'s| is| means)\b|(?:i|we|she|he|they)(?:'d|"
    r"'m)? (?:always |only |just )*"
    r"(?:want|mean|need|like|prefer|take|get|have|has|drink|eat|would)\w*\b|you (?:\w+ )?(?:bring|put|take|give|"
    r"get|hand|lay)\b"
    r"|(?:bring|give|get|hand|pass|fetch|put|lay|take)\b|then\b)"
)
_SPLITS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"^(?P<when>\w+(?: \w+)?) (?:always |just |only |simply )*(?:means?|is) (?:always )?(?:when|that) "
        r"(?P<then>you (?:\w+ )?(?:put|bring|take|open|go|lay|carry)\b.+)$",
        r"^(?P<when>[TC]\d+) (?:always |just |only |simply )*means? (?:always |only )*(?P<then>T\d+)(?: unless .*)?$",
        rf"\b{_IF} (?P<when>[^,:;=]+?)(?:\s*(?:,? then\b|[,:;=]|\s[-–—]\s)\s*|"
        rf"(?<!\byou)(?<!\bi)(?<!\bwe)(?<!\bto)(?<!\bis)(?<!\bare)(?<!\bgets)\s+(?={_BEGINS}))"
        r"(?P<then>.+)$",
        rf"^(?P<then>.+?),? {_IF} (?P<when>[^,:;=]+?)(?:[,:;].*)?$",
        r"\b(?:at|for|on|during) (?P<when>(?!P\d)(?:\w+ )?\w+),? (?P<then>you (?:\w+ )?(?:put|bring|take|open|"
        r"go|lay|carry)\b.+)$",
        r"\b(?:i|we) (?:always |only |just )*(?:take|get|have|want|drink|eat|use|prefer) "
        r"(?P<then>T\d+ instead)(?: of)? (?P<when>[TC]\d+)$",
        r"\b(?P<when>me asking for [^,:;=]+?)\s*(?:=|means|is)\s*(?P<then>.+)$",
        r"(?:^|[,:;.!?-]\s*)(?P<when>(?:i|we) (?:just |only )?(?:say|ask for) [^,:;=]+?)\s*[,:;=-]\s*(?P<then>.+)$",
    )
)
"""A condition and its consequence, in either order."""
_IS = re.compile(
    r"^(?P<when>[TC]\d+)(?:,? (?:always |only )?(?:is|are|means|=)|:|,) (?P<then>(?:always |only )?T\d+)$",
    re.IGNORECASE,
)
"""For one person, or at one time, "a biscuit is the oat biscuit"."""
_ASKED = re.compile(
    rf"(?:{_WHO} (?:just |only |simply |ever |really |then |again )*(?:ask(?:s|ing)?(?: you)? for|wants?|needs?|"
    r"says?|orders?|"
    r"likes?|have|get|request|call for|mention|after|fancy|(?:going to |about to )?(?:us(?:e|es|ing)|eat(?:s|ing)?|"
    r"drink(?:s|ing)?|cook(?:s|ing)?|serv(?:e|es|ing)|work(?:s|ing)? with|having))|me asking for|"
    r"there(?:'s| is| are| will be)|it(?:'s| is)(?: about| for)?)"
    r" (?P<what>(?!you\b|to\b|time\b).+?)(?: next(?: time)?| again| please)*",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\b(?:says?|mention)\b", re.IGNORECASE)
_GIVEN = re.compile(
    r"(?:you(?:'re|'ve| are| have)? )?(?:br(?:ing|ought)|hand|g[ei]v|gave|fetch|g[eo]t|deliver|serv)(?:ing|ed|"
    r"en|e|ting|ten)?"
    r"(?: (?:over|me|us|somebody|anybody|him|her))* (?P<what>[TC]\d+|something|anything|things)"
    r"(?: (?:to (?:me|us)|over|here))*",
    re.IGNORECASE,
)
_HANDLED = re.compile(
    r"(?:you(?:'re|'ve| are| have)? (?:put|plac|set|bring|tak|carry|leav|lay|mov|stand)(?:ting|ing|e|t)? )?"
    r"(?P<what>[TC]\d+|something|anything|things)(?: (?:is|are|"
    r"gets?|goes|go|comes?|lands?|ends up|should go|has to go|put|placed|brought|"
    r"taken|carried|"
    r"over|down|back|standing|lying|moves))* (?:on|onto|in|into|to|at) (?P<place>P\d+)",
    re.IGNORECASE,
)
_TIME_FOR = re.compile(r"(?:it(?:'s| is) )?time for (?P<what>\w+(?: \w+)?)", re.IGNORECASE)
_WORD = re.compile(
    r"(?P<what>(?!(?:i|we|you|it|that|this|they|he|she|there|somebody|someone)\b)[\w]+(?: [\w]+)?)", re.IGNORECASE
)
_A_NAME = re.compile(r"[a-z][\w'-]*(?: [\w'-]+){0,2}", re.IGNORECASE)
_ONLY = re.compile(r"^(?:only|just|simply|the word|(?:a|an|the|some|any)(?= ))\s+", re.IGNORECASE)
_AND = re.compile(
    r"\s*[,;.!]\s*(?:(?:and|but|so|then)\s+)*|\s+(?:and then|and|then|plus|followed by)\s+", re.IGNORECASE
)
_AROUND = re.compile(
    r"\b(?:please|always|also|in (?:the )?future|(?:straight|right) away|"
    r"then|first(?: of all)?|second|last|afterwards|after that|beforehand|straight|"
    r"right|directly|"
    r"immediately|too|as well|every time|each time|from now on|you|should|must|have to|has to|need to|can|could|"
    r"would|do|"
    r"and|just|ready|simply|today|tomorrow)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\binstead$", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|beforehand|before that)\b", re.IGNORECASE)
_DENIED = re.compile(r"(?:and |but )*(?:not|never|no|don't|do not)\b", re.IGNORECASE)
_THERE = re.compile(r"\b(?:over )?there\b", re.IGNORECASE)
_ONE_TRIP = re.compile(
    r"\b(?:together|at once|at the same time|in one (?:go|trip|run)|in a single (?:trip|go|run)|"
    r"one in each hand|both hands|"
    r"only once|just once|one trip|single trip)\b",
    re.IGNORECASE,
)
_TAIL = r"(?: (?:i'm after|i am after|i mean|i want|that i (?:want|mean)|instead|they mean|it is|for me))?"
_MEANT = re.compile(
    r"(?:it(?:'s| is| be| means)|that(?:'s| is| means)|this means|means|(?:i|we)(?:'m|'d| am| would)? (?:only |"
    r"ever )*(?:mean|after)|"
    rf"(?:make|use) (?:it )?)\s*(?:only |ever )*(?P<thing>T\d+){_TAIL}",
    re.IGNORECASE,
)
_OVER = r"(?: (?:out|down|back|over|away|along))*"
_PUT = re.compile(
    rf"(?:(?:put|lay|place|set|leave|stand|pop|take|move|carry|bring|get){_OVER} )?(?P<thing>T\d+){_OVER}"
    r"(?: goes?| comes?| belongs?| is put| be put| go)?(?: (?:over|back|down))* (?:on|onto|in|into|to|at|"
    r"by) (?P<place>P\d+)",
    re.IGNORECASE,
)
_BRING = re.compile(
    r"(?:(?:bring|fetch|get|give|hand|pass|take|add|serve|(?:i|we|she|he|they)(?:'d)? (?:only |ever )*"
    r"(?:want|need|like|get|expect|have|has|take|drink|eat|use|prefer)s?)(?: (?:me|us|her|him|them|it|over))*"
    r" )?(?:only )?(?P<thing>T\d+)(?: (?:here|over|to (?:me|us)|with (?:it|that)|along|comes?|came|goes|to go|"
    r"beside it|next to it|belongs?))*"
    rf"{_TAIL}",
    re.IGNORECASE,
)
_DOOR = re.compile(r"(?:(?P<open>open)|close|shut) (?P<place>P\d+)(?: again)?", re.IGNORECASE)
_GO = re.compile(
    r"(?:go|drive|come|move|off)(?: (?:back|over|off))* to (?P<place>P\d+)(?: with(?: you)?)?", re.IGNORECASE
)
