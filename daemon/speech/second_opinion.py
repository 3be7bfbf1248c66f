"""What a second ear is asked about, and what becomes of what both have heard together. Pure functions.

How likely a wish was said is the sum over all texts that are this wish: "haul the ladder over, will you" and "would
you" are one. That says nothing of whether they were meant for the robot: what is not such as people say to one, and was
not said to heed by its name, is asked back.
"""

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from daemon.reflex import begins_with_no, reflex_in
from daemon.speech.did_you_mean import Sense
from daemon.speech.judgement import OWN_WORDS, TOO_SHORT, Evidence, Judgement, Verdict, judge
from daemon.speech.recognition import Limits
from daemon.speech.recognizers.two_ears import Likely
from daemon.speech.spoken_words import content_words
from daemon.speech.turn_words import fillers, weighty

TOGETHER = Limits(possible=0.15, stop=0.3, sentence=0.5, word=0.6, anything=0.65, worth_asking=0.2, fewest=2)
"""What the probability of a wish after both ears means. Chosen on 160 recordings of strangers' sentences: 117 are taken
up so, 84 of them right word for word. Most of the others say the same to a robot; in a few a name is lost, "macaroni"
for "banana" (docs/decisions/recognition.md)."""
ANSWERED = replace(TOGETHER, anything=TOGETHER.worth_asking)
"""The same for a question: an answer moves nothing, and takes no longer than to ask whether that was the question."""
COMPARED, POSSIBLE = 4, 0.02
"""So many other texts, at most, and none less likely, are asked for which deed they ask: each takes 50 ms."""
MAY_DIFFER = 0.2
"""Share of its words in which a text may differ, and be the same wish."""


def doubtful(first: Judgement) -> bool:
    """Return whether a second ear shall listen to what the first one is unsure of, or what nobody expected.

    Stops and other words that act at once are the first one's alone, and so is what no ear can mend. One ear that is
    sure of free words is not enough: "the tea" for "the cheese", at 0.8.
    """
    settled = (first.verdict is Verdict.ACCEPT and not first.free) or first.reason in (TOO_SHORT, OWN_WORDS)
    return not settled and reflex_in(first.heard) is None


def decided(first: Judgement, together: Likely, evidence: Evidence, sense: Sense) -> Judgement:
    """Return what becomes of an utterance that the first ear was unsure of; `together` is what it may have been."""
    if not together:
        return first.asked(first.heard, "heard by one ear") if first.free else first
    best = together[0][0]
    apart = [(text, chance) for text, chance in together[1:] if not same_wish(best, text, sense)]
    sure = sum(chance for _, chance in together) - sum(chance for _, chance in apart)
    clear = sure >= TOGETHER.anything
    if sure < TOGETHER.anything and not evidence.asked:
        sure += _for_the_same(best, apart, sense)
    others = tuple(text for text, _ in together[1:6])
    asks = sure < TOGETHER.anything and not evidence.asked and _wants_an_answer(best, apart, sense)
    found = judge(best, sure, others, evidence, sense, ANSWERED if asks else TOGETHER)
    return replace(found, remark=clear and _is_remark(found, sense))


def _is_remark(found: Judgement, sense: Sense) -> bool:
    """Return whether heed would ask about words that surely ask for nothing, and do not act at once."""
    acts = begins_with_no(found.heard) or reflex_in(found.heard) is not None
    asked = found.verdict is Verdict.ASK and found.text == found.heard
    return asked and not acts and sense.asked_for(found.heard) == ""


def _wants_an_answer(best: str, others: Likely, sense: Sense) -> bool:
    """Return whether somebody surely asks something, and no other text that is likely enough surely asks for a deed."""
    likely = [text for text, chance in others[:COMPARED] if chance >= POSSIBLE]
    return sense.asks(best) and all(sense.asks(text) or not sense.asked_for(text) for text in likely)


def _for_the_same(best: str, others: Likely, sense: Sense) -> float:
    """Return how likely the texts are that surely ask for the same deed, however their words differ.

    No name of something that is here may differ, and no word that says no.
    """
    asked = sense.asked_for(best)
    if not asked:
        return 0.0
    close = [(text, chance) for text, chance in others[:COMPARED] if chance >= POSSIBLE and _alike(best, text, sense)]
    return sum(chance for text, chance in close if sense.asked_for(text) == asked)


def _alike(one: str, other: str, sense: Sense) -> bool:
    apart = _apart(content_words(one), content_words(other))
    return not any(sense.names(word) or begins_with_no(word) for pair in apart for part in pair for word in part)


def same_wish(one: str, other: str, sense: Sense) -> bool:
    """Return whether two texts are the same but for words that change nothing.

    Fillers do not count, nor where words are divided ("on to"). Of other words a share of MAY_DIFFER may differ, but
    none on which a wish turns ("not", "off", "two"), and no name of something that is here.
    """
    left, right = content_words(one), content_words(other)

    def counts(word: str) -> bool:
        return word not in fillers() or sense.names(word)  # honey may stand on the shelf

    apart = [[list(filter(counts, part)) for part in pair] for pair in _apart(left, right)]
    if any(word in weighty() or sense.names(word) for pair in apart for part in pair for word in part):
        return False
    counted = max(sum(map(counts, words)) for words in (left, right))
    return sum(max(map(len, pair)) for pair in apart) <= MAY_DIFFER * counted


Apart = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Words that one has and the other has not, at each place where they differ."""


def _apart(one: Sequence[str], other: Sequence[str]) -> Apart:
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    apart = [(one[a:b], other[c:d]) for tag, a, b, c, d in steps if tag != "equal"]
    return [(here, there) for here, there in apart if "".join(here) != "".join(there)]
