"""Vectors of three floats: the type of points, directions and velocities in signatures, and its check."""

from __future__ import annotations

import math
from typing import Any

Vector = tuple[float, float, float]


def as_vector(value: Any, name: str) -> Vector:
    """`value` as three finite floats. ValueError names the argument `name`."""
    try:
        x, y, z = (float(v) for v in value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be three numbers, not {value!r}") from None
    if not all(map(math.isfinite, (x, y, z))):
        raise ValueError(f"{name} must be finite, not {value!r}")
    return (x, y, z)
