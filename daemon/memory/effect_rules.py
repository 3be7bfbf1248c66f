"""Effects as rules: the rule that a memory keeps of one, and which of two rules gives way."""

from dataclasses import replace

from daemon.memory.effects import Also, Effect
from daemon.memory.number_rules import Speed
from daemon.memory.rules import Does, Rule


def rule_of(effect: Effect, person: str = "", time: str = "") -> Rule:
    """Return the rule that a memory keeps; for one `person` alone, and at that `time` alone, where one is named."""
    rule = only_at(time, Rule(effect.sentence, effect.kind, effect.scope, effect))
    return only_for(person, rule) if person else rule


def only_for(person: str, rule: Rule) -> Rule:
    """Return the rule, for one person alone."""
    return replace(rule, text=f"Only for {person}: {rule.text}", scope=replace(rule.scope, person=person))


def only_at(time: str, rule: Rule) -> Rule:
    """Return the rule, at one time alone; at all times for ""."""
    if not time:
        return rule
    text = rule.text if rule.text.startswith("I ") else f"{rule.text[0].lower()}{rule.text[1:]}"
    return replace(rule, text=f"{time[0].upper()}{time[1:]}, {text}", scope=replace(rule.scope, time=time))


def supersedes(new: Rule, old: Rule) -> bool:
    """Return whether a new rule replaces an old one: it is about the same, for the same people and times."""
    same_people = new.scope.person.casefold() == old.scope.person.casefold()
    return same_people and new.scope.time.casefold() == old.scope.time.casefold() and overrules(new, old)


def overrules(new: Rule, old: Rule) -> bool:
    """Return whether an old rule, for one person or all, at a time or always, gives way where a new one counts."""
    return new.effect is not None and old.effect is not None and replaces(new.effect, old.effect)


def replaces(new: Does, old: Does) -> bool:
    """Return whether two effects cannot both hold: the old one would contradict the new one, or say the same."""
    if isinstance(new, Also) is not isinstance(old, Also) and new.about[0] == old.about[0] == "along":
        return new.about[1] == old.about[1]
    if isinstance(new, Speed) and isinstance(old, Speed) and (new.both_ways or old.both_ways):
        return {new.start, new.end} == {old.start, old.end}
    return new.about == old.about
