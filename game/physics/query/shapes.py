"""Spheres, capsules and boxes at a position, one or K of them; queries of pairs, and of rays against them.

Overlap, signed distance and sweep of shapes: one row a query, one kernel over all rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...core.vectors import Flags, Floats, VectorLike
from ..numerics.jit import allocating
from ..numerics.vectors import vector_at
from .arguments import as_numbers, as_rays, as_scalars, as_sin_cos, as_vectors, join_columns, row_lengths
from .results import Gap, Gaps, Touch, Touches
from .rows import closest, gap_row, shape_row, touch_row
from .sat import NO_TIME_OF_IMPACT
from .time_of_impact import SCRATCH_SIZE, pair_time_of_impact, pair_tolerance, separation

MIN_SHAPE_SIZE, MAX_SHAPE_SIZE = 1e-6, 1e6  # m: radii and half sizes
ORTHONORMAL_TOLERANCE = 1e-9  # highest error of the products of a rotation's columns


class Shape:
    """One shape, or K shapes of one class (`len`, index, iterate). Immutable; equality and hash are of the rows.

    rows (K,16): rows.shape_row, read-only. single: one shape, not an array of one.
    """

    __slots__ = {"rows": "Array of the shapes, for the kernels.", "single": "False if made from arrays, of K shapes."}

    rows: Floats
    single: bool

    def __init__(self, rows: Floats, single: bool) -> None:
        copied = np.ascontiguousarray(rows, dtype=np.float64) + 0.0
        copied.flags.writeable = False
        self._set(copied, single)

    def _set(self, rows: Floats, single: bool) -> None:
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "single", single)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; create a new one")

    @classmethod
    def _from_rows(cls, rows: Floats, single: bool) -> Self:
        shape = cls.__new__(cls)
        Shape.__init__(shape, rows, single)
        return shape

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._from_rows, (np.array(self.rows), self.single)

    def __len__(self) -> int:
        if self.single:
            raise TypeError(f"a single {type(self).__name__} has no len(); one made from arrays does")
        return len(self.rows)

    def __getitem__(self, index: int) -> Self:
        return type(self)._from_rows(self.rows[range(len(self))[index]][None], True)

    def __iter__(self) -> Iterator[Self]:
        for index in range(len(self)):
            yield self[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return (type(self), self.single, self.rows.tobytes()) == (
            type(other),
            other.single,
            other.rows.tobytes(),
        )

    def __hash__(self) -> int:
        return hash((type(self), self.single, self.rows.tobytes()))

    def __repr__(self) -> str:
        if not self.single:
            return f"<{type(self).__name__}: {len(self.rows)}>"
        x, y, z = self.rows[0, :3].tolist()
        return f"<{type(self).__name__} at ({x:g}, {y:g}, {z:g})>"

    @property
    def centre(self) -> Floats:
        """(3,) or (K,3), metres."""
        return self._column(shape_row.CENTRE, shape_row.CENTRE + 3)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Least and greatest corner of the axis-aligned box: (3,) or (K,3) each, metres."""
        half = self.reach
        return self.centre - half, self.centre + half

    @property
    def reach(self) -> Floats:
        """(3,) or (K,3): half extents of the axis-aligned box along x, y and z, metres."""
        rows = self.rows
        extents = (
            np.abs(rows[:, shape_row.AXES : shape_row.HALF_SIZES]).reshape(-1, 3, 3)
            * rows[:, shape_row.HALF_SIZES : shape_row.RADIUS, None]
        )
        half = extents[:, 0] + extents[:, 1] + extents[:, 2] + rows[:, shape_row.RADIUS :]
        return half[0] if self.single else half

    def _column(self, first: int, end: int) -> Floats:
        columns = self.rows[:, first:end]
        return columns[0] if self.single else columns

    def _number(self, column: int) -> Any:
        return float(self.rows[0, column]) if self.single else self.rows[:, column]

    def moved(self, by: ArrayLike) -> Self:
        """The same shape moved by `by` (m); (K,3) gives K shapes."""
        displacement = as_vectors(by, "by")
        table = join_columns("the shapes and by", query_rows(self), displacement)
        rows = table[:, : shape_row.WIDTH].copy()
        rows[:, :3] += table[:, shape_row.WIDTH :]
        return type(self)._from_rows(rows, self.single and displacement.ndim == 1)

    def overlaps(self, other: Shape) -> bool:
        """Whether the two solid shapes touch or overlap.

        Touching counts, within rounding (about 1e-14 of sizes and distance).
        """
        return bool(self._overlaps(_pair_rows(self, other, single=True))[0])

    def overlaps_many(self, other: Shape) -> Flags:
        """(K,): `overlaps` for K pairs; a single shape is repeated for K others."""
        return self._overlaps(_pair_rows(self, other))

    def _overlaps(self, pairs: Floats) -> Flags:
        results = np.empty(len(pairs), np.bool_)
        overlap_pairs(*_split_pairs(pairs)[:2], results)
        return results

    def gap(self, other: Shape) -> Gap:
        """Signed distance and closest points. A negative distance is the penetration depth: the shortest translation
        out, along `normal`."""
        return self._gaps(_pair_rows(self, other, single=True))[0]

    def gap_many(self, other: Shape) -> Gaps:
        """`gap` for K pairs; a single shape is repeated for K others."""
        return self._gaps(_pair_rows(self, other))

    def _gaps(self, pairs: Floats) -> Gaps:
        values = np.empty((len(pairs), gap_row.WIDTH))
        gap_pairs(*_split_pairs(pairs)[:2], values)
        columns = np.split(values, (1, 4, 7), axis=1)
        return Gaps(columns[0][:, 0].copy(), *(column.copy() for column in columns[1:]))

    def sweep(self, displacement: VectorLike, other: Shape) -> Touch | None:
        """First touch of this shape moving straight by `displacement`.

        The other shape is at rest; if both move, pass the difference of their displacements. Overlap at the start:
        fraction 0 and the normal of the shortest translation out. Touching at the start: a touch at 0 only when moving
        into it.
        """
        return self._sweep(_pair_rows(self, other, as_vectors(displacement, "displacement"), single=True))[0]

    def sweep_many(self, displacement: ArrayLike, other: Shape) -> Touches:
        """`sweep` for K pairs or displacements (K,3); single ones are repeated."""
        return self._sweep(_pair_rows(self, other, as_vectors(displacement, "displacement")))

    def _sweep(self, pairs: Floats) -> Touches:
        values = np.empty((len(pairs), touch_row.WIDTH))
        sweep_pairs(*_split_pairs(pairs), np.ones(len(pairs)), values)
        length = row_lengths(pairs[:, 2 * shape_row.WIDTH :])
        return _make_touches(values, values[:, touch_row.FRACTION], values[:, touch_row.FRACTION] * length)

    def raycast(self, origin: VectorLike, direction: VectorLike, max_distance: float = math.inf) -> Touch | None:
        """First touch of a ray within `max_distance` metres.

        direction: any length but zero. From inside the shape: 0 m, and the normal of the shortest translation out.
        """
        rays = as_rays(origin, direction, max_distance, single=True)
        return _raycast(join_columns("the shapes and the rays", query_rows(self), rays[0], single=True))[0]

    def raycast_many(self, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = math.inf) -> Touches:
        """`raycast` for K shapes, origins or directions (K,3), or limits (K,); single values are repeated."""
        rays = as_rays(origin, direction, max_distance)
        if np.ndim(origin) == np.ndim(direction) == 1 and np.ndim(max_distance) == 0:
            rays = rays[0]
        return _raycast(join_columns("the shapes and the rays", query_rows(self), rays))


class Sphere(Shape):
    """Sphere. centre: (3,) or (K,3), metres; radius: metres, one or (K,). ValueError for other values."""

    __slots__ = ()

    def __init__(self, centre: ArrayLike, radius: ArrayLike) -> None:
        centres, radii = as_vectors(centre, "centre"), _check_sizes(radius, "radius")
        table = join_columns("centre and radius", centres, radii[..., None])
        super().__init__(_shape_rows(table[:, :3], np.eye(3), 0.0, table[:, 3]), centres.ndim == 1 and radii.ndim == 0)

    @property
    def radius(self) -> Any:
        """Metres: float or (K,)."""
        return self._number(shape_row.RADIUS)


class Capsule(Shape):
    """Capsule: all points within `radius` of the segment from `start` to `end`, (3,) or (K,3) each, metres.

    The ends are the centres of the round caps, so the capsule is longer by a radius at each end. Equal ends make a
    sphere.
    """

    __slots__ = ()

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike) -> None:
        starts, ends, radii = as_vectors(start, "start"), as_vectors(end, "end"), _check_sizes(radius, "radius")
        table = join_columns("start, end and radius", starts, ends, radii[..., None])
        first, last = table[:, :3], table[:, 3:6]
        half = 0.5 * (last - first)
        length = row_lengths(half)
        rows = _shape_rows(first + half, _axes_along(half, length), 0.0, table[:, 6])
        rows[:, shape_row.HALF_SIZES + 1] = length
        super().__init__(rows, starts.ndim == ends.ndim == 1 and radii.ndim == 0)

    @property
    def radius(self) -> Any:
        """Metres: float or (K,)."""
        return self._number(shape_row.RADIUS)

    @property
    def start(self) -> Floats:
        """(3,) or (K,3), metres."""
        return self._end(-1.0)

    @property
    def end(self) -> Floats:
        """(3,) or (K,3), metres."""
        return self._end(1.0)

    def _end(self, sign: float) -> Floats:
        ends: Floats = (
            self.rows[:, :3]
            + sign
            * self.rows[:, shape_row.AXES + 3 : shape_row.AXES + 6]
            * self.rows[:, shape_row.HALF_SIZES + 1, None]
        )
        return ends[0] if self.single else ends


class Box(Shape):
    """Oriented box. ValueError for a matrix that is no rotation.

    centre: (3,) or (K,3); half_sizes: along its own right, up and back, (3,) or (K,3), metres, above 0. turn: a yaw in
    radians, one or (K,), or a rotation (3,3) or (K,3,3) whose columns are the box's right, up and back in the world.
    """

    __slots__ = ()

    def __init__(self, centre: ArrayLike, half_sizes: ArrayLike, turn: ArrayLike = 0.0) -> None:
        centres, halves, axes = (
            as_vectors(centre, "centre"),
            as_vectors(half_sizes, "half_sizes", MAX_SHAPE_SIZE),
            _axes_from_turn(turn),
        )
        if not (halves >= MIN_SHAPE_SIZE).all():
            raise ValueError(f"half_sizes: must be at least {MIN_SHAPE_SIZE:g} m, got {half_sizes!r:.80}")
        table = join_columns("centre, half_sizes and turn", centres, halves, axes)
        rows = _shape_rows(table[:, :3], table[:, 6:].reshape(-1, 3, 3), table[:, 3:6], 0.0)
        super().__init__(rows, centres.ndim == halves.ndim == axes.ndim == 1)

    @classmethod
    def between(cls, least: ArrayLike, most: ArrayLike) -> Box:
        """The axis-aligned box from its least to its greatest corner, (3,) or (K,3)."""
        low, high = as_vectors(least, "least"), as_vectors(most, "most")
        if not (low < high).all():
            raise ValueError("least, most: each coordinate of least must be below that of most")
        return cls(low + 0.5 * (high - low), 0.5 * (high - low))

    @property
    def half_sizes(self) -> Floats:
        """(3,) or (K,3), metres."""
        return self._column(shape_row.HALF_SIZES, shape_row.RADIUS)

    @property
    def axes(self) -> Floats:
        """(3,3) or (K,3,3): the rows are its right, up and back in the world."""
        axes = self.rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 3, 3)
        return axes[0] if self.single else axes

    @property
    def corners(self) -> Floats:
        """(8,3) or (K,8,3), metres."""
        signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
        local = signs * self.rows[:, None, shape_row.HALF_SIZES : shape_row.RADIUS]
        axes = self.rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 1, 3, 3)
        corners: Floats = self.rows[:, None, :3] + (local[..., None] * axes).sum(axis=2)
        return corners[0] if self.single else corners


def query_rows(shape: Shape) -> Floats:
    """(16,) of a single shape, which serves all rows of a query; (K,16) of K shapes."""
    return shape.rows[0] if shape.single else shape.rows


def _pair_rows(a: Shape, b: Shape, *more: Floats, single: bool = False) -> Floats:
    """(K,32) rows of A and B, with the columns of `more` behind them; ValueError for arrays if `single`."""
    for shape in (a, b):
        if not isinstance(shape, Shape):
            raise ValueError(f"expected a Sphere, Capsule or Box, got {shape!r:.80}")
    names = "the shapes" if not more else "the shapes and displacement"
    return join_columns(names, query_rows(a), query_rows(b), *more, single=single)


def _raycast(table: Floats) -> Touches:
    """Touches of rows (K,23): shapes, then rays. A ray is the sweep of a point, at most to the far side of the
    shape."""
    origins, directions, limit = (
        table[:, shape_row.WIDTH : shape_row.WIDTH + 3],
        table[:, shape_row.WIDTH + 3 : shape_row.WIDTH + 6],
        table[:, shape_row.WIDTH + 6],
    )
    offset = np.abs(table[:, shape_row.CENTRE : shape_row.CENTRE + 3] - origins).sum(axis=1)
    far_side = 2.0 * (offset + table[:, shape_row.HALF_SIZES : shape_row.RADIUS + 1].sum(axis=1))
    reach = np.minimum(limit, far_side)
    points = np.zeros((len(table), shape_row.WIDTH))
    points[:, shape_row.CENTRE : shape_row.CENTRE + 3] = origins
    points[:, shape_row.AXES : shape_row.HALF_SIZES] = np.eye(3).ravel()
    values = np.empty((len(table), touch_row.WIDTH))
    # A ray with a limit of 0 m keeps its direction, and its sweep ends at time 0.
    scale = np.where(reach > 0.0, reach, 1.0)
    shapes, displacements = table[:, : shape_row.WIDTH].copy(), directions * scale[:, None]
    sweep_pairs(points, shapes, displacements, np.where(reach > 0.0, 1.0, 0.0), values)
    distance = values[:, touch_row.FRACTION] * scale
    fraction = np.full(len(table), np.nan)
    fraction[limit == 0.0] = 0.0
    np.divide(distance, limit, out=fraction, where=np.isfinite(limit) & (limit > 0.0))
    return _make_touches(values, fraction, distance)


def _make_touches(values: Floats, fraction: Floats, distance: Floats) -> Touches:
    """Touches of values (K, touch_row.WIDTH) as of `sweep_pairs`."""
    missed = values[:, touch_row.FRACTION] == NO_TIME_OF_IMPACT
    hit = ~missed
    fraction, distance, vectors = fraction.copy(), distance.copy(), values[:, touch_row.POINT :].copy()
    fraction[missed] = distance[missed] = np.nan
    vectors[missed] = np.nan
    return Touches(hit, fraction, distance, vectors[:, :3].copy(), vectors[:, 3:].copy())


def _shape_rows(centre: Floats, axes: Floats, half: Floats | float, radius: Floats | float) -> Floats:
    """(K,16) rows from their parts."""
    rows = np.empty((len(centre), shape_row.WIDTH))
    rows[:, shape_row.CENTRE : shape_row.CENTRE + 3] = centre
    rows[:, shape_row.AXES : shape_row.HALF_SIZES] = np.broadcast_to(axes, (len(centre), 3, 3)).reshape(-1, 9)
    rows[:, shape_row.HALF_SIZES : shape_row.RADIUS] = half
    rows[:, shape_row.RADIUS] = radius
    return rows


def _check_sizes(value: ArrayLike, name: str) -> Floats:
    """() or (K,) sizes within MIN_SHAPE_SIZE..MAX_SHAPE_SIZE."""
    sizes = as_scalars(value, name)
    if not ((sizes >= MIN_SHAPE_SIZE) & (sizes <= MAX_SHAPE_SIZE)).all():
        raise ValueError(f"{name}: must be from {MIN_SHAPE_SIZE:g} to {MAX_SHAPE_SIZE:g} m, got {value!r:.80}")
    return sizes


def _axes_along(half: Floats, length: Floats) -> Floats:
    """(K,3,3) orthonormal rows of which the second is along `half`; the world's axes where it has no length."""
    axes = np.broadcast_to(np.eye(3), (len(half), 3, 3)).copy()
    has_length = length > 0.0
    up = half[has_length] / length[has_length, None]
    # The world axis least parallel to it gives a stable cross product.
    across = np.eye(3)[np.abs(up).argmin(axis=1)]
    side = np.cross(across, up)
    side /= np.sqrt((side * side).sum(axis=1))[:, None]
    axes[has_length] = np.stack([side, up, np.cross(side, up)], axis=1)
    return axes


def _axes_from_turn(turn: ArrayLike) -> Floats:
    """(9,) or (K,9): axes as rows, from yaws or rotations."""
    array = as_numbers(turn, "turn")
    if array.ndim < 2:
        sin_cos = as_sin_cos(array)
        s, c = sin_cos[..., 0], sin_cos[..., 1]
        zero, ones = np.zeros_like(s), np.ones_like(s)
        return np.stack([c, zero, -s, zero, ones, zero, s, zero, c], axis=-1)
    if array.ndim > 3 or array.shape[-2:] != (3, 3):
        raise ValueError(f"turn: expected yaws or rotations of shape (3, 3) or (K, 3, 3), got shape {array.shape}")
    axes = array.swapaxes(-1, -2)
    if (
        np.abs((axes[..., :, None, :] * axes[..., None, :, :]).sum(axis=-1) - np.eye(3)).max(initial=0.0)
        > ORTHONORMAL_TOLERANCE
    ):
        raise ValueError("turn: its columns must be orthonormal")
    return np.ascontiguousarray(axes).reshape(*axes.shape[:-2], 9)


def _split_pairs(pairs: Floats) -> tuple[Floats, Floats, Floats]:
    """Rows of A, rows of B, and what stands behind them; contiguous, so that the kernels have one type of array."""
    a, b, others = np.split(pairs, (shape_row.WIDTH, 2 * shape_row.WIDTH), axis=1)
    return a.copy(), b.copy(), others.copy()


@allocating
def overlap_pairs(a: Floats, b: Floats, results: Flags) -> None:
    """results (K,): True if A and B touch or overlap."""
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(a.shape[0]):
        results[row] = separation(a, row, b, row, scratch) <= pair_tolerance(a, row, b, row, 0.0)


@allocating
def gap_pairs(a: Floats, b: Floats, values: Floats) -> None:
    """values (K, gap_row.WIDTH)."""
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(a.shape[0]):
        values[row, gap_row.DISTANCE] = separation(a, row, b, row, scratch)
        for k in range(3):
            values[row, gap_row.NORMAL + k] = scratch[closest.NORMAL + k]
            values[row, gap_row.POINT_A + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_A + k]
            values[row, gap_row.POINT_B + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_B + k]


@allocating
def sweep_pairs(a: Floats, b: Floats, displacements: Floats, t_max: Floats, values: Floats) -> None:
    """values (K, touch_row.WIDTH): fraction or NO_TIME_OF_IMPACT, contact point, normal from B to A.

    displacements (K,3): of A. t_max (K,): highest fraction of each row.
    """
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(a.shape[0]):
        dx, dy, dz = vector_at(displacements, row, 0)
        t = pair_time_of_impact(a, row, b, row, dx, dy, dz, t_max[row], scratch)
        values[row, touch_row.FRACTION] = t
        for k in range(3):
            values[row, touch_row.POINT + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_B + k]
            values[row, touch_row.NORMAL + k] = scratch[closest.NORMAL + k]
