"""Asking a model what would have been better, and whom not to ask."""

from collections.abc import Sequence

import pytest

from daemon.console.history import Turn
from daemon.console.learning.learn_from_interaction import Unclear
from daemon.console.learning.model_improver import ModelImprover
from daemon.imitation import RuleImprover
from daemon.imitation.english.teaching.lesson_reader import NoLesson
from daemon.llm.model import PROMPT_SIGN, Prompt
from daemon.memory.prohibitions import Forbidden
from daemon.transcript import Step, render
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from tests.support.worlds import DESCRIPTION, ROOT


class Adviser:
    """Answers the three questions; goes away after so many."""

    name = "adviser"
    context_tokens = 8192

    def __init__(self, stays: int = 3, leads: bool = False, last: str = " say('softly: hello')\n") -> None:
        """`last` is its last answer."""
        self.asked: list[str] = []
        self.leads = leads
        self._stays = stays
        self._last = last

    @property
    def follows_instructions(self) -> bool:
        return len(self.asked) <= self._stays

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.asked.append(prompt.history)
        answers = [" It was too loud.", " When it is late, speak softly.", self._last]
        return answers[(len(self.asked) - 1) % 3]

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def count_tokens(self, text: str) -> int:
        return len(text)

    def cancel(self) -> None: ...

    def close(self) -> None: ...


def heard(text: str) -> Step:
    return Step("wait_for_trigger()", repr({"type": "dialog", "text": text}))


KITCHEN = RehearsalRobot(Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml"), DESCRIPTION)
TURNS = [
    Turn("greet me", (heard("greet me"), Step("say('HELLO')"))),
    Turn("that was wrong", (heard("that was wrong"),)),
]


def in_the_kitchen(said: str) -> Turn:
    return Turn(said, (heard(said),), KITCHEN.observe())


def test_what_no_rule_explains_is_asked_of_the_model() -> None:
    adviser = Adviser()
    [candidate] = ModelImprover(lambda: adviser, RuleImprover()).improve(TURNS)
    assert candidate.rule.text == "When it is late, speak softly."
    assert render(candidate.steps[1:]) == ">>> say('softly: hello')\n"


def test_a_brain_that_only_imitates_is_not_asked_but_the_person_is() -> None:
    imitating = Adviser(stays=-1)
    with pytest.raises(Unclear, match="How should I do it instead"):
        ModelImprover(lambda: imitating, RuleImprover()).improve(TURNS)
    assert not imitating.asked


@pytest.mark.parametrize("stays", [0, 1, 2])
def test_answers_of_the_one_that_took_over_in_the_middle_are_not_believed(stays: int) -> None:
    leaving = Adviser(stays)
    with pytest.raises(NoLesson, match="does not answer: it went away"):
        ModelImprover(lambda: leaving, RuleImprover()).improve(TURNS)


def test_a_model_that_leads_types_the_call_that_keeps_the_rule() -> None:
    adviser = Adviser(leads=True, last=" say('softly: hello')\n>>> forbid('grasp', place='fridge')\n")
    [candidate] = ModelImprover(lambda: adviser, RuleImprover()).improve([TURNS[0], in_the_kitchen("that was wrong")])
    assert isinstance(candidate.rule.effect, Forbidden)
    assert render(candidate.steps[1:]) == ">>> say('softly: hello')\n"
    assert "call_it(" in adviser.asked[-1]


@pytest.mark.parametrize(
    "call", ["forbid('grasp', place='moon')", "forbid(fridge)", "remember('')", "prefer('grasp', 9)", "forbid(("]
)
def test_a_call_that_cannot_be_kept_leaves_the_rule_in_words(call: str) -> None:
    adviser = Adviser(leads=True, last=f" say('softly: hello')\n>>> {call}\n")
    [candidate] = ModelImprover(lambda: adviser, RuleImprover()).improve([TURNS[0], in_the_kitchen("that was wrong")])
    assert candidate.rule.text == "When it is late, speak softly."
    assert render(candidate.steps[1:]) == ">>> say('softly: hello')\n"


def test_models_that_do_not_lead_are_asked_as_in_the_paper() -> None:
    adviser = Adviser()
    ModelImprover(lambda: adviser, RuleImprover()).improve(TURNS)
    assert "call_it(" not in adviser.asked[-1]
