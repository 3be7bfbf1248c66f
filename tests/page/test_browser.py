"""The page in a real browser, against a running heed on the simulated robot.

Run it with `make test-page`; it wants Debian's chromium and chromium-driver.
"""

import os
import tempfile
import wave
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from daemon.config import SpeechConfig
from daemon.speech.voices.open_voice import open_synthesizer
from tests.page.browser import Browser, is_installed
from tests.page.running_heed import ROOT, Heed
from tests.support.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_installed(), reason="apt-get install chromium chromium-driver"),
]


@pytest.fixture(scope="module")
def heed() -> Iterator[Heed]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        running = Heed(Path(folder), f'physics = "{"mujoco" if find_spec("mujoco") else "kinematic"}"')
        yield running
        running.close()


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a person, for the browser's microphone."""
    voice = open_synthesizer(SpeechConfig(voice="flite"), ROOT / "models")
    samples, rate = voice.synthesize("where is the cup")
    file = tmp_path_factory.mktemp("sound") / "person.wav"
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        silence = np.zeros(rate, np.int16)
        out.writeframes(np.concatenate([silence, samples, silence, silence]).tobytes())
    return file


@pytest.fixture(scope="module")
def browser(heed: Heed, spoken: Path) -> Iterator[Browser]:
    microphone = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={spoken}%noloop",
    ]
    window = Browser(microphone)
    yield window
    if "PICTURES" in os.environ:
        window.picture(Path(os.environ["PICTURES"]) / "page.png")
    window.close()


@pytest.fixture
def page(heed: Heed, browser: Browser) -> Browser:
    browser.open(heed.link)
    until(lambda: browser.text("#link") == "live")
    until(lambda: waits(browser))
    return browser


def waits(page: Browser) -> bool:
    return page.text("#doing").startswith("waits")


def say(page: Browser, text: str) -> None:
    """Type it, and wait until heed has done with it."""
    walks = len(page.texts("#walks tbody tr"))
    page.type("#text", text)
    until(lambda: len(page.texts("#walks tbody tr")) > walks)
    until(lambda: waits(page))


def said(page: Browser) -> list[str]:
    return page.texts("#steps .said")


def test_a_request_is_seen_from_words_to_scene(page: Browser) -> None:
    say(page, "bring me the juice")
    assert page.texts("#steps .heard")[-1] == "bring me the juice"
    assert any("juice" in statement for statement in page.texts("#steps .statement"))
    assert "juice" in page.texts("#scene text")
    assert "table" in page.texts("#scene text")
    assert {"base", "left", "right"} == set(page.texts("#body th"))
    assert "localStorage" not in page.run("return location.href")
    assert "token" not in page.run("return location.href")


@pytest.mark.skipif(find_spec("mujoco") is None, reason="the extra `sim` is not installed")
def test_the_room_is_seen_as_it_is_now(page: Browser) -> None:
    until(lambda: not page.run("return document.getElementById('room').hidden"))
    page.click("#room summary")
    until(lambda: page.run("return document.getElementById('picture').naturalWidth") == 480)
    first = page.run("return document.getElementById('picture').src")
    until(lambda: page.run("return document.getElementById('picture').src") != first)
    page.click("#room summary")


def test_a_correction_becomes_a_lesson_that_can_be_forgotten_and_restored(page: Browser) -> None:
    for sentence in (
        "can you also bring me a cup?",
        "thanks, but next time bring both at once, you have two hands",
    ):
        page.type("#text", sentence)
        until(lambda wanted=sentence: page.texts("#steps .heard")[-1] == wanted)
        until(lambda: waits(page))
    until(lambda: "remember" in said(page)[-1])
    say(page, "yes")
    until(lambda: page.texts("#lessons button") == ["Forget"])
    page.click("#lessons button")
    until(lambda: page.texts("#lessons button") == ["Restore"])
    assert page.texts("#lessons .gone")
    page.click("#lessons button")
    until(lambda: page.texts("#lessons button") == ["Forget"])


def test_the_big_button_stops_and_only_go_on_ends_that(page: Browser) -> None:
    page.type("#text", "go to the sink")
    until(lambda: page.text("#doing").startswith("does"))
    page.click("#stop")
    until(lambda: "the button on the page" in page.text("#banner"))
    until(lambda: waits(page))
    page.click("#resume")
    until(lambda: page.text("#banner") == "")


def test_a_robot_is_set_up_as_in_a_terminal(page: Browser) -> None:
    page.click("#setup summary")
    page.click("#begin-robot")
    until(lambda: "no serial adapter is plugged in" in page.text("#told"))
    until(lambda: page.run("return document.getElementById('end').disabled"))
    page.click("#setup summary")


def test_a_voice_is_set_up_where_there_is_sound_and_else_it_says_what_to_do(page: Browser) -> None:
    page.click("#setup summary")
    page.click("#begin-voice")
    until(lambda: page.text("#told").startswith(("heed: there is no sound on this machine: ", "What you choose")))
    page.run("document.getElementById('end').click()")
    until(lambda: page.run("return document.getElementById('end').disabled"))
    page.click("#setup summary")


def test_what_is_said_stays_text(page: Browser) -> None:
    say(page, "<img src=x onerror=\"document.title='broken'\"><b>hello</b>")
    assert page.run("return document.title") == "heed"
    assert page.texts("#steps .heard")[-1].startswith("<img")
    assert page.texts("#steps b") == []


def test_words_spoken_to_the_browser_are_heard(page: Browser) -> None:
    heard = len(page.texts("#steps .heard"))
    page.hold("#hold", 3.5)
    until(lambda: len(page.texts("#steps .heard")) > heard)
    assert "cup" in page.texts("#steps .heard")[-1]


def test_a_lost_connection_comes_back_and_shows_the_new_run(heed: Heed, page: Browser) -> None:
    until(lambda: page.texts("#steps li"))
    heed.kill()
    until(lambda: "lost" in page.text("#link"))
    heed.start()
    until(lambda: page.text("#link") == "live")
    say(page, "hello")
    assert page.texts("#steps .heard") == ["hello"]


def test_without_the_token_nothing_is_shown(heed: Heed, page: Browser) -> None:
    page.run("localStorage.clear()")
    page.open(heed.link.partition("#")[0])
    until(lambda: "heed page" in page.text("#link"))
    assert page.texts("#steps li") == []
    assert page.texts("#lessons li") == []


def test_nothing_is_fetched_from_elsewhere(page: Browser) -> None:
    loaded = page.run("return performance.getEntriesByType('resource').map(entry => new URL(entry.name).host)")
    assert set(loaded) == {page.run("return location.host")}
