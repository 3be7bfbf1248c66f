"""What part a word plays among those around it: a place, what is not meant, a noun for what is not here."""

import re
from collections.abc import Sequence
from functools import lru_cache

from daemon.imitation.english.long_orders.order_tokens import TOKEN
from daemon.imitation.english.orders.names_in_orders import DETERMINERS
from daemon.imitation.english.orders.order_reader import STATES
from daemon.imitation.english.orders.verbs import read_verb
from daemon.lexicon.thing_knowledge import knowledge


def preposition(words: Sequence[str], position: int) -> str:
    """Return what makes a thing a place or the like: the preposition before it, "" for none."""
    for start in range(position - 1, max(-1, position - 6), -1):
        word = words[start]
        begun = any(behind in DETERMINERS for behind in words[start + 1 : position])
        if begun and word not in PLACE_WORDS and word not in DETERMINERS and word != "of":
            return ""
        if word in PLACE_WORDS:
            two = f"{words[start - 1]} {word}" if start else word
            if word == "of":
                if start and (words[start - 1] in _SOME_OF or not TOKEN.match(words[start - 1])):
                    left = " ".join(words[max(0, start - 4) : start + 1])
                    return "of" if re.search(r"\b(?:left|right|front|top|out|inside) of$", left) else ""
                return "of"
            if word == "with" and start and words[start - 1] in ("up", "off", "on", "out", "down", "away", "along"):
                return ""
            return two if two in WHERE else word
        if TOKEN.match(word) or word in POINTS or word in ("not", "but", "is", "are", "one", "to"):
            return ""
        if _is_verb_word(word):
            return ""
    return ""


def is_ruled_out(words: Sequence[str], position: int) -> bool:
    """Return whether it is not meant: "Not the red one", "leave the small one be"."""
    start = position - 1
    while start >= 0 and (
        words[start] in DETERMINERS or words[start] in knowledge().qualities or words[start] in STATES
    ):
        start -= 1
    if start >= 0 and words[start] in _NEGATING:
        return True
    behind = " ".join(words[position + 1 :])
    return bool(_LEFT_ALONE.match(without_lead(words)) or _STAYS.match(behind))


def noun_in(words: Sequence[str]) -> str:
    """Return what a clause speaks of that is not here: "would you happen to see my stapler"; "" where it names
    nothing.
    """
    for start, word in enumerate(words):
        if word not in DETERMINERS or preposition(words, start + 1):
            continue
        noun: list[str] = []
        for behind in words[start + 1 : start + 4]:
            if TOKEN.match(behind) or behind in PLACE_WORDS or behind in ENDS or behind in ADVERBS | POINTS | LEAD:
                break
            noun.append(behind)
        if noun and noun[-1] not in ("one", "ones", "thing", "anywhere", "somewhere"):
            return " ".join(noun)
    return ""


def without_lead(words: Sequence[str]) -> str:
    start = next((i for i, word in enumerate(words) if word not in LEAD), 0)
    return " ".join(words[start:])


@lru_cache(maxsize=4096)
def _is_verb_word(word: str) -> bool:
    return read_verb(f"{word} it") is not None


LEAD = frozenset(
    """please just kindly now then so and well ok okay hey oi hi hello right quick quickly do go also maybe perhaps
    simply robot be dear darling love mate dude alright here yes no oh ah mister sir madam ma am son lad boy girl
    sweetheart honey could would will can may might you good kind quite if sorry thanks thank ta cheers immediately
    somebody someone anybody anyone there finally first next again still actually really already ahead come on let
    us try start about way time to""".split()  # noqa: SIM905
) - {"to", "you", "on", "about", "there", "here", "us"}
"""Words that may stand before an imperative."""
ADVERBS = frozenset(
    """up down out away over off here there back please now again too just right still together quickly carefully
    somewhere anywhere everywhere me us for good else today once first also immediately""".split()  # noqa: SIM905
)
POINTS = frozenset(["it", "them", "they", "he", "she", "i"])
PRONOUNS = frozenset(["it", "them", "they", "her", "him"])
"""What stands for a thing where it is no determiner."""
ENDS = frozenset("who which what where when is are was were has have will i you we they he she could would if".split())  # noqa: SIM905
"""Words with which another part of the sentence begins."""
VAGUE = frozenset(["something", "anything", "whatever", "what", "thing", "stuff", "things", "item", "object"])
"""What is said for a thing that the speaker does not name."""
WHERE = {
    "in": "into", "into": "into", "inside": "into", "on": "onto", "onto": "onto", "on to": "onto", "to": "to",
    "under": "under",
    "back in": "into", "back on": "onto", "back into": "into", "back to": "to", "in to": "into",
    "over": "onto", "at": "onto",
    "atop": "onto", "next to": "next to", "near": "next to", "by": "next to", "beside": "next to",
    "underneath": "under",
    "against": "next to", "behind": "next to",
}  # fmt: skip
"""Words that tell where a thing is to go, and the usual ones."""
RELATIONS = {
    "on top of": "on top of", "in front of": "in front of", "to the left of": "to the left of",
    "to the right of": "to the right of", "on the left of": "to the left of", "on the right of": "to the right of",
    "left of": "to the left of", "right of": "to the right of", "next to": "beside", "close to": "beside",
    "underneath": "under", "beneath": "under", "below": "under", "under": "under", "behind": "behind",
    "beside": "beside", "by": "beside", "near": "beside", "inside": "in", "in": "in", "on": "on", "at": "on",
    "atop": "on", "above": "above", "over": "above", "from": "in", "off": "on", "out of": "in", "with": "with",
    "between": "between", "against": "beside", "alongside": "beside",
}  # fmt: skip
"""Words that tell where a thing is, and the usual ones for it."""
PLACE_WORDS = frozenset(
    """in into inside on onto to under underneath beneath below behind beside by near at atop above over from
    off of with between against alongside through around for""".split()  # noqa: SIM905
)
_SOME_OF = frozenset("one some either any all both each none rid hold most lid door bottom side".split())  # noqa: SIM905
_NEGATING = frozenset(["not", "never", "without", "except", "than", "instead", "nor"])
_LEFT_ALONE = re.compile(r"leave .*\b(?:be|alone|there|where)\b|(?:do not|never|not) ")
_STAYS = re.compile(
    r"(?:(?:can|may|should|could|must|will) )?(?:stays?|remains?|waits?|does not|is (?:no good|fine|useless"
    r"|broken))\b"
)
