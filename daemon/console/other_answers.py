"""What else a mind might have answered, written once for each prompt.

One that was taught is small, and writes this in two seconds at most; a large one would be silent for long, and is not
asked.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from daemon.console.goals.choice import SEEN
from daemon.console.statements import statements_in
from daemon.llm.model import LanguageModel, Other, Prompt, Ranking, is_taught
from daemon.transcript import WAIT, functions_in

OTHERS = 3
"""So many are written."""
HESITATES = 0.05
"""How sure it is of words at least where it hesitates to act: of twelve sentences of ours 0.14 to 0.25 where they meant
later, 0.02 at most where they only named a time."""
HAD_IN_MIND = 0.05
"""How sure it is of later at least where it only talks: of three sentences of strangers12 that name a time it was 0.10
sure of later for the one that meant it, and later was not among its answers to the others."""


class OtherAnswers:
    """What else a model might answer."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._last: tuple[Prompt | None, Sequence[Other]] = (None, ())

    def to(self, prompt: Prompt) -> Sequence[Other]:
        """Return what else a whole answer to a prompt might be; nothing of a model that was not taught."""
        if self._last[0] != prompt:
            model = self._model
            written = model.others(prompt, OTHERS) if isinstance(model, Ranking) and is_taught(model) else ()
            self._last = (prompt, [replace(other, text=as_taken(other.text, prompt)) for other in written])
        return self._last[1]

    def with_only(self, functions: Set[str], prompt: Prompt, least: float = 0.0) -> list[Other]:
        """Return those that call some of these functions, and besides only talk, and are not less likely than that."""
        likely = [answer for answer in self.to(prompt) if answer.confidence >= least]
        return [answer for answer in likely if has_only(functions, answer.text)]

    def hesitates(self, prompt: Prompt) -> bool:
        """Return whether a model that would act might as well only have talked."""
        likely = [answer.text for answer in self.to(prompt) if answer.confidence >= HESITATES]
        return any(has_only({"say"}, text) for text in likely)


_LOOKS = re.compile(rf"\b{SEEN[0]}\s*\(")


def leaves_open(text: str) -> bool:
    """Return whether an answer asks seen(): it is not to be run before all of it is written."""
    return bool(_LOOKS.search(text))


def as_taken(text: str, prompt: Prompt, given: str = "") -> str:
    """Return an answer with the way that is taken now for each `if seen(...)`; it begins with what is `given`."""
    if not leaves_open(text):
        return text
    rest = prompt.taken(statements_in(text)[len(statements_in(given)) :])
    return (given or " ") + "".join(f"{statement}\n" for statement in rest)


def has_any(functions: Set[str], text: str) -> bool:
    """Return whether an answer calls one of these functions, anywhere in it."""
    return bool(_called(text) & functions)


def only_says(text: str) -> bool:
    """Return whether an answer says something and does nothing else."""
    return _called(text) == {"say"} and len(statements_in(text)) == 1


NO = " say('No,"
"""How an answer begins that says no to what was asked for."""
_WORDS_AND_END = re.compile(r"(.*\w.*?)['\"]\)")


def said_no(written: str) -> str:
    """Return the statement that says no with the words that a model wrote behind NO; "" where it did more than that."""
    first, *others = written.strip("\n").split("\n")
    found = _WORDS_AND_END.fullmatch(first.rstrip())
    more = [line for line in others if not line.startswith("say(") and line.strip() not in ("", WAIT)]
    if found is None or more or re.search(r"['\"]\)", found[1]):
        return ""
    words = found[1].replace("\\'", "'")
    return f" say({f'No,{words}'!r})\n"


def is_half_done(text: str) -> bool:
    """Return whether an answer takes something, and neither hands it over nor puts it down."""
    return "grasp" in _called(text) and not has_any({"handover", "place"}, text)


def has_only(functions: Set[str], text: str) -> bool:
    """Return whether an answer calls some of these functions, and besides only talks."""
    called = _called(text)
    return bool(called & functions) and called <= {*functions, "say"}


def _called(text: str) -> set[str]:
    return {function for statement in statements_in(text) for function in functions_in(statement)}
