"""Small real classes that stand in for big ones in tests."""

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt


class WordEmbedder:
    """Counts words: texts that share words are near, texts that share none nearly always at right angles."""

    name = "words"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"[a-z0-9']+", text.lower()) or [""]:
                row[zlib.crc32(word.encode()) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class ScriptedModel:
    """A queue of replies, and the prompts it was given; waits when the queue is empty."""

    name = "scripted"
    context_tokens = 8192
    follows_instructions = True
    leads = False

    def __init__(self, *replies: str | ModelError) -> None:
        self.replies = list(replies)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.prompts.append(prompt)
        reply = self.replies.pop(0) if self.replies else " wait_for_trigger()\n"
        if isinstance(reply, ModelError):
            raise reply
        return reply

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...
