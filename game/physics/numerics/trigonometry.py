"""Sine and cosine of integer headings by a fixed polynomial: the same bits on every machine.

Reduction to one octant makes quarter turns exact: a level rotated by 90 degrees gives a rotated walk. A half turn
changes only signs, so an ellipsoid rotated by a half turn is the same shape to the bit.
"""

from __future__ import annotations

from ...core.angles import HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from .jit import kernel


@kernel
def sin_cos_small(x: float) -> tuple[float, float]:
    """Sine and cosine of |x| <= pi/4 radians by Taylor series, within 2 units in the last place (remainder < 1e-18)."""
    y = x * x
    s = 1.0 + y * (
        -1.0 / 6.0
        + y
        * (
            1.0 / 120.0
            + y
            * (
                -1.0 / 5040.0
                + y
                * (1.0 / 362880.0 + y * (-1.0 / 39916800.0 + y * (1.0 / 6227020800.0 - y * (1.0 / 1307674368000.0))))
            )
        )
    )
    c = 1.0 + y * (
        -0.5
        + y
        * (
            1.0 / 24.0
            + y
            * (
                -1.0 / 720.0
                + y
                * (
                    1.0 / 40320.0
                    + y
                    * (
                        -1.0 / 3628800.0
                        + y * (1.0 / 479001600.0 + y * (-1.0 / 87178291200.0 + y * (1.0 / 20922789888000.0)))
                    )
                )
            )
        )
    )
    return x * s, c


@kernel
def heading_sin_cos(heading: int) -> tuple[float, float]:
    """(sin, cos) of an integer heading, 65536 to the turn; any int."""
    h = heading % HEADING_UNITS_PER_TURN
    quarter = h // HEADING_UNITS_PER_QUARTER_TURN
    r = h - quarter * HEADING_UNITS_PER_QUARTER_TURN
    if r <= HEADING_UNITS_PER_QUARTER_TURN // 2:
        s, c = sin_cos_small(r * RADIANS_PER_HEADING_UNIT)
    else:
        c, s = sin_cos_small((HEADING_UNITS_PER_QUARTER_TURN - r) * RADIANS_PER_HEADING_UNIT)
    if quarter == 0:
        return s, c
    if quarter == 1:
        return c, -s
    if quarter == 2:
        return -s, -c
    return -c, s
