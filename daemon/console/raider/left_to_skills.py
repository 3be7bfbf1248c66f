"""Tells which questions heed's own robot asks: those that its skills do not put right by themselves.

What a skill needs, and whether the robot makes it so unasked, is declared by the skill (skills/preconditions.py).
"""

from collections.abc import Mapping, Sequence
from functools import cache

from daemon.console.raider.precondition_questions import (
    QUESTIONS,
    Question,
    container_is_open,
    hand_is_free,
    is_held,
    is_in_reach,
    is_not_held,
    nothing_blocks,
    place_is_open,
)
from skills.needs import Needs
from skills.skill import Skill, load_skills

DONE_BY = {
    "pick": ("grasp", ("object",)),
    "place": ("place", ("object", "location")),
    "open": ("open_door", ("container",)),
    "close": ("close_door", ("container",)),
}
"""The skill by which an order is done in the end, and its arguments."""
CHECKED_AS: Mapping[Question, frozenset[str]] = {
    is_not_held: frozenset(["not in hand yet"]),
    hand_is_free: frozenset(["hand free"]),
    is_held: frozenset(["in hand"]),
    container_is_open: frozenset(["not shut in"]),
    place_is_open: frozenset(["place open"]),
    is_in_reach: frozenset(["within reach", "at the place"]),
}
"""Questions, and the preconditions of skills that ask the same."""
UNSEEN = frozenset([nothing_blocks])
"""What the robot's perception tells nothing of: no skill checks it, and to ask would find nothing."""


@cache
def robots_questions() -> dict[str, Sequence[Question]]:
    """Return what is asked about each action that ends in a skill which this robot has."""
    skills = load_skills()
    return {action: _left(action, skills[name]) for action, (name, _) in DONE_BY.items() if name in skills}


def _left(action: str, skill: Skill) -> Sequence[Question]:
    mended = _put_right_by(skill)
    asked = (question for question in QUESTIONS[action] if question not in UNSEEN)
    return tuple(question for question in asked if not mended & CHECKED_AS.get(question, frozenset()))


def _put_right_by(skill: Skill) -> set[str]:
    """Return the names of the preconditions that the robot makes so when the skill refuses."""
    conditions = skill.needs.conditions if isinstance(skill.needs, Needs) else ()
    return {condition.name for condition in conditions if condition.by_robot}
