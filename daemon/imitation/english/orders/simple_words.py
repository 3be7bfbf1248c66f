"""Whether an order is said so plainly that its words alone tell what is meant; else the whole of it is weighed."""

import re
from collections.abc import Sequence

from daemon.imitation.english.orders.order_reader import Order, Phrase
from daemon.lexicon.thing_knowledge import knowledge, words_of

VAGUE = frozenset(["thing", "item", "object", "one", "something", "anything", "stuff", "it", "them", "piece"])
"""Nouns that mean whatever fits."""
FEW = 14
"""Words of a description; more of them are more than that."""
POSITIONS = frozenset(["top", "bottom", "upper", "lower", "left", "right", "middle", "of"])
"""Words for where a thing is among its like."""


def is_plain(order: Order, names: Sequence[str]) -> bool:
    """Return whether every word of an order has its place in it, so that nothing else that was said could change it."""
    if not order.action or order.target is None:
        return False
    if order.target.exact:
        return True
    if points_back(order):
        return False
    return all(_is_plain_phrase(phrase, names) for phrase in (order.target, order.place) if phrase is not None)


def _is_plain_phrase(phrase: Phrase, names: Sequence[str]) -> bool:
    """A short name, kind or purpose, with nothing in it that does not belong there."""
    words = phrase.noun.split()
    if re.search(r"[,;.!?]", phrase.noun):
        return False
    if len(phrase.text.split()) > FEW or any(len(mark.noun.split()) > 3 for _, mark in phrase.relations):
        return False
    if not words:
        marks = [mark.noun for _, mark in phrase.relations]
        return bool(marks) and all(any(fits_noun(mark, name) for name in names) for mark in marks)
    if all(word in VAGUE or word == "things" for word in words):
        return phrase.describes and not set(words) & {"it", "them"}
    named = words[-1] in VAGUE or any(fits_noun(word, name) for word in (phrase.noun, words[-1]) for name in names)
    known = {word for name in names for word in words_of(name)} | set(knowledge().qualities) | POSITIONS
    is_kind = words_of(phrase.noun) in knowledge().kinds
    return named and (is_kind or all(words_of(word)[:1] and words_of(word)[0] in known for word in words[:-1]))


def points_back(order: Order) -> bool:
    """Return whether another sentence may tell what the order is about: "... Would you take it down for me?"."""
    if order.target is None or order.target.exact or not _SENTENCES.search(order.text):
        return False
    return order.target.noun in VAGUE or bool(_POINTS_BACK.search(order.text))


def fits_noun(noun: str, name: str) -> bool:
    """Return whether a thing may be called, or be of the kind that is called, what a noun ends in."""
    parts = [" ".join(noun.split()[start:]) for start in range(len(noun.split()))]
    return any(knowledge().is_called(part, name) or knowledge().is_kind(part, name) for part in parts)


_SENTENCES = re.compile(r"[.!?;:]\s+\w")
_POINTS_BACK = re.compile(r"\b(?:it|them|ones?|(?:that|this) thing)\b|\b(?:that|this|those|these)\W*$", re.IGNORECASE)
