"""The model's tokens: pieces of console text whole, words in pieces that are learned, anything else byte by byte.

The same algorithm as llama.cpp's for vocabularies of type "llama" (SentencePiece), in a few lines: first the pieces
that are given, the longest first, then in what is left the best-scored pair of neighbours is merged until none is left.
Spaces, underscores, digits and signs are never merged, so "coffee cup" and 'coffee_cup' have the same words.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

SPECIAL = ("<unk>", "<s>", "</s>")
SPACE = "▁"
"""How this kind of vocabulary writes a space."""
LONGEST = 32
"""Bytes of a piece: llama-cpp-python's detokenizer drops longer ones."""
PIECES = (
    "'success'\n>>>", ")]\n>>>", "')]\n>>>", "']\n>>>", "'}\n>>>", '"}\n>>>', "{}\n>>>", ">>>", "...", "\n",
    " wait_for_trigger()\n", "{'type': 'dialog', 'text': '", "{'type': 'dialog', 'text': \"", "', 'speaker': '",
    " list_objects()\n", " list_locations()\n", " other_names()\n", "[('", "', '", "'), ('", "['", "{'", "': '",
    "'}\n", " move_to('", " grasp('", " place('", " handover('", " open_door('", " close_door('", " point_at('",
    " ask('", ' ask("', " say('", ' say("', "')\n", '")\n', ".')\n", "', hand='left')\n", "', hand='right')\n",
    "', get_robot_location())\n", "', speed=", "RuntimeError: ", ". Hint: ", " is closed", "open_door('", "move_to('",
    "grasp('", "# Example\n", "# A new conversation begins.\n", "# It means: ", "# Learned from ",
    " learn_from_interaction()\n", "'learned'\n>>>", " say(recount())\n", " say(explain())\n",
    " say(list_lessons())\n", " say(list_lessons('today'))\n", " say(forget_lesson())\n", " say(undo_lesson())\n",
    " say(tidy_memory())\n", " say('Here is the ", " say('Here are the ", " say('The ", " is at the ", " are at the ",
    " now.')\n", " say('I have the ", " in my hand.')\n", " is at: ' + ", "get_object_location('", "'))\n",
    " say('I am at the ", "I do not see any ", " here.')\n", "Which one do you mean: the ", "I could not do that: ",
    "I have not learned how to do ", " left hand", " right hand",
)  # fmt: skip
"""Console text that is one token each. Those of a result may end with the next prompt sign; a statement begins behind
it, with a space."""


class Tokenizer:
    """Text to numbers. Made by learn(), kept as JSON."""

    def __init__(self, given: Sequence[str], merged: Sequence[str]) -> None:
        """`given` pieces come whole; `merged` are word pieces, the most useful first."""
        self.given = list(given)
        self.merged = list(merged)
        singles = [chr(code) for code in range(33, 127)]
        self.texts: list[str] = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), *self.given]
        self.first_normal = len(self.texts)
        known = set(self.texts)
        self.texts += [SPACE, *(one for one in singles if one not in known), *self.merged]
        self.ids = {text: number for number, text in enumerate(self.texts)}
        self._rank = {text: rank for rank, text in enumerate(self.merged)}
        self.word = lru_cache(100_000)(self._word)

    @classmethod
    def learn(cls, given: Sequence[str], texts: Iterable[str], size: int) -> "Tokenizer":
        """Byte-pair encoding (Sennrich et al. 2016) of the words in these texts, up to `size` tokens."""
        given = list(dict.fromkeys(given))
        assert all(len(piece.encode()) <= LONGEST for piece in given)
        empty = cls(given, ())
        words: Counter[str] = Counter(
            word for text in texts for part in empty.parts(text) for word in _WORD.findall(part)
        )
        merged = _merges(words, size - len(empty.texts), set(empty.texts))
        return cls(given, merged)

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(content["given"], content["merged"])

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"given": self.given, "merged": self.merged}, indent=0) + "\n", encoding="utf-8")

    def __len__(self) -> int:
        return len(self.texts)

    def encode(self, text: str) -> list[int]:
        """The tokens of a text."""
        tokens: list[int] = []
        for part in self.parts(text, whole=True):
            if part in self._given:
                tokens.append(self.ids[part])
            else:
                for word in _UNIT.findall(part):
                    tokens += self.word(word)
        return tokens

    def text(self, token: int) -> str:
        """What a token stands for; bytes as Latin-1."""
        text = self.texts[token]
        if token < len(SPECIAL):
            return ""
        if token < len(SPECIAL) + 256:
            return chr(int(text[3:5], 16))
        return text.replace(SPACE, " ")

    def parts(self, text: str, whole: bool = False) -> Iterator[str]:
        """What is left of a text between the given pieces; with `whole`, these too."""
        for number, part in enumerate(self._cut(text)):
            if part and (whole or number % 2 == 0):
                yield part

    @cached_property
    def _given(self) -> frozenset[str]:
        return frozenset(self.given)

    def _cut(self, text: str) -> list[str]:
        """Rest, piece, rest, piece, ..., rest: the longest pieces are found first, wherever they stand."""
        parts = [text]
        for piece in self._by_length:
            if piece in text:
                parts = [new for number, part in enumerate(parts) for new in self._cut_one(number, part, piece)]
        return parts

    @cached_property
    def _by_length(self) -> list[str]:
        return sorted(self.given, key=lambda piece: (-len(piece.encode()), piece))

    def _cut_one(self, number: int, part: str, piece: str) -> list[str]:
        if number % 2:
            return [part]
        rests = part.split(piece)
        return [rests[0], *(new for rest in rests[1:] for new in (piece, rest))]

    def _word(self, word: str) -> list[int]:
        symbols = [SPACE if one == " " else one for one in word]
        while True:
            pairs = [(self._rank.get(one + other, 1 << 30), at) for at, (one, other) in enumerate(_pairs(symbols))]
            rank, at = min(pairs, default=(1 << 30, 0))
            if rank == 1 << 30:
                break
            symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
        return [token for symbol in symbols for token in self._symbol(symbol)]

    def _symbol(self, symbol: str) -> list[int]:
        if symbol in self.ids:
            return [self.ids[symbol]]
        return [len(SPECIAL) + byte for byte in symbol.encode()]


def line_pieces(text: str) -> list[str]:
    """Lines cut between words into pieces that may be tokens, so that a text that never changes costs few of them."""
    pieces: list[str] = []
    for line in text.splitlines(keepends=True):
        piece = ""
        for word in re.findall(r" *[^ ]+", line):
            if len((piece + word).encode()) > LONGEST:
                pieces.append(piece)
                piece = ""
            piece += word
        pieces.append(piece)
    return [piece for piece in dict.fromkeys(pieces) if 8 <= len(piece.encode()) <= LONGEST]


_WORD = re.compile(r"[A-Za-z]+")
_UNIT = re.compile(r"[A-Za-z]+|[^A-Za-z]", re.DOTALL)


def _pairs(symbols: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise(symbols)


def _merges(words: Counter[str], count: int, known: set[str]) -> list[str]:
    spelled = {word: list(word) for word in words}
    merged: list[str] = []
    while len(merged) < count:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, symbols in spelled.items():
            for pair in _pairs(symbols):
                pairs[pair] += words[word]
        best = max(pairs, key=lambda pair: (pairs[pair], pair), default=None)
        if best is None or pairs[best] < 3:
            break
        new = "".join(best)
        if new not in known:
            merged.append(new)
            known.add(new)
        for word, symbols in spelled.items():
            if new in word:
                spelled[word] = _merge(symbols, best)
    return merged


def _merge(symbols: Sequence[str], pair: tuple[str, str]) -> list[str]:
    out: list[str] = []
    for symbol in symbols:
        if out and (out[-1], symbol) == pair:
            out[-1] += symbol
        else:
            out.append(symbol)
    return out
