"""Samples of what a brain gets wrong: it is let into the worlds of the corpus, and where it goes wrong the author goes
on from there (DAgger; Ross, Gordon and Bagnell 2011).

What it does right stands in its own words in what it reads next, as it will when it is used.
"""

from collections.abc import Iterable, Iterator, Sequence

from bench.mind.recorded import Recorded
from bench.suites.talk import said_to_a_fresh_robot
from daemon.console.statements import statements_in
from daemon.llm.model import ANSWER_TOKENS, PROMPT_SIGN, Embedder, LanguageModel, ModelError, Prompt
from daemon.transcript import plain_call
from daemon.trigger import Utterance
from sim.scene import Scene
from training.brain.samples import Sample
from training.brain.shortening import short
from training.corpus.check import troubles
from training.corpus.dialogues import Dialogue

MISSED = "missed"
"""The voice of such samples, and the name of their file."""


class _Led(Recorded):
    """Writes what a brain writes, where that does what the author wrote; in any other case what the author wrote."""

    taught = True

    def __init__(self, dialogue: Dialogue, brain: LanguageModel) -> None:
        super().__init__(dialogue.voice, {dialogue.id: dialogue.answers})
        self.asked = 0
        """How many answers the brain was asked for."""
        self.missed: list[Sample] = []
        self.broken: ModelError | None = None
        """Why the brain writes no more."""
        self._brain, self._of = brain, dialogue
        self.begin(dialogue.id)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        authored = super().complete(prompt, stop=stop, max_tokens=max_tokens)
        try:
            own = self._brain.complete(prompt, stop=stop, max_tokens=ANSWER_TOKENS)
        except ModelError as error:
            self.broken = error
            raise
        self.asked += 1
        does, is_to_do = _does(own, prompt), _does(authored, prompt)
        if does != is_to_do:
            self.missed.append(Sample(MISSED, self._of.id, prompt.history, authored))
        return own if does == is_to_do and own.strip() and any(is_to_do) else authored


def rolled_out(
    brain: LanguageModel, dialogues: Iterable[Dialogue], embedder: Embedder
) -> Iterator[tuple[int, Sequence[Sample]]]:
    """Yield for each dialogue that holds how many answers the brain was asked for, and those that it missed.

    An answer is right where it does the same, in whatever order, and asks where the author asks; what it says does not
    count. One that only talks is the author's in what is read next. Raises ModelError where the brain writes no more.
    """
    for dialogue in dialogues:
        mind = _Led(dialogue, brain)
        say = [Utterance(turn.say, speaker=turn.speaker) for turn in dialogue.turns if turn.say]
        scene = Scene.from_description(dialogue.world)
        came = said_to_a_fresh_robot(say, scene, mind, embedder, dialogue.learned)
        if mind.broken:
            raise mind.broken
        if not any(troubles(dialogue, came, mind)):
            yield mind.asked, mind.missed


def _does(answer: str, prompt: Prompt) -> list[str]:
    """What an answer does, goal by goal, and whether it asks: but not what it says."""
    told = "\n".join(prompt.taken(statements_in(answer)))
    done = (_untold(statement) for statement in statements_in(short(told, prompt.history)))
    return sorted(filter(None, done))


def _untold(statement: str) -> str:
    name, given = plain_call(statement)
    asks = name == "ask" or any("?" in text for text in given)
    return ("ask" if asks else "") if name in ("say", "ask") else statement
