"""Invariance: the same walk far from the origin, rotated by quarter turns, mirrored, and repeated."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import TriangleMesh
from tests.support.museum_levels import Array, bare_walker, bodies, level, mesh, rates
from tests.support.scenes import heading

TICKS = 600


def stroll(walker, seed: int, turned: int = 0, mirrored: bool = False, ticks: int = TICKS):
    """A seeded walk with turns, jumps and crouching, with an offset of the view."""
    rng = np.random.default_rng(seed)
    spans = ticks // 20
    turns = np.cumsum(np.repeat(rng.integers(-700, 701, spans), 20)) + int(rng.integers(-3000, 3000))
    sign = -1 if mirrored else 1
    return walker.commands(
        forward=np.repeat(rng.choice([1.0, 1.0, 0.7, 0.0], spans), 20),
        strafe=sign * np.repeat(rng.choice([0.0, 0.0, 0.6, -0.6], spans), 20),
        heading=(sign * turns + turned) % 65536,
        jump=np.repeat(rng.random(spans) < 0.2, 20),
        crouch=np.repeat(rng.random(spans) < 0.1, 20),
    )


@rates
@bodies
def test_1_and_10_km_from_the_origin(body, hz):
    """One garden three times in the file: the same walk within a micrometre."""
    world, doors = mesh("far"), level("far").spawns
    assert [spawn.feet[0] for spawn in doors] == [0.0, 1000.0, 10000.0]
    walker = bare_walker(body, hz)
    for seed in range(6):
        walks = []
        for spawn in doors:
            start = walker.spawn(world, spawn.feet, heading(0))
            walks.append(walker.run(start, stroll(walker, seed), world))
        for spawn, states in zip(doors[1:], walks[1:], strict=True):
            apart = states["position"] - walks[0]["position"] - (np.array(spawn.feet) - doors[0].feet)
            assert abs(apart).max() < 1e-6
            assert (states["grounded"] == walks[0]["grounded"]).all()


def around(positions: Array, quarters: int) -> Array:
    """Rotated back clockwise around the origin, seen from above, by quarter turns."""
    x, y, z = positions.T
    c, s = (1, 0, -1, 0)[quarters], (0, 1, 0, -1)[quarters]
    return np.stack((c * x - s * z, y, s * x + c * z), 1)


@rates
@bodies
def test_rotated_copies_of_a_level_give_rotated_walks(body, hz):
    world = mesh("turned")
    walker = bare_walker(body, hz)
    for seed in range(6):
        walks = []
        for quarters in range(4):
            start = walker.spawn(world, (0.0, 0.0, 0.0), 16384 * quarters)
            states = walker.run(start, stroll(walker, seed, 16384 * quarters, ticks=400), world)
            walks.append(around(states["position"], quarters))
        for turned in walks[1:]:
            assert abs(turned - walks[0]).max() < 1e-6


@rates
@bodies
@pytest.mark.parametrize("stem", ["turned", "cracks", "same_again", "stairs"])
def test_mirrored_level_and_commands_give_the_mirrored_walk(stem, body, hz):
    """Triangles mirrored east to west, commands mirrored: the mirrored walk within a micrometre."""
    level_file = level(stem)
    flip = np.array((-1.0, 1.0, 1.0))
    there = TriangleMesh((level_file.triangles * flip)[:, ::-1])
    walker = bare_walker(body, hz)
    x, y, z = level_file.spawns[0].feet
    for seed in range(4):
        here = walker.run(walker.spawn(level_file.mesh, (x + 0.3, y, z), 0), stroll(walker, seed), level_file.mesh)
        seen = walker.run(walker.spawn(there, (-x - 0.3, y, z), 0), stroll(walker, seed, mirrored=True), there)
        assert abs(seen["position"] * flip - here["position"]).max() < 1e-6
