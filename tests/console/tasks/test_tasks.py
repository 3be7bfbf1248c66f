"""Tasks by voice: begun, interrupted, taken up again, asked about, also by another process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.console.tasks import Tasks
from daemon.imitation import English
from daemon.imitation.english.task_talk.spec import read_spec
from daemon.imitation.english.task_talk.task_objects import is_plain, things_of
from daemon.imitation.english.task_talk.task_requests import statements_about_tasks
from daemon.memory.task_book import RunState, TaskBook
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.scene import Scene as Seen
from skills.skill import SkillContext, load_skills
from tests.support.worlds import DESCRIPTION

WORLD: dict[str, Any] = {
    "locations": [
        "table",
        {"name": "box 1", "kind": "container"},
        {"name": "box 2", "kind": "container"},
        {"name": "person", "kind": "person"},
    ],
    "objects": {
        "apple": {"location": "table", "state": {"colour": "red"}},
        "banana": {"location": "table", "state": {"colour": "yellow"}},
        "cup": {"location": "table"},
        "ball": {"location": "table"},
    },
}
SORTING = "fruits go to box 1; kitchenware goes to box 2; everything else stays on the table"


class PowerCut(BaseException):
    """The process is gone."""


class Household:
    """A robot before a table; a new one before the same table and with the same memory is the next process."""

    def __init__(self, file: Path, scene: Scene | None = None) -> None:
        self.robot = RehearsalRobot(scene or Scene.from_description(WORLD), DESCRIPTION)
        self.book = TaskBook(file)
        self.moves: list[tuple[str, tuple[Any, ...]]] = []
        self.interrupt_after: int | None = None
        self.power_cut_after: int | None = None
        context = SkillContext(self.robot, self.robot.observe)
        skills = {name: self._noted(name, skill.bind(context)) for name, skill in load_skills().items()}
        english = English()
        self.tasks = Tasks(
            self.book, self.robot.observe, skills, self._interrupted, reader=english, answer=english.answer
        )

    def hear(self, text: str) -> str:
        statements = statements_about_tasks(text, self.tasks)
        assert statements is not None
        functions: dict[str, Any] = {"say": lambda words: words, **self.tasks.functions()}
        return str(eval(statements[0], functions))

    def where(self, thing: str) -> str | None:
        return self.robot.scene.thing(thing).location

    def _interrupted(self) -> bool:
        placed = sum(name == "place" for name, _ in self.moves)
        return self.interrupt_after is not None and placed >= self.interrupt_after

    def _noted(self, name: str, skill: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = skill(*arguments)
            self.moves.append((name, arguments))
            if len(self.moves) == self.power_cut_after:
                raise PowerCut
            return result

        return call


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


@pytest.fixture
def household(file: Path) -> Household:
    household = Household(file)
    household.book.define("sorting", SORTING)
    household.book.define("pointing", "first point at each yellow object, then at each red object; nothing else")
    return household


def test_a_task_is_carried_out_and_asked_about(household: Household) -> None:
    assert household.hear("please sort the things on the table") == "The sorting is done."
    assert [household.where(name) for name in WORLD["objects"]] == ["box 1", "box 1", "box 2", "table"]
    assert household.hear("what is left?") == "What is left there: the ball."
    assert household.hear("what is in box one?") == "In the box 1: the apple and the banana."
    assert household.hear("what is still on the table?") == "At the table: the ball."


def test_an_interrupted_task_is_taken_up_where_it_was_left(household: Household) -> None:
    household.interrupt_after = 1
    assert household.hear("please sort the things").startswith("I leave the sorting for now.")
    household.interrupt_after = None
    household.hear("first point at the yellow things and then the red ones")
    assert household.hear("go on with the sorting where you left off") == "The sorting is done."
    assert [arguments for name, arguments in household.moves if name == "place"] == [
        ("apple", "box 1"),
        ("banana", "box 1"),
        ("cup", "box 2"),
    ]


def test_without_a_name_the_last_one_goes_on(household: Household) -> None:
    household.interrupt_after = 2
    household.hear("sort the things")
    household.interrupt_after = None
    assert household.hear("go on") == "The sorting is done."
    assert statements_about_tasks("go on", household.tasks) is None


@pytest.mark.parametrize("moves", range(1, 9))
def test_a_power_cut_at_any_moment_loses_nothing_and_repeats_nothing(
    household: Household, file: Path, moves: int
) -> None:
    household.power_cut_after = moves
    run = household.book.begin(household.book.tasks()[0])
    with pytest.raises(PowerCut):
        household.hear("sort the things")
    household.book.set_state(run, RunState.OPEN)  # a dead process writes nothing more
    after = Household(file, household.robot.scene)
    assert "I was at the sorting when I was interrupted" in after.tasks.left_over()
    assert after.hear("yes please") == "The sorting is done."
    placed = [arguments for name, arguments in household.moves + after.moves if name == "place"]
    assert sorted(placed) == [("apple", "box 1"), ("banana", "box 1"), ("cup", "box 2")]


def test_nothing_left_over_is_nothing_to_ask(household: Household) -> None:
    household.hear("sort the things")
    assert household.tasks.left_over() == ""
    assert statements_about_tasks("yes", household.tasks) is None


def test_a_task_is_told_by_voice(household: Household) -> None:
    assert (
        household.hear("the task clearing means: the cup and the ball go into box 2")
        == "I know now what clearing means."
    )
    household.hear("do the clearing")
    assert [household.where(name) for name in ("cup", "ball")] == ["box 2", "box 2"]


def test_working_memory_is_a_few_lines(household: Household) -> None:
    household.interrupt_after = 1
    household.hear("sort the things")
    (line,) = household.tasks.working_memory()
    assert line == (
        f"Task sorting (suspended): {SORTING}. Done so far: the apple. What remains to do: the banana and the cup."
    )


@pytest.mark.parametrize(
    "text", ["bring me the banana", "what do you see?", "stop", "yes", "hello", "put the cup on the table"]
)
def test_what_is_about_no_task_is_left_alone(household: Household, text: str) -> None:
    assert statements_about_tasks(text, household.tasks) is None


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        (SORTING, [("put", ("fruit",), "box 1"), ("put", ("kitchenware",), "box 2")]),
        ("only the fruits into the bowl, one by one", [("put", ("fruit",), "bowl")]),
        (
            "hand over exactly the ingredients of jello with banana topping: bowl, jello, banana",
            [("give", ("bowl", "jello", "banana"), "person")],
        ),
        (
            "stack only coloured cubes, any order; black does not count as coloured",
            [("put", ("coloured cube",), "tower")],
        ),
        ("put the books on the shelf. hand me the pen", [("put", ("book",), "shelf"), ("give", ("pen",), "person")]),
        ("the pears, the plums and the figs go in the bowl", [("put", ("pear", "plum", "fig"), "bowl")]),
        ("nuts go into box 1 and the figs into the bowl", [("put", ("nut",), "box 1"), ("put", ("fig",), "bowl")]),
        ("white things go in box 1, red and blue ones in box 2",
         [("put", ("white thing",), "box 1"), ("put", ("red", "blue one"), "box 2")]),
        ("hand me the needle first, afterwards the thread, and the button last of all",
         [("give", ("needle", "thread", "button"), "person")]),
        ("I'd like the spoon handed to me", [("give", ("spoon",), "person")]),
        ("then you give me the spoon", [("give", ("spoon",), "person")]),
        ("show me every green cable by pointing at it, and only after that the blue ones",
         [("point", ("green cable", "blue one"), "")]),
        ("build a tower out of the blocks; once all of those are up, give me the animals",
         [("put", ("block",), "tower"), ("give", ("animal",), "person")]),
        ("I wash the wool by hand, so that stays here", []),
        ("dance", []),
    ],
)  # fmt: skip
def test_a_spec_is_read(spec: str, parts: Sequence[tuple[str, tuple[str, ...], str]]) -> None:
    read = read_spec(spec, ["table", "box 1", "box 2", "bowl", "tower", "shelf"])
    assert [(part.action, part.kinds, part.target) for part in read.parts] == parts


@pytest.mark.parametrize(
    ("spec", "but"),
    [
        ("all tools go in box 1 except the hammer, I need that", ("hammer",)),
        ("build a tower from the blocks, but without the yellow block", ("yellow block",)),
        ("the vegetables go into the bowl, but no onion please", ("onion",)),
    ],
)
def test_exceptions_are_read(spec: str, but: Sequence[str]) -> None:
    (part,) = read_spec(spec, ["box 1", "bowl", "tower"]).parts
    assert part.but == but


def test_what_stays_is_not_among_the_rest() -> None:
    read = read_spec("whatever you write with stays out, I need it; pack everything else into box 2", ["box 2"])
    (part,) = read.parts
    assert (part.rest, part.target, read.kept, read.unread) == (True, "box 2", ("whatever you write with",), ())


def test_everything_else_is_what_nothing_else_is_about_on_the_same_table(file: Path) -> None:
    objects = WORLD["objects"] | {"ball": {"location": "shelf"}}
    locations = [*WORLD["locations"], "shelf"]
    household = Household(file, Scene.from_description({"locations": locations, "objects": objects}))
    household.hear("the task packing: the fruits stay here; everything else goes into box 1")
    household.hear("do the packing")
    assert [household.where(name) for name in WORLD["objects"]] == ["table", "table", "box 1", "shelf"]


@pytest.mark.parametrize(
    ("spec", "moved"),
    [
        ("the fruits go to box 1; leave the banana here", ["apple"]),
        ("the fruits go to box 1; the banana stays", ["apple"]),
        ("the fruits go to box 1; never put the banana in box 1", ["apple"]),
        ("the fruits go to box 1, but don't move the banana", ["apple"]),
        ("the fruits go to box 1. Do not touch the banana!", ["apple"]),
        ("the fruits stay here, but the apple goes to box 1", ["apple"]),
    ],
)
def test_what_is_to_stay_or_is_forbidden_is_not_moved(household: Household, spec: str, moved: Sequence[str]) -> None:
    household.hear(f"the task packing: {spec}")
    assert household.hear("do the packing") == "The packing is done."
    assert [name for name in WORLD["objects"] if household.where(name) == "box 1"] == moved


@pytest.mark.parametrize(
    "spec",
    [
        "the fruits go to box 1 except the one that aunt Lena wants",
        "the wobblies stay here; everything else goes to box 1",
    ],
)
def test_an_exception_that_is_not_understood_keeps_all_where_it_is(household: Household, spec: str) -> None:
    household.hear(f"the task packing: {spec}")
    assert household.hear("do the packing").startswith("I do not understand this of the packing:")
    assert household.moves == []


@pytest.mark.parametrize("spec", ["dance", "polish the silver", "take care of it"])
def test_what_is_not_understood_is_said_and_nothing_moves(household: Household, spec: str) -> None:
    assert "I do not understand this yet" in household.hear(f"the task fun: {spec}")
    assert household.hear("do the fun").startswith("I do not understand this of the fun:")
    assert household.moves == []


@pytest.mark.parametrize(
    ("kind", "plain"),
    [("fruit", True), ("anything sharp", True), ("red", True), ("thing that breaks easily", False), ("wobbly", False)],
)
def test_kinds_that_code_can_judge(kind: str, plain: bool) -> None:
    assert is_plain(kind) is plain


def test_a_colour_that_does_not_count_is_none() -> None:
    names = ("red cube", "black cube", "ball")
    scene = Scene.from_description({"locations": ["table"], "objects": {name: {"location": "table"} for name in names}})
    assert things_of("coloured cube", Seen.from_observation(scene.observe()), {"black"}) == ["red cube"]
