"""Boundary quads of solid cells in a grid with uneven spacing.

Walls with openings, rooms and slabs are sets of solid cells. A quad lies wherever a solid cell meets an empty one:
the result is closed, faces outwards and has no T-junctions, whatever the openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core.vectors import Flags, Floats

EAST, WEST, UP, DOWN, SOUTH, NORTH = range(6)  # +x, -x, +y, -y, +z, -z

MAX_GRID_CELLS = 400_000

_CORNER_U, _CORNER_V = np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1])  # corners of a quad, in cells


@dataclass(frozen=True, slots=True)
class BoundaryQuads:
    """Quads (M,4,3), and the side (M,) that each faces: EAST, WEST, UP, DOWN, SOUTH or NORTH."""

    corners: Floats
    side: NDArray[np.int8]


def grid_lines(low: float, high: float, cuts: Sequence[float] = (), tile: float = 0.0) -> Floats:
    """Sorted grid lines from `low` to `high` with the cuts between them, at least 1 mm apart.

    tile: greatest width of a cell, if above 0.
    """
    inner = [cut for cut in cuts if low + 1e-3 < cut < high - 1e-3]
    lines = [low]
    for cut in [*sorted(inner), high]:
        if cut - lines[-1] >= 1e-3:
            if tile > 0.0:
                count = max(1, int(np.ceil((cut - lines[-1]) / tile - 1e-9)))
                lines.extend(np.linspace(lines[-1], cut, count + 1)[1:-1])
            lines.append(cut)
    return np.array(lines)


def cell_range(grid: Floats, low: float, high: float) -> slice:
    """Cells between two grid lines `low` and `high`."""
    middles = (grid[1:] + grid[:-1]) / 2
    inside = np.nonzero((middles > low) & (middles < high))[0]
    return slice(int(inside[0]), int(inside[-1]) + 1) if len(inside) else slice(0, 0)


def build_boundary_quads(x: Floats, y: Floats, z: Floats, solid: Flags) -> BoundaryQuads:
    """Boundary of the solid cells (len(x)-1, len(y)-1, len(z)-1)."""
    grid = (x, y, z)
    padded = np.zeros([size + 2 for size in solid.shape], np.bool_)
    padded[1:-1, 1:-1, 1:-1] = solid
    corners = []
    sides = []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        cells = padded.transpose(axis, first, second)[:, 1:-1, 1:-1]
        for direction, (behind, front) in ((1, (cells[:-1], cells[1:])), (-1, (cells[1:], cells[:-1]))):
            plane, u, v = np.nonzero(behind & ~front)
            quad = np.empty((len(plane), 4, 3))
            quad[:, :, axis] = grid[axis][plane][:, None]
            along, across = (_CORNER_U, _CORNER_V) if direction == 1 else (_CORNER_V, _CORNER_U)
            quad[:, :, first] = grid[first][u[:, None] + along]
            quad[:, :, second] = grid[second][v[:, None] + across]
            corners.append(quad)
            sides.append(np.full(len(plane), 2 * axis + (direction == -1), np.int8))
    return BoundaryQuads(np.concatenate(corners), np.concatenate(sides))
