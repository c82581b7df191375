"""Steep ground gives no stance and no jump, however rough it is; ridges, beams and fences do."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from game.physics import TriangleMesh, Walker, WalkerSettings
from tests.support.scenes import BODIES, box, heading, mesh, quad, walk, wall

RATES = (30, 60, 120, 240)
HALF_WIDTH, HEIGHT = 8.0, 5.0  # m, of the slope
STEPPED_ON = 0.05  # m above the floor from which a supported body stands on the slope


def rough_slope(angle: float, cell: float, noise: float, seed: int, cracked: bool = False) -> TriangleMesh:
    """A floor, and a slope that rises from z = 0 towards -Z, of square cells whose corners are off by `noise` (m).

    cracked: each triangle has corners of its own. Every face of the slope is steeper than 45 degrees.
    """
    rng = np.random.default_rng(seed)
    slope = math.tan(math.radians(angle))
    x = np.linspace(-HALF_WIDTH, HALF_WIDTH, round(2.0 * HALF_WIDTH / cell) + 1)
    z = -np.linspace(0.0, HEIGHT / slope, round(HEIGHT / slope / cell) + 1)
    x, z = np.meshgrid(x, z, indexing="ij")
    y = -slope * z
    if not cracked:
        y += rng.uniform(-noise, noise, y.shape) * (z < 0.0)
    p = np.stack([x, y, z], axis=-1)
    a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)]).reshape(-1, 3, 3)
    if cracked:
        faces[..., 1] += rng.uniform(-noise, noise, faces.shape[:2]) * (faces[..., 2] < 0.0)
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    assert (np.abs(normals[:, 1]) < math.cos(math.radians(45.0)) * np.linalg.norm(normals, axis=1)).all()
    ground = quad((-HALF_WIDTH, 0.0, 4.0), (HALF_WIDTH, 0.0, 4.0), (HALF_WIDTH, 0.0, 0.0), (-HALF_WIDTH, 0.0, 0.0))
    return TriangleMesh(np.concatenate([faces, np.array(ground)]))


ROUGH = [  # angle (degrees), cell (m), noise (m), cracked
    (46.0, 0.3, 0.0, False),
    (46.0, 0.3, 0.001, False),
    (46.0, 0.1, 0.0003, True),
    (48.0, 0.3, 0.002, False),
    (48.0, 0.1, 0.001, True),
    (50.0, 0.3, 0.005, False),
    (53.0, 1.0, 0.005, False),
    (53.0, 0.2, 0.003, True),
    (56.0, 0.1, 0.0005, False),
    (60.0, 0.5, 0.005, True),
]


@pytest.mark.each_once
@pytest.mark.jit
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(("angle", "cell", "noise", "cracked"), ROUGH)
def test_steep_ground_is_not_climbed_by_hopping(body, angle, cell, noise, cracked):
    """Forward and jump, tapped or held, at every rate: no height beyond one jump, and no stance above the floor."""
    rng = np.random.default_rng(round(angle * 1000.0 + cell * 100.0 + noise * 1e5))
    for hz in RATES:
        world = rough_slope(angle, cell, noise, int(rng.integers(1 << 30)), cracked)
        for gait in ("tapped", "held", "random"):
            walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=hz))
            view = heading(float(rng.uniform(-20.0, 20.0)))
            start = walker.spawn(world, (float(rng.uniform(-1.0, 1.0)), 0.0, 1.0), view)
            count = 3 * hz
            jump = {"tapped": np.arange(count) % 2 == 0, "held": np.arange(count) >= hz // 2}.get(gait)
            jump = rng.random(count) < 0.4 if jump is None else jump
            commands = walker.commands(forward=np.ones(count), heading=view, jump=jump, sprint=bool(rng.integers(2)))
            states = walker.run(start, commands, world)
            assert np.abs(states["position"][:, 0]).max() < HALF_WIDTH - 0.5
            rise = states["position"][:, 1] - start.position[1]
            assert rise.max() < walker.settings.jump_height + 0.02 + noise, (hz, gait)
            assert not (states["grounded"] & (rise > STEPPED_ON)).any(), (hz, gait)


def roof(angle: float, noise: float) -> list:
    """A roof with a ridge along X at height 2, of cells of half a metre; its faces fall towards -Z and +Z."""
    rng = np.random.default_rng(round(angle))
    slope = math.tan(math.radians(angle))
    x = np.linspace(-2.0, 2.0, 9)
    rows = [(z, 2.0 - slope * abs(z) + rng.uniform(-noise, noise, len(x))) for z in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    out: list = []
    for (z0, y0), (z1, y1) in pairwise(rows):
        for k in range(len(x) - 1):
            out += quad((x[k], y0[k], z0), (x[k], y1[k], z1), (x[k + 1], y1[k + 1], z1), (x[k + 1], y0[k + 1], z0))
    return out


STANDS = {
    "roof of 46 degrees": roof(46.0, 0.0),
    "rough roof of 50 degrees": roof(50.0, 0.002),
    "roof of 70 degrees": roof(70.0, 0.0),
    "beam": box(-2.0, 1.0, -0.05, 2.0, 2.0, 0.05),
    "fence": wall(-2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 4),
}


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("name", STANDS)
def test_a_ridge_a_beam_and_a_fence_are_stood_on_and_jumped_from(name, body):
    world = mesh(STANDS[name])
    for hz in (30, 60, 240):
        walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=hz))
        for view in (0.0, 90.0):
            start, states = walk(world, hz, (0.13, 2.05, 0.0), walker, view)
            assert states["grounded"].all()
            assert abs(states["position"][-1, 1] - start.position[1]) < 0.01
            jump = walker.commands(forward=np.zeros(hz // 3), heading=heading(view), jump=True)
            jumped = walker.run(walker.state(states[-1]), jump, world)
            assert jumped["position"][:, 1].max() > start.position[1] + 0.9
