"""Regression: a walker that crouched in front of a ledge hung on its edge and climbed it, up to 0.645 m."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Walker, WalkerSettings
from tests.support.scenes import BODIES, box, floor, heading, mesh


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize("ledge", [0.41, 0.50, 0.60, 0.64])
def test_crouching_climbs_no_ledge(body, rate, ledge):
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))
    world = mesh(floor(-8, -8, 8, 8), box(-3, 0, -4, 3, ledge, 0))
    for degrees in (0.0, 25.0, -50.0):
        start = walker.spawn(world, (0.0, 0.0, 0.8), heading(degrees))
        crouch = np.arange(2 * rate) >= rate
        rows = walker.commands(forward=np.ones(2 * rate), crouch=crouch, heading=start.heading)
        states = walker.run(start, rows, world)
        feet = states["position"][:, 1] - states["radii"][:, 1]
        assert states["crouched"][-1]
        assert states["grounded"].all()
        assert feet.max() < 0.02


def test_crouching_on_stairs_and_slopes_stays_in_place():
    """The body moves sideways past what it does not rest on, and only as far as it is broader."""
    from tests.support.scenes import ramp, stairs

    walker = Walker(WalkerSettings())
    for world, z in (
        (mesh(floor(-8, -8, 8, 8), stairs(0.18, 0.3, 8)), -1.0),
        (mesh(floor(-8, 0, 8, 8), ramp(35.0)), -3.0),
    ):
        start = walker.spawn(world, (0.0, 0.0, 1.0), 0)
        ticks = round((1.0 - z) / 4.0 * 60)
        stands = walker.run(start, walker.commands(forward=np.ones(ticks)), world)[-1:]
        still = walker.run(walker.state(stands[0]), walker.commands(forward=np.zeros(30)), world)
        low = walker.run(walker.state(still[-1]), walker.commands(crouch=np.ones(60, bool)), world)
        assert low["grounded"].all()
        assert low["crouched"].all()
        assert np.abs(low["position"][-1, [0, 2]] - still["position"][-1, [0, 2]]).max() < 0.14
