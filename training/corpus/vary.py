"""Makes other dialogues of one: other things around, other names, other people, other slips of the tongue.

A model that is to read names from the situation must see them change. What a person describes ("what dad drinks") stays
as it is; what nobody speaks of is exchanged freely, and a name that is only ever said in full becomes another name.
Each variation is run like any dialogue before it counts (check.py): what it broke is left out.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from daemon.names import spoken
from training.corpus.dialogues import Dialogue, Turn

DROPPED, EXCHANGED = 0.25, 0.4
"""Share of the things that nobody speaks of that are left out, and that become other things."""
ADDED = 3
"""More such things, at most."""
RENAMED = 0.5
"""Share of the names that can be other names that become such."""
RULES_ADDED = 2
"""Rules about other things, at most."""
FILLERS = ("um", "uh", "er", "well", "so", "like", "you know", "hm", "okay")
FILLED = 0.25
"""Share of the utterances that get one."""
TYPED = 0.2
"""Share of the dialogues that are typed: with capitals and full stops."""
ABOUT_ALL = frozenset(
    (
        *("all", "any", "anything", "both", "but", "each", "else", "empty", "every", "everything", "except", "how"),
        *("leave", "many", "not", "nothing", "only", "other", "rest", "some", "something", "thi", "thing", "those"),
        *("what", "whatever", "which"),
    )
)
"""Stems of words by which a dialogue may be about things that nobody names: what is around stays as it is."""
FIRST_NAMES = (
    *("ada", "amir", "bea", "carlos", "dina", "emil", "fatou", "greta", "hugo", "ines", "jamal", "kaja", "leo", "mina"),
    *("nils", "olga", "pavel", "quinn", "rosa", "sami", "tessa", "udo", "vera", "wim", "xenia", "yusuf", "zoe"),
)


@dataclass(frozen=True)
class Pool:
    """What may come into a dialogue from elsewhere."""

    things: Mapping[str, Mapping[str, Any]]
    """Name -> category, state and other names."""
    rules: Sequence[str]

    @classmethod
    def of(cls, dialogues: Iterable[Dialogue]) -> "Pool":
        """All things and rules of these."""
        things: dict[str, Mapping[str, Any]] = {}
        rules: dict[str, None] = {}
        for dialogue in dialogues:
            for name, about in dialogue.world["objects"].items():
                things.setdefault(name, {key: about[key] for key in ("category", "state", "aliases") if key in about})
            rules |= dict.fromkeys(dialogue.learned)
        return cls(things, list(rules))


def vary(dialogue: Dialogue, pool: Pool, chance: random.Random) -> Dialogue:
    """Return another dialogue in which the same is to be done; its id tells from which it was made."""
    varied = _with_other_people(dialogue, chance)
    varied = _with_other_names(varied, pool, chance)
    varied = _with_other_things_around(varied, pool, chance)
    varied = _with_other_rules(varied, pool, chance)
    return replace(_said_otherwise(varied, chance), id=f"{dialogue.id}~{chance.randrange(10**6):06}")


# --- names ---


def _with_other_people(dialogue: Dialogue, chance: random.Random) -> Dialogue:
    people = [
        place["name"]
        for place in dialogue.world["locations"]
        if isinstance(place, dict) and place.get("kind") == "person" and place["name"] != "person"
    ]
    known = _words(dialogue)
    others = [name for name in FIRST_NAMES if name not in known]
    chance.shuffle(others)
    for one, other in zip([name for name in people if name.isalpha()], others, strict=False):
        if chance.random() < RENAMED:
            dialogue = _renamed(dialogue, one, other)
    return dialogue


def _with_other_names(dialogue: Dialogue, pool: Pool, chance: random.Random) -> Dialogue:
    """Names that are only ever said in full become those of other things of their kind."""
    for name, about in dialogue.world["objects"].items():
        others = [
            other
            for other, of_other in pool.things.items()
            if of_other.get("category") == about.get("category") and _is_plural(other) == _is_plural(name)
        ]
        others = [other for other in others if not set(spoken(other).split()) & _words(dialogue)]
        if others and "aliases" not in about and _said_in_full(name, dialogue) and chance.random() < RENAMED:
            dialogue = _renamed(dialogue, name, chance.choice(others))
    return dialogue


def _said_in_full(name: str, dialogue: Dialogue) -> bool:
    """Return whether no word of the name is said without the others."""
    full = spoken(name)
    left = [turn.say.lower().replace(full, " ") for turn in dialogue.turns] + [*dialogue.learned]
    left += [turn.write.replace(name, " ").replace(full, " ") for turn in dialogue.turns]
    words = {word for text in left for word in re.findall(r"\w+", text.lower())}
    others = {word for other in dialogue.world["objects"] if other != name for word in spoken(other).split()}
    return not set(full.split()) & (words | others)


def _renamed(dialogue: Dialogue, name: str, other: str) -> Dialogue:
    """The same with another name for a thing or a person, wherever it is written or said."""

    def in_words(text: str) -> str:
        for one, another in ((spoken(name), spoken(other)), (spoken(name).capitalize(), spoken(other).capitalize())):
            text = re.sub(rf"\b{re.escape(one)}\b", another, text)
        return text

    def exactly(text: str) -> str:
        return other if text == name else in_words(text)

    def in_code(text: str) -> str:
        return in_words(re.sub(rf"(?<=['\"]){re.escape(name)}(?=['\"])", other, text))

    return replace(
        dialogue,
        world=_put_everywhere(dialogue.world, exactly),
        expected=_put_everywhere(dialogue.expected, exactly),
        learned=tuple(map(in_words, dialogue.learned)),
        turns=tuple(Turn(in_words(turn.say), in_code(turn.write), exactly(turn.speaker)) for turn in dialogue.turns),
    )


def _put_everywhere(value: Any, put: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return put(value)
    if isinstance(value, Mapping):
        return {put(key): _put_everywhere(entry, put) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [_put_everywhere(entry, put) for entry in value]
    return value


# --- what is around ---


def _with_other_things_around(dialogue: Dialogue, pool: Pool, chance: random.Random) -> Dialogue:
    spoken_of = _words(dialogue)
    if spoken_of & ABOUT_ALL:
        return _shuffled(dialogue, dialogue.world["objects"], chance)
    strangers = [name for name in pool.things if not _concerns(name, pool.things[name], spoken_of)]
    chance.shuffle(strangers)
    objects: dict[str, Any] = {}
    for name, about in dialogue.world["objects"].items():
        luck = chance.random()
        if _concerns(name, about, spoken_of) or name in strangers[:1] or luck > DROPPED + EXCHANGED:
            objects[name] = about
        elif luck > DROPPED and strangers:
            objects[strangers.pop()] = {"location": about["location"]} if "location" in about else about
    places = [_name(place) for place in dialogue.world["locations"]]
    surfaces = [name for name in places[1:] if not _is_person(name, dialogue.world)]
    for _ in range(chance.randint(0, ADDED) if surfaces else 0):
        if strangers:
            objects.setdefault(strangers.pop(), {"location": chance.choice(surfaces)})
    objects = {name: {**pool.things.get(name, {}), **about} for name, about in objects.items()}
    return _shuffled(dialogue, objects, chance)


def _shuffled(dialogue: Dialogue, objects: Mapping[str, Any], chance: random.Random) -> Dialogue:
    """With these things, and with things and places in another order; the first place stays, where heed starts."""
    names = list(objects)
    chance.shuffle(names)
    first, *others = dialogue.world["locations"]
    chance.shuffle(others)
    world = {**dialogue.world, "locations": [first, *others], "objects": {name: objects[name] for name in names}}
    return replace(dialogue, world=world)


def _with_other_rules(dialogue: Dialogue, pool: Pool, chance: random.Random) -> Dialogue:
    """Rules about other things are learned too, before and between."""
    if not pool.rules or any("list_lessons" in turn.write or "forget(" in turn.write for turn in dialogue.turns):
        return dialogue
    spoken_of = _words(dialogue)
    others = [rule for rule in pool.rules if not (content(rule) & spoken_of) and rule not in dialogue.learned]
    chance.shuffle(others)
    learned = [*dialogue.learned, *others[: chance.randint(0, RULES_ADDED)]]
    if "learn" not in spoken_of and "taught" not in spoken_of:
        chance.shuffle(learned)
        return replace(dialogue, learned=tuple(learned))
    return dialogue


def _concerns(name: str, about: Mapping[str, Any], words: set[str]) -> bool:
    """Return whether a dialogue may be about a thing: by its name, its kind, its state or another name."""
    told = [spoken(name), str(about.get("category", "")), *map(str, about.get("state", {}).values())]
    told += [*map(str, about.get("state", {})), *about.get("aliases", ())]
    return any(stem(word) in words for text in told for word in re.findall(r"\w+", text.lower()))


def _words(dialogue: Dialogue) -> set[str]:
    """Stems of all words that are said, written, expected or learned."""
    texts = [part for turn in dialogue.turns for part in (turn.say, turn.write, turn.speaker)]
    texts += [*dialogue.learned, str(dict(dialogue.expected))]
    return {stem(word) for text in texts for word in re.findall(r"[^\W_]+", text.lower())}


def content(rule: str) -> set[str]:
    """Stems of the words that tell what a rule is about."""
    return {stem(word) for word in re.findall(r"\w+", rule.lower()) if len(word) > 3} - {
        "when",
        "bring",
        "also",
        "with",
    }


def stem(word: str) -> str:
    """Return the word without the ending of a plural."""
    return word.removesuffix("s")


def _is_plural(name: str) -> bool:
    return name.endswith("s") and not name.endswith("ss")


def _is_person(name: str, world: Mapping[str, Any]) -> bool:
    return any(isinstance(place, dict) and place["name"] == name and place.get("kind") == "person"
               for place in world["locations"])  # fmt: skip


def _name(place: Any) -> str:
    return str(place if isinstance(place, str) else place["name"])


# --- how it is said ---


def _said_otherwise(dialogue: Dialogue, chance: random.Random) -> Dialogue:
    typed = chance.random() < TYPED
    return replace(
        dialogue, turns=tuple(replace(turn, say=said_as(turn.say, typed, chance)) for turn in dialogue.turns)
    )


def said_as(text: str, typed: bool, chance: random.Random) -> str:
    """Return the same words as they are typed, or spoken with a filler."""
    if typed:
        return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?' else '.'}" if text else text
    words = text.split()
    if len(words) > 2 and chance.random() < FILLED:
        words.insert(chance.choice((0, 0, len(words) // 2)), chance.choice(FILLERS))
    return " ".join(words)
