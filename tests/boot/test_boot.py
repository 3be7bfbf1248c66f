"""heed as a service of a real systemd, through what happens to services.

Run it with `sudo make test-boot`. It boots a machine of its own in namespaces (machine.py), installs heed there with
`heed install`, and gives everything back. The robot is the simulated one, a child of heed.service.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.boot.machine import CHECKOUT, Machine, is_possible
from tests.support.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not is_possible(), reason="needs root, systemd and cgroup v2"),
]
MEMORY = "/var/lib/heed/memory.sqlite"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    scratch = CHECKOUT / ".cache"
    scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="boot.", dir=scratch) as folder:
        booted = Machine(Path(folder))
        try:
            booted.boot()
            booted.run("env", "-C", "/", str(CHECKOUT / ".venv/bin/heed"), "install")
            yield booted
        finally:
            booted.close()


@pytest.fixture
def heed(machine: Machine) -> Machine:
    """The machine, once heed in it can be talked to and waits."""
    until(lambda: waits(machine))
    return machine


def waits(machine: Machine) -> bool:
    answer = machine.heed("status", "--json", check=False)
    return bool(answer) and json.loads(answer)["doing"] == "waiting"


def moves_again(machine: Machine) -> bool:
    """Whether everything is active, after a person said so."""
    machine.heed("resume", check=False)
    answer = machine.heed("status", "--json", check=False)
    return bool(answer) and set(json.loads(answer)["body"].values()) == {"active"}


def ask(heed: Machine, text: str) -> None:
    """Say something, and wait until heed has done with it."""
    walks = journal(heed).count(" utterance source=")
    heed.heed("say", text)
    until(lambda: journal(heed).count(" utterance source=") > walks)
    until(lambda: waits(heed))


def journal(machine: Machine) -> str:
    return machine.run("journalctl", "-u", "heed", "--no-pager", "-o", "cat", check=False)


def sql(machine: Machine, query: str) -> str:
    return machine.run("sqlite3", MEMORY, query)


def restarts(machine: Machine) -> int:
    return int(machine.show("heed.service", "NRestarts") or 0)


def teach(heed: Machine) -> None:
    """Up to the question whether it shall be remembered."""
    ask(heed, "I want some juice")
    ask(heed, "can you also bring me a cup?")
    heed.heed("say", "thanks, but next time bring both at once, you have two hands")
    until(lambda: "remember" in journal(heed).splitlines()[-1])


def test_the_service_is_active_once_heed_can_be_talked_to(heed: Machine) -> None:
    assert heed.show("heed.service", "ActiveState") == "active"
    assert heed.show("heed.service", "StatusText").startswith("listening, with")
    assert heed.show("heed-hw.service", "ConditionResult") == "no"  # no /etc/heed/robot.toml: heed simulates one
    assert set(heed.processes()) >= {"heed", "heed-hw", "sim"}


def test_it_runs_as_its_own_user_without_any_capability_or_network(heed: Machine) -> None:
    pid = str(heed.processes()["heed"])
    status = heed.run("cat", f"/proc/{pid}/status")
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert heed.run("nsenter", "-t", pid, "-n", "ss", "-Hltnup") == ""
    assert heed.run("stat", "-c", "%U %G %a", "/run/heed/heed.sock") == "heed heed 660"


def test_a_request_over_the_socket_is_carried_out_and_written_down(heed: Machine) -> None:
    ask(heed, "go to the sink")
    assert "go to the sink" in sql(heed, "SELECT said FROM actions WHERE outcome = 'success'")
    assert "thought=" in journal(heed)


@pytest.mark.parametrize("name", ["heed-hw", "sim"])
def test_a_killed_part_comes_back_and_waits_for_a_person(heed: Machine, name: str) -> None:
    killed = heed.processes()[name]
    heed.run("kill", "-9", str(killed))
    until(lambda: heed.processes().get(name) not in (None, killed))
    until(lambda: waits(heed))
    until(lambda: moves_again(heed))


def test_a_killed_console_worker_is_replaced(heed: Machine) -> None:
    processes = heed.processes()
    if "console worker" not in processes:
        pytest.skip("the console worker has another name")
    heed.run("kill", "-9", str(processes["console worker"]))
    ask(heed, "hello")
    assert restarts(heed) == restarts(heed)


def test_a_killed_heed_is_started_again(heed: Machine) -> None:
    before, killed = restarts(heed), heed.processes()["heed"]
    heed.run("kill", "-9", str(killed))
    until(lambda: restarts(heed) == before + 1)
    until(lambda: waits(heed))
    assert heed.processes()["heed"] != killed


@pytest.mark.parametrize("name", ["heed", "heed-hw"])
def test_a_frozen_part_is_noticed_by_the_watchdog(heed: Machine, name: str) -> None:
    before = restarts(heed)
    heed.run("kill", "-STOP", str(heed.processes()[name]))
    until(lambda: restarts(heed) > before)
    until(lambda: waits(heed))
    assert "watchdog" in heed.run("journalctl", "-u", "heed", "-o", "cat", "--no-pager").lower()


def test_with_a_full_disk_heed_still_hears_and_stops_and_says_what_it_could_not_keep(heed: Machine) -> None:
    heed.run("sh", "-c", "cat /dev/zero > /var/lib/heed/full || true")
    try:
        heed.heed("resume", check=False)
        ask(heed, "hello")
        heed.heed("say", "stop")
        until(lambda: json.loads(heed.heed("status", "--json"))["stopped"])
        assert "not written down" in journal(heed)
    finally:
        heed.run("rm", "/var/lib/heed/full")
    heed.heed("resume")
    ask(heed, "hello again")
    assert "hello again" in sql(heed, "SELECT said FROM today")


def test_power_lost_before_the_yes_loses_nothing_but_the_question(heed: Machine) -> None:
    teach(heed)
    before = sql(heed, "SELECT count(*) FROM lesson")
    heed.cut_power()
    heed.boot()
    until(lambda: waits(heed))
    assert sql(heed, "PRAGMA integrity_check") == "ok"
    assert sql(heed, "SELECT count(*) FROM lesson") == before


def test_power_lost_right_after_the_yes_keeps_the_lesson(heed: Machine) -> None:
    before = int(sql(heed, "SELECT count(*) FROM lesson WHERE status = 'active'"))
    teach(heed)
    heed.heed("say", "yes")
    until(lambda: int(sql(heed, "SELECT count(*) FROM lesson WHERE status = 'active'")) > before)
    heed.cut_power()
    heed.boot()
    until(lambda: waits(heed))
    assert sql(heed, "PRAGMA integrity_check") == "ok"
    assert int(sql(heed, "SELECT count(*) FROM lesson WHERE status = 'active'")) > before


def test_asked_to_end_it_ends_well(heed: Machine) -> None:
    heed.run("systemctl", "stop", "heed")
    assert heed.show("heed.service", "Result") == "success"
    assert heed.processes() == {}
    heed.run("systemctl", "start", "heed")


def test_what_is_uninstalled_leaves_memory_and_settings(machine: Machine) -> None:
    machine.heed("uninstall")
    assert machine.show("heed.service", "LoadState") == "not-found"
    assert machine.run("ls", "/etc/heed/config.toml", MEMORY)
