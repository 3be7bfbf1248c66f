"""Words for what things look like: "blue", "glass", "wet"."""

COMMON = frozenset(
    {"red", "blue", "green", "yellow", "white", "black", "brown", "grey", "orange", "pink", "purple", "gold", "silver"}
    | {"wood", "glass", "metal", "steel", "plastic", "paper", "wool", "leather", "cotton", "china", "clay", "stone"}
    | {"wet", "dry", "hot", "cold", "dirty", "clean", "full", "empty", "broken", "sharp", "heavy", "fragile", "sticky"}
    | {"big", "small", "large", "round", "striped", "flowered", "open", "closed"}
)
"""Words for looks that are understood although nothing here looks like it now."""
SAME = {"wooden": "wood", "golden": "gold", "gray": "grey", "metallic": "metal", "woollen": "wool", "woolen": "wool"}
"""Another word -> the word by which a look is known."""
UNMARKED = {
    "clean": ("dirty", "muddy", "stained"),
    "dry": ("wet",),
    "full": ("empty",),
    "cold": ("hot", "warm"),
    "cool": ("hot", "warm"),
    "whole": ("broken", "cracked", "torn"),
}
"""A look that things have as long as nobody tells of another one, and those others: what is not dirty is clean."""


def plain_look(word: str) -> str:
    """Return the word by which a look is known: "wooden" and "gray" are "wood" and "grey"."""
    return SAME.get(word.lower(), word.lower())
