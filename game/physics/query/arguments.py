"""Conversion and checks of query arguments: numbers, vectors, directions, rays. Errors name the argument."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MAX_COORDINATE = 1e9  # m: larger positions and displacements are an error of the caller


def as_numbers(value: ArrayLike, name: str, infinite: bool = False) -> Floats:
    """Copy of `value` as floats of any shape. ValueError for other types, nan, or infinity unless `infinite`."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiu":
            raise TypeError
        floats = array.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers, got {value!r:.80}") from None
    if np.isnan(floats).any() or not (infinite or np.isfinite(floats).all()):
        raise ValueError(f"{name}: must be finite, got {value!r:.80}")
    return floats


def as_vectors(value: ArrayLike, name: str, largest: float = MAX_COORDINATE) -> Floats:
    """(3,) or (K,3) finite floats with |coordinate| <= largest."""
    floats = as_numbers(value, name)
    if floats.ndim not in (1, 2) or floats.shape[-1] != 3:
        raise ValueError(f"{name}: expected x, y, z or an array of shape (K, 3), got shape {floats.shape}")
    if (np.abs(floats) > largest).any():
        raise ValueError(f"{name}: must lie within {largest:g} m, got {value!r:.80}")
    return floats


def as_scalars(value: ArrayLike, name: str, infinite: bool = False, noun: str = "number") -> Floats:
    """() or (K,) floats. noun: of the value, for the message."""
    floats = as_numbers(value, name, infinite)
    if floats.ndim > 1:
        raise ValueError(f"{name}: expected one {noun} or an array of shape (K,), got shape {floats.shape}")
    return floats


def join_columns(names: str, *columns: Floats, single: bool = False) -> Floats:
    """Columns (c,) or (K,c) side by side: (K, sum of c), one row a query; a single value is repeated in all rows.

    ValueError for arrays of different lengths, and for any array if `single`.
    """
    counts = {len(column) for column in columns if column.ndim == 2}
    if counts and single:
        raise ValueError(f"{names}: an array of {counts.pop()} rows needs the query whose name ends in _many")
    if len(counts) > 1:
        raise ValueError(f"{names}: arrays of different lengths {sorted(counts)}")
    count = counts.pop() if counts else 1
    return np.concatenate([np.broadcast_to(column, (count, column.shape[-1])) for column in columns], axis=1)


def row_lengths(vectors: Floats) -> Floats:
    """(K,) lengths of vectors (K,3), with a fixed order of operations."""
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    lengths: Floats = np.sqrt(x * x + y * y + z * z)
    return lengths


def as_directions(value: ArrayLike, name: str) -> Floats:
    """(3,) or (K,3) unit vectors from vectors of any length but zero."""
    vectors = as_vectors(value, name, 1e100)
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    if (largest == 0.0).any():
        raise ValueError(f"{name}: has no length")
    vectors = vectors / largest
    squares = vectors * vectors
    units: Floats = vectors / np.sqrt(squares[..., :1] + squares[..., 1:2] + squares[..., 2:])
    return units


def as_rays(origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike, single: bool = False) -> Floats:
    """(K,7) rays (origin, unit direction, limit in metres); ValueError for arrays if `single`."""
    origins, directions = as_vectors(origin, "origin"), as_directions(direction, "direction")
    limits = as_scalars(max_distance, "max_distance", infinite=True)
    if (limits < 0.0).any():
        raise ValueError("max_distance: must not be negative")
    return join_columns("origin, direction and max_distance", origins, directions, limits[..., None], single=single)


def as_sin_cos(yaw: ArrayLike) -> Floats:
    """(..., 2): sine and cosine of angles in radians."""
    angles = as_scalars(yaw, "yaw", noun="angle")
    pairs = np.array([(math.sin(angle), math.cos(angle)) for angle in angles.ravel().tolist()])
    return pairs.reshape(*angles.shape, 2)
