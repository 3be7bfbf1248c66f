"""Replies that no model should give: broken, chatty, endless, malicious.

tests/data/hostile/KIND.txt has one on each line, as a Python string. From these a thousand are made, always the same,
by wrapping them as models wrap code; and as many more as one likes, by dice.
"""

import ast
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "hostile"
COUNT = 1000
CANARY = Path("/tmp/heed-canary")
"""What some of them try to make; it must never come to be."""

NESTED = [
    "(" * 3000,
    "[" * 3000 + "]" * 3000,
    "-" * 5000 + "1",
    "not " * 2000 + "True",
    "lambda: " * 1000 + "1",
    "x" + ".x" * 3000,
    "x" + "[0]" * 2500,
    "f(" * 1000 + ")" * 1000,
    "1 + " * 2500 + "1",
    "1 if 1 else " * 700 + "1",
    "say('x'); " * 700,
    "x = " * 1500 + "1",
    "if 1:\n" + "".join(" " * n + "if 1:\n" for n in range(1, 110)),
    "say('" + "x" * 7000 + "')",
    "# " + "x" * 9000,
    "x" * 9000,
    "say('x')\n" * 900,
    "try:\n  pass\nfinally:\n  " * 60,
    "a, " * 3000,
    "'" * 5001,
    "\\\n" * 3000,
    "say(\n" * 1500,
    "@say\n" * 1000 + "def f(): pass",
    "\n".join("(" * 2000),
    "\n" * 3000,
]
WRAPPERS = (
    "{}",
    "```python\n{}\n```",
    " >>> {}",
    "Sure, here you go:\n```\n{}\n```\nIs there anything else?",
    "<think>ok</think>\n{}",
    "{}\n'success'\n>>> {}",
    "x = 1\n{}",
    "\n\n   {}",
    "{}\nsay('done')",
    "# I will do this\n{}",
)
SLOW = {"endless", "deaf", "nested"}
"""Many of these cost the time limit of a statement: wrapped less often."""
SIGNS = "\0\t\n\"'(\\{é\u2028😀"


def kinds() -> dict[str, list[str]]:
    """The replies as they are written, by kind."""
    written = {
        path.stem: [str(ast.literal_eval(line)) for line in path.read_text(encoding="ascii").splitlines()]
        for path in sorted(FOLDER.glob("*.txt"))
    }
    return written | {"nested": NESTED}


def replies() -> dict[str, list[str]]:
    """COUNT replies by kind, each once: those that are written, and wrapped ones."""
    chosen: dict[str, list[str]] = {}
    for kind, reply in itertools.islice(dict.fromkeys(itertools.islice(_all(), 3 * COUNT)), COUNT):
        chosen.setdefault(kind, []).append(reply)
    return chosen


def mutated(dice: random.Random) -> str:
    """A reply with some of its characters lost, doubled, changed, or taken from another one."""
    pool = [reply for texts in kinds().values() for reply in texts]
    text, other = dice.choice(pool), dice.choice(pool)
    for _ in range(dice.randrange(1, 5)):
        start, end = sorted(dice.choices(range(len(text) + 1), k=2))
        piece = dice.choice(["", other[start:end], dice.choice(SIGNS), text[start:end] * 2])
        text = text[:start] + piece + text[dice.choice([start, end]) :]
    return text


def _all() -> Iterator[tuple[str, str]]:
    written, dice = kinds(), random.Random(5)
    for kind, texts in written.items():
        yield from ((kind, text) for text in texts)
    quick = [kind for kind in written if kind not in SLOW]
    while True:
        kind = dice.choice(quick if dice.random() < 0.9 else list(written))
        yield kind, dice.choice(WRAPPERS).replace("{}", dice.choice(written[kind]))
