"""What the worker does with a model: completes prompts, reading only what is new in each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from daemon.llm.answer_confidence import Confidence
from daemon.llm.chat import ChatFrame, chat_frame
from daemon.llm.drafts import LONGEST, Drafts
from daemon.llm.ending import Ending
from daemon.llm.example_splicing import Splicer
from daemon.llm.forks import Fork, Forks
from daemon.llm.kv_files import KvFiles
from daemon.llm.lookup import PromptLookup
from daemon.llm.model import PROMPT_SIGN, NameScope
from daemon.llm.name_mask import NameMask, Vocabulary
from daemon.llm.native import PROMPT, SPARE, NativeError, NativeModel

MOVES = 32
"""After so many moves a history is read anew: each turns its keys once more, and rounds them."""


@dataclass(frozen=True)
class Completion:
    """The answer to a prompt, and what it took."""

    text: str
    prompt_tokens: int
    reused_tokens: int
    """How many tokens of the prompt were remembered from before."""
    new_tokens: int
    confidence: float | None = None
    """Probability of the least likely token; None where it was not asked for."""


@dataclass(frozen=True)
class _Parts:
    """A prompt's tokens."""

    base: list[int]
    examples: list[list[int]]
    history: list[int]

    @property
    def tokens(self) -> list[int]:
        return [token for part in (self.base, *self.examples, self.history) for token in part]

    @property
    def history_at(self) -> int:
        """The position at which the history begins."""
        return len(self.base) + sum(map(len, self.examples))


class Session:
    """One prompt after another on one model, greedy and therefore repeatable."""

    def __init__(self, model: NativeModel, files: KvFiles, splice: str) -> None:
        self._model = model
        self._files = files
        self._mode = splice
        self._frame = _frame(model)
        self._vocabulary = Vocabulary(model.words, model.piece)
        self._read: list[int] = []
        """The tokens that the model remembers, by position."""
        self._history_at = 0
        """Where the history begins in them."""
        self._moves = 0
        """How often that history was moved to other positions."""
        self._base: list[int] = []
        self._splicer = Splicer(model, files, self._base, splice)
        self._answered: tuple[list[int], NameScope | None, Forks] = ([], None, Forks(None, model.piece))
        """Of the last whole answer that was weighed: its prompt, what it might name, where it might have gone another
        way.
        """

    @property
    def chat(self) -> bool:
        """Return whether prompts are put into the model's chat template."""
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
        scope: NameScope | None = None,
        weigh: bool = False,
        tell: Callable[[str, float | None], object] | None = None,
    ) -> Completion:
        """Continue the prompt until `stop`, the end of a statement, the model's own end or `max_tokens`.

        With a `scope`, nothing is named that is not in it. With `weigh`, the answer says how sure the model is of it.
        `tell` is given what is written whenever another line is, and how sure the model is of it.

        Raises Aborted, after which the next call works as always, and NativeError.
        """
        parts = self._parts_of(base, examples, history)
        tokens = parts.tokens
        room = self._room(tokens, max_tokens)
        if room <= 0:
            raise NativeError(
                f"the prompt has {len(tokens)} tokens, the model's context {self._model.context_tokens}; "
                "shorten the prompt or raise context_tokens in config.toml"
            )
        read = self._load(parts)
        ending = Ending(stop, statement=statement)
        mask = self._mask(scope)
        is_whole = weigh and not statement and PROMPT_SIGN in stop and self._model.can_rewind
        forks = Forks(mask, self._model.piece) if is_whole else None
        confidence = Confidence() if weigh and not forks else None
        weighed = forks or confidence

        def sure() -> float | None:
            return weighed.least if weighed else None

        news = None if tell is None else lambda text: tell(text, sure())
        chooser = self._noting(forks) if forks else self._chooser(mask, confidence)
        written = self._write(ending, self._drafts(tokens, mask), room, chooser, news)
        if forks and written < room:
            self._answered = (tokens, scope, forks)
        return Completion(ending.text, len(tokens), len(tokens) - read, written, sure())

    def others(
        self, base: str, examples: Sequence[str], history: str, *, scope: NameScope | None, count: int, max_tokens: int
    ) -> list[tuple[str, float, float]]:
        """Return what else a whole answer to this prompt might be, as Ranking.others() does.

        Up to `count` answers, each leaving the likeliest one at another token, the likeliest of these first; none where
        the model cannot take back what it has read. Raises as complete() does.
        """
        parts = self._parts_of(base, examples, history)
        tokens = parts.tokens
        room = self._room(tokens, max_tokens)
        if room <= 0 or not self._model.can_rewind:
            return []
        forks = self._forks(parts, scope, room)
        return [
            (*self._other(fork, tokens, room, self._mask(scope)), forks.sure_of_both(fork))
            for fork in forks.likeliest(count)
        ]

    def _forks(self, parts: _Parts, scope: NameScope | None, room: int) -> Forks:
        """Those of the whole answer to a prompt; it is written only where it was not the last one."""
        tokens = parts.tokens
        if self._answered[:2] == (tokens, scope) and self._read[: len(tokens)] == tokens:
            return self._answered[2]
        self._load(parts)
        mask = self._mask(scope)
        forks = Forks(mask, self._model.piece)
        ending = Ending((PROMPT_SIGN,), statement=False)
        self._write(ending, self._drafts(tokens, mask), room, self._noting(forks), None)
        self._answered = (tokens, scope, forks)
        return forks

    def _other(self, fork: Fork, tokens: list[int], room: int, mask: NameMask | None) -> tuple[str, float]:
        """The answer that a fork leads to, and how sure the model is of it."""
        begun, confidence = [*fork.written, fork.token], fork.confidence.copy()
        ending = Ending((PROMPT_SIGN,), statement=False)
        read = [*tokens, *begun]
        for token in begun:
            if mask:
                mask.push(token)
            over = self._model.ends(token) or ending.feed(self._model.piece(token))
        if not over and len(begun) < room:
            self._rewind(_common_prefix(self._read, read[:-1]))
            self._feed(read[len(self._read) :])
            chooser = self._chooser(mask, confidence)
            self._write(ending, self._drafts(read, mask), room - len(begun), chooser, None)
        return ending.text, confidence.least

    def _room(self, tokens: list[int], most: int) -> int:
        """Tokens that may be written behind a prompt."""
        return min(self._model.context_tokens - LONGEST - len(tokens), most)

    def _drafts(self, read: list[int], mask: NameMask | None) -> Drafts:
        return Drafts(PromptLookup(read), mask, self._model.tokenize, self._vocabulary.piece)

    def _mask(self, scope: NameScope | None) -> NameMask | None:
        return None if scope is None else NameMask(scope, self._vocabulary)

    def prepare(self, base: str, examples: Sequence[str]) -> int:
        """Compute beforehand what prompts with this base, and any of these examples, will need.

        Returns how many of the examples are kept now. The first come first; the rest is left when the folder
        would be full of them. Raises Aborted, and what was done until then stays done.
        """
        parts = self._parts_of(base, examples, "")
        self._read_base(parts.base)
        if not self._splicer.open:
            return 0
        try:
            self._splicer.self_test(parts.examples)
        finally:
            self._read = self._read[: self._model.length()]
        kept = size = 0
        for example in parts.examples if self._splicer.on else ():
            self._make_room(len(example))
            size += self._splicer.prepare(example)
            if size > self._files.limit:
                break
            kept += 1
        return kept

    def read(self, base: str, examples: Sequence[str], history: str) -> int:
        """Remember all of a prompt that another will begin with; returns how many tokens had to be read.

        One that is too long is left. Raises Aborted, and what was read until then stays read.
        """
        parts = self._parts_of(base, examples, history)
        return self._load(parts) if len(parts.tokens) < self._model.context_tokens else 0

    def describe(self) -> dict[str, Any]:
        """Return whether prompts with the last base are spliced, how well that agreed, and what is kept."""
        agreement = self._splicer.agreement
        return {
            "splicing": "on" if self._splicer.on else "not tested yet" if self._splicer.open else "off",
            "splice_agreement": agreement.share if agreement else None,
            "splice_divergence": agreement.divergence if agreement else None,
            "splice_tokens": agreement.tokens if agreement else 0,
            "kept_bytes": self._files.total(),
        }

    def count(self, text: str) -> int:
        """Return how many tokens a text has."""
        return len(self._model.tokenize(text))

    def _parts_of(self, base: str, examples: Sequence[str], history: str) -> _Parts:
        """Each part is tokenized by itself, so that its tokens do not depend on its neighbours."""
        tokenize = self._model.tokenize
        return _Parts(self._tokens_of_base(base), [tokenize(text) for text in examples], tokenize(history))

    def _tokens_of_base(self, base: str) -> list[int]:
        model, frame = self._model, self._frame
        if frame is None:
            return model.start + model.tokenize(base)
        before = model.tokenize(frame.before, special=True)
        if before[: len(model.start)] != model.start:
            before = model.start + before
        return before + model.tokenize(base) + model.tokenize(frame.after, special=True)

    def _load(self, parts: _Parts) -> int:
        """Make the model remember exactly this prompt; returns how many tokens it had to read."""
        tokens, begin = parts.tokens, parts.history_at
        read = self._read_base(parts.base)
        if self._splicer.on and (self._history_at, self._read[:begin]) != (begin, tokens[:begin]):
            read += self._splice(parts)
        # The last token is read again: what follows it is asked for.
        if not self._rewind(_common_prefix(self._read, tokens[:-1])):
            read = self._read_base(parts.base)
        self._history_at = begin
        rest = tokens[len(self._read) :]
        self._feed(rest)
        return read + len(rest)

    def _read_base(self, base: list[int]) -> int:
        """Let what is remembered begin with the base; returns how many tokens had to be read."""
        if base != self._base:
            self._base = base
            self._splicer = Splicer(self._model, self._files, base, self._mode)
        common = _common_prefix(self._read, base)
        if common == len(base):
            return 0
        if self._splicer.load_base():
            self._read = base[:]
            return 0
        self._read = self._read[: self._model.length()]
        self._rewind(_common_prefix(self._read, base))
        rest = base[len(self._read) :]
        self._feed(rest)
        self._splicer.keep_base()
        return len(rest)

    def _splice(self, parts: _Parts) -> int:
        """Put the examples before the history in place, and keep what the history has in common with the last one.

        Returns how many tokens had to be read.
        """
        model, old, new = self._model, self._history_at, parts.history_at
        keep = _common_prefix(self._read[old:], parts.history[:-1])
        self._moves = self._moves + 1 if keep and self._moves < MOVES else 0
        if not self._moves:
            keep = 0
        if keep:
            model.copy(PROMPT, SPARE, old, old + keep)
        place, stay = self._same_examples(parts)
        self._rewind(place)
        read = 0
        try:
            for place, example in enumerate(parts.examples[stay:], stay + 1):
                read += self._splicer.place(example, len(self._read), last=place == len(parts.examples))
                self._read += example
            if keep:
                model.shift(SPARE, new - old)
                model.copy(SPARE, PROMPT)
                self._read += parts.history[:keep]
        finally:
            model.forget(SPARE)
        return read

    def _same_examples(self, parts: _Parts) -> tuple[int, int]:
        """Up to which position the examples are those of before, and how many these are; the last never counts."""
        position = len(parts.base)
        for count, example in enumerate(parts.examples[:-1]):
            end = position + len(example)
            if end >= self._history_at or self._read[position:end] != example:
                return position, count
            position = end
        return position, max(len(parts.examples) - 1, 0)

    def _make_room(self, count: int) -> None:
        """Forget the last prompt where it would leave no room for reading so many tokens beside it."""
        if len(self._read) + count > self._model.context_tokens:
            self._rewind(len(self._base))

    def _chooser(self, mask: NameMask | None, confidence: Confidence | None) -> Callable[[int], int]:
        """Takes the tokens of one completion, each from the logits at a place of the last decode()."""
        if mask is None and confidence is None:
            return self._model.best

        def choose(place: int) -> int:
            logits = self._model.logits(place)
            token = int(logits.argmax()) if mask is None else mask.choose(logits)
            if confidence is not None:
                confidence.weigh(logits, token, self._model.piece(token))
            return token

        return choose

    def _noting(self, forks: Forks) -> Callable[[int], int]:
        """Takes the tokens of one completion, and notes the ways that it does not take."""
        return lambda place: forks.choose(self._model.logits(place))

    def _write(
        self,
        ending: Ending,
        drafts: Drafts,
        room: int,
        choose: Callable[[int], int],
        tell: Callable[[str], object] | None,
    ) -> int:
        """Generate into `ending` until it is over; returns how many tokens the model wrote."""
        written = 0
        for token in self._greedy(drafts, choose):
            written += 1
            piece = self._model.piece(token)
            if ending.feed(piece) or written == room:
                break
            if tell and b"\n" in piece:
                tell(ending.lines)
        return written

    def _greedy(self, drafts: Drafts, choose: Callable[[int], int]) -> Iterator[int]:
        """The likeliest tokens, until the model ends by itself; guesses are checked in one step.

        Each token is chosen once and in order, guessed or not, so a mask sees the text as it is written.
        """
        token = choose(-1)
        while not self._model.ends(token):
            drafts.push(token)
            yield token
            guesses = drafts.guess() if self._model.can_rewind else []
            begin, right = len(self._read), 0
            self._feed([token, *guesses], every=True)
            token = choose(0)
            while right < len(guesses) and guesses[right] == token and not self._model.ends(token):
                drafts.push(token)
                yield token
                right += 1
                token = choose(right)
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
