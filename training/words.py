"""The names of things and places in training worlds, and those that training never sees."""

import random
from collections.abc import Sequence


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


THINGS = {
    "drink": "juice milk tea water coffee lemonade cola cocoa cider beer wine smoothie soda seltzer espresso",
    "fruit": "apple banana orange pear grapes lemon peach cherries kiwi melon plum",
    "food": (
        "bread cheese butter yogurt salad soup cake rice pasta honey jam eggs cereal sandwich pizza "
        "ham chips crackers chocolate_bar granola_bar cookies pretzels peanuts popcorn candy"
    ),
    "spice": "salt pepper sugar oil vinegar ketchup mustard",
    "dishes": (
        "cup plate bowl mug glass spoon fork knife pan pot tray saucer coffee_cup wine_glass "
        "cereal_bowl tea_spoon water_bottle lunch_box"
    ),
    "tool": (
        "sponge towel hammer screwdriver scissors ladder drill brush broom screws tape wrench "
        "duster paper_towels cleaning_cloth glue_stick flashlight ruler"
    ),
    "toy": "ball doll puzzle teddy_bear toy_car dice robot_toy red_block blue_block green_block yellow_block",
    "reading": "book newspaper letter magazine notebook envelope cook_book map",
    "textile": "blanket shirt socks scarf napkin pillow jacket gloves table_cloth",
    "waste": "banana_peel empty_can old_newspaper carton wrapper egg_shells rag leftovers empty_bottle tissue",
    "thing": (
        "keys phone remote_control vase candle wallet glasses umbrella charger lamp clock basket "
        "box mirror pen alarm_clock house_key sun_glasses headphones camera hat bag"
    ),
    "medicine": "pills cough_syrup bandage vitamins ointment",
}
"""Category -> names, "_" for the space."""
PLACES = words_of(
    "table counter shelf sink desk couch window_sill bench stool floor_mat dresser kitchen_table bed "
    "nightstand workbench side_table bookcase sideboard coffee_table dining_table stove island rack "
    "front_door balcony corner sofa charger_spot left_counter right_counter close_table far_table hallway "
    "garden_table"
)
CONTAINERS = words_of(
    "fridge cupboard cabinet drawer oven dishwasher freezer closet wardrobe microwave top_drawer "
    "bottom_drawer chest pantry tool_box bread_box"
)
BINS = ("trash", "bin", "trash_can", "waste_basket")
HELD_OUT_THINGS = {
    "drink": "kefir mocha",
    "fruit": "mango papaya",
    "food": "muesli bagel pickles waffle",
    "dishes": "ladle goblet soup_bowl",
    "tool": "pliers mallet dust_pan",
    "toy": "kite marbles purple_block",
    "reading": "diary atlas",
    "textile": "apron mittens",
    "thing": "compass violin stapler water_pistol",
    "waste": "apple_core",
}
HELD_OUT_PLACES = ("piano", "veranda", "bath_tub", "hearth")
HELD_OUT_CONTAINERS = ("trunk", "wine_cooler")
ADJECTIVES = words_of("red blue green yellow white black big small old new clean dirty tall round")
_ONSETS = words_of("b d f g k l m n p r s t v z bl br dr fl gr kl pl pr sk st tr sh ch")
_VOWELS = ["a", "e", "i", "o", "u", "ai", "oo", "ee"]
_ENDS = ["", "", "n", "l", "r", "m", "s", "t", "p", "x", "nd", "sk"]


def held_out_words() -> frozenset[str]:
    """Every word that occurs in a held-out name and in no other."""
    seen = {word for name in (*PLACES, *CONTAINERS, *BINS, *_names(THINGS)) for word in name.split("_")}
    unseen = (*_names(HELD_OUT_THINGS), *HELD_OUT_PLACES, *HELD_OUT_CONTAINERS)
    return frozenset(word for name in unseen for word in name.split("_")) - seen - {*ADJECTIVES}


def made_up(dice: random.Random) -> str:
    """A name that nobody has heard before, so that it can only be copied."""
    syllables = dice.choice((1, 2, 2, 2, 3))
    word = "".join(dice.choice(_ONSETS) + dice.choice(_VOWELS) for _ in range(syllables)) + dice.choice(_ENDS)
    return word if word not in held_out_words() else f"{word}o"


def thing(dice: random.Random, strange: float, unseen: bool = False) -> tuple[str, str]:
    """(name, category); with the probability `strange`, a name that is made up."""
    table = HELD_OUT_THINGS if unseen else THINGS
    category = dice.choice(list(table))
    name = made_up(dice) if dice.random() < strange else dice.choice(table[category].split())
    if dice.random() < 0.1:
        name = f"{dice.choice(ADJECTIVES)}_{name}"
    return name, category


def place(dice: random.Random, strange: float, container: bool = False, unseen: bool = False) -> str:
    """The name of a place, or of one with a door."""
    if dice.random() < strange:
        return made_up(dice)
    if unseen:
        return dice.choice(HELD_OUT_CONTAINERS if container else HELD_OUT_PLACES)
    return dice.choice(CONTAINERS if container else PLACES)


def plural(name: str) -> bool:
    """Whether one says "are" of it."""
    return name.endswith("s") and not name.endswith(("ss", "us"))


def _names(table: dict[str, str]) -> Sequence[str]:
    return [name for names in table.values() for name in names.split()]
