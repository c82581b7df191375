"""Height fields: queries through cells give the results of the BVH, to the bit and in its order."""

import math
import pickle

import numba
import numpy as np
import pytest

from game.physics.mesh.bvh import query_bvh
from game.physics.mesh.heightfield import MAX_QUERY_CELLS, HeightField, query_mesh
from game.physics.triangle_mesh import TriangleMesh
from tests.support import shapes

ABOVE = np.array((0.0, 1.0, 0.0))
ANSWERS = ("fraction", "distance", "point", "normal", "triangle", "feature")


def turned_by(points, degrees, move=(0.0, 0.0, 0.0), scale=(1.0, 1.0, 1.0)):
    """Points (..., 3) scaled, rotated about the vertical (exactly by quarter turns) and moved."""
    exact = {0: (0.0, 1.0), 90: (1.0, 0.0), 180: (0.0, -1.0), 270: (-1.0, 0.0)}
    s, c = exact.get(degrees) or (math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))
    x, y, z = (points[..., axis] * scale[axis] for axis in range(3))
    return np.stack((x * c + z * s + move[0], y + move[1], z * c - x * s + move[2]), axis=-1)


def grid(random, rows=14, columns=9, degrees=0.0, move=(0.0, 0.0, 0.0), scale=(1.0, 1.0, 1.0), flat=0.3):
    """Triangles and field of a random terrain, partly level, with both diagonals among its cells."""
    heights = random.normal(size=(rows + 1, columns + 1)) * (random.random((rows + 1, columns + 1)) > flat)
    triangles, field = HeightField.of_grid(heights, (-4.0, -6.5), (0.9, 1.1))
    axes = [turned_by(np.array((x, 0.0, z)), degrees, scale=scale) for x, z in ((0.9, 0.0), (0.0, 1.1))]
    begin = turned_by(np.array((-4.0, 0.0, -6.5)), degrees, move, scale)
    plan = [(float(way[0]), float(way[2])) for way in (begin, *axes)]
    return turned_by(triangles, degrees, move, scale), HeightField(*plan, field.triangles)


def joined(*parts, loose=()):
    """One mesh of several grids, with loose triangles before and after them."""
    triangles, fields, count = [], [], 0
    for extra in loose[:1]:
        triangles.append(extra)
        count += len(extra)
    for corners, field in parts:
        fields.append(HeightField(field.origin, field.across, field.down, field.triangles + count))
        triangles.append(corners)
        count += len(corners)
    return TriangleMesh(np.concatenate([*triangles, *loose[1:]]), fields=fields)


def soup(random, count, spread=8.0):
    return random.uniform(-spread, spread, (count, 1, 3)) + random.normal(size=(count, 3, 3))


def meshes():
    """Meshes by name: single grids, rotated ones, and overlapping grids with loose triangles."""
    random = np.random.default_rng(61)
    turns = {str(degrees): joined(grid(random, degrees=degrees)) for degrees in (0, 90, 180, 270, 33.7)}
    crowd = [
        grid(random, degrees=90.0, move=(3.0, 5.0, -2.0), scale=(1.5, 0.5, 1.2)),
        grid(random, degrees=211.3, move=(-2.0, -3.0, 1.0)),
        grid(random, rows=1, columns=1),
    ]
    far = grid(random, degrees=12.0, move=(9.7e3, 40.0, -9.1e3))
    return {**turns, "crowd": joined(*crowd, loose=(soup(random, 150), soup(random, 90))), "far": joined(far)}


MESHES = meshes()
STRAIGHT = ("0", "90", "180", "270")


def places(random, mesh, count):
    """Points in and around the mesh; some at corners, on edges and inside triangles."""
    low, high = (np.array(part) for part in mesh.bounds)
    free = random.uniform(low - 1.0, high + 1.0, (count, 3))
    corners = mesh.triangles12[random.integers(len(mesh), size=count), :9].reshape(-1, 3, 3)
    part = random.dirichlet((1.0, 1.0, 1.0), count)
    kind = np.arange(count) % 4
    part[kind == 1] = np.eye(3)[random.integers(3, size=int((kind == 1).sum()))]
    part[kind == 2, 2] = 0.0
    part /= part.sum(axis=1, keepdims=True)
    on = (corners * part[..., None]).sum(axis=1)
    on[kind == 1] = corners[kind == 1, part[kind == 1].argmax(axis=1)]
    on[:, 1] += random.choice((0.0, 1.0, 5.0, -0.5), count)
    return np.where((kind == 0)[:, None], free, on)


@pytest.mark.parametrize("name", MESHES)
def test_box_queries_match_the_bvh(name):
    """For a rotated grid the cells leave out triangles of which only the box overlaps the query, never others."""
    mesh, random = MESHES[name], np.random.default_rng(7)
    heights, tree = mesh.heights, (mesh.nodes, mesh.links, mesh.triangles12)
    packed = (heights.fields, heights.cells, heights.inside, heights.remaining_boxes)
    points = places(random, mesh, 600)
    sizes = np.concatenate([np.zeros((100, 3)), random.uniform(0.0, 1.2, (450, 3)), random.uniform(2, 40, (50, 3))])
    met = fewer = 0
    for room in (4096, 5):
        ours, theirs = np.zeros(room, np.int32), np.zeros(room, np.int32)
        for point, size in zip(points, sizes[random.permutation(600)], strict=True):
            box = (*(point - size).tolist(), *(point + size).tolist())
            count = query_mesh(*tree, *packed, box, ours)
            most = query_bvh(*tree, 0, len(mesh.nodes), box, theirs)
            met += most > 0
            if name in STRAIGHT:
                assert count == most
                assert np.array_equal(ours[: min(count, room)], theirs[: min(count, room)])
            elif max(count, most) <= room:
                assert (np.diff(ours[:count]) > 0).all()
                left_out = np.setdiff1d(theirs[:most], ours[:count])
                assert len(left_out) == most - count  # the others are all found
                assert all(apart_on_plan(mesh.triangles12[i, :9].reshape(3, 3), box) for i in left_out)
                fewer += len(left_out)
    assert met > 400
    assert (fewer > 0) == (name not in STRAIGHT)


def apart_on_plan(corners, box):
    """Whether a side of the triangle separates it from the box in the horizontal plane."""
    plan = corners[:, (0, 2)]
    rim = np.array([(x, z) for x in (box[0], box[3]) for z in (box[2], box[5])])
    for side in range(3):
        along = plan[(side + 1) % 3] - plan[side]
        across = np.array((-along[1], along[0]))
        ours, theirs = plan @ across, rim @ across
        if ours.max() < theirs.min() or theirs.max() < ours.min():
            return True
    return False


@pytest.mark.parametrize("name", MESHES)
def test_every_grid_triangle_is_in_its_cell(name):
    """Without this the comparison with the BVH would pass through the BVH alone."""
    heights = MESHES[name].heights
    cell_triangles = heights.cells[heights.cells >= 0]
    assert len(cell_triangles) == len(np.unique(cell_triangles)) == heights.inside.sum()
    loose = {"crowd": 240}.get(name, 0)
    assert len(MESHES[name]) - heights.inside.sum() == loose
    assert loose or not np.isfinite(heights.remaining_boxes).any()  # the root box is empty


@pytest.mark.parametrize("name", MESHES)
def test_ground_below_matches_raycast(name):
    mesh, random = MESHES[name], np.random.default_rng(8)
    count = 60 if numba.config.DISABLE_JIT else 1200
    points = places(random, mesh, count)
    for reach in (math.inf, 2.5, 0.0):
        ours, theirs = mesh.ground_below_many(points, reach), mesh.raycast_many(points, (0.0, -1.0, 0.0), reach)
        for column in ANSWERS:
            expected_column, other = getattr(ours, column), getattr(theirs, column)
            assert np.array_equal(expected_column, other, equal_nan=column not in ("triangle", "feature")), column
    assert (mesh.ground_below_many(points).triangle >= 0).sum() > count / 4
    assert mesh.ground_below(tuple(points[5])) == mesh.raycast(tuple(points[5]), (0.0, -1.0, 0.0))


def test_a_triangle_outside_its_cell_is_found_by_the_bvh():
    triangles, field = HeightField.of_grid(np.zeros((4, 4)))
    cells = field.triangles.copy()
    cells[0, 0, 0], cells[2, 2, 0] = cells[2, 2, 0], cells[0, 0, 0]  # listed in each other's cell
    cells[1, 1, 1] = -1
    mesh = TriangleMesh(triangles, fields=[HeightField(field.origin, field.across, field.down, cells)])
    assert len(mesh) - mesh.heights.inside.sum() == 3
    points = places(np.random.default_rng(3), mesh, 200) + ABOVE
    assert list(mesh.ground_below_many(points)) == list(mesh.raycast_many(points, (0.0, -1.0, 0.0)))


def test_dropped_and_shared_grid_triangles():
    random = np.random.default_rng(10)
    corners, field = grid(random)
    flat = corners.copy()
    flat[0] = flat[0, 0]  # no area
    mesh = joined((flat, field), (flat, field), loose=(flat[20:25], corners[40:50]))
    assert len(mesh.report) > len(corners)
    points = places(random, mesh, 300) + ABOVE
    assert list(mesh.ground_below_many(points)) == list(mesh.raycast_many(points, (0.0, -1.0, 0.0)))


def test_fields_do_not_change_the_mesh_and_can_be_pickled():
    corners, field = grid(np.random.default_rng(11))
    plain, with_field = TriangleMesh(corners), TriangleMesh(corners, fields=[field])
    again = pickle.loads(pickle.dumps(with_field))
    for name in ("triangles12", "nodes", "links", "mates", "source", "ids", "materials"):
        assert getattr(plain, name).tobytes() == getattr(with_field, name).tobytes() == getattr(again, name).tobytes()
    for name in ("fields", "cells", "inside", "remaining_boxes"):
        array = getattr(again.heights, name)
        assert array.tobytes() == getattr(with_field.heights, name).tobytes()
        assert not array.flags.writeable
    assert plain.heights.remaining_boxes is plain.nodes
    assert not len(plain.heights)


def test_a_large_box_and_an_empty_mesh():
    mesh = MESHES["0"]
    out = np.empty(4096, np.int32)
    packed = (mesh.heights.fields, mesh.heights.cells, mesh.heights.inside, mesh.heights.remaining_boxes)
    box = (-1e300, -1e300, -1e300, 1e300, 1e300, 1e300)
    assert query_mesh(mesh.nodes, mesh.links, mesh.triangles12, *packed, box, out) == len(mesh) > 2 * MAX_QUERY_CELLS
    empty = TriangleMesh(np.zeros((0, 3, 3)))
    assert empty.ground_below((0.0, 1.0, 0.0)) is None
    assert list(TriangleMesh(shapes.terrain(4)).ground_below_many([(500.0, 0.0, 0.0)])) == [None]
