"""The `heed` command."""

import argparse
import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    tell,
    unmute,
)
from daemon.config import Config, ConfigError, load_config
from daemon.service.control import CommandError, request
from daemon.service.journal import keep_standard_error, set_up_logging
from daemon.service.signals import on_request_to_end

if TYPE_CHECKING:
    from daemon.cli.install import Target

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
        return _failed(error, 2)
    except CommandError as error:
        return _failed(f"{error}\n{error.hint}" if error.hint else error, 1)
    except (KeyboardInterrupt, EOFError):
        return 130


def _failed(error: object, code: int) -> int:
    print(f"heed: {error}", file=sys.stderr)
    return code


# --- commands; what only some of them need is imported there, so that `heed stop` takes no time ---


def run(options: argparse.Namespace, config: Config) -> int:
    """Start heed and talk to it."""
    from daemon.app import App
    from daemon.cli.terminal import Terminal
    from daemon.llm.model import ModelError
    from daemon.memory.memory_file import MemoryFileError
    from daemon.service.body_process import BodyError
    from daemon.service.sound import find_voice
    from daemon.speech.typed import TypedSource
    from hw.state import HardwareError

    keep_standard_error()
    if options.robot:
        config = dataclasses.replace(config, body=dataclasses.replace(config.body, robot=options.robot))
    if options.page:
        config = dataclasses.replace(config, service=dataclasses.replace(config.service, page=options.page))
    if _is_running(config):
        return _failed('heed already runs; talk to it: heed say "bring me the juice"', 1)
    terminal = Terminal()
    voice, note = find_voice(config, quiet=not sys.stdin.isatty() and not options.service, wait=options.service)
    try:
        app = App(config, voice, terminal)
    except (BodyError, HardwareError, ModelError, MemoryFileError) as error:
        return _failed(error, 1)
    on_request_to_end(lambda: app.shut_down("heed is asked to end"))
    terminal.note(note)
    for name, why in app.left_out.items():
        terminal.note(f"{name} is left out: {why}")
    if app.doors.link:
        terminal.note(f"the page: {app.doors.link}")
    terminal.note(f"thinking with {app.brain.model.name}; say or type: bring me the juice")
    if not options.service:
        in_turn = (lambda: None) if sys.stdin.isatty() else app.wait_until_listening
        TypedSource(sys.stdin, app.heed.hear, app.heed.hear_stop, app.triggers.close, in_turn).start()
    return app.run()


def demo(options: argparse.Namespace, config: Config) -> int:
    """Tell the story of the juice and the cup, spoken, learned, and known after a restart; or another one."""
    from daemon.cli import demo, demo_care, demo_learning

    if options.care:
        return demo_care.tell(options.out, options.brain)

    if options.learning:
        return demo_learning.tell(options.out, options.brain)
    return demo.tell(options.out, options.kill, options.brain)


def eyes(options: argparse.Namespace, config: Config) -> int:
    """Tell what the running heed sees and remembers; or print tags, calibrate the camera, and try a look."""
    if not options.action:
        return tell(config, "eyes", options)
    from daemon.cli.camera import options_of, use_camera

    return use_camera(options.action, options_of(options), config)


def places(options: argparse.Namespace, config: Config) -> int:
    """List the places that heed was taught, or forget one."""
    from daemon.cli.places import inspect_places

    return inspect_places(options.action, options.name, config.memory_file, as_json=options.json)


def doctor(options: argparse.Namespace, config: Config) -> int:
    """Look for everything that might be missing or broken."""
    from daemon.cli.doctor import diagnose

    return diagnose(config, as_json=options.json)


def install(options: argparse.Namespace, config: Config) -> int:
    """Make heed a service that starts with the machine; settings, models and memory that are there are kept."""
    from daemon.cli.install import carry_out, require_rights
    from daemon.cli.install import install as steps

    target = _target(options)
    if not options.dry_run:
        require_rights(target)
    carry_out(steps(target, options.page, start=not options.no_start), options.dry_run)
    return 0


def uninstall(options: argparse.Namespace, config: Config) -> int:
    """Take the service away again; settings, models and memory stay."""
    from daemon.cli.install import carry_out, require_rights
    from daemon.cli.install import uninstall as steps

    target = _target(options)
    if not options.dry_run:
        require_rights(target)
    carry_out(steps(target), options.dry_run)
    return 0


def memory(options: argparse.Namespace, config: Config) -> int:
    """List, show, forget, restore, edit, merge, export and import what heed was taught."""
    from daemon.cli.memory import inspect_memory

    return inspect_memory(options.action, options.arguments, config.memory_file, as_json=options.json)


def setup(options: argparse.Namespace, config: Config) -> int:
    """Set up your robot, or its ear and voice, in a conversation: what is there, which of it, and a trial."""
    if options.what == "voice":
        from daemon.cli.setup_voice import VoiceSetup
        from daemon.cli.voice_trial import RealDevices

        return VoiceSetup(config, input, RealDevices()).run()
    from daemon.cli.setup_robot import Setup

    return Setup(config, input, [Path(port) for port in options.port]).run()


def models(options: argparse.Namespace, config: Config) -> int:
    """List model files, fetch one, check it, measure it, or use it."""
    from daemon.cli.models import inspect_models

    return inspect_models(options.action, options.arguments, config, as_json=options.json)


def skills(options: argparse.Namespace, config: Config) -> int:
    """List what the robot can do, check that it can be stopped, write a new skill, or print the docs page."""
    from daemon.cli.skills import inspect_skills

    return inspect_skills(options.action, options.names, as_json=options.json)


def fleet(options: argparse.Namespace, config: Config) -> int:
    """See, stop and talk to the robots of the fleet, and learn what they were taught."""
    first, rest = (options.words or [""])[0], " ".join(options.words[1:])
    fields = {"say": {"robot": first, "text": rest}, "take": {"lesson": first}}.get(options.what, {})
    return tell(config, "fleet", options, what=options.what, **fields)


def mcp(options: argparse.Namespace, config: Config) -> int:
    """Offer the skills to other programs by MCP: over standard input and output, or over HTTP on this machine."""
    try:
        from daemon.mcp.mcp_server import Tools
        from daemon.mcp.mcp_transports import TOKEN_FILE, listen, over_http, over_stdio
    except ModuleNotFoundError as error:
        raise CommandError(f"MCP needs {error.name}", "install it: .venv/bin/python -m pip install mcp") from error
    from daemon.page.permit import token_in
    from skills.skill import load_skills

    server = Tools(config.runtime_directory, load_skills()).server()
    if not options.http:
        over_stdio(server)
        return 0
    listener, token = listen(options.http), token_in(config.state_directory, TOKEN_FILE)
    host, port = listener.getsockname()[:2]
    print(f"MCP at http://{host}:{port}/mcp, with the token in {config.state_directory / TOKEN_FILE}", flush=True)
    over_http(server, listener, token)
    return 0


def bench(options: argparse.Namespace, config: Config) -> int:
    """Measure heed on the tasks of the papers, or its parts: heed bench NAME --help tells more."""
    from bench.command import known, measure

    if options.name is None:
        print("\n".join(known()))
        return 0
    return measure(options.name, [*options.rest, *(["--json"] if options.json else [])], config)


def _target(options: argparse.Namespace) -> "Target":
    from daemon.cli.install import Target

    return Target(user=options.user)


def _is_running(config: Config) -> bool:
    try:
        request(config.runtime_directory, "status", timeout=5.0)
    except CommandError:
        return False
    return True


def hw(options: argparse.Namespace, config: Config) -> int:
    """Find motors, see how they are, calibrate, move and test them."""
    from daemon.cli.hardware import Options, inspect_hw

    names = ("arm", "joint", "by", "port", "file", "yes", "json", "what")
    chosen = Options(*(getattr(options, name) for name in names))
    return inspect_hw(options.action, chosen, config)


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
