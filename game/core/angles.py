"""Headings: integers of 65536 to the turn, counter-clockwise seen from above, 0 along -Z (north)."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .arguments import as_integer, as_number, describe_value

HEADING_UNITS_PER_TURN = 65536
HEADING_UNITS_PER_HALF_TURN = HEADING_UNITS_PER_TURN // 2
HEADING_UNITS_PER_QUARTER_TURN = HEADING_UNITS_PER_TURN // 4
RADIANS_PER_HEADING_UNIT = math.tau / HEADING_UNITS_PER_TURN
DEGREES_PER_HEADING_UNIT = 360.0 / HEADING_UNITS_PER_TURN
MAX_DEGREES = 1e12  # beyond it a float no longer tells headings apart


@overload
def heading_from_degrees(degrees: float) -> int: ...
@overload
def heading_from_degrees(degrees: NDArray[Any] | list[float]) -> NDArray[np.int64]: ...
def heading_from_degrees(degrees: Any) -> Any:
    """Heading (0..65535) of an angle in degrees counter-clockwise from north, or of each of an array. ValueError unless
    finite."""
    if isinstance(degrees, list) or (isinstance(degrees, np.ndarray) and degrees.ndim > 0):
        with suppress(ValueError):  # a list of lists of unequal lengths is no array
            angles = np.asarray(degrees)
            if angles.dtype.kind in "fiu" and (np.abs(angles) <= MAX_DEGREES).all():
                return np.rint(angles / 360.0 * HEADING_UNITS_PER_TURN).astype(np.int64) % HEADING_UNITS_PER_TURN
        raise ValueError(f"degrees must be finite numbers within ±{MAX_DEGREES:g}, not {describe_value(degrees)}")
    degrees = as_number(degrees, "degrees", -MAX_DEGREES, MAX_DEGREES)
    return round(degrees / 360.0 * HEADING_UNITS_PER_TURN) % HEADING_UNITS_PER_TURN


def degrees_from_heading(heading: int) -> float:
    """Angle (0 <= degrees < 360) counter-clockwise from north, of a heading. ValueError unless it is an integer."""
    return as_integer(heading, "heading", None, None) % HEADING_UNITS_PER_TURN * DEGREES_PER_HEADING_UNIT


def wrap_heading(heading: Any) -> Any:
    """Heading within -32768..32767, of a number or an array: the shortest rotation for a difference of headings."""
    return (heading + HEADING_UNITS_PER_HALF_TURN) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_HALF_TURN
