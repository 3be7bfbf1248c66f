"""A thing that nobody sees is looked for from place to place, by statements of the console."""

from typing import Any

from daemon.console.executor import Outcome
from daemon.console.search import LOOK, search
from skills.scene import Location, Scene, Thing

PLACES = {"sink": (0.0, 1.0), "counter": (3.0, 0.0), "table": (1.0, 0.0), "shelf": (9.0, 0.0)}
CUPBOARD = Location("cupboard", "container", (0.5, 0.0, 0.0), door="closed")


class House:
    """A robot that stands somewhere, and a cup that it sees at one place."""

    def __init__(self, cup: str = "", here: str = "hall", drives: bool = True, labelled: str = "") -> None:
        """Who reads labels sees that the cup is one only at a place where it is `labelled` so."""
        self.cup = cup
        self.here = here
        self._drives = drives
        self._labelled = labelled
        self._read = False

    @property
    def scene(self) -> Scene:
        places = [Location(name, "surface", (*at, 0.0)) for name, at in PLACES.items()]
        hall, ada = Location("hall", "spot", (0.0, 0.0, 0.0)), Location("ada", "person", (0.1, 0.0, 0.0))
        told = self.here == self.cup and (self._read or not self._labelled)
        seen = (Thing("cup", "dishes", self.cup, (0.0, 0.0, 0.0), source=self._labelled),) if told else ()
        locations = (hall, ada, *places, CUPBOARD)
        return Scene(seen, locations, drives=self._drives, partial=True, reads_labels=bool(self._labelled))

    def found(self, scene: Scene) -> bool:
        return any(thing.source != "label" for thing in scene.objects)

    def run(self, *failing: str, likely: str = "", result: str = "RuntimeError: the chair blocks my way") -> list[Any]:
        """All statements, and what is returned."""
        steps, done, sent = search(self, "cup", self.found, likely), [], None
        try:
            while True:
                statement = steps.send(sent)
                done.append(statement)
                sent = Outcome(result, False) if statement in failing else Outcome("'success'", True)
                self._read = self._read or (statement.startswith("read_labels") and self.here == self.cup)
                if sent.ok and statement.startswith("move_to"):
                    self.here = statement.split("'")[1]
        except StopIteration as end:
            return [*done, end.value]


def test_what_is_in_sight_needs_no_search() -> None:
    assert House(cup="sink", here="sink").run() == [""]


def test_it_looks_from_where_it_stands_and_then_at_the_nearest_place_twice_each() -> None:
    assert House(cup="counter").run() == [
        LOOK, LOOK, "move_to('sink')", LOOK, LOOK, "move_to('table')", LOOK, LOOK, "move_to('counter')", ""
    ]  # fmt: skip


def test_it_looks_first_where_the_thing_was_seen_last() -> None:
    assert House(cup="shelf").run(likely="shelf") == [LOOK, LOOK, "move_to('shelf')", ""]


def test_it_tells_where_it_looked_in_vain_and_opens_no_door() -> None:
    *done, told = House().run()
    assert told == "I looked at the sink, the counter, the table and the shelf, and do not see any cup."
    assert not any("cupboard" in statement for statement in done)


def test_a_place_that_it_cannot_reach_is_left_out() -> None:
    done = House(cup="table").run("move_to('sink')")
    assert done == [LOOK, LOOK, "move_to('sink')", "move_to('table')", ""]


def test_a_person_ends_it_at_once() -> None:
    ended = House(cup="table").run("move_to('sink')", result="KeyboardInterrupt: a person said stop")
    assert ended == [LOOK, LOOK, "move_to('sink')", None]
    assert House(cup="table").run(LOOK, result="KeyboardInterrupt: a person said stop") == [LOOK, None]


def test_who_cannot_drive_only_looks() -> None:
    assert House(cup="table", drives=False).run() == [LOOK, LOOK, "I do not see any cup here."]


def test_who_reads_labels_reads_them_after_two_looks_in_vain_and_looks_again() -> None:
    done = House(cup="table", here="table", labelled="tag").run()
    assert done == [LOOK, LOOK, "read_labels('cup')", ""]


def test_what_was_only_read_is_told_of_and_not_gone_for() -> None:
    done = House(cup="table", here="table", drives=False, labelled="label").run()
    assert done[:4] == [LOOK, LOOK, "read_labels('cup')", LOOK]
    assert done[-1] == "I read cup on something at the table, but cannot tell well enough where it is."
