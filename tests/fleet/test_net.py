"""Robots on loopback, with real Zenoh sessions; what they do is not simulated here."""

import json
import os
import random
import secrets
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zenoh

from daemon.config import ConfigError, FleetConfig
from daemon.fleet import net
from daemon.fleet.lesson_ledger import Entry, to_json
from daemon.fleet.message_seal import Seal, SealError, key_in
from daemon.fleet.net import Net
from tests.fleet.test_ledger import spoiled, taught
from tests.fleet.test_member import Robot
from tests.support.waiting import until
from tests.test_listeners import listeners

KEY = b"a key of sixteen letters"
BEAT = 0.1
"""Seconds; robots have no such hurry."""


class Station(Robot):
    """A robot on the net that notes what it is told to do."""

    def __init__(self, folder: Path, name: str, trusted: tuple[str, ...] = (), **settings: str) -> None:
        super().__init__(folder, name, trusted=trusted)
        self.done: list[tuple[str, dict[str, Any]]] = []
        self.busy = False
        config = FleetConfig(name=name, **settings)
        seal = Seal(KEY, name)
        self.net = Net(config, folder, folder, self.member, seal, self.status, self.do, lambda: self.busy, BEAT)

    def status(self) -> dict[str, Any]:
        return {"doing": "waiting"}

    def do(self, verb: str, fields: dict[str, Any]) -> dict[str, Any]:
        self.done.append((verb, fields))
        return {"ok": True}

    @property
    def sees(self) -> list[str]:
        return [peer.name for peer in self.net.peers]

    def close(self) -> None:
        self.net.close()
        super().close()


Station_ = Callable[..., Station]


@pytest.fixture
def address() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp/127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station_]:
    stations: list[Station] = []

    def make(name: str, **more: Any) -> Station:
        stations.append(Station(tmp_path, name, **more))
        return stations[-1]

    yield make
    for made in stations:
        made.close()


def test_three_robots_see_each_other_stop_and_say_and_learn(station: Station_, address: str) -> None:
    kitchen = station("kitchen", listen=address)
    workshop = station("workshop", connect=address, trusted=("kitchen",))
    garden = station("garden", connect=address)
    until(lambda: kitchen.sees == ["garden", "workshop"])
    until(lambda: workshop.sees == ["garden", "kitchen"] and garden.sees == ["kitchen", "workshop"])
    assert workshop.net.ask("*", "stop", {"reason": "a person"}).keys() >= {"kitchen", "garden"}
    assert kitchen.done[0][0] == "stop"
    assert kitchen.done[0][1]["from"] == "workshop"
    assert set(kitchen.net.ask("garden", "say", {"text": "hello"})) == {"garden"}
    kitchen.teach("bring tea")
    until(lambda: workshop.rules == ["bring tea so"])
    until(lambda: garden.member.question() is not None)
    kitchen.book.forget(1)
    until(lambda: workshop.rules == [])
    until(lambda: garden.member.question() is None)


@pytest.mark.whole
def test_what_arrives_waits_while_a_robot_listens_thinks_or_speaks(
    station: Station_, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net, "BUSY_SECONDS", 3600.0)
    kitchen = station("kitchen", listen=address)
    workshop = station("workshop", connect=address, trusted=("kitchen",))
    workshop.busy = True
    kitchen.teach("bring tea")
    beats: set[float] = set()

    def told_often() -> bool:
        beats.update(peer.heard_at for peer in kitchen.net.peers)
        return len(beats) >= 4

    until(told_often)
    assert len(workshop.member.ledger) == 0
    workshop.member.hear(list(kitchen.member.ledger))
    beats.clear()
    until(told_often)
    assert workshop.rules == []
    workshop.busy = False
    until(lambda: workshop.rules == ["bring tea so"])


def test_a_robot_waits_for_the_one_that_it_connects_to_and_listens_nowhere_itself(
    station: Station_, address: str
) -> None:
    before = listeners({os.getpid()})
    workshop = station("workshop", connect=address, trusted=("kitchen",))
    assert listeners({os.getpid()}) == before
    kitchen = station("kitchen", listen=address)
    kitchen.teach("bring tea")
    until(lambda: workshop.rules == ["bring tea so"])


def test_who_was_away_learns_when_it_comes_back_and_both_sides_are_equal(station: Station_, address: str) -> None:
    kitchen = station("kitchen", listen=address, trusted=("workshop",))
    workshop = station("workshop", connect=address, trusted=("kitchen",))
    kitchen.teach("bring tea")
    until(lambda: workshop.rules == ["bring tea so"])
    workshop.net.close()
    kitchen.book.forget(1)
    kitchen.teach("bring milk")
    workshop.teach("bring wood")
    again = Net(
        FleetConfig(name="workshop", connect=address),
        Path("."),
        Path("."),
        workshop.member,
        Seal(KEY, "workshop"),
        dict,
        workshop.do,
        beat=BEAT,
    )
    try:
        until(lambda: sorted(kitchen.rules) == sorted(workshop.rules) == ["bring milk so", "bring wood so"])
        until(lambda: kitchen.member.digest == workshop.member.digest)
    finally:
        again.close()


def test_more_lessons_than_fit_a_message_arrive_all(station: Station_, address: str) -> None:
    kitchen = station("kitchen", listen=address)
    kitchen.member.hear([Entry(taught(number), frozenset({str(number)})) for number in range(200)])
    late = station("late", connect=address)
    until(lambda: len(late.member.ledger) == 200)
    assert late.member.digest == kitchen.member.digest


def test_a_stranger_and_a_broken_peer_change_nothing(station: Station_, address: str) -> None:
    kitchen = station("kitchen", listen=address, trusted=("stranger",))
    lesson = to_json(Entry(taught(1, robot="stranger"), frozenset({"a"})))
    forged, broken = Seal(b"another key, just as long", "stranger"), Seal(KEY, "broken")
    noise = [
        b"",
        b"{}",
        secrets.token_bytes(500),
        forged.close("lessons", [lesson]),
        broken.close("lessons", [{**lesson, "marks": 7}]),
        broken.close("lessons", {"all": lesson}),
        broken.close("lessons", [lesson] * 21),
        broken.close("status", [lesson]),
        broken.close("lessons", [[[]]]),
    ]
    settings = zenoh.Config()
    settings.insert_json5("scouting/multicast/enabled", "false")
    settings.insert_json5("connect/endpoints", json.dumps([address]))
    with zenoh.open(settings) as stranger:
        for message in noise:
            stranger.put("heed/fleet/stranger/lessons", message)
            stranger.put("heed/fleet/stranger/status", message)
        for payload in (None, b"", b"stop", forged.close("do", {"verb": "stop"}), broken.close("do", ["stop"])):
            assert not [r for r in stranger.get("heed/fleet/kitchen/do", payload=payload, timeout=2.0) if r.ok]
        said = broken.close("do", {"verb": "stop"})
        for _ in range(2):
            list(stranger.get("heed/fleet/kitchen/do", payload=said, timeout=2.0))
        until(lambda: kitchen.net.refused >= 2 * len(noise) + 6)
    assert len(kitchen.done) == 1, "the same stop counts once"
    assert len(kitchen.member.ledger) == 0
    assert kitchen.sees == []
    kitchen.teach("bring tea")
    assert kitchen.rules == ["bring tea so"]


@pytest.mark.whole
def test_a_member_that_sends_nonsense_changes_nothing_that_is_known(station: Station_, address: str) -> None:
    kitchen = station("kitchen", listen=address, trusted=("workshop",))
    kitchen.teach("bring tea")
    known = {entry.lesson.name: entry for entry in kitchen.member.ledger}
    broken, dice = Seal(KEY, "broken"), random.Random(1)
    settings = zenoh.Config()
    settings.insert_json5("scouting/multicast/enabled", "false")
    settings.insert_json5("connect/endpoints", json.dumps([address]))
    with zenoh.open(settings) as session:
        for _ in range(300):
            message = bytearray(broken.close("lessons", [spoiled(dice)]))
            if dice.random() < 0.3:
                message[dice.randrange(len(message))] ^= 1 << dice.randrange(8)
            end = dice.choice([50, 500, len(message), len(message)])
            session.put("heed/fleet/broken/lessons", bytes(message[:end]))
        workshop = station("workshop", connect=address)
        workshop.teach("bring wood")
        until(lambda: kitchen.rules == ["bring tea so", "bring wood so"])
    assert kitchen.net.refused > 150
    assert all(kitchen.member.ledger.entry(name) == entry for name, entry in known.items())


def test_a_message_is_read_by_who_has_the_key_and_a_verb_once_and_fresh() -> None:
    clock = [1000.0]
    seal = Seal(KEY, "kitchen", lambda: clock[0])
    message = seal.close("do", {"verb": "stop"})
    assert seal.open(message, "do", once=True) == ("kitchen", {"verb": "stop"})
    for again, kind, complaint in ((message, "do", "before"), (message, "status", "no status"), (b"x", "do", "nobody")):
        with pytest.raises(SealError, match=complaint):
            seal.open(again, kind, once=True)
    late = seal.close("do", {})
    clock[0] += 100
    with pytest.raises(SealError, match="too old"):
        seal.open(late, "do", once=True)


def test_the_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    file = tmp_path / "state" / "fleet.key"
    assert key_in(file) == key_in(file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("short")
    with pytest.raises(ConfigError, match="too short"):
        key_in(file)


def test_an_address_that_zenoh_does_not_take_is_named(tmp_path: Path) -> None:
    robot = Robot(tmp_path, "kitchen")
    with pytest.raises(ConfigError, match="Zenoh does not take"):
        Net(
            FleetConfig(name="kitchen", listen="nonsense"),
            tmp_path,
            tmp_path,
            robot.member,
            Seal(KEY, "k"),
            dict,
            lambda v, f: {},
        )
    robot.close()
