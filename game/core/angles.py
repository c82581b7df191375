"""Headings: integers of 65536 to the turn, counter-clockwise seen from above, 0 along -Z (north)."""

from __future__ import annotations

import math
from typing import Any

HEADING_UNITS_PER_TURN = 65536
HEADING_UNITS_PER_HALF_TURN = HEADING_UNITS_PER_TURN // 2
HEADING_UNITS_PER_QUARTER_TURN = HEADING_UNITS_PER_TURN // 4
RADIANS_PER_HEADING_UNIT = math.tau / HEADING_UNITS_PER_TURN
DEGREES_PER_HEADING_UNIT = 360.0 / HEADING_UNITS_PER_TURN


def heading_from_degrees(degrees: float) -> int:
    """Heading (0..65535) of an angle in degrees counter-clockwise from north."""
    return round(degrees / 360.0 * HEADING_UNITS_PER_TURN) % HEADING_UNITS_PER_TURN


def wrap_heading(heading: Any) -> Any:
    """Heading within -32768..32767, of a number or an array: the shortest rotation for a difference of headings."""
    return (heading + HEADING_UNITS_PER_HALF_TURN) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_HALF_TURN
