"""Whole programs: how one is asked for, and how it is run. What Code as Policies and HELPER have in common.

A language model is asked in the notation of Code as Policies (Liang et al. 2023, sec. III-A): what is there, the
command as a comment, then code; the examples are the console's own, rewritten so. The imitation brain knows the
console's notation only, so its program is what it would type if nothing came back, each statement taken as done.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Protocol

from bench.baselines.method import Brain, World
from bench.support.rehearsed import NoLessons, Notes, Person
from daemon.config import ConsoleConfig
from daemon.console.builtins import TALK, Conversation
from daemon.console.executor import ConversationOver, Executor, Outcome
from daemon.console.prompt import STATEMENT_TOKENS, fitting
from daemon.console.statements import statements_in
from daemon.llm.model import PROMPT_SIGN, LanguageModel, Prompt
from daemon.memory.rules import Rule
from daemon.transcript import WAIT, Step, hearing, parse_transcript, render
from skills.skill import api_text, stubs

SEEN = {"objects": "list_objects()", "locations": "list_locations()", "aliases": "other_names()"}
"""The context of a program: variables, and what they hold (sec. III-A; the paper's has `objects = [...]` alone)."""
PROGRAM_TOKENS = 512
"""As in the paper's published notebook."""
STOP = ("\n#", "\nobjects = [")
LONGEST = 40
"""Statements of a program that imitation imagines, as many as the console allows."""


class ProgramFailed(RuntimeError):
    """A program did not run to its end, and the method has no way to go on."""


@dataclass
class Attempt:
    """One command, what was seen when it was given, and what was done."""

    command: str
    looks: tuple[Step, ...]
    done: list[Step] = field(default_factory=list)

    def add(self, statement: str, outcome: Outcome) -> None:
        """A statement has been run."""
        self.done.append(Step(statement, outcome.result))

    def transcript(self) -> str:
        """Return it as an example for the memory: what failed is left out."""
        heard = hearing(self.command)
        return render([heard, *self.looks, *(step for step in self.done if not step.error)])


class Programmer(Protocol):
    """Writes programs."""

    def write(self, attempt: Attempt, examples: Sequence[str], before: Sequence[Attempt] = ()) -> list[str]:
        """The statements for a command; `examples` are transcripts, `before` what was done earlier in the session."""
        ...

    def correct(self, attempt: Attempt, examples: Sequence[str], errors: Sequence[Sequence[Step]]) -> list[str]:
        """The statements to go on with after the last step, which failed; `errors` are similar ones and what helped."""
        ...


def programmer_for(model: LanguageModel, world: World, role: str) -> Programmer:
    """`role` names the prompt file for planning."""
    return Written(model, world, role) if model.follows_instructions else Imagined(model)


class Imagined:
    """Programs by the imitation brain: the console without its answers."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def write(self, attempt: Attempt, examples: Sequence[str], before: Sequence[Attempt] = ()) -> list[str]:
        return self._go_on(attempt, examples, before)

    def correct(self, attempt: Attempt, examples: Sequence[str], errors: Sequence[Sequence[Step]]) -> list[str]:
        return self._go_on(attempt, examples, ())

    def _go_on(self, attempt: Attempt, examples: Sequence[str], before: Sequence[Attempt]) -> list[str]:
        past = "".join(one.transcript() for one in before)
        heard = hearing(attempt.command)
        imagined = [heard, *attempt.looks, *attempt.done]
        program: list[str] = []
        while len(program) < LONGEST:
            text = f"{past}{render(imagined)}{PROMPT_SIGN}"
            statement = self._model.complete(Prompt("", tuple(examples), text)).strip()
            if statement == WAIT:
                break
            program.append(statement)
            if statement.startswith("ask("):
                break  # what comes then depends on the answer
            imagined.append(Step(statement))
        return program


class Written:
    """Programs by a language model."""

    def __init__(self, model: LanguageModel, world: World, role: str) -> None:
        self._model = model
        self._base = role_text(role) + api_text([*world.skills, *SPEAKING]) + "\n"

    def write(self, attempt: Attempt, examples: Sequence[str], before: Sequence[Attempt] = ()) -> list[str]:
        session = "".join(map(as_program, (one.transcript() for one in before)))
        return statements_in(self._ask(examples, session + _begun(attempt)))

    def correct(self, attempt: Attempt, examples: Sequence[str], errors: Sequence[Sequence[Step]]) -> list[str]:
        shown = "".join(f"{_failed(first)} {_reason(first)}\n# Plan:\n{_code(then)}\n" for first, *then in errors)
        text = f"{role_text('helper_correct')}{shown}\n{_begun(attempt)}{_failed(attempt.done[-1])}"
        reply = self._ask(examples, text, stop=("\n# Failed", *STOP[1:]))
        return statements_in(reply.rpartition("# Plan:")[2])

    def _ask(self, examples: Sequence[str], text: str, stop: Sequence[str] = STOP) -> str:
        count = self._model.count_tokens
        room = self._model.context_tokens - PROGRAM_TOKENS - count(self._base) - count(text) - STATEMENT_TOKENS
        kept = fitting([as_program(example) for example in examples], count, room)
        return self._model.complete(Prompt(self._base, kept, text), stop=stop, max_tokens=PROGRAM_TOKENS)


SPEAKING = tuple(skill for skill in TALK if skill.name in ("say", "ask"))
"""What these methods offer beside the skills."""


class Stage:
    """Where programs run: the console's own executor, without the console."""

    def __init__(self, person: Person, world: World) -> None:
        self.notes = Notes()
        self._conversation = Conversation(person, lambda text: None, NoLessons(), self.notes, world.context.observe)
        person.asked = lambda: self._conversation.question
        functions = {skill.name: skill.bind(world.context) for skill in world.skills} | self._conversation.bound()
        self._executor = Executor(functions, stubs([*world.skills, *SPEAKING]), ConsoleConfig().statement_seconds)
        self._looks = {name: look for name, look in SEEN.items() if look.removesuffix("()") in functions}

    def session(self, carry_out: Callable[[Attempt], None]) -> None:
        """Have what the person says carried out, one command after the other, until they leave."""
        try:
            for attempt in self._commands():
                carry_out(attempt)
        except ConversationOver:
            pass
        finally:
            self._executor.close()

    def _commands(self) -> Iterator[Attempt]:
        """Yield each command with what is seen then; raises ConversationOver at the end."""
        while True:
            command = self._conversation.wait_for_trigger()["text"]
            self.notes.statement(WAIT)
            self.notes.result(repr(command))
            for name, look in self._looks.items():
                self._executor.run(f"{name} = {look}")
            yield Attempt(command, tuple(Step(look, self._executor.run(look).result) for look in self._looks.values()))

    def run(self, statement: str) -> Outcome:
        """Run one statement of a program."""
        self.notes.statement(statement)
        outcome = self._executor.run(statement)
        self.notes.result(outcome.result)
        return outcome


def remember(brain: Brain, attempts: Iterable[Attempt]) -> None:
    """Keep the commands of a run that ended well, with their programs, as an example."""
    done = [attempt for attempt in attempts if attempt.done]
    if done:
        rule = Rule(f"When you say something like {done[0].command!r}, I will do it as shown.")
        transcript = "".join(attempt.transcript() for attempt in done)
        brain.memory.keep_lesson(transcript, rule, "the bench", [attempt.command for attempt in done])


def role_text(role: str) -> str:
    """The fixed text of a role, from bench/baselines/prompts/."""
    return files("bench.baselines").joinpath("prompts", f"{role}.txt").read_text(encoding="utf-8")


def as_program(transcript: str) -> str:
    """A transcript in the notation of Code as Policies: what is there, each command as a comment, its code."""
    lines: list[str] = []
    names = {look: name for name, look in SEEN.items()}
    for step in parse_transcript(transcript):
        if step.called == "wait_for_trigger":
            lines.append(f"# {step.heard}")
        elif step.statement in names:
            lines.insert(_last_comment(lines), f"{names[step.statement]} = {step.result}")
        elif not step.error and not step.statement.startswith(("learn_from_interaction(", "pass")):
            lines.append(step.statement)
    return "\n".join(lines) + "\n\n" if lines else ""


def _last_comment(lines: Sequence[str]) -> int:
    return max((index for index, line in enumerate(lines) if line.startswith("# ")), default=len(lines))


def _begun(attempt: Attempt) -> str:
    return as_program(attempt.transcript()).rstrip("\n") + "\n"


def _failed(step: Step) -> str:
    return f"# Failed: {step.statement}\n# Error: {step.error}\n# Explain:"


def _reason(step: Step) -> str:
    return (step.error or "").partition(": ")[2].partition(" Hint:")[0]


def _code(steps: Iterable[Step]) -> str:
    return "".join(f"{step.statement}\n" for step in steps if not step.error)
