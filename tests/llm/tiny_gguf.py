"""Makes tiny models for the real llama.cpp: one talks nonsense, one says what it was told to.

Look at one with `python -m tests.llm.tiny_gguf /tmp/tiny.gguf`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np

LAYERS, WIDTH, HEADS, KV_HEADS, INNER = 2, 64, 4, 2, 128
KV_WIDTH = WIDTH // HEADS * KV_HEADS
SPECIAL = ["<unk>", "<s>", "</s>"]
SPACE = "▁"  # as this kind of vocabulary writes it
MARKERS = ["<|system|>", "<|end|>", "<|assistant|>"]
BYTES_AND_MARKERS = len(SPECIAL) + 256 + len(MARKERS) + 1
END = SPECIAL.index("</s>")
CHAT_TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make_tiny_gguf(
    path: Path, *, seed: int = 1, context: int = 2048, chat_template: str = "", layers: int = LAYERS
) -> Path:
    """Write a model with random weights, half a MB, and return its path.

    Its vocabulary is one token per byte, so that any text goes in; what comes out is noise that depends on
    everything that went in.
    """
    random = np.random.default_rng(seed)
    size = BYTES_AND_MARKERS
    weights = {name: random.normal(0, 0.4, shape) for name, shape in _shapes(size, layers).items()}
    return _write(path, [], weights, context, chat_template)


def make_scripted_gguf(
    path: Path, follows: Mapping[str, str], *, context: int = 2048, chat_template: str = "", sure: bool = True
) -> Path:
    """Write a model that continues each key with its value, and ends after anything else.

    Keys and values are tokens of their own: the longest key at the end of the prompt counts. A value that is
    also a key goes on. At most 63 keys. One that is not `sure` gives its tokens a probability of about 0.9.
    """
    texts = sorted({*follows.keys(), *follows.values()})
    ids = {text: BYTES_AND_MARKERS + place for place, text in enumerate(texts)}
    size = BYTES_AND_MARKERS + len(texts)
    # Attention and dense layers add nothing; each key has its own direction, other tokens share one.
    weights = {name: np.zeros(shape) for name, shape in _shapes(size).items()}
    embedding, output = weights["token_embd.weight"], weights["output.weight"]
    weight = 2 if sure else 1
    embedding[:, 0] = 1
    output[END, 0] = weight
    for direction, (key, value) in enumerate(follows.items(), start=1):
        embedding[ids[key]] = np.eye(WIDTH)[direction]
        output[ids[value], direction] = weight
    return _write(path, texts, weights, context, chat_template)


def _shapes(size: int, layers: int = LAYERS) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {"token_embd.weight": (size, WIDTH), "output.weight": (size, WIDTH)}
    for layer in range(layers):
        shapes |= {
            f"blk.{layer}.attn_q.weight": (WIDTH, WIDTH),
            f"blk.{layer}.attn_k.weight": (KV_WIDTH, WIDTH),
            f"blk.{layer}.attn_v.weight": (KV_WIDTH, WIDTH),
            f"blk.{layer}.attn_output.weight": (WIDTH, WIDTH),
            f"blk.{layer}.ffn_gate.weight": (INNER, WIDTH),
            f"blk.{layer}.ffn_up.weight": (INNER, WIDTH),
            f"blk.{layer}.ffn_down.weight": (WIDTH, INNER),
        }
    return shapes


def _write(path: Path, texts: list[str], weights: Mapping[str, np.ndarray], context: int, chat_template: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    layers = sum(name.endswith("attn_q.weight") for name in weights)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    _add_vocabulary(writer, texts)
    if chat_template:
        writer.add_chat_template(chat_template)
    for name, values in weights.items():
        writer.add_tensor(name, values.astype(np.float32))
    norms = [f"blk.{layer}.{norm}.weight" for layer in range(layers) for norm in ("attn_norm", "ffn_norm")]
    for name in [*norms, "output_norm.weight"]:
        writer.add_tensor(name, np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer: gguf.GGUFWriter, texts: list[str]) -> None:
    kinds = gguf.TokenType
    tokens = [(text, kinds.CONTROL) for text in SPECIAL]
    tokens += [(f"<0x{byte:02X}>", kinds.BYTE) for byte in range(256)]
    tokens += [(text, kinds.CONTROL) for text in MARKERS] + [(SPACE, kinds.NORMAL)]
    tokens += [(text, kinds.USER_DEFINED) for text in texts]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text.encode() for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_unk_token_id(SPECIAL.index("<unk>"))
    writer.add_bos_token_id(SPECIAL.index("<s>"))
    writer.add_eos_token_id(END)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)


if __name__ == "__main__":
    print(make_tiny_gguf(Path(sys.argv[1])))
