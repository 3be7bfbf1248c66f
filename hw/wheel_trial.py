"""What only a wheel of metal can tell, tried on one servo that turns freely: the robot is lifted, heed-hw does not run.

Every motion here is a goal that ends by itself: a wrong register makes it too fast or too slow, never endless.
"""

import statistics
import time
from dataclasses import dataclass

from hw import feetech_wheel
from hw.feetech import REGISTERS, Feetech
from hw.protocol import sts
from hw.protocol.sts import STEPS_PER_TURN, PhaseBits
from hw.rolling import LEAD
from hw.servo import Target
from hw.workbench import Workbench

EFFORT = 0.5
"""Share of the stall torque: enough for a wheel in the air, little enough for a finger."""
SHORT, SLOW = 300, 300
"""Steps, and steps per second: a second where speeds count in steps, a tenth of one where they count in fifties."""
TENTH = STEPS_PER_TURN // 10
TICK = 0.01
SETTLED = 0.4
"""Seconds after which a wheel has come to rest that was told nothing more."""
STAYS = 20
"""Steps, under two degrees: nearer is the same place."""


@dataclass(frozen=True)
class WheelFindings:
    """Findings about one wheel."""

    phase: int
    """As the servo holds it."""
    in_steps: bool
    """A speed of 300 was 300 steps per second."""
    zero_is_full: bool
    """Told to go somewhere with a speed of 0, it went."""
    unevenness: float
    """Standard deviation of its speed, as a share of it, while its goals were replaced a hundred times a second."""
    rolled_on: int
    """Steps that it went on after the last packet."""
    allowed: int
    """Steps that it might."""
    counted_on: bool
    """The count went on beyond one turn."""
    counted_anew: bool
    """The count began anew where the shaft stood, and it stayed there when it got its torque."""

    @property
    def faults(self) -> list[str]:
        """Return what speaks against driving with it, a sentence each."""
        told = []
        if not self.in_steps:
            told.append("speeds do not count in steps per second: set bit 2 of Phase with Feetech's own program")
        if not self.counted_on:
            told.append("its count does not go on from turn to turn: tell us its firmware")
        if not self.counted_anew:
            told.append("its count does not begin anew as it should: drive no further than two metres at a time")
        if self.rolled_on > self.allowed:
            told.append(f"it rolled on by {self.rolled_on} steps, more than {self.allowed}: do not drive with it")
        return told


class WheelTrial:
    """One wheel behind a port that nobody else has."""

    def __init__(self, bench: Workbench, servo: int, speed: int = 1500) -> None:
        """speed: steps per second of its longest motion."""
        self._bench = bench
        self._servo = servo
        self._speed = speed
        self._family = Feetech()

    def begin(self) -> int:
        """Set it up as heed does, hold it where it is; Phase as it was found."""
        phase = self._bench.ask(REGISTERS.read(self._servo, sts.PHASE))
        self._bench.ask(feetech_wheel.set_up(self._servo))
        self._hold()
        return phase

    def turn_a_tenth(self) -> int:
        """A tenth of a turn in its positive direction; the steps that it went."""
        begun = self._where()
        self._tell(begun + TENTH, TENTH)
        time.sleep(1.0 + SETTLED)
        return self._where() - begun

    def find_out(self, phase: int) -> WheelFindings:
        """Find out everything else; it takes some seconds, and ends without torque."""
        in_steps, zero_is_full = self._counts_in_steps(), self._zero_is_full()
        speeds, rolled_on, counted_on = self._roll()
        return WheelFindings(
            phase=phase,
            in_steps=in_steps,
            zero_is_full=zero_is_full,
            unevenness=round(statistics.pstdev(speeds) / self._speed, 3),
            rolled_on=rolled_on,
            allowed=round(0.1 * self._speed) + STAYS,
            counted_on=counted_on,
            counted_anew=self._counts_anew(),
        )

    def let_go(self) -> None:
        self._bench.release([self._servo])

    def _counts_in_steps(self) -> bool:
        begun = self._where()
        self._tell(begun + SHORT, SLOW)
        time.sleep(SHORT / SLOW / 2)
        halfway = self._where() - begun
        time.sleep(SHORT / SLOW / 2 + SETTLED)
        return SHORT / 4 < halfway < SHORT * 3 / 4

    def _zero_is_full(self) -> bool:
        begun = self._where()
        self._tell(begun + SHORT, 0)
        time.sleep(SETTLED)
        went = abs(self._where() - begun) > SHORT / 2
        self._tell(self._where(), SLOW)
        return went

    def _roll(self) -> tuple[list[float], int, bool]:
        """A turn and more with goals that are replaced, then silence: speeds, steps gone on, whether the count did."""
        begun = at = self._where()
        started = seen_at = time.monotonic()
        speeds = []
        while at < begun + STEPS_PER_TURN + TENTH and time.monotonic() < started + 3 * STEPS_PER_TURN / self._speed:
            place = begun + self._speed * (time.monotonic() - started)
            self._tell(min(round(place + self._speed * LEAD), at + round(0.1 * self._speed)), self._speed)
            time.sleep(TICK)
            before, before_at, at, seen_at = at, seen_at, self._where(), time.monotonic()
            speeds.append((at - before) / (seen_at - before_at))
        time.sleep(SETTLED)
        end = self._where()
        return speeds[len(speeds) // 5 :], abs(end - at), end > begun + STEPS_PER_TURN

    def _counts_anew(self) -> bool:
        before = self._where()
        after = self._bench.ask(feetech_wheel.count_anew(self._servo))
        moved = (after - before + STEPS_PER_TURN // 2) % STEPS_PER_TURN - STEPS_PER_TURN // 2
        held = self._hold()
        time.sleep(SETTLED)
        return 0 <= after < STEPS_PER_TURN and abs(moved) < STAYS and abs(self._where() - held) < STAYS

    def _hold(self) -> int:
        steps = self._bench.ask(self._family.position(self._servo))
        self._bench.ask(self._family.power(self._servo, steps, EFFORT))
        return steps

    def _where(self) -> int:
        return self._bench.ask(REGISTERS.read(self._servo, sts.PRESENT_POSITION, slack=TENTH))

    def _tell(self, steps: int, speed: int) -> None:
        self._bench.tell(self._family.goals({self._servo: Target(steps, speed)}))


def right_phase(found: WheelFindings) -> int | None:
    """Return what `phase` in [base] may say of this wheel; None where it must not be driven like this."""
    return found.phase & (PhaseBits.SPEED_IN_STEPS | PhaseBits.ZERO_IS_FULL) if found.in_steps else None
