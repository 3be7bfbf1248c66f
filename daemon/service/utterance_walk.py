"""The walk of one utterance: where its time went, from the ear to the answer. Monotonic seconds.

It begins when the console takes the utterance up, and ends when it waits for the next.
"""

from dataclasses import dataclass

from daemon.trigger import Utterance

TEXT_LIMIT = 120
"""Characters of an utterance that its log line shows."""


@dataclass(frozen=True)
class Walk:
    """Where the time of one utterance went, in seconds."""

    text: str
    source: str
    hearing: float
    """From the beginning of the speech until its text was ready."""
    to_text: float
    """From the end of the speech until its text was ready; 0 for typed text."""
    to_statement: float | None
    """From the end of the speech to the first statement; None where nothing was done."""
    to_sound: float | None
    """From the end of the speech to the first sound of an answer; None where nothing sounded."""
    waited: float
    """Until the console took it up."""
    thought: float
    """By the model, from results to statements."""
    acted: float
    """In statements; waiting for a person's answer does not count."""
    first_answer: float | None
    """From the text to the first words in answer; None where nothing was said."""
    whole: float
    """From the text until heed waits again."""
    statements: int
    errors: int
    completions: int = 0
    """How often the model was asked."""
    prompt_tokens: int | None = None
    """Of the last prompt; None where the model does not tell."""
    read_tokens: int = 0
    """Of all prompts, those that the model did not remember from before."""
    checks: int = 0
    """Looks before leaping, of the first stage: preconditions of skills, and of plain orders."""
    checked: float = 0.0
    """By them, but for the look itself."""
    examined: float | None = None
    """By the second stage; None where it was not needed."""

    @property
    def line(self) -> str:
        """Return it for the log: name=value pairs."""
        names = (
            "hearing", "to_text", "to_statement", "to_sound", "waited", "thought", "acted", "whole", "first_answer",
        )  # fmt: skip
        figures = " ".join(f"{name}={_shown(getattr(self, name))}" for name in names)
        counts = f"statements={self.statements} errors={self.errors}"
        prompts = f"completions={self.completions} prompt_tokens={self.prompt_tokens or '-'} read={self.read_tokens}"
        first_stage = f"checks={self.checks} per_check_us={1e6 * self.checked / max(1, self.checks):.0f}"
        second_stage = "-" if self.examined is None else f"{1000 * self.examined:.1f}"
        looks = f"{first_stage} second_stage_ms={second_stage}"
        return f"utterance source={self.source} {figures} {counts} {prompts} {looks} text={self.text[:TEXT_LIMIT]!r}"


class UnderWay:
    """A walk until it is told."""

    def __init__(self, utterance: Utterance, now: float) -> None:
        self.awaits_sound = False
        """Something was said, and nothing of it has sounded yet."""
        self._utterance = utterance
        self._taken_up = self._changed = self._ended = now
        self._thought = self._acted = 0.0
        self._spoke_at: float | None = None
        self._first_words_at: float | None = None
        self._first_statement_at: float | None = None
        self._first_sound_at: float | None = None
        self._statements = self._errors = self._checks = 0
        self._checked = 0.0
        self._examined: float | None = None
        self._completions = self._read_tokens = 0
        self._prompt_tokens: int | None = None

    def reads(self, tokens: int, reused: int) -> None:
        self._completions += 1
        self._prompt_tokens = tokens
        self._read_tokens += tokens - reused

    def looked(self, stage: int, seconds: float) -> None:
        if stage == 1:
            self._checks += 1
            self._checked += seconds
        else:
            self._examined = (self._examined or 0.0) + seconds

    def acts(self, now: float) -> None:
        self._thought += now - self._changed
        self._changed = now
        self._statements += 1
        self._first_statement_at = self._first_statement_at or now

    def acted_until(self, now: float, failed: bool) -> None:
        if self._statements:
            self._acted += now - self._changed
        self._errors += failed
        self._changed = now

    def speaks(self, now: float) -> None:
        self._spoke_at = now
        self.awaits_sound = self._first_sound_at is None
        self._first_words_at = self._first_words_at or now

    def sounds(self, now: float) -> None:
        if self._first_words_at is not None:  # else it belongs to what was said before
            self._first_sound_at = self._first_sound_at or now
            self.awaits_sound = False

    def answered(self, now: float) -> None:
        """A person answered a question: the time since it was asked was theirs."""
        self._changed += now - (self._spoke_at if self._spoke_at is not None else now)

    def end(self, now: float) -> Walk:
        self._thought += now - self._changed
        self._ended = now
        return self.walk

    @property
    def walk(self) -> Walk:
        said, heard_at = self._utterance, self._utterance.heard_at
        ended_at = heard_at if said.ended_at is None else said.ended_at
        return Walk(
            text=said.text,
            source=said.source,
            hearing=heard_at - said.started_at,
            to_text=heard_at - ended_at,
            to_statement=_between(ended_at, self._first_statement_at),
            to_sound=_between(ended_at, self._first_sound_at),
            waited=self._taken_up - heard_at,
            thought=self._thought,
            acted=self._acted,
            first_answer=_between(heard_at, self._first_words_at),
            whole=self._ended - heard_at,
            statements=self._statements,
            errors=self._errors,
            completions=self._completions,
            prompt_tokens=self._prompt_tokens,
            read_tokens=self._read_tokens,
            checks=self._checks,
            checked=self._checked,
            examined=self._examined,
        )


def _between(begin: float, end: float | None) -> float | None:
    return None if end is None else end - begin


def _shown(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.3f}"
