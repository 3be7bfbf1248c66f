"""A brain that notes what it is asked: how often, how much anew, and whether it reads words as they were said."""

import time
from collections.abc import Sequence

from bench.mind.recorded import Recorded
from daemon.console.history import Turn
from daemon.llm.model import PROMPT_SIGN, LanguageModel, Prompt, ReadingAhead, Streaming, is_taught
from daemon.transcript import MEANING


class Watched:
    """A LanguageModel that another one answers for."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.completions = 0
        self.new_tokens: list[int] = []
        """Of each completion: those that the prompt before did not begin with. The base is read once."""
        self.first_statement_ms: list[float] = []
        """Of each completion: from the prompt to its first line."""
        self._before = ""
        self._read: list[Prompt] = []

    @property
    def follows_instructions(self) -> bool:
        return self.model.follows_instructions

    @property
    def leads(self) -> bool:
        return self.model.leads

    @property
    def taught(self) -> bool:
        return is_taught(self.model)

    def begin(self, case: str) -> None:
        """Go on with another case, of which nothing was read yet."""
        self._read = []
        if isinstance(self.model, Recorded):
            self.model.begin(case)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return what the other one answers."""
        self.completions += 1
        self._read.append(prompt)
        text = "".join(prompt.examples) + prompt.history
        self.new_tokens.append(self.model.count_tokens(text[_common(text, self._before) :]))
        self._before = text
        began, lines = time.perf_counter(), list[float]()
        if prompt.answer and isinstance(self.model, Streaming):
            written = self.model.stream(prompt, lambda text: lines.append(time.perf_counter()))
        else:
            written = self.model.complete(prompt, stop=stop, max_tokens=max_tokens)
        self.first_statement_ms.append(1000 * ((lines or [time.perf_counter()])[0] - began))
        return written

    def read_as_said(self, turn: Turn) -> bool:
        """Return whether the words that began a turn were read by the brain, and not said again in others."""
        told = f"{turn.steps[0].result.splitlines()[0]}\n"
        return any(told in prompt.history and f"{told}{MEANING}" not in prompt.history for prompt in self._read)

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        self.model.prepare(base, examples)

    def read_ahead(self, prompt: Prompt) -> None:
        if isinstance(self.model, ReadingAhead):
            self.model.read_ahead(prompt)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def cancel(self) -> None:
        self.model.cancel()

    def close(self) -> None:
        self.model.close()


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)
