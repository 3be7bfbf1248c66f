"""Care of what was learned, by voice: tell it, give reasons, forget, undo. Nothing is deleted; all can be restored."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from daemon.console.history import InteractionHistory, Turn
from daemon.console.learning import tidying
from daemon.console.learning.consent import Consent, consent_in
from daemon.memory.lessons import Lesson
from skills.scene import Scene

LEARNED = re.compile(r"^# Learned from (?P<who>.+?) on (?P<day>.+?): (?P<rule>.+)$", re.MULTILINE)
"""The comment by which a lesson is named where it was applied (interpretation.naming)."""
TOPIC = re.compile(r"\b(?:about|that|with|for|of|the (?:rule|lesson|thing))\b(?P<topic>.*)$", re.IGNORECASE)
NO_TOPIC = frozenset(
    {
        "that",
        "it",
        "this",
        "is",
        "s",
        "no",
        "longer",
        "true",
        "more",
        "any",
        "anymore",
        "not",
        "what",
        "i",
        "said",
        "with",
        "about",
    }
    | {
        "you",
        "learned",
        "told",
        "last",
        "the",
        "again",
        "please",
        "forget",
        "right",
        "now",
        "rule",
        "lesson",
        "thing",
        "can",
    }
    | {
        "need",
        "do",
        "have",
        "to",
        "drop",
        "delete",
        "remove",
        "erase",
        "of",
        "for",
        "a",
        "an",
        "my",
        "me",
        "valid",
        "don",
        "t",
    }
)
_LESSON = r"(?:rules?|lessons?|things?|story|habits?|instructions?)"
CARE = (
    (
        re.compile(
            r"\bwhat (?:have|did|do) (?:you|i) (?:learn\w*|remember\w*|teach|taught|t[eo]ll?d?)\b.*\btoday\b",
            re.IGNORECASE,
        ),
        "what did you learn today?",
    ),
    (
        re.compile(
            r"\bwhat (?:(?:have|did|do) (?:you|i|we) (?:learn\w*|remember\w*|taught|teach|kept)|(?:else )?do "
            r"you (?:know|remember) (?:by|so|from|about me)|"
            rf"(?:\w+ )?{_LESSON} (?:do|have) you)|\b(?:list|tell me|show me|name|say|repeat) (?:all |again "
            rf")?(?:of )?(?:your|the|what you) "
            rf"(?:{_LESSON} (?:that )?(?:you|i)|rules|lessons|learn\w+|remember\w*|know by)|\bwhich {_LESSON} "
            rf"(?:do|have|did) (?:you|i)",
            re.IGNORECASE,
        ),
        "what have you learned?",
    ),
    (
        re.compile(
            rf"\b(?:forget|drop|delete|erase|scrap|remove|discard|lose|unlearn|ignore) (?:all |about )*(?:it|"
            rf"that|the|my|your)"
            rf"(?: \w+)? ?{_LESSON}\b"
            r"|\b(?:forget|unlearn) (?:about )?(?:what|that|about|it|how|everything|all)\b"
            r"|\b(?:drop|delete|erase|scrap|discard|ignore|unlearn) what (?:i|you)\b"
            r"|\b(?:that|this|it|which|rule|lesson|thing)(?:'s| is| was|\b)(?: \w+)? (?:no longer \w+"
            r"|not (?:true|right|valid|needed|necessary|correct|up to date) any ?(?:more|longer))"
            r"|^\W*(?:no longer|not) (?:true|valid|right|needed) ?(?:any ?(?:more|longer))?\W*$"
            r"|\b(?:does ?n.t|does not|not) (?:hold|apply|count) any ?(?:more|longer)"
            r"|\b(?:need ?n.t|need not|do ?n.t (?:need|have) to|do not (?:need|have) to|may stop|can stop) "
            r"(?:do|doing|remember\w*|keep\w*) (?:that|it|this)\b",
            re.IGNORECASE,
        ),
        "forget what I said about that",
    ),
    (
        re.compile(
            r"\bwhy (?:did|do|are|were|have) you\b|\bwho (?:told|taught|asked) you\b|\bhow come you\b|\bwhat "
            r"made you\b",
            re.IGNORECASE,
        ),
        "why did you do that?",
    ),
    (
        re.compile(
            r"\b(?:tidy up|clean up|clear out|sort out|go through) (?:your|the) (?:memory|rules|lessons)|"
            r"\b(?:which|what|any) (?:rules|lessons|things) (?:do you )?(?:never use|are (?:useless|outdated|unused))",
            re.IGNORECASE,
        ),
        "tidy up your memory",
    ),
)
"""Forms of care, and the sentence that stands for each: every brain is shown how that one is answered."""
UNDO = re.compile(
    r"\b(undo|take (?:that|it) back|not what i meant|unlearn|scratch that|scrap that|you (?:got|understood) "
    r"(?:me|it|that) wrong|"
    r"you misunderstood(?: me)?|that was a mistake|on second thoughts?)\b",
    re.IGNORECASE,
)
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

    def __init__(self, memory: Lessons, zone: tzinfo | None = None) -> None:
        """`zone` tells when a day begins; None is the computer's own."""
        self._memory = memory
        self._zone = zone

    def told(self, when: str) -> str:
        """What was learned, in plain words; `when` is "today" or ""."""
        lessons = self._memory.lessons()
        if when == "today":
            today = datetime.now(UTC).astimezone(self._zone).date()
            lessons = [lesson for lesson in lessons if lesson.taught_at.astimezone(self._zone).date() == today]
        if not lessons:
            return f"I have not learned anything {when or 'yet'}."
        rules = " ".join(lesson.rule.text for lesson in lessons[-TOLD:])
        more = f" And {len(lessons) - TOLD} more, from before." if len(lessons) > TOLD else ""
        return f"I have learned {_counted(len(lessons))}{f' {when}' if when else ''}. {rules}{more}"

    def reason(self, history: InteractionHistory) -> str:
        """Why the last thing was done as it was: the lessons that were applied, who taught them and when."""
        for turn in reversed(history.turns[:-1]):
            applied = [match for step in turn.steps for match in LEARNED.finditer(step.result)]
            if applied:
                reasons = dict.fromkeys(f"{m['who']} taught me on {m['day']}: {m['rule']}" for m in applied)
                return f"Because {' And '.join(reasons)}"
            if len(turn.steps) > 1:
                return f"Because you said: {turn.utterance}. Nobody taught me anything else about it."
        return "I have not done anything yet."

    def forget(self, history: InteractionHistory, about: str, ask: Callable[[str], str]) -> str:
        """Forget the lesson that the words are about, when the person confirms it; returns what to say."""
        words = about or (history.utterances[-1] if history.utterances else "")
        lesson = self._meant(words, history)
        if lesson is None:
            return "I have not learned anything about that."
        if consent_in(ask(f"{lesson.rule.text} Shall I forget that?")) is not Consent.YES:
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
        match = TOPIC.search(words)
        topic = match["topic"] if match else words
        named = [word for word in re.findall(r"\w+", topic.lower()) if word not in NO_TOPIC]
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


def read_care(text: str, past: Sequence[Turn] = ()) -> str | None:
    """The plain sentence for one that asks about, or takes back, what was learned; None for every other sentence.

    "Undo that" is one directly after a lesson; after anything else it is about that.
    """
    if UNDO.search(text):
        learned = past and any("learn_from_interaction" in step.statement for step in past[-1].steps)
        return "undo what you just learned" if learned or "learn" in text.lower() else None
    return next((plain for pattern, plain in CARE if pattern.search(text)), None)


def _counted(number: int) -> str:
    return "one thing" if number == 1 else f"{number} things"
