"""`heed setup voice`: from a plugged-in microphone to a robot that is called by its name, in one conversation.

What was chosen is written into config.toml at the end, all of it at once. Whoever was interrupted begins again, and
keeps by Enter what was chosen before.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace

from daemon.cli.doctor_sound import own_voice
from daemon.cli.voice_choices import VoiceChoices
from daemon.cli.voice_trial import DEFAULT, Devices, Sentence, is_called, next_sentence, play
from daemon.config import Config, SpeechConfig
from daemon.phrasebook import ENGLISH, languages, translated, use_language
from daemon.service.control import CommandError, NoDaemonError, request, running_in
from daemon.service.hearing import LENT
from daemon.speech.audio import AudioUnavailable
from daemon.speech.echo import EchoPath
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.recognizers.open_recognizer import lacking, open_recognizer
from daemon.speech.spoken_words import spoken_words
from daemon.speech.synthesis import SynthesisError, Synthesizer
from daemon.speech.voices.open_voice import open_synthesizer
from daemon.speech.wake import wake_models

Ask = Callable[[str], str]
Voices = Generator[tuple[str, Synthesizer], None, None]
"""What `voice` in the settings may be, and that voice, which is open until the next one is asked for."""
GREETING = "This is my voice."
TRIES = 3
"""So often a sentence, or a name, is tried before one goes on without it."""
NOBODY = "I listen to all that is said in the room"
OWN_NAME = "another name, for example: okay robot"
FAVOURITE = "okay_nabu"
"""Of the models for names: that of Home Assistant's voice devices, and so the one that most people have tried."""


class VoiceSetup:
    """Who is asked, through which devices, and what was chosen so far."""

    def __init__(self, config: Config, ask: Ask, devices: Devices) -> None:
        self._config, self._ask, self._devices = config, ask, devices
        self._choices = VoiceChoices(config)
        self._hears = self._speaks = False

    @property
    def chosen(self) -> SpeechConfig:
        return self._choices.speech

    def run(self) -> int:
        """All steps; returns the exit status. Raises CommandError with what to do before one begins again."""
        heed_runs = _refuse_while_heed_listens(self._config)
        self._refuse_without_sound()
        print(
            f"What you choose is written into {self._choices.file} at the end; until then it is kept for the next time."
        )
        self._choose_language()
        self._choose_microphone()
        self._choose_loudspeaker_and_voice()
        if self._hears:
            self._choose_name()
            self._talk()
        print(_told_of_echo(self.chosen))
        self._choices.write()
        print("Ready: start heed anew, and it hears and speaks so" if heed_runs else "Ready: heed run")
        return 0

    # --- questions ---

    def _agrees(self, question: str) -> bool:
        """Whether the answer is a yes; Enter is one."""
        return self._answer(f"{question} [Y/n] ").lower() in ("", "y", "yes")

    def _answer(self, question: str) -> str:
        try:
            return self._ask(question).strip()
        except EOFError:
            raise CommandError("nobody answers", "run `heed setup voice` in a terminal") from None

    def _pick(self, question: str, choices: Sequence[str], usual: int) -> int:
        """Return the place of the choice whose number is the answer; Enter is the `usual` one."""
        print("\n".join(f"  {number}  {choice}" for number, choice in enumerate(choices, start=1)))
        while True:
            answer = self._answer(f"{question} [{usual + 1}] ") or str(usual + 1)
            if answer.isdecimal() and 0 < int(answer) <= len(choices):
                return int(answer) - 1
            print(f"Please answer with a number from 1 to {len(choices)}.")

    def _keep(self, key: str, value: str) -> None:
        if getattr(self.chosen, key) != value:
            self._choices.keep(key, value)

    def _refuse_without_sound(self) -> None:
        try:
            there = self._devices.microphones() or self._devices.loudspeakers()
        except AudioUnavailable as error:
            raise CommandError(f"there is no sound on this machine: {error}") from error
        if not there:
            raise CommandError("there is no sound on this machine: plug in a microphone or a headset, and begin again")

    # --- language ---

    def _choose_language(self) -> None:
        known = ", ".join(languages())
        question = f"Which language do people speak to it? Two letters; {known} are prepared. [{self.chosen.language}] "
        while not _is_code(code := self._answer(question).lower() or self.chosen.language):
            print("Please write its two letters, such as en, de or fr.")
        self._keep("language", code)
        if not use_language(code):
            print("That language has no table yet: stops and answers are understood in English (docs/languages.md).")

    # --- microphone ---

    def _choose_microphone(self) -> None:
        """Offer one after the other, the one of the settings first, until a person was heard in it."""
        for name in self._in_turn(self._devices.microphones, self.chosen.microphone):
            print(f"Please say a sentence to {_told(name, 'microphone')}.")
            if (sentence := self._sentence(name)) and self._is_loud_enough(name, sentence):
                self._hears = True
                self._keep("microphone", name)
                return
        print("No microphone is chosen: plug one in, unmute it (alsamixer), and run `heed setup voice` again.")

    def _sentence(self, name: str) -> Sentence | None:
        try:
            sentence = next_sentence(self._devices.microphone(name))
        except AudioUnavailable as error:
            print(f"It cannot be used: {error}.")
            return None
        if sentence is None:
            print("I heard nobody there. If you spoke: unmute it, or raise its level (alsamixer, or pavucontrol).")
        return sentence

    def _is_loud_enough(self, name: str, sentence: Sentence) -> bool:
        """Whether a person wants this one, after as many tries with its level as they like."""
        while sentence.amiss:
            answer = self._answer(f"I heard you; {sentence.amiss}. Enter: try again, k: keep it so, n: the next one: ")
            if answer in ("k", "n"):
                return answer == "k"
            print("Please say that again.")
            sentence = self._sentence(name) or sentence
        return self._agrees("I heard you well. Shall it be this one?")

    # --- loudspeaker and voice ---

    def _choose_loudspeaker_and_voice(self) -> None:
        with closing(self._voices()) as voices:
            self._choose_among(voices)

    def _choose_among(self, voices: Voices) -> None:
        voice = next(voices, None)
        if voice is None:
            print("There is no voice here: run script/setup.")
            return
        for name in self._in_turn(self._devices.loudspeakers, self.chosen.loudspeaker):
            if self._says(translated(GREETING), voice[1], name) and self._agrees(
                f"I spoke through {_told(name, 'loudspeaker')}. Did you hear me?"
            ):
                self._speaks = True
                self._keep("loudspeaker", name)
                self._choose_voice(voice, voices)
                return
        print("No loudspeaker is chosen: what heed says is printed.")

    def _choose_voice(self, first: tuple[str, Synthesizer], others: Voices) -> None:
        kind, voice = first
        while not self._agrees(f"That was {voice.name}. Shall I speak so?"):
            if (following := next(others, None)) is None:
                print("There is no other one here. Piper's voices can be put into models/: models/README.md")
                return
            kind, voice = following
            self._says(translated(GREETING), voice, self.chosen.loudspeaker)
        self._keep("voice", kind)

    def _voices(self) -> Voices:
        """The one of the settings first, each voice once."""
        offered = set()
        english = ("hibari", "flite") if self.chosen.language == ENGLISH else ()
        for kind in (self.chosen.voice, "auto", *english, "espeak-ng"):
            try:
                voice = open_synthesizer(replace(self.chosen, voice=kind), self._config.models_directory)
            except SynthesisError as error:
                print(f"{kind} cannot be used: {error}")
                continue
            with closing(voice):
                if voice.name not in offered:
                    offered.add(voice.name)
                    yield kind, voice

    def _says(self, text: str, voice: Synthesizer, loudspeaker: str) -> bool:
        try:
            play(self._devices.loudspeaker(loudspeaker), voice.synthesize(text))
        except (AudioUnavailable, SynthesisError) as error:
            print(f"It cannot be used: {error}.")
            return False
        return True

    # --- its name ---

    def _choose_name(self) -> None:
        """Let a person choose how it is called, and try that."""
        print("How is it called? Without a name it takes whatever is said in the room for an order.")
        models = sorted(wake_models(), key=lambda model: model != FAVOURITE)
        wakes = [f"microwakeword:{model}" for model in models]
        choices = [*(model.replace("_", " ") for model in models), OWN_NAME, NOBODY]
        if self.chosen.wake and self.chosen.wake not in wakes:
            wakes, choices = [self.chosen.wake, *wakes], [f"{self.chosen.wake}, as now", *choices]
        usual = wakes.index(self.chosen.wake) if self.chosen.wake else 0
        picked = self._pick("Which number?", choices, usual)
        wake = wakes[picked] if picked < len(wakes) else self._own_name() if choices[picked] == OWN_NAME else ""
        self._keep("wake", wake)
        if wake:
            self._call(wake)

    def _own_name(self) -> str:
        while True:
            name = " ".join(spoken_words(self._answer("Which name? Three syllables at least, the more the better: ")))
            if len(name) >= _SHORTEST_NAME:
                return name
            print("That is too short: it would be heard in everything. Put a word before it, such as: okay robot.")

    def _call(self, wake: str) -> None:
        spoken = wake.rpartition(":")[2].replace("_", " ")
        for _ in range(TRIES):
            print(f"Please call it: {spoken}.")
            try:
                if is_called(self._devices.microphone(self.chosen.microphone), wake):
                    print("I heard it.")
                    return
            except AudioUnavailable as error:
                print(f"It cannot be tried: {error}.")
                return
            print("I did not hear it.")
        print("It is kept all the same. Another name may be heard better: run `heed setup voice` again.")

    # --- there and back ---

    def _talk(self) -> None:
        """Say back what a person said, until it was heard right."""
        try:
            recognizer = open_recognizer(self.chosen, self._config.models_directory)
        except RecognitionError as error:
            print(f"It cannot be tried how I understand you: {error}")
            return
        if missing := lacking(recognizer, self.chosen.language):
            print(f"{recognizer.name}: {missing}")
        for _ in range(TRIES):
            if self._understands(recognizer):
                return
        print("What heed is unsure of it asks about. Come closer, or try another microphone: `heed setup voice` again.")

    def _understands(self, recognizer: Recognizer) -> bool:
        print("Please say a sentence to it, for example: bring me the milk.")
        if (sentence := self._sentence(self.chosen.microphone)) is None:
            return False
        words = sentence.understood(recognizer, self.chosen.language)
        answer = translated(f"I heard: {words}." if words else "I did not understand.")
        print(answer)
        if self._speaks:
            with closing(open_synthesizer(self.chosen, self._config.models_directory)) as voice:
                self._says(answer, voice, self.chosen.loudspeaker)
        return self._agrees("Is that what you said?")

    def _in_turn(self, names: Callable[[], list[str]], first: str) -> list[str]:
        try:
            return sorted(names(), key=lambda name: name != first)
        except AudioUnavailable as error:
            print(f"{error}.")
            return []


_SHORTEST_NAME = 7
"""Letters and spaces."""


def _is_code(text: str) -> bool:
    return len(text) == 2 and text.isascii() and text.isalpha()


def _told(name: str, kind: str) -> str:
    return f"the system's default {kind}" if name == DEFAULT else f"{name!r}"


def _told_of_echo(speech: SpeechConfig) -> str:
    check = own_voice(EchoPath(not (speech.microphone or speech.loudspeaker)))
    return f"{check.what}; {check.to_do}" if check.to_do else check.what


def _refuse_while_heed_listens(config: Config) -> bool:
    """Return whether a heed runs, which lends its microphone meanwhile."""
    try:
        ear = request(running_in(config.runtime_directory), "status", timeout=5.0)["ear"]
    except NoDaemonError:
        return False
    if ear == LENT:
        return True
    advice = "set it up on the page (heed page prints its link); or end heed (systemctl stop heed), then try again"
    raise CommandError("heed has the microphone", advice)
