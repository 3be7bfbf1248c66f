"""What all robots of a fleet were taught, as each of them knows it: a state-based CRDT. Pure; no I/O, no clock.

Shapiro et al., "Conflict-free Replicated Data Types" (2011): the observed-remove set. A lesson is its content, named by
a hash of it, so that nobody can change one. Each yes of a person gives it a mark; forgetting or superseding strikes
out the marks that were seen by who does it. A lesson holds while one of its marks is not struck out: what somebody
confirmed meanwhile, elsewhere, survives. Marks only become more, so merging in any order, twice, or in pieces
comes to the same, and a partition that heals leaves all equal.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from daemon.memory.effect_rules import supersedes
from daemon.memory.rules import Does, Rule, RuleKind, Scope
from daemon.memory.sentence_to_effect import rule_said
from daemon.transcript import instructions_of, parse_transcript

FORGOTTEN = ""
"""Why a mark was struck out: a person took the lesson back. Else the name of the lesson that replaced it."""
TEXT_LIMIT = 20_000
"""Characters of a transcript; the longest of our own has 3,000."""
SHELF = 2
"""Letters of a name by which lessons are put together, so that robots compare 256 sums and exchange what differs."""
MARKS_LIMIT = 1_000
"""Of one lesson: each costs a person a yes or a restore."""


class LedgerError(ValueError):
    """What a peer sent is no part of a ledger; the message says why."""


@dataclass(frozen=True)
class FleetLesson:
    """What one robot was taught: by whom, where, and on which body."""

    robot: str
    arms: tuple[str, ...]
    """Of the body that it was taught on."""
    taught_by: str
    taught_at: str
    """ISO 8601, UTC."""
    rule: Rule
    transcript: str
    heard: tuple[str, ...] = ()

    @cached_property
    def name(self) -> str:
        """The hash of all of it."""
        content = json.dumps(_plainly(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def effect(self) -> Does | None:
        """Return what its rule does, where that is known."""
        return self.rule.effect


@dataclass(frozen=True)
class Entry:
    """A lesson with the marks of those who confirmed it."""

    lesson: FleetLesson
    marks: frozenset[str] = frozenset()
    struck: Mapping[str, str] = field(default_factory=dict)
    """Mark to FORGOTTEN or the name of the lesson that replaced this one."""

    @property
    def holds(self) -> bool:
        return not self.marks <= self.struck.keys()

    @cached_property
    def sum(self) -> str:
        """The same for equal entries, and for no others."""
        return _sum([json.dumps([self.lesson.name, sorted(self.marks), sorted(self.struck.items())])])

    def merged(self, other: "Entry") -> "Entry":
        """Merge both; of two reasons why a mark was struck out the greater one stays, so that all choose the same."""
        reasons = {
            mark: max(self.struck.get(mark, ""), other.struck.get(mark, "")) for mark in {*self.struck, *other.struck}
        }
        return Entry(self.lesson, self.marks | other.marks, reasons)


class Ledger:
    """Entries by the name of their lesson."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: dict[str, Entry] = {}
        self._shelves: dict[str, dict[str, Entry]] = {}
        """The same entries, by the first letters of their names."""
        self._sums: dict[str, str] = {}
        self._holding: list[FleetLesson] | None = None
        for entry in entries:
            self.take(entry)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and self._entries == other._entries

    __hash__ = None  # type: ignore[assignment]

    def entry(self, name: str) -> Entry | None:
        return self._entries.get(name)

    def take(self, entry: Entry) -> bool:
        """Merge one entry; whether that changed anything."""
        name = entry.lesson.name
        known = self._entries.get(name)
        merged = known.merged(entry) if known else entry
        if merged == known:
            return False
        self._entries[name] = self._shelves.setdefault(name[:SHELF], {})[name] = merged
        self._sums.pop(name[:SHELF], None)
        self._holding = None
        return True

    def merge(self, other: "Ledger") -> list[Entry]:
        """Merge all of it; returns what is different now."""
        return [self._entries[entry.lesson.name] for entry in other if self.take(entry)]

    def confirm(self, lesson: FleetLesson, mark: str) -> Entry:
        """A person said yes to it, for the first time or again; `mark` is used for nothing else in the world."""
        self.take(Entry(lesson, frozenset({mark})))
        return self._entries[lesson.name]

    def strike(self, name: str, reason: str = FORGOTTEN) -> Entry | None:
        """A person took it back, or taught what replaces it: all marks that are seen here are struck out."""
        known = self._entries.get(name)
        if known is None:
            return None
        self.take(Entry(known.lesson, struck=dict.fromkeys(known.marks - known.struck.keys(), reason)))
        return self._entries[name]

    def holding(self) -> list[FleetLesson]:
        """Return what holds, oldest first.

        Where two say otherwise of the same, each taught in ignorance of the other, the one that was taught later; equal
        ones by name.
        """
        if self._holding is None:
            self._holding = self._resolved()
        return self._holding

    def sums(self) -> Mapping[str, str]:
        """Return for each shelf the sum of what is on it: where it is the same elsewhere, so is the shelf."""
        for shelf in self._shelves.keys() - self._sums.keys():
            self._sums[shelf] = _sum(sorted(entry.sum for entry in self._shelves[shelf].values()))
        return self._sums

    def lacking(self, sums: Mapping[str, str]) -> list[Entry]:
        """All entries of the shelves that are not as `sums` says."""
        shelves = [shelf for shelf, own in self.sums().items() if sums.get(shelf) != own]
        return [entry for shelf in shelves for entry in self._shelves[shelf].values()]

    def digest(self) -> str:
        """The same for equal ledgers, and for no others."""
        return _sum([f"{shelf}={own}" for shelf, own in sorted(self.sums().items())])

    def _resolved(self) -> list[FleetLesson]:
        holding: list[FleetLesson] = []
        newer: dict[tuple[str, ...], list[Rule]] = {}
        for lesson in sorted((e.lesson for e in self if e.holds), key=lambda le: (le.taught_at, le.name), reverse=True):
            effect = lesson.effect
            if effect:
                clashing = newer.setdefault(_rivals(effect), [])
                if any(supersedes(later, lesson.rule) for later in clashing):
                    continue
                clashing.append(lesson.rule)
            holding.append(lesson)
        return holding[::-1]


def _sum(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _rivals(effect: Does) -> tuple[str, ...]:
    """The same for all effects of which one may replace the other, so that few have to be compared."""
    return effect.about[1:2] if effect.about[0] == "along" else effect.about


def to_json(entry: Entry) -> dict[str, Any]:
    """An entry for the wire."""
    return {
        "lesson": _plainly(entry.lesson),
        "marks": sorted(entry.marks),
        "struck": dict(sorted(entry.struck.items())),
    }


def from_json(value: Any) -> Entry:
    """Read what a peer sent. Raises LedgerError for anything that is not exactly an entry."""
    try:
        lesson = dict(value["lesson"])
        _require((list, tuple), lesson["arms"], lesson["heard"], value["marks"])
        _require((dict,), lesson["rule"], lesson["rule"]["scope"], value["struck"])
        read = FleetLesson(
            rule=_rule_from(dict(lesson.pop("rule"))),
            arms=tuple(lesson.pop("arms")),
            heard=tuple(lesson.pop("heard")),
            **lesson,
        )
        entry = Entry(read, frozenset(value["marks"]), dict(value["struck"]))
        _require_sound(entry, set(value))
    except LedgerError:
        raise
    except (TypeError, KeyError, ValueError, AttributeError, RecursionError) as error:
        raise LedgerError(f"this is no lesson: {str(error)[:200]}") from error
    return entry


def _plainly(lesson: FleetLesson) -> dict[str, Any]:
    """A lesson as it goes over the wire: what its rule does is what its sentence says."""
    plain = dataclasses.asdict(lesson)
    del plain["rule"]["effect"]
    return plain


def _rule_from(value: dict[str, Any]) -> Rule:
    """A rule of the wire; what it does is read from its sentence, so that a person hears all of it."""
    text, kind, scope = value.pop("text"), RuleKind(value.pop("kind")), Scope(**value.pop("scope"))
    if value:
        raise LedgerError("this is no lesson: its rule has more than a rule has")
    said = rule_said(text)
    return Rule(text, kind, scope, said.effect if said else None)


def _require(kinds: tuple[type, ...], *values: Any) -> None:
    if not all(isinstance(value, kinds) for value in values):
        raise LedgerError(f"this is no lesson: something in it is no {kinds[0].__name__}")


def _require_sound(entry: Entry, keys: set[str]) -> None:
    lesson = entry.lesson
    texts = [lesson.robot, lesson.taught_by, lesson.taught_at, lesson.rule.text, lesson.transcript, *lesson.arms]
    texts += [*lesson.heard, *dataclasses.asdict(lesson.rule.scope).values(), *entry.marks]
    texts += [*entry.struck, *entry.struck.values()]
    if keys != {"lesson", "marks", "struck"} or not all(isinstance(text, str) for text in texts):
        raise LedgerError("this is no lesson: something in it is no text")
    if sum(map(len, texts)) > TEXT_LIMIT or len(entry.marks) + len(entry.struck) > MARKS_LIMIT:
        raise LedgerError("this lesson is too long")
    if any("\ud800" <= letter <= "\udfff" for text in texts for letter in text):
        raise LedgerError("this is no lesson: half a character is in it")
    if not lesson.robot or not lesson.rule.text.strip() or not instructions_of(parse_transcript(lesson.transcript)):
        raise LedgerError("this is no lesson: it says nothing")
    if datetime.fromisoformat(lesson.taught_at).tzinfo is None:
        raise LedgerError("this is no lesson: nobody knows when it was taught")
