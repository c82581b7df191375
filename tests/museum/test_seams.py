"""Standing still, tiled floors and walls, cracks and thin walls: many triangles behave like one surface."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.support import museum_levels as museum
from tests.support.scenes import BODIES, heading

HOUR = 216_000  # ticks
CLEAR = np.array((0.0, 0.0, -7.0))  # of tiled_floor, for 5 m around


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.jit
@museum.bodies
def test_an_hour_without_input_changes_no_bit(body):
    walker, world = museum.bare_walker(body), museum.mesh("flat")
    for feet, degrees in ((museum.level("flat").spawns[0].feet, 0), ((-4.37, 0.0, -8.11), 77.7)):
        start, before = museum.spawn_and_walk(walker, world, feet, degrees, 30)
        rest = museum.walk_on(walker, world, before[-1], degrees, HOUR, 0.0)
        assert (rest["position"] == rest["position"][20]).all(axis=1)[20:].all()
        assert (rest["velocity"][20:] == 0.0).all()
        assert (rest["heading"] == start.heading).all()
        assert rest["grounded"].all()


@pytest.mark.sample(2)
@pytest.mark.jit
@museum.rates
@museum.bodies
def test_a_tiled_floor_in_360_headings(body, hz):
    """Distance, heading and height to 1e-9, from any place on a tile."""
    world = museum.mesh("tiled_floor")
    phases = np.random.default_rng(hz).uniform(-0.5, 0.5, (360, 2))
    for speed in museum.SPEEDS:
        walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(4.0, speed, hz)
        for degrees, (dx, dz) in enumerate(phases):
            start, states = museum.spawn_and_walk(walker, world, CLEAR + np.array((dx, 0.0, dz)), degrees, ticks)
            x, z = museum.walk_direction(degrees)
            far = ticks / hz * speed
            moved = states["position"][-1] - start.position
            assert abs(moved - (far * x, 0.0, far * z)).max() < 1e-9
            assert abs(states["position"][:, 1] - start.position[1]).max() < 1e-9
            assert states["grounded"].all()


@museum.bodies
def test_a_tiled_floor_is_all_faces(body):
    """No seam is reported as an edge or a corner."""
    walker, world = museum.bare_walker(body), museum.mesh("tiled_floor")
    for degrees in range(0, 360, 15):
        start = walker.spawn(world, tuple(CLEAR), heading(degrees))
        rows = walker.commands(forward=np.ones(40), heading=heading(degrees))
        _, traces = walker.run(start, rows, world, trace=True)
        assert all(contact.feature == "face" for trace in traces for contact in trace.contacts)


@pytest.mark.sample(3)
@museum.rates
@pytest.mark.parametrize("degrees", [0.05, 0.5, 5.0, 45.0, 80.0])
def test_sliding_along_the_tiled_wall_of_the_museum(degrees, hz):
    """North and south along the western face: the distance exact to 1e-9, the gap never under half the skin."""
    world = museum.mesh("tiled_wall")
    face = museum.piece_bounds("tiled_wall", 'wall "long wall"')[0][0]
    for body in BODIES:
        for speed in museum.SPEEDS:
            walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(8.0, speed, hz)
            for view, sign, z in ((-degrees, -1.0, 2.0), (180.0 + degrees, 1.0, -12.0)):
                z += 0.07 * speed
                start, states = museum.spawn_and_walk(walker, world, (face - 0.36, 0.0, z), view, ticks)
                along = abs(museum.walk_direction(view)[1]) * ticks / hz * speed
                assert sign * (states["position"][-1][2] - start.position[2]) == pytest.approx(along, abs=1e-9)
                assert abs(states["position"][:, 1] - start.position[1]).max() < 1e-9
                assert museum.smallest_gap(states, world, max(1, ticks // 6)) >= museum.HALF_SKIN
                assert states["position"][-1][0] >= face - museum.half_width("round", 0.0) - 1e-9
                assert states["grounded"].all()


@museum.rates
@museum.bodies
def test_cracks_between_tiles_do_not_slow_the_walker(body, hz):
    """Over a crack of 20 mm the body sinks in no more than its shape allows, and keeps its speed."""
    world = museum.mesh("cracks")
    for speed in museum.SPEEDS:
        walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(14.0, speed, hz)
        for degrees in (0.0, 2.0, -3.0):
            start, states = museum.spawn_and_walk(walker, world, (0.7, 0.0, 1.0 + 0.01 * speed), degrees, ticks)
            assert museum.plan_distance(start, states[-1]) == pytest.approx(ticks / hz * speed, abs=1e-6)
            assert states["grounded"].all()
            k = museum.half_width(body, degrees)
            sag = BODIES[body][1] * (1.0 + museum.SKIN) * (1.0 - math.sqrt(1.0 - (0.01 / k) ** 2))
            heights = states["position"][:, 1] - start.position[1]
            assert heights.max() < 1e-9
            assert heights.min() >= -sag - 0.5 * museum.SKIN * BODIES[body][1]
            assert heights[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.full
@museum.bodies
def test_a_wall_without_thickness_blocks_from_both_sides(body):
    """At walking speed and at 100 m/s, straight and diagonally."""
    world = museum.mesh("cracks")
    low, high = museum.piece_bounds("cracks", 'quad "sheet"')
    z = low[2]
    for hz in museum.RATES:
        for speed in (4.0, 100.0):
            walker = museum.bare_walker(body, hz, speed)
            for side, view in ((1.0, 0.0), (-1.0, 180.0)):
                for lean in (0.0, 25.0, -25.0):
                    feet = ((low[0] + high[0]) / 2, 0.0, z + side * 1.5)
                    _, states = museum.spawn_and_walk(
                        walker, world, feet, view + lean, max(hz // 30, museum.ticks_for(2.0, speed, hz))
                    )
                    within = (states["position"][:, 0] > low[0]) & (states["position"][:, 0] < high[0])
                    apart = side * (states["position"][within, 2] - z)
                    assert apart.min() > 0.2 if body == "default" else apart.min() > 0.1
                    assert museum.smallest_gap(states, world, 5) >= museum.HALF_SKIN


@museum.rates
@museum.bodies
def test_sliding_along_blocks_with_cracks_never_stops(body, hz):
    """Three cracks of up to 20 mm: none changes the distance by more than its width, and none lets the body in."""
    world = museum.mesh("cracks")
    _, high = museum.piece_bounds("cracks", 'box "blocks"')
    for speed in museum.SPEEDS:
        walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(4.0, speed, hz)
        for degrees in (0.5, 5.0, 45.0):
            view = 90.0 - degrees  # westwards, leaning on the southern face
            start, states = museum.spawn_and_walk(walker, world, (high[0] - 0.5, 0.0, high[2] + 0.36), view, ticks)
            along = abs(museum.walk_direction(view)[0]) * ticks / hz * speed
            gone = start.position[0] - states["position"][-1][0]
            assert abs(gone - along) <= 3 * 0.020
            assert museum.smallest_gap(states, world, max(1, ticks // 25)) >= museum.HALF_SKIN
            assert states["grounded"].all()
