"""Microseconds per query of docs/queries.md, with other libraries in the same run.

    python -m benchmarks.queries [TRIANGLES ...]

Many queries at once over rolling terrain. Compared with the installed ones of: trimesh (with rtree and scipy; rays by
embreex, Intel's Embree in 32-bit floats; pip install '.[peers]') and FCL (python-fcl, one call per pair). Their answers
are first compared with ours.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.common import best_seconds, parse_sizes
from benchmarks.courses import terrain
from game.physics import Box, Capsule, Sphere, TriangleMesh, point_in_polygon

QUERIES = 20_000
SLOW_PEER_QUERIES = 2_000  # for a slow peer
TOLERANCE = 1e-3  # m: 32-bit floats at the size of the terrain


def is_installed(*names: str) -> bool:
    return all(importlib.util.find_spec(name) is not None for name in names)


Peer = tuple[str, Callable[[], Any], int]  # name, function, number of queries


def print_row(name: str, ours: Callable[[], Any], count: int, peer: Peer | None = None) -> None:
    our_cost = 1e6 * best_seconds(ours) / count
    text = f"{name:<34}{our_cost:>9.2f}"
    if peer is not None:
        peer_cost = 1e6 * best_seconds(peer[1], 1) / peer[2]
        text += f"{peer_cost:>11.2f}{peer_cost / our_cost:>9.1f}  {peer[0]}"
    print(text, flush=True)


def measure_mesh_queries(count: int) -> None:
    random = np.random.default_rng(count)
    triangles = terrain(count)
    mesh = TriangleMesh(triangles)
    low, high = np.array(mesh.bounds)
    positions = random.uniform(low, high, (QUERIES, 3)) + np.array([0.0, 2.0, 0.0])
    displacements = random.normal(size=(QUERIES, 3))
    print(f"{len(mesh)} triangles, {QUERIES} queries at once")
    print(f"{'':<34}{'ours':>9}{'peer':>11}{'ratio':>9}")
    rays = near = None
    if is_installed("trimesh", "rtree", "scipy"):
        import trimesh

        world = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), process=False)
        found, distance, _ = trimesh.proximity.closest_point(world, positions[:SLOW_PEER_QUERIES])
        assert np.abs(distance - mesh.closest_many(positions[:SLOW_PEER_QUERIES]).distance).max() < TOLERANCE
        near = (
            "trimesh",
            lambda: trimesh.proximity.closest_point(world, positions[:SLOW_PEER_QUERIES]),
            SLOW_PEER_QUERIES,
        )
        assert len(found) == SLOW_PEER_QUERIES
        if is_installed("embreex"):
            from trimesh.ray.ray_pyembree import RayMeshIntersector

            caster = RayMeshIntersector(world)
            hits = mesh.raycast_many(positions, displacements)
            same = caster.intersects_first(positions, displacements) == hits.triangle
            assert same.mean() > 0.99, same.mean()
            rays = "trimesh, Embree", lambda: caster.intersects_first(positions, displacements), QUERIES
        else:
            caster = trimesh.ray.ray_triangle.RayMeshIntersector(world)
            rays = (
                "trimesh",
                lambda: caster.intersects_first(positions[:SLOW_PEER_QUERIES], displacements[:SLOW_PEER_QUERIES]),
                SLOW_PEER_QUERIES,
            )
    print_row("ray, nearest", lambda: mesh.raycast_many(positions, displacements), QUERIES, rays)
    print_row("ray, any", lambda: mesh.raycast_any_many(positions, displacements), QUERIES)
    print_row("ray, all", lambda: mesh.raycast_all_many(positions, displacements), QUERIES)
    print_row("closest point", lambda: mesh.closest_many(positions), QUERIES, near)
    print_row("ground below", lambda: mesh.ground_below_many(positions), QUERIES)
    print_row("ground below, up to 30 degrees", lambda: mesh.ground_below_many(positions, steepest=30.0), QUERIES)
    ball, rod = Sphere(positions, 0.4), Capsule(positions, positions + np.array([0.0, 1.0, 0.0]), 0.3)
    crate = Box(positions, (0.4, 0.5, 0.6), random.uniform(0, 6, QUERIES))
    for name, shape in (("sphere", ball), ("capsule", rod), ("box", crate)):
        sweep = partial(mesh.sweep_many, shape, displacement=displacements)
        print_row(f"{name} swept 1.7 m", sweep, QUERIES)
        print_row(f"{name} overlap, triangles", lambda shape=shape: mesh.overlap_many(shape), QUERIES)


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
    displacements = to - at
    for name, (a, b) in kinds.items():
        print_row(f"{name} and {name}: gap", lambda a=a, b=b: a.gap_many(b), QUERIES, fcl_gaps(a, b))
        print_row(f"{name} and {name}: sweep", lambda a=a, b=b: a.sweep_many(displacements, b), QUERIES)


def fcl_gaps(a: Any, b: Any) -> Peer | None:
    """The same gaps by FCL, with prepared objects and one call per pair; compared where the shapes are separate."""
    if not is_installed("fcl"):
        return None
    import fcl

    def fcl_object(shape: Any) -> Any:
        rows = shape.rows[0]
        axes, half = rows[3:12].reshape(3, 3), rows[12:15]
        if isinstance(shape, Sphere):
            return fcl.CollisionObject(fcl.Sphere(rows[15]), fcl.Transform(rows[:3]))
        if isinstance(shape, Box):
            return fcl.CollisionObject(fcl.Box(*(2.0 * half)), fcl.Transform(axes.T, rows[:3]))
        turn = np.column_stack((axes[0], axes[2] * np.linalg.det(axes[[0, 2, 1]]), axes[1]))
        return fcl.CollisionObject(fcl.Capsule(rows[15], 2.0 * half[1]), fcl.Transform(turn, rows[:3]))

    pairs = [(fcl_object(a[k]), fcl_object(b[k])) for k in range(SLOW_PEER_QUERIES)]

    def distances() -> list[float]:
        return [fcl.distance(one, other, fcl.DistanceRequest(), fcl.DistanceResult()) for one, other in pairs]

    gaps, theirs = a.gap_many(b).distance[:SLOW_PEER_QUERIES], np.array(distances())
    errors = np.abs(theirs - gaps)[gaps > 1e-3]
    return f"FCL, call by call; largest difference {errors.max():.0e} m", distances, SLOW_PEER_QUERIES


def main() -> None:
    """Run the command line."""
    for count in parse_sizes("benchmarks.queries", __doc__, "TRIANGLES", "about so many triangles", [100_000]):
        measure_mesh_queries(count)
    measure_pair_queries()
    polygon = np.random.default_rng(2).uniform(-1, 1, (40, 2))
    points = np.random.default_rng(3).uniform(-1, 1, (QUERIES, 2))
    print_row("point in a polygon of 40 corners", lambda: point_in_polygon(points, polygon), QUERIES)


if __name__ == "__main__":
    main()
