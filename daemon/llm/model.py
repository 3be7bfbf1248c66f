"""What the console knows of a language model: a prompt goes in, the text of the next statement comes out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

PROMPT_SIGN = ">>>"
"""Prompts end at this sign without a trailing space, so that " say" is one token (docs/decisions)."""


ANSWER_TOKENS = 512
"""Of a whole answer, at most: some forty statements."""
SoFar = Callable[[str], object]
"""Is given the text that a model has written so far."""


class ModelError(RuntimeError):
    """The model cannot answer now, for example because its file is broken or its process died."""


class ModelChanged(ModelError):
    """Another model answers from now, which reads prompts of the other form: one leads, and one does not."""


class AnotherRequest(ModelError):
    """What a person said last is no answer to what was asked, but a request of its own, which is still to be heard."""


class ModelCancelled(ModelError):
    """The completion was cancelled from another thread; nothing is wrong with the model."""


@dataclass(frozen=True)
class NameScope:
    """What may be named in a statement, for models that decode under constraints; others write what they like."""

    arguments: frozenset[tuple[str, int | str, str]]
    """Function, argument by position or by keyword, and kind of name, for each argument that is one."""
    names: Mapping[str, tuple[str, ...]]
    """Those that there are of each kind."""


@dataclass(frozen=True)
class Prompt:
    """A console prompt in the three parts that change at different rates (Baermann et al. 2024, sec. 3.2).

    The parts are kept apart so that a model can keep what it computed for those that did not change.
    """

    base: str
    """Rules of the house and API text; static for a robot. Ends with a newline."""
    examples: tuple[str, ...]
    """Retrieved transcripts, the nearest last; each ends with a newline."""
    history: str
    """The live transcript; ends with `>>>`, without a space."""
    scope: Callable[[], NameScope | None] = field(default=lambda: None, compare=False)
    """What the answer may name, None for anything; gathered only for those who ask. It follows from the rest."""
    answer: bool = False
    """Whether a whole answer is wanted, statement below statement; else one statement."""
    comes_to: Callable[[str], Sequence[str]] = field(default=lambda statement: [statement], compare=False)
    """What a statement does as things are: without what lessons refuse, with what they bring along."""
    taken: Callable[[Sequence[str]], Sequence[str]] = field(default=lambda statements: statements, compare=False)
    """Gives statements back, and for each `if seen(...)` among them those of the way that is taken now."""
    is_so: Callable[[str], bool] = field(default=lambda statement: False, compare=False)
    """Whether what a statement is to bring about is so already."""
    routine: Callable[[str, Sequence[str]], Sequence[str]] = field(default=lambda words, rules: (), compare=False)
    """What words ask for that name a routine of these rules, and nothing else; () where that is not plain."""
    is_told: Callable[[str, str], bool] = field(default=lambda which, text: True, compare=False)
    """Whether words tell of a thing, a place and the like what is so."""
    whole: "Callable[[], Prompt] | None" = field(default=None, compare=False)
    """The same with what found no room in the model's context, for a brain that has more; None where all is here."""

    @property
    def text(self) -> str:
        return self.base + "".join(self.examples) + self.history


class LanguageModel(Protocol):
    """Text to text. Knows nothing of robots."""

    name: str
    """As shown to people, for example "llama:models/x.gguf"."""
    context_tokens: int
    """How many tokens prompt and answer may have together."""

    @property
    def follows_instructions(self) -> bool:
        """Return whether it can be asked for anything but the next statement, such as what would have been better."""
        ...

    @property
    def leads(self) -> bool:
        """Return whether it reads by itself what people say, and answers with all statements of a turn at once.

        Else words are read before it, and it writes one statement at a time.
        """
        ...

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the text that follows the prompt, up to and without the first `stop` string.

        Raises ModelError when there is no answer, ModelCancelled after cancel().
        """
        ...

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Use idle time to compute what later prompts with this base, and any of these examples, will need.

        `examples` are as in Prompt, the most important first. Blocks until done; gives way to complete() and
        cancel() soon, may then be called again, and never raises.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens `text` has, at least roughly."""
        ...

    def cancel(self) -> None:
        """End a running complete() soon; may be called from any thread."""
        ...

    def close(self) -> None:
        """Free what the model holds; never raises."""
        ...


@runtime_checkable
class Streaming(Protocol):
    """A language model that tells what it writes while it writes."""

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        """Return a whole answer, as complete() does; `so_far` is given what is written whenever another line is."""
        ...

    def cancel(self) -> None:
        """End a running stream() soon; may be called from any thread."""
        ...


@dataclass(frozen=True)
class Other:
    """Another answer than the likeliest one."""

    text: str
    confidence: float
    """How sure the model is of it, from 0 to 1."""
    of_both: float
    """How sure it is that it is this or the likeliest one, for whom the two are the same."""


@runtime_checkable
class Ranking(Protocol):
    """A language model that tells what else it might have answered."""

    def others(self, prompt: Prompt, count: int) -> Sequence[Other]:
        """Return up to `count` other whole answers, the likeliest first.

        Raises as complete() does.
        """
        ...


@runtime_checkable
class ReadingAhead(Protocol):
    """A language model that uses idle time to read what its next prompt will begin with."""

    def read_ahead(self, prompt: Prompt) -> None:
        """Remember all of this prompt; gives way to complete() and cancel() soon, and never raises."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A language model beside which somebody tells what words will come to."""

    def asks(self, history: str) -> float | None:
        """Return how likely the last words of a prompt's history ask for more than talk, from 0 to 1; None where nobody
        can tell. From any thread.
        """
        ...

    def asked_for(self, history: str) -> str | None:
        """Return what these words ask for, to be compared with what others do; "" where surely nothing, None where
        nobody is sure. From any thread.
        """
        ...


@runtime_checkable
class Counting(Protocol):
    """A language model that tells how long its last prompt was."""

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens of the last completion's prompt; None where nobody has counted them."""
        ...

    @property
    def reused_tokens(self) -> int:
        """Return how many of these were remembered from before; the others were read."""
        ...


@runtime_checkable
class Schooled(Protocol):
    """A language model that may have been taught what a robot does."""

    @property
    def taught(self) -> bool:
        """Return whether it was: then it reads the situation and what is said, and no rules, functions and examples."""
        ...


def is_taught(model: "LanguageModel") -> bool:
    """Return whether prompts for a model hold nothing but the situation and what is said."""
    return isinstance(model, Schooled) and model.taught


def form_of(model: "LanguageModel") -> tuple[bool, bool]:
    """Return what decides how prompts for a model are written: whether it leads, and whether it was taught."""
    return model.leads, is_taught(model)


def following(models: Iterable[LanguageModel | None]) -> list[LanguageModel]:
    """Return those that follow instructions now, in this order; None stands for one that is not there."""
    return [model for model in models if model is not None and model.follows_instructions]


class Embedder(Protocol):
    """Sentences to vectors."""

    name: str
    """Identifies the vector space: vectors of different names must not be compared."""
    dimension: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), dimension)."""
        ...
