"""The steps of a routine are complete."""

import pytest

from daemon.console.learning.told_routine import as_told
from sim.scene import Scene as World
from skills.scene import Scene

WORLD = {
    "robot": {"location": "trolley"},
    "locations": [
        "trolley",
        {"name": "treatment_couch", "aliases": ["the bed"]},
        {"name": "kath", "kind": "person"},
    ],
    "objects": {
        name: {"category": name.rstrip("_123"), "location": "trolley"}
        for name in ("towel_1", "towel_2", "towel_3", "massage_oil", "till_key")
    },
}
SCENE = Scene.from_observation(World.from_description(WORLD).observe())


@pytest.mark.parametrize(
    ("name", "steps", "words", "kept"),
    [
        # told as it was said: the mind's words stay
        (
            "knee session",
            "put two towels and the massage oil on the treatment couch",
            "Knee session is two towels and the massage oil on the bed.",
            "put two towels and the massage oil on the treatment couch",
        ),
        ("pause", "bring you the till key", "When I say pause, do the same again", "bring you the till key"),
        ("the key", "bring you the till key", "do that each time from now on", "bring you the till key"),
        ("visit", "bring Kath one towel", "one towel to kath, that is a visit", "bring Kath one towel"),
        (
            "visit",
            "bring Kath two towels and the massage oil",
            "visit: two towels and two massage oil to kath",
            "two towels and two massage oil to kath",
        ),
        (
            "visit",
            "bring Kath the massage oil",
            "a visit is the massage oil to kath, not a towel",
            "bring Kath the massage oil",
        ),
        (
            "visit",
            "bring Kath the massage oil",
            "a visit is the massage oil to kath. And bring me the till key now",
            "bring Kath the massage oil",
        ),
        (
            "visit",
            "bring Kath two towels",
            "The visit is two clean towels to Kath",
            "bring Kath two towels",
        ),
        (
            "visit",
            "bring Kath one towel",
            "two towels to Kath is a visit, and now bring me the till key",
            "bring Kath one towel",
        ),
        (
            "visit",
            "bring Kath two towels",
            "bring Kath two towels and the massage oil, that's a visit",
            "bring Kath two towels and the massage oil",
        ),
        # a number of things that nobody said, a part that was left out, another place
        (
            "visit",
            "bring Kath two towels and the massage oil",
            "A visit means one towel and the massage oil to Kath.",
            "one towel and the massage oil to Kath",
        ),
        (
            "closing time",
            "put two towels on the trolley",
            "when I say closing time, that's 2 towels and the till key on the trolley",
            "2 towels and the till key on the trolley",
        ),
        (
            "closing time",
            "put the till key on the trolley",
            "put all the towels and the till key on the bed, we call that closing time",
            "put all the towels and the till key on the bed",
        ),
    ],
)
def test_what_was_said_is_kept(name: str, steps: str, words: str, kept: str) -> None:
    assert as_told(name, steps, words, SCENE) == kept
