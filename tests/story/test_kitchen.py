"""The papers' story: juice, a cup, both at once, remembered (Baermann et al. 2024, sec. 5.1), without weights."""

import pytest

from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen

CORRECTION = "thanks, but next time bring both at once, you have two hands"


@pytest.fixture
def taught(memory: Memory, embedder: MiniLmEmbedder) -> Memory:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.talk("I want some juice", "can you also bring me a cup?", CORRECTION, "yes")
    assert kitchen.trips_to("person") == 2
    return memory


def ask(memory: Memory, embedder: MiniLmEmbedder, *sentences: str) -> Kitchen:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.talk(*sentences)
    return kitchen


def test_before_the_lesson_juice_comes_alone(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = ask(memory, embedder, "I want some juice")
    assert (kitchen.where("juice"), kitchen.where("cup")) == ("person", "counter")


def test_after_the_lesson_both_come_in_one_trip(taught: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = ask(taught, embedder, "I want some juice")
    assert (kitchen.where("juice"), kitchen.where("cup")) == ("person", "person")
    assert kitchen.trips_to("person") == 1


def test_the_lesson_holds_for_another_drink(taught: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = ask(taught, embedder, "can I have some milk, please?")
    assert (kitchen.where("milk"), kitchen.where("cup")) == ("person", "person")
    assert kitchen.where("juice") == "fridge"


def test_the_lesson_does_not_hold_for_an_apple(taught: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = ask(taught, embedder, "I want to have an apple")
    assert (kitchen.where("apple"), kitchen.where("cup")) == ("person", "counter")


def test_the_rule_is_one_plain_sentence_with_a_scope(taught: Memory) -> None:
    (lesson,) = taught.lessons()
    assert "juice" in lesson.rule.text
    assert "cup" in lesson.rule.text
    assert lesson.rule.scope.object_class == "drink"
    assert "hand='right'" in lesson.transcript


@pytest.mark.parametrize("answers", [["no"], ["what?", "I do not know"], ["never"], []])
def test_without_a_yes_nothing_is_remembered(memory: Memory, embedder: MiniLmEmbedder, answers: list[str]) -> None:
    ask(memory, embedder, "I want some juice", "can you also bring me a cup?", CORRECTION, *answers)
    assert memory.lessons() == []


def test_a_forgotten_lesson_changes_nothing_any_more(taught: Memory, embedder: MiniLmEmbedder) -> None:
    taught.forget(taught.lessons()[0].id)
    assert ask(taught, embedder, "I want some juice").where("cup") == "counter"


def test_what_was_not_learned_is_admitted(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = ask(memory, embedder, "calculate the square root of nine")
    assert "not learned" in kitchen.seen.speech[-1]


@pytest.mark.parametrize("words", ["OK", "please", "okay, thank you", "hm", "...", "well", "good", "great, thanks"])
def test_small_words_end_nothing(kitchen: Kitchen, words: str) -> None:
    kitchen.talk(words, "bring me the apple")
    assert kitchen.where("apple") == "person"
    assert not kitchen.seen.speech or "learned" not in kitchen.seen.speech[0]
