"""Questions about tasks: what was done, what is left, what is where. Answered from the log and from what is seen."""

import re
from itertools import pairwise

from daemon.console.tasks.worker import Worker, listed
from daemon.lexicon.inflection import stem
from daemon.lexicon.thing_knowledge import words_of
from daemon.memory.task_book import Run, Task
from daemon.names import spoken

SURE = 2
"""Words of a task's description that a sentence must share with it, where it does not say its name."""


def answer(question: str, worker: Worker) -> str:
    """Answer a question about a task, or about the latest, in words to say; "" where nothing is known."""
    task = asked_about(question, worker)
    return _told_by_log(question, task, worker) or (worker.recall(question, task) if task else "")


def can_answer(question: str, worker: Worker) -> bool:
    """Return whether log and scene answer a question, or a model may read the answer in the log."""
    task = asked_about(question, worker)
    return bool(_told_by_log(question, task, worker) or (task and worker.can_recall(task)))


def asked_about(question: str, worker: Worker) -> Task | None:
    """Return the task that a question names; one that it only resembles must have been begun."""
    named = named_in(question, worker)
    begun = named is not None and any(run.task.id == named.id for run in worker.runs)
    return named if begun or (named and words_of(named.name)[0] in words_of(question)) else None


def named_in(text: str, worker: Worker) -> Task | None:
    """Return the task whose name a sentence says; else the one whose description it shares most words with."""
    words_said = words_of(text)
    said = {stem(word) for word in words_said}
    words = said - _COMMON
    said |= {stem(one + other) for one, other in pairwise(words_said)}  # "clean up", a cleanup
    tasks = worker.tasks
    for task in tasks:
        if {stem(word) for word in words_of(task.name)} <= said:
            return task
    if _BEGIN.search(text):
        by_a_word = [task for task in tasks if {stem(word) for word in words_of(task.name)} & words]
        if len(by_a_word) == 1:
            return by_a_word[0]
    shared = {task.name: len(words & {stem(word) for word in words_of(task.spec)}) for task in tasks}
    best = max(tasks, key=lambda task: shared[task.name], default=None)
    clear = best and [*shared.values()].count(shared[best.name]) == 1
    return best if best and clear and shared[best.name] >= max(SURE, len(words) / 2) else None


def _told_by_log(question: str, task: Task | None, worker: Worker) -> str:
    """Return what log and scene say to a question about this task, or about the latest; "" where they do not."""
    runs = worker.runs
    run = next((run for run in runs if task is None or run.task.id == task.id), None)
    if run is None:
        return ""
    if _LEFT.search(question):
        return _seen_at(question, worker) or _left(run)
    if _DONE.search(question):
        return worker.progress(run.task)
    asked = " ".join(_NUMBERS.get(word, word) for word in words_of(question))
    told = []
    for any_run in runs:
        targets = list(dict.fromkeys(step.target for step in any_run.done if step.target))
        if places := [place for place in targets if " ".join(words_of(place)) in asked]:
            told = [f"In the {spoken(place)}: {listed(_put_in(any_run, place))}." for place in places]
            break
    for action, pattern in _PAST.items():
        if pattern.search(question) and not (told and action == "put"):
            things = [step.thing for step in run.done if step.action == action]
            return " ".join([*told, f"I {_PAST_WORDS[action]} {listed(things)}."])
    return " ".join(told)


def _seen_at(question: str, worker: Worker) -> str:
    """Return what is now at the place that a question names; what is seen is newer than any log."""
    scene, asked = worker.scene, " ".join(words_of(question))
    place = next((place for place in scene.locations if " ".join(words_of(place.name)) in asked), None)
    if place is None:
        return ""
    return f"At the {spoken(place.name)}: {listed([t.name for t in scene.objects if t.location == place.name])}."


def _left(run: Run) -> str:
    if not run.done:
        return f"Nothing was done yet for the {run.task.name}."
    return f"What is left there: {listed(run.done[-1].remains)}."


def _put_in(run: Run, place: str) -> list[str]:
    return list(dict.fromkeys(step.thing for step in run.done if step.target == place))


_BEGIN = re.compile(r"\b(?:do|start|begin|time for|let's|let us|get on with|work on)\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:left|remain\w*|still (?:on|there)|on the (?:table|counter|shelf|desk))\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:how far|were you doing|are you doing|have you done)\b", re.IGNORECASE)
_PAST = {
    "point": re.compile(r"\bpoint", re.IGNORECASE),
    "give": re.compile(r"\b(?:give|gave|hand|bring|brought)", re.IGNORECASE),
    "put": re.compile(r"\b(?:put|place|move|sort|stack)", re.IGNORECASE),
}
_PAST_WORDS = {"point": "pointed at", "give": "gave you", "put": "put away"}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "first": "1", "second": "2"}
_COMMON = frozenset(map(stem, words_of(
    "please the a an and of in on to at for from with me you it them then first now is are all there what i can could "
    "would go do stop put everything thing one that this my your left off where box table give given gave have has did "
    "which who how order"
)))  # fmt: skip
