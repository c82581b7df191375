"""Which triangles of a level lie in which cell of which terrain, for the physics to look up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from game.level.faces import Floats, Ints
    from game.level.instances import Mark
    from game.level.level import Level
    from game.physics.heights import HeightField

NEAR = 1e-6  # part of a cell, and of the heights' range, that a corner may be off its place by rounding


@dataclass(frozen=True, eq=False, slots=True)
class Terrain:
    """A terrain's grid in its own metres: heights (rows + 1, columns + 1) from its north-west corner, where its mark
    stands at height 0; the size of a cell along x and z."""

    heights: Floats
    wide: float
    deep: float


def fields_of(level: Level) -> list[HeightField]:
    """The height fields of a level's colliding triangles, one for each copy of a terrain that collides."""
    marks = [mark for mark in level.faces.marks if isinstance(mark.what, Terrain)]
    if not marks:
        return []
    faces, quads = level.faces, level.quad_index
    tops = np.flatnonzero(faces.smooth[quads])
    whose = np.stack((faces.origin[quads[tops]], faces.instance[quads[tops]]))
    found = (_field(level, mark, tops[(whose[0] == mark.origin) & (whose[1] == mark.instance)]) for mark in marks)
    return [field for field in found if field is not None]


def _field(level: Level, mark: Mark, rows: Ints) -> HeightField | None:
    """The field of one copy, of those of the level's triangles `rows` that lie on its grid."""
    from game.physics.heights import HeightField

    grid = mark.what
    assert isinstance(grid, Terrain)
    xx, xz, yy, zx, zz = level.faces.instances[mark.instance].frame
    across, down = (xx * grid.wide, zx * grid.wide), (xz * grid.deep, zz * grid.deep)
    area = across[0] * down[1] - across[1] * down[0]
    lines, columns = (count - 1 for count in grid.heights.shape)
    x, y, z = (level.triangles[rows][..., axis] - mark.at[axis] for axis in range(3))  # (n, 3) each
    u, v = (x * down[1] - z * down[0]) / area, (z * across[0] - x * across[1]) / area
    near_u, near_v = (np.clip(np.rint(part), 0, most).astype(np.int64) for part, most in ((u, columns), (v, lines)))
    high = yy * grid.heights[near_v, near_u]
    off = np.maximum(np.abs(u - near_u), np.abs(v - near_v))
    slack = NEAR * (1.0 + np.ptp(grid.heights) * abs(yy) + np.abs(level.triangles).max(initial=0.0))
    fits = ((off < NEAR) & (np.abs(y - high) < slack)).all(axis=1)
    if not fits.any():
        return None
    rows, near_u, near_v = rows[fits], near_u[fits], near_v[fits]
    cell = near_v.min(axis=1) * columns + near_u.min(axis=1)
    cells = np.full((lines * columns, 2), -1, np.int32)
    order = np.argsort(cell, kind="stable")
    cell, rows = cell[order], rows[order]
    second = np.zeros(len(cell), np.int64)
    second[1:] = cell[1:] == cell[:-1]
    cells[cell, second] = rows
    at = (mark.at[0], mark.at[2])
    return HeightField(at, across, down, cells.reshape(lines, columns, 2))
