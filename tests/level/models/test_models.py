"""OBJ and glTF models: geometry, placement, layers and materials."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

from game.level import check, load
from game.level.geometry.ear_clipping import triangulate_polygon
from game.level.geometry.quads import find_quad_fault
from game.level.geometry.quads_from_triangles import merge_with_sources, valid_quads
from game.level.models import obj, triangle_soup
from game.level.models.gltf import gltf_reader
from game.level.models.layer_suffixes import parts_with_layers
from tests.support import real_levels
from tests.support.model_files import (
    BOX_CORNERS,
    BOX_TRIANGLES,
    Glb,
    Place,
    area,
    box_obj,
    findings_of,
    model_faces,
    nested,
    nothing,
    triangles_of,
    volume,
)

ROOT = Path(__file__).resolve().parents[3]


# OBJ


def test_a_model_lies_where_its_piece_says(place: Place) -> None:
    box = box_obj(BOX_CORNERS * (1.0, 2.0, 3.0))
    piece = "{file: box.obj, at: [10, 5, -3], facing: west, units: cm, scale: 200}"
    faces = model_faces(load(place(piece, box_obj=box)))
    assert np.allclose(faces.min(axis=(0, 1)), (10.0, 5.0, -5.0)), "its +Z points east once its north is west"
    assert np.allclose(faces.max(axis=(0, 1)), (16.0, 9.0, -3.0))
    upright = model_faces(load(place("{file: box.obj, up: z}", box_obj=box)))
    assert np.allclose(upright.min(axis=(0, 1)), (0.0, 0.0, -2.0))
    assert np.allclose(upright.max(axis=(0, 1)), (1.0, 3.0, 0.0))
    assert volume(triangles_of(upright)) == pytest.approx(6.0), "turned, not mirrored"


def test_dented_and_many_cornered_faces_are_cut_rightly() -> None:
    corners = [(0, 0), (4, 0), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3), (0, 3)]
    rows = "".join(f"v {x} 0 {-y}\n" for x, y in corners) + "f 1 2 3 4 5 6 7 8\n"
    made = obj.read_obj(rows.encode(), nothing)
    assert area(triangles_of(made.corners)) == pytest.approx(4 * 3 - 2 * 2)
    assert all(
        find_quad_fault(np.unique(face, axis=0) if (face[2] == face[3]).all() else face) is None
        for face in made.corners
    )
    normals = np.cross(made.corners[:, 1] - made.corners[:, 0], made.corners[:, 2] - made.corners[:, 1])
    assert (normals[:, 1] > 0).all()


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(40))
def test_any_simple_outline_is_filled_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 30))
    angles = np.sort(rng.uniform(0, 2 * np.pi, count)) + np.arange(count) * 1e-3
    if np.diff(angles, append=angles[0] + 2 * np.pi).max() > 3.0:
        angles = np.arange(count) * 2 * np.pi / count
    radius = rng.uniform(0.3, 2.0, count) if seed % 3 else np.ones(count)
    flat = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(count)], axis=1)
    if seed % 4 == 0:  # corners on straight edges
        flat = np.insert(flat, 1, (flat[0] + flat[1]) / 2, axis=0)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    points = flat @ turn.T + rng.uniform(-50, 50, 3)
    triangles = points[np.array(triangulate_polygon(points)[0])]
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    signed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) @ normal
    assert (signed >= -1e-6 * np.abs(signed).max()).all(), "none looks the other way"
    assert area(triangles) == pytest.approx(float(np.linalg.norm(normal)) / 2, rel=1e-9)


def test_numbers_materials_objects_and_groups(place: Place) -> None:
    text = (
        "mtllib a.mtl\no Hut\nv 0 0 0\nv 4 0 0\nv 4 0 -4\nv 0 0 -4\nusemtl Red\nf -4/1/2 -3//5 -2/7 -1\n"
        "o Shed\nv 0 2 0 1\nv 4 2 0\nv 4 2 \\\n-4\nusemtl Blue\nf 5 6 7\n#f 9 9 9\nusemtl None\nf 1 2 7\n"
    )
    path = place(
        "{file: a.obj, surfaces: {Blue: water}}",
        "surfaces:\n  water: {colour: teal}\n",
        a_obj=text,
        a_mtl="newmtl Red\nKd 1 0.5 0\nnewmtl Blue\nKd 0 0 1\n",
    )
    level = load(path)
    labels = [level.quad_origin(int(quad))[0] for quad in np.unique(level.drawn_quad)]
    assert labels[1:] == ["model: Hut", "model: Shed", "model: Shed"]
    surfaces = [level.surfaces[k] for k in level.faces.surface[1:]]
    assert [surface.name for surface in surfaces] == ["a: Red", "water", "default"]
    assert surfaces[0].colour == (1.0, 0.5, 0.0)
    assert [file.name for file in level.files] == ["level.yaml", "a.obj", "a.mtl"]
    assert check(path) == []


def test_the_piece_may_set_the_surfaces_of_a_model(place: Place) -> None:
    surfaces = "surfaces:\n  wood: {}\n  stone: {}\n"
    piece = "{file: box.glb, surface: wood, surfaces: {Roof: stone, Rof: stone}}"
    glb = Glb()
    red = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}
    glb.document["materials"] = [{"name": "Wall"}, {"name": "Roof", **red}]
    glb.node(mesh=glb.mesh(glb.primitive(material=0), glb.primitive(material=1), glb.primitive()))
    path = place(piece, surfaces, box_glb=glb)
    level = load(path)
    assert [level.surfaces[k].name for k in level.faces.surface[1:]] == ["wood"] * 6 + ["stone"] * 6 + ["wood"] * 6
    (found,) = (finding for finding in check(path) if "material" in finding.message)
    assert (found.severity, found.cure) == ("warning", "did you mean `Roof`?")
    assert path.read_text().split("\n")[found.line - 1][found.column - 1 :].startswith("Rof")


# glTF


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
def test_nodes_place_and_mirrors_keep_their_outside(seed: int) -> None:
    data = nested(seed).glb()
    found = triangles_of(gltf_reader.read_gltf(data, nothing).corners)
    expected = trimesh.load_scene(io.BytesIO(data), file_type="glb", process=False).to_mesh()
    assert volume(found) == pytest.approx(expected.volume, rel=1e-5)
    assert np.allclose((found.min(axis=(0, 1)), found.max(axis=(0, 1))), expected.bounds, atol=1e-4)


@pytest.mark.parametrize("component", [5121, 5123, 5125])
def test_indices_of_every_width_strips_and_none(component: int) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh(glb.primitive(component=component)))
    assert volume(triangles_of(gltf_reader.read_gltf(glb.glb(), nothing).corners)) == pytest.approx(1.0)
    strip = Glb()
    corners = [(0, 0, 0), (1, 0, 0), (0, 0, -1), (1, 0, -1), (0, 0, -2), (1, 0, -2)]
    strip.node(mesh=strip.mesh(strip.primitive(corners, range(6), component, mode=5)))
    made = gltf_reader.read_gltf(strip.glb(), nothing)
    normals = np.cross(made.corners[:, 1] - made.corners[:, 0], made.corners[:, 2] - made.corners[:, 1])
    assert (normals[:, 1] > 0).all()
    assert area(triangles_of(made.corners)) == pytest.approx(2.0)
    bare = Glb()
    bare.node(mesh=bare.mesh(bare.primitive(BOX_CORNERS[BOX_TRIANGLES], None)))
    assert volume(triangles_of(gltf_reader.read_gltf(bare.glb(), nothing).corners)) == pytest.approx(1.0)


def test_gltf_reads_its_buffer_from_a_file_beside_or_from_inside(place: Place) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    path = place(a_gltf=glb.gltf("parts/b%6Fx.bin"), parts__box_bin=bytes(glb.binary))
    level = load(path)
    assert len(model_faces(level)) == 6
    assert [file.name for file in level.files] == ["level.yaml", "a.gltf", "box.bin"]
    inside = load(place(a_gltf=glb.gltf()))
    assert np.array_equal(inside.faces.corners, level.faces.corners)


def test_colours_are_linear_in_gltf() -> None:
    glb = Glb()
    glb.document["materials"] = [
        {"name": "half", "pbrMetallicRoughness": {"baseColorFactor": [0.2140411, 0, 1, 1]}},
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
        {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [1, 1, 1, 1]}}},
    ]
    glb.node(mesh=glb.mesh(*(glb.primitive(material=k) for k in range(3))))
    half, textured, older = gltf_reader.read_gltf(glb.glb(), nothing).materials
    assert half.colour == pytest.approx((0.5, 0.0, 1.0), abs=1e-4)
    assert (textured.name, textured.colour) == ("material 2", None)
    assert older.colour == pytest.approx((1.0, 1.0, 1.0))


# Layers


@pytest.mark.parametrize(
    ("name", "collide", "visible"),
    [("Wall-col", True, True), ("Hull-colonly", True, False), ("Hull-convcolonly.001", True, False),
     ("Tree", False, True), ("Wall-COL 12", True, True), ("Rock-convcol", True, True), ("Wall_col", True, True),
     ("protocol", False, True)],
)  # fmt: skip
def test_names_choose_the_layers(name: str, collide: bool, visible: bool) -> None:
    _, found = parts_with_layers(["other-colonly", name])
    assert (found.collide, found.visible) == (collide, visible)
    (alone,) = parts_with_layers(["Tree"])
    assert (alone.collide, alone.visible) == (True, True), "no name says so: all of it does both"


@pytest.mark.parametrize("kind", ["glb", "obj"])
def test_names_of_a_model_choose_what_collides_and_what_is_drawn(place: Place, kind: str) -> None:
    names = ("Wall-col", "Hull-colonly", "Tree", "Draft-noimp", "Below")
    if kind == "glb":
        glb = Glb()
        numbers = [
            glb.node(name != "Below", name=name, mesh=glb.mesh(), translation=[3.0 * k, 0, 0])
            for k, name in enumerate(names)
        ]
        glb.document["nodes"][numbers[3]]["children"] = [numbers[4]]
        path = place(a_glb=glb)
    else:
        boxes = [box_obj(BOX_CORNERS + np.array([3.0 * k, 0, 0]), 1 + 8 * k) for k in range(4)]
        text = "".join(f"o {name}\n{box}" for name, box in zip(names[:4], boxes, strict=True))
        path = place(a_obj=text)
    level = load(path)
    solid, seen = (
        {level.quad_origin(int(quad))[0].removeprefix("model: ") for quad in part} - {"floor"}
        for part in (level.quad_index, level.drawn_quad)
    )
    assert solid == {"Wall-col", "Hull-colonly"}
    assert seen == {"Wall-col", "Tree"}
    ghost = load(place("{file: a." + kind + ", collide: false}"))
    assert {level.quad_origin(int(quad))[0] for quad in ghost.quad_index} == {"floor"}


# Triangles and quads


@pytest.mark.parametrize("seed", range(6))
def test_pairing_keeps_every_place_covered(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 12
    x, z = np.meshgrid(np.arange(count) * 1.0, np.arange(count) * 1.0, indexing="ij")
    heights = np.round(rng.normal(0, 0.2, x.shape), 3) * (rng.random(x.shape) < 0.1)
    grid = np.stack([x + rng.normal(0, 0.05, x.shape), heights, z], axis=-1)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    triangles = np.stack([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)], axis=2).reshape(-1, 3, 3)
    triangles = triangles[rng.permutation(len(triangles))]
    triangles = np.stack([np.roll(triangle, rng.integers(3), axis=0) for triangle in triangles])
    tags = rng.integers(0, 2, (len(triangles), 1)).astype(np.int32)
    faces, first, _ = merge_with_sources(triangles, tags)
    quads = ~np.all(faces[:, 2] == faces[:, 3], axis=-1)
    assert quads.sum() > 20
    assert 2 * quads.sum() + (~quads).sum() == len(triangles)
    assert valid_quads(faces[quads]).all()
    assert all(find_quad_fault(face.tolist()) is None for face in faces[quads])
    assert area(triangles_of(faces)) == pytest.approx(area(triangles), rel=1e-4)
    assert set(map(bytes, faces.reshape(-1, 3))) == set(map(bytes, triangles.reshape(-1, 3)))
    normal = lambda t: np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])  # noqa: E731
    assert (normal(faces)[:, 1] * normal(triangles[first])[:, 1] > 0).all()
    whole, *_ = merge_with_sources(triangles, np.zeros_like(tags))
    assert len(whole) < len(faces), "what differs in surface or part stays apart"


@pytest.mark.parametrize(
    ("fourth", "together"),
    [((1.0, 1.0), True), ((0.2, 0.2), False), ((2.0, 0.0), False), ((0.6, 0.4), False), ((0.504, 0.504), True)],
)
def test_what_would_break_the_rule_stays_triangles(fourth: tuple[float, float], together: bool) -> None:
    """A non-convex quad, two collinear edges, a fold, and a corner more than a millimetre off the plane."""
    a, b, c, d = (np.array([x, 0.0, -z]) for x, z in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), fourth))
    faces, *_ = merge_with_sources(np.array([[a, b, c], [c, b, d]]), np.zeros((2, 1), np.int32))
    assert (len(faces) == 1) == together
    lifted, *_ = merge_with_sources(
        np.array([[a, b, c], [c, b, d + np.array([0, 0.01, 0])]]), np.zeros((2, 1), np.int32)
    )
    assert len(lifted) == 2, "a centimetre off the plane"


def test_triangles_without_area_are_counted(place: Place) -> None:
    text = box_obj() + "f 1 1 2\nf 1 2 2\nv 0 0 0.5\nf 1 9 2\n"
    path = place(a_obj=text)
    assert len(model_faces(load(path))) == 6
    (found,) = findings_of(path, "warning")
    assert "3 triangles without area in `a.obj`" in found.message


# Files of other people


@pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
def test_real_files_hold_what_they_held(path: Path) -> None:
    """The same ground area as a simple reader finds; less only where that reader's fans are wrong (non-convex)."""
    read = obj.read_obj if path.suffix == ".obj" else gltf_reader.read_gltf
    made = read(path.read_bytes(), lambda *_: b"newmtl x\n")
    _, triangles = real_levels.read(path)
    found = triangles_of(made.corners)
    assert np.allclose(found.min(axis=(0, 1)), triangles.min(axis=(0, 1)), atol=1e-4)
    assert np.allclose(found.max(axis=(0, 1)), triangles.max(axis=(0, 1)), atol=1e-4)
    fans = area(triangles)
    assert 0.93 * fans < area(found) < fans * (1 + 1e-6)
    assert len(made) <= len(found)
    if path.suffix == ".glb":
        assert area(found) == pytest.approx(fans, rel=1e-6)


def test_the_page_tells_the_bounds_that_hold() -> None:
    from game.level.build.pieces.piece_builder import MAX_QUADS
    from game.level.materials import picture_file
    from game.level.models import model_reader
    from game.level.models.gltf import gltf_container
    from game.level.models.quake import brushes, map_parser

    page = " ".join((ROOT / "docs" / "models.md").read_text(encoding="utf-8").split())
    figures = (triangle_soup.MAX_TRIANGLES, triangle_soup.MAX_PARTS, triangle_soup.MAX_MATERIALS, MAX_QUADS)
    spaced = ["".join(f"{figure:,}").replace(",", " ") for figure in figures]
    assert f"at most {spaced[0]} triangles in {spaced[1]} parts with {spaced[2]} materials" in page
    assert f"{spaced[3]} quads" in page
    sizes = [
        most >> 20
        for most in (
            gltf_container.MAX_GLB_BYTES,
            model_reader.MAX_BYTES_BY_EXTENSION[".obj"],
            model_reader.MAX_BYTES_BY_EXTENSION[".map"],
        )
    ]
    assert f"{sizes[0]} MiB (GLB, and a glTF with all its buffers), {sizes[1]} MiB (OBJ) or" in page
    assert f"or {sizes[2]} MiB (maps)" in page
    assert f"{1 / map_parser.METRES_PER_UNIT:g} units are a metre" in page
    assert f"at most {picture_file.MAX_PICTURE_SIDE} pixels wide and high" in page
    assert f"{picture_file.MAX_PICTURE_BYTES >> 20} MiB" in page
    assert f"within {brushes.WELD_DISTANCE:g} units" in page


def test_hidden_nodes_are_left_out_with_their_children(place: Place) -> None:
    glb = Glb()
    mesh = glb.mesh()
    glb.document["extensionsUsed"] = ["KHR_node_visibility"]
    child = glb.node(root=False, mesh=mesh, translation=[0, 4, 0])
    glb.node(mesh=mesh, translation=[4, 0, 0], children=[child], extensions={"KHR_node_visibility": {"visible": False}})
    glb.node(mesh=mesh, extensions={"KHR_node_visibility": {"visible": True}})
    path = place(box_glb=glb)
    assert check(path) == []
    corners = model_faces(load(path))
    assert (corners.min(axis=(0, 1)), corners.max(axis=(0, 1))) == (pytest.approx([0, 0, 0]), pytest.approx([1, 1, 1]))


UNREAD: dict[str, tuple[Callable[[Glb], object], str]] = {
    "an extension that a material has": (
        lambda glb: glb.document["materials"].append({"extensions": {"KHR_materials_clearcoat": {}}}),
        "`KHR_materials_clearcoat`",
    ),
    "an extension that only the list has": (
        lambda glb: glb.document.update(extensionsUsed=["MY_portal"]),
        "`MY_portal`",
    ),
    "copies by instancing": (
        lambda glb: glb.document["nodes"][0].update(extensions={"EXT_mesh_gpu_instancing": {"attributes": {}}}),
        "`EXT_mesh_gpu_instancing`",
    ),
    "animations": (lambda glb: glb.document.update(animations=[{}, {}]), "2 animations"),
    "a skin": (lambda glb: glb.document["nodes"][0].update(skin=0), "1 skin"),
    "a shape key of a node": (lambda glb: glb.document["nodes"][0].update(weights=[0.0, 0.5]), "1 shape key"),
    "a shape key of a mesh": (lambda glb: glb.document["meshes"][0].update(weights=[1.0]), "1 shape key"),
    "a shape key without weight": (lambda glb: glb.document["meshes"][0].update(weights=[0.0]), ""),
    "a directional lamp": (lambda glb: lamps(glb, {"type": "directional"}), "1 directional lamp"),
    "a spot lamp": (lambda glb: lamps(glb, {"type": "spot", "intensity": 5000.0}), "1 spot lamp cone"),
    "lines and fans": (
        lambda glb: glb.node(mesh=glb.mesh(glb.primitive(mode=1), glb.primitive(mode=6))),
        "2 line, point or fan primitives",
    ),
    "what nobody sees": (lambda glb: glb.document.update(extensionsUsed=["KHR_xmp_json_ld", "MSFT_lod"]), ""),
    "several": (
        lambda glb: glb.document.update(animations=[{}], extensionsUsed=[f"MY_{k}" for k in range(9)]),
        "1 animation, `MY_0`, `MY_1`, `MY_2`, `MY_3`, `MY_4`, `MY_5`, `MY_6` and 2 more",
    ),
}


def lamps(glb: Glb, *written: dict[str, object], **node: object) -> None:
    """A node with each of the lamps."""
    glb.document["extensions"] = {"KHR_lights_punctual": {"lights": list(written)}}
    for number in range(len(written)):
        glb.node(extensions={"KHR_lights_punctual": {"light": number}}, **node)


@pytest.mark.parametrize("name", UNREAD)
def test_what_may_change_the_look_and_is_not_read_is_named(place: Place, name: str) -> None:
    change, words = UNREAD[name]
    glb = Glb()
    glb.node(mesh=glb.mesh())
    change(glb)
    path = place(box_glb=glb)
    found = [finding.message for finding in check(path)]
    assert found == ([f"not read, though it may change what is seen or solid: {words}"] if words else [])


def test_lamps_of_gltf_stand_at_their_nodes() -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    point = {"type": "point", "color": [1.0, 0.2140411, 0.0], "intensity": 250.0, "range": 7.0}
    lamps(glb, point, {"type": "spot", "intensity": 5000.0}, {"type": "directional"}, translation=[0, 1, 0])
    glb.document["scenes"][0]["nodes"] = [0]
    glb.node(children=[1, 2, 3], translation=[2, 3, 4], rotation=[0, 0, math.sqrt(0.5), math.sqrt(0.5)])
    soup = gltf_reader.read_gltf(glb.glb(), nothing, metres=2.0)
    spot, near = soup.lamps
    assert near.at == pytest.approx((2, 6, 8)), "a quarter turn about Z, then units of 2 m"
    assert (near.brightness, near.reach, near.colour) == (0.5, 14.0, pytest.approx((1.0, 0.5, 0.0), abs=1e-3))
    assert (spot.brightness, spot.reach) == (10.0, pytest.approx(31.62, abs=0.01))


@pytest.mark.parametrize("light", [-1, 5, "0", None, True])
def test_a_node_whose_lamp_is_not_in_the_file_is_named(place: Place, light: object) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh(), name="Post", extensions={"KHR_lights_punctual": {"light": light}})
    path = place(box_glb=glb)
    assert [finding.message for finding in check(path)] == ["node `Post` has a lamp that is not in the file"]


@pytest.mark.parametrize(
    "wrong",
    [{"color": "red"}, {"color": [1]}, {"intensity": "x"}, {"range": 10**400}, {"intensity": None}, {"type": "area"}],
)
def test_a_lamp_with_a_wrong_value_is_left_out_and_named(place: Place, wrong: dict[str, object]) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    lamps(glb, {"type": "point", **wrong}, name="Lamp")
    path = place(box_glb=glb)
    (found,) = check(path)
    assert found.message == "the lamp of node `Lamp` has an invalid type, color, intensity or range; it is left out"
