"""A lesson as a value, as a row of memory.sqlite, and as a line of what heed exports."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from daemon.memory.effect_json import from_json, to_json
from daemon.memory.effects import Effect
from daemon.memory.rules import Does, Rule, RuleKind, Scope
from daemon.memory.sentence_to_effect import rule_said


class LessonStatus(StrEnum):
    """Only active lessons are retrieved; the others stay in the file."""

    ACTIVE = "active"
    FORGOTTEN = "forgotten"
    """A person took it back; restore() brings it back."""
    SUPERSEDED = "superseded"
    """A newer lesson says otherwise."""


@dataclass(frozen=True)
class Lesson:
    """What one correction taught: a rule in plain words, and a transcript of doing it right."""

    id: int
    rule: Rule
    transcript: str
    taught_at: datetime
    """With time zone, UTC."""
    taught_by: str
    """Empty when nobody knows who spoke."""
    heard: tuple[str, ...]
    """The utterances that taught it."""
    status: LessonStatus = LessonStatus.ACTIVE
    superseded_by: int | None = None
    used_count: int = 0
    last_used_at: datetime | None = None


def scope_from(row: dict[str, Any]) -> Scope:
    """The scope in the columns of a lesson; outside a lesson, where they are NULL, it is everywhere."""
    return Scope(**{field.name: row[field.name] or "" for field in dataclasses.fields(Scope)})


def lesson_from_row(row: dict[str, Any]) -> Lesson:
    """Return the lesson in a row of the table, joined with its transcript."""
    return Lesson(
        id=row["id"],
        rule=Rule(row["rule"], RuleKind(row["kind"]), scope_from(row), _effect_from(row["effect"])),
        transcript=row["transcript"],
        taught_at=datetime.fromisoformat(row["taught_at"]),
        taught_by=row["taught_by"],
        heard=tuple(json.loads(row["heard"])),
        status=LessonStatus(row["status"]),
        superseded_by=row["superseded_by"],
        used_count=row["used_count"],
        last_used_at=row["last_used_at"] and datetime.fromisoformat(row["last_used_at"]),
    )


def lesson_as_json(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as values that JSON can write, but for its times."""
    values = dataclasses.asdict(lesson)
    effect = lesson.rule.effect
    return {**values, "rule": {**values["rule"], "effect": to_json(effect) if effect else None}}


def lesson_from_json(line: str) -> Lesson:
    """Return the lesson that lesson_as_json() wrote. Raises ValueError, TypeError, KeyError for what is none."""
    values = json.loads(line)
    rule = values.pop("rule")
    scope = rule.pop("scope")
    return lesson_from_row(
        {
            **values,
            **scope,
            "rule": rule["text"],
            "kind": rule["kind"],
            "effect": _effect_in(rule),
            "heard": json.dumps(values["heard"]),
        }
    )


def effect_text(effect: Does | None) -> str:
    """Return an effect as its column keeps it; "" for none."""
    return json.dumps(to_json(effect), ensure_ascii=False) if effect else ""


def _effect_from(text: str) -> Effect | None:
    return from_json(json.loads(text)) if text else None


def _effect_in(rule: Mapping[str, Any]) -> str:
    """The effect of an exported rule; one from before values were exported is read from its sentence."""
    if "effect" in rule:
        return json.dumps(rule["effect"]) if rule["effect"] else ""
    read = rule_said(rule["text"])
    return effect_text(read.effect) if read else ""


def identity_of(lesson: Lesson) -> tuple[str, str, str]:
    """Return what two copies of one lesson have in common."""
    return lesson.taught_at.isoformat(timespec="seconds"), lesson.rule.text, lesson.transcript
