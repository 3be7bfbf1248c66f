"""Who speaks, as far as that is known; people are asked only where it makes a difference.

A person is known by the channel, or by the name that they gave, which lapses after a pause.
"""

import math
from collections.abc import Callable, Iterable

from daemon.console.learning.scope import is_in
from daemon.console.reading import Reader
from daemon.memory.effects import Meaning
from daemon.memory.lesson import Lesson
from daemon.memory.rules import Rule
from daemon.names import forms, mention
from daemon.trigger import TIMER, Utterance
from skills.scene import Scene, Thing
from skills.skill import Observation

WHO = "Who is speaking?"
NAME_LASTS = 120.0
"""Seconds of silence after which a voice may be somebody else's, so that the name that was said counts no more."""
AT_THE_KEYS = ("typed", "socket", TIMER)
"""Sources of who sits there still, however long they are silent."""
PROGRAMS = ("socket", "fleet", TIMER)
"""Sources that answer no question, or not at once."""


class WhoSpeaks:
    """Remembers the name of who speaks until it lapses."""

    def __init__(self, reader: Reader, matters: Callable[[str], bool]) -> None:
        """`matters` tells whether it makes a difference to a request who makes it."""
        self.name = ""
        """Of who spoke last; "" where nobody knows."""
        self._reader, self._matters = reader, matters
        self._introduced = ""
        self._asked = False
        """Whether they were asked, and gave no name."""
        self._spoken_at = -math.inf

    def hear(self, utterance: Utterance) -> None:
        """Take note of who says this."""
        self._let_lapse(utterance)
        if name := self._reader.introduced(utterance.text)[0]:
            self._introduced = name
        self.name = utterance.speaker or self._introduced
        if self._reader.leaves(utterance.text):
            self._introduced, self._asked = "", False

    def _let_lapse(self, utterance: Utterance) -> None:
        """Forget the name where whoever is heard after a long pause may be somebody else."""
        if utterance.source not in AT_THE_KEYS and utterance.started_at - self._spoken_at > NAME_LASTS:
            self._introduced, self._asked = "", False
        self._spoken_at = utterance.heard_at

    def is_wanted(self, utterance: Utterance) -> bool:
        """Return whether to ask who said this."""
        if self.name or self._asked or utterance.source in PROGRAMS:
            return False
        return self._reader.asks(utterance.text) and self._matters(utterance.text)

    def answered(self, answer: str) -> None:
        """Take the answer to `WHO`; one without a name is somebody whom nobody knows, and is not asked again."""
        self.name = self._introduced = self._reader.named(answer)
        self._asked = not self.name


class PersonalLessons:
    """Tells of which requests it matters who makes them: a lesson is for one person alone, and they taught it."""

    def __init__(
        self, lessons: Callable[[], Iterable[Lesson]], observe: Callable[[], Observation], reader: Reader
    ) -> None:
        self._lessons, self._observe, self._reader = lessons, observe, reader

    def __call__(self, text: str) -> bool:
        """Return whether a request may be carried out otherwise for one person than for others."""
        if self._reader.for_speaker_alone(text):
            return True
        own = [lesson.rule for lesson in self._lessons() if _is_own(lesson)]
        theirs = [rule for rule in own if not self._reader.is_for(rule.scope.person, text)]
        return bool(theirs) and self._concerned(theirs, text)

    def _concerned(self, rules: Iterable[Rule], text: str) -> bool:
        scene = Scene.from_observation(self._observe())
        named = [thing for thing in scene.objects if _is_named(thing, text)]
        return any(_concerns(rule, text, named) for rule in rules)


def _is_own(lesson: Lesson) -> bool:
    person = lesson.rule.scope.person
    return bool(person) and person.casefold() == lesson.taught_by.casefold()


def _is_named(thing: Thing, text: str) -> bool:
    return any(mention(name, text) for name in (*forms(thing.name), *thing.aliases))


def _concerns(rule: Rule, text: str, named: Iterable[Thing]) -> bool:
    """Return whether a request with these words may fall under a rule: by a word, or by one of the things it names."""
    scope, effect = rule.scope, rule.effect
    if isinstance(effect, Meaning):
        return mention(effect.word, text) is not None
    of_things = bool(scope.object or scope.object_class or scope.look)
    words = [word for word in (scope.object, scope.object_class, scope.place) if word]
    if not words and not of_things:
        return True
    return any(mention(word, text) for word in words) or (of_things and any(is_in(thing, scope) for thing in named))
