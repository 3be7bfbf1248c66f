"""A model file that does not act where it is unsure: it tells a person what it would do, and waits for a yes.

How sure it is, it tells itself (daemon/llm/answer_confidence.py), so any GGUF can be guarded; of one that was taught, a
second reader is asked as well. How sure it must be differs from file to file, and stands in the file or in config.toml.
Only statements and functions are guarded so; lessons need a yes anyway. What somebody plainly asked to be told
is looked up where the model tells it wrongly, or is unsure of doing something instead; a lesson or a time that it
misses, and had in mind, is asked about. Where somebody surely asks for what heed says no to, nothing is done unasked.
"""

import logging
import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from daemon.config import ConfigError, LlmConfig
from daemon.console.acting_statements import LATER, deeds_in
from daemon.console.goals.goal import ARGUMENTS, Goal, written
from daemon.console.goals.sweeps import Sweep
from daemon.console.in_parts import in_parts
from daemon.console.learning.consent import Consent, consent_in, declines
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.other_answers import (
    HAD_IN_MIND,
    NO,
    OtherAnswers,
    as_taken,
    has_any,
    has_only,
    is_half_done,
    leaves_open,
    only_says,
    said_no,
)
from daemon.console.prompt_parts import PromptParts, rule_of
from daemon.console.recounting import DONE, RECOUNTS
from daemon.console.reminders import REMINDERS
from daemon.console.reply import may_go_on
from daemon.console.second_reader import SecondReader
from daemon.console.statements import statements_in
from daemon.llm.model import (
    PROMPT_SIGN,
    AnotherRequest,
    Counting,
    LanguageModel,
    ModelCancelled,
    ModelError,
    Other,
    Prompt,
    ReadingAhead,
    SoFar,
    Streaming,
    is_taught,
)
from daemon.transcript import LEARNED, WAIT, plain_call
from skills.skill import SKILLS

log = logging.getLogger(__name__)

TRIGGER = f"\n{PROMPT_SIGN} {WAIT}\n"
PLAIN_NO = 2
"""Words, at most: "no thanks"; "no, the blue one" says more."""
ASK_THEMSELVES = frozenset(function.name for function in TEACHING)
"""Functions that ask "Shall I remember that?" on their own: nobody is asked twice."""
PROPOSAL, ANOTHER = "I would {}. Shall I?", "Shall I {} instead?"
"""How heed asks before it does what it is unsure of, and how after a no."""
LATERS = frozenset(function.name for function in REMINDERS)
"""Functions about what is to be done later."""
ALONE = frozenset({*ASK_THEMSELVES, *LATERS, "ask"})
"""Functions that have no place among other deeds that somebody is asked about together."""
MOVES = frozenset({*ARGUMENTS, *SKILLS, "say"})
"""Goals, skills and talk."""
LEAVE_IT = "All right, I leave it. Please tell me in other words."
"""Said after a no."""


class Assured(LanguageModel, Protocol):
    """A language model that can tell how sure it was."""

    least_confidence: float
    """Below which nobody shall act on its answers; 0 for any."""

    @property
    def confidence(self) -> float | None:
        """Confidence of the last answer, from 0 to 1; None where that is not known, which is not sure."""
        ...


@dataclass(frozen=True)
class Written:
    """An answer that goes to the console unasked."""

    text: str
    confidence: float
    moves: bool
    """Whether it may move or change something that nobody is asked about otherwise."""


def guarded(model: Assured, config: LlmConfig, tell: Callable[[Written], None] = lambda written: None) -> LanguageModel:
    """Return the model with the guard that it or the settings ask for; itself where none do. Raises ConfigError."""
    if config.confidence != -1 and not 0 <= config.confidence <= 1:
        raise ConfigError(f"confidence = {config.confidence} in [llm] is neither -1 nor between 0 and 1")
    if not model.least_confidence:
        return model
    return Careful(model, tell, SecondReader.opened() if is_taught(model) else None)


@dataclass(frozen=True)
class Plan:
    """An answer that does something."""

    text: str
    deeds: tuple[str, ...]
    """What it does, in words."""
    confidence: float
    """How sure the model is of it."""


@dataclass(frozen=True)
class Proposal:
    """A plan that somebody is asked about."""

    question: str
    """The statement that asks it."""
    plan: Plan
    """What follows a yes."""
    other: Plan | None
    """What may be proposed after a no; None for nothing."""


class SecondOpinion(Protocol):
    """Somebody else who knows what was asked for."""

    def together(self, prompt: str, answer: str, confidence: float) -> float:
        """Return how likely an answer is right, of which its writer is that sure; from 0 to 1."""
        ...

    def asked_of(self, prompt: str, told: str = "") -> Sequence[str]:
        """Return of what somebody asks to be told, as tell() takes it; nothing where that is not sure.

        `told`: what the mind would tell.
        """
        ...

    def moved(self, prompt: str) -> Sequence[str]:
        """Return the things that are to be moved; nothing where it cannot tell."""
        ...

    def asks_for_several(self, prompt: str) -> bool:
        """Return whether more than one deed is asked for."""
        ...

    def is_of(self, prompt: str, functions: frozenset[str]) -> bool:
        """Return whether it is sure that nothing but these functions is asked for."""
        ...

    def refused(self, prompt: str) -> bool:
        """Return whether it is sure that it is asked for what heed says no to."""
        ...

    def names_time(self, prompt: str, by_the_clock: bool = False) -> bool:
        """Return whether a request that was not begun names a time, or one `by_the_clock`."""
        ...

    def asks(self, prompt: str) -> float | None:
        """Return how likely more than talk is asked for, from 0 to 1; None where it cannot tell."""
        ...

    def asked_for(self, prompt: str) -> str | None:
        """Return what is asked for, to be compared; None where it is not sure."""
        ...


class Careful:
    """A LanguageModel. An answer that may move or change something becomes a question, and is written after a yes."""

    def __init__(self, model: Assured, tell: Callable[[Written], None], second: SecondOpinion | None) -> None:
        self.model = model
        self.second = second
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.least = model.least_confidence
        """How sure the model must be."""
        self._tell = tell
        self._others = OtherAnswers(model)
        self._asked: Proposal | None = None

    @property
    def follows_instructions(self) -> bool:
        return self.model.follows_instructions

    @property
    def leads(self) -> bool:
        return self.model.leads

    @property
    def taught(self) -> bool:
        return is_taught(self.model)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return what the model writes, or the question whether to do it.

        Raises ModelError also for a function of which the model is unsure, and AnotherRequest where a question of its
        own was answered with one.
        """
        if not prompt.history.endswith(PROMPT_SIGN):
            return self._write_other(prompt, stop, max_tokens)
        if answered := self._answered(prompt.history.removesuffix(PROMPT_SIGN).rpartition(TRIGGER)[2]):
            return answered
        return self._weighed(prompt, self.model.complete(prompt, stop=stop, max_tokens=max_tokens))

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        """Complete as complete() does; `so_far` gets what the model is sure of, whenever another line is written."""
        if not isinstance(self.model, Streaming):
            return self.complete(prompt)
        if answered := self._answered(prompt.history.removesuffix(PROMPT_SIGN).rpartition(TRIGGER)[2]):
            return answered
        given, sure_then = "", 1.0

        def pass_on(text: str) -> None:
            nonlocal given, sure_then
            found = statements_in(text)
            if leaves_open(text) or not found or may_go_on(found[-1]):
                return
            acts = any(_deeds_of(text, prompt))
            if not given and self._may_change(prompt, text, acts):
                return
            sure = self._together(prompt, text, self._own_confidence()) if acts else sure_then
            if not acts or sure >= self.least:
                given, sure_then = text, sure
                so_far(text)

        return self._weighed(prompt, self.model.stream(prompt, pass_on), given, sure_then)

    def _weighed(self, prompt: Prompt, text: str, given: str = "", sure_then: float = 1.0) -> str:
        """The answer, or a question or a no instead of its rest, where some is `given` to the console already.

        `sure_then`: how sure it was of that.
        """
        own = self._own_confidence()
        text = as_taken(text, prompt, given)
        if not given:
            text = self._looked_up(prompt, text)
            deeds = tuple(_deeds_of(text, prompt))
            missed = self._missed(prompt, text, bool(deeds))
            if missed and (other := self._had_in_mind(prompt, missed, text, bool(deeds))):
                log.info("%s misses what it had in mind, with %r", self.name, text)
                return self._instead(prompt, other, Plan(text, deeds, own))
            if deeds and not missed & ASK_THEMSELVES and (routine := self._routine(prompt, text)):
                return self._as_taught(prompt, routine, Plan(text, deeds, own))
        rest = text.removeprefix(given)
        plan = Plan(rest, tuple(_deeds_of(rest, prompt)), own)
        sure = self._together(prompt, text, plan.confidence) if plan.deeds or not given else sure_then
        refused = self._refused(prompt)
        if not plan.deeds or (sure >= self.least and not refused):
            self._tell(Written(text.strip(), sure, any(_deeds_of(text, prompt))))
            return text
        why = "it may be one to refuse" if refused else "it is unsure"
        log.info("%s does not do %r by itself: %s (%.2f)", self.name, plan.text, why, sure)
        if given:
            return given + self._propose(PROPOSAL, plan, None).lstrip()
        if asked := self._asked_of(prompt):
            self._tell(Written(_telling(asked).strip(), sure, moves=False))
            return _telling(asked)
        if not refused:
            return self._asked_or_done(prompt, plan)
        if sure >= self.least or not (no := self._no(prompt)):
            return self._propose(PROPOSAL, plan, None)
        self._tell(Written(no.strip(), sure, moves=False))
        return no

    def _instead(self, prompt: Prompt, other: Other, plan: Plan) -> str:
        """The other answer, which asks by itself, or else the question whether to do that, and not the plan."""
        if deeds := tuple(_deeds_of(other.text, prompt)):
            return self._propose(PROPOSAL, Plan(other.text, deeds, other.confidence), plan if plan.deeds else None)
        self._tell(Written(other.text.strip(), other.confidence, moves=False))
        return other.text

    def _routine(self, prompt: Prompt, text: str) -> Plan | None:
        """The routine that is asked for by its name alone, where an answer does nothing but move things; else None."""
        if has_any(ALONE, text) or not all(map(_moves, statements_in(text))) or self._asked_of(prompt):
            return None
        try:
            parts = PromptParts.by(prompt.history)
        except (ValueError, SyntaxError, LookupError):
            return None
        if parts.begun or not parts.rules:
            return None
        routine = prompt.routine(parts.words, [*map(rule_of, parts.rules)])
        taught = " " + "".join(f"{statement}\n" for statement in routine)
        deeds = tuple(_deeds_of(taught, prompt))
        return Plan(taught, deeds, self._own_confidence()) if deeds else None

    def _as_taught(self, prompt: Prompt, routine: Plan, plan: Plan) -> str:
        """A routine, where the model would do the same and is sure enough; else the question whether to do it.

        After a no the model's own plan is proposed.
        """
        sure = self._together(prompt, routine.text, plan.confidence)
        other = plan if {*plan.deeds} != {*routine.deeds} else None
        if other or sure < self.least or self._refused(prompt):
            log.info("%s is unsure (%.2f) of a routine", self.name, sure)
            return self._propose(PROPOSAL, routine, other)
        self._tell(Written(routine.text.strip(), sure, moves=True))
        return routine.text

    def _may_change(self, prompt: Prompt, text: str, acts: bool) -> bool:
        """Return whether an answer that begins so may still be replaced, when all of it is there."""
        if self._missed(prompt, text, True) or self._routine(prompt, text):
            return True
        return self._refused(prompt) or (not acts and bool(self._asked_of(prompt, text)))

    def _missed(self, prompt: Prompt, text: str, acts: bool) -> frozenset[str]:
        """The functions of which somebody asks for one, while an answer calls none; nothing where it misses nothing.

        These are lessons where somebody teaches, that lesson where it is sure which; and that of later where a time is
        named and the answer acts at once, or where one by the clock is, and it only says something.
        """
        if self.second is None:
            return frozenset()
        if self.second.is_of(prompt.history, ASK_THEMSELVES):
            surely = [one for one in map(frozenset, zip(ASK_THEMSELVES)) if self.second.is_of(prompt.history, one)]
            wanted = surely[0] if surely else ASK_THEMSELVES
            return frozenset() if has_any(wanted, text) else wanted
        if has_any(LATERS, text) or not self.second.names_time(prompt.history, by_the_clock=not acts):
            return frozenset()
        return frozenset({LATER[0]}) if acts or only_says(text) else frozenset()

    def _had_in_mind(self, prompt: Prompt, missed: frozenset[str], text: str, acts: bool) -> Other | None:
        """The likeliest other answer with what is missed; of later no unlikely one, where the model only talks.

        Where it had none in mind that answer is begun for it: of later where it acts, and hesitates over a time, and of
        a lesson where it keeps and forgets none.
        """
        later = missed == {LATER[0]}
        answers = self._others.with_only(missed, prompt, HAD_IN_MIND if later and not acts else 0.0)
        if not answers and later and acts and self._others.hesitates(prompt):
            answers = self._begun(prompt, f" say({LATER[0]}")  # not the bracket: "('" is one token
        elif not answers and not later and len(missed) == 1 and not has_any(ASK_THEMSELVES, text):
            begun = self._begun(prompt, f" {min(missed)}")
            answers = [one for one in begun if has_only(missed, one.text) and one.confidence >= HAD_IN_MIND]
        return max(answers, key=lambda one: self._together(prompt, one.text, one.confidence), default=None)

    def _begun(self, prompt: Prompt, start: str) -> list[Other]:
        """The answer that begins so; nothing where the model does not go on."""
        try:
            rest = self.model.complete(replace(prompt, history=prompt.history + start))
        except ModelCancelled:
            raise
        except ModelError as error:
            log.info("%s does not go on after %r: %s", self.name, start, error)
            return []
        return [Other(as_taken(start + rest, prompt), self._own_confidence(), 0.0)]

    def _looked_up(self, prompt: Prompt, text: str) -> str:
        """The answer; one that only talks, and tells of what somebody asked something that is not so, is looked up."""
        told = [plain_call(statement) for statement in statements_in(text)]
        if [name for name, _ in told] != ["say"]:
            return text
        said = " ".join(told[0][1])
        asked = self._asked_of(prompt, said)
        if not asked or all(prompt.is_told(which, said) for which in asked):
            return text
        log.info("%s tells what is not so: %r", self.name, said)
        return _telling(asked)

    def _asked_of(self, prompt: Prompt, told: str = "") -> Sequence[str]:
        return self.second.asked_of(prompt.history, told) if self.second else ()

    def _refused(self, prompt: Prompt) -> bool:
        return self.second is not None and self.second.refused(prompt.history)

    def _no(self, prompt: Prompt) -> str:
        """The model's words for no; "" where it cannot leave it at that."""
        no = "".join(said_no(one.text.removeprefix(NO)) for one in self._begun(prompt, NO))
        log.info("%s says no: %r", self.name, no)
        return no

    def _asked_or_done(self, prompt: Prompt, plan: Plan) -> str:
        """A question instead of a plan; the plan, where other answers come to the same and together are sure enough."""
        answers = self._others.to(prompt)
        deeds = {answer: tuple(_deeds_of(answer.text, prompt)) for answer in answers}
        same = [answer.of_both for answer in answers if {*deeds[answer]} == {*plan.deeds}]
        sure = max((self._together(prompt, plan.text, of_both) for of_both in same), default=0.0)
        if sure >= self.least:
            self._tell(Written(plan.text.strip(), sure, moves=True))
            return plan.text
        others = [Plan(answer.text, deeds[answer], answer.confidence) for answer in answers if deeds[answer]]
        if parts := self._in_parts(prompt):
            others.append(Plan(parts.text, tuple(_deeds_of(parts.text, prompt)), parts.confidence))
        others += [whole for one in (plan, *others) if (whole := self._with_what_is_left_out(prompt, one))]
        others = [one for one in others if {*one.deeds} != {*plan.deeds}]
        if not is_half_done(plan.text):
            others = [one for one in others if not is_half_done(one.text)]
        likely = [one for one in (plan, *others) if not _is_so(one.text, prompt)] or [plan]
        first, *rest = sorted(likely, key=lambda one: -self._together(prompt, one.text, one.confidence))
        another = next((one for one in rest if {*one.deeds} != {*first.deeds}), None)
        return self._propose(PROPOSAL, first, another)

    def _in_parts(self, prompt: Prompt) -> Other | None:
        """What sentences come to one by one; None for one sentence, and where one of them is no deed and no talk."""

        def answered(part: Prompt) -> tuple[str, float]:
            return as_taken(self.model.complete(part), part), self._own_confidence()

        if self.second is None:
            return None
        by_clauses = self.second.asks_for_several(prompt.history)
        try:
            return in_parts(prompt, answered, lambda statement: any(_deeds_of(statement, prompt)), ALONE, by_clauses)
        except ModelCancelled:
            raise
        except ModelError as error:
            log.info("%s does not answer part by part: %s", self.name, error)
            return None

    def _with_what_is_left_out(self, prompt: Prompt, plan: Plan) -> Plan | None:
        """The plan that also puts there what the second reader finds is moved; None where nothing is left out, or where
        the plan puts things to no place, or to several.
        """
        statements = statements_in(plan.text)
        goals = [goal for statement in statements if (goal := Goal.of(statement))]
        places = {goal.place for goal in goals if goal.name == "put"}
        moved = self.second.moved(prompt.history) if self.second else ()
        left_out = [thing for thing in moved if thing not in {goal.thing for goal in goals}]
        besides = [
            put for thing in left_out for place in places if not prompt.is_so(put := written("put", thing, place))
        ]
        if len(places) != 1 or not besides or any(map(Sweep.of, statements)):
            return None
        last = max(at for at, statement in enumerate(statements) if (goal := Goal.of(statement)) and goal.name == "put")
        text = "".join(f"{line}\n" for line in (*statements[: last + 1], *besides, *statements[last + 1 :]))
        return Plan(text, tuple(_deeds_of(text, prompt)), plan.confidence)

    def _propose(self, question: str, plan: Plan, other: Plan | None) -> str:
        """The statement that asks; after a no to it the other plan is proposed."""
        self._asked = Proposal(f"ask({question.format(_listed(plan.deeds))!r})", plan, other)
        return f" {self._asked.question}\n"

    def asks(self, history: str) -> float | None:
        """Return how likely the last words ask for more than talk, from 0 to 1; None where nobody can tell."""
        return self.second.asks(history) if self.second else None

    def asked_for(self, history: str) -> str | None:
        """Return what the last words ask for, to be compared; "" for nothing; None where nobody is sure."""
        return self.second.asked_for(history) if self.second else None

    def read_ahead(self, prompt: Prompt) -> None:
        """Use idle time."""
        if isinstance(self.model, ReadingAhead):
            self.model.read_ahead(prompt)

    @property
    def prompt_tokens(self) -> int | None:
        return self.model.prompt_tokens if isinstance(self.model, Counting) else None

    @property
    def reused_tokens(self) -> int:
        return self.model.reused_tokens if isinstance(self.model, Counting) else 0

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Use idle time."""
        self.model.prepare(base, examples)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def cancel(self) -> None:
        self.model.cancel()

    def close(self) -> None:
        self.model.close()

    def _write_other(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> str:
        text = self.model.complete(prompt, stop=stop, max_tokens=max_tokens)
        defines = prompt.history.rpartition("\n")[2].startswith("def ")
        if defines and (sure := self._own_confidence()) < self.least:
            raise ModelError(f"{self.name} is unsure ({sure:.2f}) of a function, so it is not written")
        return text

    def _together(self, prompt: Prompt, answer: str, own: float) -> float:
        return own if self.second is None else self.second.together(prompt.history, answer, own)

    def _own_confidence(self) -> float:
        return self.model.confidence or 0.0

    def _answered(self, turn: str) -> str:
        """Return what follows the answer to the open question; "" where none is open.

        Raises AnotherRequest where the answer is neither yes nor no: read within the turn it would be taken for more of
        what was asked, which was a guess to begin with.
        """
        asked, self._asked = self._asked, None
        told = (line for line in turn.strip().split("\n") if not line.startswith(LEARNED))
        *_, last, result = ("", "", *told)
        if not asked or last.removeprefix(PROMPT_SIGN).strip() != asked.question or result[:1] not in "'\"":
            return ""  # nobody was asked, or it ended in an error
        answer = str(literal_eval(result))
        if consent_in(answer) is Consent.YES:
            return asked.plan.text
        if declines(answer, freely=True, most=PLAIN_NO):
            return self._propose(ANOTHER, asked.other, None) if asked.other else f" say({LEAVE_IT!r})\n{WAIT}\n"
        if not answer:  # nobody is there any more
            return f" {WAIT}\n"
        raise AnotherRequest(answer)


def _telling(asked: Sequence[str]) -> str:
    """Return the answer that tells of these, as somebody asked to be told."""
    return " " + "".join(f"{RECOUNTS if which == DONE else f'tell({which!r})'}\n" for which in asked)


def _deeds_of(text: str, prompt: Prompt) -> Iterator[str]:
    """What an answer would do that nobody is asked about otherwise; what a lesson refuses is refused unasked."""
    for statement in statements_in(text):
        for what in prompt.comes_to(statement):
            yield from (_with_what_waits(deed, prompt) for deed in deeds_in(what, ASK_THEMSELVES))


def _with_what_waits(deed: str, prompt: Prompt) -> str:
    """A deed in words; what waits is told instead of its number."""
    named = _NUMBERED.fullmatch(deed)
    waits = named and re.search(rf"^# later {named[2]}: (.+)$", prompt.history, re.MULTILINE)
    if not (named and waits):
        return deed
    return f"do this now: {waits[1].partition(': ')[2]}" if named[1] == "begin" else f"no longer do this {waits[1]}"


_NUMBERED = re.compile(r"(begin|forget) later (\d+)")
"""How deeds are told that name what waits by its number."""


def _moves(statement: str) -> bool:
    """Return whether a statement moves things, or talks."""
    return Sweep.of(statement) is not None or plain_call(statement)[0] in MOVES


def _is_so(text: str, prompt: Prompt) -> bool:
    """Return whether an answer would change nothing: whatever it would do is so already."""
    doing = [statement for statement in statements_in(text) if any(deeds_in(statement, ASK_THEMSELVES))]
    return bool(doing) and all(map(prompt.is_so, doing))


def _listed(deeds: Sequence[str]) -> str:
    """One after the other, as people say it."""
    *first, last = dict.fromkeys(deeds)
    return f"{', '.join(first)} and {last}" if first else last
