"""What a person says when they explain a word of theirs, or put several things under a name."""

import re

from daemon.console.history import Turn
from daemon.imitation.english.noun_phrases import Masked, masked, place_called
from daemon.lexicon.inflection import plain_forms
from daemon.lexicon.word_meanings import lexicon
from daemon.memory.effects import Effect, Meaning, Routine
from daemon.names import called, mention
from skills.scene import Scene

_W = r"['\"]?(?P<word>\w[\w -]*?)['\"]?"
_MEAN = (
    r"(?:(?:i|we|it|that) (?:mean|means|want)|i would like|you (?:should|must|are to|have to)|it should|it must|"
    r"(?:that|it)(?:'s| is)|it (?:goes|belongs))"
)
_SPEAKER = r"(?:i|we|you hear|somebody|someone|anybody|anyone|people|one of us)"
ASKED_FOR = "ask(?: you)? for|want|would like|say|order|need"
_LEADING = r"^\W*(?:(?:because|since|as) [^,.;!?]*, )?(?:(?:and|so|listen|remember|for (?:me|us)),? |the word )*"
_DEFINITIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:when(?:ever)?|if) {_SPEAKER} (?:says?|uses? the words?|speaks? of|talks? about) {_W},? "
        rf"(?=(?:then )?{_MEAN}\b)(?P<phrase>.+)",
        rf"\b(?:when(?:ever)?|if) {_SPEAKER} (?:tells?|asks?) you to {_W},? (?=(?:then )?{_MEAN}\b)(?P<phrase>.+)",
        rf"\b(?:by|with) {_W},? (?:i|we) (?:always )?mean (?P<phrase>.+)",
        rf"\bwhat (?:i|we) call {_W} (?:is|means|are) (?P<phrase>.+)",
        rf"{_LEADING}to {_W} means (?:that )?(?P<phrase>.+)",
        rf"{_LEADING}(?P<word>\w+ing\b[\w ]*?) means (?:that )?(?P<phrase>(?:you|to|i want|we want)\b.+)",
        r"\b(?:when(?:ever)?|if|every time) (?:i|we) (?:ask(?: you)? for|want|order|need) (?:a|an|the|my|our|some) "
        r"(?P<word>\w+)(?: next time| again)?,? (?:then )?"
        r"(?:(?:i|we)(?:'d| would)? (?:always )?(?:want|mean|like|prefer)|"
        r"it's|that's|it is|that is|(?:bring|give|get) (?:me|us)) (?:always )?"
        r"(?P<phrase>(?:the|my) (?:\w+ )+?(?:(?P=word)|ones?))(?: (?:that )?(?:i|we) (?:want|mean))?$",
        r"\b(?:i|we)(?:'d| would)? (?:always )?(?:want|mean|like|prefer) (?P<phrase>the (?:\w+ )+?ones?) "
        r"(?:when(?:ever)?|if|every time) (?:i|we) (?:ask(?: you)? for|say|want|order) (?:a |an |the |my |some )?"
        r"(?P<word>\w+)$",
        rf"{_LEADING}{_W} (?:just |simply )?(?:stands for|is short for|(?:is|means) the same as|"
        r"is (?:my|our|another|a|the) (?:word|name|expression) for) (?P<phrase>.+)",
        rf"^\W*(?:the words? |the expression ){_W} means (?P<phrase>.+)",
        r"^\W*['\"](?P<word>\w[\w ]*)['\"] means (?P<phrase>.+)",
        r"^\W*['\"]?(?P<word>\w+(?: \w+)?)['\"]?\s*[?:,-]\s*(?:that|it|this) means (?P<phrase>.+)",
        rf"{_LEADING}(?P<word>(?!that\b|this\b|it\b|which\b)\w+(?: \w+)?) means (?:that )?"
        r"(?P<phrase>(?:you|to|that|it|put|bring|on|in|at|\w+ing)\b.+)",
    )
)
_CALL = re.compile(
    r"(?:\b(?:i|we) (?:always |just |will )?|^\W*(?:please |let's |let us )?)call (?P<phrase>(?:the |my )[\w -]+?) "
    r"(?P<word>['\"]?(?:my |our |the )?\w+(?: \w+)?['\"]?)$",
    re.IGNORECASE,
)
_NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:^|[:;,.!?]\s*)(?P<word>(?!that\b|this\b|it\b|which\b|what\b)[\w-]+(?: [\w-]+)?)"
        r"(?: (?:in|around|at) (?:this|our|my) \w+| (?:around |in )?here| (?:for|to|with) (?:me|us))?"
        r" (?:always )?means (?P<thing>T\d+)\b(?!(?:,|,? and|,? with|,? plus) T\d)",
        r"(?P<thing>[TP]\d+)(?:'s name is| is called| goes by(?: the name)?(?: of)?| answers to)(?: always)? "
        r"(?:the |our |my )?(?P<word>(?!in\b|on\b|at\b|for\b|by\b)\w+)\W*$",
    )
)
"""A thing or place of the scene by another name."""
_NO_NAME = r"(?!(?:that|this|it|which|what|he|she|who|there|here|one|mine|yours|the|my|our|your|a|an|and|so|but)\b)"
_NAME = rf"(?:^|[:;,.!?]\s*){_NO_NAME}(?P<word>[\w-]+(?: [\w-]+)?)"
_IS_THING = re.compile(rf"{_NAME} is (?:just |really |actually )?(?P<thing>T\d+)(?=\W*$|[,.;!?])", re.IGNORECASE)
_NAMING = re.compile(r"\b(?:call|calls|called|named?|known as)\b", re.IGNORECASE)
_AT = r"(?:goes )?(?:on|onto|in|into|at) P\d+"
_THING_AT = rf"T\d+(?: first| too| as well)?(?: {_AT}| (?:next to|beside|with) (?:it|T\d+)| there)"
_LAID_OUT = re.compile(
    rf"{_NAME}(?: in (?:this|our|my) \w+| around here| here| (?:for|to|with) us)? (?:is|means)(?: that)?"
    rf"(?: you put)?,? (?P<things>{_THING_AT}(?:(?:,? and|,)(?: then| after that| afterwards)? {_THING_AT})+)"
    r"(?=\W*$|[,.;!?])",
    re.IGNORECASE,
)
"""Several things and their places under one name."""
_AFTER_WORD = re.compile(
    r"(?:\s+(?:something|someone|anything|it|that|this|them|things|a thing|stuff))+$", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:then )?(?:(?:i|we|it|that) (?:mean|means|want)(?: you)?|i would like you|you (?:should|must|are to|have to)|"
    r"(?:that|it)(?:'s| is)|you(?= \w))\b\s*"
    r"(?:that )?(?:you (?:should|must|to|are to|have to)?\s*|to\s+)?",
    re.IGNORECASE,
)
_BARE_PLACE = re.compile(r"^(?:on|in|into|onto|to|at|under|next to|behind|beside) (?:the|my|our|a)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"^(?:always|only ever|just|only)\s+", re.IGNORECASE)
_ONES = re.compile(r"^((?:the|my|our) (?:\w+ )+)ones?$", re.IGNORECASE)
_A_TIME = re.compile(r"\w+ing (?:time|hours?|day|night)", re.IGNORECASE)
"""A name like "closing time", in which the first word is no verb."""
_INFINITIVE = re.compile(r"^to (?!the\b|my\b|our\b|a\b)", re.IGNORECASE)
_GOES = re.compile(
    r"^(?:that )?(?:it|this|that|the thing|something) (?:(?:should|must|has to|needs to|is to|shall) )?"
    r"(?:go(?:es)?|belongs?|be|be put|be placed|be brought|lie|stand|come) (?=(?:on|in|to|at|under)\w*\b)",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    r"^\W*(?:ok |okay |and |so |remember |learn |that |from now on )*(?:the|a|an|my) (?P<name>(?!\w+ "
    r"that\b)\w+(?: \w+)?) "
    r"(?:is|has|means|consists of|contains|needs|is made of|is made from|includes|comes with)(?: now)?:? "
    r"(?P<content>.+)$",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    rf"\b(?:when(?:ever)?|if|every time|each time) (?:i|we) (?:{ASKED_FOR}) (?:my |our |some |a |an |the )?"
    r"(?P<name>(?!it\b|that\b|this\b|some\w+\b|any\w+\b|one\b)\w+(?: \w+)?),? (?:then )?(?:please )?(?:you should )?"
    r"(?:always )?(?:bring|get|give|fetch|serve|hand) (?:me |us )(?P<content>.+)$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\d|\b(one|two|three|four|five|six|and|then|with|a|an)\b", re.IGNORECASE)
_IS_A_STATE = re.compile(r"(?:in|on|at|under|to|that|which|not|too|no|always|with)\b", re.IGNORECASE)


def read_definition(text: str, scene: Scene, asked_for: str = "") -> Effect | None:
    """Read what a word means. `asked_for` is the request before, which may have had the word."""
    for pattern in _DEFINITIONS:
        if match := pattern.search(text):
            return _meaning(match["word"], match["phrase"])
    if (match := _ORDERED.search(text)) and not _known(match["name"], scene) and _known(match["content"], scene):
        return Routine(match["name"], match["content"])
    said = masked(text, scene)
    if laid_out := _laid_out(said):
        return laid_out
    if match := next((match for form in _NAMED if (match := form.search(said.text))), None):
        token = match["thing"]
        thing = said.thing(token) if token[0] == "T" else said.place(token)
        return _meaning(match["word"], f"the {thing}") if not _known(match["word"], scene) else None
    match = _IS_THING.search(said.text)
    if match and not _known(match["word"], scene) and (_NAMING.search(text) or mention(match["word"], asked_for)):
        return _meaning(match["word"], f"the {said.thing(match['thing'])}")
    match = _CALL.search(text)
    if match and masked(match["phrase"], scene).text.strip()[:1] in ("T", "P"):
        return _meaning(match["word"], match["phrase"])
    return None


def read_name_of_deed(text: str, last: Turn | None) -> Effect | None:
    """ "That's what I mean when I say lay the table": what was just done has a name."""
    match = _NAME_OF_DEED.search(text)
    if match is None or last is None or mention(match["word"], last.utterance):
        return None
    said = _WISHED.sub("put ", _BEFORE_DEED.sub("", last.utterance).rstrip(" .!?"))
    understood = last.steps[0].meaning or said
    return Meaning(match["word"].strip(" '\""), understood if _POINTS.search(said) else said)


_NAME_OF_DEED = re.compile(
    r"\bthat(?:'s| is| was)(?: exactly| just)? (?:(?:what (?:i|we) (?:mean|call|want)(?: you to do)?"
    r"(?: (?:by|with)| when(?:ever)? (?:i|we) (?:say|ask for|ask you to))?|what (?:it )?means|how you)|"
    r"called|(?=(?:the|my|our|your) \w+ (?:round|"
    r"routine|tour|check|ritual|run|way)\b)(?:the|my|our|your)) "
    r"['\"]?(?P<word>(?:the |a )?[\w']+(?: [\w']+){0,5}?)['\"]?"
    r"(?=\W*$|[,.;!?]| and )",
    re.IGNORECASE,
)


_BEFORE_DEED = re.compile(
    r"^(?:\W*\b(?:no|well|so|and|now|please|not like that|wrong|okay|ok)\b\W*)*(?:you (?:should|must|have to) )?",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"^(?:i|we)(?:'d| would)? (?:like|love|want|need)(?: to have)? (?=.+ (?:on|in|onto|into|at) (?:the|my|our)\b)", re.I
)
_POINTS = re.compile(r"\b(?:it|them|there|that|this|those|these|one)\b", re.IGNORECASE)


def read_routine(text: str, scene: Scene) -> Effect | None:
    """Read several things or steps that are put under a name; None where something here has that name."""
    match = _ROUTINE.search(text)
    if match is None or not _PARTS.search(match["content"]) or _IS_A_STATE.match(match["content"]):
        return None
    name = match["name"]
    if place_called(name, scene) or any(called(thing.name, name) for thing in scene.objects):
        return None
    return Routine(name, match["content"])


def _laid_out(said: Masked) -> Effect | None:
    """ "Elevenses is the cup on the table, and after that the jam next to it": where each thing is put, one by one."""
    match = _LAID_OUT.search(said.text)
    if match is None or _known(match["word"], said.scene):
        return None
    orders, place = [], ""
    for one in re.finditer(_THING_AT, match["things"], re.IGNORECASE):
        token, *where = re.findall(r"[TP]\d+", one[0])
        place = next((said.place(there) for there in where if there[0] == "P"), place)
        orders.append(f"put the {said.thing(token)} on the {place}" if place else "")
    return Meaning(match["word"], " and ".join(orders)) if all(orders) else None


def _known(phrase: str, scene: Scene) -> bool:
    """Return whether anything here, or any kind of thing, is spoken of."""
    return bool(re.search(r"\b[TCHP]\d+\b", masked(phrase, scene).text))


def _meaning(word: str, phrase: str) -> Effect | None:
    word = _AFTER_WORD.sub("", word.strip(" \"',"))
    word = word if _A_TIME.fullmatch(word) else _infinitive(word)
    phrase = _infinitive(_LEAD.sub("", phrase.strip(" \"',:")))
    phrase = _GOES.sub("put it ", _INFINITIVE.sub("", phrase))
    phrase = _ONES.sub(rf"\1{word}", _ALWAYS.sub("", phrase))
    if _BARE_PLACE.match(phrase):
        phrase = f"put it {phrase}"
    return Meaning(word, phrase) if word and phrase else None


def _infinitive(phrase: str) -> str:
    """ "Bringing it" -> "bring it", for verbs that are known."""
    match = re.match(r"\w+ing\b", phrase, re.IGNORECASE)
    if match is None:
        return phrase
    known = next((verb for verb in plain_forms(match[0].lower()) if (verb,) in lexicon().verb_stems), None)
    return f"{known}{phrase[match.end() :]}" if known else phrase
