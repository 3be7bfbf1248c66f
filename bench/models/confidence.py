"""`heed bench confidence`: what a model file is worth below and above a threshold of its own confidence.

SayCan's requests (see `saycan`) are carried out once per threshold of `[llm] confidence`, with imitation doing the rest
of a request in which the model was unsure. A request counts as the model's where it was sure of every statement.

For each threshold: `all`, the share that was carried out by the two together; `by_model`, the share that the model
carried through alone, and `right_by_model` of those; `wrong_moves`, how many requests failed although the model was
sure of something in them that moves or changes a thing; `no_statement`, answers of it that were no Python.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bench.methods import open_method
from bench.report import BenchError, Options, Report, share
from bench.suites.saycan import EXAMPLES, run_task
from daemon.console.confidence_guard import IMITATION, Written
from daemon.console.statements import statements_in

THRESHOLDS = "0.000001,0.05,0.1,0.3,0.5,0.8,0.95,0.99"
"""The first is as good as none, and tells who wrote what all the same."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--thresholds", default=THRESHOLDS, help=f"with commas between (default: {THRESHOLDS})")


def run(options: Options) -> Report:
    """Carry out every request once per threshold."""
    if not options.brain.startswith("llama:"):
        raise BenchError("only a model file tells how sure it is: give one with --brain llama:FILE.gguf")
    data = options.read()
    figures: dict[str, float | int | None] = {}
    for threshold in str(getattr(options.own, "thresholds", THRESHOLDS)).split(","):
        done = _carried_out(options, float(threshold), data)
        mine = [one for one in done if one.alone]
        found = {
            "all": share(one.right for one in done),
            "by_model": share(one.alone for one in done),
            "right_by_model": share(one.right for one in mine),
            "wrong_moves": sum(one.moved and not one.right for one in done),
            "no_statement": sum(one.broken for one in done),
        }
        options.note(f"{threshold}: {found}")
        figures |= {f"{threshold}.{name}": figure for name, figure in found.items()}
    name = options.data.name if options.data else "-"
    return Report("confidence", len(data["tasks"]), figures, options.brain, options.method, name)


@dataclass(frozen=True)
class _Done:
    """How one request went."""

    right: bool
    alone: bool
    """Whether the model was sure of every statement."""
    moved: bool
    """Whether it was sure of one that moves something."""
    broken: int
    """Answers of the model that were no statement, of those that went to the console."""


def _carried_out(options: Options, threshold: float, data: Mapping[str, Any]) -> list[_Done]:
    config = replace(options.config, llm=replace(options.config.llm, confidence=threshold, unsure=IMITATION))
    written: list[Written] = []
    done = []
    with open_method(replace(options, config=config), EXAMPLES, written=written.append) as (method, name):
        for task in options.progress(data["tasks"]):
            written.clear()
            right = run_task(task, data["world"], method).success
            own = [one for one in written if one.author == name]
            broken = sum(not statements_in(one.statement) for one in own)
            done.append(_Done(right, len(own) == len(written), any(one.moves for one in own), broken))
    return done
