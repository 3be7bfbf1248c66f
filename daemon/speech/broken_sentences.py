"""Sentences that a pause broke in two. Pure functions.

"Lovely weather, isn't it? / Bring me a banana.": the beginning alone is a remark, about which the ear would ask while
its speaker goes on. Both together are what was said.
"""

from dataclasses import replace

from daemon.reflex import begins_with_no, reflex_in
from daemon.speech.ear_events import Deliver
from daemon.speech.judgement import Verdict
from daemon.speech.turn_words import closed_answer
from daemon.speech.vad import RATE

LONGEST_PAUSE = 3 * RATE // 2
"""Samples of silence after which something else begins."""
LONGEST = 20 * RATE
"""Samples of both parts together: a television goes on for ever."""


def goes_on(beginning: Deliver, rest: Deliver) -> bool:
    """Return whether the rest is of the same sentence.

    Answers, a no, and words that act at once stand alone; so do words that together would act at once ("... has gone /
    why does it keep going" would end a stop).
    """
    text, pause = rest.judgement.text, rest.segment.speech_start - beginning.segment.speech_end
    reflexes = [reflex_in(one) for one in (text, whole(beginning, rest).judgement.text)]
    no = begins_with_no(text) or begins_with_no(rest.judgement.heard)
    alone = rest.judgement.verdict is Verdict.DROP or closed_answer(text) or no or any(reflexes)
    length = rest.segment.speech_end - beginning.segment.speech_start
    return not alone and 0 <= pause <= LONGEST_PAUSE and length <= LONGEST


def whole(beginning: Deliver, rest: Deliver) -> Deliver:
    """Return both as one, of which becomes what would become of the rest alone."""
    first, then = beginning.judgement, rest.judgement
    judgement = replace(
        then,
        text=f"{first.heard} {then.text}",
        heard=f"{first.heard} {then.heard}",
        confidence=min(first.confidence, then.confidence),
    )
    segment = replace(rest.segment, start=beginning.segment.start, speech_start=beginning.segment.speech_start)
    return Deliver(judgement, segment)
