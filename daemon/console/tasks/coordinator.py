"""The coordinator: decides which action comes next for a task, has it done, and writes it down (NICOL, 2024).

Code leads where it understands all words of a task. Any other is led by a language model, one action at a time; each is
held against what there is before anything moves. The log is written before and after it, so a task can end at any time.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from daemon.console.tasks.model_roles import Action, LostTrackError, Models, next_action
from daemon.console.tasks.parts import PERSON, Part
from daemon.console.tasks.worker import Worker
from daemon.lexicon.inflection import is_or_are
from daemon.memory.task_book import Run, RunState, Task, TaskBook

Skills = Mapping[str, Callable[..., Any]]
ROUNDS = 2
"""Actions for each thing that matters, at most, where a model leads: one that goes in circles must end."""


class Coordinator:
    """Carries out one task at a time."""

    def __init__(
        self,
        book: TaskBook,
        worker: Worker,
        skills: Skills,
        interrupted: Callable[[], bool],
        models: Models = lambda: (),
    ) -> None:
        """`skills` move the robot; `interrupted` tells whether somebody wants something else."""
        self._book = book
        self._worker = worker
        self._skills = skills
        self._interrupted = interrupted
        self._models = models

    def carry_out(self, task: Task) -> str:
        """Do a task, or go on with it; returns how far it has come, in words to say."""
        by_model = self._needs_model(task)
        if puzzles := "; ".join(self.puzzles(task)):
            return f"I do not understand this of the {task.name}: {puzzles}. Tell me which things go where."
        run = self._book.begin(task)
        self.settle(run)
        try:
            for action in self._by_model(task) if by_model else self._by_parts(task):
                if self._interrupted():
                    return self._suspend(run, f"I leave the {task.name} for now.")
                self._do(action, run)
        except LostTrackError:
            return self._suspend(run, f"I do not know how to go on with the {task.name}.")
        except BaseException:
            self._book.set_state(run, RunState.SUSPENDED)
            raise
        self._book.set_state(run, RunState.DONE)
        return f"The {task.name} {is_or_are(task.name)} done."

    def puzzles(self, task: Task) -> list[str]:
        """Return the words of a task that neither code nor a model understands."""
        return [] if self._needs_model(task) else [*self._worker.spec(task).unread, *self._worker.unclear(task)]

    def settle(self, run: Run) -> None:
        """A step that was under way when heed ended: it is done if that is seen, else it is to be done."""
        step = run.under_way
        if step is None:
            return
        there = step.action != "point" and self._worker.scene.object(step.thing).location == step.target
        if there:
            earlier = run.done[-1].remains if run.done else ()
            left = [name for name in earlier if name != step.thing]
            self._book.end_step(step.id, left or self._worker.remaining(run))
        else:
            self._book.drop_step(step.id)

    def _needs_model(self, task: Task) -> bool:
        """Return whether code does not understand all of it, and there is a model that may."""
        return bool(self._worker.spec(task).unread and self._models())

    # --- what comes next: each is asked for after the one before was done ---

    def _by_parts(self, task: Task) -> Iterator[Action]:
        for part in self._worker.spec(task).parts:
            while (thing := self._next(part, task)) is not None:
                yield Action(part.action, thing, part.target)

    def _next(self, part: Part, task: Task) -> str | None:
        """Return what is in a hand already, else the first that is not done."""
        undone = self._worker.undone(part, task)
        held = [thing.name for thing in self._worker.scene.objects if thing.held_by]
        return next((thing for thing in undone if thing in held), undone[0] if undone else None)

    def _by_model(self, task: Task) -> Iterator[Action]:
        for _ in range(ROUNDS * len(self._worker.scene.objects)):
            things = self._worker.relevant(task)
            action = next_action(self._models(), task.spec, things, self._worker.done(task), self._worker.scene)
            if action is None:
                return
            yield action
        raise LostTrackError(task.spec)

    # --- what is done ---

    def _do(self, action: Action, run: Run) -> None:
        source = self._worker.scene.object(action.thing).location
        step = self._book.begin_step(run, action.name, action.thing, action.target)
        for name, arguments in self._moves(action):
            self._skills[name](*arguments)
        self._book.end_step(step, self._worker.remaining(run, source))

    def _moves(self, action: Action) -> list[tuple[str, tuple[str, ...]]]:
        """Return the skills for one action, from how things are now."""
        scene = self._worker.scene
        thing = scene.object(action.thing)
        moves: list[tuple[str, tuple[str, ...]]] = []
        if not thing.held_by:
            place = scene.location(scene.place_of(thing))
            moves += [("move_to", (place.name,)), *([("open_door", (place.name,))] if place.door == "closed" else [])]
            moves += [("point_at" if action.name == "point" else "grasp", (thing.name,))]
        if action.name == "give":
            moves += [("move_to", (PERSON,)), ("handover", (thing.name,))]
        elif action.name == "put":
            moves += [("move_to", (action.target,)), ("place", (thing.name, action.target))]
        return moves

    def _suspend(self, run: Run, why: str) -> str:
        self._book.set_state(run, RunState.SUSPENDED)
        return f"{why} {self._worker.progress(run.task)}"
