"""Regressions: crouching in a jump does not lift the feet."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Walker, WalkerSettings
from tests.support.scenes import box, floor, heading, mesh, turned

RADII = [(0.35, 0.90, 0.25), (0.35, 0.90, 0.12), (0.5, 0.9, 0.5)]


@pytest.mark.parametrize("radii", RADII)
@pytest.mark.parametrize("aside", [0.0, 20.0, 50.0])
def test_crouching_beside_a_ledge_keeps_the_feet(radii, aside):
    """The low body is broader near the feet, so the upper edge of a ledge kept it from coming down to where the feet
    had been: they rose by up to 0.26 m in that tick, and ledges were climbed that no jump reaches."""
    world = mesh(turned(floor(-9, -9, 9, 9) + box(-9, 0, -9, 9, 1.42, -1), 11.0))
    walker = Walker(WalkerSettings(radii=radii))
    s, c = np.sin(np.radians(11.0)), np.cos(np.radians(11.0))
    near = -1.0 + 1.05 * max(radii[0], radii[2])
    state = walker.spawn(world, (near * s, 0.0, near * c), heading(11.0))
    ticks = np.arange(90)
    for begin in range(5, 40):
        rows = walker.commands(
            forward=np.where(ticks < 3, 0.0, 1.0), heading=heading(11.0 + aside), jump=ticks == 1, crouch=ticks >= begin
        )
        states = walker.run(state, rows, world)
        feet = states["position"][:, 1] - states["radii"][:, 1]
        ordinary = np.sqrt(2 * 9.81 * 1.0) / 60  # the first tick of a jump
        lifted = np.diff(feet)[begin - 1]
        assert lifted < ordinary + 0.02, (begin, lifted)
        assert feet.max() < 1.06, (begin, feet.max())
