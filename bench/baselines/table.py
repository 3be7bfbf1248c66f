"""All methods by name, and how one is opened for a bench."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bench.baselines.cap import CodeAsPolicies, DynamicCap
from bench.baselines.heeds_way import ConsoleMethod, improved_lessons, no_lessons, raw_history
from bench.baselines.helper_method import Helper
from bench.baselines.method import Brain, Method
from bench.mind.brain import open_brain
from bench.report import BenchError, Options
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory

ALL = 1000
"""k without retrieval: more than there are; a language model is shown what fits its context."""

METHODS: Mapping[str, Callable[[Brain], Method]] = {
    "full": lambda brain: ConsoleMethod(brain, improved_lessons),
    "no-retrieval": lambda brain: ConsoleMethod(brain, improved_lessons),
    "no-learning": lambda brain: ConsoleMethod(brain, no_lessons),
    "raw-history": lambda brain: ConsoleMethod(brain, raw_history),
    "cap": CodeAsPolicies,
    "dynamic-cap": DynamicCap,
    "helper": Helper,
}


@contextmanager
def open_method(options: Options, k: int, seeds: Path | None = None) -> Iterator[tuple[Method, str]]:
    """The method that the options name, with their brain and a memory of `seeds`, of which k are shown; and the
    brain's name. Raises BenchError.
    """
    if options.method not in METHODS:
        raise BenchError(f"there is no method {options.method!r} here; use {', '.join(METHODS)}")
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    config = replace(options.config.memory, examples=ALL if options.method == "no-retrieval" else k)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            Memory(Path(folder) / "memory.sqlite", embedder, config, seeds) as memory,
        ):
            yield METHODS[options.method](Brain(model, embedder, memory)), model.name
    finally:
        model.close()
