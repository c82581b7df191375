"""The unfolded level: every plane's patch laid out flat in one picture, where baked light is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .render_mesh import Floats, RenderMesh
from .smooth_normals import connected_components, extrapolate_to_neighbours, interpolate_onto_grid

Ints = npt.NDArray[np.int64]

MAX_TRIANGLES = 60_000  # beyond this a chart would be smaller than a texel: no baked light
SAMPLE_INSET = 0.012  # metres that samples keep from a patch's edge, so that none lies inside the next wall
CHART_PADDING = 1  # texels around a chart, for the bilinear filter
MIN_TEXEL, MAX_TEXEL = 0.06, 4.0  # metres a texel may span
RECTANGLE_FILL = 0.999  # part of its box that a patch fills which is taken for a rectangle
SPARSE_GROUP_FILL = 0.6  # part of a plane's box that its triangles must fill to be one chart without a closer look


@dataclass(frozen=True, slots=True)
class UvCharts:
    """Where each triangle's corners lie in the picture, and where in the world each texel lies.

    uv (N, 3, 2) in 0..1; width and height of the picture in texels; position (height, width, 3) metres and normal
    (height, width, 3) of each texel; chart (height, width) its chart or -1; texel: metres a texel spans.
    """

    corner_uv: Floats
    width: int
    height: int
    position: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    chart_of_texel: npt.NDArray[np.int32]
    texel_size: float


def unwrap(model: RenderMesh, width: int, height: int | None = None, finest: float = MIN_TEXEL) -> UvCharts | None:
    """Lay the model out in `width` x `height` texels (a square without a height) as finely as fits, but no finer than
    `finest` metres a texel. None for nothing, or for too much."""
    height = width if height is None else height
    count = len(model.triangles)
    if not 0 < count <= MAX_TRIANGLES:
        return None
    group = chart_of_triangle(model)
    first = np.unique(group, return_index=True)[1]
    sheet = model.smooth[first]
    normals = np.where(sheet[:, None], (0.0, 1.0, 0.0), model.normals[first])  # sheets are laid out from above
    tangents, bitangents = plane_axes(normals)
    flat = project_to_plane(model.triangles, tangents[group], bitangents[group])
    low, high = group_bounds(flat, group, len(first))
    extent = high - low
    placed = pack_at_finest_texel(extent, width, height, finest)
    if placed is None:
        return None
    texel, cells, corner = placed

    inset = np.minimum(SAMPLE_INSET, extent / 4)
    step = np.maximum(extent - 2 * inset, 1e-9) / (cells - 1)
    uv = corner[group, None, :] + 0.5 + (flat - (low + inset)[group, None, :]) / step[group, None, :]
    distance = np.where(sheet, 0.0, np.einsum("nj,nj->n", model.triangles[first, 0], normals))

    # every texel of every chart in one list: its chart, its row and column there (the padding repeats the edge)
    padded = cells + 2 * CHART_PADDING
    counts = padded[:, 0] * padded[:, 1]
    owner = np.repeat(np.arange(len(first)), counts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    row, column = np.divmod(number, padded[owner, 0])
    place = (corner[owner, 1] - CHART_PADDING + row) * width + corner[owner, 0] - CHART_PADDING + column
    row, column = (
        np.clip(row - CHART_PADDING, 0, cells[owner, 1] - 1),
        np.clip(column - CHART_PADDING, 0, cells[owner, 0] - 1),
    )
    u = (low + inset)[owner, 0] + step[owner, 0] * column
    v = (low + inset)[owner, 1] + step[owner, 1] * row
    inside = np.ones(len(owner), np.bool_)
    starts = np.cumsum(counts) - counts
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(first)))
    begins = ends - np.bincount(group, minlength=len(first))
    facing, high_up = normals[owner], np.zeros(len(owner))
    for c in np.flatnonzero(sheet | ~is_rectangular(flat, group, extent)):
        (nx, ny), members = cells[c], flat[order[begins[c] : ends[c]]]
        across = low[c, 0] + inset[c, 0] + step[c, 0] * np.arange(nx)
        along = low[c, 1] + inset[c, 1] + step[c, 1] * np.arange(ny)
        own = slice(starts[c], starts[c] + counts[c])
        if sheet[c]:
            bent = order[begins[c] : ends[c]]
            values = np.concatenate((model.triangles[bent, :, 1:2], model.corner_normals[bent]), axis=2)
            draped, met = interpolate_onto_grid(members, values, across, along)
            source, covered = extrapolate_to_neighbours(met)
            there = source[row[own], column[own]]
            u[own], v[own] = across[there % nx], along[there // nx]
            high_up[own], facing[own] = draped.reshape(-1, 4)[there, 0], draped.reshape(-1, 4)[there, 1:]
            inside[own] = covered[row[own], column[own]]
            continue
        grid = np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=2)
        covered = clamp_samples_to_triangles(grid, members)
        u[own], v[own] = grid[row[own], column[own], 0], grid[row[own], column[own], 1]
        inside[own] = covered[row[own], column[own]]

    position = np.zeros((width * height, 3), np.float32)
    normal = np.zeros((width * height, 3), np.float32)
    chart = np.full(width * height, -1, np.int32)
    through = distance[:, None] * normals
    position[place] = u[:, None] * tangents[owner] + v[:, None] * bitangents[owner] + through[owner]
    position[place, 1] += high_up
    normal[place] = facing / np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-12)
    chart[place] = np.where(inside, owner, -1)
    shape = (height, width)
    return UvCharts(
        uv / (width, height), width, height, position.reshape(*shape, 3), normal.reshape(*shape, 3),
        chart.reshape(shape), texel,
    )  # fmt: skip


def is_rectangular(flat: Floats, group: Ints, extent: Floats) -> npt.NDArray[np.bool_]:
    """Which of the patches (C,) with triangles (N, 3, 2) fill their whole box (C, 2)."""
    edges = flat[:, 1:] - flat[:, :1]
    area = 0.5 * np.abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    filled: npt.NDArray[np.bool_] = np.bincount(group, area, len(extent)) >= RECTANGLE_FILL * np.prod(extent, axis=1)
    return filled


def chart_of_triangle(model: RenderMesh) -> Ints:
    """A number (N,) for each triangle's patch: a plane's, or a bent sheet's."""
    if not model.smooth.any():
        return group_by_plane(model.triangles, model.normals)
    group = np.zeros(len(model.triangles), np.int64)
    plane = ~model.smooth
    if plane.any():
        group[plane] = group_by_plane(model.triangles[plane], model.normals[plane])
    group[model.smooth] = connected_components(model.triangles[model.smooth]) + int(group.max()) + 1
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)


def group_by_plane(triangles: Floats, normals: Floats) -> Ints:
    """A number (N,) for each triangle's patch: same plane, and boxes within the plane that touch."""
    distance = np.einsum("nj,nj->n", triangles[:, 0], normals)
    keys = np.column_stack((np.rint(normals * 2048), np.rint(distance * 500))).astype(np.int64)  # 0.03 deg, 2 mm
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1).astype(np.int64)
    planes = len(first)
    tangents, bitangents = plane_axes(normals[first])
    flat = project_to_plane(triangles, tangents[group], bitangents[group])
    low, high = group_bounds(flat, group, planes)
    edges = flat[:, 1:] - flat[:, :1]
    area = 0.5 * np.abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    filled = np.bincount(group, area, planes)
    sparse = filled < SPARSE_GROUP_FILL * np.prod(high - low, axis=1)
    next_free = planes
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=planes))
    for plane in np.flatnonzero(sparse & (np.bincount(group, minlength=planes) > 2)):
        members = order[ends[plane] - np.count_nonzero(group == plane) : ends[plane]]
        parts = label_touching_rectangles(flat[members].min(axis=1), flat[members].max(axis=1))
        group[members[parts > 0]] = next_free + parts[parts > 0] - 1
        next_free += int(parts.max())
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)


def plane_axes(normals: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors (N, 3) that span the planes of unit normals (N, 3): a level one and one that climbs."""
    level = np.column_stack((normals[:, 2], np.zeros(len(normals)), -normals[:, 0]))
    length = np.linalg.norm(level, axis=1, keepdims=True)
    level = np.where(length > 1e-6, level / np.maximum(length, 1e-6), (1.0, 0.0, 0.0))
    return level, np.cross(normals, level)


def project_to_plane(triangles: Floats, tangents: Floats, bitangents: Floats) -> Floats:
    """Corners (N, 3, 2) in the plane of each triangle's own axes (N, 3)."""
    return np.stack(
        (np.einsum("nij,nj->ni", triangles, tangents), np.einsum("nij,nj->ni", triangles, bitangents)), axis=2
    )


def label_touching_rectangles(low: Floats, high: Floats, slack: float = 0.01) -> Ints:
    """Number the parts (M,) of rectangles low..high (M, 2) that hang together by touching."""
    count = len(low)
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    order = np.argsort(low[:, 0], kind="stable")
    reach = np.searchsorted(low[order, 0], high[order, 0] + slack, side="right")
    for k, i in enumerate(order):
        others = order[k + 1 : reach[k]]
        meets = others[(low[others, 1] <= high[i, 1] + slack) & (high[others, 1] >= low[i, 1] - slack)]
        for j in meets:
            parent[root(int(j))] = root(int(i))
    return np.unique([root(i) for i in range(count)], return_inverse=True)[1].reshape(-1).astype(np.int64)


def group_bounds(flat: Floats, group: Ints, count: int) -> tuple[Floats, Floats]:
    """Least and greatest corner (count, 2) of the triangles (N, 3, 2) of each group."""
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, group, flat.min(axis=1))
    np.maximum.at(high, group, flat.max(axis=1))
    return low, high


def pack_at_finest_texel(extent: Floats, width: int, height: int, finest: float) -> tuple[float, Ints, Ints] | None:
    """The finest texel (m) at which rectangles (C, 2) fit the picture, their cells (C, 2) and corners (C, 2)."""
    low, high = finest, max(MAX_TEXEL, 2.0 * finest)
    best: tuple[float, Ints, Ints] | None = None
    for _ in range(12):
        texel = math.sqrt(low * high) if best is not None or low > finest else finest
        most = np.array((width, height)) - 2 * CHART_PADDING
        cells = np.clip(np.ceil(extent / texel).astype(np.int64) + 1, 2, np.maximum(most, 2))
        corner = pack_shelves(cells + 2 * CHART_PADDING, width, height)
        if corner is None:
            low = texel * 1.0001
        else:
            best, high = (texel, cells, corner + CHART_PADDING), texel
        if high / low < 1.03:
            break
    return best


def pack_shelves(cells: Ints, width: int, height: int) -> Ints | None:
    """Corners (C, 2) of rectangles laid in rows, tallest first; None where they do not fit."""
    if int(np.prod(cells, axis=1).sum()) > width * height:
        return None
    corner = np.zeros_like(cells)
    x = y = row = 0
    order = np.lexsort((-cells[:, 0], -cells[:, 1]))
    for c, (across, down) in zip(order.tolist(), cells[order].tolist(), strict=True):
        if x + across > width:
            x, y, row = 0, y + row, 0
        if y + down > height:
            return None
        corner[c] = x, y
        x, row = x + across, max(row, down)
    return corner


def clamp_samples_to_triangles(grid: Floats, triangles: Floats) -> npt.NDArray[np.bool_]:
    """Which of the samples (ny, nx, 2) stand for a place of the patch; those just outside are moved in.

    `triangles` (M, 3, 2). A sample outside all triangles takes the place of a neighbour inside, so that the
    bilinear filter never mixes in what lies beyond an edge.
    """
    first, edge1, edge2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    double = edge1[:, 0] * edge2[:, 1] - edge1[:, 1] * edge2[:, 0]
    ny, nx = grid.shape[:2]
    u, v = grid[0, :, 0], grid[:, 0, 1]
    covered = np.zeros((ny, nx), np.bool_)
    for m in range(len(triangles)):
        if abs(double[m]) < 1e-12:
            continue
        low, high = triangles[m].min(axis=0), triangles[m].max(axis=0)
        i0, i1 = np.searchsorted(u, (low[0] - 1e-9, high[0] + 1e-9))
        j0, j1 = np.searchsorted(v, (low[1] - 1e-9, high[1] + 1e-9))
        away = grid[j0:j1, i0:i1] - first[m]
        s = (away[..., 0] * edge2[m, 1] - away[..., 1] * edge2[m, 0]) / double[m]
        t = (edge1[m, 0] * away[..., 1] - edge1[m, 1] * away[..., 0]) / double[m]
        covered[j0:j1, i0:i1] |= (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1 + 1e-9)
        # a sliver between the samples still needs one
        middle = triangles[m].mean(axis=0)
        i, j = int(np.abs(u - middle[0]).argmin()), int(np.abs(v - middle[1]).argmin())
        if not covered[j, i]:
            grid[j, i] = middle
            covered[j, i] = True
    for _ in range(2):
        before = covered.copy()
        for dj, di in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            here = (slice(max(dj, 0), ny + min(dj, 0)), slice(max(di, 0), nx + min(di, 0)))
            there = (slice(max(-dj, 0), ny + min(-dj, 0)), slice(max(-di, 0), nx + min(-di, 0)))
            take = before[there] & ~covered[here]
            grid[here][take] = grid[there][take]
            covered[here] |= take
    return covered
