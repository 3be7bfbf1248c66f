"""Drafts: the rest of the only name that fits, else what followed the same tokens. Here each byte is a token."""

from collections.abc import Callable

import numpy as np

from daemon.llm.drafts import LONGEST, Drafts
from daemon.llm.lookup import PromptLookup
from daemon.llm.model import NameScope
from daemon.llm.name_mask import NameMask, Vocabulary

VOCABULARY = Vocabulary(128, lambda token: bytes([token]))


def by_bytes(text: str) -> list[int]:
    return list(text.encode())


def after(text: str, *names: str, prompt: str = "", tokenize: Callable[[str], list[int]] = by_bytes) -> str:
    """What is guessed after this text, where these may be grasped."""
    mask = NameMask(NameScope(frozenset({("grasp", 0, "object")}), {"object": names}), VOCABULARY)
    drafts = Drafts(PromptLookup(prompt.encode()), mask, tokenize, VOCABULARY.piece)
    for byte in text.encode():
        logits = [0.0] * 128
        logits[byte] = 1.0
        drafts.push(mask.choose(np.array(logits, np.float32)))
    return bytes(drafts.guess()).decode()


def test_the_rest_of_the_only_name_is_guessed_with_the_end_of_its_call() -> None:
    assert after("grasp('j", "juice", "milk") == "uice')\n"


def test_of_several_names_none_is() -> None:
    assert after("grasp('m", "mug", "milk") == ""


def test_a_long_name_is_guessed_bit_by_bit() -> None:
    assert after("grasp('w", "washing_up_liquid") == "ashing_up_liquid"[:LONGEST]


def test_where_no_name_is_begun_what_followed_the_same_text_is_guessed() -> None:
    assert after("say('hel", "juice", prompt="say('hello')") == "lo'"


def test_a_name_that_was_begun_by_other_tokens_than_a_tokeniser_takes_is_not_guessed() -> None:
    assert after("grasp('j", "juice", tokenize=lambda text: [ord("("), ord("j")]) == ""
