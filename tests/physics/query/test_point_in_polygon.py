"""Point in polygon: exact, so every result equals that of rational arithmetic, however near the border."""

from fractions import Fraction
from math import pi

import numpy as np
import pytest

from game.physics import point_in_polygon

CONCAVE = [(0, 0), (6, 0), (6, 4), (3, 1), (0, 4)]


def judge(point, *rings):
    """Ray crossing in rational arithmetic; the border is inside."""
    x, y = (Fraction(float(v)) for v in point)
    inside = False
    for ring in rings:
        corners = [(Fraction(float(a)), Fraction(float(b))) for a, b in ring]
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            left = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if left == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
                return True
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
    return inside


def star(random, corners):
    angle = np.sort(random.uniform(0, 2 * pi, corners))
    away = random.uniform(0.2, 2.0, corners)
    return np.column_stack((np.cos(angle), np.sin(angle))) * away[:, None]


def hard_points(random, ring):
    """Random points, corners, and points on edges as exact as floats allow, with their neighbours."""
    first, last = ring, np.roll(ring, -1, axis=0)
    fraction = random.uniform(-0.1, 1.1, (6, len(ring), 1))
    on = (first + fraction * (last - first)).reshape(-1, 2)
    steps = [on, np.nextafter(on, 9.0), np.nextafter(on, -9.0), ring, np.nextafter(ring, 0.0)]
    return np.concatenate([random.uniform(-2, 2, (40, 2)), *steps])


@pytest.mark.parametrize("seed", range(12))
def test_results_match_rational_arithmetic(seed):
    random = np.random.default_rng(seed)
    ring = star(random, int(random.integers(3, 9)))
    if seed % 3 == 1:
        ring = np.round(ring * 4.0) + 1e6  # integers: many points exactly on the border, far from zero
    if seed % 3 == 2:
        ring = random.uniform(-1, 1, ring.shape)  # it crosses itself
    points = hard_points(random, ring - (ring.mean(0) if seed % 3 == 1 else 0.0))
    points = points + (ring.mean(0) if seed % 3 == 1 else 0.0)
    found = point_in_polygon(points, ring)
    assert found.dtype == np.bool_
    assert found.tolist() == [judge(point, ring) for point in points]
    backwards = point_in_polygon(points, ring[::-1])
    assert (backwards == found).all()
    assert point_in_polygon(points[7], ring) is bool(found[7])


def test_points_in_a_concave_polygon():
    assert point_in_polygon((1, 1), CONCAVE) is True
    assert point_in_polygon((3, 2), CONCAVE) is False, "in the notch"
    assert point_in_polygon((3, 1), CONCAVE) is True, "the notch's corner"
    assert point_in_polygon((6, 2), CONCAVE) is True, "on an edge"
    assert point_in_polygon((0, 0), CONCAVE) is True
    assert point_in_polygon((7, 0), CONCAVE) is False, "in line with an edge, beyond it"
    assert point_in_polygon((-1, 0), CONCAVE) is False
    assert point_in_polygon((-1, 4), CONCAVE) is False, "level with two corners"


def test_a_point_in_a_hole_is_outside():
    hole = [(1, 0.5), (2, 0.5), (2, 1.5), (1, 1.5)]
    points = [(1.5, 1.0), (0.5, 1.0), (1.0, 1.0), (5.5, 1.0), (3.0, 3.0)]
    assert point_in_polygon(points, CONCAVE, [hole]).tolist() == [False, True, True, True, False]
    assert point_in_polygon(points, CONCAVE, [hole]).tolist() == [judge(p, CONCAVE, hole) for p in points]


@pytest.mark.full
def test_a_tilted_polygon_in_space_is_judged_in_its_plane():
    """A tilted polygon and points of its plane, projected along the axis that it faces most."""
    random = np.random.default_rng(3)
    for _ in range(20):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        ring, points = star(random, 7), random.uniform(-2, 2, (60, 2))
        there = np.column_stack((points, np.zeros(60))) @ turn + 3.0
        found = point_in_polygon(there, np.column_stack((ring, np.zeros(7))) @ turn + 3.0)
        truth = point_in_polygon(points, ring)
        clear = np.array([abs(_rim(point, ring)) > 1e-12 for point in points])
        assert (found == truth)[clear].all()
    assert point_in_polygon((1, 5, 1), [(0, 5, 0), (4, 5, 0), (0, 5, 4)]) is True


def _rim(point, ring):
    first, edge = ring, np.roll(ring, -1, axis=0) - ring
    fraction = np.clip(((point - first) * edge).sum(1) / (edge * edge).sum(1), 0, 1)
    return np.linalg.norm(first + fraction[:, None] * edge - point, axis=1).min()
