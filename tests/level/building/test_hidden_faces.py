"""Hidden faces: bases and floors on another floor are removed, those that extend beyond it are kept."""

from __future__ import annotations

import pytest

from game.level import load

HEAD = "format: 1\nspawn: {at: [50, 0, 50]}\npieces:\n  - floor: {from: [-60, -60], to: [60, 60], y: -1}\n"


@pytest.fixture
def undersides():
    """Function that returns the number of faces of a level that face down at a height."""

    def count(pieces, height):
        corners = load(text=HEAD + "".join(f"  - {piece}\n" for piece in pieces)).faces.corners
        level = (abs(corners[..., 1] - height) < 1e-6).all(axis=1)
        across = corners[:, 2] - corners[:, 0]
        along = corners[:, 3] - corners[:, 1]
        down = across[:, 2] * along[:, 0] - across[:, 0] * along[:, 2] < 0
        return int((level & down).sum())

    return count


SLAB = "box: {from: [0, 1, 0], to: [10, 1.5, 4]}"


def test_a_box_on_a_block_of_its_size_has_no_underside(undersides):
    assert undersides([SLAB, "box: {from: [0, 0, 0], to: [10, 1, 4]}"], 1.0) == 0


def test_on_many_blocks_that_leave_no_gap_neither(undersides):
    blocks = [f"box: {{from: [{x}, 0, {z}], to: [{x + 2.5}, 1, {z + 2}], facing: {f}}}"
              for x in (0, 2.5, 5, 7.5) for z in (0, 2) for f in (0,)]  # fmt: skip
    assert undersides([SLAB, *blocks], 1.0) == 0
    assert undersides([SLAB, *blocks[1:]], 1.0) == 1


@pytest.mark.parametrize("gap", [(1.2, 1.8), (3.0, 3.4), (4.9, 4.95), (8.0, 9.0)])
def test_a_tunnel_between_the_blocks_keeps_it(undersides, gap):
    left, right = gap
    blocks = [f"box: {{from: [0, 0, 0], to: [{left}, 1, 4]}}", f"box: {{from: [{right}, 0, 0], to: [10, 1, 4]}}"]
    assert undersides([SLAB, *blocks], 1.0) == 1


def test_a_strip_of_a_millimetre_does_not_count(undersides):
    blocks = ["box: {from: [0, 0, 0], to: [3, 1, 4]}", "box: {from: [3.001, 0, 0], to: [10, 1, 4]}"]
    assert undersides([SLAB, *blocks], 1.0) == 0


def test_a_slanting_gap_between_three_corners_keeps_it(undersides):
    triangles = ["triangle: {corners: [[0, 1, 4], [10, 1, 4], [10, 1, 0.5]]}",
                 "triangle: {corners: [[0, 1, 4], [9.5, 1, 0], [0, 1, 0]]}",
                 "floor: {from: [9.4, 0], to: [10, 0.6], y: 1}", "floor: {from: [0, 3.8], to: [0.3, 4], y: 1}",
                 "floor: {from: [4.8, 1.8], to: [5.2, 2.2], y: 1}"]  # fmt: skip
    assert undersides([SLAB, *triangles], 1.0) == 1
