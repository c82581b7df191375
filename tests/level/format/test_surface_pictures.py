"""Pictures of surfaces: the material that a level file describes, the files behind it, and its bounds."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from game.app.hot_reload.file_watcher import level_digest
from game.app.launch.level_lookup import files_digest, rule_files
from game.level import Level, LevelBuilder, check, load
from game.level.format.pictures import MAX_PICTURES
from game.level.materials import AlphaMode, PbrMaterial
from game.sim.replay.fingerprint import level_hash

PIECES = "pieces:\n  - floor: {from: [-9, -9], to: [9, 9], surface: s}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "world" / "levels"
    (inner / "textures").mkdir(parents=True)
    Image.new("RGB", (40, 10), (200, 90, 40)).save(inner / "textures" / "p.png")
    for name in ("rough.png", "packed.jpg", "glow.webp"):
        Image.new("L", (4, 4), 90).save(inner / name)
    return inner


def loaded(folder: Path, surface: str, pieces: str = PIECES) -> Level:
    path = folder / "level.yaml"
    path.write_text(f"format: 1\nspawn: {{at: [0, 0, 3]}}\nsurfaces:\n  s: {{{surface}}}\n{pieces}", "utf-8")
    return load(path)


def material(folder: Path, surface: str) -> PbrMaterial:
    level = loaded(folder, surface)
    assert level.findings == ()
    made = level.surfaces[1].pbr
    assert made is not None
    return made


def test_a_picture_is_white_and_as_wide_as_a_metre(folder: Path) -> None:
    made = material(folder, "picture: textures/p.png")
    assert made.base_colour_map is not None
    assert made.base_colour_map.picture.path == (folder / "textures" / "p.png").resolve()
    assert made.base_colour_map.picture.modified[1] == (folder / "textures" / "p.png").stat().st_size
    assert not made.base_colour_map.nearest
    assert made.base_colour == (1.0, 1.0, 1.0, 1.0)
    assert made.size == (1.0, 0.25)
    assert (made.roughness, made.metallic, made.alpha_mode, made.scroll) == (1.0, 0.0, AlphaMode.OPAQUE, (0.0, 0.0))


def test_the_fields_of_a_surface_become_those_of_its_material(folder: Path) -> None:
    made = material(
        folder,
        "picture: textures/p.png, size: [2, 1], colour: '#808080', sampling: nearest, cutout: true, scroll: [1, -0.5],"
        " normal: rough.png, occlusion: rough.png, emission: glow.webp, brightness: 3, roughness: 0.3, metallic: 0.8",
    )
    assert made.base_colour[0] == pytest.approx(0.2158, abs=1e-3)
    assert made.size == (2.0, 1.0)
    assert made.alpha_mode is AlphaMode.MASK
    assert made.scroll == (0.5, 0.5), "texture coordinates per second; v runs down"
    assert made.emission == (3.0, 3.0, 3.0)
    assert (made.roughness, made.metallic) == (0.3, 0.8)
    assert [entry.nearest for entry in made.maps] == [True] * 4


def test_pictures_of_roughness_and_metal_use_their_own_channel(folder: Path) -> None:
    packed = material(folder, "picture: textures/p.png, roughness: packed.jpg, metallic: packed.jpg")
    assert packed.metallic_roughness_map is not None
    assert packed.metallic_roughness_map.picture.channels == ""
    assert (packed.roughness, packed.metallic) == (1.0, 1.0)
    rough = material(folder, "picture: textures/p.png, roughness: rough.png, metallic: 0.5")
    assert rough.metallic_roughness_map is not None
    assert rough.metallic_roughness_map.picture.channels == "g"
    assert (rough.roughness, rough.metallic) == (1.0, 0.5)
    metal = material(folder, "picture: textures/p.png, metallic: rough.png, roughness: 0.5")
    assert metal.metallic_roughness_map is not None
    assert metal.metallic_roughness_map.picture.channels == "b"


def test_a_surface_may_glow_without_a_picture(folder: Path) -> None:
    made = material(folder, "emission: white, brightness: 2, colour: black")
    assert made.maps == ()
    assert made.emission == (2.0, 2.0, 2.0)
    assert made.base_colour == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("surface", ["picture: gone.png, colour: red, texture: brick", "picture: bad.png, colour: red"])
def test_a_surface_without_its_picture_keeps_colour_and_texture(folder: Path, surface: str) -> None:
    (folder / "bad.png").write_text("no picture")
    level = loaded(folder, surface)
    assert [finding.severity for finding in level.findings if finding.where.endswith("picture")] == ["dropped"]
    assert level.surfaces[1].pbr is None
    assert level.surfaces[1].colour[0] > 0.7
    assert len(level.triangles) == 2
    assert level.drawn_uv is None
    assert (folder / surface.split()[1][:-1]).resolve() in level.files, "it is watched"


def test_included_files_name_pictures_beside_them(folder: Path) -> None:
    parts = folder / "parts"
    parts.mkdir()
    Image.new("RGB", (2, 2)).save(parts / "q.png")
    (parts / "part.yaml").write_text(
        "format: 1\nsurfaces: {s: {picture: q.png}, t: {picture: ../textures/p.png}}\n"
        "pieces: [box: {from: [0, 0, 0], to: [1, 1, 1], surface: s, top_surface: t}]\n"
    )
    level = loaded(folder, "picture: textures/p.png", PIECES + "  - include: {file: parts/part.yaml}\n")
    assert level.findings == ()
    assert {path.name for path in level.pictures} == {"p.png", "q.png"}
    assert level.drawn_uv is not None
    assert (abs(level.drawn_uv[-12:]) < 100).all()


def test_pictures_change_the_digest_and_no_hash(folder: Path) -> None:
    level = loaded(folder, "picture: textures/p.png, size: 2")
    plain = loaded(folder, "texture: brick")
    assert level_hash(level) == level_hash(plain)
    assert rule_files(level) == (level.path,)
    loaded(folder, "picture: textures/p.png, size: 2")
    before = level_digest(level)
    assert before == level_digest(level)
    records = files_digest(rule_files(level))
    picture = folder / "textures" / "p.png"
    saved = picture.stat().st_mtime_ns
    Image.new("RGB", (40, 10), (9, 9, 9)).save(picture)
    os.utime(picture, ns=(saved, saved + 10**9))  # a second later
    assert level_digest(level) != before
    assert files_digest(rule_files(level)) == records, "best times stay"
    assert loaded(folder, "picture: textures/p.png, size: 2").surfaces[1].pbr != level.surfaces[1].pbr


def test_a_heightmap_that_is_also_a_picture_counts_for_the_rules(folder: Path) -> None:
    pieces = PIECES + "  - terrain: {from: [20, 0], to: [30, 9], image: rough.png}\n"
    level = loaded(folder, "picture: rough.png", pieces)
    assert level.pictures == ()
    assert len(rule_files(level)) == 2


def test_check_decodes_what_load_only_looks_at(folder: Path) -> None:
    path = folder / "textures" / "p.png"
    Image.effect_noise((64, 64), 90).save(path)
    path.write_bytes(path.read_bytes()[:2000])
    assert loaded(folder, "picture: textures/p.png").findings == ()
    findings = check(folder / "level.yaml")
    assert len(findings) == 1
    assert "is damaged" in findings[0].message
    assert (findings[0].line, findings[0].column) == (4, 16)


def test_a_finding_of_a_damaged_picture_names_no_object_in_memory(folder: Path) -> None:
    path = folder / "textures" / "p.png"
    data = bytearray(path.read_bytes())
    data[29] ^= 255  # the checksum of the header
    path.write_bytes(data)
    loaded(folder, "picture: textures/p.png")
    (finding,) = check(folder / "level.yaml")
    assert finding.message.endswith("picture `p.png` is damaged")


def test_a_picture_of_forty_thousand_pixels_is_never_decoded(folder: Path) -> None:
    data = bytearray((folder / "textures" / "p.png").read_bytes())
    data[16:24] = struct.pack(">2I", 40_000, 40_000)  # a header without the pixels: whoever decodes them fails
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    (folder / "wide.png").write_bytes(data)
    loaded(folder, "picture: wide.png")
    findings = check(folder / "level.yaml")
    assert "has 40000 by 40000 pixels" in findings[0].message


@pytest.mark.full
def test_the_number_of_pictures_is_bounded(folder: Path) -> None:
    data = (folder / "rough.png").read_bytes()
    names = [f"n{k}.png" for k in range(MAX_PICTURES + 1)]
    for name in names:
        (folder / name).write_bytes(data)
    decals = "".join(f"  - decal: {{picture: {name}, at: [0, 0, 0], on: floor}}\n" for name in names)
    level = loaded(folder, "texture: brick", PIECES + decals)
    assert [finding.message for finding in level.findings] == [f"the level names more than {MAX_PICTURES} pictures"]


def test_levels_built_in_python_have_pictures(folder: Path) -> None:
    surfaces = {"s": {"picture": Path("textures/p.png"), "size": (2, 1), "roughness": 0.5}}
    builder = LevelBuilder(spawn={"at": (0, 0, 0)}, surfaces=surfaces, base=folder / "made.yaml")
    builder.add("floor", from_=(-4, -4), to=(4, 4), surface="s")
    builder.add("decal", picture="textures/p.png", at=(0, 0, 0), on="floor", size=0.5)
    level = builder.build()
    assert level.findings == ()
    assert level.surfaces[1].pbr is not None
    level.save(folder / "saved.yaml")
    assert load(folder / "saved.yaml").surfaces[1].pbr == level.surfaces[1].pbr


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "PA", "RGBA", "I;16", "CMYK", "YCbCr"])
def test_every_mode_of_a_picture_is_read(folder: Path, mode: str) -> None:
    ending = "jpg" if mode in ("CMYK", "YCbCr") else "png"
    if mode == "PA":
        Image.new("RGBA", (4, 4), (9, 9, 9, 9)).quantize().save(folder / f"m.{ending}")
    else:
        Image.new(mode, (4, 4)).save(folder / f"m.{ending}")
    assert material(folder, f"picture: m.{ending}").base_colour_map is not None
    assert check(folder / "level.yaml") == []
