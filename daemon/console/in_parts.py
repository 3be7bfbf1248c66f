"""A request of several sentences or clauses, answered one by one: each alone is what a small model was taught.

Zhou et al. 2023 (least-to-most prompting) have a large model find the parts; here a person's own stops and commas tell.
"""

import ast
import re
from collections.abc import Callable, Set
from dataclasses import replace

from daemon.console.goals.goal import Goal
from daemon.console.other_answers import has_any
from daemon.console.prompt_parts import SAID, PromptParts
from daemon.console.reminder_time import begins_an_event
from daemon.console.statements import statements_in
from daemon.llm.model import PROMPT_SIGN, Other, Prompt
from daemon.transcript import WAIT

MOST = 4
"""Sentences or clauses, at most, that are answered so; who says more tells a story."""
_END = re.compile(r"(?<=[.!?;])(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\.m\.)\s+(?=\S+\s+\S)")
"""Behind a sentence; one word alone is none, and "Dr." ends none."""
_CLAUSE_END = re.compile(r"[,:] (?:and )?(?:then )?(?=\S+ \S)| (?:and )?then (?=\S+ \S)")
"""Behind a clause: a comma, or what comes then."""

Answer = Callable[[Prompt], tuple[str, float]]
"""Writes an answer; tells how sure it is of it."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> sentences("Hand it to her. And the keys? Owen gets them. Thanks.")
    ['Hand it to her.', 'And the keys?', 'Owen gets them. Thanks.']
    """
    return _END.split(text.strip())


def clauses(text: str) -> list[str]:
    """Return the clauses of a sentence, as its commas tell.

    >>> clauses("phone on my desk, tumbler next to it, then open the toy box")
    ['phone on my desk', 'tumbler next to it', 'open the toy box']
    """
    return _CLAUSE_END.split(text.strip())


def in_parts(
    prompt: Prompt, answer: Answer, acts: Callable[[str], bool], alone: Set[str], by_clauses: bool = True
) -> Other | None:
    """Return what the sentences that were said last come to, one by one; of one sentence the clauses, if `by_clauses`.

    A part is answered as if those before it had been turns. `acts` tells which statements count. What is so already is
    left out until something is to be done. Return None where fewer than two parts come to anything, or where one comes
    to a function that stands `alone`.
    """
    parts, lines = PromptParts.by(prompt.history), prompt.history.split("\n")
    said = max((number for number, line in enumerate(lines) if line.startswith(SAID)), default=-1)
    if said < 0 or not parts.places or parts.begun:
        return None
    trigger = ast.literal_eval(lines[said])
    found = sentences(trigger["text"])
    if len(found) == 1 and by_clauses:
        found = clauses(trigger["text"])
        if any(begins_an_event(part) for part in found):
            return None  # what was said for a condition would be done without it
    if not 1 < len(found) <= MOST:
        return None
    situation, after = lines[len(parts.before) : said], lines[said + 1 :]
    before, together, sure, count = parts.before, list[str](), 1.0, 0
    for part in found:
        heard = repr({**trigger, "text": part})
        text, confidence = answer(replace(prompt, history="\n".join([*before, *situation, heard, *after])))
        written = statements_in(text)
        if has_any(alone, text):
            return None
        deeds = [one for one in written if acts(one) and (together or not prompt.is_so(one))]
        deeds = [one for one in deeds if one not in together or not Goal.of(one)]
        if deeds:
            together += deeds
            sure, count = min(sure, confidence), count + 1
        answered = [f"{PROMPT_SIGN} {statement}" for statement in written[:1]] + written[1:]
        before = [*before, f"{PROMPT_SIGN} {WAIT}", heard, *answered]
    return Other("".join(f"{statement}\n" for statement in together), sure, sure) if count > 1 else None
