"""Solids as cells of an uneven grid, and the quads of their surface.

Walls with openings, rooms and slabs are all "some cells are solid". Where a solid cell meets an empty one
there is a quad, so what comes out is closed, faces outwards and has no T-junctions, whatever the openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core.vectors import Flags, Floats

EAST, WEST, UP, DOWN, SOUTH, NORTH = range(6)  # +x, -x, +y, -y, +z, -z

MAX_GRID_CELLS = 400_000

_CORNER_U, _CORNER_V = np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1])  # a quad's corners, in cells from its first


@dataclass(frozen=True, slots=True)
class BoundaryQuads:
    """corners (M,4,3) of quads; side (M,): which way each looks."""

    corners: Floats
    side: NDArray[np.int8]


def grid_lines(low: float, high: float, cuts: Sequence[float] = (), tile: float = 0.0) -> Floats:
    """Sorted grid lines from low to high through the cuts between them, no two nearer than a millimetre;
    `tile` adds lines so that no cell is wider."""
    inside = [cut for cut in cuts if low + 1e-3 < cut < high - 1e-3]
    found = [low]
    for cut in [*sorted(inside), high]:
        if cut - found[-1] >= 1e-3:
            if tile > 0.0:
                parts = max(1, int(np.ceil((cut - found[-1]) / tile - 1e-9)))
                found.extend(np.linspace(found[-1], cut, parts + 1)[1:-1])
            found.append(cut)
    return np.array(found)


def cell_range(grid: Floats, low: float, high: float) -> slice:
    """The cells of a grid from `low` to `high`, which are among its lines to a millimetre."""
    middles = (grid[1:] + grid[:-1]) / 2
    inside = np.nonzero((middles > low) & (middles < high))[0]
    return slice(int(inside[0]), int(inside[-1]) + 1) if len(inside) else slice(0, 0)


def build_boundary_quads(x: Floats, y: Floats, z: Floats, solid: Flags) -> BoundaryQuads:
    """The surface of the solid cells (len(x)-1, len(y)-1, len(z)-1)."""
    grid = (x, y, z)
    padded = np.zeros([size + 2 for size in solid.shape], np.bool_)
    padded[1:-1, 1:-1, 1:-1] = solid
    corners, sides = [], []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        here = padded.transpose(axis, first, second)[:, 1:-1, 1:-1]
        for towards, (behind, front) in ((1, (here[:-1], here[1:])), (-1, (here[1:], here[:-1]))):
            plane, u, v = np.nonzero(behind & ~front)
            quad = np.empty((len(plane), 4, 3))
            quad[:, :, axis] = grid[axis][plane][:, None]
            along, across = (_CORNER_U, _CORNER_V) if towards == 1 else (_CORNER_V, _CORNER_U)
            quad[:, :, first] = grid[first][u[:, None] + along]
            quad[:, :, second] = grid[second][v[:, None] + across]
            corners.append(quad)
            sides.append(np.full(len(plane), 2 * axis + (towards == -1), np.int8))
    return BoundaryQuads(np.concatenate(corners), np.concatenate(sides))
