"""The last two layers of MiniLM and what is learned of them: a low-rank adapter (Hu et al. 2021) and a head."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, layer_norm, linear, scaled_dot_product_attention

from daemon.llm.minilm_onnx import HEADS, LAYERS, NORM_EPSILON, SHARED_LAYERS, WIDTH

RANK = 16
DROPOUT = 0.1


class Last(nn.Module):
    """Last layers: of what those before make of texts, logarithmic odds, as many for a text as there are `outputs`."""

    def __init__(self, weights: dict[str, NDArray[np.float32]], outputs: int = 1) -> None:
        super().__init__()
        self._fixed = {name: torch.from_numpy(value) for name, value in weights.items()}
        dense = [name.removesuffix(".weight") for name in _dense(weights)]
        self.down = nn.ParameterDict(
            {_key(name): nn.Parameter(_small(self._fixed[f"{name}.weight"])) for name in dense}
        )
        self.up = nn.ParameterDict(
            {_key(name): nn.Parameter(torch.zeros(len(self._fixed[f"{name}.weight"]), RANK)) for name in dense}
        )
        self.head = nn.Linear(WIDTH, outputs)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        self._names = dense

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """`hidden` has shape (texts, tokens, 384), `mask` (texts, tokens) is 1 where there is a token. Return shape
        (texts,) for one output, else (texts, outputs).
        """
        hidden = dropout(hidden, DROPOUT, self.training)
        for layer in range(SHARED_LAYERS, LAYERS):
            hidden = self._layer(hidden, mask, f"encoder.layer.{layer}")
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(dropout(mean, DROPOUT, self.training)).squeeze(-1)

    def learned(self) -> dict[str, NDArray[np.float16]]:
        """Return the adapter and the head: for a dense layer X, `X.down` (rank, inputs) and `X.up` (outputs, rank)."""
        told = {f"{name}.down": self.down[_key(name)] for name in self._names}
        told |= {f"{name}.up": self.up[_key(name)] for name in self._names}
        told |= {"head.weight": self.head.weight.squeeze(0), "head.bias": self.head.bias}
        return {name: value.detach().numpy().astype(np.float16) for name, value in told.items()}

    def _layer(self, x: Tensor, mask: Tensor, name: str) -> Tensor:
        texts, tokens, _ = x.shape
        attention = f"{name}.attention"

        def split(part: str) -> Tensor:
            return self._dense(x, f"{attention}.self.{part}").view(texts, tokens, HEADS, -1).transpose(1, 2)

        hidden = (mask[:, None, None, :] > 0).expand(texts, 1, tokens, tokens)
        mixed = scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=hidden)
        joined = mixed.transpose(1, 2).reshape(texts, tokens, WIDTH)
        x = self._norm(x + self._dense(joined, f"{attention}.output.dense"), f"{attention}.output.LayerNorm")
        wide = gelu(self._dense(x, f"{name}.intermediate.dense"))
        return self._norm(x + self._dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _dense(self, x: Tensor, name: str) -> Tensor:
        learned = linear(linear(x, self.down[_key(name)]), self.up[_key(name)])
        return linear(x, self._fixed[f"{name}.weight"], self._fixed[f"{name}.bias"]) + learned

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return layer_norm(x, (WIDTH,), self._fixed[f"{name}.weight"], self._fixed[f"{name}.bias"], NORM_EPSILON)


def batches(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield texts, `size` at a time."""
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


def _dense(weights: dict[str, NDArray[np.float32]]) -> list[str]:
    """Names of the matrices of the last layers."""
    last = [f"encoder.layer.{layer}." for layer in range(SHARED_LAYERS, LAYERS)]
    return sorted(name for name, value in weights.items() if name.startswith(tuple(last)) and value.ndim == 2)


def _small(weight: Tensor) -> Tensor:
    return torch.randn(RANK, weight.shape[1]) / math.sqrt(weight.shape[1])


def _key(name: str) -> str:
    """ParameterDict takes no dots."""
    return name.replace(".", "/")
