"""Runs dialogues by heed's own console and skills: what is written must be all that is asked for, and bring about what
is expected.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.mind.recorded import Recorded
from bench.mind.watched import Watched
from bench.suites.talk import Came, said_to_a_fresh_robot
from daemon.llm.model import Embedder
from daemon.transcript import ERROR_LINE
from daemon.trigger import Utterance
from sim.scene import Scene
from training.corpus.dialogues import Dialogue


@dataclass(frozen=True)
class Verdict:
    """What came of a dialogue."""

    dialogue: Dialogue
    troubles: tuple[str, ...]
    """What keeps it out of the corpus; none for one that enters."""
    came: Came | None = None


def check(dialogues: Sequence[Dialogue], embedder: Embedder) -> Iterator[Verdict]:
    """Run each in its world."""
    for dialogue in dialogues:
        try:
            scene = Scene.from_description(dialogue.world)
        except (ValueError, LookupError, TypeError) as error:
            yield Verdict(dialogue, (f"its world: {error}",))
            continue
        mind = Recorded(dialogue.voice, {dialogue.id: dialogue.answers})
        watched = Watched(mind)
        watched.begin(dialogue.id)
        say = [Utterance(turn.say, speaker=turn.speaker) for turn in dialogue.turns if turn.say]
        came = said_to_a_fresh_robot(say, scene, watched, embedder, dialogue.learned)
        yield Verdict(dialogue, tuple(troubles(dialogue, came, mind)), came)


def troubles(dialogue: Dialogue, came: Came, mind: Recorded) -> Iterator[str]:
    """Yield what keeps a dialogue out of the corpus, after this came of it."""
    if mind.unanswered:
        yield "the mind is asked once more than it writes (write on in a turn without say)"
    if mind.unused:
        yield f"this was never asked for: {mind.unused[0]!r}"
    errors = [statement for statement in came.statements if ERROR_LINE.search(statement)]
    if len(errors) > sum(not turn.say for turn in dialogue.turns):
        yield f"an error after which nothing is written: {errors[-1]}"
    for name in came.against(dialogue.expected):
        yield f"{name} is not as expected"
