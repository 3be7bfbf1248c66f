"""A request of which much was not read is asked about; what nobody asked for is not done."""

import pytest

from daemon.imitation import Imitation
from daemon.imitation.half_read import NOT_ALL
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen

COMPLAINT = "Cheese, you see, is full of fat, and my doctor wept when he saw my blood last week"


@pytest.fixture
def kitchen(memory: Memory, embedder: MiniLmEmbedder) -> Kitchen:
    return Kitchen(Imitation(embedder), memory)


def test_what_was_hardly_read_is_asked_about(kitchen: Kitchen) -> None:
    kitchen.talk(COMPLAINT, "no")
    assert f"{NOT_ALL} Shall I bring you the cheese?" in kitchen.seen.speech
    assert kitchen.where("cheese") == "fridge"


def test_a_yes_has_the_guess_done(kitchen: Kitchen) -> None:
    kitchen.talk(COMPLAINT, "yes")
    assert kitchen.where("cheese") == "person"


def test_another_answer_is_heard_as_if_it_were_said_now(kitchen: Kitchen) -> None:
    kitchen.talk(COMPLAINT, "bring me the apple")
    assert (kitchen.where("cheese"), kitchen.where("apple")) == ("fridge", "person")


@pytest.mark.parametrize(
    "said",
    [
        "Could you please bring me the cheese when you have time?",
        "oh dear, I am so hungry, I would love some cheese",
        "I was out all day, so hand me the cheese",
    ],
)
def test_a_few_words_beside_a_request_do_not_matter(kitchen: Kitchen, said: str) -> None:
    kitchen.talk(said)
    assert kitchen.where("cheese") == "person"
