"""Samples of what a brain gets wrong: it is let into the worlds of the corpus, and where it goes wrong the author goes
on from there (DAgger; Ross, Gordon and Bagnell 2011).

What it does right stands in its own words in what it reads next, as it will when it is used.
"""

from collections.abc import Iterable, Iterator, Sequence

from bench.mind.recorded import Recorded
from bench.suites.talk import said_to_a_fresh_robot
from daemon.console.prompt_parts import PromptParts
from daemon.console.second_reader import deeds_of
from daemon.console.statements import statements_in
from daemon.llm.intents import Deeds
from daemon.llm.model import PROMPT_SIGN, Embedder, LanguageModel, ModelError, Prompt
from daemon.trigger import Utterance
from sim.scene import Scene
from training.brain.samples import Sample
from training.corpus.dialogues import Dialogue

MISSED = "missed"
"""The voice of such samples, and the name of their file."""


class _Led(Recorded):
    """A mind that writes what a brain writes, where that comes to the same as what the author wrote; else that."""

    taught = True

    def __init__(self, dialogue: Dialogue, brain: LanguageModel) -> None:
        super().__init__(dialogue.voice, {dialogue.id: dialogue.answers})
        self.answers = 0
        self.missed: list[Sample] = []
        self._brain, self._of = brain, dialogue
        self.begin(dialogue.id)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        authored = super().complete(prompt, stop=stop, max_tokens=max_tokens)
        self.answers += 1
        own = self._own(prompt, stop, max_tokens)
        if own and _deeds(own, prompt) == _deeds(authored, prompt):
            return own
        self.missed.append(Sample(MISSED, self._of.id, prompt.history, authored))
        return authored

    def _own(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> str:
        try:
            return self._brain.complete(prompt, stop=stop, max_tokens=max_tokens).strip()
        except ModelError:  # it went round and round
            return ""


def rolled_out(
    brain: LanguageModel, dialogues: Iterable[Dialogue], embedder: Embedder
) -> Iterator[tuple[int, Sequence[Sample]]]:
    """Yield for each dialogue how many answers the brain was asked for, and those that it missed.

    An answer is right where it does the same with the same things and places; of what it only says, any words are.
    """
    for dialogue in dialogues:
        mind = _Led(dialogue, brain)
        say = [Utterance(turn.say, speaker=turn.speaker) for turn in dialogue.turns if turn.say]
        said_to_a_fresh_robot(say, Scene.from_description(dialogue.world), mind, embedder, dialogue.learned)
        yield mind.answers, mind.missed


def _deeds(answer: str, prompt: Prompt) -> Deeds:
    return deeds_of(prompt.taken(statements_in(answer)), PromptParts.by(prompt.history))
