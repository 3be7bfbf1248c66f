"""How our voice gives way to others: softer, silent, and on again from the same sample. A part of ear_core.py."""

from daemon.speech.ear_events import Action, Do, Sound
from daemon.speech.ear_state import Ear, Mouth, State


class Yielding:
    """One step: the state as it becomes, and what is to be done so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.actions: list[Action] = []
        self.policy = state.policy

    def set(self, **changes: object) -> None:
        """Do what dataclasses.replace() does, in a tenth of its time: it happens seven times a block."""
        after = object.__new__(State)
        vars(after).update(vars(self.state), **changes)
        self.state = after

    def do(self, action: Action) -> None:
        self.actions.append(action)

    def _mind_the_mouth(self, sound: Sound) -> None:
        """Soften, then hold our voice while someone else speaks."""
        louder = sound.level >= self.policy.duck_level * self.state.floor > 0.0
        self._learn_floor(sound.level)
        speaks = self.state.ear in (Ear.RISING, Ear.SPEECH)
        if self.policy.both_at_once:
            if speaks or (louder and sound.voice >= self.policy.duck_voice):
                self._duck()
            if speaks and self.state.now - self.state.speech_start >= self.policy.hold:
                self._hold()
        self._speak_up_when_nobody_speaks()

    def _speak_up_when_nobody_speaks(self) -> None:
        state = self.state
        wait = self.policy.duck_back if state.mouth is Mouth.DUCKED else self.policy.most_patience
        nobody = state.ear is Ear.QUIET and not state.awaited
        if nobody and state.now - max(state.speech_end, state.ducked_at) > wait:
            self._soften_no_more()

    def _learn_floor(self, level: float) -> None:
        """Down at once, up by 5 dB in a second."""
        if level > 0.0:
            self.set(floor=min(level, self.state.floor * 1.02) if self.state.floor else level)

    def _duck(self) -> None:
        if self.state.mouth is Mouth.SPEAKING:
            self.set(mouth=Mouth.DUCKED, ducked_at=self.state.now)
            self.do(Do.DUCK)

    def _hold(self) -> None:
        if self.state.mouth in (Mouth.SPEAKING, Mouth.DUCKED):
            self.set(mouth=Mouth.HELD)
            self.do(Do.HOLD)

    def _soften_no_more(self) -> None:
        if self.state.mouth in (Mouth.DUCKED, Mouth.HELD) and self.state.hint_at is None:
            self.set(mouth=Mouth.SPEAKING)
            self.do(Do.GO_ON)

    def _hush(self) -> None:
        if self.state.mouth is not Mouth.SILENT:
            self.set(mouth=Mouth.SILENT)
            self.do(Do.HUSH)
