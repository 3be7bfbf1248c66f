"""From what a person says when they teach to the effect that they mean. A table of the forms people use.

Nothing is guessed about particular things: names come from the scene, and kinds of things are the scene's own.
"""

import re
from collections.abc import Callable

from daemon.memory.effects import (
    HIGH_PLACE,
    Also,
    Belongs,
    Closing,
    Effect,
    Fact,
    Meaning,
    OnlyWhenAsked,
    Routine,
    Speed,
)
from daemon.memory.rules import Scope
from daemon.names import called, forms, head, mention, spoken
from skills.navigation import MOST
from skills.scene import Scene, Thing


class NoLesson(Exception):
    """There is nothing to learn here; the message says so to the person."""


FASTER = 2.0
SLOWER = 0.5
"""Times the normal speed, where nobody says how much."""
A_WAY = re.compile(
    r"\b(route|way|path|when(ever)? (you )?\w+|always|from now on|remember|learn|next time|"
    r"(can|may|should|must) (go|drive|move))\b",
    re.IGNORECASE,
)
"""Words that speak of a way as such; without them, "quickly, from the table to the sink" is a request."""
TIMES = {"twice": 2.0, "double": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0, "half": 0.5, "two": 2.0}
ARTICLE = re.compile(r"^(?:the|a|an|some|any|every|each|my|your|our|all)\s+", re.IGNORECASE)
POLITE_END = re.compile(
    r"\b(please|right ?away|as well|too|without .*|unasked|for me|again|from now on|next time)\b.*$", re.IGNORECASE
)


def taught(text: str, scene: Scene) -> Effect | None:
    """The effect that a sentence teaches in so many words; None where it only points at what happened.

    Raises NoLesson for something that may not be learned, with the reason.
    """
    plain = " ".join(text.replace("’", "'").split()).rstrip(" .!?")
    for pattern, make in _FORMS:
        match = pattern.search(plain)
        effect = make(match, scene) if match else None
        if effect is not None:
            return effect
    return None


def teaches(text: str, scene: Scene) -> Effect | bool | None:
    """The effect that a sentence teaches, True for one that may not be learned, None for any other sentence."""
    try:
        return taught(text, scene)
    except NoLesson:
        return True


def thing_called(phrase: str, scene: Scene) -> str | None:
    """The word by which a rule names the thing of this phrase; None for nothing in the scene."""
    bare = ARTICLE.sub("", phrase.strip())
    found = [thing for thing in scene.objects if called(thing.name, bare) or bare.lower() in thing.aliases]
    return word_for(found[0], scene) if found else None


def word_for(thing: Thing, scene: Scene) -> str:
    """The shortest way to call a thing that means no other thing here."""
    for form in reversed(forms(thing.name)):
        if sum(called(other.name, form) for other in scene.objects) == 1:
            return form
    return spoken(thing.name)


def scope_called(phrase: str, scene: Scene) -> tuple[Scope, str] | None:
    """The scope that a phrase names, and an example of its class: a category, a thing, a place, or a high place."""
    bare = ARTICLE.sub("", phrase.strip())
    if re.search(r"\b(high|tall|upper|reach up)\b", bare, re.IGNORECASE):
        return Scope(place=HIGH_PLACE), ""
    for category in {thing.category for thing in scene.objects if thing.category}:
        if called(category, bare):
            example = next(word_for(thing, scene) for thing in scene.objects if thing.category == category)
            return Scope(object_class=category), example
    if name := thing_called(bare, scene):
        return Scope(object=name), ""
    for place in scene.locations:
        if place_called(bare, scene) == spoken(place.name):
            return Scope(place=spoken(place.name)), ""
    return None


def place_called(phrase: str, scene: Scene) -> str | None:
    """What the robot calls the place of this phrase; "bench" may be the end of "workbench"."""
    bare = ARTICLE.sub("", phrase.strip()).lower()
    for place in scene.locations:
        if called(place.name, bare) or bare in place.aliases:
            return spoken(place.name)
    ending = [place for place in scene.locations if len(bare) > 3 and head(place.name).endswith(bare)]
    return spoken(ending[0].name) if len(ending) == 1 else None


def _along(match: re.Match[str], scene: Scene) -> Effect | None:
    """Always bring A with B."""
    bring = thing_called(POLITE_END.sub("", match["bring"]), scene)
    when = scope_called(POLITE_END.sub("", match["when"]), scene)
    if bring is None or when is None:
        return None
    return Also(when[0], bring, example=when[1])


def _meaning(match: re.Match[str], scene: Scene) -> Effect | None:
    word = match["word"].strip(" \"',")
    phrase = re.sub(r"^(that )?(you should |you must |you to |you |to )?", "", match["phrase"].strip(" \"',"))
    return Meaning(word, phrase) if word and phrase else None


def _speed(match: re.Match[str], scene: Scene) -> Effect | None:
    text = match.string
    start, end = place_called(match["start"], scene), place_called(match["end"], scene)
    changed = re.search(r"\b(fast(er)?|quick(er|ly)?|slow(er|ly)?|speed)\b", text, re.IGNORECASE)
    if start is None or end is None or not changed or not A_WAY.search(text):
        return None
    factor = _factor(text)
    if factor > MOST:
        raise NoLesson(
            f"I will not learn that: {MOST:g} times my normal speed is my limit, and nobody can teach me to exceed it."
        )
    return Speed(start, end, factor)


def _factor(text: str) -> float:
    if times := re.search(r"\b(\d+(?:\.\d+)?|\w+)(?: times|\s?x\b| as fast)", text, re.IGNORECASE):
        said = times[1].lower()
        known = float(said) if said[0].isdigit() else TIMES.get(said)
        if known is not None:
            return known
    if said := next(
        (word for word in ("twice", "double", "half") if re.search(rf"\b{word}\b", text, re.IGNORECASE)), None
    ):
        return TIMES[said]
    return SLOWER if re.search(r"\bslow", text, re.IGNORECASE) else FASTER


def _never(match: re.Match[str], scene: Scene) -> Effect | None:
    bring = thing_called(POLITE_END.sub("", match["bring"]), scene)
    return OnlyWhenAsked(bring) if bring else None


def _belongs(match: re.Match[str], scene: Scene) -> Effect | None:
    place = place_called(match["place"], scene)
    things = match["things"].strip()
    if place is None or re.match(r"(to\b.*|it|that|this|them|you|i|we)$", things, re.IGNORECASE):
        return None
    if match["verb"].lower() in ("want", "like", "prefer") and re.match(
        r"(the|that|this|a|an|some)\b", things, re.IGNORECASE
    ):
        return None  # "I want the juice on the table" is a request
    scope = scope_called(things, scene)
    return Belongs(scope[0].object_class or scope[0].object if scope else ARTICLE.sub("", things), place)


def _fact(match: re.Match[str], scene: Scene) -> Effect | None:
    place = place_called(match["place"], scene)
    return Fact(place, match["state"].lower()) if place else None


def _closing(match: re.Match[str], scene: Scene) -> Effect | None:
    return Closing()


def _emptied(match: re.Match[str], scene: Scene) -> Effect | None:
    place = place_called(match["place"], scene)
    return Fact(place, "free") if place else None


def _routine(match: re.Match[str], scene: Scene) -> Effect | None:
    name, content = match["name"], match["content"]
    parts = re.search(r"\d|\b(one|two|three|four|five|six|and|then|with|a|an)\b", content, re.IGNORECASE)
    names_something = place_called(name, scene) or any(called(thing.name, name) for thing in scene.objects)
    if parts is None or names_something or re.match(r"(in|on|at|under|to|that|which|not)\b", content, re.IGNORECASE):
        return None
    return Routine(name, content)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Scene], Effect | None]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (
            r"\b(?:when(?:ever)?|if) (?:i|we) say (?P<word>.+?)\W+(?:(?:i|we|it) (?:mean|want)s?|"
            r"you should)\b (?P<phrase>.+)",
            _meaning,
        ),
        (r"\b(?:by|with) (?P<word>['\"]?\w[\w ]*?['\"]?),? (?:i|we) mean (?P<phrase>.+)", _meaning),
        (r"['\"](?P<word>\w[\w ]*)['\"] means (?P<phrase>.+)", _meaning),
        (
            r"\bfrom (?:the )?(?P<start>[\w -]+?) to (?:the )?(?P<end>[\w -]+?)(?= is\b|,|\.|\s+(?:you|from now|"
            r"at|faster|slower|please|that)\b|$)",
            _speed,
        ),
        (
            r"\bnever (?:ever )?(?:bring|give|fetch|get|hand)(?: (?:me|us))? (?P<bring>.+?)(?: again| any ?more|"
            r" unless .*)?$",
            _never,
        ),
        (
            r"\b(?:always|next time|from now on|remember to|learn to|every time|whenever).*?\b(?:bring|serve|"
            r"fetch|get|give|hand|put|take)"
            r"(?: (?:me|us|out))? (?P<bring>[\w -]+?)(?: along)? (?:(?:together )?with|when(?:ever)? (?:i|we|"
            r"you|someone|somebody|people) (?:\w+ ){1,4}?|for|if i (?:\w+ ){1,4}?)"
            r"(?=(?:the |a |an |any |every |some |my )?[\w -]+)(?P<when>[\w -]+)",
            _along,
        ),
        (
            r"\b(?:when(?:ever)?|if|every time) (?:i|we|you|someone) (?:\w+ ){0,3}?(?:want|need|ask for|have|"
            r"get|drink|order|reach|bring(?: me)?) "
            r"(?P<when>[\w -]+?),? (?:then )?(?:you should |please )?(?:always |also )*(?:bring|fetch|get|give|"
            r"serve)(?: (?:me|us))? (?:also )?(?P<bring>[\w -]+)",
            _along,
        ),
        (
            r"^(?:\W*(?:no|but|please|well))*\W*i (?P<verb>want|like|prefer) (?P<things>[\w ]+?) (?:to (?:be|"
            r"go) )?(?:in|on|into|onto) (?:the |"
            r"my )?(?P<place>[\w -]+)$",
            _belongs,
        ),
        (
            r"\b(?:the |all |my )?(?P<things>[\w ]+?) (?P<verb>belongs?|goes|go|should go|should be(?: kept)?|"
            r"live) (?:in|on|into|onto|to) (?:the |my )?(?P<place>[\w -]+)$",
            _belongs,
        ),
        (
            r"^\W*(?:no\W+|but |careful\W+|sorry\W+)*(?:the |my )(?P<place>[\w -]+?) (?:is|are) (?:already |"
            r"still |now |completely )?(?P<state>full|broken|dirty|hot|wet|locked|occupied|in use|not working|"
            r"empty|free|clean|fixed)$",
            _fact,
        ),
        (
            r"\b(?:forgot to|did ?n.t|always|have to|should|must|next time|never forget to|"
            r"remember to)\b.{0,30}?\b(?:close|shut)\b",
            _closing,
        ),
        (
            r"\b(?:i|we) (?:have |just |already )*(?:emptied|cleared|fixed|repaired|cleaned|unlocked) (?:the |my )?"
            r"(?P<place>[\w -]+)$",
            _emptied,
        ),
        (
            r"^\W*(?:ok |okay |and |so |remember |learn |that |from now on )*(?:the|a|an|my) "
            r"(?P<name>(?!\w+ that\b)\w+(?: \w+)?) "
            r"(?:is|has|means|consists of|contains|needs)(?: now)?:? (?P<content>.+)$",
            _routine,
        ),
    )
)


def what_it_is_about(text: str, scene: Scene) -> list[Thing]:
    """The objects that a teaching sentence names by their names."""
    return [thing for thing in scene.objects if any(mention(form, text) for form in forms(thing.name))]
