"""Words while one speaks: shown to who watches, and nothing more depends on them. A part of ear_core.py."""

from daemon.speech.ear_events import Words
from daemon.speech.ear_state import Body, Mind
from daemon.speech.judgement import OWN_WORDS, Judgement
from daemon.speech.stopping import Stopping
from daemon.speech.vad import Segment


class Showing(Stopping):
    """Understand an utterance that is not over, as often as that costs nobody anything."""

    def show_words(self, judgement: Judgement) -> None:
        """Show what the open utterance was understood as, unless that was of an earlier one, or our own voice."""
        state = self.state
        stale = state.partial_at < state.speech_start and not state.guessing
        if stale or not self._shown() or judgement.reason == OWN_WORDS or judgement.heard in ("", state.words):
            return
        self.set(words=judgement.heard)
        self.do(Words(judgement.heard, judgement.confidence))

    def show_what_is_open(self) -> None:
        """Take the words away once the utterance is delivered, or was none."""
        if self.state.words and not self.state.spoken_to:
            self.set(words="")
            self.do(Words())

    def _look_at_words(self) -> None:
        """Order a look at the words so far, once in a while; a robot that moves keeps its ear free for a stop."""
        state = self.state
        due = state.now - max(state.partial_at, state.speech_start) >= self.policy.partial
        if due and state.body in (Body.STILL, Body.STOPPED) and self._shown():
            order = self._recognize(self._open_segment(), final=False, partial=True)
            self.set(partial=order, partial_at=state.now)

    def _shown(self) -> bool:
        state = self.state
        return state.watched and state.hearing and not state.muted and self._addressed(self._open_segment())

    def _open_segment(self) -> Segment:
        state = self.state
        start = max(state.last_end, state.speech_start - self.policy.pre_roll)
        return Segment(start, state.speech_start, state.speech_end, state.now)

    def _addressed(self, segment: Segment) -> bool:
        state = self.state
        return (
            not self.policy.wake
            or state.key_down
            or state.mind is Mind.ASKING
            or segment.speech_start <= state.addressed_until
        )
