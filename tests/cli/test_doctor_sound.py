"""What `heed doctor` says about a microphone, by what a moment of a room sounds like, and about its own voice."""

import numpy as np
import pytest

from daemon.cli.doctor_sound import heeds_ear, level, own_voice
from daemon.cli.finding import Verdict
from daemon.speech.echo import Cancel, EchoPath

ROOM = (30 * np.random.default_rng(1).standard_normal(11_200)).astype(np.int16)


def test_a_quiet_room_is_told_in_decibels() -> None:
    check = level("USB", ROOM)
    assert check.verdict is Verdict.OK
    assert check.what == "USB, -61 dB of full scale in this room now"


@pytest.mark.parametrize(
    ("samples", "what"),
    [
        (np.zeros(11_200, np.int16), "zeros"),
        ((ROOM // 30).astype(np.int16), "hardly anything"),
        (np.clip(ROOM.astype(np.int32) * 3000, -32768, 32767).astype(np.int16), "overdriven"),
    ],
)
def test_a_microphone_that_is_muted_weak_or_overdriven_is_a_warning_with_advice(samples, what) -> None:  # type: ignore[no-untyped-def]
    check = level("USB", samples)
    assert check.verdict is Verdict.WARN
    assert what in check.what
    assert "alsamixer" in check.to_do


def test_a_canceller_that_does_not_load_is_a_warning_with_the_reason() -> None:
    def missing() -> Cancel:
        raise ImportError("No module named 'pywebrtc_audio'")

    check = own_voice(EchoPath(False, missing))
    assert check.verdict is Verdict.WARN
    assert "only a stop" in check.what
    assert "pywebrtc_audio" in check.what
    assert "pywebrtc-audio" in check.to_do


def test_a_canceller_that_works_is_named() -> None:
    check = own_voice(EchoPath(False, lambda: lambda near, far: near))
    assert (check.verdict, check.what) == (Verdict.OK, "its own voice is taken out by WebRTC's canceller")


def test_a_running_heed_that_hears_people_only_softly_is_a_warning() -> None:
    assert heeds_ear("listening", False).verdict is Verdict.OK
    check = heeds_ear("listening", True)
    assert check.verdict is Verdict.WARN
    assert "alsamixer" in check.to_do
