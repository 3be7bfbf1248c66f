"""What nobody taught the robot is said to be unknown, and not taken for something else, or for nothing."""

import pytest

from tests.support.worlds import Kitchen


@pytest.mark.parametrize(
    ("said", "unknown"),
    [
        ("Bring me the apple and dance a tango", "dance a tango"),
        ("bring me the apple, then water the flowers", "water the flowers"),
        ("bring me the apple and sing a song", "sing a song"),
    ],
)
def test_the_part_that_is_unknown_is_named(kitchen: Kitchen, said: str, unknown: str) -> None:
    kitchen.talk(said)
    assert kitchen.seen.speech == ["Here is the apple.", f"I have not learned how to do this yet: {unknown}."]


def test_a_thing_that_is_named_by_a_verb_is_not_brought(kitchen: Kitchen) -> None:
    kitchen.talk("water the flowers")
    assert kitchen.seen.speech == ["I have not learned how to do that yet."]
    assert kitchen.where("water") != "person"


@pytest.mark.parametrize("said", ["bring me the apple and the tea", "bring me the apple and some tea"])
def test_another_thing_is_no_verb(kitchen: Kitchen, said: str) -> None:
    kitchen.talk(said)
    assert kitchen.where("tea") == "person"
