"""Measurements of docs/limits.md: its tables must be the ones measured here, and most of its entries hold."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.physics import Command, Crowd, Ellipsoid, Environment, Material, TriangleMesh, Walker, WalkerSettings
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.zones import Zone, Zones
from game.sim import Respawned, World
from tests.support.referee import bounds

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
BODIES = {"default": (0.35, 0.90, 0.25), "slim": (0.35, 0.90, 0.12), "round": (0.35, 0.90, 0.35)}
PACE = 4.0  # m/s, the default walk speed
pytestmark = pytest.mark.jit


# Meshes: lists of triangles, counter-clockwise from the front


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def floor(x0=-3.0, z0=-6.0, x1=3.0, z1=5.0, y=0.0):
    return quad((x0, y, z1), (x1, y, z1), (x1, y, z0), (x0, y, z0))


def sheet(x0, z0, x1, z1, height=3.0, y=0.0):
    """A vertical sheet over the line from (x0, z0) to (x1, z1)."""
    return quad((x0, y, z0), (x1, y, z1), (x1, y + height, z1), (x0, y + height, z0))


def box(x0, y0, z0, x1, y1, z1):
    sides = [(x0, z1, x1, z1), (x1, z1, x1, z0), (x1, z0, x0, z0), (x0, z0, x0, z1)]
    faces = floor(x0, z0, x1, z1, y1) + [triangle[::-1] for triangle in floor(x0, z0, x1, z1, y0)]
    return faces + [triangle for side in sides for triangle in sheet(*side, y1 - y0, y0)]


def stairs(rise, run, steps):
    """A floor up to z = 0, then stairs towards -Z with a landing of 6 m."""
    out = floor(z0=0.0)
    for k in range(steps):
        front = -k * run
        back = front - (run if k < steps - 1 else 6.0)
        out += sheet(-3.0, front, 3.0, front, rise, k * rise)
        out += floor(-3.0, back, 3.0, front, (k + 1) * rise)
    return out


def bowl(facets, degrees, radius=6.0):
    """A cone that is open at the top, with its apex at the origin."""
    height = math.tan(math.radians(degrees)) * radius
    angles = [2.0 * math.pi * k / facets for k in range(facets + 1)]
    rim = [(radius * math.cos(a), height, radius * math.sin(a)) for a in angles]
    return [((0.0, 0.0, 0.0), rim[k + 1], rim[k]) for k in range(facets)]


def ramp(degrees, length=40.0):
    height = math.tan(math.radians(degrees)) * length
    return quad((-5.0, 0.0, 0.0), (5.0, 0.0, 0.0), (5.0, height, -length), (-5.0, height, -length))


# Walks


def body(name="default", **settings):
    return Walker(WalkerSettings(radii=BODIES[name], **settings))


def run(walker, mesh, state, ticks, forward=1.0, **columns):
    """State rows (ticks,) of a walk with the same command in every tick."""
    columns = {key: [value] * ticks for key, value in columns.items()}
    return walker.run(state, walker.commands(forward=[forward] * ticks, **columns), mesh)


def walked(walker, triangles, feet, ticks, **command):
    mesh = TriangleMesh(triangles)
    return run(walker, mesh, walker.spawn(mesh, feet), ticks, **command)


def table(head, rows):
    return [f"| {' | '.join(cells)} |" for cells in (head, *rows)]


def assert_on_page(head, rows):
    head_line, *lines = table(head, rows)
    found = [line.strip() for line in PAGE.splitlines()]
    assert head_line in found, head_line
    at = found.index(head_line)
    assert found[at + 2 : at + 2 + len(lines)] == lines


def smallest_gap(state, triangles):
    """Gap of an upright body to the mesh in ellipsoid space, from dense samples of each triangle."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 801), np.linspace(0.0, 1.0, 801))
    inside = u + v <= 1.0
    u, v = u[inside][:, None], v[inside][:, None]
    least = np.inf
    for a, b, c in np.asarray(triangles, float):
        points = (a + u * (b - a) + v * (c - a) - state.position) / state.radii
        least = min(least, float(np.linalg.norm(points, axis=1).min()))
    return least - 1.0


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
        mesh, state = on_material(ramp(46.0), Material(friction=friction), feet, walker)
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


def test_the_walker_pushes_a_ball():
    mesh, walker = TriangleMesh(floor(z0=-30.0)), body()
    balls, rows = Balls(BallSettings(gravity=(0, -9.81, 0), ticks_per_second=60)), ball_rows([(0, 0.3, -2)], radius=0.3)
    before = walker.spawn(mesh, (0.0, 0.0, 0.0))
    for _ in range(120):
        after, _ = walker.step(before, Command(forward=1.0), mesh)
        rows, before = balls.step(rows, mesh, bodies=((before, after),)), after
    assert rows["position"][0][2] < after.position[2] - 0.5


def test_walkers_of_a_crowd_pass_through_each_other():
    mesh, walker = TriangleMesh(floor()), body()
    states = [walker.spawn(mesh, (0.0, 0.0, z)) for z in (-1.0, 1.0)]
    crowd = Crowd(walker, mesh)
    rows = walker.commands(forward=[-1.0, 1.0])
    for _ in range(60):
        states = crowd.step(states, rows)
    assert states["position"][0][2] > 2.0
    assert states["position"][1][2] < -2.0


def test_a_platform_crushes_the_body_in_its_way(tmp_path):
    press = (
        "  - mover: {at: [0, 0, 0], path: [[0, 2.5, 0], [0, 0.2, 0]], seconds: 1, pause: 0.5,\n"
        "            of: [box: {from: [-1, 0, -1], to: [1, 1, 1]}]}\n"
    )
    room = world(tmp_path, LEVEL + press)
    events = [event for _ in range(120) for event in room.step(Command())]
    assert [event.reason for event in events if isinstance(event, Respawned)][:1] == ["crushed"]


def test_the_body_does_not_lean():
    walker, mesh = body(), TriangleMesh(ramp(30.0))
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


def leaning_walks(degrees, count=120):
    """(lost metres, airborne ticks) of walks up high stairs along a wall at x = 1."""
    random = np.random.default_rng(1)
    heading = round(-degrees * 65536 / 360) % 65536
    out = []
    for k in range(count):
        triangles = stairs((0.3, 0.4)[k % 2], 0.3, 12) + quad((1, -1, 5), (1, -1, -12), (1, 9, -12), (1, 9, 5))
        walker, mesh = body(list(BODIES)[k % 3]), TriangleMesh(triangles)
        state = walker.spawn(mesh, (0.5 - random.uniform(0.0, 0.5), 0.0, random.uniform(0.6, 1.5)))
        states = run(walker, mesh, state, 120, heading=heading)
        position = states["position"]
        along = (position[:, 2] < -0.2) & (position[:, 2] > -4.6) & (abs(np.gradient(position[:, 0])) < 1e-6)
        z = position[along, 2]
        if len(z) >= 10:
            way = PACE * math.cos(heading * math.tau / 65536) * (len(z) - 1) / 60.0
            out.append((way - (z[0] - z[-1]), int((~states["grounded"]).sum())))
    assert len(out) > count / 3
    return np.array(out)


def test_stairs_beside_a_wall_are_walked_without_loss():
    for degrees in (20.0, 45.0):
        found = leaning_walks(degrees)
        assert abs(found[:, 0]).max() < 1e-6
        assert found[:, 1].max() == 0


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


# Bounds of a tick


def test_the_bounds_of_a_tick_are_those_of_the_referee():
    section = PAGE.split("## Bounds of a tick")[1].split("## Narrow places")[0]
    names = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert names[0] == "quantity"
    assert sorted(names[1:]) == sorted(bounds.KINDS)
    for term in ("displacement", "reach", "slope of", "own rise", "fall", "skin"):
        assert f"\n- *{term}*" in section
    settings = WalkerSettings()
    assert f"a hundredth of the largest radius, {1000 * settings.skin * max(settings.radii):.0f} mm" in section
    assert f"for each {bounds.SUBSTEP:.2f} m of the reach" in section
    assert f"{bounds.CROWDED_GAP} of it" in section
    assert f"by up to\n{bounds.PUSH:.0f} m" in section
    assert f"{settings.radii[1] - settings.crouch_radii[1]:.2f} m, because the low body" in section
    aside = (1.0 - settings.crouch_radii[1] / settings.radii[1]) * max(settings.radii[0], settings.radii[2])
    assert f"aside by up to {aside:.2f} m" in section


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


def test_passages_and_ceilings():
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


def test_wide_corners():
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


@pytest.mark.parametrize(("name", "facets", "degrees", "gap"), [
    ("default", 12, 30, 0.01), ("default", 400, 30, 0.01), ("round", 12, 30, 0.01), ("round", 400, 30, 0.01),
    ("round", 48, 60, 0.0045),
])  # fmt: skip
def test_bowls_with_many_planes(name, facets, degrees, gap):
    walker, triangles = body(name), bowl(facets, degrees)
    mesh = TriangleMesh(triangles)
    state, events = walker.spawn(mesh, (0.0, 0.3 if degrees == 30 else 1.2, 0.0)), set()
    for _ in range(90):
        state, trace = walker.step(state, Command(), mesh)
        events |= set(trace.events)
    normals = np.array([contact.normal for contact in trace.contacts])
    assert len(normals) <= 12
    if facets > 12:
        assert "crowded" in events
    short = [(a, b, c) for a, b, c in np.asarray(triangles) * 0.25]  # the part of the cone that the body is near
    assert smallest_gap(state, short[:: max(1, facets // 48)]) == pytest.approx(gap, abs=1e-4)
    assert state.grounded is (degrees == 30)


def test_a_foot_dips_into_a_crack_and_keeps_its_speed():
    crack = 0.2
    states = walked(body(), floor(z0=0.0) + floor(z1=-crack), (0.0, 0.0, 1.0), 60)
    assert 0.909 - states["position"][:, 1].min() == pytest.approx(0.032, abs=5e-4)
    assert states["grounded"].all()
    assert np.diff(states["position"][20:, 2]) == pytest.approx(-PACE / 60.0, abs=1e-9)


@pytest.mark.parametrize(("distance", "error"), [(1e4, 1e-10), (1e6, 2e-9), (9e6, 1e-7)])
def test_far_from_the_origin(distance, error):
    offset = np.array((distance, 0.0, distance))
    x, z = distance, distance
    states = walked(body(), np.array(floor(-20.0, -20.0, 20.0, 20.0)) + offset, (x, 0.0, z + 10.0), 120)["position"]
    assert abs(states[-61, 2] - states[-1, 2] - PACE) < error


def test_coordinates_beyond_10000_km_are_refused():
    with pytest.raises(ValueError, match="beyond 1e7 m"):
        TriangleMesh(np.array(floor()) + 1.1e7)


def test_the_report_names_dropped_triangles():
    flat = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    report = str(TriangleMesh([*floor(), *floor(), flat]).report).splitlines()
    assert report[-1] == "triangle 4: no area"
    assert report[:2] == ["triangle 2: duplicate of triangle 0", "triangle 3: duplicate of triangle 1"]


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


def test_headings_are_whole_numbers_of_65536():
    walker, mesh = body(), TriangleMesh(floor())
    assert walker.spawn(mesh, (0.0, 0.0, 0.0), 65536 + 5).heading == 5
    assert f"{360.0 / 65536:.4f}" == "0.0055"
