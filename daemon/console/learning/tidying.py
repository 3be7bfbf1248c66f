"""Tidying what was learned, with consent: like lessons become one, and what is of no use is offered for forgetting."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Protocol

from daemon.console.learning.consent import Consent, consent_in
from daemon.memory.effect_rules import rule_of, supersedes
from daemon.memory.effects import Also, Effect
from daemon.memory.lesson import Lesson, LessonStatus
from daemon.memory.rules import Rule, Scope
from daemon.names import called
from skills.scene import Scene

UNUSED = timedelta(days=30)
"""Age from which a lesson that was never needed is offered for forgetting."""
CORRECTED = 3
"""How often a lesson was replaced by another about the same before heed asks whether it is of any use."""

Ask = Callable[[str], str]


class Lessons(Protocol):
    """What tidying needs of the memory."""

    def lessons(self, include_forgotten: bool = False) -> list[Lesson]: ...
    def forget(self, id: int) -> Lesson: ...
    def merge(self, ids: Sequence[int], rule: Rule) -> Lesson: ...


def tidy(memory: Lessons, scene: Scene, ask: Ask, now: datetime | None = None) -> str:
    """Ask about each thing that could be tidied, and do what is agreed to; returns what to say."""
    merged = sum(_merge(memory, one, other, rule, ask) for one, other, rule in list(alike(memory.lessons(), scene)))
    forgotten = sum(
        _forget(memory, lesson, why, ask) for lesson, why in list(useless(memory, now or datetime.now(UTC)))
    )
    if not merged and not forgotten:
        return "There is nothing to tidy up."
    return f"I have merged {merged} and forgotten {forgotten}. Nothing is lost: all of it can be restored."


def alike(lessons: Sequence[Lesson], scene: Scene) -> Iterator[tuple[Lesson, Lesson, Effect]]:
    """Lessons that bring the same thing along with two things of one class, and the rule for the whole class."""
    known = [(lesson, effect) for lesson in lessons if isinstance(effect := lesson.rule.effect, Also)]
    used: set[int] = set()
    for (one, first), (other, second) in combinations(known, 2):
        classes = {_category(first.scope, scene), _category(second.scope, scene)}
        wider = replace(first.scope, object="", object_class="")
        whose = {(lesson.rule.scope.person, lesson.rule.scope.time) for lesson in (one, other)}
        same = (
            len(whose) == 1
            and first.bring == second.bring
            and wider == replace(second.scope, object="", object_class="")
        )
        if same and len(classes) == 1 and "" not in classes and not {one.id, other.id} & used:
            used |= {one.id, other.id}
            scope = replace(wider, object_class=classes.pop())
            yield one, other, replace(first, scope=scope, example=first.scope.object or first.example)


def useless(memory: Lessons, now: datetime) -> Iterator[tuple[Lesson, str]]:
    """Lessons that were never needed in a long time, or were corrected again and again; and why they are offered."""
    everything = memory.lessons(include_forgotten=True)
    superseded = [lesson for lesson in everything if lesson.status is LessonStatus.SUPERSEDED]
    for lesson in memory.lessons():
        corrections = sum(supersedes(lesson.rule, old.rule) for old in superseded)
        if not lesson.used_count and now - lesson.taught_at >= UNUSED:
            yield lesson, "I have never needed this"
        elif corrections >= CORRECTED:
            yield lesson, f"This was corrected {corrections} times"


def _merge(memory: Lessons, one: Lesson, other: Lesson, rule: Effect, ask: Ask) -> bool:
    merged = rule_of(rule, one.rule.scope.person, one.rule.scope.time)
    question = f"{one.rule.text} {other.rule.text} Shall I remember this in their place: {merged.text}"
    agreed = consent_in(ask(question)) is Consent.YES
    if agreed:
        memory.merge([one.id, other.id], merged)
    return agreed


def _forget(memory: Lessons, lesson: Lesson, why: str, ask: Ask) -> bool:
    agreed = consent_in(ask(f"{why}: {lesson.rule.text} Shall I forget it?"), to_forget=True) is Consent.YES
    if agreed:
        memory.forget(lesson.id)
    return agreed


def _category(scope: Scope, scene: Scene) -> str:
    """The class that a scope is about; "" where it is about no known thing."""
    if scope.object_class or not scope.object:
        return scope.object_class
    return next((thing.category for thing in scene.objects if called(thing.name, scope.object)), "")
