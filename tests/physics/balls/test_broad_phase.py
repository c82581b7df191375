"""Broad phase of balls: all pairs that may meet, each once, ordered by the higher ball; also after impacts."""

import numpy as np
import pytest

from game.physics import TriangleMesh
from game.physics.balls.balls import Balls, BallSettings, any_ball_touches, ball_floats, ball_rows
from game.physics.balls.broad_phase import canonical_order, find_ball_pairs, grid_cell_size
from game.physics.balls.rows import ball, ball_row, counter
from game.physics.balls.scratch import allocate_ball_scratch
from game.physics.balls.step import load_balls

SCENES = {
    "a heap": (40, 1.0, 1.0, 0.1, (0.0, -9.81, 0.0)),
    "far and wide": (60, 2000.0, 5.0, 0.1, (0.0, -9.81, 0.0)),
    "beyond all columns": (40, 3e7, 5.0, 0.1, (0.0, -9.81, 0.0)),
    "a line upwards": (50, 1.0, 0.0, 0.05, (0.0, -9.81, 0.0)),
    "gravity aslant": (70, 2.0, 8.0, 0.2, (3.0, -4.0, 5.0)),
    "gravity sideways": (50, 1.5, 3.0, 0.2, (-9.81, 0.0, 0.0)),
    "no gravity": (50, 1.5, 30.0, 0.2, (0.0, 0.0, 0.0)),
}


def found(states, settings):
    """(pairs found by the tick, pairs of balls that may meet), each as a list of (lower, higher)."""
    rows = np.ascontiguousarray(states[canonical_order(ball_floats(states), settings.gravity)])
    n = len(rows)
    w = allocate_ball_scratch(n, n * n, 1, 1)
    floats = ball_floats(rows)
    numbers = settings.row()
    load_balls(w, numbers, floats, floats.view(np.int64), np.arange(n), n)
    find_ball_pairs(w, numbers, n, grid_cell_size(w, n))
    assert w.counters[counter.PAIRS_NEEDED] == 0
    pairs = [(int(i), int(j)) for i, j in w.pairs[: w.counters[counter.PAIRS]]]
    reach, at = w.balls[:, ball.SWEPT_RADIUS], rows["position"]
    wanted = []
    for j in range(n):
        for i in range(j):
            near = ((at[i] - at[j]) ** 2).sum() <= (reach[i] + reach[j]) ** 2
            if near and not (rows["asleep"][i] and rows["asleep"][j]):
                wanted.append((i, j))
    beside = [sorted(w.partners[w.partner_starts[i] : w.partner_starts[i + 1]].tolist()) for i in range(n)]
    for i in range(n):
        assert beside[i] == sorted([b for a, b in pairs if a == i] + [a for a, b in pairs if b == i])
    return pairs, wanted


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("asleep", [0.0, 0.5, 0.97])
def test_the_broad_phase_finds_each_pair_that_may_meet_once(name, asleep):
    count, wide, speed, radius, gravity = SCENES[name]
    rng = np.random.default_rng(len(name))
    places = rng.uniform(-wide, wide, (count, 3)) * ((0.001, 1.0, 0.001) if "line" in name else 1.0)
    places[: count // 3] = places[0] + rng.uniform(-0.4, 0.4, (count // 3, 3))  # some are always near each other
    radii = radius * rng.choice([0.3, 1.0, 1.0, 1.0, 6.0], count)
    states = ball_rows(places, radius=radii, velocity=rng.normal(0.0, speed, (count, 3)))
    states["asleep"] = rng.random(count) < asleep
    pairs, wanted = found(states, BallSettings(gravity=gravity))
    assert sorted(pairs) == sorted(wanted)
    assert [j for _, j in pairs] == sorted(j for _, j in pairs)
    assert asleep > 0.9 or len(pairs) > 20


def test_a_ball_hit_out_of_its_reach_hits_balls_beyond():
    """A fast ball hits another from the side, which leaves the sphere of its pairs and hits a third one beyond several
    columns; another fast ball from far away hits the fourth, in one tick."""
    empty = TriangleMesh(np.zeros((0, 3, 3)))
    for far in (1.0, 5.0, 30.0):
        more = [(100.0 + 0.3 * k, 7.0, 0.3) for k in range(30)]  # so that one fast ball is an outlier
        places = [(-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (far, 0.0, 0.0), (2.0 * far, 0.0, 0.0), *more]
        balls = Balls(BallSettings(gravity=(0.0, 0.0, 0.0)))
        states = ball_rows(places, radius=0.1, restitution=1.0, friction=0.0)
        states["velocity"][0, 0] = 60.0 * (2.0 * far + 2.0)
        after = balls.step(states, empty)
        assert after["velocity"][:4, 0] == pytest.approx((0.0, 0.0, 0.0, states["velocity"][0, 0]))
        assert not after["velocity"][4:].any()


def with_small_ones(states, count):
    """The same balls with so many small ones far away that the others are too large for a column."""
    small = ball_rows([(50.0 + 0.1 * k, 0.0, 0.0) for k in range(count)], radius=0.01)
    return np.concatenate((states, small))


@pytest.mark.parametrize("small", [0, 200])
def test_a_ball_hit_twice_hits_balls_beyond(small):
    """A light ball at rest is hit, bounces off a heavy one far away, and then hits a ball that only its second path
    reaches."""
    aside = 0.5**0.5 * 0.2  # so the normal of the second impact lies between the axes
    places = [(0, 0, 0), (-0.3, 0, 0), (1, 0, aside), (1 - aside, 0, -0.6)]
    states = ball_rows(places, 0.1, [1, 1e3, 1e6, 1], 1.0, 0.0, velocity=[(0, 0, 0), (60, 0, 0), (0, 0, 0), (0, 0, 0)])
    states = with_small_ones(states, small)
    after = Balls(BallSettings(gravity=(0, 0, 0))).step(states, TriangleMesh(np.zeros((0, 3, 3))))
    assert after["velocity"][3, 2] == pytest.approx(-120.0, rel=2e-3)
    assert abs(after["velocity"][0]).max() < 0.01


@pytest.mark.parametrize("small", [0, 200])
def test_a_ball_pushed_into_a_far_balls_path_is_hit(small):
    """A ball flies far beyond its pairs and would miss another, which is then pushed into its path."""
    places = [(0, 0, 0), (-0.23, 0, 0), (1, 0, 0.205), (1, 0, 0.4057)]
    moving = [(0, 0, 0), (60, 0, 0), (0, 0, 0), (0, 0, -0.7)]
    states = with_small_ones(ball_rows(places, 0.1, [1, 1e3, 1, 1], 1.0, 0.0, velocity=moving), small)
    after = Balls(BallSettings(gravity=(0, 0, 0))).step(states, TriangleMesh(np.zeros((0, 3, 3))))
    assert after["velocity"][0, 2] < -3.0
    assert after["velocity"][3, 2] > 3.0  # the other one passes its impulse on


@pytest.mark.each_once
@pytest.mark.parametrize("gravity", [(0.0, -9.81, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("count", [1, 2, 7, 400])
def test_balls_of_equal_height_are_sorted(gravity, count):
    rng = np.random.default_rng(count)
    speeds = rng.integers(-1, 2, (count, 3)) * (1.0, -0.0, 2.0)
    states = ball_rows(rng.integers(-1, 2, (count, 3)) * 0.5, rng.choice([0.1, 0.2], count), velocity=speeds)
    states["number"] = rng.integers(-2, 3, count)
    up = tuple(-part for part in gravity) if any(gravity) else (0.0, 1.0, 0.0)
    heights = states["position"] @ np.array(up)
    floats = ball_floats(states)
    ints = floats.view(np.int64)
    keys = [(heights[i], *floats[i, : ball_row.STILL], *ints[i], i) for i in range(count)]
    assert canonical_order(floats, gravity).tolist() == sorted(range(count), key=keys.__getitem__)


def test_a_sphere_is_touched_by_the_balls_that_reach_it():
    rng = np.random.default_rng(3)
    states = ball_rows(rng.uniform(-5.0, 5.0, (40, 3)), radius=rng.uniform(0.05, 0.4, 40))
    answers = []
    for at in rng.uniform(-5.0, 5.0, (300, 3)):
        nearest = (np.linalg.norm(states["position"] - at, axis=1) - states["radius"]).min()
        answers.append(any_ball_touches(states, tuple(at.tolist()), 1.2))
        assert answers[-1] == (nearest <= 1.2)
    assert 30 < sum(answers) < 270
    assert not any_ball_touches(states[:0], (0.0, 0.0, 0.0), 1e6)
