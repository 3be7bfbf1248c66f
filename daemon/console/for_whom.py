"""For whom a lesson is meant, and who speaks: "only for me", "this is Anna". Pure text."""

import re


def for_me_alone(text: str) -> bool:
    """Whether somebody says that a lesson is for them and nobody else."""
    return bool(_ONLY_ME.search(text))


def for_everybody(text: str) -> str:
    """The same lesson without the words that keep it to one person."""
    return " ".join(_ONLY_ME.sub(" ", text).split()).strip(" ,:;-") if for_me_alone(text) else text


def introduced(text: str) -> str:
    """The name by which somebody introduces themselves; "" for every other sentence."""
    match = _INTRODUCED.match(text.strip())
    name = next(filter(None, match.groups()), "") if match else ""
    return "" if not name or name.lower() in _NO_NAME else name[0].upper() + name[1:]


_ONLY_ME = re.compile(
    r"[\s,;:-]*\b(?:(?:and |but |though |that's |this is |it is |it's )*(?:only|just|solely)"
    r" (?:(?:for|with|when it(?:'s| is)|if it(?:'s| is)) me(?: who (?:asks|says so))?"
    r"|(?:when|if) i (?:ask(?! (?:you )?(?:for|to)\b)|say so|am the one who asks))"
    r"|(?:but |and )?for me (?:only|alone)"
    r"|(?:but |and )?not for (?:the )?(?:others?|anybody else|anyone else|everybody))\b",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(
    r"(?i:(?:hello|hi|hey|good (?:morning|evening)|heed|robot)[ ,!.]+)*"
    r"(?:(?i:my name is (?P<named>[a-z]+)|(?:this is|it's|it is) (?P<speaking>[a-z]+) (?:speaking|here))"
    r"|(?i:i am|i'm|this is) (?P<capital>[A-Z][a-z]+))[ .!]*$"
)
"""A word that might be anything else must be written as a name."""
_NO_NAME = frozenset(
    {"the", "a", "an", "my", "your", "not", "it", "that", "this", "all", "here", "there", "back", "home", "done"}
    | {"fine", "good", "great", "nice", "wrong", "right", "enough", "me", "mine", "too", "very", "so", "nothing"}
    | {"everything", "ready", "tired", "hungry", "thirsty", "sorry", "heed", "robot"}
)
