"""What heed does with what it hears: step(state, event) -> (state, actions), and nothing else.

All policy of ear and mouth stands here, in stopping.py, yielding.py and showing.py: where an utterance ends, when a
guess is adopted, who may interrupt whom, and what a stop needs. Time is counted in samples at `RATE`; there is no
clock, thread or device inside, so a test replays a list of events, and a bench does it as fast as it can.

A stop has two tiers. Suspicion (the keyword in the raw sound) slows the robot down and softens its voice at once; proof
(the recognised words are a stop) stops it.
"""

from dataclasses import replace

from daemon.reflex import reflex_in
from daemon.speech.broken_sentences import LONGEST_PAUSE, goes_on, whole
from daemon.speech.ear_events import (
    Action,
    Deliver,
    Do,
    End,
    Event,
    Gap,
    HalfDuplex,
    Mute,
    Others,
    Sound,
    StopHint,
    TalkKey,
    Understood,
    Unsure,
    Wake,
)
from daemon.speech.ear_state import Body, Ear, Mind, Mouth, State
from daemon.speech.judgement import Judgement, Verdict
from daemon.speech.showing import Showing
from daemon.speech.turn_words import back_channel, closed_answer, unfinished
from daemon.speech.vad import BLOCK, Segment


def step(state: State, event: Event) -> tuple[State, tuple[Action, ...]]:
    """Take one event; returns what is known afterwards, and what is to be done, in this order."""
    turn = _Turn(state)
    match event:
        case Sound():
            turn.hear(event)
        case Others():
            turn.notice(event)
        case StopHint():
            turn.suspect(event.sure)
        case Understood():
            turn.understand(event)
        case Unsure():
            turn.doubt(event)
        case Wake():
            turn.set(addressed_until=state.now + state.policy.addressed)
        case TalkKey():
            turn.key(event.down)
        case Mute():
            turn.set(muted=event.on, beginning=None)
        case HalfDuplex():
            turn.set(policy=replace(state.policy, both_at_once=False))
        case Gap():
            turn.gap()
        case End():  # pragma: no branch; there is no other event
            turn.end()
    turn.deliver_what_does_not_go_on()
    turn.show_what_is_open()
    return turn.state, tuple(turn.actions)


class _Turn(Showing):
    """All that one event may change."""

    # --- events ---

    def hear(self, sound: Sound) -> None:
        begin = self.state.now
        self.set(now=begin + sound.samples)
        if sound.voice >= self.policy.on:
            self.set(voice_at=self.state.now)
        if self._at_work():
            self.set(answerable_until=self.state.now + self.policy.addressed)
        if self._deaf():
            if self.state.hearing and 0 < self.state.signed == self.state.guessing:
                self._commit()  # who had a sign is not forgotten
            self._forget_segment()
        elif sound.voice >= self.policy.on:
            self._voice(begin)
        elif sound.voice < self.policy.off:
            self._no_voice()
        elif self.state.ear in (Ear.RISING, Ear.SPEECH):
            self.set(speech_end=self.state.now)
        self._segment()
        self._mind_the_mouth(sound)
        self._look_for_proof()
        self._give_up_what_does_not_come()

    def notice(self, others: Others) -> None:
        over = others.speaking or others.asking or (others.stopped and self.state.body is not Body.STOPPED)
        if over and (beginning := self._taken_beginning()) is not None:
            self._drop(beginning, "heed speaks, or was stopped")  # what is said next is about that
        state = self.state
        if not others.speaking:
            self.set(mouth=Mouth.SILENT)
        elif state.mouth is Mouth.SILENT:
            self.set(mouth=Mouth.SPEAKING)
        self.set(moving=others.moving, watched=others.watched, offering=others.offering)
        if others.stopped:
            self.set(body=Body.STOPPED, hint_at=None, keyword=False)
        elif state.body is not Body.SLOWED:
            self.set(body=Body.MOVING if others.moving else Body.STILL)
        mind = Mind.ASKING if others.asking else Mind.THINKING if others.thinking else Mind.READY
        if state.mind is Mind.ASKING and mind is not Mind.ASKING:
            self._address()
        self.set(mind=mind)

    def suspect(self, sure: bool) -> None:
        """A stop may have been said: cheap things at once, and a proof soon."""
        if self.state.body is Body.STOPPED or self.state.now - self.state.voice_at > self.policy.voice_before_stop:
            return
        if sure:
            self._stop("stop")
            return
        self._slow_down()
        self.set(keyword=True)
        if self.policy.both_at_once:
            self._duck()
        else:
            self._hold()  # an ear that hears the mouth can look for a proof only in silence

    def understand(self, event: Understood) -> None:
        if event.ticket == self.state.proving:
            self.set(proving=0)
            self._take_proof(event.judgement)
        elif event.ticket == self.state.guessing:
            self.set(pondered=0)
            self._take_guess(event.judgement)
        elif event.ticket == self.state.partial:
            self.show_words(event.judgement)
        else:
            self._take_final(event)

    def doubt(self, event: Unsure) -> None:
        """Words without a stop in them: move on, while a second ear listens to what else they are."""
        if event.ticket == self.state.guessing:
            self.set(pondered=event.ticket)
            self._take_guess(event.judgement)
        elif segment := dict(self.state.awaited).get(event.ticket):
            self._suspect_no_more()
            if not self.state.hearing:
                self._sign_beforehand(event.ticket, event.judgement, segment)

    def key(self, down: bool) -> None:
        self.set(key_down=down)
        if not down:
            self._address()
            if self.state.hearing:
                self._commit()

    def gap(self) -> None:
        self._forget_segment()
        self.set(deaf_until=self.state.now + self.policy.settling)

    def end(self) -> None:
        if self.state.hearing:
            self._commit()
        self._forget_segment()
        self.policy = replace(self.policy, late=0)  # nobody goes on
        self.set(policy=self.policy)

    # --- where speech begins and ends ---

    def _deaf(self) -> bool:
        """Half-duplex: our own voice is no utterance, nor is its echo."""
        if self.state.mouth in (Mouth.SPEAKING, Mouth.DUCKED) and not self.policy.both_at_once:
            self.set(deaf_until=self.state.now + self.policy.echo_tail)
        return self.state.now <= self.state.deaf_until

    def _voice(self, begin: int) -> None:
        state = self.state
        if state.ear is Ear.QUIET:
            self.set(ear=Ear.RISING, speech_start=begin, over_mouth=state.mouth is not Mouth.SILENT)
        elif state.ear is Ear.TRAILING:
            self._learn_pause(begin - state.speech_end)
            self.set(ear=Ear.SPEECH, guess=None, guessing=0)
        self.set(speech_end=self.state.now)
        if self.state.ear is Ear.RISING and self.state.now - self.state.speech_start >= self.policy.believed:
            self.set(ear=Ear.SPEECH)
            if self.policy.wary and self.state.body is Body.MOVING:
                self._slow_down()

    def _no_voice(self) -> None:
        if self.state.ear is Ear.RISING:
            self.set(ear=Ear.QUIET)
            self._soften_no_more()
        elif self.state.ear is Ear.SPEECH:
            self.set(ear=Ear.TRAILING)

    def _segment(self) -> None:
        """Guess, commit, or wait on."""
        state = self.state
        over = state.ear is Ear.TRAILING and state.silence >= self._needed()
        if over or (state.hearing and state.now - state.speech_start >= self.policy.longest):
            self._commit()
        elif state.ear is Ear.TRAILING and state.silence >= self.policy.guess and not state.guessing:
            self.set(guessing=self._recognize(self._open_segment(), final=False))
        elif self._sounds_finished():
            self._sign_beforehand(state.guessing, state.guess, self._open_segment())
        elif state.ear is Ear.SPEECH:
            self._look_at_words()

    def _sounds_finished(self) -> bool:
        """Return whether it is long enough silent for most people, and their words so far are whole."""
        state = self.state
        silent = state.ear is Ear.TRAILING and state.silence >= self.policy.least_patience
        return silent and state.guess is not None and not unfinished(state.guess.text)

    def _needed(self) -> int:
        """Silence that ends the open utterance, by what it seems to be."""
        guess = self.state.guess
        patience = self.state.patience or self.policy.patience
        if guess is None or guess.verdict is Verdict.DROP:
            return patience
        if reflex_in(guess.text) or (self.state.mind is Mind.ASKING and closed_answer(guess.text)):
            return self.policy.early
        return max(patience, self.policy.late) if unfinished(guess.text) else patience

    def _learn_pause(self, pause: int) -> None:
        """The speaker paused so long and went on: be more patient than that, within bounds; forget slowly."""
        before = self.state.patience or self.policy.patience
        wanted = pause + 4 * BLOCK
        learned = before + (wanted - before) // (2 if wanted > before else 8)
        self.set(patience=min(max(learned, self.policy.least_patience), self.policy.most_patience))

    def _commit(self) -> None:
        """The utterance is over: adopt the guess, or wait for its words."""
        state, segment = self.state, self._open_segment()
        if state.guess is not None and state.pondered != state.guessing:
            self._decide(state.guess, segment, state.guessing)
        else:
            ticket = state.guessing or self._recognize(segment, final=True)
            self.set(awaited=(*self.state.awaited, (ticket, segment)))
            self._sign_beforehand(ticket, state.guess, segment)
        self.set(ear=Ear.QUIET, last_end=self.state.now, guess=None, guessing=0)

    def _sign_beforehand(self, ticket: int, guess: Judgement | None, segment: Segment) -> None:
        """Let people know that they were heard, once for each silence, before it is sure what they said.

        Whether they go on is not known then either. While our own voice sounds or is held, no chime would.
        """
        if guess is None or ticket == self.state.signed or self.state.mouth is not Mouth.SILENT:
            return
        if self._considered(guess, segment).verdict is not Verdict.DROP:
            self.set(signed=ticket)
            self.do(Do.SIGN)

    # --- what was understood ---

    def _take_guess(self, judgement: Judgement) -> None:
        self.set(guess=judgement)
        self.show_words(judgement)
        if self._is_stop(judgement):
            self._decide(judgement, self._open_segment(), self.state.guessing)
            self._forget_segment()
        elif self.state.hint_at is not None:
            self._suspect_no_more()

    def _take_final(self, event: Understood) -> None:
        segment = dict(self.state.awaited).get(event.ticket)
        if segment is not None:
            self.set(awaited=tuple(entry for entry in self.state.awaited if entry[0] != event.ticket))
            self._decide(event.judgement, segment, event.ticket)
        elif self._is_stop(event.judgement) and event.ticket > self.state.obeyed:
            self._stop(event.judgement.text)  # a guess or a proof that speech overtook: void, but for a stop

    def _decide(self, judgement: Judgement, segment: Segment, ticket: int) -> None:
        """Decide what to do with an utterance whose words are known; they were ordered with that ticket."""
        if self._is_stop(judgement):
            self._stop(judgement.text)
            return
        self._suspect_no_more()
        if ticket <= self.state.obeyed and judgement.verdict is Verdict.ASK:
            judgement = judgement.dropped("said before the stop")
        said, before = Deliver(self._considered(judgement, segment), segment), self._taken_beginning()
        if before is not None and goes_on(before, said):
            said, before = whole(before, said), None
        elif before is not None and said.judgement.verdict is not Verdict.DROP:
            self._drop(before, "something else was said")
            before = None
        if self._only_begins(said):
            self.set(beginning=said)
            self._address()
            if not (self.state.hearing and self.state.speech_start >= segment.speech_end):
                self._sign_beforehand(ticket, said.judgement, said.segment)
        else:
            self._deliver(said, ticket)
        if before is not None:
            self._deliver(before, self.state.signed)

    def _deliver(self, said: Deliver, ticket: int) -> None:
        if said.judgement.verdict is Verdict.DROP:
            self._soften_no_more()
        else:
            self._hush()
            self._address()
            if ticket != self.state.signed:
                self.do(Do.SIGN)
        self.do(said)

    def _drop(self, said: Deliver, reason: str) -> None:
        self.do(Deliver(said.judgement.dropped(reason), said.segment))

    # --- sentences that a pause broke in two ---

    def _only_begins(self, said: Deliver) -> bool:
        """Return whether it is a remark about which heed would ask, and its speaker may go on."""
        remark = said.judgement.verdict is Verdict.ASK and said.judgement.remark
        silent = self.state.mouth is Mouth.SILENT and self.state.mind is not Mind.ASKING
        return remark and silent and self._may_go_on(said.segment)

    def _may_go_on(self, segment: Segment) -> bool:
        """Return whether its speaker has hardly fallen silent, or has gone on soon after."""
        state = self.state
        later = [other.speech_start for _, other in state.awaited] + [state.speech_start] * state.hearing
        soon = any(0 <= start - segment.speech_end <= LONGEST_PAUSE for start in later)
        return soon or state.now - segment.speech_end < self.policy.late

    def _taken_beginning(self) -> Deliver | None:
        beginning = self.state.beginning
        if beginning is not None:
            self.set(beginning=None)
        return beginning

    def deliver_what_does_not_go_on(self) -> None:
        """Ask about a beginning to which there is no more."""
        beginning = self.state.beginning
        if beginning is not None and not self._may_go_on(beginning.segment):
            self.set(beginning=None)
            self._deliver(beginning, self.state.signed)

    # --- for whom it is ---

    def _considered(self, judgement: Judgement, segment: Segment) -> Judgement:
        """Return what becomes of it, as things are; what is not for us now is dropped."""
        if self.state.muted:
            return judgement.dropped("muted")
        if not self._addressed(segment):
            return judgement.dropped("not addressed")
        if self._answers_nothing(judgement.text, segment):
            return judgement.dropped("an answer to no question")
        if self.state.over_mouth and back_channel(judgement.text) and self.state.mind is not Mind.ASKING:
            return judgement.dropped("only a sign of listening")
        if self.state.over_mouth and judgement.verdict is Verdict.ASK and reflex_in(judgement.text) is None:
            return judgement.dropped("not sure, while we were speaking")
        return judgement

    def _at_work(self) -> bool:
        state = self.state
        return state.mouth is not Mouth.SILENT or state.mind is not Mind.READY or state.moving or state.offering

    def _answers_nothing(self, text: str, segment: Segment) -> bool:
        """Return whether it is a bare answer ("no", "both") among people: heed did and said nothing lately."""
        late = not self.state.in_talk(segment)
        return late and not self.state.key_down and closed_answer(text) and reflex_in(text) is None

    def _address(self) -> None:
        self.set(addressed_until=max(self.state.addressed_until, self.state.now + self.policy.addressed))

    # --- nothing lasts for ever ---

    def _give_up_what_does_not_come(self) -> None:
        state = self.state
        if state.hint_at is not None and state.now - state.hint_at > self.policy.suspicion:
            if state.keyword and (state.proving or state.guessing):
                self._stop("stop")  # a recogniser that does not answer must not keep the robot moving
            else:
                self._suspect_no_more()
        limit = state.now - self.policy.patience_with_recognizer
        if any(segment.end < limit for _, segment in state.awaited):
            self.set(awaited=tuple(entry for entry in state.awaited if entry[1].end >= limit))
            self._soften_no_more()
