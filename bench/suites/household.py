"""`heed bench household`: does a lesson, taught once by voice, hold where it should and nowhere else?

The household scenarios of Bärmann et al. (2024) as conversations. For each: the session in which something is
taught; then, in a fresh world with only the memory kept, requests to which the lesson should carry over
(generalisation) and requests that it must leave alone (adversarial). A person who means what they said agrees to
what heed offers to remember. The same is measured with learning off, with raw histories stored instead of improved
ones, and with learning allowed only directly after an utterance, as in the papers.

What cannot be judged by code (what a stored transcript should read like) is not judged. Speech is judged by its words.
Where a world has no person in it, the person sits at the table.
"""

import argparse
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bench.mind.brain import open_brain
from bench.report import Options, Report, share
from bench.support.household_kinds import kind_of
from bench.support.rehearsed import NoLessons
from bench.support.taught_rehearsal import Robot, Turn, agree
from daemon.config import MemoryConfig
from daemon.console.history import InteractionHistory
from daemon.console.history import Turn as Happened
from daemon.console.learning.learn_from_interaction import Candidate, Lessons
from daemon.imitation.english.teaching.corrections import TEACHING
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder, LanguageModel
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.names import forms, mention
from skills.navigation import MOST

METHODS = ("full", "no_learning", "raw_history", "adjacency")
HIGH, LOW = 1.6, 0.7
"""Metres: the papers say only "high" and "low"."""
PERSON = "person"
ROOM = "room_center"
TABLE = "table"
STORAGE = "storage"
UNSURE = 0.6
"""Confidence of a recogniser that heard another word."""
"""Where things are of which the file does not say where."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--verbose", action="store_true", help="show what every turn led to")
    parser.add_argument("--only", default="", help="only the scenarios whose names contain this")
    parser.add_argument("--quick", action="store_true", help="only the chosen method, without the others beside it")


def run(options: Options) -> Report:
    """Measure every scenario with the chosen method, or with all of them."""
    data = options.read()
    only = getattr(options.own, "only", "")
    data["scenarios"] = [scenario for scenario in data["scenarios"] if only in scenario["id"]]
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    alone = options.method != "full" or getattr(options.own, "quick", False)
    methods = (options.method,) if alone else METHODS
    figures: dict[str, float | int | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        for method in methods:
            suffix = "" if method == methods[0] else f".{method}"
            bench = Household(
                data, model, embedder, method, Path(folder) / method, getattr(options.own, "verbose", False)
            )
            results = [bench.measure(scenario) for scenario in options.progress(data["scenarios"])]
            figures |= {f"{name}{suffix}": figure for name, figure in _figures(results).items()}
            figures |= {f"robustness{suffix}": bench.paraphrases(), f"misheard{suffix}": bench.misheard()}
    model.close()
    return Report(
        "household",
        len(data["scenarios"]),
        figures,
        options.brain,
        options.method,
        options.data.name if options.data else "-",
    )


@dataclass(frozen=True)
class Result:
    """What came of one scenario."""

    id: str
    learned: bool | None
    """At the first correction; None where the scenario teaches nothing."""
    before: list[bool]
    after: list[bool]
    """Generalisation probes before and after the session."""
    untouched_before: list[bool]
    untouched: list[bool]
    """Adversarial probes."""
    corrections: int
    """Until the first generalisation probe was right; one more than were made where it never was."""
    session: list[bool]


def _figures(results: Sequence[Result]) -> dict[str, float | int | None]:
    taught = [result for result in results if result.learned is not None]
    return {
        "learned": share(bool(result.learned) for result in taught),
        "generalisation": share(right for result in results for right in result.after),
        "generalisation.before": share(right for result in results for right in result.before),
        "adversarial_untouched": share(right for result in results for right in result.untouched),
        "adversarial_untouched.before": share(right for result in results for right in result.untouched_before),
        "session_turns": share(right for result in results for right in result.session),
        "corrections_mean": sum(result.corrections for result in taught) / len(taught) if taught else None,
    }


class Household:
    """All scenarios with one brain and one way of learning."""

    def __init__(
        self,
        data: Mapping[str, Any],
        model: LanguageModel,
        embedder: Embedder,
        method: str,
        folder: Path,
        verbose: bool,
    ) -> None:
        self._data = data
        self._model = model
        self._embedder = embedder
        self._method = method
        self._folder = folder
        self._verbose = verbose
        folder.mkdir(parents=True, exist_ok=True)

    def measure(self, scenario: Mapping[str, Any]) -> Result:
        """One scenario: probes, session, probes again."""
        scenario = {**scenario, "world": self._world(scenario["world"])}
        start = self._memory_before(scenario)
        probes, others = scenario.get("generalisation_probes", []), scenario.get("adversarial_probes", [])
        before = [self._probe(scenario, probe, start) for probe in probes]
        untouched_before = [self._probe(scenario, probe, start) for probe in others]
        kept = self._file(f"{scenario['id']}.sqlite", start)
        session, first_lesson, corrections = self._session(scenario, kept)
        after = [self._probe(scenario, probe, kept) for probe in probes]
        untouched = [self._probe(scenario, probe, kept) for probe in others]
        learned = None
        if probes:
            at_first = [self._probe(scenario, probe, first_lesson or kept) for probe in probes[:1]]
            learned = all(at_first) and (first_lesson is not None or not _teaches(scenario))
            corrections = 1 if all(at_first) else corrections + (0 if after[0] else 1)
        result = Result(scenario["id"], learned, before, after, untouched_before, untouched, corrections, session)
        if self._verbose:
            print(f"== {self._method} {result}\n")
        return result

    def corrections(self, scenario: Mapping[str, Any], rounds: int) -> list[int]:
        """Return for each round how often the person had to correct until what is asked for came out right."""
        scenario = {**scenario, "world": self._world(scenario["world"])}
        kept = self._file(f"{scenario['id']}.rounds.sqlite", self._memory_before(scenario))
        probe, counts = scenario["generalisation_probes"][0], []
        for _ in range(rounds):
            if self._probe(scenario, probe, kept):
                counts.append(0)
                continue
            _, _, tried = self._session(scenario, kept)
            counts.append(tried)
        return counts

    def paraphrases(self) -> float | None:
        """Share of paraphrases that lead to the same end as the original, which moves something."""
        pairs = self._data.get("robustness", {}).get("pairs", [])
        world = self._world(self._data.get("robustness", {}).get("world") or self._data["scenarios"][0]["world"])
        start = self._file("fresh.sqlite", None)
        return share(self._same_end(world, start, one, other) for one, other in pairs)

    def misheard(self) -> float | None:
        """Share of words that lead to the same end when an unsure recogniser hears another one in their place.

        Each in the first probe that has it, with what its session taught.
        """
        same = []
        for noise in self._data.get("robustness", {}).get("asr_noise", []):
            word, _, heard = (part.strip() for part in noise.partition("->"))
            found = next(
                ((s, text) for s in self._data["scenarios"] for text in _probe_texts(s) if mention(word, text)), None
            )
            if found is not None:
                scenario, text = found
                other = re.sub(rf"\b{re.escape(word)}\b", heard, text)
                memory = self._folder / f"{scenario['id']}.sqlite"
                same.append(self._same_end(self._world(scenario["world"]), memory, text, other, UNSURE))
        return share(same)

    def _same_end(self, world: Mapping[str, Any], memory: Path, one: str, other: str, confidence: float = 1.0) -> bool:
        first, second = (
            self._talk(world, self._file("pair.sqlite", memory), [text], confidence=sure)[-1]
            for text, sure in ((one, 1.0), (other, confidence))
        )
        self._show(second, [one], [first.after == second.after])
        return first.after == second.after and first.after != first.before

    def _world(self, given: Mapping[str, Any] | str) -> Mapping[str, Any]:
        world: Mapping[str, Any] = self._data["worlds"][given] if isinstance(given, str) else given
        return world

    def _memory_before(self, scenario: Mapping[str, Any]) -> Path:
        earlier = scenario.get("continues")
        file = self._folder / f"{earlier}.sqlite"
        return file if earlier and file.exists() else self._file("fresh.sqlite", None)

    def _file(self, name: str, copy_of: Path | None) -> Path:
        path = self._folder / name
        for old in self._folder.glob(f"{name}*"):
            old.unlink()
        if copy_of is not None:
            for part in copy_of.parent.glob(f"{copy_of.name}*"):
                shutil.copy(part, self._folder / part.name.replace(copy_of.name, name))
        return path

    def _session(self, scenario: Mapping[str, Any], kept: Path) -> tuple[list[bool], Path | None, int]:
        """Turn by turn right or wrong, the memory as the first lesson left it, and how many lessons were tried."""
        first: list[Path] = []
        attempts: list[int] = []

        def notice(memory: Memory, turn: Turn) -> None:
            if any(call.name == "learn_from_interaction" for call in turn.calls):
                attempts.append(turn.kept)
            if turn.kept and not first:
                memory._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                first.append(self._file(f"{scenario['id']}.first.sqlite", kept))

        session = scenario["session"]
        answers = {turn["user"]: turn["answers"] for turn in session if "answers" in turn}
        said = [turn["user"] for turn in session]
        turns = [t for t in self._talk(scenario["world"], kept, said, notice, answers) if t.utterance in said]
        right = []
        for said, turn in zip(scenario["session"], turns, strict=True):
            checks = [judge(item, turn, turns) for item in said.get("expect", [])]
            right.append(all(check is not False for check in checks))
            self._show(turn, said.get("expect", []), checks)
        return right, first[0] if first else None, max(1, len(attempts))

    def _probe(self, scenario: Mapping[str, Any], probe: Mapping[str, Any], memory: Path) -> bool:
        world = patched(scenario["world"], probe.get("world_patch", {}))
        copy = self._file("probe.sqlite", memory)
        turns = self._talk(world, copy, [probe["user"]])
        checks = [judge(item, turns[-1], turns) for item in probe.get("expect", [])]
        self._show(turns[-1], probe.get("expect", []), checks)
        return all(check is not False for check in checks)

    def _talk(
        self,
        world: Mapping[str, Any],
        memory_file: Path,
        sentences: Sequence[str],
        notice: Callable[[Memory, Turn], None] = lambda *_: None,
        answers: Mapping[str, Sequence[str]] = MappingProxyType({}),
        confidence: float = 1.0,
    ) -> list[Turn]:
        seated = not any("human" in place for place in world.get("locations", []))
        with Memory(memory_file, self._embedder, MemoryConfig()) as memory:
            improver = RawHistory() if self._method == "raw_history" else None
            robot = Robot(describe(world), self._model, memory, self._learner, improver, self._method != "raw_history")
            robot.after_turn = lambda turn: notice(memory, turn)
            turns = robot.talk(*sentences, answer=Answers(robot, answers), confidence=confidence)
        for turn in turns if seated else ():
            turn.after |= {name: TABLE for name, at in turn.after.items() if at == PERSON}
        return turns

    def _learner(self, lessons: Lessons) -> Any:
        return {"no_learning": NoLessons(), "adjacency": Adjacent(lessons)}.get(self._method, lessons)

    def _show(self, turn: Turn, expectations: Sequence[Any], checks: Sequence[bool | None]) -> None:
        if not self._verbose:
            return
        print(f"[{self._method}] {turn.utterance}")
        calls = ", ".join(
            f"{c.name}{c.arguments}" for c in turn.calls if not c.name.startswith(("list_", "get_")) and c.ok
        )
        print(f"    {calls}\n    {turn.speech}")
        wrong = [item for item, check in zip(expectations, checks, strict=True) if check is False]
        print(f"    {'WRONG ' + str(wrong) if wrong else 'right'}")


class Answers:
    """What the person says to the questions of a turn, in order; to all others they agree."""

    def __init__(self, robot: Robot, by_turn: Mapping[str, Sequence[str]]) -> None:
        self._robot = robot
        self._left = {said: list(answers) for said, answers in by_turn.items()}

    def __call__(self, question: str) -> str:
        left = self._left.get(self._robot.turns[-1].utterance)
        return left.pop(0) if left else agree(question)


class Adjacent:
    """Learns only where the utterance is the last thing that happened, as the papers' gate has it."""

    def __init__(self, lessons: Lessons) -> None:
        self._lessons = lessons

    def learn(self, history: InteractionHistory, ask: Any, say: Any) -> str:
        turn = history.current_turn
        if turn is None or len(turn.steps) > 1:
            return "nothing learned: not directly after an utterance"
        return self._lessons.learn(history, ask, say)


class RawHistory:
    """Stores what happened, unimproved and without a scope."""

    def improve(self, turns: Sequence[Happened], correction: str | None = None) -> Sequence[Candidate]:
        steps = tuple(step for turn in turns for step in turn.steps)
        return [Candidate(Rule("This is what happened."), turns[0], steps=steps)]


# --- worlds ---


def describe(world: Mapping[str, Any]) -> dict[str, Any]:
    """The scene of a world that is given in names: every place gets a pose, every thing a class."""
    surfaces = world.get("surfaces", {})
    devices = world.get("devices", {})
    named = [place for place in world.get("locations", []) if not place.startswith("inFrontOf_")]
    people = [place for place in named if "human" in place or place == PERSON]
    places: dict[str, dict[str, Any]] = {ROOM: {"name": ROOM, "kind": "spot"}}
    for name in [*surfaces, *devices, *named, *(_place_of(at) for at in world["objects"].values())]:
        if name not in people and name not in places:
            places[name] = {"name": name} | _properties(surfaces.get(name, {}), devices.get(name))
    for surface in surfaces.values():
        if top := surface.get("topmost"):
            places[top] = {"name": top, "height": HIGH, "aliases": ["topmost shelf", "top shelf", "upper shelf"]}
    person: dict[str, Any] = {"name": PERSON, "kind": "person", "height": 0.75, "aliases": people}
    return {
        "locations": [*places.values(), person],
        "objects": {
            name: {"category": kind_of(name), "location": _place_of(at)} for name, at in world["objects"].items()
        },
        "robot": {"location": _robot_place(world.get("robot_at", ROOM), places)},
    }


def patched(world: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The world with things added and removed."""
    objects = {**world["objects"], **patch.get("objects", {})}
    for gone in patch.get("remove", []):
        objects.pop(gone, None)
    return {**world, "objects": objects}


def _properties(surface: Mapping[str, Any], device: str | None) -> dict[str, Any]:
    height = {"height": HIGH if surface.get("height") == "high" else LOW}
    door = surface.get("door") or device
    return height | ({"door": door} if door in ("open", "closed") else {})


def _place_of(at: str | None) -> str:
    return STORAGE if at is None else re.sub(r"\s*\(.*\)$", "", at)


def _robot_place(name: str, places: Mapping[str, Any]) -> str:
    bare = name.removeprefix("inFrontOf_")
    return bare if bare in places else ROOM


# --- judging; each check answers True, False, or None where code cannot tell ---

CALLED = {
    "handover_object_to_human": "handover",
    "place_object": "place",
    "open_door": "open_door",
    "close_door": "close_door",
}
"""The papers' functions that have other names here."""
NEGATIVE = re.compile(r"\b(not|no|cannot|can't|could not|sorry|unable|nothing)\b", re.IGNORECASE)


def judge(expectation: Mapping[str, Any], turn: Turn, turns: Sequence[Turn]) -> bool | None:
    """Return whether a turn is as expected."""
    ((name, value),) = list(expectation.items())[:1]
    check = _CHECKS.get(name)
    return check(value, turn) if check else None


def _all_at(value: Sequence[str], turn: Turn, places: tuple[str, ...]) -> bool:
    return all(turn.after.get(name) in places for name in value)


def _at(value: Sequence[str], turn: Turn) -> bool:
    *things, place = value
    return _all_at(things, turn, (PERSON if "human" in place else place,))


def _in(value: Sequence[str], turn: Turn) -> bool:
    thing, container = value
    at = turn.after.get(thing)
    return at is not None and at in (container, turn.after.get(container))


def _held_together(value: Sequence[str] | bool, turn: Turn) -> bool:
    wanted = frozenset() if value is True else frozenset(value)  # type: ignore[arg-type]
    return any(len(call.holding) > 1 and wanted <= call.holding for call in turn.calls)


def _not_moved(value: Sequence[str], turn: Turn) -> bool:
    taken = {call.arguments[0] for call in turn.calls if call.name == "grasp" and call.ok}
    return all(turn.before.get(name) == turn.after.get(name) and name not in taken for name in value)


def _legs(value: Mapping[str, Any], turn: Turn) -> list[float]:
    """Speed factors of all drives on a route."""
    found = []
    for call in turn.calls:
        on_route = call.name == "move_to" and mention(value["from"], call.start.replace("_", " "))
        if on_route and mention(value["to"], str(call.arguments[0]).replace("_", " ")):
            found.append(float(call.arguments[1]) if len(call.arguments) > 1 else 1.0)
    return found


def _speed(value: Mapping[str, Any], turn: Turn) -> bool:
    legs = _legs(value, turn)
    if value["factor"] in (">1", "<1"):
        return bool(legs) and all((factor > 1) is (value["factor"] == ">1") and factor != 1 for factor in legs)
    return all(factor == value["factor"] for factor in legs)


def _never_above(_: str, turn: Turn) -> bool:
    return all(call.arguments[1] <= MOST for call in turn.calls if call.name == "move_to" and len(call.arguments) > 1)


def _said_about(value: str, turn: Turn) -> bool:
    """The words of a topic, one of several with "or"; a missing thing and a refusal need a "no" beside them."""
    said = " ".join(turn.speech)
    return any(_said_topic(topic, said) for topic in value.split(" or "))


def _said_topic(topic: str, said: str) -> bool:
    negative = re.search(r"\b(missing|cannot|do not know|not)\b", topic)
    words = [word for word in re.findall(r"[a-z]{3,}", topic.lower()) if word not in _NO_TOPIC]
    named = not words or any(mention(word, said) for word in words)
    return bool(named and (NEGATIVE.search(said) if negative else True)) and bool(said)


_NO_TOPIC = frozenset(["missing", "cannot", "not", "know", "what", "location", "another", "the", "how"])


def _visited(value: Sequence[str], turn: Turn) -> bool:
    went = {str(call.arguments[0]) for call in turn.calls if call.name == "move_to" and call.ok} | {ROOM}
    return {PERSON if "human" in place else place.removeprefix("inFrontOf_") for place in value} <= went


def _said_each(_: bool, turn: Turn) -> bool:
    said = " ".join(turn.speech)
    went = {str(call.arguments[0]) for call in turn.calls if call.name == "move_to" and call.ok}
    return bool(went) and all(any(mention(form, said) or form in said for form in (*forms(p), p)) for p in went)


def _brought(value: Sequence[str], turn: Turn) -> bool:
    return all(turn.after.get(name) == PERSON or turn.after.get(name) != turn.before.get(name) for name in value)


_CHECKS: dict[str, Callable[[Any, Turn], bool | None]] = {
    "handed_over": lambda value, turn: _all_at(value, turn, (PERSON,)),
    "at": _at,
    "in": _in,
    "brought": _brought,
    "held_together": _held_together,
    "trips_to_human": lambda value, turn: (
        sum(c.name == "move_to" and c.arguments[0] == PERSON for c in turn.calls) == value
    ),
    "not_moved": _not_moved,
    "not_called": lambda value, turn: not any(call.name == CALLED.get(value, value) for call in turn.calls),
    "speed": _speed,
    "speed_never_above": _never_above,
    "learn_called": lambda value, turn: any(c.name == "learn_from_interaction" for c in turn.calls) is value,
    "kept": lambda value, turn: turn.kept == value,
    "memory_added": lambda value, turn: turn.kept >= value,
    "said_about": _said_about,
    "asked": _said_about,
    "asked_or_said": _said_about,
    "not_said": lambda value, turn: not mention(value, " ".join(turn.speech)),
    "visited": _visited,
    "said_each_location_name": _said_each,
    "closed": lambda value, turn: turn.doors.get(value) is False,
    "open": lambda value, turn: turn.doors.get(value) is True,
    "stops_within_rounds": lambda value, turn: turn.statements <= value,
    "calls_at_most": lambda value, turn: all(sum(c.name == n for c in turn.calls) <= most for n, most in value.items()),
}


def _probe_texts(scenario: Mapping[str, Any]) -> list[str]:
    """Its requests, those that somebody teaches with left out."""
    probes = [*scenario.get("generalisation_probes", []), *scenario.get("adversarial_probes", []), *scenario["session"]]
    return [probe["user"] for probe in probes if not TEACHING.search(probe["user"])]


def _teaches(scenario: Mapping[str, Any]) -> bool:
    return any("learn_called" in item for turn in scenario["session"] for item in turn.get("expect", []))
