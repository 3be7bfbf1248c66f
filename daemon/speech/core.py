"""What heed does with what it hears: step(state, event) -> (state, actions), and nothing else.

All policy of ear and mouth stands here: where an utterance ends, when a guess is adopted, who may interrupt whom, and
what a stop needs. Time is counted in samples at `RATE`; there is no clock, thread or device inside, so a test replays
a list of events, and a bench does it as fast as it can.

Four states that do not exclude each other: ear, mouth, mind, body. A stop has two tiers. Suspicion (the keyword in the
raw sound) slows the robot down and softens its voice at once; proof (the recognised words are a stop) stops it.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from daemon.reflex import Reflex, reflex_in
from daemon.speech.judgement import Judgement, Verdict
from daemon.speech.vad import BLOCK, RATE, Segment


class Ear(Enum):
    QUIET = "quiet"
    RISING = "rising"
    """Perhaps a voice; not believed yet."""
    SPEECH = "speech"
    TRAILING = "trailing"
    """Silence that may be the end."""


class Mouth(Enum):
    SILENT = "silent"
    SPEAKING = "speaking"
    DUCKED = "ducked"
    """Speaking softly, since someone else may speak."""
    HELD = "held"
    """In the middle of a sentence, which will be cancelled or go on."""


class Mind(Enum):
    READY = "ready"
    THINKING = "thinking"
    ASKING = "asking"
    """What is said next is an answer."""


class Body(Enum):
    STILL = "still"
    MOVING = "moving"
    SLOWED = "slowed"
    """A stop is suspected."""
    STOPPED = "stopped"
    """Latched, until a person lets it move again."""


@dataclass(frozen=True)
class Policy:
    """Numbers and choices; all lengths in samples.

    The numbers for the voice are measured on 31 recorded people: with 0.5 and 96 ms no one-word command is missed;
    pauses inside a command reach 400 ms in 5 % of them and 512 ms at most.
    """

    on: float = 0.5
    """Probability that begins speech."""
    off: float = 0.35
    """Probability below which a block is silence; between the two nothing changes."""
    believed: int = 3 * BLOCK
    """Speech (96 ms) before it is believed."""
    pre_roll: int = 25 * BLOCK
    """Sound (800 ms) before the speech that may belong to it."""
    longest: int = 15 * RATE
    """One utterance at most; then it is cut, and a new one begins."""
    guess: int = 6 * BLOCK
    """Silence (192 ms) after which the recogniser may already begin: its work hides in the waiting."""
    early: int = 8 * BLOCK
    """Silence (256 ms) that ends an answer like "yes", when one is awaited, or a word that acts at once."""
    patience: int = 16 * BLOCK
    """Silence (512 ms) that ends an utterance, until the speaker's own pauses are known."""
    least_patience: int = 13 * BLOCK
    most_patience: int = 28 * BLOCK
    """Bounds (416 and 896 ms) for what is learned from the speaker's pauses."""
    late: int = 31 * BLOCK
    """Silence (992 ms) that ends an utterance which sounds unfinished: "the cup and"."""
    both_at_once: bool = False
    """Listen while speaking: only with an echo canceller, or where the ear cannot hear the mouth."""
    echo_tail: int = 10 * BLOCK
    """How long (320 ms) a room still sounds after we fell silent."""
    settling: int = 10 * BLOCK
    """Sound (320 ms) that is not listened to after a gap: a step from silence to noise looks like a voice."""
    duck: int = 2 * BLOCK
    """Foreign voice (64 ms) that softens ours."""
    hold: int = 10 * BLOCK
    """Foreign voice (320 ms) that makes us wait."""
    proof: int = 10 * BLOCK
    """After a suspected stop (320 ms), when no utterance is open that would bring the proof by itself."""
    proof_in_speech: int = 19 * BLOCK
    """After a suspected stop (608 ms) in speech that goes on: look at what was said so far."""
    voice_before_stop: int = 13 * BLOCK
    """Between a voice and a suspected stop (416 ms) at most; without a voice it was noise."""
    wary: bool = True
    """While the robot moves, any voice is suspected to be a stop until it is known to be none: the keyword spotter
    catches 6 of 20 stops in a noisy room. So the robot hesitates for less than a second when someone speaks."""
    suspicion: int = 2 * RATE
    """How long the robot stays slow without a proof."""
    window: int = 20 * RATE // 16
    """Sound (1.25 s) before now in which a proof is looked for."""
    patience_with_recognizer: int = 10 * RATE
    """After that an answer that did not come is given up."""
    wake: bool = False
    """Listen only when addressed: after the wake phrase, a key, or a question of ours."""
    addressed: int = 10 * RATE
    """How long the robot feels addressed after it was, or after it was spoken with."""


# --- what happens ---


@dataclass(frozen=True)
class Sound:
    """The next samples came in; this is how time passes."""

    voice: float
    """Probability, 0 to 1, that someone speaks in them."""
    samples: int = BLOCK


@dataclass(frozen=True)
class Others:
    """What mouth, mind and body do; told whenever it changed."""

    speaking: bool = False
    asking: bool = False
    thinking: bool = False
    moving: bool = False
    stopped: bool = False


@dataclass(frozen=True)
class StopHint:
    """The keyword spotter believes that it just heard a stop."""

    sure: bool = False
    """Nobody is there to prove it: better stop."""


@dataclass(frozen=True)
class Understood:
    """The recogniser has answered a Recognize."""

    ticket: int
    judgement: Judgement


@dataclass(frozen=True)
class Wake:
    """The robot was called by its name."""


@dataclass(frozen=True)
class TalkKey:
    """The push-to-talk key went down or up."""

    down: bool


@dataclass(frozen=True)
class Mute:
    """Nothing but a stop shall be heard from now on, or everything again."""

    on: bool


@dataclass(frozen=True)
class Gap:
    """Sound was lost, for example because the microphone was opened again."""


@dataclass(frozen=True)
class End:
    """No more sound will come."""


Event = Sound | Others | StopHint | Understood | Wake | TalkKey | Mute | Gap | End


# --- what is to be done ---


@dataclass(frozen=True)
class Recognize:
    """Understand these samples, the newest order first; answer with Understood."""

    ticket: int
    segment: Segment
    final: bool
    """False for a guess, which is void when speech goes on."""
    look: bool = False
    """Only look for a stop, in sound that may begin with our own voice."""


@dataclass(frozen=True)
class Deliver:
    """A person said this; act on it, ask back, or tell why it was dropped."""

    judgement: Judgement
    segment: Segment


@dataclass(frozen=True)
class Stop:
    """Protective stop, now."""

    words: str


class Do(Enum):
    """What needs no words."""

    SLOW_DOWN = "slow down"
    SPEED_UP = "speed up"
    DUCK = "duck"
    HOLD = "hold"
    GO_ON = "go on"
    """Speak again, from the sample at which the mouth was held."""
    HUSH = "hush"
    """Forget what was still to be said."""


Action = Recognize | Deliver | Stop | Do


@dataclass(frozen=True)
class State:
    """Everything that the ear knows; the four states first."""

    policy: Policy = field(default_factory=Policy)
    ear: Ear = Ear.QUIET
    mouth: Mouth = Mouth.SILENT
    mind: Mind = Mind.READY
    body: Body = Body.STILL
    muted: bool = False
    now: int = 0
    """Samples heard so far."""
    patience: int = 0
    """What was learned of the speaker's pauses; 0 is nothing yet."""
    speech_start: int = 0
    speech_end: int = 0
    last_end: int = 0
    deaf_until: int = 0
    addressed_until: int = -1
    key_down: bool = False
    ticket: int = 0
    """Number of the newest order to the recogniser."""
    guess: Judgement | None = None
    """What the open utterance was understood as, so far."""
    guessing: int = 0
    """Ticket of that guess; 0 for none."""
    proving: int = 0
    """Ticket of a look for a stop; 0 for none."""
    hint_at: int | None = None
    """When a stop was suspected that is not decided yet."""
    keyword: bool = False
    """The suspicion comes from the keyword, not only from a voice."""
    voice_at: int = -RATE
    """End of the last voice of anybody, ours included."""
    moving: bool = False
    awaited: tuple[tuple[int, Segment], ...] = ()
    """Utterances that ended, whose words are not known yet."""
    over_mouth: bool = False
    """The open utterance began while we were speaking."""

    @property
    def hearing(self) -> bool:
        """True while an utterance is open and believed."""
        return self.ear in (Ear.SPEECH, Ear.TRAILING)

    @property
    def silence(self) -> int:
        """Samples since the last voice."""
        return self.now - self.speech_end


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
        case Wake():
            turn.set(addressed_until=state.now + state.policy.addressed)
        case TalkKey():
            turn.key(event.down)
        case Mute():
            turn.set(muted=event.on)
        case Gap():
            turn.gap()
        case End():
            turn.end()
    return turn.state, tuple(turn.actions)


class _Turn:
    """One step: the state as it becomes, and what is to be done so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.actions: list[Action] = []
        self.policy = state.policy

    def set(self, **changes: object) -> None:
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]

    def do(self, action: Action) -> None:
        self.actions.append(action)

    # --- events ---

    def hear(self, sound: Sound) -> None:
        begin = self.state.now
        self.set(now=begin + sound.samples)
        if sound.voice >= self.policy.on:
            self.set(voice_at=self.state.now)
        if self._deaf():
            self._forget_segment()
        elif sound.voice >= self.policy.on:
            self._voice(begin)
        elif sound.voice < self.policy.off:
            self._no_voice()
        elif self.state.ear in (Ear.RISING, Ear.SPEECH):
            self.set(speech_end=self.state.now)
        self._segment()
        self._mind_the_mouth()
        self._look_for_proof()
        self._give_up_what_does_not_come()

    def notice(self, others: Others) -> None:
        state = self.state
        if not others.speaking:
            self.set(mouth=Mouth.SILENT)
        elif state.mouth is Mouth.SILENT:
            self.set(mouth=Mouth.SPEAKING)
        self.set(moving=others.moving)
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
            self._take_guess(event.judgement)
        else:
            self._take_final(event)

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

    def _open_segment(self) -> Segment:
        state = self.state
        start = max(state.last_end, state.speech_start - self.policy.pre_roll)
        return Segment(start, state.speech_start, state.speech_end, state.now)

    def _commit(self) -> None:
        """The utterance is over: adopt the guess, or wait for its words."""
        state, segment = self.state, self._open_segment()
        if state.guess is not None:
            self._decide(state.guess, segment)
        else:
            ticket = state.guessing or self._recognize(segment, final=True)
            self.set(awaited=(*self.state.awaited, (ticket, segment)))
        self.set(ear=Ear.QUIET, last_end=self.state.now, guess=None, guessing=0)

    def _forget_segment(self) -> None:
        self.set(ear=Ear.QUIET, last_end=self.state.now, guess=None, guessing=0)

    def _recognize(self, segment: Segment, final: bool, look: bool = False) -> int:
        self.set(ticket=self.state.ticket + 1)
        self.do(Recognize(self.state.ticket, segment, final, look))
        return self.state.ticket

    # --- what was understood ---

    def _take_guess(self, judgement: Judgement) -> None:
        self.set(guess=judgement)
        if self._is_stop(judgement):
            self._decide(judgement, self._open_segment())
            self._forget_segment()
        elif self.state.hint_at is not None:
            self._suspect_no_more()

    def _take_final(self, event: Understood) -> None:
        segment = dict(self.state.awaited).get(event.ticket)
        if segment is not None:  # else it was a guess, and speech went on
            self.set(awaited=tuple(entry for entry in self.state.awaited if entry[0] != event.ticket))
            self._decide(event.judgement, segment)

    def _decide(self, judgement: Judgement, segment: Segment) -> None:
        """What to do with an utterance whose words are known."""
        if self._is_stop(judgement):
            self._stop(judgement.text)
            return
        self._suspect_no_more()
        if self.state.muted:
            judgement = judgement.dropped("muted")
        elif not self._addressed(segment):
            judgement = judgement.dropped("not addressed")
        elif self.state.over_mouth and back_channel(judgement.text) and self.state.mind is not Mind.ASKING:
            judgement = judgement.dropped("only a sign of listening")
        if judgement.verdict is Verdict.DROP:
            self._soften_no_more()
        else:
            self._hush()
            self._address()
        self.do(Deliver(judgement, segment))

    def _is_stop(self, judgement: Judgement) -> bool:
        """Two witnesses, or one that is sure: the keyword, and what was recognised."""
        sure = judgement.verdict is Verdict.ACCEPT
        suspected = self.state.keyword and judgement.verdict is Verdict.ASK
        return (sure or suspected) and reflex_in(judgement.text) is Reflex.STOP

    def _addressed(self, segment: Segment) -> bool:
        state = self.state
        return (
            not self.policy.wake
            or state.key_down
            or state.mind is Mind.ASKING
            or segment.speech_start <= state.addressed_until
        )

    def _address(self) -> None:
        self.set(addressed_until=max(self.state.addressed_until, self.state.now + self.policy.addressed))

    # --- stops ---

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
        self.set(body=Body.STOPPED, hint_at=None, keyword=False, proving=0)
        self.do(Stop(words))

    def _suspect_no_more(self) -> None:
        if self.state.hint_at is None:
            return
        self.set(hint_at=None, keyword=False, proving=0)
        if self.state.body is Body.SLOWED:
            self.set(body=Body.MOVING if self.state.moving else Body.STILL)
            self.do(Do.SPEED_UP)
        self._soften_no_more()

    # --- the mouth ---

    def _mind_the_mouth(self) -> None:
        """Soften, then hold our voice while someone else speaks."""
        state = self.state
        if not self.policy.both_at_once or state.ear not in (Ear.RISING, Ear.SPEECH):
            return
        spoken = state.now - state.speech_start
        if spoken >= self.policy.duck:
            self._duck()
        if spoken >= self.policy.hold:
            self._hold()

    def _duck(self) -> None:
        if self.state.mouth is Mouth.SPEAKING:
            self.set(mouth=Mouth.DUCKED)
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
        nothing_open = self.state.ear is Ear.QUIET and not self.state.awaited
        if nothing_open and self.state.now - self.state.speech_end > self.policy.most_patience:
            self._soften_no_more()


CLOSED = frozenset({
    "yes", "yeah", "yep", "yes please", "yes please do", "please do", "sure", "okay", "ok", "right", "correct", "no",
    "nope", "no thanks", "no thank you", "that's right", "that's wrong", "the first", "the second", "both", "all right",
})  # fmt: skip
"""Answers after which nobody goes on."""
UNFINISHED = frozenset({
    "and", "or", "but", "the", "a", "an", "to", "of", "with", "from", "for", "in", "on", "um", "uh", "my", "then",
})  # fmt: skip
"""Words after which everybody goes on."""
BACK_CHANNEL = frozenset(
    {"mhm", "mm", "hm", "uh huh", "okay", "ok", "yeah", "yes", "right", "aha", "i see", "all right"}
)
"""What people say to show that they listen."""


def closed_answer(text: str) -> bool:
    return _bare(text) in CLOSED


def unfinished(text: str) -> bool:
    return _bare(text).rpartition(" ")[2] in UNFINISHED


def back_channel(text: str) -> bool:
    return _bare(text) in BACK_CHANNEL


def _bare(text: str) -> str:
    return " ".join(text.lower().translate({ord(c): " " for c in ".,!?;:"}).split())
