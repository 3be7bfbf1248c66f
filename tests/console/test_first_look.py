"""Orders that describe a thing: put in names, asked about, or explained, before the model thinks and anything moves."""

from pathlib import Path

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.first_look import LookFirst
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.imitation import Imitation
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.console.worlds import ROOT, Kitchen

WORLD = {
    "locations": [
        "table",
        {"name": "shelf"},
        {"name": "fridge", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
    ],
    "objects": {
        "cup_1": {"category": "dishes", "location": "table", "state": {"dirty": False}},
        "cup_2": {"category": "dishes", "location": "table", "state": {"dirty": True}},
        "plate": {"category": "dishes", "location": "table"},
        "book": {"category": "media", "location": "shelf"},
    },
    "robot": {"location": "table"},
}


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder(ROOT / "models" / "minilm")


@pytest.fixture
def kitchen(tmp_path: Path, embedder: MiniLmEmbedder) -> Kitchen:
    memory = Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig())
    return Kitchen(Imitation(embedder), memory, scene=Scene.from_description(WORLD))


def look(text: str, *answers: str, policy: str = "described") -> tuple[str, tuple[str, ...], list[str]]:
    left, questions = list(answers), []

    def ask(question: str) -> str:
        questions.append(question)
        return left.pop(0)

    found = LookFirst(policy, Scene.from_description(WORLD).observe, ask).look(text)
    return found.meaning, found.statements, questions


def test_the_clean_cup_is_brought(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the clean cup")
    assert (kitchen.where("cup_1"), kitchen.where("cup_2")) == ("person", "table")


def test_the_cup_is_asked_about_by_what_tells_them_apart() -> None:
    question = "Which cup do you mean, the clean one or the dirty one?"
    assert look("bring me the cup on the table", "the dirty one") == ("bring me the cup 2", (), [question])


def test_the_answer_is_carried_out(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the cup on the table", "the dirty one, please")
    assert (kitchen.where("cup_1"), kitchen.where("cup_2")) == ("table", "person")
    assert kitchen.seen.speech[0] == "Which cup do you mean, the clean one or the dirty one?"


def test_what_cannot_work_is_explained_before_anything_moves(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the dirty plate left of the book")
    assert "I do not see" in kitchen.seen.speech[-1]
    assert not any(statement.startswith("move_to") for statement in kitchen.seen.statements)


@pytest.mark.parametrize(
    "text", ["bring me the book", "put the plate on the shelf", "hello", "bring me the cup and the book"]
)
def test_plain_orders_are_left_to_the_model(text: str) -> None:
    assert look(text) == (text, (), [])


def test_never_is_never() -> None:
    text = "bring me the dirty plate left of the book"
    assert look(text, policy="never") == (text, (), [])


def test_the_policy_is_the_owners() -> None:
    assert ConsoleConfig().look_first == "described"
