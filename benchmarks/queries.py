"""Cost of the queries of docs/queries.md, in microseconds per query, with other libraries in the same run.

    python -m benchmarks.queries [TRIANGLES]

Many queries at once over rolling terrain. Compared with the installed ones of: trimesh (with rtree and scipy; rays by
embreex, Intel's Embree in 32-bit floats) and FCL (python-fcl, one call per pair). Their answers are first compared with
ours.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.courses import terrain
from benchmarks.mesh import seconds
from game.physics import Box, Capsule, Sphere, TriangleMesh, point_in_polygon

QUERIES = 20_000
SLOW_PEER_QUERIES = 2_000  # for a slow peer
TOLERANCE = 1e-3  # m: 32-bit floats at the size of the terrain


def is_installed(*names: str) -> bool:
    return all(importlib.util.find_spec(name) is not None for name in names)


Peer = tuple[str, Callable[[], Any], int]  # name, function, number of queries


def print_row(name: str, ours: Callable[[], Any], count: int, peer: Peer | None = None) -> None:
    mine = 1e6 * seconds(ours) / count
    text = f"{name:<34}{mine:>9.2f}"
    if peer is not None:
        theirs = 1e6 * seconds(peer[1], 1) / peer[2]
        text += f"{theirs:>11.2f}{theirs / mine:>9.1f}  {peer[0]}"
    print(text, flush=True)


def measure_mesh_queries(count: int) -> None:
    random = np.random.default_rng(count)
    triangles = terrain(count)
    mesh = TriangleMesh(triangles)
    low, high = np.array(mesh.bounds)
    place = random.uniform(low, high, (QUERIES, 3)) + np.array([0.0, 2.0, 0.0])
    way = random.normal(size=(QUERIES, 3))
    print(f"{len(mesh)} triangles, {QUERIES} questions at once")
    print(f"{'':<34}{'ours':>9}{'peer':>11}{'times':>9}")
    rays = near = None
    if is_installed("trimesh", "rtree", "scipy"):
        import trimesh

        world = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), process=False)
        found, distance, _ = trimesh.proximity.closest_point(world, place[:SLOW_PEER_QUERIES])
        assert np.abs(distance - mesh.closest(place[:SLOW_PEER_QUERIES]).distance).max() < TOLERANCE
        near = "trimesh", lambda: trimesh.proximity.closest_point(world, place[:SLOW_PEER_QUERIES]), SLOW_PEER_QUERIES
        assert len(found) == SLOW_PEER_QUERIES
        if is_installed("embreex"):
            from trimesh.ray.ray_pyembree import RayMeshIntersector

            caster = RayMeshIntersector(world)
            same = caster.intersects_first(place, way) == mesh.raycast(place, way).triangle
            assert same.mean() > 0.99, same.mean()
            rays = "trimesh, Embree", lambda: caster.intersects_first(place, way), QUERIES
        else:
            caster = trimesh.ray.ray_triangle.RayMeshIntersector(world)
            rays = "trimesh", lambda: caster.intersects_first(place[:SLOW_PEER_QUERIES], way[:SLOW_PEER_QUERIES]), SLOW_PEER_QUERIES
    print_row("ray, nearest", lambda: mesh.raycast(place, way), QUERIES, rays)
    print_row("ray, any", lambda: mesh.raycast_any(place, way), QUERIES)
    print_row("ray, all", lambda: mesh.raycast_all(place, way), QUERIES)
    print_row("closest point", lambda: mesh.closest(place), QUERIES, near)
    print_row("ground below", lambda: mesh.ground_below(place), QUERIES)
    print_row("ground below, up to 30 degrees", lambda: mesh.ground_below(place, steepest=30.0), QUERIES)
    ball, rod = Sphere(place, 0.4), Capsule(place, place + np.array([0.0, 1.0, 0.0]), 0.3)
    crate = Box(place, (0.4, 0.5, 0.6), random.uniform(0, 6, QUERIES))
    for name, shape in (("sphere", ball), ("capsule", rod), ("box", crate)):
        print_row(f"{name} swept 1.7 m", lambda shape=shape: mesh.sweep(shape, displacement=way), QUERIES)
        print_row(f"{name} overlaps which", lambda shape=shape: mesh.overlap(shape), QUERIES)


def measure_pair_queries() -> None:
    random = np.random.default_rng(1)
    at, to = random.uniform(-1, 1, (2, QUERIES, 3))
    turn, _ = np.linalg.qr(random.normal(size=(QUERIES, 3, 3)))
    turn[:, :, 0] *= np.linalg.det(turn)[:, None]
    kinds = {
        "sphere": (Sphere(at, 0.3), Sphere(to, 0.4)),
        "capsule": (Capsule(at, at + 0.6 * turn[:, :, 2], 0.2), Capsule(to, to + 0.6 * turn[:, :, 0], 0.2)),
        "box": (Box(at, (0.3, 0.4, 0.2), turn), Box(to, (0.2, 0.3, 0.4), turn[::-1])),
    }
    way = to - at
    for name, (a, b) in kinds.items():
        print_row(f"{name} and {name}: gap", lambda a=a, b=b: a.gap(b), QUERIES, fcl_gaps(a, b))
        print_row(f"{name} and {name}: sweep", lambda a=a, b=b: a.sweep(way, b), QUERIES)


def fcl_gaps(a: Any, b: Any) -> Peer | None:
    """The same gaps by FCL, with prepared objects and one call per pair; compared where the shapes are separate."""
    if not is_installed("fcl"):
        return None
    import fcl

    def made(shape: Any) -> Any:
        rows = shape.rows[0]
        axes, half = rows[3:12].reshape(3, 3), rows[12:15]
        if isinstance(shape, Sphere):
            return fcl.CollisionObject(fcl.Sphere(rows[15]), fcl.Transform(rows[:3]))
        if isinstance(shape, Box):
            return fcl.CollisionObject(fcl.Box(*(2.0 * half)), fcl.Transform(axes.T, rows[:3]))
        turn = np.column_stack((axes[0], axes[2] * np.linalg.det(axes[[0, 2, 1]]), axes[1]))
        return fcl.CollisionObject(fcl.Capsule(rows[15], 2.0 * half[1]), fcl.Transform(turn, rows[:3]))

    both = [(made(a[k]), made(b[k])) for k in range(SLOW_PEER_QUERIES)]

    def ask() -> list[float]:
        return [fcl.distance(one, other, fcl.DistanceRequest(), fcl.DistanceResult()) for one, other in both]

    gaps, theirs = a.gap(b).distance[:SLOW_PEER_QUERIES], np.array(ask())
    apart = gaps > 1e-3
    off = np.abs(theirs - gaps)[apart]
    return f"FCL, call by call; largest difference {off.max():.0e} m", ask, SLOW_PEER_QUERIES


def main() -> None:
    measure_mesh_queries(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    measure_pair_queries()
    ring = np.random.default_rng(2).uniform(-1, 1, (40, 2))
    points = np.random.default_rng(3).uniform(-1, 1, (QUERIES, 2))
    print_row("point in a polygon of 40 corners", lambda: point_in_polygon(points, ring), QUERIES)


if __name__ == "__main__":
    main()
