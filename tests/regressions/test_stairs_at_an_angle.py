"""Regressions on stairs: diagonal walks keep their speed and stay on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Walker, bare
from tests.support.scenes import BODIES, floor, mesh, stairs, wall


@pytest.mark.parametrize("x", [1.5, 1.8, 1.9, -1.8])
def test_the_diagonal_of_a_riser_does_not_slow_the_walker(x):
    """Its lower triangle's contact, on the diagonal, counted although the upper one was touched nearer, at the nose:
    58 % of the speed at 30 ticks a second."""
    world = mesh(floor(-10, -20, 10, 10), stairs(0.18, 0.3, 8, 4))
    walker = Walker(bare(ticks_per_second=30))
    state = walker.spawn(world, (x, 0.0, 1.12), 0)
    end = walker.run(state, walker.commands(forward=np.ones(30)), world)["position"][-1]
    assert abs(state.position[2] - end[2] - 4.0) < 4e-6
    assert abs(end[0] - x) < 1e-9


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize("run", [0.2, 0.25, 0.3])
@pytest.mark.parametrize("turn", [8192, -8192])
def test_the_steepest_stairs_climbed_diagonally(body, rate, run, turn):
    """Carried by a nose alone, the body forgot from tick to tick that it stood on that step: 20 ticks in the air."""
    world = mesh(floor(-20, -20, 20, 20), stairs(0.4, run, 8, 16))
    walker = Walker(bare(radii=BODIES[body], ticks_per_second=rate))
    state = walker.spawn(world, (2.0 if turn > 0 else -2.0, 0.0, 1.0), turn)
    ticks = rate * 6 // 5
    states = walker.run(state, walker.commands(forward=np.ones(ticks), heading=turn), world)
    way = np.hypot(*(states["position"][-1] - state.position)[[0, 2]])
    assert states["grounded"].all()
    assert abs(way - 4.0 * ticks / rate) < 1e-6


@pytest.mark.parametrize(
    ("rise", "run", "rate", "speed"), [(0.3, 0.2, 60, 6.0), (0.4, 0.5, 60, 6.0), (0.4, 0.5, 30, 4.0)]
)
def test_high_stairs_beside_a_wall_lose_nothing(rise, run, rate, speed):
    """A drop beside the wall was cut off by the rounding of its distance: the body stayed in the air."""
    world = mesh(floor(-20, -20, 20, 20), stairs(rise, run, 12, 16), wall(3.5, -20, 3.5, 20, 12))
    walker = Walker(bare(walk_speed=speed, ticks_per_second=rate))
    state = walker.spawn(world, (3.14, 0.0, 1.0), -8192)
    ticks = int(12 * run * np.sqrt(2.0) / speed * rate)
    states = walker.run(state, walker.commands(forward=np.ones(ticks), heading=-8192), world)
    assert states["grounded"].all()
    assert abs(np.diff(states["position"][2:, 2]) + speed / np.sqrt(2.0) / rate).max() < 1e-6
