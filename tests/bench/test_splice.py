"""Splicing on real weights: what it must not change."""

import argparse

import pytest

from bench.mind import splice
from bench.report import Options


@pytest.mark.whole
def test_on_real_weights_spliced_prompts_lead_to_the_same_statements():
    own = argparse.Namespace(statements=40, threads=1)
    figures = splice.run(Options(quiet=True, own=own)).figures
    assert figures["identical"] == 1
    assert figures["token_agreement"] >= 0.98
    assert figures["statement_agreement"] >= 0.95  # of 40; the bench compares more
    assert figures["statement_right_bare"] + 0.2 < figures["statement_right"]  # else the examples would not count
