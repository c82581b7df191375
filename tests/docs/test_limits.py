"""Measurements of docs/limits.md: materials, slopes, steps, bounds of a tick, water."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.fuzz import tick_referee
from game.fuzz.failures import KINDS
from game.level import load
from game.physics import Command, Crowd, Environment, Material, TriangleMesh, WalkerSettings, Zone, Zones
from game.sim import World
from tests.support.limit_measurements import (
    PACE,
    PAGE,
    assert_on_page,
    body,
    floor,
    run,
    sheet,
    stairs,
    walked,
)
from tests.support.scenes import BODIES, quad, ramp

pytestmark = pytest.mark.jit


# Not modelled


def on_material(triangles, material, feet, walker):
    mesh = TriangleMesh(triangles, np.zeros(len(triangles), np.int32), [material])
    return mesh, walker.spawn(mesh, feet)


def test_friction_over_1_does_not_stop_the_walker_sooner():
    stops = []
    for friction in (0.5, 1.0, 10.0):
        walker = body()
        mesh, state = on_material(floor(z0=-30.0), Material(friction=friction), (0.0, 0.0, 0.0), walker)
        state = walker.state(run(walker, mesh, state, 120)[-1])
        stops.append(state.position[2] - run(walker, mesh, state, 60, forward=0.0)[-1]["position"][2])
    assert stops[0] == pytest.approx(2.0 * stops[1], rel=1e-6)
    assert stops[1] == stops[2] > 0.1


def test_friction_does_not_hold_beyond_the_slope_limit():
    ends = []
    for friction in (1.0, 10.0):
        walker = body()
        feet = (0.0, 20.0 * math.tan(math.radians(46.0)), -20.0)
        mesh, state = on_material(ramp(46.0, 40.0), Material(friction=friction), feet, walker)
        ends.append(run(walker, mesh, state, 60, forward=0.0)[-1]["position"])
    assert (ends[0] == ends[1]).all()
    assert ends[0][2] > -18.0


def test_walls_ignore_friction_and_use_rub():
    ends = []
    for material in (Material(), Material(friction=0.1), Material(rub=0.5)):
        triangles = floor(z0=-30.0) + sheet(-2.0, 5.0, -2.0, -30.0)
        mesh = TriangleMesh(triangles, [0, 0, 1, 1], [Material(), material])
        walker = body()
        state = walker.spawn(mesh, (-1.5, 0.0, 2.0))
        ends.append(run(walker, mesh, state, 120, strafe=-0.5)[-1]["position"][2])
    assert ends[0] == ends[1]
    assert ends[2] > ends[0] + 0.5


BALL = "  - ball: {{at: [0, 0.5, -3], radius: 0.5, mass: {mass}, velocity: [0, 0, {speed}]}}\n"
LEVEL = "format: 1\nname: Balls\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-20, -20], to: [20, 20]}\n"


def world(folder, text):
    path = folder / "level.yaml"
    path.write_text(text, encoding="utf-8")
    return World(load(path))


def test_a_ball_does_not_push_the_walker(tmp_path):
    hit, alone = world(tmp_path, LEVEL + BALL.format(mass=1000, speed=8)), world(tmp_path, LEVEL)
    for _ in range(120):
        hit.step(Command())
        alone.step(Command())
        assert hit.walker_state == alone.walker_state


def test_walkers_of_a_crowd_pass_through_each_other():
    mesh, walker = TriangleMesh(floor()), body()
    states = [walker.spawn(mesh, (0.0, 0.0, z)) for z in (-1.0, 1.0)]
    crowd = Crowd(walker, mesh)
    rows = walker.commands(forward=[-1.0, 1.0])
    for _ in range(60):
        states = crowd.step(states, rows)
    assert states["position"][0][2] > 2.0
    assert states["position"][1][2] < -2.0


def test_the_body_does_not_lean():
    walker, mesh = body(), TriangleMesh(ramp(30.0, 40.0))
    state = walker.spawn(mesh, (0.0, 20.0 * math.tan(math.radians(30.0)), -20.0))
    assert state.ground_normal[1] == pytest.approx(math.cos(math.radians(30.0)))
    assert state.up == (0.0, 1.0, 0.0)


# Slopes, edges and steps


def kerb(degrees, height):
    run_out = height / math.tan(math.radians(degrees))
    bevel = quad((-3.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, height, -run_out), (-3.0, height, -run_out))
    return floor(z0=0.0) + bevel + floor(-3.0, -run_out - 6.0, 3.0, -run_out, height)


def lowest_bevel(name, degrees):
    for centimetres in range(1, 41):
        if walked(body(name), kerb(degrees, centimetres / 100), (0.0, 0.0, 1.0), 90)[-1]["position"][2] > -1.0:
            return f"{centimetres / 100:.2f} m"
    return "none"


def test_bevels_that_stop_the_walker():
    angles = (46, 50, 60, 70, 75, 80)
    head = ("bevel of", *(f"{angle}°" for angle in angles))
    assert_on_page(head, [(name, *(lowest_bevel(name, angle) for angle in angles)) for name in BODIES])


def reached(height, distance):
    """True if a running jump from there ends on the ledge, which begins at z = 0."""
    mesh = TriangleMesh(floor(-5.0, 0.0, 5.0, 12.0) + sheet(-5.0, 0.0, 5.0, 0.0, height) + floor(-5, -8, 5, 0, height))
    walker = body()
    state = walker.state(run(walker, mesh, walker.spawn(mesh, (0.0, 0.0, 8.0)), 60)[-1])
    state = state.replace(position=(0.0, state.position[1], distance))
    rows = walker.commands(forward=[1.0] * 120, jump=[True] + [False] * 119)
    last = walker.run(state, rows, mesh)[-1]
    return bool(last["grounded"] and last["position"][1] > height)


def test_ledges_that_a_jump_reaches():
    heights = (0.90, 1.00, 1.10, 1.20, 1.30, 1.35)
    distances = [0.4 + 0.1 * k for k in range(24)]
    counts = [sum(reached(height, distance) for distance in distances) for height in heights]
    assert_on_page(("ledge", *(f"{h:.2f} m" for h in heights)), [("jumps", *map(str, counts))])


def test_the_body_stands_with_its_centre_beyond_an_edge():
    """The formula of a contact at 45 degrees, and a slow walk over an edge that approaches it."""
    beyond, sinks = [], []
    for name, (_, tall, deep) in BODIES.items():
        root = math.hypot(deep, tall)
        limits = deep * deep / root, tall - tall * tall / root
        states = walked(body(name, walk_speed=0.06), floor(z0=0.0), (0.0, 0.0, 0.15), 400)
        last = states[np.flatnonzero(states["grounded"])[-1]]["position"]
        found = -last[2], states[0]["position"][1] - last[1]
        for value, limit in zip(found, limits, strict=True):
            assert limit - 0.0045 < value < limit + 0.0021
        beyond.append(f"{1000 * limits[0]:.0f} mm")
        sinks.append(f"{1000 * limits[1]:.0f} mm")
    rows = [("centre beyond the edge, at most", *beyond), ("sinks before it falls, at most", *sinks)]
    assert_on_page(("body", *BODIES), rows)


@pytest.mark.parametrize("name", ["default", "slim"])
def test_steep_stairs_are_climbed(name):
    states = walked(body(name), stairs(0.40, 0.05, 40), (0.0, 0.0, 1.5), 50)["position"]
    assert states[20:, 2] == pytest.approx(states[20, 2] - PACE / 60.0 * np.arange(30), abs=1e-9)
    assert states[-1, 1] > 10.0


def test_a_round_body_stops_before_steep_stairs():
    """Its contact with the second edge lies further ahead than that with the first, less the tread."""
    first, second = (0.35 * math.sqrt(1.0 - ((0.9 - height) / 0.9) ** 2) for height in (0.4, 0.8))
    assert second - 0.05 > first
    states = walked(body("round"), stairs(0.40, 0.05, 40), (0.0, 0.0, 1.5), 120)
    assert states[-1]["position"][1:] == pytest.approx((0.909, second - 0.05), abs=0.01)


def test_a_step_a_millimetre_too_high_is_not_climbed():
    assert walked(body(), stairs(0.401, 3.0, 1), (0.0, 0.0, 1.5), 60)[-1]["position"][2] > 0.0


def test_lift_in_a_tick_on_stairs():
    rows = []
    for rise in (0.18, 0.40):
        walks = [walked(body(name), stairs(rise, 0.3, 20), (0.0, 0.0, 2.0), 112) for name in BODIES]
        lifts = [np.diff(states["position"][:, 1]).max() for states in walks]
        rows.append((f"{rise:.2f} by 0.30 m", *(f"{1000 * lift:.0f} mm" for lift in lifts)))
    assert_on_page(("stairs of", *BODIES), rows)


def test_sliding_over_steps_without_a_step_height():
    rises, rows = (0.05, 0.10, 0.18, 0.30, 0.40), []
    for name, rate in (("default", 60), ("default", 240), ("slim", 60)):
        parts = []
        for rise in rises:
            walker = body(name, step_height=0.0, ticks_per_second=rate)
            z = walked(walker, stairs(rise, 0.3, 40), (0.0, 0.0, 1.5), 4 * rate)["position"][:, 2]
            z = z[(z < -0.6) & (z > -11.0)]
            parts.append(f"{(z[0] - z[-1]) / (len(z) - 1) * rate / PACE:.2f}")
        rows.append((f"{name}, {rate} ticks/s", *parts))
    assert_on_page(("rise", *(f"{rise:.2f} m" for rise in rises)), rows)


def test_a_steep_face_adds_millimetres_to_a_jump():
    peaks = {}
    for rate, most in ((60, 0.025), (10, 0.040), (240, 0.010)):
        walker = body(ticks_per_second=rate)
        ticks = [True, *[False] * (rate - 1)]

        def peak(triangles, z, walker=walker, ticks=ticks):
            mesh = TriangleMesh(triangles)
            commands = walker.commands(forward=[1.0] * len(ticks), jump=ticks)
            return walker.run(walker.spawn(mesh, (0.0, 0.0, z)), commands, mesh)["position"][:, 1].max()

        free = peak(floor(z0=-40.0), 0.0)
        gains = []
        for degrees in (50, 60, 64, 70, 75, 80, 82, 85, 89):
            back = -2.0 - 8.0 / math.tan(math.radians(degrees))
            face = quad((-3.0, 0.0, -2.0), (3.0, 0.0, -2.0), (3.0, 8.0, back), (-3.0, 8.0, back))
            gains += [peak(floor(z0=-2.0) + face, z) - free for z in np.arange(-1.3, 0.05, 0.1)]
        peaks[rate] = max(gains)
        assert peaks[rate] < most
    assert peaks[10] > 0.02, "the limit is one"
    assert "at most 25 mm at 60 ticks a second, 40 mm at\n  10 and 10 mm at 240" in PAGE


# Bounds of a tick


def test_the_bounds_of_a_tick_are_those_of_the_referee():
    section = PAGE.split("## Bounds of a tick")[1].split("## Narrow places")[0]
    names = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert names[0] == "quantity"
    assert sorted(names[1:]) == sorted(
        set(KINDS) - {"wild", "fast", "tremble", "drift"}
    )  # those are judged by the whole walk
    for term in ("displacement", "reach", "slope of", "own rise", "fall", "skin"):
        assert f"\n- *{term}*" in section
    words, settings = " ".join(section.split()), WalkerSettings()
    assert f"a hundredth of the largest radius, {1000 * settings.skin * max(settings.radii):.0f} mm" in words
    assert f"for each {tick_referee.SUBSTEP:.2f} m of the reach" in words
    assert f"{tick_referee.CROWDED_GAP} of it" in words
    assert f"by up to {tick_referee.PUSH:.0f} m" in words
    assert f"in the air stays higher by up to {settings.radii[1] - settings.crouch_radii[1]:.2f} m" in words
    aside = (1.0 - settings.crouch_radii[1] / settings.radii[1]) * max(settings.radii[0], settings.radii[2])
    assert f"aside by up to {aside:.2f} m" in words


# Water


def test_banks_that_a_swimmer_climbs():
    """The heights of the page; and ground that begins so far behind the face."""
    assert "0.600 m for the default\n  body" in PAGE
    assert "A bank of 0.605 m" in PAGE
    water = Zone((0, -2, 0), (3, 2, 6), water=True)

    def climbs(height, ledge=0.0, zones=()):
        bank = quad((-3, -4, -1), (3, -4, -1), (3, height - 0.01, -1), (-3, height - 0.01, -1))
        mesh = TriangleMesh(np.array(bank + floor(-3, -6, 3, -1 - ledge, height) + floor(y=-4.0)))
        walker, around = body(), Environment(Zones([water, *zones]))
        rows = walker.commands(forward=[1.0] * 240)
        states = walker.run(walker.spawn(mesh, (0, -1.44, 0)), rows, mesh, around=around)
        return bool((states["grounded"] & (states["position"][:, 1] > height + 0.85)).any())

    assert climbs(0.6)
    assert not climbs(0.605)
    assert climbs(0.3, ledge=0.25)
    assert not climbs(0.3, ledge=0.35)
    short, long = (Zone((0, y, -1), (0.5, 1.5, 0.6), climb=(0, 0, -1)) for y in (-2.0, -1.0))
    assert not climbs(0.4, zones=[short])
    assert climbs(0.4, zones=[long])
