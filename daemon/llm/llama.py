"""A GGUF file as the robot's language model, computed by llama.cpp in a process of its own."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from daemon.config import LlmConfig
from daemon.llm.gguf_file import read_gguf
from daemon.llm.llama_process import News, WorkerDied, WorkerProcess
from daemon.llm.model import ANSWER_TOKENS, PROMPT_SIGN, ModelCancelled, ModelError, NameScope, Other, Prompt, SoFar

log = logging.getLogger(__name__)

FAILURES = 3
"""So many deaths of the worker in a row, and it stays down: the file or the machine's memory is at fault.

The last try is one without splicing, in case that is at fault."""
AUTO, ALWAYS, NEVER = "auto", "always", "never"
"""The setting `splice`; after a worker died while it prepared, the next ones get "never"."""
PATIENCE_SECONDS = 0.02
"""How often an idle task is asked to end, until it did."""
CHARACTERS_PER_TOKEN = 3
"""For counting tokens while the worker is down; cautious, English has about four."""


@dataclass(frozen=True)
class Report:
    """What the last completion took."""

    prompt_tokens: int
    reused_tokens: int
    """How many of the prompt's tokens were remembered from before."""
    new_tokens: int
    confidence: float | None = None
    """Probability of the answer's least likely token; None where nobody asks for it."""


class LlamaModel:
    """A LanguageModel in a GGUF file, which is loaded in the background; the first complete() waits for it.

    A completion whose `stop` holds `>>>` also ends at the newline that completes the statement. When the worker dies,
    complete() raises ModelError, and the next call starts another.
    """

    follows_instructions = True
    leads = True

    def __init__(
        self,
        file: Path,
        config: LlmConfig,
        cache: Path | None = None,
        on_down: Callable[[], None] = lambda: None,
    ) -> None:
        """`cache` is the folder for what the model computed once; without one, each start reads the base anew.

        `on_down` is called once it has failed so often that it stays down, in a thread that still holds the model.
        Raises ModelError (GgufError) when the file is missing, broken or not a GGUF.
        """
        self.file = file
        self.name = f"llama:{file}"
        self.restarts = 0
        """How often the worker had to be started again."""
        self.report = Report(0, 0, 0)
        self._config = config
        self._cache = cache
        self._on_down = on_down
        self._splice = config.splice
        self._asking = threading.Lock()
        self._preparing = False
        self._failures = 0
        self._last_failure = ""
        self._closed = False
        said = read_gguf(file)
        self.taught = said.taught
        self.context_tokens = min(said.context_tokens, config.context_tokens)
        self.least_confidence = said.confidence if config.confidence < 0 else config.confidence
        """Below which nobody acts on what it writes; 0 for anything."""
        self._worker: WorkerProcess | None = None
        self._worker = self._start_worker()

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the text that follows the prompt, up to and without the first `stop` string."""
        return self._completed(prompt, stop, max_tokens)

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        """Return a whole answer; `so_far` is given what is written whenever another line is."""
        return self._completed(prompt, (PROMPT_SIGN,), ANSWER_TOKENS, so_far)

    def _completed(self, prompt: Prompt, stop: Sequence[str], max_tokens: int, so_far: SoFar | None = None) -> str:
        answer = self._ask(
            "complete",
            so_far=None if so_far is None else partial(self._told, so_far),
            base=prompt.base,
            examples=prompt.examples,
            history=prompt.history,
            scope=self._scope_of(prompt),
            weigh=self.least_confidence > 0,
            stop=stop,
            statement=PROMPT_SIGN in stop and not prompt.answer,
            lines=so_far is not None,
            max_tokens=max_tokens,
        )
        text: str = answer.pop("text")
        self.report = Report(**answer)
        return text

    def others(self, prompt: Prompt, count: int) -> list[Other]:
        """Return what else the whole answer might be, up to `count` of them."""
        answer = self._ask(
            "others",
            base=prompt.base,
            examples=prompt.examples,
            history=prompt.history,
            scope=self._scope_of(prompt),
            count=count,
            max_tokens=ANSWER_TOKENS,
        )
        return [Other(*told) for told in answer["answers"]]

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Use idle time to compute what later prompts with this base, and any of these examples, will need.

        `examples` are as in Prompt, the most important first; what is kept already costs nothing. Returns when
        all is done, soon after cancel(), and soon after another thread wants an answer; then, or when a lesson
        was learned, call it again. Never raises. It includes the self-test without which nothing is spliced.
        """
        self._ask_idly("prepare", base=base, examples=examples)

    def read_ahead(self, prompt: Prompt) -> None:
        """Remember all of this prompt, which the next one will begin with; gives way as prepare() does."""
        self._ask_idly("read", base=prompt.base, examples=prompt.examples, history=prompt.history)

    def _ask_idly(self, what: str, **fields: Any) -> None:
        """Ask for something that gives way to whoever wants an answer."""
        with contextlib.suppress(ModelError), self._asking:
            worker = self._living_worker()
            self._preparing = True
            try:
                worker.ask(what, **fields)
            except WorkerDied as death:
                self._splice = NEVER  # whatever it was, answers must not die of it
                log.error("%s", self._failed(f"{death}, while it prepared; examples are read in full from now on"))
            finally:
                self._preparing = False

    def count_tokens(self, text: str) -> int:
        """Return how many tokens `text` has; an estimate while the model is down."""
        try:
            return int(self._ask("count", text=text)["tokens"])
        except ModelError:
            return len(text) // CHARACTERS_PER_TOKEN + 1

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens of the last completion's prompt; None before the first."""
        return self.report.prompt_tokens or None

    @property
    def reused_tokens(self) -> int:
        """Return how many of these were remembered from before."""
        return self.report.reused_tokens

    @property
    def confidence(self) -> float | None:
        """Return how likely the least likely token of the answer so far was; None where any will do."""
        return self.report.confidence

    @property
    def process_id(self) -> int | None:
        """The worker's process, None while there is none."""
        return self._worker.id if self._worker is not None else None

    def describe(self) -> dict[str, Any]:
        """Wait until the file is loaded; returns context_tokens, chat (template in use) and splice.

        `splice`: whether the architecture allows it. `splicing` tells whether it is done, "on", "off" or "not
        tested yet", with splice_agreement and splice_divergence of the self-test, and kept_bytes on disk.
        """
        state = self._ask("describe")
        assert self._worker is not None
        return self._worker.opened | state

    def cancel(self) -> None:
        """End a running complete() within about 0.1 s; it raises ModelCancelled. Ends prepare() too."""
        if (worker := self._worker) is not None:
            worker.cancel()

    def close(self) -> None:
        """End the worker; never raises. A running complete() raises ModelError."""
        self._closed = True
        if (worker := self._worker) is not None:
            worker.kill()
        with self._asking:
            if self._worker is not None:
                self._worker.close()
            self._worker = None

    def _told(self, so_far: SoFar, text: str, confidence: float | None) -> None:
        """Pass on what is written; how sure it is of that stands in the report, as it does at the end."""
        self.report = replace(self.report, confidence=confidence)
        so_far(text)

    def _scope_of(self, prompt: Prompt) -> dict[str, Any] | None:
        return _sent(prompt.scope()) if self._config.name_mask else None

    def _ask(self, what: str, so_far: News | None = None, **fields: Any) -> dict[str, Any]:
        with self._first():
            worker = self._living_worker()
            try:
                answer = worker.ask(what, so_far, **fields)
            except WorkerDied as death:
                raise self._failed(str(death)) from death
        self._failures = 0
        if answer.get("cancelled"):
            raise ModelCancelled("the completion was cancelled")
        if "error" in answer:
            raise ModelError(answer["error"])
        return answer

    @contextlib.contextmanager
    def _first(self) -> Iterator[None]:
        """Wait for the turn to ask; what is prepared gives way."""
        while not self._asking.acquire(timeout=PATIENCE_SECONDS if self._preparing else -1):
            if self._preparing:
                self.cancel()
        try:
            yield
        finally:
            self._asking.release()

    def _living_worker(self) -> WorkerProcess:
        if self._closed:
            raise ModelError(f"{self.name} is closed")
        if self._failures >= FAILURES:
            raise ModelError(
                f"{self.name} failed {FAILURES} times in a row and stays down ({self._last_failure}); "
                f"try: heed models check {self.file}"
            )
        if self._worker is None:
            self._worker = self._start_worker()
            self.restarts += 1
        return self._worker

    def _start_worker(self) -> WorkerProcess:
        try:
            read_gguf(self.file)
        except ModelError as error:
            self._failures = FAILURES - 1  # what is not there will not be there at the next try
            raise self._failed(str(error)) from error
        try:
            return WorkerProcess(
                self.file,
                self.context_tokens,
                self._config.threads,
                folder=self._cache,
                limit=self._config.cache_megabytes * 1_000_000,
                splice=self._splice if self._failures < FAILURES - 1 else NEVER,
            )
        except OSError as error:
            raise self._failed(f"its process cannot be started: {error}") from error

    def _failed(self, reason: str) -> ModelError:
        if self._worker is not None:
            self._worker.close()
        self._worker = None
        if self._closed:
            return ModelError(f"{self.name} was closed")
        self._failures += 1
        self._last_failure = reason
        if self._failures == FAILURES:
            self._on_down()
        return ModelError(f"{self.name}: {reason}")


def _sent(scope: NameScope | None) -> dict[str, Any] | None:
    """As it travels to the worker."""
    return None if scope is None else {"arguments": sorted(scope.arguments, key=str), "names": dict(scope.names)}
