"""Distance to the goal of many walkers: along the walkable way, or straight."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..core import notices
from ..core.vectors import Floats, Indices, Ints
from ..physics.character.rows import state_row
from ..physics.mesh.bvh import cast_rays
from ..physics.mesh.rows import ray_mode, ray_row
from ..physics.numerics.arrays import Bytes
from ..physics.numerics.jit import allocating, inner
from ..sim.bots.explored_graph import known_graph
from ..sim.bots.places import CELL_OFFSET, CELL_SIZE
from ..sim.bots.reach_graph import ReachGraph, kept_graph
from ..sim.bots.ways import BODY_RAY, JOIN_DISTANCE, crossings, field_to, sees_sphere
from ..sim.level_rules import sphere_rows

if TYPE_CHECKING:
    from ..level import Level

PATH_STEPS = 4  # places of the way between the walker and where the path shows
MAX_TRIES = 6  # places that are asked for a free line
MAX_NEAR = 256  # places around a walker that count


@dataclass(frozen=True)
class Progress:
    """The seconds that are left to the goal of a level, from any place.

    graph: places where one can walk; where the distance is straight, the targets and the goal, which count from afar.
    seconds (G, P): from each place to each target, while the goal waits for them, and to the goal.
    ahead (P, 3): the point to walk to on the path to the goal. crossed: names of the movers and zones on the way.
    """

    graph: ReachGraph
    is_straight: bool
    spheres: Floats
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
        mesh, graph = level.mesh, self.graph
        write_seconds_left(
            states, rows, reached, graph.points, graph.ups, *graph.sorted_keys, self.seconds, mesh.nodes, mesh.links,
            mesh.triangles12, graph.speed, self.waits, self.is_straight, left, places,
        )  # fmt: skip


def make_progress(level: Level, is_walkable: bool) -> Progress:
    """The walkable distance, by the kept graph or a new one, or the straight one. ValueError for a level without a
    goal, or whose goal is not reached from its spawn."""
    if level.goal is None:
        raise ValueError(f"level '{level.name}' has no goal: add `goal: {{at: [x, y, z]}}` to it")
    spheres, waits = sphere_rows(level), level.goal.after == "targets"
    if not is_walkable:
        speed, centres = max(level.player.sprint_speed, level.player.walk_speed), spheres[:, :3].copy()
        empty = np.zeros(0, np.int64)
        places = ReachGraph(centres, np.zeros_like(centres), speed, empty, empty, np.zeros(0), empty)
        seconds = np.where(np.eye(len(centres)) > 0.0, 0.0, np.inf)
        return Progress(places, True, spheres, seconds, centres[:0], waits)
    graph = kept_graph(level)
    if graph is None:
        notices.show(f"Exploring '{level.name}' for walkable distances takes up to half a minute.")
        graph = known_graph(level)
    tall = 2.0 * level.player.radii[1]  # the body touches a target, the feet enter the goal
    aims = [("the target", target.at, target.radius, tall) for target in level.targets] if waits else []
    aims.append(("the goal", level.goal.at, level.goal.radius, 0.0))
    fields = []
    for _, at, radius, high in aims:
        ends = sees_sphere(graph, level.mesh, at, radius, high)
        fields.append(field_to(graph, level, at, max(radius + high, JOIN_DISTANCE), ends=ends))
    ways = [field.way_from(level.spawns[0].feet) for field in fields]
    gave_up = f", and gave up before they had tried everything: {graph.unfinished}" if graph.unfinished else ""
    for (name, at, *_), way in zip(aims, ways, strict=True):
        if way is None:
            raise ValueError(
                f"no walkable way from the spawn of '{level.name}' to {name} at {tuple(at)} is known: bots did not get "
                f'there{gave_up}; pass distance="straight"'
            )
        crossed = crossings(level, way.points)  # the goal is the last
    target = np.arange(len(graph.points))
    for _ in range(PATH_STEPS):
        following = fields[-1].following[target]
        target = np.where(following >= 0, following, target)
    seconds = np.array([field.seconds for field in fields])
    return Progress(graph, False, spheres, seconds, graph.points[target], waits, crossed)


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
    states: Floats, rows: Indices, reached: Bytes, points: Floats, ups: Floats, keys: Indices, order: Indices, seconds:
    Floats, nodes: Floats, links: Ints, triangles: Floats, speed: float, waits: bool, is_straight: bool, left: Floats,
    places: Indices,
) -> None:  # fmt: skip
    """See `Progress.measure`. is_straight: all places count, whatever is between."""
    most = len(points) if is_straight else MAX_NEAR
    near, through, feet = np.empty(most, np.int64), np.empty(most), np.empty(3)
    ray, hit = np.empty((1, ray_row.WIDTH)), np.empty(1, np.int32)
    feature, distance = np.empty(1, np.uint8), np.empty(1)
    for k in rows:
        f = states[k]
        for axis in range(3):
            feet[axis] = f[state_row.POSITION + axis] - f[state_row.RADII + 1] * f[state_row.UP + axis]
        x, y, z = feet[0], feet[1], feet[2]
        cx, cy, cz = floor(x / CELL_SIZE), floor(y / CELL_SIZE), floor(z / CELL_SIZE)
        count = 0
        for column in range(1 if is_straight else 9):
            a, b = cx + column // 3 - 1 + CELL_OFFSET, cy + column % 3 - 1 + CELL_OFFSET
            middle = (b << 42) | (a << 21) | (cz + CELL_OFFSET)
            at = 0 if is_straight else np.searchsorted(keys, middle - 1)
            while at < len(keys) and (is_straight or keys[at] <= middle + 1) and count < most:
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
            dx, dy, dz = points[place, 0] - x, points[place, 1] - y, points[place, 2] - z
            length = sqrt(dx * dx + dy * dy + dz * dz)
            hit[0] = -1
            if length > 1e-6 and not is_straight:
                for axis in range(3):
                    ray[0, ray_row.ORIGIN + axis] = feet[axis] + BODY_RAY * ups[place, axis]
                    ray[0, ray_row.DIRECTION + axis] = (points[place, axis] - feet[axis]) / length
                ray[0, ray_row.LIMIT] = length
                cast_rays(nodes, links, triangles, ray, 0.0, ray_mode.ANY, (hit, feature, distance), hit)
            if hit[0] < 0:
                left[k], places[k] = through[best], place
                break
            through[best] = np.inf
