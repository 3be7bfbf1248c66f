"""Constrained decoding: where a skill's argument names a thing, place or person, only names in scope are written.

A logit mask for greedy decoding. The likeliest token is looked at first; only where it would write a name that is not
in scope are others masked, so what keeps to the names is the same with and without. A token may begin before a name
and reach beyond it; where none fits, the mask is dropped for that name. Pure arithmetic on bytes and logits.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from daemon.llm.model import NameScope

_LEXEME = re.compile(
    rb"""(?P<comment>\#[^\n]*)
    |(?P<quote>'{3}|"{3}|'|")(?P<content>(?:\\.?|(?!(?P=quote))[^\\])*)(?P<end>(?P=quote))?
    |(?P<word>[\w.]+)
    |(?P<space>\s+)
    |(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)
"""Python, as far as it matters where a string stands. A dot is part of a word: thing.grasp() is not grasp()."""

AFTER = b",) \n"
"""What may stand right behind a name: 'cup'.upper() and 'cup'+'_7' would be other names."""
FEW = 64
"""Of the likeliest tokens, so many are sorted at first."""


class Vocabulary:
    """The text of a model's tokens. All of them are read once, when a mask is first needed."""

    def __init__(self, size: int, piece: Callable[[int], bytes]) -> None:
        self._size = size
        self.piece = piece

    @cached_property
    def tokens(self) -> NDArray[np.int64]:
        return np.arange(self._size)

    def beginning_with(self, firsts: Collection[int]) -> NDArray[np.int64]:
        """The tokens whose text begins with one of these bytes."""
        found = [self._by_first[first] for first in sorted(firsts) if first in self._by_first]
        return np.concatenate(found) if found else self.tokens[:0]

    @cached_property
    def _by_first(self) -> dict[int, NDArray[np.int64]]:
        tokens: dict[int, list[int]] = {}
        for token in range(self._size):
            for first in self.piece(token)[:1]:
                tokens.setdefault(first, []).append(token)
        return {first: np.array(those) for first, those in tokens.items()}


class NameMask:
    """Chooses the tokens of one completion, one after the other."""

    def __init__(self, scope: NameScope, vocabulary: Vocabulary) -> None:
        self._kinds = {(function, argument): kind for function, argument, kind in scope.arguments}
        self._names = {
            (kind, quote): _between(quote, names) for kind, names in scope.names.items() for quote in (b"'", b'"')
        }
        self._vocabulary = vocabulary
        self._text = b""
        self._dropped = 0
        """Names that begin before here are left to the model."""

    def choose(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token that writes no name out of scope; it counts as written."""
        token = int(logits.argmax())
        if not self._fits(token):
            fitting = next(self._fitting(logits), None)
            if fitting is None:
                self._dropped = len(self._text + self._vocabulary.piece(token))
            token = token if fitting is None else fitting
        self.push(token)
        return token

    def fitting(self, logits: NDArray[np.float32], count: int) -> list[int]:
        """Return the likeliest tokens that write no name out of scope; none counts as written."""
        return list(islice(self._fitting(logits), count))

    def push(self, token: int) -> None:
        """A token was written, whatever it is."""
        self._text += self._vocabulary.piece(token)

    @property
    def only_name(self) -> tuple[bytes, bytes]:
        """Return the start of the name that is being written, and the only one that it can become; else b"", b""."""
        inside = self._open_name()
        names = list(islice(self._written(inside), 2)) if inside else []
        return (inside.content, names[0]) if inside and len(names) == 1 else (b"", b"")

    def _fitting(self, logits: NDArray[np.float32]) -> Iterator[int]:
        """The tokens that fit, the likeliest first."""
        inside = self._open_name()
        tokens = self._vocabulary.beginning_with(self._going_on(inside)) if inside else self._vocabulary.tokens
        return filter(self._fits, _likeliest_first(tokens, logits))

    def _fits(self, token: int) -> bool:
        piece = self._vocabulary.piece(token)
        if not piece:
            return self._open_name() is None  # no end in the middle of a name
        return all(map(self._is_in_scope, self._names_in(self._text + piece)))

    def _open_name(self) -> "_Literal | None":
        """The name in the middle of which one is."""
        return next((literal for literal in self._names_in(self._text) if not literal.closed), None)

    def _names_in(self, text: bytes) -> Iterator["_Literal"]:
        return (literal for literal in _literals(text, self._kinds) if literal.start >= self._dropped)

    def _is_in_scope(self, literal: "_Literal") -> bool:
        """Return whether it is a name, and the whole of its argument; or may become one."""
        if not literal.closed:
            return any(self._written(literal))
        return literal.content in self._written(literal) and literal.after in AFTER

    def _going_on(self, inside: "_Literal") -> set[int]:
        """The bytes that may follow the start of a name: its next one, or the quote where it is whole."""
        return {(name + inside.quote)[len(inside.content)] for name in self._written(inside)}

    def _written(self, literal: "_Literal") -> Iterator[bytes]:
        """The names that begin with what stands in a literal."""
        names = self._names[literal.kind, literal.quote[:1]]
        for place in range(bisect_left(names, literal.content), len(names)):
            if not names[place].startswith(literal.content):
                break
            yield names[place]


def _likeliest_first(tokens: NDArray[np.int64], logits: NDArray[np.float32]) -> Iterator[int]:
    """Yield tokens by their logits; few are ever asked for, and the rest is sorted only when these run out."""
    values = -logits[tokens]
    parted = np.argpartition(values, FEW) if len(tokens) > FEW else np.arange(len(tokens))
    for part in map(np.sort, (parted[:FEW], parted[FEW:])):
        yield from tokens[part[np.argsort(values[part], kind="stable")]].tolist()


def _between(quote: bytes, names: Iterable[str]) -> list[bytes]:
    """Names as they stand between these quotes, in order."""
    known = (name.encode() for name in names if name and name.isprintable())
    return sorted({name.replace(b"\\", b"\\\\").replace(quote, b"\\" + quote) for name in known})


@dataclass(frozen=True)
class _Literal:
    """A string that is the whole of an argument that names something."""

    kind: str
    """Of the name that it is."""
    start: int
    quote: bytes
    content: bytes
    closed: bool
    """Whether it has its last quote."""
    after: bytes
    """The byte after that, if there is one."""


@dataclass
class _Bracket:
    """An open bracket: that of a call, or any other."""

    function: str = ""
    """What is called; "" for any other bracket."""
    commas: int = 0
    argument: int | str = 0
    """The place of the argument that is being written, or its keyword."""
    fresh: bool = True
    """Whether nothing of it is written yet."""


def _literals(source: bytes, kinds: Mapping[tuple[str, int | str], str]) -> Iterator[_Literal]:
    """The strings in a Python source that are names, by function and argument."""
    brackets, word = [_Bracket()], ""
    for lexeme in _LEXEME.finditer(source):
        here = brackets[-1]
        match lexeme.lastgroup:
            case "space" | "comment":
                continue
            case "word":
                word, here.fresh = lexeme["word"].decode("utf-8", "replace"), False
                continue
            case "sign":
                _read_sign(lexeme["sign"], word, brackets)
            case _:
                if here.fresh and (kind := kinds.get((here.function, here.argument))):
                    start, end, closed = lexeme.start(), lexeme.end(), lexeme["end"] is not None
                    yield _Literal(kind, start, lexeme["quote"], lexeme["content"], closed, source[end : end + 1])
                here.fresh = False
        word = ""


def _read_sign(sign: bytes, word: str, brackets: list[_Bracket]) -> None:
    here = brackets[-1]
    if sign in b"([{":
        here.fresh = False
        brackets.append(_Bracket(word if sign == b"(" else ""))
    elif sign in b")]}":
        del brackets[max(len(brackets) - 1, 1) :]
    elif sign == b",":
        here.commas += 1
        here.argument, here.fresh = here.commas, True
    elif sign == b"=" and word:
        here.argument, here.fresh = word, True
    else:
        here.fresh = False
