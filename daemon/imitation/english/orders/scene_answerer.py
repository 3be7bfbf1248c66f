"""Answers by the surroundings alone, without a language model: grounds the order's words in what the tools tell, then
asks each question that its action raises.

Knows things by name, number, category, what they are for, state, and where they are to others; and what is physically
in the way. Does not guess: two things that fit are an ambiguity.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rapidfuzz import fuzz

from daemon.console.raider.flow import Call, Final, Message, final_response
from daemon.console.raider.precondition_questions import QUESTIONS, Deed, Question, ask_all, is_so, not_so
from daemon.console.raider.reasons import NO_ISSUE, Because, Trouble
from daemon.console.raider.tools import HOUSEHOLD, Tools
from daemon.imitation.english.long_orders.order_from_words import read_whole
from daemon.imitation.english.orders.names_in_orders import MISSPELT, Look, looked_at
from daemon.imitation.english.orders.order_reader import ORDINALS, Order, Phrase, read_order
from daemon.imitation.english.orders.simple_words import VAGUE, fits_noun, is_plain
from daemon.lexicon.thing_knowledge import knowledge, spoken_name, without_number, words_of

Thinking = Generator[Call, Any, str]

NOT_ALWAYS_SEEN = ("from", "in_front_of", "behind", "next_to", "between")
"""Relations that perception may not tell of: where it tells nothing, they narrow nothing down."""
CONTRARY = {"behind": ("in front of",), "in_front_of": ("behind",)}
"""What is told to stand so to a thing does not stand in the other relation to it."""
LOWEST = frozenset(["bottom", "lower", "lowest", "bottommost"])
HIGHEST = frozenset(["top", "upper", "uppermost", "topmost"])
OWN_PARTS = (" door", " lid", " drawer", " button", " screen", " switch")
"""Who speaks of one of these means the thing that has it, where there is none by itself: the fridge door."""
FITS = 0.55
"""Least share of a purpose for which a thing is known to be good; that of a verb alone, of two words, is less."""
PROPERTY = {
    "pick": "pickupable",
    "open": "openable",
    "close": "openable",
    "turnon": "toggleable",
    "turnoff": "toggleable",
    "slice": "sliceable",
}
"""What a thing must have that an action is done to; tells which of several kinds of things is meant."""
DOING = {
    "pick": "pick the {target}",
    "place": "place the {target} at the {place}",
    "turnon": "turn on the {target}",
    "turnoff": "turn off the {target}",
}


@dataclass(frozen=True)
class Grounded:
    """The one thing that a phrase means."""

    name: str


class SceneAnswerer:
    """An Answerer for one order."""

    def __init__(self, tools: Tools = HOUSEHOLD, questions: Mapping[str, Sequence[Question]] = QUESTIONS) -> None:
        self._tools = tools
        self._questions = questions
        self._thinking: Thinking | None = None

    def reply(self, messages: Sequence[Message]) -> str:
        try:
            if self._thinking is None:
                self._thinking = self._think(messages[0].text)
                return str(next(self._thinking))
            last = messages[-1]
            if last.role != "tool":
                return final_response(Final.UNFEASIBILITY, f"I cannot find that out: {last.text}", ())
            return str(self._thinking.send(json.loads(last.text)))
        except StopIteration as done:
            return str(done.value)

    def _think(self, text: str) -> Thinking:
        names = yield Call("object_detection")
        order = read_order(text)
        whole = yield from self.read(text, order, names)
        response = yield from self._judged(whole or order, names)
        if whole and not json.loads(response)["grounded"] and order.action == whole.action:
            plainly = yield from self._judged(order, names)
            return plainly if json.loads(plainly)["grounded"] else response
        return response

    def read(self, text: str, order: Order, names: list[str]) -> Generator[Call, Any, Order | None]:
        """Return the order as read with the things in view; None where its words alone are plain."""
        return None if is_plain(order, names) else read_whole(text, (yield from self._looks(names)))

    def _looks(self, names: list[str]) -> Generator[Call, Any, list[Look]]:
        """Return what every thing is like at first sight."""
        held = yield Call("robot_holding")
        looks = []
        for name in names:
            properties = yield Call("get_obj_properties", (name,))
            state = yield Call("get_obj_state", (name,))
            also = yield Call("other_names", (name,))
            looks.append(looked_at(name, properties, state, also, name in held))
        return looks

    def _judged(self, order: Order, names: list[str]) -> Thinking:
        """Return what speaks against an order."""
        target = place = None
        if order.target is not None:
            found = yield from self.ground(order.target, order, names, is_place=False)
            if not isinstance(found, Grounded):
                return _response(found, order)
            target = found.name
        if order.place is not None:
            found = yield from self.ground(order.place, order, names, is_place=True)
            if not isinstance(found, Grounded):
                return _response(found, order)
            place = found.name
        questions = self._questions.get(order.action)
        if questions is None or target is None:
            text = Trouble(Because.UNKNOWN_ACTION, {"order": order.text})
            return _response(text, order)
        deed = Deed(order.action, target, place or "", order.condition, order.condition_of, order.reach)
        grounded = [name for name in (target, place) if name]
        troubles = yield from ask_all(deed, questions)
        if troubles:
            explained = " ".join(trouble.text for trouble in troubles)
            return final_response(Final.UNFEASIBILITY, explained, grounded, order.text, troubles)
        return final_response(Final.NONE, NO_ISSUE.format(do=_doing(deed)), grounded, order.text)

    def ground(
        self, phrase: Phrase, order: Order, names: list[str], is_place: bool
    ) -> Generator[Call, Any, Grounded | Trouble]:
        """Return the thing that a phrase means, or why it means none or several."""
        if order.action == "handover" and is_place:
            among = [name for name in names if knowledge().is_kind("person", name)]
            if not any(fits_noun(phrase.noun, name) for name in among):
                return Grounded(phrase.text)  # a name, of which the tools for people know more
        else:
            among = names
        candidates, described = yield from self._named(phrase, among, order.action if not is_place else "place")
        if not candidates:
            return absent(phrase, next((_where(*relation) for relation in phrase.relations), ""))
        candidates, unlike = yield from self._like(candidates, phrase)
        if unlike:
            return absent(replace(phrase, noun=f"{unlike} {phrase.noun.split()[-1]}"), "here")
        candidates = yield from self._stacked(candidates, phrase)
        candidates = yield from self._without(candidates, phrase)
        for relation, landmark in phrase.relations:
            kept = yield from self._related(candidates, relation, landmark, names)
            if isinstance(kept, Trouble):
                return kept
            if not kept:
                return absent(phrase, _where(relation, landmark))
            candidates = kept
        candidates, differing = yield from self._in_state(candidates, phrase)
        if differing is not None:
            return Trouble(differing.because, {**differing.slots, "names": "\0".join(candidates)})
        if described and len(candidates) > 1:
            done_to_it = "pick" if order.action == "place" else order.action  # what is put somewhere is taken first
            candidates = yield from self._fitting(candidates, "place" if is_place else done_to_it)
        candidates = yield from self._singled_out(candidates, phrase, order.action, is_place)
        if len(candidates) > 1:
            options = " or ".join(f"the {spoken_name(name)}" for name in candidates)
            return Trouble(
                Because.AMBIGUOUS, {"phrase": phrase.text, "options": options, "names": "\0".join(candidates)}
            )
        return Grounded(candidates[0])

    def _like(self, candidates: list[str], phrase: Phrase) -> Generator[Call, Any, tuple[list[str], str]]:
        """Return those that are as the words before the noun say, red for example; the word, where none of them is.

        What is known of no thing narrows nothing down, nor does what is part of its name.
        """
        for word in phrase.noun.split()[:-1]:
            verdicts: dict[str, bool | None] = {}
            for name in candidates:
                state = yield Call("get_obj_state", (name,))
                told = {**state, "name": " ".join(_looks_in(name))}
                verdicts[name] = None if word in words_of(name) else is_so(told, word, True)
            kept = [n for n in candidates if verdicts[n]] or [n for n in candidates if verdicts[n] is None]
            if not kept:
                return candidates, word
            candidates = kept
        return candidates, ""

    def _stacked(self, candidates: list[str], phrase: Phrase) -> Generator[Call, Any, list[str]]:
        """Return the lowest or the highest of what lies on one another, where that is asked for: the bottom plate."""
        asked = set(phrase.noun.split()[:-1]) & (LOWEST | HIGHEST)
        if not asked or len(candidates) < 2:
            return candidates
        upper, lower = set[str](), set[str]()
        for name in candidates:
            on_it = [
                above for above in (yield Call("check_obj_relationship", ("on top of", name))) if above in candidates
            ]
            upper.update(on_it)
            lower.update([name] if on_it else [])
        ends = lower - upper if asked & LOWEST else upper - lower
        return [name for name in candidates if name in ends] or candidates

    def _without(self, candidates: list[str], phrase: Phrase) -> Generator[Call, Any, list[str]]:
        """Return those that are not what the phrase says is not meant, where any are left."""
        if phrase.but is None or len(candidates) < 2:
            return candidates
        named = [name for name in candidates if fits_noun(phrase.but.noun, name)] or candidates
        liked, unlike = yield from self._like(named, phrase.but)
        excluded, differing = yield from self._in_state(liked, phrase.but)
        excluded = [] if unlike or differing else excluded
        return [name for name in candidates if name not in excluded] or candidates

    def _named(self, phrase: Phrase, names: list[str], action: str) -> Generator[Call, Any, tuple[list[str], bool]]:
        """Return what the noun of a phrase names, and whether it only describes: by category, by what it is for."""
        if phrase.of_user and "retrieve_user_information" in self._tools:
            fact = yield Call("retrieve_user_information", (phrase.text,))
            if told := [name for name in names if _tells_of(fact, name)]:
                return [name for name in told if fits_noun(phrase.noun, name)] or told, False
        elif phrase.purpose:
            return _by_purpose(phrase, names), True
        noun = f"{phrase.noun} {phrase.number}".strip()
        for start in range(len(noun.split())):
            found, described = yield from self._called(" ".join(noun.split()[start:]), names)
            if found:
                return found, described
        *looks, head = noun.split() or ["thing"]
        if looks and head in VAGUE and (so := [name for name in names if set(looks) <= set(words_of(name))]):
            return so, True
        if " ".join(words_of(noun)) in VAGUE or not noun:
            marks = [landmark.noun for _, landmark in phrase.relations]
            return [name for name in names if not any(knowledge().is_called(mark, name) for mark in marks)], True
        return [name for name in names if fuzz.ratio(spoken_name(name), noun) >= MISSPELT], False

    def _called(self, noun: str, names: list[str]) -> Generator[Call, Any, tuple[list[str], bool]]:
        """Return what is called so, or else is of the kind that is called so, which is a description."""
        known = knowledge()
        if exact := [name for name in names if words_of(noun) in (words_of(name), without_number(name))]:
            return exact, False
        if turned := [name for name in names if " " in noun and sorted(words_of(noun)) == sorted(without_number(name))]:
            return turned, False  # a slice of bread is a bread slice
        if called := [name for name in names if known.is_called(noun, name)]:
            return called, False
        if noun.endswith(OWN_PARTS) and (whole := [n for n in names if known.is_called(noun.rpartition(" ")[0], n)]):
            return whole, False
        also = []
        for name in names:
            if noun in (yield Call("other_names", (name,))):
                also.append(name)
        return also or [name for name in names if known.is_kind(noun, name)], True

    def _related(
        self, candidates: list[str], relation: str, landmark: Phrase, names: list[str]
    ) -> Generator[Call, Any, list[str] | Trouble]:
        """Return those candidates that stand so to the landmark. Where nothing is known of a place, all are kept."""
        marks, _ = yield from self._named(landmark, names, "")
        if landmark.demands and marks:
            marks, _ = yield from self._in_state(marks, landmark)
        others = [mark for mark in marks if mark not in candidates] or marks
        if not others and relation == "containing":
            return (yield from self._in_state(candidates, Phrase("", "", (("filled", True),))))[0]
        if not others:
            return candidates if relation == "from" else absent(landmark, "")
        if relation in ("closest", "farthest"):
            distances = {}
            for name in candidates:
                distances[name] = yield from self._distance_between(name, others[0])
            best = (min if relation == "closest" else max)(distances.values())
            return [name for name in candidates if distances[name] == best]
        related: list[str] = []
        for mark in others:
            for asked in _ASKED.get(relation, (relation,)):
                related += yield Call("check_obj_relationship", (asked, mark))
        if relation in NOT_ALWAYS_SEEN and not related:
            contrary: list[str] = []
            for asked in CONTRARY.get(relation, ()):
                contrary += yield Call("check_obj_relationship", (asked, others[0]))
            if relation == "from":
                contrary += yield from self._held_by(names)
            return [name for name in candidates if name not in contrary]
        return [name for name in candidates if name in related]

    def _held_by(self, places: list[str]) -> Generator[Call, Any, list[str]]:
        """Return what is told to be in or on any of these: it is not where nothing tells of it."""
        held: list[str] = []
        for place in places:
            if "receptacle" in (yield Call("get_obj_properties", (place,))):
                for asked in _ASKED["from"]:
                    held += yield Call("check_obj_relationship", (asked, place))
        return held

    def _distance_between(self, name: str, other: str) -> Generator[Call, Any, float]:
        """Metres; where nothing measures between things, how far apart they are from the robot."""
        if "dist_between_objs" in self._tools:
            return float((yield Call("dist_between_objs", (name, other))))
        return abs(float((yield Call("dist_to_target", (name,)))) - float((yield Call("dist_to_target", (other,)))))

    def _in_state(
        self, candidates: list[str], phrase: Phrase
    ) -> Generator[Call, Any, tuple[list[str], Trouble | None]]:
        for key, value in phrase.demands:
            verdicts: dict[str, bool | None] = {}
            for name in candidates:
                verdicts[name] = is_so((yield Call("get_obj_state", (name,))), key, value)
                if verdicts[name] is None and key == "filled":
                    verdicts[name] = bool((yield Call("check_obj_relationship", ("inside", name)))) == value
            kept = [n for n in candidates if verdicts[n]] or [n for n in candidates if verdicts[n] is None]
            if not kept:
                return candidates, not_so(candidates[0], key, value)
            candidates = kept
        return candidates, None

    def _fitting(self, candidates: list[str], action: str) -> Generator[Call, Any, list[str]]:
        """Return those that the action can be done to, if any: of all appliances, the ones that open."""
        wanted = PROPERTY.get(action, "receptacle" if action == "place" else "")
        fitting = []
        for name in candidates if wanted else ():
            if wanted in (yield Call("get_obj_properties", (name,))):
                fitting.append(name)
        return fitting or candidates

    def _singled_out(
        self, candidates: list[str], phrase: Phrase, action: str, is_place: bool
    ) -> Generator[Call, Any, list[str]]:
        """Return the one in the hand that is to be put down; the nearest, where that was asked for or any will do."""
        if len(candidates) == 1:
            return candidates
        if action in ("place", "handover") and not is_place:
            held = yield Call("robot_holding")
            candidates = [name for name in candidates if name in held] or candidates
        if phrase.nearest is not None or phrase.any:
            distances = {}
            for name in candidates:
                distances[name] = yield Call("dist_to_target", (name,))
            best = (max if phrase.nearest is False else min)(distances.values())
            nearest = [name for name in candidates if distances[name] == best]
            return nearest[:1] if phrase.any else nearest
        return candidates


def _by_purpose(phrase: Phrase, names: list[str]) -> list[str]:
    """Return those that are best for what is to be done: of the kind that is named, else of all."""
    known = knowledge()
    if asked_for := [name for name in names if known.is_kind(f"something to {phrase.purpose}", name)]:
        return asked_for
    of_kind = [name for name in names if phrase.noun not in VAGUE and fits_noun(phrase.noun, name)]
    for among in (of_kind, names):
        if (best := _best_fits(phrase.purpose, among)) and known.purpose_fit(phrase.purpose, best[0]) > FITS:
            return best
    if any(known.purpose_fit(phrase.purpose, " ".join(thing)) > FITS for thing in known.purposes):
        return []  # there are things for that, elsewhere
    return _best_fits(phrase.purpose, of_kind or names) or of_kind


def _best_fits(purpose: str, names: Sequence[str]) -> list[str]:
    """Return those that are as good for a purpose as any of them, and good for it at all."""
    fits = {name: knowledge().purpose_fit(purpose, name) for name in names}
    best = max(fits.values(), default=0.0)
    return [name for name in names if fits[name] == best > 0]


def _tells_of(fact: str, name: str) -> bool:
    """Return whether a fact names a thing: "the fourth stove burner" is StoveBurner_4."""
    told = [ORDINALS.get(word, word) for word in words_of(fact)]
    own = words_of(name)
    if len(own) > 1 and own[-1].isdigit():
        return own[-1] in told and any(word in told for word in own[:-1])
    return all(word in told for word in own)


def absent(phrase: Phrase, where: str) -> Trouble:
    if where:
        return Trouble(Because.NONE_SUCH, {"thing": phrase.noun, "where": where})
    if knowledge().kinds.get(words_of(phrase.noun)) or phrase.purpose or not phrase.noun:
        thing = f"{phrase.noun or 'thing'} {phrase.purpose}".strip()
        return Trouble(Because.NONE_SUCH, {"thing": thing, "where": "here: there is no such thing, no " + thing})
    return Trouble(Because.ABSENT, {"thing": spoken_name(phrase.noun)})


def _where(relation: str, landmark: Phrase) -> str:
    return f"{_RELATION_WORDS[relation]} the {landmark.noun}"


def _looks_in(name: str) -> list[str]:
    """Return what the name of a thing tells of its looks: a blue paint can is blue."""
    return [word for word in words_of(name)[:-1] if word in knowledge().qualities]


def _response(found: Trouble, order: Order) -> str:
    final = Final.AMBIGUITY if found.because is Because.AMBIGUOUS else Final.UNFEASIBILITY
    names = [name for name in found.slots.get("names", "").split("\0") if name]
    return final_response(final, found.text, names, order.text, [found])


def _doing(deed: Deed) -> str:
    form = DOING.get(deed.action, deed.action + " the {target}")
    form = form if deed.place else form.split(" at the {place}")[0]
    return form.format(target=spoken_name(deed.target), place=spoken_name(deed.place))


_ASKED = {
    "left_of": ("on the left of",),
    "right_of": ("on the right of",),
    "from": ("inside", "on top of", "above"),
    "on_top_of": ("on top of", "above"),
    "above": ("above", "on top of"),
    "below": ("below",),
    "holding": ("containing", "below"),
    "containing": ("containing", "below"),
    "in_front_of": ("in front of",),
    "next_to": ("next to", "on the left of", "on the right of"),
    "between": ("next to", "on the left of", "on the right of"),
}
"""A relation in an order -> what the tool is asked."""
_RELATION_WORDS = {
    "left_of": "to the left of", "right_of": "to the right of", "from": "in or on", "on_top_of": "on top of",
    "in_front_of": "in front of", "next_to": "next to", "closest": "close to", "farthest": "far from",
    "between": "between this and that:",
}  # fmt: skip
_RELATION_WORDS |= {word: word for word in ("behind", "below", "above", "containing", "inside", "blocking", "holding")}
