"""TriangleMesh.from_trimesh and to_trimesh: transforms, surfaces, materials, and errors for what is no mesh."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import trimesh
from trimesh.visual.material import MultiMaterial, PBRMaterial, SimpleMaterial
from trimesh.visual.texture import TextureVisuals

from game.level import load
from game.physics import Material, TriangleMesh

SHIFT = trimesh.transformations.translation_matrix((5, 0, 0))
TURN = trimesh.transformations.rotation_matrix(0.3, (0, 1, 0))


def box(material: str | None = None) -> trimesh.Trimesh:
    mesh = trimesh.creation.box()
    if material is not None:
        mesh.visual = TextureVisuals(material=PBRMaterial(name=material))
    return mesh


def scene() -> trimesh.Scene:
    """A crate twice, the second turned and inside a moved node, and a ball."""
    made = trimesh.Scene()
    made.add_geometry(box(), geom_name="crate", node_name="first")
    made.graph.update(frame_to="arm", frame_from=made.graph.base_frame, matrix=SHIFT)
    made.graph.update(frame_to="second", frame_from="arm", matrix=TURN, geometry="crate")
    made.add_geometry(trimesh.creation.icosphere(subdivisions=1), geom_name="ball")
    return made


def test_a_mesh_keeps_the_order_of_its_faces() -> None:
    ball = trimesh.creation.icosphere(subdivisions=2)
    mesh = TriangleMesh.from_trimesh(ball)
    expected = TriangleMesh(ball.triangles)
    assert mesh.triangles12.tobytes() == expected.triangles12.tobytes()
    assert mesh.source.tobytes() == expected.source.tobytes()
    assert mesh.surface_names == ("mesh",)


def test_the_transforms_of_a_scene_are_applied() -> None:
    made = scene()
    mesh = TriangleMesh.from_trimesh(made)
    dumped = made.to_mesh()
    assert np.allclose(np.sort(mesh.triangles12[:, :9].reshape(-1, 3), axis=0),
                       np.sort(dumped.triangles.reshape(-1, 3), axis=0), atol=1e-12)  # fmt: skip
    assert mesh.surface_names == ("crate", "ball")
    assert np.bincount(mesh.surface).tolist() == [24, 80]
    hit = mesh.raycast((5, 3, 0), (0, -1, 0))
    assert hit is not None
    assert hit.point == pytest.approx((5, 0.5, 0))


@pytest.mark.parametrize("scale", [(-1, 1, 1), (1, -2, 1), (-1, -1, -1), (-1, -1, 1), (1, 1, 1)])
def test_a_mirrored_node_keeps_its_front_outside(scale: tuple[int, ...]) -> None:
    made = trimesh.Scene()
    made.add_geometry(box(), transform=np.diag([*scale, 1.0]))
    mesh = TriangleMesh.from_trimesh(made)
    assert mesh.to_trimesh().volume == pytest.approx(abs(np.prod(scale)))


def test_surfaces_are_materials_else_geometries() -> None:
    made = trimesh.Scene()
    for name, material in (("a", "wood"), ("b", "ice"), ("c", "wood"), ("d", None)):
        made.add_geometry(box(material), geom_name=name)
    mesh = TriangleMesh.from_trimesh(made, {"ice": Material(friction=0.125)})
    assert mesh.surface_names == ("wood", "ice", "d")
    by_face = mesh.surface[np.argsort(mesh.source)]  # the boxes coincide: duplicates are dropped
    assert set(by_face.tolist()) <= {0, 1, 2}
    assert mesh.materials[:, 0].tolist().count(0.125) == 1
    assert len(TriangleMesh.from_trimesh(made).materials) == 0


def test_several_materials_of_one_mesh() -> None:
    mesh = trimesh.creation.box()
    several = MultiMaterial([SimpleMaterial(name="wood"), PBRMaterial()])
    mesh.visual = TextureVisuals(material=several, face_materials=np.arange(12) % 2)
    mesh.metadata["name"] = "crate"
    made = TriangleMesh.from_trimesh(mesh)
    assert made.surface_names == ("wood", "crate 1")
    assert made.surface[np.argsort(made.source)].tolist() == [0, 1] * 6


def test_z_up_is_turned() -> None:
    mesh = trimesh.creation.box(extents=(1, 2, 8))
    turned = TriangleMesh.from_trimesh(mesh, up="z")
    assert turned.bounds == ((-0.5, -4, -1), (0.5, 4, 1))
    assert turned.to_trimesh().volume == pytest.approx(16)
    point = trimesh.Trimesh([(1, 2, 3), (2, 2, 3), (1, 3, 3)], [[0, 1, 2]], process=False)
    assert np.sort(TriangleMesh.from_trimesh(point, up="z").triangles12[0, :9].reshape(3, 3), axis=0).tolist() == [
        [1, 3, -3],
        [1, 3, -2],
        [2, 3, -2],
    ]


def test_to_trimesh_and_back_gives_the_same_mesh() -> None:
    for mesh in (TriangleMesh.from_trimesh(scene()), load("surfaces").mesh):
        out = mesh.to_trimesh()
        back = TriangleMesh.from_trimesh(out)
        assert back.triangles12.tobytes() == mesh.triangles12.tobytes()
        assert back.surface_names == tuple(dict.fromkeys(mesh.surface_names))
        names = np.array(mesh.surface_names)[mesh.surface]
        assert np.array_equal(np.array(back.surface_names)[back.surface], names)
        assert np.array_equal(np.sort(out.face_attributes["triangle"]), np.sort(mesh.source))


def test_to_trimesh_numbers_the_triangles_as_hits_do() -> None:
    degenerate = [[(0, 9, 0)] * 3, [(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(5, 0, 0), (5, 0, 1), (6, 0, 0)]]
    mesh = TriangleMesh(degenerate, surfaces=[7, 8, 9])
    out = mesh.to_trimesh()
    assert out.face_attributes["triangle"].tolist() == [1, 2]
    assert out.face_attributes["surface"].tolist() == [8, 9]
    assert out.triangles[:, :, 0].min(axis=1).tolist() == [0, 5]
    assert TriangleMesh([]).to_trimesh().is_empty
    assert TriangleMesh.from_trimesh(out).surface_names == ("mesh",)  # 7, 8, 9 have no names


def test_what_to_trimesh_gives_is_the_callers() -> None:
    mesh = TriangleMesh.from_trimesh(box())
    out = mesh.to_trimesh()
    out.apply_translation((0, 1, 0))
    out.face_attributes["surface"][:] = 5
    assert mesh.bounds == ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    assert mesh.surface.tolist() == [0] * 12


def scene_with_a_path() -> trimesh.Scene:
    made = scene()
    made.add_geometry(trimesh.load_path(np.array([[0, 0, 0], [1, 0, 0]])), geom_name="line")
    return made


def lost_vertex() -> trimesh.Trimesh:
    made = box()
    made.faces = made.faces + 3
    return made


WRONG = {
    "a path": (lambda: ("house.glb",), r"not a path; load it first: trimesh\.load_scene\('house\.glb'\)"),
    "an array": (lambda: (np.zeros((2, 3, 3)),), r"call TriangleMesh\.from_faces\(vertices, faces\)"),
    "a point cloud": (lambda: (trimesh.PointCloud(np.zeros((3, 3))),), "not a PointCloud, which has no faces"),
    "a flat path": (lambda: (trimesh.load_path(np.zeros((2, 2))),), "not a Path2D, which has no faces"),
    "an empty scene": (lambda: (trimesh.Scene(),), "mesh: the scene is empty"),
    "a scene with a path": (scene_with_a_path, r"geometry 'line' of the scene is a Path3D.*delete_geometry\('line'\)"),
    "no faces": (lambda: (trimesh.Trimesh(),), "mesh: it has no faces"),
    "a lost vertex": (lost_vertex, "face with a vertex that is not there"),
    "another axis": (lambda: (box(), None, "x"), "up must be 'y' or 'z', not 'x'"),
    "an unknown surface": (lambda: (box("wood"), {"wod": Material()}), "no surface 'wod'; there are wood"),
    "a number for a material": (lambda: (box(), {"mesh": 0.5}), r"materials\['mesh'\] must be a Material, not 0\.5"),
}


@pytest.mark.parametrize(("make", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_usable_trimesh_is_refused_in_words(make, words: str) -> None:
    made = make()
    arguments = made if isinstance(made, tuple) else (made,)
    up = {"up": arguments[2]} if len(arguments) > 2 else {}
    with pytest.raises(ValueError, match=words):
        TriangleMesh.from_trimesh(*arguments[:2], **up)


def test_a_vertex_at_infinity_is_refused() -> None:
    made = trimesh.Scene()
    made.add_geometry(box(), transform=np.diag([np.inf, 1.0, 1.0, 1.0]))
    with pytest.raises(ValueError, match="triangles: triangle 0"), np.errstate(all="ignore"):
        TriangleMesh.from_trimesh(made)


def test_the_constructor_called_with_a_trimesh_names_from_trimesh() -> None:
    for wrong in (box(), trimesh.Scene(box())):
        with pytest.raises(ValueError, match=r"call TriangleMesh\.from_trimesh\(mesh\)"):
            TriangleMesh(wrong)


@pytest.mark.full
def test_trimesh_is_imported_on_use() -> None:
    code = "import sys, game.physics; assert 'trimesh' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
