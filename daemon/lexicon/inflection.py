"""The endings of English words: of one thing and of several, and the plain forms of verbs.

Rules, and the exceptions that a home has; no dictionary.
"""

from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=8192)
def singular(noun: str) -> str:
    """Return a noun, or a phrase by its last word, in the singular, in lower case and without a possessive's s."""
    before, space, last = noun.lower().removesuffix("'s").rpartition(" ")
    return f"{before}{space}{_singular(last)}"


def plural(noun: str) -> str:
    """Return a noun, or a phrase by its last word, in the plural: "glasses", "bread knives"; of toast there is none."""
    before, space, last = noun.rpartition(" ")
    return f"{before}{space}{_plural(last)}"


def is_plural(noun: str) -> bool:
    """Return whether a noun, or the last word of a phrase, is in the plural: "gloves" is, "glass" is not."""
    return noun.lower().removesuffix("'s") != singular(noun)


def is_or_are(noun: str) -> str:
    """Return the verb after the number of a noun: the glass is, the gloves are."""
    return "are" if is_plural(noun) else "is"


def stem(word: str) -> str:
    """Return a word without its ending, so that "heating", "heater" and "heat" are one; need not be a word."""
    for ending in _ENDINGS:
        if len(word) > len(ending) + 2 and word.endswith(ending):
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def plain_forms(form: str) -> Iterator[str]:
    """Yield the verbs that a form in -ing or -ed may be of, words or not: "placing" of "plac" and "place"."""
    for ending in ("ing", "ed"):
        if form.endswith(ending) and len(form) - len(ending) > 1:
            short = form.removesuffix(ending)
            yield short
            yield f"{short}e"
            if short[-1] == short[-2]:
                yield short[:-1]


def _singular(word: str) -> str:
    if word in _OWN_SINGULARS or word in _UNCHANGED:
        return _OWN_SINGULARS.get(word, word)
    if len(word) > 3 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith("oes"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _plural(word: str) -> str:
    if word in _OWN_PLURALS or word in _UNCHANGED:
        return _OWN_PLURALS.get(word, word)
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return f"{word[:-1]}ies"
    return f"{word}s"


_ENDINGS = ("ement", "ment", "ing", "ed", "er", "es", "e")
_WITH_AN_S = """
    beanie bootie brownie calorie cookie genie hankie hoagie hoodie movie nightie onesie prairie sharpie smoothie talkie
    veggie walkie wheelie canoe gumshoe horseshoe oboe overshoe shoe snowshoe ache cache headache toothache
""".split()  # noqa: SIM905 - a list of words is read as one
_WITH_ES = ("tomato", "potato", "mango", "hero", "echo", "atlas", "bus", "canvas", "gas", "lens")
_OWN_PLURALS = {
    **{f"{word}f": f"{word}ves" for word in ("shel", "loa", "scar", "hal", "cal", "thie", "wol")},
    **{f"{word}fe": f"{word}ves" for word in ("kni", "penkni", "wi", "housewi")},
    **{word: f"{word}s" for word in _WITH_AN_S},
    **{word: f"{word}es" for word in _WITH_ES},
}
"""Those that the rules would get wrong, in one of the two directions."""
_OWN_SINGULARS = {several: one for one, several in _OWN_PLURALS.items()}
_UNCHANGED = frozenset({"atlas", "canvas", "gas", "lens", "series", "toast"})
"""They end in s or mean no number, and stay as they are."""
