"""From what a person says when they teach to the effect that they mean.

Nothing is guessed about particular things: names come from the scene, and kinds of things are the scene's own. Each
reader knows one kind of lesson by its forms of speech; the first that understands the sentence is believed, and what
it understood is said back before anything is kept.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from daemon.console.deliveries import deliveries_in
from daemon.console.history import Turn
from daemon.console.learning.no_lesson import NoLesson, Unclear
from daemon.console.learning.scope import is_in
from daemon.imitation.english.look_phrases import with_nouns
from daemon.imitation.english.mishearing import well_heard
from daemon.imitation.english.noun_phrases import Masked, Reference, masked, with_antecedents
from daemon.imitation.english.remarks import without_asides
from daemon.imitation.english.sentence_parts import sentences, whole_sentences
from daemon.imitation.english.teaching.companions import read_alone, read_along, read_together
from daemon.imitation.english.teaching.conditions import read_condition
from daemon.imitation.english.teaching.contradiction import contradicts, leaves_out
from daemon.imitation.english.teaching.corrections import CUED, TEACHING
from daemon.imitation.english.teaching.definitions import read_definition, read_name_of_deed, read_routine
from daemon.imitation.english.teaching.facts import read_fact
from daemon.imitation.english.teaching.further_steps import read_further_step
from daemon.imitation.english.teaching.guessed_lessons import guessed
from daemon.imitation.english.teaching.habitual_times import habitual_time
from daemon.imitation.english.teaching.number_phrases import read_carry, read_hold, read_pace, read_pull, read_speed
from daemon.imitation.english.teaching.persons import for_everybody, meant_for, with_persons
from daemon.imitation.english.teaching.preferences import read_choice, read_usual
from daemon.imitation.english.teaching.prohibitions import as_strict, forbidden_in, read_untouched
from daemon.imitation.english.teaching.where_things_go import (
    read_asked_target,
    read_belongs,
    read_everything,
    read_kept_off,
    read_put,
    read_target,
)
from daemon.lexicon.inflection import stem
from daemon.lexicon.small_words import small_words
from daemon.memory.effects import Also, Choice, Closing, Effect
from daemon.memory.rules import EVERYWHERE, Scope
from daemon.names import spoken
from skills.scene import Scene, Thing


@dataclass(frozen=True)
class Said:
    """A sentence in front of a scene, after what was done before."""

    plain: str
    masked: Masked
    past: Sequence[Turn] = ()
    scoped: bool = False
    """Whether it is for one person alone."""

    @property
    def handed_over(self) -> bool:
        """Return whether what the sentence is about was just handed to a person."""
        made = [delivery for turn in self.past[-2:] for delivery in deliveries_in(turn)]
        things = [thing.name for one in self.masked.references for thing in _things_of(one, self.masked.scene)]
        return bool(made) and made[-1].handed_over and made[-1].object in things

    @property
    def last(self) -> str:
        """The token of the thing that was handled last; "" for none."""
        number = len(self.masked.references) - 1
        is_last = bool(self.masked.references) and self.masked.references[-1].end == 0
        return f"T{number}" if is_last else ""

    @property
    def last_way(self) -> tuple[str, str] | None:
        """Return from where to where something was carried last."""
        made = [delivery for turn in self.past[-3:] for delivery in deliveries_in(turn)]
        return (spoken(made[-1].source), spoken(made[-1].target)) if made else None

    @property
    def last_door(self) -> str:
        """Return what was opened last; "" for nothing."""
        opened = [
            step for turn in self.past[-3:] for step in turn.steps if step.called == "open_door" and not step.error
        ]
        match = re.search(r"['\"](.+?)['\"]", opened[-1].statement) if opened else None
        return spoken(match[1]) if match else ""


NOT_UNDERSTOOD = "I did not understand what is not to be. Say it in one short sentence: never bring, and the thing."
"""Asked instead of learning what may be the opposite."""


class Taught(NamedTuple):
    """What a sentence teaches."""

    effect: Effect
    time: str
    """When alone it is meant to hold, "in the evening"; "" for always."""
    person: str
    """For whom alone, other than who speaks, "Grandma"; "" for everybody."""


def lessons_in(text: str, scene: Scene, past: Sequence[Turn] = ()) -> list[Taught]:
    """Return what an utterance teaches in so many words, lesson by lesson; empty where it only points at what happened.

    `past` are the turns before it, for what "it" and "that way" mean. A prohibition that is not read to its last word
    is taken as strictly as it may be meant. Raises NoLesson for something that may not be learned, with the reason.
    """
    strict = forbidden_in(text, scene)
    forbidden = [Taught(strict[0], "", strict[1])] if strict else []
    try:
        plain = _plain_lessons(text, scene, past)
    except Unclear:
        if forbidden:
            return forbidden
        raise
    drops_person = any(lesson.person for lesson in forbidden) and not any(lesson.person for lesson in plain)
    return forbidden if drops_person or not plain else plain


def _plain_lessons(text: str, scene: Scene, past: Sequence[Turn]) -> list[Taught]:
    """Return the lessons of known forms. Raises Unclear where one may be the opposite of what was said."""
    first = _found_in(text, scene, past)
    if first is None:
        return []
    found = [first]
    after = text.partition(first[1])[2]
    for said in parts_said(after, scene):
        effect = _taught_by(said, scene, past)
        if effect is not None and not any(_same(effect, known) for known, _ in found):
            found.append((effect, said))
    effects, things = [effect for effect, _ in found], [spoken(thing.name) for thing in scene.objects]
    if any(contradicts(effect, text, names_in(scene)) for effect in effects) or leaves_out(effects, text, things):
        raise Unclear(NOT_UNDERSTOOD)
    if any(len(_unread(effect, said, scene)) > UNREAD.get(type(effect), math.inf) for effect, said in found):
        raise Unclear(NOT_UNDERSTOOD)
    found = [(as_strict(effect, text), said) for effect, said in found]
    return [Taught(effect, habitual_time(said)[0], meant_for(said)[0]) for effect, said in found]


def names_in(scene: Scene) -> list[str]:
    """The names that a sentence may use: things, places, kinds of things."""
    kinds = {thing.category for thing in scene.objects} - {""}
    names = [*(thing.name for thing in scene.objects), *(place.name for place in scene.locations)]
    return [*map(spoken, names), *kinds]


def _unread(effect: Effect, said: str, scene: Scene) -> set[str]:
    """The words that a lesson makes nothing of: they may turn it round."""
    read = f"{effect.sentence} {' '.join(names_in(scene))}".lower()
    small = small_words("names nothing") - small_words("may turn a choice")
    known = {stem(word) for word in _WORDS.findall(read)} | small | small_words("tells a choice")
    return {word for word in _WORDS.findall(said.lower()) if word not in known and stem(word) not in known}


UNREAD: Mapping[type[Effect], int] = {Choice: 0, Also: 7}
"""So many words a lesson may make nothing of. Of strangers' lessons that were read rightly one had six; one that
was read as its opposite had eight."""
_WORDS = re.compile(r"[\w']+")


def _same(one: Effect, other: Effect) -> bool:
    """Return whether two lessons of one utterance are the same in other words."""
    if isinstance(one, Also) and isinstance(other, Also):
        return {one.bring, one.scope.object} == {other.bring, other.scope.object} or one.about == other.about
    return one.sentence == other.sentence


def taught(text: str, scene: Scene, past: Sequence[Turn] = ()) -> Effect | None:
    """The same, but for whom and when."""
    found = _found_in(text, scene, past) or forbidden_in(text, scene)
    return found[0] if found else None


def _found_in(text: str, scene: Scene, past: Sequence[Turn]) -> tuple[Effect, str] | None:
    """The effect, and the sentence that teaches it."""
    whole = with_nouns(" ".join(text.replace("’", "'").split()), scene)
    parts = with_antecedents(with_persons(sentences(whole)), scene)
    for said in whole_sentences(whole):
        if (effect := _conditional(said, scene, whole)) is not None:
            return effect, said
    for said in dict.fromkeys((*parts, whole)):
        if (effect := _taught_by(said, scene, past)) is not None:
            return effect, said
    guesses = ((_guessed(said, scene, past), said) for said in parts)
    return next(((effect, said) for effect, said in guesses if effect is not None), None)


def parts_said(text: str, scene: Scene) -> list[str]:
    """Return what an utterance says, part by part; a condition stays with all its consequences."""
    return [
        part
        for sentence in whole_sentences(text)
        for part in ([sentence] if _conditional(sentence, scene, text) is not None else sentences(sentence))
    ]


def _conditional(sentence: str, scene: Scene, whole: str) -> Effect | None:
    time, plain = habitual_time(for_everybody(sentence))
    person, plain = meant_for(plain)
    lasting = bool(TEACHING.search(whole) or _EVERY.search(whole))
    return read_condition(plain, scene, bool(time or person), lasting)


def _guessed(sentence: str, scene: Scene, past: Sequence[Turn]) -> Effect | None:
    bare = habitual_time(sentence)[1]
    said = Said(bare, masked(bare, scene, _last_handled(past)), past)
    return guessed(said.masked, said.last, past[-1].utterance if past else "")


def _taught_by(sentence: str, scene: Scene, past: Sequence[Turn]) -> Effect | None:
    time, said_by_all = habitual_time(for_everybody(sentence).rstrip(" .!?"))
    person, plain = meant_for(said_by_all)
    if person and (effect := _taught_plainly(plain, scene, past, time, scoped=True)) is not None:
        return effect
    return _taught_plainly(said_by_all, scene, past, time)


def _taught_plainly(plain: str, scene: Scene, past: Sequence[Turn], time: str, scoped: bool = False) -> Effect | None:
    for bold in (False, True):
        heard = well_heard(plain, scene, bold=bold) if bold or TEACHING.search(well_heard(plain, scene)) else plain
        forms = (heard, _LASTING.sub("", heard)) if time else (heard,)
        for form in dict.fromkeys((*forms, without_asides(heard))):
            said = Said(form, masked(form, scene, _last_handled(past)), past, scoped)
            for reader in _READERS:
                if (effect := reader(said)) is not None:
                    return effect
        if not TEACHING.search(plain):
            return None
    return None


def teaches(text: str, scene: Scene, past: Sequence[Turn] = ()) -> Effect | bool | None:
    """The effect that a sentence teaches, True for one that may not be learned, None for any other sentence."""
    try:
        return taught(text, scene, past)
    except NoLesson:
        return True


def _last_handled(past: Sequence[Turn]) -> str:
    made = [delivery for turn in past[-3:] for delivery in deliveries_in(turn)]
    return made[-1].object if made else ""


def _things_of(one: Reference, scene: Scene) -> Sequence[Thing]:
    scope = Scope(object_class=one.category, look=one.look)
    return one.things or ([thing for thing in scene.objects if is_in(thing, scope)] if scope != EVERYWHERE else [])


def _closing(said: Said) -> Effect | None:
    return Closing() if _CLOSE.search(said.plain) else None


_EVERY = re.compile(r"\b(?:every|each) \w+", re.IGNORECASE)
_LASTING = re.compile(r"^from now on, ")
_CLOSE = re.compile(
    r"\b(?:forgot to|did ?n.t|always|have to|should|must|next time|never forget to|remember "
    r"to)\b.{0,30}?\b(?:close|shut)\b"
    r"|\b(?:never|(?:do)?n't (?:ever )?|do not|not)\b.{0,20}?\bleave\b.{0,30}?\bopen\b.{0,12}(?:again|any ?more|$)"
    r"|\byou (?:left|leave)\b.{0,30}?\bopen\b"
    r"|\b(?:close|shut)\b.{0,40}\b(?:always|every time|from now on|next time|in (?:the )?future|after you|when "
    r"you (?:are )?done)\b",
    re.IGNORECASE,
)
_READERS: tuple[Callable[[Said], Effect | None], ...] = (
    lambda said: read_name_of_deed(said.plain, said.past[-1] if said.past else None),
    lambda said: read_definition(said.plain, said.masked.scene, said.past[-1].utterance if said.past else ""),
    lambda said: read_speed(said.masked, said.last_way),
    lambda said: read_carry(said.masked, said.last),
    lambda said: read_hold(said.masked, said.last),
    lambda said: read_pull(said.masked, said.last_door),
    lambda said: read_pace(said.masked, said.last_door),
    lambda said: read_fact(said.masked),
    lambda said: read_kept_off(said.masked),
    lambda said: read_untouched(said.masked),
    lambda said: read_alone(said.masked),
    lambda said: read_together(said.masked) if CUED.search(said.plain) else None,
    lambda said: read_further_step(said.masked),
    lambda said: read_along(said.masked, said.last, said.past[-1].utterance if said.past else ""),
    lambda said: read_choice(said.masked),
    lambda said: read_asked_target(said.masked),
    lambda said: read_everything(said.masked) if said.scoped else None,
    lambda said: read_belongs(said.masked),
    lambda said: read_put(said.masked, said.last, said.handed_over),
    lambda said: read_target(said.masked),
    lambda said: read_usual(said.masked),
    _closing,
    lambda said: read_routine(said.plain, said.masked.scene),
)
"""Each kind of lesson, the most particular forms of speech first."""
