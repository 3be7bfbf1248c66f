"""Typed lines, for a robot without a microphone, from a keyboard or from a pipe."""

import io
from collections.abc import Callable
from typing import TextIO

from daemon.reflex import Reflex, reflex_in
from daemon.speech.lasting_thread import Worker
from daemon.trigger import Utterance


class TypedSource:
    """Reads lines until the end of the stream. An empty line is nothing; a stop that is typed is a stop, too."""

    def __init__(
        self,
        stream: TextIO,
        on_utterance: Callable[[Utterance], None],
        on_stop: Callable[[str], None],
        on_end: Callable[[], None],
        until_listening: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_end()` is called once, when no more lines will come, for whatever reason.

        `until_listening()` is waited for before each line, so that a file speaks as a person would: in turn.
        """
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
        self._stream = stream
        self._on_utterance, self._on_stop, self._on_end = on_utterance, on_stop, on_end
        self._until_listening = until_listening
        self._closed = False
        self._reader = Worker("keyboard reader", self._read)

    def start(self) -> None:
        self._reader.start()

    def close(self) -> None:
        """Take no more lines. The thread itself ends with the stream: a read cannot be interrupted."""
        self._closed = True

    @property
    def alive(self) -> bool:
        return self._reader.is_alive()

    @property
    def failure(self) -> Exception | None:
        return self._reader.failure

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._until_listening()
                if self._closed:
                    return
                self._take(line.strip())
        finally:
            self._on_end()

    def _take(self, text: str) -> None:
        if reflex_in(text) is Reflex.STOP:
            self._on_stop(text)
        elif text:
            self._on_utterance(Utterance(text))
