"""The velocity that a body takes along from a platform, a belt, a pad or a current, in the air and at walls."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import (
    Command,
    Crowd,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
)
from tests.support.scenes import BODIES, box, floor, mesh, quad, ramp, turned, wall

CAR = box(-3, 0, -30, 3, 4, 30)
LEVEL = floor(-90, -90, 90, 90)
UPS = {
    "up": np.eye(3),
    "slanting": np.array([[0.6, 0, 0.8], [0.48, 0.8, -0.36], [-0.64, 0.6, 0.48]]),
}  # rotations of the whole scene


def drive(velocity: Any, seconds: float = 40.0) -> Motion:
    """Motion at a constant velocity (m/s)."""
    return Motion(((0, 0, 0), tuple(seconds * float(v) for v in velocity)), seconds, ease=False)


def walk(triangles: Any, velocity: Any, at: Any, commands: Any, rate: float = 60.0, turn: Any = UPS["up"]) -> Any:
    """(states, feet relative to a mover of these triangles that drives at `velocity`) of a walk that begins on it."""
    turned, walker = TriangleMesh(np.array(triangles, float) @ turn.T), Walker(WalkerSettings(ticks_per_second=rate))
    movers = Movers([Mover(turned, (0, 0, 0), drive(turn @ velocity))], rate)
    around = Environment(movers=movers)
    far = mesh(floor(-9, -9, 9, 9, -500.0))
    start = walker.spawn(far, tuple(turn @ at), up=tuple(turn[:, 1]), north=tuple(-turn[:, 2]), around=around)
    states = walker.run(start, walker.commands(commands), far, around=around)
    feet = states["position"] - 0.9 * turn[:, 1]
    places = np.array([movers.poses(tick + 1)[0][:, 3] for tick in range(len(states))])
    return states, (feet - places) @ turn


class Scene(NamedTuple):
    """A level of one surface, what is in it, and the walk of a body that starts at the origin."""

    triangles: Any
    commands: Any
    movers: Any = ()
    zone: Zone | None = None
    material: Material | None = None
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)


def states_of(scene: Scene, rate: float = 60.0) -> Any:
    """The state after each tick."""
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    triangles = np.array(scene.triangles, float)
    level = TriangleMesh(triangles, np.zeros(len(triangles), np.int32), [scene.material or Material()])
    around = Environment(Zones([scene.zone] if scene.zone else []), Movers(scene.movers, rate))
    start = walker.spawn(level, scene.at, around=around)
    return walker.run(start, walker.commands(scene.commands), level, around=around)


# Each scene throws a body against a wall at x = 2 in the air; it slides along the wall, towards z.
BELT_END = [*quad((-9, 0, 5), (1, 0, 5), (1, 0, -5), (-9, 0, -5)), *wall(2, 30, 2, -30, 9)]
DEEP_WALL = wall(2, 30, 2, -30, 90, -40)
THROWS = {
    "a belt that ends there": Scene(
        BELT_END, [Command(jump=k == 30) for k in range(75)], material=Material(flow=(6.0, 3.0)), at=(-3.0, 0.0, -4.0)
    ),
    "a pad": Scene(
        [*LEVEL, *wall(2, 30, 2, -30, 9)], [Command()] * 60, zone=Zone((0, 0, 0), (0.5,) * 3, launch=(6.0, 7.0, 3.0))
    ),
    "a current": Scene(
        [*floor(-9, -9, 9, 9, -30), *DEEP_WALL], [Command()] * 110, at=(-4.0, 0.0, 0.0),
        zone=Zone((0, 0, 0), (50, 50, 50), current=(6.0, 0.0, 3.0)),
    ),
    "a platform": Scene(
        [*floor(-90, -9, 9, 9, -30), *DEEP_WALL], [Command(jump=k == 10) for k in range(70)], at=(-0.5, 0.0, 0.0),
        movers=[Mover(mesh(floor(-3, -3, 0.2, 3)), (0, 0, 0), drive((6.0, 0.0, 3.0)))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("throw", THROWS)
def test_a_wall_takes_only_what_goes_into_it(throw: str) -> None:
    states = states_of(THROWS[throw])
    touched = np.flatnonzero(states["carried"][:, 0] > 5.9)[-1] + 1
    assert not states["grounded"][touched : touched + 9].any()
    assert states["position"][touched, 0] == pytest.approx(2.0 - 0.35 * 1.0076, abs=0.36 * 0.0025)
    assert np.abs(states["carried"][touched : touched + 9] - (0.0, 0.0, 3.0)).max() < 1e-12
    assert states["velocity"][touched : touched + 9, 0] == pytest.approx(0.0, abs=1e-12)
    assert states["velocity"][touched : touched + 9, 2] == pytest.approx(3.0, abs=1e-12)


WALL = mesh(box(-9, 0.5, -1.4, 9, 5, -1))  # in front of a body at the origin


POOL = Zone((0.0, -1.0, 0.0), (9.0, 3.0, 30.0), water=True)
DEEP = mesh(box(-9, -4, -1.4, 9, 5, -1))
AHEAD = [Command(forward=1.0, jump=k == 70) for k in range(110)]
BEFORE_A_WALL = {  # scene, speed of the wall, tick from which on the body is at it
    "it runs after the wall and jumps when it has it": (
        Scene(LEVEL, AHEAD, [Mover(WALL, motion=drive((0, 0, -3.0)))]), -3.0, 60,
    ),
    "it swims after the wall": (
        Scene(floor(-90, -90, 90, 90, -4.0), [Command(forward=1.0)] * 240, [Mover(DEEP, motion=drive((0, 0, -1.0)))],
              POOL, at=(0.0, -1.0, 0.0)),
        -1.0, 120,
    ),
    "it floats before a wall that comes nearer": (
        Scene(floor(-90, -90, 90, 90, -4.0), [Command()] * 240, [Mover(DEEP, motion=drive((0, 0, 1.0)))],
              POOL, at=(0.0, -1.0, 0.0)),
        1.0, 120,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BEFORE_A_WALL)
def test_a_body_follows_a_wall_that_flees_and_is_thrown_by_none(name: str) -> None:
    scene, speed, first = BEFORE_A_WALL[name]
    states = states_of(scene)
    assert scene.zone or (states["carried"] == 0.0).all()
    states = states[first:]
    assert states["swimming"].all() == (scene.zone is not None)
    assert states["velocity"][:, 2] == pytest.approx(min(speed, 0.0), abs=1e-9)
    wall_at = -1.0 + speed * np.arange(first + 1, len(scene.commands) + 1) / 60
    assert states["position"][:, 2] - wall_at == pytest.approx(0.25 * 1.01, abs=0.25 * 0.006)


@pytest.mark.parametrize("speed", [1.0, 3.0, 12.0])
@pytest.mark.parametrize(("forward", "strafe"), [(0.0, 0.0), (0.0, 0.5), (1.0, 0.0), (0.3, 0.5)])
def test_a_piston_throws_no_body_that_jumps(speed: float, forward: float, strafe: float) -> None:
    """It pushes the body before it, also one that presses against it; when it stops, the body falls straight down."""
    commands = [Command(forward, strafe, jump=k == 5) for k in range(30 + int(90 / speed))]
    motion = Motion(((0, 0, 0), (0, 0, 1.5)), 1.5 / speed, 99.0, ease=False, phase=99.0)
    states = states_of(Scene(LEVEL, commands, [Mover(WALL, (0, 0, 0), motion)]))
    assert (states["carried"] == 0.0).all()
    assert states["velocity"][:, 2].max() < 1e-9
    assert states["position"][-1, 2] == pytest.approx(0.5 + 0.25 * 1.01, abs=0.25 * 0.011)


@pytest.mark.parametrize("speed", [1.0, 3.0, 6.0, 12.0])
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_a_low_box_that_drives_at_a_body_does_not_throw_it(speed: float, rate: float) -> None:
    low = Mover(mesh(box(-3, 0.05, -9, 3, 0.3, -1)), (0, 0, 0), drive((0, 0, speed)))
    for forward in (0.0, 1.0, -1.0):
        states = states_of(Scene(LEVEL, [Command(forward=forward)] * int(2 * rate), [low]), rate)
        assert states["position"][:, 1].max() < 0.3 + 0.91
        assert (states["carried"][:, 1] == 0.0).all()
        free = ~states["grounded"]
        assert states["velocity"][free, 1].max(initial=-1.0) <= 1e-9
        assert states["velocity"][free, 2].max(initial=-9.0) <= max(4.0 * -forward, speed, 0.0) + 1e-9


def test_two_walls_of_different_speeds_each_take_their_part() -> None:
    """A body leaves a platform of (3, 0, -3) m/s, at a resting wall to its right and one ahead that flees at 2 m/s."""
    platform = Mover(mesh(floor(-2, -2, 2, 2)), (0, 0, 0), drive((3.0, 0.0, -3.0)))
    ahead = Mover(mesh(wall(-9, 0, 20, 0, 8, -4)), (0, 0, -0.8), drive((0, 0, -2.0)))
    right = wall(2.5, 60, 2.5, -60, 90, -40)
    commands = [Command(jump=k == 10) for k in range(58)]
    states = states_of(Scene([*floor(-9, -9, 9, 9, -30), *right], commands, [platform, ahead]))
    assert (np.abs(states["carried"][12] - (3.0, 0.0, -3.0)) < 1e-9).all()
    assert not states["grounded"][-1]
    assert states["velocity"][-1, [0, 2]] == pytest.approx((0.0, -2.0), abs=1e-9)
    assert states["carried"][-1] == pytest.approx((0.0, 0.0, -2.0), abs=1e-9)


@pytest.mark.parametrize("speed", [3.0, 12.0])
def test_a_body_rests_in_the_corner_of_a_car_that_flees(speed: float) -> None:
    """It presses into the corner ahead and to the left, in a jump too: relative to the car it stands."""
    commands = [Command(forward=1.0, strafe=-0.6, jump=k == 120) for k in range(180)]
    states, places = walk(CAR, (-speed, 0.0, -speed), (-2.3, 0.0, -29.3), commands)
    assert np.abs(places[119:, [0, 2]] - places[119, [0, 2]]).max() < 1e-9
    free = ~states["grounded"][119:]
    assert free.sum() > 40
    assert (np.abs(states["velocity"][119:][free][:, [0, 2]] + speed) < 1e-9).all()
    assert (np.abs(states["carried"][119:][free][:, [0, 2]] + speed) < 1e-9).all()


@pytest.mark.parametrize("drives", [(2.0, 0.0, 2.0), (6.0, 0.0, 1.0), (3.0, 0.0, -2.0)])
@pytest.mark.parametrize("speed", [3.0, 8.0])
def test_a_wall_that_hits_a_body_in_the_air_leaves_it_what_is_along_the_wall(drives: Any, speed: float) -> None:
    """A body jumps on a platform; a wall that drives at it keeps it before it, and abreast of the platform."""
    platform = Mover(mesh(floor(-4, -4, 4, 4)), (0, 0, 0), drive(drives))
    hits = Mover(mesh(box(-50, 0.05, 2.0, 50, 9, 2.4)), (0, 0, 0), drive((0, 0, -speed)))
    commands = [Command(jump=k == 10) for k in range(45)]
    states = states_of(Scene(floor(-9, -9, 9, 9, -30), commands, [platform, hits]))
    free = ~states["grounded"]
    assert free.sum() > 30
    assert np.abs(states["position"][:, 0] - drives[0] * np.arange(1, 46) / 60).max() < 1e-9
    assert np.abs(states["carried"][free, 0] - drives[0]).max() < 1e-9
    states_in_the_air = [WalkerState(row) for row in states[free]]
    assert [state.carried_velocity[0] for state in states_in_the_air] == pytest.approx([drives[0]] * free.sum())
    assert WalkerState(states[0]).grounded
    assert WalkerState(states[0]).carried_velocity == (0.0, 0.0, 0.0)
    assert (states["position"][:, 2] < 2.0 - speed * np.arange(1, 46) / 60).all()


@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize(
    ("lean", "rise", "approach"), [(10, 3.0, 0.5), (10, 12.0, 0.5), (3, 12.0, 0.3), (10, 3.0, 0.0)]
)
def test_an_overhang_that_rises_throws_no_body_that_presses_against_it(
    rate: int, lean: float, rise: float, approach: float
) -> None:
    """The overhang is a ceiling that flees: it takes speed from a rise, and gives none."""
    a = np.radians(lean)
    leans = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    overhang = TriangleMesh(np.array(box(-9, -30, -0.4, 9, 5, 0)) @ leans.T)
    moving = Mover(overhang, (0, 0, -1.5), drive((0, rise, approach), 5.0))
    commands = [Command(forward=1.0, jump=k == rate // 5) for k in range(2 * rate)]
    states = states_of(Scene(LEVEL, commands, [moving]), rate)
    assert states["position"][:, 1].max() < 0.909 + 1.001
    assert states["falling"].max() < np.sqrt(2 * 9.81)
    assert (states["falling"] > 4.0).any()  # it has jumped


@pytest.mark.parametrize("rate", [30, 60, 240])
def test_the_lower_edge_of_a_resting_beam_takes_no_fall(rate: int) -> None:
    """The body jumps off a lift that sinks at 6 m/s, and forwards under a beam, whose lower edge it touches."""
    lift = Mover(mesh(box(-1.5, -0.2, -0.3, 1.5, 0, 3)), (0, 0, 0), drive((0, -6.0, 0), 10.0))
    heads = 0
    for low in np.arange(-0.5, 2.0, 0.1):
        scene = Scene(
            [*floor(-9, -9, 9, 9, -70), *box(-9, low, -3, 9, 9, -0.4)],
            [Command(forward=1.0, jump=k == 5) for k in range(rate)],
            [lift],
            at=(0.0, 0.0, 0.2),
        )
        states = states_of(scene, rate)
        free = ~states["grounded"][:-1] & ~states["grounded"][1:]
        assert np.diff(states["falling"])[free].max() < 1e-9
        heads += int((np.abs(np.diff(states["velocity"][:, 2])[free]) > 0.1).sum())
    assert heads > 0


@pytest.mark.parametrize(("degrees", "x", "look"), [(10, 0.4, 2000), (10, 1.2, 8000), (20, 0.8, 2000), (30, 0.8, 0)])
def test_all_walls_of_a_narrow_corner_cut_the_carried_velocity(degrees: float, x: float, look: int) -> None:
    """A platform throws the body along a wall into a corner. degrees: half the angle; look: heading in the air."""
    platform = Mover(mesh(floor(-0.5, -1, 1.8, 1)), (0, 0, 0), drive((0.0, 0.0, -4.0)))
    right, back = 12 * np.sin(np.radians(degrees)), 12 * np.cos(np.radians(degrees)) - 9
    corner = [*wall(0, -9, right, back, 130, -90), *wall(-right, back, 0, -9, 130, -90)]
    commands = [Command(forward=1.0, jump=k == 10, heading=look if k > 11 else 0) for k in range(120)]
    states = states_of(Scene([*floor(-9, -9, 9, 9, -80), *corner], commands, [platform], at=(x, 0.0, 0.0)))
    held = np.flatnonzero(~states["grounded"] & (states["velocity"][:, [0, 2]] == 0.0).all(axis=1))
    assert len(held) > 50
    assert np.abs(states["carried"][held[0] - 1, 2]) > 1.0  # until then
    assert (states["carried"][held] == 0.0).all()


# Both move together


def hop(rate: float, **keys: float) -> list[Command]:
    """The same keys all the time, with a jump after half a second."""
    return [Command(jump=k == int(rate) // 2, **keys) for k in range(int(2 * rate))]


@pytest.mark.each_once
@pytest.mark.parametrize("rate", [10, 30, 60, 240])
@pytest.mark.parametrize("speed", [-20.0, -12.0, -6.0, -2.0, 2.0, 6.0, 12.0, 20.0])
def test_a_jump_on_a_lift_is_that_on_the_ground(rate: int, speed: float) -> None:
    deck = box(-2, -0.2, -2, 2, 0, 2)
    lifted, rising = walk(deck, (0.0, speed, 0.0), (0.2, 0.0, -0.4), hop(rate), rate)
    still, resting = walk(deck, (0.0, 0.0, 0.0), (0.2, 0.0, -0.4), hop(rate), rate)
    assert np.abs(rising - resting).max() < 1e-9
    assert (lifted["grounded"] == still["grounded"]).all()
    assert rising[:, 1].max() - rising[0, 1] == pytest.approx(1.0, abs=1.2 / rate**2 * 9.81)


BESIDE = {  # feet, 2 cm from a wall, and keys
    "the wall ahead": ((0.0, 0.0, -29.7275), {}),
    "the wall behind": ((0.0, 0.0, 29.7275), {}),
    "a wall along which it slides": ((-2.6, 0.0, 0.0), {"strafe": -0.3}),
}


@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize(
    "velocity", [(0.0, 0.0, -12.0), (0.0, 0.0, 12.0), (0.0, 12.0, 0.0), (0.0, -12.0, 0.0), (5.0, -3.0, 8.0)]
)
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("up", ["up", "slanting"])
def test_a_jump_beside_a_wall_or_under_the_roof_of_a_car(rate: int, velocity: Any, beside: str, up: str) -> None:
    """The roof is 0.7 m above the head: it ends the rise where it would in a car at rest, within a skin."""
    (feet, keys), car = BESIDE[beside], box(-3, 0, -30, 3, 2.5, 30)
    moving, places = walk(car, velocity, feet, hop(rate, **keys), rate, UPS[up])
    resting, still = walk(car, (0.0, 0.0, 0.0), feet, hop(rate, **keys), rate, UPS[up])
    assert np.abs(places - still).max() < (0.009 if up == "slanting" else 1e-6 if keys else 1e-9)
    assert (moving["grounded"] == resting["grounded"]).all()


@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize("speed", [-12.0, -3.0, 3.0, 12.0])
@pytest.mark.parametrize("turns", [False, True])
def test_a_lift_that_stops_or_turns_in_the_tick_of_the_jump(rate: int, speed: float, turns: bool) -> None:
    """The body keeps the speed of the tick in which it left: it falls freely until it meets the lift again."""
    ticks = int(rate) // 2 + 1
    way = speed * ticks / rate
    path = Motion(
        ((0, 0, 0), (0, way, 0)), ticks / rate, 0.0 if turns else 9.0, ease=False, phase=0.0 if turns else 9.0
    )
    lift = Mover(mesh(box(-2, -0.2, -2, 2, 0, 2)), (0, 0, 0), path)
    states = states_of(Scene(floor(-9, -9, 9, 9, -60.0), hop(rate), [lift]), rate)
    jump = int(rate) // 2
    free = np.flatnonzero(states["grounded"][jump:])
    free = jump + np.arange(free[0] if len(free) else len(states) - jump)
    time = (free - jump + 1) / rate
    start = states["position"][jump - 1, 1] if jump else 0.0
    fall = (speed + np.sqrt(2 * 9.81)) * time - 9.81 * time**2 / 2
    assert len(free) > 0
    assert states["position"][free, 1] - start == pytest.approx(fall, abs=1e-9)
    assert states["carried"][free, 1] == pytest.approx(speed, abs=1e-9)


@pytest.mark.parametrize("rate", [10, 30, 60, 240])
@pytest.mark.parametrize("velocity", [(0.0, 0.0, -12.0), (8.0, 0.0, -8.0), (0.0, 12.0, 0.0), (0.0, 0.0, -60.0)])
def test_a_car_that_stops_keeps_the_body_that_jumps_in_it(rate: int, velocity: Any) -> None:
    """The wall ahead, or the roof, takes what the body had from the car."""
    seconds = 0.8
    way = tuple(seconds * v for v in velocity)
    car = Mover(
        mesh(box(-3, 0, -3, 3, 2.5, 3)), (0, 0, 0), Motion(((0, 0, 0), way), seconds, 9.0, ease=False, phase=9.0)
    )
    states = states_of(Scene(floor(-9, -9, 9, 9, -60.0), hop(rate), [car]), rate)
    place = states["position"][-1] - way
    assert np.abs(place[[0, 2]]).max() < 3.0
    assert place[1] == pytest.approx(0.909, abs=0.001)
    assert states["grounded"][-1]
    assert np.abs(states["velocity"][-1]).max() < 1e-9


@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize("speed", [6.0, 12.0, 40.0])
def test_a_lift_that_starts_catches_a_body_that_has_jumped(rate: int, speed: float) -> None:
    """The body jumps 0.1 s before the lift starts, and stands on it as soon as it is reached."""
    start, way = 0.6, 60.0
    motion = Motion(((0, 0, 0), (0, way, 0)), way / speed, 9.0, ease=False, phase=9.0 - start)
    lift = Mover(mesh(box(-2, -0.2, -2, 2, 0, 2)), (0, 0, 0), motion)
    states = states_of(Scene(floor(-9, -9, 9, 9, -60.0), hop(rate)[: int(rate * (start + way / speed))], [lift]), rate)
    after = (np.arange(len(states)) + 1) / rate - 0.5
    deck = speed * np.maximum(after - 0.1, 0.0)
    free = np.sqrt(2 * 9.81) * after - 9.81 * after**2 / 2
    caught = int(np.argmax((deck > free) & (after > 0.1 + 1.5 / rate))) + 1
    assert states["grounded"][caught:].all()
    assert states["position"][caught:, 1] - 0.909 == pytest.approx(deck[caught:], abs=1e-6)


def test_a_late_jump_off_a_lift_has_the_speed_of_the_lift() -> None:
    """A body runs off the edge of a lift and jumps within the coyote time."""
    deck = box(-2, -0.2, -2, 2, 0, 2)
    for speed in (0.0, 5.0, -5.0):
        commands = [Command(forward=1.0, jump=k == 34) for k in range(37)]
        states, _ = walk(deck, (0.0, speed, 0.0), (0.0, 0.0, 0.0), commands)
        assert not states["grounded"][33:].any()
        assert states["falling"][34] == pytest.approx(speed + np.sqrt(2 * 9.81) - 9.81 / 60, abs=1e-9)


def test_a_trampoline_on_a_lift_returns_the_speed_to_itself() -> None:
    deck = np.array(box(-2, -0.2, -2, 2, 0, 2), float)
    tops = []
    for speed in (0.0, 6.0, -6.0):
        springy = TriangleMesh(deck, np.zeros(len(deck), np.int32), [Material(bounce=0.8)])
        movers = Movers([Mover(springy, (0, 0, 0), drive((0.0, speed, 0.0)))], 60)
        walker, far = Walker(WalkerSettings()), mesh(floor(-9, -9, 9, 9, -300.0))
        start = walker.spawn(far, (0.0, 0.0, 0.0), around=Environment(movers=movers))
        states = walker.run(start, walker.commands(hop(60) * 2), far, around=Environment(movers=movers))
        tops.append(states["position"][:, 1] - [movers.poses(k + 1)[0][1, 3] for k in range(len(states))])
    assert np.abs(tops[1] - tops[0]).max() < 1e-9
    assert np.abs(tops[2] - tops[0]).max() < 1e-9


def random_room(rng: Any) -> Any:
    """A closed room with boxes, shelves and perhaps a slope."""
    parts = box(-3, 0, -2.5, 3, float(rng.uniform(2.1, 3.2)), 2.5)
    for _ in range(int(rng.integers(2, 6))):
        x, z, a, b, high = *rng.uniform(-2.5, 2.5, 2), *rng.uniform(0.1, 1.0, 3)
        y = float(rng.choice([0.0, 0.0, 0.0, 1.0, 1.7]))
        parts += turned(box(x - a, y, z - b, x + a, y + high, z + b), float(rng.uniform(0, 90)), (x, 0.0, z))
    if rng.random() < 0.6:
        slope = ramp(float(rng.choice([15, 30, 44, 50, 60, 75])), float(rng.uniform(0.5, 1.5)), 2.0, 1.0)
        parts += turned(slope, float(rng.uniform(0, 360)))
    return parts


ZONES = ("no zone", "water", "water and a ladder")


def random_zones(rng: Any) -> list[Zone]:
    """Water up to a random height in `random_room`, and a ladder at one of its walls."""
    depth, z = float(rng.uniform(0.4, 2.0)), float(rng.uniform(-2.0, 2.0))
    water = Zone((0.0, depth - 1.0, 0.0), (3.0, 1.0, 2.5), water=True, mover=0)
    return [water, Zone((2.7, 1.0, z), (0.3, 1.1, 0.5), climb=(1.0, 0.0, 0.0), mover=0)]


def held(rng: Any, choices: Any, ticks: int, stretch: int) -> Any:
    """A random value for each tick, held for so many ticks."""
    return np.repeat(rng.choice(choices, ticks // stretch + 1), stretch)[:ticks]


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.full) for first in range(100, 1000, 100))]
)
@pytest.mark.jit
@pytest.mark.parametrize("zones", ZONES)
def test_a_walk_in_a_room_that_moves_is_that_in_a_room_at_rest(first: int, zones: str) -> None:
    for seed in range(first, first + 100):
        check_room(seed, zones)


def check_room(seed: int, zones: str) -> None:
    """Walks may part in a tick which the walk at rest also ends both ways when it begins 1e-14 m aside, or without
    velocities that are only rounding."""
    rng = np.random.default_rng(seed)
    rate = float(rng.choice([30.0, 60.0, 60.0, 120.0, 240.0]))
    radii, step_height = BODIES[str(rng.choice(list(BODIES)))], float(rng.choice([0.0, 0.4, 0.4]))
    walker = Walker(WalkerSettings(radii=radii, ticks_per_second=rate, step_height=step_height))
    room, far = mesh(random_room(rng)), mesh(floor(-9, -9, 9, 9, -5000.0))
    velocity = rng.normal(size=3)
    velocity *= rng.choice([1.0, 3.0, 6.0, 12.0, 20.0]) / np.linalg.norm(velocity)
    if rng.random() < 0.3:
        velocity = np.array([0.0, float(np.linalg.norm(velocity)) * rng.choice([-1, 1]), 0.0])
    inside = Zones(random_zones(rng)[: ZONES.index(zones)])
    resting, moving = (
        Environment(inside, Movers([Mover(room, (0, 0, 0), way)], rate)) for way in (Motion(), drive(velocity))
    )
    ticks, stretch = 300, int(rate / 4)
    commands = walker.commands(
        forward=held(rng, [0.0, 1.0, 1.0, -0.5], ticks, stretch),
        strafe=held(rng, [0.0, 0.0, 1.0, -0.3], ticks, stretch),
        heading=held(rng, np.arange(65536), ticks, stretch),
        jump=held(rng, [True, False] if len(inside) < 2 else [False], ticks, stretch),
        crouch=held(rng, [True, *[False] * 6], ticks, stretch),
        pitch=held(rng, [0, 8000, -8000], ticks, stretch),
    )
    for place in rng.uniform((-2.5, 0.0, -2.0), (2.5, 0.6, 2.0), (60, 3)):
        try:
            start = walker.spawn(far, tuple(place), around=resting)
        except ValueError:
            continue
        if start.mover == 0:
            break
    still = walker.run(start, commands, far, around=resting)
    states = walker.run(start, commands, far, around=moving)
    places = states["position"] - [moving.movers.poses(tick + 1)[0][:, 3] for tick in range(ticks)]
    parts = (np.abs(places - still["position"]).max(axis=1) > 1e-6) | (states["grounded"] != still["grounded"])
    if parts.any():
        tick = int(np.argmax(parts))
        before = np.repeat(still[tick - 1 : tick], 200)
        before["position"] += rng.normal(0.0, 1e-14, (200, 3))
        before["velocity"][::2] = np.round(before["velocity"][::2], 12)
        crowd = Crowd(walker, far, around=resting)
        ends = crowd.step([walker.state(row) for row in before], commands[[tick] * 200], clock=tick)
        assert np.abs(ends["position"] - places[tick]).max(axis=1).min() < 1e-6, seed
