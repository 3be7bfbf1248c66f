"""`heed bench memory`: how long it takes to find the examples for an utterance among very many.

A memory.sqlite with 100,000 examples of what people could say to a robot is made, opened as heed opens it, and asked
with sentences that are not in it, one after the other as in a conversation. The examples' vectors are those of some
hundred sentences with noise added: what is found means nothing, only the time does, and whether it is the same that
comparing with every vector would find. Embedding what was said (really, MiniLM) is part of the time, and told apart.
Figures with _cpu count processor time, in which neighbours count for less.

A second, smaller memory meets an embedder of another name: until when can one talk to it, and how fast are the vectors
made anew behind that.
"""

import argparse
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.report import Options, Report
from daemon.config import MemoryConfig
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.transcript import Step, render

LESSONS = 5
"""Taught at the end, one by one."""
KNOWN = 512
"""Sentences that are really embedded; the others are these with noise."""
NOISE = 0.35
"""Length of what is added to vectors of length 1: some hundred near ones for each query, as paraphrases would be."""
ACTIONS = ("bring me", "put away", "look for", "hand over", "wash", "open", "carry", "fetch", "show me", "count")
THINGS = ("juice", "milk", "cup", "plate", "sponge", "apple", "bread", "spoon", "towel", "box", "tea", "bowl", "knife")
PLACES = (
    "on the table",
    "in the fridge",
    "at the sink",
    "on the shelf",
    "in the drawer",
    "by the window",
    "in my room",
)
MANNERS = ("", " please", " quickly", " when you have time", " carefully", " before lunch", " and tell me", " again")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--examples", type=int, default=100_000, help="how many there are in memory")
    parser.add_argument("--queries", type=int, default=300, help="how many utterances are asked for")
    parser.add_argument("--anew", type=int, default=2000, help="how many get vectors of another embedder")


def run(options: Options) -> Report:
    """Measure finding, then changing the embedder."""
    own = options.own
    dice = random.Random(1)
    embedder = _Timed(MiniLmEmbedder())
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as name:
        folder = Path(name)
        options.note(f"{own.examples} examples are written")
        _fill(folder / "memory.sqlite", own.examples, embedder, dice)
        options.note(f"{own.queries} utterances")
        figures = _find(folder / "memory.sqlite", embedder, own.queries, dice)
        options.note(f"{own.anew} examples meet another embedder")
        _fill(folder / "anew.sqlite", own.anew, embedder, dice)
        figures |= _embed_anew(folder / "anew.sqlite")
    return Report("memory", own.examples, figures)


class _Timed:
    """An embedder that notes how long it took."""

    def __init__(self, embedder: MiniLmEmbedder) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self.took_ms = 0.0
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        began = time.perf_counter()
        rows = self._embedder.embed(texts)
        self.took_ms = (time.perf_counter() - began) * 1000
        return rows


class _Renamed(MiniLmEmbedder):
    """The same vectors under another name: as much to do as for a really other embedder of this size."""

    name = "another"


def _fill(path: Path, count: int, embedder: _Timed, dice: random.Random) -> None:
    """Write examples with their vectors, past heed's own way, which would embed each sentence."""
    with Memory(path, embedder, MemoryConfig()):
        pass
    near = _noisy(embedder.embed([_sentence(dice) for _ in range(KNOWN)]), count)
    transcripts = [(_sentence(dice), number) for number in range(count)]
    with sqlite3.connect(path) as database:
        (first,) = database.execute("SELECT max(id) + 1 FROM example").fetchone()
        (instruction,) = database.execute("SELECT max(id) + 1 FROM instruction").fetchone()
        database.executemany(
            "INSERT INTO example (id, origin, transcript) VALUES (?, 'learned', ?)",
            ((first + number, _transcript(text)) for text, number in transcripts),
        )
        database.executemany(
            "INSERT INTO instruction (id, example_id, text) VALUES (?, ?, ?)",
            ((instruction + number, first + number, f"{text}, number {number}") for text, number in transcripts),
        )
        database.executemany(
            "INSERT INTO embedding (instruction_id, model, vector) VALUES (?, ?, ?)",
            ((instruction + number, embedder.name, near[number].tobytes()) for _, number in transcripts),
        )
    database.close()


def _find(path: Path, embedder: _Timed, queries: int, dice: random.Random) -> dict[str, float | int | None]:
    began = time.perf_counter()
    with Memory(path, embedder, MemoryConfig()) as memory:
        opened = time.perf_counter() - began
        took, used, embedding, same = [], [], [], 0
        said: list[str] = []
        resident = _resident_mb()
        vectors = memory._current_index().vectors
        for number in range(queries):
            said.append(f"could you {_sentence(dice)} for the {number}th time")
            began, computed = time.perf_counter(), time.thread_time()
            found = memory.retrieve(said)
            took.append((time.perf_counter() - began) * 1000)
            used.append((time.thread_time() - computed) * 1000)
            embedding.append(embedder.took_ms)
            same += _as_by_comparing_all(memory, vectors, said, [hit.score for hit in found])
        kept, again = _after_lessons(memory, said)
    searching = [all - part for all, part in zip(took, embedding, strict=True)]
    return {
        "retrieval_p50_ms": float(np.percentile(took, 50)),
        "retrieval_p95_ms": float(np.percentile(took, 95)),
        "retrieval_max_ms": max(took),
        "retrieval_cpu_p50_ms": float(np.percentile(used, 50)),
        "retrieval_cpu_p95_ms": float(np.percentile(used, 95)),
        "embedding_p50_ms": float(np.percentile(embedding, 50)),
        "embedding_p95_ms": float(np.percentile(embedding, 95)),
        "search_p50_ms": float(np.percentile(searching, 50)),
        "search_p95_ms": float(np.percentile(searching, 95)),
        "same_as_comparing_all": same / queries,
        "open_s": opened,
        "keep_a_lesson_ms": kept,
        "retrieval_after_a_lesson_ms": again,
        "resident_mb": resident,
    }


def _after_lessons(memory: Memory, said: Sequence[str]) -> tuple[float, float]:
    """Milliseconds, in the median, to keep one lesson more, and to retrieve first after it."""
    keeping, retrieving = [], []
    for number in range(LESSONS):
        began = time.perf_counter()
        memory.keep_lesson(_transcript(f"bring me the {number}th cup"), Rule(f"rule {number}"))
        kept = time.perf_counter()
        memory.retrieve(said)
        keeping.append((kept - began) * 1000)
        retrieving.append((time.perf_counter() - kept) * 1000)
    return statistics.median(keeping), statistics.median(retrieving)


def _as_by_comparing_all(
    memory: Memory, vectors: NDArray[np.float32], said: Sequence[str], scores: Sequence[float]
) -> bool:
    config = MemoryConfig()
    weights = config.decay ** np.arange(min(len(said), config.utterances) - 1, -1, -1, dtype=np.float32)
    query = weights @ memory._vectors_of(said[-config.utterances :])
    everything = np.sort(vectors @ (query / np.linalg.norm(query)))[-len(scores) :]
    return bool(np.allclose(everything, scores, atol=1e-5))


def _embed_anew(path: Path) -> dict[str, float | int | None]:
    began = time.perf_counter()
    with Memory(path, _Renamed(), MemoryConfig()) as memory:
        memory.retrieve(["bring me the juice"])
        ready, left = time.perf_counter() - began, memory.to_embed
        while memory.to_embed:
            time.sleep(0.05)
        done = time.perf_counter() - began
    return {"anew_ready_s": ready, "anew_left_when_ready": left, "anew_per_s": left / max(done - ready, 1e-3)}


def _noisy(vectors: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    source = np.random.default_rng(1)
    chosen = vectors[source.integers(0, len(vectors), count)]
    noise = source.normal(0, NOISE / vectors.shape[1] ** 0.5, chosen.shape).astype(np.float32)
    mixed = chosen + noise
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), "<f4")


def _sentence(dice: random.Random) -> str:
    return f"{dice.choice(ACTIONS)} the {dice.choice(THINGS)} {dice.choice(PLACES)}{dice.choice(MANNERS)}"


def _transcript(text: str) -> str:
    heard = repr({"type": "dialog", "text": text})
    return render([Step("wait_for_trigger()", heard), Step("move_to('table')", "'success'"), Step("say('Done.')")])


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6
