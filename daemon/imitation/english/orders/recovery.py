"""From the troubles of an order to a plan, carried out with the person's help, and checked again before the order.

The plan is made from what the explanation tells of alone: in the paper that succeeds more than twice as often as from
the whole scene. What a person answers is used in the steps after it. Bounded, and honest about what could not be done.
"""

import ast
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from daemon.console.learning.consent import Consent, consent_in
from daemon.console.raider.flow import Final, Finding
from daemon.console.raider.reasons import Because, Trouble
from daemon.imitation.english.orders.order_reader import Order, in_names, read_order
from daemon.lexicon.thing_knowledge import knowledge, spoken_name

TABLE = "free_table"
"""Where things can always be put down."""
ROUNDS = 3
"""How often a new trouble may be recovered from before heed gives up and says so."""


class RecoveryError(RuntimeError):
    """A step could not be done."""


@dataclass(frozen=True)
class Do:
    """One step, to be done by whoever recovers: an action, or words to ask or to say."""

    name: str
    """As in a plan: pick, move_to, ask."""
    arguments: tuple[str, ...]
    order: str = ""
    """The order in its present words, where the step is the order itself, which can be carried out now."""


@dataclass
class Outcome:
    """How a recovery went."""

    done: bool = False
    """The order was carried out in the end."""
    told: bool = False
    """The person was told what is the matter."""
    steps: list[str] = field(default_factory=list)
    """What was done, as calls."""


Recovering = Generator[Do, str, Outcome]
"""Yields what to do, is sent the answers; RecoveryError is thrown in where a step could not be done."""


def plan_from(order: str, finding: Finding, holding: Sequence[str] = ()) -> list[str]:
    """Return steps, as calls, that remedy the troubles found; the last is the order where that may work then.

    Nothing of the scene is used. Where there is no remedy, the plan is to tell the person.
    """
    troubles = sorted(finding.troubles, key=lambda trouble: trouble.because.value.first)
    if not troubles or any(not trouble.because.value.remedy for trouble in troubles):
        return [_say(finding.explanation)]
    again = _as_call(read_order(order), troubles)
    steps: list[str] = []
    for trouble in troubles:
        before = len(steps)
        for template in trouble.because.value.remedy:
            steps += _filled(template, trouble, again, holding)
        if knowledge().is_any_of(knowledge().heavy, trouble.slots.get("obstacle", "")):
            asked = "ask('The {obstacle} is in my way. Could you move it away, please?')".format(**trouble.slots)
            steps = [*steps[:before], asked, *([again] if again in steps[before:] else [])]
    repeated = [step for step in steps if step != again]
    ends = any(step == again for step in steps) and all(_may_go_on(trouble) for trouble in troubles)
    return [*repeated, again] if ends else repeated


def recovering(
    order: str,
    finding: Finding,
    plan: Sequence[str],
    examine_again: Callable[[str], Finding],
    plan_again: Callable[[str, Finding], Sequence[str]],
) -> Recovering:
    """Go through a plan; before the order itself, examine it again, and recover from what is found then."""
    outcome = Outcome()
    for _ in range(ROUNDS):
        try:
            finding, order, finished = yield from _carry_out(order, finding, plan, examine_again, outcome)
        except RecoveryError as error:
            return (yield from _give_up(f"That did not work: {error}.", outcome))
        if finished:
            return outcome
        plan = plan_again(order, finding)
    return (yield from _give_up(f"I have tried, and it still does not work: {finding.explanation}", outcome))


def with_answer(order: str, answer: str, options: Sequence[str] = ()) -> str:
    """Return the order, with an answer in the place of what was unclear: "the clean one" is the clean cup.

    `options` are what the unclear words may mean: of the thing or of the place.
    """
    read = read_order(order)
    unclear = read.target
    if read.place is not None and options and all(knowledge().is_called(read.place.noun, name) for name in options):
        unclear = read.place
    if unclear is None:
        return order
    answer = re.sub(r"[\s,]*\b(?:please|thanks|thank you)\W*$", "", answer, flags=re.IGNORECASE)
    noun = unclear.noun.split()[-1] if unclear.noun else ""
    meant = re.sub(r"\bone\b", noun, answer.strip(" .!?"), flags=re.IGNORECASE) if noun else answer.strip(" .!?")
    meant = re.sub(r"^(?:i (?:mean|meant|want)|no,?|yes,?|well,?|please)\s+", "", meant, flags=re.IGNORECASE)
    return order.replace(unclear.text, meant, 1)


def _carry_out(
    order: str, finding: Finding, plan: Sequence[str], examine_again: Callable[[str], Finding], outcome: Outcome
) -> Generator[Do, str, tuple[Finding, str, bool]]:
    """Return whether it is finished; else what was found when the order was examined again."""
    answers: dict[str, str] = {}
    read = read_order(order)
    for step in plan:
        outcome.steps.append(step)
        variable, name, arguments = read_step(step)
        if name in ("ask", "say"):
            answer = yield Do(name, (_inserted(arguments[0], answers),))
            outcome.told = True
            if name == "ask" and _is_refused(answer, wants_words=bool(variable)):
                return finding, order, True
            if variable:
                answers[variable] = answer
        elif _is_the_order(name, arguments, read, finding, answers):
            changed = (
                with_answer(order, answers[arguments[0]], finding.grounded)
                if arguments[0] in answers
                else _fixed(order, finding)
            )
            finding = examine_again(changed)
            if finding.final is not Final.NONE:
                return finding, changed, False
            yield Do(name, finding.grounded, changed)
            outcome.done = True
        else:
            yield Do(name, tuple(answers.get(argument, argument) for argument in arguments))
    if not outcome.done and not outcome.told:
        yield Do("say", (finding.explanation,))
        outcome.told = True
    return finding, order, True


def _is_refused(answer: str, wants_words: bool) -> bool:
    """Return whether the person does not help; to a question for words, "not the dirty one" is an answer."""
    if wants_words:
        return bool(
            re.fullmatch(
                r"\W*(?:no|never ?mind|forget it|nothing|(?:oh |ah |hm+ )?(?:yes|yeah|ok|okay|sure|well|what)|"
                r"i (?:don't|do not) know|no idea)?(?:,? (?:thanks|thank you))?\W*",
                answer,
                re.IGNORECASE,
            )
        )
    return consent_in(answer) is Consent.NO or not answer.strip()


def _fixed(order: str, finding: Finding) -> str:
    """Return the order about what was meant before: moving a book does not change which card lay below it."""
    read = read_order(order)
    phrases = [phrase for phrase in (read.target, read.place) if phrase is not None]
    all_known = finding.final is Final.UNFEASIBILITY and len(finding.grounded) == len(phrases)
    return in_names(order, finding.grounded) if all_known and not read.condition else order


def read_step(step: str) -> tuple[str, str, list[str]]:
    """Return the variable that is set, if any, the function, and its arguments as written.

    Raises RecoveryError for what is no call: a plan by a model may be anything.
    """
    match = re.fullmatch(r"\s*(?:(\w+)\s*=\s*)?(\w+)\((.*)\)\s*", step, re.DOTALL)
    if match is None:
        raise RecoveryError(f"I do not understand the step {step}")
    return match[1] or "", match[2], _arguments(match[3])


def _arguments(text: str) -> list[str]:
    try:
        return [str(ast.literal_eval(text))]  # one string, for ask() and say()
    except (ValueError, SyntaxError):
        return [part.strip(" '\"") for part in text.split(",") if part.strip()]


def _is_the_order(name: str, arguments: list[str], order: Order, finding: Finding, answers: dict[str, str]) -> bool:
    if name != order.action or not arguments or (arguments[1:] == [TABLE] and order.place is not None):
        return False
    meant = [spoken_name(known) for known in finding.grounded] + ([order.target.noun] if order.target else [])
    return arguments[0] in answers or any(spoken_name(arguments[0]) == spoken_name(noun) for noun in meant)


def _filled(template: str, trouble: Trouble, again: str, holding: Sequence[str]) -> list[str]:
    """Return a line of a remedy, with its slots filled; more or no lines for what depends on the hands."""
    if template == "{order}":
        return [again]
    if template == "{order:answer}":
        return [f"{again.split('(')[0]}(answer)"]
    if template in ("{put_away}", "{take_again}"):
        verb = "place({}, free_table)" if template == "{put_away}" else "pick({})"
        return ["move_to(free_table)", verb.format(spoken_name(holding[0])), "move_to(current_loc)"] if holding else []
    quoted = {slot: text.replace("'", "’") for slot, text in trouble.slots.items()}
    underlined = {f"{slot}_": re.sub(r"\W+", "_", text) for slot, text in trouble.slots.items()}
    return [template.format(**quoted, **underlined)]


_ABOUT_THE_AIM = (
    Because.FAR, Because.A_LITTLE_FAR, Because.BLOCKED, Because.BLOCKED_FOR_GOOD, Because.COVERED,
)  # fmt: skip


def _may_go_on(trouble: Trouble) -> bool:
    return "{order}" in trouble.because.value.remedy or "{order:answer}" in trouble.because.value.remedy


def _as_call(order: Order, troubles: Sequence[Trouble]) -> str:
    """Return the order as a call on names; where it only describes a thing, the explanation names it."""
    names = [phrase.noun for phrase in (order.target, order.place) if phrase is not None]
    things = [trouble.slots["thing"] for trouble in troubles if trouble.because in _ABOUT_THE_AIM]
    vague = not names or knowledge().kinds.get(tuple(names[0].split())) or names[0] in ("", "thing", "item")
    if vague and things and order.action != "place":
        names[:1] = things[:1]
    return f"{order.action}({', '.join(names)})"


def _inserted(text: str, answers: dict[str, str]) -> str:
    for variable, answer in answers.items():
        text = text.replace(f"{{{variable}}}", answer)
    return text


def _give_up(words: str, outcome: Outcome) -> Recovering:
    yield Do("say", (words,))
    outcome.told = True
    return outcome


def _say(text: str) -> str:
    return f"say({text.replace(chr(39), '’')!r})"
