"""`python -m training.intents FOLDER`: teach MiniLM what words ask for, of which things, and where.

FOLDER holds the samples that `python -m training.brain samples` made: every dialogue of training/corpus, run. They are
read once as they are, then once said otherwise, with other things around. Held-out voices are in neither. Needs torch;
takes 70 minutes of two cores. With --begin-with a file of before is taught more: some of all that, once.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file

from bench.mind.embedding_cache import EmbeddingCache
from daemon.llm.embedder import DEFAULT_FOLDER, MiniLmEmbedder
from daemon.llm.intents import Text
from daemon.llm.minilm_onnx import INTENTS, weights_folder
from daemon.memory.nearness import Nearness
from training.addressee.lines import overheard as overheard_lines
from training.brain.__main__ import COMMANDS, OVERHEARD
from training.brain.commands import commands, overheard
from training.brain.rewording import Around, Reworder, alike
from training.brain.samples import Sample, read
from training.brain.shortening import short
from training.corpus.dialogues import read_otherwise, voices
from training.intents.network import Network
from training.intents.questions import questions
from training.intents.rows import Row, refusals_told, rows_of

AS_THEY_ARE, OTHERWISE, ONCE_MORE = 2e-4, 1.5e-4, 1e-4
"""Rates of the two passes, and of one behind them; each falls to nothing."""
ASKED = 6
"""How often each line of questions.json is told."""
HEADS_FASTER = 5.0
WARM_UP = 60
"""Steps."""
TOKENS = 6000
"""In a step, at most; texts of a like length stand together."""
SORTED = 1500
"""Rows that are sorted by length."""
TOLD = 100
"""Steps from one figure to the next."""


def main() -> int:
    """Teach it, write what it learned, and print how good it is."""
    parser = argparse.ArgumentParser(prog="python -m training.intents", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with samples/ and held.jsonl")
    parser.add_argument("--output", type=Path, default=INTENTS, help="the file to write")
    parser.add_argument("--begin-with", type=Path, help="a file that was written before: read ROWS once more")
    parser.add_argument("--rows", type=int, default=20000, help="then; questions stand among them. 20,000 otherwise")
    parser.add_argument("--halfway", action="store_true", help="then: write the mean of both")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.halfway and not options.begin_with:
        parser.error("--halfway needs --begin-with")
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    chance, text = random.Random(options.seed), Text(DEFAULT_FOLDER / "tokenizer.json")
    samples = [sample for file in sorted((options.folder / "samples").glob("*.jsonl")) for sample in _short(read(file))]
    held = list(rows_of(_short(read(options.folder / "held.jsonl")), text))
    weights = load_file(weights_folder() / "model.safetensors")
    net = Network(weights)
    passes: list[tuple[float, list[Sample]]] = [(AS_THEY_ARE, samples), (OTHERWISE, [*_otherwise(samples, chance)])]
    if options.begin_with:
        net.go_on(np.load(options.begin_with, allow_pickle=False))
        passes = [(ONCE_MORE, _some([*passes[0][1], *passes[1][1]], options.rows, chance))]
    print(f"held out, before: {likelihood(net, held):.3f}", flush=True)
    for rate, taught in passes:
        teach(net, list(rows_of(taught, text)), rate, chance)
        print(f"held out: {likelihood(net, held):.3f}", flush=True)
    if options.halfway:
        before = Network(weights)
        before.go_on(np.load(options.begin_with, allow_pickle=False))
        net.halfway_to(before)
        print(f"halfway, held out: {likelihood(net, held):.3f}", flush=True)
    np.savez_compressed(options.output, allow_pickle=False, **net.learned())
    return 0


def teach(net: Network, rows: Sequence[Row], rate: float, chance: random.Random) -> None:
    """Teach it these rows once."""
    heads = list(net.heads.parameters())
    optimizer = torch.optim.AdamW(
        [{"params": list(net.layers.parameters()), "times": 1.0}, {"params": heads, "times": HEADS_FASTER}],
        lr=rate,
        weight_decay=0.01,
    )
    steps, begun, total = list(batches(rows, chance)), time.monotonic(), 0.0
    net.train()
    for step, batch in enumerate(steps, 1):
        for group in optimizer.param_groups:
            group["lr"] = rate * group["times"] * min(1.0, step / WARM_UP) * (1 - step / (len(steps) + 1))
        loss = net.loss(batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        total += loss.item()
        if step % TOLD == 0:
            print(f"{step} of {len(steps)}, {total / TOLD:.3f}, {time.monotonic() - begun:.0f} s", flush=True)
            total = 0.0


def likelihood(net: Network, rows: Sequence[Row]) -> float:
    """Return how likely it finds what the answers of these do: the mean logarithm."""
    net.eval()
    with torch.no_grad():
        told = [(net.loss(batch).item(), len(batch)) for batch in batches(rows, random.Random(0))]
    return -sum(loss * size for loss, size in told) / sum(size for _, size in told)


def batches(rows: Sequence[Row], chance: random.Random) -> Iterator[list[Row]]:
    """Yield all rows in another order, a step at a time."""
    shuffled = chance.sample(rows, len(rows))
    for start in range(0, len(shuffled), SORTED):
        made: list[list[Row]] = [[]]
        for row in sorted(shuffled[start : start + SORTED], key=lambda row: len(row.text.tokens)):
            if (len(made[-1]) + 1) * len(row.text.tokens) > TOKENS:
                made.append([])
            made[-1].append(row)
        chance.shuffle(made)
        yield from made


def _short(samples: Sequence[Sample]) -> list[Sample]:
    told = [replace(sample, answer=short(sample.answer, sample.prompt)) for sample in samples]
    return list(refusals_told(told))


def _some(samples: Sequence[Sample], count: int, chance: random.Random) -> list[Sample]:
    """Return so many of them, all questions among these."""
    asked = [sample for sample in samples if sample.dialogue.startswith("asked-")]
    others = [sample for sample in samples if not sample.dialogue.startswith("asked-")]
    return [*asked, *chance.sample(others, min(count - len(asked), len(others)))]


def _otherwise(samples: Sequence[Sample], chance: random.Random) -> Iterator[Sample]:
    """Each sample said otherwise, and commands and overheard talk as the brain is taught them."""
    wordings = {name: said for file in voices() for name, said in read_otherwise(file).items()}
    reworder = Reworder(Nearness(EmbeddingCache(MiniLmEmbedder())), Around.of(samples), wordings)
    for group in alike(samples, 2):
        yield from reworder.reworded(group, chance)
    talk = chance.sample(overheard_lines(), OVERHEARD)
    yield from questions(samples, chance, ASKED)
    yield from commands(samples, chance, COMMANDS)
    yield from overheard(samples, talk, chance)


if __name__ == "__main__":
    raise SystemExit(main())
