"""Text as it is spoken: lower-case words, digits as number words. Pure functions, English."""

import re

from daemon.lexicon.inflection import singular

_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SIGNS = {"%": " percent ", "&": " and ", "+": " plus ", "°": " degrees ", "=": " equals ", "€": " euros "}
_PLAIN = str.maketrans({"’": "'", "‘": "'", "`": "'", "½": " 1/2", "¼": " 1/4"})
_FRACTION = re.compile(r"(\d +)?(?<![\d/])1/([24])(?![\d/])")
_PARTS = {"2": "half", "4": "quarter"}
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*", re.UNICODE)
_LONG = {"n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would"}
_LONG |= {f"{word}'s": f"{word} is" for word in ("what", "where", "who", "how", "that", "it", "there", "here", "let")}
_LONG |= {"can't": "can not", "won't": "will not", "let's": "let us"}
_SHORT = re.compile(r"\b(?:[a-z]+'s|can't|won't)\b|n't\b|'(?:m|re|ve|ll|d)\b")
_ALWAYS_CAPITAL = re.compile(r"\bi\b(?!\.)")


def spoken_words(text: str) -> list[str]:
    """The words of `text` in the order in which a person would say them.

    >>> spoken_words("What's 3.5 + 21?")
    ["what's", 'three', 'point', 'five', 'plus', 'twenty', 'one']
    >>> spoken_words("5 1/2 minutes")
    ['five', 'and', 'a', 'half', 'minutes']
    """
    text = text.translate(_PLAIN).lower().replace("_", " ")
    text = _FRACTION.sub(lambda found: f"{found[1]}and a {_PARTS[found[2]]}" if found[1] else _PARTS[found[2]], text)
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    words: list[str] = []
    for token in _TOKEN.findall(text):
        words.extend(_number_words(token) if token[0].isdecimal() else [token])
    return words


def content_words(text: str) -> list[str]:
    """The words without those that change nothing: articles, the s of a plural, contractions.

    >>> content_words("What's on the tables?")
    ['what', 'is', 'on', 'table']
    """
    words = _SHORT.sub(lambda found: _LONG.get(found[0], found[0]), " ".join(spoken_words(text))).split()
    return [singular(word) for word in words if word not in ("a", "the", "of")]


def written(words: list[str]) -> str:
    """Words as one line of text, with a capital "I"."""
    return _ALWAYS_CAPITAL.sub("I", " ".join(words))


def spelled(text: str) -> str:
    """A text as a recogniser wrote it, with capitals and signs, but numbers as words: then all of it is plain.

    >>> spelled("Bring it, please."), spelled("Bring me 2 cups.")
    ('Bring it, please.', 'bring me two cups')
    """
    return written(spoken_words(text)) if any(letter.isdecimal() for letter in text) else text.strip()


def _number_words(digits: str) -> list[str]:
    whole, _, fraction = digits.partition(".")
    words = _whole_number_words(int(whole)) if len(whole) <= 6 else [_ONES[int(d)] for d in whole]
    if fraction:
        words += ["point", *(_ONES[int(d)] for d in fraction)]
    return words


def _whole_number_words(number: int) -> list[str]:
    if number < 20:
        return [_ONES[number]]
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = _whole_number_words(number % size) if number % size else []
            return [*_whole_number_words(number // size), name, *rest]
    return [_TENS[number // 10], *([_ONES[number % 10]] if number % 10 else [])]
