"""The brains that a bench can be run with."""

from collections.abc import Callable
from pathlib import Path

from bench.mind.recorded import Recorded
from bench.report import BenchError, Options
from daemon.console.confidence_guard import Written, guarded
from daemon.imitation import Imitation
from daemon.llm.llama import LlamaModel
from daemon.llm.model import Embedder, LanguageModel, ModelError
from daemon.llm.model_files import find_model
from daemon.llm.remote_model import RemoteModel


def open_brain(
    options: Options, embedder: Embedder, written: Callable[[Written], None] = lambda written: None
) -> LanguageModel:
    """The brain that the options name, guarded as the settings say; `written` is given each answer then.

    Raises BenchError.
    """
    kind, _, rest = options.brain.partition(":")
    config = options.config
    try:
        match kind:
            case "imitation":
                return Imitation(embedder)
            case "llama":
                file = find_model(rest, config.models_directory)
                model = LlamaModel(file, config.llm, config.cache_directory / "kv")
                return guarded(model, config.llm, written)
            case "recorded":
                return Recorded.read(Path(rest))
            case "remote":
                return RemoteModel(rest, Imitation(embedder), config.llm, options.note)
    except ModelError as error:
        raise BenchError(str(error)) from error
    raise BenchError(f"there is no brain {options.brain!r}; use imitation, llama:FILE, recorded:FILE or remote:URL")


def needs_language_model(options: Options) -> None:
    """Raise BenchError for a method that only a language model can follow."""
    if options.brain == "imitation":
        raise BenchError(
            f"--method {options.method} asks a language model for code, which imitation cannot write: "
            "give one with --brain llama:FILE.gguf"
        )
