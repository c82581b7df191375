"""Surface effects: distances follow the formulas at every tick rate, and plain surfaces change no bit."""

import math

import numpy as np
import pytest

from game.physics import Command, Environment, Material, Motion, Mover, Movers, TriangleMesh, Walker, WalkerSettings
from tests.support import scenes

G = 9.81
RATES = (30.0, 60.0, 240.0)
rates = pytest.mark.parametrize("rate", RATES)


GROUND = scenes.floor(-200, -200, 200, 200)


def slope(degrees, size=150.0):
    """Down to the north."""
    t = math.tan(math.radians(degrees))
    return scenes.quad(
        (-size, size * t, size), (size, size * t, size), (size, -size * t, -size), (-size, -size * t, -size)
    )


def on(triangles, material, feet=(0.0, 0.0, 0.0), **settings):
    walker = Walker(WalkerSettings(**settings))
    mesh = TriangleMesh(triangles, np.zeros(len(triangles), np.int32), [material])
    return walker, mesh, walker.spawn(mesh, feet)


def settled(walker, mesh, state):
    for _ in range(3):
        state, _ = walker.step(state, Command(), mesh)
    return state


def walk(walker, mesh, state, seconds, **command):
    for _ in range(round(seconds * walker.settings.ticks_per_second)):
        state, _ = walker.step(state, Command(**command), mesh)
    return state


@pytest.mark.each_once
@rates
@pytest.mark.parametrize("friction", [0.02, 0.1, 0.5, 1.0, 3.0])
def test_stopping_takes_v2_over_2_mu_a(friction, rate):
    walker, mesh, state = on(GROUND, Material(friction=friction), ticks_per_second=rate)
    state = walk(walker, mesh, state, 8.0, forward=1.0)
    assert state.velocity[2] == pytest.approx(-4.0, abs=1e-9)
    began = state.position[2]
    state = walk(walker, mesh, state, 5.0)
    assert state.velocity == (0.0, 0.0, 0.0)
    assert began - state.position[2] == pytest.approx(4.0**2 / (2 * 60.0 * min(friction, 1.0)), abs=1e-9)


def test_without_friction_nothing_starts_or_stops():
    walker, mesh, state = on(GROUND, Material(friction=0.0))
    kept = walk(walker, mesh, state, 1.0, forward=1.0)
    assert kept.position == settled(walker, mesh, state).position
    gone = walk(walker, mesh, kept.replace(velocity=(1.5, 0.0, -2.0)), 2.0)
    assert gone.velocity == (1.5, 0.0, -2.0)
    assert gone.position[0] - kept.position[0] == pytest.approx(3.0, abs=1e-9)


@pytest.mark.parametrize("degrees", [5.0, 20.0, 35.0, 44.0])
def test_a_slope_holds_up_to_the_angle_of_friction(degrees):
    for off, holds in ((0.05, True), (-0.05, False)):
        friction = math.tan(math.radians(degrees + off))
        walker, mesh, state = on(slope(degrees), Material(friction=friction))
        state = settled(walker, mesh, state)
        later = walk(walker, mesh, state, 2.0)
        assert (later.position == state.position) is holds
        assert later.grounded
        assert later.sliding is not holds


@pytest.mark.each_once
@rates
@pytest.mark.parametrize(("degrees", "friction"), [(10.0, 0.0), (20.0, 0.1), (30.0, 0.3), (40.0, 0.8)])
def test_a_body_slides_down_by_half_g_sin_minus_mu_cos_t_squared(degrees, friction, rate):
    walker, mesh, state = on(slope(degrees), Material(friction=friction), ticks_per_second=rate)
    began = np.array(state.position)
    state = walk(walker, mesh, state, 1.5)
    angle = math.radians(degrees)
    pull = G * (math.sin(angle) - friction * math.cos(angle))
    gone = np.array(state.position) - began
    assert gone[2] == pytest.approx(-0.5 * pull * 1.5**2 * math.cos(angle), abs=1e-6)
    assert gone[1] == pytest.approx(gone[2] * math.tan(angle), abs=1e-6)
    assert state.velocity[2] == pytest.approx(-pull * 1.5 * math.cos(angle), abs=1e-6)


def test_a_slippery_slope_is_climbed_up_to_the_angle_of_friction():
    walker, mesh, state = on(slope(30.0), Material(friction=0.3))
    up = walk(walker, mesh, state, 1.0, forward=1.0, heading=32768)
    down = walk(walker, mesh, state, 1.0)
    assert up.position[2] < state.position[2], "gravity is the stronger"
    assert up.position == pytest.approx(down.position, abs=1e-9), "the grip was all used already"


@rates
def test_a_belt_carries_and_a_jump_keeps_its_speed(rate):
    walker, mesh, state = on(GROUND, Material(flow=(2.0, 0.5)), ticks_per_second=rate)
    began = state.position
    state = walk(walker, mesh, state, 3.0)
    assert state.position[0] - began[0] == pytest.approx(6.0, abs=1e-9)
    assert state.position[2] - began[2] == pytest.approx(1.5, abs=1e-9)
    assert state.velocity == (0.0, 0.0, 0.0)
    state, _ = walker.step(state, Command(jump=True), mesh)
    while not state.grounded:
        assert state.velocity[0] == pytest.approx(2.0, abs=1e-12), "without a key the belt's speed is kept in the air"
        assert state.velocity[2] == pytest.approx(0.5, abs=1e-12)
        state, _ = walker.step(state, Command(), mesh)
    assert state.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-12), "on the belt again it rests"


FAR = TriangleMesh(scenes.floor(-9, -9, 9, 9, y=-500))
BELT = TriangleMesh(scenes.floor(-20, -20, 20, 20), [0, 0], [Material(flow=(2.0, 0.5))])


@rates
@pytest.mark.parametrize("velocity", [(3.0, 0.0, -2.0), (-3.0, 2.0, 1.0)])
def test_a_belt_on_a_platform_adds_its_velocity_to_that_of_the_platform(rate, velocity):
    paths = [Motion(), Motion(((0, 0, 0), tuple(40.0 * v for v in velocity)), 40.0, ease=False)]
    resting, moving = (Environment(movers=Movers([Mover(BELT, (0, 0, 0), path)], rate)) for path in paths)
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    start, jump = walker.spawn(FAR, (0.0, 0.0, 0.0), around=resting), int(rate)
    commands = walker.commands([Command(strafe=0.5, jump=k == jump) for k in range(2 * jump)])
    still, states = (walker.run(start, commands, FAR, around=around) for around in (resting, moving))
    places = states["position"] - [moving.movers.poses(k + 1)[0][:, 3] for k in range(2 * jump)]
    assert np.abs(places - still["position"]).max() < 1e-9
    assert still["position"][jump - 1, 2] == pytest.approx(0.5, abs=1e-9)
    assert states["carried"][jump + 3] == pytest.approx(np.add(velocity, (2.0, 0.0, 0.5)), abs=1e-9)


@rates
@pytest.mark.parametrize("spin", [90.0, -40.0])
def test_a_belt_turns_with_its_platform(rate, spin):
    around = Environment(movers=Movers([Mover(BELT, (0, 0, 0), Motion(spin=spin))], rate))
    walker, ticks = Walker(WalkerSettings(ticks_per_second=rate)), int(2 * rate)
    start = walker.spawn(FAR, (0.0, 0.0, 0.0), around=around)
    end = walker.run(start, walker.commands([Command()] * ticks), FAR, around=around)["position"][-1]
    place = around.movers.poses(ticks)[0][:, :3].T @ end
    assert place == pytest.approx((4.0, start.position[1], 1.0), abs=1e-9)


def test_belt_velocity_decays_by_friction_on_the_floor():
    triangles = scenes.quad((-5, 0, 5), (0, 0, 5), (0, 0, -5), (-5, 0, -5))
    triangles += scenes.quad((0, 0, 5), (50, 0, 5), (50, 0, -5), (0, 0, -5))
    walker = Walker(WalkerSettings())
    mesh = TriangleMesh(triangles, [1, 1, 0, 0], [Material(friction=0.1), Material(flow=(3.0, 0.0))])
    state = walk(walker, mesh, walker.spawn(mesh, (-3.0, 0.0, 0.0)), 4.0)
    assert state.velocity == (0.0, 0.0, 0.0)
    assert state.position[0] == pytest.approx(3.0**2 / (2 * 6.0), abs=0.06)


@pytest.mark.each_once
@rates
@pytest.mark.parametrize("bounce", [0.3, 0.7, 1.0])
def test_a_bounce_gives_back_e_squared_of_the_height(bounce, rate):
    walker, mesh, state = on(GROUND, Material(bounce=bounce), feet=(0.0, 3.0, 0.0), ticks_per_second=rate)
    before = state.feet[1]
    resting = on(GROUND, Material(), ticks_per_second=rate)[2].feet[1]
    highest, hit = 0.0, False
    for _ in range(round(2.2 * rate)):
        was = state
        state, trace = walker.step(state, Command(), mesh)
        hit = hit or "bounced" in trace.events
        if hit:
            highest = max(highest, state.feet[1])
            if state.velocity[1] < 0.0 < was.velocity[1]:
                break
    peak = bounce**2 * (before - resting)
    half_skin = 0.5 * 0.01 * 0.90  # it turns round that far below where it rests
    assert highest - resting == pytest.approx(peak - (1 - bounce**2) * half_skin, abs=G / rate**2)


def test_a_bounce_comes_to_rest():
    walker, mesh, state = on(GROUND, Material(bounce=0.6), feet=(0.0, 2.0, 0.0))
    state = walk(walker, mesh, state, 6.0)
    assert state.grounded
    assert walk(walker, mesh, state, 1.0).position == state.position


def test_mud_halves_the_pace():
    walker, mesh, state = on(GROUND, Material(speed=0.5))
    state = walk(walker, mesh, state, 2.0, forward=1.0)
    assert state.velocity[2] == pytest.approx(-2.0, abs=1e-12)


@pytest.mark.parametrize("rub", [0.0, 0.25, 0.9, 1.0])
def test_wall_friction_reduces_the_speed_along_it(rub):
    wall = scenes.quad((-60, 0, -2), (60, 0, -2), (60, 4, -2), (-60, 4, -2))
    walker, mesh, state = on(GROUND + wall, Material(rub=rub), acceleration=math.inf, deceleration=math.inf)
    heading = round(65536 * 315 / 360)  # north-east
    state = walk(walker, mesh, state, 1.0, forward=1.0, heading=heading)
    began = state.position[0]
    state = walk(walker, mesh, state, 2.0, forward=1.0, heading=heading)
    assert state.position[0] - began == pytest.approx(2.0 * 4.0 * math.sqrt(0.5) * (1.0 - rub), abs=1e-6)


def test_plain_materials_change_no_bit():
    triangles = np.asarray(GROUND + slope(25.0))
    walker = Walker(WalkerSettings())
    plain, named = TriangleMesh(triangles), TriangleMesh(triangles, np.zeros(len(triangles), int), [Material()])
    odd = TriangleMesh(triangles, np.zeros(len(triangles), int), [Material(), Material(friction=0.1)])
    assert len(named.materials) == 0 < len(odd.materials)
    rng = np.random.default_rng(5)
    forward, strafe = rng.uniform(-1, 1, (2, 600))
    rows = walker.commands(
        forward=forward, strafe=strafe, heading=rng.integers(0, 65536, 600), jump=rng.random(600) < 0.05
    )
    begin = walker.spawn(plain, (0.0, 0.2, -3.0))
    runs = [walker.run(begin, rows, mesh).tobytes() for mesh in (plain, named, odd)]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("wrong", [{"friction": -0.1}, {"bounce": 1.5}, {"speed": math.nan}, {"flow": (math.inf, 0.0)}])
def test_wrong_materials_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Material(**wrong)
    with pytest.raises(ValueError, match="materials"):
        TriangleMesh(GROUND, [0, 3], [Material()])
