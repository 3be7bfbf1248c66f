"""What a robot tells its fleet and takes over from it, between real memories, without a network."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.fleet.fleet_store import Shelf
from daemon.fleet.lesson_ledger import Entry, LedgerError
from daemon.fleet.member import Body, Member
from daemon.memory.lesson_table import LessonBook
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import rule_in
from tests.fleet.test_ledger import taught

FUNCTIONS = frozenset({"wait_for_trigger", "say", "move_to", "grasp"})
TWO_ARMS = Body(("left", "right"), FUNCTIONS)
ONE_ARM = Body(("right",), FUNCTIONS)


def transcript(said: str, statement: str = "say('well')") -> str:
    return f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': {said!r}}}\n>>> {statement}\n"


class Robot:
    """A member with a memory of its own."""

    def __init__(self, folder: Path, name: str, body: Body = TWO_ARMS, trusted: tuple[str, ...] = ()) -> None:
        self.book = LessonBook(folder / f"{name}.sqlite")
        self.shelf = Shelf(folder / f"{name}-fleet.sqlite")
        self.member = Member(name, body, self.book, self.shelf, trusted, ask=True)

    def teach(self, said: str, rule: str = "", statement: str = "say('well')") -> int:
        number = self.book.keep_lesson(transcript(said, statement), rule_in(rule or f"{said} so", Rule("")), "Anna").id
        self.member.tell()
        return number

    @property
    def rules(self) -> list[str]:
        return [lesson.rule.text for lesson in self.book.lessons()]

    def close(self) -> None:
        self.book.close()
        self.shelf.close()


def meet(*robots: Robot) -> None:
    """All tell all."""
    for robot in robots:
        robot.member.tell()
    for _ in range(2):
        for one in robots:
            for other in robots:
                other.member.hear(list(one.member.ledger))
    for robot in robots:
        robot.member.settle()
        robot.member.tell()


def test_a_lesson_is_offered_with_where_it_comes_from_and_learned_after_a_yes(join: "Join") -> None:
    kitchen, workshop = join("kitchen"), join("workshop")
    kitchen.teach("bring tea")
    meet(kitchen, workshop)
    assert workshop.rules == []
    offer = workshop.member.question()
    assert offer
    assert (offer.robot, offer.taught_by, offer.arms) == ("kitchen", "Anna", ("left", "right"))
    workshop.member.answer(offer, yes=True)
    assert workshop.rules == ["bring tea so"]
    assert workshop.book.lessons()[0].taught_by == "Anna, at kitchen"
    assert workshop.member.question() is None
    meet(kitchen, workshop)
    assert len(kitchen.rules) == len(workshop.rules) == 1, "it does not come back as a new one"


def test_a_no_is_remembered_also_after_a_restart(join: "Join", tmp_path: Path) -> None:
    kitchen, workshop = join("kitchen"), join("workshop")
    kitchen.teach("bring tea")
    meet(kitchen, workshop)
    offer = workshop.member.question()
    assert offer
    workshop.member.answer(offer, yes=False)
    again = Member("workshop", TWO_ARMS, workshop.book, Shelf(tmp_path / "workshop-fleet.sqlite"), (), ask=True)
    assert again.question() is None
    assert workshop.rules == []


def test_trusted_robots_are_learned_from_unasked(join: "Join") -> None:
    kitchen, workshop = join("kitchen"), join("workshop", trusted=("kitchen",))
    kitchen.teach("bring tea")
    meet(kitchen, workshop)
    assert workshop.rules == ["bring tea so"]


@pytest.mark.parametrize(
    ("rule", "statement", "fits"),
    [
        ("I take the cup with the left hand", "say('well')", False),
        ("I take the cup so", "grasp('cup', hand='left')", False),
        ("I take the cup so", "grasp('cup', hand='right')", True),
        ("I take the cup so", "swim()", False),
    ],
)
def test_what_does_not_fit_the_body_does_not_go_to_it(join: "Join", rule: str, statement: str, fits: bool) -> None:
    two = join("two")
    one = join("one", body=ONE_ARM)
    trusting = join("trusting", body=ONE_ARM, trusted=("two",))
    two.teach("take the cup", rule, statement)
    meet(two, one, trusting)
    assert (one.member.question() is not None) is fits
    assert (trusting.rules == [rule]) is fits


def test_forget_travels_both_ways_and_so_does_restore(join: "Join") -> None:
    kitchen, workshop = join("kitchen"), join("workshop", trusted=("kitchen",))
    number = kitchen.teach("bring tea")
    meet(kitchen, workshop)
    workshop.book.forget(workshop.book.lessons()[0].id)
    meet(kitchen, workshop)
    assert kitchen.rules == workshop.rules == []
    kitchen.book.restore(number)
    meet(kitchen, workshop)
    assert kitchen.rules == workshop.rules == ["bring tea so"]


def test_a_lesson_that_was_taught_anew_replaces_the_old_one_everywhere(join: "Join") -> None:
    kitchen, workshop = join("kitchen"), join("workshop", trusted=("kitchen",))
    speed = "On the way from the table to the sink, I drive at {} times my normal speed."
    kitchen.teach("slowly", speed.format("0.5"))
    meet(kitchen, workshop)
    kitchen.teach("slower", speed.format("0.25"))
    meet(kitchen, workshop)
    assert kitchen.rules == workshop.rules == [speed.format("0.25")]


def test_what_one_takes_over_replaces_nothing_where_nobody_was_asked(join: "Join") -> None:
    speed = "On the way from the table to the sink, I drive at {} times my normal speed."
    kitchen, workshop = join("kitchen"), join("workshop", trusted=("kitchen",))
    workshop.teach("fast", speed.format("1.5"))
    kitchen.book.keep_lesson(transcript("slowly"), rule_in(speed.format("0.5"), Rule("")), "Anna")
    later = datetime.now(UTC) + timedelta(hours=1)
    (entry,) = kitchen.member.tell()
    lesson = replace(entry.lesson, taught_at=later.isoformat())
    workshop.member.hear([Entry(lesson, frozenset({"x"}))])
    workshop.member.settle()
    assert workshop.rules == [speed.format("0.5")], "the later one holds here"
    workshop.member.tell()
    own = next(e for e in workshop.member.ledger if e.lesson.robot == "workshop")
    assert own.holds, "and elsewhere the other one may stay"
    workshop.member.settle()
    assert workshop.rules == [speed.format("0.5")]


def test_what_one_took_over_and_then_forgot_leaves_all_with_what_was_taught_before(join: "Join") -> None:
    speed = "On the way from the table to the sink, I drive at {} times my normal speed."
    names = ("kitchen", "workshop", "garden")
    kitchen, workshop, garden = (join(name, trusted=names) for name in names)
    slow, fast = taught(1, speed.format("0.5"), "kitchen"), taught(2, speed.format("1.5"), "kitchen")
    kitchen.member.hear([Entry(slow, frozenset({"a"}))])
    kitchen.member.settle()
    workshop.member.hear([Entry(fast, frozenset({"b"}))])
    workshop.member.settle()
    meet(kitchen, workshop, garden)
    assert kitchen.rules == workshop.rules == garden.rules == [speed.format("1.5")]
    workshop.book.forget(workshop.book.lessons()[0].id)
    meet(kitchen, workshop, garden)
    assert kitchen.rules == workshop.rules == garden.rules == [speed.format("0.5")]
    assert all(entry.holds == (entry.lesson == slow) for entry in garden.member.ledger)


def test_what_was_replaced_by_a_lesson_that_the_fleet_never_heard_of_comes_back_too(join: "Join") -> None:
    speed = "On the way from the table to the sink, I drive at {} times my normal speed."
    kitchen, workshop = (join(name, trusted=("kitchen", "workshop")) for name in ("kitchen", "workshop"))
    number = kitchen.teach("slowly", speed.format("0.5"))
    meet(kitchen, workshop)
    for factor in ("1.5", "1.75"):  # both before the next beat: the first one is replaced before it is told
        workshop.book.keep_lesson(transcript(factor), rule_in(speed.format(factor), Rule("")), "Anna")
    meet(kitchen, workshop)
    assert kitchen.rules == workshop.rules == [speed.format("1.75")]
    kitchen.book.restore(number)
    meet(kitchen, workshop)
    assert kitchen.rules == workshop.rules == [speed.format("0.5")]


def test_a_memory_that_was_lost_learns_its_own_lessons_again(join: "Join", tmp_path: Path) -> None:
    kitchen = join("kitchen")
    kitchen.teach("bring tea")
    kitchen.teach("bring milk")
    fresh = LessonBook(tmp_path / "fresh.sqlite")
    fresh.keep_lesson(transcript("something else"), Rule("something else so"), "Ben")
    member = Member("kitchen", TWO_ARMS, fresh, kitchen.shelf, (), ask=True)
    member.tell()
    member.settle()
    assert {lesson.rule.text for lesson in fresh.lessons()} == {"something else so", "bring tea so", "bring milk so"}
    assert all(entry.holds for entry in member.ledger), "numbers that mean something else now strike nothing out"
    fresh.close()


def test_a_lesson_that_names_this_robot_as_its_own_is_asked_about_like_any_other(join: "Join") -> None:
    kitchen = join("kitchen")
    kitchen.member.hear([Entry(taught(1, robot="kitchen"), frozenset({"a"}))])
    kitchen.member.settle()
    assert kitchen.rules == []
    assert kitchen.member.question() == taught(1, robot="kitchen")


def test_a_lesson_from_the_future_is_refused_with_all_that_came_with_it(join: "Join") -> None:
    workshop = join("workshop", trusted=("kitchen",))
    future = replace(taught(1), taught_at=(datetime.now(UTC) + timedelta(days=9)).isoformat())
    with pytest.raises(LedgerError, match="is its clock right"):
        workshop.member.hear([Entry(taught(2), frozenset({"a"})), Entry(future, frozenset({"b"}))])
    assert len(workshop.member.ledger) == 0


def test_a_yes_to_what_was_forgotten_meanwhile_learns_nothing(join: "Join") -> None:
    kitchen, workshop = join("kitchen"), join("workshop")
    number = kitchen.teach("bring tea")
    meet(kitchen, workshop)
    offer = workshop.member.question()
    assert offer
    kitchen.book.forget(number)
    meet(kitchen, workshop)
    workshop.member.answer(offer, yes=True)
    assert workshop.rules == []


Join = Callable[..., Robot]


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Join]:
    robots: list[Robot] = []

    def make(name: str, **more: object) -> Robot:
        robots.append(Robot(tmp_path, name, **more))  # type: ignore[arg-type]
        return robots[-1]

    yield make
    for robot in robots:
        robot.close()
