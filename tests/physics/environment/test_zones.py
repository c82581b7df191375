"""Zones against formulas: gravity of any direction and strength, currents, water, ladders, launch pads.

Tolerance 1e-9 where a tick integrates constant rates exactly; the skin is 0.009 m under the feet.
"""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from game.physics import Command, Environment, TriangleMesh, Walker, WalkerSettings, Zone, Zones, heading_from_degrees
from game.physics.character.tick.ladders import CLIMB_SPEED_FACTOR
from game.physics.character.tick.swimming import SWIM_SPEED_FACTOR
from game.physics.character.tick.wish_velocity import CURRENT_ACCELERATION
from game.physics.environment.zones import depth_inside_zone, is_far_from_zones, transport_north
from game.physics.numerics.acceleration import exponential_decay
from tests.support.scenes import box

LOW, HIGH = np.array((-10.0, -6.0, -10.0)), np.array((10.0, 14.0, 10.0))
HALL = TriangleMesh(box(*LOW, *HIGH))
ALL = ((0.0, 4.0, 0.0), (50.0, 50.0, 50.0))
WALKER = Walker()
G = WALKER.settings.gravity


def walked(zones: list[Zone], feet: Any, ticks: int, walker: Walker = WALKER, heading: int = 0, **columns: Any) -> Any:
    """States after each of so many ticks; `heading` is also that of the spawn."""
    rows = walker.commands(heading=np.full(ticks, heading), **columns)
    return walker.run(walker.spawn(HALL, feet, heading), rows, HALL, around=Environment(Zones(zones)))


def seconds(states: Any, rate: float = 60.0) -> Any:
    return np.arange(1, len(states) + 1) / rate


def test_zone_rows_and_invalid_zones() -> None:
    zones = Zones([Zone((0, 0, 0), (1, 1, 1), down=(0, 0, -3)), Zone((0, 0, 0), (1, 1, 1), strength=2, down=(0, 5, 0))])
    assert zones.gravity((0, 0, 0.5)) == (0.0, 2 * 9.81, 0.0)  # the last one listed counts
    assert zones.gravity((0, 0, 1.5)) == (0.0, -9.81, 0.0)
    again = pickle.loads(pickle.dumps(Environment(zones)))
    assert np.array_equal(again.zones.rows, zones.rows)
    for wrong, words in (
        ({"half": (0, 1, 1)}, "half"),
        ({"down": (0, 0, 0)}, "down"),
        ({"strength": -1}, "strength"),
        ({"current": (0, math.nan, 0)}, "current"),
        ({"drag": 0}, "drag"),
    ):
        with pytest.raises(ValueError, match=words):
            Zone(**{"centre": (0, 0, 0), "half": (1, 1, 1), **wrong})


def test_points_in_a_rotated_zone() -> None:
    zone = Zone((3, 0, 0), (2, 1, 0.5), heading=8192, down=(0, 0, -1))  # its north looks north-west
    zones = Zones([zone])
    east = np.array((math.sqrt(0.5), 0, -math.sqrt(0.5)))
    for along, inside in ((1.9, True), (2.1, False), (-1.9, True)):
        pull = zones.gravity(np.array((3, 0, 0)) + along * east)
        assert (pull == (0.0, 0.0, -9.81)) is inside


def test_the_series_is_the_exponential() -> None:
    for x in (0.0, 1e-9, 0.01, 0.13, 1.0, 7.5, 50.0, 1000.0):
        assert exponential_decay(x) == pytest.approx(math.exp(-x), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("down", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1)])
def test_free_fall_in_any_direction(down: tuple[int, ...]) -> None:
    start = np.array((0.0, 4.0, 0.0))
    states = walked([Zone(*ALL, down=down)], start - (0, 0.9, 0), 110, forward=0.0)
    assert np.array_equal(states["up"][0], -np.array(down))
    fallen = (states["position"] - start) @ np.array(down, float)
    far = (HIGH - start) @ np.abs(down) - 0.9 * 1.01
    t = seconds(states)
    free = 0.5 * G * t * t < far
    assert np.allclose(fallen[free], 0.5 * G * t[free] ** 2, atol=1e-9)
    assert states["grounded"][-1]
    assert fallen[-1] == pytest.approx(far, abs=1e-6)
    assert np.array_equal(states["ground_normal"][-1], -np.array(down))


@pytest.mark.parametrize("strength", [0.0, 0.25, 0.5, 1.0, 2.0])
def test_strength_scales_fall_and_jump(strength: float) -> None:
    """Without strength a jump goes on for ever."""
    states = walked([Zone(*ALL, down=(0, -1, 0), strength=strength)], (0, -6, 0), 240, jump=np.arange(240) == 0)
    height, t = states["position"][:, 1] - (LOW[1] + 0.9 * 1.01), seconds(states)
    speed = math.sqrt(2 * G * WALKER.settings.jump_height)
    flight = 2 * speed / (G * strength) if strength else (HIGH[1] - LOW[1] - 1.8 * 1.01) / speed
    air = t < flight
    assert np.allclose(height[air], speed * t[air] - 0.5 * G * strength * t[air] ** 2, atol=1e-6)
    if strength:
        assert height.max() == pytest.approx(WALKER.settings.jump_height / strength, abs=G * strength / 60**2)
        assert states["grounded"][np.searchsorted(t, flight) + 1]


def test_velocity_in_the_world_outlasts_the_turn_and_the_heading_stays() -> None:
    half = Zone((10.0, 4.0, 0.0), (10.0, 50.0, 50.0), down=(0, 0, -1))  # east of x = 0
    states = walked([half], (-4, 6, 0), 90, forward=1.0, heading=-16384 % 65536)
    turned = int(np.argmax(states["up"][:, 2] == 1.0))
    before, after = states[turned - 1], states[turned]
    assert before["velocity"][1] < -5.0
    assert after["velocity"][0] == pytest.approx(before["velocity"][0], abs=1e-9)
    assert after["velocity"][2] == pytest.approx(-G / 60, abs=1e-9)  # one tick of the new gravity
    assert abs(after["velocity"][1]) > 4.9  # kept, although it now points into the ground
    assert after["heading"] == before["heading"]
    assert np.array_equal(after["north"], (0.0, 1.0, 0.0))


def test_running_speed_becomes_falling_speed() -> None:
    ahead = Zone((10.0, 4.0, 0.0), (10.0, 50.0, 50.0), down=(1, 0, 0))
    states = walked([ahead], (-4, 1, 0), 75, forward=1.0, heading=-16384 % 65536)
    turned = int(np.argmax(states["up"][:, 0] == -1.0))
    before, after = states["velocity"][turned - 1 : turned + 1, 0]
    assert before > 3.9
    assert after == pytest.approx(before + G / 60, abs=1e-9)


def test_gravity_does_not_alternate_at_a_border() -> None:
    zone = Zone((10.0, 4.0, 0.0), (10.0, 50.0, 50.0), down=(0, 0, -1))
    around = Environment(Zones([zone]))
    state = WALKER.spawn(HALL, (0.05, -6, 0))
    for step in range(90):
        expected = 1.0 if step % 30 < 15 else -1.0
        state, trace = WALKER.step(state, Command(strafe=0.05 * expected), HALL, around)
        assert "gravity turned" not in trace.events  # never GRAVITY_BORDER_DEPTH inside


def test_gravity_turns_only_where_there_is_room() -> None:
    corridor = TriangleMesh(box(-0.5, 0, -8, 0.5, 2.2, 8))  # too narrow for a rotated body
    around = Environment(Zones([Zone((0, 1, -4), (5, 5, 4), down=(1, 0, 0))]))
    states = WALKER.run(
        WALKER.spawn(corridor, (0, 0, 6)), WALKER.commands(forward=np.ones(150)), corridor, around=around
    )
    assert np.all(states["up"] == (0.0, 1.0, 0.0))
    assert states["position"][-1][2] < -3.0


@pytest.mark.parametrize("heading", [0, 8192, 20000, 49152])
def test_the_view_stays_when_gravity_is_reversed(heading: int) -> None:
    states = walked([Zone(*ALL, down=(0, 1, 0))], (0, -6, 0), 3, heading=heading)
    s, c = math.sin(heading * math.pi / 32768), math.cos(heading * math.pi / 32768)
    up, north = states["up"][0], states["north"][0]
    ahead = c * north + s * -np.cross(north, up)
    assert np.array_equal(up, (0, -1, 0))
    assert np.allclose(ahead, (-s, 0, -c), atol=1e-12)


def test_the_least_turn_is_exact_at_quarter_turns() -> None:
    axes = [tuple(float(v) for v in row) for row in np.concatenate((np.eye(3), -np.eye(3)))]
    frames = [(up, north) for up in axes for north in axes if np.dot(up, north) == 0.0]
    turns = [(up, north, to) for up, north in frames for to in axes if np.dot(up, to) >= 0.0]
    assert len(turns) == 24 * 5
    for up, north, to in turns:
        turned = transport_north(up, north, to, 0.0, 1.0)
        assert turned in axes
        assert np.dot(turned, to) == 0.0


@pytest.mark.parametrize("buoyancy", [0.0, 0.5, 2.0])
def test_a_body_in_water_approaches_its_terminal_speed(buoyancy: float) -> None:
    zone = Zone(*ALL, water=True, drag=3.0, buoyancy=buoyancy)
    states = walked([zone], (0, 4, 0), 90)
    t, end = seconds(states), G * (buoyancy - 1) / 3.0
    assert np.allclose(states["velocity"][:, 1], end * (1 - np.exp(-3 * t)), atol=1e-9)
    expected = end * (t - (1 - np.exp(-3 * t)) / 3)
    assert np.allclose(states["position"][:, 1] - 4.9, expected, atol=1e-9)
    assert states["swimming"].all()
    assert not states["grounded"].any()


def test_swimming_follows_the_view_and_the_current() -> None:
    zone = Zone(*ALL, water=True, drag=4.0, buoyancy=1.0, current=(0.0, 0.0, 1.5))
    states = walked([zone], (0, 4, 0), 90, forward=1.0, pitch=8192, heading=16384)
    pace, t = SWIM_SPEED_FACTOR * WALKER.settings.walk_speed, seconds(states)
    wish = np.array((-pace * math.sqrt(0.5), pace * math.sqrt(0.5), 1.5))
    part = (t - (1 - np.exp(-4 * t)) / 4)[:, None]
    assert np.allclose(states["position"] - (0, 4.9, 0), part * wish, atol=1e-9)


def test_an_idle_body_floats_at_the_surface() -> None:
    water = Zone((0, -1, 0), (20, 5, 20), water=True, buoyancy=1.25)  # surface at y = 4
    states = walked([water], (0, 6, 0), 900)
    feet = states["position"][-1][1] - 0.9
    assert 4.0 - feet == pytest.approx(1.8 / 1.25, abs=1e-3)
    assert abs(states["velocity"][-1][1]) < 1e-3


def test_a_current_carries_by_the_formula_on_ground_and_in_the_air() -> None:
    for feet, hold in (((0, -6, 0), 0.5), ((0, 8, 0), 0.5)):
        zone = Zone(*ALL, current=(3.0, 0.0, 0.0), hold=hold)
        states = walked([zone], feet, 60)
        speed, t = 3.0 * (hold if feet[1] < 0 else 1.0), seconds(states)
        ramp = speed / CURRENT_ACCELERATION
        far = np.where(t < ramp, 0.5 * CURRENT_ACCELERATION * t * t, speed * (t - 0.5 * ramp))
        assert np.allclose(states["position"][:, 0], far, atol=1e-9)


def test_rising_air_lifts_to_its_own_speed() -> None:
    states = walked([Zone(*ALL, current=(0.0, 2.5, 0.0))], (0, -6, 0), 60)
    t, ramp = seconds(states), 2.5 / G
    far = np.where(t < ramp, 0.5 * G * t * t, 2.5 * (t - 0.5 * ramp))
    assert np.allclose(states["position"][:, 1] - (LOW[1] + 0.909), far, atol=1e-9)


@pytest.mark.parametrize("launch", [(0.0, 8.0, 0.0), (3.0, 7.0, -1.0)])
def test_a_launch_pad_throws_along_a_parabola(launch: tuple[float, float, float]) -> None:
    states = walked([Zone((0, -6, 0), (0.6, 0.2, 0.6), launch=launch)], (0, -6, 0), 60)
    t = seconds(states)
    expected = np.outer(t, launch) - np.outer(0.5 * G * t * t, (0, 1, 0))
    assert np.allclose(states["position"] - (0, LOW[1] + 0.909, 0), expected, atol=1e-6)


def test_a_ladder_is_climbed_at_its_pace_and_left_at_the_top() -> None:
    ladder = Zone((0, -3.0, -9.6), (0.5, 3.05, 0.7), climb=(0, 0, -1))
    states = walked([ladder], (0, -6, -9), 150, forward=1.0)
    speed = CLIMB_SPEED_FACTOR * WALKER.settings.walk_speed
    on = states["climbing"] & (states["velocity"][:, 1] > 0)
    rises = np.diff(states["position"][:, 1])[on[1:-1].nonzero()[0][1:-3]]
    assert len(rises) > 100
    assert np.allclose(rises, speed / 60, atol=1e-9)
    feet = states["position"][:, 1] - 0.9
    assert feet.max() <= 0.05
    assert feet[-1] > -0.2
    still = walked([ladder], (0, -6, -9), 200, forward=np.where(np.arange(200) < 60, 1.0, 0.0))
    assert np.array_equal(still["position"][-1], still["position"][-60])  # exactly at rest
    down = walked([ladder], (0, -6, -9), 300, forward=np.where(np.arange(300) < 60, 1.0, -1.0))
    assert down["grounded"][-1]
    assert down["position"][-1][1] == pytest.approx(LOW[1] + 0.909, abs=1e-3)


def test_a_ladder_is_climbed_straight_up_by_slanting_input() -> None:
    """Input up to 72 degrees beside the ladder climbs as fast as straight input; input beyond that moves along it."""
    ladder = Zone((0, -3.0, -9.6), (0.45, 3.05, 0.7), climb=(0, 0, -1))
    straight = walked([ladder], (0, -6, -9), 150, forward=1.0)["position"]
    assert straight[-1, 1] > straight[0, 1] + 4.0
    for degrees in (-70, -45, -20, 20, 45, 70):
        states = walked([ladder], (0, -6, -9), 150, heading=heading_from_degrees(degrees), forward=1.0)
        on = states["climbing"]
        assert on[5:130].all()
        assert np.ptp(states["position"][on, 0]) < 1e-9
        assert np.allclose(states["position"][130, 1], straight[130, 1], atol=0.1)
    aside = np.where(np.arange(90) < 60, 0.0, 1.0)
    along = walked([ladder], (0, -6, -9), 90, heading=heading_from_degrees(80), forward=aside)
    assert along["position"][-1, 0] < -0.5


@pytest.mark.parametrize("rate", [30, 240])
def test_other_tick_rates_agree(rate: int) -> None:
    """Exact integrations agree to rounding. The submerged part is taken at the beginning of each tick, so buoyancy is
    late by half a tick: after two seconds far less than g (dt/2) t."""
    for zone, allowed in (
        (Zone(*ALL, down=(0, 0, 1), strength=0.7), 1e-9),
        (Zone(*ALL, water=True, current=(2, 0, 1)), 1e-9),
        (Zone((0, -1, 0), (20, 5, 20), water=True), G * 0.5 / 30 * 2.0),
        (Zone(*ALL, current=(2, 3, 1)), 1e-9),
    ):
        ends = [
            walked([zone], (0, 4, 0), ticks, Walker(WalkerSettings(ticks_per_second=ticks)))["position"][-1]
            for ticks in (60, rate)
        ]
        assert np.allclose(ends[0], ends[1], atol=allowed)


def test_is_far_from_zones_is_never_wrong():
    """is_far_from_zones against the depth in each zone; it is also True far from all zones."""
    rng, quick = np.random.default_rng(12), 0
    for _ in range(120):
        count = int(rng.integers(1, 5))
        zones = Zones([Zone(tuple(rng.uniform(-9, 9, 3)), tuple(rng.uniform(0.1, 4, 3)), int(rng.integers(0, 65536)))
                       for _ in range(count)])  # fmt: skip
        for point in rng.uniform(-14, 14, (20, 3)).tolist():
            reach = float(rng.uniform(0.0, 2.0))
            around = [point, *([a + reach * (axis == k) * side for k, a in enumerate(point)]
                               for axis in range(3) for side in (-1, 1))]  # fmt: skip
            held = any(depth_inside_zone(zones.rows, k, *at) >= 0.0 for k in range(count) for at in around)
            none = is_far_from_zones(zones.rows, *point, reach)
            assert not (held and none)
            quick += none
    assert quick > 600
    assert is_far_from_zones(Zones().rows, 0.0, 0.0, 0.0, 9.0)
