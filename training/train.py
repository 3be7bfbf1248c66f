"""Trains the network on true transcripts, with one thread or a GPU; deterministic, and goes on where it was stopped."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from training.copying import copies, initialise
from training.muon import Muon
from training.network import Network, Shape
from training.prompts import training_prompts, whole_base
from training.sequences import Batch, Encoded, batches, encode, stacked
from training.suites import SUITES, prompts_of
from training.tokenizer import PIECES, Tokenizer, line_pieces

WARM_UP = 30
"""Steps."""
DECAY = 0.4
"""The last share of the tokens, over which the learning rates fall to nothing."""
TOKENIZER_SEED = 7
TOKENIZER_PROMPTS = 700
KEEP_SECONDS = 120.0
PROGRESS = 50
"""Steps between two lines of progress."""


@dataclass(frozen=True)
class Recipe:
    """How long, how large, how fast."""

    tokens: int
    batch: int = 2048
    """Tokens per step."""
    matrices: float = 0.004
    """Muon's learning rate."""
    vectors: float = 0.002
    """Adam's, for embeddings and norms."""
    seed: int = 1
    copying: bool = True
    vocabulary: int = 1280
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 512
    every: int = 250_000
    """Tokens between two looks at the held-out suites."""
    judged: int = 12
    """Prompts of each suite that are looked at."""


def train(folder: Path, recipe: Recipe, device: str = "cpu") -> Network:
    """Train to the end of the recipe; `folder` keeps the tokenizer, the state and the curve."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    tokenizer = make_tokenizer(folder, recipe.vocabulary)
    shape = Shape(len(tokenizer), recipe.width, recipe.layers, recipe.heads, recipe.inner)
    network = Network(shape)
    initialise(network, recipe.seed, copying=recipe.copying)
    network.to(device)
    print(
        f"{sum(p.numel() for p in network.parameters()):,} weights; copies {copies(network.cpu()):.2f} untrained",
        flush=True,
    )
    network.to(device)
    run = _Run(folder, network, tokenizer, recipe, device)
    run.resume()
    run.go_on()
    return network


def make_tokenizer(folder: Path, size: int) -> Tokenizer:
    """The one of the folder, learned first where there is none."""
    path = folder / "tokenizer.json"
    if not path.exists():
        prompts = list(islice(training_prompts(TOKENIZER_SEED), TOKENIZER_PROMPTS))
        texts = [text for prompt in prompts for text in (*prompt.examples, prompt.conversation)]
        Tokenizer.learn([*PIECES, *line_pieces(whole_base())], [*texts, whole_base()], size).save(path)
    return Tokenizer.load(path)


class _Run:
    """A training under way."""

    def __init__(self, folder: Path, network: Network, tokenizer: Tokenizer, recipe: Recipe, device: str) -> None:
        self._folder, self._network, self._tokenizer, self._recipe = folder, network, tokenizer, recipe
        self._device = device
        matrices = [p for block in network.blocks for p in block.parameters() if p.dim() == 2]
        inner = {id(p) for p in matrices}
        others = [p for p in network.parameters() if id(p) not in inner]
        self._optimizers = (
            Muon(matrices, recipe.matrices),
            torch.optim.AdamW(others, recipe.vectors, betas=(0.9, 0.98), weight_decay=0.0),
        )
        self._rates = (recipe.matrices, recipe.vectors)
        self._tokens = self._step = self._shard = 0
        self._suites: Mapping[str, Sequence[Encoded]] = {}

    def resume(self) -> None:
        """Go on from the state in the folder; whole shards of batches are the unit."""
        path = self._folder / "state.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self._network.load_state_dict(state["network"])
        for optimizer, kept in zip(self._optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        self._tokens, self._step, self._shard = state["tokens"], state["step"], state["shard"]
        print(f"goes on at {self._tokens:,} tokens", flush=True)

    def go_on(self) -> None:
        """Until all tokens are read; writes down how it goes."""
        recipe, next_look = self._recipe, self._tokens - self._tokens % self._recipe.every + self._recipe.every
        began, kept, first = time.monotonic(), time.monotonic(), self._tokens
        losses: list[float] = []
        for batch in batches(self._tokenizer, recipe.seed, recipe.batch, self._shard):
            if self._tokens >= next_look or self._tokens >= recipe.tokens:
                speed = (self._tokens - first) / (time.monotonic() - began + 1e-9)
                self._look(losses, speed)
                losses, next_look = [], next_look + recipe.every
            if self._tokens >= recipe.tokens:
                break
            if batch.shard != self._shard:
                self._shard = batch.shard
                if time.monotonic() - kept > KEEP_SECONDS:
                    self._keep()
                    kept = time.monotonic()
            losses.append(self._learn(batch))
            if self._step % PROGRESS == 0:
                recent = sum(losses[-PROGRESS:]) / len(losses[-PROGRESS:])
                print(f"{self._tokens:,} tokens, loss {recent:.3f}", flush=True)
        self._keep()

    def _learn(self, batch: Batch) -> float:
        done = self._tokens / self._recipe.tokens
        pace = min(1.0, (self._step + 1) / WARM_UP, (1.0 - done) / DECAY)
        for optimizer, rate in zip(self._optimizers, self._rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * max(pace, 0.0)
            optimizer.zero_grad()
        logits, wanted = self._foretold(batch)
        loss = cross_entropy(logits, wanted)
        loss.backward()
        for optimizer in self._optimizers:
            optimizer.step()
        self._step += 1
        self._tokens += int((batch.tokens > 0).sum())
        return float(loss.detach())

    def _foretold(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits and right tokens, of the scored places only."""
        tokens = torch.from_numpy(batch.tokens).to(self._device)
        scored = torch.from_numpy(batch.scored[:, 1:]).to(self._device)
        hidden = self._network(tokens)[:, :-1]
        return self._network.logits(hidden[scored]), tokens[:, 1:][scored]

    def _look(self, losses: Sequence[float], speed: float) -> None:
        """How many statements of the held-out suites are foretold word for word, each after the right ones before."""
        if not self._suites:
            self._suites = {
                suite: [encode(prompt, self._tokenizer) for prompt in prompts_of(suite, self._recipe.judged)]
                for suite in SUITES
            }
        line: dict[str, Any] = {"tokens": self._tokens, "step": self._step, "speed": round(speed)}
        line["loss"] = round(sum(losses) / len(losses), 4) if losses else None
        with torch.no_grad():
            for suite, sequences in self._suites.items():
                line[suite] = {name: round(value, 4) for name, value in self._judge(sequences).items()}
        with (self._folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)

    def _judge(self, sequences: Sequence[Encoded]) -> dict[str, float]:
        losses, right, all_right = [], [], []
        for one in sequences:
            logits, wanted = self._foretold(stacked([one]))
            losses.append(float(cross_entropy(logits, wanted)))
            live = one.scored.copy()
            good = (logits.argmax(-1) == wanted).tolist()
            statements = list(_statements(live[1:].tolist(), good))
            last = statements[-_live_statements(one, self._tokenizer) :]
            right += last
            all_right.append(all(last))
        share = lambda values: sum(values) / max(1, len(values))  # noqa: E731
        return {"loss": share(losses), "statements": share(right), "episodes": share(all_right)}

    def _keep(self) -> None:
        state = {
            "network": self._network.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
            "tokens": self._tokens,
            "step": self._step,
            "shard": self._shard,
            "recipe": asdict(self._recipe),
        }
        new = self._folder / "state.new"
        torch.save(state, new)
        new.replace(self._folder / "state.pt")


def _statements(scored: Sequence[bool], good: Sequence[bool]) -> Iterator[bool]:
    """Whether each run of scored places is right as a whole; `good` has only those places."""
    places = iter(good)
    current: bool | None = None
    for one in scored:
        if one:
            current = (current is not False) and next(places)
        elif current is not None:
            yield current
            current = None
    if current is not None:
        yield current


def _live_statements(one: Encoded, tokenizer: Tokenizer) -> int:
    """How many statements of the robot the conversation has, which is the last part."""
    start = max(i for i, t in enumerate(one.tokens) if tokenizer.text(int(t)).startswith("# A new conv"))
    live = one.scored[start:]
    return int((live[1:] & ~live[:-1]).sum())
