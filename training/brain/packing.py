"""Puts samples together for one step of training: on a processor in one sequence, on a GPU side by side.

Dialogues of a world share its situation: a third of all tokens. A processor is to read what samples share once: the
shared beginning stands first, the rest of each sample behind it as a branch, which sees the beginning and itself, at
the positions that it would have alone. Several such trees stand in one sequence; none sees another. A GPU reads many
sequences of about one length sooner than it would sort out who sees whom.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from training.brain.llama import Branches

ROUND = 32
"""What lengths are multiples of: a processor prepares itself for each length that it has not seen yet."""
FILLER = 0
"""Stands where nothing is read."""
IGNORED = -100
"""Stands for a token that is not learned."""
SAVED = 60
"""Tokens that have to be saved for a sample to stand in a tree with others."""
BRANCHES = 12
"""Of a tree, at most: a step is to see more than one situation."""


Thing = TypeVar("Thing")
TOLD = 0.3
"""What a token counts that only tells what was done; one that does it counts 1."""


@dataclass(frozen=True)
class Row:
    """A sample in tokens."""

    tokens: tuple[int, ...]
    answer: int
    """How many of them, at the end, are learned."""
    told: int = 0
    """How many of these, at the end, only tell what was done."""


@dataclass(frozen=True)
class Packed:
    """What is read in one step; shapes (sequences, length)."""

    tokens: Tensor
    positions: Tensor
    """Shape (length)."""
    branches: tuple[Branches, ...]
    """What each part of a sequence may look at, in order."""
    wanted: Tensor
    """What is to follow each token; IGNORED where nobody asks."""
    counts: Tensor
    """How much it matters that it is followed by that."""
    read: int
    """How many tokens the samples have, each read alone."""


def write_rows(rows: Sequence[Row], file: Path) -> None:
    """Keep rows so that whoever reads them needs numpy alone."""
    tokens = np.array([token for row in rows for token in row.tokens], np.uint16)
    of = np.array([(len(row.tokens), row.answer, row.told) for row in rows], np.uint16).reshape(-1, 3)
    np.savez_compressed(file, tokens=tokens, of=of)


def read_rows(file: Path) -> list[Row]:
    """Return what write_rows() wrote."""
    with np.load(file) as kept:
        tokens, of = kept["tokens"].tolist(), kept["of"].tolist()
    rows, begin = [], 0
    for length, answer, told in of:
        rows.append(Row(tuple(tokens[begin : begin + length]), answer, told))
        begin += length
    return rows


def trees(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows that share their beginning, together."""
    found: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: row.tokens):
        if found and len(found[-1]) < BRANCHES and _saved([*found[-1], row]) >= _saved(found[-1]) + SAVED:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _saved(tree: Sequence[Row]) -> int:
    """Return how many tokens need not be read again."""
    return (len(tree) - 1) * _common(tree)


def batches(rows: Sequence[Row], tokens: int, seed: int, gpu: bool = False) -> Iterator[Packed]:
    """Steps of at most so many tokens (a longer tree stands alone), in an order that the seed decides; endless."""
    chance = random.Random(seed)
    return _of_one_length(rows, tokens, chance) if gpu else _in_trees(rows, tokens, chance)


def _in_trees(rows: Sequence[Row], tokens: int, chance: random.Random) -> Iterator[Packed]:
    grown = trees(rows)
    while True:
        chance.shuffle(grown)
        yield from map(packed, _filled(grown, lambda batch: sum(map(_size, batch)) <= tokens))


def _of_one_length(rows: Sequence[Row], tokens: int, chance: random.Random) -> Iterator[Packed]:
    while True:
        in_order = sorted(rows, key=lambda row: (len(row.tokens) // ROUND, chance.random()))
        steps = list(_filled(in_order, lambda batch: len(batch) * _rounded(len(batch[-1].tokens)) <= tokens))
        chance.shuffle(steps)
        yield from map(side_by_side, steps)


def _filled(things: Sequence[Thing], fits: Callable[[list[Thing]], bool]) -> Iterator[list[Thing]]:
    batch: list[Thing] = []
    for thing in things:
        if batch and not fits([*batch, thing]):
            yield batch
            batch = []
        batch.append(thing)
    yield batch


def side_by_side(rows: Sequence[Row]) -> Packed:
    """Each as a sequence of its own, filled up behind."""
    length = _rounded(max(len(row.tokens) for row in rows) - 1)
    tokens = torch.full((len(rows), length), FILLER)
    wanted, counts = torch.full((len(rows), length), IGNORED), torch.zeros(len(rows), length)
    for number, row in enumerate(rows):
        own = len(row.tokens) - 1
        tokens[number, :own] = torch.tensor(row.tokens[:-1])
        wanted[number, :own] = torch.tensor(_wanted(row))
        counts[number, :own] = torch.tensor(_counts(row))
    read = sum(len(row.tokens) for row in rows)
    return Packed(tokens, torch.arange(length), (Branches(length),), wanted, counts, read)


def packed(grown: Sequence[Sequence[Row]]) -> Packed:
    """Put these trees into one sequence."""
    tokens: list[int] = []
    positions: list[int] = []
    wanted: list[int] = []
    counts: list[float] = []
    branches: list[Branches] = []

    def add(part: Sequence[int], learned: Sequence[int], count: Sequence[float], first: int) -> None:
        behind = -len(part) % ROUND
        tokens.extend([*part, *[FILLER] * behind])
        wanted.extend([*learned, *[IGNORED] * behind])
        counts.extend([*count, *[0.0] * behind])
        positions.extend(range(first, first + len(part) + behind))

    for tree in grown:
        shared = _common(tree)
        if shared:
            add(tree[0].tokens[:shared], [IGNORED] * shared, [0.0] * shared, 0)
            branches.append(Branches(shared))
        root = len(branches) - 1 if shared else None
        for length, alike in _of_equal_length(tree, shared):
            for row in alike:
                add(row.tokens[shared:-1], _wanted(row)[shared:], _counts(row)[shared:], shared)
            branches.append(Branches(length, len(alike), root))
    read = sum(len(row.tokens) for tree in grown for row in tree)
    return Packed(
        torch.tensor([tokens]),
        torch.tensor(positions),
        tuple(branches),
        torch.tensor([wanted]),
        torch.tensor([counts]),
        read,
    )


def _of_equal_length(tree: Sequence[Row], shared: int) -> list[tuple[int, list[Row]]]:
    """Return the shortest first, by what each has behind the tokens that they share."""
    in_order = sorted(tree, key=lambda row: len(row.tokens))
    groups = groupby(in_order, lambda row: _rounded(len(row.tokens) - 1 - shared))
    return [(length, list(rows)) for length, rows in groups]


def _rounded(length: int) -> int:
    return length + -length % ROUND


def _wanted(row: Row) -> list[int]:
    """Return what is to follow each token of a row but its last."""
    asked = len(row.tokens) - row.answer - 1
    return [IGNORED] * asked + list(row.tokens[asked + 1 :])


def _counts(row: Row) -> list[float]:
    """Return how much each of _wanted() matters."""
    return [0.0] * (len(row.tokens) - row.answer - 1) + [1.0] * (row.answer - row.told) + [TOLD] * row.told


def _common(rows: Sequence[Row]) -> int:
    """Return how many tokens all begin with, their prompts' last one left out: what follows it is asked of each
    alone.
    """
    tokens = [row.tokens for row in rows]
    pairs = zip(min(tokens), max(tokens), strict=False)  # what these two begin with, all between them do
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    same = min(same, *(len(row.tokens) - row.answer - 1 for row in rows))
    return same - same % ROUND


def _size(tree: Sequence[Row]) -> int:
    shared = _common(tree)
    return shared + sum(len(row.tokens) - shared for row in tree)
