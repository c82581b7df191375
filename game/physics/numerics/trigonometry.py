"""Sine and cosine from an integer heading by one fixed polynomial: the same bits on every machine.

Octant reduction makes quarter turns exact, so a level turned by 90 degrees gives a turned trace, and half a turn
changes signs only, which is why an ellipsoid turned by half is the same shape bit for bit.
"""

from __future__ import annotations

from .jit import kernel

HEADING_UNITS_PER_TURN = 65536  # heading units to the turn
HEADING_UNITS_PER_QUARTER_TURN = HEADING_UNITS_PER_TURN // 4
RADIANS_PER_HEADING_UNIT = 9.587379924285257e-05  # radians in a heading unit: 2 pi / 65536


@kernel
def sin_cos_small(x: float) -> tuple[float, float]:
    """Sine and cosine for |x| <= pi/4, within 2 units in the last place (Taylor, first term left out < 1e-18)."""
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
    """(sin, cos) of an integer heading, any int; 65536 to the turn."""
    h = heading % 65536
    quarter = h // 16384
    r = h - quarter * 16384
    if r <= 8192:
        s, c = sin_cos_small(r * RADIANS_PER_HEADING_UNIT)
    else:
        c, s = sin_cos_small((16384 - r) * RADIANS_PER_HEADING_UNIT)
    if quarter == 0:
        return s, c
    if quarter == 1:
        return c, -s
    if quarter == 2:
        return -s, -c
    return -c, s
