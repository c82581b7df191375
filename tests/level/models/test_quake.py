"""Quake maps: brushes as closed polygons in the right place, textures, entities, and findings of broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import check, load
from game.level.models.quake import entities, map_reader, patches
from game.level.models.quake.map_parser import parse_map
from game.level.models.quake.textures import texture_layers, texture_material
from game.level.models.triangle_soup import ModelError, TriangleSoup
from tests.support import quake_maps as maps
from tests.support.model_files import Place, area, findings_of, is_closed, triangles_of, volume


def world(*brushes: str) -> bytes:
    return maps.written(maps.entity("worldspawn", *brushes))


def part(soup: TriangleSoup, name: str) -> np.ndarray:
    ranks = [k for k, made in enumerate(soup.parts) if made.name == name]
    return soup.corners[np.isin(soup.part, ranks)]


@pytest.mark.parametrize("valve", [False, True])
def test_a_box_is_six_quads(valve: bool) -> None:
    soup = map_reader.read_map(world(maps.box((-64, -32, 0), (64, 96, 48), valve=valve)))
    assert len(soup) == 6
    assert is_closed(soup.corners)
    assert volume(triangles_of(soup.corners)) == pytest.approx(128 * 128 * 48)
    assert (soup.corners.min(axis=(0, 1)) == (-64, -32, 0)).all()
    assert (soup.corners.max(axis=(0, 1)) == (64, 96, 48)).all()
    assert (soup.unit, soup.up, soup.notes) == (1 / 32, "z", ())


def polytope(seed: int, digits: int) -> tuple[list[maps.Plane], np.ndarray, np.ndarray]:
    """Planes around a random centre: points, and outward normals and offsets of the rounded points."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(6, 22))
    normals = rng.normal(size=(count, 3))
    normals[:6] = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    middle = rng.integers(-2000, 2000, 3).astype(float)
    planes = [
        maps.turned_plane(normal, float(normal @ middle) + float(rng.integers(16, 160)), digits) for normal in normals
    ]
    points = np.array(planes)
    found = np.cross(points[:, 2] - points[:, 0], points[:, 1] - points[:, 0])
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return planes, found, np.einsum("nd,nd->n", found, points[:, 0])


@pytest.mark.sample(5)
@pytest.mark.parametrize("digits", [0, 3, 6])
@pytest.mark.parametrize("seed", range(12))
def test_a_brush_is_what_its_half_spaces_share(seed: int, digits: int) -> None:
    planes, normals, offsets = polytope(seed, digits)
    soup = map_reader.read_map(world(maps.brush(planes)))
    assert is_closed(soup.corners), "an edge without its neighbour is a crack"
    corners = soup.corners.reshape(-1, 3)
    assert (corners @ normals.T <= offsets + 0.05).all()
    triangles = triangles_of(soup.corners)
    rng = np.random.default_rng(seed + 100)
    low, high = corners.min(axis=0) - 20, corners.max(axis=0) + 20
    points = rng.uniform(low, high, (400, 3))
    depth = (offsets - points @ normals.T).min(axis=1)
    clear = np.abs(depth) > 0.1
    winding = np.array([solid_angle(triangles - point) for point in points[clear]]) / (4 * np.pi)
    assert np.abs(winding - (depth[clear] > 0)).max() < 1e-6, "inside is once around, outside is not"


def solid_angle(triangles: np.ndarray) -> float:
    """Solid angle of triangles seen from the origin (Van Oosterom and Strackee 1983)."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    la, lb, lc = (np.linalg.norm(part, axis=1) for part in (a, b, c))
    dot = lambda p, q: np.einsum("nd,nd->n", p, q)  # noqa: E731
    below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
    return float(2 * np.arctan2(dot(a, np.cross(b, c)), below).sum())


def test_redundant_and_doubled_planes_change_nothing() -> None:
    planes = maps.box_planes((0, 0, 0), (64, 64, 64))
    plain = map_reader.read_map(world(maps.brush(planes)))
    corner = maps.turned_plane(np.array([1.0, 1.0, 1.0]) / np.sqrt(3), 500.0)
    moved = maps.box_planes((-32, 0, 0), (96, 64, 64))
    more = map_reader.read_map(world(maps.brush([*planes, corner, planes[2], moved[1], moved[0]])))
    assert more.notes == ()
    assert sorted(map(bytes, np.sort(more.corners, axis=1))) == sorted(map(bytes, np.sort(plain.corners, axis=1)))


def test_corners_that_rounding_parted_are_one_again() -> None:
    rng = np.random.default_rng(3)
    turn = rng.normal(size=(3, 3))
    turn, _ = np.linalg.qr(turn)
    axes = [turn[:, k] for k in range(3)]
    first = [(axes[k] * side, 64.0) for k in range(3) for side in (1, -1)]
    shifted = [(axes[0], 192.0), (-axes[0], -64.0), *first[2:]]
    brushes = [
        maps.brush([maps.turned_plane(normal, offset, 2) for normal, offset in planes]) for planes in (first, shifted)
    ]
    soup = map_reader.read_map(world(*brushes))
    corners = np.unique(soup.corners.reshape(-1, 3), axis=0)
    assert len(corners) == 12, "four of the sixteen corners are shared"
    assert is_closed(soup.corners)


@pytest.mark.parametrize(
    ("texture", "collide", "visible"),
    [
        ("city2_5", True, True), ("clip", True, False), ("common/playerclip", True, False), ("sky1", True, False),
        ("textures/common/caulk", True, False), ("*water1", False, True), ("!slime", False, True),
        ("skipper", True, True), ("eclipse", True, True), ("hint", False, False), ("TRIGGER", False, False),
        ("{fence", True, True), ("clipboard", True, True), ("hint2", True, True), ("base/wall", True, True),
        ("skies/blue", True, False), ("textures/skies/blue", True, False), ("base/black_sky", True, False),
        ("env/toxicSky_dm", True, False), ("skyline/brick", True, True),
    ],
)  # fmt: skip
def test_tool_textures_choose_the_layers(texture: str, collide: bool, visible: bool) -> None:
    found = texture_layers(texture)
    assert (found.collide, found.visible) == (collide, visible)
    assert found.ignore_brush == (not collide and not visible)


def test_a_skipped_face_of_a_brush_is_not_drawn_but_holds() -> None:
    soup = map_reader.read_map(
        world(maps.box((0, 0, 0), (64, 64, 64), ["skip", "stone", "stone", "stone", "stone", "stone"]))
    )
    assert len(soup) == 6
    unseen = soup.corners[[not soup.parts[k].visible for k in soup.part]]
    assert len(unseen) == 1
    assert (unseen[0, :, 0] == 0).all()
    assert all(made.collide for made in soup.parts)
    with pytest.raises(ModelError, match="no solid brush"):
        map_reader.read_map(world(maps.box((0, 0, 0), (64, 64, 64), "skip")))


def test_surfaces_follow_names() -> None:
    assert texture_material("wbrick1_5").texture == "brick"
    assert texture_material("wizwood1_4").texture == "planks"
    assert texture_material("metal1_2").texture == "metal"
    assert texture_material("ice1").friction < 0.1
    names = [f"qx{k}" for k in range(40)]
    colours = [texture_material(name).colour for name in names]
    assert colours == [texture_material(name).colour for name in names]
    assert len(set(colours)) > 30
    assert all(0.2 < part < 0.9 for colour in colours if colour for part in colour)


@pytest.mark.parametrize("valve", [False, True])
def test_a_hall_as_a_level(place: Place, valve: bool) -> None:
    path = place(hall_map=maps.hall(valve))
    assert findings_of(path) == []
    level = load(path)
    labels = {level.quad_origin(int(quad))[0] for quad in level.drawn_quad} - {"floor"}
    assert labels == {"model: worldspawn", "model: func_detail", "model: func_illusionary"}
    assert level.triangles.min() == pytest.approx(-12.5)  # the far wall's outside, 400 units north
    down = level.mesh.raycast((2.0, 3.0, -2.0), (0.0, -1.0, 0.0))
    assert down.distance == pytest.approx(3.0)
    assert level.surfaces[int(level.surface_index[down.triangle])].name == "hall: ground1_6"
    assert level.mesh.raycast((2.0, 1.0, -10.4), (0.0, -1.0, 0.0)).distance == pytest.approx(1.0), "water holds nobody"
    assert level.mesh.raycast((13.1, 3.0, -10.0), (0.0, -1.0, 0.0)).distance == pytest.approx(1.0), "a clip brush does"
    assert not any("sky" in level.surfaces[k].name for k in np.unique(level.drawn_surface))
    steps = [made for made in level.faces.corners[level.quad_index] if made[:, 1].max() <= 1.5]
    assert steps
    assert [path.name for path in level.files] == ["level.yaml", "hall.map"]


def test_what_stands_in_a_map() -> None:
    found = entities.collect_map_entities(parse_map(maps.hall()))
    assert found.name == "The hall"
    assert [(start.kind, start.feet, start.facing) for start in found.starts] == [
        ("info_player_start", (2.0, 0.0, -2.0), 0.0),
        ("info_player_deathmatch", (4.0, 0.0, -6.25), 270.0),
    ]
    (lamp,) = found.lights
    assert (lamp.at, lamp.colour) == ((4.0, 3.0, -4.0), (1.0, 0.5, 0.25))
    assert dict(found.left_out) == {"monster_army": 2, "trigger_teleport": 1}


@pytest.mark.parametrize(
    ("keys", "facing"),
    [({"angle": "0"}, 270.0), ({"angle": "180"}, 90.0), ({"angle": "-1"}, 270.0), ({"angles": "0 90 0"}, 0.0),
     ({"mangle": "45 0 0"}, 315.0), ({"angle": "east"}, 270.0), ({}, 270.0), ({"angle": "nan"}, 270.0)],
)  # fmt: skip
def test_the_angle_of_a_quake_spawn_becomes_its_facing(keys: dict[str, str], facing: float) -> None:
    made = parse_map(maps.written(maps.entity("worldspawn"), maps.entity("info_player_start", origin="0 0 24", **keys)))
    assert entities.collect_map_entities(made).starts[0].facing == facing


def test_lamps_of_other_games_are_read_with_bounded_values() -> None:
    made = parse_map(
        maps.written(
            maps.entity("light", origin="0 0 0", k__light="255 128 0 200"),
            maps.entity("light_torch_small_walltorch", origin="0 0 64", k__color="128 255 0", light="nan"),
            maps.entity("light", origin="here"), maps.entity("light_environment", origin="0 0 0"),
        )
    )  # fmt: skip
    lamps = entities.collect_map_entities(made).lights
    assert len(lamps) == 2
    assert {lamp.colour for lamp in lamps} == {(1.0, 128 / 255, 0.0), (128 / 255, 1.0, 0.0)}
    assert all(0.05 <= lamp.brightness <= 100 and 0.5 <= lamp.reach <= 100 for lamp in lamps)


@pytest.mark.parametrize("origin", ["", "here", "0 0", "0 0 0 0", "0 0 nan", "0 0 1e7", "0,0,24", None])
def test_starts_and_lamps_without_a_place_are_named_with_their_lines(origin: str | None) -> None:
    keys = {} if origin is None else {"origin": origin}
    boxes = maps.entity("worldspawn", maps.box((0, 0, 0), (64, 64, 64)))
    text = maps.written(boxes, *(maps.entity(kind, **keys) for kind in ("info_player_start", "light", "info_null")))
    found = entities.collect_map_entities(parse_map(text))
    lines = [k for k, line in enumerate(text.decode().splitlines(), 1) if line == "{"][-3:-1]
    assert found.misplaced == (("info_player_start", lines[0]), ("light", lines[1]))
    assert (found.starts, found.lights, found.left_out) == ((), (), (("info_null", 1),))


FACE = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) stone 0 0 0 1 1\n"

BROKEN = [
    (b"", 0, 0, "the file is empty"),
    (b"\0\0\0\0", 0, 0, "not text"),
    (b"hello", 1, 1, "begins with {"),
    (b"{\n", 1, 1, "ends inside an entity"),
    (b'{\n"classname" "worldspawn"\n{\n', 3, 1, "ends inside a brush"),
    (b'{\n "classname" worldspawn\n}', 2, 2, "in quotes"),
    (b'{\n{\n( 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a\n}\n}', 3, 1, "three points"),
    (b'{\n{\n( 0 0 nan ) ( 0 1 0 ) ( 0 0 1 ) a\n}\n}', 3, 1, "has a coordinate that is not a finite number"),
    (b'{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 nan 0 1 1\n}\n}', 3, 35, "`nan` after the texture of a face"),
    (b'{\n{\n( 0 0 1e300 ) ( 0 1 0 ) ( 0 0 1 ) a\n}\n}', 3, 1, "further out"),
    (b'{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )\n}\n}', 3, 30, "name of a texture"),
    (b'{\n{\nbrushDef\n{\n}\n}\n}', 3, 1, "brushDef"),
    (b'{\n{\n' + FACE.encode() + b'oops\n}\n}', 4, 1, "a face with three points"),
    (b'{\n{\npatchDef2\n{\n common/caulk\n', 2, 1, "ends inside a patch"),
    (b'{\n"classname" "worldspawn"\n}', 0, 0, "no solid brush"),
    (b'{}}', 1, 3, "begins with {"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "line", "column", "words"), BROKEN, ids=[row[3] + str(row[1]) for row in BROKEN])
def test_a_broken_map_is_reported_where(place: Place, data: bytes, line: int, column: int, words: str) -> None:
    (found,) = findings_of(place(x_map=data))
    assert words in found.message
    if line:
        assert (Path(found.file).name, found.line, found.column) == ("x.map", line, column)
        assert found.excerpt == data.decode().split("\n")[line - 1].rstrip()
    else:
        assert (Path(found.file).name, found.line) == ("level.yaml", 5)


def test_brushes_that_enclose_nothing_are_left_out_and_reported() -> None:
    planes = maps.box_planes((0, 0, 0), (64, 64, 64))
    inside_out = [(a, c, b) for a, b, c in planes]
    flat = maps.box_planes((0, 0, 0), (64, 64, 0))
    soup = map_reader.read_map(
        world(
            maps.brush(planes), maps.brush(planes[:3]), maps.brush(planes[:5]), maps.brush(inside_out),
            maps.brush(flat), maps.brush([planes[0]] * 6),
        )
    )  # fmt: skip
    assert len(soup) == 6
    lines = [note.line for note in soup.notes]
    assert len(lines) == 5
    text = world(maps.brush(planes), maps.brush(planes[:3])).decode().split("\n")
    assert text[soup.notes[0].line - 1] == "{", "told where the brush begins"
    assert sum("not closed" in note.message for note in soup.notes) == 1


def patch_text(points: list[list[tuple[float, ...]]], texture: str = "base/pipe", size: str = "") -> str:
    """A patch with control points (x, y, z, u, v) in columns."""
    columns = "\n".join("( " + " ".join(f"( {' '.join(map(str, p))} )" for p in column) + " )" for column in points)
    size = size or f"{len(points)} {len(points[0])}"
    return f"{{\npatchDef2\n{{\n{texture} // a comment\n( {size} 0 0 0 )\n(\n{columns}\n)\n}}\n}}\n"


FLAT = [[(32 * x, 32 * y, 0, x / 2, y / 2) for y in range(3)] for x in range(3)]
# A quarter of a pipe of radius 64 along y, as a Bezier curve.
PIPE = [[(x, 32 * y, z, 0, 0) for y in range(3)] for x, z in ((0, 64), (64, 64), (64, 0))]


def test_a_flat_patch_faces_up_in_the_editors_top_view() -> None:
    soup = map_reader.read_map(world(patch_text(FLAT)))
    assert not soup.notes
    triangles = triangles_of(soup.corners)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert (normals[:, 2] > 0.0).all()
    assert area(triangles) == pytest.approx(64.0 * 64.0)


def test_a_curved_patch_follows_its_surface_within_a_unit() -> None:
    """Each corner lies on the Bezier surface, and no chord is further than a unit from it."""
    found = patches.patch_triangles(parse_map(world(patch_text(PIPE))).entities[0].patches[0])
    assert found is not None
    t = np.linspace(0.0, 1.0, 2001)[:, None]
    curve = (1 - t) ** 2 * np.array((0, 64)) + 2 * t * (1 - t) * np.array((64, 64)) + t**2 * np.array((64, 0))
    for points in (
        found.corners.reshape(-1, 3),
        (found.corners + np.roll(found.corners, 1, axis=1)).reshape(-1, 3) / 2,
    ):
        distance = np.linalg.norm(points[:, None, ::2] - curve, axis=2).min(axis=1)
        assert distance.max() < 1.0
    assert np.linalg.norm(found.corners.reshape(-1, 3)[:, None, ::2] - curve, axis=2).min(axis=1).max() < 0.05
    assert 8 <= len(found.corners) <= 64


def test_patches_stand_beside_brushes_with_the_layers_of_their_texture() -> None:
    box = maps.box((0, 0, 0), (8, 8, 8))
    soup = map_reader.read_map(world(box, patch_text(FLAT), patch_text(FLAT, "common/caulk"), patch_text(FLAT, "skip")))
    assert not soup.notes
    assert [(part.name, part.collide, part.visible) for part in soup.parts if part.name == "patch"] == [
        ("patch", True, True), ("patch", True, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "patch",
    [
        patch_text(FLAT, size="3 5"), patch_text(FLAT[:2]), patch_text([[(1e9, 0, 0, 0, 0)] * 3] * 3),
        patch_text([[("1.2.3", 0, 0, 0, 0)] * 3] * 3), "{\npatchDef2\n{\n}\n}\n", "{\npatchDef2\n}\n",
    ],
)  # fmt: skip
def test_patches_that_cannot_be_read_are_one_remark(patch: str) -> None:
    soup = map_reader.read_map(world(maps.box((0, 0, 0), (8, 8, 8)), patch, patch))
    assert len(soup) == 6
    (note,) = soup.notes
    assert "2 curved patches are left out" in note.message
    assert note.line > 5
    with pytest.raises(ModelError, match="a curved patch is left out: the control points cannot be read"):
        map_reader.read_map(world(patch))


def test_a_map_is_read_in_any_layout_of_its_text() -> None:
    text = (
        '\ufeff{ // the world\n"classname""worldspawn"\t"message" "say \\"hi\\""\n"wad" "c:\\q\\"\r\n'
        '{(0 0 0)(0 1 0)(0 0 1) {grate 0 0 0 1 1 8 0 0\r( 0 0 0 )\n( 0 0 1 ) ( 1 0 0 ) "two words" 0 0 0 1 1\n'
        "( .0 -0 0. ) ( 1 0 0 ) ( 0 1 0 ) a//b 0 0 0 1 1 // done\n"
        "( 64 64 16 ) ( 64 65 16 ) ( 65 64 16 ) x ( 64 64 16 ) }}"
    )
    with pytest.raises(ModelError):
        parse_map(text.encode())
    made = parse_map(text.replace(" x ( 64 64 16 )", " *x 1 2 3").encode())
    (entity,) = made.entities
    assert entity.keys["message"] == 'say \\"hi\\"'
    assert entity.keys["wad"].startswith("c:\\q")
    assert [face.texture for face in entity.brushes[0].faces] == ["{grate", "two words", "a//b", "*x"]
    assert [face.line for face in entity.brushes[0].faces] == [4, 5, 7, 8]


@pytest.mark.full
def test_a_brush_above_a_limit_is_refused_and_one_below_is_closed() -> None:
    def around(count: int, radius: float, digits: int = 6) -> list[maps.Plane]:
        ways = [np.array([np.cos(a), np.sin(a), 0.0]) for a in np.arange(count) * 2 * np.pi / count]
        return [maps.turned_plane(way, radius, digits) for way in ways]

    many = maps.brush(around(300, 4000.0))
    with pytest.raises(ModelError, match="more than 256 faces"):
        map_reader.read_map(world(many))
    slow = maps.brush(around(200, 4000.0))
    with pytest.raises(ModelError, match="too many faces"):
        map_reader.read_map(world(*[slow] * 60))
    ends = [((0, 0, 64), (0, 1, 64), (1, 0, 64)), ((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    soup = map_reader.read_map(world(maps.brush([*around(96, 512.0, 3), *ends])))
    assert is_closed(soup.corners)
    assert area(triangles_of(soup.corners)) == pytest.approx(2 * np.pi * 512 * (512 + 64), rel=0.01)


LAMPS = """format: 1
spawn: {at: [0, 1.5, 0]}
pieces:
  - model: {file: room.map}
  - light: {at: [90, 1, 0]}
  - light: {at: [0, 90, 0]}
  - light: {at: [0, -90, 0], intended: [void]}
  - light: {at: [0, 2.5, 0]}
"""


def test_lights_that_light_nothing_are_one_finding_in_a_level_around_a_map(tmp_path: Path) -> None:
    (tmp_path / "room.map").write_bytes(world(maps.box((-128, -128, 0), (128, 128, 48))))
    (found,) = [str(finding) for finding in check(text=LAMPS, base=tmp_path) if "light" in finding.message]
    assert ":5:5: light: 2 lights are of no use; the first: the light at (90, 1, 0) lights nothing" in found
    room = LAMPS.replace("model: {file: room.map}", "floor: {from: [-4, -4], to: [4, 4]}")
    assert sum("lights nothing" in finding.message for finding in check(text=room)) == 2


def test_a_map_of_patches_alone_imports(place: Place) -> None:
    level = load(place(room_map=world(patch_text(FLAT), patch_text(PIPE))))
    assert not level.findings
    hit = level.mesh.raycast((0.5, 1.0, -0.5), (0.0, -1.0, 0.0))
    assert hit.distance == pytest.approx(1.0)


def tb(kind: str, identity: int, **keys: str) -> dict[str, str]:
    return {"_tb_type": f"_tb_{kind}", "_tb_name": f"{kind} {identity}", "_tb_id": str(identity), **keys}


OMIT = {"_tb_layer_omit_from_export": "1"}
BOX = maps.box((0, 0, 0), (64, 64, 64))
LIGHT = {"origin": "0 0 32"}
LAYERS: dict[str, tuple[list[str], int, int, list[str]]] = {  # entities; boxes and lights that stay, layers left out
    "none": (
        [maps.entity("func_group", BOX, **tb("layer", 1)), maps.entity("light", **LIGHT, _tb_layer="1")],
        2, 1, [],
    ),
    "a value that is not 1": (
        [maps.entity("func_group", BOX, **tb("layer", 1, _tb_layer_omit_from_export="0"))],
        2, 0, [],
    ),
    "one of two": (
        [
            maps.entity("light", **LIGHT, _tb_layer="1"),  # before its layer
            maps.entity("func_group", BOX, **tb("layer", 1, **OMIT)),
            maps.entity("func_group", BOX, **tb("layer", 2)),
            maps.entity("light", **LIGHT, _tb_layer="2"),
            maps.entity("func_wall", BOX, _tb_layer="1"),
        ],
        2, 1, ["layer 1: 2 brushes, 2 entities"],
    ),
    "a group in it, and a group in that": (
        [
            maps.entity("func_group", **tb("layer", 1, **OMIT)),
            maps.entity("func_group", BOX, **tb("group", 1, _tb_layer="1")),
            maps.entity("func_group", BOX, **tb("group", 3, _tb_group="1")),
            maps.entity("light", **LIGHT, _tb_group="3"),
            maps.entity("light", **LIGHT, _tb_group="2"),  # no such group: the default layer
        ],
        1, 1, ["layer 1: 2 brushes, 1 entities"],
    ),
    "groups that contain each other": (
        [
            maps.entity("func_group", BOX, **tb("group", 1, _tb_group="2")),
            maps.entity("func_group", BOX, **tb("group", 2, _tb_group="1")),
        ],
        3, 0, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers_omitted_from_exports_are_left_out_and_named(name: str) -> None:
    others, boxes, lights, omitted = LAYERS[name]
    data = maps.written(maps.entity("worldspawn", BOX), *others)
    parsed = parse_map(data)
    assert sum(len(entity.brushes) for entity in parsed.entities) == boxes
    assert len(entities.collect_map_entities(parsed).lights) == lights
    named = [f"{one.name}: {one.brushes} brushes, {one.entities} entities" for one in parsed.omitted]
    assert named == omitted
    notes = [note for note in map_reader.build_map_soup(parsed).notes if "omitted from exports" in note.message]
    assert [data.decode().splitlines()[note.line - 1] for note in notes] == ["{"] * len(omitted)


def test_the_default_layer_can_be_omitted() -> None:
    kept = maps.entity("func_group", BOX, **tb("layer", 1))
    light = maps.entity("light", **LIGHT)
    parsed = parse_map(maps.written(maps.entity("worldspawn", BOX, message="Keep", **OMIT), kept, light))
    assert [(one.kind, len(one.brushes)) for one in parsed.entities] == [("worldspawn", 0), ("func_group", 1)]
    assert entities.collect_map_entities(parsed).name == "Keep"
    assert [(one.name, one.brushes, one.entities) for one in parsed.omitted] == [("default", 1, 1)]


def test_comments_begin_with_slashes_or_a_semicolon_anywhere_between_words() -> None:
    plain = world(maps.box((-64, -32, 0), (64, 96, 48))).decode()
    commented = "; an editor\n// Game: Quake\n" + "".join(
        f"{line} ; {{ (\n; }}\n// }}\n" for line in plain.splitlines()
    )
    soup = map_reader.read_map(commented.encode())
    np.testing.assert_array_equal(soup.corners, map_reader.read_map(plain.encode()).corners)


def test_a_map_of_doom_3_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match=r"a map of Doom 3 \(Version 2\)") as refused:
        map_reader.read_map(b"// comment\nVersion 2\n// entity 0\n{\n}\n")
    assert (refused.value.line, refused.value.column) == (2, 1)
