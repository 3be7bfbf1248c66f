"""The first stage: an order whose things are named exactly is held against its questions at once, in microseconds."""

import time
from collections.abc import Mapping, Sequence

from daemon.console.raider.flow import Final, Finding
from daemon.console.raider.precondition_questions import QUESTIONS, Deed, Question, answered, ask_all
from daemon.console.raider.reasons import NO_ISSUE
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import HOUSEHOLD, Tools
from daemon.imitation.english.orders.order_reader import Order, Phrase
from daemon.imitation.english.orders.simple_words import points_back
from daemon.lexicon.thing_knowledge import spoken_name, words_of


def settle(
    order: Order,
    around: Surroundings,
    tools: Tools = HOUSEHOLD,
    questions: Mapping[str, Sequence[Question]] = QUESTIONS,
) -> Finding | None:
    """Return what speaks against the order; None where that takes thinking: a thing that is described, or one
    of two.
    """
    began = time.perf_counter()
    asked = questions.get(order.action)
    names = [_only(phrase, around) for phrase in (order.target, order.place) if phrase is not None]
    if asked is None or not names or None in names or points_back(order):
        return None
    target, place, *_ = [*names, ""]
    deed = Deed(order.action, str(target), place or "", order.condition, order.condition_of, order.reach)
    troubles = answered(ask_all(deed, asked), around, tools)
    words = " ".join(trouble.text for trouble in troubles) or NO_ISSUE.format(
        do=f"{order.action} the {spoken_name(str(target))}"
    )
    final = Final.UNFEASIBILITY if troubles else Final.NONE
    grounded = tuple(name for name in (target, place) if name)
    return Finding(final, words, grounded, (), (), time.perf_counter() - began, troubles=tuple(troubles))


def _only(phrase: Phrase, around: Surroundings) -> str | None:
    """The only thing of exactly this name; None where there is none, several, or where more is said of it."""
    if (
        phrase.relations
        or phrase.demands
        or phrase.purpose
        or phrase.of_user
        or phrase.number
        or phrase.nearest is not None
    ):
        return None
    wanted = words_of(phrase.noun)
    same = [item.name for item in around.items if words_of(item.name) == wanted]
    numbered = [
        item for item in around.items if words_of(item.name)[:-1] == wanted and words_of(item.name)[-1].isdigit()
    ]
    return same[0] if len(same) == 1 and not numbered else None
