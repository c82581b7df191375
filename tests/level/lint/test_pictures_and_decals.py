"""Checks of pictures: their video memory, and decals that lie on no surface."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.level import Level, check, load
from game.level.lint.faces import TEXTURE_BUDGET, texture_bytes
from game.level.materials import AlphaMode, Wrap
from game.level.materials.texture_memory import estimate_texture_bytes

HEAD = "format: 1\nspawn: {at: [0, 0, 3]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
ROOM = "  - room: {from: [-4, 0, -4], to: [4, 3, 4], doors: [{wall: south}]}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("RGBA", (8, 16), (9, 9, 9, 128)).save(tmp_path / "p.png")
    return tmp_path


def with_pieces(folder: Path, *pieces: str) -> Path:
    path = folder / "level.yaml"
    path.write_text(HEAD + ROOM + "".join(f"  - {piece}\n" for piece in pieces), "utf-8")
    return path


def drawn_decal(level: Level) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners of the only decal by the corners of the picture: upper left, upper right, lower left."""
    face = next(k for k in range(len(level.faces)) if level.quad_piece(k).kind == "decal")
    triangles = level.drawn_quad == face
    assert level.drawn_uv is not None
    corners, uv = level.drawn[triangles].reshape(-1, 3), level.drawn_uv[triangles].reshape(-1, 2)
    found = [corners[(uv == want).all(axis=1)][0] for want in ((0, 0), (1, 0), (0, 1))]
    return found[0], found[1], found[2]


GOOD = {
    "wall": ("at: [1, 1.5, -4], facing: south", (1, 0, 0), (0, 1, 0)),
    "west wall": ("at: [-4, 1.5, 1], facing: east", (0, 0, -1), (0, 1, 0)),
    "rolled": ("at: [1, 1.5, -4], facing: south, roll: 90", (0, 1, 0), (-1, 0, 0)),
    "floor": ("at: [0, 0, 0], on: floor", (1, 0, 0), (0, 0, -1)),
    "floor to the east": ("at: [0, 0, 0], on: floor, facing: east", (0, 0, 1), (1, 0, 0)),
    "ceiling": ("at: [0, 3, 0], on: ceiling, facing: north", (-1, 0, 0), (0, 0, -1)),
}


@pytest.mark.parametrize("name", GOOD)
def test_pictures_are_the_right_way_round(folder: Path, name: str) -> None:
    fields, right, up = GOOD[name]
    path = with_pieces(folder, f"decal: {{picture: p.png, size: 0.5, {fields}}}")
    assert check(path) == []
    upper_left, upper_right, lower_left = drawn_decal(load(path))
    assert np.allclose(upper_right - upper_left, 0.5 * np.array(right)), "half a metre to the right"
    assert np.allclose(upper_left - lower_left, 1.0 * np.array(up)), "a metre up: twice as high as wide"


def test_decals_lie_on_ramps_and_move_with_their_group(folder: Path) -> None:
    ramp = "ramp: {at: [0, 0, 2], facing: west, length: 4, rise: 1, width: 2}"
    decal = "decal: {picture: p.png, at: [-2, 0.5, 2], on: floor, facing: west, pitch: atan(1/4), size: 0.5}"
    decal = decal.replace("atan(1/4)", f"{np.degrees(np.arctan(0.25)):.6f}")
    inside = f"group: {{at: [1, 0.4, -2], facing: 70, of: [{ramp}, {decal}]}}"
    path = folder / "level.yaml"
    path.write_text(HEAD + f"  - {inside}\n", "utf-8")
    assert [f for f in check(path) if "decal" in f.message] == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("at: [0, 1.5, 0], facing: south", "lies on nothing"),
        ("at: [0, 1.5, -4], facing: north", "the decal is 0.2 m behind its surface"),
        ("at: [0, 3, 0], on: floor", "the decal is 0.2 m behind its surface"),
        ("at: [0, 1.5, -4.1], facing: north", "0.096 m behind its surface"),
        ("at: [0, 1.5, -3.7], facing: south", "0.3 m in front of its surface"),
        ("at: [0, 1.5, -4.1], facing: south", "0.096 m behind its surface"),
        ("at: [3.9, 1.5, -4], facing: south", "hangs over the edge"),
        ("at: [0, 0.1, 0], on: floor", "in front of its surface"),
    ],
)
def test_decals_without_a_surface_are_told(folder: Path, fields: str, message: str) -> None:
    findings = check(with_pieces(folder, f"decal: {{picture: p.png, {fields}}}"))
    assert len(findings) == 1
    assert message in findings[0].message
    assert check(with_pieces(folder, f"decal: {{picture: p.png, {fields}, intended: [afloat]}}")) == []


def test_a_decal_is_drawn_and_does_not_collide(folder: Path) -> None:
    plain = load(with_pieces(folder))
    level = load(with_pieces(folder, "decal: {picture: p.png, at: [1, 1.5, -4], facing: south, colour: red}"))
    assert np.array_equal(level.triangles, plain.triangles)
    assert len(level.drawn) == len(plain.drawn) + 2
    material = level.surfaces[-1].pbr
    assert material is not None
    assert material.alpha_mode is AlphaMode.BLEND
    assert material.base_colour_map is not None
    assert material.base_colour_map.wrap_u is Wrap.CLAMP
    assert material.base_colour[0] > 10 * material.base_colour[2]


def test_a_decal_without_picture_is_still_there(folder: Path) -> None:
    path = with_pieces(folder, "decal: {picture: gone.png, at: [1, 1.5, -4], facing: south}")
    level = load(path)
    assert [finding.where for finding in level.findings] == ["decal.picture"]
    assert folder / "gone.png" in level.files, "a missing picture is watched"
    assert level.surfaces[-1].pbr is None
    assert (level.drawn_surface == len(level.surfaces) - 1).sum() == 2


@pytest.mark.full
def test_video_memory_is_estimated_and_has_a_budget(folder: Path) -> None:
    rows = [f"  s{k}: {{picture: q{k}.png}}\n" for k in range(8)]
    for k in range(8):
        Image.new("1", (1024, 512)).save(folder / f"q{k}.png")
    path = folder / "level.yaml"
    place = "from: [-9, -9], to: [9, 9], intended: [buried]"
    floors = "".join(f"  - floor: {{{place}, y: {-3 * k - 3}, surface: s{k}}}\n" for k in range(8))
    path.write_text(HEAD.replace("pieces:", "surfaces:\n" + "".join(rows) + "pieces:") + floors, "utf-8")
    level = load(path)
    assert texture_bytes(level.surfaces) == (8, 8 * estimate_texture_bytes(1024, 512))
    assert check(path) == []
    assert 60 * estimate_texture_bytes(1024, 1024) < TEXTURE_BUDGET, "sixty pictures of 1024 pixels are within it"
    Image.new("1", (4096, 4096)).save(folder / "q0.png")
    for k in range(1, 8):
        (folder / f"q{k}.png").write_bytes((folder / "q0.png").read_bytes())
    assert [finding.message for finding in check(path)] == [
        "8 pictures need 682 MiB of video memory; the budget is 512 MiB"
    ]
    assert check(path)[0].line == 4
