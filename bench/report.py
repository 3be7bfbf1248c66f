"""What every bench is given, what it gives back, and how that is shown: a table, and one line of JSON.

A bench is a module bench/FOLDER/NAME.py. Its docstring says what is measured and why; its run(options) measures, and
returns a Report. Where it has options of its own, its add_arguments(parser) adds them. `heed bench NAME` does the rest.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from daemon.config import Config

T = TypeVar("T")

Figures = Mapping[str, float | int | None]
"""Name -> figure: shares from 0 to 1, times with their unit in the name, None where nothing could be measured."""


class BenchError(RuntimeError):
    """The bench cannot be run; the message says what to do."""


@dataclass(frozen=True)
class Options:
    """What a bench is asked for."""

    data: Path | None = None
    """File of cases; None for a bench that needs none."""
    brain: str = "imitation"
    """"imitation", "llama:FILE.gguf" or "remote:URL"."""
    method: str = "full"
    """How the brain is used: "full", or one of the baselines that the bench knows."""
    config: Config = field(default_factory=Config)
    quiet: bool = False
    """Show no progress."""
    own: argparse.Namespace = field(default_factory=argparse.Namespace)
    """What the bench's add_arguments() added."""

    def read(self) -> Any:
        """The content of the data file. Raises BenchError for one that is missing or no JSON."""
        if self.data is None:
            raise BenchError("this bench needs cases: give a file with --data FILE")
        try:
            return json.loads(self.data.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BenchError(f"{self.data} cannot be read: {error}; give another file with --data FILE") from error

    def progress(self, cases: Iterable[T]) -> Iterator[T]:
        """The cases, one after the other, while a line on a terminal counts them."""
        total = len(cases) if isinstance(cases, Sized) else None
        shown = not self.quiet and sys.stderr.isatty()
        for number, case in enumerate(cases, start=1):
            if shown:
                print(f"\r{number}{f' of {total}' if total else ''} ", end="", file=sys.stderr, flush=True)
            yield case
        if shown:
            print("\r", end="", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """Tell the person at the terminal something; not part of the result."""
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Report:
    """What came out."""

    bench: str
    cases: int
    figures: Figures
    brain: str = "-"
    method: str = "-"
    data: str = "-"
    """The data file's name."""
    load: float = field(default_factory=lambda: round(os.getloadavg()[0], 2))
    """Processes that wanted a core, over the last minute."""

    def table(self) -> str:
        """The figures, one per line."""
        width = max(map(len, self.figures), default=0)
        return "".join(f"{name:{width}}  {_shown(figure):>10}\n" for name, figure in self.figures.items())

    def line(self) -> str:
        """Return everything, as one line of JSON."""
        fields = {"bench": self.bench, "brain": self.brain, "method": self.method, "data": self.data}
        figures = {name: round(f, 6) if isinstance(f, float) else f for name, f in self.figures.items()}
        return json.dumps(fields | {"cases": self.cases, "load": self.load, "figures": figures})


class Bench(Protocol):
    """A module of this package that measures something."""

    __doc__: str | None

    def run(self, options: Options) -> Report:
        """Measure. Raises BenchError."""
        ...


def share(outcomes: Iterable[bool]) -> float | None:
    """Return how many of the outcomes are true, from 0 to 1; None for none at all."""
    counted = list(outcomes)
    return sum(counted) / len(counted) if counted else None


def _shown(figure: float | int | None) -> str:
    if figure is None:
        return "-"
    return f"{figure:.3f}" if isinstance(figure, float) else str(figure)
