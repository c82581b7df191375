"""Distance to the goal of many walkers: along the walkable way, or straight."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..core.vectors import Floats, Indices, Ints
from ..physics.character.layout import state_row
from ..physics.mesh.bvh import cast_rays
from ..physics.mesh.layout import ray_mode, ray_row
from ..physics.numerics.arrays import Bytes
from ..physics.numerics.jit import allocating, inner
from ..sim.batched_world import sphere_rows
from ..sim.bots.search import CELL_OFFSET, CELL_SIZE, cell_indices, pack_cells
from ..sim.bots.walk_graphs import known_graph
from ..sim.bots.walkable_distance import BODY_RAY, JOIN_DISTANCE, WalkGraph, crossings

if TYPE_CHECKING:
    from ..level import Level

PATH_STEPS = 4  # places of the way between the walker and where the path shows
MAX_TRIES = 6  # places that are asked for a free line
MAX_NEAR = 256  # places around a walker that count


@dataclass(frozen=True)
class Progress:
    """The seconds that are left to the goal of a level, from any place.

    seconds (G, P): from each place of the graph to each target, while the goal waits for them, and to the goal; without
    places where the distance is straight. points, ups (P, 3). keys, order (P,): cells of the places, sorted.
    ahead (P, 3): the point to walk to on the path to the goal. crossed: names of the movers and zones on the way.
    """

    speed: float
    spheres: Floats
    points: Floats
    ups: Floats
    keys: Indices
    order: Indices
    seconds: Floats
    ahead: Floats
    waits: bool
    crossed: tuple[str, ...] = ()

    def measure(
        self, level: Level, states: Floats, rows: Indices, reached: Bytes, left: Floats, places: Indices
    ) -> None:
        """Write the seconds that are left and the place to go to first into left (N,) and places (N,), for rows (n,).

        A row keeps its last values where no place is in reach: in the air, or on a lift. states (N, state_row.WIDTH);
        reached (N, T): flags of the targets.
        """
        mesh = level.mesh
        write_seconds_left(
            states, rows, reached, self.spheres, self.points, self.ups, self.keys, self.order, self.seconds,
            mesh.nodes, mesh.links, mesh.triangles12, self.speed, self.waits, left, places,
        )  # fmt: skip


def straight_progress(level: Level) -> Progress:
    """The straight distance. ValueError for a level without a goal."""
    _check_goal(level)
    speed = max(level.player.sprint_speed, level.player.walk_speed)
    none, waits = np.zeros(0, np.int64), level.goal is not None and level.goal.after == "targets"
    no_points = np.zeros((0, 3))
    return Progress(speed, sphere_rows(level), no_points, no_points, none, none, np.zeros((1, 0)), no_points, waits)


def walkable_progress(level: Level, graph: WalkGraph | None = None) -> Progress:
    """The walkable distance. graph: default, the kept one or a new one. ValueError for a level without a goal, or whose
    goal is not reached from its spawn."""
    _check_goal(level)
    assert level.goal is not None
    graph = known_graph(level) if graph is None else graph
    waits = level.goal.after == "targets"
    tall = 2.0 * level.player.radii[1]  # the body touches a target, the feet enter the goal
    aims = [("the target", target.at, target.radius + tall) for target in level.targets] if waits else []
    aims.append(("the goal", level.goal.at, max(level.goal.radius, JOIN_DISTANCE)))
    fields = [graph.field(level, at, radius) for _, at, radius in aims]
    seconds = np.array([field.seconds for field in fields])
    spawn = level.spawns[0].feet
    for (name, at, _), field in zip(aims, fields, strict=True):
        if not np.isfinite(field.seconds_from(spawn)[0]):
            raise ValueError(
                f"no walkable way from the spawn of '{level.name}' to {name} at {tuple(at)}: bots do not get there; "
                'record a walk to it as a .commands file beside the level, or pass distance="straight"'
            )
    way = fields[-1].way_from(spawn)
    keys = pack_cells(cell_indices(graph.points))
    order = np.argsort(keys, kind="stable")
    target = np.arange(len(graph.points))
    for _ in range(PATH_STEPS):
        following = fields[-1].following[target]
        target = np.where(following >= 0, following, target)
    return Progress(
        graph.speed, sphere_rows(level), graph.points, graph.ups, keys[order], order, seconds, graph.points[target],
        waits, () if way is None else crossings(level, way.points),
    )  # fmt: skip


def _check_goal(level: Level) -> None:
    if level.goal is None:
        raise ValueError(f"level '{level.name}' has no goal: add `goal: {{at: [x, y, z]}}` to it")


@inner
def _first_at_least(keys: Indices, key: int) -> int:
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _seconds_at(seconds: Floats, reached: Bytes, waits: bool, place: int) -> float:
    """Seconds from a place to the nearest target that is left, or to the goal."""
    goal, least, is_left = len(seconds) - 1, np.inf, False
    if waits:
        for n in range(goal):
            if reached[n] == 0:
                is_left = True
                least = min(least, seconds[n, place])
    return least if is_left else seconds[goal, place]


@allocating
def write_seconds_left(
    states: Floats, rows: Indices, reached: Bytes, spheres: Floats, points: Floats, ups: Floats, keys: Indices, order:
    Indices, seconds: Floats, nodes: Floats, links: Ints, triangles: Floats, speed: float, waits: bool, left: Floats,
    places: Indices,
) -> None:  # fmt: skip
    """See `Progress.measure`. Without places the distance is straight."""
    near, through = np.empty(MAX_NEAR, np.int64), np.empty(MAX_NEAR)
    ray, hit = np.empty((1, ray_row.WIDTH)), np.empty(1, np.int32)
    feature, distance = np.empty(1, np.uint8), np.empty(1)
    for j in range(len(rows)):
        k = rows[j]
        f = states[k]
        high = f[state_row.RADII + 1]
        u, v, w = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
        x, y, z = f[0] - high * u, f[1] - high * v, f[2] - high * w
        if len(points) == 0:
            left[k] = _straight_seconds(spheres, reached[k], waits, x, y, z) / speed
            continue
        count = 0
        cx, cy, cz = floor(x / CELL_SIZE), floor(y / CELL_SIZE), floor(z / CELL_SIZE)
        for column in range(9):
            a, b = cx + column // 3 - 1 + CELL_OFFSET, cy + column % 3 - 1 + CELL_OFFSET
            middle = (b << 42) | (a << 21) | (cz + CELL_OFFSET)
            at = _first_at_least(keys, middle - 1)
            while at < len(keys) and keys[at] <= middle + 1 and count < MAX_NEAR:
                place = order[at]
                dx, dy, dz = points[place, 0] - x, points[place, 1] - y, points[place, 2] - z
                total = _seconds_at(seconds, reached[k], waits, place) + sqrt(dx * dx + dy * dy + dz * dz) / speed
                if total < np.inf:
                    near[count], through[count] = place, total
                    count += 1
                at += 1
        for _ in range(MAX_TRIES):
            best = -1
            for n in range(count):
                if through[n] < np.inf and (best < 0 or through[n] < through[best]):
                    best = n
            if best < 0:
                break
            place = near[best]
            dx = points[place, 0] + BODY_RAY * ups[place, 0] - (x + BODY_RAY * ups[place, 0])
            dy = points[place, 1] + BODY_RAY * ups[place, 1] - (y + BODY_RAY * ups[place, 1])
            dz = points[place, 2] + BODY_RAY * ups[place, 2] - (z + BODY_RAY * ups[place, 2])
            length = sqrt(dx * dx + dy * dy + dz * dz)
            hit[0] = -1
            if length > 1e-6:
                for axis in range(3):
                    ray[0, axis] = f[axis] - high * f[state_row.UP + axis] + BODY_RAY * ups[place, axis]
                ray[0, 3], ray[0, 4], ray[0, 5] = dx / length, dy / length, dz / length
                ray[0, ray_row.LIMIT] = length
                cast_rays(nodes, links, triangles, ray, 0.0, ray_mode.ANY, (hit, feature, distance), hit)
            if hit[0] < 0:
                left[k], places[k] = through[best], place
                break
            through[best] = np.inf


@inner
def _straight_seconds(spheres: Floats, reached: Bytes, waits: bool, x: float, y: float, z: float) -> float:
    """Distance (m) to the nearest target that is left, or to the goal."""
    goal, least, is_left = len(spheres) - 1, np.inf, False
    for n in range(goal + 1):
        dx, dy, dz = spheres[n, 0] - x, spheres[n, 1] - y, spheres[n, 2] - z
        far = sqrt(dx * dx + dy * dy + dz * dz)
        if n < goal and waits and reached[n] == 0:
            is_left = True
            least = min(least, far)
        elif n == goal and not is_left:
            least = far
    return least
