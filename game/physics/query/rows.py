"""Rows of the arrays of queries: what their columns mean."""

from __future__ import annotations

from ..numerics.constants import constants


@constants
class axes:
    """Indices of what separating axes have shown (float64): `best` and `span` of query.sat."""

    SEPARATION = 0  # m, the largest; negative: overlap on every axis
    NORMAL = 1  # 3: unit, its axis from B to A
    ENTRY = 4  # latest time at which an axis starts to overlap, as a fraction of the displacement
    ENTRY_NORMAL = 5  # 3: unit, its axis from B to A
    SIZE = 8
    START = 0  # of `span`: latest start of the time in which they overlap by more than the tolerance
    END = 1  # of `span`: its earliest end
    SPAN_SIZE = 2


@constants
class closest:
    """Indices of the closest points of two cores A and B (float64), the first part of the scratch memory of a query."""

    NORMAL = 0  # 3: unit, from B to A
    POINT_A = 3  # 3: m, of A, relative to B's centre
    POINT_B = 6  # 3: m, of B, relative to B's centre
    SIZE = 9


@constants
class ellipsoid_row:
    """Columns of an ellipsoid in a query (float64): its pose and its displacement."""

    RADII = 0  # 3: m
    SIN_YAW = 3
    COS_YAW = 4
    POSITION = 5  # 3: m, centre
    DISPLACEMENT = 8  # 3: m
    WIDTH = 11


@constants
class gap_row:
    """Columns of the distance of two shapes A and B (float64)."""

    DISTANCE = 0  # m; negative: the penetration depth
    NORMAL = 1  # 3: unit, from B to A
    POINT_A = 4  # 3: m, closest point of A's surface
    POINT_B = 7  # 3: m
    WIDTH = 10


@constants
class shape_row:
    """Columns of a shape row (float64): a core (point, segment or box) that is widened by a radius.

    A sphere has half sizes (0, 0, 0), a capsule (0, h, 0), a box radius 0. Metres; axes are unit vectors.
    """

    WIDTH = 16  # floats a row
    CENTRE = 0
    AXES = 3
    HALF_SIZES = 12
    RADIUS = 15


@constants
class touch_row:
    """Columns of the first touch of a sweep, or of a closest point (float64)."""

    FRACTION = 0  # of the displacement; of a closest point: distance, m
    POINT = 1  # 3: m
    NORMAL = 4  # 3: unit, towards what moves
    WIDTH = 7
