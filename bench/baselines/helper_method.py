"""HELPER (Sarch et al. 2023, sec. 3), on the skills and the memory of this robot.

- Planner: the k examples most like what was said are put into the prompt, which lists what may be called; a whole
  program comes out.
- Executor: the program runs statement by statement. Preconditions are the skills' own, whose errors carry a hint (the
  paper's Inspector is a list of hand-written ones, too). No Locator is needed: the symbolic worlds are seen whole.
- Rectifier, self-reflection and correction: a statement that failed and its error, with the most similar errors that
  examples show and what helped there, give an explanation and a new plan for the rest; at most three times a
  command, as in the port of Baermann et al. (2024, sec. 4).
- Memory expansion: programs that ended well are kept with what was said.

As in that port, a further command is a new one, planned without its predecessor's code, and k is the console's. The
paper's prompts and examples have no licence; ours are written for this, the examples are the console's.
"""

from collections.abc import Iterator, Sequence

from bench.baselines.method import Agent, Brain, World
from bench.baselines.programs import Attempt, ProgramFailed, Stage, programmer_for, remember
from bench.support.rehearsed import Person
from daemon.transcript import Step

CORRECTIONS = 3
"""New plans for one command."""
ERRORS = 3
"""Similar errors that the Rectifier is shown; the paper's k."""
AFTERWARDS = 3
"""Statements after an error that show what helped."""


class Helper:
    """The Method."""

    def __init__(self, brain: Brain) -> None:
        self.brain = brain

    def agent(self, person: Person, world: World) -> Agent:
        return HelperAgent(person, world, self)

    def examples_for(self, command: str) -> list[str]:
        """The k examples most like a command, the nearest last."""
        return [found.example.transcript for found in self.brain.memory.retrieve([command])]

    def errors_like(self, step: Step) -> list[Sequence[Step]]:
        """Errors in examples, each with what came after it, the most similar last."""
        known = [error for example in self.brain.memory.examples() for error in _errors_in(example.steps)]
        if not known:
            return []
        failed, *others = self.brain.embedder.embed([_told(step), *(_told(error[0]) for error in known)])
        order = sorted(range(len(known)), key=lambda index: float(others[index] @ failed))
        return [known[index] for index in order[-ERRORS:]]

    def ended(self, agent: Agent, success: bool) -> None:
        """Keep what ended well."""
        assert isinstance(agent, HelperAgent)
        if success:
            remember(self.brain, agent.attempts)


class HelperAgent:
    """One person's commands, each planned for itself."""

    def __init__(self, person: Person, world: World, method: Helper) -> None:
        self.attempts: list[Attempt] = []
        self._stage = Stage(person, world)
        self.notes = self._stage.notes
        self._method = method
        self._programmer = programmer_for(method.brain.model, world, "helper_plan")

    def run(self) -> None:
        """Do what the person says; raises ProgramFailed where three corrections were not enough."""
        self._stage.session(self._carry_out)

    def _carry_out(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)
        examples = self._method.examples_for(attempt.command)
        program = self._programmer.write(attempt, examples)
        for _ in range(CORRECTIONS):
            if self._succeeds(program, attempt):
                return
            errors = self._method.errors_like(attempt.done[-1])
            program = self._programmer.correct(attempt, examples, errors)
        if not self._succeeds(program, attempt):
            raise ProgramFailed(attempt.done[-1].result)

    def _succeeds(self, program: Sequence[str], attempt: Attempt) -> bool:
        for statement in program:
            outcome = self._stage.run(statement)
            attempt.add(statement, outcome)
            if not outcome.ok:
                return False
        return True


def _errors_in(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    for index, step in enumerate(steps):
        if step.error:
            yield steps[index : index + 1 + AFTERWARDS]


def _told(step: Step) -> str:
    return f"{step.statement}: {step.error}"
