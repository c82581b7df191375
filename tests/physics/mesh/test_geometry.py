"""The closest point on a triangle and the end of a sphere's sweep; `test_oracle.py` verifies where sweeps touch.

The tolerance follows from the sizes: 1e-12 plus 64 units in the last place of the largest coordinate.
"""

import numpy as np
import pytest

from game.physics.mesh.cooking import triangle_normal
from game.physics.mesh.geometry import closest_point_on_triangle, sweep_sphere_against_triangle
from tests.support.oracle import LONG, distance, distance_by_minimising

CASES = 1200
ROUNDING = 64 * 2.0**-52
KINDS = ["plain", "needle", "cap", "grid", "huge", "tiny"]


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def triangles(random, kind, count=None):
    """(K,3,3) triangles of one kind of trouble, sizes from 1e-6 to 1e3 m."""
    count = count or CASES
    corners = random.normal(size=(count, 3, 3))
    thin = random.normal(size=(count, 3)) * 10.0 ** random.uniform(-7, -1, (count, 1))
    if kind == "needle":
        corners[:, 1] = corners[:, 0] + thin
    elif kind == "cap":
        share = random.random((count, 1))
        corners[:, 1] = corners[:, 0] * share + corners[:, 2] * (1 - share) + thin
    elif kind == "grid":
        corners = random.integers(-3, 4, (count, 3, 3)).astype(float)
    sizes = {"huge": (1, 3), "tiny": (-6, -3), "grid": (0, 0)}.get(kind, (-6, 3))
    corners *= 10.0 ** random.uniform(*sizes, (count, 1, 1))
    return corners


def rows(tri):
    """Rows of twelve for the kernels, and which of the triangles have an area."""
    table = np.zeros((len(tri), 12))
    table[:, :9] = tri.reshape(-1, 9)
    heights = np.zeros(len(tri))
    for i in range(len(tri)):
        *table[i, 9:], heights[i] = triangle_normal(table, i)
    return table, heights > np.maximum(1e-9, 1024 * 2.0**-52 * np.abs(tri).max((1, 2)))


def tolerance(tri):
    return 1e-12 + ROUNDING * np.abs(tri).max((1, 2))


@pytest.mark.parametrize("kind", KINDS)
def test_two_oracles_of_the_distance_agree(kind):
    random = np.random.default_rng([1, KINDS.index(kind)])
    tri = triangles(random, kind, 300) + random.normal(size=(300, 1, 3))
    tri = tri[rows(tri)[1]]
    point = np.zeros((len(tri), 3))
    apart = np.abs(distance(tri, point) - distance_by_minimising(tri, point))
    assert (apart <= 1e-16 * np.abs(tri).max((1, 2))).all()


@pytest.mark.parametrize("kind", KINDS)
def test_no_point_of_the_triangle_is_closer_than_the_closest_point(kind):
    """It lies on the triangle, no point of the triangle is closer, and the feature is the right one."""
    random = np.random.default_rng([2, KINDS.index(kind)])
    tri = triangles(random, kind)
    tri += random.normal(size=(len(tri), 1, 3)) * 10.0 ** random.uniform(-6, 2, (len(tri), 1, 1))
    table, sound = rows(tri)
    tri, table = tri[sound], table[sound]
    found = [closest_point_on_triangle(table, i, 0.0, 0.0, 0.0) for i in range(len(tri))]
    point, feature = np.array([f[:3] for f in found]), np.array([f[3] for f in found])
    allowed = tolerance(tri)
    origin = np.zeros_like(point)
    assert (np.abs(np.sqrt((point.astype(LONG) ** 2).sum(1)) - distance(tri, origin)) <= allowed).all()
    assert (distance(tri, point) <= allowed).all()
    corner = feature >= 4
    np.testing.assert_array_equal(point[corner], tri[corner, feature[corner] - 4])
    edge = (feature >= 1) & (feature <= 3)
    segment = np.stack([tri, np.roll(tri, -1, axis=1)], 2)[edge, feature[edge] - 1]
    assert len(segment) > 50
    along = segment[:, 1] - segment[:, 0]
    offset = point[edge] - segment[:, 0]
    side_distance = np.linalg.norm(np.cross(along, offset), axis=1) / np.linalg.norm(along, axis=1)
    assert (side_distance <= allowed[edge]).all()


def test_sweep_stops_at_its_limit():
    """Touches after t_max are no hits."""
    table, _ = rows(np.array([[[-1.0, 0.0, -1.0], [0.0, 0.0, 2.0], [1.0, 0.0, -1.0]]]))
    displacement = (0.0, -4.0, 0.0)
    t = sweep_sphere_against_triangle(table, 0, (0.0, 3.0, 0.0), displacement, 1.0, 1.0)[0]
    assert t == 0.5
    assert sweep_sphere_against_triangle(table, 0, (0.0, 3.0, 0.0), displacement, 1.0, 0.5)[0] == 0.5
    assert sweep_sphere_against_triangle(table, 0, (0.0, 3.0, 0.0), displacement, 1.0, np.nextafter(0.5, 0.0))[0] > 1.0
