"""Settings: one frozen dataclass per section of config.toml, with defaults that work with nothing attached."""

import dataclasses
import difflib
import os
import tomllib
import typing
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROBOTS = Path(__file__).parents[1] / "hw" / "robots"
"""Descriptions of robots that come with heed."""


class ConfigError(ValueError):
    """config.toml cannot be used; the message says which line to change and to what."""


@dataclass(frozen=True)
class SpeechConfig:
    """[speech] How heed hears and speaks."""

    microphone: str = ""
    """Part of the microphone's name, as `heed doctor` lists it; empty takes the system's default."""
    loudspeaker: str = ""
    """Part of the loudspeaker's name; empty takes the system's default."""
    satellites: str = ""
    """Address such as "0.0.0.0:10300" to which satellites may speak (Wyoming); empty for none. There is no password:
    who reaches it can command the robot. Made for clients of speech servers; the program wyoming-satellite is none, it
    waits to be called itself."""
    recognizer: str = "auto"
    """"both" (Moonshine, and Whisper for what it is unsure of), "moonshine" or "moonshine:FOLDER", "whisper" or
    "whisper:FOLDER", "pocketsphinx", "wyoming:HOST:PORT" (a server; where it does not answer, one that is here), or
    "auto": both where the machine has 2 GB of memory, else one. A Whisper in models/ goes before the brought one."""
    voice: str = "auto"
    """"hibari" (English), "piper" or "piper:FILE.onnx", "espeak-ng", "flite", "wyoming:HOST:PORT", or "auto": piper
    when models/ holds one of the language, else hibari for English, else espeak-ng."""
    wake: str = ""
    """What the robot is called, such as "okay robot": then it listens only when called. Three syllables at least;
    several with commas between. Also "microwakeword:hey_jarvis" (needs the extra microwakeword) and
    "wyoming:HOST:PORT", a server to which all sound is sent and which calls for any name that it has loaded
    (openWakeWord's: --preload-model). Empty: it listens to all that is said."""
    listen_while_speaking: str = "auto"
    """Let people interrupt: "auto" where the echo of the robot's own voice is cancelled, by the sound server or by
    heed; "always" also with headphones, or where the microphone cancels it; "never": while the robot speaks only the
    stop word is heard."""
    lexicon: str = ""
    """File of words that the voice reads otherwise, a line each: "ROS = ross"; from the folder of config.toml."""
    earcons: bool = True
    """A short sound as soon as somebody was heard, before anything else happens."""
    language: str = "en"
    """Of the voice, of Whisper, and of stops, answers and what heed says by itself, as a two-letter code. What a
    language lacks is told at the start (docs/languages.md)."""


@dataclass(frozen=True)
class LlmConfig:
    """[llm] Which model writes the statements."""

    brain: str = "auto"
    """"imitation", "llama:FILE.gguf", "remote:http://HOST:PORT" (llama-server, vLLM or Ollama), or "auto": the only
    GGUF in models/, else heed's own brain, else imitation."""
    worker: str = ""
    """"llama:FILE.gguf": a second, smaller model that only reads for the first: which things a task is about, what its
    log says. "" leaves that to the brain."""
    context_tokens: int = 8192
    """Largest prompt with answer; a model file with less lowers it."""
    threads: int = 0
    """Threads for the model; 0 takes one fewer than the machine has cores, so that ear and motors keep theirs: with
    fewer threads than cores, it stays off the first ones."""
    splice: str = "auto"
    """Put examples together from what was kept of each instead of reading them again: "auto" once a self-test has
    shown that the model's statements stay the same, "always", or "never"."""
    name_mask: bool = True
    """Where a skill's argument names a thing, place or person, let a model file write only names that were seen or said
    (constrained decoding, by a logit mask)."""
    confidence: float = -1.0
    """A model file asks a person before it acts on an answer of which it is less sure, from 0 to 1: the probability of
    the least likely token in it. 0 never asks; -1 takes what the file asks for itself (`heed.confidence` in its
    metadata), and most ask for nothing. `heed bench confidence` measures what a file needs."""
    embedder: str = "minilm"
    """What compares sentences: "minilm", or "sentence-transformers:NAME" (a folder or a model in that library's cache;
    needs the extra sentence-transformers). After a change the memory is embedded anew, while heed works."""
    cache_megabytes: int = 1000
    """Disk for what models computed once (.cache/kv/); the least recently used go first. 0 keeps nothing."""


@dataclass(frozen=True)
class MemoryConfig:
    """[memory] What survives a restart."""

    file: str = "memory.sqlite"
    """The database; a path relative to the state directory."""
    examples: int = 16
    """How many retrieved examples the model sees (k)."""
    decay: float = 0.6
    """Weight of each earlier utterance against the one after it (gamma; Baermann et al. 2024, sec. 3.4)."""
    utterances: int = 3
    """How many of the last utterances steer retrieval (N)."""


@dataclass(frozen=True)
class ConsoleConfig:
    """[console] The loop in which the model writes and heed runs."""

    max_statements: int = 40
    """Statements per utterance before heed gives up and says so."""
    statement_seconds: float = 5.0
    """CPU seconds that a statement may compute; waiting for a motion or a person does not count."""
    statements: str = "whole"
    """How a model that reads for itself answers: "whole", all statements of a turn at once, or "one" after the other as
    in the papers, with a completion for each."""
    confirm_lessons: bool = True
    """Ask before a lesson is kept."""
    look_ahead: bool = False
    """Let the model write the next statement for the likeliest result while the robot still moves; it is used only if
    that result comes. Takes processor time while motors run, and none from what a person waits for."""
    look_first: str = "described"
    """Which orders are examined before an arm moves, about 1 ms each: "described" for those that say more of a
    thing than its name, such as "the clean cup", or of which the wrong one does harm; "always"; or "never". Of a model
    that reads by itself, what it calls is examined: "always" also asks it which of several like things is meant."""


@dataclass(frozen=True)
class BodyConfig:
    """[body] The robot that heed moves."""

    robot: str = "sim"
    """"sim" for the simulated robot, "sim:so101" for another of hw/robots, or the path of a description of yours."""
    scene: str = ""
    """Scene of the simulated robot: a file in sim/scenes/; "": that of the robot's file, else a kitchen, or a desk for
    one without wheels."""
    physics: str = "kinematic"
    """Of the simulated robot: "kinematic", where things go where they are put, or "mujoco": with weight, and seen."""
    eyes: str = ""
    """Who sees: "truth" or "pixels" (simulated), "camera", "socket", "none"; "": see docs/eyes.md."""

    @property
    def simulated(self) -> bool:
        """Return whether the robot is one without metal: "sim", or "sim:" before the name or the file of another."""
        return self.robot.partition(":")[0] == "sim"

    def robot_file(self, folder: Path) -> Path:
        """The description that `robot` means: one of hw/robots by name, or a file in `folder`. Raises ConfigError."""
        name = self.robot.removeprefix("sim:")
        shipped = ROBOTS / f"{name}.toml"
        file = shipped if shipped.exists() else folder / name
        if not file.is_file():
            known = ", ".join(sorted(file.stem for file in ROBOTS.glob("*.toml")))
            raise ConfigError(
                f'there is no robot description {file}; robot in [body] is a file, or "sim:" and one of {known}'
            )
        return file


@dataclass(frozen=True)
class PermissionConfig:
    """[permission] What needs a person's yes first."""

    confirm: str = ""
    """Names of skills that ask before they run, with commas between; besides those that ask anyway."""
    move_while_deaf: bool = False
    """Begin to move although the microphone is lost and nobody could call a stop."""
    quiet_hours: str = ""
    """A time such as "22:00-07:00" in which heed does not speak aloud and asks before it moves; empty for none."""


@dataclass(frozen=True)
class McpConfig:
    """[mcp] Tools of other programs, over the Model Context Protocol; needs the extra mcp."""

    servers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Servers by the prefix that their tools get, each with command or url, and the tools that may be called:
    [mcp.servers.weather] command = "weather-server", tools = ["forecast"] gives weather_forecast()."""


@dataclass(frozen=True)
class FleetConfig:
    """[fleet] Several robots that tell each other what they were taught; needs the extra fleet."""

    name: str = ""
    """This robot's name among the others; empty for no fleet: then heed listens on no network."""
    listen: str = ""
    """Where others reach it, such as "tcp/192.168.0.7:7447"; several with commas between."""
    connect: str = ""
    """Other robots, or a Zenoh router, in the same form."""
    key: str = "fleet.key"
    """File with the secret that all robots of the fleet share; a path relative to the state directory."""
    adopt: str = "ask"
    """What others were taught is learned here after a yes: "ask" asks when there is time, "never" does not."""
    trusted: str = ""
    """Names of robots whose lessons are learned without asking, with commas between."""
    certificates: str = ""
    """Folder with ca.pem, robot.pem and robot.key for addresses that begin with tls/, see docs/fleet.md; a path
    relative to the state directory."""
    zenoh: str = ""
    """A Zenoh configuration file for what is not said above, such as access control, see docs/fleet.md."""


@dataclass(frozen=True)
class ServiceConfig:
    """[service] Where heed puts its sockets and its state."""

    runtime_directory: str = ""
    """Sockets; empty takes systemd's RUNTIME_DIRECTORY, else XDG_RUNTIME_DIR/heed, else /tmp/heed-UID."""
    state_directory: str = ""
    """memory.sqlite; empty takes systemd's STATE_DIRECTORY, else the folder of config.toml."""
    models_directory: str = "models"
    """Model files; a path relative to the folder of config.toml."""
    page: str = ""
    """Address of the page in a browser, such as "127.0.0.1:8642"; empty for none: then heed listens on no network."""
    page_name: str = ""
    """Host name under which a proxy offers the page, if one does."""


@dataclass(frozen=True)
class Config:
    """All of config.toml; only what opens and wires parts, and the commands, see the whole of it."""

    speech: SpeechConfig = field(default_factory=SpeechConfig)
    llm: LlmConfig = field(default_factory=LlmConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    console: ConsoleConfig = field(default_factory=ConsoleConfig)
    body: BodyConfig = field(default_factory=BodyConfig)
    permission: PermissionConfig = field(default_factory=PermissionConfig)
    mcp: McpConfig = field(default_factory=McpConfig)
    fleet: FleetConfig = field(default_factory=FleetConfig)
    service: ServiceConfig = field(default_factory=ServiceConfig)
    folder: Path = field(default_factory=Path.cwd)
    """Folder of config.toml, absolute."""

    @property
    def runtime_directory(self) -> Path:
        """Folder of the sockets; short, since a socket path holds 107 bytes at most."""
        if self.service.runtime_directory:
            return self.folder / self.service.runtime_directory
        if systemd := os.environ.get("RUNTIME_DIRECTORY"):
            return Path(systemd.split(":")[0])
        if session := os.environ.get("XDG_RUNTIME_DIR"):
            return Path(session) / "heed"
        return Path(f"/tmp/heed-{os.getuid()}")

    @property
    def state_directory(self) -> Path:
        """Folder of memory.sqlite."""
        if self.service.state_directory:
            return self.folder / self.service.state_directory
        if systemd := os.environ.get("STATE_DIRECTORY"):
            return Path(systemd.split(":")[0])
        return self.folder

    @property
    def memory_file(self) -> Path:
        return self.state_directory / self.memory.file

    @property
    def cache_directory(self) -> Path:
        """Return what can be computed again; may be deleted at any time."""
        if systemd := os.environ.get("CACHE_DIRECTORY"):
            return Path(systemd.split(":")[0])
        return self.folder / ".cache"

    @property
    def models_directory(self) -> Path:
        return self.folder / self.service.models_directory


def load_config(path: Path) -> Config:
    """Read config.toml; a file that is not there means all defaults.

    Raises ConfigError for broken TOML, an unknown section or key (naming the nearest right one), or a wrong type.
    """
    folder = path.resolve().parent
    if not path.exists():
        return Config(folder=folder)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    known = {f.name: f.type for f in dataclasses.fields(Config) if f.name != "folder"}
    sections = {}
    for name, table in tables.items():
        _require_known(path, "section", f"[{name}]", name, known)
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {name} stands outside any section; put it below [{name}] or remove it")
        sections[name] = _read_section(path, name, typing.cast(type, known[name]), table)
    return Config(**sections, folder=folder)


def _read_section(path: Path, name: str, section: type, table: dict[str, Any]) -> Any:
    types_of = typing.get_type_hints(section)
    for key, value in table.items():
        _require_known(path, "key", f"{key} in [{name}]", key, types_of)
        wanted = types_of[key]
        if wanted is float and type(value) is int:
            table[key] = float(value)
        elif type(value) is not (typing.get_origin(wanted) or wanted):
            raise ConfigError(f"{path}: {key} in [{name}] is {value!r}, but must be of type {wanted.__name__}")
    return section(**table)


def _require_known(path: Path, kind: str, where: str, name: str, known: Collection[str]) -> None:
    if name in known:
        return
    raise ConfigError(f"{path}: there is no {kind} {where}; {advice(name, known)}")


def advice(name: str, known: Collection[str]) -> str:
    """Return what to write instead of an unknown name, for the end of an error's message."""
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(known)}"
