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


def test_up_the_stairs_and_onto_the_floor_at_their_head(written: Written) -> None:
    level = level_of(
        written,
        "stairs: {at: [0, 0, 2], steps: 10, rise: 0.2}",
        "floor: {from: [-2, -8], to: [2, -1], y: 2, thickness: 0.2}",
    )
    assert walked(level, [(0, -5)]) == pytest.approx((0, 2, -5), abs=0.1)


def test_rails_beside_stairs_and_along_a_slab_hold_the_player(written: Written) -> None:
    stairs = "stairs: {at: [0, 0, 2], steps: 10, rise: 0.2, width: 2}"
    slab = "floor: {from: [-2, -8], to: [2, -1], y: 2, thickness: 0.2}"
    rail = "rail: {points: [[0.95, 0, 2], [0.95, 2, -1], [1.95, 2, -1], [1.95, 2, -8]]}"
    bare, railed = level_of(written, stairs, slab), level_of(written, stairs, slab, rail)
    for way, stopped in (([(0, 0.5), (6, 0.5)], 0.95), ([(0, -5), (6, -5)], 1.95)):
        assert walked(bare, way, 600)[:2] == pytest.approx((6, 0), abs=0.1)
        assert walked(railed, way, 600)[0] == pytest.approx(stopped - 0.03 - 0.25, abs=0.02), "at the rail"
        assert walked(railed, way, 600)[1] > 0.9


def test_a_winding_stair_is_walked_up_to_its_top(written: Written) -> None:
    level = level_of(
        written, "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 18, rise: 0.18, turn: 24, rail: 0.9}"
    )
    way = [(0.95 * math.sin(a), 0.95 * math.cos(a)) for a in (math.radians(24 * (k + 0.4)) for k in range(18))]
    feet = walked(level, [(-0.7, 3), (-0.7, 0.95), *way])
    assert feet[1] == pytest.approx(18 * 0.18, abs=0.05)


def test_up_a_ramp_of_44_degrees_but_not_of_60(written: Written) -> None:
    for rise, height in ((3.86, 3.86), (6.93, 0.0)):
        level = level_of(written, f"ramp: {{at: [0, 0, 2], length: 4, rise: {rise}, width: 2, intended: [steep]}}",
                         f"floor: {{from: [-1, -6], to: [1, -2], y: {rise}}}")  # fmt: skip
        assert walked(level, [(0, -4)], 400)[1] == pytest.approx(height, abs=0.05)


def test_through_a_door_into_a_room_and_not_through_its_wall(written: Written) -> None:
    room = "room: {from: [-3, 0, -3], to: [3, 3, 3], doors: [{wall: south, at: 5}]}"
    level = level_of(written, room)
    assert walked(level, [(2, 5), (2, 2), (0, 0)]) == pytest.approx((0, 0, 0), abs=0.1)
    assert walked(level, [(0, 0)], 300)[2] == pytest.approx(3.2 + 0.25, abs=0.02), "stopped by the outside of the wall"


def test_through_an_arch_and_round_a_pillar(written: Written) -> None:
    level = level_of(written, "arch: {from: [-3, 3], to: [3, 3]}", "pillar: {at: [0, 0, 0], radius: 0.5}")
    assert walked(level, [(0, 3), (1.2, 0), (0, -2)]) == pytest.approx((0, 0, -2), abs=0.1)
    assert walked(level, [(0, -2)], 300)[2] > 0.5


def test_steps_as_high_as_they_may_be_and_no_higher(written: Written) -> None:
    for height, climbed in ((0.40, 0.40), (0.41, 0.0)):
        level = level_of(written, f"box: {{from: [-2, 0, -2], to: [2, {height}, 2]}}")
        assert walked(level, [(0, 0)], 300)[1] == pytest.approx(climbed, abs=0.02)
