"""More questions of rays to a mesh than the nearest: whether anything is met, all that is met, the ground below."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..mesh.bvh import walk_rays
from ..mesh.heightfield import ground_below
from ..mesh.layout import ray_mode
from .arguments import directions, each, rays, vectors
from .ellipsoid import ray_answer
from .results import Hit, Hits

if TYPE_CHECKING:
    from ..triangle_mesh import TriangleMesh

UP = (0.0, 1.0, 0.0)


def raycast_any(
    mesh: TriangleMesh, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike
) -> bool | NDArray[np.bool_]:
    """See `TriangleMesh.raycast_any`."""
    table, single = rays(origin, direction, max_distance)
    triangle, feature, distance = _columns(len(table))
    walk_rays(mesh.nodes, mesh.links, mesh.triangles12, table, 0.0, ray_mode.ANY, triangle, feature, distance, triangle)
    met = triangle >= 0
    return bool(met[0]) if single else met


def raycast_all(
    mesh: TriangleMesh, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike
) -> Hits | list[Hits]:
    """See `TriangleMesh.raycast_all`."""
    table, single = rays(origin, direction, max_distance)
    ray, (triangle, feature, distance) = np.empty(0, np.int32), _columns(0)
    tree = mesh.nodes, mesh.links, mesh.triangles12
    room, count = 4 * len(table) + 256, -1
    while count < 0 or count > len(ray):
        ray, (triangle, feature, distance) = np.empty(room, np.int32), _columns(room)
        count = walk_rays(*tree, table, 0.0, ray_mode.ALL, triangle, feature, distance, ray)
        room = count
    order = np.lexsort((triangle[:count], distance[:count], ray[:count]))
    ray, triangle, feature, distance = ray[order], triangle[order], feature[order], distance[order]
    every = cast(Hits, ray_answer(mesh, table[ray], triangle, feature, distance, False))
    ends = np.searchsorted(ray, np.arange(len(table) + 1)).tolist()
    answers = [_part(every, slice(a, b)) for a, b in pairwise(ends)]
    return answers[0] if single else answers


def ground(mesh: TriangleMesh, point: ArrayLike, reach: ArrayLike, steepest: float, up: ArrayLike) -> Hit | Hits | None:
    """See `TriangleMesh.ground_below`."""
    points, limits, above = vectors(point, "point"), each(reach, "reach", infinite=True), directions(up, "up")
    angle = float(each(steepest, "steepest")) if np.ndim(steepest) == 0 else math.nan
    if not 0.0 <= angle <= 90.0:
        raise ValueError(f"steepest: must be from 0 to 90 degrees, got {steepest!r:.80}")
    if (limits < 0.0).any():
        raise ValueError("reach: must not be negative")
    if angle == 90.0 and limits.ndim == 0 and above.tolist() == list(UP):
        return ground_below(mesh, points, float(limits))
    table, single = rays(points, -above, limits)
    triangle, feature, distance = _columns(len(table))
    # The slope of a floor made at just this angle may come out on either side of it.
    least = math.cos(math.radians(angle)) - 1e-12 if angle < 90.0 else 0.0
    walk_rays(
        mesh.nodes, mesh.links, mesh.triangles12, table, least, ray_mode.NEAREST, triangle, feature, distance, triangle
    )
    return ray_answer(mesh, table, triangle, feature, distance, single)


def _part(hits: Hits, rows: slice) -> Hits:
    distance, point, normal = hits.distance[rows], hits.point[rows], hits.normal[rows]
    return Hits(hits.fraction[rows], distance, point, normal, hits.triangle[rows], hits.feature[rows])


def _columns(count: int) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float64]]:
    return np.empty(count, np.int32), np.empty(count, np.uint8), np.empty(count)
