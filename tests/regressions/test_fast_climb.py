"""Regression: sprinting up a ladder let go of it in each second tick, and threw the body off its top by 0.96 m."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Environment, Walker, WalkerSettings, Zone, Zones
from tests.support.scenes import box, floor, mesh


@pytest.mark.parametrize("sprint", [False, True])
@pytest.mark.parametrize("rate", [30, 60, 120, 240])
def test_a_climb_ends_on_the_ledge(rate, sprint):
    world = mesh(floor(-9, -9, 60, 9), box(3, 0, -9, 60, 4, 9))
    around = Environment(Zones([Zone((2.6, 2.05, 0), (0.4, 2.1, 1), climb=(1, 0, 0))]))
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    start = walker.spawn(world, (1.5, 0.01, 0), -16384, around=around)
    ticks = 4 * rate
    rows = walker.commands(forward=np.ones(ticks), heading=-16384, sprint=np.full(ticks, sprint))
    states = walker.run(start, rows, world, around=around)
    feet = states["position"][:, 1] - states["radii"][:, 1]
    assert feet.max() < 4.15 + 0.1
    assert states["grounded"][-1]
    assert abs(feet[-1] - 4.0) < 0.02
    assert np.abs(np.diff(states["climbing"].astype(int))).sum() <= 4  # it was up to 44
