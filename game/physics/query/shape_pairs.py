"""Queries between shapes, and of rays against shapes: overlap, signed distance, sweep. One row a query.

The methods of `Shape` build the tables (physics.query.shapes); each function runs one kernel over all rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.vectors import Flags
from ..numerics.jit import allocating
from .arguments import Floats, as_rays, join_columns, row_lengths
from .results import Gap, Gaps, Touch, Touches
from .rows import closest, gap_row, shape_row, touch_row
from .sat import NO_TIME_OF_IMPACT
from .time_of_impact import SCRATCH_SIZE, pair_time_of_impact, pair_tolerance, separation


def find_pair_overlaps(table: Floats, single: bool) -> bool | NDArray[np.bool_]:
    """See `Shape.overlaps`. table (K,32): rows of A and B."""
    results = np.empty(len(table), np.bool_)
    overlap_pairs(table, results)
    return bool(results[0]) if single else results


def find_pair_gaps(table: Floats, single: bool) -> Gap | Gaps:
    """See `Shape.gap`. table (K,32): rows of A and B."""
    values = np.empty((len(table), gap_row.WIDTH))
    gap_pairs(table, values)
    columns = np.split(values, (1, 4, 7), axis=1)
    gaps = Gaps(columns[0][:, 0].copy(), *(column.copy() for column in columns[1:]))
    return gaps[0] if single else gaps


def sweep_shape_pairs(table: Floats, single: bool) -> Touch | Touches | None:
    """See `Shape.sweep`. table (K,35): rows of A and B, and A's displacement."""
    values = np.empty((len(table), touch_row.WIDTH))
    sweep_pairs(table, np.ones(len(table)), values)
    length = row_lengths(table[:, 2 * shape_row.WIDTH :])
    return _make_touches(values, values[:, touch_row.FRACTION], values[:, touch_row.FRACTION] * length, single)


def raycast_shape(
    rows: Floats, single: bool, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike
) -> Touch | Touches | None:
    """See `Shape.raycast`. rows (16,) or (K,16). A ray is the sweep of a point, at most to the far side of the
    shape."""
    ray_table, single_ray = as_rays(origin, direction, max_distance)
    table = join_columns("the shapes and the rays", rows, ray_table[0] if single_ray else ray_table)
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
    sweep_pairs(
        np.concatenate([points, table[:, : shape_row.WIDTH], directions * scale[:, None]], axis=1),
        np.where(reach > 0.0, 1.0, 0.0),
        values,
    )
    distance = values[:, touch_row.FRACTION] * scale
    fraction = np.full(len(table), np.nan)
    fraction[limit == 0.0] = 0.0
    np.divide(distance, limit, out=fraction, where=np.isfinite(limit) & (limit > 0.0))
    return _make_touches(values, fraction, distance, single_ray and single)


def _make_touches(values: Floats, fraction: Floats, distance: Floats, single: bool) -> Touch | Touches | None:
    """Touch or None of a single query, else Touches. values (K, touch_row.WIDTH) as of `sweep_pairs`."""
    missed = values[:, touch_row.FRACTION] == NO_TIME_OF_IMPACT
    hit = ~missed
    fraction, distance, vectors = fraction.copy(), distance.copy(), values[:, touch_row.POINT :].copy()
    fraction[missed] = distance[missed] = np.nan
    vectors[missed] = np.nan
    touches = Touches(hit, fraction, distance, vectors[:, :3].copy(), vectors[:, 3:].copy())
    return touches[0] if single else touches


@allocating
def overlap_pairs(table: Floats, results: Flags) -> None:
    """results (K,): True if A and B touch or overlap. table (K, 2 WIDTH): rows of A and B."""
    a, b = table[:, : shape_row.WIDTH], table[:, shape_row.WIDTH : 2 * shape_row.WIDTH]
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(table.shape[0]):
        results[row] = separation(a, row, b, row, scratch) <= pair_tolerance(a, row, b, row, 0.0)


@allocating
def gap_pairs(table: Floats, values: Floats) -> None:
    """values (K, gap_row.WIDTH)."""
    a, b = table[:, : shape_row.WIDTH], table[:, shape_row.WIDTH : 2 * shape_row.WIDTH]
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(table.shape[0]):
        values[row, gap_row.DISTANCE] = separation(a, row, b, row, scratch)
        for k in range(3):
            values[row, gap_row.NORMAL + k] = scratch[closest.NORMAL + k]
            values[row, gap_row.POINT_A + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_A + k]
            values[row, gap_row.POINT_B + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_B + k]


@allocating
def sweep_pairs(table: Floats, t_max: Floats, values: Floats) -> None:
    """values (K, touch_row.WIDTH): fraction or NO_TIME_OF_IMPACT, contact point, normal from B to A.

    table (K, 2 WIDTH + 3): rows of A and B, and A's displacement. t_max (K,): highest fraction of each row.
    """
    a, b = table[:, : shape_row.WIDTH], table[:, shape_row.WIDTH : 2 * shape_row.WIDTH]
    scratch = np.empty(SCRATCH_SIZE)
    for row in range(table.shape[0]):
        dx, dy, dz = (
            table[row, 2 * shape_row.WIDTH],
            table[row, 2 * shape_row.WIDTH + 1],
            table[row, 2 * shape_row.WIDTH + 2],
        )
        t = pair_time_of_impact(a, row, b, row, dx, dy, dz, t_max[row], scratch)
        values[row, touch_row.FRACTION] = t
        for k in range(3):
            values[row, touch_row.POINT + k] = b[row, shape_row.CENTRE + k] + scratch[closest.POINT_B + k]
            values[row, touch_row.NORMAL + k] = scratch[closest.NORMAL + k]
