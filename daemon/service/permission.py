"""What needs a person's yes before it happens: skills that ask, and any motion in the quiet hours.

A robot that cannot hear begins no motion at all; one that is under way ends as it would.

Unanswered, or unclear, is not yes. A yes given once holds until something new is asked for.
"""

import functools
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from daemon.config import ConfigError, PermissionConfig, advice
from daemon.console.learning.consent import Consent, consent_in
from skills.skill import Skill, SkillError


class QuietHours:
    """Quiet hours: when heed does not speak aloud, and asks before it moves."""

    def __init__(self, text: str, clock: Callable[[], datetime] = datetime.now) -> None:
        """`text` is "22:00-07:00", or empty for none. Raises ConfigError."""
        self._hours = quiet_hours(text)
        self._clock = clock

    @property
    def now(self) -> bool:
        """Return whether it is such a time."""
        if self._hours is None:
            return False
        begin, end = self._hours
        now = self._clock().time()
        return begin <= now < end if begin <= end else now >= begin or now < end


class Permissions:
    """The rights of skills: asks where a yes is needed. Rehearsals are thought only, and are not asked about."""

    def __init__(
        self,
        config: PermissionConfig,
        known: Collection[str],
        ask: Callable[[str], str],
        turn: Callable[[], int],
        now: Callable[[], datetime] = datetime.now,
        deaf: Callable[[], bool] = lambda: False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Raises ConfigError for settings that cannot be meant.

        `known` are the names of all skills. `turn` counts what people say: a yes holds until somebody says something
        else; `deaf` is true while nobody could call a stop, `stopped` while a stop is latched.
        """
        self._hours = QuietHours(config.quiet_hours, now)
        self._named = _named(config.confirm, known)
        self._ask, self._turn = ask, turn
        self._deaf = deaf if not config.move_while_deaf else lambda: False
        self._stopped = stopped
        self._allowed_in = -1

    def marked(self, skills: Mapping[str, Skill]) -> dict[str, Skill]:
        """The skills, where those that the settings name say that they ask first."""
        return {name: replace(skill, confirm=skill.confirm or name in self._named) for name, skill in skills.items()}

    def guarded(self, skill: Skill, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function of a skill, which asks first where it has to."""

        @functools.wraps(function)
        def ask_first(*args: Any, **kwargs: Any) -> Any:
            if skill.uses and self._stopped():
                raise SkillError("I am stopped until somebody says: go on")
            if skill.uses and self._deaf():
                raise SkillError(
                    "the microphone is lost or lent and nobody could call a stop, nothing was done",
                    "do not try again; tell the person that you move again when you can hear",
                )
            if skill.confirm or skill.name in self._named:
                self._require_yes(f"Shall I {_in_words(skill, args, kwargs)}?")
            elif skill.uses and self._hours.now and self._allowed_in != self._turn():
                self._require_yes("It is quiet time. Shall I move all the same?")
                self._allowed_in = self._turn()
            return function(*args, **kwargs)

        return ask_first

    def _require_yes(self, question: str) -> None:
        if consent_in(self._ask(question)) is not Consent.YES:
            raise SkillError("the person did not allow it, nothing was done", "do not try again; ask what else to do")


def _named(confirm: str, known: Collection[str]) -> frozenset[str]:
    """The skills that the settings name. Raises ConfigError for one that is none: nobody would be asked about it."""
    names = confirm.replace(",", " ").split()
    for name in names:
        if name not in known:
            raise ConfigError(f"confirm in [permission] names {name}, which is no skill; {advice(name, known)}")
    return frozenset(names)


def quiet_hours(text: str) -> tuple[time, time] | None:
    """Beginning and end, from "22:00-07:00"; None for "". Raises ConfigError."""
    if not text:
        return None
    match = re.fullmatch(r"\s*([012]?\d:[0-5]\d)\s*-\s*([012]?\d:[0-5]\d)\s*", text)
    try:
        if match is None:
            raise ValueError("no two times")
        begin, end = (time.fromisoformat(part.zfill(5)) for part in match.groups())
    except ValueError as error:
        raise ConfigError(
            f'quiet_hours in [permission] is {text!r}; write it as "22:00-07:00", or leave it out'
        ) from error
    return begin, end


def _in_words(skill: Skill, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    given = [str(value) for value in (*args, *kwargs.values()) if value is not None]
    return " ".join([skill.name.replace("_", " "), *given])
