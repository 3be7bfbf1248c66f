import argparse

import pytest

from bench.mind import console
from bench.mind.random_model import TOY, make_random_model
from bench.report import Options
from daemon.config import LlmConfig
from daemon.llm.llama import LlamaModel
from daemon.llm.model import Prompt

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "MODELS", tmp_path_factory.mktemp("models"))
        own = argparse.Namespace(quick=True, threads=0)
        return console.run(Options(quiet=True, own=own)).figures


def test_all_the_figures_are_there(figures):
    assert {
        "first_statement_vs_full_prefill",
        "first_statement_vs_prefix_match",
        "step_vs_generation",
        "tokens_saved",
        "splice_agreement",
        "cold_start_vs_warm",
    } <= figures.keys()


def test_of_the_second_prompt_only_what_was_said_is_read(figures):
    assert figures["spliced"]
    assert figures["tokens_saved"] > 0.98


def test_noise_is_never_said_to_agree(figures):
    assert figures["splice_agreement"] is None


def test_the_made_model_says_its_statement_whatever_it_has_read(tmp_path):
    file = make_random_model(tmp_path, TOY, ["bring me the cup, and the plate\n"], console.SAYS)
    model = LlamaModel(file, LlmConfig(threads=1))
    try:
        said = [
            model.complete(Prompt("Rules.\n", (), f"{words}\n>>>"), stop=(), max_tokens=console.STATEMENT_TOKENS)
            for words in ("bring me the cup", "and the plate", ">>> move_to('table')")
        ]
    finally:
        model.close()
    assert said == [" move_to('counter')\n"] * 3
