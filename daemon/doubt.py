"""What was perhaps said: asked back once, and taken up only after a yes."""

from dataclasses import replace

from daemon.console.learning.consent import Consent, consent_in
from daemon.names import without_end
from daemon.trigger import Utterance


class Doubt:
    """Holds one utterance that the ear was not sure of, until its speaker has answered."""

    def __init__(self) -> None:
        self._utterance: Utterance | None = None

    @property
    def pending(self) -> bool:
        return self._utterance is not None

    def ask(self, utterance: Utterance) -> str:
        """Return the question to ask; an older doubt is forgotten."""
        self._utterance = utterance
        return f"Did you mean: {without_end(utterance.text)}?"

    def answer(self, utterance: Utterance) -> Utterance | None:
        """Return what was meant after all; None after a no. Anything but yes or no is taken as a new sentence."""
        doubtful, self._utterance = self._utterance, None
        if doubtful is None or len(utterance.text.split()) > LONGEST_ANSWER:
            return utterance
        match consent_in(utterance.text):
            case Consent.YES:
                return replace(doubtful, confidence=1.0)
            case Consent.NO:
                return None
            case Consent.UNCLEAR:
                return utterance


LONGEST_ANSWER = 3
"""Words; "no, the milk please" is a sentence."""
