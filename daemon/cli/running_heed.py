"""Commands to a heed that runs: say, stop, resume and the like, sent to its socket, and how its answers are shown.

What only some of them need is imported there, so that `heed stop` takes no time.
"""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from daemon.config import Config
from daemon.service.control import CommandError, Message, request, running_in

STOP_PATIENCE = 1.0
"""Seconds for the daemon to stop the robot; then `heed stop` goes to heed-hw itself."""
STANDSTILL = {
    "true": "stopped; the robot stands still",
    "false": "told to stop; the robot still moves",
    "uncertain": "told to stop; whether the robot stands still cannot be told, so look",
}


def say(options: argparse.Namespace, config: Config) -> int:
    """Say something to the running heed."""
    return tell(config, "say", options, text=" ".join(options.text), user=options.user)


def stop(options: argparse.Namespace, config: Config) -> int:
    """Stop the robot now; it stays stopped until `heed resume`."""
    runtime = running_in(config.runtime_directory)
    try:
        answer = request(runtime, "stop", timeout=STOP_PATIENCE)
    except CommandError as error:
        answer = _stop_past_daemon(runtime, error)
    print(json.dumps(answer) if options.json else f"{STANDSTILL[answer['standstill']]}; to go on: heed resume")
    return 0


def _stop_past_daemon(runtime: Path, error: CommandError) -> Message:
    """Straight to heed-hw, where the daemon does not answer. Raises `error` when nobody does."""
    from hw.client import send_stop
    from hw.state import HardwareError

    try:
        return dataclasses.asdict(send_stop(runtime, "heed stop"))
    except HardwareError:
        raise error from None


def resume(options: argparse.Namespace, config: Config) -> int:
    """Let the robot move again after a stop or a pause."""
    return tell(config, "resume", options)


def pause(options: argparse.Namespace, config: Config) -> int:
    """Let the robot hold still until `heed resume`."""
    return tell(config, "pause", options)


def cancel(options: argparse.Namespace, config: Config) -> int:
    """End what the robot is doing."""
    return tell(config, "cancel", options)


def mute(options: argparse.Namespace, config: Config) -> int:
    """Let heed hear nothing but a stop, until `heed unmute`."""
    return tell(config, "mute", options)


def unmute(options: argparse.Namespace, config: Config) -> int:
    """Let heed hear everything again."""
    return tell(config, "unmute", options)


def talk(options: argparse.Namespace, config: Config) -> int:
    """Push to talk: what is said from now on is meant for heed; `heed talk --end` when the key is released."""
    return tell(config, "talk", options, down=not options.end)


def status(options: argparse.Namespace, config: Config) -> int:
    """Tell what the running heed is doing."""
    return tell(config, "status", options)


def page(options: argparse.Namespace, config: Config) -> int:
    """Print the link of the page in a browser; whoever has the link may do everything that is on the page."""
    return tell(config, "page", options)


def tell(config: Config, command: str, options: argparse.Namespace, **fields: Any) -> int:
    """Send a command with its fields, and print the answer; returns the exit status."""
    answer = request(running_in(config.runtime_directory), command, **fields)
    if options.json:
        print(json.dumps(answer))
    else:
        print(_readable(answer))
    return 0


def _readable(answer: Message) -> str:
    lines = [f"{key.replace('_', ' '):20} {_plain(value)}" for key, value in answer.items() if key != "ok"]
    return "\n".join(lines) or "done"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {inner}" for key, inner in value.items())
    return "-" if value in (None, "", []) else str(value)
