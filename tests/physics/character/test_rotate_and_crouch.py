"""Turning the body, crouching and standing up, slim gaps, and starting inside something."""

import math

import numpy as np
import pytest

from game.physics import Command, Walker, WalkerSettings, bare
from tests.support.scenes import BODIES, box, floor, gap, heading, mesh, ramp, walk, wall

SKIN = 0.01
UNEQUAL = pytest.mark.parametrize("body", ["default", "slim"])


@UNEQUAL
def test_a_free_turn_reaches_any_heading_in_one_tick_in_place(body):
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    world = mesh(floor(-5, -5, 5, 5))
    state = walker.spawn(world, (0.0, 0.0, 0.0), 0)
    for target in (1, 16384, 65535, 30000, 40000, 100):
        after, _ = walker.step(state, Command(heading=target), world)
        assert after.heading == target
        assert after.position == state.position
        state = after


@UNEQUAL
def test_half_a_turn_succeeds_where_a_quarter_turn_has_no_room(body):
    w = BODIES[body][2] * 1.01 + 0.02
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    world = mesh(floor(-5, -5, 5, 5), wall(-5, -w, 5, -w, 3), wall(5, w, -5, w, 3))
    state = walker.spawn(world, (0.0, 0.0, 0.0), 0)
    turned, _ = walker.step(state, Command(heading=32768), world)
    assert turned.heading == 32768
    assert turned.position == state.position
    quarter, trace = walker.step(state, Command(heading=16384), world)
    assert 0 < quarter.heading < 16384
    assert "turn cut" in trace.events
    assert gap(walker, quarter, world) >= 0.5 * SKIN - 1e-9


@pytest.mark.sample(1)
@UNEQUAL
def test_a_turn_against_a_wall_never_embeds(body):
    """Blades and posts beside a turning body: at no angle of the way, not only at its end, is it touched."""
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    rng = np.random.default_rng(5)
    for _ in range(60):
        angle, far = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(BODIES[body][2] * 1.02, BODIES[body][0] * 1.1)
        x, z = far * math.cos(angle), far * math.sin(angle)
        dx, dz = rng.uniform(-0.5, 0.5, 2)
        world = mesh(floor(-3, -3, 3, 3), wall(x, z, x + dx, z + dz, 2.5))
        try:
            state = walker.spawn(world, (0.0, 0.0, 0.0), int(rng.integers(0, 65536)))
        except ValueError:
            continue
        target = (state.heading + int(rng.choice([-16384, -9000, 5000, 16384]))) % 65536
        after, _ = walker.step(state, Command(heading=target), world)
        rotation = (after.heading - state.heading + 32768) % 65536 - 32768
        for part in np.linspace(0.0, 1.0, 40):
            row = after.row()
            row["heading"] = (state.heading + round(rotation * part)) % 65536
            assert gap(walker, row[0], world) > 0.0
        assert gap(walker, after, world) >= 0.5 * SKIN - 1e-9


@pytest.mark.each_once
@UNEQUAL
@pytest.mark.parametrize("angle", [15, 30, 44])
def test_turning_in_place_on_a_slope(body, angle):
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    world = mesh(floor(-5, 0, 5, 5), ramp(angle))
    state = start = walker.spawn(world, (0.0, 5.0 * math.tan(math.radians(angle)) + 0.2, -5.0), 0)
    for _ in range(120):
        state, _ = walker.step(state, Command(), world)
    start = state
    assert start.grounded
    for k in range(360):
        state, _ = walker.step(state, Command(heading=heading(k)), world)
        assert state.grounded
        assert state.heading == heading(k)
        assert gap(walker, state, world) >= 0.5 * SKIN - 1e-9
    assert math.dist((state.position[0], state.position[2]), (start.position[0], start.position[2])) < 1e-9


def test_a_wall_stops_the_body_at_its_extent_in_that_direction():
    """The seed's matrix turns nothing (seeds.md, defect 1): facing a wall at -Z the guide's body stops at 0.12 plus
    skin, side on at 0.35 plus skin."""
    walker = Walker(bare(radii=(0.35, 0.90, 0.12)))
    world = mesh(floor(-5, -5, 5, 5), wall(-5, -3, 5, -3, 3))
    for body, strafe, forward, radius in ((0, 0.0, 1.0, 0.12), (90, 1.0, 0.0, 0.35)):
        _, states = walk(world, 90, (0.0, 0.0, 0.0), walker, body, forward=forward, strafe=strafe)
        assert states["position"][-1][2] == pytest.approx(-3.0 + radius * (1.0 + SKIN), abs=1e-9)


@pytest.mark.parametrize("body", BODIES)
def test_crouching_under_and_standing_up_at_the_first_clear_tick(body):
    walker = Walker(bare(radii=BODIES[body]))
    lid = box(-3, 1.2, -3, 3, 2.4, 0)
    world = mesh(floor(-6, -40, 6, 6), lid)
    start = walker.spawn(world, (0.0, 0.0, 2.0), 0)
    _, upright = walk(world, 60, (0.0, 0.0, 2.0), walker, forward=1.0)
    assert upright["position"][-1][2] > 0.0, "too tall to pass"
    rows = walker.commands(forward=np.ones(400), crouch=np.arange(400) < 90, heading=0)
    states, traces = walker.run(start, rows, world, trace=True)
    assert states["crouched"][:90].all()
    assert states["position"][-1][2] < -4.0
    up = int(np.flatnonzero(~states["crouched"])[0])
    assert up > 90
    assert all("no room to stand" in trace.events for trace in traces[90:up])
    before = walker.state(states[up - 1])
    clear = before.position[2] - 4.0 / 60.0
    assert clear < -3.0, "under the lid it stays down"
    assert (states["grounded"]).all()
    assert min(gap(walker, row, world) for row in states) >= 0.5 * SKIN - 1e-9
    assert walker.state(states[-1]).radii == BODIES[body]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("ledge", [0.45, 0.5, 0.55, 0.6, 0.8])
def test_crouching_climbs_no_ledge_above_the_step_height_out_of_a_slot(body, ledge):
    """Between a high wall and a ledge the low, broad shape would hang on the edge, and step up from there."""
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    crouch, strafe, tried = np.arange(240) // 15 % 2 == 1, np.where(np.arange(240) < 200, 1.0, -1.0), 0
    for width in np.arange(0.5, 0.76, 0.0125).tolist():
        edge = 0.5 * width
        world = mesh(floor(-8, -8, 8, 8), box(-8, 0, -8, -edge, 4, 8), box(edge, 0, -8, 8, ledge, 8))
        try:
            _, states = walk(world, 240, walker=walker, strafe=strafe, crouch=crouch)
        except ValueError:  # no room
            continue
        tried += 1
        feet = states["position"][:, 1] - states["radii"][:, 1]
        assert feet.max() < 0.5 * walker.settings.step_height, f"{width} m wide"
        assert states["grounded"].all()
    assert tried >= 3


def test_a_body_that_stands_crouches_on_a_flight_of_steps():
    walker = Walker(WalkerSettings())
    flight = [box(-2, 0, -0.3 * k - 0.3, 2, 0.18 * (k + 1), -0.3 * k) for k in range(8)]
    world = mesh(floor(-6, -6, 6, 6), *flight)
    for ticks in range(20, 60, 3):
        _, climbed = walk(world, ticks, (0.0, 0.0, 1.0), walker, forward=1.0)
        state, _ = walker.step(walker.state(climbed[-1]), Command(crouch=True), world)
        assert state.crouched, f"after {ticks} ticks"


def test_spawn_settles_on_the_ground_and_refuses_solids():
    walker = Walker(WalkerSettings())
    world = mesh(floor(-5, -5, 5, 5), wall(1.0, 5, 1.0, -5, 3))
    state = walker.spawn(world, (0.9, 0.0, 0.0), 0)
    assert gap(walker, state, world) >= 0.5 * SKIN - 1e-9
    assert state.grounded
    assert abs(state.feet[1]) < 0.02
    settled = walker.spawn(world, (0.0, 0.3, 0.0), 0)
    assert settled.grounded
    assert settled.feet[1] == pytest.approx(0.9 * SKIN, abs=1e-9)
    assert not walker.spawn(world, (0.0, 2.0, 0.0), 0).grounded
    tight = mesh(floor(-5, -5, 5, 5), *[wall(x, 5, x, -5, 3) for x in (-0.2, 0.2)])
    with pytest.raises(ValueError, match="no room"):
        walker.spawn(tight, (0.0, 0.0, 0.0), 0)
    low = mesh(floor(-5, -5, 5, 5), floor(-5, -5, 5, 5, y=1.0))
    with pytest.raises(ValueError, match="no room"):
        walker.spawn(low, (0.0, 0.0, 0.0), 0)
    with pytest.raises(ValueError, match="feet"):
        walker.spawn(world, (0.0, math.nan, 0.0))


def test_a_body_put_inside_a_wall_is_pushed_out_or_goes_back():
    walker = Walker(WalkerSettings())
    world = mesh(floor(-5, -5, 5, 5), wall(1.0, 5, 1.0, -5, 3))
    state = walker.spawn(world, (0.0, 0.0, 0.0), 0)
    _, y, z = state.position
    after, trace = walker.step(state.replace(position=(0.9, y, z)), Command(), world)
    assert "pushed" in trace.events
    assert gap(walker, after, world) >= 0.5 * SKIN - 1e-9
    cage = mesh(floor(-5, -5, 5, 5), *[wall(2 + k * 0.2, 5, 2 + k * 0.2, -5, 3) for k in range(20)])
    lost, trace = walker.step(state.replace(position=(4.0, y, z)), Command(), cage)
    assert "lost" in trace.events
    assert lost.position == state.position
    after, _ = walker.step(lost, Command(), cage)
    assert gap(walker, after, cage) >= 0.5 * SKIN - 1e-9


def test_a_floor_facing_down_supports_the_body():
    world = mesh([tuple(reversed(t)) for t in floor(-5, -5, 5, 5)])
    _, states = walk(world, 60, walker=Walker(bare()), forward=1.0)
    assert states["grounded"].all()
    assert states["ground_normal"][-1].tolist() == [0.0, 1.0, 0.0]
