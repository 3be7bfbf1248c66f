"""Asks the model for the next statement while the robot still moves, as if the move had gone as such moves go.

What it wrote is used only if the console's prompt becomes exactly the one that was supposed; else it is thrown away.
Nothing is ever run early. One process at a time computes: whoever asks for something else ends this first.
"""

import threading
from collections import Counter
from collections.abc import Iterable

from daemon.llm.model import LanguageModel, ModelError, Prompt
from daemon.transcript import Step

USUAL = 0.8
"""Share of a function's known results that must be the same for it to be supposed."""
PATIENCE_SECONDS = 0.02
"""How often what is not needed any more is asked to end, until it did."""


class LookAhead:
    """A look ahead, at one supposition at a time. For one thread."""

    def __init__(self) -> None:
        self._prompt: Prompt | None = None
        self._model: LanguageModel | None = None
        self._thread: threading.Thread | None = None
        self._reply: str | None = None

    def begin(self, model: LanguageModel, prompt: Prompt) -> None:
        """Let the model answer this prompt in the background; what was supposed before is dropped."""
        self.drop()
        self._prompt, self._model, self._reply = prompt, model, None
        self._thread = threading.Thread(target=self._complete, args=(model, prompt), name="look ahead", daemon=True)
        self._thread.start()

    def take(self, model: LanguageModel, prompt: Prompt) -> str | None:
        """The answer to this prompt, waited for if it is under way; None when something else was supposed."""
        if self._thread is None or prompt != self._prompt or model is not self._model:
            self.drop()
            return None
        self._thread.join()
        self._thread = None
        return self._reply

    def drop(self) -> None:
        """End what is under way; the model is free afterwards."""
        thread, self._thread = self._thread, None
        while thread is not None and thread.is_alive():
            assert self._model is not None
            self._model.cancel()  # again and again: it may not have begun yet
            thread.join(PATIENCE_SECONDS)

    def _complete(self, model: LanguageModel, prompt: Prompt) -> None:
        try:
            self._reply = model.complete(prompt)
        except ModelError:  # it is asked again when it is needed, and then it is told
            self._reply = None


def usual_result(function: str, steps: Iterable[Step]) -> str | None:
    """Return what a function nearly always returned in these steps; None where that is not known."""
    results = Counter(step.result for step in steps if step.called == function)
    if not results:
        return None
    result, count = results.most_common(1)[0]
    return result if count >= USUAL * results.total() else None
