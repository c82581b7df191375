"""Which triangles of a level lie in which cell of which terrain, for the physics to look up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....physics.mesh.heightfield import HeightField
    from ...geometry.faces import Floats, Ints
    from ...geometry.instance_transform import PlacedMarker
    from ...level import Level

GRID_TOLERANCE = 1e-6  # part of a cell, and of all coordinates, that rounding may put a corner off its place


@dataclass(frozen=True, eq=False, slots=True)
class TerrainGrid:
    """A terrain's grid in its own metres: heights (rows + 1, columns + 1) from its north-west corner, where its mark
    stands at height 0; the size of a cell along x and z."""

    heights: Floats
    cell_width: float
    cell_depth: float


def build_height_fields(level: Level) -> list[HeightField]:
    """The height fields of a level's colliding triangles, one for each copy of a terrain that collides."""
    marks = [mark for mark in level.faces.marks if isinstance(mark.payload, TerrainGrid)]
    if not marks:
        return []
    faces, quads = level.faces, level.quad_index
    tops = np.flatnonzero(faces.smooth[quads])
    whose = np.stack((faces.origin[quads[tops]], faces.instance[quads[tops]]))
    found = (
        _build_height_field(level, mark, tops[(whose[0] == mark.origin) & (whose[1] == mark.instance)])
        for mark in marks
    )
    return [field for field in found if field is not None]


def _build_height_field(level: Level, mark: PlacedMarker, rows: Ints) -> HeightField | None:
    """The field of one copy, of those of the level's triangles `rows` that lie on its grid."""
    from ....physics.mesh.heightfield import HeightField

    grid = mark.payload
    assert isinstance(grid, TerrainGrid)
    xx, xz, yy, zx, zz = level.faces.instances[mark.instance].frame
    across, down = (xx * grid.cell_width, zx * grid.cell_width), (xz * grid.cell_depth, zz * grid.cell_depth)
    area = across[0] * down[1] - across[1] * down[0]
    lines, columns = (count - 1 for count in grid.heights.shape)
    x, y, z = (level.triangles[rows][..., axis] - mark.at[axis] for axis in range(3))  # (n, 3) each
    u, v = (x * down[1] - z * down[0]) / area, (z * across[0] - x * across[1]) / area
    column, line = (np.floor(part.mean(axis=1)).astype(np.int64) for part in (u, v))
    fits = (column >= 0) & (column < columns) & (line >= 0) & (line < lines)
    off = np.maximum(np.abs(u - column[:, None] - 0.5), np.abs(v - line[:, None] - 0.5)).max(axis=1)
    fits &= off < 0.5 + GRID_TOLERANCE
    corners = np.stack([grid.heights[dz : lines + dz, dx : columns + dx] for dz in (0, 1) for dx in (0, 1)])
    low, high = (yy * part[np.where(fits, line, 0), np.where(fits, column, 0)] for part in _cell_height_range(corners))
    slack = GRID_TOLERANCE * (1.0 + float(np.abs(level.triangles).max(initial=0.0)))
    fits &= (y.min(axis=1) > low - slack) & (y.max(axis=1) < high + slack)
    if not fits.any():
        return None
    rows, cell = rows[fits], (line * columns + column)[fits]
    order = np.argsort(cell, kind="stable")
    cell, rows = cell[order], rows[order]
    rank = np.arange(len(cell)) - np.searchsorted(cell, cell)  # among those of its cell
    cells = np.full((lines * columns, int(rank.max()) + 1), -1, np.int32)
    cells[cell, rank] = rows
    at = (mark.at[0], mark.at[2])
    return HeightField(at, across, down, cells.reshape(lines, columns, -1))


def _cell_height_range(corners: Floats) -> tuple[Floats, Floats]:
    return corners.min(axis=0), corners.max(axis=0)
