"""Types of vectors and arrays that all packages share, and the check of a vector. Y is up; lengths are in metres unless
a docstring says otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arguments import as_members, as_number, describe_value

Vector = tuple[float, float, float]  # x (east), y (up), z (south)
Point = Vector  # a position
Bounds = tuple[float, float, float, float, float, float]  # axis-aligned box: least corner, greatest corner
Colour = tuple[float, float, float]  # sRGB: red, green, blue, 0 to 1
Corner = Sequence[float]  # a position as three numbers of any sequence
VectorLike = Sequence[float] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]  # three numbers, as an argument

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Limits that checks of levels name without importing the physics, which loads compiled kernels.
MAX_WALKER_SPEED = 100_000.0  # m/s: a faster velocity is refused, and a tick that begins with one is slowed down
MAX_MOVER_SPEED = 200.0  # m/s at the rim of a mover: a faster one cannot carry or push a walker reliably

UNIT_TOLERANCE = 1e-6  # of a squared length, or of the cosine of a right angle: that of vectors in 32-bit floats


def sum_in_order(values: Iterable[float]) -> float:
    """Sum from left to right, with the same bits in each Python: since 3.12 `sum` of floats compensates rounding."""
    total = 0.0
    for value in values:
        total += value
    return total


def ranges(begin: Indices | int, sizes: Indices) -> tuple[Indices, Indices]:
    """The numbers of n ranges after one another, the i-th from begin[i] on: i of each number, and the number."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes - begin, sizes)


def vector_lengths(vectors: Floats) -> Floats:
    """(N,) lengths of vectors (N,3), with the bits of `np.linalg.norm` in a third of its time."""
    x, y, z = vectors.T
    lengths: Floats = np.sqrt(x * x + y * y + z * z)
    return lengths


def to_point(values: ArrayLike) -> Point:
    """Three numbers of an array or a sequence as floats."""
    x, y, z = np.asarray(values, np.float64).tolist()
    return x, y, z


def gravity_axes(up: VectorLike, north: VectorLike) -> Floats:
    """Rows (3, 3): the unit vectors east, up and south, from two of them, which differ from +Y and -Z under another
    gravity."""
    return np.array((np.cross(north, up), up, np.negative(north)))


def is_within(point: Point, centre: Point, radius: float) -> bool:
    """Whether a point lies in a sphere."""
    dx, dy, dz = point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]
    return dx * dx + dy * dy + dz * dz <= radius * radius


def as_vector(value: Any, name: str, largest: float = math.inf) -> Vector:
    """`value` as three finite floats, each within +-largest. ValueError names the argument `name`."""
    members = as_members(value, name, "three numbers")
    if len(members) != 3:
        raise ValueError(f"{name} must be three numbers, not {describe_value(value)}")
    x, y, z = (as_number(member, f"{name}[{k}]", -largest, largest) for k, member in enumerate(members))
    return (x, y, z)


def as_unit_vector(value: Any, name: str) -> Vector:
    """`value` as three floats of length 1, within UNIT_TOLERANCE."""
    x, y, z = as_vector(value, name)
    if abs(x * x + y * y + z * z - 1.0) > UNIT_TOLERANCE:
        raise ValueError(f"{name} must have the length 1, not {describe_value(value)}")
    return (x, y, z)


def as_velocity(value: Any, name: str) -> Vector:
    """`value` (m/s) as three floats, together at most MAX_WALKER_SPEED. ValueError names the argument `name`."""
    velocity = as_vector(value, name)
    if (speed := math.hypot(*velocity)) > MAX_WALKER_SPEED:
        raise ValueError(f"{name} must be at most {MAX_WALKER_SPEED:g} m/s, not {speed:g} m/s")
    return velocity
