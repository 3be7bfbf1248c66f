"""Where the time of an utterance went, on a clock that the test turns."""

import os

import pytest

from daemon.service.metrics import Metrics, process_figures
from daemon.service.utterance_walk import Walk
from daemon.trigger import Utterance


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def tick(self, seconds: float) -> None:
        self.now += seconds


class Measured:
    """Metrics that are told a conversation."""

    def __init__(self, voice: bool = False) -> None:
        self.clock = Clock()
        self.walks: list[Walk] = []
        self.metrics = Metrics(self.walks.append, voice, self.clock)
        self.metrics.statement("wait_for_trigger()")

    def hear(self, text: str, **times: float) -> None:
        self.metrics.heard(Utterance(text, **{"started_at": self.clock.now, "heard_at": self.clock.now, **times}))
        self.metrics.result(f"{{'type': 'dialog', 'text': {text!r}}}")

    def run(self, statement: str, thought: float, acted: float, result: str = "'success'") -> None:
        self.clock.tick(thought)
        self.metrics.statement(statement)
        self.clock.tick(acted)
        self.metrics.result(result)


def test_what_the_model_read_is_in_the_line() -> None:
    told = Measured()
    told.hear("bring me the juice")
    told.metrics.read(1800, 1500)
    told.run("move_to('fridge')", thought=0.5, acted=4.0)
    told.metrics.read(1850, 1800)
    told.metrics.statement("wait_for_trigger()")
    [walk] = told.walks
    assert "completions=2 prompt_tokens=1850 read=350" in walk.line
    assert "heed_read_tokens_total 350" in told.metrics.text({})


def test_a_walk_adds_up() -> None:
    told = Measured()
    told.hear("bring me the juice", started_at=97.0, ended_at=98.5, heard_at=99.0)
    told.run("move_to('fridge')", thought=0.5, acted=4.0)
    told.run("grasp('juice')", thought=0.25, acted=1.0, result="SkillError: it is closed. Hint: open_door('fridge')")
    told.clock.tick(0.5)
    told.metrics.statement("say('Sorry.')")
    told.metrics.said("Sorry.")
    told.metrics.result("")
    told.clock.tick(0.25)
    told.metrics.sounds()
    told.metrics.statement("wait_for_trigger()")
    [walk] = told.walks
    assert walk == Walk(
        text="bring me the juice", source="typed", hearing=2.0, waited=1.0, thought=1.5, acted=5.0, first_answer=7.25,
        whole=7.5, statements=3, errors=1, to_text=0.5, to_statement=2.0, to_sound=8.0,
    )  # fmt: skip


def test_the_last_utterance_is_told_from_the_end_of_its_speech() -> None:
    told = Measured()
    assert told.metrics.last is None
    told.hear("hello", heard_at=99.5, ended_at=99.0)
    told.metrics.sounds()  # the end of what was said before
    told.metrics.statement("wait_for_trigger()")
    assert told.metrics.last == {"to_text": 0.5, "to_statement": None, "to_sound": None}


def test_an_answer_that_sounds_after_the_walk_is_waited_for() -> None:
    told = Measured(voice=True)
    told.hear("where is the cup", ended_at=99.5)
    told.run("say('On the table.')", thought=0.1, acted=0.0)
    told.metrics.said("On the table.")
    told.metrics.statement("wait_for_trigger()")
    assert told.walks == []
    told.clock.tick(0.4)
    told.metrics.sounds()
    told.metrics.sounds()
    [walk] = told.walks
    assert (walk.to_sound, walk.whole) == (pytest.approx(1.0), pytest.approx(0.1))
    assert told.metrics.last is not None
    assert told.metrics.last["to_sound"] == walk.to_sound


def test_an_answer_that_never_sounds_is_told_with_the_next_words() -> None:
    told = Measured(voice=True)
    told.hear("where is the cup")
    told.run("say('On the table.')", thought=0.1, acted=0.0)
    told.metrics.said("On the table.")
    told.metrics.statement("wait_for_trigger()")
    told.hear("never mind")
    told.metrics.sounds()  # of nothing that was said to this
    assert [(walk.text, walk.to_sound) for walk in told.walks] == [("where is the cup", None)]
    told.metrics.statement("wait_for_trigger()")
    assert [walk.text for walk in told.walks] == ["where is the cup", "never mind"]


def test_an_answer_that_no_loudspeaker_takes_is_told_once_all_is_said() -> None:
    told = Measured(voice=True)
    told.hear("where is the cup")
    told.run("say('On the table.')", thought=0.1, acted=0.0)
    told.metrics.said("On the table.")
    told.metrics.statement("wait_for_trigger()")
    told.metrics.silent()
    assert [(walk.text, walk.to_sound) for walk in told.walks] == [("where is the cup", None)]


def test_an_answer_that_was_all_said_before_the_walk_ends_is_not_waited_for() -> None:
    told = Measured(voice=True)
    told.hear("where is the cup")
    told.metrics.said("On the table.")
    told.metrics.silent()
    told.metrics.statement("wait_for_trigger()")
    assert [(walk.text, walk.to_sound) for walk in told.walks] == [("where is the cup", None)]


def test_waiting_for_an_answer_is_the_persons_time() -> None:
    told = Measured()
    told.hear("bring me something")
    told.clock.tick(1.0)
    told.metrics.statement("ask('What?')")
    told.metrics.said("What?")
    told.clock.tick(60.0)
    told.metrics.heard(Utterance("the juice", heard_at=told.clock.now))
    told.clock.tick(2.0)
    told.metrics.result("'the juice'")
    told.metrics.statement("wait_for_trigger()")
    assert (told.walks[0].thought, told.walks[0].acted) == (1.0, 2.0)


def test_one_utterance_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "daemon.service.metrics")
    told = Measured()
    told.hear("hello\nMESSAGE=forged")
    told.run("say('hi')", 0.5, 0.1)
    told.metrics.statement("wait_for_trigger()")
    [record] = caplog.records
    assert "thought=0.500 acted=0.100 whole=0.600" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_figures_are_what_prometheus_reads() -> None:
    told = Measured()
    told.hear("hello")
    told.run("say('hi')", 0.5, 0.1)
    told.metrics.statement("wait_for_trigger()")
    told.metrics.count("stops")
    lines = told.metrics.text({"stopped": 1.0}).splitlines()
    assert 'heed_utterances_total{source="typed"} 1' in lines
    assert "heed_stops_total 1" in lines
    assert "heed_stopped 1" in lines
    assert 'heed_walk_seconds_bucket{part="thought",le="0.5"} 1' in lines
    assert 'heed_walk_seconds_bucket{part="thought",le="0.2"} 0' in lines
    types = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(types) == len(set(types))


def test_words_between_walks_are_counted_and_belong_to_none() -> None:
    told = Measured()
    told.metrics.said("I have stopped.")
    told.metrics.statement("wait_for_trigger()")
    assert told.walks == []
    assert "heed_sayings_total 1" in told.metrics.text({})


def test_what_processes_use_is_read_and_of_dead_ones_nothing() -> None:
    figures = process_figures({"daemon": os.getpid(), "gone": 2**22 + 1})
    assert figures["daemon_memory_bytes"] > 1e6
    assert figures["daemon_threads"] >= 1
    assert not any(name.startswith("gone") for name in figures)
