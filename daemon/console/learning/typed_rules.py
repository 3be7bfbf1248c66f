"""Rules in their typed form: what is kept by a call such as forbid('tea', place='desk'), before anybody was asked."""

import ast
from dataclasses import dataclass, replace

from daemon.console.situation import SOMEBODY
from daemon.lexicon.kinds import is_kind
from daemon.memory.effect_rules import only_at, only_for, rule_of
from daemon.memory.effects import Also, Choice, Effect, Meaning, Routine
from daemon.memory.number_rules import Carry, Hold, Pace, Pull, Speed
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, Untouched
from daemon.memory.recurring_times import recurs
from daemon.memory.rules import Rule, RuleKind, Scope
from daemon.memory.sentence_to_effect import rule_said
from daemon.names import mention, spoken, without_article
from skills.scene import Scene
from skills.skill import SKILLS, Skill, SkillError

NUMBERS = "move_to takes thing, or end and start; grasp takes thing; pull, open_door and close_door take end"
WRITTEN = ("remember", "forbid", "call_it", "routine")
"""The calls that typed_rule() reads. A number is not among them: prefer() tries it first."""
FOLLOWED_BY_CODE = (Also, Choice, Never, KeptOff, Untouched, Forbidden)
"""What sentences may say that code makes sure of, whatever a mind does."""
ANYTHING = ("anything", "everything", "things")
"""How a mind names what has no name: all that there is."""


@dataclass(frozen=True)
class TypedRules:
    """Makes rules, in the scene that is seen, in the words of the one who speaks. All raise SkillError."""

    scene: Scene
    speaker: str = ""
    """"" where nobody knows who speaks."""

    def remember(self, rule: str, applies_to: str = "", who: str = "", when: str = "") -> Rule:
        """Return a rule that a mind follows; code, too, where it tells what to add, to choose or to leave."""
        sentence = rule.strip()
        _require_words(rule=rule)
        said = rule_said(sentence)
        if said and isinstance(said.effect, FOLLOWED_BY_CODE):
            return self._only(replace(said, text=sentence), who, when)
        if applies_to and not mention(spoken(applies_to), sentence):
            sentence = f"About the {spoken(applies_to)}: {sentence}"
        return self._only(Rule(sentence, RuleKind.TASK, self._scope(applies_to)), who, when)

    def forbid(self, thing: str, place: str = "", who: str = "", why: str = "", touch: bool = False) -> Rule:
        """Return a prohibition of a thing or a skill, everywhere, at one place or for one person.

        `touch` forbids to take hold of the thing at all. Where the place is a person with a name, the thing is
        forbidden for them; for whoever is here, and for a speaker whom nobody knows, it is forbidden for everybody.
        """
        _require_words(thing=thing)
        if place and thing not in SKILLS and self._is_person(place):
            who, place = who or place, ""
        rule = rule_of(self._prohibition(thing, self._place(place) if place else "", touch))
        because = f", because {why.strip().rstrip('.')}" if why.strip() else ""
        rule = replace(rule, text=f"{rule.text.rstrip('.')}{because}.")
        return rule if self._is_speaker(who) and not self.speaker else self._only(rule, who)

    def prefer(self, skill: str, value: float, thing: str = "", start: str = "", end: str = "") -> Rule:
        """Return a number of a skill: a factor, or metres."""
        return rule_of(self._parameter(skill, value, thing, start, end))

    def call_it(self, name: str, meaning: str) -> Rule:
        """Return another name of a thing or place."""
        _require_words(name=name, meaning=meaning)
        if spoken(name).casefold() == spoken(meaning).casefold():
            raise SkillError(f"{name!r} is its name already", "keep another one, or nothing")
        return rule_of(Meaning(name, meaning))

    def routine(self, name: str, steps: str) -> Rule:
        """Return steps under one name."""
        _require_words(name=name, steps=steps)
        return rule_of(Routine(without_article(name), steps))

    def _only(self, rule: Rule, who: str, when: str = "") -> Rule:
        """Return the rule for one person and time alone; for all where `who` or `when` is empty.

        A time that no clock tells, "after the news", only stands in the sentence: the mind knows when it is there.
        """
        time = when.strip()
        rule = only_at(time, rule)
        rule = rule if recurs(time) else replace(rule, scope=replace(rule.scope, time=""))
        return only_for(name, rule) if (name := self._name_of(who)) else rule

    def _scope(self, thing: str) -> Scope:
        """A kind of things, or one thing, by what is seen here and what is known of kinds."""
        if not thing:
            return Scope()
        name = spoken(thing)
        of_kind = any(other.category == thing or is_kind(other.name, name) for other in self.scene.objects)
        is_thing = any(thing in (other.name, *other.aliases) for other in self.scene.objects)
        return Scope(object_class=name) if of_kind and not is_thing else Scope(object=name)

    def _prohibition(self, thing: str, place: str, touch: bool) -> Effect:
        if thing in SKILLS:
            return _forbidden(SKILLS[thing], place)
        if spoken(thing).lower() in ANYTHING:
            return Forbidden("place" if place else "grasp" if touch else "handover", spoken(place))
        if touch:
            return Untouched(self._scope(thing))
        return KeptOff(self._scope(thing), spoken(place)) if place else Never(spoken(thing))

    def _parameter(self, skill: str, value: float, thing: str, start: str, end: str) -> Effect:
        scope = self._scope(thing)
        start, end = (self._place(place) if place else "" for place in (start, end))
        match skill:
            case "move_to" if thing and end:
                raise SkillError(
                    "a speed holds with a thing, or on a way", "leave thing or end out, or call it for each"
                )
            case "move_to" if thing:
                return Carry(scope, value)
            case "move_to" if end:
                return Speed(start, end, value)
            case "grasp" if thing:
                return Hold(scope, value)
            case "pull" if end:
                return Pull(end, value)
            case "open_door" | "close_door" if end:
                return Pace(skill.removesuffix("_door"), end, value)
        raise SkillError(f"there is no number of {skill} to keep so", NUMBERS)

    def _place(self, name: str) -> str:
        """The own name of a place that is seen here, by which code finds just this one again. Raises SkillError."""
        return self.scene.location(name).name

    def _is_speaker(self, who: str) -> bool:
        name = spoken(who.strip()).casefold()
        return name in ("me", "you", "speaker") or name == self.speaker.casefold() != ""

    def _is_person(self, place: str) -> bool:
        return self._is_speaker(place) or self.scene.location(place).kind == "person"

    def _is_nobody(self, who: str) -> bool:
        """Return whether it is a place or a thing, which ask for nothing, or whoever is here."""
        try:
            return who == SOMEBODY or self.scene.location(who).kind != "person"
        except SkillError:
            return any(who in (thing.name, *thing.aliases) for thing in self.scene.objects)

    def _name_of(self, who: str) -> str:
        """The person that a rule is for; "" for everybody, also where who is named is nobody in particular."""
        if not self._is_speaker(who):
            return "" if self._is_nobody(who.strip()) else who.strip()
        if not self.speaker:
            raise SkillError("I do not know who speaks", "ask their name, or keep the rule for everybody")
        return self.speaker


def typed_rule(statement: str, rules: TypedRules) -> Rule | None:
    """Return the rule that a statement would keep; None where it calls none of WRITTEN with plain values.

    Raises SkillError where it cannot be kept so.
    """
    match ast.parse(statement).body:
        case [ast.Expr(ast.Call(ast.Name(name), given, named))] if name in WRITTEN:
            try:
                values = [ast.literal_eval(value) for value in given]
                by_name = {str(one.arg): ast.literal_eval(one.value) for one in named}
                rule = getattr(rules, name)(*values, **by_name)
            except (TypeError, ValueError, AttributeError) as error:
                raise SkillError(f"{statement} is no rule: {error}", "give words in quotes") from error
            assert isinstance(rule, Rule)
            return rule
    return None


def _forbidden(skill: Skill, place: str) -> Forbidden:
    if skill.read_only:
        raise SkillError(f"{skill.name} moves nothing", "forbid a thing, or a skill that moves")
    return Forbidden(skill.name, spoken(place) if place else "")


def _require_words(**arguments: str) -> None:
    """Raises SkillError that names the argument without a word in it."""
    for name, value in arguments.items():
        if not value.strip():
            raise SkillError(f"{name} is empty", "call it again with the person's words")
