"""The page of a whole heed, without a browser: commands reach it, watchers see it, figures count it."""

import http.client
import json
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.app import App
from daemon.cli.terminal import Terminal
from daemon.config import BodyConfig, Config, LlmConfig, PermissionConfig, ServiceConfig
from daemon.service.control import request
from daemon.service.sound import Voice
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    service = ServiceConfig(runtime_directory=str(tmp_path / "run"), state_directory=str(tmp_path), page="127.0.0.1:0")
    config = Config(
        service=service, body=BodyConfig(), llm=LlmConfig(brain="imitation"),
        permission=PermissionConfig(confirm="move_to"), folder=ROOT,
    )  # fmt: skip
    running = App(config, Voice(), Terminal())
    thread = threading.Thread(target=running.run)
    thread.start()
    until(lambda: running.conversation.waiting)
    yield running
    running.shut_down("the test is over")
    thread.join(60)
    assert not thread.is_alive()


def ask(app: App, method: str, path: str, **fields: object) -> tuple[int, str]:
    place, _, token = app.doors.link.removeprefix("http://").partition("/#token=")
    connection = http.client.HTTPConnection(place, timeout=30)
    connection.request(method, path, json.dumps(fields), {"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


def test_a_robot_is_set_up_on_the_page_and_any_stop_ends_that(app: App) -> None:
    stopped: list[bool] = []
    app.heed.also_stop(lambda: stopped.append(True))
    told = json.loads(ask(app, "POST", "/api/setup")[1])
    assert told == {"text": "", "asks": False, "runs": False}
    ask(app, "POST", "/api/stop")
    assert stopped == [True]


def actions(folder: Path) -> list[tuple[str, ...]]:
    with sqlite3.connect(folder / "memory.sqlite") as database:
        return database.execute("SELECT said, what, outcome FROM action ORDER BY id").fetchall()


def test_from_words_on_the_page_to_figures_and_records(app: App, tmp_path: Path) -> None:
    """A skill that asks first: no is no, yes is yes; then it is stopped from the page."""
    assert request(tmp_path / "run", "page")["link"] == app.doors.link
    assert ask(app, "POST", "/api/say", text="go to the sink", user="ada")[0] == 200
    until(lambda: app.conversation.asking)
    ask(app, "POST", "/api/say", text="no")
    until(lambda: app.conversation.waiting and not app.conversation.asking)
    assert actions(tmp_path) == []

    ask(app, "POST", "/api/say", text="go to the sink", user="ada")
    until(lambda: app.conversation.asking)
    ask(app, "POST", "/api/say", text="yes")
    until(lambda: [outcome for _, _, outcome in actions(tmp_path)] == ["under way"])
    assert json.loads(ask(app, "POST", "/api/stop", reason="the page")[1])["standstill"]
    until(lambda: app.conversation.waiting)
    [move, stop] = actions(tmp_path)
    assert move[:2] == ("go to the sink", "move_to('sink')")
    assert move[2].startswith("Cancelled: ")
    assert stop[:2] == ("the page", "stop")

    figures = ask(app, "GET", "/metrics")[1].splitlines()
    assert "heed_stops_total 1" in figures
    assert "heed_stopped 1" in figures
    assert any(line.startswith("heed_hw_memory_bytes ") for line in figures)


@pytest.mark.whole
def test_models_and_lessons_are_listed(app: App) -> None:
    models = json.loads(ask(app, "POST", "/api/models")[1])["models"]
    assert {"file": "imitation", "problem": "", "used": True} in models
    assert json.loads(ask(app, "POST", "/api/lessons")[1]) == {"lessons": []}
    assert ask(app, "POST", "/api/forget", id=7)[0] == 409
    assert ask(app, "POST", "/api/forget", id="x")[0] == 409
