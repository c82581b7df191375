"""raycast_any, raycast_all and ground_below against raycast, which test_bvh.py compares with every triangle."""

from math import cos, inf, radians, sin

import numpy as np
import pytest

from game.physics import TriangleMesh
from tests.support import scenes, shapes

RAYS = 300
UPWARDS = np.array([0.0, 5.0, 0.0])


@pytest.fixture(scope="module")
def asked():
    random = np.random.default_rng(60)
    triangles = shapes.soup(random, 400, spread=4.0, size=4.0)
    origin = random.uniform(-6, 6, (RAYS, 3))
    return triangles, TriangleMesh(triangles), origin, random.uniform(-3, 3, (RAYS, 3)) - origin


def test_raycast_all_gives_the_hit_of_each_triangle_alone_in_order(asked):
    triangles, mesh, origin, direction = asked
    alone = np.array([TriangleMesh(one[None]).raycast_many(origin, direction).distance for one in triangles])
    found = mesh.raycast_all_many(origin, direction)
    assert len(found) == RAYS
    for row, hits in enumerate(found):
        assert (np.diff(hits.distance) >= 0.0).all()
        there = np.full(len(triangles), np.nan)
        there[hits.triangle] = hits.distance
        assert np.array_equal(there, alone[:, row], equal_nan=True)
        assert (hits[0] if len(hits) else None) == mesh.raycast(origin[row], direction[row])
        places = origin[row] + hits.distance[:, None] * direction[row] / np.linalg.norm(direction[row])
        assert np.allclose(hits.point, places, atol=1e-12)
        assert (hits.normal @ direction[row] <= 0.0).all()
    assert np.isfinite(alone).sum() > 1000
    assert mesh.raycast_all(origin[5], direction[5])[:] == found[5][:]


def test_raycast_all_within_a_distance_gives_the_nearer_hits(asked):
    _, mesh, origin, direction = asked
    limits = np.random.default_rng(1).uniform(0, 8, RAYS)
    every, near = mesh.raycast_all_many(origin, direction), mesh.raycast_all_many(origin, direction, limits)
    for all_hits, hits, limit in zip(every, near, limits, strict=True):
        kept = all_hits.distance <= limit
        assert (hits.triangle == all_hits.triangle[kept]).all()
        assert np.allclose(hits.fraction, hits.distance / limit)
    assert sum(map(len, near)) < sum(map(len, every))


def test_raycast_any_matches_raycast(asked):
    _, mesh, origin, direction = asked
    for limit in (inf, 3.0, 0.5, 0.0):
        met = mesh.raycast_any_many(origin, direction, limit)
        assert met.dtype == np.bool_
        assert (met == (mesh.raycast_many(origin, direction, limit).triangle >= 0)).all()
    assert mesh.raycast_any(origin[0], direction[0]) is bool(mesh.raycast_any_many(origin, direction)[0])


def test_more_hits_than_the_first_capacity():
    count = 900
    sheets = np.tile(np.array([[(0, 0, 0), (0, 0, 4), (4, 0, 0)]], float), (count, 1, 1))
    sheets[:, :, 1] = np.arange(count)[:, None]
    hits = TriangleMesh(sheets).raycast_all((1, -1, 1), (0, 1, 0))
    assert hits.triangle.tolist() == list(range(count))
    assert hits.distance.tolist() == [1.0 + k for k in range(count)]


def test_a_ray_through_an_edge_meets_both_triangles():
    quad = TriangleMesh(scenes.quad((0, 0, 0), (0, 0, 2), (2, 0, 2), (2, 0, 0)))
    assert sorted(quad.raycast_all((1, 3, 1), (0, -1, 0)).triangle.tolist()) == [0, 1]
    assert quad.raycast_all((1.5, 3, 1), (0, -1, 0)).triangle.size == 1


def test_ground_below_finds_the_nearest_ground_along_up():
    """Under a roof edge, a steep bank and a floor."""
    floor = scenes.floor(-10, -10, 10, 10)
    steep = np.array([[(0, 0, 0), (0, 0, 4), (3, 3 * sin(radians(60)) / cos(radians(60)), 0)]])
    mesh = scenes.mesh(floor, steep)
    at = (0.8, 4.0, 0.8)
    top = mesh.ground_below(at)
    assert top.point[1] == pytest.approx(0.8 * 3**0.5)
    assert top.normal[1] == pytest.approx(0.5)
    assert mesh.ground_below(at, steepest=45.0).point == (0.8, 0.0, 0.8)
    assert mesh.ground_below(at, steepest=60.0).triangle == top.triangle, "just as steep as is allowed"
    assert mesh.ground_below(at, steepest=59.99).normal == (0, 1, 0)
    assert mesh.ground_below(at, reach=3.9, steepest=45.0) is None
    assert mesh.ground_below((0, -1, 0)) is None
    many = mesh.ground_below_many([at, (-3, 2, -3), (99, 1, 0)], steepest=45.0)
    assert many.triangle[2] == -1
    assert many.distance[:2].tolist() == [4.0, 2.0]
    below = mesh.ground_below((2, -3, 2), up=(0, -2, 0))
    assert (below.distance, below.normal) == (3.0, (0, -1, 0))


def test_ground_agrees_with_rays_on_terrain_from_any_side():
    random = np.random.default_rng(9)
    mesh = TriangleMesh(shapes.terrain(20))
    low, high = np.array(mesh.bounds)
    points = random.uniform(low, high, (200, 3)) + UPWARDS
    for up in ((0.0, 1.0, 0.0), (0.3, 1.0, -0.2)):
        found, ray = mesh.ground_below_many(points, up=up), mesh.raycast_many(points, -np.array(up))
        assert found[:] == ray[:]
    steepest = 20.0
    found = mesh.ground_below_many(points, steepest=steepest)
    for row, hits in enumerate(mesh.raycast_all_many(points, (0, -1, 0))):
        gentle = [hit for hit in hits if hit.normal[1] >= cos(radians(steepest))]
        assert found[row] == (gentle[0] if gentle else None)


def test_an_empty_mesh_has_nothing():
    mesh = TriangleMesh([])
    assert mesh.raycast_any((0, 0, 0), (0, 0, 1)) is False
    assert len(mesh.raycast_all((0, 0, 0), (0, 0, 1))) == 0
    assert mesh.ground_below((0, 0, 0), steepest=45.0) is None
    assert mesh.ground_below((0, 0, 0)) is None
