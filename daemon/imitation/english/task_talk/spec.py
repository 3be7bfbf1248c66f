"""What a task is, read from a person's words: which things, what to do with each, in which order. Pure text.

"Fruits go to box 1; kitchenware except the cups belongs in box 2, and leave the rest alone" has two parts. A clause is
one of six: it says what to do; names things for the clause beside it; makes an exception; keeps things where they are;
asks for nothing; or is not understood.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from daemon.console.tasks.parts import PERSON, Part, Spec
from daemon.imitation.english.task_talk.task_objects import COLOURS
from daemon.lexicon.thing_knowledge import words_of


def read_spec(spec: str, places: Sequence[str]) -> Spec:
    """Return what a task is; `places` are the names of those there are."""
    text = spec.lower()
    for short, full in _CONTRACTIONS.items():
        text = text.replace(short, full)
    without = tuple(word for match in _NOT_COUNTED.finditer(text) for word in words_of(match[1]) if word in COLOURS)
    reader = _Reader(places)
    for sentence in _SENTENCES.split(_ASIDE.sub(" ", _NOT_COUNTED.sub(" ", text))):
        reader.read(_EXCEPTED.sub(lambda match: match[0].replace(" and ", " + "), sentence))
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
    _open: list[str] = field(default_factory=list)
    """The clauses that name those."""
    _excepted: list[str] = field(default_factory=list)
    """The last exceptions, which the next clause may speak of: "those two you give to me"."""
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
            self.unread += self._open
        self._pending, self._open = [], []

    def _read_clause(self, clause: str, first: int) -> None:
        if match := _NEVER.match(clause):
            self._except(_kinds(_without_place(match["but"], self._target(clause))), 0)
            return
        if match := _EXCEPT_FOR.match(clause):
            self._except(_kinds(match["but"]), first)
            return
        if self._keeping and _REST.match(clause):
            return
        target = self._target(clause)
        clause, _, but = _EXCEPT.sub("\0", clause, count=1).partition("\0")
        if match := _STAYS.match(clause) or _LEAVE.match(clause):
            self.kept += [] if _REST.match(match["things"]) else _kinds(match["things"])
            self._keeping = True
        elif _IDLE.match(clause):
            return
        elif target or _deed(clause):
            self._do(clause, target, tuple(_kinds(_without_place(but, target))))
        elif not _TELLS.match(clause):
            self._more_things(clause)

    def _do(self, clause: str, target: str, but: tuple[str, ...]) -> None:
        self._keeping = False
        deed = _deed(clause, target)
        target = PERSON if deed == "give" else "" if deed == "point" else target
        verb_first = _VERB_FIRST.match(clause)
        said = _TOWER_OF.sub("", _BY_POINTING.sub("", _YOU_GIVE.sub("", clause)))
        said = _without_place(_VERB_FIRST.sub("", said), target)
        things = _bare(said)
        kinds, but = ([], but) if _PRONOUN.match(things) else self._kinds_of(said, but)
        rest = not kinds and bool(_REST.match(things)) and not _PRONOUN.match(things)
        kinds = [*self._pending, *kinds]
        if not kinds and (_PRONOUN.match(things) or not things):
            kinds, self._excepted = self._excepted, []
        if deed == "put" and not target:
            self._pending, self._open = kinds, [clause]  # "put the paper and the cardboard in box 1"
            return
        if kinds or rest or verb_first:
            self.parts.append(Part(deed or "put", tuple(kinds), target, but=but, rest=rest))
        else:
            self.unread.append(clause)
        self._excepted = list(but) or self._excepted
        self._pending, self._open = [], []
        self._takes_more = bool(verb_first)

    def _kinds_of(self, things: str, but: tuple[str, ...]) -> tuple[list[str], tuple[str, ...]]:
        """The kinds that a phrase names, and what is not meant; "all the other clothes" are not those before."""
        if _REST.match(_bare(things)):
            return [], but
        kinds = _kinds(things.rpartition(":")[2])
        if any(_OTHER.search(kind) for kind in kinds):
            kinds = [_OTHER.sub("", kind).strip() for kind in kinds]
            but = (*but, *(kind for part in self.parts for kind in part.kinds))
        return kinds, but

    def _more_things(self, clause: str) -> None:
        """Things alone: they are for the clause before, or for the next."""
        if self._keeping:
            self.kept += [] if _REST.match(clause) else _kinds(clause)
        elif self._takes_more and self.parts and not self._pending:
            self._extend(_kinds(clause.rpartition(":")[2]))
        else:
            self._pending += _kinds(clause)
            self._open.append(clause)

    def _extend(self, kinds: Sequence[str]) -> None:
        last = self.parts[-1]
        self.parts[-1] = replace(last, kinds=(*last.kinds, *kinds))

    def _except(self, kinds: Sequence[str], first: int) -> None:
        self.parts[first:] = [replace(part, but=(*part.but, *kinds)) for part in self.parts[first:]]
        self._excepted = list(kinds)

    def _target(self, clause: str) -> str:
        """Return where things go, by a clause; "" where it names no such place."""
        words = " ".join(words_of(clause))
        if _STACK.search(clause):
            return next((place for place in self.places if words_of(place)[-1] in ("tower", "stack", "pile")), "")
        named = [(match.start(), place) for place in self.places for match in [_place_in(place, words)] if match]
        return max(named, default=(0, ""))[1]


def _deed(clause: str, target: str = "") -> str:
    """put, give or point, where a clause says so; "" where it says nothing, or names only a place."""
    said = next((name for name, pattern in _DEEDS.items() if pattern.search(clause)), "")
    return said or ("give" if _WISH.match(clause) and not target else "")


def _place_in(place: str, words: str) -> re.Match[str] | None:
    spoken = re.escape(" ".join(words_of(place)))
    return re.search(rf"\b(?:in|into|inside|to|onto|on|at) (?:the |my |our )?{spoken}\b", words)


def _without_place(clause: str, target: str) -> str:
    name = "[ _]".join(map(re.escape, words_of(target)))
    return re.sub(rf"\b(?:in|into|inside|to|onto|on|at) (?:the |my |our )?{name}\b|\b{name}\b", " ", clause)


def _kinds(text: str) -> list[str]:
    """The kinds that are named: in the singular and without little words, or as they are described."""
    parts = [part.strip() for part in re.split(r",|\+|\band\b", text)]
    kinds = [
        _COLOUR_IN.sub("colour", _TRAILING.sub("", _LEADING.sub("", part)))
        if _DESCRIBES.search(part)
        else " ".join(words_of(_bare(part)))
        for part in parts
    ]
    return [kind for kind in kinds if kind]


def _bare(text: str) -> str:
    return " ".join(_FILLERS.sub(" ", text).split())


_CONTRACTIONS = {
    "won't": "will not", "n't": " not", "i'd": "i would", "i'm": "i am", "it's": "it is", "that's": "that is",
    "what's": "what is", "they're": "they are", "there's": "there is", "i'll": "i will", "can not": "cannot",
}  # fmt: skip
_SENTENCES = re.compile(r"[;.!]+(?:\s|$)|\s[-–—]\s|\(|\)")
_CLAUSES = re.compile(
    r",\s*(?:(?:and then|and|but|so|then|while|or)\b\s*)?"
    r"|\s+(?:and then|then|but(?! not\b)|so|while|afterwards|and)\s+(?!then\b)"
)
_ASIDE = re.compile(
    r",?\s*\b(?:(?:only )?(?:when|once|as soon as|after) (?:all|every\w*|those|these|you|they|that|it)\b[^,;.]*?"
    r"\b(?:is|are|has|have|been)?(?: all)? ?\b(?:done|up|finished|there|over|gone|in place)\b,?|one by one"
    r"|one (?:at a time|after (?:the other|another))|nothing (?:else|more)(?: than (?:that|this|these|those))?"
    r"|(?:in )?(?:exactly )?(?:any|whatever|no particular|this|that|the given|the same) order"
    r"|exactly the ingredients (?:of|for)\b[^:;]*(?=:))"
)
_NOT_COUNTED = re.compile(r"([\w ,]+?) (?:do|does) not count[^,;.]*", re.IGNORECASE)
_EXCEPT = re.compile(r"\s*\b(?:except(?: for)?|apart from|other than|but not|without|excluding|save for)\b")
_EXCEPTED = re.compile(rf"{_EXCEPT.pattern}[^,;.]*")
_EXCEPT_FOR = re.compile(
    r"^(?:but )?(?:except(?: for)?|apart from|other than|without|excluding|not|no)"
    r" (?P<but>(?!more|other|else|longer)[\w +-]+)$"
)
_NEVER = re.compile(
    r"^(?:please |and )*(?:never|do not)(?: ever)?"
    r" (?:put|place|pack|stack|sort|move|give|hand|bring|pass|point|show|take)"
    r"(?: (?:to )?(?:me|us))?(?: at)? (?P<but>(?!at\b|anything|everything|it\b|that\b|them\b).+)$"
)
"""Forbids something: an exception from all parts."""
_STAYS = re.compile(
    r"^(?P<things>.+?) (?:(?:can|should|may|must|has to|have to|is to|are to|to) )?(?:just )?"
    r"(?:stays?|remains?|is staying|be left)\b"
)
_LEAVE = re.compile(
    r"^(?:please |just |and )*(?:leave|do not (?:touch|need)|keep|skip|ignore|forget(?: about)?)"
    r" (?P<things>.+?)(?: (?:alone|out|be|where|here|there|lying|standing|in place|on|at|as)\b.*)?$"
)
_PRONOUN = re.compile(r"^(?:it|that|this|them|those|these|they)?(?: ?(?:one|ones|two|three|both))?$")
_REST = re.compile(
    r"^(?:it|that|this|them|those|these|(?:the )?rest|(?:all )?(?:the )?others?|(?:whatever|everything|anything|all)"
    r"(?: the)?(?: (?:else|other|remaining|left))?(?: (?:there is|is left|that is left|things?|stuff))?"
    r"|what(?:ever)? (?:is|remains)(?: left)?)(?: (?:thing|one|item|object)s?)?(?: (?:on|in|of) .+)?$"
)
_OTHER = re.compile(r"^(?:other|remaining|rest of)\b")
_IDLE = re.compile(
    r"^(?:(?:i|we)(?! would| want (?!that|it|those)| need (?!that|it|those))|he|she|there"
    r"|you(?! (?:can |could |should |may )?(?:put|place|pack|move|give|hand|bring|pass|point|show|take)\b)"
    r"|never|nothing|nobody|thanks|thank|in which"
    r"|it (?:is|does|has|was|will)|that is|this is|they are|i (?:would|want|need)[^,]* not"
    r"|i (?:do|need|want) (?:not|no)|no (?:more|other)|only that|do not|whichever|all right|ok|okay|and|or"
    r"|just that|please$|first$|finally$)\b"
)
_TELLS = re.compile(
    r"^(?:[\w'-]+ ){1,4}(?:is|are|was|were|has|have|had|will|would|does|do|did|can|cannot|could|must|needs?|wants?)\b"
    r"(?! (?:handed|given|brought|passed))"
)
"""Says something, and not what to do."""
_STACK = re.compile(r"\b(?:stack|pile|tower)\b")
_TOWER_OF = re.compile(
    r"\b(?:build|make) (?:me )?(?:a|one|the) (?:\w+ )?(?:tower|stack|pile) (?:out of|of|from|with|using)\b"
)
_YOU_GIVE = re.compile(
    r"\b(?:that )?you (?:can |could |may |should )?(?:hand|give|bring|pass)(?: over)?(?: to)? (?:me|us)\b"
)
_BY_POINTING = re.compile(r"\bby pointing (?:at|to) (?:it|them|each(?: one)?)\b")
_DEEDS = {
    "point": re.compile(r"\bpoint(?:ing)?\b|\bshow me\b"),
    "give": re.compile(
        r"\b(?:(?<!by )(?<!in )(?<!my )hand|give|bring|pass|serve|fetch)\b"
        r"|\b(?:handed|given|passed|brought)\b.*\b(?:me|us|user|person)\b"
        r"|\b(?:go|goes|come|comes|belong|belongs) to me\b"
    ),
    "put": re.compile(r"^(?:please |first |just )*(?:put|pack|place|stack|build|sort|move)\b"),
}
_WISH = re.compile(
    r"^(?:i|we) (?:would (?:like|love)|want|need) (?!(?:no|not|nothing|to|it|that|this|them|those|these)\b)"
)
_VERB_FIRST = re.compile(
    r"^(?:(?:please|first|just|now|only|then|finally|and|next|you|would|could|can) )*"
    r"(?:put|pack|place|stack|build|make|sort|move|hand|give|bring|pass|serve|fetch|point|show|take|throw|stow|tidy|drop"
    r"|get|i (?:would (?:like|love)|want|need)|we (?:would (?:like|love)|want|need))\b"
    r"(?: over\b)?(?: (?:to )?(?:me|us)\b)?"
)
_DESCRIBES = re.compile(
    r"\b(?:(?<!after )(?<!on )that|which|who|whatever|made of|to \w+ (?:\w+ )?(?:with|on|in|from)|for \w+ing|you|we"
    r"|people|nobody|somebody)\b"
)
"""Things that are described, and not only named."""
_TRAILING = re.compile(
    r"(?: (?:should|must|needs? to|has to|have to|can|all|just|both|goes|go|belongs?|comes?|is|are))+$"
)
_COLOUR_IN = re.compile(r"\bcolou?r in\b")
_LEADING = re.compile(r"^(?:(?:first|then|only|all|each|every|any|both|the|a|an|some|my|our|of|at|to|point at) )+")
_FILLERS = re.compile(
    r"\b(?:first|then|finally|next|now|last of all|at last|lastly|last|at the (?:very )?end|on (?:the )?top|only|just"
    r"|after that|afterwards|also|as well|too|please|exactly|all|each|every|any|both|the|a|an|some|my|our|these|those"
    r"|of|them|it|(?:that )?(?:you|we) (?:can|could|may|should|must)|(?:that )?you (?=(?:give|hand|bring|pass)\b)"
    r"|(?:should |must |needs? to |has to |have to |to )?(?:be |is |are |get |gets )?(?:put|packed|placed|moved|sorted"
    r"|handed|given|passed|brought|kept|stacked)\b(?: over)?(?: to)?(?: me| us| the (?:user|person))?"
    r"|(?:hand|give|bring|pass|serve)s?(?: over)?(?: to)? (?:me|us)|(?:to|for) (?:me|us)"
    r"|go|goes|belongs?|comes?|gets?|should|must|shall|needs?|be|is|are|at|in|into|on|onto|to|over|up|away|there|me|us)\b"
)
