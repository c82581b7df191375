"""Balls against formulas: bouncing, sliding, rolling, collisions, rest, and no tunnelling."""

import itertools
import math

import numpy as np
import pytest

from game.physics import TriangleMesh
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.balls.scratch import BALL_SKIN
from game.physics.mesh.material import Material
from tests.physics.test_arguments import OwnBody
from tests.support import shapes

G = 9.81
FREE = BallSettings(gravity=(0.0, 0.0, 0.0))


def box(half, turn=None):
    """Both sides of a cube about the origin."""
    return shapes.box((-half,) * 3, (half,) * 3) @ (np.eye(3) if turn is None else turn.T)


def plane(half=60.0, slope=0.0, tiles=1, heading=0.0):
    """Tiled square through the origin, falling towards +x by `slope` radians, rotated by `heading`."""
    edge = np.linspace(-half, half, tiles + 1)
    quads = []
    for x0, x1 in itertools.pairwise(edge):
        for z0, z1 in itertools.pairwise(edge):
            a, b, c, d = (x0, z0), (x0, z1), (x1, z1), (x1, z0)
            quads += [(a, b, c), (a, c, d)]
    flat = np.array(quads)
    x, z = flat[..., 0] * math.cos(slope), flat[..., 1]
    y = -flat[..., 0] * math.sin(slope)
    s, c = math.sin(heading), math.cos(heading)
    return np.stack((c * x + s * z, y, c * z - s * x), axis=-1)


def resting(height=0.0, radius=0.12, **values):
    return ball_rows([(0.0, height + radius + BALL_SKIN, 0.0)], radius=radius, **values)


def path(balls, states, mesh, ticks):
    """(ticks + 1, n) rows."""
    found = [states]
    for _ in range(ticks):
        found.append(balls.step(found[-1], mesh))
    return np.stack(found)


@pytest.mark.jit
@pytest.mark.parametrize("ticks", [2000, pytest.param(10_000, marks=pytest.mark.full)])
def test_energy_in_a_box_at_rest_with_restitution_one_and_no_gravity(ticks):
    """Required: below 1e-6 over 10 000 ticks; rounding alone is far less."""
    rng = np.random.default_rng(5)
    places = np.stack(np.meshgrid(*[np.linspace(-1.6, 1.6, 5)] * 3), -1).reshape(-1, 3)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    radii = rng.uniform(0.08, 0.2, len(places))
    balls, mesh = Balls(FREE), TriangleMesh(box(2.2, turn))
    states = balls.rows(
        places @ turn.T, radius=radii, restitution=1.0, friction=0.0, velocity=rng.normal(0, 3.0, places.shape)
    )
    before, struck = balls.energy(states), 0
    for _ in range(ticks):
        was, states = states, balls.step(states, mesh)
        struck += int((was["velocity"] != states["velocity"]).any(axis=1).sum())
    assert struck > 10 * ticks
    assert abs(balls.energy(states) / before - 1.0) < 1e-11
    local = states["position"] @ turn
    assert (np.abs(local).max(axis=1) + states["radius"]).max() <= 2.2
    apart = np.linalg.norm(states["position"][:, None] - states["position"][None], axis=2)
    both = states["radius"][:, None] + states["radius"][None]
    assert (apart - both + 9.0 * np.eye(len(states))).min() > -1e-9


@pytest.mark.each_once
@pytest.mark.parametrize("bounce", [1.0, 0.9, 0.6])
@pytest.mark.parametrize("rate", [30.0, 60.0, 240.0])
def test_a_ball_bounces_to_e_squared_of_its_height(bounce, rate):
    balls, mesh, radius, height = Balls(BallSettings(ticks_per_second=rate)), TriangleMesh(plane()), 0.1, 2.0
    states = ball_rows([(3.0, radius + height, 1.0)], radius=radius, restitution=bounce, friction=0.0)
    tops = []
    for _ in range(int(5 * rate)):
        was, states = states, balls.step(states, mesh)
        vy, before = states["velocity"][0, 1], was["velocity"][0, 1]
        if before > 0.0 >= vy:  # the top of the parabola lies within this tick
            tops.append(was["position"][0, 1] + before * before / (2.0 * G) - radius)
    high = [top for top in tops if top > 0.05]
    assert len(high) >= 3
    for k, top in enumerate(high, start=1):
        assert top == pytest.approx(height * bounce ** (2 * k), abs=2.0 * (k + 1) * BALL_SKIN)


@pytest.mark.each_once
@pytest.mark.parametrize(("degrees", "mu"), [(5, 1.0), (20, 1.0), (40, 1.0), (50, 0.2), (20, 0.0)])
@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_a_ball_rolls_or_slips_down_a_slope_by_the_formula(degrees, mu, heading):
    """It rolls at 5/7 g sin where tan is at most 7/2 mu. Beyond it slips at g (sin - mu cos), and turns by 5/2 mu g cos
    / r. The friction is that of the surface."""
    s, c, radius, seconds = math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), 0.15, 2.0
    ground = plane(slope=math.radians(degrees), tiles=40, heading=heading)
    mesh = TriangleMesh(ground, np.zeros(len(ground), int), [Material(friction=mu)])
    start = np.array((0.0, (radius + BALL_SKIN) / c, 0.0))
    (end,) = Balls().run(ball_rows([start], radius=radius, friction=1.0, rolling=0.0), mesh, int(60 * seconds))
    rolls = s / c <= 3.5 * mu
    pull = 5.0 / 7.0 * G * s if rolls else G * (s - mu * c)
    spin = pull / radius if rolls else 2.5 * mu * G * c / radius
    assert np.linalg.norm(end["position"] - start) == pytest.approx(0.5 * pull * seconds**2, rel=1e-6)
    assert np.linalg.norm(end["velocity"]) == pytest.approx(pull * seconds, rel=1e-6)
    assert np.linalg.norm(end["spin"]) == pytest.approx(spin * seconds, rel=1e-6)


def test_from_sliding_to_rolling_at_five_sevenths_of_its_speed():
    states = resting(friction=0.3, rolling=0.0, velocity=(4.0, 0.0, 0.0))
    trajectory = path(Balls(), states, TriangleMesh(plane()), 120)
    until = 2.0 * 4.0 / (7.0 * 0.3 * G)
    assert trajectory["velocity"][-1, 0] == pytest.approx((4.0 * 5.0 / 7.0, 0.0, 0.0), abs=1e-12)
    assert trajectory["spin"][-1, 0] == pytest.approx((0.0, 0.0, -4.0 * 5.0 / 7.0 / 0.12), abs=1e-9)
    slid = 4.0 * until - 0.5 * 0.3 * G * until * until
    assert trajectory["position"][-1, 0, 0] == pytest.approx(slid + (2.0 - until) * 20.0 / 7.0, abs=0.3 * G / 60**2)


@pytest.mark.parametrize(("rolling", "soil"), [(0.02, 0.0), (0.05, 0.0), (0.01, 0.09)])
def test_rolling_distance_is_v_squared_over_2_c_g(rolling, soil):
    mesh = TriangleMesh(plane(tiles=31), np.zeros(2 * 31 * 31, int), [Material(roll=soil)])
    speed, drag = 2.0, (rolling + soil) * G
    states = resting(rolling=rolling, velocity=(speed * 0.6, 0.0, speed * 0.8), spin=(speed / 0.15, 0.0, -speed / 0.2))
    trajectory = path(Balls(), states, mesh, int(speed / drag * 60) + 60)
    distance = np.linalg.norm(trajectory["position"][-1, 0] - states["position"][0])
    assert distance == pytest.approx(speed**2 / (2.0 * drag), abs=drag / 60**2)
    end = trajectory[-1]
    assert end["asleep"].all()
    assert not end["velocity"].any()
    assert not end["spin"].any()
    assert Balls().run(end, mesh, 200).tobytes() == end.tobytes()


def test_rolling_resistance_holds_a_ball_on_a_slope():
    slope = 0.04
    mesh = TriangleMesh(plane(slope=slope))
    start = ball_rows([(0.0, (0.12 + BALL_SKIN) / math.cos(slope), 0.0)], rolling=0.05)
    states = Balls().run(start, mesh, 100)
    assert states["position"].tobytes() == start["position"].tobytes()
    assert states["asleep"].all()


def test_a_ball_comes_to_rest_in_a_groove_and_in_a_corner():
    for walls in (2, 3):
        mesh = TriangleMesh(np.concatenate([plane(slope=0.7, heading=math.tau * k / walls) for k in range(walls)]))
        states = ball_rows([(-0.1, 3.0, 0.2)], restitution=0.3, rolling=0.05)
        trajectory = path(Balls(), states, mesh, 1500)
        assert trajectory["asleep"][-1].all()
        assert trajectory["position"][-1].tobytes() == trajectory["position"][-100].tobytes()
        away = mesh.closest(tuple(trajectory["position"][-1, 0]))
        assert away.distance == pytest.approx(0.12, abs=2e-6)


@pytest.mark.parametrize("target", ["face", "edge", "corner"])
def test_no_ball_flies_through_a_floor_at_300_m_a_tick(target):
    rng = np.random.default_rng(3)
    mesh = TriangleMesh(plane(half=200.0, tiles=4))
    aims = {"face": (30.0, 10.0), "edge": (0.0, 10.0), "corner": (100.0, 100.0)}[target]
    for _ in range(20):
        x, z = rng.uniform(-90.0, 90.0, 2)
        start = np.array((x, rng.uniform(50.0, 290.0), z))
        distance = np.array((aims[0], 0.0, aims[1])) - start
        velocity = distance / np.linalg.norm(distance) * 300.0 * 60.0
        states = Balls().run(ball_rows([start], radius=0.02, restitution=0.5, velocity=velocity), mesh, 3)
        assert states["position"][0, 1] > 0.0
        assert states["velocity"][0, 1] > 0.0


def test_no_ball_flies_through_another_one():
    balls, empty = Balls(FREE), TriangleMesh(np.zeros((0, 3, 3)))
    states = balls.rows(
        [(-140.0, 0.005, 0.0), (0.0, 0.0, 0.0)],
        radius=0.02,
        restitution=1.0,
        friction=0.0,
        velocity=[(18000.0, 0.0, 0.0), (0.0, 0.0, 0.0)],
    )
    after = balls.step(states, empty)
    assert after["velocity"][1, 0] > 1000.0
    momentum = (after["velocity"] * after["mass"][:, None]).sum(axis=0)
    assert momentum == pytest.approx((states["velocity"] * states["mass"][:, None]).sum(axis=0), rel=1e-12, abs=1e-9)
    assert balls.energy(after) == pytest.approx(balls.energy(states), rel=1e-12)


def test_a_row_of_equal_balls_passes_one_speed_on():
    """The last ball leaves with the speed of the first, within one tick."""
    balls, empty = Balls(FREE), TriangleMesh(np.zeros((0, 3, 3)))
    states = balls.rows([(0.25 * k, 0.0, 0.0) for k in range(8)], radius=0.1, restitution=1.0, friction=0.0)
    states["velocity"][0, 0] = 30.0
    states = balls.run(states, empty, 5)
    assert states["velocity"][:, 0] == pytest.approx([0.0] * 7 + [30.0], abs=1e-12)


def test_slow_impacts_bounce_except_in_a_pile():
    """Two balls collide at 0.5 m/s: alone they bounce; with three others touching each, contacts bring them to rest."""
    balls = Balls(BallSettings(gravity=(0.0, -9.81, 0.0)))
    empty = TriangleMesh(np.zeros((0, 3, 3)))
    angles = np.array((0.0, 2.1, 4.2))
    behind = 0.201 * np.stack((np.full(3, -0.8), 0.6 * np.sin(angles), 0.6 * np.cos(angles)), axis=1)
    for others in (0, 3):
        left = np.array([(0.0, 0.0, 0.0), *behind[:others]])
        places = np.concatenate((left - (0.102, 0, 0), left * (-1, 1, 1) + (0.102, 0, 0)))
        speeds = np.repeat([(0.25, 0.0, 0.0), (-0.25, 0.0, 0.0)], len(left), axis=0)
        states = ball_rows(places, radius=0.1, restitution=0.8, friction=0.0, velocity=speeds)
        for ticks, parting in ((1, -0.5), (3, 0.0)) if others else ((1, 0.4), (3, 0.4)):
            states = balls.run(states, empty, ticks)
            assert states["velocity"][len(left), 0] - states["velocity"][0, 0] == pytest.approx(parting, abs=0.02)


def test_momentum_and_angular_momentum_in_collisions_with_friction():
    rng = np.random.default_rng(8)
    balls, empty = Balls(FREE), TriangleMesh(np.zeros((0, 3, 3)))
    places = rng.uniform(-1.0, 1.0, (60, 3))
    radii, masses = rng.uniform(0.05, 0.2, 60), rng.uniform(0.1, 5.0, 60)
    states = balls.rows(
        places * 1.5,
        radius=radii,
        mass=masses,
        restitution=0.7,
        friction=0.5,
        spin=rng.normal(0, 9, places.shape),
        velocity=-2.0 * places,
    )
    energy = balls.energy(states)

    def momenta(s):
        m, v = s["mass"][:, None], s["velocity"]
        own = 0.4 * m * s["radius"][:, None] ** 2 * s["spin"]
        return np.concatenate(((m * v).sum(axis=0), (m * np.cross(s["position"], v) + own).sum(axis=0)))

    before = momenta(states)
    for _ in range(60):
        states = balls.step(states, empty)
        assert momenta(states)[:3] == pytest.approx(before[:3], abs=1e-12)
        assert balls.energy(states) <= energy * (1.0 + 1e-12)
        energy = balls.energy(states)
    assert momenta(states) == pytest.approx(before, abs=0.3)  # those that overlapped were pushed apart


def test_two_balls_exchange_speeds_by_their_masses_and_restitution():
    for e, m in ((1.0, 1.0), (0.5, 3.0), (0.0, 0.2)):
        balls, empty = Balls(FREE), TriangleMesh(np.zeros((0, 3, 3)))
        states = balls.rows([(0, 0, 0), (1, 0, 0)], mass=[m, 1.0], restitution=e, velocity=[(9, 0, 0), (0, 0, 0)])
        states = balls.run(states, empty, 12)
        assert states["velocity"][:, 0] == pytest.approx((9 * (m - e) / (m + 1.0), 9 * m * (1 + e) / (m + 1.0)))


def poured():
    """90 balls above a box with a floor, walls and no lid: (mesh, states)."""
    rng, sides = np.random.default_rng(2), box(1.0)
    mesh = TriangleMesh(sides[(sides[..., 1] < 0.0).any(axis=1)])
    places = np.stack(np.meshgrid(np.linspace(-0.7, 0.7, 5), np.linspace(0, 4, 6), np.linspace(-0.5, 0.5, 3)), -1)
    places = places.reshape(-1, 3) + rng.uniform(-0.02, 0.02, (90, 3))
    states = ball_rows(places, radius=rng.uniform(0.1, 0.16, 90), restitution=0.5, friction=0.4, rolling=0.02)
    return mesh, states


@pytest.fixture(scope="module")
def pile():
    """`poured` and the states after 15 s."""
    mesh, states = poured()
    return mesh, states, Balls().run(states, mesh, 900)


@pytest.mark.jit
def test_a_pile_comes_to_rest_and_sleeps(pile):
    mesh, _, states = pile
    assert states["asleep"].all()
    assert Balls().run(states, mesh, 50).tobytes() == states.tobytes()
    low = states["position"] - states["radius"][:, None]
    assert (np.abs(states["position"][:, [0, 2]]) + states["radius"][:, None]).max() <= 1.0 + 1e-6
    assert low[:, 1].min() >= -1.0
    apart = np.linalg.norm(states["position"][:, None] - states["position"][None], axis=2)
    depth = states["radius"][:, None] + states["radius"][None] - apart - 9.0 * np.eye(len(states))
    assert depth.max() < 0.01


@pytest.mark.full
@pytest.mark.jit
def test_wedged_balls_sleep():
    """90 large balls pressed into a narrow box: with sleep by velocity, some never slept in 7 of 10 such piles."""
    mesh, awake = TriangleMesh(box(0.85) * (1, 3, 1) + (0, 1.5, 0)), 0
    for seed in range(24):
        rng = np.random.default_rng(seed)
        places = rng.uniform(-0.9, 0.9, (90, 3)) * (0.8, 1.0, 0.8) + (0.0, 0.9, 0.0)
        states = ball_rows(places, radius=0.17, restitution=0.6, velocity=rng.normal(0.0, 2.0, (90, 3)))
        awake += not Balls().run(states, mesh, 600)["asleep"].all()
    assert awake <= 11


@pytest.mark.jit
def test_a_sleeping_ball_wakes_when_hit(pile):
    mesh, _, states = pile
    struck = states.copy()
    struck[0]["asleep"], struck[0]["velocity"] = False, (0.0, -8.0, 0.0)
    struck[0]["position"] = (0.0, 1.5, 0.0)
    moved = Balls().run(struck, mesh, 60)
    assert (moved["position"] != struck["position"]).any(axis=1).sum() > 5


@pytest.mark.jit
def test_the_order_of_the_balls_changes_no_bit(pile):
    mesh, states, _ = pile
    rng = np.random.default_rng(1)
    balls, other = Balls(), Balls()
    order = rng.permutation(len(states))
    a, b = states, states[order]
    for _ in range(150):
        a, b = balls.step(a, mesh), other.step(b, mesh)
        assert a[order].tobytes() == b.tobytes()


def test_a_step_is_a_pure_function():
    mesh, states = poured()
    balls, before = Balls(), states.tobytes()
    there = balls.run(states, mesh, 30)
    assert states.tobytes() == before
    balls.run(there[:3], mesh, 10)
    assert balls.run(states, mesh, 30).tobytes() == there.tobytes()
    assert len(balls.step(states[:0], mesh)) == 0


def chaos():
    """States of a small chaotic scene."""
    rng = np.random.default_rng(4)
    surfaces = [Material(friction=0.3, soft=0.5), Material(bounce=0.9, flow=(0.5, -0.2), roll=0.1)]
    mesh = TriangleMesh(np.concatenate((box(0.5), plane(0.4, slope=0.3, tiles=2))), np.arange(20) % 2, surfaces)
    places, radii = rng.uniform(-0.35, 0.35, (7, 3)), rng.uniform(0.05, 0.12, 7)
    states = ball_rows(places, radii, velocity=rng.normal(0, 3, (7, 3)), spin=rng.normal(0, 5, (7, 3)))
    return path(Balls(), states, mesh, 40)


def test_a_conveyor_moves_a_ball():
    mesh = TriangleMesh(plane(), [0, 0], [Material(flow=(1.5, 0.0))])
    states = Balls().run(resting(rolling=0.02, friction=0.5), mesh, 600)
    assert states["velocity"][0] == pytest.approx((1.5, 0.0, 0.0), abs=1e-9)
    assert not states["asleep"].any()


def test_bodies_push_as_a_list_and_as_an_iterator():
    balls, mesh = Balls(), TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]])
    rows = ball_rows([(0.5, 0.2, 0.0)])
    pair = OwnBody(), OwnBody((0.2, 0.5, 0.0))
    pushed = balls.step(rows, mesh, bodies=[pair])
    assert pushed["velocity"][0, 0] > 1.0
    assert balls.step(rows, mesh, bodies=iter([pair])).tobytes() == pushed.tobytes()


@pytest.mark.jit
def test_a_trace_has_the_bits_of_its_ticks_and_ends_with_sleep_or_outside_of_the_bounds():
    balls, mesh = Balls(), TriangleMesh(plane(slope=0.02, tiles=30))
    ball = ball_rows([(0.0, 1.5, 0.0)], velocity=(3.0, 1.0, 0.5), rolling=0.05)
    end, positions = balls.trace(ball, mesh, 5000, [[-50.0] * 3, [50.0] * 3])
    assert end["asleep"][0]
    one_by_one = path(balls, ball, mesh, len(positions))[1:, 0]
    assert positions.tobytes() == np.ascontiguousarray(one_by_one["position"]).tobytes()
    assert end.tobytes() == one_by_one[-1:].tobytes()
    assert not one_by_one["asleep"][-2]
    _, short = balls.trace(ball, mesh, 5000, [[-50.0] * 3, [1.0, 50.0, 50.0]])
    assert short.tobytes() == positions[: len(short)].tobytes()
    assert short[-2, 0] <= 1.0 < short[-1, 0]
    with pytest.raises(ValueError, match="one ball, not of 2"):
        balls.trace(np.concatenate([ball, ball]), mesh, 5, [[-50.0] * 3, [50.0] * 3])
