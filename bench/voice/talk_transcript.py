"""What was said, heard and answered in a talk, second by second, and the figures that follow from it."""

import re
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from daemon.speech.audio import Samples

RATE = 16000
BLOCK = RATE // 50
LOUD = 100.0
"""Root mean square from which something sounds."""
SOON = 12.0
"""Seconds within which what heed heard belongs to what was said."""


@dataclass(frozen=True)
class Spoken:
    """One sentence of a person's; seconds since the talk began."""

    began: float
    ended: float
    who: str
    text: str
    over: bool
    """Said while heed spoke or worked."""


@dataclass(frozen=True)
class Entry:
    """A line that heed printed."""

    at: float
    kind: str
    """"heard", "heed" for what it said, or "does"."""
    text: str


@dataclass(frozen=True)
class Heard:
    """A talk, from outside."""

    spoken: Sequence[Spoken]
    entries: Sequence[Entry]
    tracks: dict[str, Samples]
    """What sounded: of "person", "speaker" and "room"."""

    def record(self, file: Path) -> None:
        """Write what the microphone heard as WAV."""
        with wave.open(str(file), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(self.tracks["room"].tobytes())

    def after(self, one: Spoken) -> list[Entry]:
        """Return what heed printed from the middle of a sentence to the next one, or for `SOON`."""
        following = [other.began for other in self.spoken if other.began > one.began]
        until = min([*following, one.ended + SOON])
        return [entry for entry in self.entries if (one.began + one.ended) / 2 <= entry.at < until]

    def taken_up(self, one: Spoken) -> float | None:
        """Seconds from the end of a sentence until heed took up these very words; None where it never did."""
        taken = (entry.at for entry in self.entries if entry.kind == "heard" and words(entry.text) == words(one.text))
        return next((at - one.ended for at in taken if one.began <= at < one.ended + LATE), None)


LATE = 60.0
"""Seconds within which the same words are still that sentence: heed takes up what is said while it works afterwards."""


def figures(heard: Heard) -> dict[str, float | int | None]:
    """Return shares, and seconds by what sounded from heed's loudspeaker."""
    outcomes = [_outcome(heard, one) for one in heard.spoken]
    over = [outcome for one, outcome in zip(heard.spoken, outcomes, strict=True) if one.over]
    signs = [sign for one in heard.spoken if not one.over and (sign := _sign(heard, one)) is not None]
    said = [words(one.text) for one in heard.spoken]
    waited = [seconds for one in heard.spoken if (seconds := heard.taken_up(one)) is not None]
    return {
        **{f"spoken_{name}": outcomes.count(name) for name in ("right", "asked", "otherwise", "unheard")},
        "right_over_its_voice_or_work": over.count("right"),
        "said_over_its_voice_or_work": len(over),
        "taken_up_though_nobody_said_so": sum(e.kind == "heard" and words(e.text) not in said for e in heard.entries),
        "taken_up_p50_s": _quantile(waited, 0.5),
        "taken_up_p95_s": _quantile(waited, 0.95),
        "first_sign_p50_s": _quantile(signs, 0.5),
        "first_sign_p95_s": _quantile(signs, 0.95),
        "longest_silence_while_it_works_s": _longest_silence(heard),
    }


def written(heard: Heard, found: dict[str, float | int | None], told: str) -> str:
    """Return the transcript in Markdown."""
    lines = [(one.began, f"**{one.who}**{' (over it)' if one.over else ''}", one.text) for one in heard.spoken]
    lines += [(e.at, {"heard": "*heed hears*", "heed": "**heed**", "does": "*it does*"}[e.kind], e.text)
              for e in heard.entries if e.at >= 0 and e.text != "wait_for_trigger()"]  # fmt: skip
    rows = [f"| {at // 60:.0f}:{at % 60:04.1f} | {who} | {_cell(who, text)} |" for at, who, text in sorted(lines)]
    table = [f"| {name} | {'-' if value is None else round(value, 2)} |" for name, value in found.items()]
    head = ["# Ten minutes with two people, echo and music", "", f"Made by `heed bench ten_minutes`: {told}.", ""]
    parts = [*head, "| figure | |", "|---|---|", *table, "", "| min:s | who | what |", "|---|---|---|", *rows]
    return "\n".join(parts) + "\n"


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def _cell(who: str, text: str) -> str:
    return f"`{text}`" if who == "*it does*" else text.replace("|", "/")


def _outcome(heard: Heard, one: Spoken) -> str:
    """Return whether a sentence was heard "right", "asked" about, heard "otherwise", or "unheard"."""
    after = heard.after(one)
    taken = [entry for entry in after if entry.kind == "heard"]
    if heard.taken_up(one) is not None or _stopped(one, after):
        return "right"
    if any(entry.text.startswith("Did you mean") for entry in after):
        return "asked"
    return "otherwise" if taken else "unheard"


def _stopped(one: Spoken, after: Sequence[Entry]) -> bool:
    """Words that act at once never reach the console; what heed says about them does."""
    replies = {"stop": "stop", "wait": "waiting", "go on": "go on|can move", "never mind": "All right|never mind"}
    wanted = replies.get(one.text)
    return wanted is not None and any(e.kind == "heed" and re.search(wanted, e.text) for e in after)


def _sign(heard: Heard, one: Spoken) -> float | None:
    """Return the seconds from the end of a sentence to heed's first sound, None where none came before the next."""
    track = _loud(heard.tracks["speaker"])
    person = _loud(heard.tracks["person"])
    begin, end = (round(at * RATE / BLOCK) for at in (one.began, one.ended + 1.0))
    voiced = np.flatnonzero(person[begin:end])
    if not len(voiced):
        return None
    over = begin + int(voiced[-1]) + 1
    following = np.flatnonzero(track[over : over + round(SOON * RATE / BLOCK)])
    return float(following[0]) * BLOCK / RATE if len(following) else None


def _longest_silence(heard: Heard) -> float:
    """Return the longest time without a sound between two things that heed did for one sentence."""
    track, longest = _loud(heard.tracks["speaker"]), 0
    for one in heard.spoken:
        deeds = [entry.at for entry in heard.after(one) if entry.kind == "does"]
        if len(deeds) > 1:
            sounds = track[round(deeds[0] * RATE / BLOCK) : round(deeds[-1] * RATE / BLOCK)]
            gaps = np.diff(np.flatnonzero(np.concatenate([[True], sounds, [True]])))
            longest = max(longest, int(gaps.max()))
    return longest * BLOCK / RATE


def _loud(sound: Samples) -> np.ndarray:
    whole = sound[: len(sound) // BLOCK * BLOCK].astype(np.float64).reshape(-1, BLOCK)
    return np.asarray(np.sqrt(np.mean(whole**2, axis=1)) > LOUD)


def _quantile(values: Sequence[float], part: float) -> float | None:
    return float(np.quantile(values, part)) if values else None
