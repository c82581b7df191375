"""Mesh cooking: dropped triangles and report, canonical order, welding, adjacency, and error messages."""

import pickle

import numpy as np
import pytest

from game.physics.mesh import adjacency
from game.physics.mesh.adjacency import (
    CELL_OFFSET,
    CELLS_PER_METRE,
    WELD_DISTANCE,
)
from game.physics.mesh.cooking import triangle_normal
from game.physics.mesh.rows import edge_side
from game.physics.triangle_mesh import MAX_MESH_COORDINATE, TriangleMesh
from tests.support import real_levels, shapes

ARRAYS = ["triangles12", "nodes", "links", "surface", "ids", "adjacency", "edge_active"]


def bits(mesh):
    return {name: getattr(mesh, name).tobytes() for name in ARRAYS}


def disorder(random, triangles, surfaces):
    """The same triangles in another order, each starting at another corner, and their old indices."""
    order = random.permutation(len(triangles))
    turn = (np.arange(3) + random.integers(0, 3, (len(triangles), 1))) % 3
    rows = np.arange(len(triangles))[:, None]
    return triangles[order][rows, turn], surfaces[order], order


def heap(random):
    """Triangles with duplicates of either winding, several surfaces, zero areas, nearly equal corners and a far
    outlier."""
    base = np.round(shapes.soup(random, 60), 3)
    copies = base[random.integers(0, 60, 60)]
    flipped = base[random.integers(0, 60, 60)][:, ::-1]
    hair = base[:40] + random.uniform(-4e-6, 4e-6, (40, 3, 3))
    flat = np.repeat(base[:5, :1], 3, axis=1)
    outlier = np.array([[[9e6, 0.0, 0.0], [9e6, 1.0, 0.0], [9e6, 0.0, 1.0]]])
    return np.concatenate([base, copies, flipped, hair, flat, outlier])


MESHES = {
    "terrain": lambda random: shapes.terrain(12),
    "tiles": lambda random: shapes.terrain(12, height=0.0),
    "ball": lambda random: shapes.ball(),
    "soup": lambda random: shapes.soup(random, 500),
    "heap": heap,
    "negative zeros": lambda random: -0.0 * shapes.soup(random, 1) + shapes.box((-1, -1, -1), (0, 0, 0)) * [1, -1, 1],
}


@pytest.mark.parametrize("name", MESHES)
def test_triangle_order_and_first_corners_change_no_bit(name):
    random = np.random.default_rng([1, list(MESHES).index(name)])
    triangles = MESHES[name](random)
    surfaces = random.integers(0, 3, len(triangles))
    mesh = TriangleMesh(triangles, surfaces)
    dropped = {index for index, _ in mesh.report}
    for _ in range(5):
        other_triangles, other_surfaces, _ = disorder(random, triangles, surfaces)
        other = TriangleMesh(other_triangles, other_surfaces)
        assert bits(other) == bits(mesh)
        assert sorted(map(sorted, other_triangles[other.source].tolist())) == sorted(
            map(sorted, triangles[mesh.source].tolist())
        )
        np.testing.assert_array_equal(other_surfaces[other.source], other.surface)
        assert len(other.report) == len(dropped)


@pytest.mark.parametrize("seed", range(4))
def test_one_thread_and_two_give_the_same_bits(monkeypatch, seed):
    """With an edge of many triangles in the middle of the order of half-edges."""
    triangles = np.concatenate([fan(seed + 3), heap(np.random.default_rng(seed))[: 20 * seed]])
    made = []
    for limit in (len(triangles) * 2, 0):
        monkeypatch.setattr(adjacency, "MIN_THREADED_TRIANGLES", limit)
        made.append(bits(TriangleMesh(triangles)))
    assert made[0] == made[1]


def fan(leaves):
    """Triangles around one edge."""
    angles = np.linspace(0.0, 6.0, leaves)
    tips = np.stack((np.cos(angles), np.sin(angles), 0.5 + 0.0 * angles), axis=1)
    return np.stack((np.zeros((leaves, 3)), np.tile((0.0, 0.0, 1.0), (leaves, 1)), tips), axis=1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
def test_real_levels_cook_the_same_in_any_order(path):
    random = np.random.default_rng(2)
    _, triangles = real_levels.read(path)
    surfaces = np.zeros(len(triangles), int)
    mesh = TriangleMesh(triangles)
    assert len(mesh) + len(mesh.report) == len(triangles)
    other, _, _ = disorder(random, triangles, surfaces)
    assert bits(TriangleMesh(other)) == bits(mesh)


def test_triangles_are_the_callers_with_a_unit_normal():
    random = np.random.default_rng(3)
    triangles = shapes.soup(random, 400)
    mesh = TriangleMesh(triangles)
    assert sorted(mesh.source.tolist()) == list(range(400))
    mesh_corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    ours = triangles[mesh.source]
    turned = np.stack([np.roll(ours, -k, axis=1) for k in range(3)])
    assert (turned == mesh_corners).all((2, 3)).any(0).all()
    cross = np.cross(ours[:, 1] - ours[:, 0], ours[:, 2] - ours[:, 0])
    np.testing.assert_allclose(mesh.triangles12[:, 9:], cross / np.linalg.norm(cross, axis=1)[:, None], atol=1e-11)
    np.testing.assert_allclose(np.linalg.norm(mesh.triangles12[:, 9:], axis=1), 1.0, rtol=0, atol=4e-16)


def test_axis_aligned_normals_are_exact():
    mesh = TriangleMesh(shapes.box((-0.3, 0.1, 0.7), (12.1, 3.3, 5.9)))
    assert sorted(map(tuple, np.abs(mesh.triangles12[:, 9:]).tolist())) == sorted(
        [(1.0, 0.0, 0.0)] * 4 + [(0.0, 1.0, 0.0)] * 4 + [(0.0, 0.0, 1.0)] * 4
    )


def test_a_slivers_normal_is_perpendicular_to_its_long_edge():
    """The plain cross product would lean along the edge by about 1e-8: 5 micrometres at its end."""
    random = np.random.default_rng(4)
    for _ in range(200):
        far = random.normal(size=3) * 500.0
        tip = far * random.uniform(0.3, 0.7) + random.normal(size=3) * 1e-6
        row = np.array([[*np.zeros(3), *tip, *far, 0.0, 0.0, 0.0]])
        normal, height = np.array(triangle_normal(row, 0)[:3]), triangle_normal(row, 0)[3]
        assert 0.0 < height < 1e-5
        assert abs(normal @ far) / np.linalg.norm(far) < 4e-16


# Dropped triangles


def test_report_names_what_was_dropped_and_why():
    floor = shapes.quads([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)])
    a, b, c = floor[0]
    point, line = np.stack([a, a, a]), np.stack([a, b, (a + b) / 2])
    sliver = np.array([(0.1, 0.1, 0.1), (0.2, 0.2, 0.2), (0.7, 0.7, 0.7)])
    mesh = TriangleMesh([floor[0], point, floor[1], [c, a, b], line, sliver, [a, c, b]], [4, 0, 5, 4, 0, 0, 6])
    assert dict(mesh.report) == {
        1: "no area",
        3: "duplicate of triangle 0",
        4: "no area",
        5: "no area",
        6: "duplicate of triangle 0",
    }
    assert str(mesh.report).splitlines()[1] == "triangle 3: duplicate of triangle 0"
    assert sorted(zip(mesh.source.tolist(), mesh.surface.tolist(), strict=True)) == [(0, 4), (2, 5)]
    assert str(TriangleMesh(floor).report) == "nothing dropped"
    many = TriangleMesh(np.concatenate([floor, *[floor] * 30, np.zeros((7, 3, 3))])).report
    lines = str(many).splitlines()
    assert lines[0] == f"{len(many)} triangles dropped: 7 without area, {30 * len(floor)} duplicates"
    assert (len(lines), lines[-1]) == (12, f"... and {len(many) - 10} more; report.details() lists all")
    assert many.details().splitlines() == [str(dropped) for dropped in many]
    assert mesh.report[-1].triangle == 6
    assert [d.triangle for d in mesh.report[1:3]] == [3, 4]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
def test_a_thin_triangle_is_not_dropped(scale):
    """Only triangles without area are dropped, not thin or small ones."""
    thin = np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 2e-3, 0.0)]]) * scale
    assert len(TriangleMesh(thin)) == 1


def test_nothing_is_dropped_for_being_near_another():
    triangle = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    nudged = triangle.copy()
    nudged[2, 1] = np.nextafter(1.0, 2.0)
    assert len(TriangleMesh([triangle, nudged])) == 2


# Welding


def places_by_brute_force(points):
    """Connected components of points within WELD_DISTANCE of each other, named by their first member."""
    near = ((points[:, None] - points[None]) ** 2).sum(-1) <= WELD_DISTANCE * WELD_DISTANCE
    group = np.arange(len(points))
    while True:
        lowest = np.where(near, group[None], len(points)).min(1)
        if (lowest == group).all():
            return group
        group = lowest


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(4))
def test_weld_across_cell_borders_and_through_other_points(seed):
    """Points around the corners of hash cells, in pairs and chains slightly below or above the weld distance."""
    random = np.random.default_rng([5, seed])
    count = 240
    cell = 1.0 / CELLS_PER_METRE
    corners = (random.integers(-300000, 300000, (count, 3)) - CELL_OFFSET) * cell
    chains = []
    for corner in corners:
        step = random.normal(size=3)
        step *= WELD_DISTANCE * random.choice([0.5, 0.999, 1.001, 1.5]) / np.linalg.norm(step)
        chains.append(corner + np.arange(-2, 3)[:, None] * step)
    points = np.concatenate([*chains, corners[: count // 2]])
    points = points[random.permutation(len(points))[: 3 * (len(points) // 6)]]
    rest = random.uniform(-40.0, 40.0, (len(points), 2, 3))
    triangles = np.concatenate([points[:, None], rest], axis=1)
    mesh = TriangleMesh(triangles)
    mesh_corners = mesh.triangles12[:, :9].reshape(-1, 3)
    vertices = mesh.ids.reshape(-1)
    expected = places_by_brute_force(mesh_corners)
    names = {}
    assert vertices.tolist() == [names.setdefault(group, len(names)) for group in expected.tolist()]
    assert len(names) < len(mesh_corners)


def test_welding_moves_no_coordinate():
    triangles = np.array([[(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(1, 4e-6, 0), (1, 1, 0), (0, 1, 6e-6)]], float)
    mesh = TriangleMesh(triangles)
    assert len(set(mesh.ids.reshape(-1).tolist())) == 4
    assert set(map(tuple, mesh.triangles12[:, :9].reshape(-1, 3))) == set(map(tuple, triangles.reshape(-1, 3)))


# Neighbours


def neighbours(mesh):
    """{(caller's triangle, its neighbours across all edges)}."""
    source = mesh.source
    return {(int(source[i]), int(source[j])) for i, row in enumerate(mesh.adjacency) for j in row if j >= 0}


def flags_between(mesh, one, other):
    """edge_active of the edge of `one` across which `other` lies (caller's indices)."""
    i, j = (int(np.flatnonzero(mesh.source == index)[0]) for index in (one, other))
    return int(mesh.edge_active[i, mesh.adjacency[i].tolist().index(j)])


def test_neighbours_share_the_edge_they_lie_across():
    mesh = TriangleMesh(shapes.ball())
    assert (mesh.adjacency >= 0).all()
    for i in range(len(mesh)):
        for k in range(3):
            j = mesh.adjacency[i, k]
            assert i in mesh.adjacency[j]
            assert {mesh.ids[i, k], mesh.ids[i, (k + 1) % 3]} <= set(mesh.ids[j].tolist())
    diagonals = 12 * 16 - 2 * 16
    assert np.bincount(mesh.edge_active.ravel()).tolist() == [2 * diagonals, 3 * len(mesh) - 2 * diagonals]
    inward = TriangleMesh(shapes.ball()[:, ::-1]).edge_active
    assert np.bincount(inward.ravel()).tolist() == [2 * diagonals, 0, 3 * len(mesh) - 2 * diagonals]


def test_diagonals_and_tile_edges_are_inactive_and_borders_are_not():
    mesh = TriangleMesh(shapes.terrain(6, height=0.0))
    border = mesh.adjacency < 0
    assert border.sum() == 4 * 6
    assert (mesh.edge_active[border] == edge_side.FRONT | edge_side.BACK).all()
    assert (mesh.edge_active[~border] == 0).all()


@pytest.mark.each_once
@pytest.mark.parametrize("flip", [False, True], ids=["same winding", "other winding"])
@pytest.mark.parametrize("angle", [-179, -135, -90, -45, -1, -0.1, -0.01, 0, 0.01, 0.1, 1, 45, 90, 135, 179])
def test_an_edge_is_active_where_the_neighbour_bends_away(angle, flip):
    turn = np.radians(angle)
    page = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, np.sin(turn), -np.cos(turn))])
    mesh = TriangleMesh([[(0, 0, 0), (0.5, 0, 1), (1, 0, 0)], page[::-1] if flip else page])
    expected = 0 if abs(angle) < 0.05 else edge_side.BACK if angle > 0 else edge_side.FRONT
    assert flags_between(mesh, 0, 1) == expected
    seen_from_the_page = (
        {0: 0, edge_side.FRONT: edge_side.BACK, edge_side.BACK: edge_side.FRONT}[expected] if flip else expected
    )
    assert flags_between(mesh, 1, 0) == seen_from_the_page


def test_wall_on_a_floor_leaves_the_floor_smooth():
    floor = shapes.quads([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)], [(1, 0, 0), (1, 0, 1), (2, 0, 1), (2, 0, 0)])
    wall = shapes.quads([(1, 0, 0), (1, 0, 1), (1, 2, 1), (1, 2, 0)])
    below = shapes.quads([(1, 0, 0), (1, 0, 1), (1, -2, 1), (1, -2, 0)])
    mesh = TriangleMesh([*floor, *wall, *below])
    at_edge = [
        (i, k)
        for i in range(len(mesh))
        for k in range(3)
        if (mesh.triangles12[i, [3 * k, 3 * ((k + 1) % 3)]] == 1.0).all()
        and (mesh.triangles12[i, [3 * k + 1, 3 * ((k + 1) % 3) + 1]] == 0.0).all()
    ]
    assert len(at_edge) == 4
    assert all(mesh.edge_active[i, k] == 0 for i, k in at_edge)
    of_wall = [(i, k) for i, k in at_edge if mesh.source[i] >= 4]
    assert all(mesh.source[mesh.adjacency[i, k]] < 4 for i, k in of_wall)


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(20))
def test_an_edge_that_can_be_touched_is_active(seed):
    """2 to 5 triangles at one edge: a small sphere that touches only the edge finds the bit of its side set."""
    random = np.random.default_rng([6, seed])
    count = random.integers(2, 6)
    angles = random.uniform(0.0, 2.0 * np.pi, count)
    pages = np.zeros((count, 3, 3))
    pages[:, 1, 0] = 1.0
    pages[:, 2] = np.stack([random.uniform(0, 1, count), np.sin(angles), np.cos(angles)], 1)
    flipped = random.random(count) < 0.5
    pages[flipped] = pages[flipped][:, ::-1]
    mesh = TriangleMesh(pages)
    checked = 0
    for centre in np.linspace(0.0, 2.0 * np.pi, 360, endpoint=False):
        away = np.abs((angles - centre + np.pi) % (2.0 * np.pi) - np.pi)
        if away.min() <= np.radians(90.5):
            continue
        checked += 1
        direction = np.array([0.0, np.sin(centre), np.cos(centre)])
        found = 0
        for i in range(count):
            k = next(k for k in range(3) if mesh.triangles12[i, [3 * k + 1, 3 * ((k + 1) % 3) + 1]].tolist() == [0, 0])
            side = edge_side.FRONT if mesh.triangles12[i, 9:] @ direction > 0.0 else edge_side.BACK
            found |= mesh.edge_active[i, k] & side
        assert found
    if checked == 0:
        assert np.diff(np.sort([*angles, angles.min() + 2 * np.pi])).max() < np.radians(183.0)


def test_adjacency_skips_a_sliver_between_two_faces():
    """Its two near corners are welded, so its long edges and those of its neighbours are one edge."""
    triangles = np.array(
        [
            [(0, 0, 0), (0, 0, 1), (1, 0, 0)],
            [(1, 0, 0), (0, 0, 1), (3e-6, 0, 1 + 3e-6)],
            [(1, 0, 0), (3e-6, 0, 1 + 3e-6), (1, 0, 1)],
        ],
        float,
    )
    mesh = TriangleMesh(triangles)
    assert flags_between(mesh, 0, 2) == 0
    assert flags_between(mesh, 2, 0) == 0


# Arguments and errors


def test_a_mesh_without_area_is_empty_in_all_its_tables():
    for empty in ([], np.empty((0, 3, 3)), [[(1, 1, 1)] * 3]):
        mesh = TriangleMesh(empty)
        assert len(mesh) == 0
        assert mesh.bounds is None
        assert mesh.triangles12.shape == (0, 12)
        assert mesh.nodes.shape == (0, 6)
        assert mesh.links.shape == (0, 2)
        assert mesh.adjacency.shape == (0, 3)


def test_arrays_have_their_types_and_are_read_only():
    random = np.random.default_rng(7)
    corners = shapes.soup(random, 50).astype(np.float32)
    before = corners.copy()
    mesh = TriangleMesh(corners, range(50))
    types = dict.fromkeys(("source", "surface", "links", "ids", "adjacency", "mates"), "<i4")
    for name in [*ARRAYS, "source"]:
        array = getattr(mesh, name)
        assert array.dtype.str == types.get(name, "|u1" if name == "edge_active" else "<f8")
        assert array.flags.c_contiguous or name == "surface"  # a column of mates
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    np.testing.assert_array_equal(corners, before)
    low, high = mesh.bounds
    assert low == tuple(corners.reshape(-1, 3).min(0).tolist())
    assert high == tuple(corners.reshape(-1, 3).max(0).tolist())


def test_a_mesh_can_be_pickled():
    mesh = TriangleMesh(heap(np.random.default_rng(8)))
    copy = pickle.loads(pickle.dumps(mesh))
    assert bits(copy) == bits(mesh)
    assert str(copy.report) == str(mesh.report)
    assert not any(getattr(copy, name).flags.writeable for name in [*ARRAYS, "source"])
    assert copy.raycast((0, 9, 0), (0, -1, 0)) == mesh.raycast((0, 9, 0), (0, -1, 0))


def test_memory_stays_under_200_bytes_a_triangle():
    for triangles in (shapes.terrain(60), shapes.soup(np.random.default_rng(9), 5000)):
        mesh = TriangleMesh(triangles)
        assert sum(getattr(mesh, name).nbytes for name in [*ARRAYS, "source"]) < 200 * len(mesh)


ONE = [[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]]


@pytest.mark.parametrize(
    ("triangles", "words"),
    [
        (ONE[0], "shape"),
        (np.zeros((2, 4, 3)), "a quad is two triangles"),
        ([[(0, 0, 0), (1, 0, 0)], [(0, 0, 0)]], "shape"),
        ([[("a", 0, 0), (1, 0, 0), (0, 1, 0)]], "numbers"),
        ([*ONE, [(0, 0, 0), (1, np.nan, 0), (0, 1, 0)]], "triangle 1 has a corner that is not finite"),
        ([*ONE, [(0, 0, 0), (1, -np.inf, 0), (0, 1, 0)]], "triangle 1 has a corner that is not finite"),
        ([*ONE, [(0, 0, 0), (1, 0, 0), (0, np.nextafter(MAX_MESH_COORDINATE, np.inf), 0)]], "triangle 1 lies beyond"),
    ],
)
def test_invalid_triangles_are_refused(triangles, words):
    with pytest.raises(ValueError, match=words):
        TriangleMesh(triangles)


@pytest.mark.parametrize("kind", [np.longdouble, np.float16, np.float32, np.int8, np.uint64])
def test_corners_of_any_kind_of_number_are_taken(kind):
    assert TriangleMesh(np.array(ONE, kind)).triangles12.tobytes() == TriangleMesh(ONE).triangles12.tobytes()


@pytest.mark.parametrize("surfaces", [[1, 2], 3, [1.5], ["ice"], [2**40], [[1]]])
def test_surfaces_are_one_integer_a_triangle(surfaces):
    with pytest.raises(ValueError, match="surfaces"):
        TriangleMesh(ONE, surfaces)
