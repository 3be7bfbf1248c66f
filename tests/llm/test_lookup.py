"""Guessing the next tokens from what stands in the transcript already."""

from daemon.llm.lookup import PromptLookup


def test_what_followed_the_same_tokens_is_guessed():
    assert PromptLookup([1, 2, 3, 4, 5, 6, 1, 2, 3]).guess() == [4, 5, 6]


def test_the_last_of_several_matches_counts():
    assert PromptLookup([1, 2, 3, 7, 1, 2, 3, 8, 1, 2, 3]).guess(1) == [8]


def test_a_longer_match_is_preferred():
    assert PromptLookup([9, 1, 2, 5, 0, 1, 2, 6, 9, 1, 2]).guess(1) == [5]


def test_nothing_is_guessed_after_something_new():
    assert PromptLookup([1, 2, 3, 4]).guess() == []
    assert PromptLookup([]).guess() == []


def test_written_tokens_count_as_well():
    lookup = PromptLookup([1, 2, 3])
    lookup.push(1)
    lookup.push(2)
    assert lookup.guess(1) == [3]
