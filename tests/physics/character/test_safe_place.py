"""The safe place of a walker: crushed or lost, the body is back there with the stance, heading and up of then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from game.physics import (
    Command,
    Environment,
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
from tests.support.scenes import BODIES, box, floor, gaps, heading, mesh

HALF_SIDE, HEIGHT = 8.0, 5.0  # m, of the hall
RETURNS = frozenset(("crushed", "lost"))  # events of a tick that ends at the last safe place


@dataclass
class Scene:
    """A level with its environment, the walker, its first state and the commands."""

    level: TriangleMesh
    around: Environment
    walker: Walker
    start: WalkerState
    commands: list[Command]


def make_scene(seed: int, ticks: int = 1500) -> Scene | None:
    """The scene of a seed; None if the walker has no place outside the reach of all movers."""
    rng = np.random.default_rng(seed)
    rate = float(rng.choice([30.0, 60.0, 60.0, 120.0]))
    walker = Walker(WalkerSettings(radii=BODIES[str(rng.choice(sorted(BODIES)))], ticks_per_second=rate))
    parts = [box(-HALF_SIDE, 0.0, -HALF_SIDE, HALF_SIDE, HEIGHT, HALF_SIDE)]
    aims: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(1, 4))):  # crawl spaces
        x, z, low = *rng.uniform(-6.0, 6.0, 2), rng.uniform(1.15, 1.7)
        a, b = rng.uniform(0.8, 2.0), rng.uniform(1.0, 3.0)
        parts.append(box(x - a, low, z - b, x + a, low + rng.uniform(0.2, 2.0), z + b))
        aims.append((x, 0.0, z))
    movers = [_make_mover(rng, aims) for _ in range(int(rng.integers(1, 5)))]
    aims += [(mover.at[0], 0.0, mover.at[2]) for mover in movers]
    zones = [_make_gravity_zone(rng) for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.4 else 0)]
    level, around = mesh(*parts), Environment(Zones(zones), Movers(movers, rate))
    start = _find_start(rng, walker, level, around)
    return None if start is None else Scene(level, around, walker, start, _make_commands(rng, rate, ticks, aims))


def _make_mover(rng: Any, aims: list[tuple[float, float, float]]) -> Mover:
    """A press, a lift, a piston or an arm, often at a crawl space."""
    x, z = rng.uniform(-6.0, 6.0, 2)
    if rng.random() < 0.6:
        ax, _, az = aims[int(rng.integers(len(aims)))]
        x, z = ax + rng.uniform(-2.5, 2.5), az + rng.uniform(-3.5, 3.5)
    a, b, seconds, pause = rng.uniform(0.4, 1.5), rng.uniform(0.4, 1.5), rng.uniform(0.3, 4.0), rng.uniform(0.0, 1.0)
    ease = bool(rng.random() < 0.5)
    kind = int(rng.integers(4))
    if kind == 0:
        y, low = rng.uniform(1.9, 3.5), rng.uniform(0.05, 1.4)
        path = ((0.0, 0.0, 0.0), (0.0, low - y, 0.0))
        return Mover(mesh(box(-a, 0.0, -b, a, 1.0, b)), (x, y, z), Motion(path, seconds, pause, ease))
    if kind == 1:
        path = ((0.0, 0.0, 0.0), (0.0, rng.uniform(1.0, HEIGHT - 0.4), 0.0))
        return Mover(mesh(box(-a, -0.2, -b, a, 0.05, b)), (x, 0.0, z), Motion(path, seconds, pause, ease))
    if kind == 2:
        path = ((0.0, 0.0, 0.0), (rng.uniform(-6.0, 6.0), 0.0, rng.uniform(-6.0, 6.0)))
        high = rng.uniform(0.4, 2.5)
        return Mover(mesh(box(-a, 0.02, -b, a, high, b)), (x, 0.0, z), Motion(path, seconds, pause, ease))
    arm = box(-rng.uniform(1.0, 3.0), rng.uniform(0.1, 1.3), -0.15, rng.uniform(1.0, 3.0), 1.5, 0.15)
    return Mover(mesh(arm), (x, 0.0, z), Motion(axis=tuple(rng.normal(size=3)), spin=rng.uniform(20.0, 120.0)))


def _make_gravity_zone(rng: Any) -> Zone:
    """A zone whose gravity points along an axis or anywhere."""
    down = rng.normal(size=3) if rng.random() < 0.4 else np.roll((rng.choice((-1.0, 1.0)), 0.0, 0.0), rng.integers(3))
    centre = rng.uniform(-6.0, 6.0), rng.uniform(0.0, HEIGHT), rng.uniform(-6.0, 6.0)
    return Zone(centre, tuple(rng.uniform(1.5, 5.0, 3)), down=tuple(down))


def _find_start(rng: Any, walker: Walker, level: TriangleMesh, around: Environment) -> WalkerState | None:
    """A spawn that no mover can reach."""
    for _ in range(40):
        x, z = rng.uniform(-HALF_SIDE + 0.6, HALF_SIDE - 0.6, 2)
        if around.movers.reach((x, 1.0, z), 1.2) or not -0.1 < level.closest((x, 0.9, z)).distance - 0.9 < 0.1:
            continue
        try:
            return walker.spawn(level, (x, 0.0, z), int(rng.integers(65536)), around=around)
        except ValueError:
            continue
    return None


def _make_commands(rng: Any, rate: float, ticks: int, aims: list[tuple[float, float, float]]) -> list[Command]:
    """Walks in stretches of 0.2 to 2 s towards crawl spaces and movers, often crouched."""
    commands: list[Command] = []
    x, z = 0.0, 0.0
    while len(commands) < ticks:
        ax, _, az = aims[int(rng.integers(len(aims)))]
        look = int(np.degrees(np.arctan2(x - ax, z - az)) / 360.0 * 65536.0 + rng.normal(0.0, 4000.0))
        x, z = ax, az
        forward = float(rng.choice((0.0, 0.5, 1.0, 1.0, 1.0, -1.0)))
        crouch, sprint, jump = (bool(rng.random() < p) for p in (0.45, 0.2, 0.1))
        strafe = float(rng.choice((0.0, 0.0, 0.7, -0.7)))
        for k in range(int(rng.uniform(0.2, 2.0) * rate)):
            commands.append(Command(forward, strafe, look, jump=jump and k < 3, crouch=crouch, sprint=sprint))
    return commands[:ticks]


def gaps_in_scene(scene: Scene, states: list[WalkerState], clock: int = 0) -> Any:
    """Gap (ellipsoid space) of the state after each tick to the level and to the movers at their poses then, any up."""
    movers = scene.around.movers
    rows = np.concatenate([state.row() for state in states])
    up, north = rows["up"], rows["north"]
    frames = np.stack((np.cross(north, up), up, -north), 1)
    frames[(up == (0.0, 1.0, 0.0)).all(1) & (north == (0.0, 0.0, -1.0)).all(1)] = np.eye(3)
    level = scene.level.triangles12[:, :9].reshape(-1, 3, 3)
    own = [mover.mesh.triangles12[:, :9].reshape(-1, 3, 3) for mover in movers]
    found = []
    for first in range(0, len(rows), 256):
        part = slice(first, first + 256)
        poses = np.array([movers.poses(clock + k + 1) for k in range(len(rows))[part]])
        every = [np.broadcast_to(level, (len(poses), *level.shape))]
        every += [
            np.einsum("kij,ncj->knci", poses[:, m, :, :3], own[m]) + poses[:, m, None, None, :, 3]
            for m in range(len(own))
        ]
        triangles = np.concatenate(every, 1) - rows["position"][part, None, None]
        local = rows[part].copy()
        local["position"] = 0.0
        found.append(gaps(local, np.einsum("kij,kncj->knci", frames[part], triangles)))
    return np.concatenate(found)


HALF_SKIN = 0.005 - 2e-6  # ellipsoid space; less what rounding may take
CRAWL = mesh(floor(-3, -8, 3, 10), box(-3, 1.2, 0, 3, 3, 6))  # a crawl space, 1.2 m high, from z = 0 to 6
PRESS = Mover(mesh(box(-3, 0, -2.2, 3, 1, 2.2)), (0, 2.5, -2.6), Motion(((0, 0, 0), (0, -2.45, 0)), 1.0, 1.5))


def crawl_walk(clock: int) -> tuple[Scene, list[WalkerState], list[int]]:
    """Through the crawl space crouched, stand up and turn behind it until the press comes, and crawl back; (the scene
    with the commands, the states, the ticks that return to the safe place)."""
    walker, around = Walker(), Environment(movers=Movers([PRESS], 60))
    state = walker.spawn(CRAWL, (0, 0, 8), around=around, clock=clock)
    scene, states, returns, waits = Scene(CRAWL, around, walker, state, []), [state], [], False
    for k in range(900):
        waits |= state.position[2] < -1.0
        crouch, ahead = bool(returns) or not waits, not waits or bool(returns)
        command = Command(float(ahead), crouch=crouch, heading=heading(180 if returns else 50 * waits))
        state, trace = walker.step(state, command, CRAWL, around, clock + k)
        returns += [k] if RETURNS & set(trace.events) else []
        scene.commands.append(command)
        states.append(state)
    return scene, states, returns


@pytest.mark.sample(2)
@pytest.mark.parametrize("clock", range(0, 300, 60))
def test_a_body_crushed_beside_a_crawl_space_is_back_in_it_crouched(clock: int) -> None:
    scene, states, returns = crawl_walk(clock)
    (k,) = returns
    back = states[k + 1]
    safe = next(s for s in reversed(states[: k + 1]) if s.position == back.position)
    assert not states[k].crouched, "it stands when the press comes"
    assert states[k].heading != back.heading
    assert (back.crouched, back.radii, back.heading) == (True, safe.radii, safe.heading)
    assert (back.up, back.north, back.velocity) == (safe.up, safe.north, (0.0, 0.0, 0.0))
    assert states[k + 2].feet[1] == pytest.approx(safe.feet[1], abs=0.01)
    assert gaps_in_scene(scene, states[1:], clock).min() >= HALF_SKIN
    assert states[-1].position[2] > 6.5, "it can walk away"


@pytest.mark.sample(2)
@pytest.mark.parametrize("down", [(1, 0, 0), (0, 1, 0), (0, 0, -1), (0.6, 0.48, 0.64)])
def test_back_out_of_another_gravity_one_stands_upright_again(down: tuple[float, ...]) -> None:
    """A pillar crushes the body against a wall, in a zone whose gravity it has taken; its safe place is outside."""
    hall = mesh(box(-6, 0, -6, 6, 6, 6))
    zone = Zone((4, 3, 0), (2, 3, 6), down=down)
    pillar = Mover(mesh(box(-2.1, 0.0, -5.9, 2.1, 5.9, -1.0)), (3.8, 0.05, 0), Motion(((0, 0, 0), (0, 0, 8)), 3.0, 2.0))
    walker, around = Walker(), Environment(Zones([zone]), Movers([pillar], 60))
    state = walker.spawn(hall, (-4.0, 0.0, 3.0), heading(-90), around=around)
    states, turned, back = [state], False, 0
    for k in range(900):
        state, trace = walker.step(state, Command(forward=1.0, heading=heading(-90)), hall, around, k)
        turned |= state.up != (0.0, 1.0, 0.0)
        if RETURNS & set(trace.events):
            back += 1
            safe = next(s for s in reversed(states) if s.position == state.position and s.grounded)
            assert (state.up, state.north, state.heading) == (safe.up, safe.north, safe.heading)
        states.append(state)
    assert turned
    assert back >= 1
    assert gaps_in_scene(Scene(hall, around, walker, states[0], []), states[1:]).min() >= HALF_SKIN


def test_a_safe_place_under_a_press_is_free_again_when_it_rises() -> None:
    """A spawn in the reach of a press has no other safe place. The body crouches there, and stands up afterwards."""
    level = mesh(floor(-9, -9, 9, 9))
    press = Mover(mesh(box(-2, 0, -2, 2, 1, 2)), (0, 2.0, 0), Motion(((0, 0, 0), (0, -1.9, 0)), 1.0, 1.0))
    walker, around = Walker(), Environment(movers=Movers([press], 60))
    state = walker.spawn(level, (0, 0, 0), around=around)
    crushed, crouched = [], []
    for k in range(290):
        state, trace = walker.step(state, Command(), level, around, k)
        crushed.append("crushed" in trace.events)
        crouched.append(state.crouched)
    assert 60 < sum(crushed) < 160
    assert np.mean(np.array(crouched)[crushed]) > 0.95, "the smaller body, from the second return on"
    assert not any(crushed[-50:])
    assert state.grounded
    assert not state.crouched
    assert state.feet == pytest.approx((0.0, 0.009, 0.0), abs=1e-3)


def test_an_upright_safe_place_that_has_become_too_low_is_taken_crouched() -> None:
    """A row that names the wrong stance of its safe place: the crawl space still receives the body."""
    walker = Walker()
    state = walker.spawn(CRAWL, (0, 0, 8))
    states = walker.run(state, walker.commands([Command(forward=1.0, crouch=True)] * 150), CRAWL)
    inside, outside = walker.state(states[-1]), walker.spawn(CRAWL, (0, 0, -2))
    row = outside.row()
    row["safe"] = inside.position
    row["position"] = (0.0, 1.3, 3.0)  # in the ceiling, with no way out
    row["safe_crouched"] = 0
    state = WalkerState(row)
    lost = []
    for _ in range(20):
        state, trace = walker.step(state, Command(), CRAWL)
        lost.append("lost" in trace.events)
    assert lost[0]
    assert not any(lost[3:])
    assert state.crouched
    assert state.grounded
    assert state.feet == pytest.approx(inside.feet, abs=0.02)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [602, 531, 701, 521, 747, 326, 150])
def test_no_tick_among_movers_ends_embedded(seed: int) -> None:
    """Scenes in which a tick ended embedded by up to 0.4 of a radius, and ones beside them."""
    for scene in (make_scene(seed, 1050 if seed == 150 else 410), make_scene(seed + 1000, 200)):
        if scene is None:
            continue
        state, states, in_row = scene.start, [], [0]  # ticks in a row that end at the safe place
        for k, command in enumerate(scene.commands):
            state, trace = scene.walker.step(state, command, scene.level, scene.around, k)
            states.append(state)
            in_row.append(in_row[-1] + 1 if RETURNS & set(trace.events) else 0)
        assert gaps_in_scene(scene, states).min() >= HALF_SKIN
        assert max(in_row) <= 2
