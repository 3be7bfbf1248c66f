"""`heed hw test wheels`: what only metal can decide about wheels on servos, found out with the robot lifted.

It needs nobody who knows servos: it asks which way a wheel turned, measures the rest, and writes a report.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from daemon.config import Config
from daemon.service.control import CommandError, running_in
from hw.base_description import ServoBaseDescription, Wheel
from hw.bus_survey import ServoFound, survey
from hw.description import RobotDescription, load_description
from hw.wheel_trial import WheelFindings, WheelTrial, right_phase
from hw.workbench import Workbench

Ask = Callable[[str], str]
REPORT = "wheels-report.json"
LIFTED = "Is the robot lifted, so that its wheels turn freely, and is your hand at the switch of the servos? [y/N] "


@dataclass(frozen=True)
class WheelReport:
    """One wheel, as a person saw it and as it was measured."""

    name: str
    servo: ServoFound
    direction: int
    """1 where it turns as its description says, -1 where it turns the other way."""
    findings: WheelFindings


def try_wheels(description: RobotDescription, ask: Ask) -> list[WheelReport]:
    """Every wheel in turn. Raises CommandError where there is none, or nobody has lifted the robot."""
    base = description.base
    if not isinstance(base, ServoBaseDescription):
        raise CommandError("this robot has no wheels on servos", "`heed hw test` tries what it has")
    if base.dead_man:
        raise CommandError(
            "their dead-man holds the wheels without supply while heed-hw does not run",
            "bridge its relay, leave mode and dead_man out of [base], and try them so",
        )
    if ask(LIFTED).strip().lower() not in ("y", "yes"):
        raise CommandError("nothing was moved", "put the robot on a box, then answer y")
    arm = next(arm for arm in description.arms if arm.name == base.bus)
    with Workbench.open(arm.device, arm.baud, arm.family) as bench:
        return [_tried(bench, wheel, row, ask) for wheel, row in zip(base.wheels, base.kinematics.rows, strict=True)]


def test_wheels(config: Config, ask: Ask, as_json: bool) -> int:
    """The command; its report lies beside config.toml."""
    if config.body.simulated:
        raise CommandError("simulated wheels tell nothing about yours", "name your robot in [body] of config.toml")
    file = config.body.robot_file(config.folder)
    reports = try_wheels(load_description(file, running_in(config.runtime_directory)), ask)
    path = config.folder / REPORT
    path.write_text(json.dumps([asdict(report) for report in reports], indent=2) + "\n", encoding="utf-8")
    print(path.read_text(encoding="utf-8") if as_json else "\n".join(told(reports)))
    print(f"kept in {path}; please send it to us with the form for tried hardware")
    return int(any(report.findings.faults for report in reports))


def told(reports: Sequence[WheelReport]) -> Iterator[str]:
    """Yield what was found, and what to write into [base] of robot.toml for it."""
    for report in reports:
        found = report.findings
        verdict = "FAIL" if found.faults else "ok  "
        speed = "steps per second" if found.in_steps else "not steps per second"
        zero = "full speed" if found.zero_is_full else "none"
        yield (
            f"{verdict} {report.name} wheel (servo {report.servo.id}, firmware {report.servo.firmware}): Phase "
            f"{found.phase}, speeds are {speed}, 0 is {zero}; even to {found.unevenness:.0%}, went on by "
            f"{found.rolled_on} steps when nobody spoke"
        )
        yield from (f"     {fault}" for fault in found.faults)
        if report.direction == -1:
            yield f"     it turns the other way: change the sign of `direction` of {report.name} below [base]"
    phases = {right_phase(report.findings) for report in reports}
    if len(phases) == 1 and None not in phases:
        yield f"In [base] of robot.toml: phase = {phases.pop()}"
    elif None not in phases:
        yield "The wheels hold different Phases: give all the same one with Feetech's own program"


def _tried(bench: Workbench, wheel: Wheel, row: Sequence[float], ask: Ask) -> WheelReport:
    with _ending_limp(WheelTrial(bench, wheel.id)) as trial:
        servo = survey(bench, wheel.id)
        phase = trial.begin()
        trial.turn_a_tenth()
        where = _towards(math.atan2(row[1], row[0]), wheel.direction)
        answer = ask(f"The {wheel.name} wheel has turned a little. Did its top move {where}? [Y/n] ").strip().lower()
        return WheelReport(wheel.name, servo, 1 if answer in ("", "y", "yes") else -1, trial.find_out(phase))


@contextmanager
def _ending_limp(trial: WheelTrial) -> Iterator[WheelTrial]:
    try:
        yield trial
    finally:
        trial.let_go()


def _towards(angle: float, direction: int) -> str:
    """In words, where the top of a wheel moves that rolls to this angle (radians from straight ahead)."""
    ahead, left = direction * math.cos(angle), direction * math.sin(angle)
    if abs(ahead) > 0.5:
        return "to the FRONT of the robot" if ahead > 0 else "to the BACK of the robot"
    return "to the LEFT of the robot" if left > 0 else "to the RIGHT of the robot"


def write_findings(file: Path, reports: Sequence[WheelReport]) -> None:
    """Directions and Phase into a robot's file. Raises CommandError where the wheels may not be driven."""
    phases = {right_phase(report.findings) for report in reports}
    faults = [f"{report.name} wheel: {fault}" for report in reports for fault in report.findings.faults]
    if faults or len(phases) > 1:
        raise CommandError("the wheels are not driven yet:\n  " + "\n  ".join(faults), f"see {REPORT}")
    text = file.read_text(encoding="utf-8")
    for report in reports:
        text = _with_direction(text, report)
    line = f"phase = {phases.pop()}  # bits 2 and 3 of the register Phase, as heed found them with speeds in steps\n"
    text = re.sub(r"(?m)^phase = .*\n", "", text)
    file.write_text(re.sub(r"(?m)^(\[base\].*\n)", rf"\1{line}", text, count=1), encoding="utf-8")


def _with_direction(text: str, report: WheelReport) -> str:
    """Return the file with the other sign below [base], where the wheel turns the other way."""
    head, found, base = text.partition("[base]")
    if report.direction == -1:
        base = re.sub(rf"(?m)^({report.name} = .*direction = )(-?)1", _with_other_sign, base)
    return head + found + base


def _with_other_sign(found: re.Match[str]) -> str:
    return f"{found[1]}{'' if found[2] else '-'}1"
