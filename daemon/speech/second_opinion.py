"""What a second ear is asked about, and what becomes of what both have heard. Pure functions.

Where two recognisers of different kinds hear the same words these are nearly always right (82 of 85 sentences of
people and synthetic voices). That says nothing of whether they were meant for the robot: what does not make sense here,
and was not said to heed by its name, is asked back.
"""

from daemon.reflex import reflex_in
from daemon.speech.did_you_mean import Sense
from daemon.speech.judgement import OWN_WORDS, SAME, TOO_SHORT, Evidence, Judgement, Verdict
from daemon.speech.spoken_words import content_words

FEWEST = 2
"""Words that two must have in common: one alone is easily heard in noise by both."""


def doubtful(first: Judgement) -> bool:
    """Return whether a second ear shall listen to what the first one is unsure of.

    Stops and other words that act at once are the first one's alone, and so is what no ear can mend.
    """
    settled = first.verdict is Verdict.ACCEPT or first.reason in (TOO_SHORT, OWN_WORDS)
    return not settled and reflex_in(first.heard) is None


def decided(first: Judgement, second: Judgement, evidence: Evidence, sense: Sense) -> Judgement:
    """Return what becomes of an utterance that the first ear was unsure of."""
    words = content_words(second.heard)
    if len(words) >= FEWEST and words == content_words(first.heard):
        return _agreed(second, evidence, sense)
    if second.verdict is Verdict.ACCEPT and sense.nearest(second.heard).closeness < SAME:
        return second.asked(second.heard, "heard differently")
    return first if second.verdict is Verdict.DROP else second


def _agreed(both: Judgement, evidence: Evidence, sense: Sense) -> Judgement:
    if evidence.addressed or sense.fits(both.heard):
        return Judgement(Verdict.ACCEPT, both.heard, both.confidence, heard=both.heard)
    return both.asked(both.heard, "not expected")
