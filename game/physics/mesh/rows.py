"""Rows of the arrays of a mesh: what their columns mean, and what values mean in them."""

from __future__ import annotations

from ..numerics.constants import constants


@constants
class edge_side:
    """Bits of `edge_active`: sides of a triangle from which an edge can be touched before a face is."""

    FRONT = 1
    BACK = 2


@constants
class height_grid:
    """Columns of a height field row (float64). Horizontal coordinates are (x, z) in metres.

    Column of a point: COLUMN_X (x - ORIGIN_X) + COLUMN_Z (z - ORIGIN_Z); its row likewise by ROW_X, ROW_Z.
    """

    ORIGIN_X = 0  # m: corner of column 0 and row 0
    ORIGIN_Z = 1
    COLUMN_X = 2  # columns per metre
    COLUMN_Z = 3
    ROW_X = 4  # rows per metre
    ROW_Z = 5
    COLUMNS = 6  # number of columns
    ROWS = 7  # number of rows
    FIRST_CELL = 8  # index of its first cell in `cells`
    WIDTH = 9


@constants
class material_row:
    """Columns of a material row (float64); see physics.mesh.material.Material for their meaning."""

    FRICTION = 0
    RESTITUTION = 1  # 0..1
    SPEED_FACTOR = 2
    SURFACE_VELOCITY_X = 3  # m/s, east
    SURFACE_VELOCITY_Z = 4  # m/s, south
    WALL_FRICTION = 5  # 0..1
    ROLLING_RESISTANCE = 6  # part of gravity
    SOFTNESS = 7  # 0..1
    WIDTH = 8


@constants
class neighbour_row:
    """Columns of `mates` (int32): columns 0..2 hold 4 * neighbour + edge_active of each edge, -1 for no neighbour."""

    SURFACE = 3  # surface of the triangle: row of `materials`, if there are any


@constants
class ray_mode:
    """Modes of `cast_rays`."""

    NEAREST = 0  # the nearest hit of each ray
    ANY = 1  # the first hit found
    ALL = 2  # all hits, unordered


@constants
class ray_row:
    """Columns of a ray (float64)."""

    ORIGIN = 0  # 3: m
    DIRECTION = 3  # 3: unit
    LIMIT = 6  # m
    WIDTH = 7


@constants
class triangle_row:
    """Columns of a triangle (row of the triangles12 of a mesh, float64)."""

    A = 0  # 3: m, first corner
    B = 3  # 3: m
    C = 6  # 3: m
    NORMAL = 9  # 3: unit
    WIDTH = 12
