"""The coordinator's and the worker's part where code does not understand a task: prompts for language models.

(NICOL, 2024, prompts 1 to 5.) What a model writes is held against what there is: a name that nobody sees, a second
action, or one that is done already is no answer.
"""

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from daemon.console.prompt import role_text
from daemon.lexicon.thing_knowledge import words_of
from daemon.llm.model import LanguageModel, ModelCancelled, ModelError, Prompt
from daemon.memory.task_book import TaskStep
from skills.scene import Scene

Models = Callable[[], Sequence[LanguageModel]]
"""Those that follow instructions now, in the order in which they are asked."""
TRIES = 2
"""How often the coordinator is asked for one action, the second time with what was wrong."""
LIST_TOKENS = 120
ACTION_TOKENS = 40


@dataclass(frozen=True)
class Action:
    """One action for a task, as its log keeps it."""

    name: str
    """put, give or point."""
    thing: str
    target: str = ""
    """A place; the person for give."""


class LostTrackError(RuntimeError):
    """The coordinator wrote nothing that could be done."""


# --- the worker: one prompt, no dialogue ---


def chosen_things(models: Iterable[LanguageModel], spec: str, kind: str, names: Sequence[str]) -> list[str] | None:
    """Return which of the things seen a description in a task covers; None where no model gives an answer."""
    asked = f"TASK: {spec}\nSEEN: {', '.join(names)}\nWhich of the things seen does this mean: {kind}?\nLIST:"
    return _first_list(models, asked, names)


def recalled_things(
    models: Iterable[LanguageModel], spec: str, log: Sequence[str], question: str, names: Sequence[str]
) -> list[str] | None:
    """The things that answer a question, by the log of a task, its oldest line first; None for no answer."""
    lines = "".join(f"LOG: {line}\n" for line in log)
    return _first_list(models, f"TASK: {spec}\n{lines}QUESTION: {question}\nLIST:", names)


def _first_list(models: Iterable[LanguageModel], asked: str, names: Sequence[str]) -> list[str] | None:
    prompt = Prompt(role_text("worker"), (), asked)
    for model in models:
        try:
            reply = model.complete(prompt, stop=("\n",), max_tokens=LIST_TOKENS)
        except ModelCancelled:
            raise
        except ModelError:
            continue
        if (found := _names_in(reply, names)) is not None:
            return found
    return None


def _names_in(reply: str, names: Sequence[str]) -> list[str] | None:
    """The names of a comma-separated list; None where one of them is none."""
    known = {words_of(name): name for name in names}
    said = [words_of(part) for part in re.split(r"[,;]", reply.strip(" .[]\"'")) if part.strip()]
    if said == [("none",)]:
        return []
    return [known[words] for words in said] if said and all(words in known for words in said) else None


# --- the coordinator: one action at a time ---


def next_action(
    models: Iterable[LanguageModel], spec: str, things: Sequence[str], done: Sequence[TaskStep], scene: Scene
) -> Action | None:
    """Return what comes next for a task of which only `things` matter; None when it is done.

    Raises LostTrackError where no model writes an action that can be done.
    """
    asked = _situation(spec, things, done, scene)
    for model in models:
        complaint = ""
        for _ in range(TRIES):
            try:
                reply = model.complete(Prompt(role_text("coordinator"), (), f"{asked}{complaint}ACTION:"), stop=("\n",),
                                       max_tokens=ACTION_TOKENS)  # fmt: skip
            except ModelCancelled:
                raise
            except ModelError:
                break
            action = _read_action(reply.strip())
            if action is _DONE:
                return None
            wrong = "write one of the actions" if action is None else _objection(action, things, done, scene)
            if action is not None and not wrong:
                return action
            complaint += f"ACTION: {reply.strip()}\nNOT POSSIBLE: {wrong}\n"
    raise LostTrackError(spec)


def _situation(spec: str, things: Sequence[str], done: Sequence[TaskStep], scene: Scene) -> str:
    """The working memory of a task: what it is, what was done, and what matters of what is seen."""
    steps = "; ".join(f"{step.action} {step.thing} {step.target}".strip() for step in done)
    seen = [(name, scene.object(name)) for name in things]
    where = "; ".join(f"{name} ({'in the hand' if thing.held_by else thing.location})" for name, thing in seen)
    places = ", ".join(place.name for place in scene.locations)
    return f"TASK: {spec}\nPLACES: {places}\nTHINGS: {where}\nDONE: {steps or 'nothing'}\n"


def _read_action(reply: str) -> Action | None:
    """One call with names in it; None for anything else."""
    try:
        call = ast.parse(reply, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match call:
        case ast.Call(func=ast.Name("done"), args=[]):
            return _DONE
        case ast.Call(func=ast.Name("put"), args=[ast.Constant(str(thing)), ast.Constant(str(place))], keywords=[]):
            return Action("put", thing, place)
        case ast.Call(func=ast.Name("give" | "point" as name), args=[ast.Constant(str(thing))], keywords=[]):
            return Action(name, thing, "person" if name == "give" else "")
    return None


def _objection(action: Action, things: Sequence[str], done: Sequence[TaskStep], scene: Scene) -> str:
    """Return what speaks against an action; "" where nothing does."""
    if action.thing not in things:
        return f"there is no {action.thing} among the things"
    if action.name == "put" and action.target not in {place.name for place in scene.locations} - {action.thing}:
        return f"there is no place {action.target}"
    if action.name == "put" and scene.object(action.thing).location == action.target:
        return f"{action.thing} is at {action.target} already"
    if action.name != "put" and any((step.action, step.thing) == (action.name, action.thing) for step in done):
        return f"that is done already with {action.thing}"
    return ""


_DONE = Action("done", "")
