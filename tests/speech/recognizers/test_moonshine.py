"""The recogniser that heed brings along, with its real network."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.config import SpeechConfig
from daemon.speech.audio import RATE
from daemon.speech.recognition import RecognitionError
from daemon.speech.recognizers.moonshine import BRANCHES, MoonshineRecognizer, likeliest, read_tokens
from daemon.speech.recognizers.open_recognizer import EMBEDDED, open_recognizer
from tests.speech.test_voice_detector import segments_of

Samples = NDArray[np.int16]
FOLDER = EMBEDDED / "moonshine-tiny-en"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="set-up found no Moonshine for this kind of machine")


@pytest.fixture(scope="module")
def recognizer() -> MoonshineRecognizer:
    return MoonshineRecognizer(FOLDER)


def heard(recognizer: MoonshineRecognizer, samples: Samples) -> str:
    (segment,) = segments_of(samples)
    return recognizer.recognize(samples[slice(*segment.around(recognizer.lead, recognizer.trail))]).text


@pytest.mark.parametrize("sentence", ["yes", "never mind", "put the apple in the bowl", "what have you learned"])
def test_an_expected_sentence_is_understood(
    recognizer: MoonshineRecognizer, household: list[str], user: Callable[[str], Samples], sentence: str
) -> None:
    recognizer.set_vocabulary(household)
    assert heard(recognizer, user(sentence)) == sentence


def test_words_that_nobody_expected_are_understood(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples]
) -> None:
    recognizer.set_vocabulary(["yes", "no", "stop"])
    assert heard(recognizer, user("the elephant is in the garden")) == "the elephant is in the garden"


class Certain:
    """A network that hears `words`, and at each place gives the end a chance of 1 %."""

    end = 2

    def __init__(self, *words: str) -> None:
        self.tokens = ["<unk>", "<s>", "</s>", *(f"▁{word}" for word in words), *(f"▁{i}" for i in range(20))]
        self._order = [*range(3, 3 + len(words)), self.end]
        self._heard = 0

    def listen(self, samples: Samples) -> "Certain":
        self._heard = 0
        return self

    def begin(self) -> NDArray[np.float32]:
        return self.go_on([0], [1])

    def go_on(self, parents: list[int], tokens: list[int]) -> NDArray[np.float32]:
        """Only the text that was right so far goes on."""
        chances = np.full((len(tokens), len(self.tokens)), np.log(1e-6), np.float32)
        for row, token in enumerate(tokens):
            if token in (1, *self._order[: self._heard]):
                chances[row, self.end] = np.log(0.01)
                chances[row, self._order[self._heard]] = np.log(0.98)
        self._heard += 1
        return chances


def test_what_nobody_expected_is_not_cut_short(
    recognizer: MoonshineRecognizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    recognizer.set_vocabulary(["can", "yes"])
    monkeypatch.setattr(recognizer, "_network", Certain("can", "xylophones", "yodel"))
    assert recognizer.recognize(np.zeros(RATE, np.int16)).text == "can xylophones yodel"


def test_recorded_people_are_understood(
    recognizer: MoonshineRecognizer, household: list[str], recording: Callable[[str], Samples]
) -> None:
    recognizer.set_vocabulary([*household, "what time is it", "turn on standing light", "next"])
    for name in ("what_time_is_it", "turn_on_standing_light", "next"):
        assert heard(recognizer, recording(name)) == name.replace("_", " ")


def test_of_two_that_sound_the_same_the_expected_one_is_understood(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples]
) -> None:
    sound = user("bring me the flower")
    recognizer.set_vocabulary(["bring me the flower", "smell the flower"])
    assert heard(recognizer, sound) == "bring me the flower"
    recognizer.set_vocabulary(["bring me the flour", "bake with the flour"])
    assert heard(recognizer, sound) == "bring me the flour"


def test_what_else_it_might_have_been_is_told_and_how_near_that_is(
    recognizer: MoonshineRecognizer, household: list[str], user: Callable[[str], Samples]
) -> None:
    recognizer.set_vocabulary(household)
    result = recognizer.recognize(user("put the apple in the bowl"))
    assert result.text not in result.alternatives
    assert result.alternatives
    assert result.margin > 0.0
    assert 0.3 < result.confidence <= 1.0


def test_noise_is_no_sentence_and_no_sound_no_word(recognizer: MoonshineRecognizer) -> None:
    noise = np.random.default_rng(0).normal(0, 3000, 2 * RATE).astype(np.int16)
    assert recognizer.recognize(noise).confidence < recognizer.limits.anything
    for nothing in (np.zeros(0, np.int16), np.zeros(10, np.int16), np.zeros(RATE, np.int16)):
        result = recognizer.recognize(nothing)
        assert not result.text or result.confidence < recognizer.limits.anything


@pytest.mark.whole
def test_a_long_sentence_is_heard_to_its_end(
    recognizer: MoonshineRecognizer, household: list[str], user: Callable[[str], Samples]
) -> None:
    recognizer.set_vocabulary(household)
    sentence = (
        "first bring me the milk from the fridge and put it on the table and then take the apple and the plate to the "
        "kitchen and after that come back to me and tell me what you have seen on the counter and on the table"
    )
    sound = user(sentence)
    assert len(sound) > 10 * RATE
    assert heard(recognizer, sound).split()[-9:] == sentence.split()[-9:]


def test_hearing_does_not_depend_on_what_was_heard_before(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples]
) -> None:
    sound = user("bring me the milk")
    first = recognizer.recognize(sound)
    recognizer.recognize(user("put the apple in the bowl"))
    assert recognizer.recognize(sound) == first


def test_an_empty_vocabulary_changes_nothing(recognizer: MoonshineRecognizer, user: Callable[[str], Samples]) -> None:
    recognizer.set_vocabulary(["bring me the flour"])
    recognizer.set_vocabulary([])
    recognizer.set_vocabulary(["..."])
    assert heard(recognizer, user("bring me the flower")) == "bring me the flour"


@pytest.mark.whole
def test_a_folder_of_the_user_is_taken_before_the_own_one(tmp_path: Path) -> None:
    wanted = SpeechConfig(recognizer="moonshine")
    assert open_recognizer(wanted, tmp_path).name == "moonshine:tiny-en"
    shutil.copytree(FOLDER, tmp_path / "base-en")
    assert open_recognizer(wanted, tmp_path).name == "moonshine:base-en"
    assert open_recognizer(SpeechConfig(recognizer="moonshine:base-en"), tmp_path).name == "moonshine:base-en"
    assert open_recognizer(SpeechConfig(recognizer="pocketsphinx"), tmp_path).name == "pocketsphinx"


def test_a_model_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecognitionError, match=r"lacks encoder_model\.ort.*run script/setup"):
        open_recognizer(SpeechConfig(recognizer="moonshine:nowhere"), tmp_path)
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(b"nonsense")
    with pytest.raises(RecognitionError, match=r"is broken.*delete it, run script/setup"):
        MoonshineRecognizer(tmp_path)


def test_without_any_model_there_is_pocketsphinx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daemon.speech.recognizers.open_recognizer.EMBEDDED", tmp_path)
    assert open_recognizer(SpeechConfig(), tmp_path).name == "pocketsphinx"
    with pytest.raises(RecognitionError, match="no Moonshine model lies in"):
        open_recognizer(SpeechConfig(recognizer="moonshine"), tmp_path)


@pytest.mark.parametrize("tokens", [BRANCHES, 23, 200, 32768])
def test_the_likeliest_tokens_are_those_that_sorting_finds(tokens: int) -> None:
    random = np.random.default_rng(5)
    for _ in range(20):
        chances = random.normal(size=tokens).round(1).astype(np.float32)  # some are as great as others
        best = np.sort(chances)[::-1][:BRANCHES]
        found = likeliest(chances, BRANCHES)
        assert len({*found.tolist()}) == BRANCHES
        assert np.array_equal(np.sort(chances[found])[::-1], best)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_each_text_of_a_beam_goes_on_as_it_would_alone(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples], size: int
) -> None:
    network = recognizer._network
    beam, alone = network.listen(user("bring me the milk")), network.listen(user("bring me the milk"))
    firsts = np.argsort(-beam.begin()[0])[:size].tolist()
    together = beam.go_on([0] * size, firsts)
    alone.begin()
    kept = alone._past
    for row, first in zip(together, firsts, strict=True):
        alone._past = kept
        other = alone.go_on([0], [first])[0]
        likely = np.argsort(-other)[:BRANCHES]
        assert np.allclose(row[likely], other[likely], atol=0.5)  # in eight bits, scaled by all that goes along


def test_tokens_are_read_in_their_format() -> None:
    long = "a" * 300
    data = bytes([0, 4]) + "▁a".encode() + bytes([300 % 128 + 128, 300 // 128]) + long.encode() + bytes([1, 0xE2])
    assert read_tokens(data) == ["", "▁a", long, "�"]


def test_it_judges_what_another_recogniser_heard(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples]
) -> None:
    sound = user("the elephant is in the garden")
    recognized = recognizer.recognize(sound)
    best = recognized.hypotheses[0]
    wrong = "The elegant is in the garden."
    told, other, unwritten = recognizer.likelihoods(sound, [best.text, wrong, "象が庭にいる"])
    assert told == pytest.approx(best.sound, abs=1.5)  # in one go it rounds otherwise than word by word
    assert other < told - 1.0
    assert unwritten < other
    assert recognizer.likelihoods(sound, []) == []


def test_what_it_tells_another_one_is_written_with_capitals_and_signs(
    recognizer: MoonshineRecognizer, user: Callable[[str], Samples]
) -> None:
    hypotheses = recognizer.recognize(user("the elephant is in the garden")).hypotheses
    assert "The elephant is in the garden." in [hypothesis.text for hypothesis in hypotheses]
    assert len({hypothesis.text for hypothesis in hypotheses}) == len(hypotheses)
    assert all(0.0 < hypothesis.confidence <= 1.0 for hypothesis in hypotheses)
