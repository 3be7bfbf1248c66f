"""What a person at a terminal sees, and what a pipe gets."""

import io

import pytest

from daemon.cli.terminal import CLEAR_LINE, Terminal
from daemon.trigger import Utterance


class Screen(io.StringIO):
    """A terminal on paper."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "40")
    return Screen()


def test_words_are_written_into_one_line_which_gives_way_to_the_sentence(screen: Screen) -> None:
    terminal = Terminal(screen)
    terminal.words("bring", 0.5)
    terminal.words("bring me the", 0.61)
    terminal.heard(Utterance("bring me the cup"))
    terminal.words("", 0.0)
    lines = screen.getvalue().split(CLEAR_LINE)
    assert [("bring (0.50)" in line, "the (0.61)" in line, "heard: bring me the cup" in line) for line in lines] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert screen.getvalue().count("\n") == 2  # those of the sentence


def test_a_line_that_came_to_nothing_is_taken_away(screen: Screen) -> None:
    terminal = Terminal(screen)
    terminal.words("perhaps", 0.2)
    terminal.words("", 0.0)
    terminal.said("Hello.")
    assert screen.getvalue().count(CLEAR_LINE) == 1
    assert "\n" not in screen.getvalue().split(CLEAR_LINE)[0]


def test_more_words_than_the_line_holds_lose_their_beginning(screen: Screen) -> None:
    Terminal(screen).words("a " * 50 + "cup", 0.5)
    (line,) = screen.getvalue().splitlines()
    assert "cup (0.50)" in line
    assert len(line) < 40 + len("\x1b[2m\x1b[0m")


def test_a_pipe_gets_none_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    terminal.words("bring me", 0.5)
    assert not terminal.is_watched
    assert capsys.readouterr().out == ""
