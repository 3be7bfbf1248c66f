"""Did you mean ...? What was heard, held against everything that makes sense to say here. Pure text."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process

from daemon.speech.recognizers.common_words import COMMON_WORDS
from daemon.speech.recognizers.trigram import END, Trigram
from daemon.speech.spoken_words import content_words, spoken_words, written


@dataclass(frozen=True)
class Match:
    """The sentence that makes sense and is nearest to what was heard."""

    sentence: str
    closeness: float
    """0 to 1, by letters and by sound; 1 is word for word, but for articles and plurals."""


LIKE_EXPECTED = -6.5
"""Likeness from which a sentence fits: that of 72 of 90 requests in a kitchen that were put as heed expects them, and
of 3 of 350 lines of talk between people."""
OVERHEARD = -3.0
"""Logarithmic odds below which nobody meant the robot: so it is with 80 of 100 lines that are overheard and half of
small talk, with 4 of 100 requests that name nothing here, and with 6 of 1,000 that do."""
TELL = "tell"
"""The function that answers a question about what is here."""
_WHO_SPEAKS = "me"
"""The name of a place in each scene: where things are brought to."""
NO_MATCH = Match("", 0.0)


class Sense:
    """A set of sentences that a person might say. An empty one knows nothing: there everything makes sense."""

    def __init__(
        self,
        sentences: Iterable[str] = (),
        language: str = "en",
        names: Iterable[str] = (),
        odds: Callable[[str, int], float] = lambda heard, named: 0.0,
        odds_at_first: Callable[[str, int], float] | None = None,
        answers: Callable[[str], bool] = lambda heard: False,
        asked_for: Callable[[str], str | None] = lambda heard: None,
    ) -> None:
        """`odds` tells of English words that nobody expected, and of how many of them name something that is here (are
        words of `names`), how likely they are meant for a robot (logarithmic odds; above 0 they are). `odds_at_first`
        tells it sooner, and not as well; None where that is the same. `answers` tells whether words are a yes or a no,
        however they are put, and `asked_for` for which deed they ask, its function first, "" for none, None where
        nobody is sure. Of another `language` nothing is known but these sentences: there everything fits."""
        self.expected = tuple(sentences)
        """As they were given, for recognisers."""
        known = dict.fromkeys(written(spoken_words(sentence)) for sentence in self.expected)
        self._sentences = [sentence for sentence in known if sentence]
        self._sounds = [sound_of(sentence) for sentence in self._sentences]
        self.named = tuple(names)
        """Names of what is here, for recognisers."""
        self._names = {word for name in self.named for word in content_words(name)}
        expected = [tuple(spoken_words(sentence)) for sentence in self._sentences]
        self._language = Trigram(expected, COMMON_WORDS) if expected and language == "en" else None
        knows = bool(self._sentences) and language == "en"
        self._odds = _once(odds) if knows else _always
        self._odds_at_first = _once(odds_at_first) if knows and odds_at_first else self._odds
        self._answers = answers
        self.asked_for = asked_for
        self._by_meaning = {tuple(content_words(sentence)): sentence for sentence in reversed(self._sentences)}

    def at_first(self) -> "Sense":
        """Return the same for a first look, after which another one follows: it takes less time."""
        other = copy(self)
        other._odds = self._odds_at_first
        other.asked_for = lambda heard: None
        return other

    def fits(self, heard: str) -> bool:
        """Return whether one might well say so to a robot, though nobody expected these very words; talk between people
        does not fit.

        It is put like what is expected here, or like what people say to robots.
        """
        return self._meant(heard) > 0 or self._likeness(heard) >= LIKE_EXPECTED

    def overheard(self, heard: str) -> bool:
        """Return whether it is talk between people beyond doubt, about which one does not even ask."""
        return self._meant(heard) < OVERHEARD and self._likeness(heard) < LIKE_EXPECTED

    def wants_nothing(self, texts: Sequence[str]) -> bool:
        """Return whether none of these texts names anything that is here, and each surely asks for nothing."""
        named = any(self.names(word) and word != _WHO_SPEAKS for text in texts for word in content_words(text))
        return not named and all(self.asked_for(text) == "" for text in texts)

    def asks(self, heard: str) -> bool:
        """Return whether somebody surely wants nothing but to be told something."""
        return (self.asked_for(heard) or "").startswith(TELL)

    def answers(self, heard: str) -> bool:
        """Return whether one might well answer a question of heed's so; what is talk between people is none."""
        return self._answers(heard) and not self.overheard(heard)

    def names(self, word: str) -> bool:
        """Return whether a word is part of the name of something that is here."""
        return word in self._names

    def _likeness(self, heard: str) -> float:
        """Return the mean logarithmic probability of its words after each other among the expected sentences."""
        if self._language is None:
            return -math.inf
        words = spoken_words(heard)
        chances = (self._language.chance(words[:at], word) for at, word in enumerate([*words, END]))
        return sum(chances) / (len(words) + 1)

    def _meant(self, heard: str) -> float:
        return self._odds(heard, sum(map(self.names, set(content_words(heard)))))

    def nearest(self, heard: str, alternatives: Sequence[str] = ()) -> Match:
        """The best match of all; that of an alternative counts a little less than that of what was heard."""
        if not self._sentences:
            return Match(heard, 1.0)
        found = [(self._nearest(text), 0.97 if rank else 1.0) for rank, text in enumerate((heard, *alternatives))]
        best, weight = max(found, key=lambda entry: entry[0].closeness * entry[1], default=(NO_MATCH, 1.0))
        return Match(best.sentence, best.closeness * weight)

    def _nearest(self, heard: str) -> Match:
        words = " ".join(spoken_words(heard))
        if not words:
            return NO_MATCH
        if same := self._by_meaning.get(tuple(content_words(words))):
            return Match(said if (said := written(words.split())) in self._sentences else same, 1.0)
        spelled = process.cdist([words], [s.lower() for s in self._sentences], scorer=fuzz.ratio)[0]
        sounding = process.cdist([sound_of(words)], self._sounds, scorer=fuzz.ratio)[0]
        closeness = (spelled + sounding) / 200.0
        best = int(closeness.argmax())
        return Match(self._sentences[best], float(closeness[best]))


def _once(odds: Callable[[str, int], float]) -> Callable[[str, int], float]:
    """The same, asked once about the same words: it takes 9 ms, and more where what they would come to is asked."""
    return lru_cache(maxsize=1)(odds)


def _always(heard: str, named: int) -> float:
    """Of what nobody has learned anything, everything is meant."""
    return math.inf


_SOUNDS = (
    ("^kn|^gn", "n"), ("^wr", "r"), ("ph", "f"), ("gh(?=t|$)", ""), ("tch|ch|sh|j|dge", "J"), ("ck|q", "k"),
    ("c(?=[eiy])", "s"), ("c", "k"), ("x", "ks"), ("th", "D"), ("[dt]", "t"), ("[bp]", "p"), ("[gk]", "k"),
    ("[fv]", "f"), ("[sz]", "s"), ("[mn]", "n"), ("(?<=[^aeiou])e$", ""), ("[aeiouy]+", "a"), (r"(.)\1+", r"\1"),
)  # fmt: skip
"""Spellings of English and the sound for which they stand; sounds that are easily taken for each other are one."""
_RULES = [(re.compile(spelling), sound) for spelling, sound in _SOUNDS]


def sound_of(text: str) -> str:
    """Roughly how words sound: "light" and "lied" are the same. In the manner of Philips' Metaphone (1990).

    >>> sound_of("knight light")
    'nat lat'
    """
    return " ".join(_word_sound(word) for word in text.lower().replace("'", "").split())


def _word_sound(word: str) -> str:
    for spelling, sound in _RULES:
        word = spelling.sub(sound, word)
    return word
