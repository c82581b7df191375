"""Closed solids: faces of pieces that are closed surfaces with their fronts outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import load

HEAD = "format: 1\nspawn: {at: [50, 0, 50]}\npieces:\n  - floor: {from: [-60, -60], to: [60, 60]}\n"
BOX = [[0, 0, 0], [2, 0, 0], [2, 0, -3], [0, 0, -3], [0, 1, 0], [2, 1, 0], [2, 1, -3], [0, 1, -3]]
SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


@pytest.fixture
def closed(tmp_path: Path):
    """Function that returns the mask of closed faces of the given pieces, which stand on a sheet."""

    def find(*pieces: str) -> np.ndarray:
        path = tmp_path / "level.yaml"
        path.write_text(HEAD + "".join(f"  - {piece}\n" for piece in pieces), encoding="utf-8")
        level = load(path)
        own = np.array([origin.label != "floor" for origin in level.origins])[level.faces.origin]
        assert own.any()
        assert not level.closed_faces[~own].any()
        return level.closed_faces[own]

    return find


@pytest.mark.parametrize(
    "piece",
    [
        "box: {from: [0, 1, 0], to: [2, 2, 3], facing: 37}",
        "pillar: {at: [0.3, 1, 0.7], radius: 0.7, height: 2.1}",
        "stairs: {at: [0, 1, 0], steps: 5}",
        "array: {count: 7, step: [3, 0, 0.1], turn: 13, of: [box: {from: [0, 1, 0], to: [1, 2, 1]}]}",
    ],
)
def test_all_faces_of_solid_pieces_are_closed(closed, piece: str) -> None:
    assert closed(piece).all()


def test_what_stands_on_a_floor_is_though_its_foot_is_left_out(closed) -> None:
    found = closed("box: {from: [0, 0, 0], to: [2, 2, 3]}")
    assert len(found) == 5
    assert found.all()


@pytest.mark.parametrize(
    "piece",
    [
        "quad: {corners: [[0, 1, 0], [1, 1, 0], [1, 1, -1], [0, 1, -1]]}",
        "floor: {name: sheet, from: [0, 0], to: [3, 3], y: 2}",
        "sign: {text: A word, at: [0, 2, 0]}",
        "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 1, 0]], of: [box: {from: [0, 1, 0], to: [1, 2, 1]}]}",
    ],
)
def test_sheets_and_what_moves_are_not(closed, piece: str) -> None:
    assert not closed(piece).any()


def test_the_walls_of_a_room_are_its_floor_is_a_sheet(closed) -> None:
    assert closed("room: {from: [0, 0, 0], to: [6, 3, 8], thickness: 0.3}").all()
    floor = ~closed("room: {from: [0, 1, 0], to: [6, 4, 8], thickness: 0.3}")
    assert floor.sum() == 1


def model(path: Path, sides: list[list[int]]) -> None:
    lines = [f"v {x} {y} {z}" for x, y, z in BOX] + [f"f {' '.join(str(k + 1) for k in side)}" for side in sides]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_models_are_not_since_their_parts_may_be_inside_out(closed, tmp_path: Path) -> None:
    model(tmp_path / "box.obj", SIDES)
    assert not closed("model: {file: box.obj, at: [0, 1, 0]}").any()


@pytest.mark.parametrize(
    ("sides", "whole"),
    [
        (SIDES, True),
        (SIDES[:5], False),
        ([side[::-1] for side in SIDES], False),
        ([SIDES[0][::-1], *SIDES[1:]], False),
    ],
    ids=["whole", "without a side", "inside out", "one side turned"],
)
def test_a_solid_is_closed_where_its_edges_match_and_it_has_a_volume(sides: list[list[int]], whole: bool) -> None:
    from game.level.geometry.faces import FaceArrays, find_closed_faces

    corners = np.array(BOX, dtype=np.float64)[np.array(sides)]
    count = len(corners)
    flat, never = np.zeros(count, np.int32), np.zeros(count, np.bool_)
    faces = FaceArrays(
        corners + 1e-9 * np.random.default_rng(5).normal(size=corners.shape), flat, flat, never, never, flat
    )
    assert find_closed_faces(faces, np.ones(count, np.bool_)).tolist() == [whole] * count
    assert not find_closed_faces(faces, never).any()
