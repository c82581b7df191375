"""Corners, a groove, a funnel and round rooms: a walker comes to rest without jitter, and can leave freely."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Command
from tests.support import museum_levels as museum
from tests.support.scenes import BODIES, heading

ANGLES = range(10, 125, 10)


def niche(angle: int) -> tuple[float, float, float]:
    """(x of its axis, z of its opening, view into it) of a corner of the street."""
    corners = museum.piece_triangles("corners", f'wall "corner {angle}"')
    low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
    north = high[2] < 0.0
    return (low[0] + high[0]) / 2, high[2] if north else low[2], 0.0 if north else 180.0


@museum.rates
@museum.bodies
@pytest.mark.parametrize("angle", ANGLES)
def test_a_body_rests_in_an_inner_corner_and_leaves_at_full_speed(angle, body, hz):
    """Straight and diagonally: rest, jitter below 1e-9, the gap is kept, and full speed at once on the way out."""
    world = museum.mesh("corners")
    x, mouth, view = niche(angle)
    inwards = -math.cos(math.radians(view))
    for speed in (4.0, 8.0):
        walker = museum.bare_walker(body, hz, speed)
        for lean in (0.0, 3.0, (angle / 2 - 90.0) / 3.0):
            _, states = museum.spawn_and_walk(walker, world, (x, 0.0, mouth - 0.6 * inwards), view + lean, 4 * hz)
            assert museum.largest_movement(states["position"][3 * hz :]) < 1e-9
            assert museum.smallest_gap(states, world, hz // 3) >= museum.HALF_SKIN
            assert states["grounded"].all()
            back = museum.walk_on(walker, world, states[-1], view, hz // 10, -1.0)
            assert math.dist(back["position"][0], states["position"][-1]) == pytest.approx(speed / hz, abs=1e-6)
            assert math.dist(back["position"][-1], states["position"][-1]) == pytest.approx(
                speed * (hz // 10) / hz, abs=1e-6
            )


@museum.rates
@museum.bodies
def test_a_groove_holds_like_ground(body, hz):
    """The walker falls in and rests to the bit, walks along at full speed, and jumps out onto the dais."""
    world = museum.mesh("grooves")
    low, high = museum.piece_bounds("grooves", 'ramp "groove"')
    middle, top = (low[0] + high[0]) / 2, high[1]
    for aside in (0.0, 0.1, -0.23):
        walker = museum.bare_walker(body, hz)
        _, fall = museum.spawn_and_walk(walker, world, (middle + aside, top + 0.6, low[2] + 1.2), 0.0, 4 * hz, 0.0)
        assert fall["grounded"][-1]
        assert (fall["position"][2 * hz :] == fall["position"][-1]).all()
        assert (fall["velocity"][-1] == 0.0).all()
        assert fall["position"][-1][1] > top - 0.5, "its feet hang free"
        along = museum.walk_on(walker, world, fall[-1], 180.0, hz // 2, 1.0)
        assert along["position"][-1][2] - fall["position"][-1][2] == pytest.approx(2.0, abs=0.05)
        assert along["grounded"].all()
        assert museum.smallest_gap(along, world, hz // 10) >= museum.HALF_SKIN
        jump = np.arange(2 * hz) == 1
        out = museum.walk_on(walker, world, along[-1], 180.0, 2 * hz, 0.0, jump=jump, strafe=-np.ones(2 * hz))
        landed = out[np.flatnonzero(out["grounded"] & (np.arange(2 * hz) > hz // 2))[0]]
        assert landed["position"][1] - BODIES[body][1] == pytest.approx(top, abs=0.05)
        assert landed["position"][0] > middle + 0.5


@museum.rates
@museum.bodies
@pytest.mark.parametrize(("sides", "x", "radius"), [(12, 0.0, 6.0), (64, 28.5, 4.5)])
def test_round_rooms_never_stop_a_runner(sides, x, radius, body, hz):
    """All the way round with the view 30 degrees into the wall: every tick moves at least as far as the wall's angle
    allows.
    """
    world = museum.mesh("round_rooms")
    for speed in (4.0, 8.0):
        walker = museum.bare_walker(body, hz, speed)
        state = walker.spawn(world, (x + radius - 0.6, 0.0, 0.3), 0)
        turned, least, tick = 0.0, 9.0, 0
        while turned < 2.2 * math.pi and tick < 20 * hz:
            px, _, pz = state.position
            outwards = math.degrees(math.atan2(-(px - x), -pz))
            after, _ = walker.step(state, Command(forward=1.0, heading=heading(outwards + 60.0)), world)
            moved = math.dist(after.position, state.position)
            least = min(least, moved / (speed / hz))
            before, now = math.atan2(pz, px - x), math.atan2(after.position[2], after.position[0] - x)
            turned += abs((now - before + math.pi) % (2.0 * math.pi) - math.pi)
            state, tick = after, tick + 1
        assert turned >= 2.2 * math.pi
        # A side lies up to half its angle off the circle, and the view is a tick old.
        steepest = 30.0 + 180.0 / sides + math.degrees(speed / hz / radius)
        assert least >= math.cos(math.radians(steepest + 5.0))


@museum.bodies
@pytest.mark.parametrize(("sides", "x", "radius"), [(12, 0.0, 6.0), (64, 28.5, 4.5)])
def test_into_the_sides_and_corners_of_a_round_room(sides, x, radius, body):
    world = museum.mesh("round_rooms")
    for hz in museum.RATES:
        walker = museum.bare_walker(body, hz)
        for part in (0.0, 0.5, 0.2):
            view = 90.0 + (part + 1.0) * 360.0 / sides
            dx, dz = museum.walk_direction(view)
            _, states = museum.spawn_and_walk(
                walker, world, (x + dx * (radius - 1.2), 0.0, dz * (radius - 1.2)), view, 4 * hz
            )
            # Into the middle of a side it slides by what the view, a whole number of 65536ths, is off it.
            drift = 4.0 * math.sin(math.pi / 65536.0) if part == 0.0 else 0.0
            assert museum.largest_movement(states["position"][3 * hz :]) <= drift + 1e-9
            assert museum.smallest_gap(states, world, hz // 2) >= museum.HALF_SKIN
            back = museum.walk_on(walker, world, states[-1], view, hz // 4, -1.0)
            far = 4.0 * (hz // 4) / hz
            assert math.dist(back["position"][-1], states["position"][-1]) == pytest.approx(far, abs=1e-6)
