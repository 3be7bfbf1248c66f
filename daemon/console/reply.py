"""A whole answer, statement by statement from the moment that the first one is complete: the model writes on while the
robot moves.
"""

import ast
import logging
import threading
from collections.abc import Iterator
from queue import SimpleQueue

from daemon.console.statements import goes_on_behind_a_prediction, statements_in
from daemon.llm.model import ModelChanged, ModelError, Prompt, Streaming

log = logging.getLogger(__name__)


class Reply:
    """Iterates over the statements of an answer, once. Ends when the model has written all, or end() was called."""

    def __init__(self, model: Streaming, prompt: Prompt) -> None:
        self.text = ""
        """What was written so far."""
        self.broken = False
        """Whether the model failed after its first statement: there may have been more."""
        self._model = model
        self._prompt = prompt
        self._news: SimpleQueue[str | ModelError | None] = SimpleQueue()
        self._ended = False
        self._given = 0
        self._thread = threading.Thread(target=self._write, name="reply", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[str]:
        """Yield each statement once it is complete. Raises ModelError where there is none."""
        while not self._ended:
            yield from self._complete()
            if self._ended:
                return
            match self._news.get():
                case ModelError() as error:
                    self._ended = True
                    if not self._given or isinstance(error, ModelChanged):
                        raise error
                    self.broken = True
                    log.warning("the answer broke off: %s", error)
                case None:
                    self._ended = True
                case str(text):
                    self.text = text
        yield from self._all()

    @property
    def unfinished(self) -> bool:
        """Return whether there may have been more: it broke off, or went on behind a result that was only predicted."""
        return self.broken or goes_on_behind_a_prediction(self.text)

    def end(self) -> None:
        """Let the model stop writing: what it would still write is void."""
        if self._thread.is_alive():
            self._ended = True
            self._model.cancel()
            self._thread.join()

    def _write(self) -> None:
        try:
            self._news.put(self._model.stream(self._prompt, self._news.put))
            self._news.put(None)
        except ModelError as error:
            self._news.put(error)
        except Exception as error:  # whoever waits for the next statement must not wait for ever
            log.exception("an answer broke off by a mistake of heed itself")
            self._news.put(ModelError(f"its answer could not be weighed: {error!r}"))

    def _complete(self) -> Iterator[str]:
        """The statements that nothing which follows can change: all but a block at the end."""
        found = statements_in(self.text)
        last = found[-1:]
        yield from self._new(found[:-1] if last and may_go_on(last[0]) else found)

    def _all(self) -> Iterator[str]:
        if not self.broken:
            yield from self._new(statements_in(self.text))

    def _new(self, found: list[str]) -> Iterator[str]:
        while self._given < len(found):
            self._given += 1
            yield found[self._given - 1]


def may_go_on(statement: str) -> bool:
    """Return whether further lines may belong to a statement: a block, or one that is no Python yet."""
    try:
        body = ast.parse(statement).body
    except SyntaxError:
        return True
    return any(hasattr(node, "body") for node in body)
