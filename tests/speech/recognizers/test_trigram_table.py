"""A trigram as a table tells what the trigram told."""

from pathlib import Path

import pytest

from daemon.speech.recognizers.trigram import Trigram
from daemon.speech.recognizers.trigram_table import TrigramTable
from training.requests import write_table

SENTENCES = [s.split() for s in ("bring me the cup", "bring me the juice", "go home", "bring it", "she's here")]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tables") / "said.npz"
    write_table(Trigram(SENTENCES), file)
    return file


@pytest.mark.parametrize(
    "ngram",
    [
        ("cup",),
        ("<s>", "go"),
        ("<s>", "bring", "me"),
        ("me", "the", "cup"),
        ("me", "the", "home"),
        ("go", "the", "cup"),
        ("cup", "cup", "cup"),
        ("never", "the", "cup"),
        ("home", "</s>"),
    ],
)
def test_it_tells_the_same_probabilities(file: Path, ngram: tuple[str, ...]) -> None:
    assert TrigramTable.read(file).probability(ngram) == pytest.approx(Trigram(SENTENCES).probability(ngram), rel=0.01)


def test_it_knows_the_same_words(file: Path) -> None:
    table = TrigramTable.read(file)
    assert "she's" in table
    assert "spatula" not in table
    assert table.probability(("me", "the", "spatula")) == 0.0


def test_a_file_that_is_broken_is_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(file.read_bytes()[:100])
    with pytest.raises((OSError, ValueError)):
        TrigramTable.read(tmp_path / "missing.npz")
    with pytest.raises((OSError, ValueError)):
        TrigramTable.read(tmp_path / "broken.npz")
