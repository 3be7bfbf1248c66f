"""What form a clause has, told by a few of its words: it teaches, orders, restricts, speaks of something else."""

import re


def teaches(text: str) -> bool:
    """Return whether a text has one of the words with which people teach: "next time", "always"."""
    return bool(_TEACHES.search(text))


def has_pronoun(text: str) -> bool:
    """Return whether a text has a word that may stand for a thing: "it", "those", "one"."""
    return bool(_PRONOUN.search(text))


def is_by_unknown_verb(text: str) -> bool:
    """Return whether a text has the form of an order, whatever its verb is: "dance a tango"."""
    return bool(_ORDER.match(text))


def has_noun_as_verb(masked: str) -> bool:
    """Return whether what names a thing is done to another one, in a clause with "the object" for its things:
    "water the flowers" where there is water.
    """
    return bool(_NOUN_AS_VERB.match(masked))


def is_more_than_help(text: str, known: str) -> bool:
    """Return whether `text` asks the robot to clean something itself, while `known` only asks for help with that."""
    return bool(_HELP.match(known) and not _HELP.search(text) and _CLEANING.match(text))


def restricts(text: str) -> bool:
    """Return whether a text may restrict what is asked for beside it: "not", "unless", "careful"."""
    return bool(_RESTRICTS.search(text))


_TEACHES = re.compile(
    r"\b(next time|always|from now on|never|remember|learn|without me (having )?to ask|in future|in the future)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(it|them|those|these|that|this|one)\b", re.IGNORECASE)
_ORDER = re.compile(r"[a-z]+ (?:a|an|the|my|your|our|me|us)\b", re.IGNORECASE)
_NOUN_AS_VERB = re.compile(r"(?:the )?object (?:the|my|your|our)\b")
_HELP = re.compile(r"\bhelp\b|\bto (?:clean|wipe|mop)\b|\bwith\b", re.IGNORECASE)
_CLEANING = re.compile(r"(?:clean|wipe|mop|scrub|wash|tidy)\b|(?:i|we) (?:must|have to|need to) ", re.IGNORECASE)
_RESTRICTS = re.compile(
    r"\b(?:not|no|never|nothing|without|unless|until|except|only|if|when|before|after|instead|stop|wait|careful(?:ly)?)\b"
    r"|n't\b",
    re.IGNORECASE,
)
