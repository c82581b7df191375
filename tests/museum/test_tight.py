"""Tight places: a low ceiling, doors, a corridor of the width of the body, a narrow gap, and crouching."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Command
from tests.support import museum_levels as museum
from tests.support.scenes import BODIES, heading


@museum.rates
@museum.bodies
def test_a_ramp_under_a_ceiling(body, hz):
    """The walker stops cleanly, slides along, and leaves at full speed at once."""
    world = museum.mesh("under_ceiling")
    low, high = museum.piece_bounds("under_ceiling", 'ramp "ramp"')
    for speed in museum.SPEEDS:
        walker = museum.bare_walker(body, hz, speed)
        start, states = museum.spawn_and_walk(walker, world, (0.3, 0.0, high[2] + 0.8), 0.0, 3 * hz)
        assert museum.largest_movement(states["position"][2 * hz :]) < 1e-9
        assert low[2] < states["position"][-1][2] < high[2]
        assert museum.smallest_gap(states, world, max(1, hz // 10)) >= museum.HALF_SKIN
        ticks = museum.ticks_for(2.0, speed, hz)
        along = museum.walk_on(walker, world, states[-1], 0.0, ticks, 0.0, strafe=np.full(ticks, -1.0))
        assert states["position"][-1][0] - along["position"][-1][0] == pytest.approx(ticks / hz * speed, abs=1e-6)
        ticks = museum.ticks_for(0.5, speed, hz)
        back = museum.walk_on(walker, world, states[-1], 0.0, ticks, -1.0)
        assert back["position"][-1][2] - states["position"][-1][2] == pytest.approx(ticks / hz * speed, abs=1e-6)
        assert abs(back["position"][-1][0] - states["position"][-1][0]) < 1e-9
        assert start.grounded
        assert states["grounded"].all()


def doors() -> list[tuple[float, float]]:
    """(middle, width) of the doors in the wall, from the faces of their jambs."""
    faces = museum.piece_triangles("doorway", 'wall "door wall"')
    across = faces[np.ptp(faces[:, :, 0], axis=1) < 1e-9][:, 0, 0]
    jambs = sorted({round(float(x), 6) for x in across})[1:-1]
    return [((a + b) / 2, b - a) for a, b in zip(jambs[::2], jambs[1::2], strict=True)]


def test_the_scene_of_doors_has_three_widths():
    assert [round(width, 6) for _, width in doors()] == [0.72, 0.9, 1.4]


@pytest.mark.full
@pytest.mark.sample(2)
@museum.rates
@museum.bodies
def test_doors_are_passed_straight_and_along_the_frame(body, hz):
    """Straight through the middle at full speed; up to a third of a metre beside it, the frame guides the walker in."""
    world = museum.mesh("doorway")
    wall = museum.piece_bounds("doorway", 'wall "door wall"')
    for middle, width in doors():
        for speed in museum.SPEEDS:
            walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(4.0, speed, hz)
            feet = np.array((middle, 0.0, wall[1][2] + 1.5))
            start, states = museum.spawn_and_walk(walker, world, feet, 0.0, ticks)
            assert start.position[2] - states["position"][-1][2] == pytest.approx(ticks / hz * speed, abs=1e-9)
            room = width / 2.0 - museum.half_width(body, 90.0)
            for lean in (2.0, -5.0, 20.0):
                ticks = museum.ticks_for(7.0, speed, hz)
                shift = room + 1.5 * math.tan(math.radians(lean))
                _, states = museum.spawn_and_walk(
                    walker, world, feet + np.array((min(shift, 0.4), 0.0, 0.0)), lean, ticks
                )
                assert museum.smallest_gap(states, world, max(1, ticks // 30)) >= museum.HALF_SKIN
                assert states["grounded"].all()
                if abs(lean) < 10.0:
                    assert states["position"][-1][2] < wall[0][2] - 0.5


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


@museum.rates
@museum.bodies
def test_a_flat_body_passes_the_slim_gap_only_on_its_narrow_side(body, hz):
    """The narrow side passes at full speed, the wide side never."""
    world = museum.mesh("slim_gap")
    low, high = museum.piece_bounds("slim_gap", 'box "wall"')
    fits = 2.0 * museum.half_width(body, 0.0) < 0.55
    assert fits == (body != "round")
    for speed in museum.SPEEDS:
        walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(5.0, speed, hz)
        _, front = museum.spawn_and_walk(walker, world, (0.0, 0.0, high[2] + 1.5), 0.0, ticks)
        assert front["position"][-1][2] > high[2] - 0.3, "some of its round front goes in"
        assert museum.smallest_gap(front, world, max(1, ticks // 20)) >= museum.HALF_SKIN
        for view, strafe in ((90.0, 1.0), (-90.0, -1.0)):
            start, side = museum.spawn_and_walk(
                walker, world, (0.0, 0.0, high[2] + 1.5), view, ticks, 0.0, strafe=np.full(ticks, strafe)
            )
            if fits:
                gone = start.position[2] - side["position"][-1][2]
                assert gone == pytest.approx(ticks / hz * speed, abs=1e-6)
                assert side["position"][-1][2] < low[2]
            else:
                assert side["position"][-1][2] > high[2] - 0.3


@pytest.mark.parametrize("body", ["default", "slim"])
def test_turning_inside_the_slim_gap(body):
    """As far as there is room and never into the wall; the way out stays free."""
    walker, world = museum.bare_walker(body), museum.mesh("slim_gap")
    low, high = museum.piece_bounds("slim_gap", 'box "wall"')
    state = walker.spawn(world, (0.0, 0.0, (low[2] + high[2]) / 2), heading(90.0))
    place = state.position
    room = math.asin(
        math.sqrt(((0.275 / (1.0 + museum.SKIN)) ** 2 - BODIES[body][2] ** 2) / (0.35**2 - BODIES[body][2] ** 2))
    )
    for target in (0.0, 45.0, 135.0, 180.0, 270.0, 100.0):
        for _ in range(10):
            state, _ = walker.step(state, Command(heading=heading(target)), world)
            assert museum.smallest_gap(state.row(), world) >= museum.HALF_SKIN
        off = (state.heading / 65536.0 * 360.0 - 90.0 + 90.0) % 180.0 - 90.0
        assert abs(off) <= math.degrees(room) * 1.03 + 0.5
        if abs((target - 90.0 + 90.0) % 180.0 - 90.0) > 60.0:
            assert abs(off) >= 0.8 * math.degrees(room), "it turns as far as there is room"
    assert math.dist(place, state.position) < 0.02
    rows = walker.commands(forward=np.zeros(60), strafe=1.0, heading=heading(90.0))
    assert walker.run(state, rows, world)["position"][-1][2] < low[2] - 0.3


@museum.rates
@museum.bodies
def test_a_body_passes_under_the_low_wall_crouched_and_stands_up_behind(body, hz):
    """Standing it stops; crouched it passes; released inside, it stays down and stands up at the first free tick."""
    world = museum.mesh("crouch")
    low, high = museum.piece_bounds("crouch", 'box "lid"')
    walker = museum.bare_walker(body, hz)
    feet = (0.0, 0.0, high[2] + 1.0)
    _, upright = museum.spawn_and_walk(walker, world, feet, 0.0, hz)
    assert upright["position"][-1][2] > high[2] - 0.1
    ticks = museum.ticks_for(8.0, 2.0, hz)
    crouch = np.arange(ticks) < museum.ticks_for(3.0, 2.0, hz)  # let go in the middle of the wall
    _, states = museum.spawn_and_walk(walker, world, feet, 0.0, ticks, crouch=crouch)
    up = int(np.flatnonzero(~states["crouched"])[0])
    assert up > crouch.sum()
    assert states["crouched"][:up].all()
    assert not states["crouched"][up:].any()
    assert states["grounded"].all()
    assert museum.smallest_gap(states, world, max(1, hz // 20)) >= museum.HALF_SKIN
    # An upright ellipsoid beside an edge 1.2 m up is clear of it from here on; it stands before it walks that tick.
    ry = BODIES[body][1]
    stood, tall = low[2] - states["position"][up - 1][2], 1.2 - ry * (1.0 + museum.SKIN)
    clear = [
        museum.half_width(body, 0.0) * math.sqrt(1.0 - (tall / (ry * (1.0 + museum.SKIN))) ** 2) * part
        for part in (0.995, 1.0)
    ]
    assert clear[0] <= stood <= clear[1] + 2.0 / hz + 1e-6
    assert museum.foot_height(states[-1], body) == pytest.approx(0.0, abs=1e-6)
    assert museum.plan_distance(walker.state(states[0]), states[up]) == pytest.approx(
        (2.0 * (up - 1) + 4.0) / hz, abs=1e-6
    )


@museum.bodies
def test_crouching_and_standing_up_changes_only_the_height(body):
    walker, world = museum.bare_walker(body), museum.mesh("crouch")
    crouch = (np.arange(200) // 7) % 2 == 0
    start, states = museum.spawn_and_walk(walker, world, (2.0, 0.0, 0.0), 33.0, 200, 0.0, crouch=crouch)
    assert (states["position"][:, [0, 2]] == np.array(start.position)[[0, 2]]).all()
    assert (states["crouched"] == crouch).all()
    assert states["grounded"].all()
    assert museum.smallest_gap(states, world, 3) >= museum.HALF_SKIN
    assert museum.walk_direction(0.0) == (0.0, -1.0)


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
