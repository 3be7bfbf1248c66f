"""What the ear calls with what it heard."""

from collections.abc import Callable
from dataclasses import dataclass

from daemon.speech.ear_events import (
    Others,
    Words,
)
from daemon.trigger import Utterance


@dataclass(frozen=True)
class Reactions:
    """What is called with what was heard. Stops and slowing come from the ear itself, the rest from another thread."""

    on_utterance: Callable[[Utterance], None]
    on_stop: Callable[[str], None]
    on_doubt: Callable[[Utterance], None] = lambda utterance: None
    """It may have been said: ask back."""
    slow_down: Callable[[], None] = lambda: None
    """A stop is suspected."""
    speed_up: Callable[[], None] = lambda: None
    """It was none."""
    others: Callable[[], Others] = Others
    """What mind and body do now."""
    on_server: Callable[[bool], None] = lambda there: None
    """The server that understands for us stopped answering (False), or answers again."""
    on_hearing: Callable[[bool], None] = lambda hears: None
    """The microphone was lost (False), or is back."""
    on_echo: Callable[[], None] = lambda: None
    """The echo of its own voice is cancelled no more."""
    on_quiet: Callable[[], None] = lambda: None
    """What people say is too soft in the microphone; told once."""
    sign: Callable[[], None] = lambda: None
    """Let people know that they were heard."""
    on_words: Callable[[Words], None] = lambda words: None
    """Somebody said so much by now; only where `others` tells that it is watched."""
