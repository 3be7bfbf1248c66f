"""Orders in several sentences, by hints and by needs, held against a described scene as a whole."""

import pytest

from daemon.imitation.english.long_orders.order_from_words import read_whole
from daemon.imitation.english.orders.names_in_orders import Look, namings_in

CARRIED = frozenset(["pickupable"])
LOOKS = [
    Look("FlowerPot_1", CARRIED),
    Look("FlowerPot_2", CARRIED),
    Look("Windowsill", frozenset(["receptacle"])),
    Look("DeskLamp_1", frozenset(["toggleable"]), {"size": "big", "on": False}),
    Look("DeskLamp_2", frozenset(["toggleable"]), {"size": "small", "on": False}),
    Look("Shed", frozenset(["openable", "receptacle"])),
    Look("Alarm", frozenset(["toggleable"])),
    Look("Rake", CARRIED),
    Look("Key", CARRIED, held=True),
]


@pytest.mark.parametrize(
    ("said", "order"),
    [
        (
            "There's a flowerpot up on the windowsill. Would you take it down for me?",
            "take the flower pot that is on the windowsill",
        ),
        ("It's dark. The desk lamps, see? Get the small one going, love.", "turn on the small desk lamps"),
        ("Whoever left the rake out... anyway, get rid of it before somebody trips.", "take the rake"),
        ("The shed still wants opening, dear.", "open the shed"),
        ("That alarm drives me mad; somebody shut it up, please!", "turn off the alarm"),
        ("In goes the key, into the shed, if you please.", "put the key into the shed"),
        ("My hands are full, so could the shed be closed?", "close the shed"),
        ("Ah, the alarm. No, leave the alarm alone; it's the rake I'd like brought.", "take the rake"),
    ],
)
def test_what_several_sentences_ask_for_is_one_plain_order(said: str, order: str) -> None:
    read = read_whole(said, LOOKS)
    assert read is not None
    assert read.text == order


@pytest.mark.parametrize(
    "said",
    [
        "When the bell rings, bring me the rake.",
        "I took the rake and she opened the shed.",
        "Don't touch the rake.",
        "What a lovely rake.",
    ],
)
def test_what_is_only_told_or_for_later_or_forbidden_is_no_order(said: str) -> None:
    assert read_whole(said, LOOKS) is None


def test_a_thing_is_named_by_its_compound_or_its_end_and_not_by_a_verb_of_the_same_letters() -> None:
    words = "lift the flowerpot over to the sill".split()  # noqa: SIM905
    named = [(naming.said, naming.names) for naming in namings_in(words, [*LOOKS, Look("Lift")])]
    assert named == [("flowerpot", ("FlowerPot_1", "FlowerPot_2")), ("sill", ("Windowsill",))]


def test_what_is_needed_is_found_by_what_it_is_for() -> None:
    read = read_whole("My nose is all drippy, can I have something to wipe it with?", [Look("Handkerchief", CARRIED)])
    assert read is not None
    assert read.target is not None
    assert read.target.purpose == "wipe nose with"
