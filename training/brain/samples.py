"""Pairs of prompt and answer, as heed itself asks for them: each dialogue is run, and what its mind reads is kept."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.mind.recorded import Recorded
from bench.suites.talk import said_to_a_fresh_robot
from daemon.llm.model import PROMPT_SIGN, Embedder, Prompt
from daemon.trigger import Utterance
from sim.scene import Scene
from training.corpus.check import troubles
from training.corpus.dialogues import Dialogue


@dataclass(frozen=True)
class Sample:
    """What a mind reads, and what it is to write."""

    voice: str
    dialogue: str
    prompt: str
    """The conversation with the situation around the last words; ends with `>>>`."""
    answer: str


class _Kept(Recorded):
    """A mind that writes what it is told to, and keeps what it was asked, as a taught one is."""

    taught = True

    def __init__(self, dialogue: Dialogue) -> None:
        super().__init__(dialogue.voice, {dialogue.id: dialogue.answers})
        self.samples: list[Sample] = []
        self._of = dialogue
        self.begin(dialogue.id)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        answer = super().complete(prompt, stop=stop, max_tokens=max_tokens)
        self.samples.append(Sample(self._of.voice, self._of.id, prompt.history, answer))
        return answer


def samples_of(dialogues: Iterable[Dialogue], embedder: Embedder) -> Iterator[Sample]:
    """Return those of each dialogue that holds."""
    for dialogue in dialogues:
        mind = _Kept(dialogue)
        say = [Utterance(turn.say, speaker=turn.speaker) for turn in dialogue.turns if turn.say]
        came = said_to_a_fresh_robot(say, Scene.from_description(dialogue.world), mind, embedder, dialogue.learned)
        if not any(troubles(dialogue, came, mind)):
            yield from mind.samples


def write(samples: Iterable[Sample], file: Path) -> int:
    """One JSON object per line; returns how many."""
    lines = [json.dumps(asdict(sample)) for sample in samples]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def read(file: Path) -> list[Sample]:
    """Return what write() wrote."""
    return [Sample(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
