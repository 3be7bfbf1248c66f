"""A model acts in the worlds of the held-out suites, statement by statement, through heed's own prompts.

Done means: afterwards each thing, each door and the robot is where a robot that does it right would leave them, and,
for a question, the same was said.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from daemon.console.history import InteractionHistory
from daemon.console.prompt import InteractPrompts
from daemon.llm.ending import statement_lines
from daemon.llm.model import LanguageModel, ModelError
from daemon.transcript import Step
from training.families import Asker
from training.prompts import TrainingPrompt, told_skills
from training.suites import SUITES, cases_of
from training.world import Console

STATEMENTS = 30
"""Of a turn; more than twice what any request takes."""
CIRCLES = 3
"""So often the same statement brings the same error, and the turn is over, as in heed's own loop."""
WAIT = "wait_for_trigger()"


@dataclass(frozen=True)
class Verdict:
    """How one case went."""

    family: str
    done: bool
    transcript: tuple[Step, ...]


def judge(model: LanguageModel, count: int, suites: tuple[str, ...] = SUITES) -> Iterator[tuple[str, list[Verdict]]]:
    """Each suite with the verdicts on its first `count` cases."""
    prompts = InteractPrompts(told_skills(), model)
    for suite in suites:
        yield suite, [verdict(model, prompts, prompt, asker) for prompt, asker in cases_of(suite, count)]


def verdict(model: LanguageModel, prompts: InteractPrompts, prompt: TrainingPrompt, asker: Asker) -> Verdict:
    """Let the model do what was asked, in a fresh copy of the world."""
    examples = [text.removeprefix("# Example\n") for text in prompt.examples]
    console = asker.world.console()
    answers = iter([step.result for step in asker.console.steps if step.called == "ask"])
    console.steps.append(asker.console.steps[0])
    for _ in range(STATEMENTS):
        history = InteractionHistory()
        for step in console.steps:
            if step.called == "wait_for_trigger":
                history.begin_turn(console.observe())
            history.add(step)
        try:
            text = model.complete(prompts.prompt(examples, history))
        except ModelError:
            break
        statement = first_statement(text)
        if statement == WAIT:
            break
        step = Step(statement, _result(console, statement, lambda: next(answers, "'I do not know'")))
        console.steps.append(step)
        if step.error and console.steps.count(step) == CIRCLES:
            break
    done = _outcome(console) == _outcome(asker.console)
    return Verdict(prompt.family, done, tuple(console.steps))


def first_statement(text: str) -> str:
    """What a console would take of an answer."""
    lines = statement_lines(text if text.endswith("\n") else f"{text}\n")
    return "\n".join(text.split("\n")[: lines or 1]).strip()


def _result(console: Console, statement: str, answer: Callable[[], str]) -> str:
    if statement.startswith("ask("):
        return answer()
    try:
        return console.evaluate(statement)
    except Exception as error:  # whatever a model writes, it is told what is wrong with it
        return f"{type(error).__name__}: {error}"


def _outcome(console: Console) -> Mapping[str, Any]:
    scene = console.scene
    questions = [step for step in console.steps if "get_object_location" in step.statement]
    moved = any(
        step.called not in (None, "say", "ask") and not step.result.startswith("[") for step in console.steps[1:]
    )
    return {
        "things": {thing.name: (thing.location, bool(thing.held_by)) for thing in scene.things()},
        "doors": [scene.is_open(place.name) for place in scene.locations()],
        "robot": scene.base if moved else None,
        "answers": [_result(console, step.statement[4:-1], lambda: "") for step in questions],
        "refused": any("I have not learned" in step.statement for step in console.steps),
    }
