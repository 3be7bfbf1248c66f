"""What a task is, read from a person's words: which things, what to do with each, in which order. Pure text.

"Fruits go to box 1; kitchenware except the cups belongs in box 2, and leave the rest alone" has two parts. A clause is
one of six: it says what to do; names things for the clause beside it; makes an exception; keeps things where they are;
asks for nothing; or is not understood.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from daemon.console.raider.things import words_of
from daemon.console.tasks.things import COLOURS

PERSON = "person"


@dataclass(frozen=True)
class Part:
    """One thing to do with all of some things, before the next part."""

    action: str
    """put, give or point."""
    kinds: tuple[str, ...]
    """What the things are called, or are: "yellow object", "jello"."""
    target: str = ""
    """A place; the person for give."""
    without: tuple[str, ...] = ()
    """Words that do not count: black and white are no colours of a coloured cube."""
    but: tuple[str, ...] = ()
    """Those among them that are not meant."""
    rest: bool = False
    """Everything that nothing else in the task is about, and that does not stay."""


@dataclass(frozen=True)
class Spec:
    """A task as it was read."""

    parts: tuple[Part, ...]
    unread: tuple[str, ...] = ()
    """Clauses that ask for something which could not be made out."""
    kept: tuple[str, ...] = ()
    """Things that stay where they are."""


def read_spec(spec: str, places: Sequence[str]) -> Spec:
    """What a task is; `places` are the names of those there are."""
    text = spec.lower()
    for short, full in _CONTRACTIONS.items():
        text = text.replace(short, full)
    without = tuple(word for match in _NOT_COUNTED.finditer(text) for word in words_of(match[1]) if word in COLOURS)
    reader = _Reader(places)
    for sentence in _SENTENCES.split(_ASIDE.sub(" ", _NOT_COUNTED.sub(" ", text))):
        reader.read(sentence)
    return Spec(
        tuple(replace(part, without=without) for part in reader.parts if part.kinds or part.rest),
        tuple(reader.unread),
        tuple(reader.kept),
    )


@dataclass
class _Reader:
    """Reads one clause after the other; what a clause leaves open, the next one or the one before tells."""

    places: Sequence[str]
    parts: list[Part] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    _pending: list[str] = field(default_factory=list)
    """Things of which the next clause says what to do: "oats, raisins and honey go in the bowl"."""
    _takes_more: bool = False
    """Whether things that follow belong to the last part: "hand me the needle, afterwards the thread"."""
    _keeping: bool = False

    def read(self, sentence: str) -> None:
        """One sentence; exceptions are from its own parts."""
        first = len(self.parts)
        for said in _CLAUSES.split(sentence):
            if clause := said.strip(" ,.:"):
                self._read_clause(clause, first)
        if self._pending and self.parts:
            self._extend(self._pending)
        else:
            self.unread += self._pending
        self._pending = []

    def _read_clause(self, clause: str, first: int) -> None:
        if match := _EXCEPT_FOR.match(clause):
            self._except(_kinds(match["but"]), first)
            return
        if self._keeping and _REST.match(clause):
            return
        clause, _, but = _EXCEPT.sub("\0", clause, count=1).partition("\0")
        if match := _STAYS.match(clause) or _LEAVE.match(clause):
            self.kept += [] if _REST.match(match["things"]) else _kinds(match["things"])
            self._keeping = True
        elif _IDLE.match(clause):
            return
        elif (target := self._target(clause)) or self._deed(clause):
            self._do(clause, target, tuple(_kinds(but)))
        else:
            self._more_things(clause)

    def _do(self, clause: str, target: str, but: tuple[str, ...]) -> None:
        self._keeping = False
        deed = self._deed(clause)
        if deed == "give":
            target = PERSON
        elif deed == "point":
            target = ""
        things = _TOWER_OF.sub("", _BY_POINTING.sub("", clause))
        things = _without_place(things, target) if target else things
        rest = bool(_REST.match(_bare(things)))
        kinds = [] if rest else _kinds(things.rpartition(":")[2])
        self.parts.append(Part(deed or "put", (*self._pending, *kinds), target, but=but, rest=rest))
        if not (kinds or rest or self._pending) and not _VERB_FIRST.match(clause):
            self.parts.pop()
            self.unread.append(clause)
        self._pending = []
        self._takes_more = bool(_VERB_FIRST.match(clause))

    def _more_things(self, clause: str) -> None:
        """Things alone: they are for the clause before, or for the next."""
        if self._keeping:
            self.kept += [] if _REST.match(clause) else _kinds(clause)
        elif self._takes_more and self.parts and not self._pending:
            self._extend(_kinds(clause.rpartition(":")[2]))
        else:
            self._pending += _kinds(clause)

    def _extend(self, kinds: Sequence[str]) -> None:
        last = self.parts[-1]
        self.parts[-1] = replace(last, kinds=(*last.kinds, *kinds))

    def _except(self, kinds: Sequence[str], first: int) -> None:
        self.parts[first:] = [replace(part, but=(*part.but, *kinds)) for part in self.parts[first:]]

    def _deed(self, clause: str) -> str:
        """put, give or point, where a clause says so; "" where it says nothing, or names only a place."""
        return next((name for name, pattern in _DEEDS.items() if pattern.search(clause)), "")

    def _target(self, clause: str) -> str:
        """Where things go, by a clause; "" where it names no such place."""
        words = " ".join(words_of(clause))
        if _STACK.search(clause):
            return next((place for place in self.places if words_of(place)[-1] in ("tower", "stack", "pile")), "")
        named = [(match.start(), place) for place in self.places for match in [_place_in(place, words)] if match]
        return max(named, default=(0, ""))[1]


def _place_in(place: str, words: str) -> re.Match[str] | None:
    spoken = re.escape(" ".join(words_of(place)))
    return re.search(rf"\b(?:in|into|inside|to|onto|on|at) (?:the |my |our )?{spoken}\b", words)


def _without_place(clause: str, target: str) -> str:
    name = "[ _]".join(map(re.escape, words_of(target)))
    return re.sub(rf"\b(?:in|into|inside|to|onto|on|at) (?:the |my |our )?{name}\b|\b{name}\b", " ", clause)


def _kinds(text: str) -> list[str]:
    """The kinds that are named, in the singular and without little words."""
    return [kind for part in re.split(r",|\band\b", text) if (kind := " ".join(words_of(_bare(part))))]


def _bare(text: str) -> str:
    return " ".join(_FILLERS.sub(" ", text).split())


_CONTRACTIONS = {
    "n't": " not", "i'd": "i would", "i'm": "i am", "it's": "it is", "that's": "that is", "what's": "what is",
    "they're": "they are", "there's": "there is", "i'll": "i will", "can not": "cannot",
}  # fmt: skip
_SENTENCES = re.compile(r"[;.!]+(?:\s|$)|\s[-–—]\s|\(|\)")
_CLAUSES = re.compile(
    r",\s*(?:(?:and then|and|but|so|then|while|or)\b\s*)?"
    r"|\s+(?:and then|then|but(?! not\b)|so|while|afterwards|and)\s+(?!then\b)"
)
_ASIDE = re.compile(
    r",?\s*\b(?:(?:when|once|as soon as|after) (?:all|every\w*|those|these|you|they|that)\b[^,;.]*?"
    r"\b(?:is|are|has|have|been|done|up|finished|there)\b[^,;.]*,?|one by one"
    r"|one after (?:the other|another)|(?:in )?(?:any|whatever|no particular) order|nothing else"
    r"|exactly the ingredients (?:of|for)\b[^:;]*(?=:))"
)
_NOT_COUNTED = re.compile(r"([\w ,]+?) (?:do|does) not count[^,;.]*", re.IGNORECASE)
_EXCEPT = re.compile(r"\s*\b(?:except(?: for)?|apart from|other than|but not|without|excluding|save for)\b")
_EXCEPT_FOR = re.compile(
    r"^(?:but )?(?:except(?: for)?|apart from|other than|without|excluding|not|no)"
    r" (?P<but>(?!more|other|else|longer)[\w -]+)$"
)
_STAYS = re.compile(
    r"^(?P<things>.+?) (?:(?:can|should|may|must|has to|have to|is to|are to|to) )?(?:just )?"
    r"(?:stays?|remains?|is staying|be left)\b"
)
_LEAVE = re.compile(
    r"^(?:please |just |and )*(?:leave|do not (?:touch|move|take)|keep) (?P<things>.+?)"
    r"(?: (?:alone|out|be|where|here|there|in place|on|at|as)\b.*)?$"
)
_REST = re.compile(
    r"^(?:it|that|this|them|those|these|(?:the )?rest|(?:all )?(?:the )?others?|(?:whatever|everything|anything|all)"
    r"(?: the)?(?: (?:else|other|remaining|left))?(?: (?:there is|is left|that is left|things?|stuff))?"
    r"|what(?:ever)? (?:is|remains)(?: left)?)(?: (?:thing|one|item|object)s?)?(?: (?:on|in|of) .+)?$"
)
_IDLE = re.compile(
    r"^(?:i(?! would| want| need)|we(?! would| want| need)|you|he|she|there|never|nothing|nobody|thanks|thank|in which"
    r"|it (?:is|does|has|was)|that is|this is|they are|i (?:would|want|need)[^,]* not|i (?:do|need|want) (?:not|no)"
    r"|no (?:more|other)|only that|do not|whichever|all right|ok|okay|and|or|just that|please$|first$|finally$)\b"
)
_STACK = re.compile(r"\b(?:stack|pile|tower)\b")
_TOWER_OF = re.compile(
    r"\b(?:build|make) (?:me )?(?:a|one|the) (?:\w+ )?(?:tower|stack|pile) (?:out of|of|from|with|using)\b"
)
_BY_POINTING = re.compile(r"\bby pointing (?:at|to) (?:it|them|each(?: one)?)\b")
_DEEDS = {
    "point": re.compile(r"\bpoint(?:ing)?\b|\bshow me\b"),
    "give": re.compile(
        r"\b(?:(?<!by )(?<!in )(?<!my )hand|give|bring|pass|serve|fetch)\b|\b(?:handed|given|passed|brought)\b.*\bme\b"
        r"|\b(?:go|goes|come|comes|belong|belongs) to me\b"
    ),
    "put": re.compile(r"^(?:please |first |just )*(?:put|pack|place|stack|build|sort|move)\b"),
}
_VERB_FIRST = re.compile(
    r"^(?:(?:please|first|just|now|only|then|finally|and|next|you|would|could|can) )*"
    r"(?:put|pack|place|stack|build|make|sort|move|hand|give|bring|pass|serve|fetch|point|show|take|throw|stow|tidy|drop)\b"
)
_FILLERS = re.compile(
    r"\b(?:first|finally|next|now|last of all|at last|lastly|last|only|just|after that|afterwards|also|as well|too"
    r"|all|each|every|any|both|the|a|an|some|my|our|these|those|of|please|exactly|me|them|it"
    r"|at|in|into|on|onto|to|over|up|away|there|should|must|shall|needs?|be|is|are|go|goes|belongs?|comes?|gets?|kept"
    r"|put|pack|place|placed|packed|move|moved|sort|sorted|stack|build|pile|point(?:ing)?|show me|hand(?:ed)?"
    r"|give|given|brings?|brought|pass(?:ed)?|serve|fetch|take|throw|stow|tidy|drop"
    r"|i would (?:like|love)|i want|i need)\b"
)
