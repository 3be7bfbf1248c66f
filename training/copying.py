"""Weights to begin with that can copy already: what followed this token the last time that it occurred?

An induction circuit (Olsson et al. 2022) put there by hand, which small networks otherwise take long to find: a head
of the first layer that tells each token the one before it, and heads of the second and third that look for where this
token was the one before, and say what stands there. Training may change all of it.
"""

import math

import torch
from torch import Tensor

from training.network import Network, frequencies

NOTED = 64
"""Dimensions in which a token notes the one before it."""
NEAR, MATCH, SPEAK = 30.0, 2.6, 0.8
"""How sharply the one before is looked at, how sharply a match, and how loudly it is said."""
CONSTANT = 0.5
WRITE = 0.1
"""The norm before the first layer makes what is read about ten times as large."""


def initialise(network: Network, seed: int, *, copying: bool = True) -> None:
    """Small random weights everywhere; with `copying`, the circuit among them."""
    dice = torch.Generator().manual_seed(seed)
    width = network.shape.width
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if weight.dim() == 2:
                weight.normal_(0.0, 0.02, generator=dice)
            if name.endswith(("o.weight", "down.weight")):
                weight.mul_(0.5)
        said = width - NOTED - 32
        vectors = torch.randn(network.shape.vocabulary, said - 1, generator=dice) / math.sqrt(said - 1)
        network.embed.weight[:, 1:said] = vectors
        network.unembed.weight[:, 1:said] = 0.5 * vectors
        network.embed.weight[:, 0] = CONSTANT
        if copying:
            _put_circuit(network, said, dice)


def _put_circuit(network: Network, said: int, dice: torch.Generator) -> None:
    shape = network.shape
    head, turned = shape.head, 2 * shape.rotated
    note = _orthonormal(NOTED, said - 1, dice)
    first = network.blocks[0]
    angles = frequencies(shape)
    sharpness = math.sqrt(NEAR) * torch.linspace(1.0, 0.2, shape.rotated)
    first.q.weight[0:turned:2, 0] = sharpness
    first.k.weight[0:turned:2, 0] = sharpness * angles.cos()
    first.k.weight[1:turned:2, 0] = sharpness * angles.sin()
    first.v.weight[:head, 1:said] = note[:head]
    first.o.weight[said : said + NOTED, :head] = WRITE * torch.eye(NOTED)[:, :head]
    spoken = _orthonormal(said - 1, said - 1, dice)
    for layer, heads in ((1, range(3)), (2, range(3))):
        block = network.blocks[layer]
        for number in heads:
            rows = slice(number * head + turned, (number + 1) * head)
            seen = _orthonormal(head - turned, NOTED, dice)
            block.q.weight[rows, 1:said] = MATCH * seen @ note
            block.k.weight[rows, said : said + NOTED] = MATCH * seen
            share = spoken[number * 53 : number * 53 + 53]
            at = slice(number * head, number * head + len(share))
            block.v.weight[at, 1:said] = share
            block.o.weight[1:said, at] = SPEAK * share.T


def copies(network: Network, seed: int = 0, length: int = 60) -> float:
    """Share of tokens that are foretold in the second half of random sequences that say the same thing twice."""
    dice = torch.Generator().manual_seed(seed)
    once = torch.randint(300, network.shape.vocabulary, (16, length), generator=dice)
    twice = torch.cat((once, once), 1)
    with torch.no_grad():
        guessed = network.logits(network(twice)).argmax(-1)
    return float((guessed[:, length:-1] == twice[:, length + 1 :]).float().mean())


def _orthonormal(rows: int, columns: int, dice: torch.Generator) -> Tensor:
    square = torch.linalg.qr(torch.randn(max(rows, columns), max(rows, columns), generator=dice))[0]
    return square[:rows, :columns]
