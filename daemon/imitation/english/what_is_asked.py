"""What a sentence asks for: its clauses, and the objects and places that each mentions.

Read from the text and from the names of what is here, with no scene.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from daemon.imitation.english.clauses import polite, spelled, split_clauses, tells
from daemon.imitation.english.object_phrases import (
    Mention,
    Token,
    determiners,
    groups_of,
    hits_in,
    mention_of,
    packed,
    tokens_of,
)
from daemon.imitation.english.polarity import denied
from daemon.imitation.english.vocabulary import ANYTHING, Names
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.names import spoken


class Role(Enum):
    """What a place is mentioned as."""

    INTO = "into"
    AT = "at"
    FROM = "from"
    ABOUT = "about"
    """What is wiped, say."""


@dataclass(frozen=True)
class Request:
    """A clause, understood as far as words go."""

    text: str
    masked: str
    """The text with each mention replaced by "object" or "place", so that two requests compare by their intent."""
    mentions: tuple[Mention, ...] = ()
    targets: tuple[str, ...] = ()
    """Places that are mentioned as where to, or an object that something is put into or onto."""
    places: tuple[str, ...] = ()
    """Places that are mentioned as where something is, or is to be: "the cup on the table"."""
    sources: tuple[str, ...] = ()
    """Places that are mentioned as where from."""
    unclear: tuple[str, ...] = ()
    """Places of which one is meant, but which?"""
    background: bool = False
    """It tells how things are, while another clause asks for something."""

    @property
    def tells(self) -> bool:
        """Return whether it has the form of a statement, and wishes for nothing."""
        return tells(self.text)

    @property
    def remarks(self) -> bool:
        """Return whether it names nothing that is here and no deed: "movie night"."""
        words = stems(self.text)
        verbs = lexicon().verb_stems
        return not (self.mentions or self.targets or self.places) and not any((word,) in verbs for word in words)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The masked text, and the same with the plainest verb, and with "it" masked too."""
        masked = _FROM_PLACE.sub("", self.masked)
        if (for_me := _FOR_ME.match(masked)) and stems(for_me[1])[:1] in _HANDING:
            return frozenset([f"bring me {masked[for_me.end() :]}"])
        texts = {self.masked, masked, *(_PRONOUN.sub(thing, self.masked) for thing in ("the object", "the place"))}
        return frozenset(form for text in texts for form in (text, *_plainly(text)))


def read_requests(text: str, names: Names, whole: bool = False) -> list[Request]:
    """Return the clauses of a sentence, in order; one that is `whole` is not cut."""
    text = spelled(text, names)
    clauses = [text] if whole else list(split_clauses(text, names))
    requests = [read_request(clause, names) for clause in clauses]
    requests = [request for request in requests if request.text]
    asking = [request for request in requests if _asks(request, requests)]
    return [replace(request, background=request not in asking) for request in requests] if asking else requests


def unless_denied(request: Request, said: str, names: Names) -> Request:
    """Return the request, in the background where all that it mentions is said no to in what was said as a whole."""
    things = [spoken(name) for mention in request.mentions for name in mention.fits]
    every = [spoken(name) for name in (*names.locations, *names.places)]
    refused = things and set(denied(said, every)) >= set(things) and bool(denied(request.text, every))
    return replace(request, background=True) if refused else request


def read_request(text: str, names: Names) -> Request:
    """One clause."""
    text = polite(text)
    tokens = tokens_of(text)
    hits = list(hits_in(tokens, names))
    mentions: list[Mention] = []
    masks: list[tuple[int, int, str]] = []
    roles: dict[Role, list[str]] = {role: [] for role in Role}
    unclear: list[str] = []
    holders: list[str] = []
    for group in groups_of(hits, tokens):
        first, mention = mention_of(group, tokens, names)
        if mention is None:
            continue
        role = _role_of_object(first, mention, mentions, tokens, names)
        masked = "the object" if role is None else "the place"
        masks.append((tokens[first].start, tokens[packed(group[-1].last, tokens)].end, masked))
        if role is None:
            mentions.append(mention)
        else:
            found = _best(mention)
            roles[role] += found
            holders += found
            unclear += found if len(found) > 1 and role is Role.INTO else []
    for hit in hits:
        if hit.meaning.places and not hit.meaning.objects:
            first, role = _role(hit.first, tokens)
            best = min(hit.meaning.places.values())
            found = [name for name, fit in hit.meaning.places.items() if fit == best]
            several = best >= ANYTHING or tokens[hit.last].text.lower() != tokens[hit.last].stem
            if len(found) > 1 and not several:
                unclear += found
            roles[role] += found if several else found[:1]
            masks.append((tokens[first].start, tokens[hit.last].end, "the place"))
    if holders and roles[Role.INTO] == holders:
        roles[Role.AT] = []  # "in the bowl on the table": the table only tells which bowl
    if not mentions and _QUESTION.match(text):
        roles[Role.AT] += roles[Role.FROM]  # "what is on the table" takes nothing from it
        roles[Role.FROM] = []
    if mentions and not roles[Role.AT]:
        roles[Role.ABOUT] = []
    return Request(
        text,
        _with_stand_ins(text, masks),
        tuple(mentions),
        tuple(dict.fromkeys(roles[Role.INTO])),
        tuple(dict.fromkeys([*roles[Role.AT], *roles[Role.ABOUT]])),
        tuple(dict.fromkeys(roles[Role.FROM])),
        tuple(unclear),
    )


def _role(position: int, tokens: Sequence[Token]) -> tuple[int, Role]:
    """Return where the mention of a place begins, and what it is mentioned as."""
    first, _ = determiners(position, tokens)
    before = [token.text.lower() for token in tokens[max(0, first - 4) : first]]
    last = before[-1] if before else ""
    if last in ("or", "and", ","):
        return first, Role.AT
    if last in ("from", "off") or before[-2:] in (["out", "of"], ["off", "of"]):
        return first, Role.FROM
    if last in ("to", "into", "onto", "inside", "towards", *_FILLING):
        return first, Role.INTO
    if last in ("on", "in", "at", "by", "near", "over") or last == "":
        return first, Role.FROM if _LYING & set(before) else Role.AT
    return first, Role.ABOUT


def _role_of_object(
    first: int, mention: Mention, before: Sequence[Mention], tokens: Sequence[Token], names: Names
) -> Role | None:
    """Return the role of an object that something is put into or taken out of; None for one that is handled itself.

    `first` is where its noun phrase begins, `before` what was mentioned already.
    """
    if not before or not mention.fits or mention.bare:
        return None
    preposition = tokens[first - 1].text.lower()
    if preposition not in (*_IN_OR_ON, "from", "of", "off"):
        return None
    inside = [name for name in before[-1].fits if names.locations.get(name) in mention.fits]
    if preposition not in _IN_OR_ON or inside:
        return Role.FROM if inside else None
    return Role.INTO if stems(tokens[0].text) in _PUTTING else None


def _best(mention: Mention) -> list[str]:
    """Return the objects that a phrase fits best."""
    best = min(mention.fits.values())
    return [name for name, fit in mention.fits.items() if fit == best]


def _plainly(text: str) -> Iterator[str]:
    """Yield a clause with plainer words for its verb: "toss the object" is "throw away the object"."""
    if text == "the object" or _WELCOME.fullmatch(text) or _WISHED.fullmatch(text):
        yield "bring me the object"
    for plain, others in lexicon().verbs.items():
        for verb in (plain, *others):
            first, _, particle = verb.partition(" ")
            if verb == "look" and text.startswith("look for "):
                continue  # that is another verb
            if text.startswith(f"{verb} ") or text == verb:
                yield f"{plain}{text[len(verb) :]}"
            elif particle and (apart := re.match(rf"{first} (the object) {particle}\b", text)):
                yield f"{plain} the object{text[apart.end() :]}"


def _with_stand_ins(text: str, masks: Sequence[tuple[int, int, str]]) -> str:
    for start, end, word in sorted(masks, reverse=True):
        text = f"{text[:start]}{word}{text[end:]}"
    text = _LIST.sub(lambda match: match[1], text)
    return " ".join(text.lower().split())


def _asks(request: Request, requests: Sequence[Request]) -> bool:
    """Return whether a clause asks for something, rather than tell how things are, or share what the next one names."""
    if _FEELS.match(request.text) and any(other.mentions for other in requests if other is not request):
        return False
    if _OTHERS_WISH.match(request.text) and any(
        other.mentions or _PRONOUN.search(other.text) for other in requests if other is not request
    ):
        return False  # "Mrs Hill would like the tea, bring it here"
    shares = stems(request.text) in lexicon().verb_stems and request is not requests[-1]
    return not shares and not request.tells


_QUESTION = re.compile(r"wh(?:at|ich|o)\b", re.IGNORECASE)
_WISHED = re.compile(
    r"(?:i|we)(?:'d| would|'ll| will| could)? (?:really |just |also )?"
    r"(?:like|love|want|need|fancy|have|take|use|do with)"
    r"(?: to have| to get)? the object(?: over here| here| now)?"
)
_WELCOME = re.compile(r"the object(?: would|'d) be (?:\w+ )?(?:great|nice|lovely|good|perfect|fine|welcome)(?: now)?")
"""A wish for a thing asks to bring it."""
_OTHERS_WISH = re.compile(
    r"(?:(?:mr|mrs|ms|miss|dr|my|our|the|this|that|a) ?\.? ?)?(?!(?:i|we|you|who|if|when)\b)[\w-]+(?:(?:'s|"
    r" is)(?: just| really)? (?:asking"
    r" for|after|waiting for|dying for)|(?:'d| would)(?: really)? (?:like|love)| wants| needs| asks for|"
    r" asked for| could do with)\b",
    re.IGNORECASE,
)
"""What somebody else wishes for, while another clause asks for it."""
_FEELS = re.compile(r"(?:i|we)(?:'m| am|'re| are)\b.*\b(?:thirsty|hungry|peckish|starving)\b", re.IGNORECASE)
_FROM_PLACE = re.compile(r" (?:from|off|out of) the place\b")
_FOR_ME = re.compile(r"(\w+) (?:me|us) (?=the object)")
_HANDING = [stems(word) for plain in ("bring", "pick up") for word in (plain, *lexicon().verbs[plain])]
_PRONOUN = re.compile(
    r"\b(?:it|them|one|those|these|(?:this|that)(?= (?:in|on|into|onto|to|at|over|back|down|away|up)\b|$))\b(?: all)?"
)
_LIST = re.compile(r"(the (?:object|place))(?:(?:,? and|,? or|,)\s+\1)+")
_IN_OR_ON = ("in", "into", "on", "onto", "inside")
_PUTTING = [stems(verb) for verb in ("put", "place", "set", "lay", "drop", "move", "store", "stow", "leave", "deposit")]
_FILLING = ("fill", "refill", "stock", "restock", "load")
_LYING = {"is", "are", "that's", "lying", "standing", "lies", "stands", "left", "sitting", "have", "has", "kept"}
