"""Somebody who carries out a recovery in a described world, step by step."""

from collections.abc import Callable, Sequence
from typing import Protocol

from daemon.console.raider.flow import Finding
from daemon.imitation.english.orders.recovery import Do, Outcome, RecoveryError, plan_from, recovering


class Actor(Protocol):
    """Who carries out a plan."""

    @property
    def holding(self) -> Sequence[str]: ...

    def act(self, action: str, arguments: Sequence[str]) -> None:
        """Do one step. Raises RecoveryError."""
        ...

    def ask(self, question: str) -> str: ...

    def say(self, text: str) -> None: ...


def recover(
    order: str,
    finding: Finding,
    plan: Sequence[str],
    actor: Actor,
    examine_again: Callable[[str], Finding],
) -> Outcome:
    """Have an actor do what recovering() asks for."""
    steps = recovering(order, finding, plan, examine_again, lambda text, found: plan_from(text, found, actor.holding))
    try:
        do = next(steps)
        while True:
            try:
                answer = _done_by(actor, do)
            except RecoveryError as error:
                do = steps.throw(error)
            else:
                do = steps.send(answer)
    except StopIteration as end:
        ended: Outcome = end.value
        return ended


def _done_by(actor: Actor, do: Do) -> str:
    if do.name == "ask":
        return actor.ask(do.arguments[0])
    if do.name == "say":
        actor.say(do.arguments[0])
    else:
        actor.act(do.name, do.arguments)
    return ""
