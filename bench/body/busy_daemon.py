"""heed-hw's loop inside a Python process that also does what a daemon does: the arrangement that heed avoids.

The same code as hw/server.py serves the same sockets; next to it a thread generates text. `heed bench hw` shows by
it what a stop costs there.
"""

import argparse
import json
import threading
from pathlib import Path

from hw.build_body import build_body
from hw.description import load_description
from hw.server import Server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robot", type=Path, required=True)
    parser.add_argument("--runtime", type=Path, required=True)
    options = parser.parse_args()
    description = load_description(options.robot, options.runtime)
    server = Server(build_body(description, options.runtime), options.runtime)
    for _ in range(2):
        threading.Thread(target=generate_text, daemon=True).start()
    server.run()
    server.close()


def generate_text() -> None:
    """Keep the interpreter busy: text into tokens and back, and the results into JSON."""
    prompt = "robot: bring me the juice from the fridge, then put the cup on the table. " * 200
    while True:
        tokens = [hash(word) % 32000 for word in prompt.split()]
        json.loads(json.dumps({"tokens": tokens, "text": " ".join(map(str, sorted(tokens)))}))


if __name__ == "__main__":
    main()
