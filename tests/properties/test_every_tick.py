"""Properties of every tick in any closed room, for any commands; checked by the independent game/fuzz."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import assume, event
from hypothesis import strategies as st

from game.fuzz.path_checks import check_walk
from game.fuzz.tick_referee import TickReferee
from game.physics import Walker, WalkerSettings
from game.physics.character.rows import button
from game.physics.character.settings import bare
from tests.properties.conftest import holds_for
from tests.support.random_levels import ROOMS, STARTS, WALKS, Room, Span, Stairs, commands, spawn
from tests.support.scenes import BODIES

LONGEST = 60 if numba.config.DISABLE_JIT else 400
RATES = st.sampled_from([60, 30, 120, 240])
BODY = st.sampled_from(sorted(BODIES))


def walked(room: Room, start: Any, walk: list[Span], settings: WalkerSettings) -> tuple[Any, Any, Any, Any]:
    """(walker, mesh, states with the start first, command rows)."""
    walker, level = Walker(settings), room.mesh()
    state = spawn(walker, level, start)
    assume(state is not None)
    rows = walker.commands(commands(walk, longest=LONGEST))
    states = walker.run(state, rows, level)
    return walker, level, np.concatenate((state.row(), states)), rows


@holds_for(ROOMS, STARTS, WALKS, BODY, RATES)
def test_states_are_finite_keep_the_gap_and_stay_inside(room, start, walk, body, rate):
    """All finite; nothing nearer than half the skin; nothing tunnelled; the room is not left; lift, drop, way, speed
    and turn of each tick are within the bounds of docs/limits.md (tests/support/referee)."""
    settings = WalkerSettings(radii=BODIES[body], ticks_per_second=rate)
    walker, level, states, rows = walked(room, start, walk, settings)
    floats = states.view(np.float64).reshape(len(states), -1)[:, :16]
    assert np.isfinite(floats).all()
    event("airborne" if not states["grounded"].all() else "grounded")
    assert room.holds(states["position"], margin=min(settings.radii))
    assert (states["tick"] == np.arange(len(states))).all()
    assert ((states["heading"] >= 0) & (states["heading"] < 65536)).all()
    flights = [piece for piece in room.pieces if isinstance(piece, Stairs)]
    tread = (max(p.rise for p in flights), min(p.run for p in flights)) if flights else None
    breaches = TickReferee(walker, level, tread=tread).check(states, rows)
    assert not breaches, breaches[0]


@holds_for(ROOMS, STARTS, WALKS, BODY, RATES)
def test_never_faster_than_wished_and_never_backwards(room, start, walk, body, rate):
    """The bare walker on ground: in plan no further than the wish, and never against it, but for what a gap that was
    lost gives back."""
    settings = bare(radii=BODIES[body], ticks_per_second=rate)
    _, level, states, rows = walked(room, start, walk, settings)
    verdict = check_walk(level.triangles12[:, :9], states)
    # A gap is made good along the planes that lost it: up to three of them, at up to a right angle.
    lost = np.maximum(settings.skin - verdict.gaps[:-1], 0.0) * max(settings.radii[0], settings.radii[2]) * 4.0
    lost[0] = 0.1  # the spawn's own gap is the walker's affair
    plan = np.diff(states["position"][:, [0, 2]], axis=0)
    speed = np.where(rows["buttons"] & button.SPRINT != 0, settings.sprint_speed, settings.walk_speed)
    speed = np.where(states["crouched"][1:], settings.crouch_speed, speed)
    f, s = rows["forward"], rows["strafe"]
    length = np.sqrt(f * f + s * s)
    speed = speed * np.minimum(length, 1.0)
    turn = rows["heading"] * (2 * math.pi / 65536)
    wish = np.stack((s * np.cos(turn) - f * np.sin(turn), -s * np.sin(turn) - f * np.cos(turn)), 1)
    wish /= np.where(length > 0, length, 1)[:, None]
    walked_on = states["grounded"][1:] & states["grounded"][:-1] & ~states["sliding"][1:]
    # A body that crouches is blunter at its feet: a slope may push it away. The referee above bounds these ticks.
    walked_on &= states["crouched"][1:] == states["crouched"][:-1]
    # A tick may fall and land, and what landed at one and a half skins settles by half a skin: beside a steep slope
    # both go as far sideways as down.
    fell = settings.gravity * settings.dt * settings.dt + 0.5 * settings.skin * settings.radii[1]
    far = np.linalg.norm(plan, axis=1)
    assert (far <= speed * settings.dt + lost + fell + 1e-9)[walked_on].all()
    assert ((plan * wish).sum(1) >= -lost - fell - 1e-9)[walked_on].all()


@holds_for(ROOMS, STARTS, WALKS, BODY, RATES)
def test_step_run_and_crowd_give_the_same_bits(room, start, walk, body, rate):
    """Run twice, run and step, restored in the middle, on the same mesh baked from shuffled triangles: one result."""
    settings = WalkerSettings(radii=BODIES[body], ticks_per_second=rate)
    walker, level, states, rows = walked(room, start, walk, settings)
    again = walker.run(walker.state(states[0]), rows, level)
    assert again.tobytes() == states[1:].tobytes()
    state = walker.state(states[0])
    for k, command in enumerate(commands(walk, longest=LONGEST)[:30]):
        state, _ = walker.step(state, command, level)
        assert state.to_bytes() == states[k + 1].tobytes()
    half = len(rows) // 2
    other = Walker(settings)
    saved = type(state).from_bytes(states[half].tobytes())
    assert other.run(saved, rows[half:], level).tobytes() == states[half + 1 :].tobytes()


@holds_for(ROOMS, STARTS, WALKS, BODY)
def test_iterations_stay_under_the_limit(room, start, walk, body):
    """No pass of a tick is still moving when its rounds are up."""
    settings = WalkerSettings(radii=BODIES[body])
    walker, level = Walker(settings), room.mesh()
    state = spawn(walker, level, start)
    assume(state is not None)
    rows = walker.commands(commands(walk, longest=LONGEST // 4))
    _, traces = walker.run(state, rows, level, trace=True)
    most = max(len(trace.slides) for trace in traces)
    event(f"{most} swept moves")
    assert most < 12


@holds_for(ROOMS, STARTS, WALKS, BODY, st.sampled_from([90, 180, 270]))
def test_a_turned_room_gives_a_turned_walk(room, start, walk, body, degrees):
    """Headings and places turned by quarters give the walk turned by quarters."""
    walker = Walker(WalkerSettings(radii=BODIES[body]))
    level, other = room.mesh(), room.mesh(degrees)
    state = spawn(walker, level, start)
    assume(state is not None)
    c, s = round(math.cos(math.radians(degrees))), round(math.sin(math.radians(degrees)))
    x, y, z = state.position
    quarter = degrees * 65536 // 360
    there = state.replace(position=(c * x + s * z, y, c * z - s * x), heading=state.heading + quarter)
    ticks = LONGEST // 4
    one = walker.run(state, walker.commands(commands(walk, longest=ticks)), level)
    two = walker.run(there, walker.commands(commands(walk, degrees, longest=ticks)), other)
    px, py, pz = two["position"].T
    back = np.stack((c * px - s * pz, py, s * px + c * pz), 1)
    assert np.abs(back - one["position"]).max() <= 1e-6
    assert ((two["heading"] - one["heading"]) % 65536 == quarter).all()
    assert (two["grounded"] == one["grounded"]).all()


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_room_does_not_slow_the_walker(seed):
    """Without pieces nothing stops anybody but the walls: a walk towards the middle takes its time and no more."""
    room, random = Room(3.0, 1 + seed, ()), np.random.default_rng(seed)
    walker, level = Walker(bare()), room.mesh()
    for _ in range(5):
        degrees = int(random.integers(0, 360))
        state = spawn(walker, level, (0.0, 0.0, degrees))
        states = walker.run(state, walker.commands([Span(45, degrees=degrees).command()] * 45), level)
        assert math.dist(states["position"][-1], state.position) == pytest.approx(3.0, abs=1e-9)
