"""Tasks that are begun, interrupted, taken up again, and asked about; one action at a time (NICOL, 2024).

Code, not a model, keeps what NICOL's worker extracts: what was done, what is where, what remains. It is read from the
log of the task and from what is seen, so it is the same after an interruption, another task, or a power cut.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daemon.console.raider.things import words_of
from daemon.console.task_spec import PERSON, Part, read_spec
from daemon.memory.tasks import Run, RunState, Task, TaskBook
from daemon.names import spoken
from skills.scene import Scene
from skills.skill import Observation, Skill

Skills = Mapping[str, Callable[..., Any]]

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
    ) -> None:
        """`skills` move the robot; `interrupted` tells whether somebody wants something else.

        `unfinished` is the request that was being carried out when heed ended, told once.
        """
        self._unfinished = unfinished
        self._book = book
        self._observe = observe
        self._skills = skills
        self._interrupted = interrupted
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
        if _QUESTION.match(text):
            answer = self.answer(text)
            return [f"say(about_tasks({text!r}))"] if answer else None
        task = self._named(text)
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
        if task is None:
            return f"I do not know a task called {name}."
        run = self._book.begin(task)
        self._settle(run)
        try:
            for part in read_spec(task.spec, self._places()):
                while (thing := self._next(part, task)) is not None:
                    if self._interrupted():
                        return self._suspend(run)
                    self._do(part, thing, run)
        except BaseException:
            self._book.set_state(run, RunState.SUSPENDED)
            raise
        self._book.set_state(run, RunState.DONE)
        return f"The {name} is done."

    def define_task(self, name: str, spec: str) -> str:
        """Remember what a task is; returns words to say."""
        task = self._book.define(re.sub(r"^(?:the|a)\s+", "", name), spec)
        if not read_spec(spec, self._places()):
            return f"I have noted {task.name}, but I do not understand yet what to do for it."
        return f"I know now what {task.name} means."

    def about_tasks(self, question: str) -> str:
        """Answer a question about what was done for a task, and what is left; in words to say."""
        return self.answer(question) or "I have not begun any task yet."

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
        self._settle(run)
        self._offered = run.task
        return f"I was at the {run.task.name} when I was interrupted. {self._progress(run.task)} Shall I go on?"

    def working_memory(self) -> list[str]:
        """A few lines for whoever thinks next: each task under way, what was done, what remains."""
        lines = []
        for run in self._book.runs():
            if run.state is not RunState.DONE:
                lines.append(f"Task {run.task.name} ({run.state}): {run.task.spec}. {self._progress(run.task)}")
        return lines

    def answer(self, question: str) -> str:
        """The answer from the latest run that the question may be about; "" where there is none."""
        runs = self._book.runs()
        named = self._named(question)
        run = next((run for run in runs if named is None or run.task.id == named.id), None)
        if run is None:
            return ""
        if _LEFT.search(question):
            return self._seen_at(question) or self._left(run)
        if _DONE.search(question):
            return self._progress(run.task)
        asked = " ".join(_NUMBERS.get(word, word) for word in words_of(question))
        for any_run in runs:
            targets = list(dict.fromkeys(step.target for step in any_run.done if step.target))
            if places := [place for place in targets if " ".join(words_of(place)) in asked]:
                return " ".join(f"In the {spoken(place)}: {_listed(_put_in(any_run, place))}." for place in places)
        for action, pattern in _PAST.items():
            if pattern.search(question):
                things = [step.thing for step in run.done if step.action == action]
                return f"I {_PAST_WORDS[action]} {_listed(things)}."
        return ""

    def _progress(self, task: Task) -> str:
        done = [step.thing for run in self._book.runs()[:1] if run.task.id == task.id for step in run.done]
        done = done or [step.thing for run in self._book.runs() if run.task.id == task.id for step in run.done]
        left = [thing for part in read_spec(task.spec, self._places()) for thing in self._undone(part, task)]
        return f"Done so far: {_listed(done)}. What remains to do: {_listed(left)}."

    def _seen_at(self, question: str) -> str:
        """What is now at the place that a question names; what is seen is newer than any log."""
        scene, asked = self._scene(), " ".join(words_of(question))
        place = next((place for place in scene.locations if " ".join(words_of(place.name)) in asked), None)
        if place is None:
            return ""
        return f"At the {spoken(place.name)}: {_listed([t.name for t in scene.objects if t.location == place.name])}."

    def _left(self, run: Run) -> str:
        if not run.done:
            return f"Nothing was done yet for the {run.task.name}."
        return f"What is left there: {_listed(run.done[-1].remains)}."

    def _named(self, text: str) -> Task | None:
        """The task whose name a sentence says, else the one whose description it shares most words with."""
        words = {_stem(word) for word in words_of(text)} - _COMMON
        tasks = self._book.tasks()
        for task in tasks:
            if {_stem(word) for word in words_of(task.name)} <= words:
                return task
        shared = {task.name: len(words & {_stem(word) for word in words_of(task.spec)}) for task in tasks}
        best = max(tasks, key=lambda task: shared[task.name], default=None)
        clear = best and [*shared.values()].count(shared[best.name]) == 1
        return best if best and clear and shared[best.name] >= max(SURE, len(words) / 2) else None

    # --- what is done ---

    def _do(self, part: Part, thing: str, run: Run) -> None:
        source = self._scene().object(thing).location
        step = self._book.begin_step(run, part.action, thing, part.target)
        for name, arguments in self._moves(part, thing):
            self._skills[name](*arguments)
        self._book.end_step(step, self._remaining(run, source))

    def _moves(self, part: Part, thing: str) -> list[tuple[str, tuple[str, ...]]]:
        """The skills for one action, from how things are now."""
        seen = self._scene().object(thing)
        moves: list[tuple[str, tuple[str, ...]]] = []
        if not seen.held_by:
            place = self._scene().location(self._scene().place_of(seen))
            moves += [("move_to", (place.name,)), *([("open_door", (place.name,))] if place.door == "closed" else [])]
            moves += [("point_at", (thing,))] if part.action == "point" else [("grasp", (thing,))]
        if part.action == "give":
            moves += [("move_to", (PERSON,)), ("handover", (thing,))]
        elif part.action == "put":
            moves += [("move_to", (part.target,)), ("place", (thing, part.target))]
        return moves

    def _next(self, part: Part, task: Task) -> str | None:
        """What comes next: what is in a hand already, else the first that is not done."""
        undone = self._undone(part, task)
        held = [thing.name for thing in self._scene().objects if thing.held_by]
        return next((thing for thing in undone if thing in held), undone[0] if undone else None)

    def _undone(self, part: Part, task: Task) -> list[str]:
        scene = self._scene()
        done = {step.thing for run in self._book.runs() if run.task.id == task.id for step in run.done
                if step.action == part.action and self._of_now(run, task)}  # fmt: skip
        if part.action == "point":
            return [name for name in part.things(scene) if name not in done]
        return [name for name in part.things(scene) if scene.object(name).location != part.target]

    def _of_now(self, run: Run, task: Task) -> bool:
        """Whether a run is the latest of its task: what was done in one long ago is to be done again."""
        return run.id == next(other.id for other in self._book.runs() if other.task.id == task.id)

    def _settle(self, run: Run) -> None:
        """A step that was under way when heed ended: it is done if that is seen, else it is to be done."""
        step = run.under_way
        if step is None:
            return
        there = step.action != "point" and self._scene().object(step.thing).location == step.target
        if there:
            earlier = run.done[-1].remains if run.done else ()
            self._book.end_step(step.id, [name for name in earlier if name != step.thing] or self._remaining(run, ""))
        else:
            self._book.drop_step(step.id)

    def _suspend(self, run: Run) -> str:
        self._book.set_state(run, RunState.SUSPENDED)
        return f"I leave the {run.task.name} for now. {self._progress(run.task)}"

    def _remaining(self, run: Run, source: str) -> list[str]:
        """What is where the things of this task come from."""
        targets = {part.target for part in read_spec(run.task.spec, self._places())} | {PERSON}
        return [
            thing.name
            for thing in self._scene().objects
            if not thing.held_by and (thing.location == source if source else thing.location not in targets)
        ]

    def _places(self) -> list[str]:
        return [place.name for place in self._scene().locations]

    def _scene(self) -> Scene:
        return Scene.from_observation(self._observe())


TASKS = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (Tasks.do_task, Tasks.define_task, Tasks.about_tasks)
)
"""What tasks offer the console, in the form of skills."""


def _put_in(run: Run, place: str) -> list[str]:
    return list(dict.fromkeys(step.thing for step in run.done if step.target == place))


def _listed(things: Sequence[str]) -> str:
    names = [f"the {spoken(thing)}" for thing in things]
    return "nothing" if not names else names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
_YES = re.compile(r"^(?:yes|yeah|sure|ok|okay|please do|go on|do that|go ahead|of course)\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:left|remain\w*|still (?:on|there)|on the (?:table|counter|shelf|desk))\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:how far|were you doing|are you doing|have you done)\b", re.IGNORECASE)
_PAST = {
    "point": re.compile(r"\bpoint", re.IGNORECASE),
    "give": re.compile(r"\b(?:give|gave|hand|bring|brought)", re.IGNORECASE),
    "put": re.compile(r"\b(?:put|place|move|sort|stack)", re.IGNORECASE),
}
_PAST_WORDS = {"point": "pointed at", "give": "gave you", "put": "put away"}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "first": "1", "second": "2"}
_COMMON = frozenset(map(_stem, words_of(
    "please the a an and of in on to at for from with me you it them then first now is are all there what i can could "
    "would go do stop put everything thing one that this my your left off where on box table give"
)))  # fmt: skip
