"""Draws how a training went: loss, and held-out statements foretold, over the tokens read."""

import json
from pathlib import Path
from typing import Any

from training.suites import SUITES


def read_curve(folder: Path) -> list[dict[str, Any]]:
    """One entry per look at the suites, in order."""
    lines = (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def draw_curve(folder: Path, picture: Path) -> None:
    """Write the picture; needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    curve = read_curve(folder)
    millions = [entry["tokens"] / 1e6 for entry in curve]
    figure, panels = plt.subplots(1, 3, figsize=(12, 3.6))
    titles = {
        "loss": "loss, nats per token",
        "statements": "statements word for word",
        "episodes": "whole turns word for word",
    }
    for panel, (measure, title) in zip(panels, titles.items(), strict=True):
        for suite in (suite for suite in SUITES if all(suite in entry for entry in curve)):
            panel.plot(millions, [entry[suite][measure] for entry in curve], label=suite.replace("_", " "))
        panel.set_title(title)
        panel.set_xlabel("million tokens")
        panel.set_ylim(bottom=0, top=3 if measure == "loss" else 1)
        panel.grid(alpha=0.3)
    panels[0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=110)
