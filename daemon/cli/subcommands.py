"""What each `heed COMMAND` does that talks to no running heed; running_heed.py has those that do.

What only some of them need is imported there, so that `heed stop` takes no time.
"""

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from daemon.cli.running_heed import (
    tell,
)
from daemon.config import Config
from daemon.service.control import CommandError, request
from daemon.service.journal import keep_standard_error
from daemon.service.signals import on_request_to_end

if TYPE_CHECKING:
    from daemon.cli.install import Target


def failed(error: object, code: int) -> int:
    """Say what went wrong; returns the exit status `code`."""
    print(f"heed: {error}", file=sys.stderr)
    return code


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
        return failed('heed already runs; talk to it: heed say "bring me the juice"', 1)
    terminal = Terminal()
    voice, note = find_voice(config, quiet=not sys.stdin.isatty() and not options.service, wait=options.service)
    try:
        app = App(config, voice, terminal)
    except (BodyError, HardwareError, ModelError, MemoryFileError) as error:
        return failed(error, 1)
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
    from daemon.cli.one_set_up import alone, ended_by_ctrl_c

    with ended_by_ctrl_c(), alone(config.runtime_directory):
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
