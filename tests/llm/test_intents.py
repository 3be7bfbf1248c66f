"""The network that reads what words ask for: what it is told, what it tells, and the file that set-up makes."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from daemon.llm.embedder import DEFAULT_FOLDER
from daemon.llm.intents import INTENTS, MOST_TOKENS, Asked, Deeds, Intents, Name, Read, Text
from daemon.llm.minilm_onnx import WIDTH, build_intents, weights_folder
from daemon.llm.model import ModelError

NAMES = [
    Name("person", "person", "person"),
    Name("mia", "mia", "person"),
    Name("fridge", "fridge (closed)", "place"),
    Name("oat_milk", "oat_milk (drink, also the vegan one)", "thing"),
    Name("juice", "juice (drink)", "thing"),
    Name("table", "table", "place"),
]
JUICE = Asked("bring me the juice", "", "", "table; left hand: empty, right hand: empty", NAMES)


def deeds(function: str, *, moved: str = "", named: str = "", target: str = "") -> Deeds:
    return Deeds(frozenset(function.split()), *(frozenset(part.split()) for part in (moved, named, target)))


def test_each_name_has_the_tokens_that_tell_it() -> None:
    file = DEFAULT_FOLDER / "tokenizer.json"
    text, read = Text(file).encode(JUICE), Tokenizer.from_file(str(file))
    told = {name.name: read.decode(list(text.tokens[begin:end])) for name, begin, end in text.spans}
    assert told["oat_milk"] == "oat milk ( drink, also the vegan one )"
    assert list(told) == [name.name for name in NAMES]
    said = [token for token, kind in zip(text.tokens, text.kinds, strict=True) if kind == 0]
    assert read.decode(said) == "bring me the juice |"


def test_a_long_scene_is_told_as_far_as_there_is_room() -> None:
    many = [Name(f"thing_{number}", f"thing_{number} (an odd one of a kind)", "thing") for number in range(99)]
    text = Text(DEFAULT_FOLDER / "tokenizer.json").encode(Asked("bring it", "", "", "", many, ["I never bring it."]))
    assert 10 < len(text.spans) < len(many)
    assert max(end for _, _, end in text.spans) <= MOST_TOKENS
    crowd = Asked(
        "word " * 500, "did " * 500, "failed " * 500, "", [Name("x", "x y", "person")] * 500, ["rule " * 99] * 9
    )
    assert len(Text(DEFAULT_FOLDER / "tokenizer.json").encode(crowd).tokens) < 512
    assert Intents().read(crowd)(deeds("pass")) < 0


def test_an_answer_is_as_likely_as_its_function_and_what_becomes_of_each_name() -> None:
    bring = INTENTS.index(frozenset({"bring"}))
    intents = np.full(len(INTENTS), -9.0, np.float32)
    intents[bring] = -0.1
    odds = np.full((len(NAMES), 3), -8.0, np.float32)
    odds[0, 2] = odds[4, 0] = 8.0  # the juice, to the person
    read = Read(intents, NAMES, odds)
    right = read(deeds("bring", moved="juice", target="person"))
    assert right == pytest.approx(-0.1, abs=0.01)
    assert read(deeds("bring", moved="oat_milk", target="person")) == pytest.approx(right - 16, abs=0.1)
    assert read(deeds("bring", moved="juice oat_milk", target="person")) == pytest.approx(right - 8, abs=0.1)
    assert read(deeds("bring", moved="juice", target="mia")) == pytest.approx(right - 16, abs=0.1)
    assert read(deeds("never heard of", moved="juice", target="person")) == pytest.approx(right - 8.9, abs=0.1)
    assert read.deed == deeds("bring", moved="juice", target="person")
    assert Read(intents - 1.0, NAMES, odds).deed is None
    odds[4, 0] = -8.0  # nothing is brought: a thing that found no room
    assert Read(intents, NAMES, odds).deed is None


def test_words_alone_may_be_talk_or_say_no() -> None:
    intents = np.full(len(INTENTS), -9.0, np.float32)
    intents[[INTENTS.index(frozenset([one])) for one in ("say", "refuse")]] = np.log([0.3, 0.6])
    read = Read(intents, [], np.zeros((0, 3), np.float32))
    assert read(deeds("say")) == pytest.approx(np.log(0.9), abs=0.01)
    assert read.of_these(frozenset(["refuse"])) == pytest.approx(0.6, abs=0.01)
    assert read.of_these(frozenset(["say", "pass"])) == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize(
    ("intent", "sure", "spoken_of", "asked_of"),
    [
        ("tell", 0.9, ["juice", "oat_milk"], ["oat_milk", "juice"]),
        ("tell", 0.9, [], []),
        ("tell", 0.4, ["juice"], []),
        ("tell_time", 0.9, ["juice"], ["time"]),
        ("bring", 0.9, ["juice"], []),
        ("bring put", 0.9, ["juice"], []),
    ],
)
def test_what_somebody_asks_to_be_told_of(intent: str, sure: float, spoken_of: list[str], asked_of: list[str]) -> None:
    intents = np.full(len(INTENTS), np.log((1 - sure) / (len(INTENTS) - 1)), np.float32)
    intents[INTENTS.index(frozenset(intent.split()))] = np.log(sure)
    odds = np.full((len(NAMES), 3), -8.0, np.float32)
    for place, name in enumerate(NAMES):
        odds[place, 1] = 3.0 if name.name in spoken_of else -3.0
    read = Read(intents, NAMES, odds)
    assert read.asked_of() == asked_of
    assert sure - 0.01 < read.of_these(frozenset([*intent.split(), "no such function"])) < sure + 0.1


def test_a_fair_chance_is_enough_where_that_is_asked_for() -> None:
    intents = np.full(len(INTENTS), np.log(0.01), np.float32)
    intents[[INTENTS.index(frozenset([one])) for one in ("say", "tell")]] = np.log([0.5, 0.35])
    odds = np.full((len(NAMES), 3), -8.0, np.float32)
    odds[[name.name for name in NAMES].index("juice"), 1] = 3.0
    assert Read(intents, NAMES, odds).asked_of() == []
    assert Read(intents, NAMES, odds).asked_of(fairly=True) == ["juice"]


@pytest.mark.parametrize(
    ("intent", "moved", "several"), [("bring", 1, False), ("bring", 2, True), ("bring put", 1, True)]
)
def test_how_much_is_to_be_done(intent: str, moved: int, several: bool) -> None:
    intents = np.full(len(INTENTS), -9.0, np.float32)
    intents[INTENTS.index(frozenset(intent.split()))] = -0.1
    things = [place for place, name in enumerate(NAMES) if name.role == "thing"][:moved]
    odds = np.full((len(NAMES), 3), -8.0, np.float32)
    odds[things, 0] = 2.0
    read = Read(intents, NAMES, odds)
    assert read.moved == [NAMES[place].name for place in things]
    assert read.asks_for_several == several


def test_what_it_learned_is_added_to_the_layers(tmp_path: Path) -> None:
    weights = load_file(weights_folder() / "model.safetensors")
    chance = np.random.default_rng(0)
    heads = {
        f"{head}.{part}": chance.normal(size=shape).astype(np.float32)
        for head, given, told in (("intents", WIDTH, len(INTENTS)), ("mixed", 2 * WIDTH, WIDTH), ("roles", WIDTH, 3))
        for part, shape in (("weight", (told, given)), ("bias", (told,)))
    }
    dense = "encoder.layer.5.output.dense"
    adapter = {
        f"{dense}.up": np.zeros((WIDTH, 2), np.float32),
        f"{dense}.down": chance.normal(size=(2, 1536)).astype(np.float32),
    }
    (tmp_path / "tokenizer.json").write_bytes((DEFAULT_FOLDER / "tokenizer.json").read_bytes())

    def told(learned: dict[str, np.ndarray]) -> Read:
        (tmp_path / "intents.onnx").write_bytes(build_intents(weights, learned).SerializeToString())
        return Intents(tmp_path).read(JUICE)

    before = told(heads)
    assert before.roles.shape == (len(NAMES), 3)
    assert np.exp(before.intents).sum() == pytest.approx(1, abs=1e-3)
    np.testing.assert_allclose(told(heads | adapter).roles, before.roles, rtol=1e-3, atol=1e-3)
    adapter[f"{dense}.up"] = chance.normal(size=(WIDTH, 2)).astype(np.float32)
    assert np.abs(told(heads | adapter).roles - before.roles).max() > 0.1
    fewer = {name: value[:-1] if name.startswith("intents.") else value for name, value in heads.items()}
    with pytest.raises(ModelError, match="another version"):
        told(fewer)


def test_what_ships_knows_what_is_wanted() -> None:
    """A plain wish, in a made-up scene."""
    read = Intents().read(JUICE)
    wanted = read(deeds("bring", moved="juice", target="person"))
    assert wanted > max(
        read(deeds("bring", moved="oat_milk", target="person")),
        read(deeds("put", moved="juice", target="table")),
        read(deeds("say")),
    )


def test_missing_and_broken_files_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="run script/setup"):
        Intents(tmp_path)
    (tmp_path / "intents.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="delete it"):
        Intents(tmp_path)
