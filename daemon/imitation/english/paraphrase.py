"""Requests in roundabout words, said plainly: "the sponge should go over to the sink, would you" puts it there."""

import re

from daemon.imitation.english.clauses import polite
from daemon.imitation.english.look_phrases import with_nouns
from daemon.imitation.english.noun_phrases import masked, said_in_full, things_named
from daemon.imitation.english.scene_mentions import listed, there
from daemon.imitation.english.sentence_parts import whole_sentences
from daemon.lexicon.inflection import singular
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.names import forms, mention, spoken
from daemon.transcript import PARTS
from skills.scene import Scene, Thing

_TAG = re.compile(r"(?:,?\s+(?:(?:would|could|will|can|won't|wouldn't) you(?: mind)?|please))+\W*$", re.IGNORECASE)
_WISH = re.compile(
    r"^\W*(?:please,? )?(?:(?:i|we)(?: would|'d| do|'ll| will| be)* (?:want|need|wish)(?:ing)?|(?:i|"
    r"we)(?: would|'d) (?:like|love|prefer)|"
    r"(?:can|could|may) "
    r"(?:i|we)|it would be (?:nice|good|great))"
    r"(?: to)?(?: have| see| get)? (?P<thing>T\d+(?:(?:,? and|,) T\d+)*) (?:to be |to go |to stand |"
    r"to lie |put |placed |brought |standing |lying )?"
    r"(?:over |back )?(?:on|onto|in|into|to|at) (?P<place>P\d+)\W*$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^\W*(?:please,? |and |could |can |would |may |shall )?(?P<thing>T\d+) (?:(?:should|must|has to|have to|"
    r"needs? to|is to|are to|could|can|may|wants? to) )?"
    r"(?:please )?(?:be )?(?:taken|brought|moved|carried|put|placed|set|transported|delivered|goes|go|come|be)? "
    r"?(?:over |back )?"
    r"(?:on|onto|in|into|to|at) (?P<place>P\d+)\W*$",
    re.IGNORECASE,
)
_TOSS = re.compile(
    r"^\W*(?:throw|toss|chuck|lob|fling|sling) (?:(?:me|us) (?P<given>T\d+)|(?P<thing>T\d+) (?:over )?"
    r"(?:to (?:me|us)|(?:in|into|on|onto) (?P<where>[TP]\d+)))\W*$",
    re.IGNORECASE,
)
"""Nothing is thrown: it is brought, or put there."""
_TAKEN_AND_PUT = re.compile(
    r"^(?:get|take|grab|pick up|lift) (?P<thing>T\d+)(?: off| out of| from| up| away from)?(?: there| it| P\d+)?"
    r"(?:,? and|,) (?:then )?(?:stick|put|pop|place|set|lay|shove) (?:it|them) (?:down )?(?:back )?"
    r"(?:on|in|into|onto|at|by) (?P<place>[TP]\d+)\W*$",
    re.IGNORECASE,
)
_LOOK_INSIDE = re.compile(
    r"(?P<open>\b(?:open(?: up)?|go to|look into) (?P<place>the [\w-]+(?: [\w-]+)?)),? (?:and|to) (?:then )?"
    r"(?:tell (?:me|us)|say|see|look|check|show (?:me|us)|find out|have a look|let me know) what(?:'s| is)(?: all)? "
    r"(?:there|(?:there )?(?:in(?:side)?|on)(?: of)?(?: it| there)?)\W*$",
    re.IGNORECASE,
)
"""What is asked about a place once one is there."""
_STAYS_OPEN = re.compile(r"(?<=\w),? (?:and|but) (?:then )?(?:leave|keep) (?:it|them|that) open\b", re.IGNORECASE)
"""What is opened for its own sake stays open anyway."""


_SLIP = re.compile(
    r"\b(on|in|to|into|onto|at|the|my|a) (?:[\w-]+ ?){1,4}?(?:[\s,.…-]+(?:sorry|no|er+m?|u[hm]+|wait|oops))*[\s,.…-]+"
    r"(?:i mean(?:t)?|make that|or rather|no wait)[\s,]+(?=\1 )",
    re.IGNORECASE,
)
_SORRY = re.compile(r",? sorry(?: about that)?\W*$", re.IGNORECASE)
_GIVE = re.compile(r"\bgimme\b", re.IGNORECASE)
_HERE = re.compile(r"\bcome (?:over )?here\b(?: (?:for )?a (?:sec(?:ond)?|minute|moment|bit))?", re.IGNORECASE)
_GO = re.compile(
    r"((?:^|\b(?:then|and|you|to|please|now),? ))(?:(?:swing|nip|pop|stop|drop|come|walk|roll) (?:over |round )?by"
    r"|(?:head|shift|nip|pop|hop|roll|wander|trundle|scoot|back up|run|drive|move(?: yourself)?|get yourself)"
    r"(?: (?:over|across|back|on|along|up))* (?:to|towards)|wait (?:at|by|near|next to)) (?=(?:the|my|our|your)\b)",
    re.IGNORECASE,
)
"""People have many words for going somewhere."""
_TO_A_THING = re.compile(r"^go (?:over )?to (?P<thing>T\d+)$", re.IGNORECASE)
_SWAP = re.compile(
    r"^(?:swap|switch|exchange|interchange)(?: round| around| over)? (?P<one>T\d+) (?:and|with|for) (?P<other>T\d+)"
    r"(?: (?:round|around|over))?$"
    r"|^(?P<first>T\d+) and (?P<second>T\d+)\b.*\b(?:swap|switch|exchange) (?:them|the two|both)"
    r"(?: (?:round|around|over))?$",
    re.IGNORECASE,
)
_SORTING = re.compile(
    r"^(?:(?:tidy|clear|clean|sort)(?: \w+){0,4}? ?(?P<place>P\d+)?(?: up| out| off)?(?: a bit| please)?"
    r"\s*[:;,.-]+\s*)?"
    r"(?P<pairs>[TC]\d+ (?:goes? |go |belongs? )?(?:to|on|onto|in|into|at|by) P\d+"
    r"(?:(?:,|;|,? and) [TC]\d+ (?:goes? |go |belongs? )?(?:to|on|onto|in|into|at|by) P\d+)+)$",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?P<what>[TC]\d+) (?:\w+ )?(?:to|on|onto|in|into|at|by) (?P<where>P\d+)", re.IGNORECASE)
_CLEAR_TO = re.compile(
    r"^(?:clear (?:off |up )?(?P<place>P\d+)(?: off| up)?[,;:]? (?:please,? )?(?:and )?|"
    r"(?P<dirty>P\d+) (?:needs|wants|could do with|has to be|must be|should be) (?:to be )?"
    r"clear(?:ing|ed)(?: off| up)?[.,;:!]* (?:please,? )?(?:so )?)"
    r"(?:(?:stick|put|take|bring|carry|move) )?(?:everything|it all|the lot|all of it|them all|all that|the things|"
    r"it) (?P<rest>.+)$",
    re.IGNORECASE,
)
_KIND_OF_STUFF = re.compile(
    r"\b(?:all (?:of )?|every(?:thing)? )(?:the |my |our )?(?P<kind>\w+) (?:stuff|things?|ones|objects|items)\b",
    re.IGNORECASE,
)
_ALL_THERE = re.compile(
    r"^(?P<deed>\W*(?:please,? )?(?:(?P<fetch>bring|get|give|fetch|hand)|take|move|put|carry)(?: me| us)?) "
    r"(?:everything|all (?:of )?(?:the )?(?:things|objects|items|stuff)|what(?:ever)?(?='s| is| lies))"
    r"(?:(?: that)?'s| (?:that )?(?:is|lies|are|lie))? (?P<from>from|off|on|in|at) (?P<place>P\d+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_IF_ANY = re.compile(
    r"^(?P<polite>\W*(?:please,? )?)if (?:there(?:'s| is| are)|(?:you|we) (?:have|see|find)) (?P<no>no |not any )?"
    r"(?:still |any |some |a |an )*(?P<what>[\w ]+?)(?: left| here| there)?,? (?:then )?(?P<then>[^,;]+?)"
    r"(?:[,;]? (?:and )?(?:otherwise|or else|else|if not),? (?P<otherwise>.+))?$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|them|one|some)\b(?! \w+ing\b)", re.IGNORECASE)


def plain_order(text: str, scene: Scene) -> str:
    """Return the same request in the plainest words; the text itself where it is plain already."""
    bare = with_nouns(_SORRY.sub("", _SLIP.sub("", _TAG.sub("", _after_exclamations(text, scene)))), scene)
    bare = _stop_by_stop(_closed(done_with(bare) or bare, scene), scene)
    bare = _GO.sub(r"\1go to ", _GIVE.sub("give me", _HERE.sub("come to me", bare)))
    bare = _LOOK_INSIDE.sub(lambda match: f"{match['open']}{PARTS}what is in {match['place']}?", bare)
    if several := _swapped(bare, scene) or sorted_out(bare, scene):
        return several
    bare = _gone_to_a_thing(_one_by_one(_of_a_kind(_whichever_holds(bare, scene), scene), scene), scene)
    if re.match(r"\W*open\b", polite(bare), re.IGNORECASE):
        bare = _STAYS_OPEN.sub("", bare)
    bare = _there(_told_first(bare, scene), scene)
    said = masked(_without_remarks(bare, scene), scene)
    for form in (_WISH, _PASSIVE, _TAKEN_AND_PUT):
        if match := form.match(said.text):
            tokens = re.findall(r"T\d+", match["thing"])
            things = [said.references[int(token[1:])].things[0] for token in tokens]
            target = said.references[int(match["place"][1:])]
            places = target.places or target.things
            if len(places) == 1 and any(thing.location != places[0].name for thing in things):
                return f"put {listed(things)} {there(places[0].name, scene)}"
    return _without_throwing(bare, scene)


def _after_exclamations(text: str, scene: Scene) -> str:
    """Return a request without what is asked or called out before it: "Ouch! The door?", "can't you see ...?"."""
    said = whole_sentences(text)
    for number, sentence in enumerate(said):
        if tuple(stems(polite(sentence))[:1]) in lexicon().verb_stems:
            if not number:
                return _taken_up(text, scene)
            named = [one for before in said[:number] for one in things_named(before, scene)]
            return " ".join([said_in_full(sentence, named, scene), *said[number + 1 :]])
        missed = _MISSED.fullmatch(sentence)
        if missed and any(mention(missed["what"], after) for after in said[number + 1 :]):
            continue
        if not (sentence.endswith("?") or _EXCLAMATION.fullmatch(sentence)):
            return _taken_up(text, scene)
    return text


def _taken_up(text: str, scene: Scene) -> str:
    """ "Don't leave the cup lying around, put it on the shelf" asks for the second only."""
    match = _LEFT_LYING.match(text)
    return said_in_full(text[match.end() :], things_named(match[0], scene), scene) if match else text


_LEFT_LYING = re.compile(
    r"^(?:\W*(?:well|oh|hey|no|please)\b)*\W*(?:don't|do not) (?:just )?(?:leave|let) "
    r"(?:it|them|that|this|the [\w -]+?)"
    r"(?: (?:lying|lie|standing|stand|there|here|out|about|around|like that))+\s*[,;.!]\s*(?:and |but )?",
    re.IGNORECASE,
)
_MISSED = re.compile(
    r"\W*(?:(?:hm+|oh|but|and)\W+)*(?:no|where's the|where is the|what about the) (?P<what>[\w ]+?)\W*", re.I
)
_EXCLAMATION = re.compile(
    r"(?:\W*\b(?:hm+|oh|ouch|ah|well|hey|no|whoa|careful|dear|my|look|thanks|great|good)\b)+\W*", re.I
)
_DONE_WITH = re.compile(
    r"^\W*(?:(?:ok|okay|right|well|so|hey)\W+)*(?:(?:i|we)(?:'m| am|'re| are|'ve| have)(?: now| all)? "
    r"(?:done|finished|through) with|(?:i|we) (?:don't|do not|no longer) need) "
    r"(?P<what>(?:the|this|that|my|our) [\w -]+?)(?<! yet)"
    r"(?: (?:now|any ?more|any longer|for today|for now))*\W*$",
    re.IGNORECASE,
)
"""Who is done with something wants it put away."""


def done_with(text: str) -> str:
    """Return what somebody is done with, to be put away: "I'm done with the saw"; "" for any other sentence."""
    match = _DONE_WITH.match(text)
    return f"put {match['what']} away" if match else ""


def _closed(text: str, scene: Scene) -> str:
    """ "Close whatever is still open": the doors that are."""
    match = _WHATEVER_IS_OPEN.search(text)
    if match is None:
        return text
    doors = [f"close the {spoken(place.name)}" for place in scene.locations if place.door == "open"]
    before = text[: match.start()].rstrip(" ,")
    return PARTS.join([*([before] if re.search(r"\w", before) else []), *doors]) if before or doors else text


def _stop_by_stop(text: str, scene: Scene) -> str:
    """ "Drive to the fridge, the oven and the sink": one place after the other."""
    first, *rest = text.split(PARTS)
    said = masked(polite(first), scene)
    match = _SEVERAL_STOPS.fullmatch(said.text.rstrip(" .!?"))
    if match is None:
        return text
    stops = [f"go to the {said.place(token)}" for token in re.findall(r"P\d+", match["places"])]
    return PARTS.join([*stops, *rest])


_WHATEVER_IS_OPEN = re.compile(
    r"(?:,? ?(?:\band |\bthen ))*\b(?:close|shut) (?:whatever|everything|anything|what|all|every door|all doors)"
    r"(?: that| which)?(?:'s| is| are| you find)?(?: still)? open\b",
    re.IGNORECASE,
)
_SEVERAL_STOPS = re.compile(
    r"(?:\W*\b(?:no|well|so|and|now|then|please)\b\W*)*(?:you (?:should|must|have to) )?(?:go|drive|move) to "
    r"(?P<places>P\d+(?:(?:,? and(?: then)?|,(?: then)?) (?:to )?P\d+)+)",
    re.IGNORECASE,
)


def _told_first(text: str, scene: Scene) -> str:
    """ "The cake, you put it on the rack" asks to put the cake on the rack."""
    said = masked(text, scene)
    match = _TOPIC.match(said.text)
    things = said.references[int(match["thing"][1:])].things if match else ()
    if match is None or len(things) != 1:
        return text
    rest = _YOU.sub("", text.split(",", 1)[1].strip())
    return _IT.sub(f"the {spoken(things[0].name)}", rest, count=1)


_TOPIC = re.compile(
    r"^\W*(?P<thing>T\d+), (?:please,? )?(?:you |just |now )*(?:put|set|place|leave|lay|take|bring|carry|move|stand|"
    r"pop|stick|give|hand) (?:it|them|that)\b[^,;]*(?:, please)?\W*$",
    re.IGNORECASE,
)
_YOU = re.compile(r"^(?:please,? )?(?:you |just |now )+", re.IGNORECASE)


def _there(text: str, scene: Scene) -> str:
    """ "The rack is empty, so put the loaf there" asks to put the loaf on the rack."""
    parts = _PARTS.split(text)
    for number, part in enumerate(parts):
        before = [masked(earlier, scene) for earlier in parts[:number]]
        named = [said.place(token) for said in before for token in said.tokens if token[0] == "P"]
        others = any(token[0] != "P" for said in before for token in said.tokens)
        if len(set(named)) == 1 and not others and _THERE.search(part) and masked(part, scene).tokens:
            return ", ".join([_THERE.sub(f"on the {named[0]}", part), *parts[number + 1 :]])
    return text


def _without_remarks(text: str, scene: Scene) -> str:
    """Return the only part that names anything here, where the others ask for nothing: "shooting starts, ..."."""
    parts = [part for part in _PARTS.split(text) if part]
    naming = [part for part in parts if masked(part, scene).tokens]
    remarks = [part for part in parts if part not in naming]
    asks = any((stem,) in lexicon().verb_stems for part in remarks for stem in stems(polite(part))[:1])
    return naming[0] if len(naming) == 1 and remarks and not asks else text


_PARTS = re.compile(r"(?<=[.!?;])\s+|,\s+(?:(?:so|and|but)\s+)?|\s+so\s+", re.IGNORECASE)
_THERE = re.compile(r"\b(?:(?:on|in|over|down|up|onto|into) )*there\b(?! is\b| are\b|')", re.IGNORECASE)


def _whichever_holds(text: str, scene: Scene) -> str:
    """Return what is to be done as things are: "if there is milk, bring it, otherwise the juice"."""
    match = _IF_ANY.match(text)
    if match is None:
        return text
    there = bool(masked(match["what"], scene).references) is not bool(match["no"])
    if there:
        return match["polite"] + _IT.sub(f"the {match['what']}", match["then"])
    if match["otherwise"] is None:
        return f"where is the {match['what']}?"
    otherwise = masked(match["otherwise"], scene).text
    if not re.match(r"[TC]\d+", otherwise):
        return f"{match['polite']}{match['otherwise']}"
    deed = re.match(r"\w+(?: me| us)?", match["then"])
    return f"{match['polite']}{deed[0]} {match['otherwise']}" if deed else text


def _one_by_one(text: str, scene: Scene) -> str:
    """ "Everything on the table", thing by thing; the text itself where nothing lies there."""
    said = masked(text, scene)
    match = _ALL_THERE.match(said.text)
    if match is None:
        return text
    place = said.references[int(match["place"][1:])].places
    things = [thing for thing in scene.objects if len(place) == 1 and thing.location == place[0].name]
    elsewhere = match["fetch"] or match["from"] in ("from", "off") or re.search(r"P\d+", match["rest"])
    if not things or not elsewhere:
        return text
    rest = re.sub(r"P(\d+)", lambda one: f"the {spoken(said.references[int(one[1])].places[0].name)}", match["rest"])
    return f"{match['deed']} {listed(things)}{rest}"


def _of_a_kind(text: str, scene: Scene) -> str:
    """ "All the green stuff" is the green bottle and the green apple."""
    match = _KIND_OF_STUFF.search(text)
    things = [thing for thing in scene.objects if mention(match["kind"], spoken(thing.name))] if match else []
    return f"{text[: match.start()]}{listed(things)}{text[match.end() :]}" if match and things else text


def _gone_to_a_thing(text: str, scene: Scene) -> str:
    """Going to a thing is going to where it is."""
    said = masked(polite(text), scene)
    match = _TO_A_THING.match(said.text)
    things = said.references[int(match["thing"][1:])].things if match else ()
    if len(things) != 1 or all(place.name != things[0].location for place in scene.locations):
        return text
    return f"go to the {spoken(things[0].location)}"


def _swapped(text: str, scene: Scene) -> str:
    """Return requests that put each of two things where the other is; "" for a text that asks for no swap."""
    said = masked(polite(text), scene)
    match = _SWAP.match(said.text)
    if match is None:
        return ""
    tokens = (match["one"] or match["first"], match["other"] or match["second"])
    one, other = (said.references[int(token[1:])].things[0] for token in tokens)
    return (
        f"{_put(one, other.location, scene)}{PARTS}{_put(other, one.location, scene)}"
        if one.location and other.location
        else ""
    )


def sorted_out(text: str, scene: Scene) -> str:
    """Return one request for each of several things or classes with a place of its own; "" for any other text."""
    bare = polite(text)
    said = masked(bare, scene)
    if match := _CLEAR_TO.match(said.text):
        here = said.references[int((match["place"] or match["dirty"])[1:])].places[0].name
        to = next((one.places[0].name for one in said.references[1:] if one.places), "")
        all_of_it = [thing for thing in scene.objects if thing.location == here]
        return PARTS.join(_put(thing, to, scene) for thing in all_of_it) if to else ""
    match = _SORTING.match(said.text)
    if match is None:
        return ""
    cleared = said.references[int(match["place"][1:])].places[0].name if match["place"] else ""
    orders = []
    for pair in _PAIR.finditer(match["pairs"]):
        reference = said.references[int(pair["what"][1:])]
        to = said.references[int(pair["where"][1:])].places[0].name
        kind = singular(reference.category or bare[reference.start : reference.end].lower())
        meant = [thing for thing in scene.objects if thing in reference.things or singular(thing.category) == kind]
        there = [thing for thing in meant if thing.location == cleared or (not cleared and thing.location != to)]
        orders += [_put(thing, to, scene) for thing in there]
    return PARTS.join(orders)


def _put(thing: Thing, place: str, scene: Scene) -> str:
    alike = [other for other in scene.objects if spoken(other.name) == spoken(thing.name)]
    name = spoken(thing.name) if len(alike) == 1 else forms(thing.name)[0]
    return f"put the {name} {there(place, scene)}"


def _without_throwing(text: str, scene: Scene) -> str:
    said = masked(polite(text), scene)
    match = _TOSS.match(said.text)
    if match is None:
        return text
    thing = said.thing(match["given"] or match["thing"])
    if match["where"] is None:
        return f"bring me the {thing}"
    into = "into" if match["where"][0] == "T" else "on"
    where = said.thing(match["where"]) if match["where"][0] == "T" else said.place(match["where"])
    return f"put the {thing} {into} the {where}"
