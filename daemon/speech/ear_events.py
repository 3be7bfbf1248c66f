"""What happens to the ear, and what it wants done: the words in which ear_core.py is spoken to, and answers."""

from dataclasses import dataclass
from enum import Enum

from daemon.speech.judgement import Judgement
from daemon.speech.vad import BLOCK, Segment

# --- what happens ---


@dataclass(frozen=True)
class Sound:
    """The next samples came in; this is how time passes."""

    voice: float
    """Probability, 0 to 1, that someone speaks in them."""
    samples: int = BLOCK
    level: float = 0.0
    """Loudness: root mean square of the samples."""


@dataclass(frozen=True)
class Others:
    """What mouth, mind and body do; told whenever it changed."""

    speaking: bool = False
    asking: bool = False
    thinking: bool = False
    offering: bool = False
    """heed has offered something lately, and does not wait for the answer."""
    moving: bool = False
    stopped: bool = False
    watched: bool = False
    """Somebody looks at the words while they are spoken."""


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
class Unsure:
    """The first ear has answered a Recognize, and heard no stop; a second one still listens, and has the last word."""

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
    """The wish that nothing but a stop shall be heard from now on, or everything again."""

    on: bool


@dataclass(frozen=True)
class HalfDuplex:
    """The echo of our own voice is cancelled no more."""


@dataclass(frozen=True)
class Gap:
    """Sound was lost, for example because the microphone was opened again."""


@dataclass(frozen=True)
class End:
    """The end of all sound."""


Event = Sound | Others | StopHint | Understood | Unsure | Wake | TalkKey | Mute | HalfDuplex | Gap | End


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
    partial: bool = False
    """Only to show the words so far, in the middle of speech."""


@dataclass(frozen=True)
class Deliver:
    """A person said this; act on it, ask back, or tell why it was dropped."""

    judgement: Judgement
    segment: Segment


@dataclass(frozen=True)
class Words:
    """Show what was understood of the open utterance so far; "" once it is over."""

    text: str = ""
    confidence: float = 0.0


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
    SIGN = "sign"
    """Let people know that they were heard; it may take a moment until they are understood."""


Action = Recognize | Deliver | Words | Stop | Do
