"""Places that a person names: kept after a yes, at the pose where the robot stands; corrected, forgotten."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daemon.cli.places import inspect_places
from daemon.config import ConfigError
from daemon.console.place_functions import Places
from daemon.eyes.taught_places import with_places
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.control import CommandError
from skills.scene import Scene
from skills.skill import SkillError

POSE = (1.0, 2.0, 0.5)


class Talk:
    """A person whose answers are known beforehand."""

    speaker = "Ada"

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.asked: list[str] = []
        self.said: list[str] = []

    def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)

    ask_for_a_while = ask

    def say(self, text: str) -> None:
        self.said.append(text)


class Body:
    """A robot that stands still."""

    def __init__(self, book: PlaceBook) -> None:
        self.stands: tuple[float, float, float] | None = POSE
        self.told: list[tuple[tuple[float, float, float], str]] = []
        self._book = book

    def pose(self) -> tuple[float, float, float] | None:
        return self.stands

    def observe(self) -> dict[str, Any]:
        seen = {"name": "fridge", "kind": "container", "approach": [0.0, 0.0, 0.0]}
        return with_places({"objects": [], "locations": [seen]}, self._book.places())

    def stands_at(self, pose: tuple[float, float, float], by: str) -> None:
        self.told.append((pose, by))


@pytest.fixture
def book(tmp_path: Path) -> Iterator[PlaceBook]:
    with closing(PlaceBook(tmp_path / "m.sqlite")) as opened:
        yield opened


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def body(book: PlaceBook) -> Body:
    return Body(book)


@pytest.fixture
def places(talk: Talk, book: PlaceBook, body: Body) -> Places:
    return Places(talk, book, body)  # type: ignore[arg-type]


def test_a_place_is_kept_where_the_robot_stands_after_a_yes(places: Places, talk: Talk, book: PlaceBook) -> None:
    talk.answers = ["90", "yes please"]
    assert places.keep_place("the kitchen sink") == "success"
    assert "centimetres" in talk.asked[0]
    assert talk.asked[1].startswith("This is the kitchen sink, and things stand on it 0.9 m above the floor.")
    assert book.places() == [Place("kitchen_sink", "surface", *POSE, 0.9, "Ada")]


def test_without_a_yes_nothing_is_kept(places: Places, talk: Talk, book: PlaceBook) -> None:
    for answer, hint in (
        ("no", "go on with"),
        ("", "go on with"),
        ("no, that is the stove over there", "as they want"),
    ):
        talk.answers = [answer]
        with pytest.raises(SkillError, match="nothing was kept") as error:
            places.keep_place("sink", height=0.9)
        assert hint in error.value.hint
    assert book.places() == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"name": "sink", "kind": "ocean"}, "kind 'ocean'"),
        ({"name": "!!"}, "no place"),
        ({"name": "fridge", "height": 0.7}, "known already"),
        ({"name": "shelf", "height": 3.0}, "no height that I reach"),
        ({"name": "shelf", "height": float("nan")}, "no height"),
    ],
)
def test_what_is_no_place_is_refused(places: Places, book: PlaceBook, arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(SkillError, match=why):
        places.keep_place(**arguments)
    assert book.places() == []


def test_who_does_not_know_where_it_stands_learns_no_place(places: Places, body: Body) -> None:
    body.stands = None
    with pytest.raises(SkillError, match="do not know where I stand"):
        places.keep_place("corner", "spot")


def test_a_person_says_where_it_stands(places: Places, talk: Talk, body: Body) -> None:
    talk.answers = ["yes"]
    places.keep_place("corner", "spot")
    assert places.stand_at("corner") == "success"
    assert body.told == [(POSE, "Ada")]
    with pytest.raises(SkillError, match="there is no location 'moon'"):
        places.stand_at("moon")


def test_a_place_is_moved_by_saying_it_again_and_forgotten_after_a_yes(
    places: Places, talk: Talk, body: Body, book: PlaceBook
) -> None:
    talk.answers = ["yes", "yes", "no", "yes"]
    places.keep_place("corner", "spot")
    body.stands = (3.0, 0.0, 0.0)
    places.keep_place("corner", "spot")
    assert [place.x for place in book.places()] == [3.0]
    with pytest.raises(SkillError, match="nothing was kept"):
        places.forget_place("corner")
    places.forget_place("corner")
    assert book.places() == []
    with pytest.raises(SkillError, match="nobody taught me"):
        places.forget_place("corner")


def test_a_taught_place_is_seen_like_any_other(book: PlaceBook, body: Body) -> None:
    book.keep(Place("desk", "surface", 1.0, 1.0, 0.0, 0.7))
    desk = Scene.from_observation(body.observe()).location("desk")
    assert (desk.kind, desk.surface) == ("surface", pytest.approx((1.5, 1.0, 0.7)))


def test_places_are_listed_and_forgotten_from_a_shell(
    book: PlaceBook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.sqlite"
    assert inspect_places("list", "", file, as_json=False) == 0
    assert "no place was taught yet" in capsys.readouterr().out
    book.keep(Place("desk", "surface", 1.0, 1.0, 0.0, 0.7, "Ada"))
    inspect_places("list", "", file, as_json=False)
    assert "desk                 surface, 0.7 m high, at 1.00, 1.00 m; taught by Ada" in capsys.readouterr().out
    assert inspect_places("forget", "desk", file, as_json=False) == 0
    with pytest.raises(CommandError, match="no place 'desk'"):
        inspect_places("forget", "desk", file, as_json=False)
    with pytest.raises(ConfigError):
        inspect_places("forget", "", file, as_json=False)
    with pytest.raises(CommandError):
        inspect_places("list", "", tmp_path / "none", as_json=False)
