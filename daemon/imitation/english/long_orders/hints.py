"""What is asked for by a hint: where a thing goes, what somebody needs, a thing that is named and nothing else."""

import re
from collections.abc import Iterator

from daemon.imitation.english.long_orders.antecedents import subjects
from daemon.imitation.english.long_orders.arguments import object_of, with_arguments
from daemon.imitation.english.long_orders.order_tokens import TOKEN, Clause, Said
from daemon.imitation.english.long_orders.roles import LEAD, PLACE_WORDS, VAGUE, WHERE, without_lead
from daemon.imitation.english.long_orders.wish import Wish
from daemon.imitation.english.orders.names_in_orders import DETERMINERS
from daemon.imitation.english.orders.purposes import by_effect
from daemon.imitation.english.orders.verbs import BRINGS_ABOUT


def as_effect(said: Said, clause: Clause, index: int) -> Wish | None:
    """Read a wish for light or music as one for a thing turned on that makes it."""
    made_by = by_effect(said.unmasked(clause.words))
    return Wish("turnon", made_by, clause=index) if made_by else None


def as_going(said: Said, clause: Clause, index: int) -> Wish | None:
    """Read where a thing goes as a wish: "into the box it goes", "onto the rack with the bread"."""
    text = without_lead(clause.words)
    for pattern, action in _GOES:
        if match := pattern.match(text):
            groups = match.groupdict()
            thing = groups.get("thing") or ""
            target = object_of(said, thing.split()) if thing.strip() else "it"
            place = TOKEN.findall(groups.get("place") or "")
            if action == "place" and not place and "where" not in groups:
                return None
            if place and said.is_person(place[0]):
                action = "handover"
            return Wish(action, target, place[0] if place else "", WHERE.get(groups.get("where") or "", "on"),
                        index, rest=text.split())  # fmt: skip
    return None


def as_need(said: Said, clause: Clause, index: int) -> Wish | None:
    """Read a need for a thing as a request for it."""
    if _THAT_ONE.search(clause.text):
        return Wish("pick", "it", clause=index)
    match = _NEED.search(clause.text)
    if not match or _NOT_NEEDED.search(clause.text):
        return None
    rest = match["thing"].split()
    if not rest or rest[0] in ("to", "you", "not") or (rest[0].endswith("ing") and rest[0] not in VAGUE):
        return None
    placed = with_arguments(said, "place", rest, index)
    if placed.place and (placed.target != "it" or _is_in_hand(said, placed)):
        return placed
    return with_arguments(said, "pick", rest, index)


def to_be_mended(said: Said) -> Iterator[Wish]:
    """Read that a thing is not on, or open, and "do something about it!" as a wish that it were."""
    asked = next((index for index, clause in enumerate(said.clauses) if _DO_SOMETHING.search(clause.text)), None)
    if asked is None:
        return
    for clause in said.clauses:
        if match := _IS_NOT.search(clause.text):
            yield Wish(BRINGS_ABOUT[match["state"]], match["thing"], clause=asked)


def only_named(said: Said) -> Iterator[Wish]:
    """A thing that is named and nothing else: "the small wrench, please"."""
    for index, clause in enumerate(said.clauses):
        if clause.is_aside:
            continue
        bare = [word for word in clause.words if word not in LEAD]
        head = next((i for i, word in enumerate(bare) if TOKEN.match(word)), None)
        modified = head is not None and all(word in DETERMINERS or word in said.attributes for word in bare[:head])
        alone = modified and head is not None and (
            head == len(bare) - 1 or bare[head + 1] in (*PLACE_WORDS, "for", "of", "from")
        )  # fmt: skip
        if (alone and head is not None) or bare[:1] in (["something"], ["anything"], ["whatever"]):
            yield with_arguments(said, "pick", bare, index)


def left_unsaid(said: Said) -> Iterator[Wish]:
    """Read where a thing is, and "would you be so kind?", as a request for it."""
    for index, clause in enumerate(said.clauses):
        if _IF_YOU_WOULD.fullmatch(clause.text) and index:
            yield Wish("pick", "it", clause=index, rest=["it"])


def _is_in_hand(said: Said, wish: Wish) -> bool:
    """Return whether what is spoken of is held: then a place behind it is where it is to go."""
    return any(
        said.looks[name].held
        for clause in said.clauses
        for token in subjects(said, clause)
        for name in said.names(token)
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
_IS_NOT = re.compile(
    r"(?P<thing>T\d+) (?:is|are|was) (?:still )?not (?:yet |turned |switched |even )?"
    r"(?P<state>on|off|open|closed|shut|running)(?: yet| properly| at all)?$"
)
_DO_SOMETHING = re.compile(
    r"\b(?:do something|(?:see to|sort(?: out)?|fix|change|mend|correct|take care of|deal with) (?:it|that|this)"
    r"|(?:sort|put) (?:it|that) (?:out|right))\b"
)
_IF_YOU_WOULD = re.compile(
    r"could you(?: please)?(?: (?:help(?: me)?|be (?:so|that|very) (?:good|kind|nice)|be (?:a|an) \w+|do "
    r"(?:it|that|the honours)))?"
)
