"""What the ear knows: four states that do not exclude each other, and the numbers by which it decides.

All lengths and times are in samples at `RATE`.
"""

from dataclasses import dataclass, field
from enum import Enum

from daemon.speech.ear_events import Deliver
from daemon.speech.judgement import Judgement
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
    guess: int = 4 * BLOCK
    """Silence (128 ms) after which the recogniser may already begin: its work hides in the waiting."""
    partial: int = 25 * BLOCK
    """Speech (800 ms) after which its words so far are shown to who watches, and then again."""
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
    duck_level: float = 3.0
    """So many times as loud as it was quiet (10 dB): somebody begins to speak, before it is known for a voice ..."""
    duck_voice: float = 0.1
    """... if it is at least so likely one. Ours is softened then, and comes back where nothing follows."""
    duck_back: int = 10 * BLOCK
    """After so long (320 ms) without a voice it was none."""
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
    offering: bool = False
    answerable_until: int = -1
    """Until when a bare answer may be about what heed offered, said, does or did: `Policy.addressed` after that."""
    key_down: bool = False
    ticket: int = 0
    """Number of the newest order to the recogniser."""
    guess: Judgement | None = None
    """What the open utterance was understood as, so far."""
    guessing: int = 0
    """Ticket of that guess; 0 for none."""
    pondered: int = 0
    """Ticket of the guess that a second ear still listens to; what the first one heard is no more than `guess` then."""
    watched: bool = False
    partial: int = 0
    """Ticket of the newest look at the words so far; 0 for none."""
    partial_at: int = 0
    """When that was ordered."""
    words: str = ""
    """What is shown of the open utterance."""
    proving: int = 0
    """Ticket of a look for a stop; 0 for none."""
    hint_at: int | None = None
    """When a stop was suspected that is not decided yet."""
    obeyed: int = 0
    """The newest ticket when we stopped last: what is understood of earlier sound is no other stop."""
    keyword: bool = False
    """The suspicion comes from the keyword, not only from a voice."""
    voice_at: int = -RATE
    """End of the last voice of anybody, ours included."""
    floor: float = 0.0
    """Loudness of the quiet; 0 before the first sound."""
    ducked_at: int = 0
    """When our voice was softened last."""
    moving: bool = False
    awaited: tuple[tuple[int, Segment], ...] = ()
    """Utterances that ended, whose words are not known yet."""
    beginning: Deliver | None = None
    """A remark about which heed would ask, whose speaker may go on."""
    signed: int = 0
    """Ticket of the newest words of which people had a sign that they were heard, before it was known what to do."""
    over_mouth: bool = False
    """The open utterance began while we were speaking."""

    def in_talk(self, segment: Segment) -> bool:
        """Return whether it began soon after heed was spoken to, or offered, said or did anything."""
        return segment.speech_start <= max(self.addressed_until, self.answerable_until)

    @property
    def hearing(self) -> bool:
        """Return whether an utterance is open and believed."""
        return self.ear in (Ear.SPEECH, Ear.TRAILING)

    @property
    def spoken_to(self) -> bool:
        """Return whether an utterance is open, or its words are not known yet, or not asked about."""
        return self.hearing or bool(self.awaited) or self.beginning is not None

    @property
    def wanted(self) -> set[int]:
        """Return the tickets of utterances that are over, or seem to be, and whose words are not known for sure.

        While the robot moves also of one that goes on: a second ear may hear a stop in its beginning.
        """
        newest = {self.ticket} if self.moving else set()
        return {self.guessing, *dict(self.awaited)} | newest

    @property
    def silence(self) -> int:
        """Samples since the last voice."""
        return self.now - self.speech_end
