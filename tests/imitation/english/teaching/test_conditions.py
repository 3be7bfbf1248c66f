"""Rules that are said as a condition and what is done then, whatever words stand around them."""

import pytest

from daemon.imitation.english.remarks import without_asides
from daemon.imitation.english.teaching.conditions import read_condition
from daemon.imitation.english.teaching.lesson_reader import taught
from daemon.memory.sentence_to_effect import read_effect
from skills.scene import Location, Scene, Thing

HERE = (0.0, 0.0, 0.0)
SCENE = Scene(
    (
        Thing("oat-biscuit_0", "snack", "counter_0", HERE),
        Thing("shortbread_0", "snack", "counter_0", HERE),
        Thing("black-tea_0", "drink", "counter_0", HERE),
        Thing("mint-tea_0", "drink", "counter_0", HERE),
        Thing("baking-tray_0", "dishes", "shelf_0", HERE),
        Thing("oven-mitts_0", "", "shelf_0", HERE),
        Thing("oil-can_0", "", "shelf_0", HERE),
        Thing("rag_0", "", "counter_0", HERE),
    ),
    (
        Location("counter_0", "surface", HERE),
        Location("shelf_0", "surface", HERE),
        Location("work-table_0", "surface", HERE),
    ),
)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("if it's a biscuit you want, bring the oat biscuit", None),
        ("when I ask for a biscuit, it's the oat biscuit", 'When you say "biscuit", you mean "the oat biscuit".'),
        ("If I say only tea, I want always the mint tea", 'When you say "tea", you mean "the mint tea".'),
        ("I say tea, you bring the mint tea", 'When you say "tea", you mean "the mint tea".'),
        (
            "before you hand me the tray I want the oven mitts, then the tray",
            "When you ask for tray, I first bring you the oven mitts.",
        ),
        (
            "me asking for the tray = oven mitts first, tray second",
            "When you ask for tray, I first bring you the oven mitts.",
        ),
        ("if I ask for the tray, the oven mitts come with it", "When you ask for tray, I also bring the mitts."),
        (
            "whenever the oil can goes on the work table, the rag goes there as well",
            "When I put the can on the work table, I then put the rag on the work table.",
        ),
        (
            "at baking time you put the tray on the counter and then you put the mitts there too",
            'When you say "baking time", you mean "put the baking tray on the counter and put the oven mitts on the '
            'counter".',
        ),
        (
            "if I want the rag and the oil can, take one in each hand and come just once",
            "When you ask for the rag and the can, I bring both in one trip.",
        ),
        ("when I ask for the tray I only want the tray", None),
        ("if you see the tray, do you bring it?", None),
        ("when I was young, the rag was red", None),
    ],
)
def test_a_condition_and_what_is_done_then_are_a_rule(said: str, rule: str | None) -> None:
    effect = read_condition(said, SCENE)
    assert (effect.sentence if effect else None) == rule
    if effect:
        assert read_effect(effect.sentence) == effect


@pytest.mark.parametrize(
    "said",
    [
        "ok so here's the deal: when I want tea it's the mint tea, cuz the other stuff keeps me awake",
        "because I sleep badly, by the way, if I ask for tea I mean the mint tea, you remember this",
        "You should know that when we ask for tea, it's the mint tea.",
    ],
)
def test_reasons_and_remarks_around_it_change_nothing(said: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect.sentence == 'When you say "tea", you mean "the mint tea".'


def test_what_is_said_around_a_lesson_is_taken_off() -> None:
    said = "By the way, in this house the cup goes on the shelf, because it is blue, okay?"
    assert without_asides(said) == "the cup goes on the shelf"


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "If I ask for the black tea, give me the mint tea instead",
            'When you say "black tea", you mean "the mint tea".',
        ),
        ("I always take the mint tea instead of the black tea", 'When you say "black tea", you mean "the mint tea".'),
        ("The shelf is called the dungeon", 'When you say "dungeon", you mean "the shelf".'),
    ],
)
def test_what_takes_the_place_of_something_and_what_a_place_is_called_is_a_meaning(said: str, rule: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect == read_effect(rule)


def test_a_way_that_one_goes_slowly_is_taught_without_more_words() -> None:
    effect = taught("From the counter to the work table you go slowly, please, no matter what you hold", SCENE)
    assert effect == read_effect("On the way from the counter to the work table, I drive at 0.5 times my normal speed.")
