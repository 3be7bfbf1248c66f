"""Examples put together from what was kept of each: the real llama.cpp, on tiny models."""

import os
import threading

import pytest

from daemon.config import LlmConfig
from daemon.llm.example_splicing import READ_ANEW
from daemon.llm.llama import LlamaModel
from daemon.llm.model import ModelError, Prompt
from tests.llm.tiny_gguf import make_scripted_gguf, make_tiny_gguf

BASE = "You write Python for a robot.\n" * 3
EXAMPLES = tuple(
    f"# Example\n>>> grasp('{thing}')\n'success'\n>>> say('I have the {thing}')\n'success'\n\n"
    for thing in ("cup", "apple juice", "oil", "wooden spoon", "tea", "plate", "salt")
)
HISTORY = ">>> wait_for_trigger()\n{'text': 'bring me the juice'}\n>>>"
PROMPT = Prompt(BASE, EXAMPLES[:3], HISTORY)
REUSED = len(PROMPT.text) + 1 - len(HISTORY) - READ_ANEW
"""Tokens of PROMPT, one for each byte and the start, that need not be read where its examples are kept."""


@pytest.fixture
def start(tmp_path):
    """Starts models that share a cache folder, and closes them after the test."""
    models = []

    def start(file, **settings):
        models.append(LlamaModel(file, LlmConfig(**settings), tmp_path / "kv"))
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
def shallow(folder):
    """With one layer, keys and values depend on the token and its place alone: splicing loses nothing."""
    return make_tiny_gguf(folder / "shallow.gguf", layers=1)


def answer(model, prompt):
    return model.complete(prompt, stop=[], max_tokens=40)


def kept(tmp_path):
    return sorted((tmp_path / "kv").rglob("*.kv"))


def test_a_cold_start_reads_nothing_of_a_base_that_was_read_once(start, tiny):
    first = start(tiny)
    expected = answer(first, PROMPT)
    assert first.report.reused_tokens == 0
    first.close()
    second = start(tiny)
    assert answer(second, PROMPT) == expected
    assert second.report.reused_tokens == len(BASE) + 1  # and the start token


def test_another_base_in_between_costs_nothing_either(start, tiny):
    model = start(tiny)
    expected = answer(model, PROMPT)
    answer(model, Prompt("Improve what was done.\n", (), "x"))
    assert answer(model, PROMPT) == expected
    assert model.report.reused_tokens == len(BASE) + 1


def test_a_spliced_prompt_is_answered_as_if_it_were_read_where_splicing_loses_nothing(start, shallow):
    spliced, read = start(shallow, splice="always"), start(shallow, splice="never")
    spliced.prepare(BASE, EXAMPLES)
    assert answer(spliced, PROMPT) == answer(read, PROMPT)
    assert spliced.report.reused_tokens == REUSED


def test_the_first_example_is_spliced_exactly(start, tiny):
    spliced, read = start(tiny, splice="always"), start(tiny, splice="never")
    prompt = Prompt(BASE, EXAMPLES[:1], HISTORY)
    assert answer(spliced, prompt) == answer(read, prompt)


def test_only_what_is_new_is_read_when_the_examples_change_and_the_history_goes_on(start, shallow):
    model, read = start(shallow, splice="always"), start(shallow, splice="never")
    model.prepare(BASE, EXAMPLES)
    answer(model, PROMPT)
    longer = HISTORY + " pass\n>>> wait_for_trigger()\n{'text': 'and the tea'}\n>>>"
    prompt = Prompt(BASE, (EXAMPLES[0], EXAMPLES[4], EXAMPLES[5], EXAMPLES[3]), longer)
    assert answer(model, prompt) == answer(read, prompt)
    assert len(prompt.text) + 1 - model.report.reused_tokens <= len(longer) - len(HISTORY) + 1 + READ_ANEW


def test_answers_do_not_depend_on_what_was_kept_before(start, tiny):
    prepared, unprepared = start(tiny, splice="always"), start(tiny, splice="always", cache_megabytes=0)
    prepared.prepare(BASE, EXAMPLES)
    assert answer(prepared, PROMPT) == answer(unprepared, PROMPT)
    assert unprepared.report.reused_tokens == 0


@pytest.mark.parametrize("before", [EXAMPLES[:3], EXAMPLES[:1], (EXAMPLES[1], EXAMPLES[0])])
def test_answers_do_not_depend_on_the_examples_of_the_prompt_before(start, tiny, before):
    model, fresh = start(tiny, splice="always"), start(tiny, splice="always")
    prompt = Prompt(BASE, EXAMPLES[:2], HISTORY)
    answer(model, Prompt(BASE, before, "another conversation"))
    assert answer(model, prompt) == answer(fresh, prompt)


def test_what_was_kept_serves_the_next_start(start, tiny):
    first = start(tiny, splice="always")
    first.prepare(BASE, EXAMPLES)
    expected = answer(first, PROMPT)
    first.close()
    second = start(tiny, splice="always")
    assert answer(second, PROMPT) == expected
    assert second.report.reused_tokens == REUSED


def test_damaged_files_are_noticed_and_change_nothing(start, tiny, tmp_path):
    first = start(tiny, splice="always")
    first.prepare(BASE, EXAMPLES)
    expected = answer(first, PROMPT)
    first.close()
    for number, file in enumerate(kept(tmp_path)):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content if number % 2 else content[: len(content) // 2])
    second = start(tiny, splice="always")
    assert answer(second, PROMPT) == expected
    assert (second.report.reused_tokens, second.restarts) == (0, 0)


def test_nothing_is_spliced_before_the_self_test(start, shallow):
    model, read = start(shallow), start(shallow, splice="never")
    assert model.describe()["splicing"] == "not tested yet"
    assert answer(model, PROMPT) == answer(read, PROMPT)
    other = Prompt(BASE, EXAMPLES[1:3], HISTORY)
    assert answer(model, other) == answer(read, other)
    assert model.report.reused_tokens < len(PROMPT.text) - len(HISTORY) - len(EXAMPLES[0])


def test_the_self_test_turns_splicing_on_where_it_changes_nothing_and_is_kept(start, shallow):
    model = start(shallow)
    model.prepare(BASE, EXAMPLES)
    found = model.describe()
    assert found["splicing"] == "on"
    assert found["splice_agreement"] >= 0.98
    assert found["splice_divergence"] < 1e-3
    assert found["splice_tokens"] > 100
    answer(model, PROMPT)
    assert model.report.reused_tokens == REUSED
    model.close()
    again = start(shallow)
    answer(again, PROMPT)
    assert again.describe()["splicing"] == "on"


def test_the_self_test_turns_splicing_off_where_statements_would_change(start, tiny):
    model, read = start(tiny), start(tiny, splice="never")
    model.prepare(BASE, EXAMPLES)  # noise in two layers depends on everything before
    assert model.describe()["splicing"] == "off"
    assert answer(model, PROMPT) == answer(read, PROMPT)
    other = Prompt(BASE, EXAMPLES[2:5], HISTORY)
    assert answer(model, other) == answer(read, other)


def test_too_few_examples_leave_the_question_open(start, shallow):
    model = start(shallow)
    model.prepare(BASE, EXAMPLES[:1])
    assert model.describe()["splicing"] == "not tested yet"


def test_a_full_folder_keeps_the_first_and_a_prompt_works_all_the_same(start, folder, tmp_path):
    file = make_tiny_gguf(folder / "long.gguf", context=8192)
    many = [f"# Example {number}\n" + "x = 'a long example'\n" * 60 for number in range(12)]
    model = start(file, splice="always", cache_megabytes=2, context_tokens=8192)
    model.prepare(BASE, many)
    assert sum(path.stat().st_size for path in kept(tmp_path)) <= 2_000_000
    prompt = Prompt(BASE, tuple(many[-2:]), HISTORY)
    assert answer(model, prompt) == answer(start(file, splice="always", cache_megabytes=0), prompt)


def test_a_question_interrupts_what_is_prepared(start, folder, tmp_path):
    file = make_tiny_gguf(folder / "patient.gguf", context=32768)
    expected = answer(start(file, splice="always", cache_megabytes=0), PROMPT)
    model = start(file, splice="always", context_tokens=32768)
    model.describe()
    examples = [f"# Example {number}\n" + "x = 'a long example'\n" * 900 for number in range(20)]
    thread = threading.Thread(target=model.prepare, args=(BASE, examples))  # would take minutes
    thread.start()
    while not model._preparing:
        os.sched_yield()
    assert answer(model, PROMPT) == expected
    thread.join()
    assert len(kept(tmp_path)) < len(examples)
    assert model.restarts == 0


def test_a_worker_that_dies_while_it_prepares_is_followed_by_one_that_does_not_splice(start, folder):
    file = make_tiny_gguf(folder / "patient.gguf", context=32768)
    model = start(file, splice="always", context_tokens=32768)
    model.describe()
    thread = threading.Thread(target=model.prepare, args=(BASE, ["x = 'a long example'\n" * 900] * 2))
    thread.start()
    while not model._preparing:
        os.sched_yield()
    os.kill(model.process_id, 9)
    thread.join()
    assert model.describe()["splicing"] == "off"
    assert model.restarts == 1


def test_the_last_try_of_a_worker_that_keeps_dying_is_one_without_splicing(start, tiny):
    model = start(tiny, splice="always")
    assert model.describe()["splicing"] == "on"
    for _ in range(2):
        if model.process_id is None:
            model.prepare(BASE, ())  # starts another, and is no answer
        os.kill(model.process_id, 9)
        with pytest.raises(ModelError):
            model.complete(PROMPT)
    assert model.describe()["splicing"] == "off"


def test_a_model_made_by_another_seed_has_files_of_its_own(start, folder, tiny):
    first = start(tiny)
    answer(first, PROMPT)
    other = start(make_tiny_gguf(folder / "other.gguf", seed=2))
    answer(other, PROMPT)
    assert other.report.reused_tokens == 0


def test_equal_statements_come_out_of_a_scripted_model_however_it_reads(start, folder):
    file = make_scripted_gguf(folder / "scripted.gguf", {">>>": " say('hi')", " say('hi')": "\n"})
    model = start(file)
    model.prepare(BASE, EXAMPLES)
    assert model.describe()["splicing"] == "on"
    assert model.complete(PROMPT) == " say('hi')\n"
