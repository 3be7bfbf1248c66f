"""What `heed doctor` finds, on real files; it must change none of them."""

import dataclasses
import json
import os
import pty
import socket
import threading
import time
from pathlib import Path

import pytest

from daemon.cli import doctor
from daemon.cli.doctor import CHECKS, Check, Verdict, diagnose, examine, json_of, text_of
from daemon.config import BodyConfig, Config, LlmConfig, ServiceConfig, SpeechConfig
from daemon.memory.memory_file import open_database
from tests.llm.tiny_gguf import make_tiny_gguf

ROOT = Path(__file__).parents[2]


def home(folder: Path, **sections: object) -> Config:
    """A robot's folder without models, memory or settings."""
    return dataclasses.replace(
        Config(folder=folder, service=ServiceConfig(state_directory=".", runtime_directory=".")), **sections
    )


def test_every_check_says_something_and_no_name_comes_twice(tmp_path: Path) -> None:
    checks = examine(home(tmp_path))
    assert len({check.name for check in checks}) == len(CHECKS)
    assert all(check.what for check in checks)
    assert all(check.to_do for check in checks if check.verdict is Verdict.FAIL)


@pytest.mark.whole
def test_nothing_is_written(tmp_path: Path) -> None:
    examine(home(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_check_that_breaks_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_space(config: Config) -> Check:
        raise ZeroDivisionError

    monkeypatch.setattr(doctor, "CHECKS", (disk_space,))
    [check] = examine(home(tmp_path))
    assert check.verdict is Verdict.FAIL
    assert check.name == "disk space"
    assert "ZeroDivisionError" in check.what


def test_programs_read_the_same_as_people(tmp_path: Path) -> None:
    checks = [Check("disk", Verdict.WARN, "1 GB free", "make room"), Check("python", Verdict.OK, "3.11.2")]
    assert json.loads(json_of(checks))[0] == {
        "name": "disk",
        "verdict": "warn",
        "what": "1 GB free",
        "to_do": "make room",
    }
    assert text_of(checks).splitlines() == [
        "warn  disk           1 GB free",
        " " * 20 + " -> make room",
        "ok    python         3.11.2",
    ]


def test_our_own_packages_are_complete(tmp_path: Path) -> None:
    assert doctor.packages(home(tmp_path)).verdict is Verdict.OK


def test_an_optional_package_that_is_missing_is_not_missed() -> None:
    asked = ["numpy", 'heeds-no-such-package==1.0; extra == "echo"']
    assert doctor.wrong_packages(doctor.without_extras(asked)) == []
    assert doctor.wrong_packages(["heeds-no-such-package==1.0"]) == ["heeds-no-such-package is missing"]


def test_a_whole_gguf_is_named_with_the_memory_it_needs(tmp_path: Path) -> None:
    make_tiny_gguf(tmp_path / "models" / "tiny.gguf")
    check = doctor.brain(home(tmp_path))
    assert check.verdict is Verdict.OK
    assert check.what == "tiny.gguf (llama), needs about 0.2 GB of memory"


def test_a_file_that_is_no_gguf_is_found(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "page.gguf").write_text("<html>not found</html>" * 9)
    check = doctor.brain(home(tmp_path))
    assert check.verdict is Verdict.WARN
    assert "page.gguf" in check.what


def test_of_two_models_one_must_be_chosen(tmp_path: Path) -> None:
    for name in ("one.gguf", "two.gguf"):
        make_tiny_gguf(tmp_path / "models" / name)
    assert doctor.brain(home(tmp_path)).verdict is Verdict.FAIL
    assert doctor.brain(home(tmp_path, llm=LlmConfig(brain="llama:two.gguf"))).verdict is Verdict.OK


def test_a_model_that_config_names_and_is_not_there_is_found(tmp_path: Path) -> None:
    check = doctor.brain(home(tmp_path, llm=LlmConfig(brain="llama:absent.gguf")))
    assert check.verdict is Verdict.FAIL
    assert "absent.gguf" in check.what


def test_the_file_of_the_worker_is_looked_at_too(tmp_path: Path) -> None:
    for name in ("one.gguf", "two.gguf"):
        make_tiny_gguf(tmp_path / "models" / name)
    check = doctor.brain(home(tmp_path, llm=LlmConfig(brain="llama:one.gguf", worker="llama:two.gguf")))
    assert check.verdict is Verdict.OK
    assert "one.gguf (llama) and two.gguf (llama)" in check.what
    check = doctor.brain(home(tmp_path, llm=LlmConfig(brain="llama:one.gguf", worker="llama:absent.gguf")))
    assert check.verdict is Verdict.FAIL
    assert "absent.gguf" in check.what


def test_a_model_larger_than_the_machine_is_a_warning(tmp_path: Path) -> None:
    model = make_tiny_gguf(tmp_path / "models" / "tiny.gguf", context=2**32 - 1)
    config = home(tmp_path, llm=LlmConfig(context_tokens=2**32 - 1))
    check = doctor.brain(config)
    assert check.verdict is Verdict.WARN
    assert model.name in check.what


def test_lessons_in_memory_are_counted(tmp_path: Path) -> None:
    open_database(tmp_path / "memory.sqlite").close()
    check = doctor.memory(home(tmp_path))
    assert check.verdict is Verdict.OK
    assert check.what.endswith("memory.sqlite, 0 lessons")


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_memory_that_cannot_be_read_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "memory.sqlite").write_bytes(content)
    check = doctor.memory(home(tmp_path))
    assert check.verdict is Verdict.FAIL
    assert check.to_do
    assert (tmp_path / "memory.sqlite").read_bytes() == content


def test_a_robot_whose_ports_are_there_is_fine_and_without_them_is_not(tmp_path: Path) -> None:
    (tmp_path / "robot.toml").write_text((ROOT / "hw" / "robots" / "sim.toml").read_text())
    config = home(tmp_path, body=BodyConfig(robot="robot.toml"))
    absent = doctor.devices(config)
    assert absent.verdict is Verdict.FAIL
    assert str(tmp_path / "dev" / "left_arm") in absent.what

    (tmp_path / "dev").mkdir()
    here, there = pty.openpty()
    for name in ("left_arm", "right_arm", "base"):
        (tmp_path / "dev" / name).symlink_to(os.ttyname(there))
    assert doctor.devices(config).verdict is Verdict.OK
    os.close(here)
    os.close(there)


def test_a_robot_without_description_says_which_setting_to_change(tmp_path: Path) -> None:
    check = doctor.devices(home(tmp_path, body=BodyConfig(robot="absent.toml")))
    assert check.verdict is Verdict.WARN
    assert doctor.limits(home(tmp_path, body=BodyConfig(robot="absent.toml"))).verdict is Verdict.FAIL


def test_a_sound_device_that_was_asked_for_by_name_must_be_there(tmp_path: Path) -> None:
    speech = SpeechConfig(microphone="a microphone that nobody makes", loudspeaker="nor this")
    assert doctor.microphone(home(tmp_path, speech=speech)).verdict is Verdict.FAIL
    assert doctor.loudspeaker(home(tmp_path, speech=speech)).verdict is Verdict.FAIL


def test_ear_and_voice_work_without_model_files(tmp_path: Path) -> None:
    assert doctor.recognizer(home(tmp_path)).verdict is Verdict.OK
    assert doctor.voice(home(tmp_path)).verdict is Verdict.OK


def test_a_name_in_config_that_nobody_knows_is_found(tmp_path: Path) -> None:
    config = home(tmp_path, speech=SpeechConfig(recognizer="wisper", voice="parrot"))
    assert doctor.recognizer(config).verdict is Verdict.FAIL
    assert doctor.voice(config).verdict is Verdict.FAIL


@pytest.mark.whole
def test_only_a_failure_fails_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(home(tmp_path), as_json=True) == 1  # models/minilm is missing
    findings = {finding["name"]: finding["verdict"] for finding in json.loads(capsys.readouterr().out)}
    assert findings["embeddings"] == "fail"
    assert findings["brain"] == "ok"


def test_looking_for_real_time_leaves_this_thread_ordinary(tmp_path: Path) -> None:
    doctor.real_time(home(tmp_path))
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_a_clock_in_the_past_is_found_by_what_lies_on_the_disk(tmp_path: Path) -> None:
    assert doctor.clock(home(tmp_path)).verdict is Verdict.OK
    (tmp_path / "memory.sqlite").write_bytes(b"")
    in_ten_years = time.time() + 10 * 365 * 86_400
    os.utime(tmp_path / "memory.sqlite", (in_ten_years, in_ten_years))
    check = doctor.clock(home(tmp_path))
    assert check.verdict is Verdict.WARN
    assert "timedatectl" in check.to_do


def test_groups_are_named_with_what_they_are_for(tmp_path: Path) -> None:
    check = doctor.groups(home(tmp_path))
    assert check.what == "root" or "audio (sound)" in check.what


def test_a_daemon_that_does_not_answer_is_a_fault_and_none_is_not(tmp_path: Path) -> None:
    assert doctor.service(home(tmp_path)).what == "heed is not running"
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "heed.sock"))
        deaf.listen(0)
        threading.Thread(target=lambda: deaf.accept()[0].close(), daemon=True).start()
        check = doctor.service(home(tmp_path))
    assert check.verdict is Verdict.FAIL
    assert check.to_do
