"""Searches of the geometry checks against every pair, and that they look at nothing twice.

The findings are in tests/level/corpus, what has none in test_what_is_right.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from game.level import check, load
from game.level.geometry.column_grid import ColumnGrid, TooManyCandidates
from game.level.geometry.instance_transform import InstanceTree, PieceInstance, PlacedMarker
from game.level.geometry.overlapping_pairs import convex_separation, find_overlapping_pairs, nearest_on_segments

GROUND = "floor: {from: [-20, -20], to: [20, 20]}"


def test_pairs_of_boxes_against_every_pair() -> None:
    rng = np.random.default_rng(11)
    low = rng.uniform(0, 10, (300, 3))
    high = low + rng.uniform(0, 2, (300, 3))
    group = rng.integers(0, 4, 300)
    i, j = find_overlapping_pairs(low, high, group)
    found = set(zip(i.tolist(), j.tolist(), strict=True))
    assert len(found) == len(i)
    every = {
        (a, b)
        for a in range(300)
        for b in range(a + 1, 300)
        if group[a] == group[b] and (low[a] <= high[b]).all() and (low[b] <= high[a]).all()
    }
    assert found == every


@pytest.mark.full
def test_too_many_pairs_are_refused() -> None:
    with pytest.raises(TooManyCandidates):
        find_overlapping_pairs(np.zeros((5000, 3)), np.ones((5000, 3)))
    triangles = np.tile(np.array([[[0, 0, 0], [0, 0, 1], [1, 0, 0]]], dtype=float), (5000, 1, 1))
    with pytest.raises(TooManyCandidates):
        ColumnGrid(triangles).faces_at(np.full((5000, 2), 0.2))


@pytest.mark.full
def test_the_plan_against_every_triangle() -> None:
    rng = np.random.default_rng(5)
    triangles = rng.uniform(-5, 5, (80, 3, 3)) * [1, 0.5, 1] + rng.uniform(-12, 12, (80, 1, 3))
    points = rng.uniform(-15, 15, (150, 2))
    point, triangle, height = ColumnGrid(triangles).faces_at(points)
    found = dict(zip(zip(point.tolist(), triangle.tolist(), strict=True), height.tolist(), strict=True))
    wanted = {}
    for p, (x, z) in enumerate(points):
        for t, (a, b, c) in enumerate(triangles):
            u, v = np.linalg.solve(np.column_stack([(b - a)[::2], (c - a)[::2]]), np.array([x, z]) - a[::2])
            inside = min(u, v, 1 - u - v)
            assert abs(inside) > 1e-6  # no point of this seed is on a border
            if inside > 0:
                wanted[p, t] = a[1] + u * (b - a)[1] + v * (c - a)[1]
    assert len(wanted) > 80
    assert found == pytest.approx(wanted)


def test_the_plan_at_known_heights_leaves_out_what_is_further() -> None:
    rng = np.random.default_rng(6)
    triangles = rng.uniform(-5, 5, (300, 3, 3)) * [1, 0.3, 1] + rng.uniform(-10, 10, (300, 1, 3))
    points, heights = rng.uniform(-12, 12, (500, 2)), rng.uniform(-10, 10, 500)
    every = set(zip(*(row.tolist() for row in ColumnGrid(triangles).faces_at(points)[:2]), strict=True))
    low, high = triangles[..., 1].min(axis=1) - 0.5, triangles[..., 1].max(axis=1) + 0.5
    wanted = {(p, t) for p, t in every if low[t] <= heights[p] <= high[t]}
    found = set(zip(*(row.tolist() for row in ColumnGrid(triangles).faces_at(points, heights, 0.5)[:2]), strict=True))
    assert found == wanted
    assert 100 < len(wanted) < len(every) / 2


@pytest.mark.full
def test_segments_and_outlines_against_dense_samples() -> None:
    rng = np.random.default_rng(3)
    parts = np.linspace(0, 1, 400)
    for _ in range(50):
        a, b, c, d = rng.uniform(-1, 1, (4, 2)) + np.array([[0, 0], [0, 0], [3, 0], [3, 0]])
        one, other = nearest_on_segments(*(point[None] for point in (a, b, c, d)))
        dense = np.linalg.norm(
            (a + parts[:, None] * (b - a))[:, None] - (c + parts[:, None] * (d - c))[None], axis=-1
        ).min()
        assert np.linalg.norm(one - other) == pytest.approx(dense, abs=1e-4)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=float)
    for apart in (-0.5, -1e-3, 1e-3, 0.25):
        assert convex_separation(square[None], (square + np.array([1 + apart, 0.2]))[None])[0] == pytest.approx(apart)


def test_copies_in_one_place_are_looked_up_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 60 copies stand in four places, so 420 pairs are compared; each copy is found once in the tree of copies."""
    looked_up: list[int] = []
    original = InstanceTree.__getitem__

    def counted(tree: InstanceTree, index: int) -> PieceInstance:
        looked_up.append(index)
        return original(tree, index)

    monkeypatch.setattr(InstanceTree, "__getitem__", counted)
    box = "box: {from: [0, 0, 0], to: [1, 1, 1]}"
    array = f"array: {{count: 60, step: [0, 0, 0], turn: 90, of: [{box}]}}"
    found = check(text=f"format: 1\nspawn: {{at: [5, 0, 5]}}\npieces:\n  - {GROUND}\n  - {array}\n")
    assert "a face coincides with a copy" in found[0].message
    assert len(looked_up) < 300


def test_loading_does_not_look_at_the_geometry() -> None:
    box = "box: {from: [0, 0, 0], to: [1, 1, 1]}"
    text = f"format: 1\nspawn: {{at: [5, 0, 5]}}\npieces: [{GROUND}, {box}, {box}]\n"
    assert check(text=text)
    assert not load(text=text).findings


def test_many_markers_are_left_out_without_a_comparison_of_each_with_each(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(self: PlacedMarker, other: object) -> bool:
        raise AssertionError

    monkeypatch.setattr(PlacedMarker, "__eq__", compared)
    ramps = "array: {count: 50, step: [100000, 0, 0], of: [ramp: {at: [0, 0, 0], length: 2, rise: 1}]}"
    level = load(text=f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces:\n  - {GROUND}\n  - {ramps}\n")
    assert 0 < len(level.faces.marks) < 50
    assert ["further than" in str(one) for one in level.findings] == [True]
