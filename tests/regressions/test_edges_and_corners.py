"""Regressions at edges and in corners."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Command, TriangleMesh, Walker, WalkerSettings
from tests.support.scenes import BODIES, box, floor, quad

NORTH, EAST = 0, 49152


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_walking_off_a_high_edge_falls_at_once(body, sideways, rate):
    """Feet went down by 0.67 m in four ticks, "grounded", before the fall began."""
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))
    mesh = TriangleMesh(floor(-9, 0, 9, 9))
    heading = EAST if sideways else NORTH
    wish = Command(strafe=-1.0, heading=heading) if sideways else Command(forward=1.0, heading=heading)
    state = walker.spawn(mesh, (0.0, 0.0, 1.0), heading)
    height = state.feet[1]
    for _ in range(2 * rate):
        state, _ = walker.step(state, wish, mesh)
        if not state.grounded:
            break
    rx, ry, rz = walker.settings.radii
    across = rx if sideways else rz
    # on the edge until its normal leans by the slope limit: there the foot has sunk by ry - ry^2 / hypot(ry, across),
    # and it may go on by one tick along the tangent, which is no steeper, and fall for one
    most = ry - ry * ry / math.hypot(ry, across) + 4.0 / rate + 0.5 * 9.81 / rate**2 + 0.001
    assert not state.grounded
    assert height - state.feet[1] <= most


@pytest.mark.parametrize("height", [0.42, 0.45, 0.5, 0.6])
def test_turning_against_a_box_does_not_climb_it(height):
    """The lift of a turn and the step from there added up: feet rose by 0.30 m on the spot."""
    walker = Walker()
    mesh = TriangleMesh(floor(-9, -9, 9, 9) + box(1.0, 0.0, -1.0, 4.0, height, 1.0))
    state = walker.spawn(mesh, (0.0, 0.0, 0.0), EAST)
    for _ in range(40):
        state, _ = walker.step(state, Command(forward=1.0, heading=EAST), mesh)
    before = state.feet[1]
    for k in range(1, 31):
        state, _ = walker.step(state, Command(heading=EAST - 546 * k), mesh)
        assert abs(state.feet[1] - before) < 0.009  # the skin


@pytest.mark.parametrize("corner", range(125, 168, 6))
def test_a_wide_corner_holds_still(corner):
    """Between walls at 130 to 175 degrees what the corner took of the speed came back with each tick: a tremble of
    7 mm for ever."""
    half = math.radians(90.0 - corner / 2.0)

    def at(side: float, y: float) -> tuple[float, float, float]:
        return (side * 5.0 * math.cos(half), y, 5.0 * math.sin(half))

    walls = quad((0, 0, 0), at(1, 0), at(1, 3), (0, 3, 0)) + quad(at(-1, 0), (0, 0, 0), (0, 3, 0), at(-1, 3))
    mesh = TriangleMesh(walls + floor(-9, -9, 9, 9))
    walker = Walker()
    for heading in np.linspace(-0.8, 0.8, 5) * half * 32768.0 / math.pi:
        turn = int(heading)
        state = walker.spawn(mesh, (0.3, 0.0, 1.2), turn)
        for sprint in (False, True):
            states = walker.run(state, walker.commands(forward=np.ones(1200), heading=turn, sprint=sprint), mesh)
            last = states["position"][-60:]
            assert np.abs(last - last[-1]).max() < 1e-6
