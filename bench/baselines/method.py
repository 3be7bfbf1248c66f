"""What a method is: it makes an agent for each run, and is told how the run ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench.support.rehearsed import Notes, Person
from daemon.llm.model import Embedder, LanguageModel
from daemon.memory.store import Memory
from skills.skill import Observation, Skill, SkillContext


@dataclass(frozen=True)
class Brain:
    """What all runs of a bench share."""

    model: LanguageModel
    embedder: Embedder
    memory: Memory
    """Examples and what was learned, from run to run."""


@dataclass(frozen=True)
class World:
    """What one run takes place in."""

    skills: Sequence[Skill]
    context: SkillContext
    imagine: Callable[[Observation], SkillContext]
    """A body in a copy of an observed world."""


class Agent(Protocol):
    """Talks with one person in one world."""

    notes: Notes
    """What it did and said."""

    def run(self) -> None:
        """Do what the person says until they leave. Raises Exception where the method breaks off."""
        ...


class Method(Protocol):
    """A way to use a brain."""

    def agent(self, person: Person, world: World) -> Agent:
        """A new one, which knows nothing but the memory."""
        ...

    def ended(self, agent: Agent, success: bool) -> None:
        """The run of an agent is over; success is how the person sees it."""
        ...
