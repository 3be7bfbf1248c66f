"""What code reads in a person's words beside the mind, and what may stand between the two.

The console knows no language. What it must know of a sentence it asks a Reader; what is to be settled before the model
is asked, an Understanding. Both come from daemon/imitation (daemon/mind.py). Before a model that leads stands AsSaid
instead (daemon/console/as_said.py). Verbatim is the Reader of who reads nothing into a sentence.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from daemon.console.executor import Outcome
from daemon.console.history import Turn
from daemon.memory.effects import Effect
from daemon.memory.lesson import Lesson
from daemon.memory.rules import Rule
from daemon.transcript import MEANING
from skills.scene import Scene


@dataclass(frozen=True)
class Again:
    """Again: what somebody said instead of an answer. It is heard as if it were said now."""

    text: str


Script = Generator[str, Outcome, str | Again | None]
"""Yields statements, is sent how each ended; returns what the model is to understand, None if that is all."""


class Interjection(Enum):
    """What something said while heed works means for what is under way."""

    CHANGE = "change"
    """What is under way is not wanted like that: it ends, and the sentence is heard at once."""
    PROGRESS = "progress"
    """A question about what is under way: it is answered while the work goes on."""
    TALK = "talk"
    """It is answered in words while the work goes on."""
    NEXT = "next"
    """Everything else: it is heard when the work is done."""


@dataclass(frozen=True)
class Understood:
    """How an utterance is to be understood here and now."""

    text: str
    meaning: str
    """The request to carry out; equal to the text where nothing that was learned changes it."""
    lessons: tuple[Lesson, ...] = ()
    """Those that made the difference."""
    missing: tuple[str, ...] = ()
    """What a rule would bring but is not here."""
    refused: tuple[str, ...] = ()
    """What is never to be done, "bring the tea", though it was asked for among other things."""
    statements: tuple[str, ...] = ()
    """What to do, where the words leave nothing to think about."""
    script: Script | None = None
    """What to do first, step by step; the model is asked with what it returns."""

    @property
    def comments(self) -> list[str]:
        """Lines for the history, so that "why did you do that?" has an answer."""
        reworded = [f"{MEANING}{self.meaning}"] if self.meaning != self.text else []
        return [*(naming(lesson) for lesson in self.lessons), *reworded]


class Understanding(Protocol):
    """Reads an utterance before the model does."""

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        """Return what `said` means after these turns, said by `speaker` ("" for somebody unknown)."""
        ...


def greeting(name: str, besides: str) -> tuple[str, ...]:
    """Return the statement that answers who told their name and nothing `besides`; see Reader.introduced()."""
    return (f"say({f'Hello, {name}.'!r})",) if name and not besides else ()


class Reader(Protocol):
    """Tells what code must know of a sentence, whatever mind thinks."""

    def introduced(self, text: str) -> tuple[str, str]:
        """Return the name by which somebody introduces themselves, and what else they say; "" and all of it if not."""
        ...

    def named(self, answer: str) -> str:
        """Return the name that somebody gives who was asked for it; "" for an answer without one."""
        ...

    def leaves(self, text: str) -> bool:
        """Return whether somebody says that they go away."""
        ...

    def asks(self, text: str) -> bool:
        """Return whether a sentence asks for anything, rather than thank, greet or remark."""
        ...

    def interjection(self, text: str) -> Interjection:
        """Return what a sentence means to a heed that works."""
        ...

    def is_for(self, person: str, text: str) -> bool:
        """Return whether a request is made for somebody else: "some tea for Grandma"."""
        ...

    def applies(self, lesson: Lesson, text: str, scene: Scene, speaker: str) -> bool:
        """Return whether the example of a lesson may be shown for a request."""
        ...

    # --- answers to "Shall I remember that?" ---

    def asks_otherwise(self, answer: str) -> bool:
        """Return whether somebody asks for something else instead of answering."""
        ...

    def changed(self, effect: Effect | Rule, answer: str, scene: Scene) -> Effect | None:
        """Return the effect as an answer would have it: "yes, but only for juice"; None where it names no change."""
        ...

    def for_speaker_alone(self, text: str) -> bool:
        """Return whether somebody says that a lesson is for them and nobody else."""
        ...

    def narrowed_to(self, answer: str) -> str:
        """Return the time to which an answer keeps a lesson, "in the evening"; "" for none."""
        ...


class Verbatim:
    """The Reader that reads nothing into a sentence."""

    def introduced(self, text: str) -> tuple[str, str]:
        return "", text

    def named(self, answer: str) -> str:
        return answer.strip(" .!")

    def leaves(self, text: str) -> bool:
        return False

    def asks(self, text: str) -> bool:
        return True

    def interjection(self, text: str) -> Interjection:
        return Interjection.NEXT

    def is_for(self, person: str, text: str) -> bool:
        return False

    def applies(self, lesson: Lesson, text: str, scene: Scene, speaker: str) -> bool:
        return True

    def asks_otherwise(self, answer: str) -> bool:
        return False

    def changed(self, effect: Effect | Rule, answer: str, scene: Scene) -> Effect | None:
        return None

    def for_speaker_alone(self, text: str) -> bool:
        return False

    def narrowed_to(self, answer: str) -> str:
        return ""


def refusal(deed: str) -> str:
    """Return the statement that says what is never to be done: "bring the tea"."""
    return f"say({f'You told me never to {deed}.'!r})"


def naming(lesson: Lesson) -> str:
    """Return the comment by which a lesson is named where it is applied."""
    taught = f"{lesson.taught_at.day} {lesson.taught_at:%B %Y}"
    return f"# Learned from {lesson.taught_by or 'somebody'} on {taught}: {lesson.rule.text}"
