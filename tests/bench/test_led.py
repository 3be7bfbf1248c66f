"""Conversations written blind, answered by a strong mind from heed's prompts alone: the path of a model that leads."""

import argparse
import json
from pathlib import Path

import pytest

from bench.report import Options, Report
from bench.suites import talk

DATA = Path(__file__).parent / "data" / "seen"
EVERY = 8


def said(cases: Path, answers: str = "led.answers.jsonl") -> Report:
    """The bench on some cases, with the recorded answers."""
    own = argparse.Namespace(show=False)
    return talk.run(Options(data=cases, brain=f"recorded:{DATA / answers}", quiet=True, own=own))


def holds(report: Report, right: float = 0.95) -> None:
    figures = report.figures
    assert figures["right"] >= right
    assert figures["completions_per_utterance"] <= 1.3
    assert figures["words_changed"] == 0
    assert figures["new_tokens_p50"] <= 350


@pytest.mark.whole
def test_some_of_them_come_right(tmp_path: Path) -> None:
    cases = json.loads((DATA / "led.json").read_text(encoding="utf-8"))["cases"]
    some = tmp_path / "some.json"
    some.write_text(json.dumps({"cases": cases[::EVERY]}))
    holds(said(some), right=0.85)  # of so few, two of the four misses


@pytest.mark.whole
def test_all_of_them_do() -> None:
    holds(said(DATA / "led.json"))


def test_what_a_mind_learns_by_the_three_questions_is_kept_and_followed() -> None:
    """One lesson ends as remember(), one as forbid(); each is followed, and stays out of what it is not about."""
    figures = said(DATA / "learn.json", "learn.answers.jsonl").figures
    assert figures["right"] == 1.0
    assert figures["wrong_deeds"] == 0
