"""What the worker does with a model: completes prompts, reading only what is new in each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daemon.llm.chat import ChatFrame, chat_frame
from daemon.llm.ending import Ending
from daemon.llm.lookup import GUESSES, PromptLookup
from daemon.llm.native import NativeError, NativeModel


@dataclass(frozen=True)
class Completion:
    """The answer to a prompt, and what it took."""

    text: str
    prompt_tokens: int
    reused_tokens: int
    """How many tokens of the prompt were remembered from before."""
    new_tokens: int


class Session:
    """One prompt after another on one model, greedy and therefore repeatable."""

    def __init__(self, model: NativeModel) -> None:
        self._model = model
        self._frame = _frame(model)
        self._read: list[int] = []
        """The tokens that the model remembers, by position."""

    @property
    def chat(self) -> bool:
        """Whether prompts are put into the model's chat template."""
        return self._frame is not None

    def complete(
        self,
        base: str,
        examples: Sequence[str],
        history: str,
        *,
        stop: Sequence[str],
        statement: bool,
        max_tokens: int,
    ) -> Completion:
        """Continue the prompt until `stop`, the end of a statement, the model's own end or `max_tokens`.

        Raises Aborted, after which the next call works as always, and NativeError.
        """
        tokens = self._tokens_of(base, examples, history)
        room = min(self._model.context_tokens - GUESSES - len(tokens), max_tokens)
        if room <= 0:
            raise NativeError(
                f"the prompt has {len(tokens)} tokens, the model's context {self._model.context_tokens}; "
                "shorten the prompt or raise context_tokens in config.toml"
            )
        reused = self._load(tokens)
        ending = Ending(stop, statement=statement)
        written = self._write(ending, PromptLookup(tokens), room)
        return Completion(ending.text, len(tokens), reused, written)

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self._model.tokenize(text))

    def _tokens_of(self, base: str, examples: Sequence[str], history: str) -> list[int]:
        """Each part is tokenized by itself, so that its tokens do not depend on its neighbours."""
        parts = [
            self._tokens_of_base(base),
            *map(self._model.tokenize, examples),
            self._model.tokenize(history),
        ]
        return [token for part in parts for token in part]

    def _tokens_of_base(self, base: str) -> list[int]:
        model, frame = self._model, self._frame
        if frame is None:
            return model.start + model.tokenize(base)
        before = model.tokenize(frame.before, special=True)
        if before[: len(model.start)] != model.start:
            before = model.start + before
        return before + model.tokenize(base) + model.tokenize(frame.after, special=True)

    def _load(self, tokens: list[int]) -> int:
        """Make the model remember exactly these tokens; returns how many it knew."""
        common = _common_prefix(self._read, tokens[:-1])  # the last is read again: its successor is asked for
        if not self._rewind(common):
            common = 0
        self._feed(tokens[common:])
        return common

    def _write(self, ending: Ending, lookup: PromptLookup, room: int) -> int:
        """Generate into `ending` until it is over; returns how many tokens the model wrote."""
        written = 0
        for token in self._greedy(lookup):
            written += 1
            if ending.feed(self._model.piece(token)) or written == room:
                break
        return written

    def _greedy(self, lookup: PromptLookup) -> Iterator[int]:
        """The likeliest tokens, until the model ends by itself; guesses are checked in one step."""
        token = self._model.best()
        while not self._model.ends(token):
            lookup.push(token)
            yield token
            guesses = lookup.guess() if self._model.can_rewind else []
            begin, right = len(self._read), 0
            self._feed([token, *guesses], every=True)
            token = self._model.best(0)
            while right < len(guesses) and guesses[right] == token and not self._model.ends(token):
                lookup.push(token)
                yield token
                right += 1
                token = self._model.best(right)
            self._rewind(begin + 1 + right)

    def _feed(self, tokens: Sequence[int], *, every: bool = False) -> None:
        try:
            self._model.decode(tokens, len(self._read), every=every)
        finally:
            known = self._model.length() - len(self._read)
            self._read += tokens[:known]

    def _rewind(self, length: int) -> bool:
        """Forget what was read from `length` on; where the model cannot, it forgets everything."""
        if length == len(self._read):
            return True
        done = self._model.truncate(length)
        if not done:
            self._model.clear()
        self._read = self._read[:length] if done else []
        return done


def _common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    for place, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return place
    return min(len(a), len(b))


def _frame(model: NativeModel) -> ChatFrame | None:
    template = model.chat_template
    return chat_frame(template, start=model.start_text, end=model.end_text) if template else None
