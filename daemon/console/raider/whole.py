"""An order read as a whole: which thing of the scene somebody means who says it in several sentences. Pure text.

"There's a flowerpot up on the windowsill. Would you take it down for me?" asks to "take the flowerpot that is on the
windowsill". What names things here is found first; then the verb, wherever it stands; then everything that any clause
tells of the thing: where it is, what it is like, which one is not meant. A thing that is only named as a place, or is
ruled out, is not what is asked for. Where the words leave open what is to be done, there is no order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from daemon.console.raider.mentions import DETERMINERS, Look, attributes, masked, mentions_in
from daemon.console.raider.order import STATES, Order, read_order
from daemon.console.raider.purposes import for_what
from daemon.console.raider.things import knowledge
from daemon.console.raider.verbs import base_of, read_verb

AFFORDS = {
    "pick": "pickupable",
    "open": "openable",
    "close": "openable",
    "turnon": "toggleable",
    "turnoff": "toggleable",
    "slice": "sliceable",
    "place": "pickupable",
    "handover": "pickupable",
}
"""What a thing must have that an action is done to."""


@dataclass
class Clause:
    """A piece of what was said, its words with tokens in the place of things."""

    words: list[str]
    joint: str = ""
    """What stands before it."""
    sentence: int = 0
    """Which sentence it is of."""

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def is_aside(self) -> bool:
        """Whether it says why or how soon, and asks for nothing."""
        return self.joint in _ASIDE


@dataclass
class Wish:
    """What is asked for: an action, and what its words tell of the thing and the place, with tokens."""

    action: str
    target: str = ""
    """A token, "it" for what other clauses name, or the words for what is not here."""
    place: str = ""
    """A token."""
    where: str = "on"
    clause: int = 0
    verb: str = ""
    rest: list[str] = field(default_factory=list)
    """The words behind the verb."""
    needed: bool = False
    """Somebody only says that it is needed."""


def read_whole(text: str, looks: Sequence[Look]) -> Order | None:
    """The order as it is meant among these things; None where that does not come out."""
    return _Reading(text, looks).order()


class _Reading:
    def __init__(self, text: str, looks: Sequence[Look]) -> None:
        plain = _plain(text)
        words = _WORD.findall(plain)
        self._looks = {look.name: look for look in looks}
        self._mentions = mentions_in(words, looks)
        self._attributes = attributes(looks)
        self._text = plain
        self._clauses = list(_clauses(masked(words, self._mentions)))

    def order(self) -> Order | None:
        """The order in plain words, read again."""
        wish = self._wish()
        if wish is None or self._is_bound(wish):
            return None
        said = self._in_words(wish)
        read = read_order(said) if said else None
        if read is None or read.target is None or read.action != wish.action:
            return None
        return replace(read, text=said)

    # what is asked for

    def _wish(self) -> Wish | None:
        wishes = [wish for index in range(len(self._clauses)) for wish in self._wishes_in(index)]
        wishes = [wish for wish in wishes if wish.action and not self._frees_hand(wish)]
        for wish in wishes:
            if wish.action == "handover" and not wish.place and not self._is_held(wish.target):
                wish.action = "pick"  # "mind passing it?": to whoever asks
        several = len({wish.action for wish in wishes}) > 1
        if several or any(wish.needed and not _TOKEN.match(wish.target) for wish in wishes):
            wishes = [
                wish for wish in wishes if not wish.needed
            ] or wishes  # what is ordered goes before what is needed
        if len({wish.action for wish in wishes}) > 1:
            placing = [wish for wish in wishes if wish.action in ("place", "handover")]
            others = {wish.action for wish in wishes} - {"pick"}
            if len(others) > 1:
                return None
            wishes = placing or [wish for wish in wishes if wish.action != "pick"]
        if not wishes:
            wishes = list(self._only_named()) or list(self._left_unsaid())
        explicit = [wish for wish in wishes if wish.target != "it"]
        if len({wish.target for wish in explicit}) > 1 and not self._is_corrected(explicit):
            return None
        chosen = (explicit or wishes)[-1] if wishes else None
        if chosen is None:
            return None
        chosen.target = self._put_right(chosen) or chosen.target
        if chosen.target == "it":
            chosen.target = self._antecedent(chosen)
        if chosen.action == "place" and not chosen.place:
            chosen.place, chosen.where = self._place_named(chosen)
            if not chosen.place and chosen.verb in _CARRIES:
                chosen.action = "pick"
        self._suit(chosen)
        return chosen if chosen.target else None

    def _suit(self, wish: Wish) -> None:
        """Another action by the same words, where the thing is not made for this one: "shut it up" said of an alarm."""
        if not _TOKEN.match(wish.target) or self._fits(wish.target, wish.action):
            return
        beside = (clause.words for clause in self._clauses[wish.clause + 1 :] if len(clause.words) < 3)
        words = {*wish.rest, *(word for added in beside for word in added)}
        for action, cues in _OTHERWISE.get(wish.action, {}).items():
            if (not cues or cues & words) and self._fits(wish.target, action):
                wish.action = action
                return

    def _frees_hand(self, wish: Wish) -> bool:
        """Whether a thing in the hand is only to be let go."""
        held = self._is_held(wish.target)
        return (
            wish.action == "place" and not wish.place and held and wish.verb in ("drop", "leave", "put", "set", "lay")
        )

    def _is_held(self, token: str) -> bool:
        """Whether a thing is in the hand; of "it", whether anything is."""
        names = self._names(token) if token != "it" else self._looks
        return any(self._looks[name].held for name in names)

    def _put_right(self, wish: Wish) -> str:
        """The thing by which somebody corrects what was said: "I mean the sprinkler"."""
        for clause in self._clauses[wish.clause + 1 :]:
            if match := _I_MEAN.search(clause.text):
                return match["thing"]
        return ""

    def _is_corrected(self, wishes: Sequence[Wish]) -> bool:
        return any("mean" in clause.words or "sorry" in clause.words for clause in self._clauses)

    def _wishes_in(self, index: int) -> Iterator[Wish]:
        clause = self._clauses[index]
        if clause.is_aside or _FORBIDS.match(clause.text):
            return
        for form in (self._as_passive, self._as_verb, self._as_going, self._as_need):
            if wish := form(clause, index):
                yield replace(wish, needed=form == self._as_need)
                return

    def _as_verb(self, clause: Clause, index: int) -> Wish | None:
        """An imperative, wherever in the clause it begins."""
        words = _TRAILING.sub("", clause.text).split()
        for start in range(len(words)):
            if not _may_begin(words, start):
                continue
            if read := _read_from(words, start):
                return replace(self._with_arguments(read[0], read[1].split(), index), verb=words[start])
        return None

    def _as_passive(self, clause: Clause, index: int) -> Wish | None:
        """A thing that needs something done to it: "the cucumber still wants cutting"."""
        text = _TRAILING.sub("", clause.text)
        match = next(
            (match for form in (_PASSIVE, _ASKED_PASSIVE, _LIKED_DONE, _HAVE_DONE) if (match := form.match(text))), None
        )
        if not match:
            return None
        verb = base_of(match["verb"])
        read = read_verb(f"{verb} {match['thing']}{match['rest']}") if verb else None
        if read is None and match["verb"] in _BRINGS_ABOUT:
            read = _BRINGS_ABOUT[match["verb"]], f"{match['thing']}{match['rest']}"
        return replace(self._with_arguments(read[0], read[1].split(), index), verb=verb) if read else None

    def _as_going(self, clause: Clause, index: int) -> Wish | None:
        """Who says where a thing goes wants it there: "into the box it goes", "onto the rack with the bread"."""
        text = _without_lead(clause.words)
        for pattern, action in _GOES:
            if match := pattern.match(text):
                groups = match.groupdict()
                thing = groups.get("thing") or ""
                target = self._object(thing.split(), index) if thing.strip() else "it"
                place = _TOKEN.findall(groups.get("place") or "")
                if action == "place" and not place and "where" not in groups:
                    return None
                if place and self._is_person(place[0]):
                    action = "handover"
                return Wish(action, target, place[0] if place else "", _WHERE.get(groups.get("where") or "", "on"),
                            index, rest=text.split())  # fmt: skip
        return None

    def _as_need(self, clause: Clause, index: int) -> Wish | None:
        """Who needs a thing asks for it."""
        if _THAT_ONE.search(clause.text):
            return Wish("pick", "it", clause=index)
        match = _NEED.search(clause.text)
        if not match or _NOT_NEEDED.search(clause.text):
            return None
        rest = match["thing"].split()
        if not rest or rest[0] in ("to", "you", "not") or (rest[0].endswith("ing") and rest[0] not in _VAGUE):
            return None
        placed = self._with_arguments("place", rest, index)
        if placed.place and (placed.target != "it" or self._is_in_hand(placed)):
            return placed
        return self._with_arguments("pick", rest, index)

    def _is_in_hand(self, wish: Wish) -> bool:
        """Whether what is spoken of is held: then a place behind it is where it is to go."""
        return any(
            self._looks[name].held
            for clause in self._clauses
            for token in self._subjects(clause)
            for name in self._names(token)
        )

    def _only_named(self) -> Iterator[Wish]:
        """A thing that is named and nothing else: "the small wrench, please"."""
        for index, clause in enumerate(self._clauses):
            if clause.is_aside:
                continue
            bare = [word for word in clause.words if word not in _LEAD]
            head = next((i for i, word in enumerate(bare) if _TOKEN.match(word)), None)
            modified = head is not None and all(word in DETERMINERS or word in self._attributes for word in bare[:head])
            alone = modified and head is not None and (
                head == len(bare) - 1 or bare[head + 1] in (*_PLACE_WORDS, "for", "of", "from")
            )  # fmt: skip
            if (alone and head is not None) or bare[:1] in (["something"], ["anything"], ["whatever"]):
                yield self._with_arguments("pick", bare, index)

    def _left_unsaid(self) -> Iterator[Wish]:
        """Who says where a thing is, and "would you be so kind?", wants to have it."""
        for index, clause in enumerate(self._clauses):
            if _IF_YOU_WOULD.fullmatch(clause.text) and index:
                yield Wish("pick", "it", clause=index, rest=["it"])

    # what stands behind the verb

    def _with_arguments(self, action: str, rest: list[str], index: int) -> Wish:
        if action == "handover" and {"me", "us"} & set(rest):
            action = "pick"
        wish = Wish(action, self._object(rest, index), clause=index, rest=rest)
        if action in ("pick", "place", "handover"):
            for position, word in enumerate(rest):
                if not _TOKEN.match(word) or word == wish.target:
                    continue
                before = _preposition(rest, position)
                recipient = before in ("to", "back to") and self._is_person(word)
                if recipient or (action == "handover" and self._is_person(word)):
                    return replace(wish, action="handover", place=word)
                goes = before in _WHERE and (action == "place" or before in _INTO)
                if goes and not (action == "pick" and before == "to" and not self._holds(word)):
                    return replace(wish, action="place", place=word, where=_WHERE[before])
        return wish

    def _object(self, rest: list[str], index: int) -> str:
        """The token of the first thing that is no place, "it" for one that is named elsewhere, else its words."""
        noun: list[str] = []
        for position, word in enumerate(rest):
            if _TOKEN.match(word):
                return word if not self._is_out(word, index, rest, position) else "it"
            behind = rest[position + 1] if position + 1 < len(rest) else ""
            if word in _PRONOUNS and (not behind or behind in _PLACE_WORDS | _ADVERBS):
                return "it"
            if word == "of" or word in DETERMINERS or word in _LEAD or word in _ADVERBS:
                noun = [] if word == "of" else noun
                continue
            if word in _POINTS or word in ("one", "ones"):
                return "it"
            if word in _VAGUE:
                return next(iter(self._subjects(Clause(rest[position:]))), "it")
            if word in _PLACE_WORDS or word in _ENDS:
                break
            noun.append(word)
        noun = [word for word in noun if word not in self._attributes or len(noun) > 1]
        return " ".join(noun[-3:]) if noun and noun[-1] not in _POINTS else "it"

    def _is_out(self, token: str, index: int, rest: list[str], position: int) -> bool:
        """Whether a thing is only named as a place, or as what is not meant."""
        return bool(_preposition(rest, position))

    def _is_person(self, token: str) -> bool:
        return any(knowledge().is_kind("person", name) for name in self._names(token))

    def _holds(self, token: str) -> bool:
        return any("receptacle" in self._looks[name].properties for name in self._names(token))

    def _names(self, token: str) -> tuple[str, ...]:
        return self._mentions[int(token[1:])].names if _TOKEN.match(token) else ()

    # what "it" is

    def _antecedent(self, wish: Wish) -> str:
        """The thing that another clause names: the last before, of those that the action fits, else the first after."""
        before = [self._subjects(self._clauses[index]) for index in range(wish.clause, -1, -1)]
        after = [self._subjects(clause) for clause in self._clauses[wish.clause + 1 :]]
        named_for = [self._named_for(clause) for clause in reversed(self._clauses)]
        others = [[word for word in clause.words if _TOKEN.match(word)] for clause in self._clauses
                  if "one" in wish.rest and _FORBIDS.match(clause.text)]  # fmt: skip
        found = (*before, *after, *named_for, *others)
        candidates = [token for tokens in found for token in tokens if token != wish.place]
        fitting = [token for token in candidates if self._fits(token, wish.action)]
        several = [token for token in fitting if len(self._names(token)) > 1] if _ONE & set(wish.rest) else []
        if candidates or (fitting := self._at_a_place(wish)):
            return (several or fitting or candidates)[0]
        if self._is_held("it") and wish.action in ("place", "handover"):
            return "it"
        return next((noun for clause in self._clauses if (noun := _noun_in(clause.words))), "")

    def _at_a_place(self, wish: Wish) -> list[str]:
        """What is named as a place only, in a clause that is about nothing else: "I need to get at the box"."""
        return [
            word
            for clause in self._clauses[: wish.clause]
            for position, word in enumerate(clause.words)
            if _TOKEN.match(word)
            and word != wish.place
            and not _noun_in(clause.words)
            and self._fits(word, wish.action)
            and not _is_ruled_out(clause.words, position)
        ]  # fmt: skip

    def _subjects(self, clause: Clause) -> list[str]:
        """The things that a clause names as no place, and does not rule out; or what it says a thing is for."""
        text = self._pointed(self._unmasked(clause.words))
        if match := _WHATEVER_IS.search(clause.text):
            mark = self._mentions[int(match["mark"][1:])].noun
            return [f"thing that is {_RELATIONS[match['relation']]} the {mark}"]
        if purpose := for_what(text):
            return [purpose]
        found = []
        for position, word in enumerate(clause.words):
            if not _TOKEN.match(word) or _preposition(clause.words, position):
                continue
            if not _is_ruled_out(clause.words, position):
                found.append(word)
        return found

    def _pointed(self, text: str) -> str:
        """A purpose with what "it" stands for: my nose is all drippy, something to wipe it with."""
        if not re.search(r"\b(?:to|for) .*\b(?:it|them|this)\b", text):
            return text
        noun = next((noun for clause in self._clauses if (noun := _noun_in(clause.words))), "")
        return re.sub(r"\b(?:it|them|this)\b(?! is\b)", noun, text) if noun else text

    def _named_for(self, clause: Clause) -> list[str]:
        """What people wait for, or speak of."""
        return [word for i, word in enumerate(clause.words)
                if _TOKEN.match(word) and _preposition(clause.words, i) in ("for", "of", "with", "about")]  # fmt: skip

    def _unmasked(self, words: Sequence[str]) -> str:
        return " ".join(self._mentions[int(word[1:])].said if _TOKEN.match(word) else word for word in words)

    def _fits(self, token: str, action: str) -> bool:
        wanted = AFFORDS.get(action, "")
        return not _TOKEN.match(token) or any(wanted in self._looks[name].properties for name in self._names(token))

    def _place_named(self, wish: Wish) -> tuple[str, str]:
        for clause in self._clauses:
            for position, word in enumerate(clause.words):
                before = _preposition(clause.words, position) if _TOKEN.match(word) else ""
                if before in _WHERE and word != wish.target and self._holds(word):
                    return word, _WHERE[before]
        return "", "on"

    # what is told of it

    def _in_words(self, wish: Wish) -> str:
        verb = _SAID[wish.action]
        thing = self._described(wish.target, wish)
        if wish.action in ("place", "handover"):
            if not wish.place:
                return f"{verb} {thing}" if wish.action == "handover" else ""
            place = self._described(wish.place, wish, wish.target)
            return f"{verb} {thing} {'to' if wish.action == 'handover' else wish.where} {place}"
        return f"{verb} {thing}"

    def _is_of(self, words: Sequence[str], token: str) -> bool:
        """Whether a thing may be as words say; of some it is known that it is, or is not."""
        values = [[str(value) for value in self._looks[name].state.values()] for name in self._names(token)]
        return any(knowledge().is_like(word, told) is not None for word in words for told in values)

    def _described(self, token: str, wish: Wish | None, beside: str = "") -> str:
        """A thing with everything that any clause tells of it."""
        if token == "it":
            return "it"
        if not _TOKEN.match(token):
            return f"the {token}" if token.startswith("thing ") else f"the {self._before_noun(token, wish)}{token}"
        mention = self._mentions[int(token[1:])]
        same = [
            f"T{number}"
            for number, other in enumerate(self._mentions)
            if set(other.names) == set(mention.names) and not self._only_place(f"T{number}", token)
        ]
        modifiers: list[str] = []
        relations: list[str] = []
        others: list[str] = []
        purposes: list[str] = []
        for index, clause in enumerate(self._clauses):
            for position, word in enumerate(clause.words):
                if word in same and _is_ruled_out(clause.words, position):
                    others += self._modifiers(clause.words, position)
                elif word in same:
                    modifiers += self._modifiers(clause.words, position, wish is not None and index == wish.clause)
                    relations += self._relation_after(clause.words, position, wish, beside)
                    purposes += self._purpose_after(clause.words, position)
            if wish is not None and (token == wish.target or clause.words[-1:] in (["one"], ["ones"])):
                self._told_of_it(index, modifiers, relations, others, wish, token)
        mention_noun = self._mentions[int(token[1:])].noun
        modifiers = [word for word in dict.fromkeys(modifiers) if word not in mention_noun.split()]
        if wish is not None and not modifiers and wish.action in _STILL_TO_DO and self._is_one_of(wish, mention.names):
            modifiers = [_STILL_TO_DO[wish.action]]
        relations += [word for word in modifiers if word in ("on", "off")]
        described = " ".join([*(word for word in modifiers if word not in ("on", "off")), mention_noun])
        for relation in dict.fromkeys(relations):
            described += f" that is {relation}"
        if purposes:
            described += f" used to {purposes[0]}"
        elif others and not modifiers:
            described += f", not the {' '.join(dict.fromkeys(others))} one"
        article = "any" if self._any(token) else "the"
        return f"{article} {described}"

    def _is_one_of(self, wish: Wish, names: Sequence[str]) -> bool:
        """Whether the one is meant of several to which it can still be done: "all are off but one; that one too"."""
        return len(names) > 1 and bool({"one", "whichever", "either"} & set(wish.rest))

    def _any(self, token: str) -> bool:
        return bool(_WHICHEVER.search(self._text))

    def _only_place(self, token: str, target: str) -> bool:
        return token != target and all(
            _preposition(clause.words, position)
            for clause in self._clauses
            for position, word in enumerate(clause.words)
            if word == token
        )

    def _before_noun(self, noun: str, wish: Wish | None) -> str:
        modifiers: list[str] = []
        if wish is not None:
            self._told_of_it(wish.clause, modifiers, [], [], wish, wish.target)
        return "".join(f"{word} " for word in dict.fromkeys(modifiers) if word not in noun.split())

    def _told_of_it(
        self, index: int, modifiers: list[str], relations: list[str], others: list[str], wish: Wish, token: str
    ) -> None:
        """What a clause tells of what it calls "it" or "one"."""
        words = self._clauses[index].words
        if index != wish.clause and self._modifies_one(wish) and not _is_bare(words):
            return
        for position, word in enumerate(words):
            if word in ("one", "ones") and not _preposition(words, position):
                told = self._modifiers(words, position)
                other = wish.place if token == wish.target else wish.target
                if not self._is_of(told, token) and (token != wish.target or (other and self._is_of(told, other))):
                    continue
                (others if _is_ruled_out(words, position) else modifiers).extend(told)
                relations += self._relation_after(words, position, wish)
            elif word in ("it", "they", "that", "them") and position < 2 and words[position + 1 : position + 2] in (
                ["is"], ["are"], ["has"], ["have"],
            ):  # fmt: skip
                relations += self._relation_after(words, position, wish)
                after = [w for w in words[position + 2 :] if w not in _ADVERBS][:1]
                if after and after[0] in self._attributes and index != wish.clause:
                    modifiers += after

    def _modifies_one(self, wish: Wish) -> bool:
        """Whether the order says itself which one: what is told elsewhere is then of the other."""
        words = self._clauses[wish.clause].words
        return any(word in ("one", "ones") and self._modifiers(words, at) for at, word in enumerate(words))

    def _modifiers(self, words: list[str], position: int, in_order: bool = True) -> list[str]:
        """The words about a noun that tell what it is like; in the order itself, those behind it tell what to do."""
        found: list[str] = []
        for word in reversed(words[max(0, position - 5) : position]):
            if word in self._attributes and word not in _NOT_BEFORE:
                found.append(word)
            elif word in DETERMINERS or word in _POINTS or word in _PLACE_WORDS or _TOKEN.match(word) or word == "not":
                break
        material = words[position + 1 : position + 5]
        if material[:2] in (["is", "on"], ["is", "off"]) and len(words) > position + 3:
            return found[::-1]  # "is on its last legs"
        if match := _MATERIAL.match(" ".join(material)):
            if match["of"] in knowledge().qualities:
                found.append(match["of"])
        elif (
            (match := _THAT_IS.match(" ".join(words[position + 1 : position + 9])))
            and match["state"] in self._attributes
            and (match["told"] or not in_order)
        ):
            found.append(match["state"])
        return found[::-1]

    def _purpose_after(self, words: list[str], position: int) -> list[str]:
        """What a thing is for, where that is told behind it: "the glass for seeing small letters"."""
        match = _USED_TO.match(" ".join(words[position + 1 :]))
        return [match["what"]] if match and not _TOKEN.search(match["what"]) else []

    def _relation_after(self, words: list[str], position: int, wish: Wish | None, beside: str = "") -> list[str]:
        """ "on the windowsill", where that is told of the thing at a position."""
        for start in range(position + 1, min(position + 8, len(words))):
            if _TOKEN.match(words[start]):
                break
            if words[start] in _ALONG and set(words[start + 1 : start + 2]) & _PLACE_WORDS:
                continue  # "over by the door"
            match = _RELATION.match(" ".join(words[start:]))
            if not match:
                if words[start] in _NOT_BETWEEN:
                    break
                continue
            token = match["mark"]
            if token == beside or (wish is not None and token in (wish.place, wish.target)):
                break
            own = self._modifiers(match["rest"].split(), len(match["rest"].split()))
            mark = " ".join([*own, self._mentions[int(token[1:])].noun])
            if match["other"]:
                return [f"between the {mark} and the {self._mentions[int(match['other'][1:])].noun}"]
            return [f"{_RELATIONS[match['relation']]} the {mark}"]
        return []

    def _is_bound(self, wish: Wish) -> bool:
        """Whether the sentence says when or whether; "should the lamp be on" tells which lamp."""
        sentence = self._clauses[wish.clause].sentence
        return any(
            clause.sentence == sentence and _BINDING.match(clause.text) and not _CONDITION.match(clause.text)
            for clause in self._clauses
        )


def _plain(text: str) -> str:
    """In lower case, short forms written out."""
    plain = text.lower().replace("’", "'")
    for pattern, written in _SHORT:
        plain = pattern.sub(written, plain)
    return plain


def _clauses(words: Sequence[str]) -> Iterator[Clause]:
    current: list[str] = []
    joint = ""
    sentence = 0
    for position, word in enumerate(words):
        between = word == "and" and "between" in current[-5:]
        listed = word == "and" and current and _TOKEN.match(current[-1]) and _leads_to_thing(words[position + 1 :])
        if (
            not between
            and not listed
            and (_STOP.fullmatch(word) or (word in _JOINTS and not _is_degree(words, position)))
        ):
            if current:
                yield Clause(current, joint, sentence)
                current, joint = [], word
            elif word in _JOINTS:
                joint = word
            sentence += word[0] in ".!?"
            continue
        current.append(word)
    if current:
        yield Clause(current, joint, sentence)


def _leads_to_thing(words: Sequence[str]) -> bool:
    """Whether another thing of a list follows, and no other clause."""
    after = next((word for word in words if word not in DETERMINERS and word not in knowledge().qualities), "")
    return bool(_TOKEN.match(after))


def _is_degree(words: Sequence[str], position: int) -> bool:
    """ "so kind", "so much": no joint."""
    after = words[position + 1] if position + 1 < len(words) else ""
    before = words[position - 1] if position else ""
    return (words[position] == "so" and (after in _DEGREED or before in ("be", "is", "ever", "not"))) or (
        words[position] == "before" and after in ("", "."))  # fmt: skip


def _is_bare(words: Sequence[str]) -> bool:
    """Whether a clause only adds to another: "the white one", "it is the one on the left"."""
    return (
        bool({"not", "mean"} & set(words))
        or words[-1] in ("one", "ones")
        or words[:2] in (["it", "is"], ["that", "is"])
    )


def _noun_in(words: Sequence[str]) -> str:
    """What a clause speaks of that is not here: "would you happen to see my stapler"; "" where it names nothing."""
    for start, word in enumerate(words):
        if word not in DETERMINERS or _preposition(words, start + 1):
            continue
        noun: list[str] = []
        for behind in words[start + 1 : start + 4]:
            if (
                _TOKEN.match(behind)
                or behind in _PLACE_WORDS
                or behind in _ENDS
                or behind in _ADVERBS | _POINTS | _LEAD
            ):
                break
            noun.append(behind)
        if noun and noun[-1] not in ("one", "ones", "thing", "anywhere", "somewhere"):
            return " ".join(noun)
    return ""


def _without_lead(words: Sequence[str]) -> str:
    start = next((i for i, word in enumerate(words) if word not in _LEAD), 0)
    return " ".join(words[start:])


@lru_cache(maxsize=4096)
def _is_verb_word(word: str) -> bool:
    return read_verb(f"{word} it") is not None


def _read_from(words: Sequence[str], start: int) -> tuple[str, str] | None:
    """The action of a verb at a place, and what follows it: by the verb, or by where any verb brings the thing."""
    forms = [words[start]]
    if start and words[start - 1] == "you" and (base := base_of(words[start])):
        forms.append(base)  # "if you lifted it"
    for form in forms:
        rest = words[start + 1 :]
        if read := read_verb(" ".join([form, *rest])) or read_verb(" ".join([form, *rest, "it"])):
            return read
    if words[start] in _NO_VERBS | _LEAD | _ENDS or words[start].endswith("ed"):
        return None
    text = " ".join(words[start:])
    return next(((action, match["rest"]) for pattern, action in _BRINGS_TO if (match := pattern.match(text))), None)


def _may_begin(words: Sequence[str], start: int) -> bool:
    """Whether an order may begin at a word: at the clause's beginning, behind "you", or a "to" that asks."""
    lead = [word for word in words[:start] if word not in _LEAD]
    if words[start].startswith("T") or words[start] in _POINTS | _PLACE_WORDS | DETERMINERS:
        return False
    if not lead:
        return True
    last = lead[-1]
    if last == "you":
        return words[start] not in _NO_VERBS and not set(lead[-3:-1]) & _STATES_OF_YOU
    if last == "to":
        return bool(set(lead[-5:-1]) & _ASKS_TO)
    return last in _LEADS_IN and words[start].endswith("ing") and not {"i", "we"} & set(lead)


def _preposition(words: Sequence[str], position: int) -> str:
    """What makes a thing a place or the like: the preposition before it, "" for none."""
    for start in range(position - 1, max(-1, position - 6), -1):
        word = words[start]
        begun = any(behind in DETERMINERS for behind in words[start + 1 : position])
        if begun and word not in _PLACE_WORDS and word not in DETERMINERS and word != "of":
            return ""
        if word in _PLACE_WORDS:
            two = f"{words[start - 1]} {word}" if start else word
            if word == "of":
                if start and (words[start - 1] in _SOME_OF or not _TOKEN.match(words[start - 1])):
                    left = " ".join(words[max(0, start - 4) : start + 1])
                    return "of" if re.search(r"\b(?:left|right|front|top|out|inside) of$", left) else ""
                return "of"
            if word == "with" and start and words[start - 1] in ("up", "off", "on", "out", "down", "away", "along"):
                return ""
            return two if two in _WHERE else word
        if _TOKEN.match(word) or word in _POINTS or word in ("not", "but", "is", "are", "one", "to"):
            return ""
        if _is_verb_word(word):
            return ""
    return ""


def _is_ruled_out(words: Sequence[str], position: int) -> bool:
    """ "Not the red one", "leave the small one be"."""
    start = position - 1
    while start >= 0 and (
        words[start] in DETERMINERS or words[start] in knowledge().qualities or words[start] in STATES
    ):
        start -= 1
    if start >= 0 and words[start] in _NEGATING:
        return True
    behind = " ".join(words[position + 1 :])
    return bool(_LEFT_ALONE.match(_without_lead(words)) or _STAYS.match(behind))


_OBJECT = (
    r"(?P<rest>(?:(?:\w+ ){0,5}?T\d+|it|them|her|him|that(?: one| thing)?|this(?: one)?|the \w+ one)(?: \w+){0,2}?)"
)
_BRINGS_TO = [
    (re.compile(rf"[a-z]+ {_OBJECT} {particle}"), action)
    for particle, action in (
        (r"(?:wide )?(?:open|ajar)$", "open"),
        (r"(?:shut|closed|to)$", "close"),
        (r"(?:on|going|running)(?: (?:full|max|high|low|at)\b.*)?$", "turnon"),
        (r"off$", "turnoff"),
        (r"(?:up|out|away|over|here|back|across|down|over here|to me|to us)$", "pick"),
    )
]
"""What any verb does that brings a thing there: "zip it open", "whack it on", "fish it out"."""
_NO_VERBS = frozenset(
    [
        "know",
        "see",
        "think",
        "like",
        "want",
        "need",
        "have",
        "are",
        "were",
        "did",
        "do",
        "can",
        "could",
        "would",
        "should",
        "must",
        "mind",
        "may",
        "not",
        "is",
        "be",
        "am",
        "was",
        "has",
        "does",
        "shall",
        "might",
        "there",
        "we",
        "us",
        "all",
        "both",
        "what",
        "how",
        "who",
        "why",
        "where",
        "when",
        "no",
        "yes",
    ]
)
_TRAILING = re.compile(
    r"(?:(?: and|,)? (?:for (?:me|us|him|her|them|once|good|now|a (?:bit|moment|while|second|minute))|please"
    r"|now|again|quick(?:ly)?|"
    r"carefully|gently|immediately|at once|right away|right now|straight away|asap|then|too|as well|already"
    r"|today|tonight|"
    r"this (?:instant|minute|second)|(?:just )?a (?:bit|little|tad)|in a (?:minute|second|moment)|thanks|ta|ages ago|"
    r"in time|if possible|somehow|properly|all the way|the rest of the way))+$"
)
"""What is said behind an order, and changes nothing."""
_WORD = re.compile(r"[a-z0-9]+|[.!?;:,…]+|\s-+\s|[–—]")
_TOKEN = re.compile(r"T\d+")
_STOP = re.compile(r"[.!?;:,…]+|\s*[-–—]+\s*")
_SHORT = [
    (re.compile(pattern), written)
    for pattern, written in (
        (r"\b(?:will|won't|can't|couldn't|wouldn't|would|could|can|why don't|why not|bet|betcha|i bet)(?: "
            r"not)? (?:you|u|ya)"
         r"(?: (?:can't|cannot|couldn't|can|could))?\b", "could you"),
        (r"\b(is|are|was|did|do|does|have|has|had)n't (there|it|i|we|you|they|he|she|that|this)\b", r"\1 \2"),
        (r"\bu\b", "you"), (r"\bpls\b|\bplz\b", "please"), (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"),
        (r"\bgimme\b", "give me"), (r"\blet's\b", "let us"), (r"\blemme\b", "let me"), (r"\bcan't\b",
        "can not"), (r"\bcannot\b", "can not"),
        (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"\bain't\b", "is not"),
        (r"'re\b", " are"), (r"'m\b", " am"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
        (r"\b(it|that|there|what|who|where|here|this|he|she|whatever|everything|one)'s\b", r"\1 is"),
        (r"(\w)'s (?=(?:\w+ing|all|too|so|about|on|in|off|out|up|not|just|still|right|got|gone|been|at|under"
            r"|behind|dead|the|"
         r"a|an|very|quite|empty|full|dirty|open|shut|ready|over)\b)", r"\1 is "),
        (r"'s\b|'(?=\s|$)", ""), (r"\s+-+\s+", " ; "), (r"(?<=\w)-(?=\w)", " "),
    )
]  # fmt: skip
_JOINTS = frozenset(
    ["and", "so", "but", "because", "since", "before", "otherwise", "while", "or", "cause", "cos", "then"]
)
_ONE = frozenset(["one", "ones"])
_ASIDE = frozenset(["because", "since", "before", "otherwise", "while", "or", "cause", "cos"])
_BINDING = re.compile(r"(?:(?:only |even )?(?:if|when|whenever|once|after|until|unless|as soon as|as long as"
    r"|next time)\b"
                      r"(?! (?:you|possible|i may|i might|need be|it is (?:ok|all right|no trouble))\b))")  # fmt: skip
"""Says when or whether."""
_CONDITION = re.compile(r"(?:if|when|should) .*T\d+ .*\b(?:is|are|be)\b")
_FORBIDS = re.compile(r"(?:please )?(?:do not|never|stop|no need|nobody|not)\b|.*\bleave .*(?:\bbe\b|\balone\b)")
_ALONG = frozenset(["over", "up", "down", "out", "just", "there"])
"""Words before another that tells where a thing is: "over by the door"."""
_NEGATING = frozenset(["not", "never", "without", "except", "than", "instead", "nor"])
_LEFT_ALONE = re.compile(r"leave .*\b(?:be|alone|there|where)\b|(?:do not|never|not) ")
_IF_YOU_WOULD = re.compile(
    r"could you(?: please)?(?: (?:help(?: me)?|be (?:so|that|very) (?:good|kind|nice)|be (?:a|an) \w+|do "
    r"(?:it|that|the honours)))?"
)
_I_MEAN = re.compile(r"\b(?:i mean|i meant|i am talking about|or rather) (?:\w+ ){0,3}?(?P<thing>T\d+)")
_CARRIES = frozenset(["carry", "move", "shift", "transport", "bring", "lug"])
"""Verbs that mean taking a thing along where nothing says where to."""
_STAYS = re.compile(
    r"(?:(?:can|may|should|could|must|will) )?(?:stays?|remains?|waits?|does not|is (?:no good|fine|useless"
    r"|broken))\b"
)
_LEAD = frozenset(
    """please just kindly now then so and well ok okay hey oi hi hello right quick quickly do go also maybe perhaps
    simply robot be dear darling love mate dude alright here yes no oh ah mister sir madam ma am son lad boy girl
    sweetheart honey could would will can may might you good kind quite if sorry thanks thank ta cheers immediately
    somebody someone anybody anyone there finally first next again still actually really already ahead come on let
    us try start about way time to""".split()  # noqa: SIM905
) - {"to", "you", "on", "about", "there", "here", "us"}
"""Words that may stand before an imperative."""
_ADVERBS = frozenset(
    """up down out away over off here there back please now again too just right still together quickly carefully
    somewhere anywhere everywhere me us for good else today once first also immediately""".split()  # noqa: SIM905
)
_POINTS = frozenset(["it", "them", "they", "he", "she", "i"])
_PRONOUNS = frozenset(["it", "them", "they", "her", "him"])
"""What stands for a thing where it is no determiner."""
_ENDS = frozenset("who which what where when is are was were has have will i you we they he she could would if".split())  # noqa: SIM905
_ASKS_TO = frozenset(
    [
        "you",
        "kind",
        "good",
        "mind",
        "able",
        "help",
        "trouble",
        "ask",
        "bother",
        "like",
        "love",
        "dear",
        "sport",
        "favour",
        "favor",
        "remember",
    ]
)
_LEADS_IN = frozenset("mind about fancy try consider with".split())  # noqa: SIM905
_STATES_OF_YOU = frozenset("did do have had when where if since as whether see know think what are were until".split())  # noqa: SIM905
_DEGREED = frozenset(
    "kind much good nice very grateful happy glad long far many bad hard hot cold thirsty hungry tired".split()  # noqa: SIM905
)
_NOT_BEFORE = frozenset(["on", "off"])
"""States that no noun follows."""
_NOT_BETWEEN = frozenset("the a an my our your i you we they he she it and".split()) - {"it"}  # noqa: SIM905
_SOME_OF = frozenset("one some either any all both each none rid hold most lid door bottom side".split())  # noqa: SIM905
_RELATIONS = {
    "on top of": "on top of", "in front of": "in front of", "to the left of": "to the left of",
    "to the right of": "to the right of", "on the left of": "to the left of", "on the right of": "to the right of",
    "left of": "to the left of", "right of": "to the right of", "next to": "beside", "close to": "beside",
    "underneath": "under", "beneath": "under", "below": "under", "under": "under", "behind": "behind",
    "beside": "beside", "by": "beside", "near": "beside", "inside": "in", "in": "in", "on": "on", "at": "on",
    "atop": "on", "above": "above", "over": "above", "from": "in", "off": "on", "out of": "in", "with": "with",
    "between": "between", "against": "beside", "alongside": "beside",
}  # fmt: skip
"""Words that tell where a thing is, and the usual ones for it."""
_WHERE = {
    "in": "into", "into": "into", "inside": "into", "on": "onto", "onto": "onto", "on to": "onto", "to": "to",
    "under": "under",
    "back in": "into", "back on": "onto", "back into": "into", "back to": "to", "in to": "into",
    "over": "onto", "at": "onto",
    "atop": "onto", "next to": "next to", "near": "next to", "by": "next to", "beside": "next to",
    "underneath": "under",
    "against": "next to", "behind": "next to",
}  # fmt: skip
"""Words that tell where a thing is to go, and the usual ones."""
_INTO = frozenset(["into", "onto", "on to", "to", "back in", "back on", "back into", "back to", "in to"])
_PLACE_WORDS = frozenset(
    """in into inside on onto to under underneath beneath below behind beside by near at atop above over from
    off of with
    between against alongside through around for about""".split()  # noqa: SIM905
) - {"about"}
_USED_TO = re.compile(
    r"(?:for (?=(?!the |a |an |my |me\b|us\b|him\b|her\b|them\b|it\b|this |that |our |their |your |today"
    r"|now)[a-z]+ing\b|see|make)"
    r"|(?:that|which) (?:you|we|i|one|people) (?:can |could |may |use to |use for |use )?(?!have|had|got|put"
    r"|left|need|want|like|see)"
    r"|(?:that |which )?(?:is |are )?(?:used|meant|good|made) (?:to|for) )(?P<what>[a-z ]+)"
)
_VAGUE = frozenset(["something", "anything", "whatever", "what", "thing", "stuff", "things", "item", "object"])
_WHATEVER_IS = re.compile(
    rf"\b(?:(?:whatever|anything that|what|everything) is|(?:thing|item|object|stuff)(?: that is)?) (?:\w+ )?"
    rf"(?P<relation>{'|'.join(sorted(_RELATIONS, key=len, reverse=True))}) (?:\w+ ){{0,3}}?(?P<mark>T\d+)"
)
_RELATION = re.compile(
    rf"(?P<relation>{'|'.join(sorted(_RELATIONS, key=len, reverse=True))}) (?P<rest>(?:\w+ ){{0,4}}?)(?P<mark>T\d+)"
    r"(?: and (?:the |a |my )?(?P<other>T\d+))?"
)
_MATERIAL = re.compile(r"(?:that is |which is )?(?:made )?(?:of|from|out of|in) (?P<of>[a-z]+)")
_THAT_IS = re.compile(
    r"(?P<told>(?:that|which|who) )?(?:(?:they|you|i|he|she|we|it|have|has|had|is|are|be|was|still|left|been"
    r"|should|a bit|all|"
    r"currently|already|not|now|always|so|really|very) )*(?P<state>[a-z]+)\b"
)
_WHICHEVER = re.compile(
    r"\bwhichever (?:you|one|is)\b|\bdoes not matter which|\bdo not (?:mind|care) which|\bany (?:one )?will "
    r"do\b|\bdo not care\W*$"
)
_THING = r"(?P<thing>(?:it|they|them|that|this|those|these|(?:\w+ )*?T\d+))"
_PLACE = r"(?P<place>(?:\w+ ){0,4}?T\d+)"
_DIRECTION = r"(?P<where>(?:back )?(?:into|in|inside|onto|on|to|under|next to|beside|near))"
_GOES = [
    (re.compile(pattern), action)
    for pattern, action in (
        (rf"{_DIRECTION} {_PLACE}(?:,)? (?:with )?{_THING}(?: (?:go(?:es)?|belongs?|should go|must go"
            rf"|please))?$", "place"),
        (rf"{_DIRECTION} {_PLACE} with {_THING}", "place"),
        (rf"(?P<where>in|on|inside|back)(?P<place>) {_THING} go(?:es)?\b", "place"),
        (rf"(?P<where>in|on|inside|back)(?P<place>) go(?:es)? {_THING}", "place"),
        (rf"off {_THING} go(?:es)?$", "turnoff"),
        (rf"{_THING} on$", "turnon"), (rf"{_THING} off$", "turnoff"),
        (rf"{_THING} (?:wide )?open$", "open"), (rf"{_THING} (?:shut|closed)$", "close"),
        (rf"{_THING}(?: \w+)? (?:go(?:es)?|belongs?|should go|ought to go|must go|(?:has|have|needs?) to go"
            rf"|can go)(?: back)? "
         rf"{_DIRECTION} {_PLACE}", "place"),
        (rf"(?:let|make sure) (?P<place>(?:the \w+|them|him|her|(?:\w+ )*T\d+)) (?:have|has|get|gets) {_THING}",
         "handover"),
        (rf"(?:let (?:me|us) (?:have|get|see)|i (?:will|would) (?:have|take)) {_THING}(?: back| now)?$", "pick"),
        (rf"{_THING} (?:can|may|should|must|has to|needs to) (?:go (?:to sleep|off)|sleep|rest|have a (?:rest"
            rf"|break))", "turnoff"),
        (rf"{_THING} (?:can|may|should|must|has to|needs to) (?:go on|run|work)$", "turnon"),
        (rf"{_THING} (?:has|have|needs?|ought|must) (?:to )?(?:come (?:\w+ )?(?:here|to me)|(?:go|be gone"
            rf"|disappear|come) "
         r"?(?:away|out|down|up)?)$", "pick"),
        (rf"(?:up|out|away|down|off) with {_THING}", "pick"),
    )
]  # fmt: skip
_ADV = r"(?:(?:still|really|just|also|now|badly|urgently|all|both|only|ever|already|maybe|finally) )*"
_PASSIVE = re.compile(
    rf"(?P<thing>.*?(?:T\d+|it|they|that|this|one)) {_ADV}(?:needs?|wants?|requires?|could do with|could use"
    rf"|is due for|deserves?|"
    r"has to be|have to be|needs? to be|should be|must be|ought to be|is to be|are to be|can be|may be|wants? "
    r"to be|to be)"
    rf"(?: to be| to get)? {_ADV}(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_ASKED_PASSIVE = re.compile(
    r"(?:.*\b)?(?:could|can|may|might|should|would|will) (?P<thing>(?:\w+ )*?(?:T\d+|it|they|that|this|one)) "
    r"(?:please )?(?:be|get) "
    rf"{_ADV}(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_LIKED_DONE = re.compile(
    r"(?:.*\b)?(?P<thing>T\d+|one) (?:that |which )?(?:i|we) (?:would like|would love|want|need|wish)(?: to "
    r"have| to be)? "
    r"(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_HAVE_DONE = re.compile(
    r"(?:.*\b)?(?:have|had|get|want|wanted|need|needed|like|liked|see|prefer|got|make sure|ensure|check) "
    r"(?P<thing>(?:\w+ )*?(?:T\d+|it|that|this|them))"
    r"(?: (?:to be|to get|be|being|is|are|gets|going))? (?:turned |switched )?(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_BRINGS_ABOUT = {
    "on": "turnon", "off": "turnoff", "open": "open", "closed": "close", "shut": "close", "going": "turnon",
    "running": "turnon", "started": "turnon", "working": "turnon", "out": "pick", "away": "pick", "gone": "pick",
}  # fmt: skip
_NEED = re.compile(
    r"(?:\b(?:i|we|he|she|they)(?: would| will| am| are| do| have| really| just| urgently| only| desperately| "
    r"badly| so| could)*"
    r" (?:need|want|like|love|fancy|use|do with|after|looking for|take|appreciate|kill for|require|be glad of)"
    r"|T\d+ (?:needs|lacks|is missing|could do with|could use)"
    r"|\b(?:can|could|may|might) (?:i|we)(?: please| perhaps)? (?:have|get|borrow|see|trouble you for|ask "
    r"(?:you )?for|bother you for)"
    r"|\b(?:let (?:me|us)) (?:be having|have|get)|^(?:how|what) about|\bhave you (?:got )?|^(?:any|some)one got"
    r"|\b(?:what|all) .*\b(?:help|need|want|like|do|use|good)\b.* is) (?P<thing>.+)$"
)
_THAT_ONE = re.compile(
    r"\b(?:that|this|it)(?: is| would be)(?: \w+)? (?:what|the one|the thing|the ones) (?:i|we) (?:want|need"
    r"|mean|am after|would like)"
)
_NOT_NEEDED = re.compile(r"\bnot (?:need|want|like)\b|\bno longer\b|\b(?:would|do) not\b")
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
_STILL_TO_DO = {"turnon": "off", "turnoff": "on", "open": "closed", "close": "open"}
"""How a thing is to which an action is still to be done."""
_SAID = {
    "pick": "take", "place": "put", "open": "open", "close": "close", "turnon": "turn on", "turnoff": "turn off",
    "slice": "slice", "handover": "give", "approach": "go to",
}  # fmt: skip
