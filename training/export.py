"""Writes the trained network as a GGUF file that llama.cpp loads like any other, and holds one against the other."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import gguf
import numpy as np
import torch
from numpy.typing import NDArray

from training.network import EPSILON, Network, Shape
from training.tokenizer import SPECIAL, Tokenizer

UNROTATED = 1e10
"""Divides a frequency until nothing turns any more."""
NAMES = {
    "q": "attn_q",
    "k": "attn_k",
    "v": "attn_v",
    "o": "attn_output",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
}
FORMATS = {"f16": gguf.GGMLQuantizationType.F16, "q8_0": gguf.GGMLQuantizationType.Q8_0}


def load_network(folder: Path) -> tuple[Network, Tokenizer, int]:
    """The network of a training's folder, its tokenizer, and the tokens that it was trained on."""
    tokenizer = Tokenizer.load(folder / "tokenizer.json")
    state = torch.load(folder / "state.pt", weights_only=True, map_location="cpu")
    recipe = state["recipe"]
    shape = Shape(len(tokenizer), recipe["width"], recipe["layers"], recipe["heads"], recipe["inner"])
    network = Network(shape)
    network.load_state_dict(state["network"])
    return network.eval(), tokenizer, int(state["tokens"])


def export(network: Network, tokenizer: Tokenizer, path: Path, form: str) -> None:
    """Write the file; `form` is "f16" or "q8_0". Vectors keep 32 bits."""
    writer = gguf.GGUFWriter(path, "llama")
    _add_shape(writer, network.shape)
    _add_vocabulary(writer, tokenizer)
    for name, weights in _tensors(network).items():
        if weights.ndim == 1:
            writer.add_tensor(name, weights)
            continue
        kind = FORMATS[form]
        writer.add_tensor(name, gguf.quants.quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def torch_logits(network: Network, tokens: Sequence[int]) -> NDArray[np.float32]:
    """Shape (len(tokens), vocabulary)."""
    with torch.no_grad():
        logits = network.logits(network(torch.tensor([list(tokens)])))[0]
    return np.asarray(logits.numpy(), np.float32)


def agreement(network: Network, tokenizer: Tokenizer, path: Path, texts: Iterable[str]) -> dict[str, float]:
    """How alike torch and llama.cpp read these texts.

    "tokens": share of texts with the same tokens; "best": share of places with the same likeliest token;
    "divergence": Kullback-Leibler, nats per token.
    """
    from llama_cpp import Llama

    model = Llama(str(path), n_ctx=network.shape.context, logits_all=True, verbose=False, n_threads=1)
    same, best, divergence = [], [], []
    for text in texts:
        tokens = tokenizer.encode(text)
        same.append(model.tokenize(text.encode(), add_bos=False, special=False) == tokens)
        model.reset()
        model.eval(tokens)
        theirs = _log_softmax(np.array(model.scores[: len(tokens)], np.float64))
        ours = _log_softmax(torch_logits(network, tokens).astype(np.float64))
        best += (ours.argmax(-1) == theirs.argmax(-1)).tolist()
        divergence += (np.exp(ours) * (ours - theirs)).sum(-1).tolist()
    return {"tokens": float(np.mean(same)), "best": float(np.mean(best)), "divergence": float(np.mean(divergence))}


def _log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = logits - logits.max(-1, keepdims=True)
    out: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return out


CONFIDENCE = 0.95
"""Below which the file asks not to be acted on: `python -m training confidence` says what that is worth."""


def _add_shape(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_name("heed-small")
    writer.add_float32("heed.confidence", CONFIDENCE)
    writer.add_string("heed.answers", "statement")
    writer.add_license("Apache-2.0")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(shape.base)
    writer.add_rope_dimension_count(shape.head)
    writer.add_vocab_size(shape.vocabulary)


def _add_vocabulary(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    kinds = gguf.TokenType
    given = len(SPECIAL) + 256
    types = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *[kinds.BYTE] * 256]
    types += [kinds.USER_DEFINED] * (tokenizer.first_normal - given)
    types += [kinds.NORMAL] * (len(tokenizer) - tokenizer.first_normal)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text.encode() for text in tokenizer.texts])
    writer.add_token_scores([0.0 if kind != kinds.NORMAL else -float(place) for place, kind in enumerate(types)])
    writer.add_token_types(types)
    writer.add_unk_token_id(SPECIAL.index("<unk>"))
    writer.add_bos_token_id(SPECIAL.index("<s>"))
    writer.add_eos_token_id(SPECIAL.index("</s>"))
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)


def _tensors(network: Network) -> Mapping[str, NDArray[np.float32]]:
    """llama.cpp's names; it rotates neighbouring dimensions, as we do, so that nothing need be permuted."""
    shape = network.shape
    state = {name: np.ascontiguousarray(weights.numpy(), np.float32) for name, weights in network.state_dict().items()}
    factors = np.full(shape.head // 2, UNROTATED, np.float32)
    factors[: shape.rotated] = 1.0
    found = {
        "token_embd.weight": state["embed.weight"],
        "output.weight": state["unembed.weight"],
        "output_norm.weight": state["norm"],
        "rope_freqs.weight": factors,
    }
    for layer in range(shape.layers):
        found[f"blk.{layer}.attn_norm.weight"] = state[f"blocks.{layer}.attention_norm"]
        found[f"blk.{layer}.ffn_norm.weight"] = state[f"blocks.{layer}.inner_norm"]
        for ours, theirs in NAMES.items():
            found[f"blk.{layer}.{theirs}.weight"] = state[f"blocks.{layer}.{ours}.weight"]
    return found
