"""A sound server of our own for a test: PulseAudio with a loudspeaker and a person's mouth, both without metal."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.waiting import until

ALSA = 'pcm.!default { type pulse hint { show on description "test" } }\nctl.!default { type pulse }\n'
MICROPHONE = ("module-remap-source", "source_name=microphone", "master=person.monitor")


class SoundServer:
    """Starts and ends as often as one likes; what plays into the sink `person` is heard by the microphone."""

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
            "module-null-sink sink_name=speaker rate=48000 channels=1",
            "module-null-sink sink_name=person rate=48000 channels=1",
            "module-rescue-streams",
        ]
        self._process = subprocess.Popen(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm",
                "--realtime=no", "--high-priority=no", f"--log-target=file:{self._folder / 'log'}",
                *(part for module in modules for part in ("-L", module)),
            ],
            env=os.environ | self.environment | {"HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder)},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until(self._answers)
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
        """Whether a client records from this source."""
        sources = [line.split("\t") for line in self.control("list", "short", "sources").splitlines()]
        number = next(row[0] for row in sources if row[1] == source)
        clients = [line.split("\t") for line in self.control("list", "short", "source-outputs").splitlines()]
        return any(row[1] == number and "protocol-native" in row[3] for row in clients)

    def control(self, *command: str) -> str:
        done = subprocess.run(["pactl", *command], env=os.environ | self.environment, capture_output=True, check=True)
        return done.stdout.decode()

    def _answers(self) -> bool:
        done = subprocess.run(["pactl", "info"], env=os.environ | self.environment, capture_output=True, check=False)
        return done.returncode == 0


def require_sound_server() -> None:
    if not (shutil.which("pulseaudio") and shutil.which("pactl") and shutil.which("pacat")):
        pytest.skip("needs Debian's pulseaudio, pulseaudio-utils and libasound2-plugins")
