"""A new skill, called by voice, cancelled by voice, and listed and called by an MCP client: one whole heed.

Run by tests/test_skill_package.py where a package with the skill `wave` is installed:
python -m tests.neighbours_story FOLDER
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from daemon.app import App, Voice
from daemon.config import Config, LlmConfig, ServiceConfig
from daemon.speech.asr import open_recognizer
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.tts import FliteSynthesizer, open_synthesizer
from daemon.terminal import Terminal
from tests.mcp.clients import client
from tests.waiting import until


def tell(app: App, speak: Callable[[str], None], runtime: Path) -> None:
    def results() -> list[str]:
        return [step.result for turn in app.console.history.turns for step in turn.steps if "wave(" in step.statement]

    def moves() -> bool:
        return bool(app.body.under_way())

    until(lambda: app.conversation.waiting)
    speak("please wave")
    until(lambda: results() == ["'success'"])
    until(lambda: app.conversation.waiting and not app.speaking)
    speak("wave three times")
    until(moves)
    speak("never mind")
    until(lambda: len(results()) == 2)
    assert results()[1].startswith("KeyboardInterrupt: "), results()
    assert app.body.state().stopped is None
    asyncio.run(ask_by_program(runtime))
    print("the story is told")


async def ask_by_program(runtime: Path) -> None:
    async with client(("stdio", "auto"), runtime) as program:
        tools = {tool.name: tool for tool in (await program.list_tools()).tools}
        assert tools["wave"].description == "Move a free hand up and down, so many times."
        waved = await program.call_tool("wave", {"times": 1})
        assert waved.structured_content == {"result": "success"}, waved


def main(folder: Path) -> None:
    microphone, voice = VirtualMicrophone(), FliteSynthesizer("slt")
    service = ServiceConfig(runtime_directory=str(folder / "run"), state_directory=str(folder / "run"))
    config = replace(Config(), service=service, llm=LlmConfig(brain="imitation"))
    with closing(WavSink(folder / "said.wav")) as sink:
        recognizer = open_recognizer(config.speech, config.models_directory)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        app = App(config, Voice(microphone, recognizer, sink, synthesizer), Terminal())

        def perform() -> None:
            try:
                tell(app, lambda sentence: microphone.speak(*voice.synthesize(sentence)), folder / "run")
            finally:
                app.triggers.close()

        threading.Thread(target=perform, daemon=True).start()
        app.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
