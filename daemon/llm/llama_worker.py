"""The process in which a model lives: `python -m daemon.llm.llama_worker FD`, started by llama.py.

It is a process of its own because an assertion in native code ends it, and must not take the robot's voice
along. FD is one end of a socket pair; on it travel packets of JSON. Each request has a number, `id`, and is
answered by a packet with the same number: its results, or {"error": text, "cancelled": bool}. Requests are

    {"do": "open", file, context_tokens, threads, folder, limit, splice}   first of all
                                                    -> {context_tokens, chat, splice}
    {"do": "complete", base, examples, history, scope, weigh, stop, statement, max_tokens, lines}
                                                    -> the fields of Completion;
                                        with `lines`, before: {so_far, confidence} whenever another line is written
                                        scope: None, or the fields of NameScope
    {"do": "others", base, examples, history, scope, count, max_tokens} -> {answers: [[text, confidence, of both], ...]}
    {"do": "prepare", base, examples} -> {kept}
    {"do": "read", base, examples, history} -> {read}
    {"do": "count", text} -> {tokens}
    {"do": "describe"} -> the fields of Session.describe()
    {"do": "cancel"}   ends the request of the same number soon, be it running or waiting; is not answered

The process ends when the other end of the pair is closed.
"""

import collections
import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from daemon.llm.kv_files import KvFiles
from daemon.llm.llama_process import NICENESS
from daemon.llm.model import NameScope
from daemon.llm.native import Aborted, NativeError, NativeModel
from daemon.llm.session import Session


class Worker:
    """Answers requests in order; a thread listens, so that a cancel is heard while the model computes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._changed = threading.Condition()
        self._waiting: collections.deque[dict[str, Any]] = collections.deque()
        self._running = -1
        self._model: NativeModel | None = None
        self._session: Session | None = None
        self._actions: dict[str, Callable[..., dict[str, Any]]] = {
            "open": self._open,
            "complete": self._complete,
            "others": self._others,
            "prepare": self._prepare,
            "read": self._read,
            "count": self._count,
            "describe": self._describe,
        }

    def run(self) -> None:
        """Work until the process ends."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                request = self._waiting.popleft()
                self._running = request.pop("id")
                if self._model is not None:
                    self._model.abort = False
            self._answer(self._running, self._work(request))

    def _work(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._actions[request.pop("do")](**request)
        except Aborted:
            return _CANCELLED
        except NativeError as error:
            return {"error": str(error), "cancelled": False}
        except Exception as error:  # one broken request is no reason to load the model again
            traceback.print_exc()
            return {"error": f"the model's process failed: {error!r}", "cancelled": False}

    def _open(
        self, file: str, context_tokens: int, threads: int, folder: str | None, limit: int, splice: str
    ) -> dict[str, Any]:
        leave_first_cores(threads)
        self._model = NativeModel(Path(file), context_tokens, threads)
        files = KvFiles(Path(folder) if folder else None, limit)
        self._session = Session(self._model, files, splice)
        return {
            "context_tokens": self._model.context_tokens,
            "chat": self._session.chat,
            "splice": self._model.can_splice,
        }

    def _complete(self, scope: dict[str, Any] | None, lines: bool, **prompt: Any) -> dict[str, Any]:
        number = self._running
        tell = (lambda text, sure: self._answer(number, {"so_far": text, "confidence": sure})) if lines else None
        return asdict(self._opened().complete(**prompt, scope=_scope(scope), tell=tell))

    def _others(self, scope: dict[str, Any] | None, **prompt: Any) -> dict[str, Any]:
        return {"answers": self._opened().others(**prompt, scope=_scope(scope))}

    def _prepare(self, base: str, examples: list[str]) -> dict[str, Any]:
        return {"kept": self._opened().prepare(base, examples)}

    def _read(self, base: str, examples: list[str], history: str) -> dict[str, Any]:
        return {"read": self._opened().read(base, examples, history)}

    def _describe(self) -> dict[str, Any]:
        return self._opened().describe()

    def _count(self, text: str) -> dict[str, Any]:
        return {"tokens": self._opened().count(text)}

    def _opened(self) -> Session:
        if self._session is None:
            raise NativeError("no model is open")
        return self._session

    def _listen(self) -> None:
        try:
            while True:
                request = json.loads(self._connection.recv_bytes())
                if request["do"] == "cancel":
                    self._cancel(request["id"])
                else:
                    with self._changed:
                        self._waiting.append(request)
                        self._changed.notify()
        except (EOFError, OSError):
            os._exit(0)  # nobody is left to work for; the main thread may be deep in native code

    def _cancel(self, number: int) -> None:
        with self._changed:
            if self._running == number and self._model is not None:
                self._model.abort = True
            waiting = [request for request in self._waiting if request["id"] == number]
            for request in waiting:
                self._waiting.remove(request)
        for _ in waiting:
            self._answer(number, _CANCELLED)

    def _answer(self, number: int, answer: dict[str, Any]) -> None:
        with self._sending:
            self._connection.send_bytes(json.dumps({"id": number} | answer).encode())


def _scope(sent: dict[str, Any] | None) -> NameScope | None:
    if sent is None:
        return None
    arguments = frozenset((call, argument, kind) for call, argument, kind in sent["arguments"])
    return NameScope(arguments, {kind: tuple(names) for kind, names in sent["names"].items()})


def leave_first_cores(threads: int) -> None:
    """Keep this thread, and those that it starts, on the last cores: the others stay free for ear and motors.

    Where the kernel does not allow that, they may run anywhere, and niceness has to do.
    """
    cores = sorted(os.sched_getaffinity(0))
    if 0 < threads < len(cores):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores[-threads:])


_CANCELLED = {"error": "cancelled", "cancelled": True}


def main(arguments: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the daemon, which then closes us
    os.nice(NICENESS)
    Worker(Connection(int(arguments[0]))).run()


if __name__ == "__main__":
    main(sys.argv[1:])
