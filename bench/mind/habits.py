"""Console prompts whose next statement only the examples decide: in every household, each verb means something else.

For comparing two ways to read the same prompt with a model that has real weights: where the examples did not count,
any way of reading them would do. Made up by dice, rendered as the robot's own transcripts.
"""

import random
from dataclasses import dataclass

from daemon.console.prompt import NEW_TASK, example_part
from daemon.llm.model import PROMPT_SIGN, Prompt
from daemon.transcript import Step, render

VERBS = ("bring", "fetch", "serve", "prepare", "clear", "sort", "mind", "move")
THINGS = (
    "juice", "milk", "tea", "water", "cup", "plate", "bowl", "apple", "banana", "bread", "cheese", "sponge", "towel",
    "ladder", "spoon", "knife",
)  # fmt: skip
PLACES = ("table", "counter", "fridge", "sink", "shelf", "cupboard", "drawer", "windowsill")
SEEN = 4
"""So many things lie somewhere in each scene."""
SUCCESS = "'success'"


@dataclass(frozen=True)
class Habit:
    """What is done when a verb is said."""

    opens: bool
    closes: bool
    goal: str
    """Where the thing goes; a place, or "person"."""
    speaks: bool

    def statements(self, thing: str, place: str) -> list[str]:
        """Return the statements for a thing that lies at `place`."""
        given = f"handover('{thing}')" if self.goal == "person" else f"put('{thing}', '{self.goal}')"
        steps = [
            (True, f"move_to('{place}')"),
            (self.opens, f"open_door('{place}')"),
            (True, f"grasp('{thing}')"),
            (self.closes, f"close_door('{place}')"),
            (True, f"move_to('{self.goal}')"),
            (True, given),
            (self.speaks, f"say('The {thing} is done.')"),
        ]
        return [statement for wanted, statement in steps if wanted] + ["wait_for_trigger()"]


@dataclass(frozen=True)
class Case:
    """A request in a household, and what is right to do."""

    base: str
    examples: tuple[str, ...]
    """As they stand in prompts, the nearest last."""
    begin: str
    """The history up to the first statement of the model."""
    right: tuple[str, ...]
    """The statements, as the examples show them."""

    def prompts(self) -> list[Prompt]:
        """The prompt before each of the statements, the right ones having been run before it."""
        history, prompts = self.begin, []
        for statement in self.right:
            prompts.append(Prompt(self.base, self.examples, f"{history}{PROMPT_SIGN}"))
            history += f"{PROMPT_SIGN} {statement}\n{SUCCESS}\n"
        return prompts


class Household:
    """One where each verb has a meaning of its own."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._habits = {verb: self._habit() for verb in VERBS}

    def example(self, verb: str) -> str:
        """A transcript of a request with this verb, and of what was done."""
        steps, right = self._asked(verb)
        done = [Step(statement, SUCCESS) for statement in right[:-1]]
        return render([*steps, *done])

    def case(self, base: str, examples: int) -> Case:
        """A request behind so many examples; the last two of them have its verb, as if they had been retrieved."""
        verb = self._dice.choice(VERBS)
        shown = [self._dice.choice(VERBS) for _ in range(examples - 2)] + [verb] * min(examples, 2)
        steps, right = self._asked(verb)
        parts = tuple(example_part(self.example(verb)) for verb in shown)
        return Case(base, parts, f"{NEW_TASK}{render(steps)}", tuple(right))

    def _asked(self, verb: str) -> tuple[list[Step], list[str]]:
        dice = self._dice
        seen = [(thing, dice.choice(PLACES)) for thing in dice.sample(THINGS, SEEN)]
        thing, place = dice.choice(seen)
        heard = {"type": "dialog", "text": f"Please {verb} the {thing}."}
        steps = [Step("wait_for_trigger()", repr(heard)), Step("list_objects()", repr(seen))]
        return steps, self._habits[verb].statements(thing, place)

    def _habit(self) -> Habit:
        dice = self._dice
        goal = dice.choice((*PLACES, "person"))
        return Habit(dice.random() < 0.5, dice.random() < 0.5, goal, dice.random() < 0.5)
