"""Tasks in memory.sqlite: what each is, and a log of what was done for it, step by step (NICOL's declarative memory).

A step is written before the robot moves and ended after, each in one transaction that is on the disk when the call
returns. So a step that has begun and not ended tells what was under way when the power went.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from daemon.memory.memory_book import MemoryBook


class RunState(StrEnum):
    """The state of one time that a task is carried out."""

    OPEN = "open"
    """Under way, or it was when the power went."""
    SUSPENDED = "suspended"
    """Something else came first."""
    DONE = "done"


@dataclass(frozen=True)
class Task:
    """What a name stands for."""

    id: int
    name: str
    spec: str
    """In a person's words: "fruits go to box 1; everything else stays"."""


@dataclass(frozen=True)
class TaskStep:
    """One action for a task."""

    id: int
    action: str
    """put, give or point."""
    thing: str
    target: str
    """A place; "" where there is none."""
    ended: bool
    remains: tuple[str, ...] = ()
    """What was left, afterwards, of where the thing came from."""


@dataclass(frozen=True)
class Run:
    """One time that a task is carried out, with its steps so far."""

    id: int
    task: Task
    state: RunState
    steps: tuple[TaskStep, ...]

    @property
    def done(self) -> tuple[TaskStep, ...]:
        return tuple(step for step in self.steps if step.ended)

    @property
    def under_way(self) -> TaskStep | None:
        """The step that has begun and not ended."""
        return next((step for step in reversed(self.steps) if not step.ended), None)


class TaskBook(MemoryBook):
    """The tasks in one memory.sqlite."""

    def define(self, name: str, spec: str) -> Task:
        """Keep for what this name stands from now on; a task of that name is changed."""
        with self._changing():
            sql = "INSERT INTO task (name, spec) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET spec = excluded.spec"
            self._database.execute(sql, (name, spec))
        return next(task for task in self.tasks() if task.name == name)

    def tasks(self) -> list[Task]:
        """Return every task that has a name."""
        return [Task(**row) for row in self._rows("SELECT id, name, spec FROM task ORDER BY id")]

    def begin(self, task: Task) -> Run:
        """Go on with the run of this task that is not done yet, or begin a new one; others are suspended."""
        with self._changing():
            self._database.execute(
                "UPDATE task_run SET state = 'suspended' WHERE state = 'open' AND task_id <> ?", (task.id,)
            )
            if self._rows("SELECT id FROM task_run WHERE task_id = ? AND state <> 'done'", task.id):
                self._database.execute(
                    "UPDATE task_run SET state = 'open', at = ? WHERE task_id = ? AND state <> 'done'",
                    (_now(), task.id),
                )
            else:
                self._database.execute("INSERT INTO task_run (task_id, at) VALUES (?, ?)", (task.id, _now()))
        return next(run for run in self.runs() if run.task.id == task.id)

    def set_state(self, run: Run, state: RunState) -> None:
        with self._changing():
            self._database.execute("UPDATE task_run SET state = ? WHERE id = ?", (state, run.id))

    def begin_step(self, run: Run, action: str, thing: str, target: str) -> int:
        """Return the number of the step, which is on the disk before anything moves."""
        with self._changing():
            cursor = self._database.execute(
                "INSERT INTO task_step (run_id, at, action, thing, target) VALUES (?, ?, ?, ?, ?)",
                (run.id, _now(), action, thing, target),
            )
            return int(cursor.lastrowid or 0)

    def end_step(self, step: int, remains: Sequence[str]) -> None:
        """Note that it was done, and what was left."""
        with self._changing():
            self._database.execute(
                "UPDATE task_step SET ended_at = ?, remains = ? WHERE id = ?", (_now(), json.dumps(list(remains)), step)
            )

    def drop_step(self, step: int) -> None:
        """Note that it came to nothing."""
        with self._changing():
            self._database.execute("DELETE FROM task_step WHERE id = ?", (step,))

    def runs(self) -> list[Run]:
        """Return every run, the latest first."""
        rows = self._rows(
            "SELECT task_run.id, state, task.id AS task_id, name, spec FROM task_run JOIN task ON task.id = task_id "
            "ORDER BY task_run.at DESC, task_run.id DESC"
        )
        return [
            Run(
                row["id"],
                Task(row["task_id"], row["name"], row["spec"]),
                RunState(row["state"]),
                self._steps(row["id"]),
            )
            for row in rows
        ]

    def _steps(self, run: int) -> tuple[TaskStep, ...]:
        rows = self._rows("SELECT * FROM task_step WHERE run_id = ? ORDER BY id", run)
        return tuple(
            TaskStep(
                row["id"],
                row["action"],
                row["thing"],
                row["target"],
                row["ended_at"] is not None,
                tuple(json.loads(row["remains"])),
            )
            for row in rows
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
