"""The network: llama's architecture (Touvron et al. 2023), with half of each head's dimensions left un-rotated."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu


@dataclass(frozen=True)
class Shape:
    """What decides how large the network is."""

    vocabulary: int
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 512
    context: int = 2048
    """Tokens; what the file says, so that heed fits its prompts to it."""
    base: float = 10_000.0
    """Of the rotary embedding."""

    @property
    def head(self) -> int:
        return self.width // self.heads

    @property
    def rotated(self) -> int:
        """Pairs of dimensions of a head that are rotated by the position; the others only know what, not where."""
        return self.head // 4


class Network(nn.Module):
    """Tokens to hidden states, and hidden states to the next token's logits."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.Parameter(torch.ones(shape.width))
        self.unembed = nn.Linear(shape.width, shape.vocabulary, bias=False)
        angles = torch.arange(8192).float()[:, None] * frequencies(shape)[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Shape (prompts, length) to (prompts, length, width)."""
        x = self.embed(tokens)
        length = tokens.shape[1]
        for block in self.blocks:
            x = block(x, self.cos[:length], self.sin[:length])
        return rms_norm(x, (x.shape[-1],), self.norm, EPSILON)

    def logits(self, hidden: Tensor) -> Tensor:
        """Shape (..., width) to (..., vocabulary)."""
        out: Tensor = self.unembed(hidden)
        return out


EPSILON = 1e-5


class Block(nn.Module):
    """Attention and a gated feed-forward layer, each behind a norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads, self.rotated = shape.heads, shape.rotated
        self.attention_norm = nn.Parameter(torch.ones(width))
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.inner_norm = nn.Parameter(torch.ones(width))
        self.gate, self.up = nn.Linear(width, shape.inner, bias=False), nn.Linear(width, shape.inner, bias=False)
        self.down = nn.Linear(shape.inner, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        normed = rms_norm(x, (x.shape[-1],), self.attention_norm, EPSILON)
        q, k, v = (self._split(layer(normed)) for layer in (self.q, self.k, self.v))
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + self.o(mixed)
        normed = rms_norm(x, (x.shape[-1],), self.inner_norm, EPSILON)
        out: Tensor = x + self.down(silu(self.gate(normed)) * self.up(normed))
        return out

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def frequencies(shape: Shape) -> Tensor:
    """Radians per token of each rotated pair, as llama.cpp counts them."""
    return shape.base ** (-2 * torch.arange(shape.rotated).float() / shape.head)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn the first pairs of neighbouring dimensions by the position; shape (prompts, heads, length, head)."""
    turned = 2 * cos.shape[-1]
    even, odd = x[..., :turned:2], x[..., 1:turned:2]
    pairs = torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)
    return torch.cat((pairs, x[..., turned:]), -1)
