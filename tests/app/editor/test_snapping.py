"""Snapping to corners and edges: while moving, pulling faces and placing new pieces, shown before it happens."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.editor.picking import RayPicker
from game.app.editor.tools.snapping import CORNER, EDGE, snap_point
from game.level import load
from tests.support.editor_author import Author, write_level

TEXT = """\
format: 1
spawn: {at: [0, 0, 9]}
surfaces: {stone: {}}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - box: {from: [0, 0, 0], to: [1, 1, 1]}
  - box: {from: [3.13, 0, 0.07], to: [4.13, 2.37, 1.07]}
"""


@pytest.fixture
def author(tmp_path):
    return Author(write_level(tmp_path, TEXT))


def drag(author, start, end, eye):
    """Begin to drag at one point and look at another."""
    author.stand(eye, start)
    author.editor.mouse_button("LEFT", True)
    author.stand(eye, end)


def test_a_moved_corner_goes_exactly_onto_a_corner(author):
    author.pick((0.5, 4, 5), (0.5, 1, 0.5))
    drag(author, (0.5, 1, 0.5), (2.6, 1, 0.55), (0.5, 4, 5))
    assert author.editor.mover.snap.kind == CORNER
    marker = [points for points in author.shown.overlay.points if list(np.shape(points.points)) == [1, 3]]
    assert any(list(points.points[0]) == list(author.editor.mover.snap.point) for points in marker), "seen before"
    assert author.text == TEXT
    author.editor.mouse_button("LEFT", False)
    assert "box: {from: [2.13, 0, 0.07], to: [3.13, 1, 1.07]}" in author.text
    author.press("Z")
    assert author.text == TEXT


def test_snapping_is_switched_off_by_a_key_and_inverted_while_alt_is_held(author):
    author.pick((0.5, 4, 5), (0.5, 1, 0.5))
    author.press("H")
    drag(author, (0.5, 1, 0.5), (2.6, 1, 0.55), (0.5, 4, 5))
    assert author.editor.mover.snap is None
    assert author.editor.mover.offset == (2.0, 0.0, 0.0)
    author.game.key_pressed("LALT")
    author.wait(1 / 60)
    assert author.editor.mover.offset == pytest.approx((2.13, 0.0, 0.07))
    author.game.key_released("LALT")
    author.wait(1 / 60)
    assert author.editor.mover.offset == (2.0, 0.0, 0.0)
    author.editor.mouse_button("LEFT", False)
    assert "from: [2, 0, 0], to: [3, 1, 1]" in author.text


def test_a_pulled_face_stops_at_the_height_of_a_corner(author):
    author.press("V")
    author.pick((0.5, 3, 3), (0.5, 1, 0.5))
    drag(author, (0.5, 1.0, 0.5), (0.5, 2.35, 0.5), (-2.5, 2.4, 3))
    assert author.editor.puller.is_active
    assert author.editor.puller.snap is not None
    assert author.editor.puller.pulled_corners[:, 1] == pytest.approx([2.37] * 4)
    author.editor.mouse_button("LEFT", False)
    assert "box: {from: [0, 0, 0], to: [1, 2.37, 1]}" in author.text
    author.press("Z")
    author.press("H")
    drag(author, (0.5, 1.0, 0.5), (0.5, 2.35, 0.5), (-2.5, 2.4, 3))
    author.editor.mouse_button("LEFT", False)
    assert "to: [1, 2.5, 1]" in author.text, "on the grid"


SEAMS = """\
format: 1
spawn: {at: [0, 0, 9]}
surfaces: {stone: {}, oak: {}}
pieces:
  - floor: {from: [-4, -4], to: [4, 4], holes: [{from: [1, 1], to: [2, 2]}], surface: stone}
  - floor: {from: [4, -4], to: [8, 4], surface: stone}
  - floor: {from: [8, -4], to: [12, 4], surface: oak}
"""


@pytest.mark.parametrize(("aim", "kind", "point"), [
    ((4.03, 0, 1.3), None, None),  # the seam of two floors with one surface
    ((7.97, 0, 1.3), EDGE, (8, 0, 1.5)),  # the seam of two surfaces
    ((3.97, 0, 3.97), EDGE, (4, 0, 4)),
    ((-3.97, 0, 3.97), CORNER, (-4, 0, 4)),
    ((0.98, 0, 1.03), CORNER, (1, 0, 1)),  # of the hole
    ((3.2, 0, 1.02), None, None),  # within one floor, beside its hole
])  # fmt: skip
def test_seams_that_nobody_sees_do_not_attract_and_the_grid_counts_along_edges(tmp_path, aim, kind, point):
    level = load(write_level(tmp_path, SEAMS))
    eye = (aim[0], 3.0, aim[2])
    snapped = snap_point(level, RayPicker(level).pick(eye, (0.0, -1.0, 0.0)), eye, 0.5)
    assert (snapped and snapped.kind) == kind
    if point is not None:
        assert snapped.point == pytest.approx(point, abs=1e-6)
