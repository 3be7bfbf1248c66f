"""Where a completion ends: at a stop string, or where a newline completes a Python statement."""

import pytest

from daemon.llm.ending import Ending, statement_lines
from daemon.llm.model import PROMPT_SIGN


def complete(pieces, stop=(PROMPT_SIGN,), statement=True):
    """The text that is left when the pieces are fed one by one, and how many were needed."""
    ending = Ending(stop, statement=statement)
    for fed, piece in enumerate(pieces, start=1):
        if ending.feed(piece.encode() if isinstance(piece, str) else piece):
            return ending.text, fed
    return ending.text, None


def test_a_statement_ends_with_its_newline():
    assert complete([" say", "('hi", "')", "\n", "'success'"]) == (" say('hi')\n", 4)


def test_a_stop_string_spread_over_tokens_is_found_and_left_out():
    assert complete(["one\n", "two >", ">", "> three"], statement=False) == ("one\ntwo ", 4)


@pytest.mark.parametrize("before", ["", " ", "\n", "# I look first\n", "```python\n"])
def test_the_sign_in_front_of_the_first_statement_is_left_out_and_the_next_one_ends(before):
    pieces = [*before, " >", ">> move_to('sink')\n", ">>> grasp('cup')\n"]
    assert complete(pieces, statement=False) == (f"{before}  move_to('sink')\n", len(before) + 3)


def test_a_sign_in_front_of_a_statement_that_ends_by_itself_is_left_out_too():
    assert complete([">>> say('hi')\n>>> say('ho')\n"]) == (" say('hi')\n", 1)


def test_two_signs_and_nothing_between_them_are_no_statement():
    assert complete([">>> >>> say('hi')\n"], statement=False) == (" ", 1)


def test_any_other_stop_string_ends_at_once():
    assert complete(["\n"], stop=("\n",), statement=False) == ("", 1)


def test_the_earliest_stop_string_counts():
    assert complete(["a b c"], stop=("c", "b"), statement=False) == ("a ", 1)


def test_without_statements_only_the_stop_string_ends():
    assert complete([" x = 1\n", "text\n"], statement=False) == (" x = 1\ntext\n", None)


def test_an_open_bracket_goes_on_over_newlines():
    assert complete([" say(\n", "  'hi'\n", ")\n", "more"]) == (" say(\n  'hi'\n)\n", 3)


def test_a_block_ends_with_a_blank_line():
    assert complete([" for cup in cups:\n", "    bring(cup)\n", "\n", "x"])[1] == 3


def test_a_block_with_dots_ends_before_the_result_that_the_model_imagines():
    pieces = [" for cup in cups:\n", "...     bring(cup)\n", "'success'\n", ">>>"]
    assert complete(pieces) == (" for cup in cups:\n...     bring(cup)\n", 3)


def test_a_block_with_dots_ends_with_a_line_of_dots():
    assert complete([" if a:\n", "...     b()\n", "... else:\n", "...     c()\n", "...\n", "x"])[1] == 5


def test_two_statements_in_one_token_are_cut_after_the_first():
    assert complete([" a = 1\nb = 2\nc"]) == (" a = 1\n", 1)


def test_a_comment_alone_is_no_statement():
    assert complete([" # first the fridge\n", "open('fridge')\n", "x"]) == (
        " # first the fridge\nopen('fridge')\n",
        2,
    )


def test_what_is_not_python_goes_on_until_the_stop_string():
    assert complete(["```python\n", "say('hi')\n", ">>>"]) == ("```python\nsay('hi')\n", 3)


def test_bytes_that_are_no_text_neither_crash_nor_shift_the_cut():
    assert complete([b" a = '\xff\xfe'\n", b"b"]) == (" a = '��'\n", 1)
    assert complete([b"\xe2\x82", b"\xac\n"], statement=False) == ("€\n", None)


@pytest.mark.parametrize("text", ["\x00\n", "(" * 5000 + "\n", "\\\n", "'\n", '"""\n', "\t x\n", "9" * 9999 + "\n"])
def test_hostile_text_is_never_an_error(text):
    statement_lines(text)


def test_a_model_that_goes_round_and_round_is_ended():
    text, fed = complete([" say('The cup", *[", the cup"] * 60], statement=False)
    assert fed == 7
    assert text == " say('The cup" + ", the cup" * 6


@pytest.mark.parametrize("again", [" " * 60, "-" * 60, "ha " * 10, "bring('cup')\n" * 5])
def test_signs_and_what_comes_a_few_times_are_no_loop(again):
    assert complete([again, "\n"], statement=False) == (f"{again}\n", None)
