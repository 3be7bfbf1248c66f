"""What people say about tasks: what one is, do it, go on with it, how far are you, what is where."""

import re

from daemon.console.tasks import Tasks
from daemon.imitation.english.task_talk.task_questions import can_answer, named_in
from daemon.memory.task_book import RunState


def statements_about_tasks(text: str, tasks: Tasks) -> list[str] | None:
    """Return what an utterance about tasks asks for, as statements; None for one that is about something else."""
    offered = tasks.take_offer()
    if offered and _YES.match(text):
        return [f"say(do_task({offered.name!r}))"]
    if match := _DEFINITION.match(text):
        return [f"say(define_task({match['name'].strip()!r}, {match['spec'].strip()!r}))"]
    if _QUESTION.match(text):
        return [f"say(about_tasks({text!r}))"] if can_answer(text, tasks.worker) else None
    task = named_in(text, tasks.worker)
    if task is None and _GO_ON.search(text):
        run = next((run for run in tasks.worker.runs if run.state is not RunState.DONE), None)
        task = run.task if run else None
    return [f"say(do_task({task.name!r}))"] if task else None


def request_agreed_to(text: str, tasks: Tasks) -> str | None:
    """Return the unfinished request that the person wants to be gone on with; None for anything else."""
    request = tasks.take_offered_request()
    return request if request and _YES.match(text) else None


_DEFINITION = re.compile(r"^(?:the )?task (?:called |of )?(?P<name>[\w ]+?)(?: means| is)?\s*:\s*(?P<spec>.+)$", re.I)
_QUESTION = re.compile(r"^(?:and |so |now )?(?:what|which|how far|how much|is there|where were)\b", re.IGNORECASE)
_GO_ON = re.compile(
    r"\b(?:go on|continue|carry on|resume|proceed|where you left off|finish (?:it|that))\b", re.IGNORECASE
)
_YES = re.compile(r"^(?:yes|yeah|sure|ok|okay|please do|go on|do that|go ahead|of course)\b", re.IGNORECASE)
