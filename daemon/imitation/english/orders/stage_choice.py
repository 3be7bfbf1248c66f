"""Chooses how an order is looked at before it is done: by the first stage, by the second, or not at all."""

import re
from collections.abc import Sequence

from daemon.console.raider.precondition_questions import QUESTIONS
from daemon.console.raider.surroundings import Surroundings
from daemon.imitation.english.orders.order_reader import Order, Phrase
from daemon.imitation.english.polarity import denied
from daemon.lexicon.thing_knowledge import knowledge


def is_looked_at(order: Order, names: Sequence[str]) -> bool:
    """Return whether an order is looked at: it ends in one skill, is about one thing, and does not say what not to do.

    `names` are those of what is seen. All other orders are the mind's.
    """
    return _is_about_things(order) and not denied(order.text, names)


def is_examined(order: Order, around: Surroundings, policy: str = "described") -> bool:
    """Return whether the second stage examines what the first did not settle: a described or a risky thing.

    `policy` is [console] look_first of config.toml.
    """
    phrases = _phrases(order)
    described = any(phrase.describes for phrase in phrases) and not _is_clear(order, around)
    return described or policy == "always" or any(_is_risky(phrase, around) for phrase in phrases)


def _is_about_things(order: Order) -> bool:
    phrases = _phrases(order)
    several = any(_SEVERAL.search(phrase.text) for phrase in phrases)
    return order.action in QUESTIONS and bool(phrases) and not several


def _phrases(order: Order) -> list[Phrase]:
    return [phrase for phrase in (order.target, order.place) if phrase is not None]


def _is_risky(phrase: Phrase, around: Surroundings) -> bool:
    """Return whether any of several things may be meant, and the wrong one does harm: two medicines."""
    known = knowledge()
    fits = [item.name for item in around.items if known.is_called(phrase.noun, item.name)]
    return len(fits) > 1 and any(known.is_any_of(known.risky, name) for name in fits)


def _is_clear(order: Order, around: Surroundings) -> bool:
    """Return whether a description adds nothing but where the only thing of that name is: that is the model's to
    check.
    """
    for phrase in (order.target, order.place):
        if phrase is None or not phrase.describes:
            continue
        called = [item for item in around.items if knowledge().is_called(phrase.noun, item.name)]
        only_where = all(relation == "from" for relation, _ in phrase.relations)
        if not only_where or len(called) != 1 or phrase.demands or phrase.number or phrase.nearest is not None:
            return False
    return True


_SEVERAL = re.compile(r"\b(?:and|then|all|both|every|each|some of|two|three|four)\b|[,;]", re.IGNORECASE)
"""Orders about several things, or of several parts, are the model's."""
