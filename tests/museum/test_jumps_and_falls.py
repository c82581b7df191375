"""Jumps exact to the tick, and falls of 300 m per tick onto faces, edges and corners."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from game.physics import Command, Walker, WalkerSettings
from tests.support import museum_levels as museum
from tests.support.scenes import BODIES, heading

FEET = (0.0, 0.0, 3.0)  # of the jump level, on open ground
OFF = math.sqrt(2.0 * 9.81 * 1.0)  # m/s at the start of a jump of 1 m


@museum.rates
@museum.bodies
def test_a_jump_follows_the_formula(body, hz):
    """Height and distance of every tick to 1e-9, standing and running; landing at the tick of the formula."""
    world = museum.mesh("jump")
    for speed in (4.0, 8.0):
        for forward in (0.0, 1.0):
            walker, ticks = museum.bare_walker(body, hz, speed), int(0.95 * hz)
            rows = walker.commands(forward=np.full(ticks, forward), heading=heading(90), jump=np.arange(ticks) == 0)
            start = walker.spawn(world, (7.5, 0.0, 4.0), heading(90))
            states = walker.run(start, rows, world)
            t = np.arange(1, ticks + 1) / hz
            air = ~states["grounded"]
            height = OFF * t - 0.5 * 9.81 * t * t
            assert abs(states["position"][air, 1] - start.position[1] - height[air]).max() < 1e-9
            assert abs(start.position[0] - states["position"][:, 0] - forward * speed * t).max() < 1e-9
            landed = np.flatnonzero(~air)[0]
            assert height[landed - 1] > 0.0 >= height[landed] - 0.5 * 0.01 * BODIES[body][1]
            assert states["position"][-1][1] == pytest.approx(start.position[1], abs=1e-9)


@museum.rates
@museum.bodies
def test_a_held_key_jumps_once(body, hz):
    world = museum.mesh("jump")
    _, states = museum.spawn_and_walk(museum.bare_walker(body, hz), world, FEET, 0.0, 4 * hz, 0.0, jump=True)
    assert (np.diff(states["grounded"].astype(int)) == 1).sum() == 1
    assert states["grounded"][2 * hz :].all()


@museum.rates
@museum.bodies
def test_no_second_jump_in_the_museum(body, hz):
    """A second press at any tick of the rise, coyote time included, adds no jump."""
    world = museum.mesh("jump")
    walker = museum.bare_walker(body, hz)
    start = walker.spawn(world, FEET, 0)
    for again_at in (2, 3, round(0.1 * hz), round(0.2 * hz), round(0.4 * hz)):
        jump = np.isin(np.arange(hz // 2), (0, again_at))
        states = walker.run(start, walker.commands(forward=np.zeros(hz // 2), jump=jump), world)
        # The highest of the ticks is at most half a tick of time off the top of the curve.
        height = states["position"][:, 1].max() - start.position[1]
        assert 1.0 - 0.5 * 9.81 * (0.5 / hz) ** 2 - 1e-9 <= height <= 1.0 + 1e-9


@museum.rates
@museum.bodies
def test_coyote_time_ends_on_its_tick(body, hz):
    """Off the side of a block: a press up to 0.1 s after the last tick on ground jumps, one tick later does not."""
    world = museum.mesh("jump")
    low, high = museum.piece_bounds("jump", 'box "block 1"')
    walker = museum.bare_walker(body, hz)
    start = walker.spawn(world, (high[0] - 0.6, high[1], (low[2] + high[2]) / 2), heading(-90))
    rows = walker.commands(forward=np.ones(hz), heading=heading(-90))
    off = int(np.flatnonzero(~walker.run(start, rows, world)["grounded"])[0])
    last = round(0.1 * hz)
    for late in (1, last - 1, last, last + 1, last + 2):
        late_rows = rows.copy()
        late_rows["buttons"][off + late] |= 1
        states = walker.run(start, late_rows, world)
        assert (states["velocity"][:, 1] > 0.0).any() == (late <= last), late


@museum.rates
@museum.bodies
def test_a_jump_pressed_before_landing_is_buffered(body, hz):
    world = museum.mesh("jump")
    walker, ticks = museum.bare_walker(body, hz), 2 * hz
    start = walker.spawn(world, FEET, 0)
    jump = np.arange(ticks) == 0
    plain = walker.run(start, walker.commands(forward=np.zeros(ticks), jump=jump), world)
    landed = int(np.flatnonzero(plain["grounded"])[0])
    last = round(0.1 * hz)
    for early in (1, last - 1, last, last + 1, last + 2):
        pressed = jump.copy()
        pressed[landed + 1 - early] = True
        states = walker.run(start, walker.commands(forward=np.zeros(ticks), jump=pressed), world)
        assert (states["velocity"][landed + 1 :, 1] > 0.0).any() == (early <= last), early


@museum.bodies
def test_the_gaps_of_the_level_are_as_wide_as_their_signs_say(body):
    """The first two can be jumped at 4 m/s, the third only at a sprint: a jump lasts 0.903 s."""
    world = museum.mesh("jump")
    blocks = [museum.piece_bounds("jump", f'box "block {k}"') for k in (1, 2, 3, 4)]
    gaps = [a[0][2] - b[1][2] for a, b in pairwise(blocks)]
    assert gaps == pytest.approx([2.0, 2.8, 4.0])
    for k, sprint, reached in ((0, False, True), (1, False, True), (2, False, False), (2, True, True)):
        walker = Walker(WalkerSettings(radii=BODIES[body], acceleration=math.inf, air_control=1.0))
        edge, top, speed = blocks[k][0][2], blocks[k][1][1], 6.5 if sprint else 4.0
        start = walker.spawn(world, (0.0, top, edge + 1.2), 0)
        off = int(1.1 / speed * 60)
        states = walker.run(
            start, walker.commands(forward=np.ones(90), jump=np.arange(90) == off, sprint=sprint), world
        )
        landed = off + 2 + int(np.flatnonzero(states["grounded"][off + 2 :])[0])
        assert (states["position"][landed][1] > top) == reached
        assert (states["position"][landed][2] < blocks[k + 1][1][2]) == reached


def places() -> list[tuple[str, float, float, float]]:
    """(kind, x, z, height of the resting feet) of targets of falls."""
    found = [("face", 0.0, 0.0, 0.0)]
    low, high = museum.piece_bounds("fall", 'box "face"')
    found += [
        ("face", (low[0] + high[0]) / 2, (low[2] + high[2]) / 2, high[1]),
        ("edge of a box", high[0], (low[2] + high[2]) / 2, high[1]),
        ("corner of a box", low[0], low[2], high[1]),
    ]
    low, high = museum.piece_bounds("fall", 'ramp "edge"')
    found += [("ridge", (low[0] + high[0]) / 2, z, high[1]) for z in (0.1, low[2] + 1e-4)]
    tip = museum.piece_triangles("fall", 'triangle "corner"').reshape(-1, 3)
    tip = tip[tip[:, 1].argmax()]
    found += [("tip", tip[0], tip[2], tip[1]), ("flank", tip[0] + 0.4, tip[2] - 0.2, tip[1] - 0.9)]
    low, high = museum.piece_bounds("fall", 'box "tower"')
    found += [("tower", 0.3, -1.0, high[1]), ("foot of the tower", high[0] + 0.3, high[2] + 0.3, 0.0)]
    return found[1:]


@pytest.mark.full
@museum.rates
@museum.bodies
def test_falls_of_300_metres_a_tick(body, hz):
    """No tunnelling: a body that falls 300 m in a tick stops on the geometry and keeps its gap."""
    world = museum.mesh("fall")
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=hz, fall_limit=1e6))
    for what, x, z, top in places():
        for dx, dz in ((0.0, 0.0), (1e-9, -1e-9), (1e-3, 2e-3), (-0.11, 0.07)):
            state = walker.spawn(world, (x + dx, top + 270.0, z + dz), heading(37))
            state = state.replace(velocity=(0.0, -300.0 * hz, 0.0))
            least = top - 0.9 if what != "flank" else 0.0
            for tick in range(4):
                state, _ = walker.step(state, Command(heading=heading(37)), world)
                assert museum.smallest_gap(state.row(), world) >= museum.HALF_SKIN, (what, dx)
                if tick == 0:
                    lowest = least if abs(dx) < 0.1 else 0.0  # further aside it may pass beside it
                    assert state.position[1] > max(lowest, 0.0) + BODIES[body][1] * 0.9, (what, dx)
            assert state.feet[1] > -1e-9


@museum.bodies
def test_a_fall_from_the_tower_lands_without_tunnelling(body):
    """Off each side at walking speed: onto the face, the edge and the corner, to rest."""
    world = museum.mesh("fall")
    for view in (0.0, 90.0, -90.0):
        for hz in (30, 240):
            walker = museum.bare_walker(body, hz)
            _, states = museum.spawn_and_walk(
                walker, world, (0.0, museum.piece_bounds("fall", 'box "tower"')[1][1], 0.0), view, 2 * hz
            )
            down = museum.walk_on(walker, world, states[-1], view, 8 * hz, 0.0)
            assert down["grounded"][-1]
            assert abs(down["position"][-hz:] - down["position"][-1]).max() < 1e-9
            assert down["position"][-1][1] < 6.0
            assert museum.smallest_gap(down, world, hz // 3) >= museum.HALF_SKIN
