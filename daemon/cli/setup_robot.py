"""`heed setup robot`: from a plugged-in arm to one that heed moves, in one conversation.

Each step looks at what is there already, so that whoever was interrupted just begins again. Nothing is written into a
servo, and nothing moves before a person has said that nobody is within reach.
"""

import re
import socket
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from daemon.cli.hardware import refuse_while_heed_runs
from daemon.cli.hardware_motions import tried_motions
from daemon.cli.lerobot import files_for
from daemon.cli.settings_file import write_setting
from daemon.cli.wheels import WheelReport, told, try_wheels, write_findings
from daemon.cli.zero_pose import is_known, with_zeros
from daemon.config import ROBOTS, Config
from daemon.service.body_process import BodyError, BodyProcess
from daemon.service.control import CommandError
from hw.base_description import ServoBaseDescription
from hw.bus_survey import ARM, BAUD, BusFound, look
from hw.calibration import load_calibration, save_calibration
from hw.client import Robot
from hw.description import ArmDescription, calibration_file, load_description
from hw.feetech import Feetech
from hw.servo import Memory
from hw.state import HardwareError
from hw.workbench import Workbench, serial_ports

Ask = Callable[[str], str]
FILE = "robot.toml"
MODELS = {"101": "so101", "100": "so100"}
ROLLING = {(1, 3): "lekiwi", (2, 3): "xlerobot", (2, 2): "xlerobot-2wheels"}
"""Robots that are told by how many arms and wheels answer."""
SEEN = ("koch", *ROLLING.values())
"""Robots that are told by their servos."""
GRIPPER = len(ARM)
"""Its id."""
SHOWN = 60
"""Steps, five degrees, that a person turns a gripper to show which arm is meant."""
PATIENCE = 60.0
"""Seconds to wait for that."""


@dataclass(frozen=True)
class Setup:
    """Who is asked, what is set up, and for how long one waits."""

    config: Config
    ask: Ask
    ports: Sequence[Path]

    def agrees(self, question: str, default: bool = False) -> bool:
        """Return whether the answer is a yes; Enter is `default`."""
        answer = self.ask(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
        return answer in ("y", "yes") or (default and not answer)

    def run(self) -> int:
        """All steps; returns the exit status. Raises CommandError with what to do before one begins again."""
        refuse_while_heed_runs(self.config)
        arms = self._arms([look(port) for port in self._ports_there()])
        file = self._described(arms)
        for name, bus in arms.items():
            self._calibrated(file, name, bus)
        self._head_calibrated(file, arms)
        if _bus_with_wheels(arms):
            write_findings(file, self._wheels_tried(file))
        self._named()
        self._tried(file)
        return 0

    # --- what is plugged in ---

    def _ports_there(self) -> Sequence[Path]:
        ports = self.ports or serial_ports()
        if not ports:
            raise CommandError(
                "no serial adapter is plugged in", "plug in the arm's USB cable; is it one that carries data?"
            )
        return ports

    def _arms(self, buses: Sequence[BusFound]) -> dict[str, BusFound]:
        """The arms that were found, by the side that they shall have."""
        for bus in buses:
            print(f"{bus.port}: {_told(bus)}")
            for oddity in bus.oddities():
                print(f"  {oddity}")
        whole = [bus for bus in buses if bus.is_arm]
        if not whole or len(whole) < sum(bool(bus.servos or bus.collisions) for bus in buses):
            faults = [fault for bus in buses for fault in bus.faults()] or [
                "nobody answers: is the supply of the servos on, and are the jumpers of the adapter board on B?"
            ]
            raise CommandError(
                "not every arm can be used yet:\n  " + "\n  ".join(faults), "then run `heed setup robot` again"
            )
        if len(whole) == 1:
            return {"right": _alone(whole[0])}
        if any(bus.is_koch for bus in whole):
            raise CommandError(f"{len(whole)} arms answer, one of them a Koch", "plug in one arm alone, or use --port")
        if len(whole) > 2:
            raise CommandError(f"{len(whole)} arms answer", "heed moves one or two: name their ports with --port")
        left = self._shown([bus.port for bus in whole])
        return {"left" if bus.port == left else "right": bus for bus in sorted(whole, key=lambda bus: bus.port != left)}

    def _shown(self, ports: Sequence[Path]) -> Path:
        """The port of the arm of which a person moves the gripper."""
        self.ask("Two arms answer. Press Enter, then open and close the gripper of the LEFT one by hand: ")
        before = {port: _gripper_at(port) for port in ports}
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            for port in ports:
                if abs(_gripper_at(port) - before[port]) > SHOWN:
                    return port
        raise CommandError("no gripper has moved", "run `heed setup robot` again, or plug in one arm alone")

    # --- robot.toml ---

    def _described(self, arms: Mapping[str, BusFound]) -> Path:
        """The file that describes them; one that a person has changed is not lost."""
        file = self.config.folder / FILE
        if file.exists() and self._describes(file, arms):
            print(f"{file} describes it already: kept")
            return file
        model = self._model(arms)
        while model not in (*MODELS, *SEEN):
            model = self.ask("Is it an SO-101 or an SO-100? Ports and servos look the same. [101/100] ").strip().lower()
            model = model.removeprefix("so-").removeprefix("so")
        if file.exists():
            if not self.agrees(f"{file} describes another robot. Replace it? (the old one is kept as {FILE}.before)"):
                raise CommandError(f"{file} was kept", "move it away, or name your file in [body] of config.toml")
            file.replace(file.with_name(f"{FILE}.before"))
        file.write_text(_description_of(MODELS.get(model, model), arms), encoding="utf-8")
        print(f"written: {file}")
        return file

    def _model(self, arms: Mapping[str, BusFound]) -> str:
        """Return the robot that can be seen to be one; "" for arms of which a person must say it."""
        if on := _bus_with_wheels(arms):
            return ROLLING[len(arms), arms[on].wheels]
        return "koch" if any(bus.is_koch for bus in arms.values()) else ""

    def _describes(self, file: Path, arms: Mapping[str, BusFound]) -> bool:
        try:
            described = load_description(file, self.config.runtime_directory)
        except HardwareError:
            return False
        ports = {arm.name: arm.device for arm in described.arms}
        if any(arm.family.name != arms[arm.name].make for arm in described.arms if arm.name in arms):
            return False
        base = described.base
        rolls = (base.bus, len(base.wheels)) if isinstance(base, ServoBaseDescription) else ("", 0)
        on = _bus_with_wheels(arms)
        wanted = (on, arms[on].wheels if on else 0)
        return ports == {name: bus.port for name, bus in arms.items()} and rolls == wanted

    def _wheels_tried(self, file: Path) -> list[WheelReport]:
        """Return which way each wheel turns, and what its speeds mean; nobody can see that of a servo."""
        print("Wheels hang on the bus of an arm. Which way they turn is tried first.")
        reports = try_wheels(load_description(file, self.config.runtime_directory), self.ask)
        print("\n".join(told(reports)))
        return reports

    # --- calibration ---

    def _calibrated(self, file: Path, name: str, bus: BusFound) -> None:
        """Take over what was calibrated: the file of LeRobot's that the servos agree with, else what they hold."""
        description = load_description(file, self.config.runtime_directory)
        arm = next(arm for arm in description.arms if arm.name == name)
        held = {servo.name: servo.memory for servo in bus.arm}
        path = calibration_file(file, description.table)
        known = load_calibration(path)
        if is_known(arm, known.get(name, {}), held):
            print(f"the {name} arm is calibrated as {path} says: kept")
            return
        if theirs := self._file_with(arm, held):
            print(f"the {name} arm is calibrated as in {theirs}")
        elif not all(servo.calibrated for servo in bus.arm):
            uncalibrated = ", ".join(servo.name for servo in bus.arm if not servo.calibrated)
            raise CommandError(
                f"the {name} arm is not calibrated: {uncalibrated}",
                "calibrate it with LeRobot (lerobot-calibrate), then run `heed setup robot` again",
            )
        elif not self.agrees(
            f"LeRobot has no file of the {name} arm here, but its servos are calibrated. Use that?", True
        ):
            raise CommandError("nothing was taken over", "give LeRobot's file: heed hw import-lerobot --file PATH")
        save_calibration(path, {**known, name: with_zeros(file, arm, held, self.ask)})
        print(f"kept in {path}; nothing was written into the servos")

    def _head_calibrated(self, file: Path, arms: Mapping[str, BusFound]) -> None:
        """Take over what the servos of its head hold; one that is not calibrated is not in the file."""
        description = load_description(file, self.config.runtime_directory)
        if description.head is not None:
            path = calibration_file(file, description.table)
            save_calibration(path, {**load_calibration(path), "head": arms[description.head.bus].head})
            print(f"the head is calibrated as its servos are: kept in {path}")

    def _file_with(self, arm: ArmDescription, held: Mapping[str, Memory]) -> Path | None:
        for file in files_for(arm):
            try:
                if file.memories(arm) == held:
                    return file.path
            except CommandError:
                continue
        return None

    # --- config.toml, and the first motion ---

    def _named(self) -> None:
        if self.config.body.robot == FILE:
            return
        file = self.config.folder / "config.toml"
        if self.agrees(f'Shall heed use it from now on (robot = "{FILE}" in {file})?', True):
            write_setting(file, "body", "robot", FILE)

    def _tried(self, file: Path) -> None:
        question = (
            "Each joint will move by three degrees, wheels by a few centimetres; then all stops. "
            "Is the arm free, and nobody within reach?"
        )
        if not self.agrees(question):
            print("not tried yet. Later, while heed runs: heed hw test")
            return
        with tempfile.TemporaryDirectory(prefix="heed-") as folder:
            runtime = Path(folder)
            command = ["-m", "hw.server", "--robot", str(file), "--runtime", folder]
            hardware = BodyProcess("heed-hw", command, runtime / "hw.sock", socket.SOCK_SEQPACKET)
            try:
                hardware.start()
                with Robot(runtime) as robot:
                    robot.activate()
                    results = dict(tried_motions(robot, runtime))
            except (BodyError, HardwareError) as error:
                raise CommandError(f"it could not be tried: {error}", "see `heed doctor`") from error
            finally:
                hardware.close()
        print("\n".join(f"{'ok  ' if not problem else 'FAIL'} {name} {problem}" for name, problem in results.items()))
        if any(results.values()):
            raise CommandError("not every joint did as it was told", "hold the arm, look at that joint, and try again")
        print("Ready: heed run")


def _description_of(model: str, arms: Mapping[str, BusFound]) -> str:
    """The description that comes with heed, with the ports and the supply that were found."""
    text = (ROBOTS / f"{model if len(arms) == 1 or model in SEEN else 'so101-pair'}.toml").read_text(encoding="utf-8")
    if model not in SEEN:
        text = text.replace('"so101"', f'"{model}"')
    sections = re.split(r"(?m)^(?=\[(?:arms\.|base\]|head\]))", text)
    head = next((name for name, bus in arms.items() if len(bus.head) == 2), "")
    for number, section in enumerate(sections):
        if section.startswith("[base]"):
            sections[number] = _on_bus(section, _bus_with_wheels(arms))
        elif section.startswith("[head]"):
            sections[number] = _on_bus(section, head) if head else ""
        for name, bus in arms.items():
            if section.startswith(f"[arms.{name}]"):
                section = re.sub(r'device = "[^"]*".*', f'device = "{bus.port}"', section)
                sections[number] = re.sub(r"voltage = .*", f"voltage = {list(bus.supply)}", section)
    return "".join(sections)


def _on_bus(section: str, arm: str) -> str:
    return re.sub(r'(?m)^bus = "\w+"', f'bus = "{arm}"', section)


def _alone(bus: BusFound) -> BusFound:
    """Return the only arm there is; CommandError for one that hangs on a robot of two."""
    if bus.has_head or (1, bus.wheels) not in {(1, 0), *ROLLING}:
        raise CommandError(f"{bus.besides} on {bus.port}, but no second arm answers", "plug in its cable, too")
    return bus


def _bus_with_wheels(arms: Mapping[str, BusFound]) -> str:
    """Return the arm on whose bus there are wheels, "" where there are none. CommandError where both have some."""
    found = [name for name, bus in arms.items() if bus.wheels]
    if len(found) > 1:
        raise CommandError("two arms have wheels on their buses", "plug in one robot alone, or name its ports")
    return found[0] if found else ""


def _gripper_at(port: Path) -> int:
    with Workbench.open(port, BAUD, Feetech()) as bench:
        return bench.ask(bench.family.position(GRIPPER))


def _told(bus: BusFound) -> str:
    if bus.is_arm:
        return f"an arm, {min(servo.voltage for servo in bus.arm):.1f} V"
    if bus.servos or bus.collisions:
        return "an arm that cannot be used yet"
    return bus.trouble or "no servo answers"
