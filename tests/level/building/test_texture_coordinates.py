"""Texture coordinates: pictures are not stretched, mirrored or upside down, and continue across faces."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.level import Level, load
from game.level.build.texture_coordinates import MAX_STRETCH

SIZE = np.array([2.0, 0.5])  # metres across and up of the test picture, which has 40 by 10 pixels
HEAD = "format: 1\nspawn: {at: [0, 0, 60]}\nsurfaces: {p: {picture: p.png, size: 2, EXTRA}}\npieces:\n"
GROUND = "  - floor: {from: [-90, 50], to: [90, 90]}\n"

# A piece of each kind with faces.
PIECES = {
    "floor": "floor: {from: [-3, -2], to: [4, 5], thickness: 0.3, tile: 1.5, surface: p}",
    "box": "box: {from: [1, 0, 2], to: [4, 2, 3], surface: p, facing: 25}",
    "tiled": "box: {from: [1, 0, 2], to: [4, 2, 3], surface: p, tile: 0.7}",
    "wall": "wall: {from: [-3, 1], to: [4, 3], doors: [{at: 3}], windows: [{at: 5}], surface: p}",
    "room": "room: {from: [0, 0, 0], to: [4, 3, 6], doors: [{wall: west}], windows: [{wall: north}], surface: p}",
    "stairs": "stairs: {at: [1, 0, 1], facing: 40, steps: 6, rise: 0.2, run: 0.3, width: 1.5, surface: p}",
    "open stairs": "stairs: {at: [1, 0, 1], facing: east, steps: 6, width: 2, open: true, surface: p}",
    "spiral_stairs": "spiral_stairs: {at: [1, 0, 1], steps: 9, rail: 0.9, surface: p}",
    "ramp": "ramp: {at: [0, 0, 0], facing: west, length: 4, rise: 2, width: 2, surface: p}",
    "open ramp": "ramp: {at: [0, 0, 0], facing: 200, length: 4, rise: 2, width: 2, open: true, surface: p}",
    "pillar": "pillar: {at: [2, 0, 1], radius: 0.7, height: 3, sides: 15, surface: p}",
    "arch": "arch: {from: [-4, 2], to: [4, 6], segments: 11, surface: p}",
    "quad": "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 3, -2], [0, 3, -2]], surface: p}",
    "triangle": "triangle: {corners: [[0, 0, 0], [4, 0.1, 0], [4, 0, -3]], surface: p}",
    "sign": "sign: {text: Hi, at: [0, 1.5, 0], post: 1.2, surface: p}",
    "terrain": "terrain: {from: [-9, -9], to: [9, 9], formula: '6 * noise(x / 4, z / 4)', thickness: 1, surface: p}",
}


def built(tmp_path: Path, pieces: str, extra: str = "") -> Level:
    Image.new("RGB", (40, 10)).save(tmp_path / "p.png")
    path = tmp_path / "level.yaml"
    path.write_text(HEAD.replace("EXTRA", extra) + GROUND + f"  - {pieces}\n", "utf-8")
    return load(path)


def pictured(level: Level) -> tuple[np.ndarray, np.ndarray]:
    """Pictured triangles (K,3,3), and their coordinates (K,3,2) in metres to the right and up."""
    assert level.drawn_uv is not None
    chosen = level.drawn_surface == 1
    assert not np.isfinite(level.drawn_uv[~chosen]).any()
    return level.drawn[chosen], (level.drawn_uv[chosen] * (1, -1) + (0, 1)) * SIZE


def gradients(triangles: np.ndarray, metres: np.ndarray) -> np.ndarray:
    """World vectors (K,2,3): how far to go along the face for one metre of picture, to its right and up."""
    edges = triangles[:, 1:] - triangles[:, :1]
    steps = metres[:, 1:] - metres[:, :1]
    return np.linalg.inv(steps) @ edges


@pytest.mark.sample(8)
@pytest.mark.parametrize("kind", PIECES)
def test_pictures_are_not_stretched_or_mirrored(tmp_path: Path, kind: str) -> None:
    triangles, metres = pictured(built(tmp_path, PIECES[kind]))
    assert len(triangles) > (0 if kind == "triangle" else 1)
    ways = gradients(triangles, metres)
    stretch = np.linalg.svd(ways, compute_uv=False)
    limit = MAX_STRETCH if kind == "terrain" else 1.0
    assert stretch.min() > 1.0 - 1e-9
    assert stretch.max() < limit + 1e-9
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert (np.einsum("kd,kd->k", np.cross(ways[:, 0], ways[:, 1]), normals) > 0.0).all(), "mirrored"
    slope = np.linalg.norm(normals[:, ::2], axis=1) / np.linalg.norm(normals, axis=1)
    upright = slope > (0.999 if kind == "terrain" else 0.2)
    assert (ways[upright, 1, 1] > 0.0).all(), "upside down"
    if kind != "terrain":
        assert np.abs(ways[upright, 0, 1]).max(initial=0.0) < 1e-9, "rows are level"


@pytest.mark.parametrize("facing", ["north", "east", "30"])
def test_floors_and_ceilings_have_north_up(tmp_path: Path, facing: str) -> None:
    box = "box: {from: [0, 1, 0], to: [3, 2, 2], surface: p}"
    turned = np.radians({"north": 0.0, "east": 270.0, "30": 30.0}[facing])
    triangles, metres = pictured(built(tmp_path, f"group: {{at: [4, 0, 1], facing: {facing}, of: [{box}]}}"))
    ways = gradients(triangles, metres)
    level = np.ptp(triangles[..., 1], axis=1) < 1e-9
    assert level.sum() == 4
    assert np.allclose(ways[level, 1], (-np.sin(turned), 0, -np.cos(turned)))


def test_a_ramp_is_read_from_below_it(tmp_path: Path) -> None:
    triangles, metres = pictured(built(tmp_path, "ramp: {at: [0, 0, 0], facing: east, length: 4, rise: 3, surface: p}"))
    slope = np.flatnonzero(np.linalg.norm(gradients(triangles, metres)[:, 1] - (0.8, 0.6, 0.0), axis=1) < 1e-9)
    assert len(slope) == 2
    assert metres[slope][..., 1].min() == pytest.approx(0.0, abs=1e-9)
    assert metres[slope][..., 1].max() == pytest.approx(5.0), "the length of the slope"


def shared_points(triangles: np.ndarray, metres: np.ndarray, coplanar: bool = True) -> list[np.ndarray]:
    """Differences of coordinates where two triangles, of one plane if `coplanar`, share an edge."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    edges: dict[frozenset[tuple[float, ...]], list[tuple[int, dict[tuple[float, ...], np.ndarray]]]] = {}
    for k, (corners, values) in enumerate(zip(np.round(triangles, 6).tolist(), metres, strict=True)):
        here = {tuple(corner): value for corner, value in zip(corners, values, strict=True)}
        for a, b in pairwise([*here, next(iter(here))]):
            edges.setdefault(frozenset((a, b)), []).append((k, here))
    found = []
    for edge, users in edges.items():
        for (k, first), (m, second) in pairwise(users):
            if not coplanar or normals[k] @ normals[m] > 1 - 1e-9:
                found += [first[point] - second[point] for point in edge]
    return found


@pytest.mark.parametrize("kind", ["floor", "tiled", "wall", "room", "stairs", "arch", "terrain"])
def test_coplanar_faces_continue(tmp_path: Path, kind: str) -> None:
    piece = PIECES[kind].replace("6 * noise(x / 4, z / 4)", "noise(x / 8, z / 8)").replace(", thickness: 1", "")
    differences = np.array(shared_points(*pictured(built(tmp_path, piece)), coplanar=kind != "terrain"))
    assert len(differences) > 10
    assert np.abs(differences).max() < 1e-6


def test_round_pillars_and_arches_are_unrolled(tmp_path: Path) -> None:
    for piece in ("pillar", "arch"):
        triangles, metres = pictured(built(tmp_path, PIECES[piece]))
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        if piece == "pillar":
            wanted = np.abs(normals[:, 1]) < 1e-9
        else:
            wanted = (normals[:, 1] < -1e-6) & (triangles[..., 1].min(axis=1) > 1.0)
        differences = np.abs(np.array(shared_points(triangles[wanted], metres[wanted], coplanar=False))).max(axis=1)
        assert (differences > 1e-6).sum() <= 2, "one seam"
        assert len(differences) > 40
    box = built(tmp_path, "box: {from: [0, 0, 0], to: [3.3, 2, 1.1], surface: p}")
    triangles, metres = pictured(box)
    sides = np.ptp(triangles[..., 1], axis=1) > 1.0
    differences = np.abs(np.array(shared_points(triangles[sides], metres[sides], coplanar=False))).max(axis=1)
    assert (differences < 1e-9).sum() == 2 * (4 + 2), "the diagonals, and two of the four upright edges"


def test_each_piece_begins_at_its_lower_left_corner(tmp_path: Path) -> None:
    _, metres = pictured(built(tmp_path, "box: {from: [0.3, 1.7, 5.1], to: [2.3, 2.2, 7.1], surface: p}"))
    lowest = metres.reshape(-1, 2, 3, 2).min(axis=(1, 2))  # the box is as wide as the picture: each side shows it once
    assert np.allclose(lowest % SIZE % SIZE, 0.0, atol=1e-9) or np.allclose(np.minimum(lowest % 2, 2 - lowest % 2), 0)


def test_groups_carry_pictures_and_scale_no_texel(tmp_path: Path) -> None:
    for kind in ("box", "room", "pillar", "stairs", "ramp"):
        alone, _ = pictured(built(tmp_path, PIECES[kind]))[::-1]
        group = f"group: {{at: [3.7, 1.1, -2.3], facing: 77, of: [{PIECES[kind]}]}}"
        assert np.allclose(pictured(built(tmp_path, group))[1], alone, atol=1e-9), kind
        row = f"array: {{count: 3, step: [7.7, 0.3, 1], turn: 33, of: [{PIECES[kind]}]}}"
        assert np.allclose(pictured(built(tmp_path, row))[1].reshape(3, *alone.shape), alone, atol=1e-9), kind
        grown = f"group: {{scale: [1.5, 2, 1.5], facing: 12, of: [{PIECES[kind]}]}}"
        triangles, metres = pictured(built(tmp_path, grown))
        assert np.allclose(np.linalg.svd(gradients(triangles, metres), compute_uv=False), 1.0), kind


def test_aligned_to_the_level_pieces_continue_each_other(tmp_path: Path) -> None:
    floors = ("floor: {from: [0, 0], to: [1.3, 4], surface: p}", "floor: {from: [1.3, 0], to: [4, 4], surface: p}")
    two = f"group: {{of: [{', '.join(floors)}]}}"
    triangles, metres = pictured(built(tmp_path, two))
    at_seam = np.isclose(triangles[..., 0], 1.3)
    assert len(np.unique(np.round(metres[at_seam][:, 0], 6))) == 2
    _, metres = pictured(built(tmp_path, two, "align: level"))
    assert len(np.unique(np.round(metres[at_seam][:, 0] % 2.0, 6))) == 1


def test_the_picture_of_a_belt_points_along_its_flow(tmp_path: Path) -> None:
    belt = "group: {facing: 50, of: [box: {from: [0, 0, 0], to: [2, 1, 8], surface: p}]}"
    level = built(tmp_path, belt, "flow: [1.5, -2]")
    triangles, metres = pictured(level)
    flat = np.ptp(triangles[..., 1], axis=1) < 1e-9
    assert np.allclose(gradients(triangles, metres)[flat, 1], (0.6, 0.0, -0.8))
    material = level.surfaces[1].pbr
    assert material is not None
    assert material.scroll == (0.0, -5.0), "2.5 m/s upwards, over pictures of half a metre; v runs down"


def test_movers_have_coordinates_and_other_levels_nothing(tmp_path: Path) -> None:
    level = built(tmp_path, f"mover: {{path: [[0, 0, 0], [0, 2, 0]], of: [{PIECES['box']}]}}")
    mover = level.movers[0]
    assert mover.drawn_uv is not None
    assert np.isfinite(mover.drawn_uv).all()
    assert mover.drawn_uv.shape == (len(mover.drawn), 3, 2)
    assert level.drawn_uv is not None
    plain = load(text=HEAD.replace("picture: p.png, size: 2, EXTRA", "texture: brick") + GROUND)
    assert plain.drawn_uv is None
    assert plain.faces.texture_frame is None


def test_far_pieces_keep_small_coordinates(tmp_path: Path) -> None:
    _, near = pictured(built(tmp_path, "floor: {from: [90000.25, 0], to: [90001.25, 1], surface: p}", "align: level"))
    assert np.abs(near).max() < 5.0, "float32 has 7 digits"
