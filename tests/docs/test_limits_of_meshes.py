"""Measurements of docs/limits.md: narrow places, the mesh, sweeps and time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Command, Ellipsoid, Material, TriangleMesh
from tests.support.limit_measurements import (
    PACE,
    assert_on_page,
    body,
    bowl,
    floor,
    run,
    sheet,
    walked,
)
from tests.support.scenes import box, gap
from tests.support.scenes import heading as heading_units

pytestmark = pytest.mark.jit


# Narrow places


def posts(width):
    return floor() + box(-3.0, 0.0, -3.0, -width / 2, 3.0, -1.0) + box(width / 2, 0.0, -3.0, 3.0, 3.0, -1.0)


def test_the_gaps_of_the_skin():
    triangles = floor() + sheet(-3.0, -1.0, 3.0, -1.0)
    assert walked(body(), triangles, (0.0, 0.0, 0.0), 120)[-1]["position"] == pytest.approx((0.0, 0.909, -0.7475))
    side_on = walked(body(), triangles, (0.0, 0.0, 0.3), 120, forward=0.0, strafe=1.0, heading=16384)[-1]
    assert side_on["heading"] == 16384
    assert side_on["position"][2] == pytest.approx(-1.0 + 0.35 + 0.0035)
    assert body(skin=0.001).spawn(TriangleMesh(floor()), (0.0, 0.0, 0.0)).feet[1] == pytest.approx(0.0009)
    with pytest.raises(ValueError, match="skin"):
        body(skin=0.0009)


def test_passages_and_ceilings_pass_the_body_down_to_the_limits_of_the_page():
    def passes(triangles):
        return bool(walked(body(), triangles, (0.0, 0.0, 2.0), 180)[-1]["position"][2] < -9.0)

    assert [passes(posts(width)) for width in (0.707, 0.704, 0.702)] == [True, True, False]
    ceilings = [floor() + box(-3.0, height, -3.0, 3.0, height + 2.0, -1.0) for height in (1.818, 1.815, 1.810)]
    assert [passes(ceiling) for ceiling in ceilings] == [True, True, False]


@pytest.mark.parametrize(("spare", "ticks"), [(0.0005, 4.0), (0.001, 4.0), (0.002, 4.0), (0.004, 0.0)])
def test_the_entrance_of_a_passage(spare, ticks):
    for phase in range(12):
        feet = (0.0, 0.0, 1.0 + phase * PACE / 60.0 / 12.0)
        free = walked(body(), floor(), feet, 90)[-1]["position"][2]
        late = (walked(body(), posts(0.707 + spare), feet, 90)[-1]["position"][2] - free) / PACE * 60.0
        assert late <= ticks + 1e-6


def test_a_body_pressed_to_a_wall_turns_only_if_its_radii_are_equal():
    mesh = TriangleMesh(floor() + sheet(-3.0, -1.0, 3.0, -1.0))
    for name, heading in (("default", 0), ("slim", 0), ("round", 16384)):
        walker = body(name)
        state = walker.state(run(walker, mesh, walker.spawn(mesh, (0.0, 0.0, 0.0)), 120)[-1])
        assert run(walker, mesh, state, 60, forward=0.0, heading=16384)[-1]["heading"] == heading


def test_between_surfaces_that_are_too_close():
    for width, moves in ((0.60, False), (0.70, False), (0.7035, True)):
        triangles = floor() + sheet(-width / 2, 5.0, -width / 2, -5.0) + sheet(width / 2, -5.0, width / 2, 5.0)
        walker = body()
        state = walker.spawn(TriangleMesh(floor()), (0.0, 0.0, 0.0))
        after, trace = walker.step(state, Command(forward=1.0), TriangleMesh(triangles))
        assert "squeezed" in trace.events
        assert (after.position != state.position) is moves


def test_the_body_comes_to_rest_in_wide_corners_in_the_times_of_the_page():
    angles, times = (150, 170, 175, 178), []
    for angle in angles:
        x, z = 8.0 * math.sin(math.radians(angle / 2)), 8.0 * math.cos(math.radians(angle / 2))
        triangles = floor(-9.0, -3.0, 9.0, 9.0) + sheet(-x, z, 0.0, 0.0) + sheet(0.0, 0.0, x, z)
        states = walked(body(), triangles, (0.5, 0.0, 1.5), 900)["position"]
        moved = np.flatnonzero((np.diff(states, axis=0) != 0.0).any(axis=1))
        times.append(f"{(moved[-1] + 2) / 60.0:.1f} s")
    assert_on_page(("corner of", *(f"{angle}°" for angle in angles)), [("at rest after", *times)])


# The mesh


def test_solids_are_hollow_sheets():
    assert walked(body(), box(-2, 0, -2, 2, 4, 2), (0.0, 0.0, 0.0), 60)[-1]["position"][2] == pytest.approx(-1.7475)
    mesh, walker = TriangleMesh(floor() + box(-1.0, 0.0, -1.0, 1.0, 2.5, 1.0)), body()
    state = walker.spawn(TriangleMesh(floor()), (0.0, 0.0, 0.0))
    for z, ends in ((1.05, 1.2525), (0.95, 0.7475)):
        states = run(walker, mesh, state.replace(position=(0.0, 0.909, z)), 20, forward=0.0)
        assert states[-1]["position"][2] == pytest.approx(ends)


def test_a_spawn_is_pushed_by_half_a_metre_at_most():
    mesh = TriangleMesh(floor() + box(-0.5, 0.0, -0.5, 0.5, 2.0, 0.5))
    with pytest.raises(ValueError, match=r"needs a push over 0\.5 m"):
        body().spawn(mesh, (0.0, -0.9, 0.0))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "facets", "degrees"), [
    ("default", 12, 30), ("default", 400, 30), ("round", 12, 30), ("round", 400, 30), ("round", 48, 60),
])  # fmt: skip
def test_a_body_in_a_bowl_of_many_planes_keeps_its_full_gap(name, facets, degrees):
    walker, mesh = body(name), TriangleMesh(bowl(facets, degrees))
    state, events = walker.spawn(mesh, (0.0, 0.3 if degrees == 30 else 1.2, 0.0)), set()
    for _ in range(90):
        state, trace = walker.step(state, Command(), mesh)
        events |= set(trace.events)
    normals = np.array([contact.normal for contact in trace.contacts])
    assert len(normals) <= 12
    if facets > 12:
        assert "crowded" in events
    assert gap(walker, state, mesh) == pytest.approx(0.01, abs=1e-4)
    assert state.grounded, "also wedged between steep planes"


def test_a_foot_dips_into_a_crack_and_keeps_its_velocity():
    crack = 0.2
    states = walked(body(), floor(z0=0.0) + floor(z1=-crack), (0.0, 0.0, 1.0), 60)
    assert 0.909 - states["position"][:, 1].min() == pytest.approx(0.032, abs=5e-4)
    assert states["grounded"].all()
    assert np.diff(states["position"][20:, 2]) == pytest.approx(-PACE / 60.0, abs=1e-9)


def way_lost(width):
    """The largest way (m) that a walk over a crack of this width is behind one on a floor, of many phases and rates."""
    lost = 0.0
    halves = floor(-2.0, 0.0, 2.0, 9.0) + floor(-2.0, -9.0, 2.0, -width)
    for rate in (30.0, 60.0, 120.0, 240.0):
        walker = body(ticks_per_second=rate)
        for z in np.arange(1.0, 1.2, 0.01):
            way = np.diff(walked(walker, halves, (0.0, 0.0, z), int(rate))["position"][:, 2]) * -1.0
            lost = max(lost, (PACE / rate - way[len(way) // 4 :]).sum())
    return f"{lost + 1e-9:.2f} m"


def test_what_cracks_cost():
    widths = (0.10, 0.15, 0.20, 0.25, 0.30)
    assert_on_page(("crack of", *(f"{w:.2f} m" for w in widths)), [("way lost", *map(way_lost, widths))])


@pytest.mark.parametrize(("name", "passed", "stops"), [
    ("default", 0.03, 0.05), ("slim", 0.01, 0.02), ("round", 0.05, 0.10),
])  # fmt: skip
def test_an_upright_plate_is_a_wall(name, passed, stops):
    def end(height, depth=0.0):
        plate = sheet(-3.0, -1.0, 3.0, -1.0, height) if depth == 0.0 else box(-3, 0, -1 - depth, 3, height, -1)
        return walked(body(name), floor() + plate, (0.0, 0.0, 1.0), 90)[-1]["position"][2]

    assert end(passed) < -1.5
    assert all(end(height) > -1.0 for height in (stops, 0.20, 0.39))
    assert end(stops, 1e-4) < -1.5
    assert end(0.39, 1e-4) < -1.5


@pytest.mark.parametrize(("speed", "swing"), [(0.5, 0.008), (2.0, 0.1)])
def test_opposed_conveyors_swing_the_body(speed, swing):
    belts = np.array(floor(-9.0, -9.0, 0.0, 9.0) + floor(0.0, -9.0, 9.0, 9.0))
    mesh = TriangleMesh(belts, [0, 0, 1, 1], [Material(flow=(speed, 0.0)), Material(flow=(-speed, 0.0))])
    walker = body()
    states = run(walker, mesh, walker.spawn(mesh, (-1.003, 0.0, 0.0)), 240, forward=0.0)
    assert np.ptp(states["position"][-60:, 0]) == pytest.approx(swing, rel=0.1)


@pytest.mark.parametrize(("distance", "error"), [(1e4, 1e-10), (1e6, 5e-9), (9e6, 1e-7)])
def test_a_walk_far_from_the_origin_has_the_error_of_the_page(distance, error):
    """In every direction: each tick rounds each coordinate by at most half a unit in the last place."""
    assert 60 * 0.5 * math.hypot(np.spacing(distance), np.spacing(distance)) < error
    offset = np.array((distance, 0.0, distance))
    world = TriangleMesh(np.array(floor(-20.0, -20.0, 20.0, 20.0)) + offset)
    walker = body()
    for degrees in range(0, 360, 7):
        state = walker.spawn(world, (distance + 0.1 * degrees / 7.0, 0.0, distance), heading_units(degrees))
        rows = walker.commands(forward=np.ones(120), heading=heading_units(degrees))
        way = np.diff(walker.run(state, rows, world)["position"][[-61, -1]], axis=0)[0]
        a = math.radians(heading_units(degrees) * 360.0 / 65536.0)
        off = way - PACE * np.array((-math.sin(a), 0.0, -math.cos(a)))
        assert np.linalg.norm(off) < error


def test_coordinates_beyond_10000_km_are_refused():
    with pytest.raises(ValueError, match="beyond 1e7 m"):
        TriangleMesh(np.array(floor()) + 1.1e7)


# Sweeps and time


def test_a_very_slow_approach_is_no_hit():
    mesh, sphere = TriangleMesh(floor()), Ellipsoid((0.5, 0.5, 0.5))
    start = (0.0, 0.5 + 1e-12, 0.0)
    assert mesh.sweep(sphere, start, 0.0, (2.0, -2.0 * 0.9e-10, 0.0)) is None
    assert mesh.sweep(sphere, start, 0.0, (2.0, -2.0 * 1.1e-10, 0.0)) is not None


def test_the_top_of_a_jump_at_30_and_240_ticks_a_second():
    tops = []
    for rate in (30, 240):
        walker, mesh = body(ticks_per_second=rate), TriangleMesh(floor())
        state = walker.spawn(mesh, (0.0, 0.0, 0.0))
        rows = walker.commands(forward=[0.0] * rate, jump=[True] + [False] * (rate - 1))
        tops.append(walker.run(state, rows, mesh)["position"][:, 1].max() - state.position[1])
    assert 0.0011 < tops[1] - tops[0] < 0.0012


@pytest.mark.parametrize(("rate", "ticks"), [(30, 3), (60, 6), (240, 24)])
def test_late_jumps_count_whole_ticks(rate, ticks):
    walker, mesh = body(ticks_per_second=rate), TriangleMesh(floor(z0=0.0))
    state = walker.spawn(mesh, (0.0, 0.0, 0.5))
    while state.grounded:
        state, _ = walker.step(state, Command(forward=1.0), mesh)
    for wait, jumps in ((ticks, True), (ticks + 1, False)):
        later = state
        for _ in range(wait - 1):
            later, _ = walker.step(later, Command(forward=1.0), mesh)
        later, _ = walker.step(later, Command(forward=1.0, jump=True), mesh)
        assert (later.velocity[1] > 0.0) is jumps


def test_falling_ends_at_the_fall_limit():
    walker, mesh = body(), TriangleMesh(floor())
    state = walker.spawn(mesh, (0.0, 0.0, 0.0)).replace(position=(0.0, 1000.0, 0.0))
    states = run(walker, mesh, state, 1500, forward=0.0)
    assert states["velocity"][:, 1].min() == -60.0
    assert states[-1]["position"][1] == pytest.approx(0.909)
