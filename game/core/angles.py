"""Headings: integers of 65536 to the turn, counter-clockwise seen from above, 0 along -Z (north)."""

from __future__ import annotations

import math

HEADING_UNITS_PER_TURN = 65536
RADIANS_PER_HEADING_UNIT = math.tau / HEADING_UNITS_PER_TURN
DEGREES_PER_HEADING_UNIT = 360.0 / HEADING_UNITS_PER_TURN


def heading_from_degrees(degrees: float) -> int:
    """Heading (0..65535) of an angle in degrees counter-clockwise from north."""
    return round(degrees / 360.0 * HEADING_UNITS_PER_TURN) % HEADING_UNITS_PER_TURN


def shortest_turn(start: float, end: float) -> float:
    """Signed smallest turn from one heading to another: -32768 to 32767 heading units."""
    half = HEADING_UNITS_PER_TURN / 2
    return (end - start + half) % HEADING_UNITS_PER_TURN - half
