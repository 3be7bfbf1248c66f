"""Of which kinds a thing is, by its name alone: names that stand in no list of ours, too."""

import pytest

from daemon.lexicon.kinds import content_of, is_kind, kinds_of_thing, qualities_of
from daemon.lexicon.wordnet import uses_of
from daemon.memory.rules import Scope


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("jigsaw_0", "power tool"),
        ("sander", "power tools"),
        ("macaroni", "pasta"),
        ("parmesan", "cheese"),
        ("utility-knife_0", "knife"),
        ("stew pot", "container"),
        ("multivitamin-juice_0", "beverage"),
        ("newspaper", "reading matter"),
        ("violin", "musical instrument"),
        ("coke can", "drink"),
    ],
)
def test_a_thing_is_of_its_kinds(name: str, kind: str) -> None:
    assert is_kind(name, kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("hammer", "power tool"), ("tea towel", "drink"), ("bread", "pasta"), ("blorp", "tool")],
)
def test_it_is_of_no_other_kind(name: str, kind: str) -> None:
    assert not is_kind(name, kind)


def test_what_is_of_every_kind_is_said_of_none() -> None:
    assert not {("object",), ("artifact",), ("device",)} & kinds_of_thing("remote control")


@pytest.mark.parametrize(
    ("name", "qualities"),
    [
        ("black-tea_0", {"hot", "liquid"}),
        ("iced tea", {"liquid"}),
        ("handsaw_0", {"sharp"}),
        ("wooden bowl", set()),
        ("glass-vase_0", {"fragile"}),
        ("paint-can_0", {"liquid"}),
        ("tea towel", set()),
    ],
)
def test_what_is_true_of_such_things_in_general(name: str, qualities: set[str]) -> None:
    assert qualities_of(name) == qualities


def test_a_vessel_is_called_by_what_is_in_it() -> None:
    assert (content_of("sugar-bowl_0"), content_of("cup_0"), content_of("bowl")) == ("sugar", "", "")


def test_a_rule_for_a_kind_covers_what_only_its_name_puts_there() -> None:
    rule = Scope(object_class="power tool")
    assert rule.covers(Scope(object_class="thing", object="jigsaw"))
    assert not rule.covers(Scope(object_class="thing", object="hammer"))
    assert not rule.covers(Scope(object_class="thing"))


@pytest.mark.parametrize(
    ("name", "use"),
    [("stethoscope", "listening"), ("corkscrew", "corks"), ("broom", "sweeping"), ("rasp", "smoothing")],
)
def test_what_a_thing_is_for_by_its_definition_or_that_of_its_kind(name: str, use: str) -> None:
    assert use in uses_of(name)


def test_of_a_word_that_is_in_no_dictionary_no_use_is_known() -> None:
    assert uses_of("wobbly") == frozenset()
