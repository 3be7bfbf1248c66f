"""What the page shows of the robot: its state and its scene, rounded, so that what stands still does not change."""

import dataclasses
from collections.abc import Callable
from typing import Any

from hw.state import ArmState, HardwareError, RobotState
from skills.skill import Observation


class RobotView:
    """Looks when asked. A body that does not answer is shown as trouble."""

    def __init__(
        self,
        status: Callable[[], dict[str, Any]],
        state: Callable[[], RobotState],
        observe: Callable[[], Observation],
    ) -> None:
        """`status` is what `heed status` tells."""
        self._status, self._state, self._observe = status, state, observe

    def __call__(self) -> dict[str, Any]:
        """{"state": ..., "scene": ...}; what cannot be seen now is missing."""
        try:
            body = self._state()
            arms = {name: _arm(arm) for name, arm in body.arms.items()}
            pose = _rounded(dataclasses.asdict(body.base))
            seen: dict[str, Any] = {
                "state": {**self._status(), "base": pose, "arms": arms, "localised": body.localised}
            }
        except HardwareError as error:
            return {"state": {"trouble": str(error)}}
        try:
            return seen | {"scene": _rounded(self._observe())}
        except HardwareError:
            return seen


def _arm(arm: ArmState) -> dict[str, Any]:
    return {
        "joints": [round(angle, 2) for angle in arm.joints],
        "tip": [round(value, 2) for value in (arm.tip.x, arm.tip.y, arm.tip.z)],
        "gripper": round(arm.gripper, 3),
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value
