"""A skill that `heed skills new` wrote, installed, called and cancelled by voice, listed and called by an MCP client.

.venv/bin/python -m tests.support.neighbours_story  # in half a minute; tests/cli/test_skill_package.py runs it too

Sound goes into a virtual microphone in real time; ear, console, skills, bus and MCP are those of a whole heed.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from daemon.app import App
from daemon.cli.terminal import Terminal
from daemon.config import Config, LlmConfig, ServiceConfig
from daemon.service.sound import Voice
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.voices.flite import FliteSynthesizer
from daemon.speech.voices.open_voice import open_synthesizer
from tests.mcp.clients import client
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
TOLD = "the story is told"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-build-isolation")
ATTEMPTS = 5
"""On a busy machine "never mind" may be heard when the waving is over; then the person tries again."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        output = tell(written(Path(folder)), Path(folder))
    print(output)
    return 0 if TOLD in output else 1


def written(folder: Path) -> Path:
    """A folder with the package `twirl` in it, installed."""
    subprocess.run([sys.executable, "-m", "daemon", "skills", "new", "twirl"], cwd=folder, env=_with(ROOT), check=True)
    site = folder / "site"
    subprocess.run([sys.executable, *PIP, "--no-deps", "--target", str(site), str(folder / "twirl")], check=True)
    return site


def run(site: Path, *command: str, say: str = "", folder: Path = ROOT) -> str:
    """Python, in a process that has what is installed in `site`; what it printed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=_with(site, ROOT),
        input=say,
        capture_output=True,
        text=True,
        timeout=115,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tell(site: Path, folder: Path) -> str:
    """The story; its sockets and sounds are in `folder`."""
    return run(site, "-m", "tests.support.neighbours_story", str(folder))


def _with(*places: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}


# --- in that process ---


def perform(folder: Path) -> None:
    microphone, voice = VirtualMicrophone(), FliteSynthesizer("slt")
    service = ServiceConfig(runtime_directory=str(folder / "run"), state_directory=str(folder / "run"))
    config = replace(Config(), service=service, llm=LlmConfig(brain="imitation"))
    with closing(WavSink(folder / "said.wav")) as sink, ThreadPoolExecutor(1) as person:
        recognizer = open_recognizer(config.speech, config.models_directory)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        app = App(config, Voice(microphone, recognizer, sink, synthesizer), Terminal())
        acted = person.submit(act, app, lambda sentence: microphone.speak(*voice.synthesize(sentence)), folder / "run")
        app.run()
        acted.result()
    print(TOLD)


def act(app: App, speak: Callable[[str], None], runtime: Path) -> None:
    try:
        call_by_voice(app, speak)
        cancel_by_voice(app, speak)
        asyncio.run(call_by_program(runtime))
    finally:
        app.triggers.close()


def call_by_voice(app: App, speak: Callable[[str], None]) -> None:
    until(lambda: app.conversation.waiting)
    speak("please twirl")
    until(lambda: results(app) == ["'success'"])


def cancel_by_voice(app: App, speak: Callable[[str], None]) -> None:
    for number in range(ATTEMPTS):
        until(lambda: app.conversation.waiting and not app.heed.speaking)
        speak("twirl five times")
        until(app.body.under_way)
        speak("never mind")
        until(lambda count=number + 2: len(results(app)) == count)
        if results(app)[-1] == "KeyboardInterrupt: a person said: never mind":
            assert not app.body.under_way()
            assert app.body.state().stopped is None, "cancelled, not stopped"
            return
    raise AssertionError(f"it was not cancelled: {results(app)}")


async def call_by_program(runtime: Path) -> None:
    async with client(("stdio", "auto"), runtime) as program:
        tools = {tool.name: tool for tool in (await program.list_tools()).tools}
        assert tools["twirl"].description == "Move a free hand up and down, so many times."
        twirled = await program.call_tool("twirl", {"times": 1})
        assert twirled.structured_content == {"result": "success"}, twirled


def results(app: App) -> list[str]:
    return [step.result for turn in app.console.history.turns for step in turn.steps if "twirl(" in step.statement]


if __name__ == "__main__":
    sys.exit(perform(Path(sys.argv[1])) if sys.argv[1:] else main())
