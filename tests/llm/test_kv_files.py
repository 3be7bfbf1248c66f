import os

import numpy as np
import pytest

from daemon.llm.kv_files import HEAD, KvFiles

HUNDRED = np.arange(100, dtype=np.uint8)


@pytest.fixture
def files(tmp_path):
    return KvFiles(tmp_path, 3 * (HEAD.size + 100))


def test_what_was_written_is_read_also_by_another_process(files, tmp_path):
    assert files.write("model/base", HUNDRED)
    assert (files.read("model/base") == HUNDRED).all()
    assert (KvFiles(tmp_path, 1000).read("model/base") == HUNDRED).all()
    assert files.read("model/other") is None


def test_the_least_recently_used_goes_when_there_is_no_room(files, tmp_path):
    for age, name in enumerate(("b", "a", "c")):
        files.write(name, HUNDRED)
        os.utime(tmp_path / f"{name}.kv", (1000 + age, 1000 + age))
    files.read("b")
    files.write("d", HUNDRED)
    assert [name for name in "abcd" if files.read(name) is not None] == ["b", "c", "d"]
    assert files.total() == files.limit


def test_what_is_larger_than_the_limit_is_not_kept_and_drives_nothing_out(files):
    files.write("a", HUNDRED)
    assert not files.write("b", np.zeros(1000, np.uint8))
    assert files.size("a") == HEAD.size + 100


@pytest.mark.parametrize("damage", [lambda c: c[:50], lambda c: b"", lambda c: c[:-1] + b"\0", lambda c: b"x" + c[1:]])
def test_a_damaged_file_is_as_good_as_none(files, tmp_path, damage):
    files.write("a", HUNDRED)
    path = tmp_path / "a.kv"
    path.write_bytes(damage(path.read_bytes()))
    assert KvFiles(tmp_path, 1000).read("a") is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    files = KvFiles(tmp_path / "file", 1000)
    assert not files.write("a", HUNDRED)
    assert files.read("a") is None


@pytest.mark.parametrize("folder", [None, "kv"])
def test_without_folder_or_limit_nothing_is_kept(folder, tmp_path):
    files = KvFiles(tmp_path / folder if folder else None, 0 if folder else 1000)
    assert not files.write("a", HUNDRED)
    assert files.read("a") is None
    assert list(tmp_path.iterdir()) == []
