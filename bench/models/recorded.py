"""`--brain recorded:FILE`: answers that a strong mind wrote from heed's prompts alone, replayed case by case.

A line of FILE is {"id": case, "answers": [reply, ...]}: the replies of that case, in the order in which heed asks for
them. What is not answered yet is written to FILE.asked/ as the prompt that a mind is to answer, and ends the case.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt

CHARACTERS_PER_TOKEN = 3.2
"""Of Python and English as they stand in prompts, by the tokeniser of SmolLM2."""


class Recorded:
    """A LanguageModel for one case after another."""

    context_tokens = 8192
    follows_instructions = True
    leads = True

    def __init__(self, file: Path) -> None:
        """Read `file`; it may be missing, then nothing is answered yet."""
        self.name = f"recorded:{file.name}"
        self.unanswered: list[str] = []
        """The cases that could not be finished."""
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._answers = {line["id"]: line["answers"] for line in map(json.loads, filter(None, lines))}
        self._case, self._asked = "", 0

    def begin(self, case: str) -> None:
        """Go on with this case."""
        self._case, self._asked = case, 0

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the next answer of the case; where there is none, write the prompt down. Raises ModelError."""
        answers = self._answers.get(self._case, [])
        self._asked += 1
        if self._asked <= len(answers):
            return str(answers[self._asked - 1])
        if self._case not in self.unanswered:
            self.unanswered.append(self._case)
            self._write_down(prompt)
        raise ModelError(f"nobody has answered {self._case} yet; its prompt is in {self._folder}")

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """There is nothing to prepare."""

    def count_tokens(self, text: str) -> int:
        return int(len(text) / CHARACTERS_PER_TOKEN) + 1

    def cancel(self) -> None: ...

    def close(self) -> None: ...

    @property
    def _folder(self) -> Path:
        return self._file.with_name(f"{self._file.name}.asked")

    def _write_down(self, prompt: Prompt) -> None:
        self._folder.mkdir(exist_ok=True)
        (self._folder / "base.txt").write_text(prompt.base, encoding="utf-8")
        text = "".join(prompt.examples) + prompt.history
        (self._folder / f"{self._case}.txt").write_text(text, encoding="utf-8")
