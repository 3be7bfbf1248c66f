"""What rules do: each kind of rule as a value, and the one sentence that says it.

The sentence is the rule: it is what a person hears, confirms, lists and may edit, and read_effect() is the inverse
of `sentence`. So a rule that was edited by hand, or written by a model in one of these forms, has its effect too.
Pure text; how an effect changes a request is daemon/imitation/english/rewording.py.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from daemon.memory.parameters import PARAMETER_FORMS, Parameter, Speed
from daemon.memory.rules import EVERYWHERE, Rule, RuleKind, Scope
from daemon.memory.times import TIME

HIGH_PLACE = "a high place"
"""The place of a Scope that means every surface which people do not reach from the floor."""


@dataclass(frozen=True)
class Also:
    """Something else comes along with what was asked for."""

    scope: Scope
    """What is asked for, or where it is needed."""
    bring: str
    at_once: bool = False
    """Both in one trip, one thing in each hand."""
    example: str = ""
    """One thing of the scope's class, to say the rule more plainly."""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"{_when(self.scope, self.example)}, I also bring the {self.bring}{_AT_ONCE if self.at_once else ''}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.bring, *_scope_key(self.scope))


@dataclass(frozen=True)
class FurtherStep:
    """Something else is done before or after what was asked for."""

    scope: Scope
    """What is asked for, or where something is done."""
    step: str
    """As a person would ask for it: "put the spoon on the tray"."""
    first: bool = False
    example: str = ""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        step = re.sub(r"^bring me\b", "bring you", self.step)
        return f"{_when(self.scope, self.example)}, I {'first' if self.first else 'then'} {step}."

    @property
    def about(self) -> tuple[str, ...]:
        deed = re.split(r" (?:on|to) the ", self.step.lower())[0]
        return ("step", deed, *_scope_key(self.scope))


@dataclass(frozen=True)
class Target:
    """Where things go that are asked for."""

    scope: Scope
    place: str
    example: str = ""
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"{_when(self.scope, self.example)}, I bring it to the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("target", *_scope_key(self.scope))


@dataclass(frozen=True)
class Meaning:
    """What someone means by a word."""

    word: str
    phrase: str
    scope: Scope = EVERYWHERE
    kind = RuleKind.WORD_MEANING

    @property
    def sentence(self) -> str:
        return f'When you say "{self.word}", you mean "{self.phrase}".'

    @property
    def about(self) -> tuple[str, ...]:
        return ("word", self.word.lower())


@dataclass(frozen=True)
class Belongs:
    """Where things of a kind are kept."""

    things: str
    """A category, or one thing."""
    place: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        several = self.things.endswith("s") and not self.things.endswith("ss")
        which = self.things if self.things.startswith("any") else f"the {self.things}"
        return f"Where I may choose, {which} {'go' if several else 'goes'} to the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("belongs", self.things.lower())


@dataclass(frozen=True)
class Choice:
    """Which thing of a class is taken where any one would do."""

    object_class: str
    thing: str
    kind = RuleKind.PREFERENCE

    @property
    def scope(self) -> Scope:
        return Scope(object_class=self.object_class)

    @property
    def sentence(self) -> str:
        return f"Where any {self.object_class} will do, I take the {self.thing}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("choice", self.object_class)


@dataclass(frozen=True)
class Fact:
    """What a place is like, for example full or broken: another one is taken instead."""

    place: str
    state: str
    kind = RuleKind.SCENE_FACT

    @property
    def scope(self) -> Scope:
        return Scope(place=self.place)

    @property
    def sentence(self) -> str:
        return f"The {self.place} is {self.state}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("fact", self.place.lower())


@dataclass(frozen=True)
class Routine:
    """Several steps or parts under one name."""

    name: str
    content: str
    kind = RuleKind.ROUTINE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f"The {self.name} is: {self.content}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("routine", self.name.lower())


@dataclass(frozen=True)
class OnlyWhenAsked:
    """Something never comes along unasked, whatever else was learned."""

    bring: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f"I bring the {self.bring} only when you ask for it."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.bring)


@dataclass(frozen=True)
class Never:
    """Something is not brought to anybody, whoever asks for it."""

    thing: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f"I never bring the {self.thing}, even when you ask for it."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.thing)


@dataclass(frozen=True)
class KeptOff:
    """A thing, or a class of things, is never put at a place."""

    scope: Scope
    place: str
    kind = RuleKind.PREFERENCE

    @property
    def sentence(self) -> str:
        return f"I never put {self.scope.which} on the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        things = (self.scope.object_class, self.scope.object, self.scope.look)
        return ("off", *things, self.place.lower())


@dataclass(frozen=True)
class Together:
    """Two things that are asked for together come in one trip, one in each hand."""

    one: str
    other: str
    kind = RuleKind.TASK

    @property
    def scope(self) -> Scope:
        return Scope(object=self.one)

    @property
    def sentence(self) -> str:
        return f"When you ask for the {self.one} and the {self.other}, I bring both in one trip."

    @property
    def about(self) -> tuple[str, ...]:
        return ("together", *sorted((self.one, self.other)))


@dataclass(frozen=True)
class Alone:
    """What shares no trip with anything else, even when several things are asked for."""

    scope: Scope
    kind = RuleKind.TASK

    @property
    def sentence(self) -> str:
        return f"I carry {self.scope.which} alone, one thing in a trip."

    @property
    def about(self) -> tuple[str, ...]:
        return ("alone", self.scope.object_class, self.scope.object, self.scope.look)


@dataclass(frozen=True)
class Manner:
    """How a request like this one is done; the transcript shows it."""

    request: str
    kind = RuleKind.TASK
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f'When you say something like "{self.request}", I do it as you showed me.'

    @property
    def about(self) -> tuple[str, ...]:
        return ("manner", self.request.lower())


@dataclass(frozen=True)
class Closing:
    """What was opened is closed again."""

    kind = RuleKind.TASK
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return "When I open something to take something out, I close it afterwards."

    @property
    def about(self) -> tuple[str, ...]:
        return ("closing",)


Effect = (
    Also
    | FurtherStep
    | Target
    | Meaning
    | Belongs
    | Choice
    | Fact
    | Routine
    | OnlyWhenAsked
    | Never
    | KeptOff
    | Together
    | Alone
    | Manner
    | Closing
    | Parameter
)
"""`sentence` says it, `about` is equal for two effects that cannot both hold."""


def rule_of(effect: Effect, person: str = "", time: str = "") -> Rule:
    """The rule that a memory keeps; for one `person` alone, and at that `time` alone, where one is named."""
    rule = only_at(time, Rule(effect.sentence, effect.kind, effect.scope))
    return only_for(person, rule) if person else rule


def rule_said(sentence: str) -> Rule | None:
    """The rule that a sentence says, for whom and when; None for a sentence of no known form."""
    effect = read_effect(sentence)
    return rule_of(effect, person_in(sentence), time_in(sentence)) if effect else None


def only_for(person: str, rule: Rule) -> Rule:
    """The same rule for nobody else."""
    return Rule(f"Only for {person}: {rule.text}", rule.kind, replace(rule.scope, person=person))


def only_at(time: str, rule: Rule) -> Rule:
    """The same rule at no other time; at all times for ""."""
    if not time:
        return rule
    text = rule.text if rule.text.startswith("I ") else f"{rule.text[0].lower()}{rule.text[1:]}"
    return Rule(f"{time[0].upper()}{time[1:]}, {text}", rule.kind, replace(rule.scope, time=time))


def time_in(sentence: str) -> str:
    """At what time alone a rule's sentence holds; "" for always."""
    match = _ONLY_AT.match(_ONLY_FOR.sub("", sentence.strip()))
    return f"{match['time'][0].lower()}{match['time'][1:]}" if match else ""


def person_in(sentence: str) -> str:
    """For whom alone a rule's sentence holds; "" for everybody."""
    match = _ONLY_FOR.match(sentence.strip())
    return match["person"] if match else ""


def read_effect(sentence: str) -> Effect | None:
    """The effect that a rule's sentence says, for whomever and whenever; None for no known form, which only informs."""
    bare = _ONLY_AT.sub("", _ONLY_FOR.sub("", sentence.strip()))
    for pattern, make in (*PARAMETER_FORMS, *_FORMS):
        if match := pattern.fullmatch(bare):
            return make(match)
    return None


_ONLY_FOR = re.compile(r"^only for (?P<person>[^:]+): ", re.IGNORECASE)
_ONLY_AT = re.compile(rf"^(?P<time>{TIME}), ", re.IGNORECASE)


_AT_ONCE = ", both at once"


def _when(scope: Scope, example: str) -> str:
    who = f"{scope.person} asks" if scope.person else "you ask"
    if scope.place and (scope.object or scope.object_class or scope.look):
        return f"When I put {scope.which} on the {scope.place}"
    if scope.place:
        what = f"reach {HIGH_PLACE}" if scope.place == HIGH_PLACE else f"do something at the {scope.place}"
        return f"When {scope.person or 'you'} {'needs' if scope.person else 'need'} to {what}"
    if scope.look:
        return f"When {who} for {scope.which}"
    if scope.object_class:
        return f"When {who} for {example or 'something'} or another {scope.object_class}"
    return f"When {who} for {scope.object or 'anything'}"


def _read_scope(match: re.Match[str]) -> Scope:
    found = match.groupdict()
    if found["put"]:
        return replace(Scope.of_which(found["put"]), place=found["there"])
    if (found["object"] or "").startswith("any") and " that is " in found["object"]:
        return Scope.of_which(found["object"])
    person = "" if (found["who"] or "you").lower() == "you" else found["who"]
    place = HIGH_PLACE if found["high"] else found["place"] or ""
    return Scope(
        object_class=found["category"] or "",
        object="" if found["category"] or found["object"] == "anything" else found["object"] or "",
        place=place,
        person=person,
    )


def _scope_key(scope: Scope) -> tuple[str, ...]:
    return (scope.object_class, scope.object, scope.look, scope.place, scope.person)


def _also(match: re.Match[str]) -> Effect:
    return Also(_read_scope(match), match["bring"], bool(match["once"]), _example(match))


def _example(match: re.Match[str]) -> str:
    return (match["object"] or "") if match["category"] else ""


_WHEN = (
    r"when (?:I put (?P<put>(?:any|the).+?) on the (?P<there>.+?)|(?P<who>\w+) "
    r"(?:asks? for (?P<object>.+?)(?: or another (?P<category>.+?))?"
    r"|needs? to (?:reach (?P<high>a high place)|do something at the (?P<place>.+?))))"
)
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Effect]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (_WHEN + r", I (?:will )?also bring the (?P<bring>.+?)(?P<once>, both at once)?\.?", _also),
        (
            _WHEN + r", I (?:will )?bring it to the (?P<target>.+?)\.?",
            lambda m: Target(_read_scope(m), m["target"], _example(m)),
        ),
        (
            _WHEN + r", I (?P<order>first|then) (?P<step>.+?)\.?",
            lambda m: FurtherStep(
                _read_scope(m),
                re.sub(r"^bring you\b", "bring me", m["step"]),
                m["order"].lower() == "first",
                _example(m),
            ),
        ),
        (r'When you say "(.+?)", you mean "(.+?)"\.?', lambda m: Meaning(m[1], m[2])),
        (r"Where I may choose, (?:the )?(.+?) goe?s? to the (.+?)\.?", lambda m: Belongs(m[1], m[2])),
        (r"Where any (.+?) will do, I take the (.+?)\.?", lambda m: Choice(m[1], m[2])),
        (r"I never bring the (.+?), even when you ask for it\.?", lambda m: Never(m[1])),
        (
            r"I never put ((?:any|the).+?) on the (.+?)\.?",
            lambda m: KeptOff(Scope.of_which(m[1]), m[2]),
        ),
        (
            r"When you ask for the (.+?) and the (.+?), I bring both in one trip\.?",
            lambda m: Together(m[1], m[2]),
        ),
        (r"I carry ((?:any|the).+?) alone, one thing in a trip\.?", lambda m: Alone(Scope.of_which(m[1]))),
        (r"I bring the (.+?) only when you ask for it\.?", lambda m: OnlyWhenAsked(m[1])),
        (r"When I open something to take something out, I close it afterwards\.?", lambda m: Closing()),
        (r'When you say something like "(.+?)", I do it as you showed me\.?', lambda m: Manner(m[1])),
        (r"The (.+?) is: (.+?)\.?", lambda m: Routine(m[1], m[2])),
        (r"The (.+?) is ([\w ]+?)\.?", lambda m: Fact(m[1], m[2])),
    )
)


def supersedes(new: Rule, old: Rule) -> bool:
    """Whether a new rule takes the place of an old one: for the same people, at the same times, and about the same."""
    same_people = new.scope.person.casefold() == old.scope.person.casefold()
    return same_people and new.scope.time.casefold() == old.scope.time.casefold() and overrules(new, old)


def overrules(new: Rule, old: Rule) -> bool:
    """Whether an old rule, that of one person or of all, at a time or always, does not count where a new one does."""
    one, other = read_effect(new.text), read_effect(old.text)
    return one is not None and other is not None and replaces(one, other)


def replaces(new: Effect, old: Effect) -> bool:
    """Whether two effects cannot both hold: the old one would contradict the new one, or say the same."""
    if isinstance(new, Also) is not isinstance(old, Also) and new.about[0] == old.about[0] == "along":
        return new.about[1] == old.about[1]
    if isinstance(new, Speed) and isinstance(old, Speed) and (new.both_ways or old.both_ways):
        return {new.start, new.end} == {old.start, old.end}
    return new.about == old.about
