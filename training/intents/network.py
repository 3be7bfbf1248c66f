"""MiniLM with heads for intents and roles, all its layers taught; what they learned is kept as adapters of low rank."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import (
    binary_cross_entropy_with_logits,
    cross_entropy,
    dropout,
    gelu,
    layer_norm,
    linear,
    scaled_dot_product_attention,
)

from daemon.llm.intents import INTENTS, SAY
from daemon.llm.minilm_onnx import HEADS, LAYERS, NORM_EPSILON, WIDTH
from training.intents.rows import Row

RANK = 64
"""Of what is kept. Held-out answers after the first pass, mean logarithm, all ranks, 64, 32: -2.77, -2.86, -2.98."""
DROPOUT = 0.1
ROLES = 3
"""What a name may be in an answer: moved, spoken of, where something goes."""
WORD_EMBEDDINGS = "embeddings.word_embeddings.weight"
"""As they were: few words are in the corpus."""


class Network(nn.Module):
    """Tells what is asked for, and the role of each name."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        super().__init__()
        known = {name: torch.from_numpy(value) for name, value in weights.items() if value.dtype == np.float32}
        known = {name: value for name, value in known.items() if not name.startswith("pooler")}
        self.words = known.pop(WORD_EMBEDDINGS)
        self.before = known
        self.layers = nn.ParameterDict({_key(name): nn.Parameter(value.clone()) for name, value in known.items()})
        self.heads = nn.ModuleDict(
            {
                "intents": nn.Linear(WIDTH, len(INTENTS)),
                "mixed": nn.Linear(2 * WIDTH, WIDTH),
                "roles": nn.Linear(WIDTH, ROLES),
            }
        )

    def go_on(self, learned: Mapping[str, NDArray[np.float16]]) -> None:
        """Begin with what was learned before, as learned() told it; intents that were not known are like `say`."""
        told = {name: torch.from_numpy(value.astype(np.float32)) for name, value in learned.items()}
        with torch.no_grad():
            for name, value in told.items():
                head, _, part = name.rpartition(".")
                if part == "down":
                    self.layers[_key(f"{head}.weight")] += told[f"{head}.up"] @ value
                elif head in self.heads:
                    parameter = getattr(self.heads[head], part)
                    parameter[: len(value)] = value
                    parameter[len(value) :] = value[SAY] if head == "intents" else 0.0
                elif part != "up":
                    self.layers[_key(name)].copy_(value)

    @torch.no_grad()
    def halfway_to(self, other: "Network") -> None:
        """Become the mean of both, which keeps more of what was known before (Wortsman et al. 2022)."""
        for one, theirs in zip(self.parameters(), other.parameters(), strict=True):
            one.lerp_(theirs, 0.5)

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Return how unlikely it finds what these answers do: the mean of their negative logarithms."""
        intents, roles = self(rows)
        names = [
            (name.role == "thing", wanted)
            for row in rows
            for (name, _, _), wanted in zip(row.text.spans, row.roles, strict=True)
        ]
        wanted = torch.tensor([one for _, one in names], dtype=torch.float32)
        counts = torch.tensor([[is_thing, True, True] for is_thing, _ in names], dtype=torch.float32)
        wrong = binary_cross_entropy_with_logits(roles, wanted, reduction="none") * counts
        return cross_entropy(intents, torch.tensor([row.intent for row in rows])) + wrong.sum() / len(rows)

    def forward(self, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
        """Logits of INTENTS, shape (rows, intents), and of ROLES for the names of all rows, shape (names, 3)."""
        tokens, kinds, mask = _padded(rows)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self._encoded(tokens, kinds, mask).float()
        said = mask * (kinds == 0)
        first = hidden[:, 0] + (hidden * said[..., None]).sum(1) / said.sum(1, keepdim=True)
        upto = torch.cat([torch.zeros_like(hidden[:, :1]), hidden.cumsum(1)], 1)
        spans = [(place, begin, end) for place, row in enumerate(rows) for _, begin, end in row.text.spans]
        at, begin, end = torch.tensor(spans).T
        names = (upto[at, end] - upto[at, begin]) / (end - begin)[:, None]
        mixed = gelu(self.heads["mixed"](torch.cat([names, first[at]], 1)))
        return self.heads["intents"](first), self.heads["roles"](mixed)

    def learned(self) -> dict[str, NDArray[np.float16]]:
        """Return what changed: for the matrix X.weight of a layer `X.up` (outputs, RANK) and `X.down` (RANK, inputs),
        others whole.
        """
        told: dict[str, Tensor] = {}
        for name, before in self.before.items():
            now = self.layers[_key(name)].detach()
            if before.ndim == 2 and name.startswith("encoder"):
                left, scale, right = torch.linalg.svd(now - before, full_matrices=False)
                root = scale[:RANK].sqrt()
                dense = name.removesuffix(".weight")
                told[f"{dense}.up"], told[f"{dense}.down"] = left[:, :RANK] * root, root[:, None] * right[:RANK]
            else:
                told[name] = now
        told |= dict(self.heads.named_parameters())
        return {name: value.detach().numpy().astype(np.float16) for name, value in told.items()}

    def _encoded(self, tokens: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        positions = self._weight("embeddings.position_embeddings.weight")[: tokens.shape[1]]
        x = self.words[tokens] + positions + self._weight("embeddings.token_type_embeddings.weight")[kinds]
        x = dropout(self._norm(x, "embeddings.LayerNorm"), DROPOUT, self.training)
        for layer in range(LAYERS):
            x = self._layer(x, mask, f"encoder.layer.{layer}")
        return x

    def _layer(self, x: Tensor, mask: Tensor, name: str) -> Tensor:
        texts, tokens, _ = x.shape
        attention = f"{name}.attention"

        def split(part: str) -> Tensor:
            return self._dense(x, f"{attention}.self.{part}").view(texts, tokens, HEADS, -1).transpose(1, 2)

        mixed = scaled_dot_product_attention(
            split("query"), split("key"), split("value"), attn_mask=mask[:, None, None, :] > 0
        )
        joined = self._dense(mixed.transpose(1, 2).reshape(texts, tokens, WIDTH), f"{attention}.output.dense")
        x = self._norm(x + dropout(joined, DROPOUT, self.training), f"{attention}.output.LayerNorm")
        wide = self._dense(gelu(self._dense(x, f"{name}.intermediate.dense")), f"{name}.output.dense")
        return self._norm(x + dropout(wide, DROPOUT, self.training), f"{name}.output.LayerNorm")

    def _dense(self, x: Tensor, name: str) -> Tensor:
        return linear(x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"))

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return layer_norm(x, (WIDTH,), self._weight(f"{name}.weight"), self._weight(f"{name}.bias"), NORM_EPSILON)

    def _weight(self, name: str) -> Tensor:
        return self.layers[_key(name)]


def _padded(rows: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens and their kinds, and a mask that is 1 where there is one; shape (rows, longest)."""
    longest = max(len(row.text.tokens) for row in rows)
    tokens, kinds = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(2))
    mask = torch.zeros(len(rows), longest)
    for place, row in enumerate(rows):
        size = len(row.text.tokens)
        tokens[place, :size] = torch.tensor(row.text.tokens)
        kinds[place, :size] = torch.tensor(row.text.kinds)
        mask[place, :size] = 1
    return tokens, kinds, mask


def _key(name: str) -> str:
    """ParameterDict takes no dots."""
    return name.replace(".", "/")
