"""Which transitions the reducer of the ear can take, and a plugin of pytest that notes which ones the tests take.

A transition is (which of the four states, what it was, the event, what it became). Run the plugin with
`TRANSITIONS=FILE python -m pytest -p tests.speech.transitions ...`; it writes those of the run into FILE, as JSON.
"""

import json
import os
import random
from pathlib import Path

import daemon.speech.ear_core as core
from daemon.speech.ear_events import (
    Action,
    End,
    Event,
    Gap,
    Mute,
    Others,
    Recognize,
    Sound,
    StopHint,
    TalkKey,
    Understood,
    Wake,
)
from daemon.speech.ear_state import Policy, State
from daemon.speech.judgement import Judgement, Verdict

Transition = tuple[str, str, str, str]
PARTS = ("ear", "mouth", "mind", "body")
WALKS = 200
"""Conversations at random; 10 s of computing."""
EVENTS = 300
"""Events in each."""


def between(before: State, event: Event, after: State) -> set[Transition]:
    """The changes that one event brought about."""
    states = {part: (getattr(before, part), getattr(after, part)) for part in PARTS}
    return {(part, a.name, type(event).__name__, b.name) for part, (a, b) in states.items() if a is not b}


def possible_transitions() -> set[Transition]:
    """All that happens in very many conversations at random, always the same ones."""
    found: set[Transition] = set()
    for seed in range(WALKS):
        chance = random.Random(seed)
        state = State(Policy(both_at_once=chance.random() < 0.5, wake=chance.random() < 0.3))
        orders: list[int] = [0]
        for _ in range(EVENTS):
            event = _event(chance, orders[-3:])
            for one in [event] * (chance.choice((1, 2, 7, 20)) if isinstance(event, Sound) else 1):
                before = state
                state, actions = core.step(state, one)
                found |= between(before, one, state)
                orders += [action.ticket for action in actions if isinstance(action, Recognize)]
    return found


def _event(chance: random.Random, tickets: list[int]) -> Event:
    """Sound most of the time; of the rest, whatever may happen."""
    if chance.random() < 0.6:
        return Sound(chance.choice((0.05, 0.05, 0.2, 0.4, 0.9, 0.9)), level=chance.choice((50.0, 2000.0)))
    judgement = Judgement(chance.choice(list(Verdict)), chance.choice(("stop", "yes", "and", "bring me the cup", "")))
    others = Others(*(chance.random() < share for share in (0.6, 0.2, 0.2, 0.5, 0.1)))
    return chance.choice(
        (others, others, StopHint(chance.random() < 0.1), Understood(chance.choice(tickets), judgement), Wake(),
         TalkKey(chance.random() < 0.5), Mute(chance.random() < 0.2), Gap(), End())
    )  # fmt: skip


class _Recorder:
    """Stands for step, and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: set[Transition] = set()
        self._step = core.step

    def __call__(self, state: State, event: Event) -> tuple[State, tuple[Action, ...]]:
        after, actions = self._step(state, event)
        self.seen |= between(state, event, after)
        return after, actions


_recorder: _Recorder | None = None


def pytest_configure() -> None:
    """Before the tests import the reducer."""
    global _recorder
    _recorder = _Recorder()
    core.step = _recorder  # type: ignore[assignment]


def pytest_sessionfinish() -> None:
    if _recorder is not None:
        Path(os.environ["TRANSITIONS"]).write_text(json.dumps(sorted(_recorder.seen)))
