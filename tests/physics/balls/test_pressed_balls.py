"""Balls between a walker and the level: the level wins, and what is left overlaps the walker."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from game.physics import Command, Environment, TriangleMesh, Walker, WalkerSettings
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers
from tests.support import shapes

from .test_balls import box
from .test_containment import HALF, outside, rotation, rules, shut_in

TOUCH = 1e-5  # m: ten skins of a ball
FLOOR = ((0.0, -2.0, 0.0), (60.0, 2.0, 60.0), 0.0)  # centre, half sizes, degrees about up


def wall(degrees, distance):
    """A wall across the way that turns `degrees` from straight ahead, `distance` m from the origin."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return (-(distance + 1.0) * s, 4.0, -(distance + 1.0) * c), (12.0, 4.0, 1.0), degrees


def stairs(steps=8):
    return [((0.0, 0.18 * (k + 1) - 2.0, -7.0 - 0.3 * k), (4.0, 2.0, 5.0), 0.0) for k in range(steps)]


def turned(degrees):
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


AHEAD = [(0.0, 0.45, -1.0, 0.45)]  # x, y, z and radius of a ball
CORNER, WEDGE = [wall(45.0, 2.0), wall(-45.0, 2.0)], [wall(70.0, 1.0), wall(-70.0, 1.0)]
NICHE = [((1.5, 2.0, -3.0), (1.0, 2.0, 3.0), 0.0), ((-1.5, 2.0, -3.0), (1.0, 2.0, 3.0), 0.0), wall(0.0, 3.0)]
SCENES = {  # solids beside the floor, balls, feet of the walker, forward
    "wall": ([((0.0, 2.0, -3.5), (8.0, 2.0, 0.5), 0.0)], AHEAD, (0.0, 0.0, 0.5), 1.0),
    "wall, small ball": ([wall(0.0, 3.0)], [(0.02, 0.12, -1.0, 0.12)], (0.0, 0.0, 0.5), 1.0),
    "wall, large ball": ([wall(0.0, 4.0)], [(0.0, 1.0, -1.5, 1.0)], (0.0, 0.0, 0.5), 1.0),
    "wall askew": ([wall(20.0, 3.0)], AHEAD, (0.0, 0.0, 0.5), 1.0),
    "two balls": ([wall(0.0, 4.0)], [(0.0, 0.3, -1.0, 0.3), (0.0, 0.3, -1.7, 0.3)], (0.0, 0.0, 0.5), 1.0),
    "corner": (CORNER, AHEAD, (0.0, 0.0, 0.5), 1.0),
    "wedge": (WEDGE, [(0.0, 0.3, -1.0, 0.3)], (0.0, 0.0, 1.0), 1.0),
    "niche": (NICHE, [(0.0, 0.48, -0.6, 0.48)], (0.0, 0.0, 1.0), 1.0),
    "foot of stairs": (stairs(), [(0.0, 0.25, -1.5, 0.25)], (0.0, 0.0, 0.5), 1.0),
    "fall": ([], [(0.0, 0.45, 0.0, 0.45)], (0.0, 1.2, 0.0), 0.0),
    "fall aside": ([], [(0.0, 0.3, 0.0, 0.3)], (0.05, 3.0, 0.1), 0.0),
    "fall before a wall": ([wall(0.0, 0.46)], [(0.0, 0.45, 0.0, 0.45)], (0.0, 1.2, 0.1), 1.0),
}


def boxes(solids):
    """(centre, half sizes, rotation) of each solid, as `outside` takes them."""
    return [(np.array(centre), np.array(half), turned(degrees)) for centre, half, degrees in solids]


def meshed(boxes):
    return TriangleMesh(np.concatenate([box(1.0) * half @ rotation.T + centre for centre, half, rotation in boxes]))


@pytest.mark.each_once
@pytest.mark.parametrize("rate", [30.0, 60.0, 240.0])
@pytest.mark.parametrize("sprint", [False, True])
@pytest.mark.parametrize("bounce", [0.0, 0.95])
@pytest.mark.parametrize("name", SCENES)
def test_a_walker_presses_no_ball_into_the_level(name, bounce, sprint, rate):
    solids, places, feet, forward = SCENES[name]
    level = boxes([FLOOR, *solids])
    mesh, walker = meshed(level), Walker(WalkerSettings(ticks_per_second=rate))
    balls, state = Balls(BallSettings(ticks_per_second=rate)), walker.spawn(mesh, feet)
    states = ball_rows([place[:3] for place in places], [place[3] for place in places], restitution=bounce)
    for _ in range(round(2.0 * rate)):
        after, _ = walker.step(state, Command(forward=forward, sprint=sprint), mesh)
        states, state = balls.step(states, mesh, bodies=((state, after),)), after
        for solid in level:
            assert (outside(states["position"], solid) - states["radius"]).min() > -TOUCH


@dataclass
class Body:
    """A body that goes anywhere, through walls too."""

    position: tuple
    radii: tuple
    up: tuple
    north: tuple
    heading: int = 0


def flights(random, count, ticks, reach):
    """Paths of bodies that bounce about a room and now and then change their way: pairs of states for each tick."""
    radii, frames = random.uniform(0.05, 1.0, (count, 3)), [rotation(random) for _ in range(count)]
    at = random.uniform(-reach, reach, (count, 3))
    step = random.normal(0.0, random.choice([1.0, 5.0, 20.0]) / 60.0, (count, 3))
    for _ in range(ticks):
        if random.random() < 0.1:
            step = random.normal(0.0, 5.0 / 60.0, (count, 3))
        after = at + step
        step = np.where(np.abs(after) > reach, -step, step)
        yield [
            [Body(tuple(p), tuple(r), tuple(frame[:, 1]), tuple(-frame[:, 2])) for p in (start, end)]
            for start, end, r, frame in zip(at, after, radii, frames, strict=True)
        ]
        at = after


@pytest.mark.sample(12)
@pytest.mark.jit
@pytest.mark.parametrize("seed", range(48))
def test_bodies_press_no_ball_out_of_a_room(seed):
    random = np.random.default_rng(seed)
    obstacles = [
        (random.uniform(-2.0, 2.0, 3), random.uniform(0.1, 0.8, 3), rotation(random)) for _ in range(random.integers(5))
    ]
    mesh = meshed([(np.zeros(3), HALF, np.eye(3)), *obstacles])
    states, balls = shut_in(random, HALF, int(random.choice([4, 16, 60])), obstacles), rules(random)
    states["velocity"] *= random.choice([0.0, 0.05, 1.0])
    for bodies in flights(random, int(random.integers(1, 9)), 60, HALF + 0.2):
        states = balls.step(states, mesh, bodies=bodies)
        assert (np.abs(states["position"]).max(axis=1) + states["radius"]).max() < HALF + TOUCH
        for obstacle in obstacles:
            assert (outside(states["position"], obstacle) - states["radius"]).min() > -TOUCH


@pytest.mark.parametrize("rate", [30.0, 120.0])
def test_a_body_presses_no_ball_into_a_mover(rate):
    """The walker falls on a ball on a lift that rises: the ball stays on the deck."""
    deck = Mover(TriangleMesh(shapes.box((-3, -1, -3), (3, 0, 3))), motion=Motion(((0, 0, 0), (0, 4, 0)), 4.0))
    movers, walker = Movers([deck], rate), Walker(WalkerSettings(ticks_per_second=rate))
    around, empty = Environment(movers=movers), TriangleMesh(np.zeros((0, 3, 3)))
    balls, state = Balls(BallSettings(ticks_per_second=rate)), walker.spawn(empty, (0.01, 1.3, 0.0), around=around)
    states = ball_rows([(0.0, 0.45, 0.0)], 0.45)
    for tick in range(round(4 * rate)):
        after, _ = walker.step(state, Command(), empty, around, tick)
        states, state = balls.step(states, empty, around, tick, ((state, after),)), after
        x, y, z = states["position"][0] - movers.poses(tick + 1)[0][:, 3]
        assert y > 0.45 - 1e-3 or max(abs(x), abs(z)) > 3.0


@pytest.mark.parametrize("rate", [30.0, 60.0, 240.0])
def test_a_ball_pressed_to_a_wall_is_not_shot_away(rate):
    """Between a wall and a body that closes in, each bounce would add twice the speed of the body."""
    mesh, balls = meshed(boxes([wall(0.0, 1.0)])), Balls(BallSettings((0, 0, 0), rate))
    states, speed = ball_rows([(0.0, 4.0, -0.79)], 0.2, restitution=0.95), 6.0
    for tick in range(round(0.2 * rate)):
        places = [(0.01, 4.0, -speed * (tick + k) / rate) for k in range(2)]
        bodies = [[Body(place, (0.3, 0.9, 0.3), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)) for place in places]]
        states = balls.step(states, mesh, bodies=bodies)
        assert np.linalg.norm(states["velocity"][0]) < 6.0 * speed
