"""How long each utterance took on its way, and how much heed uses: one log line per utterance, figures for Prometheus.

A walk begins when the console takes up an utterance and ends when it waits for the next. It is told then, or, where
heed has a voice, once its answer begins to sound. Times are monotonic seconds.
"""

import logging
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from daemon.transcript import WAIT
from daemon.trigger import Utterance

BUCKETS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Seconds; from an instant answer to a long errand."""
TEXT_LIMIT = 120
"""Characters of an utterance that its log line shows."""

log = logging.getLogger(__name__)


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


class Metrics:
    """An Observer with a stopwatch. Told by the console's thread, and of words also by others."""

    def __init__(
        self,
        on_walk: Callable[[Walk], None] = lambda walk: None,
        voice: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_walk = on_walk
        self._voice = voice
        self._clock = clock
        self._lock = threading.Lock()
        self._under_way: _UnderWay | None = None
        self._silent: _UnderWay | None = None
        """It has ended, and its answer is still to sound."""
        self._last: Walk | None = None
        self._counts: Counter[tuple[str, str]] = Counter()
        self._look_seconds = {1: 0.0, 2: 0.0}
        self._seconds = {part: Histogram() for part in ("first_answer", "thought", "acted", "whole")}

    def heard(self, utterance: Utterance) -> None:
        with self._lock:
            self._counts["utterances", f'source="{utterance.source}"'] += 1
            silent, self._silent = self._silent, None  # cut off before a sound
            if self._under_way is None:
                self._under_way = _UnderWay(utterance, self._clock())
            else:
                self._under_way.answered(self._clock())
        self._tell(silent)

    def statement(self, statement: str) -> None:
        with self._lock:
            ended = None
            if statement.strip() == WAIT:
                ended = self._finish()
            else:
                self._counts["statements", ""] += 1
                if self._under_way:
                    self._under_way.acts(self._clock())
        self._tell(ended)

    def result(self, result: str) -> None:
        with self._lock:
            failed = bool(re.match(r"(.*\n)*[A-Za-z]*(Error|Interrupt): .*$", result))
            self._counts["failed_statements", ""] += failed
            if self._under_way:
                self._under_way.acted_until(self._clock(), failed)

    def said(self, text: str) -> None:
        with self._lock:
            self._counts["sayings", ""] += 1
            if self._under_way:
                self._under_way.speaks(self._clock())

    def sounds(self) -> None:
        """Note that what was said begins to sound now."""
        with self._lock:
            silent, self._silent = self._silent, None
            if walk := silent or self._under_way:
                walk.sounds(self._clock())
            if silent:
                self._last = silent.walk
        self._tell(silent)

    def silent(self) -> None:
        """All that was said has sounded, or never will."""
        with self._lock:
            silent, self._silent = self._silent, None
            if self._under_way:
                self._under_way.awaits_sound = False
        self._tell(silent)

    @property
    def last(self) -> dict[str, float | None] | None:
        """Seconds from the end of the last utterance's speech to its text, to a statement, and to a sound."""
        if self._last is None:
            return None
        return {name: getattr(self._last, name) for name in ("to_text", "to_statement", "to_sound")}

    def count(self, name: str) -> None:
        """Count something else, such as "stops"."""
        with self._lock:
            self._counts[name, ""] += 1

    def looked(self, stage: int, seconds: float) -> None:
        """A check before acting has taken so long; stage 1 is code, stage 2 examines an order."""
        with self._lock:
            self._counts["looks", f'stage="{stage}"'] += 1
            self._look_seconds[stage] += seconds
            if self._under_way:
                self._under_way.looked(stage, seconds)

    def read(self, tokens: int, reused: int) -> None:
        """A model was asked: its prompt had so many tokens, of which it remembered so many from before."""
        with self._lock:
            self._counts["completions", ""] += 1
            self._counts["read_tokens", ""] += tokens - reused
            if self._under_way:
                self._under_way.reads(tokens, reused)

    def looks(self) -> dict[str, float | int]:
        """Return how often heed looked before it leaped, and what that took, for `heed status`."""
        with self._lock:
            first, second = (self._counts["looks", f'stage="{stage}"'] for stage in (1, 2))
            utterances = sum(count for (name, _), count in self._counts.items() if name == "utterances")
            return {
                "checks": first,
                "per_check_us": round(1e6 * self._look_seconds[1] / max(1, first), 1),
                "examined": second,
                "examined_share": round(second / max(1, utterances), 3),
                "per_examination_ms": round(1e3 * self._look_seconds[2] / max(1, second), 2),
            }

    def text(self, gauges: Mapping[str, float]) -> str:
        """Return everything in Prometheus' text format, with these values as they are now."""
        with self._lock:
            lines = [
                *_family("heed_{}_total", "counter", self._counts),
                *_family("heed_{}", "gauge", {(name, ""): value for name, value in gauges.items()}),
                "# TYPE heed_walk_seconds histogram",
                *(line for part, histogram in self._seconds.items() for line in histogram.lines(part)),
            ]
        return "\n".join(lines) + "\n"

    def _finish(self) -> "_UnderWay | None":
        """The walk that ends now, unless its answer is still to sound."""
        if self._under_way is None:
            return None
        ended, self._under_way = self._under_way, None
        self._last = ended.end(self._clock())
        for part, histogram in self._seconds.items():
            seconds = getattr(self._last, part)
            if seconds is not None:
                histogram.add(seconds)
        if self._voice and ended.awaits_sound:
            self._silent = ended
            return None
        return ended

    def _tell(self, ended: "_UnderWay | None") -> None:
        if ended:
            log.info("%s", ended.walk.line)
            self._on_walk(ended.walk)


class Histogram:
    """How often something took how long."""

    def __init__(self) -> None:
        self._counts = [0] * len(BUCKETS)
        self._sum = 0.0
        self._count = 0

    def add(self, seconds: float) -> None:
        self._sum += seconds
        self._count += 1
        for number, bound in enumerate(BUCKETS):
            self._counts[number] += seconds <= bound

    def lines(self, part: str) -> Iterator[str]:
        for bound, count in zip(BUCKETS, self._counts, strict=True):
            yield f'heed_walk_seconds_bucket{{part="{part}",le="{bound:g}"}} {count}'
        yield f'heed_walk_seconds_bucket{{part="{part}",le="+Inf"}} {self._count}'
        yield f'heed_walk_seconds_sum{{part="{part}"}} {self._sum:.6f}'
        yield f'heed_walk_seconds_count{{part="{part}"}} {self._count}'


def process_figures(pids: Mapping[str, int]) -> dict[str, float]:
    """Memory, CPU time, threads and open files of processes, by the name that each shall have; of dead ones nothing."""
    figures: dict[str, float] = {}
    for name, pid in pids.items():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            open_files = len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            continue
        ticks = int(fields[11]) + int(fields[12])
        figures[f"{name}_cpu_seconds"] = ticks / os.sysconf("SC_CLK_TCK")
        figures[f"{name}_threads"] = int(fields[17])
        figures[f"{name}_memory_bytes"] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        figures[f"{name}_open_files"] = open_files
    return figures


class _UnderWay:
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


def _family(pattern: str, kind: str, values: Mapping[tuple[str, str], float]) -> Iterable[str]:
    named = ""
    for (name, labels), value in sorted(values.items()):
        metric = pattern.format(name)
        if metric != named:
            named = metric
            yield f"# TYPE {metric} {kind}"
        yield f"{metric}{{{labels}}} {value:g}" if labels else f"{metric} {value:g}"
