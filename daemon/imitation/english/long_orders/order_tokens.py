"""What was said, in clauses, with tokens in the place of the things that it names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daemon.imitation.english.orders.names_in_orders import DETERMINERS, Look, attributes, namings_in, with_tokens
from daemon.imitation.english.orders.order_clauses import FORBIDS, WHEN
from daemon.lexicon.thing_knowledge import knowledge

TOKEN = re.compile(r"T\d+")
"""The third thing that is named is T2."""


@dataclass
class Clause:
    """A piece of what was said, its words with tokens in the place of things."""

    words: list[str]
    joint: str = ""
    """What stands before it."""
    sentence: int = 0
    """Which sentence it is of."""

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def is_aside(self) -> bool:
        """Return whether it says why or how soon, and asks for nothing."""
        return self.joint in _ASIDE

    @property
    def forbids(self) -> bool:
        return bool(_FORBIDS.match(self.text))

    @property
    def binds(self) -> bool:
        """Return whether it says when or whether; "should the lamp be on" tells which lamp."""
        return bool(_BINDING.match(self.text)) and not _CONDITION.match(self.text)


class Said:
    """The clauses, and what is known at first sight of the things in them."""

    def __init__(self, text: str, looks: Sequence[Look]) -> None:
        self.text = _plain(text)
        words = _WORD.findall(self.text)
        self.looks = {look.name: look for look in looks}
        self.namings = namings_in(words, looks)
        self.attributes = attributes(looks)
        self.clauses = list(_clauses(with_tokens(words, self.namings)))

    def names(self, token: str) -> tuple[str, ...]:
        return self.namings[int(token[1:])].names if TOKEN.match(token) else ()

    def noun(self, token: str) -> str:
        return self.namings[int(token[1:])].noun

    def unmasked(self, words: Sequence[str]) -> str:
        return " ".join(self.namings[int(word[1:])].said if TOKEN.match(word) else word for word in words)

    def fits(self, token: str, action: str) -> bool:
        """Return whether an action can be done to a thing; to words for what is not here, any may."""
        wanted = _AFFORDS.get(action, "")
        return not TOKEN.match(token) or any(wanted in self.looks[name].properties for name in self.names(token))

    def holds(self, token: str) -> bool:
        """Return whether something can be put on or into a thing."""
        return any("receptacle" in self.looks[name].properties for name in self.names(token))

    def is_person(self, token: str) -> bool:
        return any(knowledge().is_kind("person", name) for name in self.names(token))

    def is_held(self, token: str) -> bool:
        """Return whether a thing is in the hand; of "it", whether anything is."""
        names = self.names(token) if token != "it" else self.looks
        return any(self.looks[name].held for name in names)


def _plain(text: str) -> str:
    """In lower case, short forms written out."""
    plain = text.lower().replace("’", "'")
    for pattern, written in _SHORT:
        plain = pattern.sub(written, plain)
    return plain


def _clauses(words: Sequence[str]) -> Iterator[Clause]:
    current: list[str] = []
    joint = ""
    sentence = 0
    for position, word in enumerate(words):
        between = word == "and" and "between" in current[-5:]
        listed = word == "and" and current and TOKEN.match(current[-1]) and _leads_to_thing(words[position + 1 :])
        if (
            not between
            and not listed
            and (_STOP.fullmatch(word) or (word in _JOINTS and not _is_degree(words, position)))
        ):
            if current:
                yield Clause(current, joint, sentence)
                current, joint = [], word
            elif word in _JOINTS:
                joint = word
            sentence += word[0] in ".!?"
            continue
        current.append(word)
    if current:
        yield Clause(current, joint, sentence)


def _leads_to_thing(words: Sequence[str]) -> bool:
    """Return whether another thing of a list follows, and no other clause."""
    after = next((word for word in words if word not in DETERMINERS and word not in knowledge().qualities), "")
    return bool(TOKEN.match(after))


def _is_degree(words: Sequence[str], position: int) -> bool:
    """ "so kind", "so much": no joint."""
    after = words[position + 1] if position + 1 < len(words) else ""
    before = words[position - 1] if position else ""
    return (words[position] == "so" and (after in _DEGREED or before in ("be", "is", "ever", "not"))) or (
        words[position] == "before" and after in ("", "."))  # fmt: skip


_AFFORDS = {
    "pick": "pickupable",
    "open": "openable",
    "close": "openable",
    "turnon": "toggleable",
    "turnoff": "toggleable",
    "slice": "sliceable",
    "place": "pickupable",
    "handover": "pickupable",
}
"""What a thing must have that an action is done to."""
_WORD = re.compile(r"[a-z0-9]+|[.!?;:,…]+|\s-+\s|[–—]")
_STOP = re.compile(r"[.!?;:,…]+|\s*[-–—]+\s*")
_SHORT = [
    (re.compile(pattern), written)
    for pattern, written in (
        (r"\b(?:will|won't|can't|couldn't|wouldn't|would|could|can|why don't|why not|bet|betcha|i bet)(?: "
            r"not)? (?:you|u|ya)"
         r"(?: (?:can't|cannot|couldn't|can|could))?\b", "could you"),
        (r"\b(is|are|was|did|do|does|have|has|had)n't (there|it|i|we|you|they|he|she|that|this)\b", r"\1 \2"),
        (r"\bone (?:that is )?(?:(?:a|one) (?:size|bit|touch|shade|tad|little)|slightly|much) ([a-z]+er)\b", r"\1 one"),
        (r"\bu\b", "you"), (r"\bpls\b|\bplz\b", "please"), (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"),
        (r"\bgimme\b", "give me"), (r"\blet's\b", "let us"), (r"\blemme\b", "let me"), (r"\bcan't\b",
        "can not"), (r"\bcannot\b", "can not"),
        (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"\bain't\b", "is not"),
        (r"'re\b", " are"), (r"'m\b", " am"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
        (r"\b(it|that|there|what|who|where|here|this|he|she|whatever|everything|one)'s\b", r"\1 is"),
        (r"(\w)'s (?=(?:\w+ing|all|too|so|about|on|in|off|out|up|not|just|still|right|got|gone|been|at|under"
            r"|behind|dead|the|"
         r"a|an|very|quite|empty|full|dirty|open|shut|ready|over)\b)", r"\1 is "),
        (r"'s\b|'(?=\s|$)", ""), (r"\s+-+\s+", " ; "), (r"(?<=\w)-(?=\w)", " "),
    )
]  # fmt: skip
_JOINTS = frozenset(
    ["and", "so", "but", "because", "since", "before", "otherwise", "while", "or", "cause", "cos", "then"]
)
_ASIDE = frozenset(["because", "since", "before", "otherwise", "while", "or", "cause", "cos"])
_BINDING = re.compile(
    rf"(?:{WHEN}|next time\b)(?! (?:you|possible|i may|i might|need be"
    r"|it is (?:ok|all right|no trouble|no bother|not (?:too much|any)))\b)"
)
_CONDITION = re.compile(r"(?:if|when|should) .*T\d+ .*\b(?:is|are|be)\b")
_FORBIDS = re.compile(rf"(?:{FORBIDS}|not\b)|.*\bleave .*(?:\bbe\b|\balone\b)")
_DEGREED = frozenset(
    "kind much good nice very grateful happy glad long far many bad hard hot cold thirsty hungry tired".split()  # noqa: SIM905
)
