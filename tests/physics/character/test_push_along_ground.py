"""A moving wall pushes a body along the ground: up kerbs and stairs that it could walk up, and no higher."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import Environment, Motion, Mover, Movers, TriangleMesh, Walker, WalkerSettings
from tests.support.scenes import BODIES, box, floor, gaps, mesh, quad, walk

FLOOR = floor(-30, -30, 30, 30)
HALF_SKIN = 0.005 - 2e-6  # ellipsoid space; less what rounding may take


def flight(rise: float, tread: float, count: int) -> list[Any]:
    """Stairs towards -Z from z = -2, with a wide landing on top."""
    return [t for k in range(count) for t in box(-9, -1, -30, 9, rise * (k + 1), -2 - tread * k)]


FLIGHTS = {
    "kerb of 0.10 m": flight(0.10, 0.3, 1),
    "kerb of 0.20 m": flight(0.20, 0.3, 1),
    "kerb of 0.39 m": flight(0.39, 0.3, 1),
    "stairs": flight(0.18, 0.30, 12),
    "short treads": flight(0.20, 0.10, 6),
}  # fmt: skip


def drive(velocity: tuple[float, float, float], distance: float = 8.0) -> Motion:
    """Motion at a constant velocity (m/s) over a distance (m), and back."""
    seconds = distance / math.hypot(*velocity)
    x, y, z = velocity
    return Motion(((0, 0, 0), (seconds * x, seconds * y, seconds * z)), seconds, ease=False)


def rotation_about_y(degrees: float) -> Any:
    a = math.radians(degrees)
    return np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])


def panel(speed: float, bottom: float = 0.02, top: float = 6.0, turn: float = 0.0) -> Mover:
    """A wall that drives at `speed` (m/s) towards -Z, from z = 1.5; turn: degrees of its face from the kerbs'."""
    triangles = np.array(box(-9, bottom, 0, 9, top, 0.5)) @ rotation_about_y(turn).T
    return Mover(TriangleMesh(triangles), (0, 0, 1.5), drive((0, 0, -speed)))


class Scene(NamedTuple):
    """A level and what moves in it; the body starts at `feet` and asks for nothing but its heading."""

    triangles: Sequence[Any]
    movers: Sequence[Mover]
    seconds: float
    rate: int = 60
    body: str = "default"
    feet: tuple[float, float, float] = (0.0, 0.0, 0.0)
    degrees: float = 0.0  # of its heading


def states_of(scene: Scene, is_free: bool = True) -> Any:
    """The state after each tick. is_free: no tick ends nearer to anything than half the skin."""
    level, movers = mesh(FLOOR, scene.triangles), Movers(scene.movers, scene.rate)
    walker = Walker(WalkerSettings(radii=BODIES[scene.body], ticks_per_second=scene.rate))
    around, ticks = Environment(movers=movers), int(scene.seconds * scene.rate)
    _, states = walk(level, ticks, scene.feet, walker, scene.degrees, around)
    if is_free:
        rest, *own = (each.triangles12[:, :9].reshape(-1, 3, 3) for each in (level, *(mover.mesh for mover in movers)))
        placed = [
            np.concatenate([rest, *(t @ p[:, :3].T + p[:, 3] for t, p in zip(own, movers.poses(k + 1), strict=True))])
            for k in range(ticks)
        ]
        assert gaps(states, np.array(placed)).min() >= HALF_SKIN
    return states


def is_crushed(states: Any) -> bool:
    """True if the body was put back to where it started, in the air as after every crush."""
    return bool(((states["position"] == states["safe"]).all(axis=1) & ~states["grounded"]).any())


@pytest.mark.each_once
@pytest.mark.parametrize(("rate", "speed"), [(60, 1.0), (30, 0.5), (10, 12.0), (60, 4.0), (240, 3.0), (120, 0.5)])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("what", FLIGHTS)
def test_a_moving_wall_pushes_a_body_up_what_it_could_walk_up(what: str, body: str, rate: int, speed: float) -> None:
    states = states_of(Scene(FLIGHTS[what], [panel(speed)], 7.9 / speed, rate, body))
    assert not is_crushed(states)
    assert states["grounded"].all()
    top = max(y for triangle in FLIGHTS[what] for _, y, _ in triangle)
    assert states["position"][-1, 1] == pytest.approx(top + 0.9 * 1.01, abs=1e-6)
    end = 1.5 - speed * len(states) / rate
    assert end - 0.16 < states["position"][-1, 2] + BODIES[body][2] * 1.01 <= end + 1e-6


@pytest.mark.each_once
@pytest.mark.parametrize("what", ["kerb of 0.20 m", "kerb of 0.39 m", "stairs"])
@pytest.mark.parametrize("speed", [1.0, 8.0])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(
    ("bottom", "top"), [(0.02, 0.1), (0.02, 0.3), (0.02, 0.9), (0.3, 0.5), (0.6, 1.2), (0.9, 1.2), (1.1, 3.0)]
)
def test_walls_of_any_height_push_without_a_crush(
    what: str, speed: float, body: str, bottom: float, top: float
) -> None:
    """Also one lower than a step, which ends below the body, and one whose edge meets the body at its middle."""
    for turn, degrees in ((0.0, 0.0), (0.0, 20.0), (15.0, 0.0)):
        moving = panel(speed, bottom, top, turn)
        states = states_of(Scene(FLIGHTS[what], [moving], 7.9 / speed, 60, body, degrees=degrees))
        assert not is_crushed(states)


TOP = 0.9 * 1.01  # of the centre of a standing body above its ground
HIGH = flight(0.45, 0.3, 1)
LOW = {y: [*flight(0.20, 0.3, 1), *quad((-9, y, -2), (9, y, -2), (9, y, -9), (-9, y, -9))] for y in (2.0, 2.05)}
KERB = flight(0.39, 0.3, 1)
LIFT = mesh(box(-2, -0.5, -1.99, 2, 0.05, 1.4))
ACROSS = Mover(mesh(box(0, 0.02, -9, 0.5, 6, 9)), (1, 0, 0), drive((-0.5, 0, 0)))
AGAINST = Mover(mesh(box(-9, 0.02, 0, 9, 6, 0.5)), (0, 0, -2), drive((0, 0, 0.5)))
RISING, FAST = Mover(LIFT, (0, 0, 0), drive((0, 0.05, 0), 0.3)), Mover(LIFT, (0, 0, 0), drive((0, 1, 0), 2.0))
SINKING = Mover(LIFT, (0, 0.3, 0), drive((0, -0.1, 0), 0.3))
SCENES = {
    "two walls at a right angle": (Scene(KERB, [panel(1.0), ACROSS], 5.0), 0.39),
    "two walls of different heights": (
        Scene(FLIGHTS["stairs"], [panel(1.0, 0.02, 0.5), panel(0.97, 1.0, 6.0)], 7.0),
        12 * 0.18,
    ),
    "a lift that rises beside a kerb": (Scene(KERB, [RISING, panel(1.0, 0.5)], 5.0), 0.39),
    "a lift that sinks beside a kerb": (Scene(KERB, [SINKING, panel(2.0, 0.5)], 3.0, feet=(0, 0.35, 0)), 0.39),
    "a lift that rises beside stairs, in long ticks": (
        Scene(flight(0.3, 0.3, 12), [FAST, panel(12.0, 1.0, 9.0)], 0.6, 10),
        12 * 0.3,
    ),
    "a ceiling that leaves room": (Scene(LOW[2.05], [panel(1.0)], 5.0), 0.2),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_the_body_ends_on_top(name: str) -> None:
    scene, height = SCENES[name]
    states = states_of(scene)
    assert not is_crushed(states)
    assert states["position"][-1, 1] == pytest.approx(height + TOP, abs=1e-6)


VICES = {
    "a kerb higher than a step": Scene(HIGH, [panel(1.0)], 6.0),
    "steps of which two at once are higher than a step": Scene(flight(0.3, 0.02, 2), [panel(0.3)], 20.0),
    "stairs too steep for a walk": Scene(flight(0.217, 0.05, 6), [panel(1.0)], 6.0),
    "a ceiling that leaves no room": Scene(LOW[2.0], [panel(1.0)], 6.0),
    "two walls that face each other": Scene([], [panel(1.0), AGAINST], 6.0),
    "a wall before a wall": Scene(box(-9, 0, -3, 9, 3, -2), [panel(12.0)], 0.6, 10),
}  # fmt: skip


@pytest.mark.parametrize("name", VICES)
def test_a_vice_crushes(name: str) -> None:
    states = states_of(VICES[name], is_free=False)
    assert is_crushed(states)
    assert states["position"][:, 1].max() < 0.42 + TOP


SLANTED = np.array(box(-9, 0, -9, 9, 0.78, 0)) @ rotation_about_y(30.0).T + [0, 0, -2.7]
TWO_RISERS = {
    "risers of one flight": (flight(0.3, 0.02, 2), 1.0, 60),
    "a kerb of 0.39 m, and another one across it": ([*KERB, *SLANTED], 12.0, 10),
}  # triangles, speed of the wall (m/s), ticks a second


@pytest.mark.parametrize("name", TWO_RISERS)
def test_one_tick_climbs_no_higher_by_push_and_own_move_than_by_one_of_them(name: str) -> None:
    """The body walks against risers that it must not climb in one tick, and a wall pushes it at the same time."""
    triangles, speed, rate = TWO_RISERS[name]
    walker, around = Walker(WalkerSettings(ticks_per_second=rate)), Environment(movers=Movers([panel(speed)], rate))
    _, states = walk(mesh(FLOOR, triangles), int(4 * rate / speed), (0, 0, 0), walker, 0.0, around, forward=1.0)
    rises = np.diff(states["position"][:, 1])
    assert rises.max() < 0.401, rises.max()


def pushed_off_stairs(velocity: tuple[float, float, float]) -> Any:
    """Centre relative to stairs that drive at `velocity`, while a wall drives the body up them and off their end."""
    steps = [box(-3, -1, -5, 3, 0.18 * (k + 1), -2 - 0.3 * k) for k in range(6)]
    stairs, pusher = mesh(box(-3, -1, -5, 3, 0, 1.4), *steps), mesh(box(-3, 0.02, 0, 3, 6, 0.5))
    x, y, z = velocity
    drives, pushes = (Motion(((0, 0, 0), (4 * x, 4 * y, end)), 4.0, ease=False) for end in (4 * z, 4 * z - 8))
    movers = Movers([Mover(stairs, (0, 0, 0), drives), Mover(pusher, (0, 0, 1), pushes)])
    _, states = walk(mesh(floor(-90, -90, 90, 90, -20.0)), 205, around=Environment(movers=movers))
    return states["position"] - np.outer(np.arange(1, 206) / 60, velocity)


@pytest.mark.parametrize("velocity", [(1e-6, 0.0, 0.0), (0.1, 0.0, 0.1), (0.0, 0.1, 0.0), (0.0, -0.5, 0.0)])
def test_a_push_on_stairs_that_drive_is_that_on_stairs_at_rest(velocity: tuple[float, float, float]) -> None:
    resting = pushed_off_stairs((0.0, 0.0, 0.0))
    assert resting[:, 1].max() > 6 * 0.18 + 0.9 > resting[-1, 1] + 0.2  # up the stairs, and down behind them
    assert np.abs(pushed_off_stairs(velocity) - resting).max() < 1e-9
