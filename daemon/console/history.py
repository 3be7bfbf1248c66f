"""The interaction history H_t: what was said, done and returned (Baermann et al. 2024, sec. 3.2)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, zip_longest
from typing import Any

from daemon.transcript import ELIDED, MEANING, Step, render

SHORT = 40
"""Characters up to which a result is never elided: "'success'", an error's first words."""
KEPT = 40
"""Turns that are remembered at least; at twice as many the older half is forgotten, so that a year is no longer than a
day. What must stay is in memory.sqlite."""
LAST = 4
"""Steps of the turn under way that are always shown whole: what the next one builds on."""


Steps = Sequence[Step]


@dataclass(frozen=True)
class Turn:
    """What one utterance led to."""

    utterance: str
    steps: tuple[Step, ...]
    """The trigger first, then what was done about it."""
    scene: Any = None
    """What was seen when it began, as perception reports it; None where nobody looked."""
    left: Any = None
    """What was seen when it was over."""


class InteractionHistory:
    """Steps in order, of the last turns. Grows by add(), and is shown to the model by text()."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._scenes: list[Any] = []
        self._left: list[Any] = []
        self._learned_up_to = 0

    def __len__(self) -> int:
        """Return how many steps it has."""
        return len(self._steps)

    def begin_turn(self, scene: Any) -> None:
        """A person has spoken, and this is what is seen; the step that heard it is added next."""
        if len(self._scenes) >= 2 * KEPT:
            self._forget_oldest(len(self._scenes) - KEPT)
        self._scenes.append(scene)

    def end_turn(self, scene: Any) -> None:
        """End the turn: nothing more will be done about what was said last, and this is what is seen."""
        self._left[len(self._scenes) - 1 :] = [scene] if self._scenes else []

    def add(self, step: Step) -> None:
        self._steps.append(step)

    def reword(self, meaning: str) -> None:
        """Understand what was said last so, as turned out since."""
        index = max(i for i, step in enumerate(self._steps) if step.called == "wait_for_trigger")
        lines = [line for line in self._steps[index].result.split("\n") if not line.startswith(MEANING)]
        self._steps[index] = replace(self._steps[index], result="\n".join([*lines, f"{MEANING}{meaning}"]))

    def take_back_answer(self) -> str:
        """Return the words that came instead of an answer, still to be heard; the question stays as something said."""
        asked = self._steps.pop()
        self.add(Step(asked.statement.replace("ask(", "say(", 1), ""))
        return asked.heard or ""

    def followed_by(self, step: Step) -> "InteractionHistory":
        """Another history: this one, and then this step."""
        other = InteractionHistory()
        other._steps, other._scenes = [*self._steps, step], self._scenes
        return other

    def last(self, turns: int) -> "InteractionHistory":
        """Return another history: the last turns of this one."""
        other = InteractionHistory()
        other._steps = list(chain.from_iterable(_split_turns(self._steps)[-turns:]))
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
        seen = chain(zip_longest(self._scenes, self._left), repeat((None, None)))
        return [Turn(steps[0].heard or "", tuple(steps), *scenes) for steps, scenes in zip(begun, seen, strict=False)]

    @property
    def current_turn(self) -> Turn | None:
        """The turn under way; None before the first utterance."""
        turns = self.turns
        return turns[-1] if turns else None

    @property
    def last_trigger(self) -> Step | None:
        """The step in which somebody spoke last, or is to speak."""
        return next((step for step in reversed(self._steps) if step.called == "wait_for_trigger"), None)

    @property
    def words(self) -> str:
        """Return what was said last to begin with; "" before anybody spoke."""
        trigger = self.last_trigger
        return (trigger.heard if trigger else "") or ""

    def turns_since_lesson(self) -> list[Turn]:
        """The turns since the last lesson.

        A lesson may be drawn whenever there is one: the gate is "a user turn since the last lesson", not adjacency,
        which would lose "wrong, on c, and never do that again".
        """
        return self.turns[self._learned_up_to :]

    def mark_learned(self) -> None:
        """Note that what happened until now was drawn into a lesson, or was declined."""
        self._learned_up_to = len(self.turns)

    def _forget_oldest(self, count: int) -> None:
        """The first turns in which somebody spoke, and whatever was before and between."""
        spoken = [index for index, step in enumerate(self._steps) if step.called == "wait_for_trigger" and step.heard]
        self._steps = self._steps[spoken[count] :]
        self._scenes, self._left = self._scenes[count:], self._left[count:]
        self._learned_up_to = max(0, self._learned_up_to - count)

    def text(
        self, budget: int | None = None, measure: Callable[[str], int] = len, show: Callable[[Steps], str] = render
    ) -> str:
        """The transcript for the prompt; `measure` of it is at most `budget` if there is one; `show` writes each turn.

        Old turns lose their results first (ELIDED stands for them), then go altogether; then the turn under way loses
        its older results, then its older steps. What was asked for in it, and its last steps, stay whatever the budget.
        """
        turns = _split_turns(self._steps)
        whole = [show(steps) for steps in turns]
        if budget is None or not turns or sum(map(measure, whole)) <= budget:
            return "".join(whole)
        kept = [_shortened(turns[-1], budget, measure, show)]
        room = budget - measure(kept[0])
        for steps in reversed(turns[:-1]):
            elided = show(_elided(steps))
            room -= measure(elided)
            if room < 0:
                break
            kept.append(elided)
        return "".join(reversed(kept))


def _split_turns(steps: Iterable[Step]) -> list[list[Step]]:
    turns: list[list[Step]] = []
    for step in steps:
        if step.called == "wait_for_trigger" or not turns:
            turns.append([])
        turns[-1].append(step)
    return turns


def _elided(steps: Sequence[Step]) -> list[Step]:
    return [step if step.heard or len(step.result) < SHORT else Step(step.statement, ELIDED) for step in steps]


def _shortened(steps: Steps, budget: int, measure: Callable[[str], int], show: Callable[[Steps], str]) -> str:
    """A turn within a budget: what was said, and as much as fits of what came last."""
    text = show(steps)
    if measure(text) <= budget:
        return text
    first, older, last = steps[0], _elided(steps[1:-LAST]), steps[1:][-LAST:]
    while measure(text := show([first, *older, *last])) > budget and older:
        older = older[max(1, len(older) // 4) :]
        left_out = len(steps) - 1 - len(older) - len(last)
        first = Step(steps[0].statement, f"{steps[0].result}\n# {left_out} statements are left out here.")
    return text
