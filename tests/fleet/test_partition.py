"""Three robots with real memories that are cut off from each other and meet again, with and without real sessions."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from daemon.memory.lesson import Lesson, LessonStatus
from daemon.memory.lesson_table import LessonBook
from tests.fleet.relay import Relay
from tests.fleet.test_member import Robot, meet
from tests.fleet.test_net import Station, address
from tests.support.waiting import until

__all__ = ["address"]  # a fixture
NAMES = ("kitchen", "workshop", "garden")
SPEED = "On the way from the table to the sink, I drive at {} times my normal speed."
STEPS = 8


class Fleet:
    """The kitchen in the middle; workshop and garden reach it, and each other, by a wire of their own.

    Each trusts the others, so that what a robot knows is also what it does.
    """

    def __init__(self, folder: Path, address: str, built: ExitStack) -> None:
        def station(name: str, **more: str) -> Station:
            return built.enter_context(closing(Station(folder, name, trusted=NAMES, **more)))

        self.wires = {name: built.enter_context(closing(Relay(address))) for name in NAMES[1:]}
        others = [station(name, connect=wire.address) for name, wire in self.wires.items()]
        self.stations = [station("kitchen", listen=address), *others]

    def meet(self) -> None:
        """All wires are whole, and have been for long enough."""
        for wire in self.wires.values():
            wire.mend()
        until(lambda: all(len(station.sees) == 2 for station in self.stations))
        until(lambda: len({station.member.digest for station in self.stations}) == 1 and self.is_settled())

    def part(self, name: str) -> None:
        """Cut a robot's wire, and wait until it is alone."""
        self.wires[name].cut()
        until(lambda: not self[name].sees)

    def is_settled(self) -> bool:
        holding = sorted(lesson.rule.text for lesson in self.stations[0].member.ledger.holding())
        told = {station.member.digest for station in self.stations if station.member.tell() == []}
        return len(told) == 1 and all(sorted(station.rules) == holding for station in self.stations)

    def __getitem__(self, name: str) -> Station:
        return self.stations[NAMES.index(name)]


@pytest.fixture
def fleet(tmp_path: Path, address: str) -> Iterator[Fleet]:
    with ExitStack() as built:
        yield Fleet(tmp_path, address, built)


def test_both_sides_of_a_partition_learn_and_one_forgets_and_afterwards_all_know_the_same(fleet: Fleet) -> None:
    """The robot in the middle was started last, and the two others hear of each other through it alone."""
    fleet["kitchen"].teach("bring tea")
    fleet["garden"].teach("slowly", SPEED.format("0.5"))
    fleet.meet()
    fleet.part("workshop")
    fleet["kitchen"].book.forget(1)
    fleet["workshop"].teach("bring wood")
    fleet["workshop"].teach("fast", SPEED.format("1.5"))
    fleet["garden"].teach("bring water")
    until(lambda: fleet["garden"].rules == fleet["kitchen"].rules == [SPEED.format("0.5"), "bring water so"])
    assert fleet["workshop"].rules == ["bring tea so", "bring wood so", SPEED.format("1.5")]
    fleet.meet()
    for station in fleet.stations:
        assert sorted(station.rules) == sorted(["bring wood so", "bring water so", SPEED.format("1.5")])


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(2))
def test_after_random_cuts_and_lessons_all_know_the_same(fleet: Fleet, seed: int) -> None:
    dice = random.Random(seed)
    fleet.meet()
    for number in range(STEPS):
        name = dice.choice(list(fleet.wires))
        dice.choice([partial(fleet.part, name), fleet.wires[name].mend, lambda: None])()
        act(dice.choice(fleet.stations), dice, number)
    fleet.meet()


@pytest.mark.parametrize("seed", range(8))
def test_memories_are_equal_after_any_partition(tmp_path: Path, seed: int) -> None:
    meet_and_part(tmp_path, random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_memories_are_equal_after_any_of_many_partitions(tmp_path: Path, seed: int) -> None:
    meet_and_part(tmp_path, random.Random(seed))


def meet_and_part(folder: Path, dice: random.Random) -> None:
    """The same without sessions, so that there is time for many."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as built:
        robots = [built.enter_context(closing(Robot(folder, name, trusted=NAMES))) for name in NAMES]
        for number in range(2 * STEPS):
            act(dice.choice(robots), dice, number)
            meet(*dice.sample(robots, dice.randint(1, 3)))
        for _ in range(3):
            meet(*robots)
        assert len({robot.member.digest for robot in robots}) == 1
        held = sorted(lesson.rule.text for lesson in robots[0].member.ledger.holding())
        assert all(sorted(robot.rules) == held for robot in robots), [robot.rules for robot in robots]


class Taught(Protocol):
    """What has a memory, and can be taught."""

    book: LessonBook

    def teach(self, said: str, rule: str = "") -> object: ...


def act(robot: Taught, dice: random.Random, number: int) -> None:
    """What a person may do to what a robot knows."""
    book = robot.book
    deeds: dict[str, Callable[[], object]] = {
        "teach": lambda: robot.teach(f"thing {number}"),
        "replace": lambda: robot.teach(f"speed {number}", SPEED.format(0.5 + number / 8)),
        "forget": lambda: book.forget(dice.choice(book.lessons()).id) if book.lessons() else None,
        "restore": lambda: book.restore(dice.choice(gone).id) if (gone := put_aside(book)) else None,
    }
    deeds[dice.choice(["teach", "replace", "replace", "forget", "restore"])]()


def put_aside(book: LessonBook) -> list[Lesson]:
    return [lesson for lesson in book.lessons(include_forgotten=True) if lesson.status is not LessonStatus.ACTIVE]
