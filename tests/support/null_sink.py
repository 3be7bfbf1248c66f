"""A loudspeaker that nobody hears."""

from daemon.speech.audio import Samples


class NullSink:
    """Plays to no one; counts the samples, as fast as they come."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, samples: Samples, rate: int) -> None:
        self.played += len(samples)

    def drain(self) -> None:
        """Nothing is ever waiting."""

    def soften(self, gain: float) -> None:
        """Nothing is ever waiting."""

    def cancel(self) -> float:
        """Nothing is ever waiting."""
        return 0.0

    def close(self) -> None:
        """Nothing is open."""
