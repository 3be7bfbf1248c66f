"""Do what heed does when a skill refuses: follow the hint, call by call, and give up where there is none."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from bench.support.described_scene import PLACE_OF, moment_of
from bench.support.household_robot import USES, use_of
from bench.support.recovery_world import World
from daemon.console.raider.precondition_questions import Deed
from daemon.console.raider.surroundings import Surroundings
from daemon.imitation.english.orders.recovery import RecoveryError
from skills.needs import Precondition
from skills.skill import SkillError

HINTS = 6
"""How many are followed for one order: a thing behind a door takes two, a thing to be put there two more."""
ACTIONS = {skill: action for action, (skill, _) in USES.items()} | {"move_to": "move_to"}


@dataclass(frozen=True)
class Refusal:
    """The reason why a skill does not begin."""

    condition: Precondition
    error: SkillError


def refusal_of(deed: Deed, around: Surroundings) -> Refusal | None:
    """Return the first precondition of the skill that does the deed which does not hold in the described world."""
    use = use_of(deed)
    now = moment_of(around, use.arguments, deed.reach)
    for condition in use.needs.conditions:
        try:
            condition.check(now)
        except SkillError as error:
            return Refusal(condition, error)
    return None


def follow_hints(deed: Deed, world: World) -> tuple[bool, list[str]]:
    """Return whether the deed was done in the end, and the calls on the way there."""
    steps: list[str] = []
    try:
        for _ in range(HINTS):
            if (refusal := refusal_of(deed, world.around)) is None:
                world.act(deed.action, [name for name in (deed.target, deed.place) if name])
                return True, steps
            action, arguments = _hinted(refusal.error.hint)
            steps.append(refusal.error.hint)
            world.act(action, arguments)
    except RecoveryError:
        pass
    return False, steps


def _hinted(hint: str) -> tuple[str, Sequence[str]]:
    """Return the action that a hint calls for, and on what; raises RecoveryError for a hint that is no such call."""
    try:
        call = ast.parse(hint, mode="eval").body
    except SyntaxError as error:
        raise RecoveryError(f"{hint} is no call") from error
    match call:
        case ast.Call(func=ast.Name(id=skill), args=arguments) if skill in ACTIONS:
            names = [str(ast.literal_eval(argument)) for argument in arguments]
            return ACTIONS[skill], [name.removeprefix(PLACE_OF) for name in names]
    raise RecoveryError(f"{hint} is for a person, or for a mind")
