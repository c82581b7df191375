"""Random scenes of movers: crawl spaces, presses, lifts, pistons, arms and turned gravity in a closed hall."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
from tests.support.scenes import BODIES, box, gaps, mesh

HALF_SIDE, HEIGHT = 8.0, 5.0  # m, of the hall
RETURNS = frozenset(("crushed", "lost"))  # events of a tick that ends at the last safe place
EMBEDDED = -0.02  # gap in ellipsoid space from which on a body counts as embedded


@dataclass
class Scene:
    """A level with its environment, the walker, its first state and the commands."""

    level: TriangleMesh
    around: Environment
    walker: Walker
    start: WalkerState
    commands: list[Command]


@dataclass
class SceneReport:
    """Result of the ticks of a scene: those that end embedded, the least gap (ellipsoid space), those that return to
    the safe place, the longest run of returns in a row, and the run of returns at the end."""

    embedded: list[int] = field(default_factory=list)
    least: float = 9.0
    returns: list[int] = field(default_factory=list)
    longest: int = 0
    last: int = 0


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


def run_scene(scene: Scene) -> SceneReport:
    """Walk through a scene and measure every tick."""
    report, state, states, in_row = SceneReport(), scene.start, [], 0
    for k, command in enumerate(scene.commands):
        state, trace = scene.walker.step(state, command, scene.level, scene.around, k)
        states.append(state)
        in_row = in_row + 1 if RETURNS & set(trace.events) else 0
        if in_row:
            report.returns.append(k)
        report.longest = max(report.longest, in_row)
    report.last = in_row
    measured = gaps_in_scene(scene, states)
    report.least = float(measured.min())
    report.embedded = [int(k) for k in np.flatnonzero(measured < EMBEDDED)]
    return report


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
