"""Balls and moving obstacles: a rotating box, a lift, a moving wall, a walker."""

import math

import numpy as np
import pytest

from game.physics import Command, TriangleMesh, Walker, WalkerSettings
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.balls.scratch import BALL_SKIN
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers
from tests.physics.balls.test_balls import box, plane

FREE = BallSettings(gravity=(0.0, 0.0, 0.0))
NOTHING = TriangleMesh([])


def around(mesh, at=(0.0, 0.0, 0.0), **motion):
    return Environment(movers=Movers([Mover(mesh, at, Motion(**motion), "m")]))


@pytest.mark.jit
def test_a_mover_at_rest_equals_the_level():
    """The same box as a mover at rest and as the level: the same bounces, and energy to the last digits."""
    rng = np.random.default_rng(6)
    mesh = TriangleMesh(box(1.2))
    places = np.stack(np.meshgrid(*[np.linspace(-0.8, 0.8, 3)] * 3), -1).reshape(-1, 3)
    a = ball_rows(places, radius=0.12, restitution=1.0, friction=0.0, velocity=rng.normal(0, 3, places.shape))
    balls, other, scene = Balls(FREE), Balls(FREE), around(mesh)
    b, before = a, balls.energy(a)
    for tick in range(600):
        a, b = balls.step(a, mesh), other.step(b, NOTHING, scene, tick)
        if tick < 60:
            assert b["position"] == pytest.approx(a["position"], abs=1e-9)
    assert balls.energy(b) / before == pytest.approx(1.0, abs=1e-11)


def test_a_lift_carries_a_ball():
    deck = TriangleMesh(plane(half=2.0))
    scene = around(deck, path=((0.0, 0.0, 0.0), (0.0, 3.0, 0.0)), seconds=3.0, ease=False)
    states = ball_rows([(0.3, 0.12 + BALL_SKIN, 0.2)], rolling=0.02)
    balls = Balls()
    heights = []
    for tick in range(170):
        states = balls.step(states, NOTHING, scene, tick)
        deck_at = scene.movers.poses(tick + 1)[0][1, 3]
        heights.append(states["position"][0, 1] - deck_at - 0.12)
    assert max(heights[90:]) < 1e-4  # it hops when the lift starts
    assert min(heights) > -1e-5
    assert states["position"][0] == pytest.approx((0.3, 170 / 60 + 0.12, 0.2), abs=2e-3)


def test_a_moving_wall_doubles_its_speed_in_a_ball():
    """Restitution 1 against an infinite mass: from rest to twice the wall's speed."""
    wall = TriangleMesh(box(0.5))
    scene = around(wall, path=((0.0, 0.0, 0.0), (8.0, 0.0, 0.0)), seconds=2.0, ease=False)
    states = ball_rows([(3.0, 0.1, 0.0)], restitution=1.0, friction=0.0)
    states = Balls(FREE).run(states, NOTHING, 60, scene)
    assert states["velocity"][0] == pytest.approx((8.0, 0.0, 0.0), rel=1e-6)


def test_a_walker_pushes_a_ball():
    floor = TriangleMesh(plane(half=30.0))
    walker, balls = Walker(WalkerSettings()), Balls()
    state = alone = walker.spawn(floor, (0.0, 0.0, 4.0))
    states = ball_rows([(0.05, 0.25 + BALL_SKIN, 1.0)], radius=0.25, restitution=0.3)
    for tick in range(90):
        after, _ = walker.step(state, Command(forward=1.0), floor)
        states = balls.step(states, floor, clock=tick, bodies=((state, after),))
        state = after
        alone, _ = walker.step(alone, Command(forward=1.0), floor)
        centre = states["position"][0]
        x, y, z = ((c - p) / (r + 0.25 * 0.8) for c, p, r in zip(centre, state.position, state.radii, strict=True))
        assert x * x + y * y + z * z > 0.9
    assert state == alone
    assert states["position"][0, 2] < 0.0
    assert np.linalg.norm(states["velocity"][0]) > 3.5


def test_a_ball_thrown_at_a_body_bounces_off_the_exact_ellipsoid():
    floor = TriangleMesh(plane(half=30.0))
    walker = Walker(WalkerSettings(radii=(0.35, 0.9, 0.12)))
    state = walker.spawn(floor, (0.0, 0.0, 0.0), 8192)
    for k in range(12):
        angle = math.tau * k / 12
        direction = np.array((math.cos(angle), 0.0, math.sin(angle)))
        start = np.array(state.position) + 2.0 * direction
        states = ball_rows([start], radius=0.1, restitution=1.0, friction=0.0, velocity=-10.0 * direction)
        nearest = 9.0
        for _ in range(20):
            states = Balls(FREE).step(states, floor, bodies=((state, state),))
            nearest = min(nearest, np.linalg.norm(states["position"][0] - state.position))
        assert np.linalg.norm(states["velocity"][0]) == pytest.approx(10.0, rel=1e-9)
        assert nearest >= 0.12 + 0.1
        assert np.dot(states["velocity"][0], states["position"][0] - np.array(state.position)) > 0.0


def test_a_sleeping_ball_wakes_near_a_body():
    floor = TriangleMesh(plane(half=30.0))
    walker, balls = Walker(WalkerSettings()), Balls()
    states = balls.run(ball_rows([(0.0, 0.12 + BALL_SKIN, 0.0)], rolling=0.05), floor, 60)
    assert states["asleep"].all()
    state = walker.spawn(floor, (0.0, 0.0, 2.0))
    for _ in range(60):
        after, _ = walker.step(state, Command(forward=1.0), floor)
        states = balls.step(states, floor, bodies=((state, after),))
        state = after
    assert states["position"][0, 2] < -1.0
