"""Ray casts and sweeps from N walkers at once, in the directions of their bodies or views, among moving platforms.

Directions are local to each walker: x right, y up, z back, so (0, 0, -1) is ahead. For an upright walker with heading 0
they are the axes of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import as_instances, describe_value
from ..core.vectors import Floats, Indices
from .character.command import Command, Rows, check_rows, command_rows
from .character.settings import WalkerSettings
from .character.state import States
from .environment.environment import Environment
from .mesh.bvh import cast_rays
from .mesh.mesh_view import MeshView
from .mesh.rows import ray_mode, ray_row
from .numerics.arrays import Bytes
from .numerics.trigonometry import heading_sin_cos
from .query.arguments import as_directions, as_rays, as_scalars, as_vectors
from .query.ellipsoid import sweep_poses
from .query.mesh_parts import SurfaceFilter, pose_mesh, rotate_vectors
from .query.rays import NO_RAYS, allocate_ray_columns
from .query.results import NO_TRIANGLE, Hit, Hits, hit_at, make_ray_hits, write_ray_hits
from .triangle_mesh import TriangleMesh

Share = Callable[[Callable[[int], None], range], None]
View = Iterable[Command] | Rows | None  # one for each walker; None: its body's heading

UPRIGHT = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)  # up and north of a body without gravity of its own
RAYS_IN_BLOCK = 1024  # rays that a thread casts at a time
LEVEL = -1  # as a mover: the mesh of the crowd


@dataclass(frozen=True, slots=True, eq=False)
class WalkerHits:
    """Hits of N walkers in K directions, as read-only columns; `hits[walker, direction]` is a Hit or None.

    hit (N,K) bool; fraction, distance (N,K), point, normal (N,K,3): nan for a miss (fraction also for a ray without a
    limit). triangle (N,K) i4: index in the mesh of the crowd or of the mover, as passed in; -1 for a miss. mover (N,K)
    i4: index of the moving platform that was hit, -1: the mesh of the crowd, or a miss. feature (N,K) u1.
    """

    fraction: Floats
    distance: Floats
    point: Floats
    normal: Floats
    triangle: NDArray[np.int32]
    mover: NDArray[np.int32]
    feature: Bytes

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(N,K): whether anything was hit."""
        found: NDArray[np.bool_] = self.triangle != NO_TRIANGLE
        return found

    def __len__(self) -> int:
        return len(self.triangle)

    def __getitem__(self, index: tuple[int, int]) -> Hit | None:
        if not (isinstance(index, tuple) and len(index) == 2):
            raise TypeError(f"index must be (walker, direction), not {describe_value(index)}; columns take slices")
        return hit_at(self, index)

    def __repr__(self) -> str:
        return f"<WalkerHits: {int(np.count_nonzero(self.hit))} of {self.triangle.shape[0]} x {self.triangle.shape[1]}>"


@dataclass(frozen=True, slots=True)
class Colliders:
    """What a query of a crowd can hit, filtered by surface: the mesh, and the platforms at a tick or at clocks of their
    own."""

    mesh: TriangleMesh
    around: Environment | None
    clock: int | Indices
    surfaces: SurfaceFilter | None
    ignore: SurfaceFilter | None

    def bodies(self) -> list[tuple[int, MeshView]]:
        """(index of the mover, or LEVEL; its triangles in the world) of each. ValueError for unknown surfaces."""
        bodies: list[tuple[int, MeshView]] = [(LEVEL, self.mesh.part(self.surfaces, self.ignore))]
        if self.around is not None and self.around.movers is not None:
            poses = self.around.movers.poses(self.clock)
            for index, mover in enumerate(self.around.movers):
                part = mover.mesh.part(self.surfaces, self.ignore, self.mesh)
                bodies.append((index, pose_mesh(part, poses[index, :, :3], poses[index, :, 3])))
        return bodies


def by_clock(
    query: Callable[[Colliders, States, View], WalkerHits],
    colliders: Colliders,
    states: States,
    view: View,
    clocks: tuple[Indices, Indices | None],
) -> WalkerHits:
    """A query of rows (N,) at their clocks (`as_clocks`): one call for each clock where there are platforms."""
    ticks, starts = clocks
    table = ticks[:, None] if starts is None else ticks[:, None] - starts
    distinct, group = np.unique(table, axis=0, return_inverse=True)
    if len(distinct) == 0 or colliders.around is None or not colliders.around.movers:
        return query(colliders, states, view)

    def at(clock: Indices) -> Colliders:
        return replace(colliders, clock=int(clock[0]) if starts is None else clock)

    if len(distinct) == 1:
        return query(at(distinct[0]), states, view)
    rows = None if view is None else _view_rows(view, len(states))
    groups = [np.flatnonzero(group.reshape(-1) == number) for number in range(len(distinct))]
    found = [
        query(at(clock), states[group], None if rows is None else rows[group])
        for clock, group in zip(distinct, groups, strict=True)
    ]
    order = np.argsort(np.concatenate(groups))
    names = [field.name for field in fields(WalkerHits)]
    return _read_only(WalkerHits(*(np.concatenate([getattr(hits, name) for hits in found])[order] for name in names)))


def raycast_walkers(
    colliders: Colliders,
    states: States,
    settings: WalkerSettings,
    directions: ArrayLike,
    max_distance: ArrayLike,
    view: View,
    share: Share,
) -> WalkerHits:
    """See `Crowd.raycast`. share: calls a function with numbers of a range, in several threads."""
    local = np.atleast_2d(as_directions(directions, "directions"))
    limits = as_scalars(max_distance, "max_distance", infinite=True)
    if limits.ndim == 1 and len(limits) != len(local):
        raise ValueError(f"max_distance: one for each of {len(local)} directions, not {len(limits)}")
    count, rays = len(states), len(local)
    eye = (2.0 * settings.eye - 1.0) * states["radii"][:, 1:2] * states["up"]  # from the centre
    origins = np.repeat(states["position"] + eye, rays, axis=0)
    world = _local_to_world(local, states, view).reshape(-1, 3)
    table = as_rays(origins, world, np.broadcast_to(limits, (count, rays)).reshape(-1))
    bodies, total = colliders.bodies(), len(table)
    fraction, distance, point, normal = np.empty(total), np.empty(total), np.empty((total, 3)), np.empty((total, 3))
    triangle, mover, feature = np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total, np.uint8)

    def cast_block(first: int) -> None:
        rows = slice(first, first + RAYS_IN_BLOCK)
        block = _cast_block(bodies, table[rows])
        fraction[rows], distance[rows], point[rows], normal[rows] = block[:4]
        triangle[rows], mover[rows], feature[rows] = block[4:]

    share(cast_block, range(0, total, RAYS_IN_BLOCK))
    return _as_walker_hits(count, rays, fraction, distance, point, normal, triangle, mover, feature)


def _cast_block(bodies: Sequence[tuple[int, MeshView]], rays: Floats) -> tuple[Any, ...]:
    """Columns of the nearest hits of rays (n,7) in all bodies; of equal ones the first body's."""
    count = len(rays)
    triangle, feature, distance = columns = allocate_ray_columns(count)
    mover = np.full(count, LEVEL, np.int32)
    level, *others = bodies
    cast_rays(level[1].nodes, level[1].links, level[1].triangles12, rays, 0.0, ray_mode.NEAREST, columns, NO_RAYS)
    met = []
    for index, mesh in others:
        rest, nearer = rays.copy(), allocate_ray_columns(count)
        rest[:, ray_row.LIMIT] = distance  # nothing beyond the hit so far counts
        cast_rays(mesh.nodes, mesh.links, mesh.triangles12, rest, 0.0, ray_mode.NEAREST, nearer, NO_RAYS)
        rows = np.flatnonzero((nearer[0] >= 0) & ((triangle < 0) | (nearer[2] < distance)))
        mover[rows] = index
        triangle[rows], feature[rows], distance[rows] = nearer[0][rows], nearer[1][rows], nearer[2][rows]
        if len(rows):
            met.append((index, mesh))
    fraction, point, normal, found = np.empty(count), np.empty((count, 3)), np.empty((count, 3)), triangle.copy()
    found[mover != LEVEL] = -1
    at = distance.copy()
    write_ray_hits(level[1].triangles12, level[1].source, rays, found, at, fraction, point, normal, found)
    for index, mesh in met:
        rows = np.flatnonzero(mover == index)
        hits = make_ray_hits(mesh, rays[rows], triangle[rows], feature[rows], distance[rows])
        fraction[rows], at[rows], point[rows] = hits.fraction, hits.distance, hits.point
        normal[rows], found[rows] = hits.normal, hits.triangle
    return fraction, at, point, normal, found, mover, feature


def sweep_walkers(colliders: Colliders, states: States, displacements: ArrayLike, view: View) -> WalkerHits:
    """See `Crowd.sweep`."""
    local = np.atleast_2d(as_vectors(displacements, "displacements"))
    count, sweeps = len(states), len(local)
    world = _local_to_world(local, states, view)
    poses = np.empty((count, sweeps, 11))
    poses[:, :, :3] = states["radii"][:, None]
    poses[:, :, 3:5] = _sin_cos(states["heading"])[:, None]
    poses[:, :, 5:8], poses[:, :, 8:] = states["position"][:, None], world
    frames, group = np.unique(np.hstack((states["up"], states["north"])), axis=0, return_inverse=True)
    found = [np.full((count, sweeps), np.nan) for _ in range(2)] + [np.full((count, sweeps, 3), np.nan) for _ in "pn"]
    numbers = [np.full((count, sweeps), -1, np.int32) for _ in range(2)]
    feature = np.zeros((count, sweeps), np.uint8)
    for index, frame in enumerate(frames):
        members = np.flatnonzero(group.reshape(-1) == index)
        hits = _sweep_frame(colliders, poses[members], frame)
        for column, value in zip(found, (hits.fraction, hits.distance, hits.point, hits.normal), strict=True):
            column[members] = value
        numbers[0][members], numbers[1][members], feature[members] = hits.triangle, hits.mover, hits.feature
    return _read_only(WalkerHits(found[0], found[1], found[2], found[3], numbers[0], numbers[1], feature))


def _sweep_frame(colliders: Colliders, poses: Floats, frame: Floats) -> WalkerHits:
    """Sweeps (n,K,11) of bodies with the same up and north, frame (6,); the mesh is turned into their frame."""
    count, sweeps = poses.shape[:2]
    rows = poses.reshape(-1, 11)
    if frame.tolist() == list(UPRIGHT):
        return _first_hits(colliders, count, sweeps, lambda mesh: sweep_poses(mesh, rows))
    up, north = frame[:3], frame[3:]
    to_frame = np.stack((_cross(north, up), up, -north))  # rows: east, up, south
    rows = rows.copy()
    rows[:, 5:8], rows[:, 8:] = rotate_vectors(to_frame, rows[:, 5:8]), rotate_vectors(to_frame, rows[:, 8:])
    hits = _first_hits(colliders, count, sweeps, lambda mesh: sweep_poses(pose_mesh(mesh, to_frame, np.zeros(3)), rows))
    back = partial(rotate_vectors, np.ascontiguousarray(to_frame.T))
    return WalkerHits(
        hits.fraction, hits.distance, back(hits.point), back(hits.normal), hits.triangle, hits.mover, hits.feature
    )


def _first_hits(colliders: Colliders, count: int, each: int, query: Callable[[MeshView], Any]) -> WalkerHits:
    """The nearest hits of `query` (of a mesh: Hits of count * each rows) in all bodies; of equal ones the first."""
    bodies = colliders.bodies()
    hits: Hits = query(bodies[0][1])
    fraction, distance, point = hits.fraction.copy(), hits.distance.copy(), hits.point.copy()
    normal, triangle, feature = hits.normal.copy(), hits.triangle.copy(), hits.feature.copy()
    mover = np.full(len(triangle), LEVEL, np.int32)
    for index, mesh in bodies[1:]:
        other: Hits = query(mesh)
        nearer = (other.triangle != NO_TRIANGLE) & ((triangle == NO_TRIANGLE) | (other.distance < distance))
        mover[nearer] = index
        for ours, theirs in (
            (fraction, other.fraction), (distance, other.distance), (point, other.point), (normal, other.normal),
            (triangle, other.triangle), (feature, other.feature),
        ):  # fmt: skip
            ours[nearer] = theirs[nearer]
    return _as_walker_hits(count, each, fraction, distance, point, normal, triangle, mover, feature)


def _as_walker_hits(count: int, each: int, *columns: NDArray[Any]) -> WalkerHits:
    """WalkerHits, read-only, of columns with count * each rows, in the order of its fields."""
    return _read_only(WalkerHits(*(column.reshape(count, each, *column.shape[1:]) for column in columns)))


def _local_to_world(local: Floats, states: States, view: View) -> Floats:
    """(N,K,3): local vectors (K,3) of each walker in the world; view: command rows, or None for the body's heading."""
    rows = None if view is None else _view_rows(view, len(states))
    up, north = states["up"], states["north"]
    sin_cos = _sin_cos(states["heading"] if rows is None else rows["heading"])
    s, c = sin_cos[:, :1], sin_cos[:, 1:]
    east = _cross(north, up)
    ahead, right = c * north - s * east, c * east + s * north
    if rows is not None:
        sin_cos = _sin_cos(rows["pitch"])
        s, c = sin_cos[:, :1], sin_cos[:, 1:]
        ahead, up = c * ahead + s * up, c * up - s * ahead
    x, y, z = (local[None, :, k, None] for k in range(3))
    world: Floats = x * right[:, None] + y * up[:, None] - z * ahead[:, None]
    return world


def _view_rows(view: Iterable[Command] | Rows, count: int) -> Rows:
    rows = check_rows(view) if isinstance(view, np.ndarray) else command_rows(as_instances(view, Command, "view"))
    if len(rows) != count:
        raise ValueError(f"view: expected one command for each of {count} walkers, got {len(rows)}")
    return rows


def _sin_cos(headings: ArrayLike) -> Floats:
    """(N,2): sine and cosine of integer headings."""
    pairs: Sequence[tuple[float, float]] = [heading_sin_cos(heading) for heading in np.asarray(headings).tolist()]
    return np.array(pairs, np.float64).reshape(-1, 2)


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products of vectors (..., 3), with a fixed order of operations."""
    (ax, ay, az), (bx, by, bz) = (tuple(v[..., k] for k in range(3)) for v in (a, b))
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def _read_only(hits: WalkerHits) -> WalkerHits:
    """The same hits, write-protected."""
    for name in hits.__slots__:
        getattr(hits, name).flags.writeable = False
    return hits
