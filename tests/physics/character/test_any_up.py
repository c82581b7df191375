"""Gravity in any direction: a rotated world with rotated up gives the rotated walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import Command, Environment, Mover, Movers, TriangleMesh, Walker, Zone, Zones
from tests.physics.character import test_push_along_ground as push
from tests.physics.character.test_climb_out import BED, WATER, bank
from tests.support.scenes import box, heading

QUARTERS = [np.array(rows, float) for rows in (
    [[1, 0, 0], [0, 0, -1], [0, 1, 0]],  # up becomes south
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],  # up becomes west
    [[1, 0, 0], [0, -1, 0], [0, 0, -1]],  # upside down
)]  # fmt: skip


def test_velocity_and_normal_are_the_worlds():
    floor = np.array([[[-9, 0, 9], [9, 0, 9], [9, 0, -9]], [[-9, 0, 9], [9, 0, -9], [-9, 0, -9]]], float)
    turn = QUARTERS[1]
    walker, mesh = Walker(), TriangleMesh(floor @ turn.T)
    state = walker.spawn(mesh, (0, 0, 0), up=turn @ (0, 1, 0), north=turn @ (0, 0, -1))
    assert state.up == pytest.approx((-1, 0, 0))
    states = walker.run(state, walker.commands(forward=np.ones(60)), mesh)
    assert states["velocity"][-1] == pytest.approx(turn @ (0, 0, -4.0))
    assert states["ground_normal"][-1] == pytest.approx((-1, 0, 0))
    later, trace = walker.step(walker.state(states[-1]), Command(), mesh)
    assert trace.contacts[0].normal == pytest.approx((-1, 0, 0))
    assert abs(trace.contacts[0].point[0]) < 1e-9
    assert later.feet[0] == pytest.approx(0.0, abs=0.02)


class Scene(NamedTuple):
    """Triangles (n, 3, 3), feet and heading at the start, commands, and what is there besides."""

    triangles: Any
    feet: tuple[float, float, float]
    rows: Any
    zones: tuple[Zone, ...] = ()
    movers: tuple[Mover, ...] = ()
    happens: Callable[[Any], bool] = lambda states: True

    def states(self, turn: Any) -> Any:
        """The state after each tick of the scene, turned."""
        zones = [
            replace(
                zone, centre=tuple(turn @ zone.centre), half=tuple(abs(turn @ zone.half)),
                **{name: tuple(turn @ getattr(zone, name)) for name in ("down", "current") if getattr(zone, name)},
            )
            for zone in self.zones
        ]  # fmt: skip
        movers = [
            Mover(
                TriangleMesh(mover.mesh.triangles12[:, :9].reshape(-1, 3, 3) @ turn.T), tuple(turn @ mover.at),
                replace(mover.motion, path=tuple(tuple(turn @ stop) for stop in mover.motion.path)),
            )
            for mover in self.movers
        ]  # fmt: skip
        walker, level = Walker(), TriangleMesh(np.array(self.triangles, float) @ turn.T)
        around, view = Environment(Zones(zones), Movers(movers)), int(self.rows["heading"][0])
        up, north = tuple(turn @ (0.0, 1.0, 0.0)), tuple(turn @ (0.0, 0.0, -1.0))
        start = walker.spawn(level, tuple(turn @ self.feet), view, up=up, north=north, around=around)
        return walker.run(start, self.rows, level, around=around)


def held(count, times, seed=5):
    """Commands of which each is held for so many ticks."""
    rng = np.random.default_rng(seed)
    forward, strafe = rng.uniform(-1, 1, (2, count))
    look, jump = rng.integers(0, 65536, count), rng.random(count) < 0.3
    columns = {"forward": forward, "strafe": strafe, "heading": look, "jump": jump}
    return Walker().commands(**{name: np.repeat(column, times) for name, column in columns.items()})


DOWN, EAST = Zone((0, 0, 0), (50, 50, 50), down=(0, -1, 0)), Zone((4, -1, 0), (3, 6, 4), down=(1, 0, 0))
AHEAD = Walker().commands(forward=np.ones(180), heading=heading(30))
SCENES = {
    "zones": Scene(
        box(-10, -6, -10, 10, 14, 10), (0, -6, 0), held(20, 25),
        (DOWN, EAST, Zone((-2, -3.5, 0), (5, 2.5, 6), water=True, current=(0, 0, 1)),
         Zone((0, 0, -6), (4, 8, 2), current=(1, 4, 0))),
        happens=lambda states: len({tuple(up) for up in states["up"]}) > 1 and states["swimming"].any(),
    ),
    "a bank": Scene(
        [*BED, *bank(0.45)], (0, -1.44, -1), AHEAD, (DOWN, WATER),
        happens=lambda states: states["climbing"].any() and states["grounded"][-1],
    ),
    "a wall that pushes up stairs": Scene(
        [*push.FLOOR, *push.FLIGHTS["stairs"]], (0, 0, 0), Walker().commands(heading=np.zeros(234, int)), (),
        (push.panel(2.0),), lambda states: states["position"][-1, 1] > 1.5,
    ),
}  # fmt: skip
SLANTING = np.array([[0.6, 0, 0.8], [0.48, 0.8, -0.36], [-0.64, 0.6, 0.48]])
TURNS = {"east is up": QUARTERS[1].T, "north is up": QUARTERS[0].T, "south is up": QUARTERS[0], "slanting": SLANTING}
CASES = [(name, turn) for name in SCENES for turn in TURNS if turn != "slanting" or not SCENES[name].zones]  # boxes


@pytest.mark.parametrize(("name", "turn"), CASES)
def test_a_rotated_scene_gives_the_rotated_walk(name, turn):
    scene, turn = SCENES[name], TURNS[turn]
    before, after = scene.states(np.eye(3)), scene.states(turn)
    assert scene.happens(before)
    for column in ("position", "velocity", "up", "north"):
        assert np.allclose(after[column], before[column] @ turn.T, atol=1e-6), column
    for column in ("heading", "grounded", "climbing", "swimming"):
        assert np.array_equal(after[column], before[column]), column
