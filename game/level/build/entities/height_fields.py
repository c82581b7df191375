"""Height fields: the lookup from the cells of a terrain to its colliding triangles, for the physics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....core.vectors import Floats, Indices, Ints
    from ....physics.mesh.heightfield import HeightField
    from ...geometry.faces import FaceArrays
    from ...geometry.instance_transform import Matrix, PlacedMarker

GRID_TOLERANCE = 1e-6  # rounding error of a corner, as a fraction of a cell and of the coordinates


@dataclass(frozen=True, eq=False, slots=True)
class TerrainGrid:
    """Grid of a terrain in its own frame, from its north-west corner (its marker, at height 0).

    heights (rows + 1, column_count + 1); cell_width, cell_depth: size of a cell along x and z, m.
    """

    heights: Floats
    cell_width: float
    cell_depth: float


def build_height_fields(triangles: Floats, quad_index: Ints, faces: FaceArrays) -> list[HeightField]:
    """Height fields of a level's colliding triangles (N,3,3), one for each copy of a terrain that collides.

    quad_index (N,): the row of `faces` that each triangle belongs to.
    """
    markers = [marker for marker in faces.marks if isinstance(marker.payload, TerrainGrid)]
    if not markers:
        return []
    tops = np.flatnonzero(faces.smooth[quad_index])
    origin = faces.origin[quad_index[tops]]
    instance = faces.instance[quad_index[tops]]
    fields = (
        _build_height_field(
            triangles, tops[(origin == marker.origin) & (instance == marker.instance)], marker,
            faces.instances[marker.instance].frame,
        )
        for marker in markers
    )  # fmt: skip
    return [field for field in fields if field is not None]


def _build_height_field(triangles: Floats, rows: Indices, marker: PlacedMarker, frame: Matrix) -> HeightField | None:
    """Height field of one copy of a terrain, from those of its triangles[rows] that lie on its grid; None for none.

    frame: from the terrain's own axes to the world's.
    """
    from ....physics.mesh.heightfield import HeightField

    grid = marker.payload
    assert isinstance(grid, TerrainGrid)
    xx, xz, yy, zx, zz = frame
    across, down = (xx * grid.cell_width, zx * grid.cell_width), (xz * grid.cell_depth, zz * grid.cell_depth)
    area = across[0] * down[1] - across[1] * down[0]
    row_count, column_count = (count - 1 for count in grid.heights.shape)
    x, y, z = (triangles[rows][..., axis] - marker.at[axis] for axis in range(3))
    u, v = (x * down[1] - z * down[0]) / area, (z * across[0] - x * across[1]) / area
    column, row = (np.floor(values.mean(axis=1)).astype(np.int64) for values in (u, v))
    fits = (column >= 0) & (column < column_count) & (row >= 0) & (row < row_count)
    offset = np.maximum(np.abs(u - column[:, None] - 0.5), np.abs(v - row[:, None] - 0.5)).max(axis=1)
    fits &= offset < 0.5 + GRID_TOLERANCE
    corners = np.stack([grid.heights[dz : row_count + dz, dx : column_count + dx] for dz in (0, 1) for dx in (0, 1)])
    inside = np.where(fits, row, 0), np.where(fits, column, 0)
    low, high = yy * corners.min(axis=0)[inside], yy * corners.max(axis=0)[inside]
    slack = GRID_TOLERANCE * (1.0 + float(np.abs(triangles).max(initial=0.0)))
    fits &= (y.min(axis=1) > low - slack) & (y.max(axis=1) < high + slack)
    if not fits.any():
        return None
    rows, cell = rows[fits], (row * column_count + column)[fits]
    order = np.argsort(cell, kind="stable")
    cell, rows = cell[order], rows[order]
    rank = np.arange(len(cell)) - np.searchsorted(cell, cell)
    cells = np.full((row_count * column_count, int(rank.max()) + 1), -1, np.int32)
    cells[cell, rank] = rows
    at = (marker.at[0], marker.at[2])
    return HeightField(at, across, down, cells.reshape(row_count, column_count, -1))
