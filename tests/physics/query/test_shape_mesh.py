"""Shapes against meshes: verified by separating planes, by points, and by other methods.

Round shapes are compared with the oracle's distances in extended precision (a capsule is a swept sphere), boxes with a
test of edges against faces of both.
"""

import numpy as np
import pytest

from game.physics import Box, Capsule, Sphere, TriangleMesh
from game.physics.query.rows import shape_row
from game.physics.query.time_of_impact import COORDINATE_ROUNDING, LENGTH_ROUNDING
from tests.physics.query.test_shapes import KINDS, outside, reach, rotations
from tests.support import shapes
from tests.support.oracle import Approach, distance

MANY, TRIANGLES = 200, 90


def some(kind, random, count=MANY, at=0.0):
    centre = at + random.uniform(-3, 3, (count, 3))
    size = 10.0 ** random.uniform(-1.2, 0.2, (count, 3))
    if kind == "sphere":
        return Sphere(centre, size[:, 0])
    if kind == "capsule":
        displacement = rotations(random, count)[:, :, 1] * size[:, 1:2]
        return Capsule(centre - displacement, centre + displacement, size[:, 0])
    return Box(centre, size, rotations(random, count))


def world(random, at=0.0):
    return at + shapes.soup(random, TRIANGLES, spread=2.5, size=2.5)


def allowed(shape, triangles, displacement=0.0):
    """(K,1) rounding error in metres, including that of the reference."""
    lengths = (
        np.abs(triangles - shape.rows[:, None, None, :3]).max((1, 2, 3))
        + displacement
        + shape.rows[:, shape_row.HALF_SIZES :].sum(1)
    )
    coordinates = max(np.abs(triangles).max(), np.abs(shape.rows[:, :3]).max())
    return 4.0 * (LENGTH_ROUNDING * lengths + COORDINATE_ROUNDING * coordinates)[:, None]


def slab(start, displacement, half):
    """Whether segments (...,3), in the frames of their boxes, overlap boxes of half sizes (...,3)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (-half - start) / displacement, (half - start) / displacement
    still = displacement == 0.0
    low = np.where(still, np.where(np.abs(start) <= half, -np.inf, np.inf), np.minimum(near, far)).max(-1)
    high = np.where(still, np.where(np.abs(start) <= half, np.inf, -np.inf), np.maximum(near, far)).min(-1)
    return np.maximum(low, 0.0) <= np.minimum(high, 1.0)


def crosses(start, end, triangle):
    """Whether segments (...,3) cross triangles (...,3,3), by signs of volumes."""
    a, b, c = triangle[..., 0, :], triangle[..., 1, :], triangle[..., 2, :]

    def volume(p, q, r, s):
        return (np.cross(q - p, r - p) * (s - p)).sum(-1)

    around = [volume(start, end, p, q) for p, q in ((a, b), (b, c), (c, a))]
    level = np.sign(around[0]) == np.sign(around[1])
    level &= np.sign(around[1]) == np.sign(around[2])
    return level & (volume(a, b, c, start) * volume(a, b, c, end) <= 0.0)


def box_meets(shape, triangles, more):
    """(K,N): whether boxes, enlarged by `more` (K,1), overlap triangles: an edge of one crosses the other."""
    axes = shape.rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 1, 1, 3, 3)
    local = (axes @ (triangles[None] - shape.rows[:, None, None, :3])[..., None])[..., 0]
    half = (shape.rows[:, shape_row.HALF_SIZES : shape_row.RADIUS] + more)[:, None]
    met = np.zeros(local.shape[:2], bool)
    for k in range(3):
        met |= slab(local[:, :, k], local[:, :, (k + 1) % 3] - local[:, :, k], half)
    for axis in range(3):
        for first in (-1.0, 1.0):
            for second in (-1.0, 1.0):
                signs = np.insert(np.array([first, second]), axis, 1.0)
                end = signs * half
                start = end * np.where(np.arange(3) == axis, -1.0, 1.0)
                met |= crosses(np.broadcast_to(start, (*local.shape[:2], 3)), end, local)
    return met


def core_distance(shape, triangles):
    """(K,N): distance from the cores of round shapes, in extended precision."""
    rows, count = shape.rows, len(triangles)
    displacement = rows[:, shape_row.AXES + 3 : shape_row.AXES + 6] * rows[:, shape_row.HALF_SIZES + 1, None]
    p, d = np.repeat(rows[:, :3] - displacement, count, 0), np.repeat(2.0 * displacement, count, 0)
    return Approach(np.tile(triangles, (len(rows), 1, 1)), p, d).nearest.reshape(len(rows), count)


def meets(shape, triangles, more):
    """(K,N): whether shapes, enlarged by `more` (K,1), overlap triangles."""
    if isinstance(shape, Box):
        return box_meets(shape, triangles, more)
    return core_distance(shape, triangles) <= shape.rows[:, shape_row.RADIUS, None] + more


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [0.0, 3000.0])
def test_overlaps_match_the_reference(kind, at):
    random = np.random.default_rng([int(at), KINDS.index(kind)])
    triangles, shape = world(random, at), some(kind, random, at=at)
    mesh = TriangleMesh(triangles)
    found = np.zeros((len(shape), TRIANGLES), bool)
    for row, ids in enumerate(mesh.overlap_many(shape)):
        assert ids.dtype == np.int32
        assert (np.diff(ids) > 0).all()
        found[row, ids] = True
    tolerance = allowed(shape, triangles)
    surely, perhaps = meets(shape, triangles, -tolerance), meets(shape, triangles, tolerance)
    assert surely.sum() > 150
    assert not (surely & ~found).any()
    assert not (found & ~perhaps).any()
    assert (mesh.overlap(shape[3]) == np.flatnonzero(found[3])).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [0.0, 3000.0])
def test_sweeps_stop_at_the_first_triangle(kind, at):
    random = np.random.default_rng([7, int(at), KINDS.index(kind)])
    triangles, shape = world(random, at), some(kind, random, at=at)
    mesh = TriangleMesh(triangles)
    displacement = random.normal(size=(MANY, 3)) * 10.0 ** random.uniform(-1, 0.6, (MANY, 1))
    hits = mesh.sweep_many(shape, displacement=displacement)
    length = np.linalg.norm(displacement, axis=1)
    tolerance = allowed(shape, triangles, length)
    surely, perhaps = meets(shape, triangles, -tolerance).any(1), meets(shape, triangles, tolerance).any(1)
    hit = hits.triangle >= 0
    assert hit[surely].all()
    assert (hits.fraction[surely] == 0.0).all()
    free = ~perhaps
    met = hit & free
    assert met.sum() > 20
    assert (free & ~hit).sum() > 3
    fraction = np.where(hit, np.nan_to_num(hits.fraction), 1.0)
    assert np.allclose(hits.distance[met], (fraction * length)[met], rtol=1e-14)
    for part in (0.0, 0.31, 0.62, 0.85, 0.97, 0.999):
        before = shape.moved((part * fraction)[:, None] * displacement)
        assert not meets(before, triangles, -tolerance)[free].any(), "nothing before"
    there = shape.moved(fraction[:, None] * displacement)
    assert (np.abs(outside(there, hits.point))[met] <= tolerance[met, 0]).all(), "a point of the shape"
    touched = triangles[hits.triangle[met]]
    assert (distance(touched, hits.point[met]) <= tolerance[met, 0]).all(), "and of the triangle"
    n = hits.normal[met]
    assert np.abs(np.linalg.norm(n, axis=1) - 1.0).max() < 1e-14
    assert ((n * displacement[met]).sum(1) < 0.0).all()
    low = ((there.rows[:, :3] * hits.normal).sum(1) - reach(there, hits.normal))[met]
    high = (touched * n[:, None]).sum(-1).max(1)
    assert (low - high >= -4.0 * tolerance[met, 0]).all(), "its plane parts them"
    for row in np.flatnonzero(surely):
        assert meets(shape[int(row)], triangles[hits.triangle[row]][None], tolerance[row : row + 1]).any()
    for row in range(0, MANY, 20):
        assert mesh.sweep(shape[row], displacement=displacement[row]) == hits[row]


def test_a_contact_names_face_edge_or_vertex():
    mesh = TriangleMesh([[(0, 0, 0), (0, 0, 4), (4, 0, 0)]])
    for shape in (Sphere((0, 0, 0), 0.5), Capsule((0, 0, 0), (0, 1, 0), 0.5), Box((0, 0, 0), (0.5, 0.5, 0.5))):
        low = -shape.bounds[0][1]
        for at, feature in [((1, 0, 1), "face"), ((-0.4, 0, 2), "edge"), ((-0.3, 0, -0.3), "vertex")]:
            hit = mesh.sweep(shape.moved((at[0], 3 + low, at[2])), displacement=(0, -4, 0))
            if isinstance(shape, Box):
                feature = "face"  # its side lies on the whole face
                assert hit.distance == pytest.approx(3.0, abs=1e-14)
                assert hit.normal == (0, 1, 0)
            assert hit.feature == feature
    tilted = Box((-2, 0, 2), (0.5, 0.5, 0.5), np.array([[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]]))
    hit = mesh.sweep(tilted, displacement=(3, 0, 0))
    assert (hit.feature, hit.normal, hit.distance) == ("edge", (-1, 0, 0), pytest.approx(1.5))
    hit = mesh.sweep(Box((-2, 0, -2), (0.5, 0.5, 0.5), 0.78), displacement=(3, 0, 3))
    assert hit.feature == "vertex"


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
def test_internal_edges_of_a_floor_stop_nothing(kind):
    """A shape on a tiled floor slides over every seam, at any height of the floor."""
    random = np.random.default_rng(4)
    for height in (0.0, 0.1, 1234.56789):
        tiles = shapes.terrain(12, height=0.0) + np.array([0.0, height, 0.0])
        mesh = TriangleMesh(tiles)
        middle = 0.5 * (tiles.min((0, 1)) + tiles.max((0, 1)))
        shape = some(kind, random, 40)
        shape = shape.moved(-shape.centre + middle)
        shape = shape.moved(np.column_stack([np.zeros(40), height - shape.bounds[0][:, 1], np.zeros(40)]))
        displacement = random.normal(size=(40, 3)) * (1, 0, 1)
        assert (mesh.sweep_many(shape, displacement=displacement).triangle < 0).all()
        down = mesh.sweep_many(shape, displacement=displacement - (0, 0.01, 0))
        assert (down.distance < 1e-9).all()
        assert down.normal == pytest.approx(np.tile((0.0, 1.0, 0.0), (40, 1)), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_on_a_slope_slides_along_it(kind):
    """Even if rounding says that it penetrates by 1e-18 of its displacement."""
    random = np.random.default_rng(14)
    tiles = shapes.terrain(6, height=0.0)
    for turn in rotations(random, 40)[10:]:
        turn = turn * np.sign(np.linalg.det(turn))
        mesh = TriangleMesh(tiles @ turn.T)
        middle = 0.5 * (tiles.min((0, 1)) + tiles.max((0, 1)))
        at = turn @ (middle + np.array([0.03, 0.3, 0.07]))
        upright = Capsule(at, at + 0.2 * turn[:, 1], 0.3)
        shape = {"sphere": Sphere(at, 0.3), "capsule": upright, "box": Box(at, (0.2, 0.3, 0.4), turn)}[kind]
        for _ in range(5):
            displacement = turn @ (random.normal(size=3) * (1, 0, 1))
            assert mesh.sweep(shape, displacement=displacement) is None
            assert mesh.sweep(shape, displacement=displacement - 1e-6 * turn[:, 1]).distance < 1e-6


def test_a_shape_query_accepts_empty_arguments():
    nothing, floor = TriangleMesh([]), TriangleMesh([[(0, 0, 0), (0, 0, 4), (4, 0, 0)]])
    ball = Sphere((1, 1, 1), 0.5)
    assert nothing.sweep(ball, displacement=(0, -9, 0)) is None
    assert len(nothing.overlap(ball)) == 0
    assert floor.sweep(ball) is None
    assert floor.sweep(Sphere((1, 0.1, 1), 0.5)).fraction == 0.0
    assert len(floor.sweep_many(Sphere(np.empty((0, 3)), 1.0), displacement=(0, 1, 0))) == 0


def test_results_are_exact_far_from_the_origin():
    """A gap of a micrometre is kept ten kilometres from the origin."""
    at = np.array([10_000.0, 50.0, -10_000.0])
    mesh = TriangleMesh([at + np.array([(-2, 0, -2), (-2, 0, 2), (2, 0, -2)])])
    above = at + np.array([-0.5, 0.75, -0.5])
    for shape in (Sphere(above, 0.25), Box(above, (0.25, 0.25, 0.25))):
        hit = mesh.sweep(shape, displacement=(0, -1, 0))
        assert abs(hit.fraction - 0.5) < 1e-11
        assert mesh.sweep(shape, displacement=(0, -0.5 + 1e-6, 0)) is None
