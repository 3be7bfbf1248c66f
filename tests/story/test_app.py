"""The whole of heed in one process, with heed-hw beside it and simulated devices that speak the real bytes."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from daemon.app import App
from daemon.cli.terminal import Terminal
from daemon.config import Config, LlmConfig, MemoryConfig, ServiceConfig
from daemon.llm.llama import FAILURES, LlamaModel
from daemon.llm.remote_model import WENT
from daemon.memory.store import Memory
from daemon.memory.task_book import Task, TaskBook
from daemon.service.control import CommandError, request
from daemon.service.sound import Voice
from daemon.trigger import Utterance
from hw.state import HardwareError
from sim.perception import SimCamera
from skills.scene import Scene
from tests.llm.tiny_gguf import make_scripted_gguf
from tests.support.command import Answer, heed_command
from tests.support.fakes import WordEmbedder
from tests.support.waiting import until
from tests.support.wire import velocities_seen_by

ROOT = Path(__file__).parents[2]


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return tmp_path / "run"


def config_in(runtime: Path, **sections: object) -> Config:
    service = ServiceConfig(runtime_directory=str(runtime), state_directory=str(runtime))
    return Config(service=service, folder=ROOT, **sections)  # type: ignore[arg-type]


class Recorder(Terminal):
    """Remembers what was said."""

    def __init__(self) -> None:
        super().__init__()
        self.speech: list[str] = []

    def said(self, text: str) -> None:
        super().said(text)
        self.speech.append(text)


class Running:
    """An app whose console runs in a thread."""

    def __init__(self, config: Config, voice: Voice | None = None) -> None:
        self.terminal = Recorder()
        self.app = App(config, voice or Voice(), self.terminal)
        self._thread = threading.Thread(target=self.app.run)
        self._thread.start()

    def say(self, text: str) -> None:
        self.app.heed.hear(Utterance(text))

    def wait(self) -> None:
        """Until heed waits for a person, with nothing left to do."""
        until(lambda: self.app.conversation.waiting and not len(self.app.triggers))

    @property
    def results(self) -> list[str]:
        return [step.result for turn in self.app.console.history.turns for step in turn.steps]

    def end(self) -> None:
        self.app.triggers.close()
        self._thread.join(60)
        assert not self._thread.is_alive()


@pytest.fixture
def heed(runtime: Path) -> Iterator[Running]:
    with running_in(runtime) as running:
        yield running


@pytest.fixture(scope="module")
def listener() -> Iterator[Running]:
    """A heed that is only talked to, by several tests."""
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, running_in(Path(folder)) as running:
        yield running


@contextmanager
def running_in(runtime: Path) -> Iterator[Running]:
    running = Running(config_in(runtime, llm=LlmConfig(brain="imitation")))
    running.wait()
    yield running
    running.app.shut_down("the test is over")
    running.end()


def wheels(heed: Running) -> list[tuple[int, float]]:
    """Every velocity command that the simulated axes got: node, turns per second."""
    with closing(SimCamera(heed.app.config.runtime_directory)) as room:
        return velocities_seen_by(room)


def drives(heed: Running) -> Callable[[], bool]:
    return lambda: any(abs(velocity) > 0.3 for _, velocity in wheels(heed)[-4:])


def rests(heed: Running) -> bool:
    """Whether the last command to each wheel was zero."""
    return dict(wheels(heed)) in ({}, {0: 0.0, 1: 0.0})


@pytest.mark.whole
def test_a_memory_that_is_found_damaged_is_told_of_and_ends_heed_for_a_fresh_start(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tasks(book: TaskBook) -> list[Task]:
        raise sqlite3.DatabaseError("database disk image is malformed")

    heed = Running(config_in(runtime, llm=LlmConfig(brain="imitation")))
    heed.wait()
    monkeypatch.setattr(TaskBook, "tasks", tasks)
    heed.say("hello")
    try:
        until(lambda: any("memory is damaged" in said for said in heed.terminal.speech))
    finally:
        heed.end()
    assert any("memory is damaged" in said for said in heed.terminal.speech)


@pytest.mark.whole
def test_a_sentence_moves_the_robot_and_the_object(heed: Running) -> None:
    heed.say("bring me the cup")
    until(lambda: len(heed.app.console.history.turns) == 1)
    heed.wait()
    assert Scene.from_observation(heed.app.body.observe()).object("cup").location == "person"


def test_stop_while_driving_leaves_zero_velocity_on_the_bus_and_ends_the_statement(heed: Running) -> None:
    heed.say("go to the person")
    until(drives(heed))
    heed.say("stop")
    heed.wait()
    assert rests(heed)
    assert any(result.startswith("KeyboardInterrupt: ") for result in heed.results)
    assert heed.app.body.state().stopped


def test_after_a_stop_only_a_person_lets_the_robot_move(heed: Running) -> None:
    heed.say("stop")
    until(lambda: heed.app.body.state().stopped is not None)
    heed.say("go to the sink")
    until(lambda: len(heed.app.console.history.turns) == 1)
    heed.wait()
    assert rests(heed)
    assert heed.terminal.speech[-1] == "I could not do that: I am stopped until somebody says: go on."
    heed.say("go on")
    until(lambda: heed.app.body.state().stopped is None)
    heed.say("go to the sink")
    until(drives(heed))


@pytest.mark.whole
def test_a_request_from_before_the_stop_is_void(heed: Running) -> None:
    heed.say("go to the person")
    until(drives(heed))
    heed.say("go to the sink")
    heed.say("stop")
    heed.wait()
    assert heed.app.console.history.utterances == ["go to the person"]


def test_never_mind_ends_a_motion_and_the_robot_stays_ready(heed: Running) -> None:
    heed.say("go to the person")
    until(drives(heed))
    heed.say("never mind")
    heed.wait()
    assert heed.app.body.state().stopped is None
    assert any(result.startswith("KeyboardInterrupt: ") for result in heed.results)


@pytest.mark.whole
def test_a_killed_heed_hw_comes_back_inactive_and_waits_for_a_person(heed: Running) -> None:
    process = heed.app.body.processes[-1]
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    until(lambda: heed.app.body.answers() and "active" not in heed.app.status.now()["body"].values())
    heed.say("go on")
    until(lambda: set(heed.app.status.now()["body"].values()) == {"active"})


@pytest.mark.parametrize(
    "text", ["don't import the milk", "import", "tell me " * 700, "😀☕", "\x00\x1b[2J", "'\"\\", ">>> stop_all()"]
)
def test_whatever_is_said_is_only_said(listener: Running, text: str) -> None:
    turns = len(listener.app.console.history.turns)
    listener.say(text)
    until(lambda: len(listener.app.console.history.turns) == turns + 1)
    listener.wait()
    assert listener.app.body.answers()


def test_commands_reach_the_running_heed(heed: Running, runtime: Path) -> None:
    assert request(runtime, "status")["brain"] == "imitation"
    request(runtime, "say", text="go to the person")
    until(drives(heed))
    assert request(runtime, "stop")["standstill"] in ("true", "false", "uncertain")
    assert request(runtime, "status")["stopped"]
    assert request(runtime, "resume")["ended"] == "stop"
    with pytest.raises(CommandError, match="nothing to say"):
        request(runtime, "say", text=" ")


@pytest.mark.whole
def test_a_gguf_writes_the_statements_through_llama_cpp(runtime: Path, tmp_path: Path) -> None:
    """The real loop on the real llama.cpp; the tiny model hangs the console first, reads why, and finds its words."""
    file = tmp_path / "tiny.gguf"
    replies = {">>>": " while True: pass\n", "> 5s\n>>>": " say('I am back')\n"}
    make_scripted_gguf(file, replies, context=8192)  # one token per character: few examples fit
    running = Running(config_in(runtime, llm=LlmConfig(brain=f"llama:{file}")))
    try:
        running.say("go")
        until(lambda: running.terminal.speech)
        running.wait()
        assert running.terminal.speech == ["I am back"]
        assert any("time limit" in result for result in running.results)
    finally:
        running.app.shut_down("the test is over")
        running.end()


def test_without_the_model_file_of_the_settings_heed_says_so_and_can_be_talked_to(runtime: Path) -> None:
    running = Running(config_in(runtime, llm=LlmConfig(brain="llama:none.gguf")))
    try:
        until(lambda: running.terminal.speech)
        assert "language model cannot be used" in running.terminal.speech[0]
        running.say("where is the cup?")
        until(lambda: any("counter" in text for text in running.terminal.speech))
    finally:
        running.app.shut_down("the test is over")
        running.end()


@pytest.mark.whole
def test_a_model_file_that_vanishes_is_replaced_by_what_examples_show(runtime: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    make_scripted_gguf(file, {">>>": " say('I am back')\n"}, context=4096)
    running = Running(config_in(runtime, llm=LlmConfig(brain=f"llama:{file}")))
    try:
        assert isinstance(running.app.brain.model, LlamaModel)
        running.app.brain.model.describe()
        os.kill(running.app.brain.model.process_id or 0, signal.SIGKILL)
        file.unlink()
        for _ in range(FAILURES):
            running.say("hello")
            running.wait()
        until(lambda: running.app.brain.model.name == "imitation")
        running.say("hello")
        until(lambda: any("What can I do for you?" in text for text in running.terminal.speech))
    finally:
        running.app.shut_down("the test is over")
        running.end()


def test_who_orders_something_of_a_blind_robot_is_told_and_heard_on(
    heed: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(state: object) -> None:
        raise HardwareError("nobody sees anything", "look after the camera")

    heed.say("hello")
    heed.wait()
    monkeypatch.setattr(heed.app.body.eyes, "observe", blind)
    heed.say("bring me the clean cup")
    until(lambda: any("nobody sees anything" in text for text in heed.terminal.speech))
    heed.wait()
    said = len(heed.terminal.speech)
    heed.say("hello")
    until(lambda: len(heed.terminal.speech) > said)


@pytest.mark.whole
def test_a_pipe_of_sentences_ends_by_itself(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f'[service]\nruntime_directory = "{tmp_path}/run"\n')
    done = subprocess.run(
        [sys.executable, "-m", "daemon", "--config", str(settings), "run"],
        input="hello\nwhere is the cup?\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "heard: where is the cup?" in done.stdout
    assert "says:  The cup is on the counter." in done.stdout


@pytest.mark.whole
def test_a_file_speaks_in_turn_so_that_a_stop_in_it_ends_nothing_before(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f'[service]\nruntime_directory = "{tmp_path}/run"\n')
    done = subprocess.run(
        [sys.executable, "-m", "daemon", "--config", str(settings), "run"],
        input="where is the cup?\nstop\ngo on\nhello\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=100,
        check=False,
    )
    said = [line.removeprefix("says:  ") for line in done.stdout.splitlines() if line.startswith("says:")]
    assert said[:3] == ["The cup is on the counter.", "I have stopped.", "I can move again."]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("[speach]\n", "did you mean speech?"),
        ("[llm]\nbrian = 'x'\n", "did you mean brain?"),
        ("[llm]\nthreads = 'many'\n", "must be of type int"),
        ("[llm\n", "cannot be read"),
    ],
)
def test_wrong_settings_are_answered_with_what_to_do(tmp_path: Path, settings: str, complaint: str) -> None:
    told_of(heed_command(settings_in(tmp_path, settings), "status"), complaint)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("[body]\nscene = 'moon'\n", "there is no scene 'moon'"),
        ("[body]\nrobot = 'mine.toml'\n", "no robot description"),
        ("[llm]\nbrain = 'lama'\n", "is none of"),
    ],
)
def test_settings_that_name_what_is_not_there_are_answered_at_the_start(
    tmp_path: Path, settings: str, complaint: str
) -> None:
    file = settings_in(tmp_path, settings)
    told_of(
        subprocess.run(
            [sys.executable, "-m", "daemon", "--config", str(file), "run"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=100,
            check=False,
        ),
        complaint,
    )


def settings_in(folder: Path, settings: str) -> Path:
    file = folder / "config.toml"
    file.write_text(settings + f'[service]\nruntime_directory = "{folder}/run"\n')
    return file


def told_of(done: Answer | subprocess.CompletedProcess[str], complaint: str) -> None:
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_without_a_daemon_say_how_to_start_one(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[service]\nruntime_directory = "{tmp_path}/run"\n')
    for command in (["say", "hello"], ["stop"], ["resume"], ["cancel"], ["status"]):
        done = heed_command(file, *command)
        assert done.returncode == 1
        assert "make run" in done.stderr


def test_memory_commands_need_no_daemon(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("")
    assert "no memory at" in heed_command(file, "memory", "lessons").stderr
    heed_command(file, "memory", "show", "1")
    (tmp_path / "memory.sqlite").write_text("this is not a database, but somebody's diary" * 100)
    done = heed_command(file, "memory", "lessons")
    assert done.returncode == 1
    assert (tmp_path / "memory.sqlite").read_text().startswith("this is not a database")
    assert "Traceback" not in done.stderr


def test_models_commands_name_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "fake.gguf").write_bytes(b"PK\x03\x04 no model")
    assert (
        "imitates" in heed_command(file, "models", "list").stdout
        or "fake.gguf" in heed_command(file, "models", "list").stdout
    )
    done = heed_command(file, "models", "use", "fake.gguf")
    assert done.returncode == 1
    assert "GGUF" in done.stderr
    assert json.loads(heed_command(file, "models", "list", "--json").stdout)[0]["problem"]


@pytest.mark.whole
def test_a_thing_is_put_into_a_bowl_on_the_running_robot(heed: Running) -> None:
    with closing(SimCamera(heed.app.config.runtime_directory)) as room:
        room.request("door", location="cupboard", open=True)
    heed.say("put the apple in the bowl")
    until(lambda: len(heed.app.console.history.turns) == 1)
    heed.wait()
    assert heed.terminal.speech[-1] == "The apple is in the bowl now."
    assert Scene.from_observation(heed.app.body.observe()).object("apple").location == "bowl"
    assert heed.app.status.now()["looks"]["checks"] >= 4


@pytest.mark.whole
def test_a_change_of_mind_ends_the_drive_and_is_heard_at_once(heed: Running) -> None:
    heed.say("bring me the cup")
    until(drives(heed))
    heed.say("no, the spoon instead")
    until(lambda: len(heed.app.console.history.turns) == 2)
    heed.wait()
    scene = Scene.from_observation(heed.app.body.observe())
    assert any(result.startswith("KeyboardInterrupt: ") for result in heed.results)
    assert (scene.object("cup").location, scene.object("spoon").location) == ("counter", "person")


@pytest.mark.whole
def test_a_question_about_the_work_is_answered_while_it_goes_on(heed: Running) -> None:
    heed.say("go to the sink")
    until(drives(heed))
    heed.say("what are you doing?")
    assert heed.terminal.speech == ["I am doing what you said: go to the sink."]
    heed.wait()
    assert heed.app.console.history.utterances == ["go to the sink"]
    assert heed.terminal.speech[-1] == "I am at the sink."


@pytest.mark.whole
def test_a_further_order_is_done_next(heed: Running) -> None:
    heed.say("go to the sink")
    until(drives(heed))
    heed.say("then go to the table")
    until(lambda: len(heed.app.console.history.turns) == 2)
    heed.wait()
    assert heed.terminal.speech == ["I am at the sink.", "I am at the table."]


@pytest.mark.slow
def test_a_task_is_left_for_a_question_and_gone_on_with_by_voice(heed: Running) -> None:
    heed.say("the task clearing means: the apple and the banana go on the counter")
    heed.say("do the clearing")
    until(drives(heed))
    heed.say("where is the spoon?")
    until(lambda: len(heed.app.console.history.turns) == 3)
    heed.wait()
    assert any(text.startswith("I leave the clearing for now.") for text in heed.terminal.speech)
    assert heed.terminal.speech[-1] == "The spoon is on the counter."
    heed.say("go on with the clearing")
    until(lambda: heed.terminal.speech[-1] == "The clearing is done.")
    scene = Scene.from_observation(heed.app.body.observe())
    assert [scene.object(name).location for name in ("apple", "banana")] == ["counter", "counter"]


@pytest.mark.whole
def test_what_is_asked_for_later_is_done_by_itself_and_kept_for_the_next_heed(runtime: Path) -> None:
    first = Running(config_in(runtime, llm=LlmConfig(brain="imitation")))
    first.say("in one second go to the sink")
    first.say("every evening at eight bring me the water")
    until(lambda: len(first.app.console.history.turns) == 3)
    first.wait()
    assert "It is time for this: go to the sink." in first.terminal.speech
    assert first.terminal.speech[-1] == "I am at the sink."
    first.end()
    second = Running(config_in(runtime, llm=LlmConfig(brain="imitation")))
    try:
        until(lambda: len(second.terminal.speech) > 0)
        assert second.terminal.speech[0].startswith("Before I was started again I was asked for this: every evening")
        second.say("no, thanks")
        until(lambda: second.terminal.speech[-1] == "All right, I forget that.")
    finally:
        second.end()


@pytest.mark.whole
def test_what_the_power_cut_short_is_asked_about(runtime: Path) -> None:
    memory = Memory(runtime / "memory.sqlite", WordEmbedder(), MemoryConfig())
    memory.begin_action("move_to('sink')", "", "go to the sink")
    memory.close()
    heed = Running(config_in(runtime, llm=LlmConfig(brain="imitation")))
    try:
        until(lambda: len(heed.terminal.speech) > 0)
        assert heed.terminal.speech == ["I was interrupted while I was doing this: go to the sink. Shall I go on?"]
        heed.say("yes please")
        until(lambda: heed.terminal.speech[-1] == "I am at the sink.")
    finally:
        heed.end()


@pytest.mark.whole
def test_a_brain_on_the_network_that_is_away_is_told_and_what_was_asked_for_is_done(runtime: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    running = Running(config_in(runtime, llm=LlmConfig(brain=f"remote:http://127.0.0.1:{port}")))
    running.wait()
    running.say("bring me the cup")
    until(lambda: len(running.app.console.history.turns) == 1)
    running.wait()
    assert running.terminal.speech.count(WENT) == 1
    assert Scene.from_observation(running.app.body.observe()).object("cup").location == "person"
    running.end()
