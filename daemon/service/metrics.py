"""How long utterances took on their way, and how much heed uses: one log line per utterance, figures for Prometheus.

A walk is told when it ends, or, where heed has a voice, once its answer begins to sound. Times are monotonic seconds.
"""

import logging
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from daemon.service.utterance_walk import UnderWay, Walk
from daemon.transcript import WAIT
from daemon.trigger import Utterance

BUCKETS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Seconds; from an instant answer to a long errand."""

log = logging.getLogger(__name__)


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
        self._under_way: UnderWay | None = None
        self._silent: UnderWay | None = None
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
                self._under_way = UnderWay(utterance, self._clock())
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

    def _finish(self) -> UnderWay | None:
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

    def _tell(self, ended: UnderWay | None) -> None:
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


def _family(pattern: str, kind: str, values: Mapping[tuple[str, str], float]) -> Iterable[str]:
    named = ""
    for (name, labels), value in sorted(values.items()):
        metric = pattern.format(name)
        if metric != named:
            named = metric
            yield f"# TYPE {metric} {kind}"
        yield f"{metric}{{{labels}}} {value:g}" if labels else f"{metric} {value:g}"
