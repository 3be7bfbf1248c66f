"""The interaction history H_t: what was said, done and returned (Baermann et al. 2024, sec. 3.2)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from daemon.transcript import MEANING, Step, render


@dataclass(frozen=True)
class Turn:
    """What one utterance led to."""

    utterance: str
    steps: tuple[Step, ...]
    """The trigger first, then what was done about it."""
    scene: Any = None
    """What was seen when it began, as perception reports it; None where nobody looked."""


class InteractionHistory:
    """Steps in order. Grows by add(), and is shown to the model by text()."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._scenes: list[Any] = []
        self._learned_up_to = 0

    def begin_turn(self, scene: Any) -> None:
        """A person has spoken, and this is what is seen; the step that heard it is added next."""
        self._scenes.append(scene)

    def add(self, step: Step) -> None:
        self._steps.append(step)

    def reword(self, meaning: str) -> None:
        """What was said last is to be understood so, as turned out since."""
        index = max(i for i, step in enumerate(self._steps) if step.called == "wait_for_trigger")
        lines = [line for line in self._steps[index].result.split("\n") if not line.startswith(MEANING)]
        self._steps[index] = replace(self._steps[index], result="\n".join([*lines, f"{MEANING}{meaning}"]))

    def followed_by(self, step: Step) -> "InteractionHistory":
        """Another history: this one, and then this step."""
        other = InteractionHistory()
        other._steps, other._scenes = [*self._steps, step], self._scenes
        return other

    @property
    def utterances(self) -> list[str]:
        """All that people said, oldest first."""
        return [heard for step in self._steps if (heard := step.heard)]

    @property
    def meanings(self) -> list[str]:
        """All that people said, as it was understood, oldest first."""
        return [meant for step in self._steps if (meant := step.meaning)]

    @property
    def turns(self) -> list[Turn]:
        """All turns, oldest first; steps before the first utterance belong to none."""
        begun = [steps for steps in _split_turns(self._steps) if steps[0].heard is not None]
        scenes = self._scenes + [None] * (len(begun) - len(self._scenes))
        return [Turn(steps[0].heard or "", tuple(steps), scene) for steps, scene in zip(begun, scenes, strict=False)]

    @property
    def current_turn(self) -> Turn | None:
        """The turn under way; None before the first utterance."""
        turns = self.turns
        return turns[-1] if turns else None

    def turns_since_lesson(self) -> list[Turn]:
        """The turns since the last lesson.

        A lesson may be drawn whenever there is one: the gate is "a user turn since the last lesson", not adjacency,
        which would lose "wrong, on c, and never do that again".
        """
        return self.turns[self._learned_up_to :]

    def mark_learned(self) -> None:
        """What happened until now has been drawn into a lesson, or was declined."""
        self._learned_up_to = len(self.turns)

    def text(self, budget: int = 0) -> str:
        """The transcript for the prompt, in at most `budget` characters if that is not 0.

        Old turns lose their results first ("..." stands for them), then go altogether; the turn under way stays whole.
        """
        turns = _split_turns(self._steps)
        whole = [render(steps) for steps in turns]
        if not budget or sum(map(len, whole)) <= budget or not turns:
            return "".join(whole)
        kept = [whole[-1]]
        room = budget - len(whole[-1])
        for steps in reversed(turns[:-1]):
            elided = render(_elide(steps))
            if len(elided) > room:
                break
            kept.append(elided)
            room -= len(elided)
        return "".join(reversed(kept))


def _split_turns(steps: Iterable[Step]) -> list[list[Step]]:
    turns: list[list[Step]] = []
    for step in steps:
        if step.called == "wait_for_trigger" or not turns:
            turns.append([])
        turns[-1].append(step)
    return turns


def _elide(steps: list[Step]) -> list[Step]:
    return [step if step.heard or len(step.result) < 40 else Step(step.statement, "...") for step in steps]
