"""A whole heed that a person asks the same thing again and again, by sound, for benches that keep it busy otherwise.

What each sentence took stands in its log, one line for each (daemon/service/metrics.py). It runs until it is ended.
"""

import argparse
import logging
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from daemon.app import App
from daemon.cli.demo import Person
from daemon.cli.terminal import Terminal
from daemon.config import load_config
from daemon.service.signals import on_request_to_end
from daemon.service.sound import Voice
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.voices.open_voice import open_synthesizer

QUESTION = "where is the cup"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.trust.speech_load", description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    config = load_config(parser.parse_args(arguments).config)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s", stream=sys.stdout)
    microphone = VirtualMicrophone()
    with closing(WavSink(config.state_directory / "said.wav")) as sink:
        recognizer = open_recognizer(config.speech, config.models_directory)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        app = App(config, Voice(microphone, recognizer, sink, synthesizer), Terminal())
        on_request_to_end(lambda: app.shut_down("heed is asked to end"))
        threading.Thread(target=_ask, args=(app, Person(app, microphone)), name="person", daemon=True).start()
        return app.run()


def _ask(app: App, person: Person) -> None:
    try:
        while True:
            person.say(QUESTION)
            person.wait_until_done()
    except TimeoutError:
        logging.exception("nobody asks any more")


if __name__ == "__main__":
    sys.exit(main())
