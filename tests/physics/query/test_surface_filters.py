"""Filters of surfaces: a query that sees some surfaces gives what a mesh of their triangles gives."""

import pickle

import numpy as np
import pytest

from game.physics import Box, Capsule, Ellipsoid, Sphere, TriangleMesh
from game.physics.mesh.heightfield import HeightField
from game.physics.query import mesh_queries
from tests.support import shapes

NAMES = ("stone", "glass", "water", "glass")  # two surfaces of one name, as included files have them
BODY = Ellipsoid((0.35, 0.9, 0.25))


@pytest.fixture(scope="module")
def soup():
    """(mesh, triangles, surfaces) of 500 random triangles of four surfaces."""
    random = np.random.default_rng(7)
    triangles = shapes.soup(random, 500, spread=4.0, size=3.0)
    kinds = random.integers(0, 4, 500)
    return TriangleMesh(triangles, kinds, surface_names=NAMES), triangles, kinds


def answers(mesh, **filters):
    """Columns of every query, single and batched."""
    random = np.random.default_rng(8)
    points, vectors = random.uniform(-5, 5, (40, 3)), random.normal(size=(40, 3))
    found = [
        mesh.raycast_many(points, vectors, 6.0, **filters),
        mesh.ground_below_many(points, **filters),
        mesh.ground_below_many(points, 5.0, 40.0, **filters),
        mesh.closest_many(points, **filters),
        mesh.sweep_many(BODY, points, 0.3, vectors, **filters),
        mesh.sweep_many(Sphere(points, 0.2), displacement=vectors, **filters),
        mesh.sweep_many(Capsule(points, points + 0.5, 0.2), displacement=vectors, **filters),
        mesh.sweep_many(Box(points, (0.2, 0.3, 0.4)), displacement=vectors, **filters),
        *mesh.raycast_all_many(points, vectors, 6.0, **filters),
    ]
    yield mesh.raycast_any_many(points, vectors, 6.0, **filters)
    yield from mesh.overlap_many(BODY, points, 0.3, **filters)
    yield from mesh.overlap_many(Box(points, (0.2, 0.3, 0.4)), **filters)
    for hits in found:
        yield from (hits.fraction, hits.distance, hits.point, hits.normal, hits.triangle, hits.feature)
    single = mesh.raycast(tuple(points[0]), tuple(vectors[0]), 6.0, **filters)
    yield np.array(-1 if single is None else single.triangle)


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"surfaces": 2}, {2}),
        ({"surfaces": "stone"}, {0}),
        ({"surfaces": "glass"}, {1, 3}),
        ({"surfaces": ["glass", 0]}, {0, 1, 3}),
        ({"surfaces": np.array([1, 2])}, {1, 2}),
        ({"surfaces": ()}, set()),
        ({"ignore": "glass"}, {0, 2}),
        ({"ignore": (0, 1, 2, 3)}, set()),
        ({"ignore": []}, {0, 1, 2, 3}),
    ],
)
def test_as_a_mesh_of_those_triangles(soup, filters, kept):
    mesh, triangles, kinds = soup
    rows = np.flatnonzero(np.isin(kinds, list(kept)))
    alone = TriangleMesh(triangles[rows])
    indices = np.append(rows, -1)  # -1 stays -1
    for ours, theirs in zip(answers(mesh, **filters), answers(alone), strict=True):
        expected = indices[theirs] if theirs.dtype == np.int32 or theirs.ndim == 0 else theirs
        if theirs.dtype == np.int32 and theirs.ndim == 1 and len(ours) != 40:
            ours, expected = np.sort(ours), np.sort(expected)  # ties of raycast_all
        assert np.array_equal(ours, expected, equal_nan=theirs.dtype.kind == "f")


def test_the_last_filters_are_kept_and_not_pickled(soup):
    mesh = TriangleMesh(soup[1], np.arange(500))
    size = len(pickle.dumps(mesh))
    for index in range(20):
        mesh.closest((0.0, 0.0, 0.0), surfaces=index)
    assert len(mesh._parts) == mesh_queries.MAX_KEPT_PARTS
    assert len(pickle.dumps(mesh)) == size
    copy = pickle.loads(pickle.dumps(soup[0]))
    assert copy.surface_names == NAMES
    assert copy.raycast((0, 9, 0), (0, -1, 0), surfaces="glass") == soup[0].raycast(
        (0, 9, 0), (0, -1, 0), surfaces="glass"
    )


def test_ground_of_a_height_field_is_filtered():
    corners, field = HeightField.of_grid(np.zeros((5, 5)), (1.0, 1.0))
    kinds = np.arange(len(corners)) % 2
    mesh = TriangleMesh(corners, kinds, fields=[field])
    least, most = np.array(mesh.bounds)
    points = least + (most - least) * np.random.default_rng(3).uniform(0.01, 0.99, (60, 3)) + (0.0, 1.0, 0.0)
    every = mesh.ground_below_many(points)
    odd, even = mesh.ground_below_many(points, surfaces=1), mesh.ground_below_many(points, ignore=1)
    assert (every.triangle >= 0).all()
    assert ((odd.triangle >= 0) == (every.triangle % 2 == 1)).all()
    assert ((even.triangle >= 0) ^ (odd.triangle >= 0)).all()
