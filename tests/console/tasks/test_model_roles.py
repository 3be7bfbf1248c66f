"""The two roles of a task played by language models: what they are asked, and what becomes of their answers."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.console.tasks import Tasks
from daemon.imitation import English
from daemon.imitation.english.task_talk.task_requests import statements_about_tasks
from daemon.llm.model import PROMPT_SIGN, LanguageModel, ModelCancelled, ModelError, Prompt, following
from daemon.memory.task_book import TaskBook
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills
from tests.support.worlds import DESCRIPTION

WORLD = {
    "locations": ["table", "shelf", {"name": "box", "kind": "container"}, {"name": "person", "kind": "person"}],
    "objects": {name: {"location": "table"} for name in ("marble", "teddy", "coin")},
}
SMALL = "things a baby could swallow go to the box"
TURNS = "the toys take turns"
"""Nothing that code can read."""


class Actor:
    """A model that answers with the next of its lines; raises those that are errors."""

    name = "actor"
    context_tokens = 8192
    follows_instructions = True
    leads = False

    def __init__(self, *lines: str | Exception) -> None:
        self.asked: list[str] = []
        self._lines = list(lines)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.asked.append(prompt.history)
        line = self._lines.pop(0)
        if isinstance(line, Exception):
            raise line
        return f" {line}"

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def count_tokens(self, text: str) -> int:
        return len(text)

    def cancel(self) -> None: ...

    def close(self) -> None: ...


class Nursery:
    """A robot before a table, with a model for each role."""

    def __init__(self, file: Path, coordinator: LanguageModel | None, worker: LanguageModel | None) -> None:
        self.robot = RehearsalRobot(Scene.from_description(WORLD), DESCRIPTION)
        self.book = TaskBook(file)
        self.moves: list[tuple[str, ...]] = []
        self.interrupt_after = 99
        context = SkillContext(self.robot, self.robot.observe)
        skills = {name: self._noted(name, skill.bind(context)) for name, skill in load_skills().items()}
        self.tasks = Tasks(
            self.book,
            self.robot.observe,
            skills,
            lambda: len(self.moves) >= self.interrupt_after,
            coordinators=lambda: following([coordinator]),
            workers=lambda: following([worker, coordinator]),
            reader=English(),
            answer=English().answer,
        )

    def hear(self, text: str) -> str:
        statements = statements_about_tasks(text, self.tasks)
        assert statements is not None
        return str(eval(statements[0], {"say": lambda words: words, **self.tasks.functions()}))

    @property
    def in_box(self) -> list[str]:
        return [thing.name for thing in self.robot.scene.things() if thing.location == "box"]

    def _noted(self, name: str, skill: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = skill(*arguments)
            if name in ("place", "handover", "point_at"):
                self.moves.append((name, *arguments))
            return result

        return call


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


# --- the worker ---


def test_what_a_description_covers_is_told_by_the_worker_and_asked_once(file: Path) -> None:
    worker = Actor("marble, coin")
    nursery = Nursery(file, None, worker)
    assert nursery.hear(f"the task babyproofing: {SMALL}") == "I know now what babyproofing means."
    assert nursery.hear("do the babyproofing") == "The babyproofing is done."
    assert nursery.in_box == ["marble", "coin"]
    (asked,) = worker.asked
    assert asked == (
        f"TASK: {SMALL}\nSEEN: marble, teddy, coin\n"
        "Which of the things seen does this mean: thing baby could swallow?\nLIST:"
    )


def test_without_a_model_it_says_what_it_does_not_understand_and_moves_nothing(file: Path) -> None:
    nursery = Nursery(file, None, None)
    puzzled = "I do not understand this"
    assert puzzled in nursery.hear(f"the task babyproofing: {SMALL}; the coin goes to the shelf")
    assert puzzled in nursery.hear("do the babyproofing")
    assert nursery.moves == []
    assert puzzled in nursery.hear(f"the task playing: {TURNS}")
    assert nursery.hear("do the playing") == (
        "I do not understand this of the playing: the toys take turns. Tell me which things go where."
    )


@pytest.mark.parametrize("reply", ["", "the small ones", "marble, dragon", "marble; rm -rf /", ModelError("gone")])
def test_an_answer_that_names_what_is_not_seen_is_none(file: Path, reply: str | Exception) -> None:
    nursery = Nursery(file, None, Actor(*[reply] * 9))
    nursery.book.define("babyproofing", SMALL)
    assert "I do not understand this" in nursery.hear("do the babyproofing")
    assert nursery.moves == []


def test_where_the_worker_does_not_answer_the_brain_does(file: Path) -> None:
    nursery = Nursery(file, Actor("coin"), Actor(ModelError("its file is broken")))
    nursery.book.define("babyproofing", SMALL)
    assert nursery.hear("do the babyproofing") == "The babyproofing is done."
    assert nursery.in_box == ["coin"]


def test_none_is_an_answer(file: Path) -> None:
    nursery = Nursery(file, None, Actor("none"))
    nursery.book.define("babyproofing", SMALL)
    assert nursery.hear("do the babyproofing") == "The babyproofing is done."
    assert nursery.moves == []


def test_the_log_is_read_by_the_worker_where_code_cannot_tell(file: Path) -> None:
    worker = Actor("marble, coin", "coin")
    nursery = Nursery(file, None, worker)
    nursery.book.define("babyproofing", SMALL)
    nursery.hear("do the babyproofing")
    answer = nursery.hear("which was the last one for the babyproofing?")
    assert answer == "As I have noted it for the babyproofing: the coin."
    assert "LOG: put marble -> box; left: teddy, coin\nLOG: put coin -> box; left: teddy\n" in worker.asked[-1]


def test_a_stop_ends_what_the_worker_thinks(file: Path) -> None:
    nursery = Nursery(file, None, Actor(ModelCancelled("stop")))
    nursery.book.define("babyproofing", SMALL)
    with pytest.raises(ModelCancelled):
        nursery.hear("do the babyproofing")
    assert nursery.book.runs() == []
    assert nursery.moves == []


# --- the coordinator ---


def test_the_coordinator_decides_on_one_action_after_the_other(file: Path) -> None:
    coordinator = Actor('put("teddy", "box")', 'point("marble")', 'give("marble")', "done()")
    nursery = Nursery(file, coordinator, Actor("teddy, marble"))
    nursery.book.define("playing", TURNS)
    assert nursery.hear("do the playing") == "The playing is done."
    assert nursery.moves == [("place", "teddy", "box"), ("point_at", "marble"), ("handover", "marble")]
    first, *_, last = coordinator.asked
    places = "PLACES: table, shelf, box, person"
    assert first == f"TASK: {TURNS}\n{places}\nTHINGS: marble (table); teddy (table)\nDONE: nothing\nACTION:"
    assert "DONE: put teddy box; point marble; give marble person\nACTION:" in last


def test_interrupted_it_goes_on_with_what_was_done_before_it(file: Path) -> None:
    nursery = Nursery(file, Actor('put("teddy", "box")', 'put("coin", "box")'), Actor("teddy, coin"))
    nursery.interrupt_after = 1
    nursery.book.define("playing", TURNS)
    assert nursery.hear("do the playing") == "I leave the playing for now. Done so far: the teddy."
    again = Actor('put("coin", "box")', "done()")
    after = Nursery(file, again, Actor("teddy, coin"))
    after.robot.scene = nursery.robot.scene
    assert after.hear("go on with the playing") == "The playing is done."
    assert "DONE: put teddy box\nACTION:" in again.asked[0]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('put("dragon", "box")', "there is no dragon among the things"),
        ('put("teddy", "moon")', "there is no place moon"),
        ('put("teddy", "table")', "teddy is at table already"),
        ('open("box")', "write one of the actions"),
        ('put("teddy", "box"); give("coin")', "write one of the actions"),
        ("__import__('os').system('id')", "write one of the actions"),
        ("I would rather sing", "write one of the actions"),
    ],
)
def test_what_cannot_be_done_is_told_once_and_then_it_ends(file: Path, reply: str, why: str) -> None:
    coordinator = Actor(reply, 'put("coin", "box")', reply, reply)
    nursery = Nursery(file, coordinator, Actor("none"))
    nursery.book.define("playing", TURNS)
    assert nursery.hear("do the playing") == "I do not know how to go on with the playing. Done so far: the coin."
    assert nursery.in_box == ["coin"]
    assert coordinator.asked[1].endswith(f"ACTION: {reply}\nNOT POSSIBLE: {why}\nACTION:")


def test_what_is_done_already_is_not_done_twice(file: Path) -> None:
    nursery = Nursery(file, Actor('point("coin")', 'point("coin")', "done()"), Actor("none"))
    nursery.book.define("playing", TURNS)
    assert nursery.hear("do the playing") == "The playing is done."
    assert nursery.moves == [("point_at", "coin")]


def test_one_that_goes_in_circles_ends(file: Path) -> None:
    there_and_back = ['put("coin", "box")', 'put("coin", "table")'] * 9
    nursery = Nursery(file, Actor(*there_and_back), Actor("coin"))
    nursery.book.define("playing", TURNS)
    assert "I do not know how to go on" in nursery.hear("do the playing")
    assert len(nursery.moves) == 6


def test_both_roles_can_be_one_model(file: Path) -> None:
    model = Actor("coin", 'give("coin")', "done()")
    nursery = Nursery(file, model, None)
    nursery.book.define("playing", TURNS)
    assert nursery.hear("do the playing") == "The playing is done."
    assert nursery.moves == [("handover", "coin")]
