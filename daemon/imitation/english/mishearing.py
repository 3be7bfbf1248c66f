"""Words that make no sense here, but sound like words that do: "bring me the jews" may have been the juice.

Speech recognition writes what is common; people speak of what is there. Which word was meant is a guess, so it is
asked about, or comes back in the question whether to remember it.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from daemon.imitation.english.vocabulary import NO_KIND
from daemon.lexicon.inflection import singular
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.names import SEPARATORS, forms
from skills.scene import Scene

CUES = ("always", "remember", "whenever")
"""Words on which it depends whether something is to be learned."""
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_NOUN_FOLLOWS = re.compile(r"\b(?:the|a|an|some|any|my|your|our|of|more|another|every|with|and)\s+$", re.IGNORECASE)
_NOUN_ENDED = re.compile(
    r"^\s*(?:$|[,.;!?]|(?:and|or|to|from|on|onto|in|into|at|with|for|over|please|too|also|as|when|if|without|next|under)\b)",
    re.IGNORECASE,
)
_VERB_FOLLOWED = re.compile(r"^\s+(?:me|us|the|some|a|an|my|it|that)\b", re.IGNORECASE)
_SENTENCE_BEGINS = re.compile(
    r"(?:^|[.;!?]|\b(?:please|and|then|to|(?:can|could|would|will) you)\b)\s*$", re.IGNORECASE
)
_WHERE = re.compile(
    r"\b(?:to|on|in|into|onto|at|from|of|off|under|near|by|behind|between|open|close|clean|wipe|and) (?:\w+ )?$",
    re.IGNORECASE,
)
"""What comes next may be a place; elsewhere it is a thing."""
_NEVER_MEANT = frozenset(
    [
        "top",
        "side",
        "front",
        "back",
        "room",
        "way",
        "one",
        "thing",
        "rest",
        "other",
        "same",
        "first",
        "last",
        "kitchen",
        "time",
        "place",
        "bit",
        "end",
        "middle",
        "bottom",
        "left",
        "right",
        "door",
        "house",
        "home",
        "floor",
        "wall",
        "window",
        "light",
        "day",
        "morning",
        "evening",
        "night",
        "moment",
        "minute",
        "hour",
        "help",
        "rule",
        "lesson",
        "route",
        "path",
        "robot",
        "hand",
        "both",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "all",
        "it",
        "that",
        "this",
        "them",
        "me",
        "you",
        "us",
        "him",
        "her",
        "there",
        "here",
        "everything",
        "something",
        "anything",
        "nothing",
        "mistake",
        "please",
        "thanks",
        "again",
        "once",
        "more",
        "now",
    ]
)


def well_heard(text: str, scene: Scene, words: Iterable[str] = (), bold: bool = False) -> str:
    """Return the sentence with words in the place of those that sound like them and mean nothing here.

    `words` are those that were taught. With `bold`, a word for a thing that is not here counts as misheard, too.
    """
    text = _joined(text, scene)
    nouns = _nouns(scene)
    verbs = {" ".join(verb) for verb in lexicon().verb_stems if len(verb) == 1} | {
        word for word in words if " " not in word
    }

    def right(match: re.Match[str]) -> str:
        word, before, after = match[0].lower(), text[: match.start()], text[match.end() :]
        stem = singular(word)
        if word in nouns or stem in nouns or stem in _NEVER_MEANT or word in _NEVER_MEANT:
            return match[0]
        if len(word) > 4 and word not in CUES and (cue := next((c for c in CUES if OSA.distance(word, c) == 1), None)):
            return cue
        known = (stem,) in lexicon().verb_stems or (not bold and (stem,) in _things())
        if _NOUN_FOLLOWS.search(before) and not known and (_NOUN_ENDED.match(after) or _next(after) in nouns):
            pairs = {one for one, other in _pairs(scene) if other == _next(after)}
            likely = pairs if not _NOUN_ENDED.match(after) else nouns if _WHERE.search(before) else _nouns(scene, False)
            return _nearest(word, likely, 1) or match[0]
        if _SENTENCE_BEGINS.search(before) and _VERB_FOLLOWED.match(after) and word not in verbs and not known:
            return _nearest(word, verbs, 0) or match[0]
        return match[0]

    return _WORD.sub(right, text)


def sound_of(word: str) -> str:
    """Return the consonants of a word, as they are spoken; those that differ by voice alone are the same."""
    sound = re.sub(r"[^a-z]", "", word.lower())
    for spelled, spoken in _SPELLINGS:
        sound = re.sub(spelled, spoken, sound)
    sound = re.sub(r"(.)\1+", r"\1", sound.translate(_VOICELESS))
    return re.sub(r"^[aeiou]", "A", sound)[:1] + re.sub(r"[aeiouywh]", "", sound[1:])


def _nearest(word: str, among: Iterable[str], apart: int) -> str | None:
    """Return the word that sounds most like `word`, then is spelled most like it; None where none is near enough."""
    sound = sound_of(word)
    if len(word) < 3 or len(sound) < 2:
        return None
    found = []
    for other in among:
        other_sound = sound_of(other)
        distance = OSA.distance(sound, other_sound)
        allowed = apart if max(len(sound), len(other_sound)) > 2 else 0
        letters = OSA.distance(word, other)
        if distance <= allowed and abs(len(word) - len(other)) < 3 and (not distance or letters <= 2):
            found.append((distance, letters, other))
    return min(found)[2] if found else None


def _joined(text: str, scene: Scene) -> str:
    """ "Work bench" is the workbench."""
    whole = {word for word in _nouns(scene) if len(word) > 5}
    return re.sub(
        r"\b([A-Za-z]+) (?=([A-Za-z]+)\b)",
        lambda m: m[1] if f"{m[1]}{m[2]}".lower() in whole else m[0],
        text,
    )


def _next(text: str) -> str:
    match = re.match(r"\s+([A-Za-z]+)", text)
    return match[1].lower() if match else ""


def _pairs(scene: Scene) -> set[tuple[str, str]]:
    """Return words that follow each other in a name: window, table."""
    named = [item.name for item in scene.objects] + [item.name for item in scene.locations]
    names = [form.lower().split() for name in named for form in forms(name)]
    return {pair for words in names for pair in pairwise(words)}


def _nouns(scene: Scene, places: bool = True) -> frozenset[str]:
    """Return the words for things here, and for places."""
    names = [name for thing in scene.objects for name in (thing.name, *thing.aliases)]
    here = [place for place in scene.locations if places and place.kind != "person"]
    names += [name for place in here for name in (place.name, *place.aliases)]
    kinds = {thing.category for thing in scene.objects} - set(NO_KIND)
    return _words_of(frozenset(names)) | _words_of(frozenset(kinds))


@lru_cache(maxsize=32)
def _words_of(names: frozenset[str]) -> frozenset[str]:
    words = {word.lower() for name in names for form in forms(name) for word in SEPARATORS.split(form)}
    return frozenset(word for word in words if len(word) > 2 and word.isalpha())


@lru_cache(maxsize=1)
def _things() -> frozenset[tuple[str, ...]]:
    return frozenset([*lexicon().things(), *(stems(name) for name in lexicon().kinds)])


_SPELLINGS = (
    (r"^(?:kn|gn)", "n"), (r"^wr", "r"), (r"^ps", "s"), (r"tch|ch|sh|ti(?=o)", "x"), (r"ph", "f"), (r"gh(?=t)|gh$", ""),
    (r"dge|dg|g(?=[ei])|j", "J"), (r"c(?=[eiy])", "s"), (r"ck|c|q", "k"), (r"th", "t"), (r"mb$", "m"),
)  # fmt: skip
_VOICELESS = str.maketrans("bdgvz", "ptkfs")
