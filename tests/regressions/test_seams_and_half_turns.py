"""Regressions that random walks found at seams of real levels and in half turns."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import TriangleMesh, Walker, WalkerSettings
from tests.support.scenes import floor


@pytest.mark.parametrize("bend", [1e-9, 3e-7, 1e-5, 5e-5])
@pytest.mark.parametrize("slope", [46.0, 60.0, 80.0])
def test_a_steep_face_bent_by_rounding_does_not_stop_a_slide(slope, bend):
    """Two triangles of one slope, apart by what 32-bit coordinates leave: the neighbour's plane was claimed by the
    first, the way kept to that one's and met the other at once, in every tick, for ever."""
    walker = Walker(WalkerSettings(radii=(0.35, 0.90, 0.35)))
    up, out = 3.0, 3.0 / math.tan(math.radians(slope))
    strip = []
    for k in range(12):
        z0, z1 = 6.0 - k, 5.0 - k
        lean = bend if k % 2 else -bend
        a, b = (0.0, 0.0, z0), (0.0, 0.0, z1)
        c, d = (-out + lean, up, z1), (-out, up, z0)
        strip += [(a, b, c), (a, c, d)]
    world = TriangleMesh(floor(-4, -7, 4, 7) + strip)
    for heading in (500, 2000, 4000):
        state = walker.spawn(world, (0.6, 0.0, 5.0), heading)
        states = walker.run(state, walker.commands(forward=np.ones(150), heading=heading), world)
        ways = np.linalg.norm(np.diff(states["position"][20:, [0, 2]], axis=0), axis=1)
        yaw = heading * math.tau / 65536
        assert ways.min() > 0.9 * math.cos(yaw) ** 2 * 4.0 / 60, "held at a seam"
