"""The worker: reads, each time anew, what a task needs to know of what is seen and of what was done.

(NICOL, 2024: a stateless model that a coordinator asks.) Here code reads, from the log and the scene, so it is the same
after an interruption, another task, or a power cut. A language model is asked only what code cannot tell: which of the
things that are seen are "things a baby could swallow".
"""

from collections.abc import Callable, Iterable, Sequence

from daemon.console.tasks.model_roles import Models, chosen_things, recalled_things
from daemon.console.tasks.parts import PERSON, Part, ReadsNothing, Spec, TaskReader
from daemon.memory.task_book import Run, RunState, Task, TaskBook, TaskStep
from daemon.names import joined, spoken
from skills.scene import Scene
from skills.skill import Observation


class Worker:
    """Answers from log and scene; of what it once told it keeps only which things a description covers."""

    def __init__(
        self,
        book: TaskBook,
        observe: Callable[[], Observation],
        models: Models = lambda: (),
        reader: TaskReader | None = None,
    ) -> None:
        """`models` are asked in this order, the next one where one does not answer; `reader` is code's part."""
        self._reader = reader or ReadsNothing()
        self._book = book
        self._observe = observe
        self._models = models
        self._covered: dict[tuple[str, str], bool] = {}

    @property
    def scene(self) -> Scene:
        """Return what is seen now."""
        return Scene.from_observation(self._observe())

    def spec(self, task: Task) -> Spec:
        """Return the task, read for the places that there are."""
        return self._reader.spec(task.spec, [place.name for place in self.scene.locations])

    @property
    def tasks(self) -> list[Task]:
        """All tasks that have a name."""
        return self._book.tasks()

    @property
    def runs(self) -> list[Run]:
        """Return what was begun, the latest first."""
        return self._book.runs()

    # --- what matters ---

    def undone(self, part: Part, task: Task) -> list[str]:
        """Return the things of a part with which nothing was done yet, in the order of its kinds."""
        scene = self.scene
        things = self._things(part.kinds, task, scene, part.without)
        things += self._rest(part, task, scene) if part.rest else []
        kept = set(self._things(self.spec(task).kept, task, scene))
        stays = kept if not set(things) <= kept else set()  # "the fruits stay, but the apple goes to box 1"
        not_meant = {*self._things(part.but, task, scene), part.target, *stays}
        things = [name for name in things if name not in not_meant]
        if part.action == "point":
            done = {step.thing for step in self.done(task) if step.action == part.action}
            return [name for name in dict.fromkeys(things) if name not in done]
        return [name for name in dict.fromkeys(things) if scene.object(name).location != part.target]

    def relevant(self, task: Task) -> list[str]:
        """Return the things that matter for a task as a whole; all that are seen, where no model can tell."""
        names = [thing.name for thing in self.scene.objects]
        return [name for name, covers in (self._judged(task.spec, task, names) or {}).items() if covers] or names

    def unclear(self, task: Task) -> list[str]:
        """Return the words of a task for things of which neither code nor a model can tell what they are.

        What stays matters only where all the rest is moved; exceptions always do.
        """
        scene, spec = self.scene, self.spec(task)
        names = [thing.name for thing in scene.objects]
        kept = spec.kept if any(part.rest for part in spec.parts) else ()
        return [
            kind
            for kind in (*(kind for part in spec.parts for kind in (*part.kinds, *part.but)), *kept)
            if not self._is_known(kind, scene) and self._judged(kind, task, names) is None
        ]

    def _is_known(self, kind: str, scene: Scene) -> bool:
        return bool(self._reader.things_of(kind, scene)) or self._reader.is_plain(kind)

    def _things(self, kinds: Iterable[str], task: Task, scene: Scene, without: Iterable[str] = ()) -> list[str]:
        """Return the names of what there is of these kinds, in their order: by code, else by a model."""
        names = [thing.name for thing in scene.objects]
        found: list[str] = []
        for kind in kinds:
            of_kind = self._reader.things_of(kind, scene, frozenset(without))
            if not of_kind and not self._reader.is_plain(kind):
                of_kind = [name for name, covers in (self._judged(kind, task, names) or {}).items() if covers]
            found += of_kind
        return found

    def _rest(self, part: Part, task: Task, scene: Scene) -> list[str]:
        """Return what nothing else in the task is about: a task tidies one table, not the house.

        That is where most such things are, and once something was done, what the log says was left there.
        """
        spec = self.spec(task)
        others = [other for other in spec.parts if other is not part and not other.rest]
        taken = {name for other in others for name in self._things(other.kinds, task, scene, other.without)}
        taken |= set(self._things(spec.kept, task, scene))
        targets = {other.target for other in spec.parts} | {PERSON}
        left = [thing for thing in scene.objects if thing.name not in taken | targets and thing.location not in targets]
        if done := self.done(task):
            logged = {name for step in done for name in step.remains}
            return [thing.name for thing in left if thing.name in logged or thing.held_by]
        places = [scene.place_of(thing) for thing in left]
        return [thing.name for thing, place in zip(left, places, strict=True) if place == max(places, key=places.count)]

    def _judged(self, kind: str, task: Task, names: Sequence[str]) -> dict[str, bool] | None:
        """Return which of these a description covers; each is asked about once. None where no model can tell."""
        new = [name for name in names if (kind, name) not in self._covered]
        if new:
            chosen = chosen_things(self._models(), task.spec, kind, new)
            if chosen is None:
                return None
            self._covered |= {(kind, name): name in chosen for name in new}
        return {name: self._covered[kind, name] for name in names}

    # --- what was done, and what is left ---

    def done(self, task: Task) -> list[TaskStep]:
        """Return what was done in the latest run of a task: what was done in one long ago is to be done again."""
        return list(next((run.done for run in self._book.runs() if run.task.id == task.id), ()))

    def progress(self, task: Task) -> str:
        """Return how far a task has come, in words to say."""
        of_task = [run for run in self._book.runs() if run.task.id == task.id]
        done = [step.thing for step in self.done(task)] or [step.thing for run in of_task for step in run.done]
        spec = self.spec(task)
        so_far = f"Done so far: {listed(done)}."
        if spec.unread:
            return so_far
        left = [thing for part in spec.parts for thing in self.undone(part, task)]
        return f"{so_far} What remains to do: {listed(left)}."

    def progress_of_all(self) -> str:
        """Return how far each task has come that was begun, in words to say; "" for none."""
        return " ".join(dict.fromkeys(f"{run.task.name}: {self.progress(run.task)}" for run in self.runs))

    def working_memory(self) -> list[str]:
        """Return a few lines for whoever thinks next: each task under way, what was done, what remains."""
        runs = [run for run in self._book.runs() if run.state is not RunState.DONE]
        return [f"Task {run.task.name} ({run.state}): {run.task.spec}. {self.progress(run.task)}" for run in runs]

    def remaining(self, run: Run, source: str = "") -> list[str]:
        """Return what is at `source` now, where a thing of this task came from; else what is at none of its targets."""
        scene = self.scene
        targets = {part.target for part in self.spec(run.task).parts} | {PERSON}
        return [
            thing.name
            for thing in scene.objects
            if not thing.held_by and (thing.location == source if source else thing.location not in targets)
        ]

    def can_recall(self, task: Task) -> bool:
        """Return whether there is a model that can read, and something to be read."""
        return bool(self._models() and self.done(task))

    def recall(self, question: str, task: Task) -> str:
        """Return what a language model reads in the log of a task, in words to say; "" where none can."""
        lines = [
            f"{step.action} {step.thing}{f' -> {step.target}' if step.target else ''}; left: {', '.join(step.remains)}"
            for step in self.done(task)
        ]
        names = [thing.name for thing in self.scene.objects]
        things = recalled_things(self._models(), task.spec, lines, question, names) if lines else None
        return "" if things is None else f"As I have noted it for the {task.name}: {listed(things)}."


def listed(things: Sequence[str]) -> str:
    """Return names as one says them: "the apple and the banana"; "nothing" for none."""
    return joined([f"the {spoken(thing)}" for thing in things]) or "nothing"
