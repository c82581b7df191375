"""The velocity that a body takes along from a platform, a belt, a pad or a current, in the air and at walls."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import (
    Command,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerSettings,
    Zone,
    Zones,
)
from tests.support.scenes import box, floor, heading, mesh, quad, wall

GROUND = mesh(floor(-400, -400, 400, 400, -30.0))
CAR = box(-3, 0, -30, 3, 4, 30)
LEVEL = floor(-90, -90, 90, 90)
UPS = {
    "up": np.eye(3),
    "sideways": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "slanting": np.array([[0.6, 0, 0.8], [0.48, 0.8, -0.36], [-0.64, 0.6, 0.48]]),
}  # rotations of the whole scene


def drive(velocity: Any, seconds: float = 40.0) -> Motion:
    """Motion at a constant velocity (m/s)."""
    return Motion(((0, 0, 0), tuple(seconds * float(v) for v in velocity)), seconds, ease=False)


def walk(triangles: Any, velocity: Any, at: Any, commands: Any, rate: float = 60.0, turn: Any = UPS["up"]) -> Any:
    """(states, feet relative to a mover of these triangles that drives at `velocity`) of a walk that begins on it."""
    turned = TriangleMesh(np.array(triangles, float) @ turn.T)
    walker, movers = (
        Walker(WalkerSettings(ticks_per_second=rate)),
        Movers([Mover(turned, (0, 0, 0), drive(turn @ velocity))], rate),
    )
    around = Environment(movers=movers)
    far = mesh(floor(-9, -9, 9, 9, -500.0))
    start = walker.spawn(far, tuple(turn @ at), up=tuple(turn[:, 1]), north=tuple(-turn[:, 2]), around=around)
    states = walker.run(start, walker.commands(commands), far, around=around)
    feet = states["position"] - 0.9 * turn[:, 1]
    places = np.array([movers.poses(tick + 1)[0][:, 3] for tick in range(len(states))])
    return states, (feet - places) @ turn


def rides(command: dict[str, Any], rate: float, seconds: float = 2.5) -> list[Command]:
    """The same command all the time, with a jump after a second."""
    return [Command(jump=k == int(rate), **command) for k in range(int(seconds * rate))]


@pytest.mark.parametrize("rate", [30, 60, 240])
@pytest.mark.parametrize("speed", [3.0, 12.0])
@pytest.mark.parametrize("up", UPS)
def test_a_jump_along_a_wall_of_a_car_is_that_in_a_car_at_rest(rate: int, speed: float, up: str) -> None:
    commands = rides({"strafe": -0.3}, rate)
    _, moving = walk(CAR, (0.0, 0.0, -speed), (-2.6, 0.0, 0.0), commands, rate, UPS[up])
    _, resting = walk(CAR, (0.0, 0.0, 0.0), (-2.6, 0.0, 0.0), commands, rate, UPS[up])
    assert np.abs(moving - resting).max() < 1e-6


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
TO_X = heading(-90)
THROWS = {
    "a belt that ends there": Scene(
        [*quad((-9, 0, 5), (1, 0, 5), (1, 0, -5), (-9, 0, -5)), *wall(2, 30, 2, -30, 9)],
        [Command(jump=k == 30) for k in range(75)],
        material=Material(flow=(6.0, 3.0)),
        at=(-3.0, 0.0, -4.0),
    ),
    "a pad": Scene(
        [*LEVEL, *wall(2, 30, 2, -30, 9)],
        [Command()] * 60,
        zone=Zone((0, 0, 0), (0.5, 0.5, 0.5), launch=(6.0, 7.0, 3.0)),
    ),
    "a current": Scene(
        [*floor(-9, -9, 9, 9, -30), *wall(2, 30, 2, -30, 90, -40)],
        [Command()] * 110,
        zone=Zone((0, 0, 0), (50, 50, 50), current=(6.0, 0.0, 3.0)),
        at=(-4.0, 0.0, 0.0),
    ),
    "a platform": Scene(
        [*floor(-90, -9, 9, 9, -30), *wall(2, 30, 2, -30, 90, -40)],
        [Command(jump=k == 10) for k in range(70)],
        [Mover(mesh(floor(-3, -3, 0.2, 3)), (0, 0, 0), drive((6.0, 0.0, 3.0)))],
        at=(-0.5, 0.0, 0.0),
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


def test_a_body_in_the_air_follows_a_wall_that_flees() -> None:
    """It runs after a wall of 3 m/s at 4 m/s, and jumps when it has it."""
    commands = [Command(forward=1.0, jump=k == 70) for k in range(110)]
    states = states_of(Scene(LEVEL, commands, [Mover(WALL, (0, 0, 0), drive((0, 0, -3.0)))]))
    assert states["velocity"][60:, 2] == pytest.approx(-3.0, abs=1e-9)
    assert (states["carried"] == 0.0).all()
    wall_at = -1.0 - 3.0 * np.arange(61, 111) / 60
    assert states["position"][60:, 2] - wall_at == pytest.approx(0.25 * 1.01, abs=0.25 * 0.006)


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
