"""Code as Policies (Liang et al. 2023), and the same with a memory (the Dynamic CaP of Baermann et al. 2024, sec. 4).

- A prompt of hints (what may be called) and examples, commands as comments, followed by code (sec. III-A).
- All code at once, run without feedback: an error ends the run, and the model sees no result (sec. III; the published
  notebook runs it with exec()).
- Functions that the code calls and that nobody has written are written recursively (sec. III, hierarchical generation).
- A later command in the same session sees the earlier ones with their code (the notebook's session).

Not as there: the paper's examples and helper programs for object names and positions are not published under a licence
that allows using them; ours are the console's examples, the same for every method. `ask` is offered beside `say`.
"""

from bench.baselines.method import Agent, Brain, World
from bench.baselines.programs import Attempt, ProgramFailed, Stage, programmer_for, remember, role_text
from bench.support.rehearsed import Person
from daemon.console.executor import Outcome
from daemon.console.function_generation import define_function, function_prompt, missing_function
from daemon.llm.model import LanguageModel, Prompt
from skills.skill import api_text

FUNCTIONS = 3
"""How deep functions are written for a statement, as in the console."""


class CodeAsPolicies:
    """The Method: a fixed prompt of all examples, nothing is kept."""

    def __init__(self, brain: Brain) -> None:
        self.brain = brain

    def agent(self, person: Person, world: World) -> Agent:
        return CapAgent(person, world, self)

    def examples_for(self, command: str) -> list[str]:
        """The examples of the prompt."""
        return [example.transcript for example in self.brain.memory.examples()]

    def ended(self, agent: Agent, success: bool) -> None:
        """Learn nothing."""


class DynamicCap(CodeAsPolicies):
    """The k examples most like the command are shown; runs that end well become examples (k as for the console)."""

    def examples_for(self, command: str) -> list[str]:
        return [found.example.transcript for found in self.brain.memory.retrieve([command])]

    def ended(self, agent: Agent, success: bool) -> None:
        assert isinstance(agent, CapAgent)
        if success:
            remember(self.brain, agent.session)


class CapAgent:
    """One session."""

    def __init__(self, person: Person, world: World, method: CodeAsPolicies) -> None:
        self.session: list[Attempt] = []
        self._stage = Stage(person, world)
        self.notes = self._stage.notes
        self._method = method
        self._model: LanguageModel = method.brain.model
        self._programmer = programmer_for(self._model, world, "cap")
        self._functions = role_text("cap_function") + api_text(world.skills) + "\n"

    def run(self) -> None:
        """Do what the person says; raises ProgramFailed at the first error."""
        self._stage.session(self._carry_out)

    def _carry_out(self, attempt: Attempt) -> None:
        examples = self._method.examples_for(attempt.command)
        program = self._programmer.write(attempt, examples, self.session)
        self.session.append(attempt)
        for statement in program:
            outcome = self._run(statement)
            if not outcome.ok:
                raise ProgramFailed(outcome.result)
            attempt.add(statement, outcome)

    def _run(self, statement: str, depth: int = 0) -> Outcome:
        outcome = self._stage.run(statement)
        name = missing_function(statement, outcome.result)
        if name is None or depth >= FUNCTIONS:
            return outcome
        definition = define_function(name, Prompt(self._functions, (), function_prompt(name, statement)), self._model)
        if definition is None or not self._run(definition, depth + 1).ok:
            return outcome
        return self._run(statement, depth + 1)
