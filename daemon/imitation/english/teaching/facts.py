"""What a person says of the state of a place: "the sink is broken", "there is room on the shelf again"."""

import re

from daemon.imitation.english.noun_phrases import Masked
from daemon.memory.effects import Effect, Fact


def read_fact(said: Masked) -> Effect | None:
    """Return what holds of a place until somebody says otherwise."""
    for form, state in _FACTS:
        if match := form.search(said.text):
            found = state or " ".join(match["state"].lower().split())
            return Fact(said.place(match["token"]), found)
    return None


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
