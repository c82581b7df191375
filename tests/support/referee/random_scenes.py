"""Random scenes for the tick referee: flights, spirals, pyramids, terraces, curbs, voxels, rubble, movers, turned
gravity, pools, rough slopes, slots, double walls, louvres, helices, open sides of stairs, tilted platforms, fast
walls; each with a body, a rate, a start and commands.

A scene follows from its kind and its seed alone: `random_scene("flight", 17)` is always the same. Metres.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from game.fuzz.random_walks import wander
from game.fuzz.tick_referee import Breach, TickReferee
from game.physics import (
    Command,
    Crowd,
    Environment,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
)
from game.physics.character.rows import button
from game.physics.environment.motion import Motion
from tests.support.referee.scene_shapes import (
    curbs,
    double_walls,
    flight,
    ground,
    helix,
    louvres,
    pyramid,
    rotation,
    rubble,
    slot,
    spiral,
    terraces,
    voxels,
)
from tests.support.scenes import BODIES, Triangles, box, floor, mesh, quad, turned

RATES = (30, 60, 120, 240)
ODD_BODIES = ((0.9, 0.9, 0.2), (0.2, 0.9, 0.9), (0.35, 0.9, 0.12), (0.15, 0.5, 0.6), (0.6, 0.7, 0.15), (0.3, 1.2, 0.1))
ODD_SKINS = (0.01, 0.01, 0.1, 0.001)
BANK = 0.6  # m above the water that every swimmer climbs: a third of the upright height
EXIT_SECONDS = 8.0  # s in which a swimmer who holds forward leaves the water
TURNED_TOLERANCE = 1e-6  # m between a walk and the same walk turned by quarters
ROUNDING = 1e-14  # m: some units in the last place of a position in a scene
HOP_TOLERANCE = 0.05  # m by which a hop on a steep slope may exceed jump and step height


@dataclass(frozen=True)
class Scene:
    """One walk: what stands where, who walks, and the commands."""

    walker: Walker
    mesh: TriangleMesh
    state: WalkerState
    rows: Any
    triangles: Any = None  # (n, 3, 3), where another scene is made of them
    around: Environment | None = None
    tread: tuple[float, float] | None = None  # (rise, run) of stairs that are narrower than a tick's way
    exit_height: float | None = None  # height of the bank around a pool
    highest: float | None = None  # height of the feet that no hop may exceed

    edits: tuple[tuple[int, dict[str, Any]], ...] = ()  # (tick, arguments of `replace` before it), in order
    turn: Any = None  # rotation (3, 3) that makes this scene of the straight one
    straight: Scene | None = None

    def walk(self) -> list[tuple[int, Any]]:
        """[(first tick, states with the start first)], a part for each edit, by `run`, `step` and `Crowd` in turn."""
        parts, state = [], self.state
        cuts = [0, *(tick for tick, _ in self.edits), len(self.rows)]
        for n, (first, end) in enumerate(itertools.pairwise(cuts)):
            if n:
                state = state.replace(**self.edits[n - 1][1])
            states = self._run(state, first, end, n % 3)
            parts.append((first, np.concatenate((state.row(), states))))
            state = self.walker.state(states[-1]) if len(states) else state
        return parts

    def _run(self, state: WalkerState, first: int, end: int, method: int) -> Any:
        """State rows of the ticks `first` to before `end`, by one of the three ways to make them."""
        rows = self.rows[first:end]
        if method == 0 or first == end:
            return self.walker.run(state, rows, self.mesh, around=self.around, clock=first)
        crowd = Crowd(self.walker, self.mesh, 1, self.around)
        out, row = [], state.row()
        for k in range(len(rows)):
            if method == 1:
                row = self.walker.step(self.walker.state(row), command(rows[k]), self.mesh, self.around, first + k)[
                    0
                ].row()
            else:
                row = crowd.step(row, rows[k : k + 1], first + k)
            out.append(row)
        return np.concatenate(out)

    def breaches(self) -> tuple[int, list[Breach]]:
        """(ticks, breaches of the bounds of a tick and of what the scene expects)."""
        parts = self.walk()
        referee = TickReferee(self.walker, self.mesh, self.around, self.tread)
        found = []
        for first, states in parts:
            rows = self.rows[first : first + len(states) - 1]
            found += [dataclasses.replace(b, tick=b.tick + first) for b in referee.check(states, rows, first)]
        last, states = len(self.rows) - 1, np.concatenate([states for _, states in parts])
        feet = states["position"][:, 1] - states["radii"][:, 1]
        if self.highest is not None and feet.max() > self.highest:
            found.append(Breach(last, "climb", float(feet.max()), self.highest))
        if self.exit_height is not None:
            out = states["grounded"] & ~states["swimming"] & (feet > self.exit_height - 0.05)
            if not out.any():
                found.append(Breach(last, "trap", float(feet.max()), self.exit_height))
        if self.straight is not None:
            found += self._partings(parts, self.straight)
        return len(self.rows), found

    def _partings(self, parts: list[tuple[int, Any]], straight: Scene) -> list[Breach]:
        """The first tick whose end is not that of the straight walk, turned.

        None if the straight walk itself ends that tick so when it begins ROUNDING aside: rounding decides there, both
        ends are right, and the walks cannot be compared after it.
        """
        for (first, states), (_, same) in zip(parts, straight.walk(), strict=True):
            ends = [_outcome(states, self.turn), _outcome(same, np.eye(3))]
            off = np.abs(np.subtract(*ends)).max(axis=1)
            if off.max() > TURNED_TOLERANCE:
                k = int(np.argmax(off > TURNED_TOLERANCE))
                tick = first + max(k - 1, 0)
                is_tie = k > 0 and straight.may_end(tick, same[k - 1 : k], ends[0][k])
                return [] if is_tie else [Breach(tick, "turned", float(off[k]), TURNED_TOLERANCE)]
        return []

    def may_end(self, tick: int, start: Any, end: Any) -> bool:
        """True if a tick from a state row has the end (`_outcome`) when it begins ROUNDING aside."""
        for aside in ROUNDING * np.concatenate((np.eye(3), -np.eye(3))):
            moved = start.copy()
            moved["position"] += aside
            after = self.walker.run(self.walker.state(moved[0]), self.rows[tick : tick + 1], self.mesh, clock=tick)
            if np.abs(_outcome(after, np.eye(3))[0] - end).max() <= TURNED_TOLERANCE:
                return True
        return False


def _outcome(states: Any, turn: Any) -> Any:
    """Position, velocity, heading and ground (n, 8) of states in a frame."""
    return np.column_stack(
        (states["position"] @ turn, states["velocity"] @ turn, states["heading"], states["grounded"])
    )


def command(row: Any) -> Command:
    """Command of a command row."""
    pressed = [bool(row["buttons"] & bit) for bit in (button.JUMP, button.CROUCH, button.SPRINT)]
    return Command(float(row["forward"]), float(row["strafe"]), int(row["heading"]), int(row["pitch"]), *pressed)


# Walks


def settings(random: Any, rates: tuple[int, ...] = RATES) -> WalkerSettings:
    body = BODIES[str(random.choice(sorted(BODIES)))]
    return WalkerSettings(radii=body, ticks_per_second=int(random.choice(rates)))


def approach(random: Any, walker: Walker, degrees: float, seconds: float) -> Any:
    """Commands straight ahead for some seconds, and one that changes at random in every fourth scene."""
    ticks = round(seconds * walker.settings.ticks_per_second)
    heading = round(degrees * 65536 / 360) % 65536
    if random.random() < 0.25:
        return wander(walker, ticks, int(random.integers(1 << 30)), heading)
    jump = np.zeros(ticks, bool)
    if random.random() < 0.2:
        at = int(random.integers(0, ticks))
        jump[at : at + int(random.integers(1, 20))] = True
    return walker.commands(
        forward=np.ones(ticks),
        strafe=float(random.choice([0.0, 0.0, 0.0, 1.0, -1.0])),
        heading=heading,
        jump=jump,
        sprint=bool(random.random() < 0.3),
        crouch=bool(random.random() < 0.1),
    )


def start_beside(random: Any, walker: Walker, world: TriangleMesh, reach: float) -> tuple[WalkerState, float] | None:
    """(state on the ground a little way off a random target within `reach`, heading to the target in degrees)."""
    for _ in range(8):
        tx, tz = random.uniform(-reach, reach, 2)
        degrees, far = float(random.uniform(0, 360)), float(random.uniform(0.9, 2.5))
        a = math.radians(degrees)
        x, z = tx + far * math.sin(a), tz + far * math.cos(a)
        try:
            state = walker.spawn(world, (x, 0.0, z), round(degrees * 65536 / 360) % 65536)
        except ValueError:
            continue
        return state, degrees + float(random.normal(0.0, 15.0))
    return None


def walk_scene(random: Any, triangles: Triangles, reach: float, tread: Any = None) -> Scene | None:
    """A walk over the triangles, which are turned as a whole, and the ground."""
    walker = Walker(settings(random))
    triangles = ground() + turned(triangles, float(random.choice([0.0, 90.0, random.uniform(0, 360)])))
    world = mesh(triangles)
    begin = start_beside(random, walker, world, reach)
    if begin is None:
        return None
    state, degrees = begin
    rows = approach(random, walker, degrees, float(random.uniform(0.8, 1.6)))
    return Scene(walker, world, state, rows, triangles, tread=tread)


def flight_scene(random: Any) -> Scene | None:
    triangles, _ = flight(random, False)
    return walk_scene(random, triangles, 1.5)


def narrow_flight_scene(random: Any) -> Scene | None:
    triangles, tread = flight(random, True)
    return walk_scene(random, triangles, 0.8, tread)


def voxel_scene(random: Any) -> Scene | None:
    size, rise = float(random.choice([0.3, 0.4, 0.5])), float(random.uniform(0.2, 0.4))
    return walk_scene(random, voxels(random, size, 7, rise, int(random.integers(1, 4))), 1.5)


def mover_scene(random: Any) -> Scene | None:
    """A crawl space with a press, a lift or a door at its end or in it.

    Most bodies crouch through, stand up at the mover and stay for some time; the others come from outside.
    """
    walker = Walker(settings(random, (30, 60, 120)))
    rate, roof = int(walker.settings.ticks_per_second), float(random.uniform(1.15, 1.5))
    parts = [ground(), box(-1.0, roof, -6.0, 1.0, roof + 0.3, 0.0)]
    if random.random() < 0.5:
        parts += [box(-1.3, 0.0, -6.0, -1.0, roof + 0.3, 0.0), box(1.0, 0.0, -6.0, 1.3, roof + 0.3, 0.0)]
    seconds, kind = float(random.uniform(0.7, 2.0)), int(random.choice([0, 0, 0, 1, 2]))
    z = float(random.uniform(0.0, 1.0)) if random.random() < 0.8 else float(random.uniform(-4.0, 0.0))
    if kind == 0:  # a press
        block, at = box(-1.2, 0.0, 0.0, 1.2, 0.4, 1.2), (0.0, roof if z < 0.0 else 2.2, z)
        path = (0.0, -at[1], 0.0)
    elif kind == 1:  # a lift, which goes up below the roof
        block, at, path = box(-0.9, -0.2, 0.0, 0.9, 0.0, 1.5), (0.0, 0.01, z), (0.0, 2.0, 0.0)
    else:  # a door, which shuts
        block, at, path = box(-0.2, 0.0, -1.0, 0.2, 2.0, 1.0), (-1.2, 0.0, z), (2.4, 0.0, 0.0)
    motion = Motion(((0.0, 0.0, 0.0), path), seconds, pause=float(random.choice([0.0, 1.0])))
    around = Environment(None, Movers([Mover(mesh(block), at, motion)], rate))
    world = mesh(*parts)
    inside = bool(random.random() < 0.75)
    heading, begin = (32768, -7.5) if inside else (0, 3.5)
    state = walker.spawn(world, (float(random.uniform(-0.5, 0.5)), 0.0, begin), heading, around=around)
    way = abs(z + 0.6 - begin) + float(random.normal(0.0, 0.2))
    ticks, there = round(9.0 * rate), round(max(way, 0.0) / walker.settings.crouch_speed * rate)
    crouch, forward = np.ones(ticks, bool), np.ones(ticks)
    crouch[there : there + round(float(random.uniform(0.5, 4.0)) * rate)] = False
    forward[there:] = float(random.choice([0.0, 0.0, 1.0, -1.0]))
    rows = walker.commands(forward=forward, heading=heading, crouch=crouch)
    return Scene(walker, world, state, rows, around=around)


def turned_scene(random: Any) -> Scene | None:
    """Stairs, curbs or rubble with gravity in any direction."""
    build = (lambda r: flight(r, False)[0], curbs, rubble, pyramid)[int(random.integers(0, 4))]
    straight = walk_scene(random, build(random), 1.5)
    if straight is None:
        return None
    quarters = random.random() < 0.5
    turn = rotation(random)
    if quarters:
        turn = np.eye(3)[random.permutation(3)] * random.choice([-1.0, 1.0], (3, 1))
        turn[0] *= round(np.linalg.det(turn))
    world = TriangleMesh(np.array(straight.triangles) @ turn.T)
    walker, begun, rows = straight.walker, straight.state, straight.rows
    frame = {"up": turn @ (0.0, 1.0, 0.0), "north": turn @ (0.0, 0.0, -1.0)}
    try:
        state = walker.spawn(world, turn @ begun.feet, begun.heading, **frame)
        # A spawn at the feet of a spawn may settle further: the straight walk begins with the second one too.
        begun = walker.spawn(straight.mesh, begun.feet, begun.heading)
    except ValueError:
        return None
    edits = []
    for tick in sorted(int(k) for k in random.choice(len(rows), 3, replace=False)):
        name = str(random.choice(["velocity", "velocity", "position", "heading"]))
        if name == "heading":
            edits.append((tick, {name: int(random.integers(0, 65536))}))
        elif name == "velocity":
            edits.append(
                (tick, {name: random.uniform((-3.0, 0.0, -3.0), (3.0, 5.0, 3.0)) * random.choice([0.0, 1.0], 3)})
            )
        else:
            edits.append((tick, {name: random.uniform((-2.5, 3.5, -2.5), (2.5, 5.0, 2.5))}))
    other = tuple((k, {n: v if n == "heading" else turn @ v for n, v in edit.items()}) for k, edit in edits)
    twin = dataclasses.replace(straight, state=begun, edits=tuple(edits))
    return Scene(walker, world, state, rows, edits=other, turn=turn, straight=twin if quarters else None)


def pool_scene(random: Any) -> Scene | None:
    """A pool with a bank of one height; a swimmer holds forward, and jump or not."""
    walker = Walker(settings(random))
    bank, half, depth = float(random.uniform(-0.3, BANK)), float(random.uniform(1.5, 2.5)), 3.0
    w = half + 3.0
    parts = [floor(-half, -half, half, half, y=-depth)]
    for degrees in (0.0, 90.0, 180.0, 270.0):
        side = floor(-w, -w, w, -half, y=bank)
        side += quad((-half, -depth, -half), (half, -depth, -half), (half, bank, -half), (-half, bank, -half))
        parts.append(turned(side, degrees))
    world = mesh(*parts)
    water = Zone((0.0, -depth / 2.0, 0.0), (w, depth / 2.0, w), water=True)
    around = Environment(Zones([water]), None)
    degrees = float(random.choice([0.0, 90.0, 180.0, 270.0]) + random.normal(0.0, 15.0))
    heading = round(degrees * 65536 / 360) % 65536
    try:
        state = walker.spawn(world, (0.0, -1.9, 0.0), heading, around=around)
    except ValueError:
        return None
    ticks = round(EXIT_SECONDS * walker.settings.ticks_per_second)
    jump, sprint = (bool(random.random() < part) for part in (0.5, 0.3))
    rows = walker.commands(forward=np.ones(ticks), heading=heading, jump=jump, sprint=sprint)
    return Scene(walker, world, state, rows, around=around, exit_height=bank)


def rough_scene(random: Any) -> Scene | None:
    """A slope just over the limit, rough by millimetres, and somebody who hops against it."""
    walker = Walker(settings(random))
    degrees, noise = float(random.uniform(45.2, 52.0)), float(random.choice([0.0, 0.0005, 0.001, 0.002]))
    cell, far = 0.3, 4.5
    degrees += math.degrees(noise / cell)  # else the flattest faces could be walked on
    n, tangent = round(far / cell), math.tan(math.radians(degrees))
    y = np.tile(np.arange(n + 1) * cell * tangent, (n + 1, 1)) + random.uniform(-noise, noise, (n + 1, n + 1))
    y[:, 0] = 0.0
    x, z = np.arange(n + 1) * cell - far / 2.0, -np.arange(n + 1) * cell
    out: Triangles = []
    for i in range(n):
        for j in range(n):
            p = [(x[a], float(y[a, b]), z[b]) for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
            out += quad(*p)
    world = mesh(floor(-3.0, 0.0, 3.0, 4.0), out)
    aside = float(random.normal(0.0, 25.0))
    heading = round(aside * 65536 / 360) % 65536
    state = walker.spawn(world, (float(random.uniform(-1.0, 1.0)), 0.0, 1.0), heading)
    rate = int(walker.settings.ticks_per_second)
    period = max(2, round(rate * random.uniform(0.1, 0.6)))
    rows = walker.commands(
        forward=np.ones(6 * rate), heading=heading, jump=np.arange(6 * rate) % period < max(period // 2, 1)
    )
    s = walker.settings
    highest = s.jump_height + s.step_height + HOP_TOLERANCE + noise
    return Scene(walker, world, state, rows, highest=highest)


def restless(random: Any, walker: Walker, seconds: float) -> Any:
    """Commands of a body that turns in every tick, and walks, crouches and jumps in spans."""
    ticks = round(seconds * walker.settings.ticks_per_second)
    rows = wander(walker, ticks, int(random.integers(1 << 30)))
    span = int(random.choice([200, 2000, 32768]))
    rows["heading"] = (rows["heading"].astype(np.int64) + np.cumsum(random.integers(-span, span + 1, ticks))) % 65536
    return rows


def restless_scene(random: Any, build: Callable[[Any], Triangles], reach: float) -> Scene | None:
    """A body of an unusual shape that turns in every tick, in a narrow place."""
    radii = ODD_BODIES[int(random.integers(len(ODD_BODIES)))]
    crouch_height = 2.0 * max(0.6 * radii[1], 0.05)
    walker = Walker(
        WalkerSettings(
            radii=radii,
            skin=float(random.choice(ODD_SKINS)),
            crouch_height=crouch_height,
            ticks_per_second=int(random.choice(RATES)),
        )
    )
    triangles = ground() + turned(build(random), float(random.choice([0.0, 90.0, random.uniform(0, 360)])))
    world = mesh(triangles)
    begin = start_beside(random, walker, world, reach)
    if begin is None:
        return None
    return Scene(walker, world, begin[0], restless(random, walker, float(random.uniform(1.0, 3.0))), triangles)


def open_side_scene(random: Any) -> Scene | None:
    """A crouched body that turns in every tick, at the open side of a flight of stairs."""
    walker = Walker(settings(random, (30, 60, 120)))
    triangles = ground()
    for k in range(10):
        triangles += box(-1.0, 0.0, -0.3 * (k + 1) - (2.0 if k == 9 else 0.0), 1.0, 0.18 * (k + 1), -0.3 * k)
    world = mesh(triangles)
    try:
        state = walker.spawn(world, (float(random.uniform(1.3, 1.8)), 0.0, float(random.uniform(-1.6, -0.2))), 16384)
    except ValueError:
        return None
    rows = restless(random, walker, 3.0)
    turns = np.cumsum(random.integers(-3000, 3001, len(rows))) if random.random() < 0.8 else 0
    rows["heading"] = (16384 + turns) % 65536
    rows["buttons"] |= button.CROUCH
    return Scene(walker, world, state, rows, triangles)


def tilted_platform_scene(random: Any) -> Scene | None:
    """A platform that swings or spins about a tilted axis, and a body that stands or walks on it."""
    rate = int(random.choice((30, 60, 120)))
    walker = Walker(WalkerSettings(radii=BODIES[str(random.choice(sorted(BODIES)))], ticks_per_second=rate))
    tilt = random.normal(0.0, 0.15, 2)
    axis = (float(tilt[0]), 1.0, float(tilt[1]))
    swings = random.random() < 0.5
    motion = Motion(
        ((0.0, 0.0, 0.0), tuple(random.uniform(-1.0, 1.0, 3) * (1.0, 0.3, 1.0))) if random.random() < 0.5 else (),
        float(random.uniform(2.0, 6.0)),
        axis=axis,
        swing=float(random.uniform(-60.0, 60.0)) if swings else 0.0,
        spin=0.0 if swings else float(random.uniform(-40.0, 40.0)),
        phase=float(random.uniform(0.0, 6.0)),
    )
    platform = Mover(mesh(box(-2.5, -0.2, -2.5, 2.5, 0.0, 2.5)), (0.0, 2.0, 0.0), motion)
    around = Environment(None, Movers([platform], rate))
    world = mesh(ground())
    x, z = random.uniform(-1.5, 1.5, 2)
    try:
        state = walker.spawn(world, (float(x), 2.3, float(z)), int(random.integers(0, 65536)), around=around)
    except ValueError:
        return None
    ticks = 4 * rate
    rows = (
        walker.commands(forward=np.zeros(ticks)) if random.random() < 0.4 else wander(walker, ticks, int(z * 1e6) % 997)
    )
    return Scene(walker, world, state, rows, around=around)


def fast_wall_scene(random: Any) -> Scene | None:
    """A wall, too long to walk around, that sweeps over the ground at 20 to 200 m/s, and a body of centimetres."""
    radius, rate = float(random.choice([0.01, 0.02, 0.05, 0.12])), int(random.choice((30, 60, 120)))
    walker = Walker(
        WalkerSettings(
            radii=(radius, max(2.0 * radius, 0.05), radius),
            crouch_height=2.0 * max(1.5 * radius, 0.04),
            step_height=radius,
            snap_down=radius,
            ticks_per_second=rate,
        )
    )
    way, speed = float(random.uniform(3.0, 8.0)), float(random.uniform(20.0, 200.0))
    motion = Motion(((0.0, 0.0, 0.0), (way, 0.0, 0.0)), way / speed, pause=float(random.choice([0.0, 0.5])), ease=False)
    block = Mover(mesh(box(-0.1, 0.02, -40.0, 0.1, 2.0, 40.0)), (-way / 2.0, 0.0, 0.0), motion)
    around = Environment(None, Movers([block], rate))
    world = mesh(ground())
    try:
        state = walker.spawn(world, (float(random.uniform(0.3, 1.0)) * way, 0.0, 0.0), around=around)
    except ValueError:
        return None
    return Scene(walker, world, state, wander(walker, 2 * rate, int(random.integers(1 << 30))), around=around)


KINDS: dict[str, Callable[[Any], Scene | None]] = {
    "flight": flight_scene,
    "narrow flight": narrow_flight_scene,
    "spiral": lambda random: walk_scene(random, spiral(random), 1.8),
    "pyramid": lambda random: walk_scene(random, pyramid(random), 1.5),
    "terraces": lambda random: walk_scene(random, terraces(random), 2.5),
    "curbs": lambda random: walk_scene(random, curbs(random), 1.5),
    "voxels": voxel_scene,
    "rubble": lambda random: walk_scene(random, rubble(random), 2.0),
    "movers": mover_scene,
    "turned": turned_scene,
    "pool": pool_scene,
    "rough": rough_scene,
    "slots": lambda random: restless_scene(random, slot, 1.0),
    "double walls": lambda random: restless_scene(random, double_walls, 1.5),
    "louvres": lambda random: restless_scene(random, louvres, 1.0),
    "helices": lambda random: restless_scene(random, helix, 1.5),
    "open sides": open_side_scene,
    "tilted platforms": tilted_platform_scene,
    "fast walls": fast_wall_scene,
}


def random_scene(kind: str, seed: int) -> Scene | None:
    """The scene of a kind and a seed; None if there is no room for its start."""
    return KINDS[kind](np.random.default_rng([seed, list(KINDS).index(kind)]))
