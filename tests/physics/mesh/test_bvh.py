"""BVH against brute force: box queries, rays, and meshes that make it deep."""

import numpy as np
import pytest

from game.physics.mesh.bvh import MAX_STACK_DEPTH, query_bvh
from game.physics.triangle_mesh import TriangleMesh
from tests.support import real_levels, shapes
from tests.support.oracle import LONG


def crowd_at_one_place(random):
    """Equal centroids, so equal Morton codes: only halving separates them."""
    corners = random.normal(size=(700, 3, 3))
    corners = np.round((corners - corners.mean(1, keepdims=True)) * 1024.0) * 3.0
    corners[:, 2] = -corners[:, 0] - corners[:, 1]
    return corners / 1024.0


def with_an_outlier(random):
    """One triangle so far away that the others share a few Morton codes."""
    far = np.array([[[9e6, 9e6, 9e6], [9e6, 9e6 + 1.0, 9e6], [9e6, 9e6, 9e6 + 1.0]]])
    return np.concatenate([shapes.soup(random, 900), far])


def ever_smaller(random):
    """Each triangle at half the distance of the one before: the deepest BVH that the codes allow."""
    scale = 1000.0 * 0.5 ** np.arange(34)
    return np.array([[(1, 1, 1), (1.1, 1, 1), (1, 1.1, 1)]]) * scale[:, None, None]


MESHES = {
    "one": lambda random: shapes.soup(random, 1),
    "soup": lambda random: shapes.soup(random, 1500),
    "terrain": lambda random: shapes.terrain(24),
    "tiles": lambda random: shapes.terrain(24, height=0.0),
    "ball": lambda random: shapes.ball(),
    "crowd": crowd_at_one_place,
    "outlier": with_an_outlier,
    "halves": ever_smaller,
}


@pytest.fixture(params=list(MESHES), scope="module")
def mesh(request):
    random = np.random.default_rng([1, list(MESHES).index(request.param)])
    return TriangleMesh(MESHES[request.param](random))


def boxes_of(mesh):
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    return corners.min(1), corners.max(1)


def test_no_path_is_deeper_than_the_stack_of_a_query(mesh):
    stack, deepest = [(0, 1)], 0
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        if mesh.links[node][1] >= 0:
            stack += [(int(mesh.links[node][1]), depth + 1), (node + 1, depth + 1)]
    assert deepest < MAX_STACK_DEPTH


def test_box_query_finds_what_brute_force_finds(mesh):
    random = np.random.default_rng(2)
    low, high = boxes_of(mesh)
    for case in range(150):
        around = random.integers(0, len(mesh))
        centre = mesh.triangles12[around, :3] + random.normal(size=3) * 10.0 ** random.uniform(-3, 1)
        half = 10.0 ** random.uniform(-3, 1, 3)
        if case % 5 == 0:  # touching exactly, and an empty box
            centre, half = low[around] - half, half
        if case % 7 == 0:
            centre, half = high[around], np.zeros(3)
        x, y = centre - half, centre + half
        expected = np.flatnonzero((low <= y).all(1) & (high >= x).all(1))
        out = np.full(len(mesh) + 1, -7, np.int32)
        box = (*map(float, x), *map(float, y))
        count = query_bvh(mesh.nodes, mesh.links, mesh.triangles12, 0, len(mesh.nodes), box, out)
        assert out[:count].tolist() == expected.tolist()
        assert (out[count:] == -7).all()


def test_box_query_writes_no_more_than_fits_but_counts_all():
    mesh = TriangleMesh(shapes.terrain(10))
    everything = (-1e9,) * 3 + (1e9,) * 3
    for room in (0, 1, 7, 200):
        out = np.full(room, -7, np.int32)
        assert query_bvh(mesh.nodes, mesh.links, mesh.triangles12, 0, len(mesh.nodes), everything, out) == 200
        assert out.tolist() == list(range(room))
    empty = TriangleMesh([])
    assert (
        query_bvh(empty.nodes, empty.links, empty.triangles12, 0, len(empty.nodes), everything, np.empty(3, np.int32))
        == 0
    )


# Rays


def plane_hits(mesh, origin, direction):
    """Brute force: (N,) distances to the triangles' planes, and how far (m) each hit lies inside its triangle."""
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3).astype(LONG)
    origin, direction = np.asarray(origin, LONG), np.asarray(direction, LONG)
    direction = direction / np.sqrt((direction * direction).sum())
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.sqrt((normal * normal).sum(1))[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = ((corners[:, 0] - origin) * normal).sum(1) / (normal @ direction)
        point = origin + distance[:, None] * direction
    inside = np.full(len(corners), np.inf, LONG)
    for k in range(3):
        edge = corners[:, (k + 1) % 3] - corners[:, k]
        inward = np.cross(normal, edge) / np.sqrt((edge * edge).sum(1))[:, None]
        with np.errstate(invalid="ignore"):
            inside = np.minimum(inside, ((point - corners[:, k]) * inward).sum(1))
    return distance, inside


def check_rays(mesh, origins, directions, margin):
    hits = mesh.raycast_many(origins, directions)
    for row, hit in enumerate(hits):
        distance, inside = plane_hits(mesh, origins[row], directions[row])
        ahead = np.where(distance >= 0.0, distance, np.inf)
        sure = np.where(inside > margin, ahead, np.inf).min()
        perhaps = np.where(inside > -margin, ahead, np.inf)
        if hit is None:
            assert sure == np.inf
            continue
        assert hit.distance <= sure + margin
        i = int(np.flatnonzero(mesh.source == hit.triangle)[0])
        assert abs(hit.distance - perhaps[i]) <= margin * 1e3
        along = np.asarray(directions[row]) / np.linalg.norm(directions[row])
        np.testing.assert_allclose(hit.point, origins[row] + hit.distance * along, rtol=0, atol=margin)
        assert np.dot(hit.normal, along) < 0.0
        assert abs(np.dot(hit.normal, mesh.triangles12[i, 9:])) == pytest.approx(1.0, abs=1e-15)
        assert hit.fraction is None
    return hits


@pytest.mark.sample(3)
def test_rays_hit_what_brute_force_hits(mesh):
    random = np.random.default_rng(3)
    low, high = np.array(mesh.bounds)
    size = min(np.linalg.norm(high - low), 100.0)
    target = mesh.triangles12[random.integers(0, len(mesh), 150), :3] + random.normal(size=(150, 3)) * 0.05 * size
    origins = target + random.normal(size=(150, 3)) * size
    directions = (target - origins) * 10.0 ** random.uniform(-3, 3, (150, 1))
    directions[::10] = np.eye(3)[random.integers(0, 3, 15)] * random.choice([-1.0, 1.0], (15, 1))
    largest = max(np.abs(origins).max(), size)
    check_rays(mesh, origins, directions, 1e-11 * largest)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
def test_rays_in_real_levels_agree_with_the_reference(path):
    _, triangles = real_levels.read(path)
    mesh = TriangleMesh(triangles)
    random = np.random.default_rng(4)
    low, high = np.array(mesh.bounds)
    origins = random.uniform(low, high, (120, 3))
    hits = check_rays(mesh, origins, random.normal(size=(120, 3)), 1e-9)
    assert sum(hit is not None for hit in hits) > 15


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_no_ray_leaves_a_closed_sphere(offset):
    """Rays from inside at vertices, edge midpoints and random points all hit, at the right distance."""
    random = np.random.default_rng([5, int(offset)])
    corners = shapes.ball() + offset
    mesh = TriangleMesh(corners)
    aims = np.concatenate([corners.reshape(-1, 3), ((corners + np.roll(corners, 1, axis=1)) / 2).reshape(-1, 3)])
    aims = np.concatenate([aims, random.normal(size=(2000, 3)) + offset])
    for origin in (np.zeros(3), random.uniform(-1, 1, 3)):
        directions = aims - origin - offset
        hits = mesh.raycast_many(origin + offset, directions[np.abs(directions).max(1) > 0.0])
        assert (hits.triangle >= 0).all()
        reach = np.linalg.norm(hits.point - offset, axis=1)
        assert (np.abs(reach - 2.95) < 0.06).all()


def test_feature_of_a_ray_through_an_edge_or_corner():
    mesh = TriangleMesh(shapes.terrain(4, size=1.0, height=0.0))
    assert mesh.raycast((1.25, 5, 1.5), (0, -1, 0)).feature == "face"
    assert mesh.raycast((1.0, 5, 1.5), (0, -1, 0)).feature == "edge"
    assert mesh.raycast((1.0, 5, 2.0), (0, -1, 0)).feature == "vertex"


def test_a_ray_hits_up_to_its_length_and_not_beyond():
    mesh = TriangleMesh(shapes.terrain(4, size=1.0, height=0.0))
    above, down = (1.3, 5.0, 1.6), (0.0, -2.0, 0.0)
    hit = mesh.raycast(above, down, 10.0)
    assert (hit.distance, hit.fraction, hit.normal) == (5.0, 0.5, (0.0, 1.0, 0.0))
    assert mesh.raycast(above, down, 5.0).fraction == 1.0
    assert mesh.raycast(above, down, np.nextafter(5.0, 0.0)) is None
    assert mesh.raycast(above, (0.0, 1.0, 0.0)) is None
    from_below = mesh.raycast((1.3, -1.0, 1.6), (0, 1, 0))
    assert (from_below.distance, from_below.normal) == (1.0, (0.0, -1.0, 0.0))
    on_it = mesh.raycast((1.3, 0.0, 1.6), down, 0.0)
    assert (on_it.distance, on_it.fraction) == (0.0, 0.0)
    assert mesh.raycast((1.3, 0.0, -1.0), (0, 0, 1)) is None


def test_rays_ten_kilometres_from_the_origin():
    """Coordinates are multiples of 1/1024, so a translation by 8192 m is exact."""
    random = np.random.default_rng(6)
    corners = np.round(shapes.soup(random, 300) * 1024.0) / 1024.0
    origins = np.round(random.uniform(-8, 8, (200, 3)) * 1024.0) / 1024.0
    directions = random.normal(size=(200, 3))
    near = TriangleMesh(corners).raycast_many(origins, directions)
    far = TriangleMesh(corners + 8192.0).raycast_many(origins + 8192.0, directions)
    np.testing.assert_array_equal(near.triangle, far.triangle)
    np.testing.assert_allclose(near.distance, far.distance, rtol=1e-13, atol=0)
