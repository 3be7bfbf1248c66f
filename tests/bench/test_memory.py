"""The bench of retrieval measures what heed really does, and finds what comparing with every vector would find."""

import argparse

import pytest

from bench.mind import memory
from bench.report import Options


@pytest.mark.whole
def test_a_small_run_has_all_the_figures():
    own = argparse.Namespace(examples=21_000, queries=20, anew=400)
    figures = memory.run(Options(quiet=True, own=own)).figures
    assert figures["same_as_comparing_all"] == 1
    assert figures["retrieval_p95_ms"] >= figures["search_p95_ms"] > 0
    assert figures["embedding_p50_ms"] > 0
    assert figures["anew_left_when_ready"] > 0
