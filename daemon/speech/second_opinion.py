"""What a second ear is asked about, and what becomes of what both have heard. Pure functions.

Where two recognisers of different kinds hear the same words these are nearly always right (82 of 85 sentences of
people and synthetic voices). Where they hear different words, the mind is asked what it would do at each: "haul the
ladder over" and "all the ladder over" may be one wish. That says nothing of whether they were meant for the robot: what
is not such as people say to one, and was not said to heed by its name, is asked back.
"""

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from daemon.reflex import reflex_in
from daemon.speech.did_you_mean import Sense
from daemon.speech.judgement import OTHERS_TALK, OWN_WORDS, SAME, TOO_SHORT, Evidence, Judgement, Verdict
from daemon.speech.spoken_words import content_words
from daemon.speech.turn_words import fillers, turning, weighty

FEWEST = 2
"""Words that two must have in common: one alone is easily heard in noise by both."""
MAY_DIFFER, MAY_DIFFER_WHERE_SURE = 0.2, 0.4
"""Share of the words that two ears may hear differently; and where the second would act on its own words alone."""


def doubtful(first: Judgement) -> bool:
    """Return whether a second ear shall listen to what the first one is unsure of, or what nobody expected.

    Stops and other words that act at once are the first one's alone, and so is what no ear can mend. One ear that is
    sure of free words is not enough: "the tea" for "the cheese", at 0.8.
    """
    settled = (first.verdict is Verdict.ACCEPT and not first.free) or first.reason in (TOO_SHORT, OWN_WORDS)
    return not settled and reflex_in(first.heard) is None


def decided(first: Judgement, second: Judgement, evidence: Evidence, sense: Sense) -> Judgement:
    """Return what becomes of an utterance that the first ear was unsure of."""
    one, other = content_words(first.heard), content_words(second.heard)
    sure = second.verdict is Verdict.ACCEPT
    if len(other) >= FEWEST and same_wish(one, other, sense, MAY_DIFFER_WHERE_SURE if sure else MAY_DIFFER):
        return _agreed(second, evidence, sense)
    if sure and is_part(one, other):
        return second
    if second.verdict is not Verdict.DROP and _is_one_deed(first, second, sense):
        return _agreed(second, evidence, sense)
    if sure and sense.nearest(second.heard).closeness < SAME:
        return second.asked(second.heard, "heard differently")
    if second.verdict is not Verdict.DROP:
        return second
    return first.asked(first.heard, "heard by one ear") if first.free else first


def same_wish(one: Sequence[str], other: Sequence[str], sense: Sense, most: float = MAY_DIFFER) -> bool:
    """Return whether what two ears heard is the same but for words that change nothing.

    Fillers do not count, nor where words are divided ("on to"). Of other words a share of `most` may differ, but none
    on which a wish turns ("not", "off", "two"), and no name of something that is here, unless `other` alone has it: the
    second ear is the stronger one.
    """
    one, other = ([word for word in words if word not in fillers()] for words in (one, other))
    apart = _apart(one, other)
    if _has(weighty(), apart) or any(sense.names(word) for here, _ in apart for word in here):
        return False
    return sum(max(map(len, pair)) for pair in apart) <= most * max(len(one), len(other))


def _is_one_deed(first: Judgement, second: Judgement, sense: Sense) -> bool:
    """Return whether the mind would do the same at both, and they differ in no word that turns a wish."""
    one, other = content_words(first.heard), content_words(second.heard)
    likely = len(one) >= FEWEST and len(other) >= FEWEST and not _has(turning(), _apart(one, other))
    return likely and sense.same_deed(first.heard, second.heard)


Apart = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Words that one has and the other has not, at each place where they differ."""


def _apart(one: Sequence[str], other: Sequence[str]) -> Apart:
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    apart = [(one[a:b], other[c:d]) for tag, a, b, c, d in steps if tag != "equal"]
    return [(here, there) for here, there in apart if "".join(here) != "".join(there)]


def _has(words: Collection[str], apart: Apart) -> bool:
    return any(word in words for pair in apart for part in pair for word in part)


def is_part(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether all words of `one` come in `other`, in their order: that ear heard less, and nothing else.

    >>> is_part(["open", "it"], ["please", "open", "it", "now"]), is_part(["it", "open"], ["open", "it"])
    (True, False)
    """
    rest = iter(other)
    return bool(one) and all(word in rest for word in one)


def _agreed(both: Judgement, evidence: Evidence, sense: Sense) -> Judgement:
    if evidence.addressed or sense.fits(both.heard):
        return Judgement(Verdict.ACCEPT, both.heard, both.confidence, heard=both.heard)
    if not evidence.asked and sense.overheard(both.heard):
        return both.dropped(OTHERS_TALK)
    return both.asked(both.heard, "not expected")
