"""Climbing out of the water over a bank (docs/zones.md): heights, rates, bodies, directions and shapes of banks.

The surface is at y = 0, the bank's face at z = -2, 4 m of water in front of it. `_climbs` swims towards it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from game.physics import Environment, Motion, Mover, Movers, TriangleMesh, Walker, WalkerSettings, Zone, Zones
from game.physics.character.tick.swimming import CLIMB_OUT_HEIGHT, CLIMB_OUT_SPEED_FACTOR
from game.physics.environment.zones import NO_SURFACE, water_surface
from tests.support.scenes import BODIES, box, gaps, heading, mesh, quad, walk

RATES = (30, 60, 120, 240)
WATER = Zone((0, -2, 1), (6, 2, 7), water=True)  # over the bank too: its sides do not matter
POOL = Environment(Zones([WATER]))
BED = box(-8, -5, -9, 8, -4, 9)
LIMIT = CLIMB_OUT_HEIGHT * 1.8
FORWARD = {"forward": 1.0}


def _walker(rate: float = 60, body: str = "default") -> Walker:
    return Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))


def bank(height: float) -> Any:
    return box(-6, -4, -8, 6, height, -2)


def _swum(
    world: TriangleMesh, walker: Walker, seconds: float = 4.0, degrees: float = 0.0, feet: Any = (0, -1.44, -1),
    around: Environment = POOL, **columns: Any,
) -> Any:  # fmt: skip
    """States of a body that floats at `feet` at first, and holds the same keys all the time."""
    return walk(world, round(seconds * walker.settings.ticks_per_second), feet, walker, degrees, around, **columns)[1]


def _feet(states: Any) -> Any:
    return states["position"][:, 1] - states["radii"][:, 1]


def _is_on_top(states: Any, height: float) -> bool:
    """True if the body ever stood with its feet on the bank."""
    return bool((states["grounded"] & (abs(_feet(states) - height) < 0.03)).any())


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rate", RATES)
def test_banks_up_to_the_limit_are_climbed_and_higher_ones_give_nothing(rate: int, body: str) -> None:
    """A table of heights by keys. A bank too high is the same as a wall without an end, to the last bit."""
    walker = _walker(rate, body)
    for keys in (FORWARD, {"forward": 1.0, "jump": True}, {"jump": True}, {"strafe": 1.0}, {"forward": -1.0}):
        turn = {"strafe": 90.0}.get(next(iter(keys)), 180.0 if keys.get("forward") == -1.0 else 0.0)
        forward = "strafe" not in keys
        place = (0, -1.44, -1.95 + 1.01 * walker.settings.radii[2 if forward else 0])  # 5 cm from the bank
        for height in (-1.0, -0.8, -0.5, -0.2, 0.0, 0.2, 0.5, LIMIT):
            if height < -0.5 and not keys.keys() & {"forward", "strafe"}:
                continue  # jump alone does not bring the narrow part of the body to a low edge
            states = _swum(mesh(BED, bank(height)), walker, 2.2, turn, place, **keys)
            assert _is_on_top(states, height), (keys, height)
            assert _feet(states).max() < height + 0.02, (keys, height)
        endless = _swum(mesh(BED, bank(6.0)), walker, 2.2, turn, place, **keys)
        assert not endless["climbing"].any()
        for height in (LIMIT + 0.005, 0.9, 1.3):
            states = _swum(mesh(BED, bank(height)), walker, 2.2, turn, place, **keys)
            assert np.array_equal(states, endless), (keys, height)


@pytest.mark.each_once
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rate", [30, 240])
def test_the_body_rises_without_a_leap_and_keeps_its_gap(rate: int, body: str) -> None:
    """Never faster than half the walking speed, never above the top by more than the skin and 1 mm, the gap at least
    half the skin, and no speed upwards on the bank."""
    walker = _walker(rate, body)
    for height in (-0.8, -0.3, 0.1, 0.6):
        for degrees in (0.0, 37.0, -65.0):
            world = mesh(BED, bank(height))
            states = _swum(world, walker, 3.0, degrees, **FORWARD)
            assert _is_on_top(states, height)
            on = states["climbing"]
            rises = np.diff(states["position"][:, 1], prepend=states["position"][0, 1])
            assert rises[on].max() <= CLIMB_OUT_SPEED_FACTOR * 4.0 / rate + 5e-4  # of a gap restored
            assert rises[on].min() >= -1e-9
            assert (states["swimming"] | ~on).all()  # both flags: climbing out
            ashore = states[np.flatnonzero(on)[-1] + 1 :]
            assert ashore["grounded"][0]
            assert (ashore["velocity"][ashore["grounded"], 1] == 0.0).all()
            ways = np.diff(states["position"][: np.flatnonzero(on)[-1] + 9], axis=0)
            assert np.sqrt((ways * ways).sum(axis=1)).max() <= 4.0 / rate + 0.02  # 0.02: the snap at the edge
            triangles = world.triangles12[:, :9].reshape(1, -1, 3, 3)
            assert gaps(states, triangles).min() >= 0.5 * walker.settings.skin - 1e-6


def test_nothing_happens_without_keys_or_with_those_that_lead_away() -> None:
    walker, world = _walker(), mesh(BED, bank(0.2))
    at = _swum(world, walker, 0.4, **FORWARD)[-1]  # beside the bank
    start = walker.state(_swum(world, walker, 20.0, feet=tuple(at["position"] - (0, 0.9, 0)))[-1:])
    n = 120
    for columns in (
        {},
        {"pitch": -8192},
        {"forward": 1.0, "pitch": -8192},  # dives
        {"forward": 1.0, "crouch": True},
        {"forward": -1.0},
        {"forward": 1.0, "heading": heading(80.0)},  # along the bank
    ):
        columns = {"heading": 0, **columns}
        rows = walker.commands(**{name: np.full(n, value) for name, value in columns.items()})
        states = walker.run(start, rows, world, around=POOL)
        assert not states["climbing"].any(), columns
        if len(columns) == 1:
            assert abs(states["position"] - start.position).max() < 1e-3


def test_one_that_lets_go_falls_from_rest() -> None:
    walker, world = _walker(), mesh(BED, bank(0.5))
    hold = np.arange(240) < 55
    rows = walker.commands(forward=np.where(hold, 1.0, 0.0))
    states = walker.run(walker.spawn(world, (0, -1.44, -1)), rows, world, around=POOL)
    assert states["climbing"][54]
    assert not states["climbing"][55:].any()
    assert _feet(states)[54] > -0.6
    assert _feet(states)[55:].max() <= _feet(states)[54]
    assert states["swimming"][-1]


@pytest.mark.parametrize("body", BODIES)
def test_diagonal_ways_lips_and_slopes(body: str) -> None:
    walker = _walker(60, body)
    for degrees in (-70, -45, 20, 60):
        assert _is_on_top(_swum(mesh(BED, bank(0.3)), walker, 3.5, degrees, **FORWARD), 0.3), degrees
    for overhang in (0.05, 0.2, 0.4):
        for under in (-0.9, -0.2, 0.2):
            lip = box(-6, under, -8, 6, under + 0.2, -2 + overhang)
            states = _swum(mesh(BED, bank(under), lip), walker, 3.5, 15.0, **FORWARD)
            assert _is_on_top(states, under + 0.2), (overhang, under)
    for angle in (30, 46, 60, 80):
        for top in (-0.4, 0.3, 0.58):
            foot = (top + 4.0) / math.tan(math.radians(angle)) - 4.0
            slope = quad((-6, -4, foot), (6, -4, foot), (6, top, -4), (-6, top, -4))
            slope += quad((-6, top, -4), (6, top, -4), (6, top, -8), (-6, top, -8))
            assert _is_on_top(_swum(mesh(BED, slope), walker, 6.0, feet=(0, -1.44, foot), **FORWARD), top), (angle, top)
    high = quad((-6, -4, -2), (6, -4, -2), (6, 4, -6), (-6, 4, -6))  # 63 degrees, and no top within the limit
    assert not _swum(mesh(BED, high), walker, 3.0, **FORWARD)["climbing"].any()


def test_a_ceiling_over_the_bank_stops_who_has_no_room_there() -> None:
    """1.85 m of room is enough, 1.7 m is not. A bar in the way is no way either."""
    walker = _walker()
    for room, climbs in ((1.85, True), (1.7, False)):
        world = mesh(BED, bank(0.2), box(-6, 0.2 + room, -8, 6, 3, -2))
        assert _swum(world, walker, **FORWARD)["climbing"].any() == climbs
        over_the_water = mesh(BED, bank(0.2), box(-6, 0.2 + room, -8, 6, 3, 5))
        assert _is_on_top(_swum(over_the_water, walker, **FORWARD), 0.2) == climbs
    low = mesh(box(-8, -5, -9, 8, -1.0, 9), box(-6, -1, -8, 6, -0.45, -2), box(-6, 0.7, -8, 6, 3, 5))
    rows = walker.commands(crouch=[True] * 2)
    crouched = walker.run(walker.spawn(mesh(BED), (0, -4, 0)), rows, mesh(BED))[-1:]
    crouched["position"] = (0, -0.4, -1)
    crouched["grounded"] = False
    states = walker.run(walker.state(crouched), walker.commands(forward=[1.0] * 240), low, around=POOL)
    assert states["crouched"].all()  # 1.7 m from the bed to the ceiling
    assert states["climbing"].any()
    assert _is_on_top(states, -0.45)
    barred = mesh(BED, bank(0.2), box(-6, 0.6, -2.2, 6, 1.0, -1.9))
    assert not _swum(barred, walker, **FORWARD)["climbing"].any()


def test_a_wader_climbs_with_jump() -> None:
    """From a bed so shallow that the body stands, 0.4 of its height or more under water."""
    for depth in (0.75, 0.9, 1.05):
        world = mesh(box(-8, -5, -9, 8, -depth, 9), bank(0.58))
        keys = {"forward": 1.0, "jump": True}
        assert _is_on_top(_swum(world, _walker(), 4.0, feet=(0, -depth, 0), **keys), 0.58), depth
        walks = _swum(world, _walker(), 4.0, feet=(0, -depth, 0), **FORWARD)
        assert not walks["climbing"].any()
    shallow = mesh(box(-8, -5, -9, 8, -0.5, 9), bank(1.0))
    assert not _swum(shallow, _walker(), 4.0, feet=(0, -0.5, 0), forward=1.0, jump=True)["climbing"].any()


def test_the_surface_is_that_of_the_water_at_the_body() -> None:
    """Two zones one on the other count as one water; a pool on the floor above does not."""
    lower, upper = Zone((0, -3, 0), (5, 1, 5), water=True), Zone((0, -1, 0), (5, 1, 5), heading=9000, water=True)
    attic = Zone((0, 6, 0), (5, 1, 5), water=True)
    dry = Zone((0, 0, 0), (9, 9, 9), current=(1, 0, 0))
    rows = Zones([attic, upper, lower, dry]).rows
    for x, y, z, expected in (
        (0.0, -1.0, 0.0, 1.0),
        (0.0, 0.4, 0.0, -0.4),
        (0.0, 0.7, 0.0, NO_SURFACE),  # too far below
        (7.5, -1.0, 0.0, NO_SURFACE),
        (5.2, -2.5, 0.0, 0.5),  # beside the water by less than the margin
    ):
        found = water_surface(rows, (x, y, z), (0.0, 1.0, 0.0), 0.3, -0.6, 1.8)
        assert found == (expected if expected == NO_SURFACE else pytest.approx(expected, abs=1e-12)), (x, y, z)
    slanted = math.sqrt(0.5)  # along a slanted up, the way to the surface is longer
    found = water_surface(rows, (0.0, -1.0, 0.0), (slanted, slanted, 0.0), 0.3, -0.6, 1.8)
    assert found == pytest.approx(math.sqrt(2.0), abs=1e-12)


def test_ladders_still_lead_out() -> None:
    """A ladder on a wall far too high; and one on a bank that is climbed without it too."""
    ladder = Zone((0, -0.5, -2.2), (0.5, 3.55, 0.7), climb=(0, 0, -1))
    around = Environment(Zones([WATER, ladder]))
    states = _swum(mesh(BED, bank(3.0)), _walker(), 6.0, around=around, **FORWARD)
    assert _is_on_top(states, 3.0)
    assert (states["climbing"] & ~states["swimming"]).any()
    ladder = Zone((0, -1.7, -2.2), (0.5, 2.25, 0.7), climb=(0, 0, -1))
    around = Environment(Zones([WATER, ladder]))
    assert _is_on_top(_swum(mesh(BED, bank(0.5)), _walker(), 4.0, around=around, **FORWARD), 0.5)


@pytest.mark.each_once
@pytest.mark.parametrize(
    "motion",
    [Motion(), Motion(path=((0, 0, 0), (3, 0, 0)), seconds=4.0), Motion(path=((0, 0, 0), (0, 0, -3)), seconds=5.0),
     Motion(path=((0, -0.2, 0), (0, 0.2, 0)), seconds=1.5)],
)  # fmt: skip
@pytest.mark.parametrize("rate", [30, 240])
def test_a_pontoon_is_climbed_and_ridden(rate: int, motion: Motion) -> None:
    """It stands, drifts along, drifts away, or bobs."""
    pontoon = Mover(mesh(box(-2, -0.6, -2, 2, 0.2, 2)), (0, 0, -4), motion)
    around = Environment(Zones([Zone((0, -2, 0), (20, 2, 20), water=True)]), Movers([pontoon], rate))
    states = _swum(mesh(box(-20, -5, -20, 20, -4, 20)), _walker(rate), 5.0, around=around, **FORWARD)
    aboard = states["grounded"] & (states["mover"] == 1)
    assert aboard.any()
    assert states["grounded"][np.flatnonzero(states["climbing"])[-1] + 1]


pytestmark = pytest.mark.jit  # too many ticks without it
