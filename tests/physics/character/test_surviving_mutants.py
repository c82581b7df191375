"""Minimal scenes that kill mutants of the physics (tests/mutations) which no other test notices."""

import math

import numpy as np
import pytest

from game.fuzz.random_walks import walks_in_circles
from game.physics import Command, Walker, WalkerSettings
from tests.support.random_levels import Block, Room, Span, commands, spawn
from tests.support.scenes import BODIES, floor, gap, heading, mesh, ramp, walk, wall

HALF = 0.005  # half the skin, ellipsoid space


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("hz", [30, 60])
def test_every_wall_of_a_room_is_met_at_the_skin(hz, body):
    """Run at from the middle, all round: never nearer than half the skin."""
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=hz))
    room = Room(3.0, 2, ())
    world = room.mesh()
    for degrees in range(0, 360, 45):
        state = spawn(
            walker, world, (2.5 * -math.sin(math.radians(degrees)), 2.5 * -math.cos(math.radians(degrees)), degrees)
        )
        states = walker.run(state, walker.commands(commands([Span(hz // 2, degrees=degrees, sprint=True)])), world)
        assert min(gap(walker, s, world) for s in states) >= HALF
        assert room.holds(states["position"], margin=min(BODIES[body]))


def test_a_landing_keeps_the_gap_to_touched_walls():
    """A jump onto the rim of a plank: the settling down at the end must not press into what it already touches."""
    room = Room(2.9, 1, (Block(0.0, 0.0, 0.1, 0.1, 0.05, 0.0, 0), Block(-2.9, 1.0, 2.6, 0.3, 0.11, 0.3, 0)))
    walker, world = Walker(WalkerSettings(ticks_per_second=30)), room.mesh()
    for degrees in range(108, 149, 2):
        state = spawn(walker, world, (1.8, 0.0, 0))
        walk = [Span(40, 1.0, 0.3, degrees, jump=True)]
        states = walker.run(state, walker.commands(commands(walk)), world)
        assert min(gap(walker, s, world) for s in states) >= HALF


@pytest.mark.parametrize("height", [1.812, 1.8135, 1.816])
def test_gaps_too_low_for_the_skin_are_not_narrowed(height):
    """Between a floor and a ceiling too near each other for the whole skin on both sides, neither is pressed into."""
    walker = Walker()
    world = mesh(floor(-6, -6, 6, 6), floor(-6, -6, 6, 6, y=height))
    state, states = walk(world, 40, (0.0, (height - 1.8) / 2, 4.0), walker, forward=1.0)
    least = gap(walker, state, world)
    assert min(gap(walker, s, world) for s in states) >= least - 1e-9


@pytest.mark.parametrize("hz", [30, 60, 240])
def test_a_wall_cancels_the_velocity_into_it(hz):
    """Pressed against a wall no speed is stored; aslant what is left goes along it."""
    walker = Walker(WalkerSettings(ticks_per_second=hz))
    world = mesh(floor(-9, -9, 9, 9), wall(-9, -1, 9, -1, 3))
    _, pressed = walk(world, hz, walker=walker, forward=1.0)
    assert np.abs(pressed["velocity"][-1]).max() == 0.0
    _, slanted = walk(world, hz, walker=walker, forward=1.0, heading=heading(30))
    assert slanted["velocity"][-1, 2] == pytest.approx(0.0, abs=1e-12)
    assert slanted["velocity"][-1, 0] == pytest.approx(-4.0 * math.sin(math.radians(30)), abs=1e-2)


@pytest.mark.each_once
@pytest.mark.parametrize("hz", [30, 60])
@pytest.mark.parametrize("angle", [46, 50, 60, 75, 85])
def test_pressing_against_a_steep_slope_does_not_lift_the_body(angle, hz):
    """A slope too steep to walk holds and stops, and never raises the feet."""
    walker = Walker(WalkerSettings(ticks_per_second=hz))
    world = mesh(floor(-6, -6, 6, 6), ramp(angle, length=2))
    for aside in (0, 30, 60):
        state, states = walk(world, hz // 2, (0.0, 0.0, 1.5), walker, aside, forward=1.0)
        assert states["position"][:, 1].max() <= state.position[1] + 1e-9


def narrow(width):
    """A corridor along Z."""
    return mesh(floor(-3, -9, 3, 9), wall(-width / 2, -9, -width / 2, 9, 3), wall(width / 2, 9, width / 2, -9, 3))


def test_a_body_that_cannot_turn_walks_in_the_view_direction():
    """Side-on in a corridor too narrow to face along, at full speed along it."""
    _, states = walk(narrow(0.6), 60, (0.0, 0.0, 5.0), degrees=90, forward=1.0, heading=heading(0))
    assert abs(int(states["heading"][-1]) - heading(90)) < heading(45)
    assert states["position"][-1, 2] < 5.0 - 3.5


@pytest.mark.parametrize("degrees", [-8, -2, 2, 8])
def test_the_body_turns_by_the_smaller_angle(degrees):
    """Between two walls a few degrees either way are free, and the rest of the circle is not."""
    walker, world = Walker(), narrow(0.53)
    state = walker.spawn(world, (0.0, 0.0, 5.0), heading(90))
    state, _ = walker.step(state, Command(heading=heading(90 + degrees)), world)
    assert state.heading == heading(90 + degrees)


def test_scratch_memory_is_never_read():
    """A walk is the same to the bit after another one in the same walker, in any order."""
    world = mesh(floor(-9, -9, 9, 9), wall(-9, -1, 9, -1, 3), wall(-1, 9, -1, -9, 3))
    walker = Walker()
    walks = [((0.0, 0.0, 0.0), 30), ((5.0, 0.0, 5.0), 45), ((0.0, 0.0, 0.0), 0), ((3.0, 0.0, 5.0), 200)]

    def go(by, place, degrees):
        return walk(world, 40, place, by, degrees, forward=1.0)[1].tobytes()

    alone = [go(Walker(), *walk) for walk in walks]
    assert [go(walker, *walk) for walk in walks] == alone
    assert [go(walker, *walk) for walk in reversed(walks)] == alone[::-1]


@pytest.mark.parametrize("degrees", [125, 140, 150, 160, 170])
def test_wide_corners_hold_still(degrees):
    """Pressed into a wide corner the walker comes to rest, and does not slide from one wall to the other and back."""
    x, z = 5 * math.sin(math.radians(degrees / 2)), 5 * math.cos(math.radians(degrees / 2))
    world = mesh(floor(-9, -9, 9, 9), wall(-x, z, 0, 0, 3), wall(0, 0, x, z, 3))
    for turn in range(-15, 16, 5):
        for sprint in (False, True):
            _, states = walk(world, 300, (0.3, 0.0, 1.2), degrees=turn, forward=1.0, sprint=sprint)
            assert not walks_in_circles(states["position"][-90:])
