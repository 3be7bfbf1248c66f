"""Muon: momentum whose matrices are made orthogonal before each step (Jordan et al. 2024), for the inner matrices."""

from collections.abc import Iterable

import torch
from torch import Tensor

MOMENTUM = 0.95


class Muon(torch.optim.Optimizer):
    """For matrices only; embeddings and vectors want Adam."""

    def __init__(self, weights: Iterable[Tensor], lr: float) -> None:
        super().__init__(list(weights), {"lr": lr})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        """One step along the orthogonalised Nesterov momentum."""
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                momentum = state.setdefault("momentum", torch.zeros_like(weight))
                momentum.mul_(MOMENTUM).add_(weight.grad)
                update = orthogonal(weight.grad + MOMENTUM * momentum)
                weight.add_(update, alpha=-group["lr"] * max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5)


def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """About the nearest matrix with orthonormal rows or columns, by a Newton-Schulz iteration of the fifth order."""
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.T if tall else x
