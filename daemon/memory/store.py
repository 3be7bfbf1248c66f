"""The memory of the running robot: memory.sqlite with seeds, and retrieval over it."""

import json
import logging
import re
import shutil
import threading
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from daemon.config import MemoryConfig
from daemon.memory.example import InteractionExample
from daemon.memory.lesson import Lesson
from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import DamagedMemoryError, UnwritableMemoryError, put_aside
from daemon.memory.nearness import Embedder, Nearness
from daemon.memory.retrieval import GrowingIndex, InstructionIndex, Retrieved, Vectors, query_vector
from daemon.memory.spare_copy import restore_spare
from daemon.transcript import instructions_of, parse_transcript, render

log = logging.getLogger(__name__)

AT_ONCE = 256
"""So many instructions get their vectors while one waits, two seconds; those of a larger memory in the background."""
BATCH = 64
"""... so many in a transaction, so that being killed loses little."""
SEED_FOLDER = Path(__file__).with_name("seed")
"""The examples that a new robot starts with."""


class Memory(LessonBook):
    """Lessons and seeds, and which of them are most like this moment."""

    def __init__(
        self,
        path: Path,
        embedder: Embedder,
        config: MemoryConfig,
        seed_folder: Path | None = None,
        more_seeds: Sequence[str] = (),
    ) -> None:
        """Open the file or make it, and give it the seeds of `seed_folder` (ours when None), and more transcripts.

        Seeds that changed since the last start are replaced; lessons are never touched.
        Raises MemoryFileError, and ValueError for a seed file that cannot be read.
        """
        super().__init__(path)
        self._embedder = embedder
        self._config = config
        self._said: dict[str, Vectors] = {}
        self.nearness = Nearness(embedder)
        none = InstructionIndex([], np.zeros((0, embedder.dimension), np.float32))
        self._index = GrowingIndex(none, none)
        self._index_state: tuple[int, int] | None = None
        self._counts: dict[int, int] = {}
        """Of each example in the index, its instructions there."""
        self._later: list[int] = []
        self._closing = threading.Event()
        self._worker: threading.Thread | None = None
        try:
            self._take_seeds([*read_seeds(seed_folder or SEED_FOLDER), *more_seeds])
            self._current_index()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._closing.set()
        if self._worker is not None:
            self._worker.join()
        super().close()

    @property
    def to_embed(self) -> int:
        """Return how many instructions wait for a vector of this embedder; until they have one, they are not
        retrieved.
        """
        return len(self._later)

    def retrieve(
        self, utterances: Sequence[str], k: int | None = None, lessons: Container[int] | None = None
    ) -> list[Retrieved]:
        """The k examples (config.examples when None) most like the last utterances, nearest last.

        `utterances` come oldest first; the last config.utterances count, each config.decay times the next.
        `lessons` are the numbers of those that apply now; examples of others are left out. None leaves out nothing.
        """
        last = utterances[-self._config.utterances :]
        if not last:
            return []
        query = query_vector(self._vectors_of(last), self._config.decay)
        k = self._config.examples if k is None else k
        if lessons is None:
            return self._current_index().nearest(query, k)
        return self._current_index().nearest(query, k, lambda e: e.lesson_id is None or e.lesson_id in lessons)

    def like(self, text: str) -> list[tuple[Lesson, float]]:
        """The active lessons with their similarity to a text (cosine), the most similar first."""
        lessons = self.lessons()
        if not lessons:
            return []
        said, *rules = self._embedder.embed([text, *(lesson.rule.text for lesson in lessons)])
        pairs = [(lesson, float(rule @ said)) for lesson, rule in zip(lessons, rules, strict=True)]
        return sorted(pairs, key=lambda pair: -pair[1])

    def examples(self) -> list[InteractionExample]:
        """All examples that may be retrieved, the newest lessons first."""
        return sorted(self._current_index().examples, key=lambda example: -(example.lesson_id or 0))

    def instructions(self) -> list[str]:
        """Return all that people say in the examples which may be retrieved, each once."""
        return list(dict.fromkeys(text for example in self._current_index().examples for text in example.instructions))

    def _current_index(self) -> GrowingIndex:
        """The index in RAM, with what changed here or in another process since it was last asked for."""
        with self._lock:
            state = self.state
            if state != self._index_state:
                self._embed_missing()
                self._take_changes()
                self._index_state = state
            return self._index

    @property
    def state(self) -> tuple[int, int]:
        """Return another one when lessons may have changed; data_version counts what other connections commit."""
        return self._edition, self._rows("PRAGMA data_version")[0]["data_version"]

    def _take_changes(self) -> None:
        with self._noticing_damage():
            counts = dict(self._database.execute(_COUNTS, [self._embedder.name]).fetchall())
        changed = {id for id, _ in counts.items() ^ self._counts.items()}
        if not changed:
            return
        rows = self._rows(_CHANGED, self._embedder.name, json.dumps([*(changed & counts.keys())]))
        examples = [_example_from(list(group)) for _, group in groupby(rows, key=itemgetter("id"))]
        blobs = b"".join(row["vector"] for row in rows)
        vectors = np.frombuffer(blobs, "<f4").reshape(len(rows), self._embedder.dimension)
        self._index, self._counts = self._index.after(changed, examples, vectors), counts

    def _vectors_of(self, utterances: Sequence[str]) -> Vectors:
        """One row each; those of the last call are remembered, since a conversation asks for them again."""
        new = [text for text in dict.fromkeys(utterances) if text not in self._said]
        known = self._said | dict(zip(new, self._embedder.embed(new), strict=True))
        self._said = {text: known[text] for text in utterances}
        return np.stack([known[text] for text in utterances])

    def _embed_missing(self) -> None:
        """Give every instruction a vector of this embedder: seeds and what was taught last now, the rest later."""
        name, size = self._embedder.name, 4 * self._embedder.dimension
        planned = set(self._later)
        missing = [row["id"] for row in self._rows(_NOT_EMBEDDED, name, size) if row["id"] not in planned]
        for start in range(0, len(missing[:AT_ONCE]), BATCH):
            self._embed(missing[:AT_ONCE][start : start + BATCH])
        self._later += missing[AT_ONCE:]
        if self._later and (self._worker is None or not self._worker.is_alive()):
            self._worker = threading.Thread(target=self._embed_later, name="embedding", daemon=True)
            self._worker.start()

    def _embed_later(self) -> None:
        """In a thread: work off what is left; the index is read again each time that has doubled it, and at the end."""
        total, seen = len(self._later), AT_ONCE
        log.info("%d examples of the memory are embedded anew, with %s", total, self._embedder.name)
        try:
            while self._later and not self._closing.is_set():
                self._embed(self._later[:BATCH])
                with self._lock:
                    del self._later[:BATCH]
                    done = total - len(self._later)
                    if done >= 2 * seen or not self._later:
                        seen, self._edition = done, self._edition + 1
                        log.info("embedded: %d of %d", done, total)
        except Exception:  # what is missing is found again at the next start
            log.exception("embedding the memory broke off at %d of %d", total - len(self._later), total)

    def _embed(self, ids: Sequence[int]) -> None:
        """In one transaction; an instruction that is gone meanwhile is left out."""
        asked = ",".join("?" * len(ids))
        new = self._rows(f"SELECT id, text FROM instruction WHERE id IN ({asked})", *ids)
        vectors = self._embedder.embed([row["text"] for row in new])
        with self._transaction():
            here = {row["id"] for row in self._rows(f"SELECT id FROM instruction WHERE id IN ({asked})", *ids)}
            self._database.table("embedding").insert_all(
                (
                    {
                        "instruction_id": row["id"],
                        "model": self._embedder.name,
                        "vector": vector.astype("<f4").tobytes(),
                    }
                    for row, vector in zip(new, vectors, strict=True)
                    if row["id"] in here
                ),
                replace=True,
            )

    def _take_seeds(self, transcripts: Sequence[str]) -> None:
        with self._changing_lessons():
            here = {row["transcript"]: row["id"] for row in self._rows("SELECT * FROM example WHERE origin = 'seed'")}
            for transcript in here.keys() - set(transcripts):
                self._database.table("example").delete(here[transcript])
            for transcript in dict.fromkeys(transcripts):
                if transcript not in here:
                    self._insert_example(transcript, "seed")


@dataclass(frozen=True)
class Opened:
    """A memory, and what had to be done to have one."""

    memory: Memory
    aside: Path | None = None
    """What a damaged file is called now."""
    restored: bool = False
    """The spare copy took the place of the damaged file."""
    unwritable: str = ""
    """Why the memory cannot be written; it is then a copy in another folder, and ends with this run."""


def open_memory(
    path: Path, embedder: Embedder, config: MemoryConfig, refuge: Path, more_seeds: Sequence[str] = ()
) -> Opened:
    """The memory in a file, whatever has happened to that.

    A damaged one is put aside, never overwritten, and its spare copy takes its place. Of one that cannot be written a
    copy in the folder `refuge` is used: a robot with a broken disk can still be talked to. Raises MemoryFileError for
    a file that is another program's, newer than this heed, locked, or not even to be read.
    """
    make = partial(Memory, embedder=embedder, config=config, more_seeds=more_seeds)
    try:
        return Opened(make(path))
    except DamagedMemoryError:
        aside = put_aside(path)
        restored = restore_spare(path)
    except UnwritableMemoryError as error:
        return Opened(make(_copy(path, refuge, error)), unwritable=str(error))
    try:
        return Opened(make(path), aside, restored)
    except DamagedMemoryError:  # the copy as well
        put_aside(path)
        return Opened(make(path), aside)


def _copy(path: Path, folder: Path, trouble: UnwritableMemoryError) -> Path:
    copy = folder / path.name
    try:
        for ending in ("", "-wal"):  # of the latter a part may not be in the former yet
            source = path.with_name(path.name + ending)
            copy.with_name(copy.name + ending).unlink(missing_ok=True)
            if source.exists():
                shutil.copyfile(source, copy.with_name(copy.name + ending))
    except OSError:
        raise trouble from None
    return copy


def read_seeds(folder: Path) -> list[str]:
    """The transcripts in the folder's *.txt files, as render() writes them.

    Comment lines (`# `) and lines of dashes stand between transcripts. Raises ValueError, naming the file and
    the line, also for a transcript in which nobody says anything: it would never be found.
    """
    seeds = []
    for file in sorted(folder.glob("*.txt")):
        for part in _BETWEEN_SEEDS.split(file.read_text(encoding="utf-8")):
            try:
                steps = parse_transcript(part)
                if steps and not instructions_of(steps):
                    raise ValueError("nobody says anything")
            except ValueError as error:
                raise ValueError(f"{file}: {error}, in this example:\n{part.strip()}") from error
            if steps:
                seeds.append(render(steps))
    return seeds


_BETWEEN_SEEDS = re.compile(r"^(?:#.*|-{3,}\s*)$\n?", re.MULTILINE)


def _example_from(rows: Sequence[dict[str, Any]]) -> InteractionExample:
    """One example from its rows, one for each instruction."""
    first = rows[0]
    return InteractionExample(
        id=first["id"],
        transcript=first["transcript"],
        instructions=tuple(row["text"] for row in rows),
        origin=first["origin"],
        lesson_id=first["lesson_id"],
    )


_NOT_EMBEDDED = """SELECT instruction.id FROM instruction JOIN example ON example.id = example_id
WHERE NOT EXISTS (SELECT * FROM embedding
    WHERE instruction_id = instruction.id AND model = ? AND length(vector) = ?)
ORDER BY example.origin DESC, instruction.id DESC"""  # seeds first, then what was taught last

_COUNTS = """SELECT example_id, count(*) FROM instruction
JOIN embedding ON instruction_id = instruction.id AND model = ?
WHERE example_id NOT IN (SELECT example.id FROM example JOIN lesson ON lesson.id = lesson_id WHERE status <> 'active')
GROUP BY example_id"""  # of each example that may be retrieved, the instructions that have a vector

_CHANGED = """SELECT example.*, instruction.text, vector FROM example
JOIN instruction ON instruction.example_id = example.id
JOIN embedding ON embedding.instruction_id = instruction.id AND embedding.model = ?
WHERE example.id IN (SELECT value FROM json_each(?))
ORDER BY example.origin DESC, example.id, instruction.id"""  # seeds first, so that an equal lesson is nearer
