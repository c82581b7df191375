"""TriangleMesh.from_faces: the triangles of the faces, their surfaces, and errors that name the face."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from game.physics import Material, TriangleMesh

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FLAT = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]


def corners(mesh: TriangleMesh) -> list[list[float]]:
    """Corners of each triangle as passed in, in canonical rotation."""
    order = np.argsort(mesh.source)
    return mesh.triangles12[order, :9].tolist()


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_triangles_are_those_of_the_indices(dtype: type) -> None:
    random = np.random.default_rng(2)
    vertices = random.normal(size=(60, 3))
    faces = np.array([random.choice(60, 3, replace=False) for _ in range(80)]).astype(dtype)
    mesh, expected = TriangleMesh.from_faces(vertices, faces), TriangleMesh(vertices[faces])
    assert mesh.triangles12.tobytes() == expected.triangles12.tobytes()
    assert mesh.source.tobytes() == expected.source.tobytes()


def test_quads_give_two_triangles_each_in_order() -> None:
    as_array, as_lists = TriangleMesh.from_faces(CUBE, np.array(QUADS)), TriangleMesh.from_faces(CUBE.tolist(), QUADS)
    parts = [part for a, b, c, d in QUADS for part in ((a, b, c), (a, c, d))]
    expected = TriangleMesh(CUBE[np.array(parts)])
    for mesh in (as_array, as_lists):
        assert len(mesh) == 12
        assert mesh.triangles12.tobytes() == expected.triangles12.tobytes()
        assert mesh.source.tobytes() == expected.source.tobytes()
    hit = as_array.raycast((0.5, 3, 0.5), (0, -1, 0))
    assert hit is not None
    assert hit.triangle // 2 == 3


def test_mixed_faces_and_their_surfaces() -> None:
    faces = [QUADS[0], [4, 6, 7], QUADS[2], (4, 7, 5), np.array(QUADS[3]), QUADS[4], QUADS[5]]
    mesh = TriangleMesh.from_faces(CUBE, faces, surfaces=range(len(faces)))
    assert mesh.surface[np.argsort(mesh.source)].tolist() == [0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6]
    assert TriangleMesh.from_faces(CUBE, faces).surface.tolist() == [0] * 12


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("mirror", [False, True])
def test_a_concave_quad_keeps_its_outline(turn: int, mirror: bool) -> None:
    arrow = [(0.0, 0.0, 0.0), (2.0, 0.0, 1.0), (0.0, 0.0, 2.0), (0.5, 0.0, 1.0)]  # points inwards at 3
    order = np.roll(np.arange(4), turn)[:: -1 if mirror else 1]
    mesh = TriangleMesh.from_faces(arrow, [order])
    inside, outside = mesh.raycast((0.8, 1, 1), (0, -1, 0)), mesh.raycast((0.2, 1, 1), (0, -1, 0))
    assert inside is not None
    assert outside is None
    area = np.linalg.norm(mesh.to_trimesh().area)
    assert area == pytest.approx(1.5)


def test_faces_keep_their_materials_and_names() -> None:
    ice, stone = Material(friction=0.1), Material()
    mesh = TriangleMesh.from_faces(CUBE, QUADS, [1, 1, 1, 0, 1, 1], [ice, stone], ["ice", "stone"])
    assert mesh.surface_names == ("ice", "stone")
    hit = mesh.raycast((0.5, 3, 0.5), (0, -1, 0))
    assert hit is not None
    assert mesh.surface_names[mesh.surface[np.flatnonzero(mesh.source == hit.triangle)[0]]] == "ice"
    assert pickle.loads(pickle.dumps(mesh)).surface_names == ("ice", "stone")
    assert TriangleMesh.from_faces(CUBE, QUADS).surface_names == ()


def test_names_change_no_bit_of_the_mesh() -> None:
    plain, named = TriangleMesh.from_faces(CUBE, QUADS), TriangleMesh.from_faces(CUBE, QUADS, surface_names=["a"])
    for name in ("triangles12", "nodes", "links", "source", "ids", "mates", "materials"):
        assert getattr(plain, name).tobytes() == getattr(named, name).tobytes()


def test_a_mesh_of_no_faces_is_empty() -> None:
    for faces in ([], np.empty((0, 3), int), np.empty((0, 4), int)):
        assert len(TriangleMesh.from_faces(CUBE, faces)) == 0
    assert len(TriangleMesh.from_faces([], [])) == 0
    assert len(TriangleMesh.from_faces(CUBE, [], surfaces=[])) == 0


WRONG = {
    "a vertex beyond": ((FLAT, [[0, 1, 2], [0, 2, 4]]), r"faces: face 1 has the vertex 4; expected 0\.\.3"),
    "a vertex beyond in a mixed list": ((FLAT, [[0, 1, 2], [0, 1, 2, 9]]), "faces: face 1 has the vertex 9"),
    "counted from 1": ((FLAT, [[1, 2, 3], [1, 3, 4]]), "face 1 has the vertex 4.*these indices count from 1"),
    "a huge vertex": ((FLAT, np.array([[0, 1, 2**63]], np.uint64)), "faces: face 0 has the vertex"),
    "no vertices": (([], [[0, 1, 2]]), "expected none, because there are no vertices"),
    "two corners": ((FLAT, [[0, 1]]), r"faces: expected shape \(N, 3\) or \(N, 4\).*got shape \(1, 2\)"),
    "five corners": ((FLAT, [[0, 1, 2, 3, 0]]), "divide larger polygons into triangles"),
    "five corners among others": (
        (FLAT, [[0, 1, 2], [0, 1, 2, 3, 0]]),
        "faces: face 1 must have 3 or 4 corners, not 5",
    ),
    "no corners": ((FLAT, [[0, 1, 2], []]), r"faces: face 1 must have 3 or 4 corners, not \[\]"),
    "text among faces": ((FLAT, [[0, 1, 2], "abc"]), "faces: face 1 must have 3 or 4 corners, not 'abc'"),
    "a fraction among faces": ((FLAT, [[0, 1, 2], [0, 1, 2, 3.5]]), "faces: face 1 must be integers"),
    "a flat list": ((FLAT, [3, 0, 1, 2]), "flat list of counts and indices must be cut into rows"),
    "corners for faces": (
        (FLAT, np.zeros((2, 3, 3))),
        r"triangles with their corners go into TriangleMesh\(triangles\)",
    ),
    "not finite": (([[0, 0, 0], [0, 0, np.nan]], [[0, 0, 0]]), r"vertices: vertex 1 is not finite \(1 such in all\)"),
    "too far": (([[0, 0, 0], [0, 1e200, 0], [1e8, 0, 0]], [[0, 1, 2]]), "triangle 0 lies beyond 1e7 m"),
    "surfaces of another number": ((FLAT, [[0, 1, 2, 3]], [0, 0]), "surfaces: expected one for each of 1 faces"),
    "a surface without a material": (
        (FLAT, [[0, 1, 2, 3]], [2], [Material()]),
        r"indices into 1 materials, got 2\.\.2",
    ),
    "a surface without a name": ((FLAT, [[0, 1, 2]], [1], (), ["a"]), r"indices into 1 surface names, got 1\.\.1"),
    "a name that is no text": ((FLAT, [[0, 1, 2]], None, (), [3]), r"surface_names\[0\] must be a str, not 3"),
}


@pytest.mark.parametrize(("arguments", "words"), WRONG.values(), ids=WRONG)
def test_wrong_faces_are_refused_in_words(arguments: tuple, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TriangleMesh.from_faces(*arguments)


def test_the_constructor_called_with_faces_names_from_faces() -> None:
    with pytest.raises(ValueError, match=r"call TriangleMesh\.from_faces\(vertices, faces\)"):
        TriangleMesh(CUBE, QUADS)
