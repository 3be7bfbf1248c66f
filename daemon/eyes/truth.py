"""The eyes of the simulated robot: they know the scene as it is, so that everything else can be tried."""

from collections.abc import Sequence
from pathlib import Path

from hw.state import HardwareError, Pose2D, RobotState
from sim.perception import SimCamera
from skills.skill import Observation


class Truth:
    """Eyes that are never wrong and never late."""

    def __init__(self, runtime: Path) -> None:
        self.camera = SimCamera(runtime)

    def observe(self, state: RobotState) -> Observation:
        return self.camera.observe()

    def look(self, seconds: float = 0.0) -> None:
        """Every look is fresh."""

    def labels(self, thing: str = "") -> Sequence[tuple[str, str]]:
        raise HardwareError("nothing has a label in the simulated room", 'eyes = "pixels" reads some: docs/eyes.md')

    def grip(self, arm: str, point: tuple[float, float, float], opening: float) -> None:
        """The scene knows what is in a hand."""

    def base(self) -> Pose2D | None:
        try:
            return Pose2D(*self.camera.request("base"))
        except HardwareError:
            return None

    def corrected(self, before: Pose2D, after: Pose2D) -> None:
        """The scene knows better where everything is."""

    def trouble(self) -> str:
        return ""

    def silent(self) -> float:
        return 0.0

    def picture(self, thing: str = "") -> bytes:
        if thing:
            raise HardwareError("a simulated scene shows no thing alone", 'see it with eyes = "pixels"')
        try:
            return self.camera.picture()
        except ValueError as error:
            raise HardwareError(
                str(error), 'pictures are those of a simulated robot with physics = "mujoco"'
            ) from error

    def close(self) -> None:
        self.camera.close()
