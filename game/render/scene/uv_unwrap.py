"""UV unwrapping: coplanar patches of triangles as charts, packed into the lightmap by shelves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Indices
from .render_mesh import RenderMesh, project_to_plane
from .smooth_normals import (
    NEIGHBOUR_OFFSETS,
    connected_components,
    extrapolate_to_neighbours,
    interpolate_onto_grid,
    neighbour_slices,
)

MAX_TRIANGLES = 60_000  # more have no baked light: charts would be smaller than a texel
SAMPLE_INSET = 0.012  # metres between samples and the edge of a chart, so that none lies inside the adjacent wall
CHART_PADDING = 1  # texels around a chart, for the bilinear filter
MIN_TEXEL, MAX_TEXEL = 0.05, 4.0  # metres
DETAIL_EXTENT = 32.0  # metres: longer charts, such as the ground around a level, have coarser texels
MIN_DETAIL, UNDERSIDE_DETAIL = 0.2, 0.6  # relative density of texels
BACKDROP_DISTANCE = 4.0  # metres beyond all that collides, at which texels begin to grow with the distance
TEXEL_CONSTANTS = MIN_TEXEL, DETAIL_EXTENT, MIN_DETAIL, UNDERSIDE_DETAIL, BACKDROP_DISTANCE  # of the key of baked light
RECTANGLE_FILL = 0.999  # of its bounding box; a chart that fills more is a rectangle
SPARSE_GROUP_FILL = 0.6  # of its bounding box; a plane that fills less is split into touching patches


@dataclass(frozen=True, slots=True)
class UvCharts:
    """Result of the unwrap.

    corner_uv: (N, 3, 2) in 0..1. width, height: texels. position, normal: (height, width, 3) per texel, metres.
    chart_of_texel: (height, width), -1 outside. texel_size: metres. chart_of_triangle: (N,).
    """

    corner_uv: Floats
    width: int
    height: int
    position: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    chart_of_texel: npt.NDArray[np.int32]
    texel_size: float
    chart_of_triangle: Indices


def _relative_density(mesh: RenderMesh, first: Indices, normals: Floats, extent: Floats) -> Floats:
    """(M,) density of texels of each chart: 1, or less where less is seen. first (M,): a triangle of each chart.

    A smooth surface is one chart, whatever its size; a level of nothing else keeps its texels.
    """
    detail: Floats = np.clip(DETAIL_EXTENT / np.maximum(extent.max(axis=1), 1e-9), MIN_DETAIL, 1.0)
    detail = np.where(normals[:, 1] < -0.9, UNDERSIDE_DETAIL * detail, detail)
    if mesh.solid_bounds is None:
        return detail
    corners = mesh.triangles[first]
    before, behind = mesh.solid_bounds[0] - corners.max(axis=1), corners.min(axis=1) - mesh.solid_bounds[1]
    beyond = np.maximum(np.maximum(before, behind), 0.0).max(axis=1)
    detail *= np.clip(BACKDROP_DISTANCE / np.maximum(beyond, 1e-9), MIN_DETAIL, 1.0)
    return detail


def unwrap(mesh: RenderMesh, width: int, height: int | None = None, finest: float = MIN_TEXEL) -> UvCharts | None:
    """Unwrap a mesh into `width` x `height` texels (square without height).

    The texel size is the finest at which all charts fit, but at least `finest` metres. Long charts, undersides and
    what stands far beyond all that collides have coarser texels. Returns None for an empty mesh or more than
    MAX_TRIANGLES.
    """
    height = width if height is None else height
    count = len(mesh.triangles)
    if not 0 < count <= MAX_TRIANGLES:
        return None
    chart_of = chart_of_triangle(mesh)
    first = np.unique(chart_of, return_index=True)[1]
    is_smooth = mesh.smooth[first]
    normals = np.where(is_smooth[:, None], (0.0, 1.0, 0.0), mesh.normals[first])  # project from above
    tangents, bitangents = plane_axes(normals)
    plane_corners = project_to_plane(mesh.triangles, tangents[chart_of], bitangents[chart_of])
    low, high = group_bounds(plane_corners, chart_of, len(first))
    extent = high - low
    detail = _relative_density(mesh, first, normals, extent)
    packing = pack_at_finest_texel(extent * detail[:, None], width, height, finest)
    if packing is None:
        return None
    texel, texels, corner = packing

    inset = np.minimum(SAMPLE_INSET, extent / 4)
    step = np.maximum(extent - 2 * inset, 1e-9) / (texels - 1)
    origin = low + inset  # of the samples in the plane of each chart
    uv = corner[chart_of, None, :] + 0.5 + (plane_corners - origin[chart_of, None, :]) / step[chart_of, None, :]
    distance = np.where(is_smooth, 0.0, np.einsum("nj,nj->n", mesh.triangles[first, 0], normals))

    # One entry per texel of every chart: chart, row and column. Padding repeats the edge.
    padded = texels + 2 * CHART_PADDING
    texel_counts = padded[:, 0] * padded[:, 1]
    starts = np.cumsum(texel_counts) - texel_counts
    texel_chart = np.repeat(np.arange(len(first)), texel_counts)
    row, column = np.divmod(np.arange(len(texel_chart)) - np.repeat(starts, texel_counts), padded[texel_chart, 0])
    row, column = row - CHART_PADDING, column - CHART_PADDING
    texel_index = (corner[texel_chart, 1] + row) * width + corner[texel_chart, 0] + column
    row, column = np.clip(row, 0, texels[texel_chart, 1] - 1), np.clip(column, 0, texels[texel_chart, 0] - 1)
    u = origin[texel_chart, 0] + step[texel_chart, 0] * column
    v = origin[texel_chart, 1] + step[texel_chart, 1] * row
    inside = np.ones(len(texel_chart), np.bool_)
    order = np.argsort(chart_of, kind="stable")
    ends = np.cumsum(np.bincount(chart_of, minlength=len(first)))
    begins = ends - np.bincount(chart_of, minlength=len(first))
    texel_normal = normals[texel_chart]
    height_above_plane = np.zeros(len(texel_chart))
    for c in np.flatnonzero(is_smooth | ~is_rectangular(plane_corners, chart_of, extent)):
        members = order[begins[c] : ends[c]]
        of_chart = slice(starts[c], starts[c] + texel_counts[c])
        across, along = (origin[c, axis] + step[c, axis] * np.arange(texels[c, axis]) for axis in (0, 1))
        at = row[of_chart], column[of_chart]
        if is_smooth[c]:
            values = np.concatenate((mesh.triangles[members, :, 1:2], mesh.corner_normals[members]), axis=2)
            draped, is_hit = interpolate_onto_grid(plane_corners[members], values, across, along)
            source, covered = extrapolate_to_neighbours(is_hit)
            source_texel = source[at]
            u[of_chart], v[of_chart] = across[source_texel % len(across)], along[source_texel // len(across)]
            height_above_plane[of_chart] = draped.reshape(-1, 4)[source_texel, 0]
            texel_normal[of_chart] = draped.reshape(-1, 4)[source_texel, 1:]
        else:
            grid = np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=2)
            covered = clamp_samples_to_triangles(grid, plane_corners[members])
            u[of_chart], v[of_chart] = grid[at].T
        inside[of_chart] = covered[at]

    position = np.zeros((width * height, 3), np.float32)
    normal = np.zeros((width * height, 3), np.float32)
    chart_of_texel = np.full(width * height, -1, np.int32)
    plane_offset = distance[:, None] * normals
    position[texel_index] = (
        u[:, None] * tangents[texel_chart] + v[:, None] * bitangents[texel_chart] + plane_offset[texel_chart]
    )
    position[texel_index, 1] += height_above_plane
    normal[texel_index] = texel_normal / np.maximum(np.linalg.norm(texel_normal, axis=1, keepdims=True), 1e-12)
    chart_of_texel[texel_index] = np.where(inside, texel_chart, -1)
    shape = (height, width)
    return UvCharts(
        uv / (width, height), width, height, position.reshape(*shape, 3), normal.reshape(*shape, 3),
        chart_of_texel.reshape(shape), texel, chart_of,
    )  # fmt: skip


def is_rectangular(corners: Floats, chart_of: Indices, extent: Floats) -> npt.NDArray[np.bool_]:
    """Mask (C,) of the charts whose triangles (N, 3, 2) fill their bounding box (C, 2)."""
    edges = corners[:, 1:] - corners[:, :1]
    area = 0.5 * np.abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    filled: npt.NDArray[np.bool_] = np.bincount(chart_of, area, len(extent)) >= RECTANGLE_FILL * np.prod(extent, axis=1)
    return filled


def chart_of_triangle(mesh: RenderMesh) -> Indices:
    """Chart index (N,) of each triangle: a coplanar patch or a smooth surface."""
    if not mesh.smooth.any():
        return group_by_plane(mesh.triangles, mesh.normals)
    group = np.zeros(len(mesh.triangles), np.int64)
    is_flat = ~mesh.smooth
    if is_flat.any():
        group[is_flat] = group_by_plane(mesh.triangles[is_flat], mesh.normals[is_flat])
    group[mesh.smooth] = connected_components(mesh.triangles[mesh.smooth]) + int(group.max()) + 1
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)


def group_by_plane(triangles: Floats, normals: Floats) -> Indices:
    """Patch index (N,) of each triangle: same plane and touching bounding rectangles."""
    distance = np.einsum("nj,nj->n", triangles[:, 0], normals)
    keys = np.column_stack((np.rint(normals * 2048), np.rint(distance * 500))).astype(np.int64)  # 0.03 deg, 2 mm
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1).astype(np.int64)
    planes = len(first)
    tangents, bitangents = plane_axes(normals[first])
    corners = project_to_plane(triangles, tangents[group], bitangents[group])
    low, high = group_bounds(corners, group, planes)
    edges = corners[:, 1:] - corners[:, :1]
    area = 0.5 * np.abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    area_sum = np.bincount(group, area, planes)
    sparse = area_sum < SPARSE_GROUP_FILL * np.prod(high - low, axis=1)
    next_free = planes
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=planes))
    for plane in np.flatnonzero(sparse & (np.bincount(group, minlength=planes) > 2)):
        members = order[ends[plane] - np.count_nonzero(group == plane) : ends[plane]]
        components = label_touching_rectangles(corners[members].min(axis=1), corners[members].max(axis=1))
        group[members[components > 0]] = next_free + components[components > 0] - 1
        next_free += int(components.max())
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)


def plane_axes(normals: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors (N, 3) that span the plane of each unit normal (N, 3): horizontal, and perpendicular to it."""
    horizontal = np.column_stack((normals[:, 2], np.zeros(len(normals)), -normals[:, 0]))
    length = np.linalg.norm(horizontal, axis=1, keepdims=True)
    horizontal = np.where(length > 1e-6, horizontal / np.maximum(length, 1e-6), (1.0, 0.0, 0.0))
    return horizontal, np.cross(normals, horizontal)


def label_touching_rectangles(low: Floats, high: Floats, slack: float = 0.01) -> Indices:
    """Connected components (M,) of rectangles low..high (M, 2) that touch within `slack` metres (union-find)."""
    count = len(low)
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    order = np.argsort(low[:, 0], kind="stable")
    sweep_end = np.searchsorted(low[order, 0], high[order, 0] + slack, side="right")
    for k, i in enumerate(order):
        others = order[k + 1 : sweep_end[k]]
        touching = others[(low[others, 1] <= high[i, 1] + slack) & (high[others, 1] >= low[i, 1] - slack)]
        for j in touching:
            parent[root(int(j))] = root(int(i))
    return np.unique([root(i) for i in range(count)], return_inverse=True)[1].reshape(-1).astype(np.int64)


def group_bounds(corners: Floats, group: Indices, count: int) -> tuple[Floats, Floats]:
    """Minimum and maximum corner (count, 2) of the triangles (N, 3, 2) of each group."""
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, group, corners.min(axis=1))
    np.maximum.at(high, group, corners.max(axis=1))
    return low, high


def pack_at_finest_texel(
    extent: Floats, width: int, height: int, finest: float
) -> tuple[float, Indices, Indices] | None:
    """Finest texel size (m) at which rectangles (C, 2) fit, by bisection; their texels (C, 2) and corners (C, 2)."""
    low, high = finest, max(MAX_TEXEL, 2.0 * finest)
    best: tuple[float, Indices, Indices] | None = None
    for _ in range(12):
        texel = math.sqrt(low * high) if best is not None or low > finest else finest
        limit = np.array((width, height)) - 2 * CHART_PADDING
        cells = np.clip(np.ceil(extent / texel).astype(np.int64) + 1, 2, np.maximum(limit, 2))
        corners = pack_shelves(cells + 2 * CHART_PADDING, width, height)
        if corners is None:
            low = texel * 1.0001
        else:
            best = (texel, cells, corners + CHART_PADDING)
            high = texel
        if high / low < 1.03:
            break
    return best


def pack_shelves(cells: Indices, width: int, height: int) -> Indices | None:
    """Corners (C, 2) of rectangles packed in shelves, tallest first; None where they do not fit."""
    if int(np.prod(cells, axis=1).sum()) > width * height:
        return None
    corners = np.zeros_like(cells)
    x = y = shelf_height = 0
    order = np.lexsort((-cells[:, 0], -cells[:, 1]))
    for c, (wide, high) in zip(order.tolist(), cells[order].tolist(), strict=True):
        if x + wide > width:
            x = 0
            y = y + shelf_height
            shelf_height = 0
        if y + high > height:
            return None
        corners[c] = x, y
        x = x + wide
        shelf_height = max(shelf_height, high)
    return corners


def clamp_samples_to_triangles(grid: Floats, triangles: Floats) -> npt.NDArray[np.bool_]:
    """Mask of the samples (ny, nx, 2) that have a point on the triangles (M, 3, 2). Moves samples outside to a
    neighbour inside.

    The bilinear filter then never mixes in light from beyond an edge. `grid` is changed in place.
    """
    first = triangles[:, 0]
    edge1 = triangles[:, 1] - triangles[:, 0]
    edge2 = triangles[:, 2] - triangles[:, 0]
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
        offset = grid[j0:j1, i0:i1] - first[m]
        s = (offset[..., 0] * edge2[m, 1] - offset[..., 1] * edge2[m, 0]) / double[m]
        t = (edge1[m, 0] * offset[..., 1] - edge1[m, 1] * offset[..., 0]) / double[m]
        covered[j0:j1, i0:i1] |= (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1 + 1e-9)
        # A sliver between the samples needs one too.
        centre = triangles[m].mean(axis=0)
        i, j = int(np.abs(u - centre[0]).argmin()), int(np.abs(v - centre[1]).argmin())
        if not covered[j, i]:
            grid[j, i] = centre
            covered[j, i] = True
    for _ in range(2):
        before = covered.copy()
        for neighbour_offset in NEIGHBOUR_OFFSETS:
            target, neighbour = neighbour_slices(covered.shape, neighbour_offset)
            mask = before[neighbour] & ~covered[target]
            grid[target][mask] = grid[neighbour][mask]
            covered[target] |= mask
    return covered
