"""Rooms of the museum: sizes that their signs name, and walks through what no other room has."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from game.physics import Walker, WalkerSettings
from tests.support import museum_levels as museum
from tests.support.scenes import BODIES

WALKABLE = ("5", "10", "15", "20", "25", "30", "35", "40", "44.9", "45")
STEEP = ("45.1", "50", "55", "60", "65", "70", "75", "80", "85")


def test_ramps_have_the_slopes_of_their_names_and_ledges_the_heights():
    made = museum.level("ramps")
    names = {made.origin(k)[0] for k in range(len(made.triangles))}
    assert {name for name in names if name.startswith("ramp")} == {f'ramp "ramp {a}"' for a in (*WALKABLE, *STEEP)}
    for angle in (*WALKABLE, *STEEP):
        low, high = museum.piece_bounds("ramps", f'ramp "ramp {angle}"')
        assert math.degrees(math.atan2(high[1], high[2] - low[2])) == pytest.approx(float(angle), abs=1e-4)
    for height in (0.399, 0.4, 0.401):
        assert museum.piece_bounds("ledges", f'box "ledge {height}"')[1][1] == height


@museum.bodies
@pytest.mark.parametrize(("angle", "view", "climbs"), [("45", 0.0, True), ("45.1", 180.0, False)])
def test_the_ramp_at_the_limit_is_walked_and_the_next_one_is_not(body, angle, view, climbs):
    low, high = museum.piece_bounds("ramps", f'ramp "ramp {angle}"')
    foot = high[2] + 0.6 if climbs else low[2] - 0.6
    start = ((low[0] + high[0]) / 2, 0.0, foot)
    _, states = museum.spawn_and_walk(museum.bare_walker(body), museum.mesh("ramps"), start, view, 90)
    assert (museum.foot_height(states[-1], body) > 2.9) == climbs


@museum.rates
@museum.bodies
def test_the_flights_of_the_level_itself(body, hz):
    """As in the file: each up to its terrace and down again."""
    world, made = museum.mesh("stairs"), museum.level("stairs")
    flights = {made.origin(k)[2] for k in range(len(made.triangles)) if made.origin(k)[0].startswith("stairs")}
    assert len(flights) == 5
    for line in sorted(flights):
        corners = made.triangles[[k for k in range(len(made.triangles)) if made.origin(k)[2] == line]].reshape(-1, 3)
        low, high = corners.min(axis=0), corners.max(axis=0)
        for speed in museum.SPEEDS:
            walker = museum.bare_walker(body, hz, speed)
            ticks = museum.ticks_for(high[2] - low[2] + 2.5, speed, hz)
            start, up = museum.spawn_and_walk(walker, world, ((low[0] + high[0]) / 2, 0.0, high[2] + 1.0), 0.0, ticks)
            assert museum.plan_distance(start, up[-1]) == pytest.approx(ticks / hz * speed, abs=1e-6)
            assert museum.foot_height(up[-1], body) == pytest.approx(high[1], abs=1e-6)
            down = museum.walk_on(walker, world, up[-1], 0.0, ticks, -1.0)
            assert (up["grounded"] & down["grounded"]).all()
            assert abs(down["position"][-1] - np.array(start.position)).max() < 1e-6


@museum.bodies
def test_a_blocking_ledge_causes_no_jitter(body):
    world = museum.mesh("ledges")
    low, high = museum.piece_bounds("ledges", 'box "ledge 0.401"')
    for view in (0.0, 11.0):
        _, states = museum.spawn_and_walk(
            museum.bare_walker(body), world, ((low[0] + high[0]) / 2, 0.0, high[2] + 0.5), view, 60
        )
        deep = states["position"][20:, 2]
        assert museum.largest_movement(deep) < 1e-9


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


def test_the_scene_of_doors_has_three_widths():
    """By the faces of their jambs."""
    faces = museum.piece_triangles("doorway", 'wall "door wall"')
    across = faces[np.ptp(faces[:, :, 0], axis=1) < 1e-9][:, 0, 0]
    jambs = sorted({round(float(x), 6) for x in across})[1:-1]
    assert [round(b - a, 6) for a, b in zip(jambs[::2], jambs[1::2], strict=True)] == [0.72, 0.9, 1.4]


@museum.rates
@museum.bodies
def test_a_corridor_a_micrometre_wider_than_the_body(body, hz):
    """Through and back, inside at full speed; from beside it, the flared opening guides the walker in.

    At the opening, between two vertical edges, up to 8 ticks are lost (ideal 0): a constraint is a plane, and the true
    shape of the edges allows a nearer position only by halves.
    """
    world = museum.mesh("corridor")
    left, right = museum.piece_bounds("corridor", 'quad "mouth"')
    block = museum.piece_triangles("corridor", 'box "block"').reshape(-1, 3)
    mouth, end = block[:, 2].max(), block[:, 2].min()
    assert abs(block[:, 0]).min() * 2.0 == pytest.approx(2.0 * 0.35 * (1.0 + museum.SKIN) + 1e-6, abs=1e-12)
    assert left[0] < 0.0 < right[0]
    for speed in museum.SPEEDS:
        walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(13.0, speed, hz)
        for phase in (0.0, 0.37, 0.81):
            feet = (0.0, 0.0, mouth + 3.0 + phase * speed / hz)
            for view, forward in ((0.0, 1.0), (180.0, -1.0)):
                start, states = museum.spawn_and_walk(walker, world, feet, view, ticks, forward)
                moved = -np.diff(np.concatenate(([start.position[2]], states["position"][:, 2]))) * hz / speed
                lost = np.flatnonzero(moved < 1.0 - 1e-9)
                assert len(lost) <= 8
                assert (abs(states["position"][lost, 2] - mouth) < 0.2).all()
                assert states["position"][-1][2] < end
                assert abs(states["position"][:, 0]).max() < 1e-6
            back = museum.walk_on(walker, world, states[-1], 180.0, ticks, 1.0)
            assert back["position"][-1][2] > mouth
        _, states = museum.spawn_and_walk(walker, world, (0.45, 0.0, mouth + 3.0), 0.0, 2 * ticks)
        assert states["position"][-1][2] < end - 1.0
        assert museum.smallest_gap(states, world, max(1, ticks // 20)) >= museum.HALF_SKIN


@museum.bodies
def test_crouching_beside_a_tiled_wall_sinks_at_once(body):
    """Pressed against it at any angle, at the origin and 1 and 10 km away: at the crouched height in the same tick."""
    world = museum.mesh("far")
    face = museum.piece_bounds("far", "wall")[0][0]
    walker = museum.bare_walker(body)
    for spawn in museum.level("far").spawns:
        x, _, z = spawn.feet
        for lean in range(-60, 61, 7):
            feet = (x + face - 0.8, 0.0, z - 8.0 + lean / 100.0)
            _, states = museum.spawn_and_walk(walker, world, feet, -90.0 + lean, 40)
            low = museum.walk_on(walker, world, states[-1], -90.0 + lean, 1, 1.0, crouch=True)[0]
            assert low["grounded"]
            assert low["position"][1] == pytest.approx(0.55 * (1.0 + museum.SKIN), abs=1e-9)


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
