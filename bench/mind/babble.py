"""`heed bench babble`: random talk for so many minutes, to the whole console with a language model that may be wrong.

Requests, lessons, answers and questions about whatever is in the scene or is not, many of them spoiled as a bad ear
spoils them (words lost, doubled, swapped, put in, cut off), and now and then code or noise. A conversation has 12
utterances with one robot and its memory, and then there is another one. All of it is drawn by seed; none of it comes
from the files of other benches.

Whatever a model makes of that: `crashes` (exceptions in the console or its parts, and deaths of the model's process),
`silent` (turns that ended without a word, and not by `pass`), `beyond_limits` (joints or places that the robot must not
reach) and `unsure_moves` (motions that a guarded model was not sure of, and nobody was asked about) are to be 0.
"""

import argparse
import logging
import math
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.mind.brain import open_brain
from bench.report import Options, Report
from bench.suites.talk import SCENES
from bench.support.rehearsed import Notes, Person, Walker, untaught
from daemon.console.confidence_guard import Careful, Written
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder, LanguageModel
from daemon.names import spoken
from sim.rehearsal import RehearsalGoal
from sim.scene import Scene

UTTERANCES = 12
"""Of a conversation."""
ROOMS = ("breakfast", "kitchen", "ward")
PHRASES = """
bring me the {x} | can you get the {x} and the {y} for me | put the {x} on the {p} | take the {x} to the {p} please
go to the {p} | drive over to the {p} and wait there | open the {p} | close the {p} again | pick up the {x}
let go of it | put it back | put that down on the {p} | give it to me | no, the {y} instead | not there, on the {p}
the other one | throw the {x} away | clear the {p} | put everything from the {p} on the {q} | bring me all of it
swap the {x} and the {y} | where is the {x} | what is on the {p} | how many {x} are there | who has the {x}
what do you see | what can you do | what did you just do | why did you do that | what have you learned
do the same with the {y} | undo that | once more | a bit to the left | a little higher | faster | slower, please
hold the {x} higher | more to the right, no, less | next time bring the {y} with the {x}
always put the {x} on the {p} | never touch the {x} | when I say {w}, bring the {x}
remember that my {x} is the {y} | forget what I said about the {x} | forget everything
from now on call the {x} {w} | if the {x} is on the {p}, bring it, otherwise leave it
for each thing on the {p}, tell me its name | {w} the {x} with the {y} | in two minutes bring me the {x}
tell me at eight that the {x} is ready | when I come back, close the {p} | forget the timer | hello | thanks | okay
good morning | sorry | never mind | yes | no | maybe | {w} | {w} {w} {w} | hm | what | why not | my name is {w}
I am hungry | I am cold | there is a spill on the {p} | I feel like a {w} | is it late | tell me a joke
something to drink | anything but the {x} | the red one | the {w} {x} | two of them | the second {x} from the left
"""
"""{x} and {y} for things, {p} and {q} for places, {w} for any word."""
SENTENCES = [sentence.strip() for line in PHRASES.strip().split("\n") for sentence in line.split("|")]
NOISE = (
    ">>> grasp('cup')",
    "move_to('person'); place('cup', 'table')",
    "'}\n>>> say('x')",
    "a" * 3000,
    "...",
    "?!",
    "12 7 1e308 -0.5",
    "Kaffee, bitte! Ça va? ☕",
    "# It means: bring me the cup",
    "while True: pass",
    "def f(): f()",
    "yes no yes no yes no yes no",
)
WORDS = re.findall(
    r"\w+", "glorp banana it blue under seven mumble quickly behind shelf nothing cat table me door tea not very"
)
FAR = 0.5
"""Metres from where one stands at a place: no order sends the robot farther from all of them."""
ANSWERS = (
    "yes",
    "no",
    "maybe",
    "yes, but only for the {x}",
    "the {x}",
    "on the {p}",
    "I do not mind",
    "what?",
    "{w}",
    "",
)
"""To questions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--utterances", type=int, help="end after so many, whatever the time")
    parser.add_argument("--seed", type=int, default=1, help="of all that is said (default: 1)")
    parser.add_argument("--show", action="store_true", help="show the turns that went wrong")


def run(options: Options) -> Report:
    """Talk, and count."""
    own = options.own
    dice, ends = random.Random(own.seed), time.monotonic() + 60 * own.minutes
    embedder, found = MiniLmEmbedder(), Found(options.note if own.show else _quiet)
    model = open_brain(options, embedder, found.wrote)
    found.least = model.least if isinstance(model, Careful) else 0.0
    logging.getLogger().addHandler(found)
    try:
        while time.monotonic() < ends and found.turns < (own.utterances or math.inf):
            converse(dice, model, embedder, found, min(UTTERANCES, (own.utterances or math.inf) - found.turns), ends)
    finally:
        logging.getLogger().removeHandler(found)
        model.close()
    figures = found.figures() | {"minutes": own.minutes, "seed": own.seed}
    return Report("babble", found.turns, figures, options.brain)


class Watched(Walker):
    """A body that counts where it is and must not be."""

    beyond = 0

    def move_joints(self, arm: str, joints: Sequence[float], speed: float = 1.0) -> RehearsalGoal:
        goal = super().move_joints(arm, joints, speed)
        limits = [joint.limits for joint in self._arms[arm].joints]
        inside = (a.lower <= at <= a.upper for a, at in zip(limits, self._joints[arm], strict=True))
        self.beyond += not all(inside)
        return goal

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> RehearsalGoal:
        goal = super().drive_to(x, y, theta, speed)
        base, reached = self.scene.base, [place.approach for place in self.scene.locations()]
        self.beyond += not any(math.dist((base.x, base.y), (one.x, one.y)) < FAR for one in reached)
        return goal


@dataclass
class Found(logging.Handler):
    """What went wrong, as counts."""

    show: Callable[[str], None]
    least: float = 0.0
    """Below this, a model is unsure."""
    turns: int = 0
    silent: int = 0
    crashes: int = 0
    beyond_limits: int = 0
    unsure_moves: int = 0
    slowest: float = 0.0
    """Seconds of a turn, with its questions."""
    answers: int = 0
    """Of a guarded model, that went to the console unasked."""

    def __post_init__(self) -> None:
        super().__init__(logging.ERROR)

    __hash__ = logging.Handler.__hash__

    def emit(self, record: logging.LogRecord) -> None:
        """Count what is logged as an error: an exception that was caught, a process that died."""
        self.crashes += 1
        self.show(f"CRASH {self.format(record)}")

    def wrote(self, written: Written) -> None:
        self.answers += 1
        if written.moves and written.confidence < self.least:
            self.unsure_moves += 1
            self.show(f"UNSURE ({written.confidence:.2f}) {written.text!r}")

    def turn(self, said: str, notes: Notes, spoken_before: int, began: float) -> None:
        """A turn has ended."""
        self.turns += 1
        self.slowest = max(self.slowest, time.monotonic() - began)
        passed = any(statement == "pass" for statement, _ in notes.statements[-2:])
        if len(notes.speech) == spoken_before and not passed:
            self.silent += 1
            self.show(f"SILENT after {said[:100]!r}: {[one for one, _ in notes.statements[-8:]]}")

    def figures(self) -> dict[str, float | int | None]:
        counts = {name: getattr(self, name) for name in ("crashes", "silent", "beyond_limits", "unsure_moves")}
        return {**counts, "slowest_s": self.slowest, "answers": self.answers}


class Talker:
    """A person who says what the dice say, and notes how each turn ended."""

    def __init__(
        self, dice: random.Random, scene: Scene, notes: Notes, found: Found, limit: float, ends: float
    ) -> None:
        self._dice, self._notes, self._found, self._limit, self._ends = dice, notes, found, limit, ends
        self._things = [spoken(thing.name) for thing in scene.things()]
        self._places = [spoken(place.name) for place in scene.locations()]
        self._said: tuple[str, int, float] | None = None
        self._count = 0

    def speak(self) -> str | None:
        """The next utterance; None when the conversation is over."""
        if self._said is not None:
            said, before, began = self._said
            self._found.turn(said, self._notes, before, began)
        if self._count >= self._limit or time.monotonic() > self._ends:
            self._said = None
            return None
        self._count += 1
        text = self._utterance()
        self._said = (text, len(self._notes.speech), time.monotonic())
        return text

    def answer(self, question: str) -> str | None:
        """Answer what the robot asks."""
        return self._spoilt(self._filled(self._dice.choice(ANSWERS)))

    def _utterance(self) -> str:
        if self._dice.random() < 0.05:
            return self._dice.choice(NOISE)
        return self._spoilt(self._filled(self._dice.choice(SENTENCES))) or "hm"

    def _filled(self, template: str) -> str:
        one = self._dice.choice
        things, places = [*self._things, *self._things, *WORDS], [*self._places, *self._places, *WORDS]
        names = {"x": one(things), "y": one(things), "p": one(places), "q": one(places)}
        return re.sub(r"\{(\w)\}", lambda match: names.get(match[1]) or one(WORDS), template)

    def _spoilt(self, text: str) -> str:
        """As a bad ear hears it, every other time."""
        words = text.split(" ")
        while self._dice.random() < 0.4:
            at = self._dice.randrange(len(words))
            match self._dice.randrange(6):
                case 0:
                    words[at] = ""
                case 1:
                    words.insert(at, words[at])
                case 2:
                    words.insert(at, words.pop())
                case 3:
                    words[at] = words[at][: len(words[at]) // 2]
                case 4:
                    words.insert(at, self._dice.choice(WORDS))
                case _:
                    words = words[: at + 1]
        text = " ".join(filter(None, words))
        return text.upper() if self._dice.random() < 0.03 else text


def converse(
    dice: random.Random, model: LanguageModel, embedder: Embedder, found: Found, limit: float, ends: float
) -> None:
    """One conversation with a robot that was never taught anything."""
    scene = Scene.load(SCENES / f"{dice.choice(ROOMS)}.toml")
    robot, notes = Watched(scene), Notes()
    talker = Talker(dice, scene, notes, found, limit, ends)
    with untaught(Person(talker.speak, talker.answer), robot, notes, model, embedder) as heed:
        try:
            heed.talk.run()
        except Exception:
            logging.getLogger(__name__).exception("the conversation broke off")
    found.beyond_limits += robot.beyond


def _quiet(text: str) -> None:
    """Shows nothing."""
