"""Critically damped spring, integrated exactly: the result does not depend on the frame rate.

The offset x obeys x'' + 2 r x' + r^2 x = 0 with the rate r (1/s); a target that moves at a constant velocity v leaves
the steady offset -2 v / r.
"""

from __future__ import annotations

import math
from typing import TypeVar

from .vectors import Floats

Number = TypeVar("Number", float, Floats)


class Spring:
    """Critically damped spring of one coordinate.

    offset   position minus target (m, radians or no unit)
    speed    rate of change of the position (unit of the offset per second)
    """

    __slots__ = ("offset", "speed")

    def __init__(self, offset: float = 0.0) -> None:
        self.offset, self.speed = offset, 0.0

    def advance(self, seconds: float, rate: float, target_speed: float = 0.0) -> None:
        """Integrate over `seconds` at `rate` (1/s); the target moves at the constant `target_speed` meanwhile."""
        lag = 2.0 * target_speed / rate
        offset, speed = self.offset + lag, self.speed - target_speed
        decay = math.exp(-rate * seconds)
        pull = speed + rate * offset
        self.offset = (offset + pull * seconds) * decay - lag
        self.speed = (speed - rate * pull * seconds) * decay + target_speed

    def settle(self, tolerance: float) -> None:
        """Set offset and speed to exactly zero where both are below `tolerance`."""
        if abs(self.offset) < tolerance and abs(self.speed) < tolerance:
            self.offset = self.speed = 0.0


def ease_fraction(rate: float, seconds: float) -> float:
    """Fraction (0 to 1) of the remaining way that exponential smoothing at `rate` (1/s) covers in `seconds`."""
    return 1.0 - math.exp(-rate * seconds)


def smoothstep(fraction: Number) -> Number:
    """A fraction (0 to 1) of a way with a soft begin and end: cubic Hermite step."""
    return fraction * fraction * (3.0 - 2.0 * fraction)


def fade(now: float, target: float, max_change: float) -> float:
    """A number one step nearer to its target."""
    return now + min(max(target - now, -max_change), max_change)
