"""The pretrained network: a GGUF of llama's architecture (Touvron et al. 2023) in PyTorch, with a low-rank adapter
(LoRA, Hu et al. 2021) on each linear layer.

Its weights are dequantised and frozen; they stand in the order in which llama.cpp rotates neighbouring dimensions, so
that nothing need be permuted.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, rms_norm, scaled_dot_product_attention, silu

from training.brain.merge import values_of

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The layers of a block that have an adapter, by their names in the file."""

if shutil.which("g++") is None or torch.cuda.is_available():
    torch.compiler.set_stance("force_eager")


@dataclass(frozen=True)
class Shape:
    """The shape of a network, as the file tells."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    epsilon: float
    """Of the norms."""
    rope_base: float

    @property
    def head(self) -> int:
        return self.width // self.heads


@dataclass(frozen=True)
class Adapter:
    """How large the low-rank change of a layer is, and how loud."""

    rank: int = 16
    alpha: float = 32.0


class Adapted(nn.Module):
    """x W^T + (alpha / rank) (x A^T) B^T; B begins as zero, so that nothing is changed at first.

    A GPU adds up the weights: of its time, reading and writing x takes more than multiplying it.
    """

    def __init__(self, weight: Tensor, adapter: Adapter) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        out, inner = weight.shape
        self.a = nn.Parameter(torch.randn(adapter.rank, inner) / inner**0.5)
        self.b = nn.Parameter(torch.zeros(out, adapter.rank))
        self._scale = adapter.alpha / adapter.rank

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (..., inner) -> (..., out)."""
        if x.is_cuda:
            return linear(x, (self.weight + self._scale * self.b @ self.a).to(x.dtype))
        down, up = self.a.to(x.dtype), (self.b * self._scale).to(x.dtype)
        return linear(x, self.weight) + linear(linear(x, down), up)


@dataclass(frozen=True)
class Branches:
    """Parts of a sequence that stand one after another, each as long as the others. None sees another."""

    length: int
    """Of each, in tokens."""
    count: int = 1
    root: int | None = None
    """What they see as if it stood just before: the place, among all branches, of earlier ones that are one."""

    def beside(self, x: Tensor) -> Tensor:
        """Put them beside each other; shapes (batch, heads, count * length, head) -> (batch * count, heads, length,
        head)."""
        return x.unflatten(2, (self.count, self.length)).transpose(1, 2).flatten(0, 1)

    def behind(self, x: Tensor) -> Tensor:
        """Put them one after another again."""
        return x.unflatten(0, (-1, self.count)).transpose(1, 2).flatten(2, 3)

    def seen(self, parts: Sequence[Tensor], own: Tensor) -> Tensor:
        """Return what each of them may look at, beside each other: its root, and itself."""
        if self.root is None:
            return self.beside(own)
        before = parts[self.root].repeat_interleave(self.count, 0)
        return torch.cat((before, self.beside(own)), dim=2)


def among_branches(q: Tensor, k: Tensor, v: Tensor, branches: Sequence[Branches]) -> Tensor:
    """Attention in which each branch sees its root and itself; shapes (batch, heads or kv heads, sequence, head).

    The sequence is split once: backwards, a slice would fill all of it with zeros for each branch.
    """
    sizes = [some.count * some.length for some in branches]
    asking, keys, values = (each.split(sizes, dim=2) for each in (q, k, v))
    mixed = [
        some.behind(attention(some.beside(own), some.seen(keys, key), some.seen(values, value)))
        for some, own, key, value in zip(branches, asking, keys, values, strict=True)
    ]
    return torch.cat(mixed, dim=2)


class Block(nn.Module):
    """Attention and feed-forward of one layer."""

    def __init__(self, weights: Mapping[str, Tensor], prefix: str, shape: Shape, adapter: Adapter) -> None:
        super().__init__()
        self._shape = shape
        self.layers = nn.ModuleDict({name: Adapted(weights[f"{prefix}{name}.weight"], adapter) for name in LINEAR})
        for name in ("attn_norm", "ffn_norm"):
            self.register_buffer(name, weights[f"{prefix}{name}.weight"], persistent=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, branches: Sequence[Branches]) -> Tensor:
        """Shape (batch, length, width)."""
        q, k, v = self._asked(x, cos, sin)
        return self._answered(x, among_branches(q, k, v, branches))

    @torch.compile(dynamic=True)
    def _asked(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values; shapes (batch, heads or kv heads, length, head)."""
        shape, layers = self._shape, self.layers
        seen = rms_norm(x, (shape.width,), self.attn_norm, shape.epsilon)
        q = rotated(self._heads(layers["attn_q"](seen), shape.heads), cos, sin)
        k = rotated(self._heads(layers["attn_k"](seen), shape.kv_heads), cos, sin)
        return q, k, self._heads(layers["attn_v"](seen), shape.kv_heads)

    @torch.compile(dynamic=True)
    def _answered(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Return what attention has found, and what the feed-forward layers make of it, added."""
        shape, layers = self._shape, self.layers
        x = x + layers["attn_output"](mixed.transpose(1, 2).flatten(2))
        seen = rms_norm(x, (shape.width,), self.ffn_norm, shape.epsilon)
        return x + layers["ffn_down"](silu(layers["ffn_gate"](seen)) * layers["ffn_up"](seen))

    def _heads(self, x: Tensor, heads: int) -> Tensor:
        return x.unflatten(-1, (heads, self._shape.head)).transpose(1, 2)


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate neighbouring dimensions by their position; shape (batch, heads, length, head)."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Grouped-query attention (Ainslie et al. 2023) of the last tokens to all up to their own.

    Shapes (batch, heads, last, head), (batch, kv heads, length, head) -> (batch, heads, last, head). Written out, since
    PyTorch's own takes three times as long backwards on a processor; a GPU has a kernel for it.
    """
    batch, kv_heads, length, head = k.shape
    last = q.shape[2]
    if q.is_cuda and last == length:
        return scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    grouped = q.reshape(batch * kv_heads, -1, head) * head**-0.5
    hidden = _hidden(last, length, q.shape[1] // kv_heads, q.dtype, q.device)
    scores = torch.baddbmm(hidden, grouped, k.flatten(0, 1).transpose(1, 2))
    return (scores.softmax(-1) @ v.flatten(0, 1)).reshape(q.shape)


@lru_cache(64)
def _hidden(last: int, length: int, heads: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """What the last tokens do not see: -inf for all after their own, shape (heads * last, length)."""
    after = torch.full((last, length), -torch.inf, dtype=dtype, device=device).triu(length - last + 1)
    return after.repeat(heads, 1)


CONTEXT = 4096
"""Tokens that a sequence has at most."""


class Llama(nn.Module):
    """Tokens to hidden states, and hidden states to the next token's logits."""

    def __init__(self, shape: Shape, weights: Mapping[str, Tensor], adapter: Adapter) -> None:
        super().__init__()
        self.shape, self.adapter = shape, adapter
        self.register_buffer("embedding", weights["token_embd.weight"], persistent=False)
        self.register_buffer("norm", weights["output_norm.weight"], persistent=False)
        self.blocks = nn.ModuleList(Block(weights, f"blk.{i}.", shape, adapter) for i in range(shape.layers))
        turns = shape.rope_base ** (-torch.arange(0, shape.head, 2) / shape.head)
        angles = torch.arange(CONTEXT)[:, None] * turns[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(
        self, tokens: Tensor, positions: Tensor | None = None, branches: Sequence[Branches] | None = None
    ) -> Tensor:
        """Shapes (batch, length) -> (batch, length, width).

        `positions` and `branches` are those of a packed sequence (packing.py); else each token sees all before it.
        """
        length = tokens.shape[1]
        positions = torch.arange(length) if positions is None else positions
        branches = [Branches(length)] if branches is None else branches
        x = self.embedding[tokens]
        cos, sin = self.cos[positions].to(x.dtype), self.sin[positions].to(x.dtype)
        for block in self.blocks:
            x = block(x, cos, sin, branches)
        return rms_norm(x, (self.shape.width,), self.norm, self.shape.epsilon)

    def logits(self, hidden: Tensor) -> Tensor:
        """Shapes (..., width) -> (..., vocabulary); the vocabulary is written as it is read."""
        return linear(hidden, self.embedding)

    def adapters(self) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """The weights that the adapter changes, by their names in the file, with A (rank, inner) and B (out, rank)."""
        for number, block in enumerate(self.blocks):
            for name, layer in block.layers.items():
                yield f"blk.{number}.{name}.weight", layer.a.detach().numpy(), layer.b.detach().numpy()

    def begin_with(self, adapters: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> None:
        """Take A and B of each weight from an adapter that was written before. Raises ValueError for another shape."""
        for number, block in enumerate(self.blocks):
            for name, layer in block.layers.items():
                a, b = adapters[f"blk.{number}.{name}.weight"]
                if (layer.a.shape, layer.b.shape) != (a.shape, b.shape):
                    raise ValueError(f"blk.{number}.{name}: the adapter is of another rank, or of another base")
                with torch.no_grad():
                    layer.a.copy_(torch.from_numpy(a.astype(np.float32)))
                    layer.b.copy_(torch.from_numpy(b.astype(np.float32)))


def read_llama(file: Path, adapter: Adapter, number: torch.dtype = torch.float32) -> Llama:
    """The network of a GGUF, its frozen weights in this kind of number; the adapter's are always float32.

    Raises ValueError for another architecture, or a vocabulary that is written otherwise.
    """
    reader = gguf.GGUFReader(file)
    kind = _value(reader, "general.architecture")
    weights = {tensor.name: torch.from_numpy(values_of(tensor)).to(number) for tensor in reader.tensors}
    if kind != "llama" or "output.weight" in weights:
        raise ValueError(f"{file} is {kind}; take a llama whose embeddings are tied, such as SmolLM2")
    shape = Shape(
        layers=_value(reader, "llama.block_count"),
        width=_value(reader, "llama.embedding_length"),
        heads=_value(reader, "llama.attention.head_count"),
        kv_heads=_value(reader, "llama.attention.head_count_kv"),
        epsilon=_value(reader, "llama.attention.layer_norm_rms_epsilon"),
        rope_base=_value(reader, "llama.rope.freq_base"),
    )
    return Llama(shape, weights, adapter)


def _value(reader: gguf.GGUFReader, name: str):  # type: ignore[no-untyped-def]
    field = reader.get_field(name)
    if field is None:
        raise ValueError(f"the file does not tell its {name}")
    return field.contents()
