"""Head bob: a vertical oscillation of the eye with each step (off by default) and a small dip on landing.

It does not reach the simulation. The setting `reduce_motion` disables it, and at rest it is exactly zero.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...core.springs import Spring, ease_fraction
from ..audio.sound_events import STEP_LENGTH, STEP_LENGTH_PER_SPEED

if TYPE_CHECKING:
    from ...physics import WalkerState

BOB_AMPLITUDE = 0.022  # m at FULL_BOB_SPEED: half of a real head's, which is enough on a screen
FULL_BOB_SPEED = 4.0  # m/s from which on the bob has its full amplitude
BOB_BLEND_RATE = 9.0  # 1/s at which the bob fades in and out
STEP_SYNC_RATE = 6.0  # 1/s at which its phase follows the footsteps that are heard
MIN_LANDING_SPEED = 1.5  # m/s: a slower landing makes no dip
DIP_SPEED_FRACTION = 0.35  # initial speed of the dip over the landing speed above MIN_LANDING_SPEED
DIP_SPRING_RATE = 14.0  # 1/s: lowest after 0.07 s, nearly over after 0.4 s
MAX_DIP = 0.06  # m
REST_TOLERANCE = 1e-5  # m, m/s and strength below which the motion ends


class HeadBob:
    """Bob and landing dip of one walker, advanced once a frame."""

    __slots__ = ("_bob_strength", "_dip", "_fall_speed", "_phase", "_was_grounded")

    def __init__(self) -> None:
        self._bob_strength = 0.0  # 0 to 1
        self._phase = 0.0  # in a step, 0 to 1; 0 as a foot comes down
        self._dip = Spring()  # offset of the eye (m), negative after a landing
        self._fall_speed = 0.0  # m/s along down
        self._was_grounded = True

    def update(
        self, state: WalkerState, grounded: bool, seconds: float, bob: float, dips: bool, stride: float | None = None
    ) -> float:
        """Offset of the eye (m) along up. bob: amplitude, 0 to 1; stride: phase of the audible footsteps, 0 to 1."""
        speed = math.hypot(*state.velocity)
        walks = grounded and not state.sliding and not state.climbing and not state.swimming
        self._update_landing_dip(state, grounded, seconds, dips)
        wanted = bob * min(speed / FULL_BOB_SPEED, 1.0) if walks and bob > 0.0 else 0.0
        self._bob_strength += (wanted - self._bob_strength) * ease_fraction(BOB_BLEND_RATE, seconds)
        if wanted == 0.0 and self._bob_strength < REST_TOLERANCE:
            self._bob_strength = self._phase = 0.0
            return self._dip.offset
        if walks:
            self._phase += speed * seconds / (STEP_LENGTH + STEP_LENGTH_PER_SPEED * speed)
            if stride is not None:
                behind = (stride - self._phase + 0.5) % 1.0 - 0.5
                self._phase += behind * ease_fraction(STEP_SYNC_RATE, seconds)
            self._phase %= 1.0
        return self._dip.offset - BOB_AMPLITUDE * self._bob_strength * math.cos(math.tau * self._phase)

    def _update_landing_dip(self, state: WalkerState, grounded: bool, seconds: float, dips: bool) -> None:
        """Advance the critically damped spring that a landing pushes down."""
        if grounded and not self._was_grounded and self._fall_speed > MIN_LANDING_SPEED:
            self._dip.speed -= min(
                DIP_SPEED_FRACTION * (self._fall_speed - MIN_LANDING_SPEED), MAX_DIP * DIP_SPRING_RATE * math.e
            )
        self._was_grounded = grounded
        if not state.grounded and not state.swimming and not state.climbing:
            self._fall_speed = -sum(speed * axis for speed, axis in zip(state.velocity, state.up, strict=True))
        elif grounded:
            self._fall_speed = 0.0
        self._dip.advance(seconds, DIP_SPRING_RATE)
        self._dip.offset = max(self._dip.offset, -MAX_DIP)
        self._dip.settle(REST_TOLERANCE)
        if not dips:
            self._dip = Spring()
