"""Sentences that a pause broke in two. Pure functions.

"There is a light bulb gone and I cannot reach it, / so fetch me something I can climb up on": the beginning alone is no
wish, so the ear would ask about it while its speaker goes on. Both together are what was said.
"""

from dataclasses import replace

from daemon.reflex import reflex_in
from daemon.speech.ear_events import Deliver
from daemon.speech.judgement import Verdict
from daemon.speech.turn_words import closed_answer
from daemon.speech.vad import RATE

LONGEST_PAUSE = 3 * RATE // 2
"""Samples of silence after which something else begins."""


def goes_on(beginning: Deliver, rest: Deliver) -> bool:
    """Return whether the rest is of the same sentence; answers, and words that act at once, stand alone."""
    text, pause = rest.judgement.text, rest.segment.speech_start - beginning.segment.speech_end
    alone = closed_answer(text) or reflex_in(text) is not None or rest.judgement.verdict is Verdict.DROP
    return not alone and 0 <= pause <= LONGEST_PAUSE


def whole(beginning: Deliver, rest: Deliver) -> Deliver:
    """Return both as one. It is acted on where the rest alone would be, and the beginning was heard clearly."""
    first, then = beginning.judgement, rest.judgement
    sure = then.verdict is Verdict.ACCEPT and first.clear
    judgement = replace(
        then,
        verdict=Verdict.ACCEPT if sure else Verdict.ASK,
        text=f"{first.heard if sure else first.text} {then.text}",
        confidence=min(first.confidence, then.confidence),
        reason="" if sure else first.reason,
        heard=f"{first.heard} {then.heard}",
        clear=first.clear and then.clear,
    )
    segment = replace(rest.segment, start=beginning.segment.start, speech_start=beginning.segment.speech_start)
    return Deliver(judgement, segment)
