"""Feetech wheels that are told velocities, where a dead-man outside of them cuts their supply (hw/dead_man.py).

It is tried whenever the wheels shall get torque: the heartbeat is withheld, and the servos must fall silent in time.
The heart beats only while every wheel is seen, and is no faster than it was told; so that it is all the same whether
the bus falls silent, this process is killed, or the computer dies.
"""

import math
from pathlib import Path

from hw import feetech_wheel
from hw.base_description import ServoBaseDescription
from hw.dead_man import PAUSE, UNSEEN, DeadMan, Hearing, Heartbeat, SilenceTrial
from hw.device_faults import ComponentError
from hw.servo import Procedure
from hw.servo_base import TURN, ServoBase
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.spinning import SpinningWheels


class SpinningBase(ServoBase):
    """A servo for each wheel, and a board that cuts them off."""

    wheels: SpinningWheels

    def __init__(
        self,
        description: ServoBaseDescription,
        dead_man: DeadMan,
        heartbeat: Heartbeat,
        port: ServoPort,
        feedback_timeout: float,
        note: Path | None = None,
    ) -> None:
        super().__init__(description, SpinningWheels(description.joints), port, feedback_timeout, note)
        self._dead_man = dead_man
        self._heartbeat = heartbeat
        self._trial: SilenceTrial | None = None
        self._had_torque = False
        """Some wheel may have torque: the heart beats for those alone that obey."""

    @property
    def resting(self) -> bool:
        """Return no, always: the heart beats a hundred times a second."""
        return False

    @property
    def activating(self) -> bool:
        return self._trial is not None or super().activating

    def tick(self, now: float, dt: float) -> None:
        self._guard(lambda: self._beat(now))
        super().tick(now, dt)

    def close(self) -> None:
        super().close()
        self._heartbeat.close()

    def _beat(self, now: float) -> None:
        if self._may_beat(now):
            self._heartbeat.beat(now)

    def _may_beat(self, now: float) -> bool:
        if self._trial:
            return self._trial.beats
        self._had_torque = self._had_torque or self.powered
        if now - self._heartbeat.beaten_at > PAUSE:
            self.powered = self._had_torque = False
        elif not self.powered and self._limp:
            self._had_torque = False
        return not self._had_torque or self._obeys(now)

    @property
    def _limp(self) -> bool:
        """Every wheel has said that it has no torque."""
        return self._servos.open and all(self._servos.bus.limp(joint.servo) for joint in self.wheels.joints)

    def _obeys(self, now: float) -> bool:
        """Every wheel was seen just now, and is no faster than it was told; or stood when somebody else was asked."""
        if not self._servos.open:
            return False
        if self._servos.bus.paused:
            return self.at_rest
        return now - self._servos.seen_at < UNSEEN and self.wheels.obey(TURN * self.fastest)

    def _open(self, now: float) -> None:
        self._heartbeat.open()
        super()._open(now)

    def _close_port(self) -> None:
        super()._close_port()
        self._trial = None

    def _give_up(self) -> None:
        super()._give_up()
        self._trial = None

    def _activate(self, now: float) -> None:
        """Without torque first: then it is all the same how the trial ends."""
        self._release()
        self.powered = False
        self._trial = SilenceTrial(self._dead_man.within, now)

    def _tick(self, now: float, dt: float) -> None:
        if self._trial:
            self._servos.bus.cycle(now, {})
            self._go_on_with(self._trial, now)
            return
        if not self.powered:
            self.wheels.roll((0.0,) * len(self.wheels.joints), dt)
        super()._tick(now, dt)

    def _go_on_with(self, trial: SilenceTrial, now: float) -> None:
        try:
            trial.look(now, self._heard())
        except ComponentError:
            self._trial = None
            raise
        if trial.done:
            self._trial = None
            self._servos.bus.start(self._power(), now)

    def _heard(self) -> Hearing:
        bus = self._servos.bus
        ours = [joint.servo for joint in self.wheels.joints]
        at = {servo: reading.at for servo, reading in bus.readings.items()}
        return Hearing(
            wheels={servo: at.get(servo, -math.inf) for servo in ours},
            others=max((heard for servo, heard in at.items() if servo not in ours), default=-math.inf),
            cycles=bus.counters.cycles,
            paused=bus.paused,
        )

    def _set_up(self, servo: int) -> Procedure:
        yield from feetech_wheel.set_up_to_spin(servo)

    def _hold(self, number: int, joint: ServoJoint) -> Procedure:
        yield from feetech_wheel.stand(joint.servo, joint.effort)
        self._know(number, (yield from self._servos.family.position(joint.servo)))
