"""Walking: the rows of the behaviour table for floors, walls, slopes, stairs, ledges and corners."""

import math

import numpy as np
import pytest

from game.physics import Walker, WalkerSettings, bare
from tests.support.scenes import BODIES, box, floor, gap, heading, mesh, quad, ramp, stairs, turned, walk, wall

SKIN = 0.01
bodies = pytest.mark.parametrize("body", BODIES)
SLOW_RATES = [pytest.param(hz, marks=pytest.mark.jit) for hz in (120, 240)]
rates = pytest.mark.parametrize("hz", [30, 60, *SLOW_RATES])


def go(walker, world, feet, degrees, ticks, forward=1.0, **columns):
    """Start and states of a walk ahead."""
    return walk(world, ticks, feet, walker, degrees, forward=forward, **columns)


def feet(walker, row):
    return row["position"][1] - walker.settings.radii[1] * (1.0 + SKIN)


@bodies
def test_at_rest_nothing_moves_by_a_bit(body):
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    world = mesh(floor(-5, -5, 5, 5, tiles=7), ramp(30, 4, 4))
    for place in ((1.3, 0.0, 1.7), (0.4, 0.9, -1.5)):
        start, states = go(walker, world, place, 77, 400, forward=0.0)
        settled = states["position"][20]
        assert (states["position"][20:] == settled).all()
        assert states["grounded"].all()
        assert start.grounded


@pytest.mark.sample(1)
@pytest.mark.jit
@bodies
def test_tiled_floor_in_360_headings(body):
    walker = Walker(bare(radii=BODIES[body]))
    world = mesh(floor(-6, -6, 6, 6, tiles=24))
    for degrees in range(360):
        start = walker.spawn(world, (0.0, 0.0, 0.0), heading(degrees))
        rows = walker.commands(forward=np.ones(60), heading=heading(degrees))
        states, traces = walker.run(start, rows, world, trace=True)
        a = heading(degrees) * 2.0 * math.pi / 65536.0
        end = states["position"][-1]
        assert end[0] == pytest.approx(-4.0 * math.sin(a), abs=1e-9)
        assert end[2] == pytest.approx(-4.0 * math.cos(a), abs=1e-9)
        assert abs(states["position"][:, 1] - start.position[1]).max() < 1e-9
        assert all(contact.feature == "face" for trace in traces for contact in trace.contacts)


@pytest.mark.each_once
@rates
@pytest.mark.parametrize("degrees", [0.05, 0.5, 5.0, 45.0, 80.0])
def test_sliding_along_a_tiled_wall(degrees, hz):
    for body in BODIES.values():
        walker = Walker(bare(radii=body, ticks_per_second=hz))
        world = mesh(floor(-4, -20, 4, 20, tiles=20), wall(2, 20, 2, -20, 4, tiles=40))
        start, states = go(walker, world, (1.64, 0.0, 10.0), -degrees, 2 * hz)
        a = heading(-degrees) * 2.0 * math.pi / 65536.0
        gone = start.position[2] - states["position"][-1][2]
        assert gone == pytest.approx(8.0 * math.cos(a), abs=1e-9)
        assert min(gap(walker, row, world) for row in states[:: hz // 6]) >= 0.5 * SKIN - 1e-9
        assert states["grounded"].all()


@pytest.mark.each_once
@rates
@bodies
def test_ramps_under_the_limit_are_walked_at_horizontal_speed(body, hz):
    for speed in (4.0, 8.0):
        walker = Walker(bare(radii=BODIES[body], ticks_per_second=hz, walk_speed=speed))
        for angle in (*range(5, 45, 10), 44.9):
            world = mesh(floor(-5, 0, 5, 5), ramp(angle))
            start, states = go(walker, world, (0.0, 0.0, 2.0), 0, int(8.0 / speed * hz))
            assert start.position[2] - states["position"][-1][2] == pytest.approx(8.0, abs=1e-6)
            assert states["grounded"].all()
            rest = walker.run(walker.state(states[-1]), walker.commands(forward=np.zeros(hz)), world)
            assert abs(rest["position"] - rest["position"][hz // 2])[hz // 2 :].max() == 0.0


@pytest.mark.each_once
@rates
@bodies
@pytest.mark.parametrize("angle", [45.1, 50, 60, 75, 85])
def test_ramps_over_the_limit_are_never_climbed(body, hz, angle):
    walker = Walker(bare(radii=BODIES[body], ticks_per_second=hz))
    world = mesh(floor(-5, 0, 5, 5), ramp(angle))
    for degrees in (0, 40, -70):
        _, states = go(walker, world, (0.0, 0.0, 0.7), degrees, 2 * hz)
        assert states["position"][:, 1].max() - states["position"][0][1] < 0.02
    start, slide = go(walker, world, (0.0, 3.0 * math.tan(math.radians(angle)) + 0.3, -3.0), 0, 2 * hz)
    rises = np.diff(slide["position"][:, 1])
    assert rises.max() <= SKIN * walker.settings.radii[1], "it slides; making good the gap is all it rises"
    assert (rises > 1e-9).sum() <= 2
    assert slide["position"][-1][1] < start.position[1] - 1.0


@pytest.mark.parametrize("angle", [50, 60, 75])
def test_a_steep_slide_follows_the_formula_at_every_rate(angle):
    """Without friction the vertical way on a slope of angle a is g sin(a)^2 t^2 / 2."""
    descents = []
    for hz in (30, 60, 240):
        walker = Walker(bare(ticks_per_second=hz))
        world = mesh(ramp(angle, 40, 40))
        _, states = go(walker, world, (0.0, 20 * math.tan(math.radians(angle)) + 0.01, -20.0), 0, hz, 0.0)
        touching = states[hz // 5]
        t = 0.8 - 1.0 / hz
        descents.append(touching["position"][1] - states["position"][-1][1])
        s2 = math.sin(math.radians(angle)) ** 2
        v0 = -touching["velocity"][1]
        assert descents[-1] == pytest.approx(v0 * t + 0.5 * 9.81 * s2 * t * t, rel=1e-3)


@pytest.mark.each_once
@rates
@pytest.mark.parametrize("body", ["slim", "default", "round"])  # by default, the narrowest with the longest tick
def test_stairs_up_and_down_at_horizontal_speed(body, hz):
    ry = BODIES[body][1]
    for speed in (4.0, 8.0):
        walker = Walker(bare(radii=BODIES[body], ticks_per_second=hz, walk_speed=speed))
        for rise, run in ((0.05, 0.2), (0.18, 0.3), (0.3, 0.3), (0.39, 0.5), (0.4, 0.25)):
            world = mesh(floor(-10, 0, 10, 10), stairs(rise, run, 10, 20))
            for degrees in (0, 45):
                length = (4.0 + 10 * run) / math.cos(math.radians(degrees))
                ticks = int(length / speed * hz)
                start, up = go(walker, world, (2.5, 0.0, 2.0), degrees, ticks)
                assert math.dist((start.position[0], start.position[2]), up["position"][-1][[0, 2]]) == pytest.approx(
                    ticks / hz * speed, abs=1e-6
                )
                assert up["grounded"].all()
                assert (np.diff(up["position"][:, 1]) >= -0.5 * SKIN * ry).all(), "height monotone"
                assert feet(walker, up[-1]) == pytest.approx(10 * rise, abs=1e-6)
                rows = walker.commands(forward=np.full(ticks, -1.0), heading=heading(degrees))
                down = walker.run(walker.state(up[-1]), rows, world)
                assert down["grounded"].all()
                assert feet(walker, down[-1]) == pytest.approx(0.0, abs=1e-6)
                assert abs(down["position"][-1] - np.array(start.position)).max() < 1e-6


@pytest.mark.each_once
@rates
@bodies
@pytest.mark.parametrize("degrees", [0, 30, 60])
def test_ledges_up_to_the_step_height(body, hz, degrees):
    walker = Walker(bare(radii=BODIES[body], ticks_per_second=hz))
    for height, climbs in ((0.399, True), (0.4, True), (0.401, False)):
        world = mesh(floor(-10, 0, 10, 10), stairs(height, 1.0, 1, 20))
        ticks = int(2.0 / math.cos(math.radians(degrees)) / 4.0 * hz)
        _, states = go(walker, world, (0.0, 0.0, 1.0), degrees, ticks)
        assert (feet(walker, states[-1]) > height - 1e-6) == climbs
        assert states["grounded"].all()


def test_stairs_are_climbed_by_sliding_with_step_height_zero():
    """step_height 0 leaves sliding alone, as in the forum guide: slower than walking, but it climbs."""
    walker = Walker(bare(step_height=0.0))
    world = mesh(floor(-10, 0, 10, 10), stairs(0.18, 0.3, 6, 20))
    _, states = go(walker, world, (0.0, 0.0, 1.0), 0, 150)
    assert states["position"][-1][1] - 0.909 > 6 * 0.18 - 0.02


@bodies
def test_a_ramp_under_a_ceiling_stops_cleanly_and_leaves_freely(body):
    walker = Walker(bare(radii=BODIES[body]))
    world = mesh(floor(-5, 0, 5, 5), ramp(30), floor(-10, -10, 10, 10, y=2.5))
    _, states = go(walker, world, (0.0, 0.0, 2.0), 0, 240)
    assert abs(states["position"][-60:] - states["position"][-1]).max() < 1e-9
    assert min(gap(walker, row, world) for row in states) >= 0.5 * SKIN - 1e-9
    for ticks, keys, axis, way, error in (
        (30, {"forward": 0.0, "strafe": 1.0}, 0, 2.0, 1e-6),  # along it
        (60, {"forward": 1.0, "strafe": 1.0}, 0, 4.0 * math.sqrt(0.5), 0.02),  # pressed to it
        (30, {"forward": -1.0}, 2, 2.0, 1e-6),  # back
    ):
        rows = walker.commands(**{name: np.full(ticks, value) for name, value in keys.items()})
        on = walker.run(walker.state(states[-1]), rows, world)
        assert on["position"][-1][axis] - states["position"][-1][axis] == pytest.approx(way, abs=error)


def test_hugging_a_leaning_wall_up_and_down_a_ramp_stays_on_the_ground():
    walker = Walker(bare())
    lean = quad((1.0, 0.0, 1.0), (1.0, 0.0, -12.0), (3.0, 9.0, -12.0), (3.0, 9.0, 1.0))
    world = mesh(floor(-5, 0, 5, 5), ramp(25), lean)
    _, up = go(walker, world, (0.3, 0.0, 0.5), -10, 100)
    assert up["grounded"].all()
    rows = walker.commands(forward=np.full(100, -1.0), heading=heading(10))
    down = walker.run(walker.state(up[-1]), rows, world)
    assert down["grounded"].all()


@pytest.mark.parametrize("quarter", [90, 180, 270])
def test_a_turned_level_gives_a_turned_trace(quarter):
    walker = Walker(WalkerSettings())
    scene = floor(-6, -6, 6, 6, tiles=3) + stairs(0.18, 0.3, 5) + box(-4, 0, -3, -2, 0.3, -1)
    ends = []
    for degrees in (0, quarter):
        world = mesh(turned(scene, degrees))
        start = walker.spawn(world, (0.0, 0.0, 0.0), heading(degrees))
        turns = (heading(degrees) + np.cumsum(np.where(np.arange(300) % 50 < 20, 150, -60))) % 65536
        states = walker.run(start, walker.commands(forward=np.ones(300), heading=turns), world)
        a = math.radians(degrees)
        x, y, z = states["position"].T
        c, s = round(math.cos(a)), round(math.sin(a))
        ends.append(np.stack((c * x - s * z, y, s * x + c * z), 1))
    assert abs(ends[0] - ends[1]).max() < 1e-6


@pytest.mark.parametrize(
    ("speed", "rate", "gap", "far"), [(6.5, 30, 0.2, 0.0), (6.5, 30, 0.3, 0.1), (12.0, 60, 0.3, 0.1)]
)
def test_a_fast_body_crosses_a_trench_at_full_speed_wherever_its_ticks_begin(speed, rate, gap, far):
    world = mesh(
        floor(-4, -0.5, 4, 8),
        floor(-4, -20, 4, -0.5 - gap, y=far),
        wall(-4, -0.5 - gap, 4, -0.5 - gap, far + 2.0, y=-2.0),
        floor(-4, -2, 4, 0, y=-2.0),
    )
    walker = Walker(WalkerSettings(ticks_per_second=rate, sprint_speed=speed))
    for k in range(24):
        state = walker.spawn(world, (0.0, 0.0, 4.0 + k / 24.0 * speed / rate)).replace(velocity=(0.0, 0.0, -speed))
        states = walker.run(state, walker.commands(forward=np.ones(round(1.2 * rate)), sprint=True), world)
        assert -states["velocity"][:, 2].max() == pytest.approx(speed), k
        assert states["position"][-1, 2] < -1.5


@pytest.mark.parametrize("rate", [15, 30, 60, 240])
@pytest.mark.parametrize("degrees", [10, 30])
def test_a_sprint_leaves_the_free_top_of_a_ramp_at_its_speed(degrees, rate):
    top = 0.9 * math.tan(math.radians(degrees))
    world = mesh(
        quad((-3, 0, 9), (3, 0, 9), (3, 0, -8), (-3, 0, -8)),
        quad((-3, 0, -8), (3, 0, -8), (3, top, -8.9), (-3, top, -8.9)),
    )
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    for k in range(8):
        states = go(walker, world, (0.0, 0.0, 0.0731 + 0.0137 * k), 0, 2 * rate, sprint=True)[1]
        off = int(np.argmax(states["position"][:, 2] < -8.9))
        assert -states["velocity"][off - 2 : off + 3, 2].max() == pytest.approx(6.5), k
        leaves = int(np.flatnonzero(states["grounded"])[-1])
        rise = np.diff(states["position"][leaves : leaves + 2, 1])[0]
        assert rise <= 6.5 / rate * math.tan(math.radians(degrees)), "lifted above what the ramp explains"


@pytest.mark.parametrize(("rate", "speed"), [(60, 100.0), (30, 35.0), (30, 12.0)])
def test_in_the_air_an_edge_lifts_by_at_most_one_step_height(rate, speed):
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    plate = mesh(floor(-9, -9, 9, 9, y=-50), floor(-9, -400, 9, -3))
    start = walker.spawn(plate, (0.0, -50.0, 0.0))
    row = walker.commands(forward=np.ones(1), heading=heading(0))
    below = feet(walker, {"position": (0.0, 0.0, 0.0)})  # of a body at the origin
    rises = []
    for low in np.linspace(0.01, 0.44, 20):
        for distance in np.linspace(0.05, speed / rate, 6):
            place = np.array((0.0, -below - low, -2.6 + distance))
            state = start.replace(position=place, velocity=np.array((0.0, 0.0, -speed)))
            rises.append(walker.run(state, row, plate)["position"][0, 1] - place[1])
    assert max(rises) <= walker.settings.step_height


@pytest.mark.parametrize("degrees", [137, 143, 147])
def test_a_ceiling_of_two_planes_stops_the_body_and_does_not_swallow_it(degrees):
    """Each tick slid along one plane of the valley into the other, which had no contact plane there, until the gap was
    lost."""
    for low, far, near in ((1.773, 0.18, 0.06), (1.748, 0.23, 0.09), (1.812, 0.21, 0.01)):
        above = quad((-4, low, 4), (4, low, 4), (4, low + far, -4), (-4, low + near, -4))
        world = mesh(floor(-9, -9, 9, 9), above)
        for acceleration in (20.0, 60.0):
            walker = Walker(WalkerSettings(acceleration=acceleration))
            for x, z in ((-0.78, 0.89), (0.89, -0.92), (1.25, -1.04)):
                _, states = go(walker, world, (x, 0.0, z), degrees, 150)
                assert states["grounded"].all()
                assert not states["crouched"].any()
                assert np.ptp(states["position"][:, 1]) < 1e-9


def above(x, z):
    """A point of a slanting ceiling."""
    return x, 1.854 + 0.026 * x + 0.027 * z, z


SQUEEZED = {  # planes above and beside a floor, start (x, z), degrees, whether the body comes to rest
    "the other plane has no contact": (
        quad((-4, 1.791, 4), (4, 1.791, 4), (4, 2.071, -4), (-4, 2.001, -4)), (1.01, -0.94), 165, False,
    ),
    "one plane stops at a time": (
        quad((-4, 1.786, 4), (4, 1.786, 4), (4, 2.346, -4), (-4, 2.026, -4)), (-1.97, 1.72), 155, False,
    ),
    "a leaning wall and a ceiling": (
        quad(above(-9, 9), above(-9, -9), above(9, -9), above(9, 9))
        + quad((-1, 0, 9), (-1, 0, -9), (-0.8, 2.5, -9), (-0.8, 2.5, 9)), (0.19, -0.03), 54, True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SQUEEZED)
def test_a_body_squeezed_by_two_planes_does_not_tremble(case):
    """The gaps to both planes were kept in turns, and the velocity into one was lost while the other one stopped."""
    planes, (x, z), degrees, rests = SQUEEZED[case]
    _, states = go(Walker(WalkerSettings()), mesh(floor(-9, -9, 9, 9), planes), (x, 0.0, z), degrees, 360)
    way = states["position"][-90:]
    extent = np.ptp(way, axis=0)
    assert np.linalg.norm(np.diff(way, axis=0), axis=1).sum() < 2.0 * np.linalg.norm(extent) + 0.005
    assert not rests or extent.max() < 1e-6
