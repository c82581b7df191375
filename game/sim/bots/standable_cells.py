"""Standable cells: a grid of places with ground and room for the body, by geometry alone, and their regions."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...physics import TriangleMesh, Walker, WalkerSettings
from .places import CELL_SIZE, PlaceTable, Points, cell_keys_of, feet_positions, pack_cells, unpack_cells

MAX_STANDABLE_CELLS = 80_000  # cells tested, about; in a larger level every second, third... grid line is used
BOX_LINES = 10.0  # lines through the boxes around the triangles, for each cell tested
MAX_OFFSET = 0.6  # of a cell: room further from the grid point does not count
REST_HEIGHT = 0.02  # of half the height of a body: it rests no higher above ground
UP = np.array((0.0, 1.0, 0.0))
VIEW_HEIGHT = 0.53  # m above ground from which the surroundings are viewed
VIEW_DIRECTIONS = np.array(
    [(math.sin(a), 0.1, math.cos(a)) for a in np.arange(6) * (math.pi / 3.0) + 0.2] + [(0.02, 1.0, 0.03)]
)
NEIGHBOURS = np.array([(dx, dy, dz) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dz in (-1, 0, 1)])


@dataclass(frozen=True, slots=True)
class StandableCells:
    """Places with ground and room for at least a crouched body: feet (n,3), cell keys (n,), index of the ground's mesh
    triangle (n,), height of the ceiling (n,), inf under the sky, and the grid spacing `side` (m).
    """

    feet: Points
    key: NDArray[np.int64]
    triangle: NDArray[np.int64]
    above: NDArray[np.float64]
    side: float

    def __len__(self) -> int:
        return len(self.feet)

    def select(self, chosen: NDArray[np.bool_]) -> StandableCells:
        """The chosen cells (n,)."""
        return replace(
            self,
            feet=self.feet[chosen],
            key=self.key[chosen],
            triangle=self.triangle[chosen],
            above=self.above[chosen],
        )

    def visited_mask(self, mesh: TriangleMesh, places: PlaceTable) -> NDArray[np.bool_]:
        """(n,): whether a bot stood in the cell, or in a neighbour with nothing in between."""
        known = np.fromiter(places.place_by_cell, np.int64)
        cell = unpack_cells(self.key)
        visited: NDArray[np.bool_] = np.zeros(len(self), np.bool_)
        for dy in (0, -1, 1):
            visited |= np.isin(pack_cells(cell + np.array((0, dy, 0))), known)
        reached = places.feet()
        for offset in NEIGHBOURS:
            remaining = np.flatnonzero(~visited)
            neighbours = pack_cells(cell[remaining] + offset)
            is_known = np.isin(neighbours, known)
            remaining, neighbours = remaining[is_known], neighbours[is_known]
            if len(remaining):
                start = self.feet[remaining] + VIEW_HEIGHT * UP
                end = reached[[places.place_by_cell[key] for key in neighbours.tolist()]] + VIEW_HEIGHT * UP
                distance = np.linalg.norm(end - start, axis=1)
                close = distance < 1e-6
                ray = np.where(close[:, None], UP, end - start)
                hits = mesh.raycast_many(start, ray, np.where(close, 0.0, distance))
                visited[remaining] = close | (np.asarray(hits.triangle) < 0)
        return visited

    def connected_regions(self, chosen: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
        """Connected regions of the chosen cells, largest first."""
        numbers = np.flatnonzero(chosen)
        reach = max(1, round(self.side / CELL_SIZE))
        cell = unpack_cells(self.key[numbers])
        by_column: dict[tuple[int, int], list[int]] = {}
        for k, (x, _, z) in enumerate(cell.tolist()):
            by_column.setdefault((x // reach, z // reach), []).append(k)
        remaining = np.ones(len(numbers), np.bool_)
        heights = self.feet[numbers, 1]
        regions = []
        for first in range(len(numbers)):
            if not remaining[first]:
                continue
            remaining[first] = False
            group = [first]
            queue = deque([first])
            while queue:
                current = queue.popleft()
                x, z = int(cell[current, 0]) // reach, int(cell[current, 2]) // reach
                for dx in (-1, 0, 1):
                    for dz in (-1, 0, 1):
                        for other in by_column.get((x + dx, z + dz), ()):
                            if remaining[other] and abs(heights[other] - heights[current]) < 1.1 * self.side:
                                remaining[other] = False
                                group.append(other)
                                queue.append(other)
            regions.append(numbers[np.array(sorted(group))])
        return sorted(regions, key=lambda group: (-len(group), int(group[0])))


def find_standable_cells(
    mesh: TriangleMesh, settings: WalkerSettings, solid: NDArray[np.bool_], closed: NDArray[np.bool_]
) -> StandableCells:
    """All standable cells of a mesh.

    solid   (triangles,) whether the back is the inside of a piece
    closed  (triangles,) whether that piece is certainly closed
    """
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    slope = np.abs(mesh.triangles12[:, 10])
    flat = np.flatnonzero(slope >= np.cos(np.radians(settings.max_slope)))
    source = np.asarray(mesh.source, np.int64)
    plan = corners[flat][:, :, ::2]
    across, along = plan[:, 1] - plan[:, 0], plan[:, 2] - plan[:, 0]
    area = np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum() / 2.0
    around = np.ptp(plan, axis=1).prod(axis=1).sum()  # area of the boxes around the triangles
    most = max(float(area), float(around) / BOX_LINES) / MAX_STANDABLE_CELLS
    side = CELL_SIZE * max(1, math.ceil(math.sqrt(most) / CELL_SIZE))
    points, triangle = _grid_points(corners[flat], side)
    triangle = flat[triangle]
    points, triangle = _remove_enclosed(mesh, points, triangle, solid, closed, source)
    low = Walker(
        WalkerSettings(
            radii=(settings.radii[0], settings.crouch_height / 2.0, settings.radii[2]),
            crouch_height=settings.crouch_height,
            step_height=min(settings.step_height, settings.crouch_height / 2.0),
            snap_down=min(settings.snap_down, settings.crouch_height / 2.0),
            max_slope=settings.max_slope,
            skin=settings.skin,
        )
    )
    offset = max(MAX_OFFSET * CELL_SIZE, REST_HEIGHT * settings.radii[1])
    low.warns = False  # of the level's mesh alone
    feet = []
    triangles = []
    keys = set()
    for k, point in enumerate(points):
        try:
            row = low.spawn(mesh, tuple(point.tolist())).row()
        except ValueError:
            continue
        settled = feet_positions(row)[0]
        key = int(cell_keys_of(settled[None])[0])
        if row["grounded"][0] and key not in keys and np.abs(settled - point).max() < offset:
            keys.add(key)
            feet.append(settled)
            triangles.append(int(triangle[k]))
    all_feet = np.array(feet).reshape(-1, 3)
    triangle_index = np.array(triangles, np.int64)
    above = np.full(len(all_feet), np.inf)
    if len(all_feet):
        hits = mesh.raycast_many(all_feet + 0.1 * UP, UP)
        above = np.where(hits.triangle >= 0, hits.distance + 0.1, np.inf)
    return StandableCells(
        all_feet, cell_keys_of(all_feet), source[triangle_index] if len(triangle_index) else triangle_index, above, side
    )


def _grid_points(triangles: Points, side: float) -> tuple[Points, NDArray[np.int64]]:
    """Intersections of a grid of vertical lines with triangles: points (n,3) and the triangle of each."""
    flat = triangles[:, :, ::2]
    low = np.ceil(flat.min(axis=1) / side - 0.5)
    size = np.maximum(np.floor(flat.max(axis=1) / side - 0.5) - low + 1.0, 0.0)  # number of lines in each direction
    count = size.prod(axis=1)
    number = count.astype(np.int64)
    owner = np.repeat(np.arange(len(triangles)), number)
    row, column = np.divmod(np.arange(len(owner)) - (number.cumsum() - number)[owner], size[owner, 1].astype(np.int64))
    x, z = (low[owner, 0] + row + 0.5) * side, (low[owner, 1] + column + 0.5) * side
    a, b, c = triangles.swapaxes(0, 1)
    normal = np.cross(b - a, c - a)
    inside = np.ones(len(owner), np.bool_)
    for p, q in ((a, b), (b, c), (c, a)):
        edge = (q - p)[owner]
        across = edge[:, 2] * (x - p[owner, 0]) - edge[:, 0] * (z - p[owner, 2])
        inside &= across * np.sign(normal[owner, 1]) >= -1e-9
    x, z, owner = x[inside], z[inside], owner[inside]
    up = normal[owner]
    origin = a[owner]
    y = origin[:, 1] - (up[:, 0] * (x - origin[:, 0]) + up[:, 2] * (z - origin[:, 2])) / up[:, 1]
    return np.stack([x, y, z], axis=1), owner


def _remove_enclosed(
    mesh: TriangleMesh,
    points: Points,
    triangle: NDArray[np.int64],
    solid: NDArray[np.bool_],
    closed: NDArray[np.bool_],
    source: NDArray[np.int64],
) -> tuple[Points, NDArray[np.int64]]:
    """Remove points inside closed pieces: most surfaces around are backs, or the ceiling is one."""
    if not len(points):
        return points, triangle
    canonical = np.zeros(len(solid), np.int64)
    canonical[source] = np.arange(len(source))
    backs = np.zeros(len(points), np.int64)
    for direction in VIEW_DIRECTIONS:
        hits = mesh.raycast_many(points + VIEW_HEIGHT * UP, direction)
        hit = np.where(hits.triangle >= 0, hits.triangle, 0)
        back = mesh.triangles12[canonical[hit], 9:] @ direction > 0.0
        back &= hits.triangle >= 0
        backs += back & solid[hit]
    downward = mesh.triangles12[triangle, 10] < 0.0  # the ceiling of a room, seen from above
    is_in_closed = back & closed[hit]  # the last ray goes up
    keep = (backs * 2 <= len(VIEW_DIRECTIONS)) & ~is_in_closed & ~(downward & solid[source[triangle]])
    return points[keep], triangle[keep]
