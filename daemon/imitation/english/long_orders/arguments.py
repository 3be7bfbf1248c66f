"""What stands behind a verb: the thing, the place where it goes, the person who gets it."""

from dataclasses import replace
from itertools import pairwise

from daemon.imitation.english.long_orders.antecedents import subjects
from daemon.imitation.english.long_orders.order_tokens import TOKEN, Clause, Said
from daemon.imitation.english.long_orders.roles import (
    ADVERBS,
    ENDS,
    LEAD,
    PLACE_WORDS,
    POINTS,
    PRONOUNS,
    VAGUE,
    WHERE,
    preposition,
)
from daemon.imitation.english.long_orders.wish import Wish
from daemon.imitation.english.orders.names_in_orders import DETERMINERS
from daemon.lexicon.thing_knowledge import knowledge


def with_arguments(said: Said, action: str, rest: list[str], index: int) -> Wish:
    """An action with the thing and the place behind its verb; what is taken somewhere is put there."""
    if action == "handover" and {"me", "us"} & set(rest):
        action = "pick"
    wish = Wish(action, object_of(said, rest), clause=index, rest=rest)
    if action in ("pick", "place", "handover"):
        for position, word in enumerate(rest):
            if not TOKEN.match(word) or word == wish.target:
                continue
            before = preposition(rest, position)
            recipient = before in ("to", "back to") and said.is_person(word)
            if recipient or (action == "handover" and said.is_person(word)):
                return replace(wish, action="handover", place=word)
            goes = before in WHERE and (action == "place" or before in _INTO)
            if goes and not (action == "pick" and before == "to" and not said.holds(word)):
                return replace(wish, action="place", place=word, where=WHERE[before])
    if action == "place" and (sort := _sort_of_place(rest)):
        return replace(wish, place=sort, where="")
    return wish


def _sort_of_place(rest: list[str]) -> str:
    """ "Somewhere cold", where people know of such places; else ""."""
    known = knowledge().places
    return next(
        (f"somewhere {word}" for before, word in pairwise(rest) if before == "somewhere" and (word,) in known), ""
    )


def object_of(said: Said, rest: list[str]) -> str:
    """The token of the first thing that is no place, "it" for one that is named elsewhere, else its words."""
    noun: list[str] = []
    for position, word in enumerate(rest):
        if TOKEN.match(word):
            return word if not preposition(rest, position) else "it"
        behind = rest[position + 1] if position + 1 < len(rest) else ""
        if word in PRONOUNS and (not behind or behind in PLACE_WORDS | ADVERBS):
            return "it"
        if word == "of" or word in DETERMINERS or word in LEAD or word in ADVERBS:
            noun = [] if word == "of" else noun
            continue
        if word in POINTS or word in ("one", "ones"):
            return "it"
        if word in VAGUE:
            return next(iter(subjects(said, Clause(rest[position:]))), "it")
        if word in PLACE_WORDS or word in ENDS:
            break
        noun.append(word)
    noun = [word for word in noun if word not in said.attributes or len(noun) > 1]
    return " ".join(noun[-3:]) if noun and noun[-1] not in POINTS else "it"


_INTO = frozenset(["into", "onto", "on to", "to", "back in", "back on", "back into", "back to", "in to"])
