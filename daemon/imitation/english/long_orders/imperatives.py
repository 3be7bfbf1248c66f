"""What is asked for by a verb, wherever in the clause it stands: "fish it out", "the cucumber still wants cutting"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from daemon.imitation.english.long_orders.arguments import with_arguments
from daemon.imitation.english.long_orders.order_tokens import Clause, Said
from daemon.imitation.english.long_orders.roles import ENDS, LEAD, PLACE_WORDS, POINTS
from daemon.imitation.english.long_orders.wish import Wish
from daemon.imitation.english.orders.names_in_orders import DETERMINERS
from daemon.imitation.english.orders.verbs import BRINGS_ABOUT, base_of, read_verb


def as_imperative(said: Said, clause: Clause, index: int) -> Wish | None:
    """An imperative, wherever in the clause it begins."""
    words = _TRAILING.sub("", clause.text).split()
    for start in range(len(words)):
        if not _may_begin(words, start):
            continue
        if read := _read_from(words, start):
            return replace(with_arguments(said, read[0], read[1].split(), index), verb=words[start])
    return None


def as_passive(said: Said, clause: Clause, index: int) -> Wish | None:
    """A thing that needs something done to it: "the cucumber still wants cutting"."""
    text = _TRAILING.sub("", clause.text)
    match = next(
        (match for form in (_PASSIVE, _ASKED_PASSIVE, _LIKED_DONE, _HAVE_DONE) if (match := form.match(text))), None
    )
    if not match:
        return None
    verb = base_of(match["verb"])
    read = read_verb(f"{verb} {match['thing']}{match['rest']}") if verb else None
    if read is None and match["verb"] in BRINGS_ABOUT:
        read = BRINGS_ABOUT[match["verb"]], f"{match['thing']}{match['rest']}"
    return replace(with_arguments(said, read[0], read[1].split(), index), verb=verb) if read else None


def _may_begin(words: Sequence[str], start: int) -> bool:
    """Return whether an order may begin at a word: at the clause's beginning, behind "you", or a "to" that asks."""
    lead = [word for word in words[:start] if word not in LEAD]
    if words[start].startswith("T") or words[start] in POINTS | PLACE_WORDS | DETERMINERS:
        return False
    if not lead:
        return True
    last = lead[-1]
    if last == "you":
        return words[start] not in _NO_VERBS and not set(lead[-3:-1]) & _STATES_OF_YOU
    if last == "to":
        return bool(set(lead[-5:-1]) & _ASKS_TO)
    return last in _LEADS_IN and words[start].endswith("ing") and not {"i", "we"} & set(lead)


def _read_from(words: Sequence[str], start: int) -> tuple[str, str] | None:
    """The action of a verb at a place, and what follows it: by the verb, or by where any verb brings the thing."""
    forms = [words[start]]
    if start and words[start - 1] == "you" and (base := base_of(words[start])):
        forms.append(base)  # "if you lifted it"
    for form in forms:
        rest = words[start + 1 :]
        if read := read_verb(" ".join([form, *rest])) or read_verb(" ".join([form, *rest, "it"])):
            return read
    if words[start] in _NO_VERBS | LEAD | ENDS or words[start].endswith("ed"):
        return None
    text = " ".join(words[start:])
    return next(((action, match["rest"]) for pattern, action in _BRINGS_TO if (match := pattern.match(text))), None)


_OBJECT = (
    r"(?P<rest>(?:(?:\w+ ){0,5}?T\d+|it|them|her|him|that(?: one| thing)?|this(?: one)?|the \w+ one)(?: \w+){0,2}?)"
)
_BRINGS_TO = [
    (re.compile(rf"[a-z]+ {_OBJECT} {particle}"), action)
    for particle, action in (
        (r"(?:wide )?(?:open|ajar)$", "open"),
        (r"(?:shut|closed|to)$", "close"),
        (r"(?:on|going|running)(?: (?:full|max|high|low|at)\b.*)?$", "turnon"),
        (r"off$", "turnoff"),
        (r"(?:up|out|away|over|here|back|across|down|over here|to me|to us)$", "pick"),
    )
]
"""What any verb does that brings a thing there: "zip it open", "whack it on", "fish it out"."""
_NO_VERBS = frozenset(
    """know see think like want need have are were did do can could would should must mind may not is be am was has
    does shall might there we us all both what how who why where when no yes""".split()  # noqa: SIM905
)
_ASKS_TO = frozenset(
    """you kind good mind able help trouble ask bother like love dear sport favour favor remember""".split()  # noqa: SIM905
)
_LEADS_IN = frozenset("mind about fancy try consider with".split())  # noqa: SIM905
_STATES_OF_YOU = frozenset("did do have had when where if since as whether see know think what are were until".split())  # noqa: SIM905
_TRAILING = re.compile(
    r"(?:(?: and|,)? (?:for (?:me|us|him|her|them|once|good|now|a (?:bit|moment|while|second|minute))|please"
    r"|now|again|quick(?:ly)?|"
    r"carefully|gently|immediately|at once|right away|right now|straight away|asap|then|too|as well|already"
    r"|today|tonight|"
    r"this (?:instant|minute|second)|(?:just )?a (?:bit|little|tad)|in a (?:minute|second|moment)|thanks|ta|ages ago|"
    r"in time|if possible|somehow|properly|all the way|the rest of the way))+$"
)
"""What is said behind an order, and changes nothing."""
_ADV = r"(?:(?:still|really|just|also|now|badly|urgently|all|both|only|ever|already|maybe|finally) )*"
_PASSIVE = re.compile(
    rf"(?P<thing>.*?(?:T\d+|it|they|that|this|one)) {_ADV}(?:needs?|wants?|requires?|could do with|could use"
    rf"|is due for|deserves?|"
    r"has to be|have to be|needs? to be|should be|must be|ought to be|is to be|are to be|can be|may be|wants? "
    r"to be|to be)"
    rf"(?: to be| to get)? {_ADV}(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_ASKED_PASSIVE = re.compile(
    r"(?:.*\b)?(?:could|can|may|might|should|would|will) (?P<thing>(?:\w+ )*?(?:T\d+|it|they|that|this|one)) "
    r"(?:please )?(?:be|get) "
    rf"{_ADV}(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_LIKED_DONE = re.compile(
    r"(?:.*\b)?(?P<thing>T\d+|one) (?:that |which )?(?:i|we) (?:would like|would love|want|need|wish)(?: to "
    r"have| to be)? "
    r"(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
_HAVE_DONE = re.compile(
    r"(?:.*\b)?(?:have|had|get|want|wanted|need|needed|like|liked|see|prefer|got|make sure|ensure|check) "
    r"(?P<thing>(?:\w+ )*?(?:T\d+|it|that|this|them))"
    r"(?: (?:to be|to get|be|being|is|are|gets|going))? (?:turned |switched )?(?P<verb>[a-z]+)(?P<rest>(?: .*)?)$"
)
