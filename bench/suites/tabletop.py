"""`heed bench tabletop`: blocks and bowls, the tasks of Code as Policies, with a person who gives feedback by a script.

Liang et al. (2023) set the tasks, Baermann et al. (2024, sec. 4) how interaction on them is scored: each run is one
command; after each turn the person sees whether it is done, and may correct it, then asks to remember that. Memory is
kept from run to run. Seen attributes and instructions (SA/SI), unseen attributes (UA/SI), both unseen (UA/UI).
s: the last state is success; i: the first is; n: corrections until the first success, in runs that end well, as the
papers' code averages it (per template, then over templates); kept: ever done, and not broken afterwards.

--method NAME   how the brain is used: bench/baselines has the console with parts left out, and the papers' other ways
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.baselines import open_method
from bench.baselines.method import Method, World
from bench.report import Options, Report, share
from bench.support.blocks_and_bowls import TABLETOP_SKILLS, Table, imagine, satisfied
from bench.support.rehearsed import Person
from skills.skill import SkillContext

SEEDS = Path(__file__).with_name("tabletop_seed")
CORRECTIONS = 2
"""How often the person corrects before giving up."""
REMEMBER = "can you please remember that for the future"


@dataclass(frozen=True)
class Run:
    """How one command went."""

    id: str
    split: str
    template: str
    states: tuple[bool, ...]
    """Whether it was done, after each turn."""
    transcript: str

    @property
    def kept(self) -> bool:
        return True in self.states and all(self.states[self.states.index(True) :])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="show the transcripts of what failed")


def run(options: Options) -> Report:
    """Do every command of the file, split by split. Figures: s, i, n and kept for each split."""
    data = options.read()
    with open_method(options, options.config.memory.examples, SEEDS) as (method, brain):
        runs = [run_one(one, data, method) for one in options.progress(data["instances"])]
    for failed in runs:
        if not failed.kept and getattr(options.own, "show", False):
            options.note(f"\n--- {failed.id} failed ---\n{failed.transcript}")
    figures: dict[str, float | int | None] = {}
    for split in dict.fromkeys(run.split for run in runs):
        some = [run for run in runs if run.split == split]
        figures |= {
            f"{split}.s": share(run.states[-1] for run in some),
            f"{split}.i": share(run.states[0] for run in some),
            f"{split}.n": interactions(some),
            f"{split}.kept": share(run.kept for run in some),
        }
    name = options.data.name if options.data else "-"
    return Report("tabletop", len(runs), figures, brain, options.method, name)


def run_one(instance: Mapping[str, Any], data: Mapping[str, Any], method: Method) -> Run:
    """One command on its table, with corrections."""
    positions = {name: tuple(point) for name, point in data["world"]["named_positions"].items()}
    table = Table(positions, {name: tuple(point) for name, point in instance["objects"].items()})
    context = SkillContext(table, table.observe)  # type: ignore[arg-type]
    states: list[bool] = []
    script = _script(instance, data["scripted_feedback"], table, states)
    person = Person(lambda: next(script, None), lambda question: "yes")
    agent = method.agent(person, World(TABLETOP_SKILLS, context, imagine))
    try:
        agent.run()
    except Exception as error:  # an outcome of its own in the protocol, and no success
        agent.notes.said(f"{type(error).__name__}: {error}")
        states.append(False)
    method.ended(agent, bool(states) and states[-1])
    return Run(
        instance["id"], instance["split"], instance["template"], tuple(states or [False]), agent.notes.transcript()
    )


def interactions(runs: Sequence[Run]) -> float | None:
    """Corrections until the first success in runs that end well: the mean over templates of their means."""
    counts: dict[str, list[int]] = {}
    for one in runs:
        if one.states[-1]:
            counts.setdefault(one.template, []).append(one.states.index(True))
    means = [sum(some) / len(some) for some in counts.values()]
    return sum(means) / len(means) if means else None


def _script(
    instance: Mapping[str, Any], feedback: Sequence[Mapping[str, Any]], table: Table, states: list[bool]
) -> Iterator[str]:
    """Yield what the person says: the command, corrections while it is not done, and "remember" once one has helped."""
    yield instance["command"]
    states.append(satisfied(instance["goal"], table))
    said = [one["say"] for one in feedback if one["template"] == instance["template"]]
    attributes = {name.split(":")[0]: value for name, value in instance["attributes"].items()}
    for correction in said[:CORRECTIONS]:
        if states[-1]:
            break
        yield correction.format(**attributes)
        states.append(satisfied(instance["goal"], table))
    if states[-1] and len(states) > 1:
        yield REMEMBER
        states.append(satisfied(instance["goal"], table))
