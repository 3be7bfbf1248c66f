"""From a suspected stop to a proven one, or to none: the two tiers of a spoken stop. A part of ear_core.py."""

from daemon.reflex import Reflex, reflex_in
from daemon.speech.ear_events import Do, Recognize, Stop
from daemon.speech.ear_state import Body, Ear
from daemon.speech.judgement import Judgement, Verdict
from daemon.speech.vad import Segment
from daemon.speech.yielding import Yielding


class Stopping(Yielding):
    """Slow down at once, look for a proof, then stop or speed up."""

    def _slow_down(self) -> None:
        self.set(hint_at=self.state.now)
        if self.state.body is not Body.SLOWED:
            self.set(body=Body.SLOWED)
            self.do(Do.SLOW_DOWN)

    def _look_for_proof(self) -> None:
        """Order a look at the sound around a suspected stop, unless an utterance is about to end anyway."""
        state = self.state
        if state.hint_at is None or state.proving or state.guessing:
            return
        wait = self.policy.proof_in_speech if state.hearing else self.policy.proof
        if state.now - state.hint_at >= wait:
            begin = max(0, state.now - self.policy.window)
            self.set(proving=self._recognize(Segment(begin, begin, state.now, state.now), final=False, look=True))

    def _take_proof(self, judgement: Judgement) -> None:
        if self._is_stop(judgement):
            self._stop(judgement.text)
        else:
            self._suspect_no_more()

    def _stop(self, words: str) -> None:
        self._hush()
        self._forget_segment()
        self.set(body=Body.STOPPED, hint_at=None, keyword=False, proving=0, obeyed=self.state.ticket, beginning=None)
        self.do(Stop(words))

    def _suspect_no_more(self) -> None:
        if self.state.hint_at is None:
            return
        self.set(hint_at=None, keyword=False, proving=0, body=Body.MOVING if self.state.moving else Body.STILL)
        self.do(Do.SPEED_UP)
        self._soften_no_more()

    def _is_stop(self, judgement: Judgement) -> bool:
        """Two witnesses, or one that is sure: the keyword, and what was recognised. While the robot moves, one that is
        not sure is enough: it would not go on and ask whether it should have stopped.
        """
        sure = judgement.verdict is Verdict.ACCEPT
        suspected = (self.state.keyword or self.state.moving) and judgement.verdict is Verdict.ASK
        return (sure or suspected) and reflex_in(judgement.text) is Reflex.STOP

    def _forget_segment(self) -> None:
        self.set(ear=Ear.QUIET, last_end=self.state.now, guess=None, guessing=0)

    def _recognize(self, segment: Segment, final: bool, look: bool = False, partial: bool = False) -> int:
        self.set(ticket=self.state.ticket + 1)
        self.do(Recognize(self.state.ticket, segment, final, look, partial))
        return self.state.ticket
