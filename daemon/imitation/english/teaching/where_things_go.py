"""What a person says of where things go, are brought to, or never stand: forms of speech over tokens."""

import re

from daemon.imitation.english.noun_phrases import ARTICLE, Masked
from daemon.imitation.english.teaching.corrections import ASKED, CUE, CUED
from daemon.memory.effects import Belongs, Effect, Target
from daemon.memory.prohibitions import KeptOff
from daemon.memory.rules import EVERYWHERE, Scope


def read_belongs(said: Masked) -> Effect | None:
    """Return where a kind of thing belongs: "cups go on the shelf"."""
    for form in _BELONGS:
        match = form.search(said.text)
        if match is None:
            continue
        token = match["token"]
        things = _USUALLY.sub("", match["things"].strip())
        if _SUCH.fullmatch(things):  # "papers, magazines, all that"
            things = next(reversed(re.findall(r"\b[TC]\d+\b", said.text[: match.start("things")])), things)
        known = re.fullmatch(r"[TC]\d+", things)
        one = known and len(said.references[int(things[1:])].things) == 1
        if one and _GOES_ON.search(said.text) and not CUED.search(said.text):
            return None  # "the cup goes on the table" asks to put it there
        if known is None and (_NO_KIND.fullmatch(things) or re.search(r"\b[TCP]\d+\b", things)):
            return None
        things = _kept(said.scope(things)[0]) if known else ARTICLE.sub("", things)
        return Belongs(things, said.place(token))
    return None


def read_put(said: Masked, last: str, handed_over: bool) -> Effect | None:
    """Return where something is put from now on: to who just got it into their hand, where it is brought instead.

    `last` is the token of what was handled last.
    """
    match = next((match for form in _PUT if (match := form.search(said.text))), None)
    if match is None:
        return None
    things = last if _POINTS.fullmatch(match["things"]) else match["things"]
    if not things or _NO_KIND.fullmatch(things):
        return None
    known = re.fullmatch(r"[TC]\d+", things)
    if not known:
        return None if re.search(r"\b[TCP]\d+\b", things) else Belongs(things, said.place(match["token"]))
    scope, example = said.scope(things)
    if handed_over:
        return Target(scope, said.place(match["token"]), example)
    return Belongs(_kept(scope), said.place(match["token"]))


def read_everything(said: Masked) -> Effect | None:
    """Return where all goes, for the one person that a sentence is about: "whatever is for Grandma goes on the
    table".
    """
    match = _EVERYTHING.search(said.text)
    return Target(EVERYWHERE, said.place(match["token"])) if match else None


def _kept(scope: Scope) -> str:
    """The things of a scope as a rule about where they belong names them."""
    return ARTICLE.sub("", scope.which if scope.look else scope.object_class or scope.object)


def read_asked_target(said: Masked) -> Effect | None:
    """Return where something goes that is asked for: "when I ask for tea, put it on the desk"."""
    match = _ASKED_TARGET.search(said.text) or _TARGET_ASKED.search(said.text)
    return _target(match, said) if match else None


def read_target(said: Masked) -> Effect | None:
    """Return where something is brought to: "always bring me the tea to the desk"."""
    match = _TARGET.search(said.text)
    return _target(match, said) if match and CUED.search(said.text) else None


def _target(match: re.Match[str], said: Masked) -> Effect:
    scope, example = said.scope(match["thing"])
    return Target(scope, said.place(match["token"]), example)


def read_kept_off(said: Masked) -> Effect | None:
    """Return what is kept off a place: "no cups on the sofa"."""
    match = next((match for form in _KEPT_OFF if (match := form.search(said.text))), None)
    if match is None:
        return None
    scope, _ = said.scope(match["thing"])
    return KeptOff(scope, said.place(match["token"]))


_INTO = r"(?:in|on|into|onto|to|inside) (?P<token>P\d+)"
_POINTS = re.compile(r"(?:it|them|that|this|those|these)", re.IGNORECASE)
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
_DONE = (
    r"\b(?:when(?:ever)?|if|once|as soon as|after) (?:(?:i|we) (?:say|tell you) (?:that )?)?"
    r"(?:i|we)(?:'m| am|'re| are|'ve| have)? (?:done|finished|through) with (?P<things>[TC]\d+)"
)
_PUT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{CUE},? (?:please )?(?:put|keep|store|place|leave|lay|stand|set)(?: down)? (?:the |all |my )?{_THINGS} "
        rf"(?:down )?{_INTO}",
        rf"\b(?:put|keep|store|place|leave|lay|stand|set)(?: down)? (?:the |all |my )?{_THINGS} (?:down )?{_INTO},? "
        rf"(?:please )?{CUE}\b",
    )
)
_EVERYTHING = re.compile(
    rf"\b(?:whatever|everything|anything|all|what)(?: that)?(?:'s| is| comes| goes)?(?: always| should| must| please)*"
    rf"(?: goes?| comes?| belongs?| be put| is put| put)? {_INTO}",
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
        rf"{_DONE},? (?:then |please |always |you )*(?:take|put|bring|carry|hang|clear) (?:it|them|that|[TC]\d+) "
        rf"(?:straight |right |back |away )*{_INTO}",
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
_TARGET_ASKED = re.compile(
    r"\b(?:bring|take|put|place|serve|deliver|carry|leave|set|lay|stand) (?:it|them|that) (?:down |over )?"
    rf"{_INTO.replace('|to|', '|to|at|')},? {ASKED} (?:you )?(?:for |to bring |to get )?(?:me |us )?"
    r"(?P<thing>[TC]\d+)\b",
    re.IGNORECASE,
)
_ASKED_TARGET = re.compile(
    rf"\b{ASKED} (?:you )?(?:for |to bring |to get )?(?:me |us )?(?P<thing>[TC]\d+)\b[^.;!?]*?"
    r"\b(?:bring|take|put|place|serve|deliver|carry|give|hand|leave|set|lay|stand) (?:me |us )?"
    rf"(?:it|them|that|[TC]\d+) (?:down |over )?{_INTO.replace('|to|', '|to|at|')}",
    re.IGNORECASE,
)
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
