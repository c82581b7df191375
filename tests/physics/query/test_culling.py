"""Batches over a mesh against each triangle as a mesh of its own: nothing is skipped that could change a bit.

A query skips nodes and triangles that its ray or box cannot reach. The result must be the first of the results for all
triangles: the least distance or fraction, then faces before edges before vertices (sweeps), then the canonical order.
"""

import numpy as np
import pytest

from game.physics import Box, Capsule, Ellipsoid, Sphere, TriangleMesh
from tests.support import shapes

QUERIES = 160
ORIGINS = {"near": (0.0, 0.0, 0.0), "far": (9e4, -3e4, 7e4)}


def lattice(random, count):
    """Triangles with integer corners: many share edges and planes, so that many hits are ties."""
    corners = random.integers(-3, 4, (count, 1, 3)) + random.integers(-2, 3, (count, 3, 3))
    return corners.astype(float)


SOURCES = {
    "lattice": lattice,
    "soup": lambda random, count: shapes.soup(random, count, spread=2.0, size=2.0),
    "sizes": lambda random, count: lattice(random, count) * 10.0 ** random.integers(-1, 4, (count, 1, 1)),
}


def make_case(source, at, seed):
    """(mesh, triangles as meshes in canonical order, starts, displacements); half of them on the lattice."""
    random = np.random.default_rng([61, seed])
    offset = np.array(ORIGINS[at])
    triangles = SOURCES[source](random, 70) + offset
    mesh = TriangleMesh(triangles)
    alone = [TriangleMesh(triangles[index : index + 1]) for index in mesh.source]
    starts, moves = random.uniform(-5, 5, (QUERIES, 3)), random.normal(size=(QUERIES, 3)) * 3.0
    half = QUERIES // 2
    starts[:half], moves[:half] = np.round(starts[:half]), np.round(moves[:half])
    moves[(moves == 0.0).all(axis=1)] = (0.0, -2.0, 0.0)
    return mesh, alone, starts + offset, moves


def rows_of(hits):
    """(K,9): distance, fraction, point, normal and feature, as bits that can be compared."""
    columns = (hits.distance[:, None], hits.fraction[:, None], hits.point, hits.normal, hits.feature[:, None])
    return np.concatenate(columns, axis=1)


def first_of(results, order):
    """(K,) index of the triangle whose result comes first, -1 for none. order: keys (N,K), the most important last."""
    missed = np.array([hits.triangle for hits in results]) < 0
    best = np.lexsort((*order, missed), axis=0)[0]
    return np.where(missed.all(axis=0), -1, best)


@pytest.mark.each_once
@pytest.mark.parametrize("at", ORIGINS)
@pytest.mark.parametrize("source", SOURCES)
def test_rays_find_what_each_triangle_alone_gives(source, at):
    mesh, alone, origins, directions = make_case(source, at, 0)
    results = [one.raycast_many(origins, directions) for one in alone]
    hits = mesh.raycast_many(origins, directions)
    first = first_of(results, [np.array([each.distance for each in results])])
    assert np.array_equal(first >= 0, hits.triangle >= 0)
    met = np.flatnonzero(first >= 0)
    assert len(met) > QUERIES // 16
    assert (hits.triangle[met] == mesh.source[first[met]]).all()
    expected = np.array([rows_of(results[first[row]])[row] for row in met])
    assert rows_of(hits)[met].tobytes() == expected.tobytes()
    assert (mesh.raycast_any_many(origins, directions) == (first >= 0)).all()


BODIES = {
    "ellipsoid": lambda mesh, at, by: mesh.sweep_many(Ellipsoid((0.35, 0.90, 0.25)), at, 0.4, by),
    "sphere": lambda mesh, at, by: mesh.sweep_many(Sphere(at, 0.5), displacement=by),
    "capsule": lambda mesh, at, by: mesh.sweep_many(Capsule(at, at + np.array([0.5, 1.0, 0.0]), 0.25), displacement=by),
    "box": lambda mesh, at, by: mesh.sweep_many(Box(at, (0.5, 0.25, 0.3), 0.6), displacement=by),
    "upright box": lambda mesh, at, by: mesh.sweep_many(Box(at, (0.5, 0.5, 0.5)), displacement=by),
}


@pytest.mark.each_once
@pytest.mark.parametrize("at", ORIGINS)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("body", BODIES)
def test_sweeps_find_what_each_triangle_alone_gives(body, source, at):
    mesh, alone, starts, moves = make_case(source, at, 1)
    results = [BODIES[body](one, starts, moves) for one in alone]
    hits = BODIES[body](mesh, starts, moves)
    ranks = np.array([(each.feature.astype(int) + 2) // 3 for each in results])
    first = first_of(results, [ranks, np.array([each.fraction for each in results])])
    assert np.array_equal(first >= 0, hits.triangle >= 0)
    met = np.flatnonzero(first >= 0)
    expected = np.array([rows_of(results[first[row]])[row] for row in met])
    assert (hits.fraction[met] == expected[:, 1]).all()
    moving = hits.fraction[met] > 0.0  # an overlap at the start: the deepest triangle, which is not compared here
    assert moving.sum() > QUERIES // 16
    assert (hits.triangle[met] == mesh.source[first[met]])[moving].all()
    assert rows_of(hits)[met][moving].tobytes() == expected[moving].tobytes()
