"""What rules do: each kind of rule as a value, and the one sentence that says it.

The value is what code applies, the sentence what a person hears, confirms and lists; it is rendered from the value.
"""

import re
from dataclasses import dataclass

from daemon.lexicon.inflection import is_plural
from daemon.memory.number_rules import Parameter
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.rules import EVERYWHERE, RuleKind, Scope

HIGH_PLACE = "a high place"
"""The place of a Scope that means every surface which people do not reach from the floor."""


@dataclass(frozen=True)
class Also:
    """Something else comes along with what was asked for."""

    scope: Scope
    """What is asked for, or where it is needed."""
    bring: str
    at_once: bool = False
    """Both in one trip, one thing in each hand."""
    example: str = ""
    """One thing of the scope's class, to say the rule more plainly."""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"{_when(self.scope, self.example)}, I also bring the {self.bring}{_AT_ONCE if self.at_once else ''}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.bring, *_scope_key(self.scope))


@dataclass(frozen=True)
class FurtherStep:
    """Something else is done before or after what was asked for."""

    scope: Scope
    """What is asked for, or where something is done."""
    step: str
    """As a person would ask for it: "put the spoon on the tray"."""
    first: bool = False
    example: str = ""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        step = re.sub(r"^bring me\b", "bring you", self.step)
        return f"{_when(self.scope, self.example)}, I {'first' if self.first else 'then'} {step}."

    @property
    def about(self) -> tuple[str, ...]:
        deed = re.split(r" (?:on|to) the ", self.step.lower())[0]
        return ("step", deed, *_scope_key(self.scope))


@dataclass(frozen=True)
class Target:
    """Where things go that are asked for."""

    scope: Scope
    place: str
    example: str = ""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"{_when(self.scope, self.example)}, I bring it to the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("target", *_scope_key(self.scope))


@dataclass(frozen=True)
class Meaning:
    """What someone means by a word."""

    word: str
    phrase: str
    scope: Scope = EVERYWHERE
    kind = RuleKind.WORD_MEANING

    @property
    def sentence(self) -> str:
        return f'When you say "{self.word}", you mean "{self.phrase}".'

    @property
    def about(self) -> tuple[str, ...]:
        return ("word", self.word.lower())


@dataclass(frozen=True)
class Belongs:
    """Where things of a kind are kept."""

    things: str
    """A category, or one thing."""
    place: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        which = self.things if self.things.startswith("any") else f"the {self.things}"
        return f"Where I may choose, {which} {'go' if is_plural(self.things) else 'goes'} to the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("belongs", self.things.lower())


@dataclass(frozen=True)
class Choice:
    """A choice: which thing of a class is taken where any one would do."""

    object_class: str
    thing: str
    kind = RuleKind.PREFERENCE

    @property
    def scope(self) -> Scope:
        return Scope(object_class=self.object_class)

    @property
    def sentence(self) -> str:
        return f"Where any {self.object_class} will do, I take the {self.thing}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("choice", self.object_class)


@dataclass(frozen=True)
class Fact:
    """What a place is like, for example full or broken: another one is taken instead."""

    place: str
    state: str
    kind = RuleKind.SCENE_FACT

    @property
    def scope(self) -> Scope:
        return Scope(place=self.place)

    @property
    def sentence(self) -> str:
        return f"The {self.place} is {self.state}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("fact", self.place.lower())


@dataclass(frozen=True)
class Routine:
    """Several steps or parts under one name."""

    name: str
    content: str
    kind = RuleKind.ROUTINE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f"The {self.name} is: {self.content}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("routine", self.name.lower())


@dataclass(frozen=True)
class Together:
    """Two things that are asked for together come in one trip, one in each hand."""

    one: str
    other: str
    kind = RuleKind.TASK

    @property
    def scope(self) -> Scope:
        return Scope(object=self.one)

    @property
    def sentence(self) -> str:
        return f"When you ask for the {self.one} and the {self.other}, I bring both in one trip."

    @property
    def about(self) -> tuple[str, ...]:
        return ("together", *sorted((self.one, self.other)))


@dataclass(frozen=True)
class Alone:
    """What shares no trip with anything else, even when several things are asked for."""

    scope: Scope
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"I carry {self.scope.which} alone, one thing in a trip."

    @property
    def about(self) -> tuple[str, ...]:
        return ("alone", *self.scope.things)


@dataclass(frozen=True)
class Manner:
    """How a request like this one is done; the transcript shows it."""

    request: str
    kind = RuleKind.TASK
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f'When you say something like "{self.request}", I do it as you showed me.'

    @property
    def about(self) -> tuple[str, ...]:
        return ("manner", self.request.lower())


@dataclass(frozen=True)
class Closing:
    """What was opened is closed again."""

    kind = RuleKind.TASK
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return "When I open something to take something out, I close it afterwards."

    @property
    def about(self) -> tuple[str, ...]:
        return ("closing",)


Effect = (
    Also
    | FurtherStep
    | Target
    | Meaning
    | Belongs
    | Choice
    | Fact
    | Routine
    | OnlyWhenAsked
    | Never
    | Untouched
    | KeptOff
    | Forbidden
    | Together
    | Alone
    | Manner
    | Closing
    | Parameter
)
"""`sentence` says it, `about` is equal for two effects that cannot both hold."""


_AT_ONCE = ", both at once"


def _when(scope: Scope, example: str) -> str:
    who = f"{scope.person} asks" if scope.person else "you ask"
    if scope.place and (scope.object or scope.object_class or scope.look):
        return f"When I put {scope.which} on the {scope.place}"
    if scope.place:
        what = f"reach {HIGH_PLACE}" if scope.place == HIGH_PLACE else f"do something at the {scope.place}"
        return f"When {scope.person or 'you'} {'needs' if scope.person else 'need'} to {what}"
    if scope.look:
        return f"When {who} for {scope.which}"
    if scope.object_class:
        return f"When {who} for {example or 'something'} or another {scope.object_class}"
    return f"When {who} for {scope.object or 'anything'}"


def _scope_key(scope: Scope) -> tuple[str, ...]:
    return (*scope.things, scope.place, scope.person)
