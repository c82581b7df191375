"""Models of other programs: what they hold, where it comes to lie, in which layers; what is broken is told."""

from __future__ import annotations

import ast
import json
import os
import random
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import Finding, Level, check, load
from game.level.models import gltf, obj, soup
from game.level.models.layers import layered
from game.level.models.polygons import cut
from game.level.models.quadding import keeps_rule, paired, welded
from game.level.models.soup import ModelError
from game.level.quads import fault
from tests import real_levels
from tests.level.made_models import (
    BOX_CORNERS,
    BOX_TRIANGLES,
    Glb,
    area,
    box_obj,
    is_closed,
    packed,
    triangles_of,
    volume,
)

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = int(os.environ.get("MODEL_FUZZ", "300"))
LONGEST = 20.0  # s of processor time: a hang, not a timing

FLOOR = "  - floor: {from: [50, 50], to: [60, 60]}\n"
Place = Callable[..., Path]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Writes files and a level of the given model piece, in a folder of its own."""

    def write(piece: str, surfaces: str = "", **files: bytes | str) -> Path:
        folder = tmp_path / "levels" / "mine"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        level = folder / "level.yaml"
        level.write_text(f"format: 1\nspawn: {{at: [55, 0, 55]}}\n{surfaces}pieces:\n{FLOOR}  - model: {piece}\n")
        return level

    return write


def nothing(*_: object) -> bytes:
    raise AssertionError("nothing is beside this file")


def model_faces(level: Level) -> np.ndarray:
    return level.faces.corners[[level.origins[k].kind == "model" for k in level.faces.origin]]


def told(path: Path, severity: str = "dropped") -> list[Finding]:
    return [finding for finding in check(path) if finding.severity == severity]


# OBJ


def test_quads_of_an_obj_stay_quads(place: Place) -> None:
    level = load(place("{file: box.obj}", box_obj=box_obj()))
    faces = model_faces(level)
    assert len(faces) == 6
    assert is_closed(faces)
    assert volume(triangles_of(faces)) == pytest.approx(1.0)


def test_where_it_comes_to_lie(place: Place) -> None:
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
    made = obj.read(rows.encode(), nothing)
    assert area(triangles_of(made.corners)) == pytest.approx(4 * 3 - 2 * 2)
    assert all(fault(np.unique(face, axis=0) if (face[2] == face[3]).all() else face) is None for face in made.corners)
    normals = np.cross(made.corners[:, 1] - made.corners[:, 0], made.corners[:, 2] - made.corners[:, 1])
    assert (normals[:, 1] > 0).all()


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
    triangles = points[np.array(cut(points)[0])]
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    signed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) @ normal
    assert (signed >= -1e-6 * np.abs(signed).max()).all(), "none looks the other way"
    assert area(triangles) == pytest.approx(float(np.linalg.norm(normal)) / 2, rel=1e-9)


def test_numbers_materials_objects_and_groups(place: Place) -> None:
    text = (
        "mtllib a.mtl\no Hut\nv 0 0 0\nv 4 0 0\nv 4 0 -4\nv 0 0 -4\nusemtl Red\nf -4/1/2 -3//5 -2/7 -1\n"
        "o Shed\nv 0 2 0 1 0 0\nv 4 2 0\nv 4 2 \\\n-4\nusemtl Blue\nf 5 6 7\n#f 9 9 9\nusemtl None\nf 1 2 7\n"
    )
    path = place(
        "{file: a.obj, surfaces: {Blue: water}}",
        "surfaces:\n  water: {colour: teal}\n",
        a_obj=text,
        a_mtl="newmtl Red\nKd 1 0.5 0\nmap_Kd /etc/passwd\nnewmtl Blue\nKd 0 0 1\n",
    )
    level = load(path)
    labels = [level.quad_origin(int(quad))[0] for quad in np.unique(level.drawn_quad)]
    assert labels[1:] == ["model: Hut", "model: Shed", "model: Shed"]
    surfaces = [level.surfaces[k] for k in level.faces.surface[1:]]
    assert [surface.name for surface in surfaces] == ["a: Red", "water", "default"]
    assert surfaces[0].colour == (1.0, 0.5, 0.0)
    assert [file.name for file in level.files] == ["level.yaml", "a.obj", "a.mtl"]
    assert check(path) == []


def test_the_author_may_say_what_all_of_it_is(place: Place) -> None:
    surfaces = "surfaces:\n  wood: {}\n  stone: {}\n"
    piece = "{file: box.glb, surface: wood, surfaces: {Roof: stone, Rof: stone}}"
    glb = Glb()
    red = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}
    glb.document["materials"] = [{"name": "Wall"}, {"name": "Roof", **red}]
    glb.node(mesh=glb.mesh(glb.primitive(material=0), glb.primitive(material=1), glb.primitive()))
    path = place(piece, surfaces, box_glb=glb.glb())
    level = load(path)
    assert [level.surfaces[k].name for k in level.faces.surface[1:]] == ["wood"] * 6 + ["stone"] * 6 + ["wood"] * 6
    (found,) = (finding for finding in check(path) if "material" in finding.message)
    assert (found.severity, found.cure) == ("warning", "did you mean `Roof`?")
    assert path.read_text().split("\n")[found.line - 1][found.column - 1 :].startswith("Rof")


# glTF


def test_a_box_of_triangles_is_six_quads_again(place: Place) -> None:
    glb = Glb()
    glb.node(name="Box", mesh=glb.mesh())
    faces = model_faces(load(place("{file: box.glb}", box_glb=glb.glb())))
    assert len(faces) == 6
    assert is_closed(faces)
    assert volume(triangles_of(faces)) == pytest.approx(1.0)


def nested(seed: int) -> Glb:
    """Boxes at nodes inside nodes: every way to place one, mirrors among them."""
    rng = np.random.default_rng(seed)
    glb = Glb()
    meshes = [glb.mesh(), glb.mesh(glb.primitive(component=5125, stride=20), glb.primitive(BOX_CORNERS * 2))]
    made: list[int] = []
    for number in range(8):
        fields: dict[str, Any] = {"name": f"node {number % 3}"}
        if rng.random() < 0.3:
            matrix = np.eye(4)
            matrix[:3, :3] = rng.normal(size=(3, 3))
            matrix[:3, 3] = rng.uniform(-5, 5, 3)
            fields["matrix"] = matrix.T.ravel().tolist()
        else:
            fields["translation"] = rng.uniform(-5, 5, 3).tolist()
            fields["rotation"] = (lambda q: (q / np.linalg.norm(q)).tolist())(rng.normal(size=4))
            fields["scale"] = (rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3)).tolist()
        if rng.random() < 0.8:
            fields["mesh"] = int(rng.integers(2))
        root = not made or rng.random() < 0.4
        if not root:
            above = int(rng.choice(made))
        made.append(glb.node(root, **fields))
        if not root:
            glb.document["nodes"][above].setdefault("children", []).append(made[-1])
    glb.node(mesh=meshes[0])
    return glb


@pytest.mark.parametrize("seed", range(8))
def test_nodes_place_and_mirrors_keep_their_outside(seed: int) -> None:
    glb = nested(seed)
    made = gltf.read(glb.glb(), nothing)
    expected = _placed_by_hand(glb)
    found = triangles_of(made.corners)
    assert volume(found) == pytest.approx(sum(abs(np.linalg.det(m[:3, :3])) * size for m, size in expected), rel=1e-5)
    corners = np.concatenate([(BOX_CORNERS * size ** (1 / 3)) @ m[:3, :3].T + m[:3, 3] for m, size in expected])
    assert np.allclose(found.min(axis=(0, 1)), corners.min(axis=0), atol=1e-4)
    assert np.allclose(found.max(axis=(0, 1)), corners.max(axis=0), atol=1e-4)


def _placed_by_hand(glb: Glb) -> list[tuple[np.ndarray, float]]:
    """(matrix, volume in itself) of every box in the scene."""
    nodes, found = glb.document["nodes"], []
    waiting = [(root, np.eye(4)) for root in glb.document["scenes"][0]["nodes"]]
    while waiting:
        index, above = waiting.pop()
        node = nodes[index]
        here = above @ real_levels._matrix(node)
        if "mesh" in node:
            found += [(here, size) for size in ((1.0,) if node["mesh"] == 0 else (1.0, 8.0))]
        waiting += [(child, here) for child in node.get("children", ())]
    return found


@pytest.mark.parametrize("component", [5121, 5123, 5125])
def test_indices_of_every_width_strips_and_none(component: int) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh(glb.primitive(component=component)))
    assert volume(triangles_of(gltf.read(glb.glb(), nothing).corners)) == pytest.approx(1.0)
    strip = Glb()
    corners = [(0, 0, 0), (1, 0, 0), (0, 0, -1), (1, 0, -1), (0, 0, -2), (1, 0, -2)]
    strip.node(mesh=strip.mesh(strip.primitive(corners, range(6), component, mode=5)))
    made = gltf.read(strip.glb(), nothing)
    normals = np.cross(made.corners[:, 1] - made.corners[:, 0], made.corners[:, 2] - made.corners[:, 1])
    assert (normals[:, 1] > 0).all()
    assert area(triangles_of(made.corners)) == pytest.approx(2.0)
    bare = Glb()
    bare.node(mesh=bare.mesh(bare.primitive(BOX_CORNERS[BOX_TRIANGLES], None)))
    assert volume(triangles_of(gltf.read(bare.glb(), nothing).corners)) == pytest.approx(1.0)


def test_gltf_with_its_buffer_beside_it_or_inside(place: Place) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    path = place("{file: a.gltf}", a_gltf=glb.gltf("parts/b%6Fx.bin"), parts__box_bin=bytes(glb.binary))
    level = load(path)
    assert len(model_faces(level)) == 6
    assert [file.name for file in level.files] == ["level.yaml", "a.gltf", "box.bin"]
    inside = load(place("{file: a.gltf}", a_gltf=glb.gltf()))
    assert np.array_equal(inside.faces.corners, level.faces.corners)


def test_colours_are_linear_in_gltf() -> None:
    glb = Glb()
    glb.document["materials"] = [
        {"name": "half", "pbrMetallicRoughness": {"baseColorFactor": [0.2140411, 0, 1, 1]}},
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
        {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [1, 1, 1, 1]}}},
    ]
    glb.node(mesh=glb.mesh(*(glb.primitive(material=k) for k in range(3))))
    half, textured, older = gltf.read(glb.glb(), nothing).materials
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
    _, found = layered(["other-colonly", name])
    assert (found.collide, found.visible) == (collide, visible)
    (alone,) = layered(["Tree"])
    assert (alone.collide, alone.visible) == (True, True), "no name says so: all of it does both"


@pytest.mark.parametrize("kind", ["glb", "obj"])
def test_layers_of_a_level(place: Place, kind: str) -> None:
    names = ("Wall-col", "Hull-colonly", "Tree", "Draft-noimp", "Below")
    if kind == "glb":
        glb = Glb()
        numbers = [
            glb.node(name != "Below", name=name, mesh=glb.mesh(), translation=[3.0 * k, 0, 0])
            for k, name in enumerate(names)
        ]
        glb.document["nodes"][numbers[3]]["children"] = [numbers[4]]
        path = place("{file: a.glb}", a_glb=glb.glb())
    else:
        boxes = [box_obj(BOX_CORNERS + np.array([3.0 * k, 0, 0]), 1 + 8 * k) for k in range(4)]
        text = "".join(f"o {name}\n{box}" for name, box in zip(names[:4], boxes, strict=True))
        path = place("{file: a.obj}", a_obj=text)
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
    faces, first = paired(triangles, tags)
    quads = ~np.all(faces[:, 2] == faces[:, 3], axis=-1)
    assert quads.sum() > 20
    assert 2 * quads.sum() + (~quads).sum() == len(triangles)
    assert keeps_rule(faces[quads]).all()
    assert all(fault(face.tolist()) is None for face in faces[quads])
    assert area(triangles_of(faces)) == pytest.approx(area(triangles), rel=1e-4)
    assert set(map(bytes, faces.reshape(-1, 3))) == set(map(bytes, triangles.reshape(-1, 3)))
    normal = lambda t: np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])  # noqa: E731
    assert (normal(faces)[:, 1] * normal(triangles[first])[:, 1] > 0).all()
    whole, _ = paired(triangles, np.zeros_like(tags))
    assert len(whole) < len(faces), "what differs in surface or part stays apart"


@pytest.mark.parametrize(
    ("fourth", "together"),
    [((1.0, 1.0), True), ((0.2, 0.2), False), ((2.0, 0.0), False), ((0.6, 0.4), False), ((0.504, 0.504), True)],
)
def test_what_would_break_the_rule_stays_triangles(fourth: tuple[float, float], together: bool) -> None:
    """A dent, two edges in line, a fold; and a corner that stands off the line by more than a millimetre."""
    a, b, c, d = (np.array([x, 0.0, -z]) for x, z in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), fourth))
    faces, _ = paired(np.array([[a, b, c], [c, b, d]]), np.zeros((2, 1), np.int32))
    assert (len(faces) == 1) == together
    lifted, _ = paired(np.array([[a, b, c], [c, b, d + np.array([0, 0.01, 0])]]), np.zeros((2, 1), np.int32))
    assert len(lifted) == 2, "a centimetre off the plane"


def test_corners_are_the_same_to_the_last_bit_or_not() -> None:
    points = np.array([[0.0, 1, 2], [-0.0, 1, 2], [np.nextafter(0, 1), 1, 2], [0, 1, 2], [2, 1, 0]])
    ids = welded(points)
    assert ids[0] == ids[1] == ids[3]
    assert len(set(ids.tolist())) == 3


def test_triangles_without_area_are_counted(place: Place) -> None:
    text = box_obj() + "f 1 1 2\nf 1 2 2\nv 0 0 0.5\nf 1 9 2\n"
    path = place("{file: a.obj}", a_obj=text)
    assert len(model_faces(load(path))) == 6
    (found,) = told(path, "warning")
    assert "3 triangles without area in `a.obj`" in found.message


# What is refused


def _changed(path: tuple[Any, ...], value: Any) -> bytes:
    glb = Glb()
    glb.node(name="Box", mesh=glb.mesh())
    here: Any = glb.document
    for key in path[:-1]:
        here = here[key]
    if value is _GONE:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return glb.glb()


_GONE = object()
_DEEP = b"[" * 200_000
_BOMB = b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}," * 600_000 + b"{}]}"

BROKEN: list[tuple[str, bytes, str]] = [
    ("glb", b"", "nothing in it"),
    ("glb", b"glTF", "cut off"),
    ("glb", b"glTF" + struct.pack("<III4s", 2, 2**31, 4, b"JSON"), "cut off"),
    ("glb", b"glTF" + struct.pack("<III4s", 2, 20, 400, b"JSON"), "longer than the file"),
    ("glb", b"glTF" + struct.pack("<III4s", 1, 20, 0, b"JSON"), "glTF 1"),
    ("glb", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "neither GLB nor JSON"),
    ("glb", packed(b"{" * 400, b""), "broken"),
    ("glb", packed(_DEEP, b""), "nested without end"),
    ("glb", packed(_BOMB, b""), "more in it than any model"),
    ("glb", packed(b"[]", b""), "no object at the top"),
    ("glb", packed(b"{}", b""), "does not say that it is glTF 2"),
    ("glb", packed(b'{"asset": {"version": "2.0"}, "x": NaN}', b""), "NaN"),
    ("glb", packed(b'{"asset": {"version": "2.0"}, "x": ' + b"9" * 5000 + b"}", b""), "digits"),
    ("glb", packed(b'{"asset": {"version": "2.0"}}', b""), "no mesh of triangles"),
    ("glb", _changed(("nodes", 0, "mesh"), 7), "number 7 of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), True), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), 1e300), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), {}), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "children"), [0]), "hangs in two places"),
    ("glb", _changed(("scenes", 0, "nodes"), [0, 0]), "hangs in two places"),
    ("glb", _changed(("scenes", 0, "nodes"), [-1]), "of its `nodes`"),
    ("glb", _changed(("nodes", 0, "scale"), [1, 1]), "`scale` of node `Box`"),
    ("glb", _changed(("nodes", 0, "matrix"), [1e300] * 16), "`matrix` of node `Box`"),
    ("glb", _changed(("nodes", 0, "translation"), [1e9, 1e9, 1e9]), "lies nowhere"),
    ("glb", _changed(("nodes", 0, "scale"), [0, 0, 0]), "no triangle with an area"),
    ("glb", _changed(("accessors", 0, "count"), 9), "beyond their part"),
    ("glb", _changed(("accessors", 0, "count"), 2**40), "beyond their part"),
    ("glb", _changed(("accessors", 0, "count"), -1), "lie in no buffer"),
    ("glb", _changed(("accessors", 0, "count"), 4.5), "lie in no buffer"),
    ("glb", _changed(("accessors", 0, "count"), 4), "not there"),
    ("glb", _changed(("accessors", 0, "byteOffset"), 2**52), "beyond their part"),
    ("glb", _changed(("accessors", 0, "type"), "VEC2"), "type"),
    ("glb", _changed(("accessors", 0, "componentType"), 5122), "of a type that is not read"),
    ("glb", _changed(("accessors", 0, "sparse"), {"count": 1}), "sparse"),
    ("glb", _changed(("accessors", 0, "bufferView"), _GONE), "compressed"),
    ("glb", _changed(("accessors", 1, "count"), 35), "whole number of triangles"),
    ("glb", _changed(("bufferViews", 0, "byteOffset"), 2**30), "beyond their buffer"),
    ("glb", _changed(("bufferViews", 0, "byteStride"), 0), "too near together"),
    ("glb", _changed(("bufferViews", 0, "buffer"), 3), "in no buffer"),
    ("glb", _changed(("meshes", 0, "primitives"), {}), "no primitives"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "attributes"), {}), "no positions"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "material"), 5), "of its `materials`"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "mode"), 1), "no mesh of triangles"),
    ("glb", _changed(("extensionsRequired",), ["KHR_draco_mesh_compression"]), "KHR_draco_mesh_compression"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "extensions"), {"KHR_draco_mesh_compression": {}}), "draco"),
    ("glb", _changed(("materials",), 4), "`materials` is no list"),
    ("glb", _changed(("scene",), 4), "of its `scenes`"),
    ("obj", b"", "nothing in it"),
    ("obj", b"\0" * 100, "no text"),
    ("obj", "v 0 0 0\n".encode("utf-16"), "UTF-16"),
    ("obj", b"hello world\n" * 200, "no OBJ file"),
    ("obj", b"v 0 0 0\nv 1 0 0\n", "no face"),
    ("obj", b"v 0 0\n", "3:three numbers"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "4:corner 4 is not there"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "4:corner 0 is not there"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", "4:corner -4"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "4:a face of 2 corners"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "4:`x` is no corner"),
    ("obj", b"v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n", "2:lies nowhere"),
    ("obj", b"v 0 0 0\nv 1 0 1e39\nv 0 1 0\nf 1 2 3\n", "2:lies nowhere"),
    ("obj", b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "no triangle with an area"),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "data", "words"), BROKEN, ids=[f"{row[0]} {row[2]}" for row in BROKEN])
def test_what_is_broken_is_one_finding(place: Place, ending: str, data: bytes, words: str) -> None:
    path = place(f"{{file: a.{ending}}}", **{f"a_{ending}": data})
    (found,) = told(path)
    line, _, message = words.partition(":") if ":" in words else ("", "", words)
    assert message in found.message
    assert found.where == "model.file"
    if line:
        assert Path(found.file).name == "a.obj"
        assert found.line == (1 if line == "3" else int(line))
        assert found.excerpt
    assert len(load(path).triangles) == 2, "the rest of the level is there"


OUTSIDE = ["../../secret", "/etc/passwd", "~/.bashrc", "http://localhost:9/a", "file:///etc/passwd", "..\\..\\secret",
           "C:secret", "link", "folder", "pipe", "a\nb", "absent"]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("kind", ["piece", "mtl", "buffer"])
def test_nothing_outside_is_read(place: Place, tmp_path: Path, name: str, kind: str) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    ending = {"piece": ".glb", "mtl": ".mtl", "buffer": ".bin"}[kind]
    named = name + ending
    (tmp_path / f"secret{ending}").write_bytes(glb.glb() if kind == "piece" else bytes(glb.binary))
    if kind == "piece":
        path = place(f"{{file: {json.dumps(named)}}}")
    elif kind == "mtl":
        path = place("{file: a.obj}", a_obj=f"mtllib {named}\n" + box_obj())
    else:
        path = place("{file: a.gltf}", a_gltf=glb.gltf(named))
    (path.parent / f"link{ending}").symlink_to(tmp_path / f"secret{ending}")
    (path.parent / f"folder{ending}").mkdir()
    os.mkfifo(path.parent / f"pipe{ending}")
    found = [finding for finding in check(path) if "flicker" not in finding.message]
    if kind == "mtl":
        assert {finding.severity for finding in found} == {"warning"}
        assert len(model_faces(load(path))) == 6
    else:
        assert [finding.severity for finding in found] == ["dropped"]
    assert not any("secret" in file.name for file in load(path).files)


def test_bounds_of_size(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    path = place("{file: a.glb}", a_glb=b"glTF")
    with open(path.parent / "a.glb", "r+b") as file:
        file.truncate(200 * 2**20)
    (found,) = told(path)
    assert "larger than a model may be" in found.message
    glb = Glb()
    mesh = glb.mesh(glb.primitive(np.tile(BOX_CORNERS[:3], (2000, 1)), None))
    for _ in range(300):
        glb.node(mesh=mesh)
    (found,) = told(place("{file: a.glb}", a_glb=glb.glb()))
    assert "400 000 are the most" in found.message
    monkeypatch.setattr(obj, "MOST_TRIANGLES", 11)
    (found,) = told(place("{file: a.obj}", a_obj=box_obj()))
    assert "are the most" in found.message


def test_more_faces_than_a_level_may_have(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from game.level.pieces import workbench

    monkeypatch.setitem(workbench.MOST, "quad", 5)
    (found,) = told(place("{file: a.obj}", a_obj=box_obj()))
    assert "this makes 6 quads" in found.message


def test_trimesh_is_loaded_for_gltf_alone_and_opens_nothing(place: Place) -> None:
    glb = Glb()
    glb.document["images"] = [{"uri": "/etc/passwd"}, {"uri": "../../secret.png"}]
    glb.document["textures"] = [{"source": 0}]
    glb.document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    glb.node(mesh=glb.mesh(glb.primitive(material=0)))
    plain = place("{file: a.obj}", a_obj="mtllib a.mtl\n" + box_obj(), a_mtl="newmtl x\nmap_Kd /etc/passwd\n")
    code = (
        "import sys\n"
        "from game.level import check\n"
        "check(sys.argv[1]); print('trimesh' in sys.modules)\n"
        "import trimesh.exchange.gltf\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, rest: opened.append(str(rest[0])) if event == 'open' else None)\n"
        "print([finding.severity for finding in check(sys.argv[2])])\n"
        "print(sorted({name.rpartition('/')[2] for name in opened if not name.endswith(('.py', '.pyc'))}))\n"
    )
    textured = plain.with_name("textured.yaml")
    textured.write_text(plain.read_text().replace("a.obj", "a.glb"))
    (plain.parent / "a.glb").write_bytes(glb.glb())
    run = subprocess.run(
        [sys.executable, "-c", code, str(plain), str(textured)], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    first, second, third = run.stdout.strip().split("\n")
    assert (first, second) == ("False", "[]"), run.stderr
    names = {name for name in ast.literal_eval(third) if not name.isdecimal()}  # a descriptor, opened anew
    assert names == {"a.glb", "textured.yaml"}


# Files of other people


@pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
def test_real_files_hold_what_they_held(path: Path) -> None:
    """The same ground as a simple reader finds; less only where that one's fans go over dents."""
    made = (obj if path.suffix == ".obj" else gltf).read(path.read_bytes(), lambda *_: b"newmtl x\n")
    _, triangles = real_levels.read(path)
    found = triangles_of(made.corners)
    assert np.allclose(found.min(axis=(0, 1)), triangles.min(axis=(0, 1)), atol=1e-4)
    assert np.allclose(found.max(axis=(0, 1)), triangles.max(axis=(0, 1)), atol=1e-4)
    fans = area(triangles)
    assert 0.93 * fans < area(found) < fans * (1 + 1e-6)
    assert len(made) <= len(found)
    if path.suffix == ".glb":
        assert area(found) == pytest.approx(fans, rel=1e-6)


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Bytes, words or numbers changed in up to four places, parts taken out, or the end cut off."""
    for _ in range(rng.randint(1, 4)):
        where = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:where] + bytes([rng.randrange(256)]) + data[where + 1 :]
        elif kind == 1:
            data = data[:where] + data[where + rng.randint(1, 60) :]
        elif kind == 2:
            tokens = (b"1e999", b"-1", b"9" * 30, b"[", b"}", b'"', b"null", b"\n", b"f 1 2 3\n", b"nan", b"\\")
            data = data[:where] + rng.choice(tokens) + data[where:]
        elif kind == 3:
            data = data[:where] + rng.randbytes(4) + data[where + 4 :]
        elif kind == 4 and rng.random() < 0.4:
            data = data[:where]
        else:
            digits = [k for k in range(len(data[:20_000])) if 48 <= data[k] <= 57]
            if digits:
                at = rng.choice(digits)
                data = data[:at] + rng.choice((b"0", b"7", b"255", b"4096", b"-3", b"5126", b"{}")) + data[at + 1 :]
    return data


@pytest.mark.parametrize("seed", range(6))
def test_mutated_models_are_read_or_told(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"models {seed}")
    kind = ("glb", "gltf", "obj")[seed % 3]
    small = [nested(k) for k in range(3)]
    originals = {
        "glb": [made.glb() for made in small],
        "gltf": [made.gltf() for made in small],
        "obj": [b"mtllib a.mtl\no a-col\n" + box_obj().encode() + b"usemtl b\ng c\nf 1 2 3 4 5\n" * 9],
    }[kind]
    reader = obj.read if kind == "obj" else gltf.read
    for round_ in range(ROUNDS // 6):
        data = mutated(rng, rng.choice(originals))
        begin = time.process_time()
        wrong = None
        try:
            made = reader(data, lambda *_: b"newmtl b\nKd 1 0 x\n")
        except ModelError as error:
            wrong = error
        if wrong is None:
            assert np.isfinite(made.corners).all(), (seed, round_)
            assert (made.part < len(made.parts)).all()
            assert (made.material < len(made.materials)).all()
            assert len(made) <= 2 * soup.MOST_TRIANGLES
        else:
            assert wrong.message
        assert time.process_time() - begin < LONGEST, (seed, round_)


def test_the_page_tells_the_bounds_that_hold() -> None:
    from game.level.models import container, reading
    from game.level.models.quake import brushes, solid
    from game.level.schema import MOST_QUADS

    page = " ".join((ROOT / "docs" / "models.md").read_text(encoding="utf-8").split())
    figures = (soup.MOST_TRIANGLES, soup.MOST_PARTS, soup.MOST_MATERIALS, MOST_QUADS)
    spaced = ["".join(f"{figure:,}").replace(",", " ") for figure in figures]
    assert f"at most {spaced[0]} triangles in {spaced[1]} parts with {spaced[2]} materials" in page
    assert f"{spaced[3]} quads" in page
    sizes = [most >> 20 for most in (container.MOST_BYTES, reading.MOST_BYTES[".obj"], reading.MOST_BYTES[".map"])]
    assert f"{sizes[0]} MiB (glTF, with all its buffers), {sizes[1]} MiB (OBJ) or {sizes[2]} MiB (maps)" in page
    assert f"{1 / solid.UNIT:g} units are a metre" in page
    assert f"within {brushes.WELD:g} units" in page
