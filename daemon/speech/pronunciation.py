"""How words sound, in the phonemes of pocketsphinx' English model (ARPAbet without stress)."""

import logging
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable
from pathlib import Path

log = logging.getLogger(__name__)

# IPA as espeak-ng writes it for its American voice. What is not listed is silent.
_ARPABET = {
    "aɪɚ": "AY ER", "aɪə": "AY AH", "tʃ": "CH", "dʒ": "JH", "eɪ": "EY", "aɪ": "AY", "aʊ": "AW", "ɔɪ": "OY", "oʊ": "OW",
    "əʊ": "OW", "ɑːɹ": "AA R", "ɔːɹ": "AO R", "oːɹ": "AO R", "ɪɹ": "IH R", "ɛɹ": "EH R", "ʊɹ": "UH R", "ɜː": "ER",
    "əl": "AH L", "iː": "IY", "uː": "UW", "ɑː": "AA", "ɔː": "AO", "a": "AA", "æ": "AE", "ɐ": "AH", "ʌ": "AH", "ə": "AH",
    "ɚ": "ER", "ɜ": "ER", "ɛ": "EH", "e": "EY", "ɪ": "IH", "i": "IY", "ᵻ": "IH", "ɑ": "AA", "ɒ": "AA", "ɔ": "AO",
    "o": "OW", "ʊ": "UH", "u": "UW", "b": "B", "d": "D", "ð": "DH", "f": "F", "ɡ": "G", "g": "G", "h": "HH", "j": "Y",
    "k": "K", "x": "K", "l": "L", "m": "M", "n": "N", "ŋ": "NG", "p": "P", "ɹ": "R", "r": "R", "ɾ": "T", "s": "S",
    "ʃ": "SH", "t": "T", "θ": "TH", "v": "V", "w": "W", "z": "Z", "ʒ": "ZH", "ʔ": "T",
}  # fmt: skip


_STRESS = {ord(mark): None for mark in "ˈˌ"}


def dictionary(words: Iterable[str], cmudict: Path) -> str:
    """Pronunciation lines for `words`: those of `cmudict`, else guessed with espeak-ng.

    A word of which nothing is known is left out and logged: it cannot be heard.
    """
    wanted = set(words)
    lines, found = [], set()
    with cmudict.open(encoding="utf-8") as entries:
        for entry in entries:
            word = entry.split(" ", 1)[0].split("(", 1)[0]
            if word in wanted:
                lines.append(entry.rstrip("\n"))
                found.add(word)
    guesses = _guessed(sorted(word for word in wanted - found if _is_latin(word)))
    lines += [f"{word} {phonemes}" for word, phonemes in guesses.items()]
    for word in sorted(wanted - found - guesses.keys()):
        log.warning("nobody knows how %r sounds: it will not be heard", word)
    return "\n".join([*lines, ""])


def from_ipa(ipa: str) -> str:
    """ARPAbet phonemes for one word in espeak-ng's IPA; empty where nothing is recognised."""
    phonemes, at = [], 0
    ipa = ipa.translate(_STRESS)
    while at < len(ipa):
        symbol = next((s for s in (ipa[at : at + n] for n in (3, 2, 1)) if s in _ARPABET), "")
        if symbol:
            phonemes.append(_ARPABET[symbol])
        at += len(symbol) or 1
    return " ".join(phonemes)


def _is_latin(word: str) -> bool:
    """False for scripts whose letters espeak-ng would only name one by one."""
    return all(unicodedata.name(c, "").startswith("LATIN") or c == "'" for c in word)


def _guessed(words: list[str]) -> dict[str, str]:
    """Phonemes of those words that espeak-ng can say."""
    espeak = shutil.which("espeak-ng")
    if not words or espeak is None:
        if words:
            log.warning("espeak-ng would know how new words sound: apt install espeak-ng")
        return {}
    said = subprocess.run(
        [espeak, "-q", "-v", "en-us", "--ipa"],
        input="\n".join(words), capture_output=True, text=True, timeout=30, check=True,
    ).stdout.splitlines()  # fmt: skip
    if len(said) != len(words):
        log.warning("espeak-ng said %d words instead of %d", len(said), len(words))
        return {}
    guesses = {word: from_ipa(ipa) for word, ipa in zip(words, said, strict=True)}
    for word, phonemes in guesses.items():
        log.info("guessed how %r sounds: %s", word, phonemes)
    return {word: phonemes for word, phonemes in guesses.items() if phonemes}
