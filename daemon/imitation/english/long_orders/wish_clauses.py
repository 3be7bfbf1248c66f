"""What is asked for: which clauses ask, and which of what they ask for counts."""

import re
from dataclasses import replace

from daemon.imitation.english.long_orders.antecedents import antecedent, place_named
from daemon.imitation.english.long_orders.hints import (
    as_effect,
    as_going,
    as_need,
    left_unsaid,
    only_named,
    to_be_mended,
)
from daemon.imitation.english.long_orders.imperatives import as_imperative, as_passive
from daemon.imitation.english.long_orders.order_tokens import TOKEN, Said
from daemon.imitation.english.long_orders.wish import Wish


def the_wish(said: Said) -> Wish | None:
    """The one thing that is asked for; None where nothing is, or several things are."""
    wishes = _of_one_action(_asked_for(said))
    if wishes is None:
        return None
    wishes = wishes or list(to_be_mended(said)) or list(only_named(said)) or list(left_unsaid(said))
    explicit = [wish for wish in wishes if wish.target != "it"]
    if len({wish.target for wish in explicit}) > 1 and not _is_corrected(said):
        return None
    chosen = (explicit or wishes)[-1] if wishes else None
    if chosen is None:
        return None
    _complete(said, chosen)
    _suit(said, chosen)
    return chosen if chosen.target else None


def _asked_for(said: Said) -> list[Wish]:
    """Everything that is asked for; what is ordered goes before what is only needed."""
    wishes = [wish for index in range(len(said.clauses)) if (wish := _wish_in(said, index)) is not None]
    wishes = [wish for wish in wishes if wish.action and not _frees_hand(said, wish)]
    for wish in wishes:
        if wish.action == "handover" and not wish.place and not said.is_held(wish.target):
            wish.action = "pick"  # "mind passing it?": to whoever asks
    several = len({wish.action for wish in wishes}) > 1
    if several or any(wish.needed and not TOKEN.match(wish.target) for wish in wishes):
        return [wish for wish in wishes if not wish.needed] or wishes
    return wishes


def _of_one_action(wishes: list[Wish]) -> list[Wish] | None:
    """Merge the wishes that belong to one action: taking a thing is part of what else is done with it.

    Return None where two actions remain.
    """
    actions = {wish.action for wish in wishes}
    if len(actions) < 2:
        return wishes
    if len(actions - {"pick"}) > 1:
        return None
    placing = [wish for wish in wishes if wish.action in ("place", "handover")]
    return placing or [wish for wish in wishes if wish.action != "pick"]


def _complete(said: Said, wish: Wish) -> None:
    """A wish with the thing and the place that other clauses name."""
    wish.target = _put_right(said, wish) or wish.target
    if wish.target == "it":
        wish.target = antecedent(said, wish)
    if wish.action == "place" and not wish.place:
        wish.place, wish.where = place_named(said, wish)
        if not wish.place and wish.verb in _CARRIES:
            wish.action = "pick"


def _suit(said: Said, wish: Wish) -> None:
    """Another action by the same words, where the thing is not made for this one: "shut it up" said of an alarm."""
    if not TOKEN.match(wish.target) or said.fits(wish.target, wish.action):
        return
    beside = (clause.words for clause in said.clauses[wish.clause + 1 :] if len(clause.words) < 3)
    words = {*wish.rest, *(word for added in beside for word in added)}
    for action, cues in _OTHERWISE.get(wish.action, {}).items():
        if (not cues or cues & words) and said.fits(wish.target, action):
            wish.action = action
            return


def _frees_hand(said: Said, wish: Wish) -> bool:
    """Return whether a thing in the hand is only to be let go."""
    if wish.action != "place" or wish.place or "there" in wish.rest:
        return False
    return said.is_held(wish.target) and wish.verb in ("drop", "leave", "put", "set", "lay")


def _put_right(said: Said, wish: Wish) -> str:
    """The thing by which somebody corrects what was said: "I mean the sprinkler"."""
    for clause in said.clauses[wish.clause + 1 :]:
        if match := _I_MEAN.search(clause.text):
            return match["thing"]
    return ""


def _is_corrected(said: Said) -> bool:
    return any({"mean", "sorry"} & set(clause.words) or clause.words in (["no"], ["wait"], ["no", "wait"])
               for clause in said.clauses)  # fmt: skip


def _wish_in(said: Said, index: int) -> Wish | None:
    """Return what a clause asks for, by the first form that it has."""
    clause = said.clauses[index]
    if clause.is_aside or clause.forbids:
        return None
    for form in (as_effect, as_passive, as_imperative, as_going, as_need):
        if wish := form(said, clause, index):
            return replace(wish, needed=form == as_need)
    return None


_I_MEAN = re.compile(r"\b(?:i mean|i meant|i am talking about|or rather) (?:\w+ ){0,3}?(?P<thing>T\d+)")
_CARRIES = frozenset(["carry", "move", "shift", "transport", "bring", "lug"])
"""Verbs that mean taking a thing along where nothing says where to."""
_OTHERWISE: dict[str, dict[str, frozenset[str]]] = {
    "close": {"turnoff": frozenset()},
    "open": {"turnon": frozenset(["start"])},
    "turnoff": {"pick": frozenset(), "close": frozenset(["down", "shut"])},
    "turnon": {"open": frozenset(["up"]), "pick": frozenset(["up"])},
    "pick": {
        "turnon": frozenset(["on", "going", "running"]),
        "turnoff": frozenset(["off", "out"]),
        "open": frozenset(["open", "ajar"]),
        "close": frozenset(["shut", "closed"]),
    },
}
"""What else the words for an action may mean, with the words that must be there for it."""
