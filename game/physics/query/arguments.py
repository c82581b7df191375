"""What callers pass, checked and converted once at the door: numbers, vectors, rows of a query."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MAX_COORDINATE = 1e9  # metres: positions and displacements beyond this are a mistake in the caller's program


def as_numbers(value: ArrayLike, name: str, infinite: bool = False) -> Floats:
    """Floats of our own, any shape; ValueError for what is no number, nan, or (unless allowed) infinite."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "fiu":
            raise TypeError
        floats = given.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers, got {value!r:.80}") from None
    if np.isnan(floats).any() or not (infinite or np.isfinite(floats).all()):
        raise ValueError(f"{name}: must be finite, got {value!r:.80}")
    return floats


def as_vectors(value: ArrayLike, name: str, largest: float = MAX_COORDINATE) -> Floats:
    """(3,) or (K,3) finite floats, none beyond `largest`."""
    floats = as_numbers(value, name)
    if floats.ndim not in (1, 2) or floats.shape[-1] != 3:
        raise ValueError(f"{name}: expected x, y, z or an array of shape (K, 3), got shape {floats.shape}")
    if (np.abs(floats) > largest).any():
        raise ValueError(f"{name}: must lie within {largest:g} m, got {value!r:.80}")
    return floats


def as_scalars(value: ArrayLike, name: str, infinite: bool = False, what: str = "number") -> Floats:
    """() or (K,) floats."""
    floats = as_numbers(value, name, infinite)
    if floats.ndim > 1:
        raise ValueError(f"{name}: expected one {what} or an array of shape (K,), got shape {floats.shape}")
    return floats


def join_columns(names: str, *columns: Floats) -> Floats:
    """Columns (..., c) side by side, one row a query: a single value serves all rows."""
    counts = {len(column) for column in columns if column.ndim == 2}
    if len(counts) > 1:
        raise ValueError(f"{names}: arrays of different lengths {sorted(counts)}")
    count = counts.pop() if counts else 1
    return np.concatenate([np.broadcast_to(column, (count, column.shape[-1])) for column in columns], axis=1)


def as_directions(value: ArrayLike, name: str) -> Floats:
    """(3,) or (K,3) unit vectors from vectors of any length but zero."""
    ways = as_vectors(value, name, 1e100)
    largest = np.abs(ways).max(axis=-1, keepdims=True, initial=0.0)
    if (largest == 0.0).any():
        raise ValueError(f"{name}: has no length")
    ways = ways / largest
    squares = ways * ways
    units: Floats = ways / np.sqrt(squares[..., :1] + squares[..., 1:2] + squares[..., 2:])
    return units


def as_rays(origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike) -> tuple[Floats, bool]:
    """(K,7): origin, unit direction, limit in metres; and whether one ray was asked for, not an array of them."""
    origins, ways = as_vectors(origin, "origin"), as_directions(direction, "direction")
    limits = as_scalars(max_distance, "max_distance", infinite=True)
    if (limits < 0.0).any():
        raise ValueError("max_distance: must not be negative")
    table = join_columns("origin, direction and max_distance", origins, ways, limits[..., None])
    return table, origins.ndim == ways.ndim == 1 and limits.ndim == 0


def as_sin_cos(yaw: ArrayLike) -> Floats:
    """(..., 2): sine and cosine of angles in radians."""
    angles = as_scalars(yaw, "yaw", what="angle")
    pairs = np.array([(math.sin(angle), math.cos(angle)) for angle in angles.ravel().tolist()])
    return pairs.reshape(*angles.shape, 2)
