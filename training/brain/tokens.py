"""Text to tokens, as llama.cpp makes them of a prompt's parts."""

from pathlib import Path

from llama_cpp import Llama


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
