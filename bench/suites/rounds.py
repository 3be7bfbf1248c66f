"""`heed bench rounds`: how many corrections a person needs in each round, when the same things are asked for again.

Every scenario of a household file that teaches something is asked for once a round, in a fresh world with the memory
kept. Where the outcome is not as wanted, the person goes through the conversation that teaches it, and each sentence of
it that asks heed to learn counts as a correction. The same is done without learning, and with raw histories stored
instead of improved ones. With --chart FILE.png the means are drawn (matplotlib, in the extra "bench").
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.mind.brain import open_brain
from bench.report import Options, Report
from bench.suites.chart import open_pyplot
from bench.suites.household import Household
from daemon.llm.embedder import MiniLmEmbedder

METHODS = {"heed": "full", "without learning": "no_learning", "raw histories stored": "raw_history"}
ROUNDS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often everything is asked for ({ROUNDS})")
    parser.add_argument("--chart", type=Path, help="draw the means into this PNG")


def run(options: Options) -> Report:
    """Measure all rounds with every method."""
    data = options.read()
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    rounds = getattr(options.own, "rounds", ROUNDS)
    chart: Path | None = getattr(options.own, "chart", None)
    taught = [scenario for scenario in data["scenarios"] if scenario.get("generalisation_probes")]
    means: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, method in METHODS.items():
            bench = Household(data, model, embedder, method, Path(folder) / method, verbose=False)
            counts = [bench.corrections(scenario, rounds) for scenario in options.progress(taught)]
            means[name] = [sum(count[number] for count in counts) / len(counts) for number in range(rounds)]
    model.close()
    if chart is not None:
        draw(means, chart, len(taught))
    figures = {
        f"corrections.{METHODS[name]}.round_{number}": mean
        for name, by_round in means.items()
        for number, mean in enumerate(by_round, start=1)
    }
    return Report(
        "rounds", len(taught), figures, options.brain, options.method, options.data.name if options.data else "-"
    )


def draw(means: Mapping[str, Sequence[float]], file: Path, scenarios: int) -> None:
    """The means as lines, one for each method. Raises BenchError without matplotlib."""
    pyplot = open_pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 3.5), dpi=120)
    for (name, by_round), marker in zip(means.items(), "os^", strict=False):
        axes.plot(range(1, len(by_round) + 1), by_round, marker=marker, label=name)
    axes.set_xlabel("round")
    axes.set_ylabel(f"corrections needed, mean of {scenarios} scenarios")
    axes.set_xticks(range(1, max(map(len, means.values())) + 1))
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)
