"""Ramps of 5 to 85 degrees, stairs and ledges: up and down, at every tick rate, speed and phase."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from game.physics import TriangleMesh
from tests.support import museum_levels as museum
from tests.support.scenes import BODIES, heading

WALKABLE = ("5", "10", "15", "20", "25", "30", "35", "40", "44.9", "45")
STEEP = ("45.1", "50", "55", "60", "65", "70", "75", "80", "85")
RISES, RUNS = (0.05, 0.10, 0.18, 0.25, 0.30, 0.35, 0.40), (0.20, 0.25, 0.30, 0.40, 0.50)
STEPS = 8


def foot_of(angle: str) -> tuple[museum.Array, museum.Array]:
    """(lowest, highest corner) of a ramp of the street; its slope is checked against its name."""
    low, high = museum.piece_bounds("ramps", f'ramp "ramp {angle}"')
    assert math.degrees(math.atan2(high[1], high[2] - low[2])) == pytest.approx(float(angle), abs=1e-4)
    return low, high


def resting(body: str, slope: float, view: float) -> float:
    """Height of the centre above a slope that rises to the north by `slope` degrees, with the skin."""
    rx, ry, rz = BODIES[body]
    a, t = math.radians(view), math.radians(slope)
    n = (-math.sin(a) * math.sin(t), math.cos(t), math.cos(a) * math.sin(t))  # in the body's own axes
    return (1.0 + museum.SKIN) * math.hypot(rx * n[0], ry * n[1], rz * n[2]) / math.cos(t)


@pytest.mark.sample(2)
@pytest.mark.jit
@museum.rates
@museum.bodies
def test_ramps_up_to_the_limit_are_walked_at_horizontal_speed(body, hz):
    """Up, over the top onto the landing and back down; the height is that of the slope with the skin."""
    world = museum.mesh("ramps")
    for angle in WALKABLE:
        low, high = foot_of(angle)
        middle = (low[0] + high[0]) / 2
        for speed in museum.SPEEDS:
            walker, ticks = museum.bare_walker(body, hz, speed), museum.ticks_for(6.5, speed, hz)
            for view in (0.0, 7.0, -7.0):
                feet = (middle + 2.5 * math.sin(math.radians(view)), 0.0, high[2] + 1.0 + 0.03 * speed)
                start, up = museum.spawn_and_walk(walker, world, feet, view, ticks)
                assert museum.plan_distance(start, up[-1]) == pytest.approx(ticks / hz * speed, abs=1e-6)
                assert up["grounded"].all()
                on = (up["position"][:, 2] < high[2] - 0.5) & (up["position"][:, 2] > low[2] + 0.5)
                slope = math.tan(math.radians(float(angle))) * (high[2] - up["position"][on, 2])
                assert abs(up["position"][on, 1] - slope - resting(body, float(angle), view)).max() < 1e-6
                down = museum.walk_on(walker, world, up[-1], view, ticks, -1.0)
                assert down["grounded"].all()
                assert abs(down["position"][-1] - np.array(start.position)).max() < 1e-6


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.jit
@museum.bodies
def test_at_rest_on_a_ramp_nothing_moves_by_a_bit(body):
    """Half a minute on each; an hour at 30 degrees and at the limit."""
    world = museum.mesh("ramps")
    for angle in WALKABLE:
        low, high = foot_of(angle)
        walker = museum.bare_walker(body)
        _, up = museum.spawn_and_walk(walker, world, ((low[0] + high[0]) / 2, 0.0, high[2] + 1.0), 0.0, 43)
        rest = museum.walk_on(walker, world, up[-1], 0.0, 216_000 if angle in ("30", "44.9") else 1800, 0.0)
        assert (rest["position"][30:] == rest["position"][30]).all()
        assert abs(rest["position"][30] - up["position"][-1]).max() < 1e-9
        assert rest["grounded"].all()


@pytest.mark.full
@pytest.mark.sample(2)
@museum.rates
@museum.bodies
def test_ramps_over_the_limit_are_not_climbed_and_slid_down(body, hz):
    world = museum.mesh("ramps")
    ry = BODIES[body][1]
    for angle in STEEP:
        low, high = foot_of(angle)
        middle, slope = (low[0] + high[0]) / 2, math.radians(float(angle))
        for speed in museum.SPEEDS:
            walker = museum.bare_walker(body, hz, speed)
            for view in (180.0, 220.0, 110.0):
                _, states = museum.spawn_and_walk(walker, world, (middle, 0.0, low[2] - 0.6), view, hz)
                rise = states["position"][:, 1].max() - states["position"][0][1]
                assert rise <= 2.0 * museum.SKIN * ry, "no more than the gap made good on floor and slope"
            centre = 1.9  # metres; 0.02 above where it would rest
            z = low[2] + (centre - 0.02 - resting(body, float(angle), 180.0)) / math.tan(slope)
            start = walker.spawn(world, (middle, centre - ry, z), heading(180.0))
            assert not start.grounded
            for forward in (0.0, 1.0):
                rows = walker.commands(forward=np.full(2 * hz, forward), heading=heading(180.0))
                slide = walker.run(start, rows, world)
                assert np.diff(slide["position"][:, 1]).max() <= museum.SKIN * ry
                assert slide["position"][-1][1] == pytest.approx(ry * (1.0 + museum.SKIN), abs=2.0 * museum.SKIN * ry)
                assert museum.smallest_gap(slide, world, hz // 5) >= museum.HALF_SKIN


def flight(rise: float, run: float) -> dict[str, str]:
    """The flight and its terrace with other values and the same end."""
    long, tall = STEPS * run, STEPS * rise
    return {
        "flight": f"stairs: {{name: flight, at: [0, 0, {-9 + long:.6g}], steps: {STEPS}, rise: {rise}, run: {run},"
        " width: 7}",
        "terrace": f"box: {{name: terrace, from: [-4.5, 0, -16], to: [4.2, {tall:.6g}, -9]}}",
        "wall to hug": "box: {name: wall to hug, from: [3.5, 0, -15.9], to: [3.9, 8, 2]}",
    }


def profile(body: str, view: float, z: museum.Array, rise: float, run: float) -> museum.Array:
    """Height of the centre, with the skin, of a body that rests on the flight at z: on a tread or on a nose."""
    tall, k = BODIES[body][1] * (1.0 + museum.SKIN), museum.half_width(body, view)
    noses = -9.0 + STEPS * run - run * np.arange(STEPS)
    height = tall + rise * (z[:, None] <= noses).sum(axis=1)
    for number, nose in enumerate(noses):
        apart = np.clip(abs(z - nose) / k, 0.0, 1.0)
        on = rise * (number + 1) + tall * np.sqrt(1.0 - apart**2)
        height = np.where(apart < 1.0, np.maximum(height, on), height)
    return height


def climb(body: str, hz: float, speed: float, view: float, x: float, rise: float, run: float) -> None:
    """Up the flight and backwards down again: horizontal speed to 1e-6, never airborne, monotone height, and, away from
    the wall, on the contact profile within 8 mm (measured 0.4 mm) and back at the start.
    """
    world = flights(rise, run)
    walker = museum.bare_walker(body, hz, speed)
    ticks = museum.ticks_for((STEPS * run + 2.0) / math.cos(math.radians(view)), speed, hz)
    feet = (x, 0.0, -9.0 + STEPS * run + 1.0 + 0.03 * speed)
    start, up = museum.spawn_and_walk(walker, world, feet, view, ticks)
    down = museum.walk_on(walker, world, up[-1], view, ticks, -1.0)
    far = ticks / hz * speed
    for states, first, sign in ((up, start.position, 1.0), (down, up["position"][-1], -1.0)):
        gone = sign * (first[2] - states["position"][-1][2])
        assert gone == pytest.approx(-museum.walk_direction(view)[1] * far, abs=1e-6)
        assert states["grounded"].all()
        heights = np.concatenate(([first[1]], states["position"][:, 1]))
        assert (sign * np.diff(heights)).min() >= -1e-9
        if view >= 0.0:
            apart = states["position"][:, 1] - profile(body, view, states["position"][:, 2], rise, run)
            assert abs(apart).max() <= 0.0004
    assert museum.foot_height(up[-1], body) == pytest.approx(STEPS * rise, abs=1e-9)
    if view >= 0.0:
        assert abs(down["position"][-1] - np.array(start.position)).max() < 1e-6


@cache
def flights(rise: float, run: float) -> TriangleMesh:
    return museum.changed_level("stairs", **flight(rise, run)).mesh


@pytest.mark.each_once
@pytest.mark.jit
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("rise", RISES)
def test_every_body_climbs_stairs_up_and_down(rise, run):
    """Straight and at 45 degrees, every body, tick rate and speed."""
    for body in BODIES:
        for hz in museum.RATES:
            for speed in museum.SPEEDS:
                climb(body, hz, speed, 0.0, -0.6, rise, run)
                climb(body, hz, speed, 45.0, 3.0, rise, run)


@pytest.mark.full
@pytest.mark.sample(2)
@pytest.mark.jit
@museum.rates
@museum.bodies
def test_every_body_climbs_stairs_along_a_wall(body, hz):
    """The wall stands on the side of the flight, and the body presses against it by 5 degrees."""
    for rise in RISES:
        for run in RUNS:
            for speed in museum.SPEEDS:
                climb(body, hz, speed, -5.0, 3.5 - 0.36, rise, run)


@pytest.mark.full
@pytest.mark.jit
@museum.bodies
def test_stairs_leaning_hard_on_a_wall(body):
    """By 45 degrees: nothing is lost, and the body stays on the ground."""
    for rise in RISES:
        for run in RUNS:
            for hz in museum.RATES:
                for speed in museum.SPEEDS:
                    walker, ticks = (
                        museum.bare_walker(body, hz, speed),
                        museum.ticks_for((STEPS * run + 2.0) * math.sqrt(2.0), speed, hz),
                    )
                    feet = (3.5 - 0.36, 0.0, -8.0 + STEPS * run + 0.03 * speed)
                    start, up = museum.spawn_and_walk(walker, flights(rise, run), feet, -45.0, ticks)
                    gone = start.position[2] - up["position"][-1][2]
                    lost = -museum.walk_direction(-45.0)[1] * ticks / hz * speed - gone
                    assert abs(lost) < 1e-6
                    assert up["grounded"].all()
                    assert museum.foot_height(up[-1], body) == pytest.approx(STEPS * rise, abs=1e-9)


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


@museum.rates
@museum.bodies
def test_ledges_a_millimetre_under_and_over_the_step_height(body, hz):
    world = museum.mesh("ledges")
    for height, climbs in ((0.399, True), (0.4, True), (0.401, False)):
        low, high = museum.piece_bounds("ledges", f'box "ledge {height}"')
        assert high[1] == height
        for speed in museum.SPEEDS:
            walker = museum.bare_walker(body, hz, speed)
            for view in (0.0, 30.0, 60.0, -45.0):
                slant = math.cos(math.radians(view))
                ticks = museum.ticks_for(1.6 / slant, speed, hz)
                across = 1.6 * math.tan(math.radians(view)) / 2.0
                feet = ((low[0] + high[0]) / 2 + across, 0.0, high[2] + 0.5 + 0.011 * speed)
                start, states = museum.spawn_and_walk(walker, world, feet, view, ticks)
                assert (museum.foot_height(states[-1], body) > height - 1e-6) == climbs
                assert states["grounded"].all()
                if climbs:
                    assert museum.plan_distance(start, states[-1]) == pytest.approx(ticks / hz * speed, abs=1e-6)
                else:
                    assert (
                        abs(states["position"][:, 1] - start.position[1]).max() <= 0.5 * museum.SKIN * BODIES[body][1]
                    )
                    aside = abs(museum.walk_direction(view)[0]) * ticks / hz * speed
                    assert abs(states["position"][-1][0] - start.position[0]) == pytest.approx(aside, abs=1e-6)


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


def test_every_ramp_of_the_street_is_tested():
    made = museum.level("ramps")
    names = {made.origin(k)[0] for k in range(len(made.triangles))}
    assert {name for name in names if name.startswith("ramp")} == {f'ramp "ramp {a}"' for a in (*WALKABLE, *STEEP)}
    assert len(museum.piece_triangles("ramps", 'ramp "ramp 30"')) == 6
