"""Training prompts: the robot's base prompt, examples, and a conversation, as the console shows them to a model."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from daemon.console.builtins import TALK
from daemon.console.prompt import NEW_TASK, base_prompt, example_part
from daemon.memory.store import SEED_FOLDER, read_seeds
from daemon.transcript import render
from skills.skill import Skill, load_skills
from training.families import FAMILIES, Asker, Unfit
from training.lessons import HABITS, MEANT, Habit
from training.world import draw_world

WAIT = ">>> wait_for_trigger()\n"
EXAMPLES = (0, 0, 1, 1, 2, 2, 3, 3, 4, 5)
EXAMPLES_SHORT = (0, 0, 1)
"""How many are shown, drawn from these."""
FIRST = 20
"""Example transcripts to begin with; each prompt adds one."""
TRIES = 40
"""So often an unfit request is drawn again before the world is."""


@dataclass(frozen=True)
class TrainingPrompt:
    """One sequence. Its text is true: every result is what the world returned."""

    base: str
    examples: tuple[str, ...]
    scored: tuple[bool, ...]
    """Whether each example's statements are to be learned; those that heed ships are only shown."""
    conversation: str
    """Ends with the wait for the next utterance."""
    family: str


def training_prompts(seed: int, short: bool = False) -> Iterator[TrainingPrompt]:
    """An endless stream, the same for the same seed; `short` ones show at most one example, and no base.

    To begin with the short ones teaches more statements per token.
    """
    dice = random.Random(seed)
    pool = _Pool(dice, EXAMPLES_SHORT if short else EXAMPLES)
    while True:
        draw = dice.random()
        if draw < 0.25:
            prompt, _ = habit_prompt(dice, pool.draw(), dice.choices(("shown", "other"), (3, 1))[0])
        else:
            prompt = _ordinary(dice, pool, meant=draw < 0.37)
        yield replace(prompt, base="") if short else prompt


def habit_prompt(
    dice: random.Random, others: Sequence[str], case: str, kinds: Sequence[type[Habit]] = HABITS, unseen: bool = False
) -> tuple[TrainingPrompt, Asker]:
    """A habit that is "shown" and asked for; or, "other", shown while something else is asked for; or "unshown"."""
    while True:
        world = draw_world(dice, unseen=unseen)
        try:
            habit = dice.choice(kinds)(dice, world)
            shown = [] if case == "unshown" else [habit.show() for _ in range(dice.choice((1, 1, 2)))]
            asker = Asker(dice, world, world.console())
            {"shown": habit.ask, "other": habit.ask_another, "unshown": habit.ask_unshown}[case](asker)
        except Unfit:
            continue
        examples = [*others, *shown]
        if dice.random() < 0.5:
            dice.shuffle(examples)
        return _prompt(dice, examples, asker, f"{type(habit).__name__} {case}"), asker


def asked(dice: random.Random, asker: Asker, only: Sequence[str] = ()) -> str:
    """Let the asker ask for something that fits, of the named families if there are any; returns the family.

    Raises Unfit where nothing does.
    """
    table = {name: weight for name, (_, weight) in FAMILIES.items()}
    if only:
        table = {name: table[name] or 1.0 for name in table if name in only}
    for _ in range(TRIES):
        name = dice.choices(list(table), list(table.values()))[0]
        before = len(asker.console.steps)
        try:
            FAMILIES[name][0](asker)
        except Unfit:
            if len(asker.console.steps) > before:
                raise
            continue
        return name
    raise Unfit


def shown_example(dice: random.Random, only: Sequence[str] = (), turns: int = 1) -> tuple[str, str]:
    """(family of the first turn, transcript) in the style of those that heed ships."""
    while True:
        world = draw_world(dice)
        asker = Asker(dice, world, world.console(), live=False)
        try:
            families = [asked(dice, asker, only) for _ in range(turns)]
        except Unfit:
            continue
        return families[0], render(asker.console.steps)


def conversation_prompt(
    dice: random.Random,
    examples: Sequence[str],
    only: Sequence[str] = (),
    unseen_names: bool = False,
    unseen_phrases: bool = False,
) -> tuple[TrainingPrompt, Asker]:
    """One request in a fresh world, behind these examples, for the held-out suites."""
    while True:
        world = draw_world(dice, unseen=unseen_names, strange=0.0 if unseen_names else None)
        asker = Asker(dice, world, world.console(), unseen=unseen_phrases)
        try:
            family = asked(dice, asker, only)
        except Unfit:
            continue
        return _prompt(dice, examples, asker, family), asker


class _Pool:
    """Example transcripts by family: our own, and those that heed ships."""

    def __init__(self, dice: random.Random, counts: Sequence[int]) -> None:
        self._dice = dice
        self._counts = counts
        self._by_family: dict[str, list[str]] = defaultdict(list)
        self._all: list[str] = []
        self._seeds = read_seeds(SEED_FOLDER)

    def draw(self, family: str = "") -> list[str]:
        """Some examples; most of the time one is of the family."""
        dice = self._dice
        self._grow()
        examples = [self._one() for _ in range(dice.choice(self._counts))]
        if examples and self._by_family[family] and dice.random() < 0.7:
            examples[-1] = dice.choice(self._by_family[family])
        return examples

    def _one(self) -> str:
        return self._dice.choice(self._seeds if self._dice.random() < 0.25 else self._all)

    def _grow(self) -> None:
        for _ in range(1 if self._all else FIRST):
            family, text = shown_example(self._dice, turns=self._dice.choice((1, 1, 1, 2)))
            self._by_family[family].append(text)
            self._all.append(text)


def _ordinary(dice: random.Random, pool: _Pool, meant: bool) -> TrainingPrompt:
    while True:
        world = draw_world(dice)
        asker = Asker(dice, world, world.console())
        try:
            if meant:
                family = "meant"
                dice.choice(MEANT)(asker)
            else:
                family = asked(dice, asker)
            for _ in range(dice.choice((0, 0, 1, 1, 2, 3))):
                asked(dice, asker)
        except Unfit:
            continue
        return _prompt(dice, pool.draw(family), asker, family)


def _prompt(dice: random.Random, examples: Sequence[str], asker: Asker, family: str) -> TrainingPrompt:
    conversation = NEW_TASK + render(asker.console.steps) + WAIT
    seeds = frozenset(_seeds())
    scored = tuple(text not in seeds for text in examples)
    return TrainingPrompt(varied_base(dice), tuple(map(example_part, examples)), scored, conversation, family)


def varied_base(dice: random.Random) -> str:
    """The base prompt as it is, in part, in another order, with words left out, or none.

    So the model leans on it for nothing, and a robot with other skills or other rules does it no harm.
    """
    draw = dice.random()
    if draw < 0.15:
        return whole_base()
    if draw < 0.65:
        return ""
    lines = whole_base().splitlines(keepends=True)
    share = dice.random() ** 2
    kept = [line for line in lines if dice.random() < share]
    if dice.random() < 0.5:
        dice.shuffle(kept)
    return "".join(_changed(dice, line) if dice.random() < 0.15 else line for line in kept)


@cache
def whole_base() -> str:
    """What heed shows a model of its own skills today."""
    return base_prompt(told_skills())


def told_skills() -> list[Skill]:
    """All that these transcripts call."""
    return [*load_skills().values(), *TALK]


@cache
def _seeds() -> tuple[str, ...]:
    return tuple(read_seeds(SEED_FOLDER))


def _changed(dice: random.Random, line: str) -> str:
    words = line.rstrip("\n").split(" ")
    return " ".join(word for word in words if dice.random() > 0.2) + "\n"
