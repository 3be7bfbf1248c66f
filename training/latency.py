"""How long a person waits for the first statement, behind as many examples as heed shows."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daemon.config import MemoryConfig
from daemon.console.history import InteractionHistory
from daemon.console.prompt import InteractPrompts, example_part
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.llama import LlamaModel
from daemon.memory.store import Memory
from daemon.transcript import Step
from training.prompts import told_skills
from training.suites import cases_of

SPOKEN = 20
"""Requests that are timed."""


def first_statements(model: LlamaModel, examples: int) -> dict[str, float | str]:
    """Milliseconds from the prompt to the first statement, each request behind the examples that are most like it.

    "cold": nothing prepared but the base; "prepared": after the model had idle time for every example, as a robot that
    waits has. "tokens": of the prompts, on average; "shown": examples that found room, on average.
    """
    with _memory(examples) as memory:
        prompts = InteractPrompts(told_skills(), model)
        asked = [asker.console.steps[0] for _, asker in cases_of("seen", SPOKEN)]
        model.prepare(prompts.base, [])
        cold = [_timed(model, prompts, memory, step) for step in asked]
        model.prepare(prompts.base, [example_part(example.transcript) for example in memory.examples()])
        prepared = [_timed(model, prompts, memory, step) for step in asked]
    return {
        "cold_ms": round(1000 * statistics.median(seconds for seconds, _, _ in cold), 1),
        "prepared_ms": round(1000 * statistics.median(seconds for seconds, _, _ in prepared), 1),
        "splicing": str(model.describe()["splicing"]),
        "tokens": round(statistics.mean(tokens for _, tokens, _ in cold)),
        "shown": round(statistics.mean(shown for _, _, shown in cold), 1),
    }


def _timed(model: LlamaModel, prompts: InteractPrompts, memory: Memory, step: Step) -> tuple[float, int, int]:
    history = InteractionHistory()
    history.add(step)
    texts = [found.example.transcript for found in memory.retrieve([step.heard or ""])]
    prompt = prompts.prompt(texts, history)
    began = time.perf_counter()
    model.complete(prompt)
    return time.perf_counter() - began, model.report.prompt_tokens, len(prompt.examples)


@contextmanager
def _memory(examples: int) -> Iterator[Memory]:
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory(Path(folder) / "memory.sqlite", MiniLmEmbedder(), MemoryConfig(examples=examples))
        try:
            yield memory
        finally:
            memory.close()
