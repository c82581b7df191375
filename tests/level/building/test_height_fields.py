"""Height fields: the grid of a terrain reaches the physics, also inside groups and arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from game.level import Level

Built = Callable[..., Level]
HILLS = "terrain: {from: [-6, -4], to: [6, 5], cell: 0.9, formula: 'noise(x/2, z/2)*clamp(x + 2, 0, 1)', thickness: 1}"
CUT = f"{HILLS[:-1]}, paint: [{{surface: default, where: '9 - x**2 - z**2'}}], cups: [{{at: [1, -2], radius: 0.15}}]}}"


def tops(level: Level) -> int:
    return int(level.faces.smooth[level.quad_index].sum())


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("piece", "fields"),
    [
        (HILLS, 1),
        (CUT, 1),
        (f"group: {{facing: east, at: [40, 3, 20], of: [{HILLS}]}}", 1),
        (f"group: {{facing: 33, scale: [2, 0.5, 3], at: [-7, 0, 2], of: [{HILLS}]}}", 1),
        (f"array: {{count: 4, turn: 90, step: [0, 5, 0], of: [{HILLS}]}}", 4),
        (f"array: {{count: 3, step: [0, 5, 0], of: [group: {{facing: 45, of: [{HILLS}]}}]}}", 3),
        ("terrain: {from: [0, 0], to: [6, 6], heights: [[0, 1, 0], [2, 0, 3], [0, 0, 1]]}", 1),
        ("terrain: {from: [0, 0], to: [6, 6], heights: [[0, 1], [2, 0]], smooth: true, collide: false}", 0),
    ],
)
def test_every_triangle_on_top_is_looked_up(built: Built, piece: str, fields: int) -> None:
    level = built(piece)
    heights = level.mesh.heights
    assert len(heights) == fields
    assert int(heights.inside.sum()) == tops(level)
    random = np.random.default_rng(5)
    low, high = (np.array(part) for part in (level.triangles.min(axis=(0, 1)), level.triangles.max(axis=(0, 1))))
    near = level.triangles[2:].reshape(-1, 3)  # the first two are the floor far away
    low, high = (near.min(axis=0), near.max(axis=0)) if len(near) else (low, high)
    points = np.concatenate([random.uniform(low - 1.0, high + 2.0, (300, 3)), near[:200] + np.array((0.0, 0.5, 0.0))])
    assert list(level.mesh.ground_below_many(points)) == list(level.mesh.raycast_many(points, (0.0, -1.0, 0.0)))


def test_a_level_without_terrain_has_none(built: Built) -> None:
    assert not len(built("box: {from: [0, 0, 0], to: [1, 1, 1]}").mesh.heights)


@pytest.mark.parametrize("points", [5.0, [0.0, 1.0], [[0.0, 1.0]], [0.0, np.nan, 0.0]])
def test_ground_below_names_wrong_points(built: Built, points: object) -> None:
    level = built(HILLS)
    with pytest.raises(ValueError, match="point: "):
        level.mesh.ground_below_many(points)  # type: ignore[arg-type]
