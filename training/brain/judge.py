"""Lets voices that a brain never heard talk to it, and looks at what comes of it."""

from collections.abc import Iterable, Iterator

from bench.mind.watched import Watched
from bench.suites.talk import Came, Tally, said_to_a_fresh_robot
from daemon.llm.model import Embedder, LanguageModel
from daemon.trigger import Utterance
from sim.scene import Scene
from training.corpus.dialogues import Dialogue


def judged(
    dialogues: Iterable[Dialogue], model: LanguageModel, embedder: Embedder, tally: Tally
) -> Iterator[tuple[Dialogue, Came, list[str]]]:
    """Each dialogue, what came of it, and what is not as expected; also counted."""
    watched = Watched(model)
    for dialogue in dialogues:
        watched.begin(dialogue.id)
        say = [Utterance(turn.say, speaker=turn.speaker) for turn in dialogue.turns if turn.say]
        scene = Scene.from_description(dialogue.world)
        came = said_to_a_fresh_robot(say, scene, watched, embedder, dialogue.learned)
        wrong = came.against(dialogue.expected)
        tally.note({"id": dialogue.id, "kind": dialogue.kind, **dialogue.expected}, came, wrong)
        yield dialogue, came, wrong
