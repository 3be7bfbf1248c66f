"""Conversation about the past: "what did you just do?", "undo that", "the same with the milk", "and the apple, too".

The history is there for every brain to read. Where a sentence refers to it in one of the forms that people use, this
says what it comes down to, from what was done and what has changed since. Nothing here is about particular things.
"""

import re
from collections.abc import Iterator, Sequence

from daemon.console.deliveries import calls, deliveries_in
from daemon.console.history import Turn
from daemon.console.learning.scope import is_of_kind
from daemon.console.recounting import deeds_of
from daemon.imitation.english.noun_phrases import references_in
from daemon.imitation.english.rewording import PRONOUN
from daemon.imitation.english.scene_mentions import listed, mentioned_places, mentioned_things, where_mentioned
from daemon.imitation.english.teaching.corrections import POLITE, REJECTION, TEACHING
from daemon.names import joined, spoken
from daemon.transcript import PARTS
from skills.scene import Location, Scene, Thing

WHAT_WAS_DONE = "what did you just do?"
"""Stands for every question about what was done: every brain is shown how that one is answered."""
RECENT = 3
"""Turns that people still refer to without saying which; questions in between count."""

_REMARK = r"(?:,? (?:because |since )?(?:i(?:'ve|'m|'d)?|it(?:'s)?|that(?:'s)?) [^,;]+)?"
_END = rf"(?: (?:again|please|now|for me|too|as well|one more time|once more|instead))*{_REMARK}{POLITE}\W*$"
_DONE = re.compile(
    rf"^{POLITE}\W*(?:what (?:did|have|are) you (?:just |now |already )*(?:do|done|did|doing)\b(?! (?:with|about))"
    r"|(?:did|have) you (?:just |already )*(?:do|done|bring|brought|put|take|taken|took|move|moved|open|opened|close"
    r"|closed|fetch|fetched|give|given|gave|place|placed|finish|finished)\b)",
    re.IGNORECASE,
)
_UNDO = re.compile(
    rf"^{POLITE}\W*(?:undo (?:that|it|this)|take (?:that|it) back|reverse that|go back"
    r"|(?:put|bring|take) (?P<what>(?:the |my )?[\w -]+?) back"
    rf"(?: (?:to )?where (?:it was|they were|you (?:got|took|found) (?:it|them)(?: from)?))?){_END}",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    rf"^{POLITE}\W*(?:(?:do )?(?:that|it|the same)(?: thing)? (?:again|once more)|once more|again"
    rf"|repeat (?:that|it|this)){_END}",
    re.IGNORECASE,
)
_SAME = re.compile(
    rf"^{POLITE}\W*(?:now )?(?:do )?(?:exactly )?(?:the same|that|it|likewise)(?: thing)?(?: again)? "
    rf"(?:with|for|to) (?P<what>.+?){_END}",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"^(?:i (?:want|wanted|mean|meant) )?(?P<what>(?:the|a|an|some|my) [\w -]+?){_END}", re.IGNORECASE
)
_OTHER = re.compile(rf"^(?:(?:i (?:want|wanted|mean|meant) )?(?:the|my) )?other(?: one)?{_END}", re.IGNORECASE)
_SLIPPED = re.compile(r"^\W*(?:(?:oh|oops|sorry|wait|ah|er+m?|u[hm]+)\W+)+(?=i mean)", re.IGNORECASE)
_GIVE_BACK = re.compile(
    rf"^{POLITE}\W*(?:give|hand|pass)(?: me)? (?:it|that|them)(?: back)?(?: to me)?{_END}", re.IGNORECASE
)
_IT = re.compile(r"\b(?:it|them|that one|those)\b(?! (?:is|are)\b)", re.IGNORECASE)
_ITS_DOOR = re.compile(rf"^{POLITE}\W*(?:now )?(?:open|close|shut)(?: up)? (?:it|them)(?: up)?{_END}", re.IGNORECASE)
_ALSO = re.compile(r"\b(also|too|as well|another)\b", re.IGNORECASE)


def read_past(text: str, scene: Scene, past: Sequence[Turn]) -> str | None:
    """Return what a sentence that refers to the past asks for; None for every other one, and where it is not clear."""
    if _DONE.match(text):
        return WHAT_WAS_DONE
    if match := _UNDO.match(REJECTION.sub("", text)):
        return _undo(match["what"] or "", scene, past)
    held = [thing for thing in scene.objects if thing.held_by]
    if held and _GIVE_BACK.match(text):
        return f"bring me {listed(held)}"
    request = _last_request(past)
    if _AGAIN.match(text):
        return request or WHAT_WAS_DONE
    if request is None:
        return None
    if _OTHER.match(REJECTION.sub("", REJECTION.sub("", text))):
        return _with_the_other(request, scene, past)
    if (match := _SAME.match(text)) or (match := _instead(text)):
        return _with(request, match["what"], scene)
    return None


def no_other(text: str, scene: Scene, past: Sequence[Turn]) -> str:
    """Return what to say to "no, the other one" where there is none, or more than one; "" else."""
    if _last_request(past) is None or not _OTHER.match(REJECTION.sub("", REJECTION.sub("", text))):
        return ""
    last, left = _left_of_the_kind(scene, past)
    if not last or len(left) == 1:
        return ""
    others = joined([f"the {spoken(thing.name)}" for thing in left], "or")
    return f"Which one do you mean: {others}?" if left else f"I see no other {spoken(last)}."


def undone(past: Sequence[Turn]) -> list[str]:
    """Return requests that bring back what was changed last; none where nothing was changed.

    Only what changed while the robot worked is brought back, not what people did since.
    """
    for index, before, after in recently(past):
        if back := [*_things_back(before, after), *_doors_back(before, after)]:
            return back
        if went := _went_back(past[: index + 1]):
            return [went]
    return []


def carried_on(text: str, scene: Scene, past: Sequence[Turn]) -> str:
    """ "I will also need a cup" goes to where the last thing went, when that was no person and nobody says "me"."""
    things = mentioned_things(text, scene)
    if not _ALSO.search(text) or not things or not past or re.search(r"\b(me|us|here)\b", text):
        return text
    last = [delivery for turn in past[-RECENT:] for delivery in deliveries_in(turn)]
    if not last or last[-1].handed_over or mentioned_places(text, scene):
        return text
    return f"bring {listed(things)} to the {spoken(last[-1].target)}"


def last_mentioned(scene: Scene, past: Sequence[Turn]) -> tuple[Thing, ...]:
    """Return what people spoke of last, and still mean when they say "it"; nothing where that was several things."""
    for turn in reversed(past[-RECENT:]):
        named = [one.things for one in references_in(turn.utterance, scene) if one.things]
        if named:
            return named[0] if len(named) == 1 else ()
    return ()


def pointed_back(text: str, scene: Scene, past: Sequence[Turn]) -> str:
    """Return the same with the name of what was only spoken of: "where are the keys?", "put them on the table"."""
    if _ITS_DOOR.match(text) and (doors := last_doors(scene, past)) and not any(t.held_by for t in scene.objects):
        return _IT.sub(f"the {spoken(doors[0].name)}", text, count=1)
    if not past or deeds_of(past[-1]) or mentioned_things(text, scene) or any(t.held_by for t in scene.objects):
        return text
    return _IT.sub(listed(last), text, count=1) if (last := last_mentioned(scene, past)) else text


def last_thing(past: Sequence[Turn]) -> str:
    """Return what was brought last, as people call it; empty for nothing."""
    return spoken(last_thing_brought(past))


def last_thing_brought(past: Sequence[Turn]) -> str:
    """Return the name of what was brought last; "" for nothing."""
    last = [delivery for turn in past[-RECENT:] for delivery in deliveries_in(turn)]
    return last[-1].object if last else ""


def last_doors(scene: Scene, past: Sequence[Turn]) -> list[Location]:
    """Return the places with a door that were spoken of last, or that the robot opened or closed then."""
    for turn in reversed(past[-RECENT:]):
        worked = [args[0] for name, args in calls(turn.steps) if name in ("open_door", "close_door") and args]
        spoken_of = [place for _, place in mentioned_places(turn.utterance, scene) if place.door]
        if doors := spoken_of or [place for place in scene.locations if place.door and place.name in worked]:
            return doors
    return []


def _last_request(past: Sequence[Turn]) -> str | None:
    """Return the last thing that was asked for and begun, as it was understood."""
    for turn in reversed(past[-RECENT:]):
        meaning = turn.steps[0].meaning or turn.utterance
        begun = deeds_of(turn) or any((step.error or "").startswith("KeyboardInterrupt") for step in turn.steps)
        if begun and not _DONE.match(meaning) and not TEACHING.search(meaning):
            return meaning
    return None


def _with(request: str, what: str, scene: Scene) -> str | None:
    """The request about something else: in the place of what it names stands what is said now."""
    if not mentioned_things(what, scene):
        return None
    spans = [match.span() for thing in mentioned_things(request, scene) if (match := where_mentioned(thing, request))]
    if spans:
        start, end = min(spans)[0], max(end for _, end in spans)
        before = re.sub(r"\b(?:the|a|an|some|any|my|your)\s+$", "", request[:start], flags=re.IGNORECASE)
        return f"{before}{what}{request[end:]}"
    return PRONOUN.sub(lambda _: what, request, count=1) if PRONOUN.search(request) else None


def _with_the_other(request: str, scene: Scene, past: Sequence[Turn]) -> str | None:
    """Return the request about the other one of two things that it may have meant."""
    _, left = _left_of_the_kind(scene, past)
    return _with(request, f"the {spoken(left[0].name)}", scene) if len(left) == 1 else None


def _left_of_the_kind(scene: Scene, past: Sequence[Turn]) -> tuple[str, Sequence[Thing]]:
    """Return what was brought last, and what else the words for it fit; no name where they spoke of something else."""
    last = last_thing_brought(past)
    spoken_of = references_in(past[-1].utterance, scene) or references_in(spoken(last), scene)
    for one in spoken_of if last else ():
        kind = [thing for thing in scene.objects if thing in one.things or is_of_kind(thing, one.category)]
        if any(thing.name == last for thing in kind):
            return last, [thing for thing in kind if thing.name != last]
    return "", ()


def _undo(what: str, scene: Scene, past: Sequence[Turn]) -> str | None:
    """Everything, or one thing, back to where it was; where nothing was done, that is told."""
    if not what or PRONOUN.fullmatch(what):
        return PARTS.join(undone(past)) or WHAT_WAS_DONE
    things = mentioned_things(what, scene)
    for _, before, after in recently(past) if things else ():
        back = [request for request in _things_back(before, after) if mentioned_things(request, scene)[:1] == things]
        if back:
            return back[0]
    return None


def _instead(text: str) -> re.Match[str] | None:
    """ "No, the milk" or "the milk instead": the same with another thing."""
    rejection = REJECTION.match(text) or _SLIPPED.match(text)
    if rejection is None and not re.search(r"\binstead\W*$", text, re.IGNORECASE):
        return None
    return _INSTEAD.match(text[rejection.end() :] if rejection else text)


def recently(past: Sequence[Turn]) -> Iterator[tuple[int, Scene, Scene]]:
    """Yield the last turns, the latest first: their number, and what was seen before and after them."""
    for index in range(len(past) - 1, max(-1, len(past) - 1 - RECENT), -1):
        turn = past[index]
        if turn.scene is not None and turn.left is not None:
            yield index, Scene.from_observation(turn.scene), Scene.from_observation(turn.left)


def _things_back(before: Scene, after: Scene) -> Iterator[str]:
    now = {thing.name: thing for thing in after.objects}
    containers = [place.name for place in before.locations if place.kind == "container"]
    for thing in reversed(before.objects):
        moved = now.get(thing.name)
        if moved is None or (moved.held_by or moved.location) == (thing.held_by or thing.location):
            continue
        if thing.held_by or not thing.location:
            yield f"pick up the {spoken(thing.name)}"
        else:
            to = "in" if thing.location in containers else "on"
            yield f"put the {spoken(thing.name)} {to} the {spoken(thing.location)}"


def _doors_back(before: Scene, after: Scene) -> Iterator[str]:
    now = {place.name: place.door for place in after.locations}
    for place in before.locations:
        if place.door is not None and now.get(place.name, place.door) != place.door:
            yield f"{'close' if place.door == 'closed' else 'open'} the {spoken(place.name)}"


def _went_back(past: Sequence[Turn]) -> str | None:
    """To where the robot had gone before it last went somewhere, when that is all it did."""
    if not any(name == "move_to" for name, _ in calls(past[-1].steps)):
        return None
    places = [arguments[0] for turn in past for name, arguments in calls(turn.steps) if name == "move_to" and arguments]
    return f"go to the {spoken(places[-2])}" if len(places) > 1 and places[-2] != places[-1] else None
