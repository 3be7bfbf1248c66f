"""Questions about what was learned, and wishes to forget or undo it: the plain sentence that stands for each.

Every brain is shown by an example how that sentence is answered.
"""

import re
from collections.abc import Sequence

from daemon.console.history import Turn
from daemon.imitation.english.teaching.consent_answers import plainly_asks

_LESSON = r"(?:rules?|lessons?|things?|story|habits?|instructions?)"
CARE = (
    (
        re.compile(
            r"\bwhat (?:have|did|do) (?:you|i) (?:learn\w*|remember\w*|teach|taught|t[eo]ll?d?)\b.*\btoday\b",
            re.IGNORECASE,
        ),
        "what did you learn today?",
    ),
    (
        re.compile(
            r"\bwhat (?:(?:have|did|do) (?:you|i|we) (?:learn\w*|remember\w*|taught|teach|kept)|(?:else )?do "
            r"you (?:know|remember) (?:by|so|from|about me)|"
            rf"(?:\w+ )?{_LESSON} (?:do|have) you)|\b(?:list|tell me|show me|name|say|repeat) (?:all |again "
            rf")?(?:of )?(?:your|the|what you) "
            rf"(?:{_LESSON} (?:that )?(?:you|i)|rules|lessons|learn\w+|remember\w*|know by)|\bwhich {_LESSON} "
            rf"(?:do|have|did) (?:you|i)",
            re.IGNORECASE,
        ),
        "what have you learned?",
    ),
    (
        re.compile(
            rf"\b(?:forget|drop|delete|erase|scrap|remove|discard|lose|unlearn|ignore) (?:all |about )*(?:it|"
            rf"that|the|my|your)"
            rf"(?: \w+)? ?{_LESSON}\b"
            r"|\b(?:forget|unlearn) (?:about )?(?:what|that|about|it|how|everything|all)\b"
            r"|\b(?:drop|delete|erase|scrap|discard|ignore|unlearn) what (?:i|you)\b"
            r"|\b(?:that|this|it|which|rule|lesson|thing)(?:'s| is| was|\b)(?: \w+)? (?:no longer \w+"
            r"|not (?:true|right|valid|needed|necessary|correct|up to date) any ?(?:more|longer))"
            r"|^\W*(?:no longer|not) (?:true|valid|right|needed) ?(?:any ?(?:more|longer))?\W*$"
            r"|\b(?:does ?n.t|does not|not) (?:hold|apply|count) any ?(?:more|longer)"
            r"|\b(?:need ?n.t|need not|do ?n.t (?:need|have) to|do not (?:need|have) to|may stop|can stop) "
            r"(?:do|doing|remember\w*|keep\w*) (?:that|it|this)\b",
            re.IGNORECASE,
        ),
        "forget what I said about that",
    ),
    (
        re.compile(
            r"\bwhy (?:did|do|have) you\b|\b(?:why|how come you) (?:are|were) (?:you )?\w+ing\b"
            r"|\bhow come you (?!are|were|can|have)\w+|\bwhat made you\b"
            r"|\bwho (?:told|taught|asked) you (?:to|so|about|(?:that|this)\W*$)",
            re.IGNORECASE,
        ),
        "why did you do that?",
    ),
    (
        re.compile(
            r"\b(?:tidy up|clean up|clear out|sort out|go through) (?:your|the) (?:memory|rules|lessons)|"
            r"\b(?:which|what|any) (?:rules|lessons|things) (?:do you )?(?:never use|are (?:useless|outdated|unused))",
            re.IGNORECASE,
        ),
        "tidy up your memory",
    ),
)
"""Forms of care, and the sentence that stands for each: every brain is shown how that one is answered."""
UNDO = re.compile(
    r"\b(undo|take (?:that|it) back|not what i meant|unlearn|scratch that|scrap that|you (?:got|understood) "
    r"(?:me|it|that) wrong|"
    r"you misunderstood(?: me)?|that was a mistake|on second thoughts?)\b",
    re.IGNORECASE,
)


def read_care(text: str, past: Sequence[Turn] = ()) -> str | None:
    """The plain sentence for one that asks about, or takes back, what was learned; None for every other sentence.

    "Undo that" is one directly after a lesson; after anything else it is about that.
    """
    if _asks_for_more(text):
        return None
    if UNDO.search(text):
        learned = past and any("learn_from_interaction" in step.statement for step in past[-1].steps)
        return "undo what you just learned" if learned or "learn" in text.lower() else None
    return _care_in(text)


def _care_in(text: str) -> str | None:
    return next((plain for pattern, plain in CARE if pattern.search(text)), None)


def _asks_for_more(text: str) -> bool:
    """Return whether something else is asked for beside it: "forget it, what time is it?", "tell me a joke. Why?"."""
    parts = re.split(r"[,.;!?]\s+", text.strip(" .!?"))
    return len(parts) > 1 and any(_asks(part) for part in parts)


def _asks(part: str) -> bool:
    """Return whether a part of a sentence asks for something that is not care for what was learned."""
    last = part.removeprefix("and ")
    return bool(_QUESTION.match(last) or _TOLD.match(last) or plainly_asks(last)) and not (
        _care_in(last) or UNDO.search(last)
    )


_QUESTION = re.compile(
    r"(?:what|which|who)\b|(?:where|when|how)(?:'s| is| are| do| does| did| was| can| many| much)\b", re.IGNORECASE
)
_TOLD = re.compile(r"(?:please )?(?:tell|sing|show|read) (?:me|us) (?:an?|some|the)\b", re.IGNORECASE)
"""Asks to be told something."""
