"""Everything in heed that reads English by hand, and its one door.

Outside of daemon/imitation nobody imports anything else of this folder. Nothing new is added here: a model reads what
people say; this is for machines without room for one, and it shrinks.

English           what the console asks of a Reader and a TaskReader
teaching/         lessons, corrections, answers to "Shall I remember that?"
orders/           orders examined before they are done: RAIDER without a model
task_talk/        tasks that have a name
long_orders/      an order in several sentences, read as a whole
and, flat, what all of these share: sentences, clauses, noun phrases, references back, times, negation
"""

from collections.abc import Iterable, Sequence, Set

from daemon.console.reading import Interjection
from daemon.console.reminder_time import When
from daemon.console.tasks.parts import Spec
from daemon.console.tasks.worker import Worker
from daemon.imitation.english.clauses import is_idle, polite
from daemon.imitation.english.expected_sentences import likely_sentences
from daemon.imitation.english.interjections import interjection_in
from daemon.imitation.english.interpretation import applies
from daemon.imitation.english.scene_mentions import Situation
from daemon.imitation.english.task_talk import task_objects, task_questions
from daemon.imitation.english.task_talk.spec import read_spec
from daemon.imitation.english.teaching.consent_answers import changed, plainly_asks
from daemon.imitation.english.teaching.habitual_times import narrowed_to
from daemon.imitation.english.teaching.persons import for_me_alone, introduced, is_for, named
from daemon.imitation.english.teaching.rule_improver import RuleImprover
from daemon.imitation.english.time_phrases import announced, read_when
from daemon.memory.effects import Effect
from daemon.memory.lesson import Lesson
from daemon.memory.rules import Rule
from skills.scene import Scene

__all__ = ["English", "RuleImprover"]


class English:
    """Reads English: a Reader and a TaskReader (daemon/console)."""

    def introduced(self, text: str) -> tuple[str, str]:
        return introduced(text)

    def named(self, answer: str) -> str:
        return named(answer)

    def leaves(self, text: str) -> bool:
        return announced(text) == "leave"

    def asks(self, text: str) -> bool:
        return bool(polite(text)) and not is_idle(text)

    def interjection(self, text: str) -> Interjection:
        return interjection_in(text)

    def is_for(self, person: str, text: str) -> bool:
        return is_for(person, text)

    def applies(self, lesson: Lesson, text: str, scene: Scene, speaker: str) -> bool:
        return applies(lesson, text, Situation(scene, speaker))

    def asks_otherwise(self, answer: str) -> bool:
        return plainly_asks(answer)

    def changed(self, effect: Effect | Rule, answer: str, scene: Scene) -> Effect | None:
        return changed(effect, answer, scene)

    def for_speaker_alone(self, text: str) -> bool:
        return for_me_alone(text)

    def narrowed_to(self, answer: str) -> str:
        return narrowed_to(answer)

    # --- times and tasks ---

    def read_when(self, words: str) -> When | None:
        """Read words for a time or an event; None where they are none."""
        return read_when(words)

    def spec(self, text: str, places: Sequence[str]) -> Spec:
        return read_spec(text, places)

    def things_of(self, kind: str, scene: Scene, without: Set[str] = frozenset()) -> list[str]:
        return task_objects.things_of(kind, scene, without)

    def is_plain(self, kind: str) -> bool:
        return task_objects.is_plain(kind)

    def answer(self, question: str, worker: Worker) -> str:
        """Answer a question about tasks from log and scene, in words to say; "" where nothing is known."""
        return task_questions.answer(question, worker)

    # --- for the ear ---

    def expected_sentences(self, scene: Scene) -> Iterable[str]:
        """Return what people are likely to say in front of a scene."""
        return likely_sentences(scene)
