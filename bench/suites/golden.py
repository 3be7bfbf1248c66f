"""`heed bench golden`: does heed still do, word for word, what it did?

Every suite is run on its own sets of cases, and what happened is written down: what was heard, how it was read, each
statement that does something, each error, each word that was said, what moved, each rule that was kept. That is held
against what lies in tests/bench/golden/, one file for each set. A change that is to change no behaviour leaves all of
it equal; any other is read line by line (`--show`), named in its commit, and written anew (`--write`).

RAIDER's orders are only examined: each has one line, what was asked, found, and would be done.

`cases` counts the conversations and orders, `changed` those that went otherwise.
"""

import argparse
import difflib
import importlib
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from bench.report import BenchError, Options, Report
from bench.support.conversation_diary import journal

ROOT = Path(__file__).parents[2]
SETS = ROOT / "tests" / "bench" / "data" / "seen"
GOLDEN = ROOT / "tests" / "bench" / "golden"
SUITES = {
    "household": ("teaching*.json",),
    "saycan": ("kitchen*.json",),
    "raider": ("raider_own*.json",),
    "nicol": ("nicol_own*.json",),
    "talk": ("talk.json", "requests.json"),
    "prohibitions": ("prohibitions.json",),
}
"""Suite -> its sets of cases of our own. The papers' tasks are held to their figures alone."""
BEGINS = "---"
"""The line at which a conversation begins; of orders, each line is one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--write", action="store_true", help="take what happens now for right")
    parser.add_argument("--show", action="store_true", help="show what changed, line by line")
    parser.add_argument("--only", default="", help="only the sets whose names contain this, talk-requests for one")


def run(options: Options) -> Report:
    """Run every suite on every set, and compare."""
    sets = [one for one in _sets() if getattr(options.own, "only", "") in one.name]
    if not sets:
        raise BenchError(f"there is no set of that name; known are {', '.join(one.name for one in _sets())}")
    plain = replace(options, own=argparse.Namespace(quick=True), quiet=True)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        happened = list(workers.map(_happened, sets, [plain] * len(sets)))
    cases = changed = 0
    for one, lines in zip(sets, happened, strict=True):
        known = one.file.read_text(encoding="utf-8").splitlines() if one.file.exists() else []
        cases += len(_conversations(lines))
        changed += _differing(_conversations(known), _conversations(lines))
        if getattr(options.own, "show", False):
            print("\n".join(difflib.unified_diff(known, lines, one.name, "now", lineterm="", n=6)))
        if getattr(options.own, "write", False):
            GOLDEN.mkdir(exist_ok=True)
            one.file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Report("golden", cases, {"cases": cases, "changed": changed}, options.brain, options.method)


@dataclass(frozen=True)
class Set:
    """Cases for a suite."""

    suite: str
    data: Path

    @property
    def name(self) -> str:
        return f"{self.suite}-{self.data.stem}"

    @property
    def file(self) -> Path:
        """Return where what happened is kept."""
        return GOLDEN / f"{self.name}.txt"


def _sets() -> list[Set]:
    return [Set(suite, data) for suite, forms in SUITES.items() for form in forms for data in sorted(SETS.glob(form))]


def _happened(one: Set, options: Options) -> list[str]:
    with journal() as lines:
        importlib.import_module(f"bench.suites.{one.suite}").run(replace(options, data=one.data))
    return lines


def _conversations(lines: list[str]) -> list[str]:
    """The lines of each conversation, as one text."""
    if not any(line == BEGINS for line in lines):
        return lines
    return "\n".join(lines).split(f"{BEGINS}\n")


def _differing(known: list[str], now: list[str]) -> int:
    """Return how many of the conversations of now were not so, in this order, before, or are gone."""
    same = sum(block.size for block in difflib.SequenceMatcher(None, known, now, autojunk=False).get_matching_blocks())
    return max(len(known), len(now)) - same
