"""Balls stay inside closed boxes at any speed and any number of impacts."""

import numpy as np
import pytest

from game.physics import Environment, TriangleMesh
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers

from .test_balls import box

HALF = 3.0  # m
TURNS = 34.0  # degrees a second
NOTHING = TriangleMesh(np.zeros((0, 3, 3)))


def rotation(random):
    """Uniformly distributed random rotation."""
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def shut_in(random, half, count, obstacles=()):
    """Balls of many sizes and speeds that overlap neither each other nor the boxes (centre, half sizes, rotation)."""
    places, radii = [], []
    for radius in random.uniform(0.05, 0.2, count) * np.where(random.random(count) < 0.1, 2.0, 1.0):
        at = random.uniform(radius + 0.01 - half, half - radius - 0.01, 3)
        clear = all(outside(at, obstacle) > radius + 0.01 for obstacle in obstacles)
        if clear and all(np.linalg.norm(at - p) > radius + r + 1e-3 for p, r in zip(places, radii, strict=True)):
            places.append(at)
            radii.append(radius)
    speed, bounce = 10.0 ** random.uniform(-1.0, 2.3), random.choice([random.uniform(0.0, 1.0), 1.0], p=[0.8, 0.2])
    moving = random.normal(0.0, speed, (len(places), 3))
    return ball_rows(places, radii, None, bounce, random.uniform(0.0, 1.0), 0.01, velocity=moving)


def outside(at, obstacle):
    """Distance of points (..., 3) from a box, 0 inside, m."""
    centre, half, turn = obstacle
    own = (at - centre) @ turn
    return np.linalg.norm(own - np.clip(own, -half, half), axis=-1)


def rules(random, gravity=(0.0, -9.81, 0.0)):
    direction = gravity if random.random() < 0.7 else tuple(random.normal(0.0, 6.0, 3).tolist())
    return Balls(BallSettings(gravity=direction, ticks_per_second=float(random.choice([30.0, 60.0, 240.0]))))


@pytest.mark.each_once
@pytest.mark.parametrize("rate", [30.0, 60.0])
@pytest.mark.parametrize("speed", [3.0, 40.0, 150.0])
@pytest.mark.parametrize("bounce", [0.01, 0.05, 0.12])
def test_a_flat_bounce_hits_the_wall_before_the_floor(rate, speed, bounce):
    """The ball returns to the floor within the tick, with the wall in between."""
    falls = 20.0 / rate  # m/s, just enough to bounce
    gap = bounce * falls / 9.81 * speed  # until it is highest
    place = (HALF - 0.1 - gap, 0.1 - HALF + 1e-6, 0.0)
    states = ball_rows([place], radius=0.1, restitution=bounce, friction=0.0, velocity=[(speed, -falls, 0.0)])
    after = Balls(BallSettings(ticks_per_second=rate)).step(states, TriangleMesh(box(HALF)))
    assert after["velocity"][0, 0] == pytest.approx(-bounce * speed, rel=1e-6)
    assert after["position"][0, 0] == pytest.approx(HALF - 0.1 - bounce * (speed / rate - gap), abs=1e-4)


def test_impact_times_follow_the_path_not_its_chord():
    """The chord of a fall over the whole tick reaches the floor before the wall, the parabola after it."""
    rate, speed, part = 30.0, 40.0, 0.66
    place = (HALF - 0.1 - part * speed / rate, 0.1 - HALF + 0.014, 0.0)
    states = ball_rows([place], radius=0.1, restitution=0.5, friction=0.0, velocity=[(speed, -0.5, 0.0)])
    after = Balls(BallSettings(ticks_per_second=rate)).step(states, TriangleMesh(box(HALF)))
    assert after["velocity"][0, 0] == pytest.approx(-0.5 * speed, rel=1e-6)
    assert after["position"][0, 0] == pytest.approx(HALF - 0.1 - 0.5 * (1.0 - part) * speed / rate, abs=1e-4)


def turning(rate):
    """A box that rotates about z, and the world position and velocity of points in its frame at tick 0."""
    movers = Movers([Mover(TriangleMesh(box(HALF)), motion=Motion(axis=(0, 0, 1), spin=TURNS))], rate)
    spin = np.radians(TURNS)

    def world(place, velocity):
        return np.array(place), np.array(velocity) + spin * np.array((-place[1], place[0], 0.0))

    return movers, Environment(movers=movers), world


def own(movers, states, tick):
    pose = movers.poses(tick)[0]
    return (states["position"] - pose[:, 3]) @ pose[:, :3]


def test_a_ball_on_a_rotating_wall_has_few_impacts():
    """In the wall's frame it accelerates into the wall by 14 m/s2."""
    movers, around, world = turning(60.0)
    place, velocity = world((0.1 - HALF + 1e-6, 1.5, 0.0), (0.0, -12.0, 0.0))
    balls = Balls(BallSettings(gravity=(0, 0, 0)))
    states = ball_rows([place], 0.1, None, 0.5, 0.0, 0.0, velocity=[velocity])
    for tick in range(15):
        states = balls.step(states, NOTHING, around, tick)
        assert own(movers, states, tick + 1)[0, 0] == pytest.approx(0.1 - HALF, abs=1e-4)
    assert own(movers, states, 15)[0, 1] == pytest.approx(1.5 - 12.0 * 15 / 60, abs=0.05)


def test_a_suspended_ball_is_pushed_by_a_wall():
    """A light ball between a moving wall and a heavy ball: hundreds of impacts in a tick."""
    movers, around, world = turning(60.0)
    places, velocities = zip(
        world((0.05 - HALF + 1e-3, -2.0, 0.0), (0.0, 0.0, 0.0)),
        world((0.4 - HALF + 2e-3, -2.0, 0.0), (-0.3, 0.0, 0.0)),
        strict=True,
    )
    balls = Balls(BallSettings(gravity=(0, 0, 0)))
    states = ball_rows(places, [0.05, 0.3], [1e-3, 1e6], 1.0, 0.0, 0.0, velocity=velocities)
    states = balls.step(states, NOTHING, around, 0)
    assert own(movers, states, 1)[0, 0] - 0.05 > -HALF - 1e-3


@pytest.mark.sample(5)
@pytest.mark.jit
@pytest.mark.parametrize("seed", range(24))
def test_a_box_rotating_about_any_axis_keeps_balls(seed):
    random = np.random.default_rng(seed)
    balls, axis = rules(random), random.normal(size=3)
    motion = Motion(axis=tuple((axis / np.linalg.norm(axis)).tolist()), spin=random.choice([-TURNS, TURNS]))
    movers = Movers([Mover(TriangleMesh(box(HALF)), motion=motion)], balls.settings.ticks_per_second)
    around, states = Environment(movers=movers), shut_in(random, HALF, 100)
    for tick in range(80):
        states = balls.step(states, NOTHING, around, tick)
        pose = movers.poses(tick + 1)[0]
        own = (states["position"] - pose[:, 3]) @ pose[:, :3]
        assert (np.abs(own).max(axis=1) + states["radius"]).max() < HALF + 0.02


def test_a_long_path_in_a_rotating_box_ends_at_its_wall():
    """In the rotating frame the path is an arc, here 26 m long."""
    movers = Movers([Mover(TriangleMesh(box(HALF)), motion=Motion(axis=(0, 1, 0), spin=TURNS))], 30.0)
    around, balls = Environment(movers=movers), Balls(BallSettings(gravity=(0, 0, 0), ticks_per_second=30.0))
    random = np.random.default_rng(4)
    for _ in range(40):
        direction = random.normal(size=3)
        speed = 780.0 * direction / np.linalg.norm(direction)
        states = ball_rows([random.uniform(-2.5, 2.5, 3)], 0.06, None, 1.0, 0.0, velocity=[speed])
        pose = movers.poses(1)[0]
        own = (balls.step(states, NOTHING, around, 0)["position"][0] - pose[:, 3]) @ pose[:, :3]
        assert np.abs(own).max() + 0.06 < HALF + 0.005
