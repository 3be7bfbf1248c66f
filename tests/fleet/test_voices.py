"""Three whole heeds on loopback, each with its own simulated body; two of them are spoken to, and hear, by sound."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon.cli.demo import Person
from daemon.cli.demo_learning import ASKED, FORGET, LESSON
from daemon.config import FleetConfig, LlmConfig
from daemon.memory.rules import Rule
from daemon.service.sound import Voice
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.voices.open_voice import open_synthesizer
from tests.fleet.relay import Relay
from tests.fleet.test_app import KEY, asked, fleet
from tests.fleet.test_member import transcript
from tests.fleet.test_net import address
from tests.story.test_app import Running, config_in
from tests.support.waiting import until

__all__ = ["address"]  # a fixture


@dataclass
class Robot:
    running: Running
    person: Person | None

    def say(self, *sentences: str) -> None:
        assert self.person
        for sentence in sentences:
            self.person.say(sentence)

    @property
    def rules(self) -> list[str]:
        return [lesson.rule.text for lesson in self.running.app.memory.lessons()]

    @property
    def spoken(self) -> list[str]:
        return self.running.terminal.speech


def start(folder: Path, built: ExitStack, by_voice: bool, **settings: str) -> Robot:
    folder.mkdir()
    (folder / "fleet.key").write_text(KEY)
    config = config_in(folder, llm=LlmConfig(brain="imitation"), fleet=FleetConfig(**settings))
    voice, microphone = Voice(), VirtualMicrophone()
    if by_voice:
        sink = built.enter_context(closing(WavSink(folder / "said.wav")))
        recognizer = open_recognizer(config.speech, config.models_directory)
        voice = Voice(microphone, recognizer, sink, open_synthesizer(config.speech, config.models_directory))
    running = Running(config, voice)
    built.callback(running.end)
    built.callback(running.app.shut_down, "the test is over")
    running.wait()
    return Robot(running, Person(running.app, microphone) if by_voice else None)


@pytest.fixture
def built() -> Iterator[ExitStack]:
    with ExitStack() as built:
        yield built


@pytest.mark.whole
def test_taught_on_one_by_voice_asked_on_the_other_by_voice_and_apart_they_learn_on(
    built: ExitStack, tmp_path: Path, address: str
) -> None:
    wire = built.enter_context(closing(Relay(address)))
    kitchen = start(tmp_path / "k", built, True, name="kitchen", listen=address, adopt="never")
    workshop = start(tmp_path / "w", built, True, name="workshop", connect=wire.address)
    garden = start(tmp_path / "g", built, False, name="garden", connect=address, trusted="kitchen")
    robots = (kitchen, workshop, garden)
    until(lambda: all(len(fleet(robot.running, "status")["robots"]) == 3 for robot in robots))

    kitchen.say(LESSON, "yes")
    until(lambda: kitchen.rules)
    (rule,) = kitchen.rules
    until(lambda: asked(workshop.running))
    assert workshop.spoken[-1] == f"The robot kitchen was taught by its owner: {rule} Shall I remember that too?"
    workshop.say("yes")
    until(lambda: workshop.rules == garden.rules == [rule])
    workshop.say(ASKED)
    until(lambda: rule in workshop.spoken[-1])

    wire.cut()
    until(lambda: len(fleet(workshop.running, "status")["robots"]) == 1)
    workshop.say(FORGET, "yes")
    until(lambda: workshop.rules == [])
    kitchen.running.app.memory.keep_lesson(transcript("I want some tea"), Rule("Tea goes to the table."), "Anna")
    until(lambda: garden.rules == [rule, "Tea goes to the table."])
    wire.mend()
    until(lambda: kitchen.rules == garden.rules == ["Tea goes to the table."])
    until(lambda: fleet(workshop.running, "lessons")["offered"])
    fleet(workshop.running, "take", lesson="all")  # it has asked a moment ago, and asks again in some minutes
    assert workshop.rules == kitchen.rules
    digests = {robot.running.app.doors.fleet.member.digest for robot in robots if robot.running.app.doors.fleet}
    assert len(digests) == 1
