"""`python -m training.corpus check|stats|vary [FILE ...]`: run the dialogues of the corpus, count what is in it,
and see whether variations of it still come right.
"""

import argparse
import json
import random
import sys
from pathlib import Path

from bench.mind.embedding_cache import EmbeddingCache
from daemon.llm.embedder import MiniLmEmbedder
from training.corpus.check import Verdict, check
from training.corpus.dialogues import DialogueError, read_voice, voices
from training.corpus.stats import stats_of
from training.corpus.vary import Pool, vary

SEED = 1


def main() -> int:
    """Run the command that is asked for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in (("check", _check), ("stats", _stats), ("vary", _vary)):
        command = commands.add_parser(name)
        command.add_argument("files", nargs="*", type=Path, help="files of voices; all where none is given")
        command.set_defaults(run=run)
    options = parser.parse_args()
    try:
        return int(options.run(options.files or voices()))
    except DialogueError as error:
        print(error, file=sys.stderr)
        return 2


def _check(files: list[Path]) -> int:
    embedder, wrong, count = EmbeddingCache(MiniLmEmbedder()), 0, 0
    for file in files:
        for verdict in check(read_voice(file), embedder):
            count += 1
            if verdict.troubles:
                wrong += 1
                _show(verdict)
    print(json.dumps({"dialogues": count, "wrong": wrong}))
    return 1 if wrong else 0


def _stats(files: list[Path]) -> int:
    dialogues = [dialogue for file in files for dialogue in read_voice(file)]
    for name, value in stats_of(dialogues, MiniLmEmbedder()).rows:
        told = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else f"{value:g}"
        print(f"{name:16} {told}")
    return 0


def _vary(files: list[Path]) -> int:
    dialogues = [dialogue for file in files for dialogue in read_voice(file)]
    pool, chance = Pool.of(dialogues), random.Random(SEED)
    varied = [vary(dialogue, pool, chance) for dialogue in dialogues]
    wrong = [verdict for verdict in check(varied, EmbeddingCache(MiniLmEmbedder())) if verdict.troubles]
    for verdict in wrong:
        _show(verdict)
    print(json.dumps({"variations": len(varied), "left_out": len(wrong)}))
    return 0


def _show(verdict: Verdict) -> None:
    print(f"--- {verdict.dialogue.id}: {'; '.join(verdict.troubles)}")
    if verdict.came:
        for statement in verdict.came.statements:
            print(f"    >>> {statement}")
        print(f"    moved {dict(verdict.came.moved)}, at {verdict.came.at}, rules {list(verdict.came.rules)}")


if __name__ == "__main__":
    sys.exit(main())
