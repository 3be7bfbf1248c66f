"""Text to tokens, as llama.cpp makes them of a prompt's parts."""

import re
from pathlib import Path

from llama_cpp import Llama

from training.brain.packing import Row
from training.brain.samples import Sample

_TELLING = re.compile(r"say\(['\"]")


class Tokenizer:
    """The tokenizer of a GGUF file; its weights are not loaded."""

    def __init__(self, file: Path) -> None:
        self._llama = Llama(str(file), vocab_only=True, verbose=False)
        self._newline = self._tokens("\n")

    def encode(self, text: str) -> list[int]:
        """The tokens of a text that follows a line's end (see NativeModel.tokenize)."""
        tokens = self._tokens("\n" + text)
        head = len(self._newline)
        return tokens[head:] if tokens[:head] == self._newline else self._tokens(text)

    def _tokens(self, text: str) -> list[int]:
        return list(self._llama.tokenize(text.encode(), add_bos=False, special=False))


def row_of(sample: Sample, tokenizer: Tokenizer) -> Row:
    """The prompt, and the answer up to the sign that ends it."""
    answer, deeds = tokenizer.encode(f" {sample.answer}\n>>>"), _deeds(sample.answer)
    told = len(answer) - len(tokenizer.encode(f" {deeds}say")) if deeds else 0
    return Row((*tokenizer.encode(sample.prompt), *answer), len(answer), told)


def _deeds(answer: str) -> str:
    """Return the lines before those that tell what was done; "" where there are not both."""
    lines = answer.split("\n")
    deeds = list(lines)
    while deeds and _TELLING.match(deeds[-1]):
        deeds.pop()
    return "\n".join([*deeds, ""]) if 0 < len(deeds) < len(lines) else ""
