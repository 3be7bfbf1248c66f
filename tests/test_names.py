"""Names of things, as catalogues write them and as people say them."""

import pytest

from daemon.names import called, forms, mention, spoken


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("multivitamin-juice_0", "juice"),
        ("multivitamin-juice_0", "Multivitamin juice"),
        ("cup_large_0", "the cup"),
        ("cup_large_0", "the large cup"),
        ("square-table-80x80_0", "the square table"),
        ("shirt 1", "shirt 1"),
        ("apple", "apples"),
    ],
)
def test_a_thing_is_called_by_its_words_or_fewer_of_them(name: str, said: str) -> None:
    assert called(name, said)


@pytest.mark.parametrize(("name", "said"), [("milk_0", "milk tea"), ("cup_large_0", "cupboard"), ("juice", "jui")])
def test_other_words_are_other_things(name: str, said: str) -> None:
    assert not called(name, said)


def test_the_most_exact_form_comes_first() -> None:
    assert forms("apple-tea_0") == ("apple tea 0", "apple tea", "tea")


def test_what_the_robot_says_has_no_catalogue_number() -> None:
    assert [spoken(name) for name in ("cup_large_0", "shirt 1", "milk")] == ["large cup", "shirt 1", "milk"]


@pytest.mark.parametrize(("name", "said"), [("screws_m2", "screws m2"), ("h2o_flask", "h2o flask"), ("cup_7", "cup")])
def test_a_name_that_holds_a_number_can_be_said(name: str, said: str) -> None:
    assert spoken(name) == said


def test_a_mention_is_of_whole_words() -> None:
    assert mention("cup", "in the cupboard") is None
    assert mention("square table", "on the square-table, please") is not None
