"""What an order says: the action, the thing, the place, a condition; read without a look at the scene.

Reads structured orders, place(Pot, StoveBurner), as well as what people say: "Could you put the pot on the burner?"
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from daemon.console.raider.precondition_questions import Demand
from daemon.imitation.english.orders.order_clauses import the_order, without_wrapping
from daemon.imitation.english.orders.purposes import with_purpose
from daemon.imitation.english.orders.verbs import ACTIONS, read_verb
from daemon.lexicon.thing_knowledge import spoken_name


@dataclass(frozen=True)
class Phrase:
    """Words that mean a thing."""

    text: str
    noun: str
    """What is left without article, state and relations: "kitchen utensil"."""
    demands: tuple[Demand, ...] = ()
    relations: tuple[tuple[str, "Phrase"], ...] = ()
    """(relation, landmark); the relation "from" is either inside or on top of."""
    purpose: str = ""
    """What it is for: "makes coffee"."""
    of_user: bool = False
    """It speaks of what the user likes or did."""
    nearest: bool | None = None
    """Whether the nearest or the farthest is meant; None for neither."""
    number: str = ""
    """"2" for "the second one"."""
    any: bool = False
    """Whichever will do."""
    exact: bool = False
    """It is a name of a structured order."""
    but: "Phrase | None" = None
    """What is not meant: "not the red one"."""

    @property
    def indifferent(self) -> bool:
        """Return whether any one that fits will do: "something to drink", "a clean cup", "whatever is nearest"."""
        return self.any or bool(_INDIFFERENT.match(self.text))

    @property
    def describes(self) -> bool:
        """Return whether it says more of a thing than its name."""
        return bool(
            self.demands or self.relations or self.purpose or self.number or self.but or self.nearest is not None
        )


@dataclass(frozen=True)
class Order:
    """One thing to be done."""

    text: str
    action: str
    """pick, place, open, close, turnon, turnoff, slice, handover, approach; "" for none that is known."""
    target: Phrase | None = None
    place: Phrase | None = None
    condition: tuple[Demand, ...] = ()
    """Only to be done when this is so,"""
    condition_of: str = ""
    """of the thing of this name; "" for the target."""
    reach: float | None = None
    """Metres, where the order names them."""


def read_order(text: str) -> Order:
    """Read one order."""
    reach = _RANGE.search(text)
    metres = float(reach[1]) if reach else None
    bare = _RANGE.sub("", text).strip(" ,.")
    if match := _STRUCTURED.match(bare):
        arguments = [part.strip(" '\"") for part in match[2].split(",")]
        rest = bare[match.end() :].strip(" ,.")
        action = ACTIONS.get(match[1].lower(), match[1].lower())
        phrases = [_phrase(part) if " " in part else Phrase(part, part, exact=True) for part in arguments if part]
        if phrases and rest:
            described = _phrase(f"{spoken_name(arguments[0])} {rest}")
            phrases[0] = Phrase(phrases[0].text, phrases[0].noun, described.demands, described.relations, exact=True,
                                nearest=described.nearest)  # fmt: skip
        return _order(text, action, phrases, (), metres)
    bare, no_matter = _NO_MATTER.subn("", bare)
    bare, condition, of = _condition(the_order(bare))
    bare = without_wrapping(bare)
    verb = read_verb(bare)
    if verb is None:
        return Order(text, "", _phrase(bare) if bare else None, None, condition, of, metres)
    action, rest = verb
    if action == "pick" and _BRINGS.search(rest):
        action = "place"
    rest = _TO_ME.sub("", rest) if action == "pick" else rest
    order = _order(text, action, _arguments(action, rest), condition, metres)
    if action == "handover" and order.place is not None and order.place.text.lower() in ("me", "us"):
        order = replace(order, action="pick", place=None)
    if no_matter and order.target is not None:
        order = replace(order, target=replace(order.target, any=True))
    return replace(order, condition_of=of)


def without_condition(text: str) -> str:
    """Return the order without its condition, once that is known to hold: "bring me the bowl"."""
    match = _IF.search(text)
    return text[: match.start()] if match and read_order(text).condition else text


def in_names(text: str, names: Sequence[str]) -> str:
    """Return the order, without its condition, with names for what describes things: "bring me the cup 2"."""
    order = read_order(text)
    for phrase, name in zip((order.target, order.place), names, strict=False):
        if phrase is not None and phrase.describes:
            text = text.replace(phrase.text, f"the {spoken_name(name)}", 1)
    return without_condition(text)


def read_phrase(text: str) -> Phrase:
    """Read words that mean a thing: "the clean cup on the table"."""
    return _phrase(text)


def _order(text: str, action: str, phrases: list[Phrase], condition: tuple[Demand, ...], reach: float | None) -> Order:
    target, place, *_ = [*phrases, None, None]
    return Order(text, action, target, place, condition, "", reach)


def _arguments(action: str, rest: str) -> list[Phrase]:
    if action == "handover" and (match := _TO_WHOM.match(rest) or _WHOM_WHAT.match(rest)):
        return [_phrase(match["what"]), _phrase(match["whom"])]
    if action == "place":
        rest = _PARTICLE.sub(" ", rest)
        for pattern in (_TO, _SOMEWHERE, _INTO):
            splits = list(pattern.finditer(rest))
            if splits and (rest[: splits[-1].start()].strip()):
                cut = splits[-1]
                return [_phrase(rest[: cut.start()]), _phrase(rest[cut.end() :])]
    if action == "slice":
        rest = _INTO_SLICES.sub("", _WITH_TOOL.sub("", rest))
    return [_phrase(rest)] if rest.strip() else []


def _phrase(text: str) -> Phrase:
    said = " ".join(text.strip(" ,.?!").split())
    lower = spoken_name(said) if "_" in said or re.search(r"[a-z][A-Z]", said) else said.lower()
    lower = _APPOSITION.sub(" ", lower) if _APPOSITION.search(lower) else _ONE_OF.sub("any ", lower)
    lower = _WHICHEVER_IS.sub(r"\g<degree> \g<noun>", lower)
    lower = _LEFT_IN.sub("", _WHAT_IS.sub(r"\1 is ", lower))
    lower, but = _contrasted(lower)
    lower = with_purpose(_MADE_OF.sub(r"\g<material> \g<noun>", lower))
    body, demands = _relative_states(_WHATEVER.sub("thing ", lower))
    body, purpose, of_user = _purpose(body)
    body, relations = _relations(body)
    words = body.split()
    any_one = bool(set(words) & _ANY)
    words = [word for word in words if word not in _ARTICLES | _ANY]
    nearest = True if set(words) & _NEAREST else False if set(words) & _FARTHEST else None
    numbers = [ORDINALS[word] for word in words if word in ORDINALS]
    of_user = of_user or bool(set(words) & _FAVOURITE) or bool(re.search(r"\b(my|i)\b", body) and purpose)
    kept = []
    for word in words:
        if word in STATES:
            demands.append(STATES[word])
        elif word not in _NEAREST | _FARTHEST | _FAVOURITE | _FILLERS and word not in ORDINALS:
            kept.append(word)
    return Phrase(said, " ".join(kept), tuple(demands), tuple(relations), purpose, of_user, nearest,
                  numbers[0] if numbers else "", any_one, but=but)  # fmt: skip


def _contrasted(text: str) -> tuple[str, Phrase | None]:
    """Return the text without what is not meant, and that: "not the red one but the blue one" is the blue one."""
    if match := _NOT_BUT.match(text):
        other = _phrase(match["other"])
        return re.sub(r"\bone\b", " ".join(other.noun.split()[-1:]) or "one", match["this"]), other
    if match := _BUT_NOT.search(text):
        return text[: match.start()], _phrase(match["other"])
    return text, None


def _relative_states(text: str) -> tuple[str, list[Demand]]:
    demands: list[Demand] = []

    def note(match: re.Match[str]) -> str:
        key, value = FULL_STATES.get(match["state"] or "", (match["quality"], True))
        demands.append((key, value != bool(match["not"])))
        return " "

    return _RELATIVE_STATE.sub(note, text), demands


def _purpose(text: str) -> tuple[str, str, bool]:
    """Return the text without what the thing is for, that, and whether it tells of the user."""
    if match := _USER.search(text):
        return text[: match.start()], text[match.start() :], True
    if match := _PURPOSE.search(text, 1):  # "that cup" begins with no relative clause
        return text[: match.start()], match["what"], False
    return text, "", False


def _relations(text: str) -> tuple[str, list[tuple[str, Phrase]]]:
    found = [match for match in _RELATION.finditer(text) if match.start() > 0]
    if not found:
        return text, []
    ends = [match.start() for match in found[1:]] + [len(text)]
    relations = []
    for match, end in zip(found, ends, strict=True):
        landmark = _HANGING.sub("", text[match.end() : end].strip())
        if landmark:
            relation = next(name for name, value in match.groupdict().items() if value)
            marks = _AND.split(landmark) if relation == "between" else [landmark]
            relations += [(relation, _phrase(mark)) for mark in marks]
    return text[: found[0].start()], relations


def _condition(text: str) -> tuple[str, tuple[Demand, ...], str]:
    """Return the order without its condition, the condition, and the name of the thing that must be so."""
    match = _IF.search(text)
    if match is None:
        return text, (), ""
    clause = match["clause"].lower()
    subject = _SUBJECT.match(clause)
    demanded = _demanded(clause, bool(match["unless"]))
    if not demanded and match[0].strip(" ,").lower().startswith("when"):
        return text, (), ""  # it tells more of a thing: "the one that rings when somebody calls"
    return text[: match.start()], demanded, subject["noun"] if subject else ""


def _demanded(clause: str, unless: bool) -> tuple[Demand, ...]:
    negated = bool(re.search(r"\b(not|nothing|no)\b|n't\b", clause)) != unless
    if re.search(r"\b(contain|contains|in (?:it|them|(?:the|my|our|that) \w+(?: \w+)?$)|inside|holds)\b", clause):
        return (("filled", not negated),)
    for word in re.findall(r"[a-z]+(?: on| off)?", clause):
        known = FULL_STATES.get(word) or next((FULL_STATES[w] for w in word.split() if w in FULL_STATES), None)
        if known:
            return ((known[0], known[1] != negated),)
    return ()


STATES: dict[str, Demand] = {
    "open": ("open", True), "opened": ("open", True), "closed": ("open", False), "shut": ("open", False),
    "sliced": ("sliced", True), "cut": ("sliced", True), "chopped": ("sliced", True),
    "unsliced": ("sliced", False), "whole": ("sliced", False), "uncut": ("sliced", False),
    "clean": ("dirty", False), "washed": ("dirty", False), "dirty": ("dirty", True), "unwashed": ("dirty", True),
    "empty": ("filled", False), "filled": ("filled", True), "full": ("filled", True),
    "running": ("on", True), "lit": ("on", True), "unlit": ("on", False),
    "broken": ("broken", True), "cracked": ("broken", True), "damaged": ("broken", True), "intact": ("broken", False),
    "locked": ("locked", True), "unlocked": ("locked", False),
    "wet": ("wet", True), "damp": ("wet", True), "dry": ("wet", False),
}  # fmt: skip
"""Adjectives -> the state they demand."""
FULL_STATES: dict[str, Demand] = STATES | {
    "on": ("on", True), "off": ("on", False), "turned on": ("on", True), "turned off": ("on", False),
    "switched on": ("on", True), "switched off": ("on", False),
}  # fmt: skip
NO_MATTER = (
    r"i (?:really )?(?:do not|don't) (?:care|mind)(?: which(?: one)?(?: of them)?| what)?"
    r"|(?:(?:it )?(?:does not|doesn't)|no) matter(?: which(?: one)?(?: of them)?| what)?"
    r"|you (?:choose|decide|pick)|your choice|any(?: one| of them)? (?:will do|is fine|would do)"
)
"""Says that any one will do."""
_NO_MATTER = re.compile(rf"[\s,;.-]*\b(?:{NO_MATTER}|whichever)\W*$", re.IGNORECASE)
_ANY = frozenset(["any", "either", "whichever"])
_INDIFFERENT = re.compile(
    r"(?:some|any|a|an|one of|either|whatever|whichever|something|anything|somewhere|anywhere)\b", re.IGNORECASE
)
_ARTICLES = frozenset(
    [
        "the",
        "a",
        "an",
        "some",
        "my",
        "your",
        "our",
        "this",
        "that",
        "these",
        "those",
        "of",
        "me",
        "his",
        "her",
        "their",
        "its",
    ]
)
_NEAREST, _FARTHEST = frozenset(["nearest", "closest"]), frozenset(["farthest", "furthest"])
_FAVOURITE = frozenset(["favourite", "favorite", "preferred", "usual", "beloved"])
_FILLERS = frozenset(["please", "there", "over", "here", "currently", "only", "just", "already", "again", "still"])
ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6"}
_STRUCTURED = re.compile(r"\s*([A-Za-z_ ]+?)\s*\(([^()]*)\)")
_RANGE = re.compile(r",?\s*\b(?:robot )?(?:range|reach)(?: is| of)? (\d+(?:\.\d+)?) ?m\b", re.IGNORECASE)
_NO_PLACE = r"(?<!\bnext)(?<!\bclose)(?<!\bclosest)(?<!\bnearest)"
"""Before "to": what comes then tells where a thing is, and not where it goes."""
_TO = re.compile(
    rf"{_NO_PLACE}\s+(?:into|onto|inside|back (?:in|on|into)|to|over to|in front of)\s+(?!the (?:left|right))",
    re.IGNORECASE,
)
_INTO = re.compile(r"\s+(?:on top of|on|in|at|under|next to|near)\s+(?!the (?:left|right))", re.IGNORECASE)
_SOMEWHERE = re.compile(
    r"\s+(?=(?:somewhere|where(?:ver)?)\s+(?!(?:it|they) (?:is|are|was|were|stands?|lies?)\b)\w)", re.I
)
"""Before a place of a sort: put it somewhere cold, where it gets weighed."""
_TO_ME = re.compile(r"\s+(?:over |back )?to (?:me|us)$", re.IGNORECASE)
_TO_WHOM = re.compile(rf"^(?P<what>.+?){_NO_PLACE}\s+(?:over |back )?to\s+(?P<whom>.+)$", re.IGNORECASE)
_WHOM_WHAT = re.compile(
    r"^(?P<whom>.+?)(?<!\bin)(?<!\bon)(?<!\bat)(?<!\bby)(?<!\bto)(?<!\bof)(?<!\bwith)(?<!\bnear)(?<!\bbeside)(?<!\bbehind)"
    r"(?<!\bunder)\s+(?P<what>(?:the|a|an|some|his|her|their|its|my|this|that|these|those|something|one of)\b.+)$",
    re.IGNORECASE,
)
"""Give Anna the cup."""
_BRINGS = re.compile(
    rf"\w{_NO_PLACE}\s+"
    r"(?:into|onto|(?:over |back )?to (?=the |my |your |our |a ))(?!the (?:left|right) )",
    re.IGNORECASE,
)
"""Taking something somewhere is putting it there."""
_PARTICLE = re.compile(r"\s+(?:down|away|back)\s+(?=(?:on|in|into|onto|at|to|under|next)\b)", re.IGNORECASE)
"""Set the cup down on the table: put it on the table."""
_APPOSITION = re.compile(r",\s*(?:i mean )?the one\b")
_WHICHEVER_IS = re.compile(
    r"\b(?:whatever|whichever) (?P<noun>[a-z]+(?: [a-z]+)?) (?:is|are|stands|lies) (?:the )?"
    r"(?P<degree>nearest|closest|farthest|furthest)\b(?: to (?:me|you|us))?"
)
_ONE_OF = re.compile(r"^(?:any one|one|any|either) of (?=the|my|your|our|these|those)")
_MADE_OF = re.compile(
    r"(?P<noun>[a-z]+),? (?:(?:that|which)(?:'s| is| are) )?made (?:out )?(?:of|from) (?P<material>[a-z]+)"
)
_NOT_BUT = re.compile(r"^not (?P<other>(?:the|that|this|my)\b.+?),? but (?P<this>.+)$")
_BUT_NOT = re.compile(
    r"[\s,;-]+(?:(?:and|but) )?(?:not|rather than|instead of|other than|except(?: for)?|but)"
    r" (?P<other>(?:the|that|this|my|any)\b.+)$"
)
_AND = re.compile(r"\s+and\s+")
_LEFT_IN = re.compile(r"\bleft (?=(?:in|inside|on|at|under|behind|over)\b)")
_WHAT_IS = re.compile(r"\b(what|whatever|that|there)'s\s+")
_WHATEVER = re.compile(r"\b(?:whatever|anything that|what)\s+(?=(?:is|lies|stands|sits)\b)")
_WITH_TOOL = re.compile(r"\s+with (?:a|the|your|my) [\w ]+$", re.IGNORECASE)
_INTO_SLICES = re.compile(r"\s+(?:in|into) (?:\w+ )?(?:slices|pieces|half|halves|cubes|chunks)\b.*$", re.IGNORECASE)
_POSED = "standing|lying|sitting|hanging|resting|leaning|waiting"
_WHERE = (
    rf"(?:(?:that|which|who)(?:'s|'re)? |(?:is|are|'s|stands?|lies|lie|sits?|hangs?|rests?|leans?) |"
    rf"(?:currently|{_POSED}|located|placed|right|just|still|somewhere|over there|down|up) )*"
)
_RELATION = re.compile(
    rf"\b{_WHERE}(?:"
    r"(?P<holding>(?:on|in|under) which)"
    r"|(?P<left_of>(?:to|on|at) the left(?: hand)?(?: side)? of|left of)"
    r"|(?P<right_of>(?:to|on|at) the right(?: hand)?(?: side)? of|right of)"
    r"|(?P<closest>(?:closest|nearest) to)"
    r"|(?P<farthest>(?:farthest|furthest) from)"
    r"|(?P<between>(?:in )?between)"
    r"|(?P<next_to>next to|beside|near|close to|by)"
    r"|(?P<in_front_of>in front of)"
    r"|(?P<behind>behind)"
    r"|(?P<below>under(?:neath)?|below|beneath)"
    r"|(?P<on_top_of>on top of)"
    r"|(?P<above>above|over)"
    r"|(?P<containing>containing|that contains|which contains|that has|with)"
    r"|(?P<inside>inside(?: of)?)"
    r"|(?P<blocking>blocking)"
    r"|(?P<from>from|off|out of|in|on|at)(?!\s+the (?:left|right)\b)"
    r")\s+(?=\S)"
)
_HANGING = re.compile(r"\s+(?:lies|is|stands|sits|are|lie|stand|inside(?: it)?|in it|on it|inside of it)$")
_STATE_WORDS = "|".join(sorted(map(re.escape, FULL_STATES), key=len, reverse=True))
_ADVERBS = r"(?: (?:already|currently|still|now|yet|all|completely|fully|totally|really|so|a bit|a little))*"
_RELATIVE_STATE = re.compile(
    rf"\b(?:that|which)(?:'s| is| are| has been| have been| was| were| looks| seems)"
    rf"{_ADVERBS}(?P<not> not|n't)?{_ADVERBS}"
    rf"(?: (?P<state>{_STATE_WORDS})\b(?!\s+(?:the|a|an|top|my)\b)| (?P<quality>(?!not\b)[a-z]+)$)"
)
_PURPOSE = re.compile(
    rf"\b(?<!on )(?<!in )(?:(?:(?:that|which) )?(?:i|you|we|one) (?:can|could|may)(?= )"
    r"|(?:that|which)(?: is| are| can be)? (?:used|meant|good) (?:to|for)|used (?:to|for)"
    r"|(?:that|which)(?: you| we| one| people)?(?: can| use to| use for)?(?= (?!(?:is|are|was|has|contains|stands)\b))"
    rf"|(?:that|which)(?:'s| is| are)(?= (?!(?:{_POSED}|blocking|containing|holding|being)\b)[a-z]+ing\b)"
    r"|(?:you|we|they|people)(?= (?!(?:are|have|had|just|gave|took|hold)\b)[a-z]+ )"
    r"|where (?:i|you|we|one|people)(?= )|(?:for|to)(?! (?:the|a|an|my|your|me|us|him|her|this|that)\b))"
    r"\s+(?P<what>.+)$"
)
_USER = re.compile(
    r"\b(?:(?:that|which|where) )?i(?! (?:can|could|may|might)\b)"
    r"(?:'m| am| was| have|'ve| had| always| usually| most| last)?\b.*$|\bof my\b.*$"
)
_SUBJECT = re.compile(r"(?:the|my|a) (?P<noun>[a-z ]+?) (?:is|are|does|do|has|contains|isn't|doesn't|holds)\b")
_IF = re.compile(
    r",?\s+(?:but )?(?:only )?(?:(?:if|when|as long as|provided(?: that)?)|(?P<unless>unless))"
    r"\s+(?P<clause>[^;.!?]+).*$",
    re.I,
)
