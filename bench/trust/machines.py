"""What a heed that is to be harmed stands on: a disk of its own, a sound server, a clock."""

import os
import shutil
import subprocess
import tempfile
import time
import wave
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bench.report import BenchError
from daemon.config import SpeechConfig
from daemon.speech.voices.open_voice import open_synthesizer

DISK_MEGABYTES = 24


class Unavailable(BenchError):
    """A machine that cannot be made here, for example since we are not root."""


class Disk:
    """An ext4 of its own in a file, which can be filled, break, and be repaired. Needs root."""

    def __init__(self, folder: Path) -> None:
        """Mounted at `folder`. Raises Unavailable."""
        self._folder = folder
        self._image = folder.with_name(folder.name + ".img")
        if os.geteuid() or not shutil.which("mkfs.ext4"):
            raise Unavailable("a disk of its own needs root and mkfs.ext4")
        with self._image.open("wb") as image:
            image.truncate(DISK_MEGABYTES * 1_000_000)
        _run("mkfs.ext4", "-q", self._image)
        folder.mkdir()
        self._mount()

    def fill(self) -> None:
        """Fill it until nothing more goes in."""
        with suppress(OSError), (self._folder / "full").open("wb") as file:
            for size in (2**20, 2**12, 1):
                with suppress(OSError):
                    while True:
                        file.write(b"0" * size)
                        file.flush()

    def empty(self) -> None:
        (self._folder / "full").unlink(missing_ok=True)

    def break_down(self) -> None:
        """Break it as an error of the medium would: the kernel lets nobody write any more."""
        _run("mount", "-o", "remount,abort", self._folder)
        (self._folder / "unwritable").exists()

    def repair(self) -> bool:
        """Check it and mount it anew; False while somebody still has a file open there."""
        if subprocess.run(["umount", self._folder], capture_output=True, check=False).returncode:
            return False
        subprocess.run(["e2fsck", "-p", self._image], capture_output=True, check=False)
        self._mount()
        return True

    def close(self) -> None:
        subprocess.run(["umount", "-l", self._folder], capture_output=True, check=False)
        self._image.unlink(missing_ok=True)

    def _mount(self) -> None:
        try:
            _run("mount", "-o", "loop", self._image, self._folder)
        except subprocess.CalledProcessError as error:
            raise Unavailable(f"a file cannot be mounted here: {error.stderr.decode().strip()}") from error


class Sound:
    """A PulseAudio with a loudspeaker that nobody hears and a microphone into which speak() speaks."""

    def __init__(self, folder: Path) -> None:
        """Raises Unavailable."""
        if missing := [program for program in ("pulseaudio", "paplay", "flite") if not shutil.which(program)]:
            raise Unavailable(f"sound needs {', '.join(missing)}")
        self._folder = folder
        self._socket = folder / "native"
        folder.mkdir()
        self.environment: Mapping[str, str] = {"PULSE_SERVER": f"unix:{self._socket}"}
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and return when it can be used."""
        modules = (
            f"module-native-protocol-unix socket={self._socket} auth-anonymous=1",
            "module-null-sink sink_name=speaker",
            "module-null-sink sink_name=room",
            "module-remap-source master=room.monitor source_name=mic source_properties=device.description=mic",
        )
        own = {**os.environ, "HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder)}
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm"]
        self._server = subprocess.Popen(
            [*command, *(f"--load={module}" for module in modules)], env=own, stderr=subprocess.DEVNULL
        )
        for default in ("set-default-sink speaker", "set-default-source mic"):
            deadline = time.monotonic() + 20
            while subprocess.run(["pactl", *default.split()], env=self._for_client(), capture_output=True).returncode:
                if time.monotonic() > deadline:
                    raise Unavailable("pulseaudio does not start here")
                time.sleep(0.1)

    def kill(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.wait()
            self._server = None

    def speak(self, text: str) -> None:
        """Say it into the room; returns when it was said."""
        synthesizer = open_synthesizer(SpeechConfig(voice="flite"), Path())
        samples, rate = synthesizer.synthesize(text)
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            with wave.open(file.name, "wb") as out:
                out.setnchannels(1)
                out.setsampwidth(2)
                out.setframerate(rate)
                out.writeframes(samples.tobytes() + bytes(rate))
            subprocess.run(["paplay", "--device=room", file.name], env=self._for_client(), check=False, timeout=60)

    close = kill

    def _for_client(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


class Clock:
    """A wall clock that can be set; monotonic time goes on. For one heed and its children, by bench/trust/clock.c."""

    def __init__(self, folder: Path) -> None:
        """Raises Unavailable."""
        compiler = shutil.which("cc")
        if compiler is None:
            raise Unavailable("another clock needs a C compiler (Debian's gcc)")
        library = folder / "clock.so"
        _run(compiler, "-shared", "-fPIC", "-O2", "-o", library, Path(__file__).with_name("clock.c"))
        self._file = folder / "clock"
        self.set(0)
        self.environment = {"LD_PRELOAD": str(library), "HEED_CLOCK": str(self._file)}

    def set(self, seconds: int) -> None:
        """Set by how much it is wrong from now on."""
        self._file.write_text(f"{seconds}\n")


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True)
