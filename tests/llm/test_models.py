"""Which model file is used, and what the commands about model files answer."""

import pytest

from daemon.config import ConfigError, LlmConfig
from daemon.llm.model import ModelError
from daemon.llm.model_files import (
    check_model,
    choose_model,
    choose_worker,
    find_model,
    list_models,
    select_model,
    selected_model,
)
from tests.llm.tiny_gguf import CHAT_TEMPLATE, make_tiny_gguf

AUTO = LlmConfig()


def test_without_a_model_file_the_brain_is_imitation(tmp_path):
    assert choose_model(AUTO, tmp_path) is None
    assert choose_model(AUTO, tmp_path / "not-there") is None


def test_without_another_model_file_the_brain_is_heeds_own(tmp_path, caplog, monkeypatch):
    (tmp_path / "heed-brain").mkdir()
    own = make_tiny_gguf(tmp_path / "heed-brain" / "heed-brain.gguf")
    assert choose_model(AUTO, tmp_path) == own
    assert choose_model(AUTO, tmp_path, "imitation") is None
    other = make_tiny_gguf(tmp_path / "other.gguf")
    assert choose_model(AUTO, tmp_path) == other
    other.unlink()
    monkeypatch.setattr("daemon.llm.model_files.memory_available", lambda: 1000)
    assert choose_model(AUTO, tmp_path) is None
    assert "take a smaller one" in caplog.text


def test_the_only_model_file_is_used(tmp_path):
    path = make_tiny_gguf(tmp_path / "a.gguf")
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    assert choose_model(AUTO, tmp_path) == path
    assert choose_model(LlmConfig(brain="imitation"), tmp_path) is None


def test_of_several_model_files_a_person_chooses(tmp_path):
    make_tiny_gguf(tmp_path / "a.gguf")
    b = make_tiny_gguf(tmp_path / "b.gguf")
    with pytest.raises(ConfigError, match=r"2 models \(a\.gguf, b\.gguf\); .* heed models use FILE"):
        choose_model(AUTO, tmp_path)
    state = tmp_path / "state"
    select_model(b, tmp_path, state)
    selected = selected_model(tmp_path, state)
    assert choose_model(AUTO, tmp_path, selected) == b
    assert [(model.path.name, model.selected) for model in list_models(tmp_path, selected)] == [
        ("a.gguf", False),
        ("b.gguf", True),
    ]
    select_model(None, tmp_path, state)
    assert choose_model(AUTO, tmp_path, selected_model(tmp_path, state)) is None


def test_robots_that_share_a_folder_of_models_choose_each_for_itself(tmp_path):
    a, b = (make_tiny_gguf(tmp_path / "models" / name) for name in ("a.gguf", "b.gguf"))
    select_model(a, tmp_path / "models", tmp_path / "one")
    select_model(b, tmp_path / "models", tmp_path / "other")
    assert selected_model(tmp_path / "models", tmp_path / "one") == "a.gguf"
    assert selected_model(tmp_path / "models", tmp_path / "other") == "b.gguf"


def test_what_was_chosen_in_the_folder_before_still_holds(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "selected").write_text("a.gguf\n")
    assert selected_model(tmp_path / "models", tmp_path / "state") == "a.gguf"
    select_model(None, tmp_path / "models", tmp_path / "state")
    assert selected_model(tmp_path / "models", tmp_path / "state") == "imitation"


def test_the_file_of_the_worker_is_no_brain(tmp_path):
    a, b = (make_tiny_gguf(tmp_path / name) for name in ("a.gguf", "b.gguf"))
    config = LlmConfig(worker="llama:b.gguf")
    assert choose_model(config, tmp_path) == a
    assert choose_worker(config, tmp_path) == b
    assert choose_worker(AUTO, tmp_path) is None
    b.unlink()
    assert choose_model(config, tmp_path) == a
    with pytest.raises(ConfigError, match=r"no model b\.gguf .* did you mean a\.gguf"):
        choose_worker(config, tmp_path)
    with pytest.raises(ConfigError, match=r'worker = "b\.gguf" is neither'):
        choose_worker(LlmConfig(worker="b.gguf"), tmp_path)


def test_the_setting_names_a_file_in_the_folder_or_anywhere(tmp_path):
    inside = make_tiny_gguf(tmp_path / "models" / "a.gguf")
    outside = make_tiny_gguf(tmp_path / "b.gguf")
    for name, path in {"a.gguf": inside, "a": inside, str(outside): outside}.items():
        assert choose_model(LlmConfig(brain=f"llama:{name}"), tmp_path / "models") == path


def test_a_file_outside_the_folder_can_be_chosen(tmp_path):
    outside = make_tiny_gguf(tmp_path / "b.gguf")
    select_model(outside, tmp_path / "models", tmp_path)
    assert choose_model(AUTO, tmp_path / "models", selected_model(tmp_path / "models", tmp_path)) == outside


def test_a_misspelt_model_is_answered_with_the_nearest(tmp_path):
    make_tiny_gguf(tmp_path / "qwen-small.gguf")
    with pytest.raises(ConfigError, match=r"did you mean qwen-small\.gguf\?"):
        find_model("qwen_small.gguf", tmp_path)
    with pytest.raises(ConfigError, match="is none of"):
        choose_model(LlmConfig(brain="gpt"), tmp_path)


def test_a_check_of_a_file_that_does_not_work_says_why(tmp_path):
    good = make_tiny_gguf(tmp_path / "good.gguf")
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(good.read_bytes().replace(b"blk.1.ffn_up", b"blk.1.ffn_oh"))
    with pytest.raises(ModelError, match="cannot load"):
        check_model(bad, AUTO)


def test_a_check_loads_the_file_and_tells_what_it_found(tmp_path):
    path = make_tiny_gguf(tmp_path / "a.gguf", chat_template=CHAT_TEMPLATE)
    checked = check_model(path, LlmConfig(context_tokens=512))
    assert checked.context_tokens == 512
    assert checked.chat
    assert checked.splice
    assert checked.load_seconds > 0
    assert checked.tokens_per_second > 0


def test_a_model_larger_than_memory_is_refused_with_its_size(tmp_path):
    path = make_tiny_gguf(tmp_path / "a.gguf", context=2**31)
    with pytest.raises(ModelError, match="GB are free; take a smaller one"):
        check_model(path, LlmConfig(context_tokens=2**31))


def test_broken_and_foreign_files_are_listed_with_their_problem(tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"hello")
    embedder = make_tiny_gguf(tmp_path / "embedder.gguf")
    embedder.write_bytes(embedder.read_bytes().replace(b"tokenizer.ggml.model", b"tokenizer.ggml.other"))
    broken, foreign = list_models(tmp_path)
    assert "not a GGUF" in broken.problem
    assert "no language model" in foreign.problem
    with pytest.raises(ModelError, match="no language model"):
        check_model(embedder, AUTO)


def test_a_file_in_a_folder_of_its_own_is_used_only_when_somebody_says_so(tmp_path):
    (tmp_path / "own").mkdir()
    own = make_tiny_gguf(tmp_path / "own" / "own.gguf")
    make_tiny_gguf(tmp_path / "own" / "part.gguf")
    assert choose_model(LlmConfig(), tmp_path) is None
    assert find_model("own", tmp_path) == own
    select_model(own, tmp_path, tmp_path / "state")
    selected = selected_model(tmp_path, tmp_path / "state")
    assert choose_model(LlmConfig(), tmp_path, selected) == own
    assert [(listed.path, listed.selected) for listed in list_models(tmp_path, selected)] == [(own, True)]
