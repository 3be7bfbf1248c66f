"""kill -9 at any moment: what was confirmed is there, nothing is half there, nothing is invented.

`pytest -m slow tests/memory` does a thousand rounds.
"""

import multiprocessing
import random
import signal
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from daemon.config import MemoryConfig
from daemon.memory.rules import Rule, Scope
from daemon.memory.store import Memory
from daemon.transcript import instructions_of
from tests.memory.lessons_for_tests import transcript
from tests.support.fakes import WordEmbedder


def open_memory(folder: Path) -> Memory:
    return Memory(folder / "memory.sqlite", WordEmbedder(), MemoryConfig(), folder)


def teach_for_ever(folder: Path, round: int, confirmed: Connection) -> None:
    memory = open_memory(folder)
    number = 0
    while True:
        name = f"round {round} lesson {number}"
        lesson = memory.keep_lesson(transcript(name), Rule(name, scope=Scope(object=name)), "Anna", [name] * 50)
        confirmed.send((lesson.id, name))
        if number % 3 == 2:
            memory.retrieve([name])
        number += 1


def confirmed_before_the_kill(folder: Path, round: int, chance: random.Random) -> dict[int, str]:
    """Start a teacher, kill it at a random moment, and return what it had confirmed."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    ours, theirs = processes.Pipe(duplex=False)
    teacher = processes.Process(target=teach_for_ever, args=(folder, round, theirs))
    teacher.start()
    theirs.close()
    confirmed = []
    try:
        confirmed += [ours.recv() for _ in range(chance.randrange(4))]
        teacher.join(timeout=chance.uniform(0, 0.02))  # it never ends by itself: this picks the moment
    finally:
        teacher.kill()
        teacher.join()
    assert teacher.exitcode == -signal.SIGKILL
    try:
        while True:
            confirmed.append(ours.recv())
    except (EOFError, OSError):  # OSError: killed in the middle of a confirmation
        return dict(confirmed)


def cut_the_power(folder: Path, rounds: int) -> None:
    chance = random.Random(20)
    confirmed: dict[int, str] = {}
    for round in range(rounds):
        confirmed |= confirmed_before_the_kill(folder, round, chance)
        with open_memory(folder) as memory:
            kept = {lesson.id: lesson for lesson in memory.lessons(include_forgotten=True)}
            unconfirmed = kept.keys() - confirmed.keys()
            assert confirmed.keys() <= kept.keys()
            assert len(unconfirmed) <= 1  # killed between the disk and the answer
            confirmed |= {id: kept[id].rule.text for id in unconfirmed}
            for id, name in confirmed.items():
                assert kept[id].rule == Rule(name, scope=Scope(object=name))
                assert kept[id].transcript == transcript(name)
                assert kept[id].heard == (name,) * 50
            examples = memory.retrieve(["round"], k=10**6)
            assert {f.example.lesson_id for f in examples} == kept.keys()
            assert all(f.example.instructions == instructions_of(f.example.steps) for f in examples)


def test_thirty_kills_lose_no_confirmed_lesson_and_leave_no_half_one(tmp_path):
    cut_the_power(tmp_path, rounds=30)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_kills_lose_no_confirmed_lesson_and_leave_no_half_one(tmp_path):
    for batch in range(10):
        folder = tmp_path / str(batch)
        folder.mkdir()
        cut_the_power(folder, rounds=100)
