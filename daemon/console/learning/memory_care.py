"""Care of what was learned, by voice: tell it, give reasons, forget, undo. Nothing is deleted; all can be restored."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from daemon.console.history import InteractionHistory
from daemon.console.learning import tidying
from daemon.console.learning.consent import Consent, consent_in
from daemon.lexicon.small_words import small_words
from daemon.memory.lesson import Lesson
from daemon.names import without_end
from skills.scene import Scene

LEARNED = re.compile(r"^# Learned from (?P<who>.+?) on (?P<day>.+?): (?P<rule>.+)$", re.MULTILINE)
"""The comment by which a lesson is named where it was applied (interpretation.naming)."""
LIKELY = 0.3
"""Least similarity of a rule to a topic at which it is offered for forgetting."""
TOLD = 5
"""How many rules are told at once; people do not listen to more."""


class Lessons(tidying.Lessons, Protocol):
    """What the care needs of the memory."""

    def like(self, text: str) -> list[tuple[Lesson, float]]:
        """The active lessons with their similarity to a text, the most similar first."""
        ...


class MemoryCare:
    """Answers questions about what was learned, and takes it back."""

    def __init__(self, memory: Lessons) -> None:
        self._memory = memory

    def told(self, when: str) -> str:
        """Return what was learned, in plain words; `when` is "today", "all" for every rule, or "" for the last ones."""
        lessons = self._memory.lessons()
        if when == "all" and lessons:
            return " ".join(f"{lesson.id}: {lesson.rule.text}" for lesson in lessons)
        if when == "today":
            today = datetime.now().date()
            lessons = [lesson for lesson in lessons if lesson.taught_at.astimezone().date() == today]
        if not lessons:
            return f"I have not learned anything {'today' if when == 'today' else 'yet'}."
        rules = " ".join(lesson.rule.text for lesson in lessons[-TOLD:])
        more = f" And {len(lessons) - TOLD} more, from before." if len(lessons) > TOLD else ""
        return f"I have learned {_counted(len(lessons))}{f' {when}' if when else ''}. {rules}{more}"

    def reason(self, history: InteractionHistory) -> str:
        """Return why the last thing was done as it was: the lessons that were applied, who taught them and when."""
        for turn in reversed(history.turns[:-1]):
            applied = [match for step in turn.steps for match in LEARNED.finditer(step.result)]
            if applied:
                reasons = dict.fromkeys(f"{m['who']} taught me on {m['day']}: {m['rule']}" for m in applied)
                return f"Because {' And '.join(reasons)}"
            if len(turn.steps) > 1:
                return f"Because you said: {without_end(turn.utterance)}. Nobody taught me anything else about it."
        return "I have not done anything yet."

    def forget(self, history: InteractionHistory, about: str, ask: Callable[[str], str]) -> str:
        """Forget the lesson that the words are about, when the person confirms it; returns what to say."""
        words = about or (history.utterances[-1] if history.utterances else "")
        lesson = self._meant(words, history)
        if lesson is None:
            return "I have not learned anything about that."
        if consent_in(ask(f"{lesson.rule.text} Shall I forget that?"), to_forget=True) is not Consent.YES:
            return "All right, I keep it."
        self._memory.forget(lesson.id)
        return "I have forgotten it."

    def undo(self) -> str:
        """Take back the last lesson; returns what to say."""
        lessons = self._memory.lessons()
        if not lessons:
            return "There is nothing that I could take back."
        last = max(lessons, key=lambda lesson: (lesson.taught_at, lesson.id))
        self._memory.forget(last.id)
        return f"I have taken it back: {last.rule.text}"

    def tidy(self, history: InteractionHistory, ask: Callable[[str], str]) -> str:
        """Offer to merge like lessons and to forget useless ones; returns what to say."""
        turn = history.current_turn
        scene = Scene.from_observation(turn.scene) if turn and turn.scene else Scene((), ())
        return tidying.tidy(self._memory, scene, ask)

    def _meant(self, words: str, history: InteractionHistory) -> Lesson | None:
        """The lesson that a sentence is about; without a topic the one applied last, else the one taught last."""
        named = [word for word in re.findall(r"\w+", _topic(words).lower()) if word not in small_words("no topic")]
        lessons = self._memory.lessons()
        if named:
            inside = [lesson for lesson in lessons if any(word in lesson.rule.text.lower() for word in named)]
            ranked = [lesson for lesson, score in self._memory.like(" ".join(named)) if score >= LIKELY]
            both = [lesson for lesson in ranked if lesson in inside]
            return next(iter([*both, *reversed(inside), *ranked]), None)
        applied = [
            m["rule"] for turn in history.turns[-3:] for step in turn.steps for m in LEARNED.finditer(step.result)
        ]
        newest = lessons[-1] if lessons else None
        return next((lesson for lesson in lessons if applied and lesson.rule.text == applied[-1]), newest)


def _topic(words: str) -> str:
    """Return what a sentence is about: what comes after "about", "the rule" and their like, if it has one of them."""
    begins = "|".join(map(re.escape, small_words("begins a topic")))
    match = re.search(rf"\b(?:{begins})\b(?P<topic>.*)$", words, re.IGNORECASE)
    return match["topic"] if match else words


def _counted(number: int) -> str:
    return "one thing" if number == 1 else f"{number} things"
