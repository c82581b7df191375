"""Ray casts and sweeps of a crowd: each is the query of the mesh from that walker, among platforms at that tick."""

import math

import numpy as np
import pytest

from game.physics import (
    Command,
    Crowd,
    Ellipsoid,
    Environment,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
)
from game.physics.character.state import STATE_ROW
from game.physics.crowd_queries import RAYS_IN_BLOCK
from game.physics.query.arguments import as_rays
from game.physics.query.mesh_parts import pose_mesh
from game.physics.query.rays import raycast_nearest
from tests.support.referee.scene_shapes import rotation
from tests.support.scenes import box, floor

ROOM = [*floor(-20, -20, 20, 20), *box(-20, 0, -12, 20, 5, -11), *box(3, 0, -20, 4, 5, 20)]
MESH = TriangleMesh(ROOM, [0] * 2 + [1] * 12 + [2] * 12, surface_names=("ground", "north", "east"))
WALKER, AHEAD = Walker(), ((0, 0, -1), (1, 0, 0))


def states_of(count, **fields):
    """Rows of walkers at random places and headings of the room; fields replace columns."""
    random = np.random.default_rng(count)
    rows = np.zeros(count, STATE_ROW)
    rows["position"] = random.uniform((-15, 1.0, -9), (2, 2.0, 15), (count, 3))
    rows["radii"] = (0.35, 0.9, 0.25)
    rows["up"] = rows["safe_up"] = (0, 1, 0)
    rows["north"] = rows["safe_north"] = (0, 0, -1)
    rows["heading"] = random.integers(0, 65536, count)
    for name, value in fields.items():
        rows[name] = value
    return rows


def turned(vector, degrees):
    """A local vector of a heading in the world."""
    angle = math.radians(degrees)
    x, y, z = vector
    return (x * math.cos(angle) + z * math.sin(angle), y, z * math.cos(angle) - x * math.sin(angle))


def test_ahead_is_where_the_walker_walks():
    """(0, 0, -1) hits the wall at which `forward` ends, and (1, 0, 0) that of `strafe`."""
    start = WALKER.spawn(MESH, (0.0, 0.0, 0.0), 7000)
    crowd = Crowd(WALKER, MESH, threads=1)
    for keys, local in (({"forward": 1.0}, (0, 0, -1)), ({"strafe": 1.0}, (1, 0, 0))):
        after = WALKER.step(start, Command(heading=7000, **keys), MESH)[0]
        way = np.subtract(after.position, start.position)
        hit = crowd.raycast([start], local)[0, 0]
        seen = np.subtract(hit.point, start.position)
        assert np.dot(way[[0, 2]], seen[[0, 2]]) == pytest.approx(math.hypot(*way[[0, 2]]) * math.hypot(*seen[[0, 2]]))


def test_the_view_turns_and_tilts():
    rows = states_of(3, heading=0, position=(0.0, 1.0, 0.0))
    view = [Command.degrees(0, -45), Command.degrees(270, -30), Command.degrees(90, 60)]
    hits = Crowd(WALKER, MESH, threads=1).raycast(rows, [(0, 0, -1), (0, 1, 0)], view=view)
    height = 1.0 + (2 * 0.8 - 1) * 0.9
    assert hits[0, 0].point == pytest.approx((0, 0, -height))  # down at 45 degrees, ahead
    assert hits[1, 0].point == pytest.approx((height / math.tan(math.radians(30)), 0, 0), rel=1e-3)  # to the east
    assert hits[2, 0] is None  # up into the sky
    assert hits[2, 1].point == pytest.approx((3, height + 3 * math.tan(math.radians(30)), 0), rel=1e-3)  # up tilts back
    rows = states_of(1, position=(0.0, 1.0, 0.0))
    hits = Crowd(WALKER, MESH, threads=1).raycast(rows, (0, 1, 0), view=[Command.degrees(0, -90)])
    assert hits[0, 0].point == pytest.approx((0, height, -11))  # looking straight down, up is north


def test_each_sweep_is_that_of_the_mesh():
    rows = states_of(11)
    rows["radii"][::2] = (0.35, 0.55, 0.25)  # crouched
    local = ((0, 0, -30), (0, -3, 0), (5, 0, 1))
    hits = Crowd(WALKER, MESH, threads=1).sweep(rows, local)
    for i, row in enumerate(rows):
        state = WalkerState(row)
        for k, vector in enumerate(local):
            way = turned(vector, state.heading_degrees)
            expected = MESH.sweep(Ellipsoid(state.radii), state.position, state.yaw, way)
            ours = hits[i, k]
            assert (ours is None) == (expected is None)
            if ours is not None:
                assert ours.triangle == expected.triangle
                assert ours.distance == pytest.approx(expected.distance, abs=1e-9)
                assert ours.point == pytest.approx(expected.point, abs=1e-7)


def test_walkers_with_other_ups_sweep_in_their_own_frame():
    """A room turned about any axis gives the hits of the room, turned."""
    plain = states_of(6)
    base = Crowd(WALKER, MESH, threads=1)
    local = ((0, 0, -30), (0, -3, 0), (9, 0, 1))
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for turn in (rotation(np.random.default_rng(4)), quarter):
        rows = plain.copy()
        for name in ("position", "up", "north", "safe_up", "safe_north"):
            rows[name] = plain[name] @ turn.T
        crowd = Crowd(WALKER, TriangleMesh(np.array(ROOM, float) @ turn.T), threads=1)
        for kind, arguments in (("sweep", (local,)), ("raycast", (local, 25.0))):
            ours, theirs = getattr(crowd, kind)(rows, *arguments), getattr(base, kind)(plain, *arguments)
            assert (ours.triangle == theirs.triangle).all()
            assert np.allclose(ours.distance, theirs.distance, atol=1e-8, equal_nan=True)
            assert np.allclose(ours.point, theirs.point @ turn.T, atol=1e-7, equal_nan=True)
            assert np.allclose(ours.normal, theirs.normal @ turn.T, atol=1e-7, equal_nan=True)


def test_platforms_are_where_they_are_at_the_tick():
    slab = TriangleMesh(box(-1, -0.5, -1, 1, 0.5, 1), surface_names=["east"])
    path = Motion(((0.0, 0.0, 0.0), (0.0, 0.0, -6.0)), seconds=3.0)
    around = Environment(
        movers=Movers([Mover(slab, (-8.0, 1.0, 0.0), Motion(), "still"), Mover(slab, (0, 1, -3), path)])
    )
    crowd = Crowd(WALKER, MESH, threads=1, around=around)
    rows = states_of(1, heading=0, position=(0.0, 1.0, 0.0))
    ways = []
    for clock in (0, 30, 60):
        centre = around.movers.poses(clock)[1, :, 3]
        eye_hit = crowd.raycast(rows, (0, -0.1, -1), clock=clock)
        hits = crowd.sweep(rows, (0, 0, -11), clock=clock)
        assert (hits.mover[0, 0], eye_hit.mover[0, 0]) == (1, 1)
        assert hits[0, 0].point[2] == pytest.approx(centre[2] + 1.0)
        assert hits[0, 0].distance == pytest.approx(-(centre[2] + 1.0) - 0.25)
        assert hits[0, 0].normal == pytest.approx((0, 0, 1))
        ways.append(hits[0, 0].distance)
    assert ways == sorted(ways)
    assert ways[0] < ways[1] < ways[2]
    assert crowd.raycast(rows, (-1, -0.067, 0), 9.0).mover[0, 0] == 0
    assert crowd.sweep(rows, (0, 0, -11), ignore="east").mover[0, 0] == -1  # the platforms have that surface
    only = crowd.sweep(rows, (0, 0, -11), surfaces="east")
    assert only.mover[0, 0] == 1
    assert crowd.sweep(rows, (0, 0, -11), surfaces="north")[0, 0].distance == pytest.approx(10.75)
    assert crowd.raycast(rows, (0, -1, 0), ignore=["ground", "east"])[0, 0] is None


def test_rays_among_platforms_in_several_threads_are_those_of_each_body():
    """The nearest hit of the mesh and of each platform where it is, bit for bit, with any number of threads."""
    slab = TriangleMesh(box(-1, -0.5, -1, 1, 0.5, 1))
    turn = Motion(((0.0, 0.0, 0.0), (0.0, 0.0, -6.0)), seconds=3.0, spin=30.0)
    places = (-8.0, 1.0, 0.0), (0.0, 1.5, -3.0), (-4.0, 1.0, 4.0)
    around = Environment(movers=Movers([Mover(slab, place, turn) for place in places]))
    rows, local = states_of(400), np.random.default_rng(1).normal(size=(9, 3))
    assert len(rows) * len(local) > 3 * RAYS_IN_BLOCK
    one, many = (Crowd(WALKER, MESH, threads, around).raycast(rows, local, 12.0, clock=25) for threads in (1, 3))
    for name in one.__slots__:
        assert getattr(one, name).tobytes() == getattr(many, name).tobytes()
    assert set(np.unique(one.mover)) == {-1, 0, 1, 2}
    bodies = [MESH, *(pose_mesh(slab, pose[:, :3], pose[:, 3]) for pose in around.movers.poses(25))]
    eye = (2.0 * WALKER.settings.eye - 1.0) * 0.9
    for k in range(0, 400, 7):
        for j, direction in enumerate(local):
            ahead = turned(direction, rows["heading"][k] * 360.0 / 65536.0)
            found = [
                raycast_nearest(body, as_rays(rows["position"][k] + (0.0, eye, 0.0), ahead, 12.0))[0] for body in bodies
            ]
            hits = [(hit.distance, index - 1) for index, hit in enumerate(found) if hit is not None]
            if not hits:
                assert not one.hit[k, j]
                assert np.isnan(one.distance[k, j])
                assert one[k, j] is None
                continue
            distance, mover = min(hits)
            ours, expected = one[k, j], found[mover + 1]
            assert (one.mover[k, j], ours.triangle, ours.feature) == (mover, expected.triangle, expected.feature)
            assert (ours.distance, ours.fraction) == pytest.approx((distance, expected.fraction), abs=1e-9)
            assert (*ours.point, *ours.normal) == pytest.approx((*expected.point, *expected.normal), abs=1e-9)


STATE = WALKER.spawn(MESH, (0.0, 0.0, 0.0))
CROWD = Crowd(WALKER, MESH, threads=1)


def test_nobody_and_nothing_are_empty():
    assert CROWD.raycast([], AHEAD).triangle.shape == (0, 2)
    assert CROWD.raycast([STATE], np.zeros((0, 3))).triangle.shape == (1, 0)
    assert CROWD.sweep([], AHEAD).point.shape == (0, 2, 3)
    empty = Crowd(Walker(WalkerSettings()), TriangleMesh([]), threads=1)
    assert not empty.sweep([STATE], AHEAD).hit.any()
    hits = CROWD.raycast([STATE], AHEAD)
    with pytest.raises(TypeError, match=r"index must be \(walker, direction\), not 0"):
        hits[0]
    with pytest.raises(ValueError, match="read-only"):
        hits.distance[0, 0] = 1.0
    assert repr(hits) == "<WalkerHits: 2 of 1 x 2>"
