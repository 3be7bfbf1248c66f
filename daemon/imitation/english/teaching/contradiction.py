"""Whether a lesson may be the opposite of the sentence that it was read out of. Such a lesson is never offered."""

import re
from collections import Counter
from collections.abc import Sequence

from daemon.imitation.english.polarity import denied, is_turned, says_no
from daemon.memory.effects import Alone, Also, Belongs, Choice, Effect, FurtherStep, Meaning, Target, Together
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.names import mention


def contradicts(effect: Effect, text: str, names: Sequence[str]) -> bool:
    """Return whether an effect read out of `text` may be the opposite of it, or allow more than it does.

    `names` are what there is to be named: things, kinds of things, places. True where the effect wants what the text
    says no to, forbids what it asks for, drops an exception, or adds a thing to itself.
    """
    wants, forbids = _wanted(effect), _forbidden(effect)
    if isinstance(effect, Also) and effect.bring in (effect.scope.object, effect.example):
        return True
    if any(is_turned(name, text, names) for name in wants):
        return True
    if isinstance(effect, Meaning) and _ADDRESSES.search(effect.phrase):
        return True
    if forbids and _ALWAYS.search(text) and not any(is_turned(name, text, names) for name in forbids):
        return True
    return bool(_EXCEPTION.search(text)) and not _keeps_exception(effect, text)


def leaves_out(effects: Sequence[Effect], text: str, things: Sequence[str]) -> bool:
    """Return whether a text that says no to something names a thing of which no effect tells.

    Such a text is not understood to its last word: what it says of that thing may turn all the rest. `things` are the
    names of what is seen; a word that only one of them has is enough to name it.
    """
    told = " ".join(effect.sentence for effect in effects)
    words = Counter(word for name in things for word in set(name.split()))
    own = {name: [w for w in name.split() if words[w] == 1 and len(w) > _SHORT] or [name] for name in things}
    if not says_no(text, [word for names in own.values() for word in names]):
        return False
    if not any(map(_wanted, effects)):
        denies = denied(text, things) if not any(isinstance(effect, _RESTRICTS) for effect in effects) else []
        return any(not any(mention(part, told) for part in (*own[name], name)) for name in denies)
    named = [name for name in things if any(mention(word, text) for word in own[name])]
    left_out = [name for name in named if not any(mention(part, told) for part in (*own[name], name))]
    return any(not is_turned(name, text, things) for name in left_out)


def _wanted(effect: Effect) -> list[str]:
    match effect:
        case Choice(thing=thing) | Also(bring=thing):
            return [thing]
        case Belongs(place=place) | Target(place=place):
            return [place]
        case Together(one, other):
            return [one, other]
        case FurtherStep(step=words) | Meaning(phrase=words):
            return _NOUN.findall(words)
        case _:
            return []


def _forbidden(effect: Effect) -> list[str]:
    match effect:
        case Never(thing):
            return [thing]
        case KeptOff(scope=scope):
            return [scope.object or scope.object_class] if scope.object or scope.object_class else []
        case _:
            return []


def _keeps_exception(effect: Effect, text: str) -> bool:
    return isinstance(effect, OnlyWhenAsked) and bool(_ASKED.search(text))


_RESTRICTS = (OnlyWhenAsked, Never, Untouched, KeptOff, Forbidden, Alone)
_SHORT = 2
"""Letters: a shorter word names nothing by itself."""
_ALWAYS = re.compile(r"\b(?:always|without)\b", re.IGNORECASE)
_EXCEPTION = re.compile(r"\b(?:unless|except|only (?:if|when)|apart from|other than|save for|bar the)\b", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:ask|asks|asked|say|says|said|tell|order|request)\b", re.IGNORECASE)
_NOUN = re.compile(r"\bthe ([\w-]+(?: [\w-]+)?)")
_ADDRESSES = re.compile(r"\byou\b", re.IGNORECASE)
"""A phrase that speaks to somebody explains no word."""
