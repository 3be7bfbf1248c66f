"""What a sentence asks for: its clauses, and the objects and places that each mentions. Pure text and names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import takewhile

from rapidfuzz.distance import OSA

from daemon.llm.imitation.names import ANYTHING, MODIFIER, Meaning, Names, kind_of, vocabulary
from daemon.llm.imitation.words import Stems, lexicon, singular, stems

ALL = -1
"""The count of "all the drinks"."""
PARTS = "; "
"""Stands between the parts of a meaning that are done one after the other."""


class Role(Enum):
    """What a place is mentioned as."""

    INTO = "into"
    AT = "at"
    FROM = "from"
    ABOUT = "about"
    """What is wiped, say."""


@dataclass(frozen=True)
class Mention:
    """A phrase that means objects, such as "two different sodas"."""

    phrase: str
    fits: Mapping[str, float]
    """Object -> how well the phrase fits it; empty for things that are not here."""
    count: int = 1
    definite: bool = False
    different: bool = False

    @property
    def bare(self) -> bool:
        """Whether it says no more than "something"."""
        return bool(self.fits) and all(fit >= ANYTHING for fit in self.fits.values())

    def kept(self, names: Sequence[str]) -> "Mention":
        """The mention, with only these names left."""
        return replace(self, fits={name: fit for name, fit in self.fits.items() if name in names})


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
        """Whether it has the form of a statement, and wishes for nothing."""
        return bool(_TELLS.match(self.text)) and not _WISH.search(self.text)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The masked text, and the same with the plainest verb, and with "it" masked too."""
        masked = _FROM_PLACE.sub("", self.masked)
        if (for_me := _FOR_ME.match(masked)) and stems(for_me[1])[:1] in _HANDING:
            return frozenset([f"bring me {masked[for_me.end() :]}"])
        texts = {self.masked, masked, *(_PRONOUN.sub(thing, self.masked) for thing in ("the object", "the place"))}
        return frozenset(form for text in texts for form in (text, *_plainly(text)))


@dataclass
class _Token:
    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        return singular(self.text)


@dataclass
class _Hit:
    """Tokens that mean something."""

    first: int
    last: int
    meaning: Meaning
    negated: bool = False


def read_requests(text: str, names: Names, whole: bool = False) -> list[Request]:
    """The clauses of a sentence, in order; one that is `whole` is not cut."""
    text = spelled(text, names)
    clauses = [text] if whole else list(split_clauses(text, names))
    requests = [read_request(clause, names) for clause in clauses]
    requests = [request for request in requests if request.text]
    asking = [request for request in requests if _asks(request, requests)]
    return [replace(request, background=request not in asking) for request in requests] if asking else requests


def read_request(text: str, names: Names) -> Request:
    """One clause."""
    text = polite(text)
    tokens = [_Token(match[0], *match.span()) for match in _TOKEN.finditer(text)]
    hits = list(_hits(tokens, names))
    mentions: list[Mention] = []
    masks: list[tuple[int, int, str]] = []
    roles: dict[Role, list[str]] = {role: [] for role in Role}
    unclear: list[str] = []
    holders: list[str] = []
    for group in _groups(hits, tokens):
        first, mention = _mention(group, tokens, names)
        if mention is None:
            continue
        role = _role_of_object(first, mention, mentions, tokens, names)
        masked = "the object" if role is None else "the place"
        masks.append((tokens[first].start, tokens[_packed(group[-1].last, tokens)].end, masked))
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
    if mentions and not roles[Role.AT]:
        roles[Role.ABOUT] = []
    return Request(
        text,
        _masked(text, masks),
        tuple(mentions),
        tuple(dict.fromkeys(roles[Role.INTO])),
        tuple(dict.fromkeys([*roles[Role.AT], *roles[Role.ABOUT]])),
        tuple(dict.fromkeys(roles[Role.FROM])),
        tuple(unclear),
    )


def split_clauses(text: str, names: Names) -> Iterator[str]:
    """Cut a sentence where another request, or another statement, begins."""
    start = 0
    for match in _JOINT.finditer(text):
        if match[0].strip(" ,") in (";", ".", "!", "?") or _begins_clause(text[match.end() :], names):
            if clause := text[start : match.start()].strip(" ,;.!?"):
                yield clause
            start = match.end()
    if clause := text[start:].strip(" ,;.!?"):
        yield clause


def polite(text: str) -> str:
    """Without what is said out of politeness: "could you please bring me the tea?" asks to "bring me the tea"."""
    before = ""
    while before != text:
        before, text = text, _POLITE.sub("", text.strip(" ,;.!?")).strip(" ,;.!?")
    return text


def spelled(text: str, names: Names) -> str:
    """Words that nobody knows, one slip away from a word that means something here, are that word."""
    known = {word for phrase in vocabulary(names) for word in phrase if len(word) >= 4}

    def right(match: re.Match[str]) -> str:
        word = match[0]
        stem = singular(word)
        if len(word) < 4 or stem in known or (stem,) in lexicon().verb_stems or stem in _COMMON:
            return word
        near = (other for other in sorted(known) if other[0] == stem[0] and _one_slip(word.lower(), other))
        return next(near, word)

    return _WORD.sub(right, text)


def _one_slip(word: str, other: str) -> bool:
    """Whether one letter too many, too few or changed with its neighbour makes the difference; in long words, any one.

    "Cold" is not a slip for "cola": short words that differ in one letter are often both right.
    """
    return any(
        OSA.distance(word, meant, score_cutoff=1) == 1
        and (len(word) != len(meant) or sorted(word) == sorted(meant) or len(word) > 6)
        for meant in (other, f"{other}s")
    )


def choose(mention: Mention, names: Names, within: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The objects that are meant, one at least of those that fit, none twice; several where it does not say which.

    `within` are the places where they must be, if any. [] for nothing that is here.
    """
    locations = names.locations
    fits = {name: fit for name, fit in mention.fits.items() if name not in taken}
    if within:
        fits = {name: fit for name, fit in fits.items() if locations[name] in within}
    if not fits:
        return []
    ranked = sorted(fits, key=lambda name: (fits[name], locations[name] == "person"))
    if mention.count == ALL:
        return [name for name in fits if fits[name] < MODIFIER or fits[name] >= ANYTHING]
    if mention.different:
        ranked = list({kind_of(name): name for name in reversed(ranked)}.values())[::-1]
    if mention.count > 1:
        return ranked[: mention.count]
    best = [name for name in ranked if int(fits[name]) == int(fits[ranked[0]])]
    if mention.definite and len({kind_of(name) for name in best}) > 1 and not mention.bare:
        return best
    return ranked[:1]


# --- reading ---


def _hits(tokens: Sequence[_Token], names: Names) -> Iterator[_Hit]:
    """The longest phrases that mean something, from left to right."""
    known = vocabulary(names)
    position = 0
    while position < len(tokens):
        for length in range(min(5, len(tokens) - position), 0, -1):
            phrase = tuple(token.stem for token in tokens[position : position + length])
            if phrase in known and not _is_verb(position, phrase, tokens, known[phrase]):
                yield _Hit(position, position + length - 1, known[phrase], _is_negated(tokens[:position]))
                position += length
                break
        else:
            position += 1


def _is_negated(before: Sequence[_Token]) -> bool:
    """Whether the last three words before deny what follows: "not the milk", and "no milk", but not "no, the milk"."""
    last = list(takewhile(lambda token: token.text != ",", reversed(before[-3:])))
    return any(token.stem in _NEGATIONS for token in last)


def _is_verb(position: int, phrase: Stems, tokens: Sequence[_Token], meaning: Meaning) -> bool:
    """Whether a word that can be a thing is what to do: "drink", "clean", "place", "can"."""
    if len(phrase) > 1:
        return False
    before = tokens[position - 1].stem if position else ""
    if before in ("to", "help"):
        return not any(token.stem in (*_VAGUE, *_NOUNS) for token in tokens[:position])
    return position == 0 and phrase in lexicon().verb_stems


def _groups(hits: Sequence[_Hit], tokens: Sequence[_Token]) -> Iterator[list[_Hit]]:
    """Hits that describe the same thing: "something | salty", "drink with | caffeine", "lime | drink"."""
    group: list[_Hit] = []
    for hit in hits:
        if hit.meaning.places and not hit.meaning.objects:
            continue
        between = tokens[group[-1].last + 1 : hit.first] if group else []
        if group and all(token.stem in _GLUE for token in between) and _fits_together(group, hit, bool(between)):
            group.append(hit)
        else:
            if group:
                yield group
            group = [hit]
    if group:
        yield group


def _fits_together(group: Sequence[_Hit], hit: _Hit, apart: bool) -> bool:
    return (
        not apart or hit.negated or hit.meaning.is_purpose or bool(_denoted([*group, hit]) or not hit.meaning.objects)
    )


def _denoted(group: Sequence[_Hit]) -> dict[str, float]:
    """What fits every part of a description."""
    fits: dict[str, float] | None = None
    for hit in group:
        if hit.negated:
            continue
        objects = hit.meaning.objects
        if fits is None:
            fits = dict(objects)
        else:
            fits = {name: _better(fit, objects[name]) for name, fit in fits.items() if name in objects}
    without = {name for hit in group if hit.negated for name, fit in hit.meaning.objects.items() if fit < ANYTHING}
    return {name: fit for name, fit in (fits or {}).items() if name not in without}


def _better(one: float, other: float) -> float:
    """How well a thing fits two descriptions: as the more exact one does, among equals as the more typical."""
    return min(one, other) if int(one) != int(other) else max(one, other)


def _mention(group: Sequence[_Hit], tokens: Sequence[_Token], names: Names) -> tuple[int, Mention | None]:
    """The first token of a noun phrase, and what it means; None where it is none after all."""
    first, words = _determiners(group[0].first, tokens)
    last = tokens[_packed(group[-1].last, tokens)]
    fits = _denoted(group)
    packed = _packed(group[-1].last, tokens) > group[-1].last
    if fits and min(fits.values()) == MODIFIER and not packed:
        fits = {}
    if all(hit.meaning.is_purpose for hit in group) and not _is_wish(group[0].first, tokens):
        return first, None
    noun = tokens[group[0].last]
    own = {word.lower() for name in fits for word in re.split(r"[\W_]+", name)}
    plural = any(
        tokens[i].text.lower() != tokens[i].stem and tokens[i].text.lower() not in own
        for hit in group
        if not hit.negated and not hit.meaning.is_purpose
        for i in (hit.last,)
    )
    numbers = [int(word) if word.isdigit() else _NUMBERS[word] for word in words if word.isdigit() or word in _NUMBERS]
    count = numbers[0] if numbers else ALL if plural or _EVERY & set(words) or noun.stem in _ALL_OF_IT else 1
    phrase = " ".join(token.text for token in tokens[group[0].first : group[-1].last + 1])
    one_of_them = "of" in words and bool({"one", "any", "either"} & set(words))
    count = 1 if one_of_them else count
    definite = bool(_DEFINITE & set(words)) and last is not None and not one_of_them
    return first, Mention(phrase, fits, count, definite, "different" in words)


def _determiners(position: int, tokens: Sequence[_Token]) -> tuple[int, list[str]]:
    """Where the noun phrase begins whose noun stands at a position, and the small words before the noun."""
    words: list[str] = []
    first = position
    for index in range(position - 1, max(-1, position - 6), -1):
        word = tokens[index].text.lower()
        if word == "of" and tokens[index - 1].text.lower() not in _EVERY | {"one", "some", "any", "both"}:
            break
        if word in _DETERMINERS or word.isdigit():
            words.append(word)
            first = index
        elif (
            lexicon().degrees(word)
            or index < position - 1
            or index == 0
            or tokens[index - 1].text.lower() not in _ARTICLES
        ):
            break
    return first, words


def _role(position: int, tokens: Sequence[_Token]) -> tuple[int, Role]:
    """Where the mention of a place begins, and what it is mentioned as."""
    first, _ = _determiners(position, tokens)
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
    first: int, mention: Mention, before: Sequence[Mention], tokens: Sequence[_Token], names: Names
) -> Role | None:
    """What an object is mentioned as that something is put into or taken out of; None for one that is handled itself.

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
    """The objects that a phrase fits best."""
    best = min(mention.fits.values())
    return [name for name, fit in mention.fits.items() if fit == best]


def _plainly(text: str) -> Iterator[str]:
    """A clause with plainer words for its verb: "toss the object" is "throw away the object"."""
    if text == "the object":
        yield "bring me the object"
    for plain, others in lexicon().verbs.items():
        for verb in (plain, *others):
            first, _, particle = verb.partition(" ")
            if text.startswith(f"{verb} ") or text == verb:
                yield f"{plain}{text[len(verb) :]}"
            elif particle and (apart := re.match(rf"{first} (the object) {particle}\b", text)):
                yield f"{plain} the object{text[apart.end() :]}"


def _packed(last: int, tokens: Sequence[_Token]) -> int:
    """The last token of a noun phrase, with the word for its packaging: the coke can."""
    follows = last + 1 < len(tokens) and tokens[last + 1].stem in {*lexicon().packaging, "one"}
    return last + 1 if follows else last


def _is_wish(position: int, tokens: Sequence[_Token]) -> bool:
    """ "I am thirsty" asks for something to drink."""
    return any(token.text.lower() in _FEELING for token in tokens[max(0, position - 3) : position])


def _masked(text: str, masks: Sequence[tuple[int, int, str]]) -> str:
    for start, end, word in sorted(masks, reverse=True):
        text = f"{text[:start]}{word}{text[end:]}"
    text = _LIST.sub(lambda match: match[1], text)
    return " ".join(text.lower().split())


def _asks(request: Request, requests: Sequence[Request]) -> bool:
    """Whether a clause asks for something, rather than tell how things are, or share what the next one names."""
    shares = stems(request.text) in lexicon().verb_stems and request is not requests[-1]
    return not shares and not request.tells


def _begins_clause(text: str, names: Names) -> bool:
    """Whether another request or statement begins, and not another thing in a list, such as the trash can."""
    bare = polite(text)
    words = stems(bare)[:2]
    is_thing = len(words) > 1 and words in vocabulary(names)
    is_verb = words[:1] in lexicon().verb_stems or words in lexicon().verb_stems
    return (is_verb and not is_thing) or bool(_TELLS.match(text) or _ASKING.match(text))


_TOKEN = re.compile(r"[A-Za-z0-9&]+(?:'[a-z]+)?|[^\sA-Za-z0-9&_-]")
_WORD = re.compile(r"[A-Za-z]+")
_JOINT = re.compile(
    r"\s*[;.!?]\s+|(?:\s*,)?\s+(?:and\s+)?(?:then|after that|afterwards|but|so)\s+"
    r"|(?:\s*,)?\s+and\s+(?:also\s+)?|\s*,\s+"
)
_ASKING = re.compile(
    r"^(?:(?:how|when) )?(?:can|could|would|will|might|do|did)\s+(?:you|we|i)\b|^(?:please|may i)\b", re.IGNORECASE
)
"""Begins a request as a question."""
_POLITE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|well|now|please|then|and|also|robot|heed|kindly|just|so)\b[\s,]*)+(?=\w)"
    r"|^(?:(?:how|when) )?(?:can|could|would|will|might|do|did)\s+(?:you|we)\s+(?:mind\s+)?"
    r"(?:please\s+|kindly\s+|maybe\s+|perhaps\s+)?"
    r"(?:be so kind (?:as )?to\s+|be able to\s+|help me (?:to )?)?(?=\w)"
    r"|^(?:i(?: would|'d) like you to|i want you to|i need you to|you (?:should|could|can|must))\s+"
    r"|^if so\b[\s,]*(?=\w)|^(?:please|ok|okay|robot|well|now|so|then)$"
    r"|,?\s+please$|,?\s+(?:for me|thanks|thank you)$",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^(?:any(?:thing|one)?|either|whichever|whatever)\b.*\b"
    r"(?:(?:will|would) do|(?:is|are|would be) (?:fine|good|ok(?:ay)?))\b"
    r"|^(?:is there|are there|do we have|i|we|you|he|she|they|it|there|my|our|this|that|someone|somebody)\b(?:'\w+)?",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(want|need|wish|would like|would love|'d like|'d love|could use|fancy|crave|feel like|"
    r"can i (?:have|get)|may i have|could i have)\b",
    re.IGNORECASE,
)
_FROM_PLACE = re.compile(r" (?:from|off|out of) the place\b")
_FOR_ME = re.compile(r"(\w+) (?:me|us) (?=the object)")
_HANDING = [stems(word) for plain in ("bring", "pick up") for word in (plain, *lexicon().verbs[plain])]
_PRONOUN = re.compile(r"\b(it|them|one|those|these)\b(?: all)?")
_LIST = re.compile(r"(the (?:object|place))(?:(?:,? and|,? or|,)\s+\1)+")
_IN_OR_ON = ("in", "into", "on", "onto", "inside")
_PUTTING = [stems(verb) for verb in ("put", "place", "set", "lay", "drop", "move", "store", "stow", "leave", "deposit")]
_FILLING = ("fill", "refill", "stock", "restock", "load")
_LYING = {"is", "are", "that", "which", "lying", "standing", "lies", "stands", "left", "sitting", "have", "has", "kept"}
_ARTICLES = {"the", "a", "an", "some", "any", "my", "your", "our", "all"}
_DEFINITE = {"the", "that", "this", "which"}
_EVERY = {"all", "every", "each", "both", "these", "those"}
_ALL_OF_IT = {"everything", "stuff"}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "couple": 2, "both": 2}
_DETERMINERS = (
    _ARTICLES
    | _DEFINITE
    | _EVERY
    | set(_NUMBERS)
    | {"another", "one", "other", "different", "of", "more", "kinds", "types"}
)
_NEGATIONS = {"not", "no", "without", "except", "isn't", "aren't", "but", "besides", "than"}
_GLUE = _NEGATIONS | {
    *("that", "which", "is", "are", "with", "has", "have", "having", "contain", "of", "to", "for", "me", "us", "help"),
    *("a", "an", "the", "some", "very", "really", "more", "kind", "type", "full", "other", "i", "can", "it", "up"),
    *("be", "would", "will", "you", "my", "this", "that's", "in"),
}
_FEELING = {"am", "i'm", "feel", "feeling", "getting", "so", "very", "really", "we're", "are"}
_VAGUE = ("something", "anything", "thing", "stuff", "one", "some")
_NOUNS = ("drink", "snack", "object", "item")
_COMMON = frozenset(
    stems(
        "with from that this what where when then them they there have some into onto over under next near your mine "
        "here please would could should will want need like also just after before again back away down every each "
        "more most other another thank thanks good nice first last open close lunch time work home kitchen both"
    )
)
"""Words that are spelled as they should be."""
