"""The mouth, as far as the ear must know it."""

from typing import Protocol


class Voice(Protocol):
    """The mouth, as far as the ear must know it: it is what the ear hears itself, and what it interrupts."""

    @property
    def speaking(self) -> bool: ...
    @property
    def own_words(self) -> str:
        """Return what is being said now."""
        ...

    @property
    def echo_words(self) -> str:
        """The same, and what was said a moment ago."""
        ...

    def duck(self) -> None: ...
    def hold(self) -> None: ...
    def go_on(self) -> None: ...
    def cancel(self) -> None: ...


class NoVoice:
    """The mouth of a robot that has none."""

    speaking = False
    own_words = echo_words = ""

    def duck(self) -> None:
        """Do nothing: nothing sounds."""

    hold = go_on = cancel = duck
