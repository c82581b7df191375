"""Geometry checks: each warning, geometry that must not cause one, and the field `intended`."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.level import Finding, check, load
from game.level.geometry.column_grid import ColumnGrid, TooManyCandidates
from game.level.geometry.instance_transform import InstanceTree, PieceInstance, PlacedMarker
from game.level.geometry.overlapping_pairs import convex_separation, find_overlapping_pairs, nearest_on_segments

GROUND = "floor: {from: [-20, -20], to: [20, 20]}"

# What the check says of pieces on the ground: line of the piece (6 is the first after the ground), words of it.
WARNED = {
    "ramp: {at: [0, 0, 0], length: 4, rise: 3.9, intended: [steep]}": [],
    "ramp: {at: [0, 0, 0], length: 4, rise: 3.7}": [],
    "ramp: {at: [0, 0, 0], length: 4, rise: 4.4}": [],
    "stairs: {at: [0, 0, 0], steps: 5, rise: 0.41}": [(6, "0.41 m is higher than a player can step (0.40 m)")],
    "stairs: {at: [0, 0, 0], steps: 5, rise: 0.41, intended: [step]}": [],
    "stairs: {at: [0, 0, 0], steps: 5, rise: 0.40}": [],
    "stairs: {at: [0, 0, 0], steps: 6, rise: 0.14, width: 2}": [],  # its sides are 0.42 m and 0.56 m high
    "stairs: {at: [0, 0, 0], steps: 6, rise: 0.21, width: 2}": [],
    "box: {from: [0, 0, 0], to: [2, 0.42, 2], intended: step}": [],
    "group: {intended: [step], of: [box: {from: [0, 0, 0], to: [2, 0.42, 2]}]}": [],
    "box: {from: [0, 0, 0], to: [2, 0.40, 2]}": [],
    "box: {from: [0, 0, 0], to: [2, 0.60, 2]}": [],
    "box: {from: [0, 0, 0], to: [2, 0.42, 2]} | box: {from: [0, 0.42, 0], to: [2, 2, 2]}": [],
    "box: {from: [0, 0, 0], to: [2, 0.42, 2]} | box: {from: [0, 1.2, 0], to: [2, 2, 2]}": [],
    "wall: {from: [0, 0], to: [4, 0], doors: [{width: 0.6}], intended: [narrow]}": [],
    "wall: {from: [0, 0], to: [4, 0], windows: [{width: 0.5}]}": [],
    "room: {from: [0, 0, 0], to: [4, 1.5, 4], doors: [{wall: south, height: 1.5}], intended: [low]}": [],
    "arch: {from: [0, 0], to: [4, 0], width: 0.6, spring: 1}": [
        (6, "the opening is 0.6 m wide: too narrow for a player"), (6, "the top of the opening is at 1.3 m: too low to stand"),
    ],
    "box: {from: [0, 0, 0], to: [1, 3, 6], intended: [narrow]} | box: {from: [1.55, 0, 0], to: [3, 3, 6]}": [],
    "box: {from: [0, 0, 0], to: [1, 3, 6]} | box: {from: [1.75, 0, 0], to: [3, 3, 6]}": [],
    "box: {from: [0, 0, 0], to: [1, 3, 6]} | box: {from: [1.2, 0, 0], to: [3, 3, 6]}": [],
    "box: {from: [0, 0, 0], to: [1, 0.6, 6]} | box: {from: [1.55, 0, 0], to: [3, 0.6, 6]}": [],
    "array: {count: 3, step: [1.4, 0, 0], of: [pillar: {at: [0, 0, 0], sides: 16}]}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 0.8, thickness: 0.1}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 2.1, thickness: 0.2}": [],
    "box: {from: [1.2, 1.9, -3], to: [1.4, 2.1, 3]}": [],
    "array: {count: 9, step: [0, 0, 4], of: [box: {from: [1, 0, -18], to: [2, 1.6, -17]}]}": [],
    "wall: {from: [-3, 1], to: [3, 1], windows: [{sill: 0.3, height: 1.4}]}": [],
    "stairs: {at: [0, 0, 0], steps: 20, width: 4, open: true}": [],
    "ramp: {at: [0, 0, 0], length: 9, rise: 3, width: 4, open: true}": [],
    "stairs: {at: [1, 0, 1], steps: 20, width: 4, open: true} | floor: {from: [-3, -7], to: [5, 3], y: 0.02}": [],
    "spiral_stairs: {at: [0, 0, 0], steps: 30, rail: 0.9}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4.1, 0], to: [8, 4], y: 3}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0], to: [8, 4], y: 3}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0.01], to: [8, 4], y: 3}": [],
    "floor: {from: [-2, -2], to: [2, 2]}": [],
    "box: {from: [0, 0, 0], to: [1, 1, 1]} | box: {from: [1, 0, 0], to: [2, 1, 1]}": [],
    "box: {from: [0, 0, 0], to: [1, 1, 1]} | box: {from: [0, 1, 0], to: [1, 2, 1]}": [],
    "quad: {corners: [[0, 4, 0], [1, 4, 0], [1, 4, -1], [0, 4, -1]]} | quad: {corners: [[1, 4, 0], [2, 4, 0], [2, 4, -1], [1, 4, -1]]}": [],
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | quad: {corners: [[4.004, 4, 0], [6, 4, 0], [6, 5, -4], [4, 5, -4]]}": [
        (7, "corner 1 misses the edge of `quad` (line 6) by 4.0 mm: a crack"),
    ],
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | triangle: {corners: [[4, 4.506, -2], [6, 4.5, -2], [5, 4, 0]]}": [
        (7, "corner 1 misses the edge of `quad` (line 6) by 5.8 mm: a crack"),
    ],
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | triangle: {corners: [[4, 4.5, -2], [6, 4.5, -2], [5, 4, 0]]}": [],
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | triangle: {corners: [[4, 4.55, -2], [6, 4.5, -2], [5, 4, 0]]}": [],
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0], to: [8, 4], y: 3.01}": [],
    "box: {from: [0, 0, 0], to: [1, 2, 1]} | box: {from: [1.01, 0, 0], to: [2, 2, 1]}": [(7, "a crack of 10.0 mm")],
}  # fmt: skip


@pytest.fixture
def scene(written: Callable[[str], Path]) -> Callable[[str], Path]:
    def write(pieces: str, spawn: str = "{at: [10, 0, 10]}", more: str = "") -> Path:
        rows = "".join(f"  - {piece}\n" for piece in [GROUND, *pieces.split(" | ")] if piece)
        head = f"format: 1\nspawn: {spawn}\nsurfaces: {{red: {{colour: red}}}}\npieces:\n"
        return written(head + rows + more)

    return write


def about(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.message != "`red` is never used"]


@pytest.mark.sample(18)
@pytest.mark.parametrize("pieces", WARNED)
def test_each_scene_has_its_warnings_at_their_lines(scene: Callable[..., Path], pieces: str) -> None:
    findings = about(check(scene(pieces)))
    expected = WARNED[pieces]
    told = [finding.render() for finding in findings]
    assert len(findings) == len(expected), told
    for finding, (line, words) in zip(findings, expected, strict=True):
        assert (finding.severity, finding.line) == ("warning", line), told
        assert words in finding.message


@pytest.mark.parametrize(
    ("spawn", "pieces", "words"),
    [
        ("{at: [0, 0, 0]}", "box: {from: [0.1, 0, -2], to: [3, 3, 2]}", "the player is inside `box` (line 6)"),
        ("{at: [0, 0, 0]}", "box: {from: [-4, 0, -4], to: [4, 4, 4]}", "the player is inside `box` (line 6)"),
        ("{at: [0, 0, 0], facing: 90}", "box: {from: [0.3, 0, -2], to: [3, 3, 2]}", None),  # the slim side
        ("{at: [0, 0, 0]}", "box: {from: [0.3, 0, -2], to: [3, 3, 2]}", "the player is inside `box` (line 6)"),
        ("{at: [0, 1, 0]}", "", None),
        ("{at: [0, 0, 0]}", "", None),
        ("{at: [0, -0.3, 0]}", "", "the player is inside `floor` (line 5)"),
        ("{at: [0, 2, 2]}", "ramp: {at: [0, 0, 4], length: 4, rise: 4, width: 4, intended: [steep]}", None),
        ("{at: [30, 0, 0]}", "", "there is no ground below"),
        (
            "{at: [0, 0, 0], name: Cave}",
            "floor: {from: [-2, -2], to: [2, 2], y: 1.2, intended: [low]}",
            "there is no room for the player in `floor` (line 6): the level cannot be started here",
        ),
        (
            "{at: [0, 0, 0]}",  # each wall touches the body, and none is deep in it
            "box: {from: [-4, 0, -2], to: [-0.27, 3, 2]} | box: {from: [0.27, 0, -2], to: [4, 3, 2], intended: [narrow]}",
            "there is no room for the player in `box` (line 6): the level cannot be started here",
        ),
    ],
)
def test_a_spawn_without_room_or_ground_is_reported(
    scene: Callable[..., Path], spawn: str, pieces: str, words: str | None
) -> None:
    kill = "kill_height: -20\n" if "kill" in (words or "") else ""
    findings = about(check(scene(pieces, spawn, kill)))
    assert [finding.message for finding in findings] == ([] if words is None else [words])
    assert all((finding.severity == "dropped") == ("no room" in finding.message) for finding in findings)
    assert all(finding.where.startswith("spawn (") and finding.line == 2 for finding in findings)


def test_level_floors_are_no_slopes_for_a_body_that_climbs_none(scene: Callable[..., Path]) -> None:
    assert about(check(scene("", more="player: {max_slope: 0}\n"))) == []


def test_a_goal_that_nobody_can_reach(scene: Callable[..., Path]) -> None:
    (finding,) = about(check(scene("", more="kill_height: -5\ngoal: {at: [0, -7, 0], radius: 1}\n")))
    assert (finding.where, finding.message, finding.line) == ("goal", "the goal is below `kill_height`", 7)


def test_loading_does_not_look_at_the_geometry(scene: Callable[..., Path]) -> None:
    assert (
        about(
            list(load(scene("stairs: {at: [0, 0, 0], steps: 5} | floor: {from: [0, 0], to: [1, 1], y: 1.5}")).findings)
        )
        == []
    )


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
    for p, (x, z) in enumerate(points):
        for t, (a, b, c) in enumerate(triangles):
            u, v = np.linalg.solve(np.column_stack([(b - a)[::2], (c - a)[::2]]), np.array([x, z]) - a[::2])
            inside = min(u, v, 1 - u - v)
            if abs(inside) > 1e-6:
                assert ((p, t) in found) == (inside > 0)
            if (p, t) in found and inside > 1e-6:
                assert found[p, t] == pytest.approx(a[1] + u * (b - a)[1] + v * (c - a)[1])


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
    found = check(
        text=f"format: 1\nspawn: {{at: [5, 0, 5]}}\npieces:\n  - {GROUND}\n  - array: {{count: 60, step: [0, 0, 0], turn: 90, of: [{box}]}}\n"
    )
    assert "a face coincides with a copy" in found[0].message
    assert len(looked_up) < 300


def test_many_markers_are_left_out_without_a_comparison_of_each_with_each(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(self: PlacedMarker, other: object) -> bool:
        raise AssertionError

    monkeypatch.setattr(PlacedMarker, "__eq__", compared)
    ramps = "array: {count: 50, step: [100000, 0, 0], of: [ramp: {at: [0, 0, 0], length: 2, rise: 1}]}"
    level = load(text=f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces:\n  - {GROUND}\n  - {ramps}\n")
    assert 0 < len(level.faces.marks) < 50
    assert ["further than" in str(one) for one in level.findings] == [True]
