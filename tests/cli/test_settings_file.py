"""Settings that a conversation writes into config.toml, beside what a person wrote there."""

import tomllib
from pathlib import Path

import pytest

from daemon.cli.settings_file import with_setting, write_setting
from daemon.config import load_config
from daemon.service.control import CommandError


@pytest.mark.parametrize(
    "text", ["", "[console]\n", '[body]\nscene = "kitchen"\n', '[body]\n# robot = "sim"  # x\n', "[body]"]
)
def test_a_setting_finds_its_place_in_whatever_settings_there_are(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text)
    write_setting(tmp_path / "config.toml", "body", "robot", "robot.toml")
    assert tomllib.loads((tmp_path / "config.toml").read_text())["body"]["robot"] == "robot.toml"


def test_all_else_stays_as_it_was() -> None:
    before = '# mine\n[speech]\n# wake = ""    # its name\nvoice = "flite" # liked\n\n[page]\nwake = "other"\n'
    after = with_setting(with_setting(before, "speech", "wake", "okay robot"), "speech", "voice", "hibari")
    assert after == before.replace('# wake = ""', 'wake = "okay robot"').replace('"flite"', '"hibari"')


def test_a_line_that_counts_is_changed_and_not_the_remark_above_it() -> None:
    text = with_setting('[speech]\n# wake = ""\nwake = "hal" # 9000\n', "speech", "wake", "dave")
    assert text == '[speech]\n# wake = ""\nwake = "dave" # 9000\n'


@pytest.mark.parametrize("value", ['Plug & "Play" \\ 2', "#1 mic", "Größe", "a = b", True])
def test_what_is_written_is_read_again(value: str | bool, tmp_path: Path) -> None:
    file, key = tmp_path / "config.toml", "earcons" if value is True else "microphone"
    file.write_text(Path("config.toml").read_text())
    for _ in range(2):
        write_setting(file, "speech", key, value)
        assert getattr(load_config(file).speech, key) == value


def test_a_file_that_would_be_spoilt_is_left_as_it_is_and_says_what_to_write(tmp_path: Path) -> None:
    text = 'speech.wake = "x"\n'
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(CommandError) as refused:
        write_setting(tmp_path / "config.toml", "speech", "voice", "hibari")
    assert refused.value.hint == 'write it there yourself, below [speech]: voice = "hibari"'
    assert (tmp_path / "config.toml").read_text() == text
