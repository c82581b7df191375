"""Sweep, overlap and closest point of a mesh: against the oracle, and against the documentation."""

from dataclasses import FrozenInstanceError
from math import cos, pi, radians, sin

import numpy as np
import pytest

from game.physics.query.results import Hit
from game.physics.triangle_mesh import Ellipsoid, TriangleMesh
from tests.support import shapes
from tests.support.oracle import LONG, distance

SLIM = Ellipsoid((0.35, 0.90, 0.12))
BODIES = [SLIM, Ellipsoid((0.35, 0.90, 0.25)), Ellipsoid((0.5, 0.5, 0.5)), Ellipsoid((2.0, 0.1, 0.7))]


def to_ellipsoid(ellipsoid, yaw):
    """The matrix S^-1 R(-yaw) in extended precision."""
    s, c = LONG(sin(yaw)), LONG(cos(yaw))
    rx, ry, rz = (LONG(r) for r in ellipsoid.radii)
    return np.array([[c / rx, 0, -s / rx], [0, 1 / ry, 0], [s / rz, 0, c / rz]], LONG)


def seen_from(mesh, matrix, position):
    """The caller's triangles of a mesh in ellipsoid space about a position, and their indices."""
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3).astype(LONG) - np.asarray(position, LONG)
    return corners @ matrix.T


def random_sweeps(mesh, random, count):
    for _ in range(count):
        ellipsoid = BODIES[random.integers(0, len(BODIES))]
        corners = mesh.triangles12[random.integers(0, len(mesh)), :9].reshape(3, 3)
        target = random.dirichlet([1, 1, 1]) @ corners
        position = target + random.normal(size=3) * 2.0
        displacement = random.normal(size=3) * 10.0 ** random.uniform(-2, 1)
        if random.random() < 0.5:
            displacement = (target - position) * random.uniform(0.2, 2.0)
        yield ellipsoid, tuple(position.tolist()), random.uniform(-7, 7), tuple(displacement.tolist())


# Rotated bodies (the first defect of the forum guide: rotation times scale)

WALL = shapes.quads([(-9, -9, -2), (9, -9, -2), (9, 9, -2), (-9, 9, -2)])


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_a_rotated_body_stops_at_its_support(degrees):
    """Support distance of the rotated ellipsoid towards -Z: sqrt((rx sin)^2 + (rz cos)^2)."""
    mesh = TriangleMesh(WALL)
    yaw = radians(degrees)
    hit = mesh.sweep(SLIM, (0.5, 0.3, 0.0), yaw, (0.0, 0.0, -3.0))
    support = np.sqrt((0.35 * sin(yaw)) ** 2 + (0.12 * cos(yaw)) ** 2)
    assert hit.distance == pytest.approx(2.0 - support, abs=1e-14)
    # The contact shows the sense of rotation: counter-clockwise from above brings the right side forward.
    sideways = -(0.35**2 - 0.12**2) * sin(-yaw) * cos(yaw) / support
    assert hit.point[0] == pytest.approx(0.5 + sideways, abs=1e-14)
    assert (hit.normal, hit.feature) == ((0.0, 0.0, 1.0), "face")


def test_normals_are_in_world_space():
    """A ramp of 30 degrees has one world normal for all radii; in ellipsoid space they differ."""
    s, c = sin(radians(30)), cos(radians(30))
    ramp = TriangleMesh(
        shapes.quads([(-9, -9 * s, 9 * c), (9, -9 * s, 9 * c), (9, 9 * s, -9 * c), (-9, 9 * s, -9 * c)])
    )
    for ellipsoid in BODIES:
        hit = ramp.sweep(ellipsoid, (0.1, 5.0, 0.2), 0.7, (0.0, -9.0, 0.0))
        assert hit.normal == pytest.approx((0.0, c, s), abs=1e-15)


# Touching and overlapping at the start

FLOOR = TriangleMesh(shapes.terrain(8, size=1.0, height=0.0))


@pytest.mark.each_once
@pytest.mark.parametrize("far", [100, 10000])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("slope", [0, 5, 30, 45, 60, 85])
def test_touching_hits_at_once_only_when_moving_into_it(body, slope, far):
    """Touching to the last bit, on ramps in any direction: a hit at 0 into it, none along it and away."""
    random = np.random.default_rng([3, slope])
    for _ in range(20):
        turn, yaw = random.uniform(0, 2 * pi, 2)
        s, c = sin(radians(slope)), cos(radians(slope))
        normal = np.array([s * cos(turn), c, s * sin(turn)])
        along = np.array([-sin(turn), 0.0, cos(turn)])
        up = np.cross(along, normal)
        origin = random.uniform(-far, far, 3)
        mesh = TriangleMesh(
            shapes.quads([origin + 20 * (a * along + b * up) for a, b in [(-1, -1), (1, -1), (1, 1), (-1, 1)]])
        )
        matrix = to_ellipsoid(body, yaw)
        support = float(1 / np.sqrt(((np.linalg.inv(matrix.astype(float)).T @ normal) ** 2).sum()) ** -1)
        position = tuple((origin + normal * support + random.normal() * along).tolist())
        for displacement, expected in [
            (-normal, 0.0),
            (along - 1e-3 * normal, 0.0),
            (along, None),
            (up, None),
            (-up, None),
        ]:
            length = 10.0 ** random.uniform(-3, 1)
            hit = mesh.sweep(body, position, yaw, tuple((displacement * length).tolist()))
            assert (hit and hit.fraction) == expected
            if hit:
                assert hit.normal == pytest.approx(normal, abs=1e-15 * far)
        assert mesh.sweep(body, position, yaw, tuple((normal * 5).tolist())) is None
        assert mesh.sweep(body, position, yaw, (0.0, 0.0, 0.0)) is None
        assert len(mesh.overlap(body, position, yaw)) >= 1


def test_sliding_along_a_tiled_floor_meets_no_edge():
    """Touching it exactly, in 360 directions, over a hundred edges and vertices."""
    for degrees in range(360):
        turn = radians(degrees)
        displacement = (3.9 * cos(turn), 0.0, 3.9 * sin(turn))
        assert FLOOR.sweep(SLIM, (4.0, 0.9, 4.0), turn * 3, displacement) is None


def test_after_a_hit_the_body_touches_and_does_not_overlap():
    random = np.random.default_rng(4)
    mesh = TriangleMesh(shapes.soup(random, 60, spread=3.0))
    checked = 0
    for ellipsoid, position, yaw, displacement in random_sweeps(mesh, random, 400):
        first = mesh.sweep(ellipsoid, position, yaw, displacement)
        if first is None or first.fraction == 0.0:
            continue
        checked += 1
        there = tuple(p + first.fraction * d for p, d in zip(position, displacement, strict=True))
        again = mesh.sweep(ellipsoid, there, yaw, displacement)
        assert (again.fraction, again.triangle) == (0.0, first.triangle)
        assert first.triangle in mesh.overlap(ellipsoid, there, yaw)
        assert mesh.sweep(ellipsoid, there, yaw, (0.0, 0.0, 0.0)) is None
        back = tuple(-first.fraction * d for d in displacement)
        assert mesh.sweep(ellipsoid, there, yaw, back) is None
    assert checked > 50


def test_overlap_at_the_start_names_the_deepest_and_pushes_out():
    """In a corner: the floor 0.02 deep of 0.9, the wall 0.03 of 0.35; from behind the normal is reversed."""
    corner = TriangleMesh([*shapes.terrain(2, 5.0, 0.0), *shapes.quads([(0, 0, 0), (0, 5, 0), (0, 5, 10), (0, 0, 10)])])
    hit = corner.sweep(SLIM, (0.32, 0.88, 5.1), 0.0, (1.0, 1.0, 1.0))
    assert (hit.fraction, hit.distance, hit.normal) == (0.0, 0.0, (1.0, 0.0, 0.0))
    assert hit.triangle >= 8
    hit = corner.sweep(SLIM, (0.34, 0.70, 5.1), 0.0, (1.0, 1.0, 1.0))
    assert (hit.fraction, hit.normal) == (0.0, (0.0, 1.0, 0.0))
    hit = corner.sweep(SLIM, (-0.32, 0.9, 5.1), 0.0, (0.0, 0.0, 0.0))
    assert hit.normal == (-1.0, 0.0, 0.0)
    in_the_wall = corner.sweep(SLIM, (0.0, 2.0, 5.1), 0.0, (0.0, 0.0, 0.0))
    assert in_the_wall.normal == tuple(corner.triangles12[corner.source == in_the_wall.triangle][0, 9:])


def test_pushing_out_along_the_normal_frees_a_ball():
    """A ball of 0.5 with its centre at 0.5 - depth from the surface touches it after a move of depth along the
    normal."""
    random = np.random.default_rng(5)
    body = Ellipsoid((0.5, 0.5, 0.5))
    seen = set()
    for _ in range(300):
        mesh = TriangleMesh(shapes.soup(random, 1))
        position = mesh.triangles12[0, :3] + random.normal(size=3) * 0.25
        hit = mesh.sweep(body, tuple(position.tolist()), 0.0, (0.0, 0.0, 0.0))
        if hit is None:
            continue
        seen.add(hit.feature)
        deep = 0.5 - np.linalg.norm(position - hit.point)
        free = tuple((position + np.array(hit.normal) * (deep + 1e-12)).tolist())
        assert mesh.sweep(body, free, 0.0, (0.0, 0.0, 0.0)) is None
    assert seen == {"face", "edge", "vertex"}


def test_a_fall_of_300_metres_hits_face_edge_and_corner():
    roof = TriangleMesh(
        shapes.quads(
            [(-2, 0, 0), (2, 0, 0), (2, 2, -2), (-2, 2, -2)], [(2, 0, -4), (-2, 0, -4), (-2, 2, -2), (2, 2, -2)]
        )
    )
    tip = TriangleMesh([[(0, 2, 0), (1, 0, 1), (1, 0, -1)], [(0, 2, 0), (-1, 0, 1), (1, 0, 1)]])
    for mesh, x, z, feature, height in [
        (roof, 0.0, -2.0, "edge", 2.9),
        (tip, 0.0, 0.0, "vertex", 2.9),
        (FLOOR, 4.2, 4.4, "face", 0.9),
    ]:
        hit = mesh.sweep(SLIM, (x, 160.0, z), 0.4, (0.0, -300.0, 0.0))
        assert hit.feature == feature
        assert 160.0 - hit.distance == pytest.approx(height, abs=1e-12)
        assert hit.normal == pytest.approx((0.0, 1.0, 0.0), abs=1e-12)


# Far from the origin, many at once, any order, with and without the JIT


def test_results_ten_kilometres_from_the_origin():
    """Coordinates are multiples of 1/1024, so a translation by 8192 m is exact, and so must be the results."""
    random = np.random.default_rng(6)
    corners = np.round(shapes.soup(random, 300) * 1024.0) / 1024.0
    position = np.round(random.uniform(-6, 6, (300, 3)) * 1024.0) / 1024.0
    yaw, displacement = random.uniform(-4, 4, 300), random.normal(size=(300, 3)) * 4.0
    near = TriangleMesh(corners).sweep_many(SLIM, position, yaw, displacement)
    far = TriangleMesh(corners + 8192.0).sweep_many(SLIM, position + 8192.0, yaw, displacement)
    assert (near.triangle >= 0).sum() > 50
    np.testing.assert_array_equal(near.triangle, far.triangle)
    np.testing.assert_array_equal(near.fraction, far.fraction)
    np.testing.assert_allclose(far.point - 8192.0, near.point, rtol=0, atol=4e-12)
    np.testing.assert_array_equal(near.normal, far.normal)


def test_many_at_once_are_the_same_as_one_at_a_time():
    random = np.random.default_rng(7)
    mesh = TriangleMesh(shapes.soup(random, 200))
    position, displacement = random.uniform(-5, 5, (60, 3)), random.normal(size=(60, 3)) * 3
    yaw = random.uniform(-4, 4, 60)
    together = mesh.sweep_many(SLIM, position, yaw, displacement)
    assert len(together) == 60
    assert list(together) == [mesh.sweep(SLIM, *row) for row in zip(position, yaw.tolist(), displacement, strict=True)]
    assert list(mesh.sweep_many(SLIM, position[0], 0.5, displacement)) == [
        mesh.sweep(SLIM, position[0], 0.5, d) for d in displacement
    ]
    assert list(mesh.sweep_many(SLIM, position, 0.5, displacement[0])) == [
        mesh.sweep(SLIM, p, 0.5, displacement[0]) for p in position
    ]
    assert list(mesh.raycast_many(position, displacement)) == [
        mesh.raycast(*row) for row in zip(position, displacement, strict=True)
    ]
    limits = random.uniform(0, 9, 60)
    assert list(mesh.raycast_many(position[0], displacement, limits)) == [
        mesh.raycast(position[0], *row) for row in zip(displacement, limits.tolist(), strict=True)
    ]
    assert list(mesh.closest_many(position)) == [mesh.closest(p) for p in position]
    lists = mesh.overlap_many(SLIM, position, yaw)
    for row, p, turn in zip(lists, position, yaw.tolist(), strict=True):
        np.testing.assert_array_equal(row, mesh.overlap(SLIM, p, turn))
    missed = together.triangle < 0
    assert missed.any()
    assert np.isnan(together.fraction[missed]).all()
    assert np.isnan(together.point[missed]).all()
    assert together[-1] == list(together)[-1]
    assert together[2:4] == list(together)[2:4]
    assert len(mesh.sweep_many(SLIM, np.empty((0, 3)), 0.0, (1, 0, 0))) == 0


def test_any_order_of_triangles_gives_the_same_answers():
    random = np.random.default_rng(8)
    triangles = np.concatenate([shapes.terrain(8, height=0.0), shapes.ball(6, 8) + 2.0])
    order = random.permutation(len(triangles))
    one, other = TriangleMesh(triangles), TriangleMesh(triangles[order])
    position, displacement = random.uniform(-1, 5, (200, 3)), random.normal(size=(200, 3)) * 3
    position[:100, [0, 2]] = np.round(position[:100, [0, 2]] * 2) / 2  # ties, over edges and corners
    displacement[:100, [0, 2]] = 0.0
    for query in ("sweep_many", "raycast_many", "closest_many"):
        given = {
            "sweep_many": (SLIM, position, 0.0, displacement),
            "raycast_many": (position, displacement),
            "closest_many": (position,),
        }[query]
        a, b = getattr(one, query)(*given), getattr(other, query)(*given)
        for column in ("fraction", "distance", "point", "normal", "feature"):
            np.testing.assert_array_equal(getattr(a, column), getattr(b, column))
        hit = a.triangle >= 0
        np.testing.assert_array_equal(a.triangle[hit], order[b.triangle[hit]])


def test_a_common_corner_gives_the_first_triangle_in_canonical_order():
    at_corner = [i for i in range(len(FLOOR)) if (FLOOR.triangles12[i, :9].reshape(3, 3) == (4, 0, 4)).all(1).any()]
    assert len(at_corner) == 6
    first = FLOOR.source[min(at_corner)]
    assert FLOOR.sweep(SLIM, (4.0, 3.0, 4.0), 0.0, (0.0, -9.0, 0.0)).triangle == first
    assert FLOOR.sweep(SLIM, (4.0, 0.5, 4.0), 0.0, (0.0, 0.0, 0.0)).triangle == first
    assert FLOOR.raycast((4, 3, 4), (0, -1, 0)).triangle == first
    assert FLOOR.closest((4, 3, 4)).triangle == first


# Overlap and closest point


def test_overlap_finds_what_the_oracle_finds():
    random = np.random.default_rng(10)
    mesh = TriangleMesh(shapes.soup(random, 300, spread=3.0))
    seen = 0
    for ellipsoid, position, yaw, _ in random_sweeps(mesh, random, 150):
        matrix = to_ellipsoid(ellipsoid, yaw)
        tri = seen_from(mesh, matrix, position)
        near = distance(tri, np.zeros((len(tri), 3)))
        ids = mesh.overlap(ellipsoid, position, yaw)
        assert ids.dtype == np.int32
        assert ids.tolist() == sorted(mesh.source[near <= 1.0].tolist())
        seen += len(ids)
    assert seen > 100


def test_overlap_of_more_than_the_first_capacity():
    mesh = TriangleMesh(shapes.terrain(30, height=0.0))
    assert mesh.overlap(Ellipsoid((99.0, 99.0, 99.0)), (7.0, 1.0, 7.0), 0.0).tolist() == list(range(1800))


def test_closest_point_matches_the_oracle():
    random = np.random.default_rng(11)
    mesh = TriangleMesh(shapes.soup(random, 300))
    tri = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    points = random.uniform(-7, 7, (200, 3))
    hits = mesh.closest_many(points)
    for point, hit in zip(points, hits, strict=True):
        away = distance(tri, np.broadcast_to(point, (len(tri), 3)))
        assert abs(hit.distance - away.min()) <= 1e-14
        i = int(np.flatnonzero(mesh.source == hit.triangle)[0])
        assert abs(away[i] - away.min()) <= 1e-14
        assert hit.fraction is None
        np.testing.assert_allclose(np.add(hit.point, np.multiply(hit.normal, hit.distance)), point, rtol=0, atol=1e-12)
    assert {hit.feature for hit in hits} == {"face", "edge", "vertex"}
    on_it = mesh.closest(tri[0].mean(0))
    assert on_it.distance <= 1e-15
    assert np.abs(np.dot(on_it.normal, mesh.triangles12[0, 9:])) == pytest.approx(1.0, abs=1e-15)


def test_an_empty_mesh_has_no_hits():
    mesh = TriangleMesh([])
    assert mesh.sweep(SLIM, (0, 0, 0), 0.0, (0, -1, 0)) is None
    assert mesh.raycast((0, 0, 0), (0, -1, 0)) is None
    assert mesh.closest((0, 0, 0)) is None
    assert mesh.overlap(SLIM, (0, 0, 0), 0.0).tolist() == []
    assert list(mesh.raycast_many(np.zeros((4, 3)), (0, -1, 0))) == [None] * 4
    assert list(mesh.closest_many(np.zeros((4, 3)))) == [None] * 4


# Arguments and results


def test_a_hit_cannot_be_changed():
    hit = FLOOR.sweep(SLIM, (4.2, 3.0, 4.4), 0.0, (0.0, -9.0, 0.0))
    assert isinstance(hit, Hit)
    assert not hasattr(hit, "__dict__")
    with pytest.raises(FrozenInstanceError):
        hit.fraction = 0.5  # type: ignore[misc]
    assert [type(v) for v in (hit.fraction, hit.distance, hit.triangle, *hit.point, *hit.normal)] == [
        float,
        float,
        int,
    ] + [float] * 6
    hits = FLOOR.raycast_many(np.ones((3, 3)), (0, -1, 0))
    with pytest.raises(ValueError, match="read-only"):
        hits.distance[0] = 1.0


def test_an_ellipsoid_is_a_value():
    assert Ellipsoid([1, 2, 3]) == Ellipsoid((1.0, 2.0, 3.0))
    assert hash(Ellipsoid(np.array([1, 2, 3]))) == hash(Ellipsoid((1.0, 2.0, 3.0)))
    assert Ellipsoid((1, 2, 3)).radii == (1.0, 2.0, 3.0)
    with pytest.raises(FrozenInstanceError):
        SLIM.radii = (1.0, 1.0, 1.0)  # type: ignore[misc]


HERE, DOWN = (4.0, 3.0, 4.0), (0.0, -1.0, 0.0)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e90])
def test_a_direction_may_have_any_length(scale):
    assert FLOOR.raycast(HERE, (0.6 * scale, -0.8 * scale, 0.0)).distance == pytest.approx(3.75, abs=1e-14)
