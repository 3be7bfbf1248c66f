"""Everything that is told of a thing, and the order in plain words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from daemon.imitation.english.long_orders.order_tokens import TOKEN, Said
from daemon.imitation.english.long_orders.roles import (
    ADVERBS,
    PLACE_WORDS,
    POINTS,
    RELATIONS,
    is_ruled_out,
    preposition,
)
from daemon.imitation.english.long_orders.wish import Wish
from daemon.imitation.english.orders.names_in_orders import DETERMINERS
from daemon.imitation.english.orders.order_reader import FULL_STATES, NO_MATTER
from daemon.imitation.english.orders.verbs import SAID
from daemon.lexicon.thing_knowledge import knowledge


def in_words(said: Said, wish: Wish) -> str:
    """Return the order as somebody would say it who says everything at once; "" where a place is missing."""
    verb = SAID[wish.action]
    thing = _described(said, wish.target, wish)
    if wish.action in ("place", "handover"):
        if not wish.place:
            return f"{verb} {thing}" if wish.action == "handover" else ""
        place = _described(said, wish.place, wish, wish.target)
        return f"{verb} {thing} {'to' if wish.action == 'handover' else wish.where} {place}".replace("  ", " ")
    return f"{verb} {thing}"


@dataclass
class _Told:
    """What is told of a thing."""

    modifiers: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """What it is not like."""
    purposes: list[str] = field(default_factory=list)

    def in_words(self, noun: str) -> str:
        """Return the noun with all of it."""
        switched = [word for word in self.modifiers if word in ("on", "off")]
        described = " ".join([*(word for word in self.modifiers if word not in ("on", "off")), noun])
        for relation in dict.fromkeys([*self.relations, *switched]):
            described += f" that is {relation}"
        if self.purposes:
            return f"{described} used to {self.purposes[0]}"
        if self.others and not self.modifiers:
            return f"{described}, not the {' '.join(dict.fromkeys(self.others))} one"
        return described


def _described(said: Said, token: str, wish: Wish, beside: str = "") -> str:
    """Return a thing with everything that any clause tells of it."""
    if token == "it":
        return "it"
    if not TOKEN.match(token):
        if token.startswith("somewhere "):
            return token
        return f"the {token}" if token.startswith("thing ") else f"the {_before_noun(said, token, wish)}{token}"
    told = _gathered(said, token, wish, beside)
    noun = said.noun(token)
    told.modifiers = [word for word in dict.fromkeys(told.modifiers) if word not in noun.split()]
    if not told.modifiers and wish.action in _STILL_TO_DO and _is_one_of(wish, said.names(token)):
        told.modifiers = [_STILL_TO_DO[wish.action]]
    return f"{'any' if _WHICHEVER.search(said.text) else 'the'} {told.in_words(noun)}"


def _gathered(said: Said, token: str, wish: Wish, beside: str) -> _Told:
    """From every clause that names the thing, or speaks of it."""
    told = _Told()
    same = [
        f"T{number}"
        for number, other in enumerate(said.namings)
        if set(other.names) == set(said.names(token)) and not _only_place(said, f"T{number}", token)
    ]
    for index, clause in enumerate(said.clauses):
        for position, word in enumerate(clause.words):
            if word in same and is_ruled_out(clause.words, position):
                told.others += _modifiers(said, clause.words, position)
            elif word in same:
                told.modifiers += _modifiers(said, clause.words, position, index == wish.clause)
                told.relations += _relation_after(said, clause.words, position, wish, beside)
                told.purposes += _purpose_after(clause.words, position)
        if token == wish.target or clause.words[-1:] in (["one"], ["ones"]):
            _told_of_it(said, index, told, wish, token)
    if token == wish.target:
        told.modifiers = _of_this_one(said, told.modifiers, wish)
    return told


def _of_this_one(said: Said, modifiers: list[str], wish: Wish) -> list[str]:
    """Without what tells of its like: "the red mug is chipped, bring me the blue one"."""
    words = said.clauses[wish.clause].words
    own = [word for at, one in enumerate(words) if one in ("one", "ones") and not is_ruled_out(words, at)
           for word in _modifiers(said, words, at)]  # fmt: skip
    qualities = knowledge().qualities
    told = {qualities[word][0] for word in own if word in qualities}
    return [word for word in modifiers if word in own or qualities.get(word, ("",))[0] not in told]


def _is_of(said: Said, words: Sequence[str], token: str) -> bool:
    """Return whether a thing may be as words say; of some it is known that it is, or is not."""
    values = [[str(value) for value in said.looks[name].state.values()] for name in said.names(token)]
    return any(knowledge().is_like(word, told) is not None for word in words for told in values)


def _is_one_of(wish: Wish, names: Sequence[str]) -> bool:
    """Return whether the one is meant of several to which it can still be done: "all are off but one; that one too"."""
    return len(names) > 1 and bool({"one", "whichever", "either"} & set(wish.rest))


def _only_place(said: Said, token: str, target: str) -> bool:
    return token != target and all(
        preposition(clause.words, position)
        for clause in said.clauses
        for position, word in enumerate(clause.words)
        if word == token
    )


def _before_noun(said: Said, noun: str, wish: Wish) -> str:
    told = _Told()
    _told_of_it(said, wish.clause, told, wish, wish.target)
    return "".join(f"{word} " for word in dict.fromkeys(told.modifiers) if word not in noun.split())


def _told_of_it(said: Said, index: int, told: _Told, wish: Wish, token: str) -> None:
    """Adds what a clause tells of what it calls "it" or "one"."""
    words = said.clauses[index].words
    if index != wish.clause and _modifies_one(said, wish) and not _is_bare(words):
        return
    for position, word in enumerate(words):
        if word in ("one", "ones") and not preposition(words, position):
            like = _modifiers(said, words, position)
            other = wish.place if token == wish.target else wish.target
            if not _is_of(said, like, token) and (token != wish.target or (other and _is_of(said, like, other))):
                continue
            (told.others if is_ruled_out(words, position) else told.modifiers).extend(like)
            told.relations += _relation_after(said, words, position, wish)
        elif word in ("it", "they", "that", "them") and position < 2 and words[position + 1 : position + 2] in (
            ["is"], ["are"], ["has"], ["have"],
        ):  # fmt: skip
            told.relations += _relation_after(said, words, position, wish)
            after = [w for w in words[position + 2 :] if w not in ADVERBS][:1]
            if after and after[0] in said.attributes and index != wish.clause:
                told.modifiers += after


def _modifies_one(said: Said, wish: Wish) -> bool:
    """Return whether the order says itself which one: what is told elsewhere is then of the other."""
    words = said.clauses[wish.clause].words
    return any(word in ("one", "ones") and _modifiers(said, words, at) for at, word in enumerate(words))


def _is_bare(words: Sequence[str]) -> bool:
    """Return whether a clause only adds to another: "the white one", "it is the one on the left"."""
    return (
        bool({"not", "mean"} & set(words))
        or words[-1] in ("one", "ones")
        or words[:2] in (["it", "is"], ["that", "is"])
    )


def _modifiers(said: Said, words: list[str], position: int, in_order: bool = True) -> list[str]:
    """Return the words about a noun that tell what it is like; in the order itself, those behind it tell what to do."""
    found: list[str] = []
    for word in reversed(words[max(0, position - 5) : position]):
        if word in said.attributes and word not in _NOT_BEFORE:
            found.append(word)
        elif word in DETERMINERS or word in POINTS or word in PLACE_WORDS or TOKEN.match(word) or word == "not":
            break
    material = words[position + 1 : position + 5]
    if material[:2] in (["is", "on"], ["is", "off"]) and len(words) > position + 3:
        return found[::-1]  # "is on its last legs"
    if match := _MATERIAL.match(" ".join(material)):
        if match["of"] in knowledge().qualities:
            found.append(match["of"])
    elif (
        (match := _THAT_IS.match(" ".join(words[position + 1 : position + 9])))
        and (match["state"] in said.attributes or match["state"] in FULL_STATES)
        and (match["told"] or not in_order)
    ):
        found.append(_contrary(match["state"]) if match["not"] else match["state"])
    return found[::-1]


def _contrary(state: str) -> str:
    """Return the word for what is not so: what is not on is off."""
    if state not in FULL_STATES:
        return state
    key, value = FULL_STATES[state]
    contrary = [word for word, told in FULL_STATES.items() if told == (key, not value)]
    return min(contrary, key=len, default=state)


def _purpose_after(words: list[str], position: int) -> list[str]:
    """Return what a thing is for, where that is told behind it: "the glass for seeing small letters"."""
    match = _USED_TO.match(" ".join(words[position + 1 :]))
    return [match["what"]] if match and not TOKEN.search(match["what"]) else []


def _relation_after(said: Said, words: list[str], position: int, wish: Wish, beside: str = "") -> list[str]:
    """ "on the windowsill", where that is told of the thing at a position."""
    for start in range(position + 1, min(position + 8, len(words))):
        if TOKEN.match(words[start]):
            break
        if words[start] in _ALONG and set(words[start + 1 : start + 2]) & PLACE_WORDS:
            continue  # "over by the door"
        match = _RELATION.match(" ".join(words[start:]))
        if not match:
            if words[start] in _NOT_BETWEEN:
                break
            continue
        token = match["mark"]
        if token == beside or token in (wish.place, wish.target):
            break
        own = _modifiers(said, match["rest"].split(), len(match["rest"].split()))
        mark = " ".join([*own, said.noun(token)])
        if match["other"]:
            return [f"between the {mark} and the {said.noun(match['other'])}"]
        return [f"{RELATIONS[match['relation']]} the {mark}"]
    return []


_ALONG = frozenset(["over", "up", "down", "out", "just", "there"])
"""Words before another that tells where a thing is: "over by the door"."""
_NOT_BEFORE = frozenset(["on", "off"])
"""States that no noun follows."""
_NOT_BETWEEN = frozenset("the a an my our your i you we they he she it and".split()) - {"it"}  # noqa: SIM905
_USED_TO = re.compile(
    r"(?:for (?=(?!the |a |an |my |me\b|us\b|him\b|her\b|them\b|it\b|this |that |our |their |your |today"
    r"|now)[a-z]+ing\b|see|make)"
    r"|(?:that|which) (?:you|we|i|one|people) (?:can |could |may |use to |use for |use )?(?!have|had|got|put"
    r"|left|need|want|like|see)"
    r"|(?:that |which )?(?:is |are )?(?:used|meant|good|made) (?:to|for) )(?P<what>[a-z ]+)"
)
_RELATION = re.compile(
    rf"(?P<relation>{'|'.join(sorted(RELATIONS, key=len, reverse=True))}) (?P<rest>(?:\w+ ){{0,4}}?)(?P<mark>T\d+)"
    r"(?: and (?:the |a |my )?(?P<other>T\d+))?"
)
_MATERIAL = re.compile(r"(?:that is |which is )?(?:made )?(?:of|from|out of|in) (?P<of>[a-z]+)")
_THAT_IS = re.compile(
    r"(?P<told>(?:that|which|who) )?(?:(?:they|you|i|he|she|we|it|have|has|had|is|are|be|was|still|left|been"
    r"|should|a bit|all|"
    r"currently|already|now|always|so|really|very) )*(?P<not>not (?:yet |even )?)?(?P<state>[a-z]+)\b"
)
_WHICHEVER = re.compile(rf"\b(?:{NO_MATTER})(?=\W*(?:[.!?,;]|$))|\bwhichever (?:you|one|is)\b")
_STILL_TO_DO = {"turnon": "off", "turnoff": "on", "open": "closed", "close": "open"}
"""How a thing is to which an action is still to be done."""
