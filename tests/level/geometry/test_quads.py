"""Validity of quads with messages, and the split into two triangles."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.level import Level
from game.level.geometry.faces import rotate_about_y
from game.level.geometry.quads import PLANAR_TOLERANCE, find_quad_fault, split_into_triangles

SQUARE = [[0, 0, 0], [4, 0, 0], [4, 0, -4], [0, 0, -4]]


@pytest.mark.parametrize(("off", "fine"), [(0.9, True), (1.1, False), (-0.9, True), (-1.1, False)])
def test_a_quad_is_planar_up_to_a_millimetre(off: float, fine: bool) -> None:
    assert PLANAR_TOLERANCE == 1e-3
    corners = np.array(SQUARE, dtype=float)
    corners[3, 1] += off / 1000
    assert (find_quad_fault(corners) is None) == fine


@given(
    st.lists(st.floats(0.3, 5), min_size=4, max_size=4),
    st.floats(0, 360),
    st.tuples(*[st.floats(-9e4, 9e4)] * 3),
)
def test_kites_anywhere_are_fine_and_the_moved_corner_mends_a_bent_one(arms: list, turn: float, at: tuple) -> None:
    """Corners on a cross of axes are always convex. Bent by 2 cm they are not planar, and the suggested fix works."""
    north, east, south, west = arms
    flat = np.array([[0, 0, -north], [-west, 0, 0], [0, 0, south], [east, 0, 0]])
    corners = rotate_about_y(flat, turn) + np.array(at)
    assert find_quad_fault(corners) is None
    bent = corners.copy()
    bent[2, 1] += 0.02
    found = find_quad_fault(bent)
    if found is None:  # a long thin kite is bent by less than the tolerance
        assert min(arms) < 0.2 * max(arms)
        return
    number, point = re.match(r"move corner (\d) to \[(.*)\]", found[1]).groups()
    bent[int(number) - 1] = [float(part) for part in point.split(",")]
    assert find_quad_fault(bent) is None


def test_both_triangles_keep_the_front_and_the_shorter_diagonal() -> None:
    corners = np.array(
        [SQUARE, [[0, 0, 0], [9, 0, 0], [10, 0, -1], [1, 0, -1]], [[0, 0, 0], [1, 0, 0], [1, 0, -1], [1, 0, -1]]],
        dtype=float,
    )
    triangles, quads = split_into_triangles(corners, np.array([False, False, True]))
    assert quads.tolist() == [0, 0, 1, 1, 2]
    assert (np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 1] > 0).all()
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    assert np.bincount(quads, area).tolist() == pytest.approx([16, 9, 0.5])
    shared = {tuple(c) for c in triangles[2].tolist()} & {tuple(c) for c in triangles[3].tolist()}
    assert shared == {(9.0, 0.0, 0.0), (1.0, 0.0, -1.0)}


def test_triangles_remember_where_they_were_written(built: Callable[..., Level]) -> None:
    level = built(
        "box: {from: [0, 0, 0], to: [1, 1, 1]}", "group: {of: [ramp: {name: Chute, at: [5, 0, 0], length: 1, rise: 1}]}"
    )
    file = str(level.path)
    assert level.origin(0) == ("floor", file, 4, 5)
    assert [level.origin(k) for k in (2, 13)] == [("box", file, 5, 5)] * 2
    assert level.origin(len(level.triangles) - 1) == ('ramp "Chute"', file, 6, 18)
    assert level.quad_index.tolist()[:8] == [0, 0, 1, 1, 2, 2, 3, 3]
