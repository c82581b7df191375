"""Example levels: no findings, and each can be walked to its goal."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from game.level import check, load
from game.physics import Command
from game.sim import World

FOLDER = Path(__file__).resolve().parents[2] / "levels" / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))

WAYS = {
    "terrain": [(0, -25.5)],
    "lamps": [(-1, 0), (0, -15.5)],
    "targets": [
        (7, 6), (10.5, 3), (10.5, -0.2), (6.5, -0.2), (10.5, -0.5), (10.5, -7.5), (7, -7.5), (-1.5, -7.5), (-1.5, -3),
        (0, -4), (0, -8.5), (0, -4), (-9, 0), (-9, 5), (-6, 5), (-6, -0.4), (-4, -0.4), (0, 0),
    ],
}  # fmt: skip


def walked(world: World, way: list[tuple[float, float]], ticks: int = 4000) -> None:
    """Walk towards each point of the plan in turn."""
    left = list(way)
    for _ in range(ticks):
        feet = world.walker_state.feet
        while left and math.dist((feet[0], feet[2]), left[0]) < 0.15:
            left.pop(0)
        if not left or world.goal_tick >= 0:
            return
        x, z = left[0][0] - feet[0], left[0][1] - feet[2]
        heading = round(math.atan2(-x, -z) / math.tau * 65536) % 65536
        world.step(Command(forward=min(1.0, 4 * math.hypot(x, z)), heading=heading))
    pytest.fail(f"not there after {ticks} ticks: at {world.walker_state.feet}, {left} is left")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_to_be_said(name: str) -> None:
    assert check(FOLDER / f"{name}.yaml") == []


@pytest.mark.parametrize("name", WAYS)
def test_its_goal_is_reached_on_foot(name: str) -> None:
    world = World(load(FOLDER / f"{name}.yaml"))
    walked(world, WAYS[name])
    assert world.goal_tick > 0
    assert world.reached_targets.remaining == 0
