"""Check of spawns that lie in the way of a mover, over the whole period of its motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core import walker_defaults
from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.vectors import Flags, Floats
from ..build.entities.movers import LevelMover
from ..geometry.column_grid import TooManyCandidates
from ..geometry.overlapping_pairs import distance_from_origin
from ..level import Level, Spawn
from .lint_context import LintContext, describe_origin

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


class _MoverPath:
    """Poses of a mover as a function of the seconds since the start of the level, for arrays of times.

    keys: keyframes of one period; reach: distance of its furthest corner from its centre of rotation, m.
    """

    def __init__(self, mover: LevelMover) -> None:
        from ...physics.environment.layout import keyframe

        motion = mover.motion
        self.mover, self.home, self.phase = mover, np.array(mover.at), motion.phase
        self.triangles = mover.triangles
        self.low, self.high = self.triangles.min(axis=1), self.triangles.max(axis=1)
        self.reach = float(np.linalg.norm(self.triangles, axis=-1).max())
        self.axis = np.array(motion.axis) / np.linalg.norm(motion.axis)
        self.spin = math.radians(motion.spin)  # rad/s
        keys = np.array(motion.keys()).reshape(-1, keyframe.WIDTH)
        self.starts, self.durations = keys[:, keyframe.START], keys[:, keyframe.DURATION]
        self.eases = keys[:, keyframe.EASE] != 0.0
        self.origins = keys[:, keyframe.FROM : keyframe.FROM + 3]
        self.offsets = keys[:, keyframe.TO : keyframe.TO + 3] - self.origins
        to_radians = 2.0 * math.pi / HEADING_UNITS_PER_TURN
        self.angles = keys[:, keyframe.ANGLE_FROM] * to_radians
        self.turns = keys[:, keyframe.ANGLE_TO] * to_radians - self.angles
        self.period = float(self.starts[-1] + self.durations[-1]) if len(keys) else 0.0

    @property
    def periods(self) -> list[float]:
        """Periods of its path and of its spin, s; none where it stands still."""
        spins = [2.0 * math.pi / abs(self.spin)] if self.spin else []
        return [self.period, *spins] if self.period else spins

    def boundaries(self, horizon: float) -> Floats:
        """Times up to `horizon` at which a keyframe begins."""
        if not self.period:
            return np.zeros(0)
        first = math.floor(self.phase / self.period)
        rounds = np.arange(first, math.ceil((self.phase + horizon) / self.period) + 1)
        times = (rounds[:, None] * self.period + self.starts - self.phase).ravel()
        return times[(times > 0.0) & (times < horizon)]

    def speeds(self, times: Floats) -> Floats:
        """Upper bounds (n,) of the speed of its points in the keyframes at these times, m/s."""
        spin = np.full(len(times), abs(self.spin) * self.reach)
        if not self.period:
            return spin
        at, _ = self._keyframes(times)
        peak = np.where(self.eases, 1.5, 1.0) / self.durations
        return spin + (peak * (np.linalg.norm(self.offsets, axis=1) + np.abs(self.turns) * self.reach))[at]

    def poses(self, times: Floats) -> tuple[Floats, Floats]:
        """Rotations (n,3,3) and positions (n,3), as game.physics.environment.motion.mover_pose computes them."""
        position, angle = np.tile(self.home, (len(times), 1)), self.spin * (times + self.phase)
        if self.period:
            at, s = self._keyframes(times)
            s = np.where(self.eases[at], s * s * (3.0 - 2.0 * s), s)
            position += self.origins[at] + self.offsets[at] * s[:, None]
            angle = angle + self.angles[at] + self.turns[at] * s
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        sine, versine = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
        return np.eye(3) + sine * cross + versine * (cross @ cross), position

    def _keyframes(self, times: Floats) -> tuple[np.ndarray, Floats]:
        """Index of the keyframe at each time, and the part of it that has passed."""
        now = np.mod(times + self.phase, self.period)
        at = np.searchsorted(self.starts, now, "right") - 1
        return at, np.clip((now - self.starts[at]) / self.durations[at], 0.0, 1.0)


def check_spawns_and_movers(context: LintContext) -> None:
    """Warn about spawns through which a mover comes that does not carry the player."""
    paths = [_MoverPath(mover) for mover in context.level.movers if len(mover.triangles)]
    for spawn in context.level.spawns if paths else ():
        body = _body_at(context.level, spawn)
        contacts = [(_first_contact(path, body, None), k) for k, path in enumerate(paths)]
        if math.isinf(min(contacts)[0]):
            continue
        carrier = _carrier(context, paths, body)
        if carrier is not None:
            carried = _without_heading(body)
            contacts = [(_first_contact(path, carried, carrier), k) for k, path in enumerate(paths)]
        seconds, first = min(contacts)
        if math.isfinite(seconds):
            _report(context, spawn, paths[first].mover, seconds)


def _report(context: LintContext, spawn: Spawn, mover: LevelMover, seconds: float) -> None:
    origin = next(origin for origin in context.level.origins if origin.place == mover.place)
    message = f"{describe_origin(origin)} comes here {seconds:.1f} s after the start, and pushes or crushes the player"
    if seconds == 0.0:
        message = f"{describe_origin(origin)} is here at the start, and pushes or crushes the player"
    cure = "move the spawn out of its way, or change its motion"
    context.report.add("warning", spawn.place, f"spawn ({spawn.name})", message, cure)


def _body_at(level: Level, spawn: Spawn) -> _Body:
    """The player at a spawn, upright in the gravity there."""
    feet, radii = np.array(spawn.feet), np.array(walker_defaults.RADII)
    for area in reversed(level.areas):
        physics = dict(area.physics)
        if physics.get("down") is not None and physics.get("strength", 1.0) > 0.0:
            up = -np.array(physics["down"]) / np.linalg.norm(physics["down"])
            if area.contains((feet + radii[1] * up).tolist()):
                side = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
                side /= np.linalg.norm(side)
                axes = np.stack([side, up, np.cross(side, up)])
                return _without_heading(_Body(feet + radii[1] * up, radii, axes))
    angle = spawn.heading / HEADING_UNITS_PER_TURN * 2.0 * math.pi
    sine, cosine = math.sin(angle), math.cos(angle)
    axes = np.array([(cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)])
    return _Body(feet + radii[1] * axes[1], radii, axes)


def _without_heading(body: _Body) -> _Body:
    """The part of a body that it occupies at every heading."""
    narrow = min(body.radii[0], body.radii[2])
    return replace(body, radii=np.array([narrow, body.radii[1], narrow]))


def _carrier(context: LintContext, paths: Sequence[_MoverPath], body: _Body) -> _MoverPath | None:
    """The mover on which the player stands at the start; None where it is none."""
    static = context.triangles[context.faces.mover_numbers[context.face_of] == 0]
    posed = []
    for path in paths:
        rotation, position = path.poses(np.zeros(1))
        posed.append(path.triangles @ rotation[0].T + position[0])
    reach = body.radii[1] + walker_defaults.STEP_HEIGHT
    for right, back in SUPPORT_RAYS:
        start = body.centre + right * body.radii[0] * body.axes[0] + back * body.radii[2] * body.axes[2]
        distances = [_ray_distance(start, -body.axes[1], triangles) for triangles in (static, *posed)]
        nearest = int(np.argmin(distances))
        if nearest > 0 and distances[nearest] < reach:
            return paths[nearest - 1]
    return None


def _ray_distance(start: Floats, direction: Floats, triangles: Floats) -> float:
    """Distance from a point to the first of the triangles (n,3,3) along a unit vector; inf if there is none.

    Source: Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997).
    """
    a, first, second = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    across = np.cross(direction, second)
    determinant = np.einsum("nd,nd->n", first, across)
    scale = np.where(np.abs(determinant) > 1e-12, determinant, np.inf)
    offset = start - a
    u = np.einsum("nd,nd->n", offset, across) / scale
    along = np.cross(offset, first)
    v = along @ direction / scale
    distance = np.einsum("nd,nd->n", second, along) / scale
    hits: Flags = np.isfinite(scale) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance >= 0.0)
    return float(distance[hits].min(initial=np.inf))


def _first_contact(path: _MoverPath, body: _Body, carrier: _MoverPath | None) -> float:
    """Seconds until a mover first comes into a body, inf if never; on its carrier, which can only be there at once.

    The time of one period is divided into intervals. An interval is dropped where the distance in its middle is more
    than the motion in half of it, else it is halved (interval subdivision).
    """
    moving = [path] if carrier is None else [path, carrier]
    horizon = 0.0 if carrier is path else _common_period([period for member in moving for period in member.periods])
    bounds = np.unique(np.concatenate([[0.0, horizon], *(member.boundaries(horizon) for member in moving)]))
    start, end = (bounds[:-1], bounds[1:]) if horizon else (bounds, bounds)
    if horizon:
        start, end = np.append(start, 0.0), np.append(end, 0.0)  # the start of the level itself
    first = math.inf
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


def _centres(body: _Body, carrier: _MoverPath | None, times: Floats) -> Floats:
    """(n,3) centres of a body at rest, or that its carrier carries."""
    if carrier is None:
        return np.tile(body.centre, (len(times), 1))
    rotation, position = carrier.poses(np.append(times, 0.0))
    own = (body.centre - position[-1]) @ rotation[-1]
    return rotation[:-1] @ own + position[:-1]


def _box_distances(path: _MoverPath, body: _Body, carrier: _MoverPath | None, times: Floats) -> Floats:
    """Lower bounds (n,) of the distance from a body's centre to a mover, in radii: to the box of its mesh."""
    rotation, position = path.poses(times)
    own = np.einsum("nji,nj->ni", rotation, _centres(body, carrier, times) - position)
    outside = np.maximum(np.maximum(path.low.min(axis=0) - own, own - path.high.max(axis=0)), 0.0)
    distances: Floats = np.linalg.norm(outside, axis=1) / body.radii.max()
    return distances


def _mesh_distances(path: _MoverPath, body: _Body, carrier: _MoverPath | None, times: Floats, half: Floats) -> Floats:
    """Distances (n,) from a body's centre to a mover's triangles in radii, exact up to CONTACT_RADIUS + half (n,)."""
    distances = np.full(len(times), np.inf)
    order = np.argsort(times, kind="stable")  # near times have near poses, and few triangles near the body
    begin, size = 0, 64
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
        begin, size = begin + len(block), 64
        if len(corners):
            world = np.einsum("nij,mkj->nmki", rotation, corners) - offset[:, None, None, :]
            local = world @ body.axes.T / body.radii
            distances[block] = distance_from_origin(local.reshape(-1, 3, 3)).reshape(len(block), -1).min(axis=1)
    return distances
