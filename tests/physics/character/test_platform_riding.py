"""Movers and the body: riding, walking on them, jumping off, being pushed, blocked, crushed; and fuzz over several."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import Command, Environment, Motion, Mover, Movers, TriangleMesh, Walker, WalkerSettings, WalkerState
from tests.physics.character.test_events import V
from tests.support.scenes import BODIES, Point, box, floor, gap, gaps, heading, mesh, quad, wall

RATES = (30, 60, 120, 240)
LONG = (30, 60, *(pytest.param(rate, marks=pytest.mark.jit) for rate in (120, 240)))  # for those of many ticks
SLAB = mesh(box(-2, -0.2, -2, 2, 0, 2))
GROUND = mesh(floor(-40, -40, 40, 40, -30.0))
MOTIONS = {
    "up": Motion(path=((0, 0, 0), (0, 5, 0)), seconds=2.5, pause=0.3),
    "down, bluntly": Motion(path=((0, 0, 0), (0, -5, 0)), seconds=2.5, ease=False),
    "sideways": Motion(path=((0, 0, 0), (7, 0, 3)), seconds=2.0, ease=False),
    "round a square": Motion(path=((0, 0, 0), (4, 0, 0), (4, 3, 4), (0, 0, 4)), seconds=3.0, loop=True),
    "turning": Motion(spin=50.0),
    "turning as it goes": Motion(path=((0, 0, 0), (5, 2, 0)), seconds=2.0, swing=120.0),
}


LEVEL = mesh(floor(-20, -20, 40, 20))


def _walker(rate: float, body: str = "default", **more: float) -> Walker:
    return Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate, **more))


def _around(rate: float, *movers: Mover) -> Environment:
    return Environment(movers=Movers(movers, rate))


def _relative(movers: Movers, k: int, tick: int, point: tuple[float, float, float]) -> np.ndarray:
    pose = movers.poses(tick)[k]
    return pose[:, :3].T @ (np.array(point) - pose[:, 3])


def _there(movers: Movers, tick: int, *meshes: object) -> SimpleNamespace:
    """All triangles where they are at a tick, for `gap`."""
    rows = [m.triangles12[:, :9] for m in meshes]
    for mover, pose in zip(movers, movers.poses(tick), strict=True):
        corners = mover.mesh.triangles12[:, :9].reshape(-1, 3) @ pose[:, :3].T + pose[:, 3]
        rows.append(corners.reshape(-1, 9))
    return SimpleNamespace(triangles12=np.concatenate(rows))


class Ride(NamedTuple):
    """A walk among movers: the start, and the states and the events of each tick."""

    level: TriangleMesh
    movers: Movers
    start: WalkerState
    states: Any
    events: list[list[str]]

    def places(self) -> Any:
        """Feet in the frame of the first mover, (ticks + 1, 3)."""
        feet = self.states["position"] - self.states["up"] * self.states["radii"][:, 1:2]
        return np.array([_relative(self.movers, 0, k, point) for k, point in enumerate([self.start.feet, *feet])])

    def mover_places(self) -> Any:
        """Places of the first mover after each tick, (ticks, 3)."""
        return np.array([self.movers.poses(k + 1)[0][:, 3] for k in range(len(self.states))])

    def keeps_its_gap(self) -> bool:
        """Whether each tick ends half a skin from everything."""
        triangles = [_there(self.movers, k + 1, self.level).triangles12 for k in range(len(self.states))]
        return gaps(self.states, np.reshape(triangles, (len(triangles), -1, 3, 3))).min() >= 0.5 * 0.01 - 1e-6


def ride(
    mover: Mover, ticks: int, feet: Point = (0, 0, 0), level: TriangleMesh = GROUND, walker: Walker | None = None,
    spawn: dict[str, Any] | None = None, **columns: Any,
) -> Ride:  # fmt: skip
    """A walk of so many ticks. The heading of the first command is also that of the spawn."""
    walker = walker or _walker(60)
    around, given = _around(walker.settings.ticks_per_second, mover), {"heading": 0, "forward": 0.0, **columns}
    rows = walker.commands(**{name: np.broadcast_to(column, ticks) for name, column in given.items()})
    start = walker.spawn(level, feet, int(rows["heading"][0]), around=around, **(spawn or {}))
    states, traces = walker.run(start, rows, level, True, around=around)
    return Ride(level, around.movers, start, states, [trace.events for trace in traces])


@pytest.mark.each_once
@pytest.mark.parametrize("rate", LONG)
@pytest.mark.parametrize("how", MOTIONS)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_at_rest_on_a_mover_keeps_its_place_on_it(rate: int, how: str, body: str) -> None:
    found = ride(Mover(SLAB, (3, 0, -4), MOTIONS[how]), 5 * rate, (3.7, 0.0, -3.1), walker=_walker(rate, body))
    assert found.states["grounded"].all()
    assert (found.states["mover"] == 1).all()
    assert (found.states["velocity"] == 0.0).all()
    assert np.abs(found.places() - found.places()[0]).max() < 1e-6


def test_a_body_keeps_its_place_on_a_mover_under_rotated_gravity() -> None:
    wallside = Mover(mesh(box(-0.2, -2, -2, 0, 2, 2)), motion=Motion(path=((0, 0, 0), (3, 4, 0)), seconds=2.0))
    found = ride(wallside, 240, (0, 0.3, 0.4), spawn={"up": (1, 0, 0), "north": (0, 1, 0)})
    assert (found.states["mover"] == 1).all()
    assert np.abs(found.places() - found.places()[0]).max() < 1e-6


@pytest.mark.parametrize("how", ["up", "down, bluntly", "sideways"])
def test_a_body_that_is_wedged_between_steep_faces_of_a_mover_rides_on_it(how: str) -> None:
    motion = replace(MOTIONS[how], pause=3.0)
    found = ride(Mover(mesh(V), (0, 0, 0), motion), 300, (0, 2, 0))
    assert (found.states["mover"][121:] == 1).all()
    assert np.ptp(found.places()[122:], axis=0).max() < 1e-6


TILTS = {
    "spin about a leaning axis": Motion(axis=(0.2, 1, 0), spin=80.0),
    "swing about a level axis": Motion(axis=(1, 0, 0), swing=20.0, seconds=2.0),
    "swing as it goes": Motion(axis=(0, 0.3, 1), swing=15.0, path=((0, 0, 0), (3, 1, 2)), seconds=3.0),
}


@pytest.mark.each_once
@pytest.mark.parametrize("rate", LONG)
@pytest.mark.parametrize("how", TILTS)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_at_rest_on_a_tilting_mover_stays_above_its_place_on_it(rate: int, how: str, body: str) -> None:
    """The place is the point of the platform straight below the centre, where n . p = |r n| touches its plane."""
    walker, around = _walker(rate, body), _around(rate, Mover(SLAB, (0, 0, 0), TILTS[how]))
    state = walker.spawn(GROUND, (0.7, 0.0, 0.4), heading=heading(30), around=around)
    radii = np.array(BODIES[body]) * (1.0 + walker.settings.skin)
    first = None
    for tick in range(20 * rate):
        normal = around.movers.poses(tick)[0][:, 1]
        angle = state.heading * math.tau / 65536
        across = normal[0] * math.cos(angle) - normal[2] * math.sin(angle)
        along = normal[0] * math.sin(angle) + normal[2] * math.cos(angle)
        below = math.sqrt(sum(part**2 for part in radii * (across, normal[1], along))) / normal[1]
        place = _relative(around.movers, 0, tick, (state.position[0], state.position[1] - below, state.position[2]))
        first = place if first is None else first
        assert np.abs(place - first).max() < 1e-6, f"after {tick} ticks"
        state, _ = walker.step(state, Command(heading=state.heading), GROUND, around, tick)
        assert state.grounded


def test_a_ride_on_a_waiting_mover_changes_no_bit() -> None:
    waits = Motion(pause=3600.0, path=((0, 0, 0), (0, 9, 0)))
    states = ride(Mover(SLAB, (3.1, 0.7, -4), waits), 2000, (3.7, 0.7, -3.1)).states
    assert (states["position"][1:] == states["position"][1]).all()


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("how", ["up", "down, bluntly", "sideways", "turning"])
def test_walking_on_a_mover_equals_walking_on_the_ground(rate: int, how: str) -> None:
    """The view turns with the platform, in whole heading units: what those cannot say is allowed for."""
    walker, ticks = _walker(rate), rate // 2
    spin = MOTIONS[how].spin * 65536 / 360 / rate
    turns = np.floor(spin * (np.arange(ticks) + 1)).astype(int)
    ask = {"feet": (0.3, 0.0, 1.4), "walker": walker, "forward": 1.0, "strafe": 0.3}
    moving, still = ride(Mover(SLAB, motion=MOTIONS[how]), ticks, heading=turns, **ask), ride(Mover(SLAB), ticks, **ask)
    assert (moving.states["mover"] == 1).all()
    # a heading unit is 1e-4 rad; on a turning floor the velocity is kept in the world's directions, so that each
    # tick's turn bends it and the acceleration of 60 m/s2 has to bring it back
    worst = np.abs(moving.places() - still.places())[1:].max()
    assert worst < (1e-6 if spin == 0 else 4.0 * math.radians(50.0) / rate)


def test_walking_off_a_mover_keeps_its_velocity_until_landing() -> None:
    drives = Motion(path=((0, 0, 0), (60, 0, 0)), seconds=20.0, ease=False)
    states = ride(Mover(SLAB, motion=drives), 100, (0.0, 0.0, 1.0), forward=-1.0).states
    free = ~states["grounded"]
    assert free.sum() > 60
    assert states["velocity"][free, 0] == pytest.approx(3.0, abs=1e-9)


def test_a_vanishing_platform_starts_a_fall() -> None:
    start = ride(Mover(SLAB, motion=MOTIONS["up"]), 40).states[-1]
    walker = _walker(60)
    end = walker.run(walker.state(start), [Command()] * 30, GROUND, around=Environment(movers=Movers([])))[-1]
    assert (bool(end["grounded"]), int(end["mover"])) == (False, 0)
    assert start["position"][1] - end["position"][1] == pytest.approx(9.81 * 0.5**2 / 2, abs=1e-9)


PANEL = mesh(box(-0.01, 0.0, -3, 0.01, 3, 3))


@pytest.mark.each_once
@pytest.mark.parametrize("rate", LONG)
@pytest.mark.parametrize("speed", [60.0, 12.0, 3.0, 0.5])  # by default, the fastest with the longest tick
@pytest.mark.parametrize("body", BODIES)
def test_a_moving_wall_pushes_ahead_and_never_passes_through(rate: int, speed: float, body: str) -> None:
    """A panel of 2 cm, as fast as 60 m/s (2 m a tick): who stands in its way is in front of it ever after."""
    drives = Motion(path=((0, 0, 0), (12, 0, 0)), seconds=12 / speed, ease=False)
    ticks, end = math.ceil(13.0 / speed * rate), math.ceil(12 / speed * rate) - 1
    panel, view = Mover(PANEL, (-2.0, 0, 0), drives), heading(20)
    found = ride(panel, ticks, (0.0, 0.0, 0.2), LEVEL, _walker(rate, body), heading=view)
    assert found.keeps_its_gap()
    x = found.states["position"][:, 0]
    assert (x > found.mover_places()[:, 0])[:end].all()
    assert x[-1] > 10.0
    assert found.states["grounded"][-1]


@pytest.mark.parametrize(("radii", "rate", "speed"), [((0.02, 0.05, 0.02), 30, 150.0), ((0.01, 0.05, 0.01), 60, 199.0)])
def test_a_fast_wall_does_not_pass_a_small_body(radii, rate, speed) -> None:
    lengths = {"crouch_height": 1.2 * radii[1], "step_height": 0.02, "snap_down": 0.02}
    walker = Walker(WalkerSettings(radii=radii, ticks_per_second=rate, **lengths))
    drives = Motion(path=((0, 0, 0), (18, 0, 0)), seconds=18 / speed, ease=False)
    found = ride(Mover(PANEL, (-9.0, 0, 0), drives), math.floor(18 / speed * rate), (0.0, 0.0, 0.2), LEVEL, walker)
    assert (found.states["position"][:, 0] > found.mover_places()[:, 0]).all()
    assert not any("crushed" in events for events in found.events)
    assert found.states["position"][-1, 0] > 5.0


def test_a_closed_door_blocks_and_an_open_one_does_not() -> None:
    walker = _walker(60)
    slides = Motion(path=((0, 0, 0), (2.1, 0, 0)), seconds=1.0, pause=1.0)
    around = _around(60, Mover(mesh(box(-1, 0, -0.1, 1, 2.5, 0.1)), (0, 0, -3), slides))
    level = mesh(floor(-9, -9, 9, 9), wall(-9, -3, -1, -3, 3), wall(1, -3, 9, -3, 3))
    state = walker.spawn(level, (0, 0, 0), around=around)
    states, traces = walker.run(state, [Command(forward=1.0)] * 200, level, True, around=around)
    assert [trace.stops[0].mover for trace in traces[:60] if trace.stops][-1] == 0
    assert states["position"][59, 2] == pytest.approx(-2.9 + 0.25 * 1.01, abs=0.002)
    assert states["position"][-1, 2] < -4.0


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("body", BODIES)
def test_a_press_crushes_and_reports_it(rate: int, body: str) -> None:
    walker = _walker(rate, body)
    press = Mover(mesh(box(-2, 2.2, -2, 2, 3, 2)), motion=Motion(path=((0, 0, 0), (0, -2.0, 0)), seconds=1.0))
    level = mesh(floor(-20, -20, 20, 20))
    around = _around(rate, press)
    state = walker.spawn(level, (9.0, 0.0, 0.0), around=around)
    states = [state := walker.step(state, Command(), level, around, 0)[0]]
    safe = state.safe
    row = state.row()
    row["position"] = (0.3, state.position[1], 0.2)
    state, crushed = WalkerState(row), None
    for k in range(rate):
        state, trace = walker.step(state, Command(), level, around, k)
        states.append(state)
        bottom = 2.2 + around.movers.poses(k + 1)[0][1, 3]
        if "crushed" in trace.events:
            crushed = crushed or bottom
            assert state.position == safe
            assert state.velocity == (0, 0, 0)
            assert "mover" in trace.why
        elif crushed is None:
            assert gap(walker, state, _there(around.movers, k + 1, level)) >= 0.5 * walker.settings.skin - 1e-6
    assert crushed is not None
    assert 1.8 - 2.0 * math.pi / 2 / rate <= crushed <= 1.8 + 2.1 * 0.01  # the tick in which there is no more room
    assert all(np.isfinite(s.position).all() for s in states)


@pytest.mark.parametrize(("top", "crushes"), [(3.1, False), (3.3, True)])
def test_a_lift_under_a_ceiling_crushes_and_one_that_stops_short_does_not(top: float, crushes: bool) -> None:
    level = mesh(floor(-9, -9, 9, 9), quad((-9, 5, -9), (9, 5, -9), (9, 5, 9), (-9, 5, 9)))
    lift = Mover(SLAB, (0, 0.2, 0), Motion(path=((0, 0, 0), (0, top - 0.2, 0)), seconds=2.0))
    assert any("crushed" in events for events in ride(lift, 130, (0.5, 0.2, 0.5), level).events) == crushes


def test_a_descending_lift_leaves_a_body_that_also_stands_on_the_floor() -> None:
    lift = Mover(mesh(box(-2, -0.2, -2, 0, 0, 2)), motion=Motion(path=((0, 0, 0), (0, -5, 0)), seconds=2.0))
    states = ride(lift, 120, (0.1, 0.0, 0.0), mesh(box(0, -9, -9, 9, 0, 9))).states
    assert states["grounded"].all()
    assert states["position"][-1, 1] - 0.9 == pytest.approx(0.009, abs=1e-6)


def test_a_mover_carries_into_a_wall_no_further_than_the_wall() -> None:
    level = mesh(floor(-9, -9, 9, 9, -3), wall(2, -9, 2, 9, 5))
    car = Mover(SLAB, (-2, 0, 0), Motion(path=((0, 0, 0), (6, 0, 0.5)), seconds=3.0, ease=False))
    found = ride(car, 160, (-1.0, 0.0, 0.0), level, heading=heading(90))
    end = found.states[-1]
    assert found.keeps_its_gap()
    assert found.states["position"][:, 0].max() <= 2.0 - 0.25 * 1.005 + 1e-9
    assert not any("crushed" in events for events in found.events)
    assert end["position"][0] == pytest.approx(2.0 - 0.25 * 1.01, abs=0.003)
    assert end["position"][2] == pytest.approx(0.5 * 160 / 180, abs=1e-6)  # along the wall it goes on
    assert end["mover"] == 1


def park(rate: float) -> tuple[object, Environment]:
    level = mesh(
        floor(-8, -8, 8, 8), wall(-8, -8, 8, -8, 6), wall(8, 8, -8, 8, 6), wall(8, -8, 8, 8, 6), wall(-8, 8, -8, -8, 6),
        box(2, 0, 2, 4, 0.35, 5),
    )  # fmt: skip
    movers = (
        Mover(mesh(box(-1, -0.2, -1, 1, 0.05, 1)), (-5, 0, -5), Motion(((0, 0, 0), (0, 2.5, 0)), 1.5, 0.5)),
        Mover(mesh(box(-1.2, 0, -1.2, 1.2, 0.2, 1.2)), (0, 0.01, -5), Motion(((0, 0, 0), (5, 0, 0), (5, 1, 3)), 4.0)),
        Mover(mesh(box(-2.5, 0.1, -0.15, 2.5, 1.0, 0.15)), (-3, 0, 3), Motion(spin=60.0)),
        Mover(mesh(box(-2, -0.1, -2, 2, 0, 2)), (4, 0.3, 0), Motion(spin=-45.0)),
        Mover(mesh(box(-1, 0, -0.1, 1, 2.2, 0.1)), (0, 0.02, 0), Motion(axis=(0, 1, 0), swing=90.0, seconds=1.0)),
        Mover(mesh(box(-1, -1, -1, 1, 1, 1)), (-5.5, 0.2, 0.5), Motion(axis=(1, 0.3, 0), spin=20.0)),
    )  # fmt: skip
    return level, _around(rate, *movers)


def test_movers_of_another_tick_are_refused() -> None:
    walker, around = _walker(60), _around(30, Mover(SLAB))
    with pytest.raises(ValueError, match="30 ticks a second, the walker at 60"):
        walker.spawn(GROUND, (0, 0, 0), around=around)
