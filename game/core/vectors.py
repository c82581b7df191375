"""Types of vectors and arrays that all packages share, and the check of a vector. Y is up; lengths are in metres unless
a docstring says otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .limits import MAX_WALKER_SPEED

Vector = tuple[float, float, float]  # x (east), y (up), z (south)
Point = Vector  # a position
Colour = tuple[float, float, float]  # sRGB: red, green, blue, 0 to 1
Corner = Sequence[float]  # a position as three numbers of any sequence

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


def as_vector(value: Any, name: str) -> Vector:
    """`value` as three finite floats. ValueError names the argument `name`."""
    try:
        x, y, z = (float(v) for v in value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be three numbers, not {value!r}") from None
    if not all(map(math.isfinite, (x, y, z))):
        raise ValueError(f"{name} must be finite, not {value!r}")
    return (x, y, z)


def as_velocity(value: Any, name: str) -> Vector:
    """`value` (m/s) as three floats, together at most MAX_WALKER_SPEED. ValueError names the argument `name`."""
    velocity = as_vector(value, name)
    if (speed := math.hypot(*velocity)) > MAX_WALKER_SPEED:
        raise ValueError(f"{name} must be at most {MAX_WALKER_SPEED:g} m/s, not {speed:g} m/s")
    return velocity
