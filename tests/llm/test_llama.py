"""The real llama.cpp on tiny models, in its own process: what comes out, and what happens when it breaks."""

import os
import signal
import threading
from dataclasses import replace

import pytest

from daemon.config import LlmConfig
from daemon.llm.llama import LlamaModel
from daemon.llm.model import ModelCancelled, ModelError, Prompt
from tests.llm.tiny_gguf import CHAT_TEMPLATE, make_scripted_gguf, make_tiny_gguf

BASE = "You write Python for a robot.\n" * 10
EXAMPLES = (">>> grasp('cup')\n'success'\n" * 5, ">>> say('hello')\n'success'\n" * 5)
PROMPT = Prompt(BASE, EXAMPLES, ">>> wait_for_trigger()\n{'text': 'hi'}\n>>>")


@pytest.fixture
def start():
    """Starts models and closes them after the test."""
    models = []

    def start(file, **settings):
        models.append(LlamaModel(file, LlmConfig(**settings)))
        return models[-1]

    yield start
    for model in models:
        model.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def tiny(folder):
    return make_tiny_gguf(folder / "tiny.gguf")


@pytest.fixture(scope="module")
def scripted(folder):
    follows = {">>>": " say('hi')", " say('hi')": "\n'success'\n", "\n'success'\n": ">>>"}
    return make_scripted_gguf(folder / "scripted.gguf", follows)


def test_a_statement_ends_with_its_line(start, scripted):
    model = start(scripted)
    assert model.complete(PROMPT) == " say('hi')\n"


def test_a_whole_answer_is_told_line_by_line(start, folder):
    follows = {">>>": " say('a')\n", " say('a')\n": "say('b')\n", "say('b')\n": ">>>"}
    model = start(make_scripted_gguf(folder / "answer.gguf", follows))
    told = []
    answer = model.stream(replace(PROMPT, answer=True), told.append)
    assert answer.splitlines() == [" say('a')", "say('b')"]
    assert told[0] == " say('a')\n"


def test_other_text_ends_at_its_own_stop_string(start, scripted):
    model = start(scripted)
    assert model.complete(PROMPT, stop=["success"]) == " say('hi')\n'"


def test_the_model_may_end_by_itself(start, folder):
    model = start(make_scripted_gguf(folder / "short.gguf", {">>>": " pass"}))
    assert model.complete(PROMPT) == " pass"


def test_no_more_tokens_than_asked_for(start, tiny):
    model = start(tiny)
    model.complete(PROMPT, stop=[], max_tokens=7)
    assert model.report.new_tokens == 7


def test_a_token_of_any_length_comes_out_whole(start, folder):
    long = " say('" + "it is a long way to the kitchen, " * 5 + "')"
    model = start(make_scripted_gguf(folder / "long.gguf", {">>>": long}))
    assert model.complete(PROMPT) == long


def test_text_goes_in_and_is_counted_byte_by_byte(start, tiny):
    model = start(tiny)
    assert model.count_tokens("don't 🤖\n") == 11
    assert model.count_tokens("<|end|></s>") == 11  # what people say is never a marker


def test_what_was_read_before_is_not_read_again_and_changes_nothing(start, tiny):
    warm, cold = start(tiny), start(tiny)
    warm.complete(PROMPT, stop=[], max_tokens=40)
    longer = Prompt(BASE, EXAMPLES, PROMPT.history + " say('yes')\n'success'\n>>>")
    assert warm.complete(longer, stop=[], max_tokens=80) == cold.complete(longer, stop=[], max_tokens=80)
    assert cold.report.reused_tokens == 0
    assert warm.report.reused_tokens >= len(PROMPT.text)
    other = Prompt(BASE, EXAMPLES[1:], PROMPT.history)
    assert warm.complete(other, stop=[], max_tokens=80) == start(tiny).complete(other, stop=[], max_tokens=80)
    assert len(BASE) <= warm.report.reused_tokens < len(other.text)


def test_what_was_read_ahead_is_not_read_again_and_changes_nothing(start, tiny):
    ahead, cold = start(tiny), start(tiny)
    ahead.read_ahead(replace(PROMPT, history=">>> wait_for_trigger()\n"))
    assert ahead.complete(PROMPT, stop=[], max_tokens=40) == cold.complete(PROMPT, stop=[], max_tokens=40)
    assert ahead.report.prompt_tokens - ahead.report.reused_tokens <= len("{'text': 'hi'}\n>>>") + 1


def test_reading_ahead_gives_way_and_what_is_too_long_is_left(start, tiny):
    model = start(tiny)
    model.read_ahead(replace(PROMPT, history="x" * 5000))
    assert model.complete(PROMPT, stop=[], max_tokens=7)
    model.close()
    model.read_ahead(PROMPT)


def test_answers_are_the_same_every_time(start, tiny):
    model = start(tiny)
    assert model.complete(PROMPT, stop=[]) == model.complete(PROMPT, stop=[])


def test_a_chat_model_gets_its_template_around_the_base(start, folder):
    model = start(make_tiny_gguf(folder / "chat.gguf", chat_template=CHAT_TEMPLATE))
    assert model.describe()["chat"]
    model.complete(PROMPT, max_tokens=1)
    markers = 4  # <s> <|system|> ... <|end|> <|assistant|>
    assert model.report.prompt_tokens == len(PROMPT.text) + markers


def test_a_broken_template_means_plain_completion(start, folder):
    model = start(make_tiny_gguf(folder / "chat.gguf", chat_template="{% for"))
    assert not model.describe()["chat"]


def test_the_context_is_the_file_s_or_the_setting_s_whichever_is_smaller(start, tiny):
    assert start(tiny).context_tokens == 2048
    assert start(tiny, context_tokens=512).context_tokens == 512


def test_a_prompt_that_is_too_long_is_an_error_and_the_model_lives_on(start, scripted):
    model = start(scripted, context_tokens=1024)
    with pytest.raises(ModelError, match="shorten the prompt"):
        model.complete(Prompt("x" * 2000, (), ">>>"))
    assert model.complete(PROMPT) == " say('hi')\n"
    assert model.restarts == 0


def test_a_cancel_ends_reading_in_the_middle_and_changes_nothing(start, folder):
    file = make_tiny_gguf(folder / "patient.gguf", context=65536)
    model = start(file, context_tokens=65536)
    model.describe()
    long = Prompt(BASE * 200, (), ">>>")  # would take several seconds
    outcome = []

    def complete():
        try:
            outcome.append(model.complete(long))
        except ModelError as error:
            outcome.append(error)

    thread = threading.Thread(target=complete)
    thread.start()
    while thread.is_alive():
        model.cancel()
        thread.join(0.01)
    assert isinstance(outcome[0], ModelCancelled)
    expected = start(file).complete(PROMPT, stop=[], max_tokens=40)
    assert model.complete(PROMPT, stop=[], max_tokens=40) == expected
    assert model.restarts == 0


def test_a_cancel_with_nothing_to_end_is_harmless(start, scripted):
    model = start(scripted)
    model.cancel()
    assert model.complete(PROMPT) == " say('hi')\n"
    model.cancel()
    assert model.complete(PROMPT) == " say('hi')\n"


def test_a_killed_worker_is_an_error_now_and_a_fresh_one_at_the_next_call(start, scripted):
    model = start(scripted)
    model.describe()
    os.kill(model.process_id, signal.SIGKILL)
    with pytest.raises(ModelError, match="was killed, perhaps for want of memory"):
        model.complete(PROMPT)
    assert model.complete(PROMPT) == " say('hi')\n"
    assert model.restarts == 1


def test_a_failed_assertion_is_named(start, scripted):
    model = start(scripted)
    model.describe()
    os.kill(model.process_id, signal.SIGABRT)
    with pytest.raises(ModelError, match="died of SIGABRT"):
        model.complete(PROMPT)


def test_a_file_that_llama_cpp_refuses_stays_down_after_three_tries(start, tiny, tmp_path):
    refused = tmp_path / "refused.gguf"
    refused.write_bytes(tiny.read_bytes().replace(b"blk.1.ffn_up", b"blk.1.ffn_oh"))
    model = start(refused)
    for _ in range(3):
        with pytest.raises(ModelError, match=r"cannot load .*ffn_up"):
            model.complete(PROMPT)
    with pytest.raises(ModelError, match=r"3 times in a row and stays down .* heed models check"):
        model.complete(PROMPT)
    assert model.process_id is None
    assert model.count_tokens("a word or two") > 3


def test_a_broken_file_is_refused_before_anything_is_started(tmp_path, tiny):
    for content in (b"", b"hello", tiny.read_bytes()[:9000]):
        (tmp_path / "x.gguf").write_bytes(content)
        with pytest.raises(ModelError):
            LlamaModel(tmp_path / "x.gguf", LlmConfig())
    with pytest.raises(ModelError, match="cannot be read"):
        LlamaModel(tmp_path / "missing.gguf", LlmConfig())


def test_closing_ends_the_process_and_says_so_afterwards(start, scripted):
    model = start(scripted)
    process = model.process_id
    model.close()
    model.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(ModelError, match="is closed"):
        model.complete(PROMPT)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is but one core")
def test_the_model_leaves_the_first_cores_to_ear_and_motors(start, tiny):
    cores = sorted(os.sched_getaffinity(0))
    model = start(tiny, threads=1)
    model.complete(PROMPT, stop=[], max_tokens=3)
    assert os.sched_getaffinity(model.process_id) == {cores[-1]}
    everywhere = start(tiny, threads=len(cores))
    everywhere.complete(PROMPT, stop=[], max_tokens=3)
    assert os.sched_getaffinity(everywhere.process_id) == set(cores)
