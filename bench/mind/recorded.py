"""`--brain recorded:FILE`: answers that a strong mind wrote from heed's prompts alone, replayed case by case.

A line of FILE is {"id": case, "answers": [reply, ...]}: the replies of that case, in the order in which heed asks for
them. In benches that do not tell which case begins, each prompt is a case, and its id a hash of what it reads.
What is not answered yet is written to FILE.asked/ as the prompt that a mind is to answer, and ends the case.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt

CHARACTERS_PER_TOKEN = 3.2
"""Of Python and English as they stand in prompts, by the tokeniser of SmolLM2."""
UNANSWERED = "nobody has answered"
"""What comes after that in a conversation tells nothing."""


class Recorded:
    """A LanguageModel for one case after another."""

    context_tokens = 8192
    follows_instructions = True
    leads = True

    def __init__(self, name: str, answers: Mapping[str, Sequence[str]], asked: Path | None = None) -> None:
        """`answers` are the replies by case; what is not answered is written to the folder `asked`."""
        self.name = name
        self.unanswered: list[str] = []
        """The cases that could not be finished."""
        self._answers = answers
        self._folder = asked
        self._begun, self._case, self._asked = False, "", 0

    @classmethod
    def read(cls, file: Path) -> "Recorded":
        """Read those of a file; it may be missing, then nothing is answered yet."""
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        answers = {line["id"]: line["answers"] for line in map(json.loads, filter(None, lines))}
        return cls(f"recorded:{file.name}", answers, file.with_name(f"{file.name}.asked"))

    @property
    def unused(self) -> Sequence[str]:
        """The answers of the case that nothing was asked for."""
        return self._answers.get(self._case, [])[self._asked :]

    def begin(self, case: str) -> None:
        """Go on with this case."""
        self._begun, self._case, self._asked = True, case, 0

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the next answer of the case; where there is none, write the prompt down. Raises ModelError."""
        if not self._begun:
            self._case, self._asked = _hash(prompt), 0
        answers = self._answers.get(self._case, [])
        self._asked += 1
        if self._asked <= len(answers):
            return str(answers[self._asked - 1])
        if self._case not in self.unanswered:
            self.unanswered.append(self._case)
            self._write_down(prompt)
        raise ModelError(f"{UNANSWERED} {self._case} yet")

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Prepare nothing."""

    def count_tokens(self, text: str) -> int:
        return int(len(text) / CHARACTERS_PER_TOKEN) + 1

    def cancel(self) -> None: ...

    def close(self) -> None: ...

    def _write_down(self, prompt: Prompt) -> None:
        if self._folder is None or UNANSWERED in prompt.history:
            return
        self._folder.mkdir(exist_ok=True)
        (self._folder / "base.txt").write_text(prompt.base, encoding="utf-8")
        (self._folder / f"{self._case}.txt").write_text(_changing(prompt), encoding="utf-8")


def _changing(prompt: Prompt) -> str:
    """All of it but the base."""
    return "".join(prompt.examples) + prompt.history


def _hash(prompt: Prompt) -> str:
    return hashlib.sha256(_changing(prompt).encode()).hexdigest()[:12]
