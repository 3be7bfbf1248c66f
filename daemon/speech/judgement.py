"""Accept, ask back, or drop: what becomes of a recognised text, in one pure function.

A robot that moves must not act on a guess: what is not sure is asked, and what makes no sense is dropped.
"""

import math
from dataclasses import dataclass, replace
from enum import Enum

from rapidfuzz import fuzz

from daemon.reflex import Reflex, begins_with_no, reflex_in
from daemon.speech.did_you_mean import Sense
from daemon.speech.recognition import Limits
from daemon.speech.spoken_words import content_words, spoken_words
from daemon.speech.turn_words import closed_answer, ghost


class Verdict(Enum):
    ACCEPT = "accept"
    ASK = "ask"
    """Ask back: "Did you mean ...?" """
    DROP = "drop"


@dataclass(frozen=True)
class Judgement:
    """What is to become of an utterance."""

    verdict: Verdict
    text: str
    """What to act on, or to ask for: what was heard, or the sentence that was probably meant."""
    confidence: float = 1.0
    reason: str = ""
    """Why it is not accepted."""
    heard: str = ""
    """What the recogniser understood, word for word."""
    remark: bool = False
    """Whether it was heard clearly, and surely asks for nothing; what follows may tell what it was about."""
    free: bool = False
    """Whether it is accepted in words that nobody expected; then another ear, where there is one, has to hear them."""

    def asked(self, text: str, reason: str) -> "Judgement":
        """Return the same, but to be asked: whether `text` was meant."""
        return replace(self, verdict=Verdict.ASK, text=text, reason=reason)

    def dropped(self, reason: str) -> "Judgement":
        return replace(self, verdict=Verdict.DROP, reason=reason)


@dataclass(frozen=True)
class Evidence:
    """What is known about the sound beside its words."""

    seconds: float
    """Length of the voice in it."""
    own_words: str = ""
    """What the robot itself said meanwhile, or just before."""
    asked: bool = False
    """Whether heed has asked something, and this may be the answer."""
    addressed: bool = False
    """Whether it was certainly said to heed: after its name, or with the key held."""
    in_talk: bool = False
    """Whether heed said or did anything just before, was spoken to, or has offered something."""


SAME = 0.97
"""Closeness from which two sentences are the same."""
NEAR = 0.72
"""Closeness from which the nearest sentence is worth asking for."""
OTHERS_TALK, WANTS_NOTHING = "talk between people", "asks for nothing"
TOO_SHORT, OWN_WORDS = "too short", "our own words"
"""Reasons for which no ear could believe it."""
SHORTEST = 0.096
"""Seconds of voice below which there was no word."""
FASTEST = 8.0
"""Words per second that nobody exceeds."""
ECHO = 85.0
"""Similarity, of 100, from which what was heard is what we said."""
HARMLESS = (Reflex.PAUSE, Reflex.CANCEL)
LONG = 6
"""Words from which small talk is told from all that is said in haste."""


def judge(
    heard: str,
    confidence: float,
    alternatives: tuple[str, ...],
    evidence: Evidence,
    sense: Sense,
    limits: Limits,
    margin: float = math.inf,
) -> Judgement:
    """Return what becomes of `heard`, which a recogniser understood with this confidence, from 0 to 1.

    `alternatives` are what it may have been instead, and only good for asking; `margin` is how far it is ahead of them.
    """
    judgement = Judgement(Verdict.ACCEPT, heard, confidence, heard=heard)
    reflex = reflex_in(heard)
    if impossible := _impossible(heard, confidence, evidence, limits, hurried=reflex is Reflex.STOP):
        return judgement.dropped(impossible)
    if evidence.asked and closed_answer(heard):
        return judgement
    if reflex in HARMLESS or (reflex is Reflex.STOP and confidence >= limits.stop):
        return judgement
    if reflex is Reflex.STOP:
        return judgement.asked(heard, "perhaps a stop")
    if believed := _believed(judgement, evidence, sense, limits, margin):
        return believed
    clear = confidence >= limits.anything and margin >= limits.ahead
    if evidence.asked and clear and reflex is None and sense.answers(heard):
        return replace(judgement, free=True)
    if not (evidence.asked or evidence.addressed) and sense.overheard(heard):
        return judgement.dropped(OTHERS_TALK)
    match = sense.nearest(heard, alternatives)
    if match.closeness >= NEAR:
        return judgement.asked(match.sentence, "not sure")
    if not (evidence.asked or evidence.addressed or evidence.in_talk) and _wants_nothing(heard, alternatives, sense):
        return judgement.dropped(WANTS_NOTHING)
    if confidence >= limits.worth_asking and len(heard.split()) >= limits.fewest:
        return judgement.asked(heard, "not expected")
    return judgement.dropped("makes no sense here")


def _believed(
    judgement: Judgement, evidence: Evidence, sense: Sense, limits: Limits, margin: float
) -> Judgement | None:
    """Return it with the words to act on without asking; None where there are none.

    They make sense; or they were heard clearly, and fit here or were certainly said to heed.

    Words that only sound like a sentence that makes sense are kept: "in the fridge" is not "on the fridge".
    """
    heard, confidence = judgement.heard, judgement.confidence
    match, short = sense.nearest(heard), len(heard.split()) < 3
    sure = confidence >= (limits.word if short else limits.sentence)
    if match.closeness >= SAME and sure and margin >= limits.ahead:
        same = content_words(match.sentence) == content_words(heard)
        return replace(judgement, text=match.sentence if same else heard)
    if short or reflex_in(heard) is not None:  # "you may continue" would end a stop
        return None
    clear = confidence >= limits.anything and margin >= limits.far_ahead
    return replace(judgement, free=True) if clear and (evidence.addressed or sense.fits(heard)) else None


def _wants_nothing(heard: str, alternatives: tuple[str, ...], sense: Sense) -> bool:
    """Return whether surely nobody wants anything of us: it is long, not put as to us, and whatever it was, idle.

    Alarms are short ("something is burning").
    """
    texts = (heard, *alternatives)
    if len(spoken_words(heard)) < LONG or any(reflex_in(text) or begins_with_no(text) for text in texts):
        return False
    return not sense.fits(heard) and sense.wants_nothing(texts)


def _impossible(heard: str, confidence: float, evidence: Evidence, limits: Limits, hurried: bool) -> str:
    """Return why nobody said this to us; empty where somebody may have. `hurried` words may come as fast as they do."""
    words = spoken_words(heard)
    if not words:
        return "no words"
    if confidence < limits.possible:
        return "not understood"
    if evidence.seconds < SHORTEST:
        return TOO_SHORT
    if len(words) / evidence.seconds > FASTEST and len(words) > 2 and not hurried:
        return "too many words for so short a time"
    if ghost(heard) and evidence.seconds < 0.6 and confidence < limits.anything:
        return "a word that noise is taken for"
    own = " ".join(spoken_words(evidence.own_words))
    if own and len(words) > 1 and fuzz.partial_ratio(" ".join(words), own) >= ECHO:
        return OWN_WORDS
    return ""
