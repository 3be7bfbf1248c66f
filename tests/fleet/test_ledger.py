"""What a fleet knows, through partitions, in any order, and against peers that lie. No network, no clock."""

import copy
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from daemon.fleet.lesson_ledger import Entry, FleetLesson, Ledger, LedgerError, from_json, to_json
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import rule_in

RUNS = 300
ROBOTS = 4
STEPS = 40


def taught(number: int, text: str = "", robot: str = "kitchen") -> FleetLesson:
    transcript = f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': 'thing {number}'}}\n>>> say('well')\n"
    at = f"2026-11-21T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
    return FleetLesson(
        robot, ("left", "right"), "Anna", at, rule_in(text or f"thing {number} is done so", Rule("")), transcript
    )


class Fleet:
    """Robots that teach, forget, restore and replace at random, and meet only within their part of a partition.

    Beside the ledgers runs the truth: who had seen which confirmation when they struck something out.
    """

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.ledgers = [Ledger() for _ in range(ROBOTS)]
        self.parts = [0] * ROBOTS
        self.marks = itertools.count()
        self.seen: list[set[tuple[str, str]]] = [set() for _ in range(ROBOTS)]
        self.struck: set[tuple[str, str]] = set()
        self.known: list[FleetLesson] = []

    def step(self) -> None:
        robot = self.dice.randrange(ROBOTS)
        act = self.dice.choice(["teach", "teach", "forget", "restore", "replace", "meet", "meet", "meet", "split"])
        if act == "teach":
            self.confirm(robot, self.new_lesson())
        elif act == "restore" and self.mine(robot):
            self.confirm(robot, self.dice.choice(self.mine(robot)))
        elif act == "forget" and self.mine(robot):
            self.strike(robot, self.dice.choice(self.mine(robot)))
        elif act == "replace" and self.mine(robot):
            old, new = self.dice.choice(self.mine(robot)), self.new_lesson()
            self.confirm(robot, new)
            self.strike(robot, old, new.name)
        elif act == "split":
            self.parts = [self.dice.randrange(2) for _ in range(ROBOTS)]
        elif act == "meet":
            self.meet(robot, self.dice.randrange(ROBOTS))

    def meet(self, one: int, other: int) -> None:
        """One tells the other, perhaps only a part, perhaps twice; what is told the other way round may be lost."""
        if self.parts[one] != self.parts[other]:
            return
        told = [entry for entry in self.ledgers[one] if self.dice.random() < 0.8]
        self.dice.shuffle(told)
        for entry in told + told[: len(told) // 3]:
            self.ledgers[other].take(from_json(copy.deepcopy(to_json(entry))))
            self.seen[other] |= {pair for pair in self.seen[one] if pair[0] == entry.lesson.name}

    def heal(self) -> None:
        self.parts = [0] * ROBOTS
        for _ in range(2):
            for one, other in itertools.permutations(range(ROBOTS), 2):
                self.ledgers[other].merge(self.ledgers[one])
                self.seen[other] |= self.seen[one]

    def new_lesson(self) -> FleetLesson:
        self.known.append(taught(len(self.known), robot=f"robot {self.dice.randrange(ROBOTS)}"))
        return self.known[-1]

    def mine(self, robot: int) -> list[FleetLesson]:
        return [entry.lesson for entry in self.ledgers[robot]]

    def confirm(self, robot: int, lesson: FleetLesson) -> None:
        mark = f"{robot}-{next(self.marks)}"
        self.ledgers[robot].confirm(lesson, mark)
        self.seen[robot].add((lesson.name, mark))

    def strike(self, robot: int, lesson: FleetLesson, reason: str = "") -> None:
        self.ledgers[robot].strike(lesson.name, reason)
        self.struck |= {pair for pair in self.seen[robot] if pair[0] == lesson.name}


@pytest.mark.parametrize("batch", range(6))
def test_after_any_partition_all_are_equal_and_nothing_confirmed_is_lost(batch: int) -> None:
    forgotten = survived = 0
    for seed in range(batch * RUNS // 6, (batch + 1) * RUNS // 6):
        fleet = Fleet(seed)
        for _ in range(STEPS):
            fleet.step()
        fleet.heal()
        assert len({ledger.digest() for ledger in fleet.ledgers}) == 1, f"seed {seed}"
        assert all(ledger == fleet.ledgers[0] for ledger in fleet.ledgers), f"seed {seed}"
        holding = {lesson.name for lesson in fleet.ledgers[0].holding()}
        everything = set.union(*fleet.seen)
        expected = {name for name, _ in everything - fleet.struck}
        assert holding == expected, f"seed {seed}"
        forgotten += len({name for name, _ in everything} - expected)
        survived += len(expected)
    assert forgotten > 100
    assert survived > 100


@pytest.mark.parametrize("seed", range(50))
def test_merging_is_commutative_associative_and_idempotent(seed: int) -> None:
    fleet = Fleet(seed)
    for _ in range(STEPS):
        fleet.step()
    a, b, c = fleet.ledgers[:3]

    def merged(*ledgers: Ledger) -> Ledger:
        return Ledger(entry for ledger in ledgers for entry in ledger)

    assert merged(a, b) == merged(b, a)
    assert merged(merged(a, b), c) == merged(a, merged(b, c))
    assert merged(a, a) == a


def test_a_yes_that_nobody_had_seen_survives_a_forget_elsewhere() -> None:
    one, other = Ledger(), Ledger()
    one.confirm(taught(1), "a")
    other.merge(one)
    one.strike(taught(1).name)
    other.confirm(taught(1), "b")
    one.merge(other)
    other.merge(one)
    assert one == other
    assert one.holding() == [taught(1)]
    one.strike(taught(1).name)
    other.merge(one)
    assert other.holding() == []


def test_of_two_that_say_otherwise_the_later_one_holds_everywhere() -> None:
    slow = taught(1, "On the way from the table to the sink, I drive at 0.5 times my normal speed.")
    fast = taught(2, "On the way from the table to the sink, I drive at 1.5 times my normal speed.", "workshop")
    one, other = Ledger(), Ledger()
    one.confirm(fast, "a")
    other.confirm(slow, "b")
    one.merge(other)
    other.merge(one)
    assert one.holding() == other.holding() == [fast]
    one.strike(fast.name)
    assert one.holding() == [slow]


def test_a_mark_that_is_struck_out_before_it_arrives_stays_so() -> None:
    ledger = Ledger()
    ledger.take(Entry(taught(1), frozenset({"b"}), {"a": ""}))
    ledger.take(Entry(taught(1), frozenset({"a"})))
    ledger.strike(taught(1).name)
    assert ledger.holding() == []


# --- peers that lie ---


def sent() -> dict[str, Any]:
    return to_json(Ledger([Entry(taught(1), frozenset({"a"}), {"b": ""})]).entry(taught(1).name) or Entry(taught(1)))


def changed(path: str, value: Any) -> Callable[[], Any]:
    def make() -> Any:
        message = sent()
        *way, last = path.split(".")
        inner: Any = message
        for key in way:
            inner = inner[key]
        inner[last] = value
        return message

    return make


@pytest.mark.parametrize(
    "message",
    [
        lambda: None,
        list,
        dict,
        lambda: 7,
        lambda: "lesson",
        lambda: [[[[]]]],
        lambda: {"lesson": sent()["lesson"]},
        lambda: {**sent(), "more": 1},
        changed("lesson", None),
        changed("lesson.robot", ""),
        changed("lesson.robot", 7),
        changed("lesson.id", "x"),
        changed("lesson.transcript", ">>> say('nobody spoke')\n"),
        changed("lesson.transcript", "import os"),
        changed("lesson.transcript", "x" * 30_000),
        changed("lesson.taught_at", "yesterday"),
        changed("lesson.taught_at", "2026-11-21T00:00:00"),
        changed("lesson.rule", "do it"),
        changed("lesson.rule.text", " "),
        changed("lesson.rule.kind", "law"),
        changed("lesson.rule.scope.planet", "mars"),
        changed("lesson.heard", [1]),
        changed("lesson.taught_by", "\ud800"),
        changed("marks", [None]),
        changed("marks", 7),
        changed("marks", [str(n) for n in range(2000)]),
        changed("struck", {"a": None}),
        changed("struck", [1]),
    ],
)
def test_what_is_no_lesson_is_refused(message: Callable[[], Any]) -> None:
    with pytest.raises(LedgerError):
        from_json(message())


JUNK = (
    None,
    True,
    7,
    -1.5,
    "",
    "x",
    "\x00",
    "\ud800",
    [],
    {},
    [[]],
    {"a": 1},
    "x" * 30_000,
    10**400,
    float("nan"),
    [None] * 9,
)


def spoiled(dice: random.Random) -> Any:
    """A message that has something else at one place, or lacks it, or has more."""
    message: Any = sent()
    inner = message
    while True:
        key = dice.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        if isinstance(inner[key], dict | list) and inner[key] and dice.random() < 0.7:
            inner = inner[key]
            continue
        if dice.random() < 0.2 and isinstance(inner, dict):
            del inner[key]
        elif dice.random() < 0.2 and isinstance(inner, dict):
            inner[str(dice.choice(JUNK))[:9]] = dice.choice(JUNK)
        else:
            inner[key] = dice.choice(JUNK)
        return message


def test_whatever_is_sent_is_an_entry_that_can_be_sent_on_or_refused() -> None:
    refused = 0
    for seed in range(2000):
        message = spoiled(random.Random(seed))
        try:
            entry = from_json(message)
        except LedgerError:
            refused += 1
        else:
            assert from_json(json.loads(json.dumps(to_json(entry)))) == entry
    assert 1000 < refused < 2000


def test_what_is_sent_is_read_as_it_was() -> None:
    assert to_json(from_json(sent())) == sent()


def test_nobody_can_change_a_lesson_that_is_known() -> None:
    """A changed content has another name, and stands beside it."""
    ledger = Ledger()
    ledger.confirm(taught(1), "a")
    lie = replace(taught(1), rule=Rule("thing 1 is never done"))
    ledger.take(Entry(lie, frozenset({"a"})))
    known = ledger.entry(taught(1).name)
    assert known
    assert known.lesson == taught(1)
    assert len(ledger) == 2


def test_ten_thousand_lessons_are_resolved_in_one_pass() -> None:
    ledger = Ledger()
    for number in range(10_000):
        speed = f"On the way from the table to the sink {number % 5000}, I drive at 0.5 times my normal speed."
        ledger.confirm(taught(number, speed), str(number))
    assert len(ledger.holding()) == 5_000
