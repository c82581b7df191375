"""The limit of speeds: refused where it comes in, and a bounded tick whatever a state row holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.core.vectors import MAX_WALKER_SPEED
from game.physics import Command, Environment, Material, TriangleMesh, Walker, WalkerSettings, WalkerState, Zone, Zones
from game.physics.character import ground_move as ground_moves
from game.physics.character import slide
from game.physics.character.tick import move
from game.physics.character.tick.run import whole_tick
from tests.support.scenes import floor, mesh, wall

WORLD = mesh(floor(-900, -900, 900, 900), wall(-900, -3, 900, -3, 3), wall(3, -900, 3, 900, 3))
RATES = (10, 30, 60, 240, 1000)
DIRECTIONS = ((0, 0, -1), (1, 0, -1), (-1, 0, -0.001), (0, 0, 1), (0, -1, 0), (1, 1, -1), (0, 1, 0))
MAX_SWEEPS = 2 * move.MAX_GROUND_MOVE_STEPS + 64  # a move and a snap in each step, and the fall


def unlimited(state: WalkerState, velocity: tuple[float, float, float]) -> WalkerState:
    """`state` with any velocity, as only a row that no public function made can have it."""
    row = state.row()
    row["velocity"], row["falling"] = velocity, velocity[1]
    return WalkerState(row)


@pytest.fixture
def counts(monkeypatch):
    """Numbers of sweeps and of steps on ground since the last `clear`, in ticks that run in Python."""
    Walker().spawn(WORLD, (0.0, 0.0, 0.0))  # loads the kernels: a patched one has no key
    found = {"sweeps": 0, "steps": 0}

    def counting(name, function):
        def call(*arguments):
            found[name] += 1
            return function(*arguments)

        return call

    for module in (slide, ground_moves):
        monkeypatch.setattr(module, "sweep_body", counting("sweeps", slide.sweep_body))
    monkeypatch.setattr(move, "ground_move", counting("steps", move.ground_move))
    return found


def step_in_python(walker: Walker, state: WalkerState, world: TriangleMesh, around: Environment | None = None):
    """One tick with forward pressed, not compiled."""
    walker._run_ticks = lambda memory, *rows: whole_tick.interpreted(memory.arrays, *rows)
    return walker.step(state, Command(forward=1.0), world, around)[0]


@pytest.mark.parametrize("hz", RATES)
def test_a_tick_at_the_limit_is_bounded(hz, counts):
    """Against a wall, into a corner, along a wall, away and down: few sweeps, and no wall is passed."""
    walker = Walker(WalkerSettings(ticks_per_second=hz))
    start = walker.spawn(WORLD, (0.0, 0.0, 0.0))
    for x, y, z in DIRECTIONS:
        scale = MAX_WALKER_SPEED / math.sqrt(x * x + y * y + z * z) * (1.0 - 1e-12)
        state = start.replace(velocity=(scale * x, scale * y, scale * z))
        for _ in range(3):
            counts["sweeps"] = 0
            state = step_in_python(walker, state, WORLD)
            assert counts["sweeps"] <= MAX_SWEEPS, (x, y, z)
            assert state.position[0] < 3.0
            assert state.position[2] > -3.0 or state.position[1] > 3.0 or state.position[0] < -900.0


@pytest.mark.each_once
@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("speed", [1e3, 1e6, 1e9, 1e100, 1e300])
def test_a_blocked_body_stops_after_a_step(hz, speed, counts):
    """Pressed to a wall, a tick takes as many steps at any speed: one, and one more if the tick is repeated."""
    walker = Walker(WalkerSettings(ticks_per_second=hz))
    start = walker.spawn(WORLD, (0.0, 0.0, -2.7))
    pressed = walker.run(start, walker.commands(forward=np.ones(max(hz // 5, 4))), WORLD)[-1]
    counts["steps"] = 0
    state = step_in_python(walker, unlimited(walker.state(pressed), (0.0, 0.0, -speed)), WORLD)
    assert counts["steps"] <= 2
    assert state.velocity == (0.0, 0.0, 0.0)
    assert state.position == pytest.approx(tuple(pressed["position"]), abs=1e-9)


@pytest.mark.sample(2)
@pytest.mark.parametrize("hz", [10, 60, 1000])
def test_what_adds_up_stays_bounded(hz, counts):
    """An hour of falling, the strongest wind, the fastest conveyor and launch pad, and the fastest walk."""
    settings = {"gravity": 1000.0, "fall_limit": 1e9, "walk_speed": 100.0, "ticks_per_second": hz}
    walker = Walker(WalkerSettings(**settings))
    limit = MAX_WALKER_SPEED / math.sqrt(3.0) * (1.0 - 1e-12)
    zones = {
        "fall": Zone((0, 0, 0), (1e6, 1e6, 1e6), strength=20.0, down=(0.0, -1.0, 0.0)),
        "wind": Zone((0, 0, 0), (1e6, 1e6, 1e6), current=(limit, limit, -limit)),
        "ground wind": Zone((0, 0, 0), (1e6, 1e6, 1e6), current=(0.0, 0.0, -MAX_WALKER_SPEED)),
        "pad": Zone((0, 0, 0), (1e6, 1e6, 1e6), launch=(limit, limit, -limit)),
    }
    belt = TriangleMesh(
        np.array(floor(-900, -900, 900, 900)), [0, 0], materials=[Material(flow=(-100.0, -100.0), speed=10.0)]
    )
    for name, zone in zones.items():
        around = Environment(Zones([zone]))
        for world in (WORLD, belt):
            state = walker.spawn(world, (0.0, 5.0 if name == "fall" else 0.0, 0.0), around=around)
            for _ in range(20):
                counts["sweeps"] = 0
                state = step_in_python(walker, state, world, around)
                assert counts["sweeps"] <= 4 * MAX_SWEEPS, name
            assert max(map(abs, state.velocity)) < 3.0 * MAX_WALKER_SPEED


def test_speeds_beyond_the_limit_are_refused_with_the_limit():
    walker = Walker()
    state = walker.spawn(WORLD, (0.0, 0.0, 0.0))
    too_fast = (0.0, 0.0, -1.01 * MAX_WALKER_SPEED)
    assert state.replace(velocity=(0.0, 0.0, -MAX_WALKER_SPEED)).velocity == (0.0, 0.0, -MAX_WALKER_SPEED)
    with pytest.raises(ValueError, match="velocity must be at most 100000 m/s, not 101000 m/s"):
        state.replace(velocity=too_fast)
    for name in ("current", "launch"):
        with pytest.raises(ValueError, match=f"{name} must be at most 100000 m/s"):
            Zone((0, 0, 0), (1, 1, 1), **{name: too_fast})
    for velocity in ((1e300, 0.0, 0.0), (1e155, 1e155, 0.0)):
        with pytest.raises(ValueError, match="velocity must be at most"):
            state.replace(velocity=velocity)
