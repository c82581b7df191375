"""Batched world: many runs through one level, a tick of all of them at a time.

Each row has the bits of a `World` of its own, from its start to its end: the tick that reaches the goal, or the first
in which the walker respawns. Teleports are no end. Levels with balls or golf are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import Floats, Indices, Vector
from ..level.build.entities.zones import CIRCLE_ROUNDING, RunRole
from ..level.geometry.instance_transform import exact_sin_cos
from ..physics import Crowd
from ..physics.character.layout import command_row, state_flag, state_row, tick_event
from ..physics.environment.motion import mover_pose
from ..physics.numerics.arrays import Bytes
from ..physics.numerics.jit import inner, kernel
from .triggers import NO_ZONE, TELEPORT_CLEARANCE, up_and_north_at
from .world import OUT_OF_LEVEL_DISTANCE, World

if TYPE_CHECKING:
    from ..level import Level
    from ..level.build.entities.zones import LevelZone

RUNNING, REACHED, RESPAWNED = range(3)  # outcome of a row

# Columns of a zone of a run
MOVER, CENTRE, HALF, SINE, COSINE, CIRCLE, HOME, HAS_ARRIVAL, ARRIVAL, UP, NORTH, LOOK = (
    0, 1, 4, 7, 8, 9, 10, 13, 14, 17, 20, 23,
)  # fmt: skip
ZONE_WIDTH = 24
# Entries of the rules of a level: its goal is the last of the spheres
KILL_HEIGHT, IS_MESH_EMPTY, LEVEL_BOX, HAS_GOAL, GOAL_WAITS = 0, 1, 2, 8, 9
RULE_COUNT = 10


@dataclass(slots=True)
class Runs:
    """N runs, each in a level of its own choice.

    states (N, state_row.WIDTH) f8; clocks (N,) i8: tick of the world; outcomes (N,) u1: RUNNING, REACHED or RESPAWNED;
    reached (N, T) u1: flags of the targets; portals (N,) i8: the teleport that the body is in, or NO_ZONE. A row that
    respawned keeps its state and clock of before that tick.
    """

    states: Floats
    clocks: Indices
    outcomes: Bytes
    reached: Bytes
    portals: Indices

    @classmethod
    def empty(cls, count: int, targets: int) -> Runs:
        """So many rows, all at zero."""
        states, reached = np.zeros((count, state_row.WIDTH)), np.zeros((count, targets), np.uint8)
        return cls(states, np.zeros(count, np.int64), np.zeros(count, np.uint8), reached, np.full(count, NO_ZONE))

    def begin(self, rows: NDArray[np.int64], states: Floats, clocks: Indices) -> None:
        """Begin rows (n,) again, with these states and clocks."""
        self.states[rows], self.clocks[rows] = states, clocks
        self.outcomes[rows], self.reached[rows], self.portals[rows] = RUNNING, 0, NO_ZONE


class BatchedWorld:
    """The level of many runs. Picklable; any number of threads may use it at once."""

    def __init__(self, level: Level, threads: int | None = None) -> None:
        """ValueError for a level with balls or golf. threads: as of `Crowd`."""
        self.world = World(level)  # at its spawn; never stepped
        if self.world.balls or self.world.golf is not None:
            raise ValueError(
                f"level '{level.name}' has balls or golf, which are not batched: use a single environment for it"
            )
        self.level = level
        self.crowd = Crowd(self.world.walker, level.mesh, threads, self.world.environment)
        self.spheres = sphere_rows(level)
        self._rules = _rule_row(level)
        kills = [zone for zone in level.all_zones if zone.facts.role is RunRole.KILL]
        teleports = [zone for zone in level.all_zones if zone.facts.role is RunRole.TELEPORT]
        self._zones = self._zone_rows(kills), self._zone_rows(teleports)
        self._motions = motion_tables(self.world)

    def _zone_rows(self, zones: Iterable[LevelZone]) -> Floats:
        rows = []
        for zone in zones:
            a, _, d = zone.half
            sine, cosine = exact_sin_cos(zone.heading * 360.0 / HEADING_UNITS_PER_TURN)
            movers = None if self.world.environment is None else self.world.environment.movers
            mover = -1 if movers is None else zone.mover
            home = (0.0, 0.0, 0.0) if movers is None or mover < 0 else movers[mover].at
            arrive = (0.0, 0.0, 0.0) if zone.arrive is None else zone.arrive
            up, north = up_and_north_at(self.level.zones, arrive, self.level.player.radii[1])
            row = (mover, *zone.centre, *zone.half, sine, cosine, CIRCLE_ROUNDING * (a * a + d * d), *home)
            look = zone.look % HEADING_UNITS_PER_TURN
            rows.append((*row, zone.arrive is not None, *arrive, *up, *north, look))
        return np.array(rows, np.float64).reshape(-1, ZONE_WIDTH)

    def step(self, runs: Runs, rows: NDArray[np.int64], columns: Floats) -> None:
        """One tick of the rows (n,) of `runs` that still run. columns: their commands (`command_columns`)."""
        columns[:, command_row.LATER] = runs.clocks[rows]
        after = np.empty((len(rows), state_row.WIDTH))
        self.crowd._step_arrays(runs.states[rows], columns, after)
        apply_rules(
            after, columns, rows, runs.states, runs.clocks, runs.outcomes, runs.reached, runs.portals,
            self._rules, self.spheres, *self._zones, *self._motions,
        )  # fmt: skip


def motion_tables(world: World) -> tuple[Floats, Floats]:
    """(motions, keys) of the movers of a world, without rows where there are none."""
    movers = None if world.environment is None else world.environment.movers
    none = np.zeros((0, 1))
    none.flags.writeable = False  # as those of movers: the same kernel
    return (none, none) if movers is None else (movers.motions, movers.keys)


def sphere_rows(level: Level) -> Floats:
    """(T + 1, 4): centre and radius of the targets of a level, and of its goal; a goal at 0 where there is none."""
    spheres = [(*target.at, target.radius) for target in level.targets]
    goal = (0.0, 0.0, 0.0, 0.0) if level.goal is None else (*level.goal.at, level.goal.radius)
    return np.array([*spheres, goal], np.float64)


def _rule_row(level: Level) -> Floats:
    row = np.zeros(RULE_COUNT)
    row[KILL_HEIGHT], row[IS_MESH_EMPTY] = level.kill_height, not len(level.mesh)
    row[LEVEL_BOX : LEVEL_BOX + 6] = level.mesh.nodes[0] if len(level.mesh) else 0.0
    row[HAS_GOAL] = level.goal is not None
    row[GOAL_WAITS] = level.goal is not None and level.goal.after == "targets"
    return row


@inner
def _feet(f: Floats) -> Vector:
    high = f[state_row.RADII + 1]
    return (
        f[state_row.POSITION] - high * f[state_row.UP],
        f[state_row.POSITION + 1] - high * f[state_row.UP + 1],
        f[state_row.POSITION + 2] - high * f[state_row.UP + 2],
    )


@inner
def _contains(zones: Floats, k: int, motions: Floats, keys: Floats, tick: float, x: float, y: float, z: float) -> bool:
    """Whether a point of the world is in a zone at a tick (`Triggers.contains`)."""
    mover = int(zones[k, MOVER])
    if mover >= 0:
        pose = mover_pose(motions, keys, mover, tick)
        x, y, z = x - pose[9], y - pose[10], z - pose[11]
        x, y, z = (
            pose[0] * x + pose[3] * y + pose[6] * z + zones[k, HOME],
            pose[1] * x + pose[4] * y + pose[7] * z + zones[k, HOME + 1],
            pose[2] * x + pose[5] * y + pose[8] * z + zones[k, HOME + 2],
        )
    x, y, z = x - zones[k, CENTRE], y - zones[k, CENTRE + 1], z - zones[k, CENTRE + 2]
    if not abs(y) <= zones[k, HALF + 1] or x * x + z * z > zones[k, CIRCLE]:
        return False
    s, c = zones[k, SINE], zones[k, COSINE]
    return bool(abs(c * x - s * z) <= zones[k, HALF] and abs(s * x + c * z) <= zones[k, HALF + 2])


@inner
def _last_containing(zones: Floats, motions: Floats, keys: Floats, tick: float, f: Floats) -> int:
    """Last zone that contains the centre or the feet of state row f, or NO_ZONE."""
    x, y, z = f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]
    u, v, w = _feet(f)
    for k in range(len(zones) - 1, -1, -1):
        if _contains(zones, k, motions, keys, tick, x, y, z) or _contains(zones, k, motions, keys, tick, u, v, w):
            return k
    return NO_ZONE


@inner
def _is_out_of_level(rules: Floats, f: Floats) -> bool:
    feet = _feet(f)
    if feet[1] < rules[KILL_HEIGHT]:
        return True
    is_upright = f[state_row.UP] == 0.0 and f[state_row.UP + 1] == 1.0 and f[state_row.UP + 2] == 0.0
    if is_upright or rules[IS_MESH_EMPTY] != 0.0:
        return False
    for axis in range(3):
        low, high = rules[LEVEL_BOX + axis], rules[LEVEL_BOX + 3 + axis]
        if feet[axis] < low - OUT_OF_LEVEL_DISTANCE or feet[axis] > high + OUT_OF_LEVEL_DISTANCE:
            return True
    return False


@inner
def _teleport(zones: Floats, k: int, f: Floats, i: Indices) -> None:
    """Put state row f, with its integers i, to where teleport k leads (`teleport_state`)."""
    high = f[state_row.RADII + 1] + TELEPORT_CLEARANCE
    for axis in range(3):
        up = zones[k, UP + axis]
        f[state_row.POSITION + axis] = zones[k, ARRIVAL + axis] + high * up
        f[state_row.VELOCITY + axis] = f[state_row.CARRIED_VELOCITY + axis] = 0.0
        f[state_row.UP + axis], f[state_row.NORTH + axis] = up, zones[k, NORTH + axis]
    f[state_row.FALL_VELOCITY] = 0.0
    i[state_row.HEADING] = int(zones[k, LOOK])
    i[state_row.FLAGS] = i[state_row.FLAGS] & ((1 << state_flag.MOVER_SHIFT) - 1) & ~state_flag.GROUNDED


@inner
def _mark_targets(f: Floats, spheres: Floats, reached: Bytes) -> int:
    """Set the flags of the targets that the body touches (`body_touches_sphere`); the number of those without."""
    missing, tall, feet = 0, 2.0 * f[state_row.RADII + 1], _feet(f)
    u, v, w = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    for n in range(len(spheres) - 1):
        if reached[n] != 0:
            continue
        x, y, z = spheres[n, 0] - feet[0], spheres[n, 1] - feet[1], spheres[n, 2] - feet[2]
        along = min(max(x * u + y * v + z * w, 0.0), tall)
        x, y, z = x - along * u, y - along * v, z - along * w
        if x * x + y * y + z * z <= spheres[n, 3] * spheres[n, 3]:
            reached[n] = 1
        else:
            missing += 1
    return missing


@kernel
def apply_rules(
    after: Floats, columns: Floats, rows: Indices, states: Floats, clocks: Indices, outcomes: Bytes, reached: Bytes,
    portals: Indices, rules: Floats, spheres: Floats, kills: Floats, teleports: Floats, motions: Floats, keys: Floats,
) -> None:  # fmt: skip
    """Take over the states (n, state_row.WIDTH) after a tick into rows (n,) of `Runs`, and do what `World.step` does
    beside it."""
    for j in range(len(rows)):
        k = rows[j]
        if outcomes[k] != RUNNING:
            continue
        f, i = after[j], after.view(np.int64)[j]
        tick = float(clocks[k] + 1)
        events = int(columns[j, command_row.EVENTS])
        if (
            events & (tick_event.CRUSHED | tick_event.LOST) != 0
            or _is_out_of_level(rules, f)
            or _last_containing(kills, motions, keys, tick, f) != NO_ZONE
        ):
            outcomes[k] = RESPAWNED
            continue
        entered = _last_containing(teleports, motions, keys, tick, f)
        before, portals[k] = portals[k], entered
        if entered != NO_ZONE and entered != before and teleports[entered, HAS_ARRIVAL] != 0.0:
            _teleport(teleports, entered, f, i)
            portals[k] = _last_containing(teleports, motions, keys, tick, f)
        for column in range(state_row.WIDTH):
            states[k, column] = f[column]
        clocks[k] += 1
        missing = _mark_targets(f, spheres, reached[k])
        feet, goal = _feet(f), spheres[len(spheres) - 1]
        x, y, z = feet[0] - goal[0], feet[1] - goal[1], feet[2] - goal[2]
        is_open = rules[HAS_GOAL] != 0.0 and (rules[GOAL_WAITS] == 0.0 or missing == 0)
        if is_open and x * x + y * y + z * z <= goal[3] * goal[3]:
            outcomes[k] = REACHED
