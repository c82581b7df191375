"""Textures, texture coordinates, vertex colours and normals of glTF models."""

from __future__ import annotations

import base64
import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import Level, check, load
from game.level.geometry.quads_from_triangles import merge_with_sources
from game.level.materials import AlphaMode, PbrMaterial, PictureSource, Wrap
from game.sim.replay.fingerprint import level_hash
from tests.support.model_files import BOX_CORNERS, BOX_TRIANGLES, Glb, Place, encoded_picture, findings_of

CORNERS = np.array([[0, 0, 0], [2, 0, 0], [2, 0, -2], [0, 0, -2]], np.float32)
INDICES = [0, 1, 2, 0, 2, 3]
UV = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)


PICTURE = encoded_picture()


def textured(material: dict[str, Any] | None = None, image: dict[str, Any] | bytes = PICTURE, **attributes: Any) -> Glb:
    """A square of two triangles whose material has the picture as its base colour."""
    glb = Glb()
    document = glb.document
    document["images"] = [glb.image(image) if isinstance(image, bytes) else image]
    document["textures"] = [{"source": 0}]
    written = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}} if material is None else material
    document["materials"] = [{"name": "Brick", **written}]
    primitive = glb.primitive(CORNERS, INDICES, material=0)
    given = {"TEXCOORD_0": glb.accessor(UV, 5126, "VEC2"), **attributes}
    primitive["attributes"].update({name: value for name, value in given.items() if value is not None})
    glb.node(name="Square", mesh=glb.mesh(primitive))
    return glb


def base(**fields: Any) -> dict[str, Any]:
    return {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, **fields}}}


def model_surface(level: Level) -> PbrMaterial:
    (pbr,) = (surface.pbr for surface in level.surfaces if surface.pbr is not None)
    return pbr


def model_triangles(level: Level) -> np.ndarray:
    """Mask of the visible triangles of the model."""
    return np.array([level.quad_origin(int(quad))[0] != "floor" for quad in level.drawn_quad])


def picture_bytes(source: PictureSource) -> bytes:
    data = source.data or source.path.read_bytes()
    return data[source.offset : None if source.length < 0 else source.offset + source.length]


def warnings_of(path: Path) -> list[str]:
    assert findings_of(path) == []
    return [f"{found.message}: {found.cure}" for found in findings_of(path, "warning")]


# Coordinates


def test_each_corner_has_the_coordinates_of_the_file(place: Place) -> None:
    level = load(place("{file: a.glb, at: [5, 0, 7], facing: 90, scale: 3}", a_glb=textured().glb()))
    assert level.drawn_uv is not None
    mine = model_triangles(level)
    assert np.isnan(level.drawn_uv[~mine]).all(), "the floor has none"
    local = level.drawn[mine] - (5, 0, 7)
    east, north = -local[..., 2] / 6, -local[..., 0] / 6  # of the square, turned by 90 degrees
    assert np.allclose(level.drawn_uv[mine][..., 0], east, atol=1e-6)
    assert np.allclose(level.drawn_uv[mine][..., 1], 1 - north, atol=1e-6)
    assert level.surfaces[level.drawn_surface[mine][0]].name == "a: Brick"


@pytest.mark.parametrize(("component", "kind", "largest"), [(5121, "u1", 255), (5123, "<u2", 65535)])
def test_normalized_integers_are_read_as_texture_coordinates(
    place: Place, component: int, kind: str, largest: int
) -> None:
    glb = textured()
    packed = glb.accessor((UV * largest).astype(kind), component, "VEC2", stride=4)
    glb.document["accessors"][packed]["normalized"] = True
    glb.document["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = packed
    level = load(place("{file: a.glb}", a_glb=glb.glb()))
    assert level.drawn_uv is not None
    assert sorted(np.unique(level.drawn_uv[model_triangles(level)]).tolist()) == [0.0, 1.0]


def test_quantized_positions_are_read_at_the_scale_of_the_node(place: Place) -> None:
    """KHR_mesh_quantization: shorts, whose size is in the node's scale."""
    glb = textured()
    glb.document["extensionsRequired"] = glb.document["extensionsUsed"] = ["KHR_mesh_quantization"]
    shorts = np.zeros((4, 4), "<i2")
    shorts[:, :3] = CORNERS * 1000
    position = glb.accessor(shorts.view(np.uint8)[:, :6].copy().view("<i2"), 5122, "VEC3", stride=8)
    glb.document["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = position
    glb.document["nodes"][0]["scale"] = [0.001] * 3
    path = place("{file: a.glb}", a_glb=glb.glb())
    level = load(path)
    assert warnings_of(path) == []
    drawn = level.drawn[model_triangles(level)]
    assert drawn.min(axis=(0, 1)) == pytest.approx([0, 0, -2])
    assert drawn.max(axis=(0, 1)) == pytest.approx([2, 0, 0])


def test_the_set_of_coordinates_is_the_one_that_the_material_names(place: Place) -> None:
    glb = textured(base(texCoord=1))
    glb.document["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = glb.accessor(UV * 4, 5126, "VEC2")
    level = load(place("{file: a.glb}", a_glb=glb.glb()))
    assert level.drawn_uv is not None
    assert np.nanmax(level.drawn_uv) == 4.0
    both = base()
    both["occlusionTexture"] = {"index": 0, "texCoord": 1}
    both["normalTexture"] = {"index": 0}
    glb.document["materials"] = [{"name": "Brick", **both}]
    path = place("{file: a.glb}", a_glb=glb.glb())
    pbr = model_surface(load(path))
    assert pbr.occlusion_map is None
    assert pbr.normal_map is not None
    (found,) = warnings_of(path)
    assert "the occlusion texture of material `Brick` is left out" in found


def test_a_seam_between_two_triangles_of_one_quad_stays(place: Place) -> None:
    corners, indices = CORNERS[INDICES], range(6)
    uv = np.concatenate([UV[[0, 1, 2]] * 0.5, UV[[0, 2, 3]] * 0.5 + 0.5]).astype(np.float32)
    glb = textured()
    primitive = glb.document["meshes"][0]["primitives"][0]
    primitive.update(glb.primitive(corners, indices, material=0))
    primitive["attributes"]["TEXCOORD_0"] = glb.accessor(uv, 5126, "VEC2")
    level = load(place("{file: a.glb}", a_glb=glb.glb()))
    assert sum(level.origins[k].kind == "model" for k in level.faces.origin) == 1, "it collides as one quad"
    mine = model_triangles(level)
    assert level.drawn_uv is not None
    found = {
        tuple(map(tuple, np.round(np.column_stack([corner, at]), 6).tolist()))
        for triangle, coordinates in zip(level.drawn[mine], level.drawn_uv[mine], strict=True)
        for corner, at in [
            (np.roll(triangle, shift, axis=0), np.roll(coordinates, shift, axis=0)) for shift in range(3)
        ]
    }
    for k in (0, 3):
        wanted = np.column_stack([corners[k : k + 3], uv[k : k + 3]])
        assert tuple(map(tuple, np.round(wanted.astype(float), 6).tolist())) in found


def test_pictures_change_nothing_that_collides(place: Place) -> None:
    """The same triangles in the same order, whatever the coordinates, colours and normals say."""
    rng = np.random.default_rng(5)
    plain, coloured = Glb(), textured(base())
    for glb in (plain, coloured):
        glb.document["nodes"].clear()
        glb.document["scenes"][0]["nodes"].clear()
        primitive = glb.primitive(BOX_CORNERS[BOX_TRIANGLES], None)
        if glb is coloured:
            count = len(BOX_TRIANGLES)
            normals = rng.normal(size=(count, 3))
            primitive["material"] = 0
            primitive["attributes"].update(
                TEXCOORD_0=glb.accessor(rng.random((count, 2)).astype("<f4"), 5126, "VEC2"),
                COLOR_0=glb.accessor(rng.integers(0, 255, (count, 4), np.uint8), 5121, "VEC4"),
                NORMAL=glb.accessor(normals.astype("<f4"), 5126, "VEC3"),
            )
        glb.node(mesh=glb.mesh(primitive))
    before = load(place("{file: a.glb}", a_glb=plain.glb()))
    after = load(place("{file: a.glb}", a_glb=coloured.glb()))
    assert np.array_equal(before.triangles, after.triangles)
    assert np.array_equal(before.quad_index, after.quad_index)
    assert np.array_equal(before.faces.corners, after.faces.corners)
    assert after.faces.seam is not None
    assert after.faces.seam.sum() == 6


@pytest.mark.parametrize("seed", range(6))
def test_merged_quads_keep_the_sources_of_their_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = BOX_CORNERS[BOX_TRIANGLES].reshape(-1, 3, 3)[rng.permutation(12)]
    triangles = np.stack([np.roll(triangle, rng.integers(3), axis=0) for triangle in triangles])
    faces, _, sources = merge_with_sources(triangles, np.zeros((12, 1), np.int32))
    points = triangles.reshape(-1, 3)
    assert np.array_equal(points[sources[:, :4]], faces)
    assert np.array_equal(points[sources[:, 4:]], faces[:, [1, 3]])
    assert ((sources[:, 0] // 3 == sources[:, 1] // 3) & (sources[:, 0] // 3 == sources[:, 3] // 3)).all()
    assert ((sources[:, 2] // 3 == sources[:, 4] // 3) & (sources[:, 2] // 3 == sources[:, 5] // 3)).all()


# Where pictures are


def test_pictures_inside_beside_and_as_text(place: Place) -> None:
    inside = textured()
    sources = {}
    for name, image, files in (
        ("inside", None, {}),
        ("beside", {"uri": "pics/a%62.png"}, {"pics__ab_png": PICTURE}),
        ("data", {"uri": "data:image/png;base64," + base64.b64encode(PICTURE).decode()}, {}),
    ):
        glb = inside if image is None else textured(None, image)
        path = place("{file: a.glb}", a_glb=glb.glb(), **files)
        found = model_surface(load(path)).base_colour_map
        assert found is not None, name
        assert picture_bytes(found.picture) == PICTURE, name
        assert warnings_of(path) == []
        sources[name] = found.picture
    assert sources["beside"].path.name == "ab.png"
    assert sources["inside"].path.name == sources["data"].path.name == "a.glb"


def test_pictures_of_a_gltf_in_its_buffers(place: Place) -> None:
    glb = textured()
    for files in ({"a_gltf": glb.gltf()}, {"a_gltf": glb.gltf("box.bin"), "box_bin": bytes(glb.binary)}):
        level = load(place("{file: a.gltf}", **files))
        found = model_surface(level).base_colour_map
        assert found is not None
        assert picture_bytes(found.picture) == PICTURE


def test_a_saved_picture_is_looked_for_again(place: Place) -> None:
    path = place("{file: a.glb}", a_glb=textured(None, {"uri": "a.png"}).glb())
    (found,) = warnings_of(path)
    assert "picture file `a.png` does not exist" in found
    assert path.with_name("a.png").resolve() in {file.resolve() for file in load(path).files}
    path.with_name("a.png").write_bytes(PICTURE)
    first = model_surface(load(path)).base_colour_map
    path.with_name("a.png").write_bytes(encoded_picture(size=(9, 9)))
    second = model_surface(load(path)).base_colour_map
    assert first is not None
    assert first != second


def test_a_webp_texture_is_read_and_a_ktx2_texture_is_reported(place: Place) -> None:
    glb = textured()
    glb.document["images"].append(glb.image(encoded_picture("WEBP")))
    glb.document["textures"][0]["extensions"] = {"EXT_texture_webp": {"source": 1}}
    glb.document["extensionsRequired"] = ["EXT_texture_webp"]
    found = model_surface(load(place("{file: a.glb}", a_glb=glb.glb()))).base_colour_map
    assert found is not None
    assert picture_bytes(found.picture)[8:12] == b"WEBP"
    glb.document["textures"] = [{"extensions": {"KHR_texture_basisu": {"source": 1}}}]
    (told,) = warnings_of(place("{file: a.glb}", a_glb=glb.glb()))
    assert "KHR_texture_basisu (KTX2), which is not supported: convert its textures" in told


# Materials


def test_factors_and_textures_of_a_material(place: Place) -> None:
    texture = {"index": 0}
    material = {
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 0.5], "baseColorTexture": texture,
            "metallicFactor": 0.25, "roughnessFactor": 0.75, "metallicRoughnessTexture": texture,
        },
        "normalTexture": {"index": 0, "scale": 0.5}, "occlusionTexture": {"index": 0, "strength": 0.25},
        "emissiveTexture": texture, "emissiveFactor": [1, 0.5, 0], "doubleSided": True,
        "alphaMode": "MASK", "alphaCutoff": 0.25,
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 8}},
    }  # fmt: skip
    level = load(place("{file: a.glb}", a_glb=textured(material).glb()))
    pbr = model_surface(level)
    assert len(pbr.maps) == 5
    assert pbr.base_colour == (0.5, 0.25, 1.0, 0.5)
    assert (pbr.metallic, pbr.roughness, pbr.normal_scale, pbr.occlusion_strength) == (0.25, 0.75, 0.5, 0.25)
    assert pbr.emission == (8.0, 4.0, 0.0)
    assert (pbr.alpha_mode, pbr.alpha_cutoff, pbr.double_sided, pbr.unlit) == (AlphaMode.MASK, 0.25, True, False)
    unlit = {**base(), "alphaMode": "BLEND", "extensions": {"KHR_materials_unlit": {}}, "normalTexture": texture}
    pbr = model_surface(load(place("{file: a.glb}", a_glb=textured(unlit).glb())))
    assert (pbr.unlit, pbr.alpha_mode, len(pbr.maps)) == (True, AlphaMode.BLEND, 1)
    older = {"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": texture, "glossinessFactor": 0.75}}
    pbr = model_surface(load(place("{file: a.glb}", a_glb=textured({"extensions": older}).glb())))
    assert (pbr.metallic, pbr.roughness, pbr.base_colour_map is not None) == (0.0, 0.25, True)


def test_a_plain_colour_stays_a_plain_surface(place: Place) -> None:
    for plain in ({}, {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}):
        level = load(place("{file: a.glb}", a_glb=textured(plain).glb()))
        assert level.drawn_uv is None
        assert level.drawn_normals is None
        assert all(surface.pbr is None for surface in level.surfaces)
    for shaded in ({"metallicFactor": 0, "roughnessFactor": 0.3}, {"metallicFactor": 1}):
        written = {"pbrMetallicRoughness": shaded}
        assert model_surface(load(place("{file: a.glb}", a_glb=textured(written).glb()))).maps == ()
    metal = {"pbrMetallicRoughness": {"metallicFactor": 1, "roughnessFactor": 0.2}}
    assert model_surface(load(place("{file: a.glb}", a_glb=textured(metal).glb()))).metallic == 1.0


@pytest.mark.parametrize(
    ("sampler", "wanted"),
    [
        ({}, (Wrap.REPEAT, Wrap.REPEAT, False)),
        ({"wrapS": 33071, "wrapT": 33648}, (Wrap.CLAMP, Wrap.MIRROR, False)),
        ({"magFilter": 9728, "minFilter": 9987}, (Wrap.REPEAT, Wrap.REPEAT, True)),
        ({"minFilter": 9728}, (Wrap.REPEAT, Wrap.REPEAT, False)),
    ],
)
def test_a_sampler_sets_wrapping_and_filter(
    place: Place, sampler: dict[str, int], wanted: tuple[Wrap, Wrap, bool]
) -> None:
    glb = textured()
    glb.document["samplers"] = [{}, sampler]
    glb.document["textures"][0]["sampler"] = 1
    found = model_surface(load(place("{file: a.glb}", a_glb=glb.glb()))).base_colour_map
    assert found is not None
    assert (found.wrap_u, found.wrap_v, found.nearest) == wanted


def test_transforms_move_turn_and_scale_coordinates(place: Place) -> None:
    """The example of the extension: the lower left quadrant of the picture, turned clockwise by 90 degrees."""
    transform = {"offset": [0, 1], "rotation": math.pi / 2, "scale": [0.5, 0.5]}
    glb = textured(base(extensions={"KHR_texture_transform": transform}))
    found = model_surface(load(place("{file: a.glb}", a_glb=glb.glb()))).base_colour_map
    assert found is not None
    rows = np.array(found.transform)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    moved = corners @ rows[:, :2].T + rows[:, 2]
    assert moved == pytest.approx(np.array([[0, 1], [0, 0.5], [0.5, 0.5], [0.5, 1]]), abs=1e-9)
    stretched = base(extensions={"KHR_texture_transform": {"rotation": math.pi / 2, "scale": [3, 2], "texCoord": 0}})
    found = model_surface(load(place("{file: a.glb}", a_glb=textured(stretched).glb()))).base_colour_map
    assert found is not None
    assert np.array(found.transform) == pytest.approx(np.array([[0, 2, 0], [-3, 0, 0]]), abs=1e-9), "scaled first"


def test_surfaces_of_the_level_win_over_pictures(place: Place) -> None:
    surfaces = "surfaces:\n  wood: {texture: planks}\n"
    colours = np.full((4, 4), 128, np.uint8)
    for piece in ("{file: a.glb, surfaces: {Brick: wood}}", "{file: a.glb, surface: wood}"):
        glb = textured()
        glb.document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = glb.accessor(colours, 5121, "VEC4")
        level = load(place(piece, surfaces, a_glb=glb.glb()))
        assert level.surfaces[level.drawn_surface[model_triangles(level)][0]].name == "wood"
        assert level.drawn_uv is None or np.isnan(level.drawn_uv).all()
        assert level.drawn_colours is None or (level.drawn_colours == 255).all()


def test_a_picture_changes_no_physics(place: Place) -> None:
    """A white material with a picture had the default surface before pictures were drawn: its hash is the same."""
    surfaces = "surfaces:\n  default: {friction: 0.3, bounce: 0.5, footstep: wood}\n"
    path = place("{file: a.glb}", surfaces, a_glb=textured().glb())
    drawn = load(path)
    path.write_text(path.read_text().replace("{file: a.glb}", "{file: a.glb, surface: default}"))
    plain = load(path)
    (surface,) = (surface for surface in drawn.surfaces if surface.pbr is not None)
    assert (surface.friction, surface.bounce, surface.footstep) == (0.3, 0.5, "wood")
    assert level_hash(drawn) == level_hash(plain)


# Colours and normals


@pytest.mark.parametrize("kind", ["bytes", "shorts", "floats"])
def test_vertex_colours_of_every_type_are_read_at_their_corners(place: Place, kind: str) -> None:
    rows = np.array([[0, 0.2, 1, 1], [0.2, 0.4, 1, 1], [1, 1, 1, 0.6], [0.8, 0.6, 1, 1]])
    glb = textured({"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.5, 0.5, 1]}})
    if kind == "floats":
        index = glb.accessor(rows[:, :3].astype("<f4"), 5126, "VEC3")
    else:
        largest, component = (255, 5121) if kind == "bytes" else (65535, 5123)
        index = glb.accessor(np.rint(rows * largest).astype("u1" if kind == "bytes" else "<u2"), component, "VEC4")
        glb.document["accessors"][index]["normalized"] = True
    glb.document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = index
    level = load(place("{file: a.glb}", a_glb=glb.glb()))
    assert level.drawn_colours is not None
    mine = model_triangles(level)
    assert (level.drawn_colours[~mine] == 255).all()
    by_corner = {tuple(p): c.tolist() for p, c in zip(
        level.drawn[mine].reshape(-1, 3).tolist(), level.drawn_colours[mine].reshape(-1, 4), strict=True
    )}  # fmt: skip
    wanted = np.rint(rows * 255)
    if kind == "floats":
        wanted[:, 3] = 255
    assert [by_corner[tuple(corner)] for corner in CORNERS.astype(float).tolist()] == wanted.tolist()
    assert model_surface(level).base_colour == pytest.approx((0.5, 0.5, 0.5, 1.0), abs=1e-6)


def test_vertex_colours_without_a_material_are_read_unless_white(place: Place) -> None:
    glb = textured()
    primitive = glb.document["meshes"][0]["primitives"][0]
    del primitive["material"]
    primitive["attributes"]["COLOR_0"] = glb.accessor(np.full((4, 4), 99, np.uint8), 5121, "VEC4")
    glb.document["accessors"][-1]["normalized"] = True
    level = load(place("{file: a.glb}", a_glb=glb.glb()))
    assert model_surface(level) == PbrMaterial()
    assert level.drawn_colours is not None
    assert level.drawn_colours[model_triangles(level)].tolist() == [[[99] * 4] * 3] * 2
    white = glb.accessor(np.full((4, 4), 255, np.uint8), 5121, "VEC4")
    glb.document["accessors"][white]["normalized"] = True
    primitive["attributes"]["COLOR_0"] = white
    assert load(place("{file: a.glb}", a_glb=glb.glb())).drawn_colours is None, "white is what exporters always write"


def test_smooth_normals_turn_with_their_node(place: Place) -> None:
    slanted = np.array([[-0.3, 1, 0], [0.3, 1, 0], [0.3, 1, 0], [-0.3, 1, 0]])
    slanted /= np.linalg.norm(slanted, axis=1, keepdims=True)
    glb = textured()
    normal = glb.accessor(slanted.astype("<f4"), 5126, "VEC3")
    glb.document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = normal
    glb.document["nodes"][0].update(rotation=[0, math.sqrt(0.5), 0, math.sqrt(0.5)], scale=[-1, 1, 1])
    level = load(place("{file: a.glb, facing: 90}", a_glb=glb.glb()))
    assert level.drawn_normals is not None
    mine = model_triangles(level)
    assert np.isnan(level.drawn_normals[~mine]).all()
    normals, drawn = level.drawn_normals[mine].reshape(-1, 3), level.drawn[mine].reshape(-1, 3)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(6))
    assert (normals[:, 1] > 0.9).all()
    middle = drawn.mean(axis=0)
    assert ((normals * (drawn - middle)).sum(axis=1) > 0.1).all(), "they spread from the middle, as in the file"


def test_a_plain_colour_is_shaded_smoothly_where_the_file_is(place: Place) -> None:
    red = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}
    for normals, smooth in ((np.tile([0, 1, 0], (4, 1)), False), (np.tile([0.3, 0.954, 0], (4, 1)), True)):
        glb = textured(red)
        normal = glb.accessor(normals.astype("<f4"), 5126, "VEC3")
        glb.document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = normal
        level = load(place("{file: a.glb}", a_glb=glb.glb()))
        assert (level.drawn_normals is not None) == smooth
        assert [surface.pbr is not None for surface in level.surfaces if surface.name == "a: Brick"] == [smooth]


def test_a_mover_carries_pictures(place: Place) -> None:
    path = place("{file: a.glb}", a_glb=textured().glb())
    text = path.read_text()
    mover = "  - mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 3, of: [{model: {file: a.glb}}]}\n"
    path.write_text(text[: text.index("  - model")] + mover)
    level = load(path)
    (found,) = level.movers
    assert level.drawn_uv is None or np.isnan(level.drawn_uv).all()
    assert found.drawn_uv is not None
    assert np.allclose(found.drawn_uv[..., 0], found.drawn[..., 0] / 2)


# Broken files


def with_texture(**fields: Any) -> bytes:
    glb = textured()
    glb.document.update(fields)
    return glb.glb()


def with_view(**fields: Any) -> bytes:
    """The picture's part of the buffer has other numbers."""
    glb = textured()
    glb.document["bufferViews"][glb.document["images"][0]["bufferView"]].update(fields)
    return glb.glb()


HALF = encoded_picture(size=(64, 64))[:-60]
HALF_TEXT = "data:image/png;base64," + base64.b64encode(HALF).decode()
HUGE = PICTURE[:16] + (40_000).to_bytes(4, "big") * 2 + PICTURE[24:]
BROKEN = {
    "texture out of range": (textured(base(index=7)).glb(), "number 7 of its `textures`"),
    "texture no number": (textured({"pbrMetallicRoughness": {"baseColorTexture": 5}}).glb(), "not an object"),
    "texture without a picture": (with_texture(textures=[{}]), "it names no picture: its `source` is missing"),
    "alpha mode": (
        textured({"alphaMode": "WHAT", "name": "Glass"}).glb(),
        "`materials[0].alphaMode` of material `Glass` is `WHAT`, not OPAQUE, MASK or BLEND: it is taken as OPAQUE"),
    "factor of three": (
        textured({"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0]}}).glb(),
        "`materials[0].pbrMetallicRoughness.baseColorFactor` of material `Brick` is `[1, 0, 0]`, not a list of 4"),
    "factor is a word": (
        textured({"pbrMetallicRoughness": {"baseColorFactor": "red"}}).glb(), "is `red`, not a list of 4 numbers"),
    "metal is a word": (
        textured({"pbrMetallicRoughness": {"metallicFactor": "full"}}).glb(), "`full`, not a number: it is taken as 1"),
    "look is a list": (textured({"pbrMetallicRoughness": []}).glb(), "is `[]`, not an object"),
    "image out of range": (with_texture(textures=[{"source": 9}]), "number 9 of its `images`"),
    "images no list": (with_texture(images={}), "number 0 of its `images`"),
    "image is text": (textured(None, b"no picture at all, but some text").glb(), "is text, not a picture"),
    "image is empty": (with_texture(images=[{}]), "has neither a file nor bytes"),
    "damaged": (textured(None, HALF).glb(), "picture `image 0` is damaged"),
    "damaged text": (textured(None, {"uri": HALF_TEXT}).glb(), "picture `image 0` is damaged"),
    "huge": (textured(None, HUGE).glb(), "has 40000 by 40000 pixels; the limit is 8192"),
    "view outside": (with_texture(images=[{"bufferView": 99}]), "number 99 of its `bufferViews`"),
    "view beyond": (with_view(byteOffset=10**6), "it is cut off at the end of a buffer"),
    "view in no buffer": (with_view(buffer=3), "it is not in a buffer"),
    "sampler missing": (with_texture(textures=[{"source": 0, "sampler": 3}]), "number 3 of its `samplers`"),
    "sampler of no kind": (
        with_texture(textures=[{"source": 0, "sampler": 0}], samplers=[{"wrapS": "repeat"}]), "is no wrap or filter"),
    "missing file": (textured(None, {"uri": "none.png"}).glb(), "picture file `none.png` does not exist"),
    "file of another kind": (textured(None, {"uri": "a.dds"}).glb(), "is not a picture file"),
    "outside": (textured(None, {"uri": "../../../secret.png"}).glb(), "outside the levels folder"),
    "elsewhere": (textured(None, {"uri": "https://example.org/a.png"}).glb(), "not a file next to it"),
    "bad base64": (textured(None, {"uri": "data:image/png;base64,?"}).glb(), "not valid base64"),
    "transform": (
        textured(base(extensions={"KHR_texture_transform": {"scale": [1]}})).glb(), "transform is not made of numbers"),
    "texcoord": (textured(base(texCoord=-1)).glb(), "`texCoord` is not 0 to 7"),
    "no coordinates": (textured(None, TEXCOORD_0=None).glb(), "no texture coordinates for the pictures of material"),
    "coordinates out of range": (textured(None, TEXCOORD_0=99).glb(), "number 99 of its `accessors`"),
    "coordinates of positions": (textured(None, TEXCOORD_0=0).glb(), "of a type that is not supported"),
    "normals out of range": (textured(None, NORMAL=99).glb(), "number 99 of its `accessors`"),
}  # fmt: skip


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_texture_is_a_warning_and_the_level_loads(place: Place, name: str) -> None:
    data, words = BROKEN[name]
    path = place("{file: a.glb}", a_glb=data)
    found = warnings_of(path)
    assert len(found) == 1, found
    assert words in found[0]
    assert not found[0].endswith(": "), "it has a cure"
    level = load(path)
    assert model_triangles(level).sum() == 2


def test_a_picture_that_a_gltf_misses_has_a_line(place: Place) -> None:
    glb = textured(None, {"uri": "brock.png"})
    text = json.dumps(json.loads(glb.gltf("box.bin")), indent=1)
    path = place("{file: a.gltf}", a_gltf=text, box_bin=bytes(glb.binary), brick_png=PICTURE)
    (found,) = findings_of(path, "warning")
    assert found.file.endswith("a.gltf")
    line = text.split("\n")[found.line - 1]
    assert line[found.column - 1 :].startswith('"brock.png"')
    assert "did you mean `brick.png`" in found.cure


def test_a_picture_is_told_once(place: Place) -> None:
    glb = textured(None, b"text, not a picture")
    glb.document["materials"] *= 5
    primitives = glb.document["meshes"][0]["primitives"]
    primitives += [{**copy.deepcopy(primitives[0]), "material": k} for k in range(1, 5)]
    found = warnings_of(place("{file: a.glb}", a_glb=glb.glb()))
    assert len([message for message in found if "picture" in message]) == 1


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(10))
def test_any_json_is_a_level_or_a_finding(place: Place, seed: int) -> None:
    rng = np.random.default_rng(seed)
    texture = {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"offset": [0, 1], "scale": [1, 2]}}}
    full = {
        "pbrMetallicRoughness": {"baseColorTexture": texture, "metallicRoughnessTexture": texture},
        "normalTexture": texture, "emissiveTexture": texture, "emissiveFactor": [1, 1, 1], "alphaMode": "MASK",
        "extensions": {"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 2}},
    }  # fmt: skip
    glb = textured(full)
    glb.document["samplers"] = [{"wrapS": 33071, "magFilter": 9728}]
    glb.document["textures"][0].update(sampler=0, extensions={"EXT_texture_webp": {"source": 0}})
    attributes = glb.document["meshes"][0]["primitives"][0]["attributes"]
    attributes["COLOR_0"] = glb.accessor(np.full((4, 4), 99, np.uint8), 5121, "VEC4")
    attributes["NORMAL"] = glb.accessor(np.ones((4, 3), np.float32), 5126, "VEC3")
    values = [None, -1, 3, 99, 2**40, 1e300, 0.5, "", "a.png", "data:image/png;base64,AAAA", [], [1], {}, True, [[]]]
    for _ in range(30):
        changed = copy.deepcopy(glb)
        for _ in range(int(rng.integers(1, 4))):
            _spoil(changed.document, rng, values)
        path = place("{file: a.glb}", a_glb=changed.glb())
        for found in check(path):
            assert found.message


def _spoil(value: Any, rng: np.random.Generator, values: list[Any]) -> None:
    """Replace or remove a random entry of nested lists and dictionaries."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(value[key], (dict, list)) and value[key] and rng.random() < 0.8:
            value = value[key]
            continue
        if rng.random() < 0.2:
            del value[key]
        else:
            value[key] = copy.deepcopy(values[int(rng.integers(len(values)))])
        return
