"""A model file's header is read without loading it, and a broken one says what to do."""

import random
import struct

import gguf
import pytest

from daemon.llm.gguf_file import _BLOCKS, GgufError, read_gguf
from tests.llm.tiny_gguf import CHAT_TEMPLATE, make_tiny_gguf

STRING, FLOAT = gguf.GGUFValueType.STRING, gguf.GGUFValueType.FLOAT32


def test_the_header_tells_what_the_model_is(tmp_path):
    file = make_tiny_gguf(tmp_path / "tiny.gguf", context=512, chat_template=CHAT_TEMPLATE)
    model = read_gguf(file)
    assert (model.architecture, model.name, model.context_tokens) == ("llama", "tiny", 512)
    assert model.chat_template == CHAT_TEMPLATE
    assert 400_000 < model.tensor_bytes < file.stat().st_size


def test_a_file_without_a_template_says_so(tmp_path):
    assert read_gguf(make_tiny_gguf(tmp_path / "tiny.gguf")).chat_template is None


@pytest.mark.parametrize(("said", "means"), [(None, 0.0), (0.75, 0.75), (7.5, 0.0), ("much", 0.0)])
def test_a_file_says_how_sure_it_must_be_to_be_acted_on(tmp_path, said, means):
    writer = gguf.GGUFWriter(tmp_path / "said.gguf", "llama")
    if said is not None:
        writer.add_key_value("heed.confidence", said, STRING if isinstance(said, str) else FLOAT)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert read_gguf(tmp_path / "said.gguf").confidence == means


@pytest.mark.parametrize(("taught", "tokens"), [(True, 4096), (False, 8192)])
def test_one_that_was_taught_is_shown_shorter_texts(tmp_path, taught, tokens):
    writer = gguf.GGUFWriter(tmp_path / "said.gguf", "llama")
    writer.add_context_length(8192)
    writer.add_bool("heed.taught", taught)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert read_gguf(tmp_path / "said.gguf").context_tokens == tokens


def test_a_longer_context_needs_memory_for_its_keys_and_values(tmp_path):
    model = read_gguf(make_tiny_gguf(tmp_path / "tiny.gguf"))
    # 2 layers x 2 heads x (16 + 16) numbers x 2 bytes
    assert model.memory_needed(1000) - model.memory_needed(0) == 1000 * 256


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(GgufError, match=r"no-such\.gguf cannot be read"):
        read_gguf(tmp_path / "no-such.gguf")


@pytest.mark.parametrize("content", [b"", b"GGUF", b"PK\x03\x04" + bytes(100), b"\n" * 5000])
def test_another_kind_of_file_is_refused(tmp_path, content):
    (tmp_path / "x.gguf").write_bytes(content)
    with pytest.raises(GgufError, match="not a GGUF file"):
        read_gguf(tmp_path / "x.gguf")


@pytest.mark.parametrize("kept", [30, 400, 5000, -1])
def test_a_file_cut_off_anywhere_asks_to_be_downloaded_again(tmp_path, kept):
    path = make_tiny_gguf(tmp_path / "tiny.gguf")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(GgufError, match="download it again"):
        read_gguf(path)


def test_a_future_version_is_refused_by_its_number(tmp_path):
    path = make_tiny_gguf(tmp_path / "tiny.gguf")
    path.write_bytes(b"GGUF" + struct.pack("<I", 9) + path.read_bytes()[8:])
    with pytest.raises(GgufError, match="version 9"):
        read_gguf(path)


def test_random_damage_is_read_or_refused_but_never_crashes(tmp_path):
    original = make_tiny_gguf(tmp_path / "tiny.gguf").read_bytes()
    dice = random.Random(7)
    for _ in range(300):
        content = bytearray(original[:9000])
        for _ in range(dice.choice([1, 3, 20])):
            content[dice.randrange(4, len(content))] = dice.choice([0, 255, dice.randrange(256)])
        (tmp_path / "x.gguf").write_bytes(content)
        with pytest.raises(GgufError):  # at least the weights are missing
            read_gguf(tmp_path / "x.gguf")


def test_the_sizes_of_tensor_types_are_those_of_the_reference_library():
    sizes = {int(kind): size for kind, size in gguf.GGML_QUANT_SIZES.items() if kind.name != "Q8_1"}
    assert sizes == _BLOCKS


@pytest.mark.parametrize("value", ["long", [], -5, 0, float("nan"), float("inf"), 2**63])
@pytest.mark.parametrize("key", ["context_length", "block_count", "attention.head_count"])
def test_sizes_that_are_none_are_damage_and_not_a_crash_later(tmp_path, key, value):
    path = tmp_path / "odd.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    if isinstance(value, list):
        writer.add_array(f"llama.{key}", [["no", "number"], ["at", "all"]][0])
    elif isinstance(value, str):
        writer.add_string(f"llama.{key}", value)
    elif isinstance(value, float):
        writer.add_float64(f"llama.{key}", value)
    else:
        writer.add_key_value(
            f"llama.{key}", value, gguf.GGUFValueType.INT64 if value < 0 else gguf.GGUFValueType.UINT64
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    try:
        read = read_gguf(path)
    except GgufError:
        return
    assert read.context_tokens > 0
    assert read.memory_needed(8) > 0


def test_a_header_that_promises_gigabytes_is_refused_without_reading_them(tmp_path):
    path = tmp_path / "vast.gguf"
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 0) + struct.pack("<Q", 0) + struct.pack("<I", 1 << 31))
        file.truncate(1 << 36)  # sparse: takes no disk
    with pytest.raises(GgufError, match="dimensions"):
        read_gguf(path)
