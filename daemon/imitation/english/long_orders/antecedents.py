"""What "it" is: the thing, or the place, that another clause names."""

import re

from daemon.imitation.english.long_orders.order_tokens import TOKEN, Clause, Said
from daemon.imitation.english.long_orders.roles import RELATIONS, WHERE, is_ruled_out, noun_in, preposition
from daemon.imitation.english.long_orders.wish import Wish
from daemon.imitation.english.orders.purposes import for_what


def antecedent(said: Said, wish: Wish) -> str:
    """The thing that another clause names: the last before, of those that the action fits, else the first after."""
    before = [subjects(said, said.clauses[index]) for index in range(wish.clause, -1, -1)]
    after = [subjects(said, clause) for clause in said.clauses[wish.clause + 1 :]]
    named_for = [_named_for(said, clause) for clause in reversed(said.clauses)]
    others = [[word for word in clause.words if TOKEN.match(word)] for clause in said.clauses
              if "one" in wish.rest and clause.forbids]  # fmt: skip
    found = (*before, *after, *named_for, *others)
    candidates = [token for tokens in found for token in tokens if token != wish.place]
    fitting = [token for token in candidates if said.fits(token, wish.action)]
    several = [token for token in fitting if len(said.names(token)) > 1] if _ONE & set(wish.rest) else []
    if candidates or (fitting := _at_a_place(said, wish)):
        return (several or fitting or candidates)[0]
    if said.is_held("it") and wish.action in ("place", "handover"):
        return "it"
    return next((noun for clause in said.clauses if (noun := noun_in(clause.words))), "")


def place_named(said: Said, wish: Wish) -> tuple[str, str]:
    """Return where a thing may go that any clause names, and how the thing is to be there."""
    for clause in said.clauses:
        for position, word in enumerate(clause.words):
            before = preposition(clause.words, position) if TOKEN.match(word) else ""
            if before in WHERE and word != wish.target and said.holds(word):
                return word, WHERE[before]
    return "", "on"


def subjects(said: Said, clause: Clause) -> list[str]:
    """The things that a clause names as no place, and does not rule out; or what it says a thing is for."""
    text = _pointed(said, said.unmasked(clause.words))
    if match := _WHATEVER_IS.search(clause.text):
        mark = said.noun(match["mark"])
        return [f"thing that is {RELATIONS[match['relation']]} the {mark}"]
    if purpose := for_what(text):
        return [purpose]
    found = []
    for position, word in enumerate(clause.words):
        if not TOKEN.match(word) or preposition(clause.words, position):
            continue
        if not is_ruled_out(clause.words, position):
            found.append(word)
    return found


def _at_a_place(said: Said, wish: Wish) -> list[str]:
    """Return what is named as a place only, in a clause that is about nothing else: "I need to get at the box"."""
    return [
        word
        for clause in said.clauses[: wish.clause]
        for position, word in enumerate(clause.words)
        if TOKEN.match(word)
        and word != wish.place
        and not noun_in(clause.words)
        and said.fits(word, wish.action)
        and not is_ruled_out(clause.words, position)
    ]  # fmt: skip


def _pointed(said: Said, text: str) -> str:
    """A purpose with what "it" stands for: my nose is all drippy, something to wipe it with."""
    if not re.search(r"\b(?:to|for) .*\b(?:it|them|this)\b", text):
        return text
    noun = next((noun for clause in said.clauses if (noun := noun_in(clause.words))), "")
    return re.sub(r"\b(?:it|them|this)\b(?! is\b)", noun, text) if noun else text


def _named_for(said: Said, clause: Clause) -> list[str]:
    """Return what people wait for, or speak of."""
    return [word for i, word in enumerate(clause.words)
            if TOKEN.match(word) and preposition(clause.words, i) in ("for", "of", "with", "about")]  # fmt: skip


_ONE = frozenset(["one", "ones"])
_WHATEVER_IS = re.compile(
    rf"\b(?:(?:whatever|anything that|what|everything) is|(?:thing|item|object|stuff)(?: that is)?) (?:\w+ )?"
    rf"(?P<relation>{'|'.join(sorted(RELATIONS, key=len, reverse=True))}) (?:\w+ ){{0,3}}?(?P<mark>T\d+)"
)
