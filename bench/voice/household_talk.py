"""What two people say to a robot in its kitchen, in ten minutes: the script of bench/voice/ten_minutes.py."""

from dataclasses import dataclass

ANNA, BEN = "Anna", "Ben"


@dataclass(frozen=True)
class Line:
    """One sentence of a person's."""

    who: str
    text: str
    over: bool = False
    """Said while heed speaks, or works, instead of when it listens."""
    answer: str = "yes"
    """To what heed asks about it."""


def _anna(text: str, over: bool = False, answer: str = "yes") -> Line:
    return Line(ANNA, text, over, answer)


def _ben(text: str, over: bool = False, answer: str = "yes") -> Line:
    return Line(BEN, text, over, answer)


LINES = (
    _anna("my name is Anna"),
    _anna("bring me the juice"),
    _anna("what is on the table?"),
    _anna("can you also bring me a cup?"),
    _anna("thanks, but next time bring both at once, you have two hands"),
    _ben("where is the banana?"),
    _ben("bring me the banana"),
    _ben("stop", over=True),
    _ben("go on"),
    _ben("bring me the banana"),
    _anna("this is Anna"),
    _anna("when I ask for tea, bring a spoon too, but only for me"),
    _anna("bring me the tea"),
    _ben("what are you doing?", over=True),
    _ben("this is Ben"),
    _ben("put the banana in the fridge"),
    _ben("never mind", over=True),
    _ben("what can you see?"),
    _anna("no, the milk instead", over=True),
    _anna("bring me the milk"),
    _anna("what did you just do?"),
    _ben("close the fridge"),
    _ben("how many cups are there?"),
    _ben("bring me an apple"),
    _anna("wait", over=True),
    _anna("go on"),
    _ben("what time is it?"),
    _ben("put the apple in the sink"),
    _anna("what have you learned?"),
    _anna("be quiet", over=True),
    _anna("put the cup on the counter"),
    _anna("never bring me the oil, even if I ask"),
    _anna("bring me the oil"),
    _ben("where is the milk?"),
    _ben("take the juice to the fridge"),
    _ben("stop", over=True),
    _ben("go on"),
    _ben("where are you?"),
    _anna("go to the table"),
    _anna("what is in the fridge?"),
    _anna("bring me the water"),
    _ben("what are you doing?", over=True),
    _ben("forget what I said about the oil"),
    _anna("thank you, that is all"),
)
