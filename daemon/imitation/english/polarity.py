"""What a sentence says no to, so that a lesson is never learned as its opposite.

A word of negation turns what stands behind it in its clause, and a second one turns it back: "never the tea without
the cup" wants the cup. With nothing behind it, it turns what stands before it ("the peanuts never"), and so does a
predicate such as "is off limits". "That must never happen" turns the clause before it. What somebody only missed ("you
did not bring the cup") is wanted.
"""

import re
from collections.abc import Iterator, Sequence

from daemon.names import mention


def denied(text: str, names: Sequence[str]) -> list[str]:
    """Return those of `names` that the text mentions only to say no to them."""
    clauses = _clauses(text, names)
    turns = {name: _turns(name, clauses) for name in names}
    return [name for name in names if turns[name] and all(turns[name])]


def says_no(text: str, names: Sequence[str]) -> bool:
    """Return whether a text says no to something of these names, takes it back, or wants it left alone."""
    clauses = _clauses(text, names)
    about = [clause for clause in clauses if any(mention(name, clause.text) for name in names)]
    return any(clause.negates or clause.turned for clause in about) or bool(_LEFT_ALONE.search(text))


class _Clause:
    """A part of a sentence, with the places of its negations."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self.text = text
        self.turned = False
        """Whether a later clause says no to all of this one."""
        plain = _NEUTRAL.sub(_blank, text)
        last = max((end for name in names for _, end in _spans(name, text)), default=0)
        said = list(_NEGATION.finditer(plain))
        self._starts = [match.end() for match in said if match.end() <= last]
        self._ends = [match.start() for match in said if match.end() > last]
        self._ends += [match.start() for match in _PREDICATE.finditer(plain)]

    @property
    def negates(self) -> bool:
        return bool(self._starts or self._ends)

    def turns(self, start: int, end: int) -> bool:
        """Return whether what stands from `start` to `end` is said no to."""
        times = sum(place <= start for place in self._starts) + any(end <= place for place in self._ends)
        return (times % 2 == 1) is not self.turned


def _clauses(text: str, names: Sequence[str]) -> list[_Clause]:
    """The clauses of a text; what is taken back ("no, what am I saying") turns the clause before it."""
    clauses: list[_Clause] = []
    for said in _TAKEN_BACK.split(text.replace("’", "'")):
        if clauses:
            clauses[-1].turned = True
        clauses += _plain_clauses(said, names)
    return clauses


def _plain_clauses(text: str, names: Sequence[str]) -> list[_Clause]:
    """The clauses of a text; a no that names nothing is about the clause before, "never, ever" about the next."""
    clauses: list[_Clause] = []
    carried = ""
    for part in _JOINT.split(_MISSED.sub(r"\1?", text)):
        if not re.search(r"\w", part):
            continue
        clause, carried = _Clause(f"{carried}{part}", names), ""
        if clauses and clause.negates and _POINTS_BACK.match(part) and not any(mention(name, part) for name in names):
            clauses[-1].turned = True
        if _ENDS_IN_NO.search(part):
            carried = "never "
        clauses.append(clause)
    return clauses


def _turns(name: str, clauses: list[_Clause]) -> list[bool]:
    """Of each mention of a name, whether it is said no to."""
    return [clause.turns(*span) for clause in clauses for span in _spans(name, clause.text)]


def is_turned(name: str, text: str, names: Sequence[str]) -> bool:
    """Return whether any mention of a name is said no to; of one that is not mentioned, any pronoun."""
    clauses = _clauses(text, names)
    turns = _turns(name, clauses)
    if not turns:
        turns = [clause.turns(*match.span()) for clause in clauses for match in _PRONOUN.finditer(clause.text)]
    return any(turns)


def _spans(name: str, text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := mention(name, text[position:]):
        yield position + match.start(), position + match.end()
        position += match.end()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


_JOINT = re.compile(
    r"[.;:!?]+\s|,|\s[-–—]\s|(?<!thing )(?<!where )(?<!all )\bbut\b|\b(?:so|because|since)\b"
    r"|\band (?=(?:not|never|don't|then|now|please|always|that|it|bring|give|get|take|put)\b)",
    re.IGNORECASE,
)
_NEUTRAL = re.compile(
    r"\b(?:do ?n't|do not|never|not to) (?:you )?(?:ever )?(?:forget|miss|leave out|skip)\b(?! about)"
    r"|\b(?:did|have|had|was|were)(?:n't| not)\b|\byou (?:forgot|missed|left out)\b"
    r"|\b(?:if|unless|when|while) (?:(?:the|my|a) )?\w+ (?:is|are|do|does|has|have|can|could)(?:n't| not| no)\b"
    r"|\bthere(?:'s| is| was| are| were)(?: never| still)? no\b|\bwhere(?:'s| is)\b"
    r"|\b(?:no|not a) (?:problem|worries|doubt|matter (?:what|who|how|when))\b|\bnot only\b|\bwhy (?:do|did)n't you\b"
    r"|\bwithout (?:me |us |being |having |my )*(?:to )?ask\w*\b|\bnothing (?:else|more)\b"
    r"|\b(?:could|would|ca|wo)n't you\b|^\W*no\b(?= ?(?:,|$))|\bif (?:you|i) don't mind\b",
    re.IGNORECASE,
)
"""Negation that denies nothing of what is taught."""
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nothing|nobody|neither|nor|without|except|than|avoid|skip|hate|hates|detest|loathe"
    r"|forbid\w*|refuse\w*|banned|quit|stop|hide|nope)\b|n't\b|\b(?:dont|doesnt|isnt|mustnt|shouldnt|cant|wont)\b"
    r"|\binstead of\b|(?:thing|where|\ball) but\b|\bleav(?:e|ing) out\b|\ballergic to\b"
    r"|\bforget (?:about|it|the)\b|\b(?:keep|stay|get|steer|clear)\b.{0,20}?\b(?:away|off|clear|out)\b"
    r"|\bhands off\b|\bgave up\b|\bgiven up\b|\bused to\b|\bfar from\b|\blast time\b|\b(?:can't|cannot) stand\b"
    r"|\bno longer\b|\bany ?more\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:off limits|taboo|out of the question|forbidden|banned|poison\w*|upsets?|disagrees?|hands off|not for|"
    r"(?:is|are|was|must|should|may|can|does|do|will|would|has|have)(?:n't| not| never| no longer)|never|"
    r"makes? (?:\w+ )+(?:sick|ill|cry|cough|sneeze)|stays? (?:where|put|in|on|out)|leave (?:it|them|that|those)|"
    r"last time|harmful|dangerous|nope)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:no,? )?(?:what am i saying|(?:scratch|scrap|strike) that|on second thoughts?)\b"
    r"|\bno,? (?:wait|hang on|hold on|sorry|i mean)\b",
    re.IGNORECASE,
)
_LEFT_ALONE = re.compile(
    r"\b(?:left where|let (?:it|them|him|hers?|his|that|those) (?:lie|be)|overlook|lies? where)\b", re.IGNORECASE
)
_MISSED = re.compile(r"\bno (\w+(?: \w+)?)\?", re.IGNORECASE)
"""Somebody wonders why something is not there."""
_POINTS_BACK = re.compile(
    r"^\W*(?:(?:and|well|no|oh) )*(?:(?:that|this|it|those|these|they|them)\b(?! (?:can't|cannot|won't))|(?:not|never|"
    r"hands off|off limits|nope)\b)",
    re.IGNORECASE,
)
"""A no that names nothing and begins so is about the clause before."""
_ENDS_IN_NO = re.compile(r"(?<!\w)(?:never|not|but|except|don't)\W*$", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|that|this|them|those|these|one|ones)\b", re.IGNORECASE)
