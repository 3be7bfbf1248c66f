"""What a request means, with what was learned: a rule that applies here rewords the request, and is named.

"I want some juice" means "I want some juice and the cup" to a robot that was taught to bring a cup with a drink.
Every brain reads the reworded request below the utterance, so every brain follows the rules; and code, not a model,
decides where a rule applies: where its scope covers what is asked for, and nowhere else.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from daemon.console.deliveries import deliveries_in
from daemon.console.history import Turn
from daemon.console.reading import Understood, refusal
from daemon.imitation.english.clauses import polite
from daemon.imitation.english.clock_questions import told_by_clock
from daemon.imitation.english.memory_questions import read_care
from daemon.imitation.english.motion_corrections import fine_motion
from daemon.imitation.english.noun_phrases import masked, place_called
from daemon.imitation.english.paraphrase import done_with, plain_order, sorted_out
from daemon.imitation.english.past_deeds import carried_on, last_thing, no_other, pointed_back, read_past
from daemon.imitation.english.recipients import given_to_people, unknown_recipient
from daemon.imitation.english.rewording import ORDER, puts_where_never, reword, without
from daemon.imitation.english.scene_mentions import Situation, mentioned_places, there
from daemon.imitation.english.scene_questions import answer
from daemon.imitation.english.sentence_parts import sentences
from daemon.imitation.english.teaching.consent_answers import plainly_asks
from daemon.imitation.english.teaching.corrections import (
    CUED,
    POINTS_AT_A_LESSON,
    QUESTION,
    REJECTION,
    REMEMBER,
    TEACHING,
    read_correction,
)
from daemon.imitation.english.teaching.habitual_times import habitual_time
from daemon.imitation.english.teaching.lesson_reader import parts_said, teaches
from daemon.memory.effects import Also, Belongs, Closing, Effect, Fact, FurtherStep, Manner, Meaning, Routine
from daemon.memory.lesson import Lesson
from daemon.memory.prohibitions import KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.names import called, mention, spoken
from daemon.transcript import PARTS
from skills.scene import Scene

MISSED = re.compile(r"\b(forgot|missing|no|where is|without|lacks?|did ?n't bring)\b", re.IGNORECASE)
"""Something should be there already."""


PURPOSE = re.compile(
    r",? (?:because |since |so that |as )?i (?:want|need|would like|am going|have) to "
    r"(?!have\b|get\b)\w+ (?:it|them|that|this|one)\b.*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """A sentence in front of a scene, after what was said and done before, with the lessons that hold now."""

    text: str
    situation: Situation
    lessons: Sequence[Lesson] = ()
    past: Sequence[Turn] = ()

    @property
    def scene(self) -> Scene:
        return self.situation.scene

    @property
    def put_away(self) -> str:
        """ "I don't need the saw any more" asks to put it away, unless it only comes along by a lesson."""
        done = done_with(self.text)
        unasked = [e.bring for lesson in self.lessons if isinstance(e := lesson.rule.effect, Also)]
        return done if done and not any(mention(thing, self.text) for thing in unasked) else self.text


def interpret(text: str, situation: Situation, lessons: Sequence[Lesson], past: Sequence[Turn] = ()) -> Understood:
    """Understand an utterance after these turns, with these lessons: by the first of the readings that knows it."""
    said = Said(text, situation, lessons, past)
    return next(read for reading in READINGS if (read := reading(said)) is not None)


def about_memory_or_past(said: Said) -> Understood | None:
    """Read a question about what was learned or done, and a wish to forget, undo or repeat it."""
    care = "" if _teaches_anew(said.text, said.situation, said.past) else read_care(said.text, said.past)
    asked = care or read_past(said.text, said.scene, said.past)
    return Understood(said.text, asked) if asked else None


def a_small_motion(said: Said) -> Understood | None:
    """Read "a bit to the left"."""
    motion = fine_motion(said.text, said.scene, said.past)
    return Understood(said.text, said.text, statements=(motion, "say('Like this.')")) if motion else None


def a_question(said: Said) -> Understood | None:
    """Answer what the scene or the clock tells."""
    text = said.put_away
    told = no_other(text, said.scene, said.past) or answer(text, said.scene, said.past) or told_by_clock(text)
    return Understood(text, text, statements=(f"say({told!r})",)) if told else None


def a_correction_or_a_lesson(said: Said) -> Understood | None:
    """Read what is to be put right, what is to be learned, or both."""
    text = said.put_away
    asked_for = _corrected_or_taught(text, said.situation, said.past)
    if not asked_for:
        return None
    refused = (_refused(part, said.situation, said.lessons) for part in asked_for.split(PARTS))
    return next((one for one in refused if one), None) or Understood(text, asked_for)


def an_unknown_routine(said: Said) -> Understood | None:
    """Ask about a name like that of a routine that was taught, but unknown."""
    text = said.put_away
    unknown = _unknown_routine(text, said.scene, said.lessons)
    if not unknown:
        return None
    return Understood(text, text, statements=(f"say({f'What is the {unknown}? Tell me what belongs to it.'!r})",))


def a_request(said: Said) -> Understood:
    """Read everything else: in plain words, and as what was learned has it."""
    text = said.put_away
    whole = given_to_people(pointed_back(text, said.scene, said.past), said.scene)
    meaning = carried_on(plain_order(whole, said.scene), said.scene, said.past)
    if QUESTION.search(text) or TEACHING.search(text):
        return Understood(text, _without_purpose(meaning))
    return _with_lessons(text, meaning, said.situation, said.lessons)


READINGS: tuple[Callable[[Said], Understood | None], ...] = (
    about_memory_or_past,
    a_small_motion,
    a_question,
    a_correction_or_a_lesson,
    an_unknown_routine,
    a_request,
)
"""In the order in which they are tried; the last one knows every sentence."""


def _with_lessons(text: str, meaning: str, situation: Situation, lessons: Sequence[Lesson]) -> Understood:
    """A request as what was learned has it."""
    effects = [(lesson, effect) for lesson in lessons if (effect := lesson.rule.effect)]
    if refusal_of_all := _refused(meaning, situation, lessons):
        return replace(refusal_of_all, text=text, meaning=text)
    applied: list[Lesson] = []
    missing: list[str] = []
    refused: list[Never | Untouched] = []
    for lesson, effect in effects:
        if isinstance(effect, Never | Untouched) and (allowed := without(meaning, effect, situation)) != meaning:
            applied.append(lesson)
            refused.append(effect)
            meaning = allowed
    deeds = tuple(one.deed for one in refused)
    if not meaning:
        return Understood(text, text, tuple(applied), statements=tuple(map(refusal, deeds)))
    never = {one.thing if isinstance(one, Never) else one.scope.object for one in refused}
    never |= {effect.bring for _, effect in effects if isinstance(effect, OnlyWhenAsked)}
    for kind in ORDER:
        for lesson, effect in effects:
            if not isinstance(effect, kind) or (isinstance(effect, Also) and effect.bring in never):
                continue
            reworded, lacking = reword(meaning, effect, situation)
            missing += lacking
            if reworded != meaning or lacking:
                meaning = plain_order(reworded, situation.scene) if kind is Meaning else reworded
                applied.append(lesson)
    if told := unknown_recipient(meaning, situation.scene):  # not before: a lesson may tell what the word means
        return Understood(text, text, tuple(applied), statements=(f"say({told!r})",))
    return Understood(text, _without_purpose(meaning), tuple(applied), tuple(missing), deeds)


def _refused(request: str, situation: Situation, lessons: Sequence[Lesson]) -> Understood | None:
    """A request to put something where it is never to be; None for any other."""
    for lesson in lessons:
        effect = lesson.rule.effect
        if isinstance(effect, KeptOff) and puts_where_never(request, effect, situation):
            told = f"say({f'You told me never to put {effect.scope.which} on the {effect.place}.'!r})"
            return Understood(request, request, (lesson,), statements=(told,))
    return None


def _corrected_or_taught(text: str, situation: Situation, past: Sequence[Turn]) -> str:
    """Return what a correction asks for now, and whether to remember it; "" for a sentence that is neither."""
    if apart := _said_apart(text, situation, past):
        return apart
    if _TIDYING.match(polite(text)) and sorted_out(text, situation.scene):
        return ""
    effect = teaches(text, situation.scene, past)
    correction = read_correction(text)

    def is_place(phrase: str) -> bool:
        return place_called(phrase, situation.scene) is not None

    told_now = correction and correction.instruction and not teaches(correction.instruction, situation.scene, past)
    if correction and (effect is None or (told_now and not isinstance(effect, _SAID_WITH_NO))):
        meant = correction.meaning(last_thing(past), past[-1].utterance if past else "", is_place)
        return PARTS.join(plain_order(part, situation.scene) for part in meant.split(PARTS))
    if effect:
        now = "" if effect is True else _to_do_now(text, effect, situation, past)
        return PARTS.join(filter(None, [now, REMEMBER]))
    if POINTS_AT_A_LESSON.search(text) and not QUESTION.search(text):
        request = re.split(
            r"[,;]? (?:and|but) (?=(?:please )?(?:remember|keep|learn|memori|next time|from now))", text
        )[0]
        return f"{request}{PARTS}{REMEMBER}" if plainly_asks(request) and request != text else REMEMBER
    return ""


def _teaches_anew(text: str, situation: Situation, past: Sequence[Turn]) -> bool:
    """ "Scratch that. The saw lives on the rack from here on": the new lesson takes the old one's place.

    A part that only names again what is to be forgotten teaches nothing anew.
    """
    for part in sentences(text)[1:]:
        effect = teaches(part, situation.scene, past)
        brought = getattr(effect, "bring", "")
        if effect not in (None, True) and not (brought and _FORGETTING.search(text) and isinstance(effect, Also)):
            return True
    return False


def _said_apart(text: str, situation: Situation, past: Sequence[Turn]) -> str:
    """The same for several sentences, of which one teaches, others ask for something now, and the rest are remarks.

    "" where no sentence teaches by itself, or none of them asks for anything.
    """
    apart = parts_said(text, situation.scene)
    parts = [part for sentence in apart for part in _order_and_lesson(sentence, situation, past)]
    if len(parts) < 2:
        return ""
    effects = [teaches(part, situation.scene, past) for part in parts]
    taught = next((effect for effect in effects if effect), None)
    orders = [
        order
        for part, effect in zip(parts, effects, strict=True)
        if not (effect or CUED.search(part)) and (order := _order_in(part) or _wish_in(part, situation.scene))
    ]
    if isinstance(taught, Meaning) and not orders:
        rest = [_LEAD.sub("", part) for part, effect in zip(parts, effects, strict=True) if not effect]
        rest = [part for part in rest if not habitual_time(part)[0]]
        orders = [reword(part, taught, situation)[0] for part in rest if mention(taught.word, part)]
    if taught is None or not orders:
        return ""
    put_right = "" if taught is True else _to_do_now(text, taught, situation, past)
    if put_right and all(_POINTS.search(order) for order in orders):
        orders = [put_right]
    named = {spoken(place.name) for _, place in mentioned_places(text, situation.scene)}
    if len(named) == 1 and not isinstance(taught, Belongs):
        orders = [_put_there(order, *named) for order in orders]
    if isinstance(taught, Belongs):
        where = there(taught.place, situation.scene)
        put = f"put the {taught.things} {where}"
        orders = [_OVER.sub(put, _THERE.sub(where, order)) for order in orders]
        orders = [_POINTS.sub(f"the {taught.things}", order, count=1) for order in orders]
    if isinstance(taught, Meaning):
        orders = [_as_meant(order, taught, situation) for order in orders]
    return PARTS.join([*(plain_order(order, situation.scene) for order in orders), REMEMBER])


def _as_meant(order: str, taught: Meaning, situation: Situation) -> str:
    """An order beside the explanation of a word, which it has, or points at: "it's called Rudi. Bring Rudi." """
    if mention(taught.word, order):
        return reword(order, taught, situation)[0]
    is_thing = re.match(r"(?:the|my|our) ", taught.phrase)
    return _POINTS.sub(taught.phrase, order) if is_thing else taught.phrase


def _put_there(order: str, place: str) -> str:
    """An order with the place that it points at: "get the rag over there" puts it on the table."""
    pointed = _THERE.sub(f"on the {place}", order)
    return order if pointed == order else _BRING_THERE.sub(r"put \g<what> ", pointed)


def _order_and_lesson(sentence: str, situation: Situation, past: Sequence[Turn]) -> list[str]:
    """ "Put it on the rack, the saw always goes there" is an order, and a lesson that stands by itself."""
    pieces = sentence.split(", ")
    if len(pieces) < 2 or not teaches(sentence, situation.scene, past):
        return [sentence]
    for cut in range(len(pieces) - 1, 0, -1):
        order, lesson = ", ".join(pieces[:cut]), ", ".join(pieces[cut:])
        if _order_in(order) and teaches(lesson, situation.scene, past):
            return [order, lesson]
        if _order_in(order) and re.search(r"\bthere\b", lesson) and not teaches(order, situation.scene, past):
            return [order, sentence]
    return [sentence]


def _order_in(part: str) -> str:
    """Return what a part of an utterance asks to be done now; "" for a remark."""
    rejection = REJECTION.match(part)
    bare = _YOU.sub("", _TAG.sub("", part[rejection.end() :] if rejection else part))
    bare = _INSTEAD.sub("", _GO_ON.sub("", polite(bare)))
    if _ORDERS.match(bare):
        return bare
    remark, comma, rest = bare.partition(", ")  # "off with it, put it on the sill"
    return (
        polite(rest)
        if comma and _ORDERS.match(polite(rest)) and not rest.lower().startswith("look") and not _ORDERS.search(remark)
        else ""
    )


_FORGETTING = re.compile(
    r"\b(?:forget|forgotten|drop|scrap|scratch|stop)\b.{0,30}\b(?:that|thing|rule|about)\b", re.IGNORECASE
)
_TIDYING = re.compile(r"(?:tidy|clear|clean|sort)\b", re.IGNORECASE)


def _wish_in(part: str, scene: Scene) -> str:
    """ "Gloves, please" asks to bring them."""
    said = masked(part, scene)
    match = _PLEASE.fullmatch(said.text)
    return f"bring me the {said.thing(match['thing'])}" if match and said.thing(match["thing"]) else ""


_PLEASE = re.compile(r"(?P<thing>T\d+),?(?: instead| now)?,? (?:please|pls|now)\W*", re.IGNORECASE)
_ORDERS = re.compile(
    r"(?:bring|give|get|fetch|hand|pass|find|show|put|place|take|move|carry|go|come|drive|open|close|look|clean|set|"
    r"leave|lay|stack|tidy|clear|do)\b(?!\W*$)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r",? (?:instead|rather|now|right now|at once)$", re.IGNORECASE)
_NOW_TOO = re.compile(r"\b(?:do (?:it|that|so)|now as well|this time)\b.*\b(?:now|too|already|today)\b", re.IGNORECASE)
_SAID_WITH_NO = (Also, FurtherStep, KeptOff, Never, OnlyWhenAsked)
"""Lessons that may begin with "no" and reject nothing: "no drinks on the desk", "no tea without a cup"."""
_LEAD = re.compile(r"^\W*(?:(?:so|and|now|well|then)\b\W*)+", re.IGNORECASE)
_OVER = re.compile(
    r"^(?:take|move|carry|bring|put) (?:it|them|that|those)(?: (?:across|over|along|back))?$", re.IGNORECASE
)
_THERE = re.compile(r"\b(?:(?:over|on|in|down) )*there\b", re.IGNORECASE)
_GO_ON = re.compile(r"^(?:go on(?: then)?|go ahead|go and|come on)\b[\s,]*(?=\w)", re.IGNORECASE)
_TAG = re.compile(r",? (?:yes|okay|ok|right|all right|alright|will you|would you|won't you)\?$", re.IGNORECASE)
_YOU = re.compile(
    r"^\W*(?:and |so |now )?you (?=(?:bring|give|get|fetch|hand|put|place|take|move|carry|set|lay)\b)", re.IGNORECASE
)
"""As people order who learn the language: "you carry it there now, yes?"."""
_BRING_THERE = re.compile(r"^(?:bring|get|fetch|take|carry) (?P<what>.+?) (?:over )?(?=on the \w)", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:(?:that|this) one|it|that|them|one|this|some)\b", re.IGNORECASE)


def _unknown_routine(text: str, scene: Scene, lessons: Sequence[Lesson]) -> str:
    """A name like that of a routine that was taught, "the Anna salad" beside "the Ben salad", but unknown; or ""."""
    routines = [e.name for lesson in lessons if isinstance(e := lesson.rule.effect, Routine)]
    for noun in {name.split()[-1] for name in routines if " " in name}:
        match = re.search(rf"\bthe (\w+ {re.escape(noun)})\b", text, re.IGNORECASE)
        name = match[1] if match else ""
        here = any(called(thing.name, name) for thing in scene.objects)
        if name and not here and name.lower() not in [known.lower() for known in routines]:
            return name
    return ""


def _to_do_now(text: str, effect: Effect, situation: Situation, past: Sequence[Turn]) -> str:
    """Return what a taught effect changes about the last request, where it is still to be put right; else nothing."""
    if isinstance(effect, Closing):
        open_now = [place for _, place in mentioned_places(text, situation.scene) if place.door == "open"]
        return f"close the {spoken(open_now[0].name)}" if open_now else ""
    if isinstance(effect, FurtherStep):
        return effect.step if _NOW_TOO.search(text) else ""
    if isinstance(effect, Also) and MISSED.search(text):
        last = [delivery for turn in past[-3:] for delivery in deliveries_in(turn)]
        if last and not any(called(delivery.object, effect.bring) for delivery in last):
            where = "me" if last[-1].handed_over else f"to the {spoken(last[-1].target)}"
            return f"bring me the {effect.bring}" if where == "me" else f"bring the {effect.bring} {where}"
        return ""
    if isinstance(effect, Belongs) and past and teaches(past[-1].utterance, situation.scene) is not None:
        handled = last_thing(past)
        return (
            f"put the {handled} {there(effect.place, situation.scene)}"
            if handled and called(effect.things, handled)
            else ""
        )
    if past and isinstance(effect, Belongs | Fact):
        again = reword(past[-1].utterance, effect, situation)[0]
        return again if again != past[-1].utterance else ""
    return ""


def _without_purpose(text: str) -> str:
    """ "Get me the cereals, I want to put it on the shelf" asks for the cereals; the rest the person will do."""
    match = PURPOSE.search(text)
    return text[: match.start()] if match and len(text[: match.start()].split()) > 2 else text


def applies(lesson: Lesson, text: str, situation: Situation) -> bool:
    """Return whether the example of a lesson may be shown for a request that its rule does not reword."""
    effect = lesson.rule.effect
    if isinstance(effect, Manner):
        return True
    return effect is None and situation.covered_by(lesson.rule.scope, text)
