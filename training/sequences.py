"""Training prompts as numbers, in batches of about equal length, made in a process beside the training."""

import multiprocessing
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from queue import Queue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from daemon.llm.model import PROMPT_SIGN
from training.prompts import TrainingPrompt, training_prompts
from training.tokenizer import Tokenizer

SHARD = 256
"""Prompts that are drawn with one seed, and sorted by length together."""
SHORT_SHARDS = 6
"""So many begin the training, of short prompts."""
LONGEST = 1280
"""Tokens; of longer prompts the first examples are left out."""


@dataclass(frozen=True)
class Encoded:
    """A prompt as numbers."""

    tokens: NDArray[np.int32]
    """Shape (length,)."""
    scored: NDArray[np.bool_]
    """Shape (length,): whether the model is to learn to write this token, one of the robot's statements."""


@dataclass(frozen=True)
class Batch:
    """Prompts side by side, filled up with zeros."""

    tokens: NDArray[np.int64]
    """Shape (prompts, length)."""
    scored: NDArray[np.bool_]
    shard: int
    """From which shard; those before it are used up."""


def encode(prompt: TrainingPrompt, tokenizer: Tokenizer) -> Encoded:
    """As llama.cpp will read it: the base, each example and the conversation are tokenized by themselves."""
    parts = [(prompt.base, False), *zip(prompt.examples, prompt.scored, strict=True), (prompt.conversation, True)]
    encoded = [(tokenizer.encode(text), learn) for text, learn in parts]
    while sum(len(tokens) for tokens, _ in encoded) > LONGEST and len(encoded) > 2:
        del encoded[1]
    masks = [_scored(tokens, tokenizer) if learn else [False] * len(tokens) for tokens, learn in encoded]
    tokens = np.array([token for tokens, _ in encoded for token in tokens][:LONGEST], np.int32)
    return Encoded(tokens, np.array([one for mask in masks for one in mask][:LONGEST], np.bool_))


def batches(tokenizer: Tokenizer, seed: int, size: int, first_shard: int = 0) -> Iterator[Batch]:
    """Batches of at most `size` tokens, endless, the same for the same seed."""
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue(maxsize=1)
    process = context.Process(
        target=_fill, args=(queue, tokenizer.given, tokenizer.merged, seed, first_shard), daemon=True
    )
    process.start()
    for shard in range(first_shard, 1 << 30):
        dice = random.Random(f"{seed} batches {shard}")
        sequences = sorted(queue.get(), key=lambda one: len(one.tokens))
        groups = list(_groups(sequences, size))
        dice.shuffle(groups)
        for group in groups:
            yield stacked(group, shard)


def stacked(group: Sequence[Encoded], shard: int = 0) -> Batch:
    """Sequences side by side."""
    longest = max(len(one.tokens) for one in group)
    tokens = np.zeros((len(group), longest), np.int64)
    scored = np.zeros((len(group), longest), np.bool_)
    for row, one in enumerate(group):
        tokens[row, : len(one.tokens)] = one.tokens
        scored[row, : len(one.tokens)] = one.scored
    return Batch(tokens, scored, shard)


def _groups(sequences: Sequence[Encoded], size: int) -> Iterator[list[Encoded]]:
    group: list[Encoded] = []
    for one in sequences:
        if group and (len(group) + 1) * len(one.tokens) > size:
            yield group
            group = []
        group.append(one)
    yield group


def _scored(tokens: Sequence[int], tokenizer: Tokenizer) -> list[bool]:
    """The tokens behind a prompt sign up to the end of the line; not the first statement, which heed writes itself."""
    mask: list[bool] = []
    statement, count = False, 0
    for token in tokens:
        text = tokenizer.text(token)
        mask.append(statement and count > 1)
        if statement and "\n" in text:
            statement = False
        if text.endswith(PROMPT_SIGN):
            statement, count = True, count + 1
    return mask


def _fill(queue: "Queue[Any]", given: Sequence[str], merged: Sequence[str], seed: int, first_shard: int) -> None:
    tokenizer = Tokenizer(given, merged)
    for shard in range(first_shard, 1 << 30):
        prompts = islice(training_prompts(seed * 1_000_003 + shard, short=shard < SHORT_SHARDS), SHARD)
        queue.put([encode(prompt, tokenizer) for prompt in prompts])
