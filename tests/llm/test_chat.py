"""A chat template frames the base prompt; whatever is in it, it cannot do harm."""

import pytest

from daemon.llm.chat import ChatFrame, chat_frame
from tests.llm.tiny_gguf import CHAT_TEMPLATE

CHATML = (
    "{%- for m in messages %}"
    "{{- '<|im_start|>' + m.role + '\n' + m.content | trim + '<|im_end|>\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}"
    "{%- if enable_thinking is defined and enable_thinking is false %}"
    "{{- '<think>\n\n</think>\n\n' }}{%- endif %}"
    "{%- endif %}"
)


def test_the_base_goes_into_the_system_turn_and_the_transcript_into_the_assistant_s():
    assert chat_frame(CHAT_TEMPLATE) == ChatFrame("<|system|>", "<|end|><|assistant|>")


def test_thinking_is_switched_off_where_the_template_allows_it():
    frame = chat_frame(CHATML)
    assert frame is not None
    assert frame.after == "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"


def test_a_thought_that_the_template_insists_on_is_closed_at_once():
    frame = chat_frame(CHAT_TEMPLATE + "<think>\n")
    assert frame is not None
    assert frame.after == "<|end|><|assistant|><think>\n\n</think>\n\n"


def test_a_template_without_system_turn_gets_the_base_as_the_user_s():
    refusing = "{% if messages[0].role == 'system' %}{{ raise_exception('no system turn') }}{% endif %}"
    assert chat_frame(refusing + CHAT_TEMPLATE) == ChatFrame("<|user|>", "<|end|><|assistant|>")


def test_a_template_that_wants_a_user_s_turn_gets_one():
    refusing = "{% if messages[-1].role != 'user' %}{{ raise_exception('user, please') }}{% endif %}"
    frame = chat_frame(refusing + CHAT_TEMPLATE)
    assert frame is not None
    assert frame.before == "<|system|>"
    assert frame.after.startswith("<|end|><|user|>")


def test_the_same_template_gives_the_same_frame_every_day():
    frame = chat_frame("{{ strftime_now('%d %b %Y') }}" + CHAT_TEMPLATE, start="<s>")
    assert frame is not None
    assert frame.before == "today<|system|>"


@pytest.mark.parametrize(
    "template",
    [
        "",
        "no messages at all",
        "{% for",
        "{{ undefined.attribute }}",
        "{{ 1 / 0 }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.clear() }}{{ messages[0].content }}",
        "{{ messages[0].content }}{{ messages[0].content }}",
    ],
)
def test_a_template_that_cannot_be_used_means_plain_completion(template):
    assert chat_frame(template) is None
