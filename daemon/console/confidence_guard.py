"""A model file that does not act where it is unsure: imitation does the rest of the request, or a person is asked.

Unsure is also a model that does not answer, one that looks at, or says, the same for the second time about one request,
and one that would end it without a word.

How sure it is, it tells itself (daemon/llm/confidence.py), so any GGUF can be guarded; how sure it must be differs from
file to file, and stands in the file or in config.toml. Only statements and functions
are guarded: what is told to people, and lessons, which need a yes anyway, are not.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from daemon.config import ConfigError, LlmConfig
from daemon.console.acting_statements import deeds_in
from daemon.console.learning.consent import Consent, consent_in
from daemon.llm.model import PROMPT_SIGN, LanguageModel, ModelCancelled, ModelError, Prompt, is_taught
from daemon.transcript import WAIT, parse_transcript

log = logging.getLogger(__name__)

IMITATION, ASK = "imitation", "ask"
"""The setting `unsure`."""
TRIGGER = f"\n{PROMPT_SIGN} wait_for_trigger()\n"
PLAIN_NO = 2
"""Words, at most: "no thanks"; "no, the blue one" says more."""
LEFT = " say('All right, I leave it. Please tell me in other words.')\nwait_for_trigger()\n"
"""What follows anything but a yes."""


class Assured(LanguageModel, Protocol):
    """A language model that can tell how sure it was."""

    least_confidence: float
    """Below which nobody shall act on its answers; 0 for any."""

    @property
    def confidence(self) -> float | None:
        """Of the last answer, from 0 to 1; None where that is not known, which is not sure."""
        ...


@dataclass(frozen=True)
class Written:
    """A statement that goes to the console, and who wrote it."""

    author: str
    """A model's name."""
    statement: str
    confidence: float
    """Of the guarded model, of what it would have written; 1 where it was not asked."""
    moves: bool
    """Whether it may move or change something."""


def guarded(
    model: Assured, stand_in: LanguageModel, config: LlmConfig, tell: Callable[[Written], None] = lambda written: None
) -> LanguageModel:
    """Return the model with the guard of the settings; itself where they want none. Raises ConfigError.

    One that leads always asks: the stand-in cannot read its prompts.
    """
    if config.unsure not in (IMITATION, ASK):
        raise ConfigError(f'unsure = "{config.unsure}" in [llm] is neither "{IMITATION}" nor "{ASK}"')
    if config.confidence != -1 and not 0 <= config.confidence <= 1:
        raise ConfigError(f"confidence = {config.confidence} in [llm] is neither -1 nor between 0 and 1")
    least = model.least_confidence
    asks = config.unsure == ASK or model.leads
    return Careful(model, stand_in, least, asks, tell) if least else model


class Careful:
    """A LanguageModel. `stand_in` does the rest of a request of which `model` was unsure once, unless `ask`.

    With `ask`, a statement that may move or change something becomes a question, and is written after a yes.
    """

    def __init__(
        self, model: Assured, stand_in: LanguageModel, least: float, ask: bool, tell: Callable[[Written], None]
    ) -> None:
        self.model = model
        self.name = model.name
        self.context_tokens = model.context_tokens
        self._stand_in = stand_in
        self.least = least
        """How sure the model must be."""
        self._ask = ask
        self._tell = tell
        self._handed_over: str | None = None
        """The turn as it was when the stand-in took over."""
        self._asked: tuple[str, str] = ("", "")
        """The question that is open, and what follows a yes."""

    @property
    def follows_instructions(self) -> bool:
        return self.model.follows_instructions

    @property
    def leads(self) -> bool:
        return self.model.leads

    @property
    def taught(self) -> bool:
        return is_taught(self.model)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the next statement, by whoever is sure of it; all else as the model writes it.

        Raises ModelError also for a function of which the model is unsure.
        """
        if not prompt.history.endswith(PROMPT_SIGN):
            return self._write_other(prompt, stop, max_tokens)
        turn = prompt.history.removesuffix(PROMPT_SIGN).rpartition(TRIGGER)[2]
        if answered := self._answered(turn):
            return answered
        if self._handed_over is not None and turn.startswith(self._handed_over):
            return self._stand_in_for(prompt, 1.0)
        text, sure = self._asked_model(prompt, stop, max_tokens)
        deeds = list(deeds_in(text))
        if not self._ask and not deeds and (f"{PROMPT_SIGN}{text}" in turn or _ends_silently(text, turn)):
            sure = 0.0
        if sure >= self.least:
            return self._written(self.model.name, text, sure)
        log.info("%s is unsure (%.2f) of %r", self.name, sure, text)
        if not self._ask:
            self._handed_over = turn
            return self._stand_in_for(prompt, sure)
        if not deeds:
            return self._written(self.model.name, text, sure)
        question = f"ask({f'I would {_listed(deeds)}. Shall I?'!r})"
        self._asked = (question, text)
        return self._written(self.model.name, f" {question}\n", sure)

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Use idle time, for both."""
        if not self._ask:
            self._stand_in.prepare(base, examples)
        self.model.prepare(base, examples)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def cancel(self) -> None:
        self.model.cancel()

    def close(self) -> None:
        self.model.close()
        self._stand_in.close()

    def _asked_model(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> tuple[str, float]:
        """Return what the model writes, and how sure it is; nothing, and not sure, where it fails beside a stand-in."""
        try:
            return self.model.complete(prompt, stop=stop, max_tokens=max_tokens), self._confidence()
        except ModelCancelled:
            raise
        except ModelError as error:
            if self._ask:
                raise
            log.warning("%s does not answer: %s", self.name, error)
            return "", 0.0

    def _write_other(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> str:
        text = self.model.complete(prompt, stop=stop, max_tokens=max_tokens)
        defines = prompt.history.rpartition("\n")[2].startswith("def ")
        if defines and (sure := self._confidence()) < self.least:
            raise ModelError(f"{self.name} is unsure ({sure:.2f}) of a function, so it is not written")
        return text

    def _confidence(self) -> float:
        sure = self.model.confidence
        return 0.0 if sure is None else sure

    def _answered(self, turn: str) -> str:
        """Return what follows the answer to the open question.

        "" where none is open, and where the answer says more than yes or no: a model that leads reads it.
        """
        (question, text), self._asked = self._asked, ("", "")
        if not question or question not in turn:
            return ""
        last = parse_transcript(f"{TRIGGER.lstrip()}{turn}")[-1]
        if last.statement != question:
            return ""
        answer = last.heard or ""
        consent = consent_in(answer)
        if consent is Consent.YES:
            return text
        declined = consent is Consent.NO and len(answer.split()) <= PLAIN_NO
        return LEFT if declined or not self.leads else ""

    def _stand_in_for(self, prompt: Prompt, sure: float) -> str:
        """Return what the stand-in writes, with all examples: it has more room for them."""
        whole = prompt.whole() if prompt.whole else prompt
        return self._written(self._stand_in.name, self._stand_in.complete(whole), sure)

    def _written(self, author: str, text: str, sure: float) -> str:
        self._tell(Written(author, text.strip(), sure, any(deeds_in(text))))
        return text


def _listed(deeds: Sequence[str]) -> str:
    """One after the other, as people say it."""
    *first, last = dict.fromkeys(deeds)
    return f"{', '.join(first)} and {last}" if first else last


def _ends_silently(text: str, turn: str) -> bool:
    return text.strip() == WAIT and "say(" not in turn and "ask(" not in turn
