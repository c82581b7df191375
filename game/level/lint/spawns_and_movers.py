"""Check of spawns that lie in the way of a mover, over the whole period of its motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats
from ..build.entities.movers import LevelMover, MoverPath
from ..build.level_assembly import describe_origin
from ..geometry.column_grid import ColumnGrid, TooManyCandidates
from ..geometry.overlapping_pairs import distance_from_origin
from ..level import Level, Spawn
from .lint_context import LintContext

CONTACT_RADIUS = 0.9  # of the body's radii: a mover nearer to its centre is in the body
MIN_HALF_STEP = 0.05  # of a radius: motion from the middle of a time interval to its ends that is not divided further
MAX_EXACT_HALF_STEP = 1.0  # of a radius: with more motion, the box of the mover's mesh is tested instead of the mesh
MAX_PERIODS = 16  # of the slower motion, where two motions have no common period
MAX_INTERVALS = 100_000  # time intervals of one mover and spawn, at once
MAX_CORNERS = 60_000  # transformed at once
SUPPORT_RAYS = np.array([(0.0, 0.0), (0.6, 0.0), (-0.6, 0.0), (0.0, 0.6), (0.0, -0.6)])  # radii right and back


@dataclass(frozen=True, slots=True)
class _Body:
    """The player at a spawn: centre (3,) and radii (3,) in metres, axes (3,3): rows right, up, back."""

    centre: Floats
    radii: Floats
    axes: Floats


def check_spawns_and_movers(context: LintContext) -> None:
    """Warn about spawns through which a mover comes that does not carry the player."""
    paths = [path for path in context.paths if len(path.triangles)]
    for spawn in context.level.spawns if paths else ():
        body = _body_at(context.level, spawn)
        contact = _earliest_contact(paths, body, None)
        carrier = _carrier(context, paths, body) if contact is not None else None
        if carrier is not None:
            contact = _earliest_contact(paths, _without_heading(body), carrier)
        if contact is not None:
            mover, seconds = contact
            origin = next(origin for origin in context.level.origins if origin.place == mover.place)
            when = f"comes here {seconds:.1f} s after the start" if seconds else "is here at the start"
            message = f"{describe_origin(origin)} {when}, and pushes or crushes the player"
            cure = "move the spawn out of its way, or change its motion"
            context.report.add("warning", spawn.place, f"spawn ({spawn.name})", message, cure)


def _body_at(level: Level, spawn: Spawn) -> _Body:
    """The player at a spawn, upright in the gravity there."""
    feet = np.array(spawn.feet)
    radii = np.array(level.player.radii)
    for zone in reversed(level.all_zones):
        physics = dict(zone.physics)
        if physics.get("down") is not None and physics.get("strength", 1.0) > 0.0:
            up = -np.array(physics["down"]) / np.linalg.norm(physics["down"])
            if zone.contains((feet + radii[1] * up).tolist()):
                side = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
                side /= np.linalg.norm(side)
                axes = np.stack([side, up, np.cross(side, up)])
                return _without_heading(_Body(feet + radii[1] * up, radii, axes))
    angle = spawn.heading * RADIANS_PER_HEADING_UNIT
    sine, cosine = math.sin(angle), math.cos(angle)
    axes = np.array([(cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)])
    return _Body(feet + radii[1] * axes[1], radii, axes)


def _without_heading(body: _Body) -> _Body:
    """The part of a body that it occupies at every heading."""
    narrow = min(body.radii[0], body.radii[2])
    return replace(body, radii=np.array([narrow, body.radii[1], narrow]))


def _carrier(context: LintContext, paths: Sequence[MoverPath], body: _Body) -> MoverPath | None:
    """The mover on which the player stands at the start; None where it is none."""
    static = context.triangles[context.faces.mover_numbers[context.face_of] == 0]
    posed = []
    for path in paths:
        rotation, position = path.poses(np.zeros(1))
        posed.append(path.triangles @ rotation[0].T + position[0])
    reach = body.radii[1] + context.body.step_height
    grids = [ColumnGrid((triangles - body.centre) @ body.axes.T) for triangles in (static, *posed)]
    for support in SUPPORT_RAYS * body.radii[::2]:
        heights = [grid.faces_at(support[None])[2] for grid in grids]
        distances = [-height[height <= 0.0].max(initial=-np.inf) for height in heights]
        nearest = int(np.argmin(distances))
        if nearest > 0 and distances[nearest] < reach:
            return paths[nearest - 1]
    return None


def _earliest_contact(
    paths: Sequence[MoverPath], body: _Body, carrier: MoverPath | None
) -> tuple[LevelMover, float] | None:
    """The mover that comes into a body first, and the seconds until then; None if none ever does."""
    first = math.inf
    mover = None
    for path in paths:
        seconds = _first_contact(path, body, carrier, first)
        if seconds < first:
            first = seconds
            mover = path.mover
    return None if mover is None else (mover, first)


def _first_contact(path: MoverPath, body: _Body, carrier: MoverPath | None, limit: float) -> float:
    """Seconds until a mover first comes into a body, `limit` if not before. Its carrier can only be there at once.

    The time of one period is divided into intervals. An interval is dropped where the distance in its middle is more
    than the motion in half of it, else it is halved (interval subdivision).
    """
    far = body.radii.max()
    if carrier is None and not ((path.world_low - far < body.centre) & (body.centre < path.world_high + far)).all():
        return limit
    moving = [path] if carrier is None else [path, carrier]
    horizon = 0.0 if carrier is path else _common_period([period for member in moving for period in member.periods])
    bounds = np.unique(np.concatenate([[0.0, horizon], *(member.boundaries(horizon) for member in moving)]))
    start, end = (bounds[:-1], bounds[1:]) if horizon else (bounds, bounds)
    if horizon:
        start, end = np.append(start, 0.0), np.append(end, 0.0)  # the start of the level itself
    first = limit
    while len(start):
        if len(start) > MAX_INTERVALS:
            raise TooManyCandidates
        middle = (start + end) / 2.0
        speed = np.sum([member.speeds(middle) for member in moving], axis=0)
        half = speed * (end - start) / 2.0 / body.radii.min()
        distance = np.full(len(start), np.inf)
        exact = half <= MAX_EXACT_HALF_STEP
        distance[exact] = _mesh_distances(path, body, carrier, middle[exact], half[exact])
        distance[~exact] = _box_distances(path, body, carrier, middle[~exact])
        touches = exact & (distance < CONTACT_RADIUS)
        first = min(first, float(middle[touches].min(initial=np.inf)))
        divided = (distance - half < CONTACT_RADIUS) & (half > MIN_HALF_STEP) & (start < first)
        start, middle, end = start[divided], middle[divided], end[divided]
        start, end = np.concatenate([start, middle]), np.concatenate([middle, end])
    return first


def _common_period(periods: Sequence[float]) -> float:
    """Least common multiple of periods, s; at most MAX_PERIODS of the longest."""
    longest = max(periods, default=0.0)
    for count in range(1, MAX_PERIODS):
        if all(abs(count * longest / period - round(count * longest / period)) < 1e-6 for period in periods):
            return count * longest
    return MAX_PERIODS * longest


def _centres(body: _Body, carrier: MoverPath | None, times: Floats) -> Floats:
    """(n,3) centres of a body at rest, or that its carrier carries."""
    if carrier is None:
        return np.tile(body.centre, (len(times), 1))
    rotation, position = carrier.poses(np.append(times, 0.0))
    own = (body.centre - position[-1]) @ rotation[-1]
    centres: Floats = rotation[:-1] @ own + position[:-1]
    return centres


def _box_distances(path: MoverPath, body: _Body, carrier: MoverPath | None, times: Floats) -> Floats:
    """Lower bounds (n,) of the distance from a body's centre to a mover, in radii: to the box of its mesh."""
    rotation, position = path.poses(times)
    own = np.einsum("nji,nj->ni", rotation, _centres(body, carrier, times) - position)
    outside = np.maximum(np.maximum(path.low.min(axis=0) - own, own - path.high.max(axis=0)), 0.0)
    distances: Floats = np.linalg.norm(outside, axis=1) / body.radii.max()
    return distances


def _mesh_distances(path: MoverPath, body: _Body, carrier: MoverPath | None, times: Floats, half: Floats) -> Floats:
    """Distances (n,) from a body's centre to a mover's triangles in radii, exact up to CONTACT_RADIUS + half (n,)."""
    distances = np.full(len(times), np.inf)
    order = np.argsort(times, kind="stable")  # near times have near poses, and few triangles near the body
    begin = 0
    size = 64
    while begin < len(order):
        block = order[begin : begin + size]
        rotation, position = path.poses(times[block])
        offset = _centres(body, carrier, times[block]) - position
        own = np.einsum("nji,nj->ni", rotation, offset)
        margin = (CONTACT_RADIUS + half[block].max()) * body.radii.max()
        near = ((path.low <= own.max(axis=0) + margin) & (path.high >= own.min(axis=0) - margin)).all(axis=1)
        corners = path.triangles[near]
        if len(block) > 1 and 3 * len(corners) * len(block) > MAX_CORNERS:
            size = len(block) // 2
            continue
        begin += len(block)
        size = 64
        if len(corners):
            world = np.einsum("nij,mkj->nmki", rotation, corners) - offset[:, None, None, :]
            local = world @ body.axes.T / body.radii
            distances[block] = distance_from_origin(local.reshape(-1, 3, 3)).reshape(len(block), -1).min(axis=1)
    return distances
