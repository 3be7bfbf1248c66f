"""Where in a sentence one clause ends and another begins, and how it reads without politeness and slips of spelling."""

import re
from collections.abc import Iterator

from rapidfuzz.distance import OSA

from daemon.imitation.english.orders.verbs import base_of
from daemon.imitation.english.vocabulary import Names, vocabulary
from daemon.lexicon.inflection import singular
from daemon.lexicon.word_meanings import lexicon, stems


def split_clauses(text: str, names: Names) -> Iterator[str]:
    """Cut a sentence where another request, or another statement, begins."""
    start = 0
    for match in _JOINT.finditer(text):
        if match[0].strip(" ,") in (";", ".", "!", "?") or _begins_clause(text[match.end() :], names):
            if (clause := text[start : match.start()].strip(" ,;.!?")) and not is_idle(clause):
                yield clause
            start = match.end()
    clause = text[start:].strip(" ,;.!?")
    if clause and (start == 0 or not is_idle(clause)):
        yield clause


def polite(text: str) -> str:
    """Leave out what is said out of politeness: "could you please bring me the tea?" asks to "bring me the tea"."""
    before = ""
    while before != text:
        before, text = text, _POLITE.sub("", text.strip(" ,;.!?")).strip(" ,;.!?")
    return text


def spelled(text: str, names: Names) -> str:
    """Words that nobody knows, one slip away from a word that means something here, are that word."""
    words = {word for phrase in vocabulary(names) for word in phrase}
    known = {word for word in words if len(word) >= 4}

    def right(match: re.Match[str]) -> str:
        word = match[0]
        stem = singular(word)
        if (
            len(word) < 4
            or stem in words
            or (stem,) in lexicon().verb_stems
            or stem in _COMMON
            or base_of(word.lower())
        ):
            return word
        near = (other for other in sorted(known) if other[0] == stem[0] and _one_slip(word.lower(), other))
        return next(near, word)

    return _WORD.sub(right, text)


def is_idle(clause: str) -> bool:
    """Return whether a clause is said besides a request, and asks for nothing: "come on", "my dear"."""
    return bool(_FILLER.fullmatch(clause))


def tells(text: str) -> bool:
    """Return whether a clause has the form of a statement, and wishes for nothing."""
    return bool(_TELLS.match(text)) and not _WISH.search(text)


def _begins_clause(text: str, names: Names) -> bool:
    """Return whether another request or statement begins, and not another thing in a list, such as the trash can."""
    bare = polite(text)
    words = stems(bare)[:2]
    is_thing = len(words) > 1 and words in vocabulary(names)
    is_verb = words[:1] in lexicon().verb_stems or words in lexicon().verb_stems
    return (is_verb and not is_thing) or bool(_TELLS.match(text) or _ASKING.match(text) or _UNKNOWN_VERB.match(bare))


def _one_slip(word: str, other: str) -> bool:
    """Return whether two words differ by one slip: a letter too many, too few, or swapped; in long words, any one.

    "Cold" is not a slip for "cola": short words that differ in one letter are often both right.
    """
    return any(
        OSA.distance(word, meant, score_cutoff=1) == 1
        and (len(word) != len(meant) or sorted(word) == sorted(meant) or len(word) > 6)
        for meant in (other, f"{other}s")
    )


_WORD = re.compile(r"[A-Za-z]+")
_JOINT = re.compile(
    r"\s*[;.!?]\s+|(?:\s*,)?\s+(?:and\s+)?(?:then|after that|afterwards|but|so)\s+"
    r"|(?:\s*,)?\s+and\s+(?:also\s+)?|\s*,\s+"
)
_ADDRESSED = (
    r"(?:my |old |young |good |little )*(?:love|dear|darling|mate|buddy|pal|sweetheart|sweetie|honey|hon|sunshine|"
    r"sir|madam|ma'am|miss|lad|lass|boy|girl|man|lady|fellow|friend|chap|fella|dude|bro|boss|chief|skipper|captain|guv|champ|kiddo|"
    r"poppet|petal|doc|robot|heed)"
)
"""How people address whom they ask."""
_FILLER = re.compile(
    r"(?:come on|chop chop|you know|i (?:guess|think|suppose|mean)|hurry(?: up)?|be quick|quick(?:ly)?|let's see|"
    r"let me (?:see|think)|h+m+|u+h+|u+m+|e+r+m?|b+r+|a+r*gh+|u+gh+|ph?ew+|ouch|ow|wow|yikes|gosh|oops|well|right|"
    r"o+h+(?: dear| well| no)?|thanks|cheers|(?:i'm )?sorry(?: (?:to|for|about) .+)?|excuse me|no time|no(?:pe)?|yes|"
    r"yeah|sure|wait|(?:hold|hang) on|(?:wait|hold on|hang on|just) a (?:second|sec|minute|moment)|listen|look|"
    r"if you (?:don't mind|please|like|can)|"
    r"(?:(?:can|could|would|will) you )?be (?:an?|my) (?:real |little |absolute )?(?:angel|treasure|dear|darling|love|"
    r"sweetheart|star|pet|sport|pal|friend|good \w+)|"
    rf"(?:would|will|could|can|won't|can't) you(?: please)?|{_ADDRESSED})",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:(?:how|when) )?(?:can|could|would|will|might|do|did)\s+(?:you|we|i)\b|^(?:please|may i)\b", re.IGNORECASE
)
"""Begins a request as a question."""
_AT_LEISURE = (
    r"(?:if|when(?:ever)?|once|as soon as) (?:you(?:'ve| have|'ve got| get| find| can spare)(?: got)? "
    r"(?:a|some|one) (?:free |spare |quiet )?(?:second|sec|minute|moment|time|chance|hand)(?: free| to spare)?"
    r"|you(?:'re| are) (?:free|so kind|not busy)|you(?:'d| would) be so (?:kind|good|nice|very kind)"
    r"|(?:it|that) (?:suits|pleases) you"
    r"|it(?:'s| is)? (?:convenient|no (?:trouble|bother)|not too much (?:trouble|bother)))"
)
"""Says nothing of when, but that there is no hurry."""
_POLITE = re.compile(
    r"^(?:do you think|(?:is there )?(?:any|a) (?:chance|way|possibility)|i(?:'m| am| was)? (?:just )?wonder(?:ing)?|"
    r"(?:would|will|could) it be (?:possible|ok(?:ay)?|all right|a problem|too much (?:trouble|bother|to ask))|"
    r"(?:it|that)(?: would|'d| will|'ll) be (?:\w+ )?\w+)(?: (?:that|if))? "
    r"(?:you (?:could|can|would|might)|for you to|to|of)\s+"
    r"|^(?:how|what) about (?:you )?(?=\w+)|^(?:would you )?fancy (?=\w+ing\b)"
    r"|^(?:(?:hey|hi|hello|yo|oi|oh|ok|okay|alright|well|now|please|then|and|also|robot|heed|kindly|just|so|quick|"
    r"u+m+|u+h+|e+r+m?|h+m+)\b[\s,]*)+(?=\w)"
    r"|^(?:(?:how|when) )?(?:can|could|would|will|might|do|did)\s+(?:you|we)\s+(?:mind\s+)?"
    r"(?:please\s+|kindly\s+|maybe\s+|perhaps\s+)?"
    r"(?:be so kind (?:as )?to\s+|be able to\s+|help me (?:to )?)?(?=\w)"
    r"|^(?:i(?: would|'d) like you to|i want you to|i need you to|you (?:should|could|can|must))\s+"
    rf"|^{_AT_LEISURE}[\s,]+(?=\w)|,?\s+{_AT_LEISURE}$"
    r"|^if so\b[\s,]*(?=\w)|^(?:please|ok|okay|robot|well|now|so|then)$"
    r"|^(?:this time|for once|today)\b[\s,]*(?=\w)"
    rf"|,?\s+(?:please|pls|plz)$|,\s+{_ADDRESSED}$"
    r"|,?\s+(?:for me|thanks|thank you|(?:would|will|could|can) you|come on|(?:right )?now|this time|at once)$"
    r"|,?\s+if (?:you (?:don't|do not|wouldn't|would not) mind|you (?:can|could|would|will|like|please)|possible|"
    r"(?:it|that)(?:'s| is) (?:ok|okay|all right|no trouble|not too much trouble))$",
    re.IGNORECASE,
)
_UNKNOWN_VERB = re.compile(
    r"^(?!(?:to|from|with|in|on|at|of|for|by|into|onto|than|but|not|and|or|only|all|both|also|then|if|when|while|as|is|are"
    r"|was|has|have|it|me|us|the|a|an|what|where|which|who|how|put|place|back|over|under|behind|beside|near|inside|next"
    r"|after|before|until|about|around|without|except|instead|because|so|that|this)\b)"
    r"[a-z]+ (?:a|an|the|my|your|our|some|this|that|it|them|me|us|him|her)\b",
    re.IGNORECASE,
)
"""A word that may be anything, and something that it is done to: "dance a tango", "water the flowers"."""
_TELLS = re.compile(
    r"^(?:any(?:thing|one)?|either|whichever|whatever)\b.*\b"
    r"(?:(?:will|would) do|(?:is|are|would be) (?:fine|good|ok(?:ay)?))\b"
    r"|^(?:the|a|an|some) \w+(?: \w+)? (?:(?:is|are|was|were|has|had|have|does|do|did|can|ca|could|will|wo|would|must|"
    r"may|might|should)(?:n't|'t)?|left|got|went|ran|looks?|smells?)(?!\w)"
    r"|^(?:is there|are there|do we have|i|we|you|he|she|they|it|there|someone|somebody)\b(?:'\w+)?"
    r"|^(?:this|that)(?:'\w+)?(?! [\w-]+$)"
    r"|^(?:my|our)\b(?= \w+(?: \w+)*? (?:is|are|was|were|has|had|have|can|must|should|needs?|hurts?|\w+ed)\b)",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(want|need|wish|would like|would love|'d like|'d love|could use|fancy|crave|feel like|"
    r"thirsty|hungry|peckish|starving|(?:would|'d) be (?:great|nice|lovely|good|perfect)|"
    r"can i (?:have|get)|may i have|could i have|i'?ll (?:have|take)|could do with|would ?n.t (?:say no to|mind))\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    stems(
        "with from that this what where when then them they there have some into onto over under next near your mine "
        "here please would could should will want need like also just after before again back away down every each "
        "more most other another thank thanks good nice first last open close lunch time work home kitchen both"
    )
)
"""Words that are spelled as they should be."""
