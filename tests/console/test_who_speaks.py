"""Conversations in which it matters who speaks: heed asks where nobody knows, takes the answer, and goes on."""

import math

import pytest

from daemon.console.who_speaks import NAME_LASTS, WHO
from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from daemon.trigger import Utterance
from tests.support.worlds import Kitchen

MY_TEA = "when I ask for tea, bring a spoon too, but only for me"


@pytest.fixture
def taught(memory: Memory, embedder: MiniLmEmbedder) -> Memory:
    """A memory in which Anna has a lesson for herself."""
    Kitchen(Imitation(embedder), memory).talk("my name is Anna", MY_TEA, "yes")
    return memory


@pytest.fixture
def kitchen(taught: Memory, embedder: MiniLmEmbedder) -> Kitchen:
    return Kitchen(Imitation(embedder), taught)


@pytest.mark.parametrize(
    ("answer", "spoon"), [("Anna", "person"), ("it's me, Anna", "person"), ("Ben", "counter"), ("nobody", "counter")]
)
def test_who_asks_is_asked_for_and_then_the_request_goes_on(kitchen: Kitchen, answer: str, spoon: str) -> None:
    kitchen.talk("bring me the tea", answer)
    assert kitchen.seen.speech[0] == WHO
    assert (kitchen.where("tea"), kitchen.where("spoon")) == ("person", spoon)


def test_who_has_said_it_is_not_asked_again(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "Anna", "put the tea on the table", "bring me the tea")
    assert kitchen.seen.speech.count(WHO) == 1


def test_nor_is_who_gave_no_name(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "nobody you know", "put the tea on the table", "bring me the tea")
    assert kitchen.seen.speech.count(WHO) == 1


def test_nobody_is_asked_where_it_makes_no_difference(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the juice", "where is the cup?", "thank you")
    assert WHO not in kitchen.seen.speech


def test_nor_about_what_holds_for_somebody_who_never_taught_anything(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.talk("Grandma gets her tea in the cup", "yes", "bring me the tea")
    assert WHO not in kitchen.seen.speech


def test_who_wants_nothing_any_more_is_brought_nothing(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "never mind")
    assert kitchen.seen.speech == [WHO, "All right."]
    assert kitchen.where("tea") == "shelf"


def test_something_else_instead_of_a_name_is_done_after_it(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "bring me the apple")
    assert (kitchen.where("tea"), kitchen.where("apple"), kitchen.where("spoon")) == ("person", "person", "counter")


def test_who_teaches_something_for_themselves_is_asked_at_once(memory: Memory, embedder: MiniLmEmbedder) -> None:
    Kitchen(Imitation(embedder), memory).talk(MY_TEA, "Anna", "yes")
    (lesson,) = memory.lessons()
    assert (lesson.taught_by, lesson.rule.scope.person) == ("Anna", "Anna")


def test_also_where_they_say_so_in_their_answer(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.talk("when I ask for tea, bring a spoon too", "yes, but only for me", "Anna", "yes")
    (lesson,) = memory.lessons()
    assert (lesson.taught_by, lesson.rule.scope.person) == ("Anna", "Anna")


class Voices(Kitchen):
    """People who are heard, each sentence at its second."""

    def hear(self, *sentences: tuple[float, str]) -> None:
        for at, text in sentences:
            self.triggers.put(Utterance(text, source="microphone", started_at=at, heard_at=at))
        self.talk()


def test_after_a_pause_the_name_counts_no_more_and_is_asked_for(taught: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = Voices(Imitation(embedder), taught)
    kitchen.hear(
        (0.0, "my name is Anna"), (10.0, "bring me the tea"), (20.0, "put the tea and the spoon on the counter"),
        (30.0 + NAME_LASTS, "bring me the tea"), (math.inf, "Ben"),
    )  # fmt: skip
    assert kitchen.seen.speech.count(WHO) == 1
    assert (kitchen.where("tea"), kitchen.where("spoon")) == ("person", "counter")


def test_nobody_is_asked_who_speaks_for_what_a_program_wants(taught: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = Kitchen(Imitation(embedder), taught)
    kitchen.triggers.put(Utterance("bring me the tea", source="fleet"))
    kitchen.talk()
    assert WHO not in kitchen.seen.speech
    assert kitchen.where("tea") == "person"
