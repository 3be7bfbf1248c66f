"""What the sound server (PulseAudio, or PipeWire in its manner) lets us record; PortAudio cannot tell.

When a microphone is unplugged, the server moves who records it to whatever else can be recorded, in the end to the
monitor of the loudspeaker: the robot would listen to itself, and nothing would tell it.
"""

import json
import logging
import os
import re
import subprocess
import threading
from typing import Any

from daemon.speech.lasting_thread import Worker

log = logging.getLogger(__name__)


def recorded_monitor() -> str:
    """The name of a loudspeaker's monitor that this process records; empty for none, or without such a server."""
    ours = {
        output["source"]
        for output in _listed("source-outputs")
        if output.get("properties", {}).get("application.process.id") == str(os.getpid())
    }
    monitors = (source for source in _listed("sources") if source["index"] in ours and _is_monitor(source))
    return next((str(source["name"]) for source in monitors), "")


def listed_devices() -> frozenset[str] | None:
    """The names of all that can record and play there; None without an answer."""
    devices = [*_listed("sources"), *_listed("sinks")]
    return frozenset(str(device["name"]) for device in devices) or None


def use_echo_canceller() -> str:
    """Let this process record from and play to the server's echo canceller from its next stream on, and return the name
    of its source; "" where none is loaded. A person who set these variables has chosen already."""
    if any(os.environ.get(variable, chosen) != chosen for variable, chosen in _chosen.items()):
        source = os.environ.get("PULSE_SOURCE", "")
        return source if _CANCELS.search(source) else ""
    for variable, kind in (("PULSE_SOURCE", "sources"), ("PULSE_SINK", "sinks")):
        os.environ.pop(variable, None)
        _chosen[variable] = next((str(device["name"]) for device in _listed(kind) if _cancels_echo(device)), "")
        if _chosen[variable] and _chosen["PULSE_SOURCE"]:
            os.environ[variable] = _chosen[variable]
    return _chosen["PULSE_SOURCE"]


_chosen = {"PULSE_SOURCE": "", "PULSE_SINK": ""}
"""What libpulse was told by variables of the environment: PortAudio cannot name a source or a sink of a server."""
_CANCELS = re.compile(r"echo[-_ ]?cancel", re.IGNORECASE)


class RecordingWatch:
    """Follows the server's events while something is recorded; costs nothing while none come."""

    def __init__(self, source: str = "") -> None:
        """`source` is the server's echo canceller that is recorded; "" for none."""
        self.gone = ""
        """The echo canceller that was recorded and is no more: then the server records something else; "" for none."""
        self._source = source
        self._monitor = ""
        self._recorded = False
        """Whether that source was seen."""
        self._certain = threading.Event()
        try:
            self._events: subprocess.Popen[str] | None = subprocess.Popen(
                ["pactl", "subscribe"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, env=_environment(),
            )  # fmt: skip
        except FileNotFoundError:
            log.info("no pactl: whether a sound server moves the microphone is not noticed")
            self._events = None
            return
        Worker("recording watch", self._follow).start()

    @property
    def monitor(self) -> str:
        """The loudspeaker of which a monitor is recorded now; empty for none. Waits while that is being found out."""
        self._certain.wait(timeout=_LONGEST_LOOK)
        return self._monitor

    def look(self) -> None:
        """Look now."""
        if self._events is not None:
            self._monitor = recorded_monitor()
            self._look_for_canceller()
        self._certain.set()

    def _look_for_canceller(self) -> None:
        if self._source and (devices := listed_devices()) is not None:
            self.gone = self._source if self._recorded and self._source not in devices else ""
            self._recorded = self._recorded or self._source in devices

    def close(self) -> None:
        if self._events is not None:
            self._events.terminate()
            self._events.wait()

    def _follow(self) -> None:
        assert self._events is not None
        assert self._events.stdout is not None
        with self._events.stdout as events:
            for event in events:
                if " on source" in event:  # of a source, or of what is recorded from one
                    self._certain.clear()
                    self.look()


_LONGEST_LOOK = 2.0
"""Seconds; a server that does not answer any more gives no sound either."""


def _listed(what: str) -> list[dict[str, Any]]:
    command = ["pactl", "--format=json", "list", what]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_LONGEST_LOOK, check=False, env=_environment())
        listed = json.loads(done.stdout or b"[]")
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []
    return listed if isinstance(listed, list) else []


def _environment() -> dict[str, str]:
    """English, since the events are read."""
    return os.environ | {"LC_ALL": "C"}


def _cancels_echo(device: dict[str, Any]) -> bool:
    """Whether it is one end of PulseAudio's or PipeWire's echo canceller, whatever it was named."""
    told = (device.get("name"), device.get("driver"), device.get("description"))
    return not _is_monitor(device) and any(_CANCELS.search(str(text)) for text in told)


def _is_monitor(source: dict[str, Any]) -> bool:
    is_one = source.get("properties", {}).get("device.class") == "monitor"
    return is_one or str(source.get("name", "")).endswith(".monitor")
