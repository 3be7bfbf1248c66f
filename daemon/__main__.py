"""The `heed` command."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from daemon.cli.running_heed import (
    cancel,
    mute,
    page,
    pause,
    resume,
    say,
    status,
    stop,
    talk,
    unmute,
)
from daemon.cli.subcommands import (
    bench,
    demo,
    doctor,
    eyes,
    failed,
    fleet,
    hw,
    install,
    mcp,
    memory,
    models,
    places,
    run,
    setup,
    skills,
    uninstall,
)
from daemon.config import ConfigError, load_config
from daemon.service.control import CommandError
from daemon.service.journal import set_up_logging

PAGE = "127.0.0.1:8642"
"""Where the page is when nothing else is said; 8642 belongs to no known service."""

MCP = "127.0.0.1:8643"

SKILL_ACTIONS = ("list", "check", "new", "docs")
MEMORY_ACTIONS = ("list", "lessons", "show", "forget", "restore", "edit", "merge", "export", "import")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 well, 1 it did not work, 2 wrong usage or settings."""
    options = _parser().parse_args(arguments)
    set_up_logging(os.environ.get("HEED_LOG", "WARNING"))
    try:
        return int(options.command(options, load_config(options.config)) or 0)
    except ConfigError as error:
        return failed(error, 2)
    except CommandError as error:
        return failed(f"{error}\n{error.hint}" if error.hint else error, 1)
    except (KeyboardInterrupt, EOFError):
        return 130


def _usual_config() -> Path:
    here, service = Path("config.toml"), Path("/etc/heed/config.toml")
    return service if service.exists() and not here.exists() else here


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed", description="Talk to your robot. Everything stays on this computer.")
    parser.add_argument(
        "--config", type=Path, default=_usual_config(), help="settings (default: config.toml here, else in /etc/heed)"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(function: object, **arguments: object) -> argparse.ArgumentParser:
        name, text = getattr(function, "__name__", ""), getattr(function, "__doc__", "")
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=function)
        sub.add_argument("--json", action="store_true", help="answer for programs")
        return sub

    running = command(run)
    running.add_argument("--service", action="store_true", help="take no typed lines, as under systemd")
    running.add_argument(
        "--page", nargs="?", const=PAGE, metavar="HOST:PORT", help=f"offer a page in a browser (default: {PAGE})"
    )
    running.add_argument("--robot", default="", help='another robot: "sim:so101", or the file that describes yours')
    telling = command(demo)
    telling.add_argument("--out", type=Path, default=Path("out"), help="folder for sound and memory (default: out)")
    telling.add_argument("--care", action="store_true", help="a medicine is brought, and four things are in the way")
    telling.add_argument("--kill", action="store_true", help="kill heed right after the yes, instead of ending it")
    telling.add_argument(
        "--learning", action="store_true", help="talk about its memory instead, with kill -9 in the middle of each step"
    )
    telling.add_argument("--brain", default="auto", help="another one than that of models/: llama:FILE.gguf")
    saying = command(say)
    saying.add_argument("text", nargs="+", help="a sentence")
    saying.add_argument("--user", default="", help="who says it")
    for function in (stop, resume, pause, cancel, mute, unmute, status, page, doctor):
        command(function)
    _eyes_options(command(eyes))
    command(talk).add_argument("--end", action="store_true", help="the key was released")
    for function in (install, uninstall):
        installing = command(function)
        installing.add_argument("--user", action="store_true", help="for the session of this user, without root")
        installing.add_argument("--dry-run", action="store_true", help="only tell what would be done")
        if function is install:
            installing.add_argument("--no-start", action="store_true", help="do not start the services")
            installing.add_argument("--page", action="store_true", help="with a page in a browser on this machine")
    remembering = command(memory)
    remembering.add_argument("action", choices=MEMORY_ACTIONS)
    remembering.add_argument("arguments", nargs="*", help="numbers of lessons, as `heed memory list` tells them; words")
    knowing = command(places)
    knowing.add_argument("action", nargs="?", default="list", choices=("list", "forget"))
    knowing.add_argument("name", nargs="?", default="", help="forget: the name of the place")
    setting_up = command(setup)
    setting_up.add_argument("what", choices=("robot", "voice"))
    setting_up.add_argument(
        "--port", action="append", default=[], help="robot: a serial port instead of /dev/serial/by-id"
    )
    modelling = command(models)
    modelling.add_argument("action", choices=("list", "check", "use", "bench", "pull"))
    modelling.add_argument(
        "arguments", nargs="*", help="a GGUF file, or imitation; pull: OWNER/NAME and the file in it"
    )
    doing = command(skills)
    doing.add_argument("action", choices=SKILL_ACTIONS)
    doing.add_argument("names", nargs="*", help="skills; new: the name of the new one")
    together = command(fleet)
    together.add_argument("what", choices=("status", "stop", "say", "lessons", "take"))
    together.add_argument("words", nargs="*", help="say: ROBOT WORDS...; take: a lesson, or all")
    offering = command(mcp)
    offering.add_argument("--http", nargs="?", const=MCP, metavar="HOST:PORT", help=f"over HTTP (default: {MCP})")
    measuring = command(bench)
    measuring.add_argument("name", nargs="?", help="which bench; none lists all")
    measuring.add_argument("rest", nargs=argparse.REMAINDER, help="--data FILE, --brain BRAIN, --method METHOD, ...")
    _hardware_options(command(hw))
    return parser


def _hardware_options(body: argparse.ArgumentParser) -> None:
    body.add_argument("action", choices=("scan", "status", "calibrate", "import-lerobot", "jog", "test"))
    body.add_argument(
        "what", nargs="?", default="", choices=("", "wheels"), help="test: wheels on servos, robot lifted"
    )
    body.add_argument("--arm", default="", help="left or right; the first one if not given")
    body.add_argument("--joint", default="", help="jog: a joint's name; without it, keys")
    body.add_argument("--by", type=float, metavar="DEGREES", help="jog: how far")
    body.add_argument("--port", default="", help="scan: one port instead of /dev/serial/by-id")
    body.add_argument("--file", default="", help="import-lerobot: the file, if there are several")
    body.add_argument("--yes", action="store_true", help="test: nobody is within reach")


def _eyes_options(seeing: argparse.ArgumentParser) -> None:
    seeing.add_argument("action", nargs="?", default="", choices=("", "sheet", "calibrate", "look", "check"))
    seeing.add_argument(
        "what", nargs="?", default="", choices=("", "lens", "mount", "hand"), help="calibrate: which of them"
    )
    seeing.add_argument("--ids", default="0-11", help="sheet: numbers of the tags (default: 0-11)")
    seeing.add_argument("--size", type=float, default=40.0, help="millimetres of a black square (default: 40)")
    seeing.add_argument("--board", action="store_true", help="sheet: the one that cameras are calibrated with")
    seeing.add_argument("--out", type=Path, help="sheet: a .pdf or .svg; look: a .png with what was found")
    seeing.add_argument("--pictures", type=Path, help="calibrate, look: a picture, or a folder, instead of the camera")
    seeing.add_argument("--chessboard", default="", metavar="9x6", help="calibrate lens: with one of so many corners")
    seeing.add_argument(
        "--surface", type=float, help="look: metres above the floor at which things stand, for detectors"
    )
    seeing.add_argument("--square", type=float, default=0.0, help="calibrate mount: millimetres of a printed square")
    seeing.add_argument(
        "--at",
        type=float,
        nargs=3,
        metavar=("X", "Y", "Z"),
        help="calibrate mount: where the sheet's middle lies, metres",
    )


if __name__ == "__main__":
    sys.exit(main())
