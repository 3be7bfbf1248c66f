"""Three heeds as processes in network namespaces of their own; cables are pulled, and nobody is told.

Slow, and as root: `make test-fleet`.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from daemon.fleet.fleet_store import Shelf
from daemon.memory.lesson_table import LessonBook
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import rule_in
from daemon.service.control import CommandError, request
from tests.fleet.namespaces import Network
from tests.fleet.test_app import KEY
from tests.fleet.test_member import transcript
from tests.fleet.test_partition import NAMES, act
from tests.support.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("ip"), reason="root and iproute2 make the namespaces"),
]
ROOT = Path(__file__).parents[2]
PORT = 7447
ROUNDS = 5


class Heed:
    """`heed run --service` on one of the machines."""

    def __init__(self, folder: Path, network: Network, name: str, fleet: str) -> None:
        self.name, self.state = name, folder / name
        self.state.mkdir()
        (self.state / "fleet.key").write_text(KEY)
        settings = self.state / "config.toml"
        settings.write_text(
            f'[service]\nruntime_directory = "{self.state}/run"\nstate_directory = "{self.state}"\n'
            f'[llm]\nbrain = "imitation"\n[fleet]\nname = "{name}"\ntrusted = "{" ".join(NAMES)}"\n{fleet}'
        )
        command = network.command(name, sys.executable, "-m", "daemon", "--config", str(settings), "run", "--service")
        with (self.state / "log").open("w") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(lambda: self.status)
        self.book = LessonBook(self.state / "memory.sqlite")

    @property
    def status(self) -> dict[str, Any]:
        with suppress(CommandError):
            return self.ask("fleet")["robots"]
        return {}

    def teach(self, said: str, rule: str = "") -> None:
        """As people do by voice, and `heed memory` from a shell: the file is what they share."""
        self.book.keep_lesson(transcript(said), rule_in(rule or f"{said} so", Rule("")), "Anna")

    def ask(self, command: str, **fields: str) -> dict[str, Any]:
        return request(self.state / "run", command, **fields)

    @property
    def rules(self) -> list[str]:
        return sorted(lesson.rule.text for lesson in self.book.lessons())

    @property
    def known(self) -> tuple[str, list[str]]:
        """The digest of its ledger, and what holds in it."""
        with closing(Shelf(self.state / "fleet.sqlite")) as shelf:
            ledger = shelf.ledger()
        return ledger.digest(), sorted(lesson.rule.text for lesson in ledger.holding())

    def close(self) -> None:
        self.book.close()
        self._process.terminate()
        self._process.wait(60)


@pytest.fixture
def network() -> Iterator[Network]:
    with closing(Network(NAMES)) as network:
        yield network


@pytest.fixture
def heeds(tmp_path: Path, network: Network) -> Iterator[list[Heed]]:
    at = {name: f"tcp/{network.address(name)}:{PORT}" for name in NAMES}
    with ExitStack() as built:

        def start(name: str, *others: str) -> Heed:
            connect = " ".join(at[other] for other in others)
            fleet = f'listen = "{at[name]}"\nconnect = "{connect}"\n'
            return built.enter_context(closing(Heed(tmp_path, network, name, fleet)))

        yield [start("kitchen"), start("workshop", "kitchen"), start("garden", "kitchen", "workshop")]


def test_three_heeds_whose_cables_are_pulled_know_the_same_afterwards(heeds: list[Heed], network: Network) -> None:
    until(lambda: all(set(heed.status) == set(NAMES) for heed in heeds))
    assert set(heeds[1].ask("fleet", what="stop")["stopped"]) == set(NAMES)
    dice, number = random.Random(1), 0
    for _ in range(ROUNDS):
        away = dice.choice(heeds)
        network.cut(away.name)
        until(lambda away=away: set(away.status) == {away.name})
        for _ in range(4):
            number += 1
            act(dice.choice([away, dice.choice(heeds)]), dice, number)
        network.mend(away.name)
        until(lambda: all(set(heed.status) == set(NAMES) for heed in heeds))
        until(lambda: len({heed.known[0] for heed in heeds}) == 1)
        until(lambda: all(heed.rules == heeds[0].known[1] for heed in heeds))
    assert heeds[0].known[1], "something is known at the end"
