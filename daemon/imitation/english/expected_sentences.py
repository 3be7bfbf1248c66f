"""What people are likely to say to this robot: the vocabulary of the embedded speech recogniser."""

from daemon.imitation.english.scene_mentions import there
from skills.scene import Scene

PHRASES = (
    "yes", "yes please", "no", "no thank you", "stop", "stop listening", "go on", "never mind", "wait", "thank you",
    "hello", "come to me", "give it to me", "what have you learned", "remember that", "forget that",
    "yes that is me", "yes i will", "yes i have moved it", "i am back", "forget the timer",
    "thanks but next time bring both at once you have two hands", "next time do both at once",
    "always bring a cup with it", "can you learn that for next time", "what do you see", "what did you do",
)  # fmt: skip
"""What is said to any robot, whatever the scene."""
ABOUT_THINGS = (
    "bring me the {}",
    "i want some {}",
    "i would like to have the {}",
    "can you also bring me a {}",
    "where is the {}",
    "pick up the {}",
    "forget what i said about the {}",
)
ABOUT_PAIRS = ("always bring a {} with a {}",)
"""A thing, and a class of things."""
ANSWERS = ("the one next to the {}", "the one closest to the {}", "the one in the {}")
"""To the question which one is meant."""
ABOUT_PLACES = ("go to the {}", "open the {}", "close the {}")


def likely_sentences(scene: Scene) -> list[str]:
    """Requests about everything in the scene, and what is said to any robot; lower case, without punctuation."""
    things = dict.fromkeys(name for thing in scene.objects for name in (thing.name, thing.category))
    kinds = dict.fromkeys(thing.category for thing in scene.objects)
    places = [place.name.replace("_", " ") for place in scene.locations]
    return [
        *(form.format(thing) for thing in things for form in ABOUT_THINGS),
        *(form.format(thing, kind) for thing in things for kind in kinds for form in ABOUT_PAIRS if thing != kind),
        *(form.format(place) for place in places for form in ABOUT_PLACES),
        *(form.format(name) for name in (*things, *places) for form in ANSWERS),
        *(
            f"put {thing} {there(place.name, scene)}"
            for thing in ("it", *(f"the {name}" for name in things))
            for place in scene.locations
        ),
        *PHRASES,
    ]
