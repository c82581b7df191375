"""Balls at one point, or nearly so: they part without a gain of energy, in the same way in any order."""

import itertools

import numpy as np
import pytest

from game.physics import TriangleMesh
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers
from tests.physics.balls.test_balls import G, box, plane

RADIUS = 0.12
OFFSETS = (0.0, 1e-15, 1e-12, 9e-10, 1.1e-9, 1e-7)  # m between the centres
NOTHING = TriangleMesh(np.zeros((0, 3, 3)))
FLOOR = TriangleMesh(plane(half=4.0))
CORNER = TriangleMesh(box(3.0) + 3.0)  # at the origin, towards +x, +y, +z
WALL = TriangleMesh(plane(half=4.0)[..., [1, 0, 2]])  # the plane x = 0
LIFT = Motion(path=((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)), seconds=2.0, ease=False)
TURNTABLE = Motion(axis=(0.0, 1.0, 0.0), spin=30.0)


def around(motion):
    return Environment(movers=Movers([Mover(FLOOR, (0.0, 0.0, 0.0), motion, "deck")]))


SCENES = {  # gravity, mesh, movers, point
    "no gravity": ((0.0, 0.0, 0.0), NOTHING, None, (0.0, 1.0, 0.0)),
    "falling": ((0.0, -G, 0.0), NOTHING, None, (0.0, 1.0, 0.0)),
    "on a floor": ((0.0, -G, 0.0), FLOOR, None, (0.3, RADIUS, 0.2)),
    "in a corner": ((0.0, -G, 0.0), CORNER, None, (RADIUS, RADIUS, RADIUS)),
    "on a lift": ((0.0, -G, 0.0), NOTHING, around(LIFT), (0.3, RADIUS, 0.2)),
    "on a turntable": ((0.0, -G, 0.0), NOTHING, around(TURNTABLE), (0.3, RADIUS, 0.2)),
    "on a wall that is down": ((-G, 0.0, 0.0), WALL, None, (RADIUS, 0.2, 0.3)),
    "under a slanted gravity": ((3.0, -5.0, 4.0), CORNER, None, (2.0, 1.0, 2.0)),
}


def at_one_point(point, count, offset=0.0, seed=1, **values):
    """Balls whose centres are `offset` (m) from a point, in random directions."""
    away = np.random.default_rng(seed).normal(size=(count, 3))
    away *= offset / np.linalg.norm(away, axis=1, keepdims=True)
    return ball_rows(np.array(point) + away, **{"radius": RADIUS, **values})


def overlaps(states):
    """(pairs,) depth of overlap, m."""
    pairs = np.array(list(itertools.combinations(range(len(states)), 2)))
    i, j = pairs.T
    apart = np.linalg.norm(states["position"][i] - states["position"][j], axis=1)
    return states["radius"][i] + states["radius"][j] - apart


def speeds(states):
    return np.linalg.norm(states["velocity"], axis=1)


@pytest.mark.each_once
@pytest.mark.jit
@pytest.mark.parametrize("count", [2, 3, 10])
@pytest.mark.parametrize("name", SCENES)
def test_balls_at_one_point_part(name, count):
    gravity, mesh, movers, point = SCENES[name]
    balls = Balls(BallSettings(gravity=gravity))
    for offset in OFFSETS:
        states = at_one_point(point, count, offset, restitution=0.5)
        pushed = 0.0  # m/s beyond the fall
        for tick in range(120):
            states = balls.step(states, mesh, movers, tick)
            fall = np.linalg.norm(gravity) * (tick + 1) / 60.0
            pushed = max(pushed, (speeds(states) - fall).max())
        assert overlaps(states).max() < 0.1 * RADIUS, offset
        assert pushed < 1.5, offset  # 1.1 m/s is the lift, with a fall of 1 cm


@pytest.mark.parametrize("half", [(1.0, 0.1201, 1.0), (0.1201, 1.0, 0.1201)])
def test_balls_with_room_in_one_direction_only_part(half):
    """Between a floor and a ceiling, and in a shaft."""
    balls, states = Balls(), at_one_point((0.0, 0.0, 0.0), 3)
    states = balls.run(states, TriangleMesh(box(1.0) * half), 240)
    assert overlaps(states).max() < 0.1 * RADIUS


def test_the_energy_grows_only_by_the_height_of_a_pile():
    """Overlap corrections lift balls; they give no speed. Without gravity all stays at rest."""
    balls = Balls()
    states = at_one_point((0.0, RADIUS, 0.0), 10, mass=1.0)
    start = balls.energy(states)
    for _ in range(240):
        states = balls.step(states, FLOOR)
        assert balls.energy(states) - start < 10 * G * 2.0 * RADIUS
    assert balls.energy(states) - start < 10 * G * RADIUS
    floating = Balls(BallSettings(gravity=(0.0, 0.0, 0.0)))
    after = floating.run(at_one_point((0.0, 0.0, 0.0), 10), NOTHING, 240)
    assert speeds(after).max() == 0.0
    centre = after["position"].mean(axis=0)
    assert np.linalg.norm(after["position"] - centre, axis=1).max() < 10 * RADIUS


@pytest.mark.parametrize("same", [True, False])
def test_the_order_of_balls_at_one_point_changes_no_bit(same):
    rng = np.random.default_rng(3)
    states = at_one_point((0.0, RADIUS, 0.0), 8)
    if not same:
        states["radius"], states["mass"] = rng.uniform(0.05, 0.2, 8), rng.uniform(0.1, 9.0, 8)
        states["spin"], states["friction"] = rng.normal(0, 5, (8, 3)), rng.uniform(0, 1, 8)
    states["number"] = rng.permutation(8) - 4
    order = rng.permutation(8)
    a, b = states, states[order]
    balls, other = Balls(), Balls()
    for _ in range(120):
        a, b = balls.step(a, FLOOR), other.step(b, FLOOR)
        assert a[order].tobytes() == b.tobytes()


def parting():
    """States of coincident balls in each scene."""
    for gravity, mesh, movers, point in SCENES.values():
        balls = Balls(BallSettings(gravity=gravity))
        states = at_one_point(point, 4, 1e-12, radius=(0.1, 0.1, 0.12, 0.2))
        for tick in range(20):
            states = balls.step(states, mesh, movers, tick)
            yield states
