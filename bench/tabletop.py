"""`heed bench tabletop`: blocks and bowls, the tasks of Code as Policies, with a person who gives feedback by a script.

Liang et al. (2023) set the tasks, Baermann et al. (2024, sec. 4) how interaction on them is scored: each run is one
command; after each turn the person sees whether it is done, and may correct it, then asks to remember that. Memory is
kept from run to run. Seen attributes and instructions (SA/SI), unseen attributes (UA/SI), both unseen (UA/UI).
s: the last state is success; i: the first is; n: corrections until the first success, in runs that end well, as the
papers' code averages it (per template, then over templates); kept: ever done, and not broken afterwards.
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.brain import open_brain
from bench.rehearsed import NoLessons, Person, Rehearsed
from bench.report import BenchError, Options, Report, share
from bench.tabletop_world import TABLETOP_SKILLS, Table, satisfied
from daemon.console.conversation import Learner
from daemon.console.history import InteractionHistory
from daemon.console.recall import Recall
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import LanguageModel
from daemon.memory.rules import Rule, RuleKind, Scope
from daemon.memory.store import Memory
from daemon.transcript import render
from skills.skill import SkillContext

SEEDS = Path(__file__).with_name("tabletop_seed")
METHODS = ("full", "no-retrieval", "no-learning", "raw-history")
"""How lessons are kept: as they ended well, not at all, or as they went, mistakes included (Baermann et al. 4.3)."""
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


class RawLessons:
    """Keeps what happened, as it happened or only the turn that ended well."""

    def __init__(self, memory: Memory, everything: bool) -> None:
        self._memory = memory
        self._everything = everything

    def learn(self, history: InteractionHistory, ask: Any, say: Any) -> str:
        """Keep the turns since the last lesson."""
        turns = history.turns_since_lesson()[:-1]
        if not turns:
            return "nothing learned: nothing has happened"
        first, last = turns[0], turns[-1]
        steps = [step for turn in turns for step in turn.steps]
        if not self._everything:
            steps = [first.steps[0], *(step for step in last.steps[1:] if not step.error)]
        rule = Rule(f"When you say something like {first.utterance!r}, I will do it as shown.", RuleKind.TASK, Scope())
        self._memory.keep_lesson(render(steps), rule, "the bench", [turn.utterance for turn in turns])
        history.mark_learned()
        return "learned"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="show the transcripts of what failed")


def run(options: Options) -> Report:
    """Do every command of the file, split by split. Figures: s, i, n and kept for each split."""
    if options.method not in METHODS:
        raise BenchError(f"there is no method {options.method!r} here; use {', '.join(METHODS)}")
    data = options.read()
    with _brain_and_memory(options) as (model, memory):
        learner: Learner = NoLessons()
        if options.method != "no-learning":
            learner = RawLessons(memory, everything=options.method == "raw-history")
        runs = [run_one(one, data, model, memory, learner) for one in options.progress(data["instances"])]
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
    return Report("tabletop", len(runs), figures, model.name, options.method, name)


def run_one(
    instance: Mapping[str, Any], data: Mapping[str, Any], model: LanguageModel, memory: Memory, learner: Learner
) -> Run:
    """One command on its table, with corrections."""
    positions = {name: tuple(point) for name, point in data["world"]["named_positions"].items()}
    table = Table(positions, {name: tuple(point) for name, point in instance["objects"].items()})
    context = SkillContext(table, table.observe)  # type: ignore[arg-type]
    states: list[bool] = []
    script = _script(instance, data["scripted_feedback"], table, states)
    person = Person(lambda: next(script, None), lambda question: "yes")
    recall = Recall(memory, table.observe, lambda: None)
    heed = Rehearsed(person, model, recall, learner, TABLETOP_SKILLS, context)
    try:
        heed.run()
    except Exception as error:  # an outcome of its own in the protocol, and no success
        heed.said(f"{type(error).__name__}: {error}")
        states.append(False)
    return Run(instance["id"], instance["split"], instance["template"], tuple(states or [False]), heed.transcript())


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
    """What the person says: the command, corrections while it is not done, and "remember" once one has helped."""
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


@contextmanager
def _brain_and_memory(options: Options) -> Iterator[tuple[LanguageModel, Memory]]:
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    try:
        with tempfile.TemporaryDirectory() as folder:
            config = options.config.memory
            if options.method == "no-retrieval":
                config = replace(config, examples=1000)
            memory = Memory(Path(folder) / "memory.sqlite", embedder, config, SEEDS)
            yield model, memory
            memory.close()
    finally:
        model.close()
