"""`python -m training train|export|judge|confidence|latency|chart`: heed's own small model, from nothing.

train: read true transcripts until so many tokens are read; goes on where it was stopped. export: write the GGUF files
and say how alike torch and llama.cpp are. judge: let a model act in the held-out worlds. confidence:
what a threshold of its own confidence is worth there. latency: time the first statement. chart: draw how the training
went.
"""

import argparse
import json
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from daemon.config import Config, LlmConfig, load_config
from daemon.console.confidence_guard import guarded
from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.llama import LlamaModel
from daemon.llm.model import LanguageModel
from daemon.llm.models import find_model

FOLDER = Path("build/heed-small")
MODEL = Path("models/heed-small")
NAME = "heed-small"
COMPARED = 15
"""Prompts on which torch and llama.cpp are held against each other."""


def main() -> None:
    """Run the command that is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the training keeps its state")
    commands = parser.add_subparsers(required=True)
    train = commands.add_parser("train")
    train.add_argument("--tokens", type=int, default=9_000_000)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--batch", type=int, default=2048, help="tokens per step")
    train.add_argument("--device", default="cpu", help="cpu or cuda")
    train.add_argument("--threads", type=int, default=1)
    train.add_argument("--plain", action="store_true", help="begin without the copying circuit")
    train.set_defaults(run=_train)
    export = commands.add_parser("export")
    export.add_argument("--to", type=Path, default=MODEL)
    export.set_defaults(run=_export)
    judge = commands.add_parser("judge")
    judge.add_argument("--brain", default=f"llama:{MODEL}/{NAME}.gguf")
    judge.add_argument("--count", type=int, default=40, help="cases of each suite")
    judge.add_argument("--only", help="one suite instead of all")
    judge.add_argument("--confidence", type=float, help="another threshold than config.toml's; 0 for no guard")
    judge.add_argument("--show", action="store_true", help="show the transcripts of what failed")
    judge.set_defaults(run=_judge)
    confidence = commands.add_parser("confidence")
    confidence.add_argument("--brain", default=f"llama:{MODEL}/{NAME}.gguf")
    confidence.add_argument("--count", type=int, default=20, help="cases of each suite")
    confidence.add_argument("--no-mask", action="store_true", help="let the model name and call what it likes")
    confidence.set_defaults(run=_confidence)
    latency = commands.add_parser("latency")
    latency.add_argument("--brain", default=f"llama:{MODEL}/{NAME}.gguf")
    latency.add_argument("--examples", type=int, default=8)
    latency.add_argument("--threads", type=int, default=1)
    latency.set_defaults(run=_latency)
    chart = commands.add_parser("chart")
    chart.add_argument("--to", type=Path, default=MODEL / "curve.png")
    chart.set_defaults(run=_chart)
    options = parser.parse_args()
    options.run(options)


def _train(options: argparse.Namespace) -> None:
    import torch

    from training.train import Recipe, train

    torch.set_num_threads(options.threads)
    recipe = Recipe(options.tokens, options.batch, seed=options.seed, copying=not options.plain)
    train(options.folder, recipe, options.device)


def _export(options: argparse.Namespace) -> None:
    from training.export import agreement, export, load_network
    from training.suites import prompts_of

    network, tokenizer, tokens = load_network(options.folder)
    options.to.mkdir(parents=True, exist_ok=True)
    prompts = [prompt for suite in ("seen", "shown", "unseen_names") for prompt in prompts_of(suite, COMPARED // 3)]
    texts = ["".join((*prompt.examples, prompt.conversation)) for prompt in prompts]
    for form, name in (("f16", f"{NAME}.gguf"), ("q8_0", f"{NAME}-q8_0.gguf")):
        export(network, tokenizer, options.to / name, form)
        alike = agreement(network, tokenizer, options.to / name, texts)
        print(json.dumps({"file": name, "bytes": (options.to / name).stat().st_size, "trained_tokens": tokens} | alike))
    for kept in ("tokenizer.json", "curve.jsonl"):
        shutil.copyfile(options.folder / kept, options.to / kept)


def _judge(options: argparse.Namespace) -> None:
    from training.judge import judge
    from training.suites import SUITES

    config = load_config(Path("config.toml"))
    if options.confidence is not None:
        config = replace(config, llm=replace(config.llm, confidence=options.confidence))
    model = _open(options.brain, config)
    began = time.monotonic()
    try:
        for suite, verdicts in judge(model, options.count, (options.only,) if options.only else SUITES):
            done = sum(verdict.done for verdict in verdicts) / len(verdicts)
            print(f"{suite:18} {done:.3f} of {len(verdicts)}", flush=True)
            for verdict in verdicts if options.show else ():
                if not verdict.done:
                    print(f"\n--- {verdict.family}")
                    print("".join(f">>> {step.statement}\n{step.result}\n" for step in verdict.transcript))
    finally:
        model.close()
    print(json.dumps({"brain": options.brain, "seconds": round(time.monotonic() - began)}))


def _confidence(options: argparse.Namespace) -> None:
    from training.confidence import guesses, table

    config = replace(load_config(Path("config.toml")).llm, confidence=1.0, name_mask=not options.no_mask)
    model = LlamaModel(find_model(options.brain.removeprefix("llama:"), MODEL), config)
    try:
        found = list(guesses(model, options.count))
    finally:
        model.close()
    for row in table(found):
        print(json.dumps(row))
    print(json.dumps({"brain": options.brain, "masked": config.name_mask, "statements": len(found)}))


def _latency(options: argparse.Namespace) -> None:
    from training.latency import first_statements

    file = find_model(options.brain.removeprefix("llama:"), MODEL)
    with tempfile.TemporaryDirectory() as cache:
        model = LlamaModel(file, LlmConfig(threads=options.threads), Path(cache))
        try:
            print(json.dumps({"threads": options.threads} | first_statements(model, options.examples)))
        finally:
            model.close()


def _chart(options: argparse.Namespace) -> None:
    from training.chart import draw_curve

    draw_curve(options.folder, options.to)


def _open(brain: str, config: Config) -> LanguageModel:
    if brain == "imitation":
        return Imitation(MiniLmEmbedder())
    file = find_model(brain.removeprefix("llama:"), config.models_directory)
    return guarded(LlamaModel(file, config.llm, config.cache_directory / "kv"), Imitation(MiniLmEmbedder()), config.llm)


if __name__ == "__main__":
    main()
