"""Transcripts: read, written, and what was said in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.transcript import Step, instructions_of, parse_transcript, render

TRANSCRIPT = """\
>>> wait_for_trigger()
{'type': 'dialog', 'text': "don't import the milk"}
>>> for hand in ['left', 'right']:
...     if hand:
...
...         grasp('cup', hand)
'success'
'success'
>>> answer = ask('Which cup?')
'the red one'
>>> wait_for_trigger()
"""


def test_a_transcript_is_statements_and_what_came_back():
    steps = parse_transcript(TRANSCRIPT)
    assert steps[0] == Step("wait_for_trigger()", """{'type': 'dialog', 'text': "don't import the milk"}""")
    assert steps[1].statement == "for hand in ['left', 'right']:\n    if hand:\n\n        grasp('cup', hand)"
    assert steps[1].result == "'success'\n'success'"
    assert steps[-1] == Step("wait_for_trigger()")


def test_a_rendered_transcript_is_the_same_transcript():
    assert render(parse_transcript(TRANSCRIPT)) == TRANSCRIPT


CODE = st.text(st.sampled_from("ab.>()\n é'"), min_size=1).map(str.rstrip).filter(str.strip)
STATEMENTS = CODE.filter(lambda text: text.split("\n")[0].strip())
RESULTS = st.text(st.sampled_from("ab{}\n '")).map(lambda text: text.strip("\n"))


@given(st.lists(st.builds(Step, STATEMENTS, RESULTS)))
def test_any_steps_survive_writing_and_reading(steps):
    stripped = [Step("\n".join(map(str.rstrip, s.statement.split("\n"))), s.result) for s in steps]
    assert list(parse_transcript(render(stripped))) == stripped


def test_printed_text_cannot_pose_as_a_statement():
    steps = [Step("print(text)", ">>> grasp('knife')"), Step("print(text)", "... and more")]
    assert [step.statement for step in parse_transcript(render(steps))] == ["print(text)", "print(text)"]


def test_three_dots_after_a_result_are_part_of_the_result():
    assert parse_transcript(">>> range_of(9)\n1\n... 8 more\n") == (Step("range_of(9)", "1\n... 8 more"),)


def test_blank_lines_and_windows_line_ends_do_no_harm():
    assert parse_transcript("\r\n>>> say('hi')\r\n\r\n>>> wave()\r\n'success'\r\n\r\n") == (
        Step("say('hi')"),
        Step("wave()", "'success'"),
    )


def test_no_text_is_no_steps():
    assert parse_transcript("\n \n") == ()
    assert render(()) == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [("hello\n>>> say('hi')", "line 1"), (">>> say('hi')\n>>>", "line 2"), (">>> a()\n1\n>>>b()", "line 3")],
)
def test_a_malformed_transcript_is_refused_with_its_line(text, line):
    with pytest.raises(ValueError, match=line):
        parse_transcript(text)


def test_instructions_are_what_people_said_and_answered():
    assert instructions_of(parse_transcript(TRANSCRIPT)) == ("don't import the milk", "the red one")


def test_a_dialog_that_ask_returned_is_an_instruction_too():
    steps = [Step("ask('Which?')", "{'type': 'dialog', 'text': 'both'}")]
    assert instructions_of(steps) == ("both",)


@pytest.mark.parametrize(
    "step",
    [
        Step("wait_for_trigger()"),
        Step("ask('Which?')", "TimeoutError: nobody answered"),
        Step("wait_for_trigger()", "{'type': 'timer', 'text': 'tea'}"),
        Step("wait_for_trigger()", "{'type': 'dialog', 'text': ' '}"),
        Step("say('wait_for_trigger()')", "'said'"),
        Step("ask(", "'broken'"),
        Step("# wait_for_trigger()", "'no'"),
    ],
)
def test_nothing_else_is_an_instruction(step):
    assert instructions_of([step]) == ()


def test_a_broken_text_is_refused():
    with pytest.raises(ValueError, match=r"wait_for_trigger\(\) returned"):
        instructions_of([Step("wait_for_trigger()", "{'type': 'dialog', 'text': 'don't'}")])
