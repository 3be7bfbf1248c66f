"""A sound server of our own: PulseAudio with a loudspeaker and a person's mouth, both without metal."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ALSA = 'pcm.!default { type pulse hint { show on description "test" } }\nctl.!default { type pulse }\n'
ANSWERS_WITHIN = 60.0
"""Seconds; generous, since machines that test are busy."""
MICROPHONE = ("module-remap-source", "source_name=microphone", "master=person.monitor")


class SoundServer:
    """Starts and ends as often as one likes; what plays into the sink `person` is heard by the microphone."""

    rate = 48000
    """Hertz of its devices."""
    priority: tuple[str, ...] = ("--realtime=no", "--high-priority=no")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "native"
        self._process: subprocess.Popen[bytes] | None = None
        self._players: list[subprocess.Popen[bytes]] = []
        self.environment = {
            "PULSE_SERVER": f"unix:{self._socket}", "PULSE_RUNTIME_PATH": str(folder / "run"),
            "PULSE_STATE_PATH": str(folder / "state"), "ALSA_CONFIG_PATH": str(folder / "alsa.conf"),
        }  # fmt: skip
        (folder / "alsa.conf").write_text(ALSA)

    def start(self, microphone: bool = True) -> None:
        self._socket.unlink(missing_ok=True)
        modules = [
            f"module-native-protocol-unix socket={self._socket} auth-anonymous=1",
            f"module-null-sink sink_name=speaker rate={self.rate} channels=1",
            f"module-null-sink sink_name=person rate={self.rate} channels=1",
            "module-rescue-streams",
        ]
        self._process = subprocess.Popen(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm",
                *self.priority, f"--log-target=file:{self._folder / 'log'}",
                *(part for module in modules for part in ("-L", module)),
            ],
            env=os.environ | self.environment | {"HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder)},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._wait_for_answers()
        self.control("set-default-sink", "speaker")
        if microphone:
            self.plug_in()

    def plug_in(self) -> None:
        self._module = self.control("load-module", *MICROPHONE).strip()
        self.control("set-default-source", "microphone")

    def unplug(self) -> None:
        self.control("unload-module", self._module)

    def kill(self) -> None:
        """The server and all who play end at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        for player in self._players:
            player.kill()
            player.wait()
        self._players.clear()

    def play(self, sound: NDArray[np.int16], sink: str, rate: int = 16000) -> None:
        """Begin to play into a sink."""
        command = ["pacat", "--raw", f"--device={sink}", f"--rate={rate}", "--channels=1", "--latency-msec=50"]
        with tempfile.TemporaryFile(dir=self._folder) as raw:
            raw.write(sound.astype("<i2").tobytes())
            raw.seek(0)
            self._players.append(subprocess.Popen(command, stdin=raw, env=os.environ | self.environment))

    def records_from(self, source: str) -> bool:
        """Return whether a client records from this source."""
        sources = [line.split("\t") for line in self.control("list", "short", "sources").splitlines()]
        number = next(row[0] for row in sources if row[1] == source)
        clients = [line.split("\t") for line in self.control("list", "short", "source-outputs").splitlines()]
        return any(row[1] == number and "protocol-native" in row[3] for row in clients)

    def control(self, *command: str) -> str:
        done = subprocess.run(["pactl", *command], env=os.environ | self.environment, capture_output=True, check=True)
        return done.stdout.decode()

    def _wait_for_answers(self) -> None:
        deadline = time.monotonic() + ANSWERS_WITHIN
        while not self._answers():
            if time.monotonic() > deadline:
                raise RuntimeError(f"PulseAudio does not answer; {self._folder / 'log'} may tell why")
            time.sleep(0.01)

    def _answers(self) -> bool:
        done = subprocess.run(["pactl", "info"], env=os.environ | self.environment, capture_output=True, check=False)
        return done.returncode == 0


def lacking_sound_server() -> str:
    """Return what to install where there is no PulseAudio; "" where there is one."""
    there = all(shutil.which(program) for program in ("pulseaudio", "pactl", "pacat"))
    return "" if there else "needs Debian's pulseaudio, pulseaudio-utils and libasound2-plugins"
