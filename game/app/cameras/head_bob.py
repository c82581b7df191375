"""What walking and landing do to the eye: a bob with each step (off unless set), a small dip on landing.

Nothing of it reaches the simulation; `reduce_motion` takes all of it away, and at rest it is nought to the last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..audio.sound_events import STEP_LENGTH, STEP_LENGTH_PER_SPEED

if TYPE_CHECKING:
    from ...physics import WalkerState

BOB_AMPLITUDE = 0.022  # m up and down of a full bob at BOB_PACE: half of what a head does, which is plenty on a screen
FULL_BOB_SPEED = 4.0  # m/s from which on a bob is full
BOB_BLEND_RATE = 9.0  # 1/s at which the bob comes and goes
STEP_SYNC_RATE = 6.0  # 1/s at which it comes into step with the footsteps that are heard
MIN_LANDING_SPEED = 1.5  # m/s: who lands slower does not dip
DIP_SPEED_FRACTION = 0.35  # of the speed above that, which the eye keeps as it lands
DIP_SPRING_RATE = 14.0  # 1/s: lowest after 0.07 s, all but gone after 0.4 s
MAX_DIP = 0.06  # m
REST_TOLERANCE = 1e-5  # parts and metres under which it is over


class HeadBob:
    """The bob and the dip of one walker, from frame to frame."""

    __slots__ = ("_bob_strength", "_dip", "_dip_speed", "_fall_speed", "_phase", "_was_grounded")

    def __init__(self) -> None:
        self._bob_strength = self._phase = (
            0.0  # how much of a bob there is; where in a step, 0 to 1, 0 as a foot comes down
        )
        self._dip = self._dip_speed = self._fall_speed = 0.0
        self._was_grounded = True

    def update(
        self, state: WalkerState, grounded: bool, seconds: float, bob: float, dips: bool, stride: float | None = None
    ) -> float:
        """Metres that the eye is higher by. `bob`: 0 to 1; `stride`: where in a step the footsteps are, 0 to 1."""
        speed = math.hypot(*state.velocity)
        walks = grounded and not state.sliding and not state.climbing and not state.swimming
        self._update_landing_dip(state, grounded, seconds, dips)
        wanted = bob * min(speed / FULL_BOB_SPEED, 1.0) if walks and bob > 0.0 else 0.0
        self._bob_strength += (wanted - self._bob_strength) * (1.0 - math.exp(-BOB_BLEND_RATE * seconds))
        if wanted == 0.0 and self._bob_strength < REST_TOLERANCE:
            self._bob_strength = self._phase = 0.0
            return self._dip
        if walks:
            self._phase += speed * seconds / (STEP_LENGTH + STEP_LENGTH_PER_SPEED * speed)
            if stride is not None:
                behind = (stride - self._phase + 0.5) % 1.0 - 0.5
                self._phase += behind * (1.0 - math.exp(-STEP_SYNC_RATE * seconds))
            self._phase %= 1.0
        return self._dip - BOB_AMPLITUDE * self._bob_strength * math.cos(math.tau * self._phase)

    def _update_landing_dip(self, state: WalkerState, grounded: bool, seconds: float, dips: bool) -> None:
        """A critically damped spring that a landing pushes down."""
        if grounded and not self._was_grounded and self._fall_speed > MIN_LANDING_SPEED:
            self._dip_speed -= min(
                DIP_SPEED_FRACTION * (self._fall_speed - MIN_LANDING_SPEED), MAX_DIP * DIP_SPRING_RATE * math.e
            )
        self._was_grounded = grounded
        if not state.grounded and not state.swimming and not state.climbing:
            self._fall_speed = -sum(way * part for way, part in zip(state.velocity, state.up, strict=True))
        elif grounded:
            self._fall_speed = 0.0
        decay, pull = math.exp(-DIP_SPRING_RATE * seconds), self._dip_speed + DIP_SPRING_RATE * self._dip
        self._dip, self._dip_speed = (
            max((self._dip + pull * seconds) * decay, -MAX_DIP),
            (self._dip_speed - DIP_SPRING_RATE * pull * seconds) * decay,
        )
        if not dips or (abs(self._dip) < REST_TOLERANCE and abs(self._dip_speed) < REST_TOLERANCE):
            self._dip = self._dip_speed = 0.0
