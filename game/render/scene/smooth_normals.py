"""Smooth shading of connected surfaces such as terrain: vertex normals, connected components, interpolation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Indices

MAX_BATCH_PAIRS = 2_000_000  # pairs of triangle and grid point at once: bounds memory
BARYCENTRIC_TOLERANCE = 1e-6  # a point this far outside a triangle counts as inside
NEIGHBOUR_OFFSETS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))  # edges before corners

GridSlices = tuple[slice, slice]  # of rows and columns


def shared_corner_indices(triangles: Floats) -> Indices:
    """Vertex index (N, 3) of each corner of (N, 3, 3); bitwise equal corners share an index."""
    rows = np.ascontiguousarray(triangles + 0.0).reshape(-1, 3).view("V24").reshape(-1)
    vertices: Indices = np.unique(rows, return_inverse=True)[1].reshape(-1, 3).astype(np.int64)
    return vertices


def smooth_corner_normals(triangles: Floats) -> Floats:
    """Vertex normals (N, 3, 3): area-weighted mean over the triangles at each vertex."""
    vertices = shared_corner_indices(triangles)
    area_normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    total = np.zeros((int(vertices.max(initial=-1)) + 1, 3))
    for corner in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(vertices[:, corner], area_normals[:, axis], len(total))
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
    normals: Floats = total[vertices]
    return normals


def connected_components(triangles: Floats) -> Indices:
    """Component index (N,) from 0 of each triangle: components share vertices."""
    vertices = shared_corner_indices(triangles)
    label = np.arange(int(vertices.max(initial=-1)) + 1)
    while True:
        lowest = label[vertices].min(axis=1)
        updated = label.copy()
        np.minimum.at(updated, vertices.reshape(-1), np.repeat(lowest, 3))
        updated = updated[updated]
        if np.array_equal(updated, label):
            break
        label = updated
    return np.unique(label[vertices[:, 0]], return_inverse=True)[1].reshape(-1).astype(np.int64)


def interpolate_onto_grid(
    corners: Floats, values: Floats, across: Floats, along: Floats
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Interpolate values (N, 3, K) at the corners of triangles (N, 3, 2) onto a grid.

    across: (C,) and along: (R,) are the evenly spaced ascending coordinates of columns and rows. Returns (R, C, K) and
    a mask (R, C) of the points inside a triangle.
    """
    rows, columns = len(along), len(across)
    result = np.zeros((rows * columns, values.shape[2]))
    is_hit = np.zeros(rows * columns, np.bool_)
    step = np.array([(axis[-1] - axis[0]) / max(len(axis) - 1, 1) or 1.0 for axis in (across, along)])
    start = np.array([across[0], along[0]])
    low = np.ceil((corners.min(axis=1) - start) / step - 1e-6).astype(np.int64)
    high = np.floor((corners.max(axis=1) - start) / step + 1e-6).astype(np.int64)
    low, high = np.maximum(low, 0), np.minimum(high, (columns - 1, rows - 1))
    size = high - low + 1
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    double_area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    is_valid = (size > 0).all(axis=1) & (np.abs(double_area) > 1e-12)
    for nx, ny in np.unique(size[is_valid], axis=0):
        same_size = np.flatnonzero(is_valid & (size[:, 0] == nx) & (size[:, 1] == ny))
        for batch in np.array_split(same_size, max(1, len(same_size) * nx * ny // MAX_BATCH_PAIRS)):
            j, i = np.divmod(np.arange(nx * ny), nx)
            column, row = low[batch, :1] + i, low[batch, 1:] + j
            x = across[column] - corners[batch, 0, :1]
            y = along[row] - corners[batch, 0, 1:]
            s = (x * second[batch, 1:] - y * second[batch, :1]) / double_area[batch, None]
            t = (y * first[batch, :1] - x * first[batch, 1:]) / double_area[batch, None]
            inside = (
                (s >= -BARYCENTRIC_TOLERANCE) & (t >= -BARYCENTRIC_TOLERANCE) & (s + t <= 1 + BARYCENTRIC_TOLERANCE)
            )
            hit_triangle = np.nonzero(inside)[0]
            point_index = (row * columns + column)[inside]
            corner_values = values[batch][hit_triangle]
            s, t = s[inside][:, None], t[inside][:, None]
            result[point_index] = (
                corner_values[:, 0]
                + s * (corner_values[:, 1] - corner_values[:, 0])
                + t * (corner_values[:, 2] - corner_values[:, 0])
            )
            is_hit[point_index] = True
    return result.reshape(rows, columns, -1), is_hit.reshape(rows, columns)


def neighbour_slices(shape: tuple[int, ...], offset: tuple[int, int]) -> tuple[GridSlices, GridSlices]:
    """Slices of the grid points that have a neighbour, and of those neighbours. offset: (rows, columns) from the
    neighbour to the point.
    """
    (rows, columns), (dj, di) = shape[:2], offset
    points = (slice(max(dj, 0), rows + min(dj, 0)), slice(max(di, 0), columns + min(di, 0)))
    neighbours = (slice(max(-dj, 0), rows + min(-dj, 0)), slice(max(-di, 0), columns + min(-di, 0)))
    return points, neighbours


def extrapolate_to_neighbours(is_hit: npt.NDArray[np.bool_], rounds: int = 2) -> tuple[Indices, npt.NDArray[np.bool_]]:
    """Source point (R, C), as row * columns + column, of each grid point: itself, or for points up to `rounds` steps
    outside a neighbour inside. Also a mask of points with a source.
    """
    rows, columns = is_hit.shape
    source = np.arange(rows * columns).reshape(rows, columns)
    has_source = is_hit.copy()
    for _ in range(rounds if not is_hit.all() else 0):
        before = has_source.copy()
        for offset in NEIGHBOUR_OFFSETS:
            target, neighbour = neighbour_slices(is_hit.shape, offset)
            mask = before[neighbour] & ~has_source[target]
            source[target][mask] = source[neighbour][mask]
            has_source[target] |= mask
    return source, has_source
