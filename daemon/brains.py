"""The robot's brain: language models opened as the settings say, and exchanged while heed runs."""

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from daemon.config import Config
from daemon.console.confidence_guard import guarded
from daemon.imitation import Imitation
from daemon.llm.llama import LlamaModel
from daemon.llm.model import Embedder, LanguageModel, ModelError
from daemon.llm.model_files import (
    TRIAL,
    NoModelFileError,
    choose_model,
    choose_worker,
    remote_address,
    require_memory,
    selected_model,
)
from daemon.llm.remote_model import RemoteModel

log = logging.getLogger(__name__)


class Brain:
    """Brain: the model that thinks now, and perhaps a smaller one that reads for it."""

    def __init__(self, config: Config, embedder: Embedder, tell: Callable[[str], None]) -> None:
        """Open what the settings name. `tell` speaks a sentence to people.

        Raises ConfigError for a setting that means nothing.
        """
        self.hand_over: Callable[[LanguageModel], object] = lambda model: None
        """Given each model that is to think next, before it does; whoever takes it may refuse with ModelError."""
        self._tell = tell
        self._swapping = threading.Lock()
        self._brains = Brains(config, embedder, tell, self._go_on_without)
        with ExitStack() as opened:
            self.model, self.missing = self._brains.open_chosen()
            """The one that thinks, and why it is not that of the settings; "" where it is."""
            opened.callback(self.model.close)
            self.worker = self._brains.open_worker()
            """The one that reads; None where the other reads for itself."""
            opened.pop_all()

    def use(self, file: Path | None) -> str:
        """Go on with another model file (None: imitation); returns its name.

        Raises ModelError for one that does not answer, or is refused; then the model before is still in use.
        """
        with self._swapping:
            new = self._brains.open_tried(file)
            try:
                self.hand_over(new)
            except BaseException:
                new.close()
                raise
            old, self.model = self.model, new
            old.close()
        return new.name

    def end_reading(self) -> None:
        """End what the worker is thinking, from any thread."""
        if self.worker is not None:
            self.worker.cancel()

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.model.close()

    def _go_on_without(self) -> None:
        """Called in the middle of a request; the console waits for the model that this is about."""
        self._tell("My language model does not work any more. I go on without it, and do what examples show.")
        threading.Thread(target=self.use, args=(None,), name="replace the model", daemon=True).start()


class Brains:
    """Opens brains for one robot; `tell` speaks a sentence to people, `on_down` hears of a model that stays down."""

    def __init__(
        self,
        config: Config,
        embedder: Embedder,
        tell: Callable[[str], None],
        on_down: Callable[[], None],
    ) -> None:
        """`written` is told who wrote each statement, where a model is guarded."""
        self._config = config
        self._embedder = embedder
        self._tell = tell
        self._on_down = on_down

    def open_chosen(self) -> tuple[LanguageModel, str]:
        """The one of the settings; else imitation, and why. Raises ConfigError for a setting that means nothing."""
        try:
            folder = self._config.models_directory
            selected = selected_model(folder, self._config.state_directory)
            return self.open(choose_model(self._config.llm, folder, selected)), ""
        except (NoModelFileError, ModelError) as error:
            log.error("%s; heed goes on without it", error)
            return self.open(None), str(error)

    def open(self, file: Path | None) -> LanguageModel:
        """The brain with this model file, or imitation for None; behind a server where the settings name one.

        A file is loaded in the background. Raises ModelError for one that is no GGUF.
        """
        return self._behind_server(self._guarded(self._local(file)))

    def open_tried(self, file: Path | None) -> LanguageModel:
        """Open it, but only if it fits into the memory that is free now, and after it has answered.

        Raises ModelError, and then nothing is left open.
        """
        if file is not None:
            require_memory(file, self._config.llm)
        local = self._local(file)
        try:
            local.complete(TRIAL, max_tokens=1)
        except BaseException:
            local.close()
            raise
        return self._behind_server(self._guarded(local))

    def open_worker(self) -> LanguageModel | None:
        """The second, smaller model of the settings; None where there is none, and the brain reads for itself.

        Raises ConfigError for a setting that means nothing.
        """
        try:
            file = choose_worker(self._config.llm, self._config.models_directory)
            if file is None:
                return None
            require_memory(file, self._config.llm)
            return LlamaModel(file, self._config.llm)
        except (NoModelFileError, ModelError) as error:
            log.error("%s; the brain does the worker's part", error)
            return None

    def _local(self, file: Path | None) -> LanguageModel:
        if file is None:
            return Imitation(self._embedder)
        return LlamaModel(file, self._config.llm, self._config.cache_directory / "kv", self._on_down)

    def _guarded(self, local: LanguageModel) -> LanguageModel:
        """Not acting where it is unsure, as the settings say; imitation is always sure."""
        if not isinstance(local, LlamaModel):
            return local
        try:
            return guarded(local, self._config.llm)
        except BaseException:
            local.close()
            raise

    def _behind_server(self, local: LanguageModel) -> LanguageModel:
        address = remote_address(self._config.llm)
        return RemoteModel(address, local, self._config.llm, self._tell) if address else local
