"""`heed bench splice`: does it change what the robot does that examples are put together instead of read in a row?

statement_agreement: of many next statements that only the examples decide (bench/mind/habits.py), how many are to
the letter the same spliced and read in full; statement_right and statement_right_full: how many are right;
statement_right_bare: without examples. The self-test's own figures stand beside them. identical: without splicing,
whether a statement is to the letter the same when each step reads only what is new, and when a fresh process reads
the whole prompt.

Without --brain llama:FILE it is run on tests/data/models/households.gguf, 0.9 million weights that were trained on
households of this kind and on nothing else: real weights, but no language model that anybody would use.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench.mind.habits import Case, Household
from bench.report import Options, Report, share
from daemon.config import LlmConfig
from daemon.console.builtins import TALK
from daemon.console.prompt import base_prompt
from daemon.llm.llama import AUTO, NEVER, LlamaModel
from daemon.llm.model import Prompt
from daemon.llm.model_files import find_model
from skills.skill import load_skills

OUR_OWN = Path(__file__).parents[2] / "tests" / "data" / "models" / "households.gguf"
EXAMPLES = 16
CONTEXT_TOKENS = 8192
SEED = 2
"""Of the dice; the model at hand was trained with another."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--statements", type=int, default=300, help="how many next statements are compared")
    parser.add_argument("--threads", type=int, default=0, help="0: one fewer than there are cores")


def run(options: Options) -> Report:
    """Compare. Raises BenchError."""
    named = options.brain.startswith("llama:")
    file = find_model(options.brain.removeprefix("llama:"), options.config.models_directory) if named else OUR_OWN
    config = LlmConfig(context_tokens=CONTEXT_TOKENS, threads=options.own.threads, splice=AUTO)
    base, dice = base_prompt([*load_skills().values(), *TALK]), random.Random(SEED)
    cases = [Household(dice).case(base, EXAMPLES) for _ in range(options.own.statements)]
    asked = [(p, right) for case in cases for p, right in zip(case.prompts(), case.right, strict=True)]
    figures = _identical(file, config, cases[0])
    figures |= _agreement(file, config, asked[: options.own.statements], options)
    return Report("splice", options.own.statements, figures, f"llama:{file.name}")


def _identical(file: Path, config: LlmConfig, case: Case) -> dict[str, float | int | None]:
    """Without splicing: read step by step, against a fresh process that reads the last prompt in full."""
    whole = replace(config, splice=NEVER)
    with closing(LlamaModel(file, whole)) as stepping:
        answers = [stepping.complete(prompt) for prompt in case.prompts()]
        assert stepping.report.reused_tokens > 0
    with closing(LlamaModel(file, whole)) as fresh:
        return {"identical": int(fresh.complete(case.prompts()[-1]) == answers[-1])}


def _agreement(
    file: Path, config: LlmConfig, asked: Sequence[tuple[Prompt, str]], options: Options
) -> dict[str, float | int | None]:
    with (
        tempfile.TemporaryDirectory(prefix="heed-bench-") as folder,
        closing(LlamaModel(file, config, Path(folder))) as spliced,
        closing(LlamaModel(file, replace(config, splice=NEVER))) as full,
    ):
        first = asked[0][0]
        spliced.prepare(first.base, first.examples)
        state = spliced.describe()
        on = state["splicing"] == "on"
        answers = [
            (
                spliced.complete(prompt).strip() if on else None,
                full.complete(prompt).strip(),
                full.complete(replace(prompt, examples=())).strip(),
                right,
            )
            for prompt, right in options.progress(asked)
        ]
    return {
        "spliced": int(on),
        "token_agreement": state["splice_agreement"],
        "divergence": state["splice_divergence"],
        "statement_agreement": share(a == b for a, b, _, _ in answers) if on else None,
        "statement_right": share(a == right for a, _, _, right in answers) if on else None,
        "statement_right_full": share(b == right for _, b, _, right in answers),
        "statement_right_bare": share(c == right for _, _, c, right in answers),
    }
