"""What a person says when a further step shall come before or after something: forms of speech over tokens.

"Once you've brought me the tea, lay the spoon on the tray, every time", "before you go to the oven, open the window".
Only steps that anybody may ask for are learned, in plain words; what else is said is no lesson.
"""

import re

from daemon.imitation.english.noun_phrases import Masked
from daemon.imitation.english.teaching.corrections import TEACHING
from daemon.memory.effects import Also, Effect, FurtherStep


def read_further_step(said: Masked) -> Effect | None:
    """A further step, or what else is brought afterwards; None where nothing of that is to be done every time."""
    if not (TEACHING.search(said.text) or _WHEN_YOU.search(said.text)):
        return None
    for form in _FORMS:
        match = form.search(said.text)
        step = _plain(match["step"], said) if match else ""
        if match is None or not step or match["when"] in match["step"]:
            continue
        scope, example = said.scope(match["when"])
        first = bool(match["before"] or _FIRST.search(match["step"]))
        brought = _BRING.fullmatch(_bare(match["step"]))
        if brought and not first:
            return Also(scope, said.thing(brought["thing"]), example=example)
        return FurtherStep(scope, step, first, example)
    return None


def _plain(words: str, said: Masked) -> str:
    """The step in plain words; "" for anything that is none."""
    bare = _bare(words)
    if (match := _PUT.fullmatch(bare)) and said.thing(match["thing"]):
        return f"put the {said.thing(match['thing'])} on the {said.place(match['place'])}"
    if (match := _BRING.fullmatch(bare)) and said.thing(match["thing"]):
        return f"bring me the {said.thing(match['thing'])}"
    if match := _DOOR.fullmatch(bare):
        return f"{'open' if match['open'] else 'close'} the {said.place(match['place'])}"
    match = _GO.fullmatch(bare)
    return f"go to the {said.place(match['place'])}" if match else ""


def _bare(words: str) -> str:
    return _AROUND.sub("", words).strip(" ,:")


_WHEN_YOU = re.compile(r"\bwhen you (?!have\b|are\b|')", re.IGNORECASE)
_AROUND = re.compile(
    r"\b(?:please|always|also|then|first|afterwards|after that|beforehand|straight|right|directly|immediately|too|"
    r"as well|every time|each time|from now on|you|should|must|have to|can|do|and|just|ready)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:first|beforehand)\b", re.IGNORECASE)
_OVER = r"(?: +(?:out|down|back|over|away))*"
_PUT = re.compile(
    rf"(?:put|lay|place|set|leave|stand|pop|take|move|carry|bring){_OVER} +(?P<thing>T\d+){_OVER} +"
    r"(?:on|onto|in|into|to|at|by) +(?P<place>P\d+)",
    re.IGNORECASE,
)
_BRING = re.compile(
    r"(?:bring|fetch|get|give|hand|pass)(?: +(?:me|us))? +(?P<thing>T\d+)(?: +(?:here|over|to +(?:me|us)))?",
    re.IGNORECASE,
)
_DOOR = re.compile(r"(?:(?P<open>open)|close|shut) +(?P<place>P\d+)(?: +again)?", re.IGNORECASE)
_GO = re.compile(r"(?:go|drive|come|move)(?: +(?:back|over))* +to +(?P<place>P\d+)", re.IGNORECASE)
_AT = r"(?:(?P<before>before)|once|after|when(?:ever)?|as soon as|(?:every|each) time)"
_YOU = r"(?:you(?:'ve| have|'re| are)? (?:just |already )*)?"
_DEED = (
    rf"{_YOU}(?:br(?:ing|ought)|hand|g[ei]v|gave|fetch|g[eo]t|deliver|tak|took|touch|carr[yi])(?:ing|ed|en|e|ting|ten)?"
    r" (?:over )?(?:me |us |somebody |anybody )?(?P<when>[TC]\d+)(?: (?:to (?:me|us)|over|here))*"
)
_THERE = (
    rf"{_YOU}(?:go|gone|going|went|been|being|drive|driving|work|working|do anything|"
    r"do something|put anything|put something) (?:over )?(?:to|at|on|in) (?P<when>P\d+)"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for deed in (_DEED, _THERE)
    for form in (
        rf"\b{_AT},? {deed}\b,? (?P<step>[^.;!?]+)",
        rf"(?:^|[.;:!?,]\s*|\b(?:always|please|first|and|to) )(?P<step>[^.;:!?,]+?),? {_AT} {deed}\b",
    )
)
