"""Teaches the adapter: reads prompts with their answers, and learns the answers. Goes on where it was stopped."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from training.brain.adapter import read_adapter
from training.brain.llama import Adapter, Llama, read_llama
from training.brain.packing import IGNORED, Packed, Row, batches, side_by_side

KEEP_SECONDS = 180.0
"""Between two states on disk."""
JUDGED = 0.1
"""Share of the time that goes into judging what was learned, in the long run."""
PROGRESS = 20
"""Steps between two lines of the curve."""
TOGETHER = 40
"""Samples of them that are read at once."""
HELD, HELD_ON_GPU = 40, 2000
"""Samples of voices that are never trained on, by which the curve is judged, at most."""


@dataclass(frozen=True)
class Recipe:
    """How long and how fast. At 2e-3 the network forgets how to spell and to copy names (docs/decisions/goals.md)."""

    tokens: int
    """To be read in all; prompts count, also what several share."""
    batch: int = 2000
    """Tokens per step, at most; what samples share counts once."""
    rate: float = 5e-4
    warm_up: int = 20
    """Steps."""
    decay: float = 0.5
    """The last share of the tokens, over which the rate falls to nothing."""
    seed: int = 1
    longest: int = 900
    """Tokens of a sample; longer ones are left out."""
    adapter: Adapter = field(default_factory=Adapter)
    frozen: int = 0
    """Blocks, from the first, that keep what they were taught before: nothing goes back through them."""


class Training:
    """One run; `folder` keeps its state and its curve."""

    def __init__(
        self,
        folder: Path,
        base: Path,
        rows: Sequence[Row],
        recipe: Recipe,
        held: Sequence[Row] = (),
        begin_with: Path | None = None,
    ) -> None:
        """`held` are rows of voices that are never trained on; `begin_with` is an adapter that was taught before."""
        torch.manual_seed(recipe.seed)
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._recipe = folder, recipe
        self._gpu = torch.cuda.is_available()
        self._rows = [row for row in rows if len(row.tokens) <= recipe.longest]
        self._held = held[:: max(1, len(held) // (HELD_ON_GPU if self._gpu else HELD))]
        self._device = torch.device("cuda" if self._gpu else "cpu")
        self.network = read_llama(base, recipe.adapter, fastest())
        if begin_with is not None:
            self.network.begin_with(read_adapter(begin_with))
        self.network.blocks[: recipe.frozen].requires_grad_(False)
        self.network.to(self._device)
        self._optimizer = torch.optim.AdamW(self.network.parameters(), recipe.rate, weight_decay=0.0)
        self._step = self._tokens = 0
        self._resume()

    def run(self) -> Llama:
        """Train to the end of the recipe."""
        kept = judged = began = time.monotonic()
        first, judging = self._tokens, 0.0
        losses: list[Tensor] = []
        for number, batch in enumerate(batches(self._rows, self._recipe.batch, self._recipe.seed, self._gpu)):
            if self._tokens >= self._recipe.tokens:
                break
            if number < self._step:
                continue
            losses.append(self._learn(batch))
            if self._step % PROGRESS == 0:
                speed = (self._tokens - first) / (time.monotonic() - began)
                self._note(tokens=self._tokens, loss=round(float(torch.stack(losses).mean()), 4), speed=round(speed))
                losses.clear()
            if time.monotonic() - kept > KEEP_SECONDS:
                self._keep()
                kept = time.monotonic()
                if kept - judged > judging / JUDGED:
                    self._judge()
                    judged = time.monotonic()
                    judging = judged - kept
                    kept = judged
        self._keep()
        self._judge()
        return self.network

    def _learn(self, batch: Packed) -> Tensor:
        done = self._tokens / self._recipe.tokens
        pace = min(1.0, (self._step + 1) / self._recipe.warm_up, (1.0 - done) / self._recipe.decay)
        for group in self._optimizer.param_groups:
            group["lr"] = self._recipe.rate * max(pace, 0.0)
        self._optimizer.zero_grad()
        loss = self._loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._optimizer.step()
        self._step += 1
        self._tokens += batch.read
        return loss.detach()

    def _loss(self, batch: Packed) -> Tensor:
        """Of a token of an answer, in nats; what counts more counts more."""
        logits, wanted, counts = self._asked(batch)
        return (cross_entropy(logits, wanted, reduction="none") * counts).sum() / counts.sum()

    def _asked(self, batch: Packed) -> tuple[Tensor, Tensor, Tensor]:
        """Logits where something is learned, what is to come there, and how much it counts."""
        parts = (batch.tokens, batch.positions, batch.wanted, batch.counts)
        tokens, positions, wanted, counts = (part.to(self._device, non_blocking=True) for part in parts)
        learned = wanted != IGNORED
        hidden = self.network(tokens, positions, batch.branches)
        return self.network.logits(hidden[learned]).float(), wanted[learned], counts[learned]

    def _held_figures(self) -> dict[str, float]:
        """Return the loss, where each sample counts the same; how many deeds are right as a whole, of answers that do
        something and tell it; how many other answers begin right.
        """
        losses: list[float] = []
        deeds: list[bool] = []
        words: list[bool] = []
        rows = sorted(self._held, key=lambda row: len(row.tokens))
        self.network.eval()
        for some in (rows[begin : begin + TOGETHER] for begin in range(0, len(rows), TOGETHER)):
            batch = side_by_side(some)
            with torch.no_grad():
                logits, wanted, counts = self._asked(batch)
            loss, right = cross_entropy(logits, wanted, reduction="none").cpu(), (logits.argmax(-1) == wanted).cpu()
            of, counts = (batch.wanted != IGNORED).nonzero()[:, 0], counts.cpu()
            for number, row in enumerate(some):
                own = of == number
                losses.append(float((loss[own] * counts[own]).sum() / counts[own].sum()))
                if row.told:
                    deeds.append(bool(right[own & (counts == 1)].all()))
                else:
                    words.append(bool(right[own][0]))
        self.network.train()
        figures: dict[str, Sequence[float]] = {"held": losses, "deeds": deeds, "words": words}
        return {name: round(float(np.mean(values)), 4) for name, values in figures.items() if values}

    def _judge(self) -> None:
        self._note(tokens=self._tokens, **self._held_figures())

    def _note(self, **line: float) -> None:
        with (self._folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)

    def _keep(self) -> None:
        state = {"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict(),
                 "step": self._step, "tokens": self._tokens, "recipe": asdict(self._recipe)}  # fmt: skip
        new = self._folder / "state.new"
        torch.save(state, new)
        new.replace(self._folder / "state.pt")

    def _resume(self) -> None:
        path = self._folder / "state.pt"
        if path.exists():
            state = torch.load(path, map_location=self._device, weights_only=True)
            self.network.load_state_dict(state["network"])
            self._optimizer.load_state_dict(state["optimizer"])
            self._step, self._tokens = state["step"], state["tokens"]


def fastest() -> torch.dtype:
    """The kind of number that is multiplied soonest here: AMX does bfloat16 six times sooner, AVX-512 twice."""
    short = torch.cuda.is_available() or torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if short else torch.float32


def trained(folder: Path, base: Path) -> Llama:
    """The network as a training left it."""
    state = torch.load(folder / "state.pt", map_location="cpu", weights_only=True)
    network = read_llama(base, Adapter(**state["recipe"]["adapter"]))
    network.load_state_dict(state["network"])
    return network
