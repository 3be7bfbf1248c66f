"""What the console offers for tasks that have a name: define one, do one, tell of them."""

from collections.abc import Callable
from typing import Any

from daemon.console.tasks.coordinator import Coordinator, Skills
from daemon.console.tasks.model_roles import Models
from daemon.console.tasks.parts import TaskReader
from daemon.console.tasks.worker import Worker
from daemon.memory.task_book import RunState, Task, TaskBook
from daemon.names import without_end
from skills.skill import Observation, Skill


class Tasks:
    """What people ask for by the name of a task."""

    def __init__(
        self,
        book: TaskBook,
        observe: Callable[[], Observation],
        skills: Skills,
        interrupted: Callable[[], bool],
        unfinished: Callable[[], str] = lambda: "",
        coordinators: Models = lambda: (),
        workers: Models = lambda: (),
        reader: TaskReader | None = None,
        answer: Callable[[str, Worker], str] = lambda question, worker: worker.progress_of_all(),
    ) -> None:
        """`skills` move the robot; `interrupted` tells whether somebody wants something else.

        `unfinished` is the request that was being carried out when heed ended, told once. The models of the two roles
        may be the same; they have what `reader` leaves unread. `answer` answers a question from what the worker knows.
        """
        self.worker = Worker(book, observe, workers, reader)
        """The role that reads."""
        self._unfinished = unfinished
        self._book = book
        self._coordinator = Coordinator(book, self.worker, skills, interrupted, coordinators)
        self._answer = answer
        self._offered: Task | None = None
        self._offered_request = ""

    # --- for the console ---

    def take_offer(self) -> Task | None:
        """Return the task that left_over() asked about; it is asked about once."""
        offered, self._offered = self._offered, None
        return offered

    def take_offered_request(self) -> str:
        """Return the unfinished request that left_over() asked about; "" for none, and from the second time on."""
        request, self._offered_request = self._offered_request, ""
        return request

    def do_task(self, name: str) -> str:
        """Carry out a named task, or go on with it; returns how far it has come, in words to say."""
        task = next((task for task in self._book.tasks() if task.name == name), None)
        return self._coordinator.carry_out(task) if task else f"I do not know a task called {name}."

    def define_task(self, name: str, spec: str) -> str:
        """Tell what a task is."""
        task = self._book.define(name.removeprefix("the ").removeprefix("a ").strip(), spec)
        if puzzles := "; ".join(self._coordinator.puzzles(task)):
            return f"I have noted {task.name}, but I do not understand this yet: {puzzles}."
        return f"I know now what {task.name} means."

    def about_tasks(self, question: str) -> str:
        """Tell what was done for a task, and what is left; in words to say."""
        if answer := self._answer(question, self.worker):
            return answer
        return "I have noted nothing about that." if self._book.runs() else "I have not begun any task yet."

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return what the console offers."""
        return {"do_task": self.do_task, "define_task": self.define_task, "about_tasks": self.about_tasks}

    # --- what is known ---

    def left_over(self) -> str:
        """Return what was under way when heed ended, and the question whether to go on; "" for nothing."""
        run = next((run for run in self._book.runs() if run.state is RunState.OPEN), None)
        request = self._unfinished()
        if run is None:
            self._offered_request = request
            told = f"I was interrupted while I was doing this: {without_end(request or '')}. Shall I go on?"
            return told if request else ""
        self._coordinator.settle(run)
        self._offered = run.task
        progress = self.worker.progress(run.task)
        return f"I was at the {run.task.name} when I was interrupted. {progress} Shall I go on?"

    def working_memory(self) -> list[str]:
        """A few lines for whoever thinks next: each task under way, what was done, what remains."""
        return self.worker.working_memory()


TASKS = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (Tasks.do_task, Tasks.define_task, Tasks.about_tasks)
)
"""What tasks offer the console, in the form of skills."""
