"""`python -m training.addressee`: learn to tell what is said to a robot from talk between people.

Said to a robot: how each dialogue of training/corpus begins, but for those that are mere talk, and the lines of said/,
wishes of other kinds. Overheard: the lines of overheard/, written by strangers with families, wards, flats and
broadcasts in mind. Not learned from are the held-out voices of the corpus, `held_out.txt`, which sets the limit, and
`unseen.txt`, which sets nothing; NAMED, LET_THROUGH and OVERHEARD were chosen before it was written. Takes six minutes;
the same data give the same weights.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.llm.embedder import MiniLmEmbedder
from daemon.speech.addressee import LEARNED, NAMED, PUT, Addressee, Embed, word_groups
from daemon.speech.did_you_mean import OVERHEARD
from training.addressee.lines import LIMIT, UNSEEN, heard, lines, overheard, wishes
from training.corpus.dialogues import HELD_OUT, read_voice, voices

PENALTY = 1.0
"""Of the squares of the weights (L2): of 0.1, 1 and 3 what fitted the held-out sentences best."""
LET_THROUGH = 0.10
"""Share of the held-out overheard talk that would pass if every line of it named something in sight. Half of the lines
are as hard as could be thought of; what is really overheard names nothing, for the most part."""
RAREST, COUNTS = 60, 5
"""Times that a group of words must have been said. Overheard lines count fivefold: they are few."""
STEPS, CLOSE = 30, 1e-6

Floats = NDArray[np.float64]


def main() -> int:
    """Learn, write what was learned, and print how good it is."""
    parser = argparse.ArgumentParser(prog="python -m training.addressee", description=__doc__)
    parser.add_argument("--output", type=Path, default=LEARNED, help="the file to write")
    options = parser.parse_args()
    embed = MiniLmEmbedder().embed
    said, talk = _said(held=False), overheard()
    groups = _common(said, talk)
    weights, bias = fitted(_rows(said, groups, embed), _rows(talk, groups, embed))
    meaning, wording = weights[: -len(groups)], weights[-len(groups) :]
    learned = Addressee(embed, meaning.astype(np.float32), dict(zip(groups, wording.tolist(), strict=True)), bias)
    limit = NAMED + float(np.quantile(learned.odds_of_all(lines(LIMIT)), 1 - LET_THROUGH))
    written = {
        "bias": round(bias - limit, 3),
        "meaning": [round(weight, 3) for weight in meaning.tolist()],
        "wording": {group: round(weight, 3) for group, weight in zip(groups, wording.tolist(), strict=True)},
    }
    options.output.write_text(json.dumps(written) + "\n", encoding="utf-8")
    learned = Addressee.load(embed, options.output)
    for name, sentences in (
        ("said, learned from", said),
        ("said, held out", _said(held=True)),
        ("overheard, learned from", talk),
        ("overheard, held out", lines(LIMIT)),
        ("overheard, unseen", lines(UNSEEN)),
    ):
        odds = np.array(learned.odds_of_all(sentences))
        nothing, something, beyond = np.mean([odds > 0, odds + NAMED > 0, odds < OVERHEARD], axis=1)
        print(
            f"{name:24} {len(sentences):5}  meant {nothing:.3f}, naming something in sight {something:.3f}; "
            f"overheard beyond doubt {beyond:.3f}"
        )
    return 0


def fitted(said: Floats, overheard: Floats) -> tuple[Floats, float]:
    """Return weights and bias of the logistic regression that tells rows of `said` from rows of `overheard`, each kind
    counting as much as the other.

    By Newton's method with an L2 penalty (Hastie, Tibshirani and Friedman 2009, sec. 4.4.1).
    """
    rows = np.vstack([said, overheard])
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    sizes = [len(said), len(overheard)]
    wanted = np.repeat([1.0, 0.0], sizes)
    counts = np.repeat([len(rows) / 2 / size for size in sizes], sizes)
    penalty = np.append(np.full(rows.shape[1] - 1, PENALTY), 0.0)
    learned = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-rows @ learned))
        slope = rows.T @ (counts * (chance - wanted)) + penalty * learned
        curvature = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curvature, slope)
        learned -= step
        if np.abs(step).max() < CLOSE:
            break
    return learned[:-1], float(learned[-1])


def _rows(sentences: Sequence[str], groups: Sequence[str], embed: Embed) -> Floats:
    """Return for each sentence its embedding, then PUT / sqrt(n) for each of the n groups that are in it."""
    place = {group: at for at, group in enumerate(groups)}
    wording = np.zeros((len(sentences), len(groups)))
    for row, sentence in zip(wording, sentences, strict=True):
        known = [place[group] for group in word_groups(sentence) if group in place]
        row[known] = PUT / max(len(known), 1) ** 0.5
    return np.hstack([embed(sentences).astype(float), wording])


def _common(said: Iterable[str], talk: Iterable[str]) -> list[str]:
    times = Counter(group for sentence in said for group in word_groups(sentence))
    for sentence in talk:
        times.update(dict.fromkeys(word_groups(sentence), COUNTS))
    return sorted(group for group, count in times.items() if count >= RAREST)


def _said(held: bool) -> list[str]:
    files = [file for file in voices() if (file.stem in HELD_OUT) is held]
    dialogues = [dialogue for file in files for dialogue in read_voice(file) if dialogue.kind != "talk"]
    begun = heard(dialogue.turns[0].say for dialogue in dialogues)
    return begun if held else [*begun, *wishes()]


if __name__ == "__main__":
    raise SystemExit(main())
