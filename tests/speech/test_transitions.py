"""Transitions of the four states of the ear that no story in test_ear_core.py comes through, a line each."""

import pytest

from daemon.speech.ear_core import step
from daemon.speech.ear_events import End, Event, Gap, Others, Sound, StopHint, TalkKey, Understood
from daemon.speech.ear_state import Policy, State
from daemon.speech.judgement import Judgement, Verdict
from tests.speech.transitions import Transition, between

SPEAKING, MOVING, STOPPED = Others(speaking=True), Others(moving=True), Others(stopped=True)
ASKING, THINKING, REST = Others(asking=True), Others(thinking=True), Others()
SURE, STOP = StopHint(sure=True), Understood(1, Judgement(Verdict.ACCEPT, "stop"))
ORDER, NONSENSE = (Understood(1, Judgement(verdict, "bring it")) for verdict in (Verdict.ACCEPT, Verdict.DROP))


def voice(blocks: int) -> list[Event]:
    return [Sound(0.9, level=100.0)] * blocks


def quiet(blocks: int) -> list[Event]:
    return [Sound(0.1, level=100.0)] * blocks


LOUD = Sound(0.2, level=2000.0)
BOTH = Policy(both_at_once=True)
BOLD = Policy(wary=False)
HALF = Policy()

TABLE: list[tuple[str, Policy, list[Event]]] = [
    ("body MOVING Others STILL", HALF, [MOVING, REST]),
    ("body MOVING Others STOPPED", HALF, [MOVING, STOPPED]),
    ("body MOVING StopHint STOPPED", HALF, [*voice(3), MOVING, SURE]),
    ("body MOVING Understood STOPPED", BOLD, [MOVING, *voice(10), *quiet(6), STOP]),
    ("body SLOWED Others STOPPED", HALF, [*voice(10), MOVING, StopHint(), STOPPED]),
    ("body SLOWED Sound STILL", HALF, [MOVING, *voice(8), REST, *quiet(58)]),
    ("body SLOWED StopHint STOPPED", HALF, [*voice(10), MOVING, StopHint(), SURE]),
    ("body STILL Others STOPPED", HALF, [STOPPED]),
    ("body STOPPED Others STILL", HALF, [STOPPED, REST]),
    ("ear RISING End QUIET", HALF, [*voice(1), End()]),
    ("ear RISING Gap QUIET", HALF, [*voice(1), Gap()]),
    ("ear RISING StopHint QUIET", HALF, [*voice(1), SURE]),
    ("ear RISING Understood QUIET", HALF, [*voice(10), *quiet(16), *voice(1), STOP]),
    ("ear TRAILING End QUIET", HALF, [*voice(10), *quiet(2), End()]),
    ("ear TRAILING Gap QUIET", HALF, [*voice(10), *quiet(2), Gap()]),
    ("ear TRAILING StopHint QUIET", HALF, [*voice(10), *quiet(2), SURE]),
    ("ear TRAILING TalkKey QUIET", HALF, [*voice(10), *quiet(2), TalkKey(False)]),
    ("mind ASKING Others THINKING", HALF, [ASKING, THINKING]),
    ("mind READY Others THINKING", HALF, [THINKING]),
    ("mind THINKING Others ASKING", HALF, [THINKING, ASKING]),
    ("mind THINKING Others READY", HALF, [THINKING, REST]),
    ("mouth DUCKED Others SILENT", BOTH, [SPEAKING, *voice(2), REST]),
    ("mouth DUCKED Sound SILENT", BOTH, [SPEAKING, *voice(5), *quiet(6), ORDER, *quiet(10)]),
    ("mouth DUCKED StopHint SILENT", BOTH, [SPEAKING, *voice(2), SURE]),
    ("mouth DUCKED Understood SILENT", BOTH, [SPEAKING, *voice(5), *quiet(6), STOP]),
    ("mouth DUCKED Understood SPEAKING", BOTH, [SPEAKING, *voice(5), *quiet(16), NONSENSE]),
    ("mouth HELD Others SILENT", BOTH, [SPEAKING, *voice(12), REST]),
    ("mouth HELD Sound DUCKED", BOTH, [SPEAKING, *voice(12), *quiet(6), NONSENSE, *quiet(9), LOUD]),
    ("mouth HELD StopHint SILENT", BOTH, [SPEAKING, *voice(12), SURE]),
    ("mouth SPEAKING Sound HELD", BOTH, [*voice(12), SPEAKING, *voice(1)]),
    ("mouth SPEAKING Sound SILENT", BOTH, [*voice(10), *quiet(6), ORDER, SPEAKING, *quiet(10)]),
    ("mouth SPEAKING StopHint DUCKED", BOTH, [*voice(3), SPEAKING, StopHint()]),
    ("mouth SPEAKING StopHint SILENT", HALF, [*voice(3), SPEAKING, SURE]),
    ("mouth SPEAKING Understood SILENT", BOTH, [*voice(10), *quiet(6), SPEAKING, STOP]),
    ("mouth SPEAKING TalkKey SILENT", BOTH, [*voice(10), *quiet(6), ORDER, SPEAKING, TalkKey(False)]),
    ("mouth DUCKED TalkKey SILENT", BOTH, [SPEAKING, *voice(5), *quiet(6), ORDER, TalkKey(False)]),
    ("mouth DUCKED TalkKey SPEAKING", BOTH, [SPEAKING, *voice(5), *quiet(6), NONSENSE, TalkKey(False)]),
    ("mouth HELD TalkKey SILENT", BOTH, [SPEAKING, *voice(12), *quiet(6), ORDER, TalkKey(False)]),
    ("mouth HELD TalkKey SPEAKING", BOTH, [SPEAKING, *voice(12), *quiet(6), NONSENSE, TalkKey(False)]),
    ("mouth SPEAKING End SILENT", BOTH, [*voice(10), *quiet(6), ORDER, SPEAKING, End()]),
    ("mouth DUCKED End SILENT", BOTH, [SPEAKING, *voice(5), *quiet(6), ORDER, End()]),
    ("mouth DUCKED End SPEAKING", BOTH, [SPEAKING, *voice(5), *quiet(6), NONSENSE, End()]),
    ("mouth HELD End SILENT", BOTH, [SPEAKING, *voice(12), *quiet(6), ORDER, End()]),
    ("mouth HELD End SPEAKING", BOTH, [SPEAKING, *voice(12), *quiet(6), NONSENSE, End()]),
]
"""Which state, what it was, the event, what it becomes; and what happens until then, the event last."""


@pytest.mark.parametrize(("transition", "policy", "events"), TABLE, ids=[line[0] for line in TABLE])
def test_each_transition_happens_at_its_event(transition: str, policy: Policy, events: list[Event]) -> None:
    state, changes = State(policy), set[Transition]()
    for event in events:
        before = state
        state, _ = step(state, event)
        changes = between(before, event, state)
    part, was, kind, becomes = transition.split()
    assert (part, was, kind, becomes) in changes
