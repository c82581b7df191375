"""Textures, texture coordinates, vertex colours and normals of glTF models."""

from __future__ import annotations

import base64
import copy
import json
import math

import numpy as np
import pytest

from game.level import check, load
from game.level.geometry.quads_from_triangles import merge_with_sources
from game.level.materials import AlphaMode, PbrMaterial, Wrap
from game.sim.replay.fingerprint import level_hash
from tests.support.model_files import BOX_CORNERS, BOX_TRIANGLES, Glb, encoded_picture, findings_of

CORNERS = np.array([[0, 0, 0], [2, 0, 0], [2, 0, -2], [0, 0, -2]], np.float32)
INDICES = [0, 1, 2, 0, 2, 3]
UV = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
PICTURE = encoded_picture()
TEXTURE = {"index": 0}


def textured(material=None, image=PICTURE, **attributes):
    """A square of two triangles whose material has the picture as its base colour."""
    glb = Glb()
    document = glb.document
    document["images"] = [glb.image(image) if isinstance(image, bytes) else image]
    document["textures"] = [{"source": 0}]
    document["materials"] = [{"name": "Brick", **(shaded(baseColorTexture=TEXTURE) if material is None else material)}]
    primitive = glb.primitive(CORNERS, INDICES, material=0)
    given = {"TEXCOORD_0": glb.accessor(UV, 5126, "VEC2"), **attributes}
    primitive["attributes"].update({name: value for name, value in given.items() if value is not None})
    glb.node(name="Square", mesh=glb.mesh(primitive))
    return glb


def shaded(**fields):
    return {"pbrMetallicRoughness": fields}


def base(**fields):
    return shaded(baseColorTexture={"index": 0, **fields})


def model_surface(level):
    (pbr,) = (surface.pbr for surface in level.surfaces if surface.pbr is not None)
    return pbr


def surface_of(place, glb, **files):
    """The shading of a model, and its level."""
    level = load(place(a_glb=glb, **files))
    return model_surface(level), level


def model_triangles(level):
    """Mask of the visible triangles of the model."""
    return np.array([level.quad_origin(int(quad))[0] != "floor" for quad in level.drawn_quad])


def picture_bytes(source):
    data = source.data or source.path.read_bytes()
    return data[source.offset : None if source.length < 0 else source.offset + source.length]


def warnings_of(path):
    assert findings_of(path) == []
    return [f"{found.message}: {found.cure}" for found in findings_of(path, "warning")]


# Coordinates


def test_each_corner_has_the_coordinates_of_the_file(place):
    level = load(place("{file: a.glb, at: [5, 0, 7], facing: 90, scale: 3}", a_glb=textured()))
    mine = model_triangles(level)
    assert np.isnan(level.drawn_uv[~mine]).all(), "the floor has none"
    local = level.drawn[mine] - (5, 0, 7)
    east, north = -local[..., 2] / 6, -local[..., 0] / 6  # of the square, turned by 90 degrees
    assert np.allclose(level.drawn_uv[mine], np.stack([east, 1 - north], axis=-1), atol=1e-6)
    assert level.surfaces[level.drawn_surface[mine][0]].name == "a: Brick"


@pytest.mark.parametrize(("component", "kind", "largest"), [(5121, "u1", 255), (5123, "<u2", 65535)])
def test_normalized_integers_are_read_as_texture_coordinates(place, component, kind, largest):
    glb = textured()
    glb.attribute("TEXCOORD_0", (UV * largest).astype(kind), component, "VEC2", normal=True, stride=4)
    level = load(place(a_glb=glb))
    assert sorted(np.unique(level.drawn_uv[model_triangles(level)]).tolist()) == [0.0, 1.0]


def test_quantized_positions_are_read_at_the_scale_of_the_node(place):
    """KHR_mesh_quantization: shorts, whose size is in the node's scale."""
    glb = textured()
    glb.document["extensionsRequired"] = glb.document["extensionsUsed"] = ["KHR_mesh_quantization"]
    glb.attribute("POSITION", (CORNERS * 1000).astype("<i2"), 5122, "VEC3", stride=8)
    glb.document["nodes"][0]["scale"] = [0.001] * 3
    path = place(a_glb=glb)
    assert warnings_of(path) == []
    level = load(path)
    drawn = level.drawn[model_triangles(level)]
    assert drawn.min(axis=(0, 1)) == pytest.approx([0, 0, -2])
    assert drawn.max(axis=(0, 1)) == pytest.approx([2, 0, 0])


def test_the_set_of_coordinates_is_the_one_that_the_material_names(place):
    glb = textured(base(texCoord=1))
    glb.attribute("TEXCOORD_1", UV * 4, 5126, "VEC2")
    assert np.nanmax(load(place(a_glb=glb)).drawn_uv) == 4.0
    both = {**base(), "occlusionTexture": {"index": 0, "texCoord": 1}, "normalTexture": TEXTURE}
    glb.document["materials"] = [{"name": "Brick", **both}]
    pbr, level = surface_of(place, glb)
    assert (pbr.occlusion_map is None, pbr.normal_map is None) == (True, False)
    (found,) = warnings_of(level.path)
    assert "the occlusion texture of material `Brick` is left out" in found


def test_a_seam_between_two_triangles_of_one_quad_stays(place):
    corners = CORNERS[INDICES]
    uv = np.concatenate([UV[[0, 1, 2]] * 0.5, UV[[0, 2, 3]] * 0.5 + 0.5]).astype(np.float32)
    glb = textured()
    glb.document["meshes"][0]["primitives"][0].update(glb.primitive(corners, range(6), material=0))
    glb.attribute("TEXCOORD_0", uv, 5126, "VEC2")
    level = load(place(a_glb=glb))
    assert sum(level.origins[k].kind == "model" for k in level.faces.origin) == 1, "it collides as one quad"
    mine = model_triangles(level)
    drawn = np.concatenate([level.drawn[mine], level.drawn_uv[mine]], axis=2)
    wanted = np.concatenate([corners, uv], axis=1).reshape(2, 3, 5)

    def from_its_least_corner(triangle):
        return min(np.round(np.roll(triangle, shift, axis=0), 6).tolist() for shift in range(3))

    assert sorted(map(from_its_least_corner, drawn)) == sorted(map(from_its_least_corner, wanted.astype(float)))


def test_pictures_change_nothing_that_collides(place):
    """The same triangles in the same order, whatever the coordinates, colours and normals say."""
    rng, count = np.random.default_rng(5), len(BOX_TRIANGLES)
    plain, coloured = Glb(), Glb()
    coloured.document.update({key: textured(base()).document[key] for key in ("textures", "materials")})
    coloured.document["images"] = [coloured.image(PICTURE)]
    for glb in (plain, coloured):
        glb.node(mesh=glb.mesh(glb.primitive(BOX_CORNERS[BOX_TRIANGLES], None)))
    coloured.document["meshes"][0]["primitives"][0]["material"] = 0
    coloured.attribute("TEXCOORD_0", rng.random((count, 2)).astype("<f4"), 5126, "VEC2")
    coloured.attribute("COLOR_0", rng.integers(0, 255, (count, 4), np.uint8), 5121, "VEC4")
    coloured.attribute("NORMAL", rng.normal(size=(count, 3)).astype("<f4"), 5126, "VEC3")
    before, after = (load(place(a_glb=glb)) for glb in (plain, coloured))
    assert np.array_equal(before.triangles, after.triangles)
    assert np.array_equal(before.quad_index, after.quad_index)
    assert np.array_equal(before.faces.corners, after.faces.corners)
    assert after.faces.seam.sum() == 6


@pytest.mark.parametrize("seed", range(6))
def test_merged_quads_keep_the_sources_of_their_corners(seed):
    rng = np.random.default_rng(seed)
    triangles = BOX_CORNERS[BOX_TRIANGLES].reshape(-1, 3, 3)[rng.permutation(12)]
    triangles = np.stack([np.roll(triangle, rng.integers(3), axis=0) for triangle in triangles])
    faces, _, sources = merge_with_sources(triangles, np.zeros((12, 1), np.int32))
    points = triangles.reshape(-1, 3)
    assert np.array_equal(points[sources[:, :4]], faces)
    assert np.array_equal(points[sources[:, 4:]], faces[:, [1, 3]])
    of_one_triangle = sources // 3
    assert (of_one_triangle[:, [1, 3]] == of_one_triangle[:, [0]]).all()
    assert (of_one_triangle[:, [4, 5]] == of_one_triangle[:, [2]]).all()


# Where pictures are


def test_pictures_inside_beside_and_as_text(place):
    text = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
    for image, files, name in (
        (PICTURE, {}, "a.glb"),
        ({"uri": text}, {}, "a.glb"),
        ({"uri": "pics/a%62.png"}, {"pics__ab_png": PICTURE}, "ab.png"),
    ):
        pbr, level = surface_of(place, textured(None, image), **files)
        assert picture_bytes(pbr.base_colour_map.picture) == PICTURE, name
        assert pbr.base_colour_map.picture.path.name == name
        assert warnings_of(level.path) == []


def test_pictures_of_a_gltf_in_its_buffers(place):
    glb = textured()
    for files in ({"a_gltf": glb.gltf()}, {"a_gltf": glb.gltf("box.bin"), "box_bin": bytes(glb.binary)}):
        level = load(place("{file: a.gltf}", **files))
        assert picture_bytes(model_surface(level).base_colour_map.picture) == PICTURE


def test_a_saved_picture_is_looked_for_again(place):
    path = place(a_glb=textured(None, {"uri": "a.png"}))
    picture = path.with_name("a.png").resolve()
    (found,) = warnings_of(path)
    assert "picture file `a.png` does not exist" in found
    assert picture in {file.resolve() for file in load(path).files}
    picture.write_bytes(PICTURE)
    first = model_surface(load(path)).base_colour_map
    picture.write_bytes(encoded_picture(size=(9, 9)))
    assert first is not None
    assert first != model_surface(load(path)).base_colour_map


def test_a_webp_texture_is_read_and_a_ktx2_texture_is_reported(place):
    glb = textured()
    glb.document["images"].append(glb.image(encoded_picture("WEBP")))
    glb.document["textures"][0]["extensions"] = {"EXT_texture_webp": {"source": 1}}
    glb.document["extensionsRequired"] = ["EXT_texture_webp"]
    assert picture_bytes(surface_of(place, glb)[0].base_colour_map.picture)[8:12] == b"WEBP"
    glb.document["textures"] = [{"extensions": {"KHR_texture_basisu": {"source": 1}}}]
    (told,) = warnings_of(place(a_glb=glb))
    assert "KHR_texture_basisu (KTX2), which is not supported: convert its textures" in told


# Materials


def test_factors_and_textures_of_a_material(place):
    material = {
        **shaded(
            baseColorFactor=[0.5, 0.25, 1, 0.5], baseColorTexture=TEXTURE,
            metallicFactor=0.25, roughnessFactor=0.75, metallicRoughnessTexture=TEXTURE,
        ),
        "normalTexture": {"index": 0, "scale": 0.5}, "occlusionTexture": {"index": 0, "strength": 0.25},
        "emissiveTexture": TEXTURE, "emissiveFactor": [1, 0.5, 0], "doubleSided": True,
        "alphaMode": "MASK", "alphaCutoff": 0.25,
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 8}},
    }  # fmt: skip
    pbr, _ = surface_of(place, textured(material))
    assert len(pbr.maps) == 5
    assert (pbr.base_colour, pbr.emission) == ((0.5, 0.25, 1.0, 0.5), (8.0, 4.0, 0.0))
    assert (pbr.metallic, pbr.roughness, pbr.normal_scale, pbr.occlusion_strength) == (0.25, 0.75, 0.5, 0.25)
    assert (pbr.alpha_mode, pbr.alpha_cutoff, pbr.double_sided, pbr.unlit) == (AlphaMode.MASK, 0.25, True, False)
    unlit = {**base(), "alphaMode": "BLEND", "extensions": {"KHR_materials_unlit": {}}, "normalTexture": TEXTURE}
    pbr, _ = surface_of(place, textured(unlit))
    assert (pbr.unlit, pbr.alpha_mode, len(pbr.maps)) == (True, AlphaMode.BLEND, 1)
    older = {"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": TEXTURE, "glossinessFactor": 0.75}}
    pbr, _ = surface_of(place, textured({"extensions": older}))
    assert (pbr.metallic, pbr.roughness, pbr.base_colour_map is not None) == (0.0, 0.25, True)


def test_a_plain_colour_stays_a_plain_surface(place):
    for plain in ({}, shaded(baseColorFactor=[1, 0, 0, 1])):
        level = load(place(a_glb=textured(plain)))
        assert level.drawn_uv is level.drawn_normals is None
        assert all(surface.pbr is None for surface in level.surfaces)
    for factors, metallic in (({"metallicFactor": 0, "roughnessFactor": 0.3}, 0.0), ({"metallicFactor": 1}, 1.0)):
        pbr, _ = surface_of(place, textured(shaded(**factors)))
        assert (pbr.maps, pbr.metallic) == ((), metallic)


@pytest.mark.parametrize(
    ("sampler", "wanted"),
    [
        ({}, (Wrap.REPEAT, Wrap.REPEAT, False)),
        ({"wrapS": 33071, "wrapT": 33648}, (Wrap.CLAMP, Wrap.MIRROR, False)),
        ({"magFilter": 9728, "minFilter": 9987}, (Wrap.REPEAT, Wrap.REPEAT, True)),
        ({"minFilter": 9728}, (Wrap.REPEAT, Wrap.REPEAT, False)),
    ],
)
def test_a_sampler_sets_wrapping_and_filter(place, sampler, wanted):
    glb = textured()
    glb.document["samplers"] = [{}, sampler]
    glb.document["textures"][0]["sampler"] = 1
    found = surface_of(place, glb)[0].base_colour_map
    assert (found.wrap_u, found.wrap_v, found.nearest) == wanted


def test_transforms_move_turn_and_scale_coordinates(place):
    """The example of the extension: the lower left quadrant of the picture, turned clockwise by 90 degrees."""

    def transform(**fields):
        glb = textured(base(extensions={"KHR_texture_transform": {"rotation": math.pi / 2, **fields}}))
        return np.array(surface_of(place, glb)[0].base_colour_map.transform)

    rows = transform(offset=[0, 1], scale=[0.5, 0.5])
    moved = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) @ rows[:, :2].T + rows[:, 2]
    assert moved == pytest.approx(np.array([[0, 1], [0, 0.5], [0.5, 0.5], [0.5, 1]]), abs=1e-9)
    scaled_first = np.array([[0, 2, 0], [-3, 0, 0]])
    assert transform(scale=[3, 2], texCoord=0) == pytest.approx(scaled_first, abs=1e-9)


@pytest.mark.parametrize("piece", ["{file: a.glb, surfaces: {Brick: wood}}", "{file: a.glb, surface: wood}"])
def test_surfaces_of_the_level_win_over_pictures(place, piece):
    glb = textured()
    glb.attribute("COLOR_0", np.full((4, 4), 128, np.uint8), 5121, "VEC4")
    level = load(place(piece, "surfaces:\n  wood: {texture: planks}\n", a_glb=glb))
    assert level.surfaces[level.drawn_surface[model_triangles(level)][0]].name == "wood"
    assert level.drawn_uv is None or np.isnan(level.drawn_uv).all()
    assert level.drawn_colours is None or (level.drawn_colours == 255).all()


def test_a_picture_changes_no_physics(place):
    """A white material with a picture had the default surface before pictures were drawn: its hash is the same."""
    surfaces = "surfaces:\n  default: {friction: 0.3, bounce: 0.5, footstep: wood}\n"
    drawn = load(place("{file: a.glb}", surfaces, a_glb=textured()))
    plain = load(place("{file: a.glb, surface: default}", surfaces))
    (surface,) = (surface for surface in drawn.surfaces if surface.pbr is not None)
    assert (surface.friction, surface.bounce, surface.footstep) == (0.3, 0.5, "wood")
    assert level_hash(drawn) == level_hash(plain)


# Colours and normals


@pytest.mark.parametrize(("largest", "kind", "component"), [(255, "u1", 5121), (65535, "<u2", 5123), (1, "<f4", 5126)])
def test_vertex_colours_of_every_type_are_read_at_their_corners(place, largest, kind, component):
    rows = np.array([[0, 0.2, 1, 1], [0.2, 0.4, 1, 1], [1, 1, 1, 0.6], [0.8, 0.6, 1, 1]])
    glb = textured(shaded(baseColorFactor=[0.5, 0.5, 0.5, 1]))
    if largest == 1:  # without opacity
        rows[:, 3] = 1
        glb.attribute("COLOR_0", rows[:, :3].astype(kind), component, "VEC3")
    else:
        glb.attribute("COLOR_0", np.rint(rows * largest).astype(kind), component, "VEC4", normal=True)
    pbr, level = surface_of(place, glb)
    mine = model_triangles(level)
    assert (level.drawn_colours[~mine] == 255).all()
    corners, colours = level.drawn[mine].reshape(-1, 3), level.drawn_colours[mine].reshape(-1, 4)
    by_corner = dict(zip(map(tuple, corners.tolist()), colours.tolist(), strict=True))
    assert [by_corner[tuple(corner)] for corner in CORNERS.tolist()] == np.rint(rows * 255).tolist()
    assert pbr.base_colour == pytest.approx((0.5, 0.5, 0.5, 1.0), abs=1e-6)


def test_vertex_colours_without_a_material_are_read_unless_white(place):
    glb = textured()
    del glb.document["meshes"][0]["primitives"][0]["material"]
    glb.attribute("COLOR_0", np.full((4, 4), 99, np.uint8), 5121, "VEC4", normal=True)
    pbr, level = surface_of(place, glb)
    assert pbr == PbrMaterial()
    assert level.drawn_colours[model_triangles(level)].tolist() == [[[99] * 4] * 3] * 2
    glb.attribute("COLOR_0", np.full((4, 4), 255, np.uint8), 5121, "VEC4", normal=True)
    assert load(place(a_glb=glb)).drawn_colours is None, "white is what exporters always write"


def test_smooth_normals_turn_with_their_node(place):
    slanted = np.array([[-0.3, 1, 0], [0.3, 1, 0], [0.3, 1, 0], [-0.3, 1, 0]])
    slanted /= np.linalg.norm(slanted, axis=1, keepdims=True)
    glb = textured()
    glb.attribute("NORMAL", slanted.astype("<f4"), 5126, "VEC3")
    glb.document["nodes"][0].update(rotation=[0, math.sqrt(0.5), 0, math.sqrt(0.5)], scale=[-1, 1, 1])
    level = load(place("{file: a.glb, facing: 90}", a_glb=glb))
    mine = model_triangles(level)
    assert np.isnan(level.drawn_normals[~mine]).all()
    normals, drawn = level.drawn_normals[mine].reshape(-1, 3), level.drawn[mine].reshape(-1, 3)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(6))
    assert (normals[:, 1] > 0.9).all()
    from_the_middle = drawn - drawn.mean(axis=0)
    assert ((normals * from_the_middle).sum(axis=1) > 0.1).all(), "they spread, as in the file"


@pytest.mark.parametrize(
    ("around", "copies"),
    [("array: {count: 3, step: [3, 0, 0], turn: 90, of: [%s]}", 3), ("group: {scale: [1, 3, 1], of: [%s]}", 1)],
)
def test_copies_repeat_coordinates_and_keep_normals_square_to_their_face(place, around, copies):
    slope = np.array([[0, 0, 0], [1, 0, 0], [1, 1, -1], [0, 1, -1]], np.float32)
    glb = textured()
    glb.attribute("POSITION", slope, 5126, "VEC3")
    glb.attribute("NORMAL", np.tile([-0.3, 0.7, 0.7], (4, 1)).astype("<f4"), 5126, "VEC3")  # not that of the face
    path = place(a_glb=glb)
    path.write_text(path.read_text().replace("model: {file: a.glb}", around % "model: {file: a.glb}"))
    level = load(path)
    mine = model_triangles(level)
    triangles, uv = level.drawn[mine].reshape(copies, 6, 3), level.drawn_uv[mine].reshape(copies, 6, 2)
    assert (uv == uv[0]).all()
    normals = level.drawn_normals[mine].reshape(copies, 6, 3)
    assert np.linalg.norm(normals, axis=2) == pytest.approx(np.ones((copies, 6)))
    face = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, None]
    face /= np.linalg.norm(face, axis=2, keepdims=True)
    along = normals - (normals * face).sum(axis=2, keepdims=True) * face
    assert along[..., 1] == pytest.approx(np.zeros((copies, 6)), abs=1e-6), "level, as in the file"
    assert np.linalg.norm(along, axis=2).min() > 0.25


@pytest.mark.parametrize(("normal", "smooth"), [([0, 1, 0], False), ([0.3, 0.954, 0], True)])
def test_a_plain_colour_is_shaded_smoothly_where_the_file_is(place, normal, smooth):
    glb = textured(shaded(baseColorFactor=[1, 0, 0, 1]))
    glb.attribute("NORMAL", np.tile(normal, (4, 1)).astype("<f4"), 5126, "VEC3")
    level = load(place(a_glb=glb))
    assert (level.drawn_normals is not None) == smooth
    assert [surface.pbr is not None for surface in level.surfaces if surface.name == "a: Brick"] == [smooth]


def test_a_mover_carries_pictures(place):
    path = place(a_glb=textured())
    mover = "  - mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 3, of: [{model: {file: a.glb}}]}\n"
    path.write_text(path.read_text().replace("  - model: {file: a.glb}\n", mover))
    level = load(path)
    (found,) = level.movers
    assert level.drawn_uv is None or np.isnan(level.drawn_uv).all()
    assert np.allclose(found.drawn_uv[..., 0], found.drawn[..., 0] / 2)


# Broken files


def with_texture(**fields):
    glb = textured()
    glb.document.update(fields)
    return glb


def with_view(**fields):
    """The picture's part of the buffer has other numbers."""
    glb = textured()
    glb.document["bufferViews"][glb.document["images"][0]["bufferView"]].update(fields)
    return glb


HALF = encoded_picture(size=(64, 64))[:-60]
HALF_TEXT = "data:image/png;base64," + base64.b64encode(HALF).decode()
HUGE = PICTURE[:16] + (40_000).to_bytes(4, "big") * 2 + PICTURE[24:]
BROKEN = {
    "texture out of range": (textured(base(index=7)), "number 7 of its `textures`"),
    "texture no number": (textured(shaded(baseColorTexture=5)), "not an object"),
    "texture without a picture": (with_texture(textures=[{}]), "it names no picture: its `source` is missing"),
    "alpha mode": (
        textured({"alphaMode": "WHAT", "name": "Glass"}),
        "`materials[0].alphaMode` of material `Glass` is `WHAT`, not OPAQUE, MASK or BLEND: it is taken as OPAQUE"),
    "factor of three": (
        textured(shaded(baseColorFactor=[1, 0, 0])),
        "`materials[0].pbrMetallicRoughness.baseColorFactor` of material `Brick` is `[1, 0, 0]`, not a list of 4"),
    "factor is a word": (textured(shaded(baseColorFactor="red")), "is `red`, not a list of 4 numbers"),
    "metal is a word": (textured(shaded(metallicFactor="full")), "`full`, not a number: it is taken as 1"),
    "look is a list": (textured({"pbrMetallicRoughness": []}), "is `[]`, not an object"),
    "image out of range": (with_texture(textures=[{"source": 9}]), "number 9 of its `images`"),
    "images no list": (with_texture(images={}), "number 0 of its `images`"),
    "image is text": (textured(None, b"no picture at all, but some text"), "is text, not a picture"),
    "image is empty": (with_texture(images=[{}]), "has neither a file nor bytes"),
    "damaged": (textured(None, HALF), "picture `image 0` is damaged"),
    "damaged text": (textured(None, {"uri": HALF_TEXT}), "picture `image 0` is damaged"),
    "huge": (textured(None, HUGE), "has 40000 by 40000 pixels; the limit is 8192"),
    "view outside": (with_texture(images=[{"bufferView": 99}]), "number 99 of its `bufferViews`"),
    "view beyond": (with_view(byteOffset=10**6), "it is cut off at the end of a buffer"),
    "view in no buffer": (with_view(buffer=3), "it is not in a buffer"),
    "sampler missing": (with_texture(textures=[{"source": 0, "sampler": 3}]), "number 3 of its `samplers`"),
    "sampler of no kind": (
        with_texture(textures=[{"source": 0, "sampler": 0}], samplers=[{"wrapS": "repeat"}]), "is no wrap or filter"),
    "missing file": (textured(None, {"uri": "none.png"}), "picture file `none.png` does not exist"),
    "file of another kind": (textured(None, {"uri": "a.dds"}), "is not a picture file"),
    "outside": (textured(None, {"uri": "../../../secret.png"}), "outside the levels folder"),
    "elsewhere": (textured(None, {"uri": "https://example.org/a.png"}), "not a file next to it"),
    "bad base64": (textured(None, {"uri": "data:image/png;base64,?"}), "not valid base64"),
    "transform": (
        textured(base(extensions={"KHR_texture_transform": {"scale": [1]}})), "transform is not made of numbers"),
    "texcoord": (textured(base(texCoord=-1)), "`texCoord` is not 0 to 7"),
    "no coordinates": (textured(None, TEXCOORD_0=None), "no texture coordinates for the pictures of material"),
    "coordinates out of range": (textured(None, TEXCOORD_0=99), "number 99 of its `accessors`"),
    "coordinates of positions": (textured(None, TEXCOORD_0=0), "of a type that is not supported"),
    "normals out of range": (textured(None, NORMAL=99), "number 99 of its `accessors`"),
}  # fmt: skip


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_texture_is_a_warning_and_the_level_loads(place, name):
    glb, words = BROKEN[name]
    path = place(a_glb=glb)
    (found,) = warnings_of(path)
    assert words in found
    assert not found.endswith(": "), "it has a cure"
    assert model_triangles(load(path)).sum() == 2


def test_a_picture_that_a_gltf_misses_has_a_line(place):
    glb = textured(None, {"uri": "brock.png"})
    text = json.dumps(json.loads(glb.gltf("box.bin")), indent=1)
    path = place(a_gltf=text, box_bin=bytes(glb.binary), brick_png=PICTURE)
    (found,) = findings_of(path, "warning")
    assert found.file.endswith("a.gltf")
    assert text.split("\n")[found.line - 1][found.column - 1 :].startswith('"brock.png"')
    assert "did you mean `brick.png`" in found.cure


def test_a_picture_is_told_once(place):
    glb = textured(None, b"text, not a picture")
    glb.document["materials"] *= 5
    primitives = glb.document["meshes"][0]["primitives"]
    primitives += [{**copy.deepcopy(primitives[0]), "material": k} for k in range(1, 5)]
    assert len([message for message in warnings_of(place(a_glb=glb)) if "picture" in message]) == 1


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(10))
def test_any_json_is_a_level_or_a_finding(place, seed):
    rng = np.random.default_rng(seed)
    texture = {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"offset": [0, 1], "scale": [1, 2]}}}
    full = {
        **shaded(baseColorTexture=texture, metallicRoughnessTexture=texture),
        "normalTexture": texture, "emissiveTexture": texture, "emissiveFactor": [1, 1, 1], "alphaMode": "MASK",
        "extensions": {"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 2}},
    }  # fmt: skip
    glb = textured(full)
    glb.document["samplers"] = [{"wrapS": 33071, "magFilter": 9728}]
    glb.document["textures"][0].update(sampler=0, extensions={"EXT_texture_webp": {"source": 0}})
    glb.attribute("COLOR_0", np.full((4, 4), 99, np.uint8), 5121, "VEC4")
    glb.attribute("NORMAL", np.ones((4, 3), np.float32), 5126, "VEC3")
    values = [None, -1, 3, 99, 2**40, 1e300, 0.5, "", "a.png", "data:image/png;base64,AAAA", [], [1], {}, True, [[]]]
    for _ in range(30):
        changed = copy.deepcopy(glb)
        for _ in range(int(rng.integers(1, 4))):
            spoil(changed.document, rng, values)
        assert all(found.message for found in check(place(a_glb=changed)))


def spoil(value, rng, values):
    """Replace or remove a random entry of nested lists and dictionaries."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = keys[int(rng.integers(len(keys)))]
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.8:
        spoil(value[key], rng, values)
    elif rng.random() < 0.2:
        del value[key]
    else:
        value[key] = copy.deepcopy(values[int(rng.integers(len(values)))])
