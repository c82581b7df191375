"""Regressions: crouching beside a tiled wall lowers the body."""

from __future__ import annotations

import numpy as np
import pytest

from game.physics import Command, Walker, bare
from tests.support.scenes import floor, heading, mesh, turned, wall


@pytest.mark.parametrize("aside", range(-60, 60, 12))
def test_crouching_beside_a_tiled_wall_brings_the_body_down(aside):
    """The way down was swept with the whole skin: a wall held at the skin less a rounding stopped it at the edge of
    its first triangle, up to 0.35 m above the ground."""
    world = mesh(turned(floor(-9, -9, 9, 9, tiles=4) + wall(-9, -3, 9, -3, 4, tiles=6), 17.3))
    walker = Walker(bare())
    view = heading(aside + 17.3)
    state = walker.spawn(world, (-0.45, 0.0, -1.43), view)
    state = walker.state(walker.run(state, walker.commands(forward=np.ones(60), heading=view), world)[-1])
    state, _ = walker.step(state, Command(forward=1.0, heading=view, crouch=True), world)
    low = walker.settings.crouch_radii[1]
    assert state.grounded
    assert abs(state.position[1] - low * (1.0 + walker.settings.skin)) < 1e-9
