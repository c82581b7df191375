"""Gravity in any direction: a rotated world with rotated up gives the rotated walk."""

from __future__ import annotations

import numpy as np
import pytest

from game.level import load
from game.physics import Command, TriangleMesh, Walker
from tests.support.referee.scene_shapes import rotation

QUARTERS = [np.array(rows, float) for rows in (
    [[1, 0, 0], [0, 0, -1], [0, 1, 0]],  # up becomes south
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],  # up becomes west
    [[1, 0, 0], [0, -1, 0], [0, 0, -1]],  # upside down
)]  # fmt: skip


def turns():
    rng = np.random.default_rng(7)
    return [*QUARTERS, *(rotation(rng) for _ in range(5))]


@pytest.fixture(scope="module")
def demo():
    return load("demo")


def commands(walker, ticks):
    rng = np.random.default_rng(3)
    held = rng.integers(20, 60, ticks)
    changes = np.repeat(np.arange(ticks), held)[:ticks]
    heading = rng.integers(0, 65536, ticks)[changes]
    return walker.commands(forward=np.where(rng.random(ticks) < 0.9, 1.0, 0.0)[changes], heading=heading,
                           strafe=rng.uniform(-1, 1, ticks)[changes], jump=rng.random(ticks) < 0.01,
                           crouch=(rng.random(ticks) < 0.1)[changes])  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(8))
def test_a_rotated_world_gives_the_rotated_walk(demo, number):
    turn = turns()[number]
    walker = Walker()
    spawn = demo.spawns[0]
    rows = commands(walker, 900)
    upright = walker.run(walker.spawn(demo.mesh, spawn.feet, spawn.heading), rows, demo.mesh)
    mesh = TriangleMesh(demo.triangles @ turn.T)
    begin = walker.spawn(mesh, turn @ spawn.feet, spawn.heading, up=turn @ (0, 1, 0), north=turn @ (0, 0, -1))
    assert np.allclose(begin.feet, turn @ spawn.feet, atol=1e-2)
    turned = walker.run(begin, rows, mesh)
    off = np.linalg.norm(turned["position"] @ turn - upright["position"], axis=1)
    assert off[:300].max() < 1e-6, "the same walk"
    assert np.median(off) < 1e-3
    assert (turned["grounded"] == upright["grounded"])[:300].all()
    assert (turned["heading"] == upright["heading"])[:300].all()


def test_velocity_and_normal_are_the_worlds():
    floor = np.array([[[-9, 0, 9], [9, 0, 9], [9, 0, -9]], [[-9, 0, 9], [9, 0, -9], [-9, 0, -9]]], float)
    turn = QUARTERS[1]
    walker, mesh = Walker(), TriangleMesh(floor @ turn.T)
    state = walker.spawn(mesh, (0, 0, 0), up=turn @ (0, 1, 0), north=turn @ (0, 0, -1))
    assert state.up == pytest.approx((-1, 0, 0))
    states = walker.run(state, walker.commands(forward=np.ones(60)), mesh)
    assert states["velocity"][-1] == pytest.approx(turn @ (0, 0, -4.0))
    assert states["ground_normal"][-1] == pytest.approx((-1, 0, 0))
    later, trace = walker.step(walker.state(states[-1]), Command(), mesh)
    assert trace.contacts[0].normal == pytest.approx((-1, 0, 0))
    assert abs(trace.contacts[0].point[0]) < 1e-9
    assert later.feet[0] == pytest.approx(0.0, abs=0.02)
