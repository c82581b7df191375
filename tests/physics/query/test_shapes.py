"""Shapes against each other: each result is verified by a certificate that needs no kernel.

Two convex bodies have the distance `g` if two of their points have it and two parallel planes with that distance
separate them (the support of a body is one line of NumPy). They overlap by `d` if a move by d along one direction
separates them and no shorter move along any direction does.
"""

import pickle
from math import inf, pi

import numba
import numpy as np
import pytest

from game.physics import Box, Capsule, Sphere
from game.physics.query.rows import shape_row
from game.physics.query.time_of_impact import COORDINATE_ROUNDING, LENGTH_ROUNDING

KINDS = ("sphere", "capsule", "box")
PAIRS = [(a, b) for a in KINDS for b in KINDS if (a, b) != ("box", "box")]
PAIRS.append(pytest.param("box", "box", marks=pytest.mark.jit))
MANY = 800 if numba.config.DISABLE_JIT else 4000


def rotations(random, count):
    """Random rotations, an eighth of them along the world's axes, an eighth nearly."""
    turns, triangular = np.linalg.qr(random.normal(size=(count, 3, 3)))
    turns = turns * np.sign(np.diagonal(triangular, axis1=1, axis2=2))[:, None, :]
    turns[: count // 8] = np.eye(3)[random.permuted(np.tile([0, 1, 2], (count // 8, 1)), axis=1)]
    for k in range(count // 8, count // 4):
        angle = 10.0 ** random.uniform(-9, -3)
        s, c = np.sin(angle), np.cos(angle)
        turns[k] = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return turns


def many(kind, random, count=MANY, spread=2.0, at=0.0):
    """Shapes about a point: from needles to plates, some concentric, touching, parallel or crossing."""
    centre = at + np.round(random.normal(size=(count, 3)) * spread, random.integers(0, 4))
    size = 10.0 ** random.uniform(-1.5, 0.5, (count, 3))
    if kind == "sphere":
        return Sphere(centre, size[:, 0])
    if kind == "capsule":
        displacement = rotations(random, count)[:, :, 1] * size[:, 1:2]
        displacement[count // 3 : count // 3 + 20] = 0.0
        return Capsule(centre - displacement, centre + displacement, size[:, 0])
    return Box(centre, size, rotations(random, count))


def reach(shape, n):
    """Support distance of shapes along n from their centres."""
    axes = shape.rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 3, 3)
    half = shape.rows[:, shape_row.HALF_SIZES : shape_row.RADIUS]
    return (half * np.abs(np.einsum("kij,...kj->...ki", axes, n))).sum(-1) + shape.rows[:, shape_row.RADIUS]


def outside(shape, points):
    """Distance of points from shapes, negative inside round ones (0 in boxes)."""
    axes = shape.rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 3, 3)
    local = np.einsum("kij,kj->ki", axes, points - shape.rows[:, :3])
    core = np.clip(
        local,
        -shape.rows[:, shape_row.HALF_SIZES : shape_row.RADIUS],
        shape.rows[:, shape_row.HALF_SIZES : shape_row.RADIUS],
    )
    return np.linalg.norm(local - core, axis=1) - shape.rows[:, shape_row.RADIUS]


def allowed(a, b, displacement=0.0):
    """Rounding error: see game.physics.query.time_of_impact."""
    lengths = np.abs(a.rows[:, :3] - b.rows[:, :3]).sum(1) + displacement
    for shape in (a, b):
        lengths = lengths + shape.rows[:, shape_row.HALF_SIZES :].sum(1)
    coordinates = np.maximum(np.abs(a.rows[:, :3]).max(1), np.abs(b.rows[:, :3]).max(1))
    return 4.0 * (LENGTH_ROUNDING * lengths + COORDINATE_ROUNDING * coordinates)


def allowed_along_normal(a, b, distance):
    """The same of distances along a normal, which is as exact as the short distance of the cores that gives it."""
    core = distance + a.rows[:, shape_row.RADIUS] + b.rows[:, shape_row.RADIUS]
    lengths = np.abs(a.rows[:, :3] - b.rows[:, :3]).sum(1)
    for shape in (a, b):
        lengths = lengths + shape.rows[:, shape_row.HALF_SIZES :].sum(1)
    crossing = core <= 0.0  # of boxes: the normal is one of their axes
    tilt = np.where(crossing, 0.0, 2.0**-52 * lengths / np.where(crossing, 1.0, core))
    return allowed(a, b) + tilt * lengths


def prove(a, b, gaps):
    """Verify the certificate of each gap."""
    tolerance = allowed(a, b)
    n = gaps.normal
    assert np.abs(np.linalg.norm(n, axis=1) - 1.0).max() < 1e-14
    away = ((a.rows[:, :3] - b.rows[:, :3]) * n).sum(1)
    plane_error = np.abs(away - reach(a, n) - reach(b, n) - gaps.distance)
    assert (plane_error <= allowed_along_normal(a, b, gaps.distance)).all(), "the plane says the same"
    assert (np.abs(gaps.point - gaps.other_point - gaps.distance[:, None] * n).max(1) <= tolerance).all()
    assert (outside(a, gaps.point) <= tolerance).all(), "the points are theirs"
    assert (outside(b, gaps.other_point) <= tolerance).all()
    deep = gaps.distance < -tolerance
    if deep.any():
        less = np.full(deep.sum(), inf)
        some_a, some_b = a.rows[deep], b.rows[deep]
        pick_a, pick_b = type(a)._from_rows(some_a, False), type(b)._from_rows(some_b, False)
        sphere = np.random.default_rng(5).normal(size=(300, 3))
        sphere /= np.linalg.norm(sphere, axis=1)[:, None]
        displacements = [np.broadcast_to(displacement, (len(some_a), 3)) for displacement in sphere]
        sides = [rows[:, shape_row.AXES : shape_row.HALF_SIZES].reshape(-1, 3, 3) for rows in (some_a, some_b)]
        displacements += [side[:, k] for side in sides for k in range(3)]
        for i in range(3):
            for j in range(3):
                cross = np.cross(sides[0][:, i], sides[1][:, j])
                length = np.linalg.norm(cross, axis=1)
                displacements.append(
                    np.where(length[:, None] > 1e-6, cross / np.maximum(length, 1e-6)[:, None], sides[0][:, i])
                )
        for displacement in displacements:
            away = np.abs(((some_a[:, :3] - some_b[:, :3]) * displacement).sum(1))
            less = np.minimum(less, reach(pick_a, displacement) + reach(pick_b, displacement) - away)
        assert (-gaps.distance[deep] <= less + tolerance[deep]).all(), "no way out is shorter"


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("at", [0.0, 5000.0])
def test_the_gap_of_two_shapes_has_a_certificate_and_is_symmetric(one, other, at):
    random = np.random.default_rng(KINDS.index(one) * 3 + KINDS.index(other))
    a, b = many(one, random, at=at), many(other, random, at=at)
    gaps = a.gap_many(b)
    assert 0.025 * MANY < (gaps.distance < 0.0).sum() < 0.975 * MANY
    prove(a, b, gaps)
    touching = allowed(a, b)
    clear = np.abs(gaps.distance) > touching
    assert (a.overlaps_many(b)[clear] == (gaps.distance < 0.0)[clear]).all()
    back = b.gap_many(a)
    assert (np.abs(back.distance - gaps.distance) <= touching).all()


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_sweeps_stop_at_the_first_touch(one, other):
    random = np.random.default_rng(90 + KINDS.index(one) * 3 + KINDS.index(other))
    a, b = many(one, random, spread=4.0), many(other, random, spread=4.0)
    towards = b.rows[:, :3] - a.rows[:, :3] + random.normal(size=(MANY, 3))
    displacement = towards * random.uniform(0.2, 2.0, (MANY, 1))
    displacement[::7] = np.round(displacement[::7])
    touches = a.sweep_many(displacement, b)
    tolerance = allowed(a, b, np.abs(displacement).sum(1))
    start = a.gap_many(b).distance
    inside = start < -tolerance
    hit = touches.hit
    assert hit[inside].all()
    assert (touches.fraction[inside] == 0.0).all()
    met = hit & (start > tolerance)
    assert 0.075 * MANY < met.sum() < 0.925 * MANY
    assert ((touches.fraction[met] > 0.0) & (touches.fraction[met] <= 1.0)).all()
    assert np.allclose(
        touches.distance[met], touches.fraction[met] * np.linalg.norm(displacement[met], axis=1), rtol=1e-14
    )
    there = a.moved(np.nan_to_num(touches.fraction)[:, None] * displacement).gap_many(b)
    assert (np.abs(there.distance[met]) <= tolerance[met]).all(), "they touch"
    assert (outside(b, touches.point)[met] <= tolerance[met]).all()
    assert (
        outside(a.moved(np.nan_to_num(touches.fraction)[:, None] * displacement), touches.point)[met] <= tolerance[met]
    ).all()
    for part in np.linspace(0.0, 0.999, 25):
        before = a.moved(part * np.where(hit, touches.fraction, 1.0)[:, None] * displacement).gap_many(b).distance
        apart = ~inside & (start > tolerance)
        assert (before[apart] >= -tolerance[apart]).all(), "nothing before"
    n = touches.normal[met]
    assert ((n * displacement[met]).sum(1) < 0.0).all(), "against the way"
    moved = a.rows[met, :3] + touches.fraction[met, None] * displacement[met]
    plane = ((moved - b.rows[met, :3]) * n).sum(1) - (reach(a, touches.normal) + reach(b, touches.normal))[met]
    # A normal from two points d apart has the error rounding / d, which changes a distance by its square: nothing.
    # Where the closest points are not unique (parallel sides) it is rounding times the size.
    assert (np.abs(plane) <= 4.0 * tolerance[met]).all(), "its plane parts them"


@pytest.mark.parametrize("kind", KINDS)
def test_rays_match_sweeps_of_points(kind):
    random = np.random.default_rng(40 + KINDS.index(kind))
    shape = many(kind, random, spread=3.0)
    origin = random.normal(size=(MANY, 3)) * 6.0
    aim = shape.rows[:, :3] + random.normal(size=(MANY, 3)) * 0.5 - origin
    touches = shape.raycast_many(origin, aim)
    unit = aim / np.linalg.norm(aim, axis=1)[:, None]
    tolerance = 1e-12 * (1.0 + np.abs(origin).sum(1))
    inside = outside(shape, origin) <= -tolerance if kind != "box" else outside(shape, origin) <= 0.0
    assert touches.hit[inside].all()
    assert (touches.distance[inside] <= tolerance[inside]).all()
    met = touches.hit & ~inside
    assert np.isnan(touches.fraction[met]).all()
    assert (np.abs(outside(shape, touches.point)[met]) <= tolerance[met]).all()
    places = origin + np.nan_to_num(touches.distance)[:, None] * unit
    assert (np.abs(places - touches.point).max(1)[met] <= tolerance[met]).all()
    ends = np.where(touches.hit, np.nan_to_num(touches.distance), 40.0)
    for part in np.linspace(0.0, 0.999, 60):
        place = origin + (part * ends)[:, None] * unit
        assert (outside(shape, place)[~inside] >= -tolerance[~inside]).all()
    near = shape.raycast_many(origin, aim, 0.5 * np.nan_to_num(touches.distance))
    assert not near.hit[met].any()
    assert np.allclose(
        shape.raycast_many(origin, aim, 2.0 * np.nan_to_num(touches.distance)).fraction[
            met & (touches.distance > 1e-6)
        ],
        0.5,
    )


def test_a_ray_hits_ball_and_block_at_exact_distances():
    ball, block = Sphere((0, 0, -5), 1.0), Box((0, 0, -5), (1, 2, 3))
    hit = ball.raycast((0, 0, 0), (0, 0, -2))
    assert (hit.distance, hit.point, hit.normal, hit.fraction) == (4.0, (0, 0, -4), (0, 0, 1), None)
    hit = block.raycast((0, 0, 0), (0, 0, -1), 8.0)
    assert (hit.distance, hit.point, hit.normal, hit.fraction) == (2.0, (0, 0, -2), (0, 0, 1), 0.25)
    assert ball.raycast((0, 0, 0), (0, 0, 1)) is None
    assert ball.raycast((0, 0, 0), (0, 0, -1), 3.9) is None
    assert ball.raycast((0, 0, -4), (0, 0, -1), 0.0).fraction == 0.0
    assert ball.raycast((0, 0.5, -5), (0, 0, -1)).normal == (0, 1, 0), "the shortest way out"
    assert block.raycast((1.0 + 1e-9, 0, 5), (0, 0, -1)) is None


def test_boxes_between_corners_overlap_where_their_ranges_do_and_touching_counts():
    random = np.random.default_rng(3)
    least = random.integers(-4, 4, (2, 2000, 3))
    most = least + random.integers(1, 5, (2, 2000, 3))
    truth = ((least[0] <= most[1]) & (most[0] >= least[1])).all(1)
    assert 400 < truth.sum() < 1600
    assert (Box.between(least[0], most[0]).overlaps_many(Box.between(least[1], most[1])) == truth).all()


def test_capsules_whose_axes_cross_overlap():
    upright, lying = ((0, -1, 0), (0, 1, 0), 0.25), ((-1, 0, 0), (1, 0, 0), 0.25)
    gap = Capsule(*upright).gap(Capsule(*lying))
    assert gap.distance == -0.5
    assert abs(gap.normal[2]) == 1.0, "out across both axes"
    assert Capsule(*upright).overlaps(Capsule(*lying))
    random = np.random.default_rng(8)
    for _ in range(300):
        u, v = random.normal(size=(2, 3)) * random.uniform(0.3, 4.0, (2, 1))
        middle = random.normal(size=3)
        a, b = (middle - 0.3 * u, middle + 0.7 * u, 0.01), (middle - 0.6 * v, middle + 0.4 * v, 0.01)
        assert Capsule(*a).overlaps(Capsule(*b))


def test_capsules_on_one_line_touch_at_the_tip():
    a = Capsule((0, 0, 0), (0, 1, 0), 0.25)
    for other, distance in [((0, 2, 0), 0.5), ((0, 1.5, 0), 0.0), ((0, 0.5, 0), -0.5)]:
        gap = a.gap(Capsule(other, (0, 4, 0), 0.25))
        assert gap.distance == distance
        assert a.overlaps(Capsule(other, (0, 4, 0), 0.25)) is (distance <= 0.0)


def test_concentric_spheres_separate_upwards():
    gap = Sphere((1, 2, 3), 1.0).gap(Sphere((1, 2, 3), 0.5))
    assert (gap.distance, gap.normal) == (-1.5, (0, 1, 0))
    assert (gap.point, gap.other_point) == ((1, 1, 3), (1, 2.5, 3))


@pytest.mark.parametrize(
    "shape", [Sphere((0, 1, 0), 1), Capsule((0, 0.5, 0), (0, 2, 0), 0.5), Box((0, 1, 0), (1, 1, 1), 0.4)], ids=repr
)
def test_a_shape_on_a_floor_slides_along_it(shape):
    floor = Box((0, -0.5, 0), (50, 0.5, 50))
    low = shape.moved((0, -shape.bounds[0][1], 0))
    for displacement in ((3, 0, 0), (1e-9, 0, 0), (0.3, 0, -0.7), (2, 1e-3, 0), (0, 1, 0), (0, 0, 0), (0, -1e-15, 0)):
        assert low.sweep(displacement, floor) is None, displacement
    for displacement in ((0, -1, 0), (0, -1e-6, 0), (5, -1e-3, 0)):
        touch = low.sweep(displacement, floor)
        assert touch is not None, displacement
        assert touch.fraction * np.linalg.norm(displacement) <= 1e-12
        assert touch.normal == pytest.approx((0, 1, 0), abs=1e-12)
    high = low.moved((0, 2, 0))
    touch = high.sweep((0, -4, 0), floor)
    assert touch.fraction == pytest.approx(0.5, abs=1e-15)
    assert high.sweep((0, -2, 0), floor).fraction == pytest.approx(1.0, abs=1e-15)
    assert high.sweep((0, -1.9999999, 0), floor) is None


def test_a_sweep_of_a_kilometre_hits_a_thin_sheet():
    sheet = Box((0, 0, 0), (5, 5, 1e-4))
    for shape in (Sphere((0, 0, 500), 0.01), Box((0, 0, 500), (0.01, 0.01, 0.01), 0.3)):
        touch = shape.sweep((0.5, 0.25, -1000), sheet)
        assert touch.fraction == pytest.approx(0.5, abs=2e-5)
        assert touch.normal == (0, 0, 1)


def test_equality_and_repr_of_one_and_many_shapes():
    one = Sphere((1, 2, 3), 0.5)
    some = Sphere([(0, 0, 0), (1, 2, 3)], 0.5)
    assert (one.radius, one.centre.tolist(), repr(one)) == (0.5, [1, 2, 3], "<Sphere at (1, 2, 3)>")
    assert (len(some), some[-1] == one, [s == one for s in some]) == (2, True, [False, True])
    assert hash(some[1]) == hash(one)
    assert one != Sphere((1, 2, 3), 0.6)
    assert one != "a ball"
    assert repr(some) == "<Sphere: 2>"
    with pytest.raises(TypeError, match="no len"):
        len(one)
    with pytest.raises(AttributeError, match="immutable"):
        one.rows = None
    with pytest.raises(ValueError, match="read-only"):
        one.rows[0, 0] = 5.0
    for shape in (one, some, Capsule((0, 0, 0), (0, 1, 0), 1), Box((0, 0, 0), (1, 2, 3), [0.1, 0.2])):
        assert pickle.loads(pickle.dumps(shape)) == shape
    box = Box((0, 0, 0), (1, 2, 3), pi / 2)
    low, high = box.bounds
    assert high == pytest.approx([3, 2, 1])
    assert low == pytest.approx([-3, -2, -1])
    assert sorted(np.round(box.corners, 9).tolist()) == [[x, y, z] for x in (-3, 3) for y in (-2, 2) for z in (-1, 1)]
    assert box.axes == pytest.approx(np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]]))
    capsule = Capsule((0, 0, 0), (3, 4, 0), 1.0)
    assert (capsule.start, capsule.end) == (pytest.approx([0, 0, 0]), pytest.approx([3, 4, 0]))
    assert capsule.bounds[1] == pytest.approx([4, 5, 1])
    gaps = one.gap_many(some)
    assert (len(gaps), gaps[1].distance, repr(gaps)) == (2, -1.0, "<Gaps: 1 of 2 overlap>")
    assert [gap.distance for gap in gaps[:1]] == [gaps.distance[0]]
    touches = some.sweep_many((0, 0, 4), Sphere((0, 0, 3), 0.5))
    assert (len(touches), touches[1], touches[0].fraction, repr(touches)) == (2, None, 0.5, "<Touches: 1 of 2>")
    assert touches[:] == [touches[0], None]
    assert len(Sphere(np.empty((0, 3)), 1.0).gap_many(one)) == 0
    assert one.overlaps_many(some).tolist() == [False, True]
    assert type(one.overlaps(one)) is bool


def test_an_order_of_many_gives_the_bits_of_each_alone():
    random = np.random.default_rng(12)
    a, b = many("capsule", random, 60), many("box", random, 60)
    displacements = random.normal(size=(60, 3)) * 3
    gaps, touches = a.gap_many(b), a.sweep_many(displacements, b)
    for k in range(60):
        assert a[k].gap(b[k]) == gaps[k]
        assert a[k].sweep(displacements[k], b[k]) == touches[k]
