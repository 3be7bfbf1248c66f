"""`heed demo --care`: a medicine is brought to somebody, and four things are in the way (RAIDER, 2025, sec. 5.2).

There are two medicines, a chair blocks the way, the person is not recognised, and does not look. Each is found out
before anything moves, and settled by talking: a synthetic person answers, moves the chair and turns round, spoken
and heard as in earnest. Of the paper's delivery one thing is not told: a robot that drives needs nothing put nearer.
Imitation tells it where no other brain is asked for: heed-brain does not always ask which medicine is meant.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from daemon.app import App
from daemon.cli.demo import AUTO, Person, has_sound, perform
from daemon.cli.terminal import Terminal
from daemon.config import BodyConfig
from daemon.llm.model_files import IMITATION
from sim.perception import SimCamera
from skills.scene import Scene

REQUEST = "bring me the medicine"
MEANT, OTHER = "medicine_1", "medicine_2"
"""The one closest to the plant, and the one that must stay."""
Change = tuple[str, Mapping[str, Any]]
REACTIONS: dict[str, tuple[str, str, Change | None]] = {
    "move it": ("the way is blocked: asked for help", "yes i have moved it",
                ("put", {"object": "chair", "position": [-1.0, 1.0, 0.1]})),
    "is that you": ("an unknown person: asked who", "yes that is me",
                    ("state", {"name": "person", "state": {"known": True}})),
    "look here": ("not looking: asked for attention", "yes i will",
                  ("state", {"name": "person", "state": {"looking": True}})),
    "medicine": ("two medicines: asked which", "the one closest to the plant", None),
}  # fmt: skip
"""What heed asks, in lower case -> what that shows, what the person answers, what they do in the room."""
QUESTIONS_AT_MOST = 8
"""After which the story has gone wrong."""


class Told(Terminal):
    """A terminal that remembers what heed said."""

    def __init__(self) -> None:
        super().__init__()
        self.speech: list[str] = []

    def said(self, text: str) -> None:
        super().said(text)
        self.speech.append(text)


def tell(out: Path, brain: str = AUTO) -> int:
    """Tell the story; returns 0 when it ended well."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("memory.sqlite*"):
        old.unlink()
    told, asked = Told(), set[str]()
    brain = IMITATION if brain == AUTO else brain
    status = perform(
        "care", lambda app, person: care(app, person, told, asked), out, BodyConfig(scene="ward"), told, brain
    )
    verdicts = {shows: question in asked for question, (shows, _, _) in REACTIONS.items()}
    verdicts |= {"the right medicine was handed over, the other stayed": status == 0,
                 "spoken to a WAV file": has_sound(out / "care.wav")}  # fmt: skip
    for shows, is_well in verdicts.items():
        print(f"{'ok' if is_well else 'FAILED':8}{shows}")
    print(f"demo: {'all is well' if all(verdicts.values()) else 'something went wrong'}; the sound lies in {out}/")
    return 0 if all(verdicts.values()) else 1


def care(app: App, person: Person, told: Told, asked: set[str]) -> bool:
    """Ask for the medicine, and help with whatever heed asks; whether it ended as it should."""
    person.say(REQUEST)
    for _ in range(QUESTIONS_AT_MOST):
        person.wait_until_done()
        if not app.conversation.asking:
            break
        question = next((words for words in REACTIONS if words in told.speech[-1].lower()), None)
        if question is None:
            break
        _, answer, change = REACTIONS[question]
        asked.add(question)
        if change is not None:
            with closing(SimCamera(app.config.runtime_directory)) as room:
                room.request(change[0], **change[1])
        person.say(answer)
    scene = Scene.from_observation(app.body.observe())
    return scene.object(MEANT).location == "person" and scene.object(OTHER).location == "counter"
