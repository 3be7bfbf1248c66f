"""What the phrases of a sentence refer to in a scene: things, classes of things, places, and high places.

masked() puts a short token in the place of each, "T0" for a thing, "C1" for a class, "P2" for a place and "H3" for a
high place, so that a form of speech can be told by its words alone, whatever it is about.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from daemon.console.learning.scope import is_of_kind, known_looks
from daemon.imitation.english.look_phrases import things_of_a_look
from daemon.imitation.english.vocabulary import NO_KIND
from daemon.lexicon.inflection import singular
from daemon.lexicon.kinds import content_of, kinds_of_thing
from daemon.lexicon.look_words import COMMON, plain_look
from daemon.lexicon.word_meanings import WORD, Stems, lexicon, stems
from daemon.memory.effects import HIGH_PLACE
from daemon.memory.rules import Scope
from daemon.names import called, forms, head, mention, spoken
from skills.scene import Location, Scene, Thing

ARTICLE = re.compile(r"^(?:the|a|an|some|any|every|each|my|your|our|all)\s+", re.IGNORECASE)
DETERMINER = re.compile(r"(?:\b(?:the|a|an|some|any|every|each|my|your|our|all|of|another|other)\s+)+$", re.IGNORECASE)
HIGH = re.compile(
    r"(?:\b(?:something|anything|somewhere|a thing|things|it|that) (?:is |are |stands |that is )*)?(?:\b(?:too|"
    r"very|up) )*"
    r"\b(?:high|tall)\b(?: up)?(?: (?:surface|place|spot|shelf|cupboard)s?)?(?: for (?:me|us))?"
    r"|\b(?:out of (?:my |our )?reach|up there|reach up)\b",
    re.IGNORECASE,
)
BEFORE_PLACE = re.compile(r"\b(?:to|from|on|in|into|onto|at|between|and|inside|off)\s+$", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """A phrase that means something here."""

    start: int
    end: int
    things: tuple[Thing, ...] = ()
    category: str = ""
    """Set where it names a class."""
    places: tuple[Location, ...] = ()
    high: bool = False
    look: str = ""
    """Set where it names all things of a look."""
    word: str = ""
    """By which it names things, in the singular."""

    @property
    def letter(self) -> str:
        return "H" if self.high else "C" if self.category or self.look else "T" if self.things else "P"


@dataclass(frozen=True)
class Masked:
    """A sentence with tokens in the place of what it refers to."""

    text: str
    scene: Scene
    references: tuple[Reference, ...]

    def thing(self, token: str) -> str:
        """Return the word by which a rule names the thing of a token; "" where it is no single thing."""
        reference = self.references[int(token[1:])]
        if len(reference.things) > 1 and reference.word:
            return reference.word
        return word_for(reference.things[0], self.scene) if reference.things else ""

    def category(self, token: str) -> str:
        """Return the class of the thing of a token; "" where it is no single thing, or has none."""
        things = self.references[int(token[1:])].things
        return things[0].category if things and things[0].category not in NO_KIND else ""

    def place(self, token: str) -> str:
        """Return what the robot calls the place of a token."""
        return spoken(self.references[int(token[1:])].places[0].name)

    def scope(self, token: str) -> tuple[Scope, str]:
        """Return the scope that a token stands for, and an example of its class."""
        reference = self.references[int(token[1:])]
        if reference.high:
            return Scope(place=HIGH_PLACE), ""
        if reference.look:
            return Scope(object_class=reference.category, look=reference.look), ""
        if reference.category:
            return Scope(object_class=reference.category), example_of(reference.category, self.scene)
        if reference.things:
            return Scope(object=self.thing(token)), ""
        return Scope(place=self.place(token)), ""

    @cached_property
    def tokens(self) -> list[str]:
        """All tokens, in the sentence's order."""
        return re.findall(r"\b[TCPH]\d+\b", self.text)


def masked(text: str, scene: Scene, last: str = "") -> Masked:
    """Return the sentence with tokens, also for "it" and "one"; `last` is the thing that was handled last."""
    references = references_in(text, scene)
    parts, end = [], 0
    for number, reference in enumerate(references):
        before = DETERMINER.sub("", text[end : reference.start])
        parts += [before, f"{reference.letter}{number}"]
        end = reference.end
    plain = "".join([*parts, text[end:]])
    known = next((thing for thing in scene.objects if thing.name == last), None)
    if known is not None:
        references.append(Reference(0, 0, (known,)))
        here = f"T{len(references) - 1}"
        plain = _IT.sub(lambda match: f"{match[1]}{_kind_before(match.start(), plain) or here}", plain)
    return Masked(_with_antecedent(plain), scene, tuple(references))


def _kind_before(position: int, text: str) -> str:
    """Return the token of the kind of things that a sentence spoke of before this place; "" for none."""
    return next(reversed(re.findall(r"\bC\d+\b", text[:position])), "")


def references_in(text: str, scene: Scene) -> list[Reference]:
    """Return all phrases that mean something, the longest of those that overlap, in the sentence's order."""
    chosen: list[Reference] = []
    for one in sorted(_candidates(text, scene), key=lambda r: (r.start - r.end, r.start)):
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda reference: reference.start)


def word_for(thing: Thing, scene: Scene) -> str:
    """Return the shortest way to call a thing that means no other thing here."""
    for form in reversed(forms(thing.name)):
        if sum(called(other.name, form) for other in scene.objects) == 1:
            return form
    return spoken(thing.name)


def place_called(phrase: str, scene: Scene) -> str | None:
    """Return what the robot calls the place of this phrase; "bench" may be the end of "workbench"."""
    bare = ARTICLE.sub("", phrase.strip()).lower()
    for place in scene.locations:
        if called(place.name, bare) or bare in place.aliases:
            return spoken(place.name)
    ending = [place for place in scene.locations if len(bare) > 3 and head(place.name).endswith(bare)]
    return spoken(ending[0].name) if len(ending) == 1 else None


def example_of(category: str, scene: Scene) -> str:
    """Return a thing of a class, to say a rule more plainly."""
    return next((word_for(thing, scene) for thing in scene.objects if is_of_kind(thing, category)), "")


def _candidates(text: str, scene: Scene) -> Iterator[Reference]:
    yield from (Reference(*match.span(), high=True) for match in HIGH.finditer(text))
    phrases = _thing_phrases(scene)
    for phrase, things in phrases.items():
        yield from (Reference(*span, tuple(things), word=phrase) for span in _spans(phrase, text))
    looks = known_looks(scene)
    for category in {thing.category for thing in scene.objects} - set(NO_KIND):
        for phrase in {category, *_nouns(category)} - set(phrases):
            for start, end in _spans(phrase, text):
                if _A_VERB.search(text[:start]):
                    continue  # "I only drink water"
                before = re.search(r"([\w-]+) $", text[:start])
                look = before[1].lower() if before and before[1].lower() in looks else ""
                if look and not _A_PLACE_TOO.match(text[end:]):
                    yield Reference(start - len(look) - 1, end, category=category, look=plain_look(look))
                yield Reference(start, end, category=category)
    yield from _by_modifier(text, scene)
    yield from _kinds_by_meaning(text, scene)
    yield from _kinds_by_purpose(text, scene, looks)
    yield from (Reference(start, end, look=look) for start, end, look in things_of_a_look(text, scene))
    for phrase, places in _place_phrases(scene).items():
        for span in _spans(phrase, text):
            if phrase not in phrases or BEFORE_PLACE.search(DETERMINER.sub("", text[: span[0]])):
                yield Reference(*span, places=tuple(places))


def _thing_phrases(scene: Scene) -> dict[str, list[Thing]]:
    phrases: dict[str, list[Thing]] = {}
    for thing in scene.objects:
        for phrase in {form.lower() for form in (*forms(thing.name), *thing.aliases)}:
            phrases.setdefault(phrase, []).append(thing)
    for thing in scene.objects:
        contents = content_of(thing.name)
        if contents and contents not in phrases and plain_look(contents) not in COMMON:
            phrases[contents] = [thing]
    return phrases


def _by_modifier(text: str, scene: Scene) -> Iterator[Reference]:
    """ "The decaf", where only one thing here is called decaf anything."""
    for match in _NOUN_LEFT_OUT.finditer(text):
        word = match["word"].lower()
        so_called = [thing for thing in scene.objects if word in forms(thing.name)[0].lower().split()[:-1]]
        if len(so_called) == 1:
            yield Reference(*match.span("word"), things=(so_called[0],))


def _kinds_by_meaning(text: str, scene: Scene) -> Iterator[Reference]:
    """Yield what is here under a wider word: "power tools", "the cheese"."""
    here: dict[Stems, list[Thing]] = {}
    for thing in scene.objects:
        for kind in frozenset().union(*(kinds_of_thing(name) for name in (thing.name, *thing.aliases))):
            here.setdefault(kind, []).append(thing)
    words = list(WORD.finditer(text))
    for length in (3, 2, 1):
        for first, last in zip(words, words[length - 1 :], strict=False):
            phrase = stems(text[first.start() : last.end()])
            if phrase not in here or (length == 1 and not _is_noun(text, first)):
                continue
            span = first.start(), last.end()
            definite = re.search(r"\b(?:the|that|this|my|our|your) $", text[: first.start()], re.IGNORECASE)
            if definite and len(here[phrase]) == 1 and singular(last[0]) == last[0].lower():
                yield Reference(*span, things=tuple(here[phrase]))
            else:
                yield Reference(*span, category=" ".join(phrase))


def _is_noun(text: str, word: re.Match[str]) -> bool:
    """Return whether a single word may be meant as one: in the plural, or after a word that a noun follows."""
    before = text[: word.start()]
    if _A_VERB.search(before):
        return False
    return stems(word[0]) not in lexicon().verb_stems or bool(DETERMINER.search(before) or _BEFORE_NOUN.search(before))


def _kinds_by_purpose(text: str, scene: Scene, looks: Set[str]) -> Iterator[Reference]:
    """ "Everything you can read", "anything hot to drink"."""
    for match in _PURPOSE.finditer(text):
        look, purpose = match["look"] or "", stems(match["verb"])
        kinds = (kind for kind in lexicon().kinds.values() if purpose in kind.purposes and not kind.is_property)
        if look and plain_look(look) not in looks:
            continue
        for kind in kinds:
            if any(is_of_kind(thing, kind.name) for thing in scene.objects):
                yield Reference(*match.span(), category=kind.name, look=plain_look(look))


def _place_phrases(scene: Scene) -> dict[str, list[Location]]:
    phrases: dict[str, list[Location]] = {}
    for place in scene.locations:
        if place.kind == "person":
            continue
        for phrase in (*forms(place.name), *place.aliases):
            phrases.setdefault(phrase.lower(), []).append(place)
    for place in scene.locations:  # "bench" may be the end of "workbench"
        end = head(place.name).lower()
        for length in range(4, len(end) - 2):
            phrases.setdefault(end[-length:], [place])
    return phrases


def _nouns(category: str) -> Iterator[str]:
    """Yield what else people call a class: a drink is a beverage."""
    known = lexicon().kinds.get(category)
    if known is not None:
        yield from (" ".join(noun) for noun in known.nouns)


def _spans(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := mention(phrase, text[position:]):
        yield position + match.start(), position + match.end()
        position += match.end()


def _with_antecedent(text: str) -> str:
    """ "You forgot T0. I always want one": "one" is T0. "Put it on P1, T0 always goes there": "there" is on P1."""

    def right(match: re.Match[str]) -> str:
        before = re.findall(r"\bT\d+\b", text[: match.start()])
        return f"{match[1]}{before[-1]}" if before else match[0]

    def where(match: re.Match[str]) -> str:
        before = re.findall(r"\bP\d+\b", text[: match.start()])
        return f"{match[1]}on {before[-1]}" if before else match[0]

    return _THERE.sub(where, _ONE.sub(right, text))


def with_antecedents(parts: Sequence[str], scene: Scene) -> list[str]:
    """Return the sentences of an utterance, "it" and "them" said in full where one before spoke of a kind of things."""
    found: list[str] = []
    kinds: list[str] = []
    place = ""
    for part in parts:
        full = said_in_full(part, kinds, scene)
        places = [one.places[0] for one in references_in(part, scene) if one.places]
        found.append(_ANYWHERE.sub(rf"\1on the {place}", full) if place and not places else full)
        kinds += things_named(part, scene, kinds_only=True)
        place = spoken(places[-1].name) if places else place
    return found


def things_named(text: str, scene: Scene, kinds_only: bool = False) -> list[str]:
    """Return the phrases of a text that mean things."""
    said = (one for one in references_in(text, scene) if one.category or one.look or (one.things and not kinds_only))
    return [f"the {text[one.start : one.end]}" if one.things else text[one.start : one.end] for one in said]


def said_in_full(text: str, named: Sequence[str], scene: Scene) -> str:
    """Return a text that names no thing, with the last phrase that did in the place of "it" or "them"."""
    if not named or things_named(text, scene):
        return text
    return _PRONOUN.sub(named[-1], text, count=1)


_PRONOUN = re.compile(r"\b(?:it|them|those|these|such things|that stuff)\b(?!'s\b| is\b| are\b)", re.IGNORECASE)
_NOUN_LEFT_OUT = re.compile(
    r"\b(?:the|my|our) (?P<word>[a-z]{3,})\b(?=\W*$|[,.;!?]| (?:one|please|and|or|from|to)\b)", re.I
)
_PURPOSE = re.compile(
    r"\b(?:something|anything|everything|things|stuff|whatever|what)(?: (?P<look>\w+))??(?: (?:that|which))?"
    r"(?: to| (?:you|i|we|one|people|he|she|they|somebody|someone) (?:can|could|may|might)) (?P<verb>\w+)\b",
    re.IGNORECASE,
)
_BEFORE_NOUN = re.compile(
    r"\b(?:with|of|for|no|without|than|like|is|are|there's|more|other|power|every) $", re.IGNORECASE
)
_A_VERB = re.compile(
    r"\b(?:i|we|they|you|who|never)(?: (?:only|always|usually|never|just|really|"
    r"mostly))* $",
    re.IGNORECASE,
)
_A_PLACE_TOO = re.compile(r"[ -]\w*(?:table|shelf|rack|desk|box|cupboard|bench|counter)\b", re.IGNORECASE)
_IT = re.compile(
    r"\b((?:with|for|to|beside|to go with) )(?:it|that|this|them|those)\b(?! \w+ (?:is|are)\b)", re.IGNORECASE
)
_ONE = re.compile(
    r"\b((?:bring|want|need|get|fetch|like|give me|have|take|use) )(?:one|it|some)\b(?! in each| by one)", re.IGNORECASE
)
_ANYWHERE = re.compile(r"\b((?:goes?|belongs?|put (?:it|them|that)|comes?|brought|stays?) )there\b", re.IGNORECASE)
_THERE = re.compile(
    r"\b((?:(?:put|lay|set|leave|place) (?:it|them|that)|goes?|"
    r"belongs?|lives?|stays?|kept|stored|put|be) )there\b",
    re.IGNORECASE,
)
