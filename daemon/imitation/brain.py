"""The next statement: look, understand, take the nearest case for each clause, do it as there."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from daemon.imitation.adapted_program import Plan, first_undone
from daemon.imitation.english.back_references import Earlier
from daemon.imitation.english.clause_forms import (
    has_noun_as_verb,
    has_pronoun,
    is_by_unknown_verb,
    is_more_than_help,
    restricts,
    teaches,
)
from daemon.imitation.english.intents import alike, fits, intents
from daemon.imitation.english.object_phrases import ALL, Mention
from daemon.imitation.english.vocabulary import LOOKING, Names
from daemon.imitation.english.what_is_asked import Request, read_requests, unless_denied
from daemon.imitation.example_cases import Case, cases_in, first_argument
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.llm.model import PROMPT_SIGN, Embedder, ModelError, Prompt
from daemon.transcript import ELIDED, PARTS, WAIT, Step, parse_transcript

FAMILIAR = 0.45
"""Least similarity of a request to a known one before heed admits that it has not learned that."""
THE_SAME = 0.90
"""Least similarity to an order that heed cannot carry out as it is, and asks about."""
KNOWN_AS_A_WHOLE = 0.70
"""Least similarity to a known request of several clauses to take what is said as one, too."""
LEARNED_BONUS = 0.10
"""What a person taught wins over what was shipped when both fit about as well."""
CUE_WEIGHT = 0.25
"""How much the presence of teaching words counts, which sentence embeddings mostly ignore."""
UNFIT = 0.10
"""How much less a case counts that handles another number of objects, or goes to a place where none is mentioned."""
HINT = re.compile(r"Hint: (\w+\([^()]+\))")
"""A call with its arguments; "place() something first" leaves open which."""
VECTORS = 10_000
"""Texts whose vectors are kept: 15 MB."""
TRIES = 2
"""How often the same statement may fail in the same way, in one turn, before heed gives up and says so."""
LEARNING = ("remember that for next time",)
"""What asks to learn, and for nothing else."""
NOT_WANTED = (
    "I understand that this is not wanted, so I leave it. To make me remember it, say: never bring, and the thing."
)
NOT_LEARNED = "I have not learned how to do that yet."


class Imitation:
    """A LanguageModel that imitates the examples in the prompt."""

    name = "imitation"
    context_tokens = 100_000
    follows_instructions = False
    leads = False

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the next statement. Raises ModelError for a prompt that asks for anything else."""
        if not prompt.history.rstrip().endswith(PROMPT_SIGN):
            raise ModelError("imitation only continues a console; it writes no functions, plans or explanations")
        steps = parse_transcript(prompt.history.rstrip().removesuffix(PROMPT_SIGN))
        start = max((i for i, step in enumerate(steps) if step.called == "wait_for_trigger"), default=None)
        if start is None or steps[start].heard is None:
            return f" {WAIT}\n"
        cases = [case for example in prompt.examples for case in cases_in(example)]
        return f" {self._next(steps[:start], steps[start:], cases)}\n"

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Read the examples, so that an answer takes milliseconds."""
        self._embed(_texts([case for example in examples for case in cases_in(example)]))

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def cancel(self) -> None:
        """Cancel nothing: an answer takes milliseconds."""

    def close(self) -> None:
        """Free nothing."""

    def _next(self, past: Sequence[Step], turn: Sequence[Step], cases: Sequence[Case]) -> str:
        done = turn[1:]
        if recovery := _recover(done) or _helped(done):
            return recovery
        looked = {step.called for step in [*past, *turn] if step.result != ELIDED}
        if unseen := next((look for look in LOOKING if look not in looked), None):
            return f"{unseen}()"  # a request is only understood by one who knows what it may be about
        names = Names.seen_in([*past, *turn])
        said, answers = turn[0].meaning or "", [step.heard for step in done if step.heard]
        plan = Plan(names, frozenset(_opened(done)))
        requests = [request for part in said.split(PARTS) for request in self._requests(part, names, cases)]
        earlier = Earlier(names, past, requests)
        lost = ""
        for request in (request for request in requests if not request.background):
            if lost and _leans_on_another(request):
                continue
            case = (
                None if has_noun_as_verb(request.masked) else self._nearest(request, names, cases, bool(earlier.places))
            )
            if case is None and len(requests) > 1 and (request.tells or request.remarks) and not _orders(request):
                continue
            if case is None:
                lost = f"say({_not_learned(request, requests)!r})"
                plan.statements.append(lost)
                continue
            if (
                look := next((look for look in case.looks if look not in [s.statement for s in done]), None)
            ) is not None:
                return look
            understood = earlier.understand(request, case, answers)
            if isinstance(understood, str) and Step(understood).called == "ask":
                return _once(understood, done)
            if isinstance(understood, str):
                lost = understood
                plan.statements.append(lost)
                continue
            plan.add(case, *understood, _degrees(request, case), request.text)
        if lost and not _may_be_done_in_part(requests):
            plan.statements[:] = [
                lost,
                *(one for one in plan.statements if Step(one).called == "learn_from_interaction"),
            ]
        plan.statements += _left(requests)
        if done and done[-1].statement == _surrender(done):
            return WAIT
        return first_undone(plan.statements, done) or WAIT

    def _requests(self, said: str, names: Names, cases: Sequence[Case]) -> list[Request]:
        """Return the clauses of what was said; a sentence that is known as a whole, or teaches, is not cut."""
        whole, parts = read_requests(said, names, whole=True), read_requests(said, names)
        if not whole:
            return []  # nothing but politeness: "okay"
        deeds = [intents(part.text, part.masked) for part in parts]
        compound = [case for case in cases if len(deeds) > 1 and alike(deeds, case.deeds)]
        compound = [case for case in compound if len(case.request.mentions) == len(whole[0].mentions)]
        self._embed([whole[0].masked, *_texts(compound)])
        known = any(self._similarity(whole[0].masked, case.request.masked) >= KNOWN_AS_A_WHOLE for case in compound)
        return [unless_denied(part, said, names) for part in (whole if known or teaches(said) else parts)]

    def _nearest(self, request: Request, names: Names, cases: Sequence[Case], places_known: bool) -> Case | None:
        self._embed([request.text, *request.forms, *_texts(cases)])
        scored = [(self._score(request, names, case, places_known), index) for index, case in enumerate(cases)]
        best, index = max(scored, default=(0.0, -1))
        return cases[index] if best >= FAMILIAR else None

    def _score(self, request: Request, names: Names, case: Case, places_known: bool) -> float:
        teaching, taught = teaches(request.text), teaches(case.request.text)
        known = case.request
        score = max(self._similarity(one, known.masked) for one in request.forms)
        if not fits(intents(request.text, request.masked), intents(known.text, known.masked), case.steps, score):
            return 0.0
        if case.for_somebody and stems(request.text)[:1] != stems(known.text)[:1]:
            return 0.0  # only a request to give it "to" somebody tells a person from a place
        if is_more_than_help(request.text, known.text):
            return 0.0  # to help with a job is to bring what it takes; to do it is another matter
        if case.asks_back and (score < THE_SAME or request.targets or request.places or request.sources):
            return 0.0
        score = max(score, self._similarity(request.text, known.text))
        score += CUE_WEIGHT if teaching and taught else -CUE_WEIGHT if teaching != taught else 0.0
        if case.places and not (request.targets or request.places or places_known):
            score -= 3 * UNFIT
        if not case.places:
            score -= 2 * UNFIT if request.targets else UNFIT / 2 if request.places else 0.0
        mentioned = sum(max(mention.count, 1) for mention in request.mentions)
        if len(case.objects) > max(mentioned, 1) or 1 < len(case.objects) < mentioned:
            score -= 2 * UNFIT
        if len(case.objects) > 1 and any(mention.count == ALL for mention in request.mentions):
            score -= 2 * UNFIT
        if set(_scales(request)) != set(_scales(known)):
            score -= 2 * UNFIT
        if _in_hand(request.mentions, names) != case.begins_in_hand:
            score -= UNFIT
        return score + (LEARNED_BONUS if case.learned else 0.0)

    def _similarity(self, one: str, other: str) -> float:
        return float(self._vectors[one] @ self._vectors[other])

    def _embed(self, texts: Sequence[str]) -> None:
        """Have the vectors of these texts at hand, all that are new at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) > VECTORS:
            self._vectors.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self._vectors |= dict(zip(new, self._embedder.embed(new), strict=True))


def _left(requests: Sequence[Request]) -> list[str]:
    """Return what to say where everything that is mentioned is said no to."""
    return [f"say({NOT_WANTED!r})"] if requests and all(request.background for request in requests) else []


def _texts(cases: Sequence[Case]) -> list[str]:
    return [text for case in cases for text in (case.request.text, case.request.masked)]


def _leans_on_another(request: Request) -> bool:
    """Return whether a clause is about what an earlier one spoke of: "and put it there"."""
    return request.text not in LEARNING and not request.mentions and has_pronoun(request.text)


def _may_be_done_in_part(requests: Sequence[Request]) -> bool:
    """Return whether to do a request of which a part is not understood: not where that part may restrict it."""
    return not any(restricts(request.text) for request in requests)


def _orders(request: Request) -> bool:
    """Return whether a clause has the form of an order, by a verb that nobody knows: "dance a tango"."""
    return is_by_unknown_verb(request.text) and bool(intents(request.text, request.masked))


def _not_learned(request: Request, requests: Sequence[Request]) -> str:
    """Say that it was not understood; which part, where others were."""
    asked = [one for one in requests if not one.background and one.text not in LEARNING]
    return NOT_LEARNED if len(asked) < 2 else f"I have not learned how to do this yet: {request.text}."


def _in_hand(mentions: Sequence[Mention], names: Names) -> bool:
    """Return whether something that is mentioned is in a hand."""
    locations = names.locations
    return any(locations[name].endswith(" hand") for mention in mentions for name in mention.fits if name in locations)


def _scales(request: Request) -> list[int]:
    return [scale for scale, _ in lexicon().degrees(request.masked)]


def _degrees(request: Request, case: Case) -> dict[str, str]:
    """For each word of a scale in the case's request, the one that is said now."""
    said = lexicon().degrees(request.masked)
    new: dict[str, str] = {}
    for scale, word in lexicon().degrees(case.request.masked):
        now = next((pair for pair in said if pair[0] == scale), None)
        if now is not None:
            said.remove(now)
            new[word] = now[1]
    return new


def _recover(done: Sequence[Step]) -> str | None:
    """After an error: follow its hint, else give up honestly; None when the last statement did not fail."""
    if not done or done[-1].error is None:
        return None
    error = done[-1].error
    if error.startswith("KeyboardInterrupt"):
        return WAIT
    hint = HINT.search(error)
    again = hint is not None and done[-1].statement == hint[1]  # a hand that missed may miss once
    if hint and Counter(done)[done[-1]] <= (1 if again else TRIES):
        return hint[1]
    reason = re.sub(r"^\w+: |\.? Hint: .*$", "", error)
    return f"say({f'I could not do that: {reason}.'!r})"


def _helped(done: Sequence[Step]) -> str | None:
    """Return the hint that can be followed now, since the hint for it was: both hands are full, put the cup on the
    table, go to the table, and now put it there.
    """
    if len(done) < 3 or any(step.error is None for step in done[-3:-1]) or done[-1].error:
        return None
    wanted, hint, help = done[-3:]
    if hint.statement == help.statement:
        return None  # it was only tried once more, and is done
    follows = all(f"Hint: {one.statement}" in str(other.error) for other, one in ((wanted, hint), (hint, help)))
    return hint.statement if follows and done.count(hint) <= TRIES else None


def _surrender(done: Sequence[Step]) -> str | None:
    """Return the statement that admits defeat, after which only waiting is left; None if nothing was given up."""
    for step, after in pairwise(done):
        if step.error and after.statement.startswith(("say('I could not", 'say("I could not')):
            return after.statement
    return None


def _once(statement: str, done: Sequence[Step]) -> str:
    return WAIT if any(step.statement == statement for step in done) else statement


def _opened(done: Sequence[Step]) -> list[str]:
    """Return the doors that were opened because they were in the way."""
    return [
        first_argument(after.statement) for step, after in pairwise(done) if step.error and after.called == "open_door"
    ]
