"""The pieces suit the walker: it climbs, turns, passes and stops as their fields say."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from game.level import Level, load

physics = pytest.importorskip("game.physics")

Written = Callable[[str], Path]


def level_of(written: Written, *pieces: str) -> Level:
    rows = "".join(f"  - {piece}\n" for piece in ("floor: {from: [-20, -20], to: [20, 20]}", *pieces))
    return load(written(f"format: 1\nspawn: {{at: [0, 0, 6]}}\npieces:\n{rows}"))


def walked(level: Level, way: list[tuple[float, float]], ticks: int = 1200) -> tuple[float, float, float]:
    """Feet after walking from the spawn towards each point of the plan in turn."""
    walker = physics.Walker(physics.WalkerSettings())
    state = walker.spawn(level.mesh, feet=level.spawns[0].feet, heading=level.spawns[0].heading)
    left = list(way)
    for _ in range(ticks):
        if not left:
            break
        x, z = left[0][0] - state.feet[0], left[0][1] - state.feet[2]
        if math.hypot(x, z) < 0.08:
            left.pop(0)
            continue
        heading = round(math.atan2(-x, -z) / math.tau * 65536) % 65536
        state, _ = walker.step(
            state, physics.Command(forward=min(1.0, 4 * math.hypot(x, z)), heading=heading), level.mesh
        )
    return tuple(state.feet)


def test_rails_beside_stairs_and_along_a_slab_hold_the_player(written: Written) -> None:
    stairs = "stairs: {at: [0, 0, 2], steps: 10, rise: 0.2, width: 2}"
    slab = "floor: {from: [-2, -8], to: [2, -1], y: 2, thickness: 0.2}"
    rail = "rail: {points: [[0.95, 0, 2], [0.95, 2, -1], [1.95, 2, -1], [1.95, 2, -8]]}"
    bare, railed = level_of(written, stairs, slab), level_of(written, stairs, slab, rail)
    for way, stopped in (([(0, 0.5), (6, 0.5)], 0.95), ([(0, -5), (6, -5)], 1.95)):
        assert walked(bare, way, 600)[:2] == pytest.approx((6, 0), abs=0.1)
        assert walked(railed, way, 600)[0] == pytest.approx(stopped - 0.03 - 0.25, abs=0.02), "at the rail"
        assert walked(railed, way, 600)[1] > 0.9


STAIRS = ["stairs: {at: [0, 0, 2], steps: 10, rise: 0.2}", "floor: {from: [-2, -8], to: [2, -1], y: 2, thickness: 0.2}"]
SPIRAL = ["spiral_stairs: {at: [0, 0, 0], facing: south, steps: 18, rise: 0.18, turn: 24, rail: 0.9}"]
TREADS = [(0.95 * math.sin(a), 0.95 * math.cos(a)) for a in (math.radians(24 * (k + 0.4)) for k in range(18))]
ROOM = ["room: {from: [-3, 0, -3], to: [3, 3, 3], doors: [{wall: south, at: 5}]}"]
ARCH = ["arch: {from: [-3, 3], to: [3, 3]}", "pillar: {at: [0, 0, 0], radius: 0.5}"]


def ramp(rise: float) -> list[str]:
    slope = f"ramp: {{at: [0, 0, 2], length: 4, rise: {rise}, width: 2, intended: [steep]}}"
    return [slope, f"floor: {{from: [-1, -6], to: [1, -2], y: {rise}}}"]


# Pieces, points of the plan to walk to, and the feet at the end; None: any.
WALKS = {
    "up stairs": (STAIRS, [(0, -5)], (0, 2, -5)),
    "up a winding stair": (SPIRAL, [(-0.7, 3), (-0.7, 0.95), *TREADS], (None, 18 * 0.18, None)),
    "up a ramp of 44 degrees": (ramp(3.86), [(0, -4)], (None, 3.86, None)),
    "not up a ramp of 60 degrees": (ramp(6.93), [(0, -4)], (None, 0, None)),
    "through a door": (ROOM, [(2, 5), (2, 2), (0, 0)], (0, 0, 0)),
    "not through a wall": (ROOM, [(0, 0)], (0, 0, 3.2 + 0.25)),
    "through an arch and round a pillar": (ARCH, [(0, 3), (1.2, 0), (0, -2)], (0, 0, -2)),
    "not through a pillar": (ARCH, [(0, -2)], (None, 0, 0.5 + 0.25)),
    "up the highest step": (["box: {from: [-2, 0, -2], to: [2, 0.40, 2]}"], [(0, 0)], (None, 0.40, None)),
    "not up a higher one": (["box: {from: [-2, 0, -2], to: [2, 0.41, 2]}"], [(0, 0)], (None, 0, None)),
}


@pytest.mark.parametrize("name", WALKS)
def test_a_walker_comes_where_the_pieces_lead_and_no_further(written: Written, name: str) -> None:
    pieces, way, end = WALKS[name]
    feet = walked(level_of(written, *pieces), way)
    for found, wanted, reach in zip(feet, end, (0.1, 0.05, 0.1), strict=True):
        assert wanted is None or found == pytest.approx(wanted, abs=reach)
