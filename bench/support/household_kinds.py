"""What household things are, by the last word of their name: what a camera's classes would say.

For worlds that are described by names alone. Common words, not the words of any one bench.
"""

from daemon.lexicon.inflection import singular
from daemon.names import forms

_KINDS = {
    "drink": "juice milk tea water coffee cola coke pepsi sprite soda lemonade beer wine smoothie redbull 7up cocoa",
    "dishes": "cup mug glass bowl plate saucer pan pot kettle jug tray dish",
    "cutlery": "spoon fork knife chopsticks ladle spatula",
    "fruit": "apple banana orange pear grape grapes lemon lime peach mango kiwi grapefruit strawberry melon",
    "vegetable": "carrot tomato potato lettuce cucumber onion pepper broccoli",
    "food": "salad cereals cereal bread toast cheese pizza sandwich oil butter rice noodles soup chips cake egg eggs "
    "ham dressing yoghurt honey jam salt sugar cookie cookies bar pretzels crackers almonds jalapeno",
    "cleaning tool": "sponge cloth rag brush broom mop towel duster cleaner detergent soap",
    "tool": "screwdriver hammer wrench pliers drill saw ladder tape-measure nail nails",
    "stationery": "pen pencil scissors tape eraser ruler stapler glue marker notebook envelope sharpener",
    "clothes": "shirt trousers sock socks jacket sweater hat scarf glove gloves pants coat dress skirt",
    "shoes": "shoe shoes sneaker boot sandal slipper",
    "media": "book dvd cd magazine newspaper record game",
    "toy": "ball doll car block puzzle teddy lego",
    "medicine": "pills medicine tablets bandage plaster",
}
KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}


def kind_of(name: str) -> str:
    """The category of a thing; "thing" for one that is not in the list."""
    words = forms(name)[-1].lower()
    known = [KIND_OF[word] for form in reversed(forms(name)) for word in [form.lower().split()[-1]] if word in KIND_OF]
    return KIND_OF.get(words) or KIND_OF.get(singular(words)) or (known[0] if known else "thing")
