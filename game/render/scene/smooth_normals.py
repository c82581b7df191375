"""Bent sheets, such as terrains: triangles that join at their corners, look upwards and are drawn as one surface."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MAX_BATCH_PAIRS = 2_000_000  # pairs of a triangle and a place, which bounds memory
BARYCENTRIC_TOLERANCE = 1e-6  # of a triangle: a place so little outside of it is taken for one inside


def shared_corner_ids(triangles: Floats) -> Ints:
    """A number (N, 3) for each corner of (N, 3, 3): the same for corners that are equal to the last bit."""
    rows = np.ascontiguousarray(triangles + 0.0).reshape(-1, 3).view("V24").reshape(-1)
    ids: Ints = np.unique(rows, return_inverse=True)[1].reshape(-1, 3).astype(np.int64)
    return ids


def smooth_corner_normals(triangles: Floats) -> Floats:
    """Unit normals (N, 3, 3) at the corners: the mean over the triangles that meet there, weighted by their area."""
    ids = shared_corner_ids(triangles)
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    total = np.zeros((int(ids.max(initial=-1)) + 1, 3))
    for corner in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(ids[:, corner], crossed[:, axis], len(total))
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
    normals: Floats = total[ids]
    return normals


def connected_components(triangles: Floats) -> Ints:
    """A number (N,) from 0 for each triangle's sheet: those that hang together by equal corners."""
    ids = shared_corner_ids(triangles)
    label = np.arange(int(ids.max(initial=-1)) + 1)
    while True:
        least = label[ids].min(axis=1)
        after = label.copy()
        np.minimum.at(after, ids.reshape(-1), np.repeat(least, 3))
        after = after[after]
        if np.array_equal(after, label):
            break
        label = after
    return np.unique(label[ids[:, 0]], return_inverse=True)[1].reshape(-1).astype(np.int64)


def interpolate_onto_grid(
    flat: Floats, values: Floats, across: Floats, along: Floats
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """What triangles (N, 3, 2) with values (N, 3, K) at their corners have at the places of a grid, whose columns are
    at `across` (C,) and rows at `along` (R,), both evenly ascending: (R, C, K), and where any has it (R, C)."""
    rows, columns = len(along), len(across)
    found = np.zeros((rows * columns, values.shape[2]))
    met = np.zeros(rows * columns, np.bool_)
    step = np.array([(axis[-1] - axis[0]) / max(len(axis) - 1, 1) or 1.0 for axis in (across, along)])
    start = np.array([across[0], along[0]])
    low = np.ceil((flat.min(axis=1) - start) / step - 1e-6).astype(np.int64)
    high = np.floor((flat.max(axis=1) - start) / step + 1e-6).astype(np.int64)
    low, high = np.maximum(low, 0), np.minimum(high, (columns - 1, rows - 1))
    size = high - low + 1
    first, second = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    double = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    sound = (size > 0).all(axis=1) & (np.abs(double) > 1e-12)
    for wide, tall in np.unique(size[sound], axis=0):
        alike = np.flatnonzero(sound & (size[:, 0] == wide) & (size[:, 1] == tall))
        for part in np.array_split(alike, max(1, len(alike) * wide * tall // MAX_BATCH_PAIRS)):
            j, i = np.divmod(np.arange(wide * tall), wide)
            column, row = low[part, :1] + i, low[part, 1:] + j
            x = across[column] - flat[part, 0, :1]
            y = along[row] - flat[part, 0, 1:]
            s = (x * second[part, 1:] - y * second[part, :1]) / double[part, None]
            t = (y * first[part, :1] - x * first[part, 1:]) / double[part, None]
            inside = (
                (s >= -BARYCENTRIC_TOLERANCE) & (t >= -BARYCENTRIC_TOLERANCE) & (s + t <= 1 + BARYCENTRIC_TOLERANCE)
            )
            which = np.nonzero(inside)[0]
            place = (row * columns + column)[inside]
            corner = values[part][which]
            s, t = s[inside][:, None], t[inside][:, None]
            found[place] = corner[:, 0] + s * (corner[:, 1] - corner[:, 0]) + t * (corner[:, 2] - corner[:, 0])
            met[place] = True
    return found.reshape(rows, columns, -1), met.reshape(rows, columns)


def extrapolate_to_neighbours(met: npt.NDArray[np.bool_], rounds: int = 2) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """For places (R, C) that lie just outside the one of a neighbour inside: numbers (R, C) of rows times columns, and
    which now have one."""
    rows, columns = met.shape
    source = np.arange(rows * columns).reshape(rows, columns)
    known = met.copy()
    for _ in range(rounds if not met.all() else 0):
        before = known.copy()
        for dj, di in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            here = (slice(max(dj, 0), rows + min(dj, 0)), slice(max(di, 0), columns + min(di, 0)))
            there = (slice(max(-dj, 0), rows + min(-dj, 0)), slice(max(-di, 0), columns + min(-di, 0)))
            take = before[there] & ~known[here]
            source[here][take] = source[there][take]
            known[here] |= take
    return source, known
