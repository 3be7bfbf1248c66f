"""A browser without a window, driven by Debian's chromedriver as the WebDriver standard says (w3.org/TR/webdriver2)."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which the standard names elements."""
PROGRAMS = ("chromium", "chromedriver")


def is_installed() -> bool:
    return all(shutil.which(program) for program in PROGRAMS)


class Browser:
    """One window. Its processes end with close()."""

    def __init__(self, options: Sequence[str] = ()) -> None:
        """`options` are command-line options of Chromium."""
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0", "--log-level=SEVERE"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self._driver.stdout is not None
        started = next(line for line in self._driver.stdout if "successfully" in line)
        port = re.findall(r"port (\d+)", started)[0]
        self._address = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,1000", *options]
        chrome = {"binary": shutil.which("chromium"), "args": arguments}
        capabilities = {
            "alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": chrome,
                "goog:loggingPrefs": {"browser": "ALL"},
            }
        }
        self._address += "/" + self._ask("POST", "", capabilities=capabilities)["sessionId"]

    def open(self, link: str) -> None:
        self._ask("POST", "/url", url=link)

    def text(self, css: str) -> str:
        """What a person reads in it."""
        return str(self._ask("GET", f"/element/{self._find(css)}/text"))

    def texts(self, css: str) -> list[str]:
        """Of all that match, with what is hidden."""
        return list(self.run(f"return [...document.querySelectorAll({css!r})].map(found => found.textContent)"))

    def click(self, css: str) -> None:
        """Scroll to it, as a person would, and click."""
        self.run(f"document.querySelector({css!r}).scrollIntoView({{block: 'center'}})")
        self._ask("POST", f"/element/{self._find(css)}/click")

    def type(self, css: str, text: str) -> None:
        """Type into it and press Enter."""
        self._ask("POST", f"/element/{self._find(css)}/value", text=text + "\ue007")

    def hold(self, css: str, seconds: float) -> None:
        """Press the mouse button on it, and let go later."""
        pause = {"type": "pause", "duration": round(seconds * 1000)}
        there = {"type": "pointerMove", "x": 0, "y": 0, "origin": {ELEMENT: self._find(css)}}
        press = [there, {"type": "pointerDown", "button": 0}, pause, {"type": "pointerUp", "button": 0}]
        self._ask("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "actions": press}])

    def run(self, script: str) -> Any:
        """Run JavaScript; returns what it returns."""
        return self._ask("POST", "/execute/sync", script=script, args=[])

    def picture(self, file: Path) -> None:
        """Save what is seen, as PNG."""
        file.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def complaints(self) -> list[str]:
        """Return the errors in its console since this was asked last."""
        entries = self._ask("POST", "/se/log", type="browser")
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def close(self) -> None:
        try:
            self._ask("DELETE", "")
        finally:
            self.kill()

    def kill(self) -> None:
        """End it in the middle, without a word to any page."""
        os.killpg(self._driver.pid, signal.SIGKILL)  # its own session: chromedriver and what it started
        self._driver.wait()

    def _find(self, css: str) -> str:
        return str(self._ask("POST", "/element", using="css selector", value=css)[ELEMENT])

    def _ask(self, method: str, path: str, **fields: Any) -> Any:
        body = json.dumps(fields).encode() if method == "POST" else None
        request = urllib.request.Request(
            self._address + path, body, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.loads(response.read())["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.loads(error.read())["value"]["message"]) from error
