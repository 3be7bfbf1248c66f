"""The endings of words, the usual ones and those of a home."""

import pytest

from daemon.lexicon.inflection import is_or_are, plain_forms, plural, singular, stem

NOUNS = [
    ("cup", "cups"), ("glass", "glasses"), ("dress", "dresses"), ("knife", "knives"), ("glove", "gloves"),
    ("tomato", "tomatoes"), ("shoe", "shoes"), ("photo", "photos"), ("cherry", "cherries"), ("cookie", "cookies"),
    ("tie", "ties"), ("pie", "pies"), ("tray", "trays"), ("dish", "dishes"), ("sandwich", "sandwiches"),
    ("box", "boxes"), ("bus", "buses"), ("lens", "lenses"), ("atlas", "atlases"), ("sofa", "sofas"),
    ("bread knife", "bread knives"), ("glass of water", "glass of waters"), ("toast", "toast"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "several"), NOUNS)
def test_nouns_have_a_singular_and_a_plural(one: str, several: str) -> None:
    assert (singular(several), plural(one)) == (one, several)


@pytest.mark.parametrize("one", [one for one, _ in NOUNS])
def test_a_singular_stays_one(one: str) -> None:
    assert singular(one) == one
    assert is_or_are(one) == "is"


@pytest.mark.parametrize("several", [several for one, several in NOUNS if one != several])
def test_of_several_one_says_are(several: str) -> None:
    assert is_or_are(several) == "are"


@pytest.mark.parametrize("noun", ["Glass", "Cookie", "this", "thermos flask", "Anna's"])
def test_capitals_and_possessives_are_no_plural(noun: str) -> None:
    assert is_or_are(noun) == "is"


def test_a_possessive_is_compared_without_its_s() -> None:
    assert singular("Grandma's") == "grandma"


def test_forms_of_one_word_have_one_stem() -> None:
    assert len({stem(word) for word in ("heat", "heating", "heated", "heater")}) == 1
    assert len({stem(word) for word in ("put", "putting")}) == 1
    assert len({stem(word) for word in ("arrange", "arranging", "arrangement")}) == 1
    assert stem("red") == "red"


@pytest.mark.parametrize(
    ("form", "verb"), [("bringing", "bring"), ("placing", "place"), ("putting", "put"), ("opened", "open")]
)
def test_the_plain_form_is_among_those_of_a_verb(form: str, verb: str) -> None:
    assert verb in plain_forms(form)


@pytest.mark.parametrize("word", ["open", "red", "king"])
def test_other_words_have_no_plain_form(word: str) -> None:
    assert list(plain_forms(word)) == []
