"""A robot that has not seen everything looks for what it is asked for, and then does as it was told."""

from typing import Any

import pytest

from daemon.imitation import Imitation
from daemon.imitation.unseen_things import Unseen, unseen_things
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from sim.rehearsal import RehearsalRobot
from skills.scene import Location, Scene, Thing
from tests.support.worlds import Kitchen

TABLE, SHELF = Location("table", "surface", (1.0, 0.0, 0.0)), Location("shelf", "surface", (2.0, 0.0, 0.0))
CUP = Thing("cup", "dishes", "table", (1.5, 0.0, 0.7))
MILK = Thing("milk", "drink", "shelf", (2.5, 0.0, 0.7), present=False, age=600.0)
ROOM = Scene((CUP, MILK), (TABLE, SHELF), partial=True)


class ShortSighted(RehearsalRobot):
    """Sees what is where it stands, and remembers what it saw; what lies behind a closed door it does not see."""

    seen: dict[str, Any] = {}  # noqa: RUF012 - set anew in each test

    def observe(self) -> dict[str, Any]:
        everything = super().observe()
        here = Scene.from_observation(everything).location_at(self.scene.base.x, self.scene.base.y)
        near = [
            thing for thing in everything["objects"] if thing["held_by"] or (here and thing["location"] == here.name)
        ]
        ShortSighted.seen |= {thing["name"]: thing for thing in near}
        present = {thing["name"] for thing in near}
        known = [thing | {"present": name in present} for name, thing in ShortSighted.seen.items()]
        return everything | {"objects": known, "partial": True}


@pytest.mark.parametrize(
    ("request_", "unseen"),
    [
        ("bring me the juice", [Unseen("juice")]),
        ("bring me the milk", [Unseen("milk", "shelf")]),
        ("bring me the juice and the cup", [Unseen("juice")]),
        ("bring me the cup", []),
        ("where is the juice?", []),
        ("never bring me the juice", []),
        ("when I ask for juice, always bring a cup", []),
        ("go to the table", []),
        ("thank you", []),
    ],
)
def test_what_a_request_is_about_and_nobody_sees_is_looked_for(request_: str, unseen: list[Unseen]) -> None:
    assert unseen_things(request_, ROOM) == unseen


def test_who_sees_everything_looks_for_nothing() -> None:
    assert unseen_things("bring me the juice", Scene((CUP,), (TABLE, SHELF))) == []


def test_it_finds_what_nobody_has_told_it_of_and_brings_it(memory: Memory, embedder: MiniLmEmbedder) -> None:
    ShortSighted.seen = {}
    kitchen = Kitchen(Imitation(embedder), memory, robot=ShortSighted)
    kitchen.talk("bring me the tea")
    assert kitchen.where("tea") == "person"
    assert kitchen.seen.speech == ["Here is the tea."]


def test_what_stands_elsewhere_by_now_is_looked_for(memory: Memory, embedder: MiniLmEmbedder) -> None:
    ShortSighted.seen = {}
    kitchen = Kitchen(Imitation(embedder), memory, robot=ShortSighted)
    kitchen.triggers.meanwhile["bring me the apple"] = lambda: kitchen.robot.scene.place("apple", "shelf")
    kitchen.talk("go to the table", "bring me the apple")
    assert kitchen.where("apple") == "person"


def test_what_is_nowhere_is_told_of_and_nothing_is_brought(memory: Memory, embedder: MiniLmEmbedder) -> None:
    ShortSighted.seen = {}
    kitchen = Kitchen(Imitation(embedder), memory, robot=ShortSighted)
    kitchen.talk("bring me the pizza")
    (said,) = kitchen.seen.speech
    assert said.startswith("I looked at the ")
    assert said.endswith(", and do not see any pizza.")
