"""The console worker: real Python semantics, nothing but what is offered, and always an answer."""

import threading
from collections.abc import Iterator

import pytest

from daemon.console.executor import CALL_LIMIT, QUESTION_LIMIT, ConversationOver, Executor, split_statements
from skills.skill import Cancelled, SkillError

STUBS = """
def move_to(location: str, speed: float = 1.0) -> str: ...
def get_hand() -> str | None: ...
def wait_for_trigger() -> dict[str, str]: ...
"""


class Robot:
    """Counts what reaches it."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.moving = threading.Event()
        self.cancelled = threading.Event()

    def move_to(self, location: str, speed: float = 1.0) -> str:
        self.moves.append(location)
        if location == "closed":
            raise SkillError("fridge is closed", "open_door('fridge')")
        if location == "far":
            self.moving.set()
            self.cancelled.wait(10)
            raise Cancelled("cancelled")
        return "success"

    def wait_for_trigger(self) -> dict[str, str]:
        raise ConversationOver


@pytest.fixture
def robot() -> Robot:
    return Robot()


@pytest.fixture
def executor(robot: Robot) -> Iterator[Executor]:
    offered = {"move_to": robot.move_to, "get_hand": lambda: None, "wait_for_trigger": robot.wait_for_trigger}
    executor = Executor(offered, STUBS, seconds=0.3)
    yield executor
    executor.close()


@pytest.mark.parametrize(
    ("statement", "result"),
    [
        ("move_to('sink')", "'success'"),
        ("x = 3", ""),
        ("1 + 1", "2"),
        ("get_hand()", ""),
        ("print(\"don't\", 'import this')", "don't import this"),
        ("'😀' + \"it's\"", '"😀it\'s"'),
        ("for place in ['a', 'b']:\n    move_to(place)\n    print(place)", "'success'\na\n'success'\nb"),
        ("move_to('a'); move_to('b')", "'success'\n'success'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("{}['milk']", "KeyError: milk"),
        ("[][0]", "IndexError: list index out of range"),
        ("raise ValueError('so')", "ValueError: so"),
        ("move_to(get_hand() or 'sink')", "'success'"),
    ],
)
def test_the_console_answers_as_python_does(executor: Executor, statement: str, result: str) -> None:
    assert executor.run(statement).result == result


def test_names_stay_from_one_statement_to_the_next(executor: Executor) -> None:
    executor.run("def tour(places):\n    return [move_to(place) for place in places]")
    assert executor.run("tour(['a', 'b'])").result == "['success', 'success']"


def test_a_skill_error_comes_back_as_one_line_with_its_hint(executor: Executor) -> None:
    outcome = executor.run("move_to('closed')")
    assert outcome.result == "RuntimeError: fridge is closed. Hint: open_door('fridge')"
    assert not outcome.ok


def test_a_block_that_fails_tells_how_far_it_got(executor: Executor) -> None:
    outcome = executor.run("for place in ['sink', 'closed', 'table']:\n    move_to(place)")
    assert outcome.result == "'success'\nRuntimeError: fridge is closed. Hint: open_door('fridge')"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("move_to('sink'); mve_to('table')", "NameError"),
        ("move_to('sink', hand='left')", "TypeError"),
        ("move_to(3)", "TypeError"),
        ("move_to()", "TypeError"),
        ("move_to('sink'", "SyntaxError"),
        ("move_to('sink')\nimport requests", "ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_is_found_before_anything_moves(
    executor: Executor, robot: Robot, statement: str, kind: str
) -> None:
    outcome = executor.run(statement)
    assert outcome.result.startswith(f"{kind}: ")
    assert outcome.result.endswith("Nothing was done.")
    assert robot.moves == []


def test_an_apostrophe_that_ends_a_text_is_told_how_to_be_written(executor: Executor) -> None:
    assert "double quotes" in executor.run("move_to('Anna's chair')").result
    assert "double quotes" not in executor.run("move_to(").result


@pytest.mark.parametrize(
    "statement",
    [
        "open('/etc/passwd').read()",
        "import os\nos.listdir('/')",
        "import os\nos.system('true')",
        "import subprocess",
        "import socket",
        "__import__('os')",
        "().__class__.__bases__[0].__subclasses__()",
        "exec('import os\\nos.listdir()')",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
    ],
)
def test_there_is_no_way_to_files_network_or_processes(executor: Executor, statement: str) -> None:
    assert not executor.run(statement).ok


@pytest.mark.parametrize(
    "statement",
    [
        "while True: pass",
        "while True:\n    try:\n        pass\n    except BaseException:\n        pass",
        "x = 'a'\nwhile True: x = x + x",
        "[0] * 10**10",
        "def f(): return f()\nf()",
        "10 ** 10 ** 8",
        "while True: move_to('sink')",
    ],
)
def test_a_statement_without_end_ends_and_the_names_are_still_there(executor: Executor, statement: str) -> None:
    executor.run("kept = 'milk'")
    assert not executor.run(statement).ok
    assert executor.run("kept").result == "'milk'"


def test_calls_without_end_are_counted(executor: Executor, robot: Robot) -> None:
    executor.run("while True: move_to('sink')")
    assert len(robot.moves) <= CALL_LIMIT


@pytest.mark.parametrize("wrapped", ["{}", "try:\n    {}\nexcept Exception:\n    print('caught')"])
def test_an_interrupt_ends_a_motion_with_keyboard_interrupt(executor: Executor, robot: Robot, wrapped: str) -> None:
    def interrupt() -> None:
        robot.moving.wait(10)
        executor.interrupt("the person said: never mind")
        robot.cancelled.set()

    thread = threading.Thread(target=interrupt)
    thread.start()
    outcome = executor.run(wrapped.format("move_to('far')"))
    thread.join()
    assert outcome.result == "KeyboardInterrupt: the person said: never mind"
    assert executor.run("move_to('sink')").result == "'success'"


def test_after_an_interrupt_no_further_call_of_the_statement_is_made(executor: Executor, robot: Robot) -> None:
    executor.interrupt("stopped")
    executor.run("for place in ['a', 'b', 'c']:\n    try:\n        move_to(place)\n    except:\n        pass")
    assert robot.moves == []


def test_an_interrupt_ends_a_sleep(executor: Executor) -> None:
    timer = threading.Timer(0.05, executor.interrupt, ["never mind"])
    timer.start()
    assert executor.run("import time\ntime.sleep(60)").result == "KeyboardInterrupt: never mind"


def test_the_end_of_the_conversation_is_not_an_error_of_the_statement(executor: Executor) -> None:
    with pytest.raises(ConversationOver):
        executor.run("wait_for_trigger()")


def test_a_long_result_is_shortened_and_says_so(executor: Executor) -> None:
    result = executor.run("'x' * 50_000").result
    assert len(result) < 2100
    assert result.endswith("more characters)")


def test_statements_are_split_where_they_end() -> None:
    text = "a()\nb(); c()\nfor i in x:\n    y()\n@decorated\ndef d():\n    pass"
    assert split_statements(text) == [
        "a()",
        "b(); c()",
        "for i in x:\n    y()",
        "@decorated\ndef d():\n    pass",
    ]


CATCHES_ALL = "while True:\n    try:\n        move_to('sink')\n    except BaseException:\n        pass"


def test_a_statement_that_catches_its_own_end_is_ended_all_the_same(executor: Executor, robot: Robot) -> None:
    executor.run("x = 1")
    assert executor.run(CATCHES_ALL).result.splitlines()[-1].startswith("KeyboardInterrupt: a statement may make")
    assert len(robot.moves) == CALL_LIMIT
    assert executor.run("x").result == "1"


def test_a_person_ends_even_a_statement_that_catches_everything(robot: Robot) -> None:
    def move_to(location: str, speed: float = 1.0) -> str:
        executor.interrupt("never mind")
        return robot.move_to(location)

    executor = Executor({"move_to": move_to}, STUBS, seconds=0.3)
    try:
        assert executor.run(CATCHES_ALL).result.endswith("\nKeyboardInterrupt: never mind")
        assert len(robot.moves) == 1
        assert executor.run("1").result == "1"
    finally:
        executor.close()


def test_a_person_is_not_asked_without_end() -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "yes"

    executor = Executor({"ask": ask}, "def ask(question: str) -> str: ...", seconds=0.3)
    try:
        assert "questions at most" in executor.run("while True: ask('really?')").result
        assert len(asked) == QUESTION_LIMIT
    finally:
        executor.close()


def test_an_error_is_seen_however_much_was_printed_before_it(executor: Executor) -> None:
    result = executor.run("print('x' * 5000)\n1 / 0").result
    assert result.endswith("\nZeroDivisionError: division by zero")
    assert len(result) < 2100


@pytest.mark.parametrize("seconds", ["1e9", "61"])
def test_nobody_sleeps_for_years(executor: Executor, seconds: str) -> None:
    assert "sleep for 0 to 60 seconds" in executor.run(f"import time; time.sleep({seconds})").result
