"""The language model made on the fly, held against the definition of one."""

import math

import pytest

from daemon.speech.recognizers.trigram import Trigram

SENTENCES = [s.split() for s in ("bring me the cup", "bring me the juice", "go home", "bring it")]


class Arpa:
    """Reads an ARPA file back and answers as a recogniser would."""

    def __init__(self, text: str) -> None:
        rows = [line.split("\t") for line in text.splitlines() if "\t" in line]
        self.chance = {tuple(row[1].split()): float(row[0]) for row in rows}
        self.back_off = {tuple(row[1].split()): float(row[2]) for row in rows if len(row) > 2}
        self.words = [ngram[0] for ngram in self.chance if len(ngram) == 1 and ngram != ("<s>",)]

    def log_probability(self, ngram: tuple[str, ...]) -> float:
        if ngram in self.chance:
            return self.chance[ngram]
        return self.back_off.get(ngram[:-1], 0.0) + self.log_probability(ngram[1:])


@pytest.mark.parametrize("history", [(), ("<s>",), ("the",), ("bring", "me"), ("me", "the"), ("go", "the"), ("cup",)])
def test_after_any_words_the_probabilities_of_all_words_add_up_to_one(history: tuple[str, ...]) -> None:
    model = Arpa(Trigram(SENTENCES).arpa())
    total = sum(10 ** model.log_probability((*history, word)) for word in model.words)
    assert math.isclose(total, 1.0, abs_tol=1e-3)


def test_what_was_said_is_likelier_than_what_was_not_and_nothing_is_impossible() -> None:
    model = Arpa(Trigram(SENTENCES).arpa())
    known, new = model.log_probability(("me", "the", "cup")), model.log_probability(("me", "the", "home"))
    assert -10 < new < known < 0


def test_it_answers_itself_what_its_file_says() -> None:
    model, arpa = Trigram(SENTENCES, ["please"]), Arpa(Trigram(SENTENCES, ["please"]).arpa())
    for ngram in (("cup",), ("<s>", "go"), ("me", "the", "cup"), ("go", "the", "please"), ("cup", "cup", "cup")):
        assert math.log10(model.probability(ngram)) == pytest.approx(arpa.log_probability(ngram), abs=1e-4)
    assert "please" in model
    assert "spatula" not in model


def test_the_header_counts_what_follows() -> None:
    text = Trigram(SENTENCES).arpa()
    model = Arpa(text)
    for n in (1, 2, 3):
        assert f"ngram {n}={sum(len(ngram) == n for ngram in model.chance)}" in text


def test_without_a_word_there_is_no_model() -> None:
    with pytest.raises(ValueError, match="at least one sentence"):
        Trigram([[]])
