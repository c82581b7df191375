"""Regressions found by Hypothesis and the referee, each shrunk to a minimal scene."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Command, TriangleMesh, Walker, WalkerSettings
from tests.support.random_levels import Block, Corner, Ramp, Room, Span, commands, spawn
from tests.support.scenes import Triangles, box, floor, gap, heading, mesh, quad, turned

HALF = 0.005  # half the skin, ellipsoid space


@pytest.mark.parametrize("degrees", [0, 30, 90, 215])
def test_half_a_turn_in_one_tick_beside_a_block_keeps_the_gap(degrees):
    """The heading reversed at once beside a low block: the same shape, but everything round it is seen anew."""
    walker = Walker(WalkerSettings())
    world = mesh(floor(-4, -4, 4, 4) + box(-0.05, 0, -0.05, 0.05, 0.05, 0.05))
    away = math.radians(degrees)
    state = walker.spawn(world, (-0.1 * math.sin(away), 0.0, -0.1 * math.cos(away)), heading(degrees))
    for _ in range(20):
        state, trace = walker.step(state, Command(1.0, 0.0, (heading(degrees) + 32768) % 65536), world)
        assert gap(walker, state, world) >= HALF
        assert "pushed" not in trace.events


def test_a_seam_in_a_steep_face_does_not_stop_a_walk():
    """Along a slope of two triangles that is too steep to walk: over their common edge at the same speed."""
    block = Block(0.0, 0.0, 0.1, 0.1, 0.05, 0.0, 0)
    corner = Corner(0.0, 0.0, 5, 0)
    room = Room(2.2, 1, (corner, block, block, block, Ramp(0.1, -2.6, 1.1, 0.5, 46, 45), corner))
    walker, turned = Walker(), room.mesh(90)
    x, y, z = spawn(walker, room.mesh(), (1.3, -1.6, 0)).position
    state = spawn(walker, turned, (0.0, 0.0, 90)).replace(position=(z, y, -x), heading=heading(90))
    states = walker.run(state, walker.commands(commands([Span(28, 0.5, -1.0, 0)], 90)), turned)
    far = np.linalg.norm(np.diff(states["position"][-3:], axis=0), axis=1)
    assert far[1] == pytest.approx(far[0], rel=1e-6)


@pytest.mark.parametrize("degrees", [7, 33, 62, 118, 201])
def test_seams_of_single_precision_do_not_stop_a_walk(degrees):
    """Along a steep slope of forty triangles whose planes differ by as much as single precision makes them."""
    walker = Walker(WalkerSettings())
    strip: Triangles = []
    for k in range(20):
        z = 10.0 - k
        strip += quad((1.0, 0.0, z), (1.0, 0.0, z - 1.0), (1.3, 0.32, z - 1.0), (1.3, 0.32, z))
    single = np.array(turned(strip, degrees), np.float32).astype(float)
    world = TriangleMesh(np.concatenate([np.array(floor(-20, -20, 20, 20)), single]))
    for aside in (5, 20, 50, 80, -5, -20):
        state = walker.spawn(world, turned([((0.4, 0.0, 9.0),) * 3], degrees)[0][0], heading(degrees - aside))
        rows = walker.commands(forward=np.ones(150), heading=heading(degrees - aside))
        states = walker.run(state, rows, world)
        way = np.linalg.norm(np.diff(states["position"][20:], axis=0), axis=1)
        assert way.min() > 0.5 * way.max(), f"stopped {aside} degrees aside"
