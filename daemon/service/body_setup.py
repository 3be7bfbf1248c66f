"""What a robot needs to run, by its settings and its description: which processes, and who sees for it."""

import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from camera.description import describe_camera
from daemon.config import BodyConfig, ConfigError
from daemon.service.body_process import BodyProcess
from daemon.service.camera_process import CameraProcess
from daemon.service.child_process import ROOT
from hw.description import RobotDescription

SCENES, SIM_EYES = ROOT / "sim" / "scenes", ROOT / "sim" / "eyes"
PHYSICS = ("kinematic", "mujoco")
TRUTH, PIXELS, CAMERA = "truth", "pixels", "camera"
EYES = (TRUTH, PIXELS, CAMERA, "socket", "none")
"""Who may see: the simulated scene, heed-eyes with its pictures or a camera, other programs, nobody."""
HEAD = "head.pgm"
"""What the head of a simulated robot sees, in heed's runtime directory."""


def who_sees(chosen: str, description: RobotDescription, simulated: bool) -> str:
    """Return who sees for the robot: as the settings say, else its description. Raises ConfigError."""
    source = chosen or str(description.table.get("eyes", {}).get("source", TRUTH if simulated else "socket"))
    usable = EYES if simulated else EYES[2:]
    if source not in usable:
        raise ConfigError(f"there are no eyes {source!r} for {description.name}; there are: {', '.join(usable)}")
    return source


def camera_process(
    sees_by: str, scene: str, description: RobotDescription, file: Path, runtime: Path, models: Path | None = None
) -> CameraProcess | None:
    """Return heed-eyes where a camera sees, or pixels. Raises HardwareError for a section [eyes] that is wrong."""
    if sees_by == PIXELS:
        return CameraProcess(SIM_EYES / f"{scene}.toml", runtime, f"file:{runtime / HEAD}", models)
    if sees_by != CAMERA:
        return None
    describe_camera(description.table, file)
    return CameraProcess(file, runtime, models=models)


def scene_of(config: BodyConfig, description: RobotDescription) -> str:
    """Return the scene of the simulation: of the settings, of the robot, or the one that fits it."""
    return config.scene or description.table.get("scene") or ("kitchen" if description.base else "desk")


def body_processes(
    config: BodyConfig, sees_by: str, description: RobotDescription, file: Path, runtime: Path
) -> list[BodyProcess]:
    """Return the processes in the order in which they start. Raises ConfigError for a scene or physics there is not."""
    of_robot = ["--robot", str(file), "--runtime", str(runtime)]
    if not config.simulated:
        return [_hardware(of_robot, runtime)]
    scene = scene_of(config, description)
    if not (SCENES / f"{scene}.toml").exists():
        known = ", ".join(sorted(file.stem for file in SCENES.glob("*.toml")))
        raise ConfigError(f"there is no scene {scene!r} in [body]; there are: {known}")
    if config.physics not in PHYSICS:
        raise ConfigError(f"there is no physics {config.physics!r} in [body]; there are: {', '.join(PHYSICS)}")
    simulation = ["-m", "sim", *of_robot, "--scene", scene, "--physics", config.physics]
    simulation += _pixels(scene, runtime) if sees_by == PIXELS else []
    room = BodyProcess("the simulated robot", simulation, runtime / "scene.sock", socket.SOCK_STREAM)
    return [room, _hardware([*of_robot, "--simulated"], runtime)]


def _pixels(scene: str, runtime: Path) -> list[str]:
    """Have the simulation render what the head sees. Raises ConfigError where it cannot."""
    if not (SIM_EYES / f"{scene}.toml").exists():
        known = ", ".join(sorted(file.stem for file in SIM_EYES.glob("*.toml")))
        raise ConfigError(f'eyes = "pixels" in [body]: nothing in {scene} carries tags; there are: {known}')
    if find_spec("mujoco") is None:
        raise ConfigError('eyes = "pixels" in [body] needs MuJoCo: python -m pip install "heed[sim,eyes]"')
    return ["--pixels", str(runtime / HEAD)]


def _hardware(arguments: Sequence[str], runtime: Path) -> BodyProcess:
    return BodyProcess("heed-hw", ["-m", "hw.server", *arguments], runtime / "hw.sock", socket.SOCK_SEQPACKET)
