"""What people say about tasks: do it, go on with it, how far are you, what is where; and what a task is."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from daemon.console.tasks.by_model import Models
from daemon.console.tasks.coordinator import Coordinator, Skills
from daemon.console.tasks.worker import Worker
from daemon.imitation.english.tasks.spec import Spec, read_spec
from daemon.lexicon.things import words_of
from daemon.memory.tasks import RunState, Task, TaskBook
from skills.skill import Observation, Skill

SURE = 2
"""Words of a task's description that a sentence must share with it, where it does not say its name."""


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
        read: Callable[[str, Sequence[str]], Spec] = read_spec,
    ) -> None:
        """`skills` move the robot; `interrupted` tells whether somebody wants something else.

        `unfinished` is the request that was being carried out when heed ended, told once. The models of the two roles
        may be the same; they have what `read` leaves unread.
        """
        self._unfinished = unfinished
        self._book = book
        self._worker = Worker(book, observe, workers, read)
        self._coordinator = Coordinator(book, self._worker, skills, interrupted, coordinators)
        self._offered: Task | None = None
        self._offered_request = ""

    # --- for the console ---

    def statements(self, text: str) -> list[str] | None:
        """What an utterance about tasks asks for, as statements; None for one that is about something else."""
        offered, self._offered = self._offered, None
        if offered and _YES.match(text):
            return [f"say(do_task({offered.name!r}))"]
        if match := _DEFINITION.match(text):
            return [f"say(define_task({match['name'].strip()!r}, {match['spec'].strip()!r}))"]
        task = self._named(text)
        if _QUESTION.match(text):
            task = self._asked_about(text)
            known = self._worker.answer(text, task) or (task and self._worker.can_recall(task))
            return [f"say(about_tasks({text!r}))"] if known else None
        if task is None and _GO_ON.search(text):
            run = next((run for run in self._book.runs() if run.state is not RunState.DONE), None)
            task = run.task if run else None
        return [f"say(do_task({task.name!r}))"] if task else None

    def accepted(self, text: str) -> str | None:
        """The unfinished request that the person wants to be gone on with; None for anything else."""
        request, self._offered_request = self._offered_request, ""
        return request if request and _YES.match(text) else None

    def do_task(self, name: str) -> str:
        """Carry out a task that has a name, or go on with it; returns how far it has come, in words to say."""
        task = next((task for task in self._book.tasks() if task.name == name), None)
        return self._coordinator.carry_out(task) if task else f"I do not know a task called {name}."

    def define_task(self, name: str, spec: str) -> str:
        """Remember what a task is; returns words to say."""
        task = self._book.define(re.sub(r"^(?:the|a)\s+", "", name), spec)
        if puzzles := "; ".join(self._coordinator.puzzles(task)):
            return f"I have noted {task.name}, but I do not understand this yet: {puzzles}."
        return f"I know now what {task.name} means."

    def about_tasks(self, question: str) -> str:
        """Answer a question about what was done for a task, and what is left; in words to say."""
        task = self._asked_about(question)
        answer = self._worker.answer(question, task) or (self._worker.recall(question, task) if task else "")
        return answer or ("I have noted nothing about that." if self._book.runs() else "I have not begun any task yet.")

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What the console offers."""
        return {"do_task": self.do_task, "define_task": self.define_task, "about_tasks": self.about_tasks}

    # --- what is known ---

    def left_over(self) -> str:
        """What was under way when heed ended, and the question whether to go on; "" for nothing."""
        run = next((run for run in self._book.runs() if run.state is RunState.OPEN), None)
        request = self._unfinished()
        if run is None:
            self._offered_request = request
            return f"I was interrupted while I was doing this: {request}. Shall I go on?" if request else ""
        self._coordinator.settle(run)
        self._offered = run.task
        progress = self._worker.progress(run.task)
        return f"I was at the {run.task.name} when I was interrupted. {progress} Shall I go on?"

    def working_memory(self) -> list[str]:
        """A few lines for whoever thinks next: each task under way, what was done, what remains."""
        return self._worker.working_memory()

    def _asked_about(self, question: str) -> Task | None:
        """The task that a question names; one that it only resembles must have been begun."""
        named = self._named(question)
        begun = named is not None and any(run.task.id == named.id for run in self._book.runs())
        return named if begun or (named and words_of(named.name)[0] in words_of(question)) else None

    def _named(self, text: str) -> Task | None:
        """The task whose name a sentence says; else the one whose description it shares most words with."""
        spoken = words_of(text)
        said = {_stem(word) for word in spoken}
        words = said - _COMMON
        said |= {_stem(one + other) for one, other in pairwise(spoken)}  # "clean up", a cleanup
        tasks = self._book.tasks()
        for task in tasks:
            if {_stem(word) for word in words_of(task.name)} <= said:
                return task
        if _BEGIN.search(text):
            by_a_word = [task for task in tasks if {_stem(word) for word in words_of(task.name)} & words]
            if len(by_a_word) == 1:
                return by_a_word[0]
        shared = {task.name: len(words & {_stem(word) for word in words_of(task.spec)}) for task in tasks}
        best = max(tasks, key=lambda task: shared[task.name], default=None)
        clear = best and [*shared.values()].count(shared[best.name]) == 1
        return best if best and clear and shared[best.name] >= max(SURE, len(words) / 2) else None


TASKS = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (Tasks.do_task, Tasks.define_task, Tasks.about_tasks)
)
"""What tasks offer the console, in the form of skills."""


def _stem(word: str) -> str:
    for ending in ("ement", "ment", "ing", "ed", "e"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word.removesuffix(ending)
    return word


_DEFINITION = re.compile(r"^(?:the )?task (?:called |of )?(?P<name>[\w ]+?)(?: means| is)?\s*:\s*(?P<spec>.+)$", re.I)
_QUESTION = re.compile(r"^(?:and |so |now )?(?:what|which|how far|how much|is there|where were)\b", re.IGNORECASE)
_GO_ON = re.compile(
    r"\b(?:go on|continue|carry on|resume|proceed|where you left off|finish (?:it|that))\b", re.IGNORECASE
)
_BEGIN = re.compile(r"\b(?:do|start|begin|time for|let's|let us|get on with|work on)\b", re.IGNORECASE)
_YES = re.compile(r"^(?:yes|yeah|sure|ok|okay|please do|go on|do that|go ahead|of course)\b", re.IGNORECASE)
_COMMON = frozenset(map(_stem, words_of(
    "please the a an and of in on to at for from with me you it them then first now is are all there what i can could "
    "would go do stop put everything thing one that this my your left off where box table give given gave have has did "
    "which who how order"
)))  # fmt: skip
