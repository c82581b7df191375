"""Jumping and falling: exact to the tick and in height, without tunnelling."""

import numpy as np
import pytest

from game.physics import Command, Walker, WalkerSettings, bare
from tests.support.scenes import BODIES, box, floor, gap, mesh, ramp, walk, wall

SKIN = 0.01
WORLD = mesh(floor(-9, -9, 9, 9))


def pressed(ticks, *at):
    """The jump key in each tick: pressed in these."""
    return np.isin(np.arange(ticks), at)


@pytest.mark.parametrize("hz", [30, 60, 120, 240])
def test_a_jump_follows_the_formula(hz):
    ticks = int(0.95 * hz)
    start, states = walk(WORLD, ticks, walker=Walker(WalkerSettings(ticks_per_second=hz)), jump=pressed(ticks, 0))
    t, air = np.arange(1, ticks + 1) / hz, ~states["grounded"]
    expected = start.position[1] + np.sqrt(2.0 * 9.81) * t - 0.5 * 9.81 * t * t
    assert abs(states["position"][:, 1] - expected)[air].max() < 1e-9
    assert air[: int(0.88 * hz)].all()
    assert states["grounded"][-1]
    assert states["position"][-1][1] == pytest.approx(start.position[1], abs=1e-9)
    assert states["velocity"][-1][1] == 0.0


def test_a_held_key_jumps_once():
    _, states = walk(WORLD, 240, jump=True)
    assert (np.diff(states["grounded"].astype(int)) == 1).sum() == 1


@pytest.mark.parametrize("late", range(10))
def test_coyote_time_is_exact_to_the_tick(late):
    """A jump pressed `late` ticks after the last grounded one counts up to six (0.1 s), and not after a jump."""
    world = mesh(floor(-9, -1, 9, 9), floor(-9, -99, 9, -1, y=-30.0))
    ledge = {"feet": (0.0, 0.0, 2.0), "walker": Walker(bare()), "forward": 1.0}
    off = int(np.flatnonzero(~walk(world, 120, **ledge)[1]["grounded"])[0])
    _, states = walk(world, 120, **ledge, jump=pressed(120, off + late))
    assert (states["velocity"][:, 1] > 0.0).any() == (late <= 6)


def test_no_second_jump_in_the_air():
    start, states = walk(WORLD, 40, jump=pressed(40, 0, 3, 6, 20))
    assert states["position"][:, 1].max() - start.position[1] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("early", range(1, 11))
def test_the_jump_buffer_keeps_a_jump_pressed_before_landing(early):
    landed = int(np.flatnonzero(walk(WORLD, 200, jump=pressed(200, 0))[1]["grounded"])[0])
    _, states = walk(WORLD, 200, jump=pressed(200, 0, landed + 1 - early))
    assert (states["velocity"][landed + 1 :, 1] > 0.0).any() == (early <= 6)


def test_the_head_stops_a_jump():
    world, walker = mesh(floor(-9, -9, 9, 9), floor(-9, -9, 9, 9, y=2.3)), Walker()
    rows = walker.commands(forward=np.zeros(60), jump=pressed(60, 0))
    states, traces = walker.run(walker.spawn(world, (0.0, 0.0, 0.0)), rows, world, trace=True)
    hit = next(k for k, trace in enumerate(traces) if "head" in trace.events)
    assert states["velocity"][hit][1] == 0.0
    assert states["velocity"][hit + 1][1] == pytest.approx(-9.81 / 60)
    assert min(gap(walker, row, world) for row in states) >= 0.5 * SKIN - 1e-9


def test_a_wall_changes_no_vertical_speed_of_a_jump():
    """Vertical speed is not taken from a wall, nor given by one."""
    world, jump = mesh(floor(-9, -9, 9, 9), wall(-9, -2, 9, -2, 9)), pressed(60, 0, 12, 18, 24, 30)
    _, free = walk(world, 60, (0.0, 0.0, 5.0), jump=jump)
    _, states = walk(world, 60, (0.0, 0.0, -1.5), forward=1.0, jump=jump)
    assert abs(states["position"][:45, 1] - free["position"][:45, 1]).max() < 1e-9


@pytest.mark.parametrize("body", BODIES)
def test_nothing_is_tunnelled_at_300_metres_a_tick(body):
    walker = Walker(WalkerSettings(radii=BODIES[body], fall_limit=1e6))
    lid = box(-0.5, 0.5, -0.5, 0.5, 1.0, 0.5)
    for extra in (lid, ramp(30, 3, 6), ramp(60, 3, 6), lid + wall(-3, 0.2, 3, 0.2, 2.0), []):
        world = mesh(floor(-9, -9, 9, 9), extra)
        for x, z in ((0.0, 0.0), (0.5, 0.5), (0.7, 0.3), (0.0, -1.4), (3.0, 0.2)):
            state = walker.spawn(world, (x, 250.0, z)).replace(velocity=(0.0, -18000.0, 0.0))
            for _ in range(3):
                state, _ = walker.step(state, Command(), world)
                assert state.position[1] > 0.5
                assert gap(walker, state, world) >= 0.5 * SKIN - 1e-9


@pytest.mark.parametrize("hz", [30, 60, 240])
def test_a_long_fall_is_the_same_at_every_rate(hz):
    walker = Walker(WalkerSettings(ticks_per_second=hz, fall_limit=20.0))
    start, states = walk(WORLD, 4 * hz, (0.0, 100.0, 0.0), walker)
    ramp_time = 20.0 / 9.81
    drop = 0.5 * 9.81 * ramp_time**2 + 20.0 * (4.0 - ramp_time)
    assert start.position[1] - states["position"][-1][1] == pytest.approx(drop, abs=1e-9)
    assert states["velocity"][-1][1] == -20.0


@pytest.mark.parametrize("hz", [30, 60, 240])
def test_starting_and_stopping_are_the_same_at_every_rate(hz):
    """v = a t up to 4 m/s at 60 m/s2, and back: the distance follows whatever the tick."""
    walker, forward = Walker(WalkerSettings(ticks_per_second=hz)), (np.arange(2 * hz) < hz).astype(float)
    start, states = walk(WORLD, 2 * hz, (0.0, 0.0, 5.0), walker, forward=forward)
    way, ramp_way = start.position[2] - states["position"][:, 2], 4.0**2 / (2.0 * 60.0)
    assert way[hz - 1] == pytest.approx(4.0 * (1.0 - 4.0 / 60.0) + ramp_way)
    assert way[-1] == pytest.approx(4.0 * (1.0 - 4.0 / 60.0) + 2.0 * ramp_way)


def test_walking_off_a_ledge_is_one_fall():
    world = mesh(box(-5, 0, 0, 5, 2, 6), floor(-9, -9, 9, 9))
    for body in BODIES.values():
        _, states = walk(world, 120, (0.0, 2.0, 2.0), Walker(WalkerSettings(radii=body)), forward=1.0)
        assert (np.diff(states["grounded"].astype(int)) == -1).sum() == 1
        assert states["grounded"][-1]
        assert states["position"][-1][1] == pytest.approx(0.909, abs=1e-9)
