"""The Improver that asks a language model three questions (Baermann et al. 2024, sec. 3.5):
what was the problem, what would be better, and how does the improved transcript read? A model that leads ends the
transcript with the typed call by which the rule is kept.
"""

from collections.abc import Callable, Sequence

from daemon.console.history import Turn
from daemon.console.learning.learn_from_interaction import Candidate, Improver
from daemon.console.learning.no_lesson import NoLesson, Unclear
from daemon.console.learning.typed_rules import WRITTEN, TypedRules, typed_rule
from daemon.console.prompt import role_text
from daemon.console.situation import Situation
from daemon.console.statements import statements_in
from daemon.llm.model import LanguageModel, ModelError, Prompt
from daemon.memory.effects import Effect
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import read_effect
from daemon.transcript import Step, render
from skills.scene import Scene
from skills.skill import SkillError

QUESTIONS = {
    "problem": "What was the problem, in one sentence? Say NO PROBLEM if there was none.",
    "better": "What should the robot do next time, and when, in one sentence that begins with 'When'?",
    "transcript": "Type the improved statements, from the person's first request to the end, without results.",
}
TYPED = """ Then type the one call that keeps this for the next time: remember('a rule in words', applies_to='thing'),
# forbid('thing or skill', place='place'), call_it('name', 'what it means') or routine('name', 'steps in words')."""
"""What a model that leads is also asked for; heed's own, since nobody need read its words to obey them then."""
ANSWER_TOKENS = 100
TRANSCRIPT_TOKENS = 400
NO_DEED = frozenset(["wait_for_trigger", "learn_from_interaction", "prefer", *WRITTEN])
"""Calls that are no part of how it is done."""


class ModelImprover:
    """Improves what was done by asking the model. Keeps to the three rules of when to discard an answer.

    `model` returns the one in use. One that follows no instructions, such as imitation while a server is away, is
    not asked: then only what was said in so many words is learned, as `by_rule` reads it.
    """

    def __init__(self, model: Callable[[], LanguageModel], by_rule: Improver) -> None:
        self._model = model
        self._by_rule = by_rule

    def improve(self, turns: Sequence[Turn], correction: str | None = None) -> Sequence[Candidate]:
        """Better ways for the first request. A model that leads is asked; for others, what was said in so many words is
        read by rule first.

        Raises NoLesson: no problem, nothing changed, or no statements; Unclear to be told more.
        """
        if self._model().leads:
            return [self._worked_out(turns)]
        try:
            return self._by_rule.improve(turns, correction)
        except Unclear:
            if not self._model().follows_instructions:
                raise
            return [self._worked_out(turns)]

    def _worked_out(self, turns: Sequence[Turn]) -> Candidate:
        talk = _seen(turns[0]) + render(step for turn in turns for step in turn.steps)
        try:
            problem = self._ask(talk, "problem", ANSWER_TOKENS)
            if "no problem" in problem.lower():
                raise NoLesson("I did not notice a problem. Tell me what I should do differently.")
            talk += _answered("problem", problem)
            better = self._ask(talk, "better", ANSWER_TOKENS)
            talk += _answered("better", better)
            written = self._ask(talk, "transcript", TRANSCRIPT_TOKENS, "\n>>>")
        except ModelError as error:
            raise NoLesson(f"My language model does not answer: {error}") from error
        return _candidate(turns, better, written)

    def _ask(self, talk: str, question: str, tokens: int, begin: str = "") -> str:
        model = self._model()
        asked = f"{QUESTIONS[question]}{TYPED if begin and model.leads else ''}"
        text = f"{talk}\n# Question: {asked}\n# Answer:{begin}"
        stop = ("\n# Question",) if begin else ("\n",)
        answer = model.complete(Prompt(role_text("improve"), (), text), stop=stop, max_tokens=tokens).strip()
        if not model.follows_instructions:
            raise ModelError("it went away, and the one in here does not follow instructions")
        return answer


def _seen(turn: Turn) -> str:
    """Return what was where as a turn began: better statements may need things that nobody has touched yet."""
    return Situation("", Scene.from_observation(turn.scene)).scene_alone if turn.scene else ""


def _answered(question: str, answer: str) -> str:
    return f"\n# Question: {QUESTIONS[question]}\n# Answer: {answer}\n"


def _candidate(turns: Sequence[Turn], better: str, written: str) -> Candidate:
    statements = [s for reply in written.split("\n>>>") for s in statements_in(reply)]
    program = [step for step in map(Step, statements) if step.called not in NO_DEED]
    before = [step.statement for step in turns[0].steps[1:]]
    if not program or [step.statement for step in program] == before or not better:
        raise NoLesson("I could not work out what to do differently. Tell me step by step what you would like.")
    rule = _typed(turns, statements) or _in_words(better)
    return Candidate(rule, turns[0], steps=(turns[0].steps[0], *program))


def _typed(turns: Sequence[Turn], statements: Sequence[str]) -> Rule | None:
    """The rule of the last typed call; None where there is none that can be kept."""
    scene = Scene.from_observation(turns[-1].scene) if turns[-1].scene else Scene((), ())
    rules = TypedRules(scene, turns[-1].steps[0].speaker)
    calls = [statement for statement in statements if Step(statement).called in WRITTEN]  # of a broken one: None
    try:
        found = [rule for call in calls if (rule := typed_rule(call, rules))]
    except SkillError:
        return None
    return found[-1] if found else None


def _in_words(better: str) -> Effect | Rule:
    rule = better if better.endswith((".", "!")) else f"{better}."
    return read_effect(rule) or Rule(rule)
