"""`python -m training.addressee`: learn to tell what is said to a robot from talk between people.

Said to a robot: how each dialogue of training/corpus begins, but for those that are mere talk, and the lines of said/,
wishes of other kinds. Overheard: the lines of overheard/, written by strangers with families, wards, flats and
broadcasts in mind. Not learned from are the held-out voices of the corpus, `held_out.txt`, which sets the limit, and
`unseen.txt`, which sets nothing here; but OVERHEARD and PART were chosen by people who had looked at its figures. Needs
torch; takes twenty minutes of two cores.
"""

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from torch.nn.functional import binary_cross_entropy_with_logits

from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.minilm_onnx import ADDRESSEE, weights_folder
from daemon.speech.addressee import NAMED
from daemon.speech.did_you_mean import OVERHEARD
from training.addressee.lines import LIMIT, UNSEEN, begun, lines, overheard, wishes
from training.addressee.network import Last, batches

LET_THROUGH = 0.08
"""Share of the held-out overheard talk that would pass if one word of every line named something in sight. Half of the
lines are as hard as could be thought of; what is really overheard names nothing, for the most part."""
EPOCHS, RATE, WARM_UP = 2, 2e-3, 100
SIZE = 32
"""Sentences of each kind in a step."""
SURE = 0.97
"""What a sentence said to the robot is to become; some of the overheard might be said to one, too."""
MISHEARD = 0.3
"""Share of sentences in which a word is lost, put in, or taken for another one, as recognisers do it."""
PART = 0.35
"""Share of the overheard lines of which only a few words are heard: a pause ends an utterance, and people pause."""
WISHES = 5
"""Times that a wish counts: there are few."""


def main() -> int:
    """Learn, write what was learned, and print how good it is."""
    parser = argparse.ArgumentParser(prog="python -m training.addressee", description=__doc__)
    parser.add_argument("--output", type=Path, default=ADDRESSEE, help="the file to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    embedder = MiniLmEmbedder()
    said, talk = begun(held=False), overheard()
    net = taught([*said, *wishes() * WISHES], talk, embedder, options.seed)
    limit = NAMED + float(np.quantile(odds(net, lines(LIMIT), embedder), 1 - LET_THROUGH))
    with torch.no_grad():
        net.head.bias -= limit
    np.savez_compressed(options.output, allow_pickle=False, **net.learned())
    for name, sentences in (
        ("said, learned from", said[::10]),
        ("said, held out", begun(held=True)),
        ("mere talk, held out", begun(held=True, talk=True)),
        ("overheard, learned from", talk[::5]),
        ("overheard, held out", lines(LIMIT)),
        ("overheard, unseen", lines(UNSEEN)),
        ("parts of it", parts(lines(UNSEEN))),
    ):
        meant = odds(net, sentences, embedder)
        nothing, something, beyond, named = np.mean(
            [meant > 0, meant + NAMED > 0, meant < OVERHEARD, meant + NAMED < OVERHEARD], axis=1
        )
        print(
            f"{name:24} {len(sentences):5}  meant {nothing:.3f}, naming something in sight {something:.3f}; "
            f"overheard beyond doubt {beyond:.3f}, naming something {named:.3f}"
        )
    return 0


def taught(said: Sequence[str], talk: Sequence[str], embedder: MiniLmEmbedder, seed: int) -> Last:
    """Return a network that was taught to tell these apart, as many of the one as of the other in each step."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    net = Last(load_file(weights_folder() / "model.safetensors"))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    steps, begun = EPOCHS * len(said) // SIZE, time.monotonic()
    wanted = torch.tensor([SURE] * SIZE + [1 - SURE] * SIZE)
    words = [word for sentence in talk for word in sentence.split()]
    waiting: list[str] = []
    total = 0.0
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / WARM_UP) * (1 - step / (steps + 1))
        if len(waiting) < SIZE:
            waiting += chance.sample(talk, len(talk))
        drawn = [*chance.choices(said, k=SIZE), *(partly(line, chance) for line in waiting[:SIZE])]
        waiting = waiting[SIZE:]
        answers = net(*_inputs([misheard(sentence, words, chance) for sentence in drawn], embedder))
        loss = binary_cross_entropy_with_logits(answers, wanted)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"{step} of {steps}, loss {total / 100:.4f}, {time.monotonic() - begun:.0f} s", flush=True)
            total = 0.0
    return net.eval()


def partly(line: str, chance: random.Random) -> str:
    """Return a line, or two to seven words of it."""
    words = line.split()
    if chance.random() >= PART or len(words) < 5:
        return line
    size = chance.randint(2, min(7, len(words) - 1))
    at = chance.randrange(len(words) - size + 1)
    return " ".join(words[at : at + size])


def misheard(sentence: str, words: Sequence[str], chance: random.Random) -> str:
    """Return a sentence as it may be recognised; `words` may come in."""
    heard_words = sentence.split()
    if chance.random() >= MISHEARD or len(heard_words) < 5:
        return sentence
    at = chance.randrange(len(heard_words))
    kind = chance.random()
    if kind < 0.4:
        del heard_words[at]
    elif kind < 0.7:
        heard_words[at] = chance.choice(words)
    else:
        heard_words.insert(at, chance.choice(("um", "uh", "er", "so", "well", "like")))
    return " ".join(heard_words)


def parts(sentences: Sequence[str]) -> list[str]:
    """Return a part of each, the same each time."""
    chance = random.Random(0)
    return [part for line in sentences if (part := partly(line, chance)) != line]


def odds(net: Last, sentences: Sequence[str], embedder: MiniLmEmbedder) -> NDArray[np.float32]:
    """Return the logarithmic odds that each sentence was said to the robot."""
    with torch.no_grad():
        told = [net(*_inputs(batch, embedder)).numpy() for batch in batches(sentences, 2 * SIZE)]
    return np.concatenate(told)


def _inputs(sentences: Sequence[str], embedder: MiniLmEmbedder) -> tuple[torch.Tensor, torch.Tensor]:
    hidden, mask = embedder.between(sentences)
    return torch.from_numpy(hidden), torch.from_numpy(mask.astype(np.float32))


if __name__ == "__main__":
    raise SystemExit(main())
