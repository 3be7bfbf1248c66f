"""The daemon's socket: ordinary requests, hostile ones, and a daemon that is not there."""

import json
import socket
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from daemon.service.control import (
    CONNECTIONS,
    REQUEST_BYTES,
    SOCKET,
    CommandError,
    ControlServer,
    Handler,
    Message,
    NoDaemonError,
    request,
)


def echo(message: Message) -> Message:
    return {"heard": message.get("text")}


def refuse(message: Message) -> Message:
    raise CommandError("there is no lesson 7", "see `heed memory lessons`")


def break_down(message: Message) -> Message:
    raise ZeroDivisionError("in the handler")


def answer_nonsense(message: Message) -> Message:
    return {"socket": object()}


HANDLERS: dict[str, Handler] = {
    "say": echo,
    "forget": refuse,
    "status": break_down,
    "doctor": answer_nonsense,
}


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    server = ControlServer(tmp_path, HANDLERS)
    server.start()
    yield tmp_path
    server.close()


def raw(directory: Path, sent: bytes) -> Message | None:
    """Send bytes as they are; None when the daemon hangs up without a word."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(20)
        connection.connect(str(directory / SOCKET))
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        line = connection.makefile("rb").readline()
        return json.loads(line) if line else None


def test_a_request_is_answered(directory: Path) -> None:
    assert request(directory, "say", text="bring me the juice") == {"heard": "bring me the juice"}


@pytest.mark.parametrize("text", ["don't", "import os", "x" * 5000, "🧃", "", "a\nb", '"}'])
def test_text_is_only_text(directory: Path, text: str) -> None:
    assert request(directory, "say", text=text) == {"heard": text}


def test_a_refusal_comes_with_its_hint(directory: Path) -> None:
    with pytest.raises(CommandError, match="no lesson 7") as refused:
        request(directory, "forget", lesson=7)
    assert refused.value.hint == "see `heed memory lessons`"


def test_a_misspelt_command_names_the_right_one(directory: Path) -> None:
    with pytest.raises(CommandError, match="no command 'stauts'") as refused:
        request(directory, "stauts")
    assert refused.value.hint == "did you mean status?"


@pytest.mark.parametrize("command", ["status", "doctor"])
def test_a_handler_that_breaks_does_not_break_the_daemon(directory: Path, command: str) -> None:
    with pytest.raises(CommandError, match="error of its own"):
        request(directory, command)
    assert request(directory, "say", text="still here") == {"heard": "still here"}


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"hello\n",
        b"\x00\xff\xfe\n",
        b"[]\n",
        b"{}\n",
        b"null",
        b'{"command": 7}\n',
        b'{"command": {"command": "say"}}\n',
        b'{"command": "say", "text": "\\ud800"}\n',
        b'{"command": "say", "text": NaN}\n',
        b'{"command": "say"',
        b"[" * 60_000 + b"\n",
        b"9" * 60_000 + b"\n",
        b'{"command": "' + b"s" * 60_000 + b'"}\n',
    ],
)
def test_garbage_is_answered_with_an_error(directory: Path, garbage: bytes) -> None:
    answer = raw(directory, garbage)
    assert answer is not None
    assert answer["ok"] is False
    assert answer["error"]
    assert answer["hint"]
    assert request(directory, "say", text="still here") == {"heard": "still here"}


@pytest.mark.parametrize("size", [REQUEST_BYTES, 20 * REQUEST_BYTES])
def test_a_huge_request_is_refused_and_not_kept(directory: Path, size: int) -> None:
    with pytest.raises(CommandError, match=f"longer than {REQUEST_BYTES} bytes"):
        request(directory, "say", text="x" * size)


def test_who_connects_and_leaves_does_no_harm(directory: Path) -> None:
    assert raw(directory, b"") is None
    assert request(directory, "say", text="still here") == {"heard": "still here"}


def test_more_at_once_than_there_are_places_wait_their_turn(tmp_path: Path) -> None:
    number_of_clients = CONNECTIONS + 8
    inside, go_on = threading.Semaphore(0), threading.Event()

    def wait(message: Message) -> Message:
        inside.release()
        go_on.wait(60)
        return {"number": message["number"]}

    server = ControlServer(tmp_path, {"wait": wait})
    server.start()
    with ThreadPoolExecutor(number_of_clients) as clients:
        answers = [clients.submit(request, tmp_path, "wait", number=number) for number in range(number_of_clients)]
        for _ in range(CONNECTIONS):
            assert inside.acquire(timeout=60)
        assert not inside.acquire(blocking=False)
        go_on.set()
        assert [answer.result()["number"] for answer in answers] == list(range(number_of_clients))
    server.close()


def test_a_full_queue_is_waited_in(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, ThreadPoolExecutor(3) as clients:
        listener.bind(str(tmp_path / SOCKET))
        listener.listen(0)  # one may wait
        answers = [clients.submit(request, tmp_path, "status") for _ in range(3)]
        for _ in answers:
            connection, _ = listener.accept()
            with connection:
                connection.recv(REQUEST_BYTES)
                connection.sendall(b'{"ok": true, "doing": "waiting"}\n')
        assert [answer.result()["doing"] for answer in answers] == ["waiting"] * 3


def test_a_queue_that_does_not_move_is_an_error_that_says_so(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as before_us:
        listener.bind(str(tmp_path / SOCKET))
        listener.listen(0)
        before_us.connect(str(tmp_path / SOCKET))
        with pytest.raises(CommandError, match="did not answer in "):
            request(tmp_path, "status", timeout=0.1)


def test_without_a_daemon_the_error_says_how_to_start_it(tmp_path: Path) -> None:
    with pytest.raises(NoDaemonError, match="no heed is running") as refused:
        request(tmp_path, "status")
    assert refused.value.hint == "start it with `make run` or `systemctl start heed`"


def test_a_closed_daemon_is_no_daemon(tmp_path: Path) -> None:
    server = ControlServer(tmp_path, HANDLERS)
    server.start()
    assert server.alive
    server.close()
    assert not server.alive
    with pytest.raises(NoDaemonError):
        request(tmp_path, "say")


def test_the_socket_of_a_daemon_that_was_killed_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as killed:
        killed.bind(str(tmp_path / SOCKET))
    with pytest.raises(NoDaemonError):
        request(tmp_path, "say")
    server = ControlServer(tmp_path, HANDLERS)
    server.start()
    assert request(tmp_path, "say", text="hello") == {"heard": "hello"}
    server.close()


def test_a_second_daemon_leaves_the_first_alone(directory: Path) -> None:
    with pytest.raises(CommandError, match="another heed is running"):
        ControlServer(directory, {}).start()
    assert request(directory, "say", text="still here") == {"heard": "still here"}


def test_of_many_that_start_at_once_one_runs(tmp_path: Path) -> None:
    servers = [ControlServer(tmp_path, HANDLERS) for _ in range(8)]

    def starts(server: ControlServer) -> bool:
        try:
            server.start()
        except CommandError:
            return False
        return True

    with ThreadPoolExecutor(8) as starters:
        assert list(starters.map(starts, servers)).count(True) == 1
    for server in servers:
        server.close()


def test_owner_and_group_may_talk_and_others_not(directory: Path) -> None:
    assert stat.S_IMODE((directory / SOCKET).stat().st_mode) == 0o660


def test_a_path_too_long_for_a_socket_says_which_setting_to_change(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be made") as refused:
        ControlServer(tmp_path / ("x" * 120), HANDLERS).start()
    assert "runtime_directory" in refused.value.hint
