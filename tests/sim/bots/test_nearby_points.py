"""Pairs of near points: all of them are found, and a level with tens of thousands of places needs little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from game.sim.bots import reachability
from game.sim.bots.nearby_points import nearby_pairs

PLACES = np.stack(np.meshgrid(np.arange(200) * 0.5, np.arange(200) * 0.5), -1).reshape(-1, 2)  # 100 by 100 m


def at_height(plan: np.ndarray, height: float) -> np.ndarray:
    """(n,3) points of a plan."""
    return np.insert(plan, 1, height, axis=1)


def peak_memory(function: Callable[[], object]) -> float:
    """Memory that a call needs at most, MB."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("count", "other_count", "half"),
    [(300, 400, 5.0), (900, 700, 40.0), (60, 50, 0.2), (1, 1, 9.0), (0, 5, 1.0), (5, 0, 1.0)],
)
def test_near_pairs_match_brute_force(count: int, other_count: int, half: float) -> None:
    rng = np.random.default_rng(count)
    points, others = rng.uniform(-half, half, (count, 3)), rng.uniform(-half, half, (other_count, 3))
    points[: count // 2] = np.round(points[: count // 2] / 2.5) * 2.5  # on the borders of columns
    if count and other_count:
        others[0] = points[0] + np.array((np.nextafter(2.5, 0.0), 0.0, 0.0))
    found = [
        pair for block in nearby_pairs(points, others, 2.5) for pair in zip(*(k.tolist() for k in block), strict=True)
    ]
    assert len(found) == len(set(found))
    across = points[:, None] - others[None]
    near = np.argwhere(np.hypot(across[..., 0], across[..., 2]) < 2.5).tolist()
    assert set(map(tuple, near)) <= set(found)


@pytest.mark.parametrize(("rise", "wanted"), [(0.2, True), (0.3, False)])
def test_adjacent_ground_needs_little_memory(rise: float, wanted: bool) -> None:
    """40 000 reached places below 10 000 cells: all pairs at once would be 10 GB."""
    reached, feet = at_height(PLACES, 0.0), at_height(PLACES[::4] + 0.1, rise)
    above = np.full(len(feet), 3.0)
    assert reachability._is_adjacent_ground(feet, above, reached, reached) == wanted
    assert peak_memory(lambda: reachability._is_adjacent_ground(feet, above, reached, reached)) < 40.0
