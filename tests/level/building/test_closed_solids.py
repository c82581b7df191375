"""Closed solids: faces of pieces that are closed surfaces with their fronts outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import load

HEAD = "format: 1\nspawn: {at: [50, 0, 50]}\npieces:\n  - floor: {from: [-60, -60], to: [60, 60]}\n"
BOX = [[0, 0, 0], [2, 0, 0], [2, 0, -3], [0, 0, -3], [0, 1, 0], [2, 1, 0], [2, 1, -3], [0, 1, -3]]
SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


# A piece on a sheet, and how many of its faces are not closed; None: all.
PIECES = {
    "box: {from: [0, 1, 0], to: [2, 2, 3], facing: 37}": 0,
    "box: {from: [0, 0, 0], to: [2, 2, 3]}": 0,  # though its foot, on the floor, is left out
    "pillar: {at: [0.3, 1, 0.7], radius: 0.7, height: 2.1}": 0,
    "stairs: {at: [0, 1, 0], steps: 5}": 0,
    "array: {count: 7, step: [3, 0, 0.1], turn: 13, of: [box: {from: [0, 1, 0], to: [1, 2, 1]}]}": 0,
    "quad: {corners: [[0, 1, 0], [1, 1, 0], [1, 1, -1], [0, 1, -1]]}": None,
    "floor: {name: sheet, from: [0, 0], to: [3, 3], y: 2}": None,
    "sign: {text: A word, at: [0, 2, 0]}": None,
    "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 1, 0]], of: [box: {from: [0, 1, 0], to: [1, 2, 1]}]}": None,
    "room: {from: [0, 0, 0], to: [6, 3, 8], thickness: 0.3}": 0,
    "room: {from: [0, 1, 0], to: [6, 4, 8], thickness: 0.3}": 1,  # its floor is a sheet
    "model: {file: box.obj, at: [0, 1, 0]}": None,  # parts of a model may be inside out
}


@pytest.mark.parametrize("piece", PIECES)
def test_solid_pieces_are_closed_and_sheets_movers_and_models_are_not(tmp_path: Path, piece: str) -> None:
    rows = [f"v {x} {y} {z}" for x, y, z in BOX] + [f"f {' '.join(str(k + 1) for k in side)}" for side in SIDES]
    (tmp_path / "box.obj").write_text("\n".join(rows) + "\n", encoding="utf-8")
    level = load(text=f"{HEAD}  - {piece}\n", base=tmp_path)
    own = np.array([origin.label != "floor" for origin in level.origins])[level.faces.origin]
    assert not level.closed_faces[~own].any()
    wanted = own.sum() if PIECES[piece] is None else PIECES[piece]
    assert own.any()
    assert (~level.closed_faces[own]).sum() == wanted


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
