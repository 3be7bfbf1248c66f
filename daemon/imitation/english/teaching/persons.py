"""For whom a lesson is meant, and who speaks: "only for me", "a biscuit for Mrs Haddad", "this is Anna". Pure text."""

import re
from collections.abc import Sequence


def for_me_alone(text: str) -> bool:
    """Return whether somebody says that a lesson is for them and nobody else."""
    return bool(_ONLY_ME.search(text))


def for_everybody(text: str) -> str:
    """The same lesson without the words that keep it to one person."""
    return " ".join(_ONLY_ME.sub(" ", text).split()).strip(" ,:;-") if for_me_alone(text) else text


def meant_for(sentence: str) -> tuple[str, str]:
    """The person, other than who speaks, for whom what a sentence says is to hold, and the same said of oneself.

    "If Grandma wants tea, she gets the green tea" is "if I want tea, I get the green tea", for Grandma. ("", the
    sentence) where nobody is named like that.
    """
    for form, plain in _MEANT_FOR:
        match = form.search(sentence)
        if match and match["person"].split()[-1].lower() not in _NOBODY:
            said = f"{sentence[: match.start()]}{match.expand(plain)}{sentence[match.end() :]}"
            return re.sub(r"^(?:my|our|the) ", "", match["person"], flags=re.IGNORECASE), _PRONOUNS.sub(
                "I", said
            ).strip()
    return "", sentence


def with_persons(parts: Sequence[str]) -> list[str]:
    """The sentences of an utterance, "for her" said with the name of whom one before spoke of."""
    found, person = [], ""
    for part in parts:
        said = _FOR_THEM.sub(rf"\1 {person}", part) if person else part
        match = _SPOKEN_OF.match(part)
        if match and match["person"].split()[-1].lower() not in _NOBODY:
            person = match["person"]
        found.append(said)
    return found


def is_for(person: str, text: str) -> bool:
    """Return whether a request is made for a person: "some tea for Grandma", "Grandma would like ..."."""
    return bool(re.search(_REQUESTED.format(who=re.escape(person)), text, re.IGNORECASE))


def introduced(text: str) -> tuple[str, str]:
    """Return the name by which somebody introduces themselves, and what else they say; "" and all of it if not.

    >>> introduced("hi, I'm Zoe. who are you?")
    ('Zoe', 'who are you?')
    """
    match = _INTRODUCED.match(text.strip())
    name = next(filter(None, match.groups()), "") if match else ""
    if match is None or name.lower() in _NO_NAME:
        return "", text
    besides = _NOTHING_MORE.sub("", text.strip()[match.end() :]).strip(" ,.!;-")
    return name[0].upper() + name[1:], besides


def named(answer: str) -> str:
    """The name in an answer to "Who is speaking?"; "" for none."""
    alone = _BEFORE_A_NAME.sub("", answer.strip()).rstrip(" .!")
    return introduced(answer)[0] or introduced(f"my name is {alone}")[0]


_KIN = (
    r"wife|husband|sister|brother|mother|father|mum|mummy|mom|dad|daddy|son|daughter|grandma|grandpa|granny|grandmother|"
    r"grandfather|nan|nana|papa|mama|boss|nurse|doctor|baby|kid|child|uncle|aunt|auntie|lodger|neighbou?r|guest|visitor|"
    r"flatmate|teacher|apprentice|assistant|partner|girlfriend|boyfriend|patient"
)
_PERSON = (
    rf"(?P<person>(?:my|our|the) (?:little |big |old )?(?:{_KIN})s?\b|(?:mr|mrs|ms|miss|dr|doctor|nurse|sister|"
    r"uncle|aunt|auntie|"
    r"professor|grandma|grandpa|granny)\.? (?-i:[A-Z])[\w-]+|(?:mr|mrs|miss|dr)\.? (?!wants?\b|needs?\b|asks?\b|"
    r"gets?\b)[a-z]+|"
    rf"(?:grandma|grandpa|granny|nana|mum|mummy|mom|dad|daddy|papa|mama)\b|(?-i:[A-Z][a-z]+\b))"
)
_HABIT = r"(?:takes|drinks|gets|eats|prefers|uses|likes)"
_LIKES = r"(?:wants?|needs?|likes?|takes?|drinks?|has|gets?|eats?|prefers?|uses?|would like|would love|'d like|'d love)"
_MEANT_FOR = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for form, plain in (
        (
            rf"\b(?<!even )(?P<if>if|when(?:ever)?|(?:every|each|any) ?time|and) {_PERSON} (?:just |only )?"
            rf"(?:{_LIKES}|asks? (?:you )?for|is asking for|is after|fancies|orders?|says?(?! so\b))",
            r"\g<if> I ask for",
        ),
        (
            rf"^(?P<lead>(?:\W*(?:and|so|but|well|oh|no|please|remember|also)\b,?)*\W*){_PERSON} (?:{_HABIT}|"
            r"(?:always|only|usually|"
            rf"just|must(?: always| only)?|should(?: always| only)?) (?:{_LIKES}|have|get)) (?:(?:her|his|their|"
            r"all|a|some) )?",
            r"\g<lead>I always take ",
        ),
        (
            rf"\b(?P<never>never|don't ever|do not ever) (?P<give>bring|give|hand|get|serve|fetch) {_PERSON}",
            r"\g<never> \g<give> me",
        ),
        (rf"(?P<x>\w) for {_PERSON}(?!'s|\w)", r"\g<x>"),
    )
)
_SPOKEN_OF = re.compile(rf"(?:\W*\b(?:no|well|oh|and|but|so|yes|right)\b)*\W*{_PERSON} (?:\w+ )?\w+", re.IGNORECASE)
_FOR_THEM = re.compile(r"\b(for|to) (?:him|her|them)\b(?! \w+ing\b)", re.IGNORECASE)
_PRONOUNS = re.compile(
    r"\b(?:she|he|they)(?='d|'s| gets?\b| has\b| wants?\b| takes?\b| drinks?\b| likes?\b| only\b| always\b)", re.I
)
_NOBODY = frozenset(
    {
        "everybody",
        "everyone",
        "nobody",
        "somebody",
        "someone",
        "anyone",
        "anybody",
        "people",
        "we",
        "i",
        "you",
        "it",
        "that",
    }
    | {"this", "she", "he", "they", "who", "there", "what", "me", "us", "now", "instance", "example", "future", "the"}
    | {
        "no",
        "not",
        "never",
        "yes",
        "please",
        "always",
        "next",
        "when",
        "whenever",
        "whatever",
        "everything",
        "anything",
    }
    | {
        "good",
        "right",
        "great",
        "thanks",
        "thank",
        "ok",
        "okay",
        "well",
        "so",
        "and",
        "but",
        "if",
        "remember",
        "things",
    }
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas", "easter", "god"}
)
_REQUESTED = (
    r"\b(?:for|to|give|bring|take|hand|serve|fetch|get) (?:my |our |the )?{who}\b(?!'s)"
    r"|\b{who}(?:'s| is| was| has)? (?:just |really |now |also |been )*(?:want|need|ask|would\b|fanc|likes?\b|"
    r"thirsty|hungry|"
    r"peckish|after\b|crav|dying for|could do with|gets?\b|takes?\b|having|order)"
    r"|\b{who}'d (?:like|love)|\b(?:bring|get|give|fetch|hand|need|want)(?: me| us)? {who}'s "
)
_ONLY_ME = re.compile(
    r"[\s,;:-]*\b(?:(?:and |but |though |that's |this is |it is |it's )*(?:only|just|solely)"
    r" (?:(?:for|with|when it(?:'s| is)|if it(?:'s| is)) me(?: who (?:asks|says so))?"
    r"|(?:when|if) i (?:ask(?! (?:you )?(?:for|to)\b)|say so|am the one who asks))"
    r"|(?:but |and )?for me (?:only|alone)"
    r"|(?:but |and )?not for (?:the )?(?:others?|anybody else|anyone else|everybody))\b",
    re.IGNORECASE,
)
_GREETED = r"(?:hello|hi|hiya|hey|good (?:morning|afternoon|evening|day)|heed|robot)\b(?: there| heed| robot)?[ ,!.-]+"
_INTRODUCED = re.compile(
    rf"(?i:{_GREETED}|(?:and|oh|so|well|okay|ok|yes|right|by the way)[ ,]+)*"
    r"(?:(?i:my name(?:'s| is) (?P<named>(?:(?:mr|mrs|ms|miss|dr)\.? )?[a-z]+)"
    r"|(?:this is|it's|it is) (?P<speaking>[a-z]+) (?:speaking|here))"
    r"|(?i:i am|i'm|im|this is|it's me,|(?:you can |they |people |everybody |everyone )?call me|the name(?:'s| is))"
    r" (?P<capital>(?:(?:Mr|Mrs|Ms|Miss|Dr)\.? )?[A-Z][a-z]+)"
    r"|(?P<here>[A-Z][a-z]+) here)"
    r"(?= *$| *[,.!;?-]| and\b| by the way\b)"
)
"""A word that might be anything else must be written as a name."""
_NOTHING_MORE = re.compile(
    r"^(?:[\s,.!-]*\b(?:by the way|hello|hi|hey|(?:nice|pleased|glad|good) to (?:meet|see) you|how do you do)\b)*",
    re.IGNORECASE,
)
_BEFORE_A_NAME = re.compile(r"(?:(?:it's|it is|that's|this is|i am|i'm|me)[ ,]+)*", re.IGNORECASE)
_NO_NAME = frozenset(
    {"the", "a", "an", "my", "your", "not", "it", "that", "this", "all", "here", "there", "back", "home", "done"}
    | {"fine", "good", "great", "nice", "wrong", "right", "enough", "me", "mine", "too", "very", "so", "nothing"}
    | {"everything", "ready", "tired", "hungry", "thirsty", "sorry", "heed", "robot"}
    | {"come", "look", "over", "out", "put", "place", "leave", "stay", "wait", "stand", "bring", "go", "get"}
    | {"nobody", "somebody", "someone", "yes", "no", "nope", "stop", "what", "why", "who", "i", "you", "us", "we"}
)
