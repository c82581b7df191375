"""Pictures of Quake maps: found by texture name, and aligned as the editor aligned them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.level import Finding, Level, check, load
from game.level.materials import AlphaMode
from game.level.models.quake.map_parser import BrushFace
from game.level.models.quake.textures import read_alignment
from game.level.models.texture_folder import TextureFolder
from tests.support import quake_maps as maps
from tests.support.model_files import encoded_picture

PICTURE = encoded_picture("PNG", (64, 128))


def level_of(tmp_path: Path, *brushes: str, fields: str = "textures: pics", **pictures: bytes) -> Path:
    """A level around a map with these brushes, and pictures in the folder `pics`: `wall__a_png` is wall/a.png."""
    folder = tmp_path / "levels" / "mine"
    (folder / "pics").mkdir(parents=True, exist_ok=True)
    (folder / "a.map").write_bytes(maps.written(maps.entity("worldspawn", *brushes)))
    for name, data in pictures.items():
        path = folder / "pics" / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    level = folder / "level.yaml"
    level.write_text(f"format: 1\nspawn: {{at: [0, 5, 0]}}\npieces:\n  - model: {{file: a.map, {fields}}}\n")
    return level


def warnings_of(path: Path) -> list[Finding]:
    found = check(path)
    assert all(finding.severity == "warning" for finding in found), found
    return [finding for finding in found if "picture" in finding.message or "texture" in finding.message]


def brush_with(alignment: str, texture: str = "stone") -> str:
    return maps.box((0, 0, 0), (64, 128, 256), texture).replace("0 0 0 1 1", alignment)


def corners_of(level: Level) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners in Quake's units, texture coordinates and normals of all visible triangles."""
    x, y, z = np.moveaxis(level.drawn * 32, -1, 0)
    points = np.stack([x, -z, y], axis=-1)
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    assert level.drawn_uv is not None
    return points, level.drawn_uv, normals / np.linalg.norm(normals, axis=1, keepdims=True)


# For a picture of 64 by 128 texels: the alignment, the side that it is seen on, and by hand the coordinates of a point.
ALIGNMENTS = [
    *(("16 32 0 1 1", (0, 0, z), lambda x, y, z: ((x + 16) / 64, (-y + 32) / 128)) for z in (1, -1)),
    *(("16 32 0 1 1", (x, 0, 0), lambda x, y, z: ((y + 16) / 64, (-z + 32) / 128)) for x in (1, -1)),
    *(("16 32 0 1 1", (0, y, 0), lambda x, y, z: ((x + 16) / 64, (-z + 32) / 128)) for y in (1, -1)),
    ("0 0 90 2 -0.5", (0, 0, 1), lambda x, y, z: (y / 2 / 64, x / -0.5 / 128)),
    *(
        ("[ 0 1 0 8 ] [ 0 0 -1 4 ] 33 0.5 4", side, lambda x, y, z: ((y / 0.5 + 8) / 64, (-z / 4 + 4) / 128))
        for side in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    ),
]


@pytest.mark.parametrize(("alignment", "side", "expected"), ALIGNMENTS)
def test_an_alignment_sets_the_texture_coordinates_of_a_side(
    tmp_path: Path, alignment: str, side: tuple[int, int, int], expected: Callable[..., tuple[np.ndarray, np.ndarray]]
) -> None:
    level = load(level_of(tmp_path, brush_with(alignment), stone_png=PICTURE))
    points, uv, normals = corners_of(level)
    chosen = normals @ np.array(side) > 0.99
    assert chosen.sum() == 2
    assert uv[chosen] == pytest.approx(np.stack(expected(*np.moveaxis(points[chosen], -1, 0)), axis=-1))


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 200.0])
def test_a_turned_texture_keeps_its_size(degrees: float) -> None:
    face = BrushFace(((0, 0, 0), (0, 64, 0), (64, 0, 0)), "a", 1, f"0 0 {degrees} 1 1")
    rows = read_alignment(face)
    assert np.linalg.norm(rows[:, :3], axis=1) == pytest.approx([1, 1])
    assert rows[0, :3] @ rows[1, :3] == pytest.approx(0.0)
    assert rows[0, 0] == pytest.approx(math.cos(math.radians(degrees)))


@pytest.mark.parametrize("alignment", ["", "1 2", "0 0 0 0 0", "[ 1 0 0 0 ] [ 0 1 0 0 ] 0 0 0", "1e300 0 0 1 1"])
def test_odd_alignments_are_finite(alignment: str) -> None:
    face = BrushFace(((0, 0, 0), (0, 64, 0), (64, 0, 0)), "a", 1, alignment)
    assert np.isfinite(read_alignment(face)).all()


def test_a_texture_finds_its_picture_in_any_spelling_and_folder(tmp_path: Path) -> None:
    for name in ("Brick1.PNG", "wall/Stone.jpg", "deep/er/moss.tga", "#water.webp", "{grate.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded_picture({"jpg": "JPEG", "tga": "TGA", "ebp": "WEBP"}.get(name[-3:], "PNG"), (8, 8)))
    folder = TextureFolder(tmp_path, tmp_path)
    wanted = {
        "brick1": "Brick1.PNG",
        "BRICK1": "Brick1.PNG",
        "wall/stone": "Stone.jpg",
        "other/stone": "Stone.jpg",
        "textures/wall/stone": "Stone.jpg",
        "moss": "moss.tga",
        "*water": "#water.webp",
        "none": None,
    }
    for texture, name in wanted.items():
        found = folder.read_picture(texture)
        assert (found and found.source.path.name) == name, texture
    assert folder.suggest_name("brock1") == "did you mean `brick1`?"


def test_missing_pictures_are_told_with_near_names(tmp_path: Path) -> None:
    brushes = [maps.box((128 * k, 0, 0), (128 * k + 64, 64, 64), f"brick{k}") for k in range(7)]
    path = level_of(tmp_path, *brushes, brick0_png=PICTURE, brick1x_png=PICTURE)
    found = warnings_of(path)
    assert len(found) == 4
    assert "no picture in `pics` is named `brick1`" in found[0].message
    assert found[0].cure == "did you mean `brick1x`?"
    assert found[0].file.endswith("a.map")
    assert "brick1" in path.with_name("a.map").read_text().split("\n")[found[0].line - 1]
    assert "6 of 7 textures have no picture in `pics`, also `brick4`, `brick5`, `brick6`" in found[3].message
    level = load(path)
    assert sum(surface.pbr is not None for surface in level.surfaces) == 1


def test_fences_have_holes_and_clips_need_no_picture(tmp_path: Path) -> None:
    path = level_of(
        tmp_path,
        maps.box((0, 0, 0), (64, 64, 64), "{grate"),
        maps.box((99, 0, 0), (164, 64, 64), "clip"),
        maps.box((199, 0, 0), (264, 64, 64), "sky1"),
        **{"{grate_png": PICTURE},
    )
    assert warnings_of(path) == []
    (pbr,) = (surface.pbr for surface in load(path).surfaces if surface.pbr)
    assert pbr.alpha_mode is AlphaMode.MASK


@pytest.mark.parametrize(
    ("fields", "pictures", "words"),
    [
        ("textures: none", {}, "there is no folder `none`"),
        ("textures: pics", {}, "the folder `pics` has no picture"),
        ("textures: ../../..", {"a_png": PICTURE}, "outside the levels folder"),
        ("textures: /etc", {"a_png": PICTURE}, "is not a relative path"),
        ("textures: 'a\\b'", {"a_png": PICTURE}, "is not a path"),
        ("textures: pics", {"stone_png": b"text"}, "picture `stone.png` is text, not a picture"),
    ],
)
def test_a_folder_that_cannot_be_used(tmp_path: Path, fields: str, pictures: dict[str, bytes], words: str) -> None:
    path = level_of(tmp_path, brush_with("0 0 0 1 1"), fields=fields, **pictures)
    (found,) = (one for one in check(path) if words in one.message)
    assert found.cure
    level = load(path)
    assert len(level.triangles) == 12
    assert all(surface.pbr is None for surface in level.surfaces)


def test_links_do_not_leave_the_levels(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    path = level_of(tmp_path, brush_with("0 0 0 1 1"))
    (path.parent / "pics" / "stone.png").symlink_to(tmp_path / "secret.png")
    (found,) = warnings_of(path)
    assert "outside the levels folder" in found.message


def test_pictures_change_nothing_that_collides(tmp_path: Path) -> None:
    map_file = maps.hall()
    names = {"ground1_6", "city2_5"}
    path = level_of(tmp_path, **{f"{name}_png": PICTURE for name in names})
    path.with_name("a.map").write_bytes(map_file)
    drawn = load(path)
    path.write_text(path.read_text().replace(", textures: pics", ""))
    plain = load(path)
    assert np.array_equal(drawn.triangles, plain.triangles)
    assert np.array_equal(drawn.quad_index, plain.quad_index)
    assert [surface.material for surface in drawn.surfaces] == [surface.material for surface in plain.surfaces]
    assert plain.drawn_uv is None
