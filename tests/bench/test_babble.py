"""Random talk, for a short while, to our own brain and to one that writes noise."""

import argparse
import math
import random
from pathlib import Path

import pytest

from bench.mind import babble
from bench.report import Options, Report
from bench.support.rehearsed import Notes
from daemon.config import Config, LlmConfig
from sim.scene import Scene
from tests.llm.tiny_gguf import make_tiny_gguf
from tests.support.brain import HEED_BRAIN, needs_brain


def babbled(brain: str, utterances: int, confidence: float = 0.95) -> Report:
    own = argparse.Namespace(minutes=5.0, utterances=utterances, seed=3, show=True)
    return babble.run(Options(brain=brain, own=own, config=Config(llm=LlmConfig(confidence=confidence))))


@needs_brain
@pytest.mark.whole
@pytest.mark.parametrize("confidence", [0.95, 0.0])
def test_nothing_breaks_and_no_turn_ends_without_a_word(confidence: float, capsys: pytest.CaptureFixture[str]) -> None:
    report = babbled(f"llama:{HEED_BRAIN}", 6, confidence)
    wrong = {name: report.figures[name] for name in ("crashes", "silent", "beyond_limits", "unsure_moves")}
    assert not any(wrong.values()), f"{wrong} {capsys.readouterr().err}"
    assert report.cases == 6


@pytest.mark.whole
def test_a_model_that_writes_noise_moves_nothing_and_is_never_left_in_silence(tmp_path: Path) -> None:
    report = babbled(f"llama:{make_tiny_gguf(tmp_path / 'noise.gguf', context=16384)}", 6)
    assert report.figures["crashes"] == report.figures["silent"] == report.figures["unsure_moves"] == 0


def test_the_same_seed_says_the_same() -> None:
    def said(seed: int) -> list[str | None]:
        kitchen = Scene.load(babble.SCENES / "kitchen.toml")
        found = babble.Found(print)
        talker = babble.Talker(random.Random(seed), kitchen, Notes(), found, 40, math.inf)
        return [talker.speak() for _ in range(41)]

    first = said(1)
    assert first == said(1) != said(2)
    assert all(first[:40])
    assert first[40] is None
