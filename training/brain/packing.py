"""Puts samples that begin alike into one sequence, so that what they share is read once.

Dialogues of a world share its situation: a third of all tokens. The shared beginning stands first, the rest of each
sample behind it as a branch, which sees the beginning and itself, at the positions that it would have alone. Several
such trees stand in one sequence; none sees another.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import torch
from torch import Tensor

from training.brain.llama import Branch

ROUND = 32
"""What lengths are multiples of: a processor prepares itself for each length that it has not seen yet."""
FILLER = 0
"""Stands where nothing is read."""
IGNORED = -100
"""Stands for a token that is not learned."""
SHARED = 60
"""Tokens that samples must have in common to stand in one tree."""
BRANCHES = 4
"""Of a tree, at most: a step is to see more than one situation."""


@dataclass(frozen=True)
class Row:
    """A sample in tokens."""

    tokens: tuple[int, ...]
    answer: int
    """How many of them, at the end, are learned."""


@dataclass(frozen=True)
class Packed:
    """Some trees as one sequence; shapes (length)."""

    tokens: Tensor
    positions: Tensor
    branches: tuple[Branch, ...]
    """What each part of the sequence may look at, in order."""
    wanted: Tensor
    """What is to follow each token; IGNORED where nobody asks."""
    read: int
    """How many tokens the samples have, each read alone."""


def trees(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows that share their beginning, together."""
    found: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: row.tokens):
        if found and len(found[-1]) < BRANCHES and _common([*found[-1], row]) >= SHARED:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def batches(rows: Sequence[Row], tokens: int, seed: int) -> Iterator[Packed]:
    """Sequences of at most so many tokens (a longer tree stands alone), in an order that the seed decides; endless."""
    chance = random.Random(seed)
    grown = trees(rows)
    while True:
        chance.shuffle(grown)
        batch: list[list[Row]] = []
        for tree in grown:
            if batch and sum(map(_size, [*batch, tree])) > tokens:
                yield packed(batch)
                batch = []
            batch.append(tree)
        yield packed(batch)


def packed(grown: Sequence[Sequence[Row]]) -> Packed:
    """Put these trees into one sequence."""
    tokens: list[int] = []
    positions: list[int] = []
    wanted: list[int] = []
    branches: list[Branch] = []

    def add(part: Sequence[int], learned: Sequence[int], root: Branch | None) -> Branch:
        branch = Branch(len(tokens), len(part) + -len(part) % ROUND, root)
        behind = branch.length - len(part)
        tokens.extend([*part, *[FILLER] * behind])
        wanted.extend([*learned, *[IGNORED] * behind])
        first = root.length if root else 0
        positions.extend(range(first, first + branch.length))
        branches.append(branch)
        return branch

    for tree in grown:
        shared = _common(tree)
        root = add(tree[0].tokens[:shared], [IGNORED] * shared, None) if shared else None
        for row in tree:
            add(row.tokens[shared:-1], _wanted(row)[shared:], root)
    read = sum(len(row.tokens) for tree in grown for row in tree)
    return Packed(torch.tensor(tokens), torch.tensor(positions), tuple(branches), torch.tensor(wanted), read)


def _wanted(row: Row) -> list[int]:
    """Return what is to follow each token of a row but its last."""
    asked = len(row.tokens) - row.answer - 1
    return [IGNORED] * asked + list(row.tokens[asked + 1 :])


def _common(rows: Sequence[Row]) -> int:
    """Return how many tokens all begin with, their prompts' last one left out: what follows it is asked of each
    alone.
    """
    same = sum(
        1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*(row.tokens for row in rows), strict=False))
    )
    same = min(same, *(len(row.tokens) - row.answer - 1 for row in rows))
    return same - same % ROUND


def _size(tree: Sequence[Row]) -> int:
    shared = _common(tree)
    return shared + sum(len(row.tokens) - shared for row in tree)
