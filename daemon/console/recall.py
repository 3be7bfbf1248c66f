"""Which examples the model is shown now: those most like what was said, whose lesson applies here."""

from collections.abc import Callable

from daemon.memory.rules import Scope
from daemon.memory.store import Memory
from skills.scene import Scene
from skills.skill import Observation


class Recall:
    """The loop's Retrieval, over the memory and what is seen."""

    def __init__(self, memory: Memory, observe: Callable[[], Observation]) -> None:
        self._memory = memory
        self._observe = observe

    def examples_for(self, utterances: list[str]) -> list[str]:
        """Transcripts, the nearest last; a learned one begins with its rule as a comment, so that it can be named."""
        found = self._memory.retrieve(utterances, situation=self._situation(utterances))
        texts = []
        for retrieved in found:
            example = retrieved.example
            if example.lesson_id is None:
                texts.append(example.transcript)
            else:
                lesson = self._memory.lesson(example.lesson_id)
                texts.append(f"# Learned from {lesson.taught_by}: {lesson.rule.text}\n{example.transcript}")
        return texts

    def _situation(self, utterances: list[str]) -> list[Scope]:
        """What the last utterance is about; a lesson with a scope is only recalled for what its scope covers."""
        mentioned = Scene.from_observation(self._observe()).mentions(utterances[-1]) if utterances else []
        return [Scope(object_class=thing.category, object=thing.name) for thing in mentioned]
