"""Height fields: grids of cells in the horizontal plane, whose triangles are found from coordinates alone.

The cell at a point costs two products and a floor (source: "High Speed Accurate Collision Detection", a golf game). A
cell lists the mesh's own triangles, split as the author of the grid split them. All other triangles are found in the
BVH, whose nodes then have the boxes `remaining_boxes`: those around the triangles of no field. The result is that of
the BVH to the bit and in its order, only faster. (For a box query the BVH also returns triangles of a rotated grid
whose boxes alone overlap; the cells do not.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import as_integer, describe_value
from ...core.vectors import Bounds, Flags, Floats, Ints
from ..numerics.arrays import Bytes
from ..numerics.jit import kernel
from .bvh import (
    fit_bvh_boxes,
    intersect_ray_triangle,
    is_node_outside_box,
    is_triangle_near_box,
    query_bvh,
)
from .rows import height_grid, ray_row

MAX_CELL_COORDINATE = 1e7  # m: that of a mesh
MIN_CELL_AREA = 1e-12  # m2
MAX_QUERY_CELLS = 64  # a box over more cells queries the BVH, which also culls by height
CELL_TOLERANCE = 1e-6  # of a cell: a triangle may extend this far beyond its cell and is still found by it
CELL_QUERY_MARGIN = 4e-6  # of a cell: queries are widened by it; more than CELL_TOLERANCE and rounding


def _as_array(value: object, name: str) -> NDArray[Any]:
    """`value` as an array of numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # of lists of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: expected numbers, got {describe_value(value)}")
    return array


def _as_pair(value: object, name: str) -> tuple[float, float]:
    """(x, z) within MAX_CELL_COORDINATE."""
    pair = _as_array(value, name)
    if pair.shape != (2,) or not (np.abs(pair) <= MAX_CELL_COORDINATE).all():
        raise ValueError(f"{name}: expected two finite numbers (x, z) within 1e7 m, got {describe_value(value)}")
    return float(pair[0]), float(pair[1])


@dataclass(frozen=True, eq=False, slots=True)
class HeightField:
    """Grid of a mesh's triangles. ValueError for values that describe none.

      origin     (x, z) m: corner where column 0 and row 0 begin
      across     (x, z) m: vector from a column to the next
      down       (x, z) m: vector from a row to the next
      triangles  (rows, columns, S): indices into the caller's triangles; -1 fills cells with fewer than S

    Grids may be rotated or sheared. A triangle that does not lie within its cell is found by the BVH instead.
    """

    origin: tuple[float, float]
    across: tuple[float, float]
    down: tuple[float, float]
    triangles: NDArray[np.int32]

    def __post_init__(self) -> None:
        cells = _as_array(self.triangles, "triangles")
        if cells.ndim != 3 or not cells.size:
            raise ValueError(f"triangles: expected shape (rows, columns, S), got {cells.shape}")
        if not ((cells >= -1) & (cells < 2**31) & (cells == np.floor(cells))).all():
            raise ValueError("triangles: expected indices of 32 bits, or -1")
        for name in ("origin", "across", "down"):
            object.__setattr__(self, name, _as_pair(getattr(self, name), name))
        area = self.across[0] * self.down[1] - self.across[1] * self.down[0]
        if not abs(area) >= MIN_CELL_AREA:
            raise ValueError("across and down: must not be parallel or zero (a cell has no area)")
        object.__setattr__(self, "triangles", np.ascontiguousarray(cells, dtype=np.int32))

    def row(self, first: int) -> NDArray[np.float64]:
        """Kernel row (rows.height_grid), whose first cell is `first`."""
        first = as_integer(first, "first", 0)
        (ax, az), (bx, bz) = self.across, self.down
        area = ax * bz - az * bx
        rows, columns, _ = self.triangles.shape
        return np.array((*self.origin, bz / area, -bx / area, -az / area, ax / area, columns, rows, first))

    @classmethod
    def of_grid(
        cls, heights: ArrayLike, origin: tuple[float, float] = (0.0, 0.0), cell: tuple[float, float] = (1.0, 1.0)
    ) -> tuple[NDArray[np.float64], HeightField]:
        """Triangles (2 rows columns, 3, 3) over heights (rows + 1, columns + 1) in metres, and their field.

        Rows follow each other to the south (+z), columns to the east (+x). A cell is split along its flatter diagonal.
        """
        y = _as_array(heights, "heights").astype(np.float64)
        if y.ndim != 2 or min(y.shape) < 2:
            raise ValueError(f"heights: expected at least 2 by 2, got shape {y.shape}")
        if not (np.abs(y) <= MAX_CELL_COORDINATE).all():
            raise ValueError("heights: must be finite and within 1e7 m")
        origin, cell = _as_pair(origin, "origin"), _as_pair(cell, "cell")
        rows, columns = y.shape[0] - 1, y.shape[1] - 1
        x, z = origin[0] + cell[0] * np.arange(columns + 1), origin[1] + cell[1] * np.arange(rows + 1)
        grid = np.stack(np.broadcast_arrays(x[None, :], y, z[:, None]), axis=-1)
        nw, ne, sw, se = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
        other = (np.abs(se[..., 1] - nw[..., 1]) < np.abs(sw[..., 1] - ne[..., 1]))[..., None, None]
        first = np.where(other, np.stack((sw, se, nw), 2), np.stack((sw, se, ne), 2))
        second = np.where(other, np.stack((se, ne, nw), 2), np.stack((sw, ne, nw), 2))
        triangles = np.stack((first, second), axis=2).reshape(-1, 3, 3)
        index = np.arange(len(triangles), dtype=np.int32).reshape(rows, columns, 2)
        return triangles, cls(origin, (cell[0], 0.0), (0.0, cell[1]), index)


class HeightFields:
    """Height fields of a mesh, packed for kernels; may be empty. Picklable.

    fields (K, height_grid.WIDTH) f8; cells (C, S) i4: canonical triangles, then -1; inside (N,) u1: 1 for triangles
    that are found by their cell; remaining_boxes (M, 6): boxes of the BVH's nodes around the other triangles, inverted
    (min > max) where there are none.
    """

    __slots__ = ("cells", "fields", "inside", "remaining_boxes")

    fields: NDArray[np.float64]
    cells: NDArray[np.int32]
    inside: Bytes
    remaining_boxes: NDArray[np.float64]

    def __init__(
        self,
        fields: Sequence[HeightField],
        source: NDArray[np.int32],
        triangles: NDArray[np.float64],
        nodes: NDArray[np.float64],
        links: NDArray[np.int32],
    ) -> None:
        """source (N,): caller's index of each canonical triangle; triangles, nodes and links as in the mesh."""
        canonical = np.full(int(source.max(initial=-1)) + 2 if fields else 0, -1, np.int32)
        if fields:
            canonical[source] = np.arange(len(source), dtype=np.int32)
        inside = np.zeros(len(source), np.uint8)
        rows, cells, count = [], [], 0
        for field in fields:
            source_cells = field.triangles.reshape(-1, field.triangles.shape[2])
            valid_cells = np.where(source_cells < len(canonical) - 1, source_cells, -1)
            found = canonical[valid_cells]  # index -1 reads the last entry, which is -1
            row = field.row(count)
            found[~_is_within_cell(row, found, triangles)] = -1
            found[np.isin(found, np.flatnonzero(inside))] = -1  # a triangle of two fields belongs to the first
            _, first = np.unique(found, return_index=True)
            is_repeated = np.ones(found.size, np.bool_)
            is_repeated[first] = False
            found.reshape(-1)[is_repeated] = -1
            inside[found[found >= 0]] = 1
            found = np.take_along_axis(found, np.argsort(found < 0, axis=1, kind="stable"), axis=1)  # -1 comes last
            rows.append(row)
            cells.append(found)
            count += len(source_cells)
        self.fields = np.array(rows, dtype=np.float64).reshape(-1, height_grid.WIDTH)
        slots = max((found.shape[1] for found in cells), default=2)
        full = [np.pad(found, ((0, 0), (0, slots - found.shape[1])), constant_values=-1) for found in cells]
        self.cells = np.concatenate(full) if full else np.zeros((0, 2), np.int32)
        self.inside = inside
        self.remaining_boxes = nodes
        if len(self.fields):
            self.remaining_boxes = np.empty_like(nodes)
            fit_bvh_boxes(triangles, links, inside, self.remaining_boxes)
        for name in self.__slots__:
            getattr(self, name).flags.writeable = False

    def __getstate__(self) -> dict[str, Floats | Ints | Bytes]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Floats | Ints | Bytes]) -> None:
        for name, value in state.items():
            value.flags.writeable = False
            setattr(self, name, value)

    def __len__(self) -> int:
        return len(self.fields)

    def __repr__(self) -> str:
        return f"<HeightFields: {len(self.fields)} fields, {int(self.inside.sum())} triangles>"


def _is_within_cell(row: NDArray[np.float64], found: NDArray[np.int32], triangles: NDArray[np.float64]) -> Flags:
    """(C, S) bool: which triangles lie within their cell."""
    corners = triangles[:, :9].reshape(-1, 3, 3)[found] if len(triangles) else np.zeros((*found.shape, 3, 3))
    x, z = corners[..., 0] - row[height_grid.ORIGIN_X], corners[..., 2] - row[height_grid.ORIGIN_Z]
    cell = np.arange(len(found))
    column, line = cell % int(row[height_grid.COLUMNS]), cell // int(row[height_grid.COLUMNS])
    off_column = row[height_grid.COLUMN_X] * x + row[height_grid.COLUMN_Z] * z - column[:, None, None]
    off_row = row[height_grid.ROW_X] * x + row[height_grid.ROW_Z] * z - line[:, None, None]
    offset = np.stack((off_column, off_row))
    return (found >= 0) & ((offset >= -CELL_TOLERANCE) & (offset <= 1.0 + CELL_TOLERANCE)).all(axis=(0, 3))


@kernel
def cells_overlapped(fields: Floats, k: int, x0: float, z0: float, x1: float, z1: float) -> tuple[int, int, int, int]:
    """First and last column, first and last row of field `k` that a rectangle overlaps; last < first: none."""
    ax, az = fields[k, height_grid.COLUMN_X], fields[k, height_grid.COLUMN_Z]
    bx, bz = fields[k, height_grid.ROW_X], fields[k, height_grid.ROW_Z]
    west, east = x0 - fields[k, height_grid.ORIGIN_X], x1 - fields[k, height_grid.ORIGIN_X]
    north, south = z0 - fields[k, height_grid.ORIGIN_Z], z1 - fields[k, height_grid.ORIGIN_Z]
    u0 = ax * (west if ax > 0.0 else east) + az * (north if az > 0.0 else south)
    u1 = ax * (east if ax > 0.0 else west) + az * (south if az > 0.0 else north)
    v0 = bx * (west if bx > 0.0 else east) + bz * (north if bz > 0.0 else south)
    v1 = bx * (east if bx > 0.0 else west) + bz * (south if bz > 0.0 else north)
    columns, rows = fields[k, height_grid.COLUMNS], fields[k, height_grid.ROWS]
    if not (
        u0 <= columns + CELL_QUERY_MARGIN
        and u1 >= -CELL_QUERY_MARGIN
        and v0 <= rows + CELL_QUERY_MARGIN
        and v1 >= -CELL_QUERY_MARGIN
    ):
        return 0, -1, 0, -1
    c0, c1 = (
        max(floor(max(u0, 0.0) - CELL_QUERY_MARGIN), 0),
        min(floor(min(u1, columns) + CELL_QUERY_MARGIN), int(columns) - 1),
    )
    r0, r1 = (
        max(floor(max(v0, 0.0) - CELL_QUERY_MARGIN), 0),
        min(floor(min(v1, rows) + CELL_QUERY_MARGIN), int(rows) - 1),
    )
    return int(c0), int(c1), int(r0), int(r1)


@kernel
def query_mesh(
    nodes: Floats,
    links: Ints,
    tri: Floats,
    fields: Floats,
    cells: Ints,
    inside: Bytes,
    remaining_boxes: Floats,
    box: Bounds,
    out: Ints,
) -> int:
    """Number of triangles near the closed `box` (m); ascending in `out` if all fit, else the first ones of the BVH.

    As `query_bvh`, but of the triangles of a grid only those whose cell overlaps the box.
    """
    if fields.shape[0] == 0:
        return query_bvh(nodes, links, tri, 0, nodes.shape[0], box, out)
    found, (x0, _, z0, x1, _, z1) = 0, box
    for k in range(fields.shape[0]):
        c0, c1, r0, r1 = cells_overlapped(fields, k, x0, z0, x1, z1)
        if c1 < c0 or r1 < r0:
            continue
        if (c1 - c0 + 1) * (r1 - r0 + 1) > MAX_QUERY_CELLS:
            return query_bvh(nodes, links, tri, 0, nodes.shape[0], box, out)
        first, columns = int(fields[k, height_grid.FIRST_CELL]), int(fields[k, height_grid.COLUMNS])
        for line in range(r0, r1 + 1):
            for cell in range(first + line * columns + c0, first + line * columns + c1 + 1):
                for slot in range(cells.shape[1]):
                    i = cells[cell, slot]
                    if i < 0:
                        break
                    if is_triangle_near_box(tri, i, box):
                        if found < out.shape[0]:
                            out[found] = i
                        found += 1
    node = 0
    while node < remaining_boxes.shape[0]:
        a, b = links[node, 0], links[node, 1]
        if is_node_outside_box(remaining_boxes, node, box):
            node = a if b >= 0 else node + 1
            continue
        node += 1
        if b >= 0:
            continue
        for i in range(a, a - b):
            if inside[i] == 0 and is_triangle_near_box(tri, i, box):
                if found < out.shape[0]:
                    out[found] = i
                found += 1
    if found > out.shape[0]:
        return query_bvh(nodes, links, tri, 0, nodes.shape[0], box, out)
    for row in range(1, found):
        i = out[row]
        slot_after = row
        while slot_after > 0 and out[slot_after - 1] > i:
            out[slot_after] = out[slot_after - 1]
            slot_after -= 1
        out[slot_after] = i
    return found


@kernel
def cast_rays_down(
    fields: Floats, cells: Ints, tri: Floats, rays: Floats, hit_columns: tuple[Ints, Bytes, Floats]
) -> None:
    """First triangle of any field straight below each origin: hit_columns triangle (K,) or -1, feature and distance.

    rays (K, 7) as for `cast_rays`, all straight down. At equal distances the first in canonical order.
    """
    triangle, feature, distance = hit_columns
    for row in range(rays.shape[0]):
        x, y, z = rays[row, ray_row.ORIGIN], rays[row, ray_row.ORIGIN + 1], rays[row, ray_row.ORIGIN + 2]
        best = rays[row, ray_row.LIMIT]
        hit, hit_feature = -1, 0
        for k in range(fields.shape[0]):
            c0, c1, r0, r1 = cells_overlapped(fields, k, x, z, x, z)
            first, columns = int(fields[k, height_grid.FIRST_CELL]), int(fields[k, height_grid.COLUMNS])
            for line in range(r0, r1 + 1):
                for cell in range(first + line * columns + c0, first + line * columns + c1 + 1):
                    for slot in range(cells.shape[1]):
                        i = cells[cell, slot]
                        if i < 0:
                            break
                        t, met_feature = intersect_ray_triangle(tri, i, x, y, z, 0.0, -1.0, 0.0)
                        if t >= 0.0 and (t < best or (t == best and (hit < 0 or i < hit))):
                            best, hit, hit_feature = t, i, met_feature
        triangle[row], feature[row], distance[row] = hit, hit_feature, best
