"""From what a person says when they teach to the effect that they mean.

Nothing is guessed about particular things: names come from the scene, and kinds of things are the scene's own. Each
reader knows one kind of lesson by its forms of speech; the first that understands the sentence is believed, and what
it understood is said back before anything is kept.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from daemon.console.along import read_along, read_together
from daemon.console.asides import without_asides
from daemon.console.conditions import read_condition
from daemon.console.corrections import ASKED, TEACHING
from daemon.console.definitions import read_definition, read_routine
from daemon.console.deliveries import deliveries_in
from daemon.console.for_whom import for_everybody, meant_for
from daemon.console.further_step import read_further_step
from daemon.console.guess import guessed
from daemon.console.history import Turn
from daemon.console.look import with_nouns
from daemon.console.misheard import well_heard
from daemon.console.no_lesson import NoLesson
from daemon.console.parameters import read_carry, read_hold, read_pace, read_pull, read_speed
from daemon.console.references import ARTICLE, Masked, masked
from daemon.console.sentences import sentences, whole_sentences
from daemon.console.when import habitual_time
from daemon.memory.effects import Belongs, Choice, Closing, Effect, Fact, KeptOff, Meaning, Target
from daemon.names import called, head, spoken
from skills.scene import Scene


@dataclass(frozen=True)
class Said:
    """A sentence in front of a scene, after what was done before."""

    plain: str
    masked: Masked
    past: Sequence[Turn] = ()

    @property
    def last(self) -> str:
        """The token of the thing that was handled last; "" for none."""
        number = len(self.masked.references) - 1
        is_last = bool(self.masked.references) and self.masked.references[-1].end == 0
        return f"T{number}" if is_last else ""

    @property
    def last_way(self) -> tuple[str, str] | None:
        """From where to where something was carried last."""
        made = [delivery for turn in self.past[-3:] for delivery in deliveries_in(turn)]
        return (spoken(made[-1].source), spoken(made[-1].target)) if made else None

    @property
    def last_door(self) -> str:
        """What was opened last; "" for nothing."""
        opened = [
            step for turn in self.past[-3:] for step in turn.steps if step.called == "open_door" and not step.error
        ]
        match = re.search(r"['\"](.+?)['\"]", opened[-1].statement) if opened else None
        return spoken(match[1]) if match else ""


class Taught(NamedTuple):
    """What a sentence teaches."""

    effect: Effect
    time: str
    """When alone it is meant to hold, "in the evening"; "" for always."""
    person: str
    """For whom alone, other than who speaks, "Grandma"; "" for everybody."""


def taught_in(text: str, scene: Scene, past: Sequence[Turn] = ()) -> Taught | None:
    """What a sentence teaches in so many words; None where it only points at what happened.

    `past` are the turns before it, for what "it" and "that way" mean. Raises NoLesson for something that may not be
    learned, with the reason.
    """
    found = _found_in(text, scene, past)
    return Taught(found[0], habitual_time(found[1])[0], meant_for(found[1])[0]) if found else None


def taught(text: str, scene: Scene, past: Sequence[Turn] = ()) -> Effect | None:
    """The same, but for whom and when."""
    found = _found_in(text, scene, past)
    return found[0] if found else None


def _found_in(text: str, scene: Scene, past: Sequence[Turn]) -> tuple[Effect, str] | None:
    """The effect, and the sentence that teaches it."""
    whole = with_nouns(" ".join(text.replace("’", "'").split()), scene)
    parts = sentences(whole)
    for said in whole_sentences(whole):
        if (effect := _conditional(said, scene, whole)) is not None:
            return effect, said
    for said in dict.fromkeys((*parts, whole)):
        if (effect := _taught_by(said, scene, past)) is not None:
            return effect, said
    guesses = ((_guessed(said, scene, past), said) for said in parts)
    return next(((effect, said) for effect, said in guesses if effect is not None), None)


def parts_said(text: str, scene: Scene) -> list[str]:
    """What an utterance says, part by part; a condition stays with all its consequences."""
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
    if person and (effect := _taught_plainly(plain, scene, past, time)) is not None:
        return effect
    return _taught_plainly(said_by_all, scene, past, time)


def _taught_plainly(plain: str, scene: Scene, past: Sequence[Turn], time: str) -> Effect | None:
    for bold in (False, True):
        heard = well_heard(plain, scene, bold=bold) if bold or TEACHING.search(well_heard(plain, scene)) else plain
        forms = (heard, _LASTING.sub("", heard)) if time else (heard,)
        for form in dict.fromkeys((*forms, without_asides(heard))):
            said = Said(form, masked(form, scene, _last_handled(past)), past)
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


def _belongs(said: Said) -> Effect | None:
    for form in _BELONGS:
        match = form.search(said.masked.text)
        if match is None:
            continue
        token = match["token"]
        things = _USUALLY.sub("", match["things"].strip())
        if _SUCH.fullmatch(things):  # "papers, magazines, all that"
            things = next(reversed(re.findall(r"\b[TC]\d+\b", said.masked.text[: match.start("things")])), things)
        known = re.fullmatch(r"[TC]\d+", things)
        if known and _GOES_ON.search(said.masked.text) and not _CUED.search(said.masked.text):
            return None  # "the cup goes on the table" asks to put it there
        if known is None and (_NO_KIND.fullmatch(things) or re.search(r"\b[TCP]\d+\b", things)):
            return None
        if known:
            scope, _ = said.masked.scope(things)
            things = scope.which if scope.look else scope.object_class or scope.object
        return Belongs(ARTICLE.sub("", things), said.masked.place(token))
    return None


def _target(said: Said) -> Effect | None:
    match = _ASKED_TARGET.search(said.masked.text) or _TARGET.search(said.masked.text)
    if match is None or not _CUED.search(said.masked.text):
        return None
    scope, example = said.masked.scope(match["thing"])
    return Target(scope, said.masked.place(match["token"]), example)


def _fact(said: Said) -> Effect | None:
    for form, state in _FACTS:
        if match := form.search(said.masked.text):
            found = state or " ".join(match["state"].lower().split())
            return Fact(said.masked.place(match["token"]), found)
    return None


def _kept_off(said: Said) -> Effect | None:
    match = next((match for form in _KEPT_OFF if (match := form.search(said.masked.text))), None)
    if match is None:
        return None
    scope, _ = said.masked.scope(match["thing"])
    return KeptOff(scope, said.masked.place(match["token"]))


def _choice(said: Said) -> Effect | None:
    match = next((match for form in _CHOICES if (match := form.search(said.masked.text))), None)
    category = said.masked.category(match["thing"]) if match else ""
    return Choice(category, said.masked.thing(match["thing"])) if match and category else None


def _usual(said: Said) -> Effect | None:
    """ "I only take the decaf coffee": what a word means that may mean other things here too."""
    match = next((match for form in _TAKES if (match := form.search(said.masked.text))), None)
    things = said.masked.references[int(match["thing"][1:])].things if match else ()
    if len(things) != 1:
        return None
    word = head(things[0].name)
    several = sum(called(thing.name, word) for thing in said.masked.scene.objects) > 1
    if several:
        return Meaning(word, f"the {spoken(things[0].name)}")
    category = said.masked.category(match["thing"]) if match and _NOTHING_ELSE.search(said.plain) else ""
    return Choice(category, said.masked.thing(match["thing"])) if match and category else None


def _closing(said: Said) -> Effect | None:
    return Closing() if _CLOSE.search(said.plain) else None


_CUE = (
    r"(?:always|from now on|(?:in|for) (?:the )?future|next time|remember(?: to| that)?|every time|generally|as a rule)"
)
_CUED = re.compile(rf"\b(?:{_CUE}|{ASKED})\b", re.IGNORECASE)
_INTO = r"(?:in|on|into|onto|to|inside) (?P<token>P\d+)"
_THINGS = r"(?P<things>(?:\w+ )?\w+)"
_USUALLY = re.compile(r"\s+(?:always|usually|normally|generally|really|actually|rather|better)$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"^\W*(?:(?:and|so|please|no|ok|okay|well)\W+)*T\d+ (?:goes|go|should (?:be|go)) (?:in|on|into|onto|to|inside) "
    r"P\d+\W*$",
    re.IGNORECASE,
)
_SUCH = re.compile(r"(?:all |of )*(?:that|those|these)|the lot|so on|the like|such things", re.IGNORECASE)
_NO_KIND = re.compile(
    r"(?:\w+ )?(?:to|it|that|this|them|you|i|we|what|there|which|one|everything|something|then|now|next|also|just)"
    r"|(?:they|it|he|she|these|those)\b.*",
    re.IGNORECASE,
)
_BELONGS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:\W*(?:no|but|please|well|actually|sorry))*\W*(?:i|we) (?:always |would |'d )*(?:want|like|"
        rf"prefer) (?:to have |my |all )?"
        rf"(?P<things>(?!the |that |this |a |an |some |T\d)\w+(?: \w+)?) (?:to (?:be|go|lie|stand) )?{_INTO}$",
        rf"^(?:\W*(?:no|but|please|well|actually|sorry))*\W*(?:i|we) (?:always |would |'d )*prefer (?:to have |"
        rf"my |all )?"
        rf"{_THINGS} (?:to (?:be|go|lie|stand) )?{_INTO}",
        rf"(?:^|\b(?:the|all|my|that|and)\b|,|(?=\b[TC]\d))\s*{_THINGS} "
        rf"(?:always |really |actually |rather |better |usually )*"
        rf"(?:belongs?|goes|go|lives?|is kept|are "
        rf"kept|(?:should|must|have to|has to|ought to|is supposed to|are supposed to|is meant to|are meant to) "
        rf"(?:always |really |rather |better )*(?:go|live|stay|be(?: kept| put| stored| stowed)?)) {_INTO}",
        rf"\b{_CUE},? (?:please )?(?:put|keep|store|place|leave) (?:the |all |my )?{_THINGS} {_INTO}",
        rf"\b(?:put|keep|store|place|leave) (?:the |all |my )?{_THINGS} {_INTO},? (?:from now on|always|in "
        rf"(?:the )?future|every time)\b",
        r"(?P<things>[TC]\d+)'s (?:home|place|spot) is (?:always |now )?(?:(?:in|on|at) )?(?P<token>P\d+)",
        r"(?P<token>P\d+),? (?:that(?:'s| is)|is) (?:the|their|its) (?:home|place|spot)(?: for|,| of)? "
        r"(?P<things>[TC]\d+)\b",
        rf"\b{_INTO} is (?:the place )?(?:for|where) (?:the |my |all )?{_THINGS}(?: (?:belong|go|live|are kept|"
        rf"is kept))?$",
    )
)
_TARGET = re.compile(
    r"\b(?:bring|take|serve|deliver|carry|give|want|like|prefer|have|need) (?:me |us )?(?P<thing>[TC]\d+) "
    rf"(?:to (?:be |go )|always |right |served |delivered )*{_INTO.replace('|to|', '|to|at|over to|')}",
    re.IGNORECASE,
)
_ASKED_TARGET = re.compile(
    rf"\b{ASKED} (?:you )?(?:for |to bring |to get )?(?:me |us )?(?P<thing>[TC]\d+)\b[^.;!?]*?"
    r"\b(?:bring|take|put|place|serve|deliver|carry|give|hand|leave|set) (?:me |us )?(?:it|them|that|[TC]\d+) "
    rf"(?:down |over )?{_INTO.replace('|to|', '|to|at|')}",
    re.IGNORECASE,
)
_STATE = (
    r"(?P<state>full|broken|dirty|hot|wet|locked|occupied|in use|not working|out of order|out of use|jammed|"
    r"stuck|taken|reserved|"
    r"blocked|empty|free|clean|fixed|repaired)"
)
_P = r"(?P<token>P\d+)\b"
_FACTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), state)
    for pattern, state in (
        (rf"^\W*(?:no\W+|but |careful\W+|sorry\W+|remember that |note that |because )*{_P} (?:is|are) "
         rf"(?:already |still |now |"
         rf"completely |always |currently )*{_STATE}(?: again| already| now| at the moment)?$", ""),
        (rf"\b(?:no|not enough|not any) (?:more )?(?:space|room|place) (?:left |any ?more )?(?:on|in|at) {_P}", "full"),
        (rf"\b(?:nothing (?:more |else )?fits|does ?n.t fit|does not fit) (?:on|in|into|onto) {_P}", "full"),
        (rf"{_P},? (?:it|that|which|this)(?:'s| is) (?:already |still |now )?{_STATE}$", ""),
        (rf"\b(?:don't|do not|never|must not|mustn't) (?:put|place|leave|set) (?:any\w*|some\w*|things|stuff) "
         rf"(?:on|in|at|into) {_P}",
         "out of use"),
        (rf"{_P} (?:does ?n.t|does not|no longer) works?\b", "not working"),
        (rf"\b(?:you (?:can ?not|can't|must not|mustn't)|do(?:n't| not)|nobody can) use {_P}", "out of use"),
        (rf"\b(?:i|we) (?:have |just |already )*(?:emptied|cleared|fixed|repaired|cleaned|unlocked|freed) "
         rf"{_P}", "free"),
        (rf"\b(?:there is |again )?(?:space|room) (?:again )?(?:on|in) {_P}", "free"),
    )
)  # fmt: skip
_AT = r"(?:on|onto|in|into|at|near) (?P<token>P\d+)\b"
_KEPT_OFF = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|[:,.;!]\s*|\b(?:and|want|allow|like|be) )(?:no|never any) (?:more )?(?P<thing>[TC]\d+) "
        rf"(?:is |are |may be |to be )?(?:allowed |put |placed )?{_AT}",
        rf"\b(?:never|don't ever|do not ever) (?:again )?(?:put|place|leave|set|stand|bring) (?P<thing>[TC]\d+) "
        rf"(?:down )?{_AT}",
        rf"\b(?:don't|do not) (?:put|place|leave|set|stand) (?P<thing>[TC]\d+) (?:down )?{_AT} "
        r"(?:again|any ?more|ever)",
        r"\bkeep (?P<thing>[TC]\d+) (?:off|away from|out of) (?P<token>P\d+)",
        r"(?P<thing>[TC]\d+) (?:(?:must|should|may|can|is|are|do|does|has|have|ought)?\s?(?:never|not|n't|no) |"
        r"cannot |mustn't |"
        r"can't |isn't |aren't |doesn't |don't )(?:ever |again |to |allowed |permitted |business |be |put |"
        r"placed |left |stood )*"
        rf"(?:go |come |belong |stand |lie |sit |stay |to be )?{_AT}",
        rf"\bnothing (?P<thing>C\d+) (?:(?:may|can|should|must|is|are|ever|be|go|goes|to|put|allowed|placed|"
        r"stands?|lies?|belongs?|"
        rf"comes?|gets?) )*{_AT}",
    )
)
_THING = r"(?P<thing>T\d+)\b"
_CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:my|our) (?:favou?rite|preferred)(?: C\d+| kind of C\d+| thing)? is (?:always )?{_THING}",
        rf"{_THING} is (?:my|our) (?:favou?rite|preferred)\b",
        rf"\b(?:i|we) (?:like|love|prefer) {_THING} (?:the )?(?:best|most)\b",
        rf"\b(?:i|we) (?:always |usually )?prefer {_THING} (?:over|to|rather than|instead of) (?:T\d+|C\d+|all|any)",
    )
)
"""What somebody likes best is taken where any would do."""
_TAKE = r"(?:take|have|drink|want|eat|use|like|need|wear|read) (?P<thing>T\d+)(?=\W*$|[,.;!?]| (?:or|and|for|so)\b)"
_TAKES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:i|we)(?:'d| would)? (?:only|just|always)(?: ever)? {_TAKE}",
        rf"\bfrom now on, (?:i|we)(?:'d| would)? {_TAKE}",
    )
)
_NOTHING_ELSE = re.compile(r"\b(?:i|we)(?:'d| would)? only (?:ever )?(?:drink|eat|read|wear|take|use)\b", re.IGNORECASE)
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
    lambda said: read_definition(said.plain, said.masked.scene, said.past[-1].utterance if said.past else ""),
    lambda said: read_speed(said.masked, said.last_way),
    lambda said: read_carry(said.masked, said.last),
    lambda said: read_hold(said.masked, said.last),
    lambda said: read_pull(said.masked, said.last_door),
    lambda said: read_pace(said.masked, said.last_door),
    _fact,
    _kept_off,
    lambda said: read_together(said.masked) if _CUED.search(said.plain) else None,
    lambda said: read_further_step(said.masked),
    lambda said: read_along(said.masked, said.last, said.past[-1].utterance if said.past else ""),
    _choice,
    _belongs,
    _target,
    _usual,
    _closing,
    lambda said: read_routine(said.plain, said.masked.scene),
)
"""Each kind of lesson, the most particular forms of speech first."""
