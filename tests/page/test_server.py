"""The page's server on a real socket: who is let in, what is told, and what goes on when a watcher leaves."""

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.page.live import Live
from daemon.page.page_application import FILES, RECORDING_BYTES, WATCHERS
from daemon.page.page_server import PageServer
from daemon.page.permit import Permit, token_in
from daemon.service.control import CommandError, Message
from daemon.trigger import Utterance
from hw.state import HardwareError
from tests.support.waiting import until

TOKEN = "t" * 43


class Page:
    """A server with small handlers, and a client of it."""

    def __init__(self) -> None:
        self.live = Live()
        self.seen: dict[str, Any] = {"state": {"doing": "waiting"}, "scene": {"objects": []}}
        self.room: bytes | None = b"\x89PNG"
        self.recordings: list[NDArray[np.int16]] = []
        handlers = {"say": self._say, "forget": self._refuse, "status": self._break}
        self.server = PageServer(
            "127.0.0.1:0", Permit(TOKEN), handlers, self.live, lambda: dict(self.seen), lambda: "heed_stops_total 1\n",
            self._hear, self._picture,
        )  # fmt: skip
        self.server.start()

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.server.address, timeout=20)
        connection.request(method, path, body, {"Authorization": f"Bearer {TOKEN}", **headers})
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def watch(self, after: str = "") -> "Watcher":
        return Watcher(self.server.address, after)

    def _picture(self, thing: str) -> bytes:
        if self.room is None:
            raise HardwareError("there is no picture", "use physics")
        return self.room + thing.encode()

    def _say(self, message: Message) -> Message:
        return {"heard": message.get("text"), "by": message["source"]}

    def _refuse(self, message: Message) -> Message:
        raise CommandError("there is no lesson 7", "see the list")

    def _break(self, message: Message) -> Message:
        raise ZeroDivisionError("in the handler")

    def _hear(self, samples: NDArray[np.int16]) -> str:
        self.recordings.append(samples)
        return "bring me the juice"


class Watcher:
    """Reads server-sent events."""

    def __init__(self, address: str, after: str) -> None:
        self._connection = http.client.HTTPConnection(address, timeout=20)
        self._connection.request("GET", f"/api/events?after={after}", headers={"Authorization": f"Bearer {TOKEN}"})
        self._response = self._connection.getresponse()
        self.status = self._response.status

    def next(self, kind: str) -> dict[str, Any]:
        """The next event of a kind; passes over others."""
        fields: dict[str, str] = {}
        while True:
            line = self._response.readline().decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields.get("event") == kind:
                return {**json.loads(fields["data"]), "id": fields.get("id")}
            else:
                fields = {}

    def close(self) -> None:
        self._response.close()
        self._connection.close()


@pytest.fixture
def page() -> Iterator[Page]:
    running = Page()
    yield running
    running.server.close()


def test_a_command_of_the_socket_works_from_the_page(page: Page) -> None:
    status, body = page.ask("POST", "/api/say", b'{"text": "hello"}')
    assert (status, json.loads(body)) == (200, {"heard": "hello", "by": "page"})


def test_who_it_was_cannot_be_made_up(page: Page) -> None:
    _, body = page.ask("POST", "/api/say", b'{"text": "hello", "source": "microphone"}')
    assert json.loads(body)["by"] == "page"


def test_a_refusal_comes_with_its_hint(page: Page) -> None:
    status, body = page.ask("POST", "/api/forget", b"{}")
    assert (status, json.loads(body)) == (409, {"error": "there is no lesson 7", "hint": "see the list"})


@pytest.mark.parametrize("path", ["/api/events", "/api/say", "/api/speech", "/metrics", "/api/..%2f", "/favicon.ico"])
def test_without_the_token_nothing_is_told(page: Page, path: str) -> None:
    for token in ("", "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"):
        for method in ("GET", "POST"):
            status, body = page.ask(method, path, b"{}", Authorization=token)
            assert status == 403
            assert b"heed page" in body


def test_the_page_itself_is_no_secret_and_holds_none(page: Page) -> None:
    for path in FILES:
        status, body = page.ask("GET", path, Authorization="")
        assert status == 200
        assert TOKEN.encode() not in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8642", "127.0.0.1.evil.example", "", "[::1", "a@[::1]"])
def test_a_name_that_somebody_else_may_own_is_refused(page: Page, host: str) -> None:
    assert page.ask("GET", "/", Host=host)[0] == 403
    assert page.ask("POST", "/api/say", b"{}", Host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost:8642", "127.0.0.1", "[::1]:8642", "192.168.1.7:80", "LOCALHOST"])
def test_numbers_and_localhost_are_not(page: Page, host: str) -> None:
    assert page.ask("GET", "/", Host=host)[0] == 200


def test_another_site_is_refused_even_with_the_token(page: Page) -> None:
    assert page.ask("POST", "/api/say", b"{}", Origin="https://evil.example")[0] == 403
    assert page.ask("POST", "/api/say", b"{}", Origin="null")[0] == 403
    assert page.ask("POST", "/api/say", b"{}", Origin=f"http://{page.server.address}")[0] == 200


def test_browsers_are_told_to_be_strict_with_every_answer(page: Page) -> None:
    connection = http.client.HTTPConnection(page.server.address, timeout=20)
    for path in ("/", "/metrics"):
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    connection.close()


@pytest.mark.parametrize("body", [b"", b"{}"])
def test_no_fields_are_fine(page: Page, body: bytes) -> None:
    assert page.ask("POST", "/api/say", body)[0] == 200


@pytest.mark.parametrize("body", [b"[]", b"7", b"{", b"\xff", b'{"a": "\\ud800"}', b"[" * 60_000])
def test_garbage_is_answered_with_an_error(page: Page, body: bytes) -> None:
    status, answer = page.ask("POST", "/api/say", body)
    assert status == 400
    assert json.loads(answer)["hint"]


def test_what_is_too_long_is_refused(page: Page) -> None:
    assert page.ask("POST", "/api/say", b'{"text": "' + b"x" * 70_000 + b'"}')[0] == 413
    assert page.ask("POST", "/api/speech", bytes(RECORDING_BYTES + 2))[0] == 413
    assert page.recordings == []


def test_a_handler_that_breaks_does_not_break_the_page(page: Page) -> None:
    assert page.ask("POST", "/api/status")[0] == 500
    assert page.ask("POST", "/api/say")[0] == 200
    assert page.ask("POST", "/api/nothing")[0] == 404


def test_a_recording_is_heard(page: Page) -> None:
    samples = np.arange(-100, 100, dtype="<i2")
    status, body = page.ask("POST", "/api/speech", samples.tobytes() + b"\x00")
    assert (status, json.loads(body)) == (200, {"text": "bring me the juice"})
    assert list(page.recordings[0]) == list(samples)


def test_figures_are_text(page: Page) -> None:
    assert page.ask("GET", "/metrics") == (200, b"heed_stops_total 1\n")


def test_a_watcher_is_told_what_was_and_what_comes(page: Page) -> None:
    page.live.heard(Utterance("bring me the juice", speaker="ada"))
    watcher = page.watch()
    assert watcher.next("hello")["run"] == page.live.run
    step = watcher.next("step")
    assert (step["kind"], step["text"], step["speaker"]) == ("heard", "bring me the juice", "ada")
    assert watcher.next("state")["doing"] == "waiting"
    page.live.said("Here is the juice.")
    assert watcher.next("step")["text"] == "Here is the juice."
    page.seen["state"] = {"doing": "working"}
    assert watcher.next("state")["doing"] == "working"
    watcher.close()


def test_who_comes_back_gets_what_was_missed_and_nothing_twice(page: Page) -> None:
    watcher = page.watch()
    page.live.said("one")
    last = watcher.next("step")["id"]
    watcher.close()
    page.live.said("two")
    again = page.watch(after=last)
    assert again.next("step")["text"] == "two"
    again.close()


@pytest.mark.parametrize("after", ["", "nonsense", "00000000-7", "-", "9" * 400])
def test_who_comes_from_an_earlier_run_gets_everything(page: Page, after: str) -> None:
    page.live.said("one")
    watcher = page.watch(after)
    assert watcher.next("step")["text"] == "one"
    watcher.close()


def test_who_leaves_is_forgotten(page: Page) -> None:
    watcher = page.watch()
    watcher.next("hello")
    until(lambda: page.live.watchers == 1)
    watcher.close()
    until(lambda: page.live.watchers == 0)


def test_more_watchers_than_there_are_places_are_told_so(page: Page) -> None:
    watchers = [page.watch() for _ in range(WATCHERS)]
    for watcher in watchers:
        watcher.next("hello")
    assert page.watch().status == 503
    for watcher in watchers:
        watcher.close()
    until(lambda: page.live.watchers == 0)
    last = page.watch()
    assert last.status == 200
    last.close()


def test_closing_ends_the_watchers(page: Page) -> None:
    watcher = page.watch()
    watcher.next("hello")
    page.server.close()
    assert not page.server.alive
    watcher.close()


def test_an_address_that_cannot_be_had_says_which_setting_to_change(page: Page) -> None:
    for address in ("8642", "nowhere.invalid:80", "127.0.0.1:99999", "127.0.0.1:x", ""):
        with pytest.raises(CommandError, match="cannot be offered") as refused:
            PageServer(address, Permit(TOKEN), {}, Live(), dict, str, lambda samples: "", bytes)
        assert "config.toml" in refused.value.hint


def test_a_hundred_who_send_nothing_keep_nobody_out(page: Page) -> None:
    host, _, port = page.server.address.partition(":")
    idle = [socket.create_connection((host, int(port))) for _ in range(100)]
    assert page.ask("POST", "/api/say", b"{}")[0] == 200
    for connection in idle:
        connection.close()


def test_the_link_holds_the_token(page: Page) -> None:
    assert page.server.link == f"http://{page.server.address}/#token={TOKEN}"


def test_the_token_is_kept_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    token = token_in(tmp_path / "state")
    assert len(token) >= 43
    assert token_in(tmp_path / "state") == token
    assert (tmp_path / "state" / "page-token").stat().st_mode & 0o777 == 0o600


def test_without_its_file_there_is_a_new_token(tmp_path: Path) -> None:
    token = token_in(tmp_path)
    (tmp_path / "page-token").write_text("short")
    assert token_in(tmp_path) != token


def test_a_picture_is_shown_where_there_is_one(page: Page) -> None:
    assert page.ask("GET", "/api/picture") == (200, b"\x89PNG")
    assert page.ask("GET", "/api/picture?of=the%20cup") == (200, b"\x89PNGthe cup")
    page.room = None
    assert page.ask("GET", "/api/picture") == (204, b"")
    assert page.ask("GET", "/api/picture", Authorization="Bearer wrong")[0] == 403


def test_words_are_shown_while_they_are_spoken_and_taken_away(page: Page) -> None:
    watcher = page.watch()
    until(lambda: page.live.is_watched)
    page.live.words("bring me the", 0.614)
    shown = [watcher.next("hearing"), watcher.next("hearing")]
    page.live.words("", 0.0)
    shown.append(watcher.next("hearing"))
    assert [(one["text"], one["confidence"]) for one in shown] == [("", 0.0), ("bring me the", 0.61), ("", 0.0)]
    watcher.close()
