"""Reads what other programs tell the eyes: one line of JSON each, version 1 (docs/eyes.md). Pure.

A line comes from outside: every name is checked before it may stand in a prompt, every number is finite and in range,
and every clock is compared with ours.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from daemon.eyes.messages import (
    HOLDING,
    VERSION,
    Base,
    Door,
    Frame,
    Gone,
    Label,
    Labels,
    Leaf,
    Message,
    Objects,
    People,
    Places,
    Point,
    Reader,
    Seen,
    SeenPlace,
)

LONGEST = 65536
"""Bytes of a line."""
MOST = 200
"""Objects in one message."""
SKEW = 0.5
"""Seconds by which a sender's clock may differ from ours."""
OLDEST = 10.0
"""Seconds: no picture takes longer from the camera to here."""
READING = 60.0
"""Seconds: the same of words, which take longer to be read."""
FARTHEST = 100.0
"""Metres: no coordinate is larger."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+){0,3}")
"""A thing has at most four words: what is longer is a sentence, and might be an order to the mind."""
_LONGEST_NAME = 40
_USUAL = (("sigma", 0.02), ("confidence", 1.0), ("grip", 0.0))


class MessageError(ValueError):
    """A line that is not taken; the message says why."""


def read(line: bytes, now: float) -> Message:
    """Read one line that came at `now` (Unix seconds). Raises MessageError."""
    if len(line) > LONGEST:
        raise MessageError(f"the line has {len(line)} bytes; at most {LONGEST} are read")
    try:
        told = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not a line of JSON: {error}") from error
    if not isinstance(told, dict) or told.get("v") != VERSION:
        raise MessageError(f'the line is no object with "v": {VERSION}')
    reader = _READERS.get(str(told.get("type")))
    if reader is None:
        raise MessageError(f"there is no type {told.get('type')!r}; there are: {', '.join(_READERS)}")
    try:
        return reader(told, now)
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise MessageError(f"a {told['type']} message needs {error}; see docs/eyes.md") from error


def _objects(told: Mapping[str, Any], now: float) -> Objects:
    return Objects(_moment(told, now), _frame(told), _source(told), _all_seen(told["objects"]))


def _people(told: Mapping[str, Any], now: float) -> People:
    return People(_moment(told, now), _frame(told), _source(told), _all_seen(told["people"]))


def _gone(told: Mapping[str, Any], now: float) -> Gone:
    return Gone(_name(told["name"]))


def _base(told: Mapping[str, Any], now: float) -> Base:
    x, y, theta = _numbers(told["pose"], "pose", 3)
    covariance = _numbers(told["covariance"], "covariance", 9)
    if min(variances := (covariance[0], covariance[4], covariance[8])) < 0:
        raise MessageError(f"covariance has a variance below zero: {list(variances)}")
    sigma, turn_sigma = math.sqrt(max(variances[:2])), math.sqrt(variances[2])
    return Base(_moment(told, now), x, y, theta, sigma, turn_sigma)


def _places(told: Mapping[str, Any], now: float) -> Places:
    return Places(_moment(told, now), _frame(told), tuple(map(_seen_place, _listed(told["places"]))))


def _seen_place(told: Mapping[str, Any]) -> SeenPlace:
    if told["kind"] not in HOLDING:
        raise MessageError(f"a place is a {' or a '.join(HOLDING)}, not {told['kind']!r}")
    return SeenPlace(_name(told["name"]), told["kind"], _point(told, "position"), _number(told["yaw"], "yaw"))


def _door(told: Mapping[str, Any], now: float) -> Door | Leaf:
    if "closed" in told:
        points = (_point(told, name) for name in ("position", "closed", "handle"))
        return Leaf(_moment(told, now), _frame(told), _name(told["place"]), *points)
    if not isinstance(told["open"], bool):
        raise MessageError("a door is open: true or false")
    return Door(_name(told["place"]), told["open"])


def _labels(told: Mapping[str, Any], now: float) -> Labels:
    return Labels(_moment(told, now, READING), _frame(told), tuple(map(_label, _listed(told["labels"]))))


def _label(told: Mapping[str, Any]) -> Label:
    on = _name(told["on"]) if told.get("on") else ""
    position = _point(told, "position") if "position" in told else None
    return Label(_name(told["text"]).replace("_", " "), on, position, _number(told.get("sigma", 0.05), "sigma"))


def _reader(told: Mapping[str, Any], now: float) -> Reader:
    return Reader()


def _picture(told: Mapping[str, Any], now: float) -> Frame:
    at = _moment(told, now)
    if told["ok"] is True:
        return Frame(at, "")
    why = " ".join(re.findall(r"[\w',.-]+", str(told.get("why", ""))))[:80]
    return Frame(at, why or "the picture is not usable")


def _all_seen(found: Any) -> tuple[Seen, ...]:
    return tuple(_seen(each) for each in _listed(found))


def _listed(found: Any) -> list[Any]:
    if not isinstance(found, list) or len(found) > MOST:
        raise MessageError(f"a message lists at most {MOST} of them")
    return found


def _seen(told: Mapping[str, Any]) -> Seen:
    category = _name(told["class"]) if told.get("class") else ""
    name = _name(told["name"]) if told.get("name") else category
    if not name:
        raise MessageError("a thing needs a name or a class")
    sigma, confidence, grip = (_number(told.get(key, usual), key) for key, usual in _USUAL)
    source = _name(told["source"]) if told.get("source") else ""
    return Seen(name, category or name, _point(told, "position"), max(sigma, 0.0), confidence, max(grip, 0.0), source)


def _name(value: Any) -> str:
    name = str(value).strip().lower()
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise MessageError(f"{str(value)[:_LONGEST_NAME]!r} is no name: one to four plain words")
    return re.sub(r"[ -]", "_", name)


def _point(told: Mapping[str, Any], what: str) -> Point:
    x, y, z = _numbers(told[what], what, 3)
    return x, y, z


def _numbers(values: Any, what: str, count: int) -> list[float]:
    if not isinstance(values, list) or len(values) != count:
        raise MessageError(f"{what} is a list of {count} numbers")
    return [_number(value, what) for value in values]


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MessageError(f"{what} is not a finite number: {value!r}")
    if abs(value) > FARTHEST:
        raise MessageError(f"{what} is out of range: {value!r}")
    return float(value)


def _moment(told: Mapping[str, Any], now: float, oldest: float = OLDEST) -> float:
    at = told["at"]
    if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at):
        raise MessageError(f"at is no time in Unix seconds: {at!r}")
    if at > now + SKEW:
        raise MessageError(f"the picture is {at - now:.1f} s from the future: set the sender's clock")
    if at < now - oldest:
        raise MessageError(f"the picture is {now - at:.0f} s old: set the sender's clock, or send what is new")
    return float(at)


def _frame(told: Mapping[str, Any]) -> str:
    frame = told.get("frame")
    if frame not in ("robot", "map"):
        raise MessageError(f'frame is {frame!r}; positions are told in the frame "robot" or "map"')
    return str(frame)


def _source(told: Mapping[str, Any]) -> str:
    return _name(told.get("source", "outside"))


_READERS: Mapping[str, Callable[[Mapping[str, Any], float], Message]] = {
    "objects": _objects,
    "people": _people,
    "places": _places,
    "gone": _gone,
    "base": _base,
    "door": _door,
    "labels": _labels,
    "reader": _reader,
    "frame": _picture,
}
