"""The pretrained network: a GGUF of llama's architecture (Touvron et al. 2023) in PyTorch, with a low-rank adapter
(LoRA, Hu et al. 2021) on each linear layer.

Its weights are dequantised and frozen; they stand in the order in which llama.cpp rotates neighbouring dimensions, so
that nothing need be permuted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, rms_norm, scaled_dot_product_attention, silu

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The layers of a block that have an adapter, by their names in the file."""


@dataclass(frozen=True)
class Shape:
    """As the file tells."""

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
    """x W^T + (alpha / rank) (x A^T) B^T; B begins as zero, so that nothing is changed at first."""

    def __init__(self, weight: Tensor, adapter: Adapter) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        out, inner = weight.shape
        self.a = nn.Parameter(torch.randn(adapter.rank, inner) / inner**0.5)
        self.b = nn.Parameter(torch.zeros(out, adapter.rank))
        self._scale = adapter.alpha / adapter.rank

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (..., inner) -> (..., out)."""
        return linear(x, self.weight) + linear(linear(x, self.a), self.b) * self._scale

    @property
    def merged(self) -> Tensor:
        """The weight of a layer without an adapter that does the same."""
        return self.weight + self.b.detach() @ self.a.detach() * self._scale


class Block(nn.Module):
    """Attention and feed-forward of one layer."""

    def __init__(self, weights: Mapping[str, Tensor], prefix: str, shape: Shape, adapter: Adapter) -> None:
        super().__init__()
        self._shape = shape
        self.layers = nn.ModuleDict({name: Adapted(weights[f"{prefix}{name}.weight"], adapter) for name in LINEAR})
        for name in ("attn_norm", "ffn_norm"):
            self.register_buffer(name, weights[f"{prefix}{name}.weight"], persistent=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, visible: Sequence[Tensor]) -> Tensor:
        """Shape (batch, length, width)."""
        shape, layers = self._shape, self.layers
        seen = rms_norm(x, (shape.width,), self.attn_norm, shape.epsilon)
        q = rotated(self._heads(layers["attn_q"](seen), shape.heads), cos, sin)
        k = rotated(self._heads(layers["attn_k"](seen), shape.kv_heads), cos, sin)
        v = self._heads(layers["attn_v"](seen), shape.kv_heads)
        lengths = [len(each) for each in visible]
        parts = zip(*(each.split(lengths, dim=2) for each in (q, k, v)), visible, strict=True)
        mixed = torch.cat([scaled_dot_product_attention(*part, enable_gqa=True) for part in parts], dim=2)
        x = x + layers["attn_output"](mixed.transpose(1, 2).flatten(2))
        seen = rms_norm(x, (shape.width,), self.ffn_norm, shape.epsilon)
        return x + layers["ffn_down"](silu(layers["ffn_gate"](seen)) * layers["ffn_up"](seen))

    def _heads(self, x: Tensor, heads: int) -> Tensor:
        return x.unflatten(-1, (heads, self._shape.head)).transpose(1, 2)


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate neighbouring dimensions by their position; shape (batch, heads, length, head)."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Llama(nn.Module):
    """Tokens to hidden states, and hidden states to the next token's logits."""

    def __init__(self, shape: Shape, weights: Mapping[str, Tensor], adapter: Adapter, context: int = 4096) -> None:
        super().__init__()
        self.shape = shape
        self.register_buffer("embedding", weights["token_embd.weight"], persistent=False)
        self.register_buffer("norm", weights["output_norm.weight"], persistent=False)
        self.blocks = nn.ModuleList(Block(weights, f"blk.{i}.", shape, adapter) for i in range(shape.layers))
        turns = shape.rope_base ** (-torch.arange(0, shape.head, 2) / shape.head)
        angles = torch.arange(context)[:, None] * turns[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(
        self, tokens: Tensor, positions: Tensor | None = None, visible: Sequence[Tensor] | None = None
    ) -> Tensor:
        """Shapes (batch, length) -> (batch, length, width).

        `positions` and `visible` are those of a packed sequence (packing.py); else each token sees all before it.
        """
        length = tokens.shape[1]
        positions = torch.arange(length) if positions is None else positions
        visible = [torch.ones(length, length).tril().bool()] if visible is None else visible
        x = self.embedding[tokens]
        for block in self.blocks:
            x = block(x, self.cos[positions], self.sin[positions], visible)
        return rms_norm(x, (self.shape.width,), self.norm, self.shape.epsilon)

    def logits(self, hidden: Tensor) -> Tensor:
        """Shapes (..., width) -> (..., vocabulary); the vocabulary is written as it is read."""
        return linear(hidden, self.embedding)

    def merged(self) -> Iterator[tuple[str, np.ndarray]]:
        """The weights that the adapter has changed, by their names in the file."""
        for number, block in enumerate(self.blocks):
            for name, layer in block.layers.items():
                yield f"blk.{number}.{name}.weight", layer.merged.numpy()


def read_llama(file: Path, adapter: Adapter) -> Llama:
    """The network of a GGUF. Raises ValueError for another architecture, or a vocabulary that is written otherwise."""
    reader = gguf.GGUFReader(file)
    kind = _value(reader, "general.architecture")
    weights = {tensor.name: torch.from_numpy(_dequantised(tensor)) for tensor in reader.tensors}
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


def _dequantised(tensor: gguf.ReaderTensor) -> np.ndarray:
    values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
    return np.ascontiguousarray(values, np.float32).reshape(tuple(int(n) for n in reversed(tensor.shape)))


def _value(reader: gguf.GGUFReader, name: str):  # type: ignore[no-untyped-def]
    field = reader.get_field(name)
    if field is None:
        raise ValueError(f"the file does not tell its {name}")
    return field.contents()
