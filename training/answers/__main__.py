"""`python -m training.answers`: learn what people mean by their answer where heed asks whether to go on.

Learned from are the answers in written/, each file by an author who had seen nothing of heed, the phrases of the table
(daemon/phrasebooks/en.toml), and how dialogues of the corpus begin: whoever wants something else has not answered. Not
learned from are held_out.json, with whose figures the limits were chosen, and the files whose names begin with unseen.
Needs torch; takes eight minutes.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from torch import Tensor
from torch.nn.functional import cross_entropy

from daemon.llm.answers import Meaning
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.minilm_onnx import ANSWERS, weights_folder
from daemon.phrasebook import phrasebook, plain
from training.addressee.lines import begun
from training.addressee.network import Last, batches
from training.answers import LIMIT, UNSEEN, WRITTEN

WISHES = 1000
"""So many ways in which the corpus begins are learned from."""
ALONE_A_NO = ("no", "nope", "nah", "never")
"""Words of the table that are a no alone; the others take a yes away."""
EPOCHS, RATE, WARM_UP, SIZE = 8, 2e-3, 50, 32
SMOOTHED = 0.05
"""Share of doubt about each answer: some authors would not agree."""
LOST = 0.2
"""Share of answers in which a word is lost, as recognisers lose them."""

Answer = tuple[str, Meaning]


def written(name: str) -> list[Answer]:
    """Return the answers of a file, as they are read."""
    cases = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return [(plain(one["say"]), Meaning[one["means"].upper()]) for case in cases for one in case["answers"]]


def learned_from() -> list[Answer]:
    """Return all that may be learned from."""
    names = sorted(file.stem for file in WRITTEN.glob("*.json"))
    answers = [answer for name in names if name not in (LIMIT, *UNSEEN) for answer in written(name)]
    table = phrasebook()["consent"]
    answers += [(phrase, Meaning.YES) for kind in ("yes", "agreed") for phrase in table[kind]]
    answers += [(phrase, Meaning.NO) for phrase in table["no"] if " " in phrase or phrase in ALONE_A_NO]
    wishes = random.Random(0).sample(begun(held=False), WISHES)
    return [*answers, *((plain(wish), Meaning.MORE) for wish in wishes)]


def main() -> int:
    """Learn, write what was learned, and print how good it is."""
    parser = argparse.ArgumentParser(prog="python -m training.answers", description=__doc__)
    parser.add_argument("--output", type=Path, default=ANSWERS, help="the file to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    embedder = MiniLmEmbedder()
    net = taught(learned_from(), embedder, options.seed)
    np.savez_compressed(options.output, allow_pickle=False, **net.learned())
    for name in (LIMIT, *UNSEEN):
        answers = written(name)
        chances = read(net, [answer for answer, _ in answers], embedder)
        print(f"{name}: {len(answers)} answers")
        for least in (0.5, 0.7, 0.8, 0.9):
            print(f"  from {least} on: {told(chances, [meaning for _, meaning in answers], least)}")
    return 0


def taught(answers: Sequence[Answer], embedder: MiniLmEmbedder, seed: int) -> Last:
    """Return a network that was taught what these answers mean."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    net = Last(load_file(weights_folder() / "model.safetensors"), len(Meaning))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    steps = EPOCHS * len(answers) // SIZE
    waiting: list[Answer] = []
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / WARM_UP) * (1 - step / (steps + 1))
        if len(waiting) < SIZE:
            waiting += chance.sample(answers, len(answers))
        drawn, waiting = waiting[:SIZE], waiting[SIZE:]
        told = net(*_inputs([heard(answer, chance) for answer, _ in drawn], embedder))
        loss = cross_entropy(told, torch.tensor([meaning.value for _, meaning in drawn]), label_smoothing=SMOOTHED)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(f"{step} of {steps}, loss {loss.item():.3f}", flush=True)
    return net.eval()


def heard(answer: str, chance: random.Random) -> str:
    """Return an answer as it may be recognised."""
    words = answer.split()
    if chance.random() < LOST and len(words) > 4:
        del words[chance.randrange(len(words))]
    return " ".join(words)


def read(net: Last, answers: Sequence[str], embedder: MiniLmEmbedder) -> NDArray[np.float32]:
    """Return how likely each answer has each Meaning, shape (answers, 3)."""
    with torch.no_grad():
        parts = [net(*_inputs(batch, embedder)).softmax(-1).numpy() for batch in batches(answers, 2 * SIZE)]
    return np.concatenate(parts)


def told(chances: NDArray[np.float32], meanings: Sequence[Meaning], least: float) -> str:
    """Return, for yes and no, the share that is found from a limit on, and how many others are taken for it."""
    right = np.array([meaning.value for meaning in meanings])
    lines = []
    for meaning in (Meaning.YES, Meaning.NO):
        found, wanted = chances[:, meaning.value] >= least, right == meaning.value
        share = f"{found[wanted].mean():.3f}" if wanted.any() else "none"
        lines.append(f"{meaning.name.lower()} {share} found, {(found & ~wanted).sum()} others")
    return "; ".join(lines)


def _inputs(answers: Sequence[str], embedder: MiniLmEmbedder) -> tuple[Tensor, Tensor]:
    hidden, mask = embedder.between(answers)
    return torch.from_numpy(hidden), torch.from_numpy(mask.astype(np.float32))


if __name__ == "__main__":
    raise SystemExit(main())
