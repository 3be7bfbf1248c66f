"""Orders that describe a thing: put in names, asked about, or explained, before the model thinks and anything moves."""

from pathlib import Path
from typing import Any

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.executor import Outcome
from daemon.imitation import Imitation
from daemon.imitation.english.orders.look_first import LookFirst
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills
from tests.support.worlds import DESCRIPTION, Kitchen

WORLD: dict[str, Any] = {
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


@pytest.fixture
def kitchen(memory: Memory, embedder: MiniLmEmbedder) -> Kitchen:
    return Kitchen(Imitation(embedder), memory, scene=Scene.from_description(WORLD))


def look(
    text: str, *answers: str, policy: str = "described", world: dict[str, Any] = WORLD
) -> tuple[str | None, list[str]]:
    """What it means for the model, and the statements that were made before, on a robot that does them."""
    left, statements = list(answers), []
    robot = RehearsalRobot(Scene.from_description(world), DESCRIPTION)
    context = SkillContext(robot, robot.observe)
    functions: dict[str, Any] = {name: skill.bind(context) for name, skill in load_skills().items()}
    functions |= {"ask": lambda question: left.pop(0), "say": lambda words: None}
    script = LookFirst(policy, context).look(text)
    try:
        statements.append(next(script))
        while True:
            statements.append(script.send(Outcome(repr(eval(statements[-1], functions)), ok=True)))
    except StopIteration as end:
        return end.value, statements


def test_the_clean_cup_is_brought(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the clean cup")
    assert (kitchen.where("cup_1"), kitchen.where("cup_2")) == ("person", "table")


def test_the_cup_is_asked_about_by_what_tells_them_apart() -> None:
    question = "Which cup do you mean, the clean one or the dirty one?"
    assert look("bring me the cup on the table", "the dirty one") == ("bring me the cup 2", [f"ask({question!r})"])


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
    assert look(text) == (text, [])


def test_never_is_never() -> None:
    text = "bring me the dirty plate left of the book"
    assert look(text, policy="never") == (text, [])


def test_the_policy_is_the_owners() -> None:
    assert ConsoleConfig().look_first == "described"


def test_a_thing_is_put_into_a_bowl_that_must_be_got_at_first(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    kitchen = Kitchen(Imitation(embedder), Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig()))
    kitchen.talk("put the apple in the bowl", "bring me the bowl")
    assert (kitchen.where("apple"), kitchen.where("bowl")) == ("bowl", "person")
    assert kitchen.seen.speech == ["The apple is in the bowl now.", "Here is the bowl."]


def test_what_can_never_work_is_said_before_anything_moves(tmp_path: Path, embedder: MiniLmEmbedder) -> None:
    kitchen = Kitchen(Imitation(embedder), Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig()))
    kitchen.talk("put the apple on the sponge", "open the table")
    assert kitchen.seen.speech == [
        "Nothing can be put on or in the sponge: it is not a receptacle.",
        "The table cannot be opened or closed: it is not openable.",
    ]
    assert not any(statement.startswith("move_to") for statement in kitchen.seen.statements)


def test_what_is_so_already_is_said() -> None:
    assert look("close the fridge") == (None, ["say('The fridge is already closed.')"])


def test_a_bowl_is_emptied_first_where_the_person_agrees() -> None:
    world = {**WORLD, "objects": {**WORLD["objects"], "bowl": {"location": "shelf"}, "pear": {"location": "bowl"}}}
    assert look("bring me the bowl if it does not contain anything", "yes", world=world) == (
        "bring me the bowl",
        [
            "ask('The bowl contains the pear. Shall I take it out first?')",
            "move_to('shelf')",
            "grasp('pear')",
            "move_to('table')",
            "place('pear', 'table')",
            "move_to('table')",
        ],
    )
