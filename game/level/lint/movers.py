"""Movers: their way through solids, stops beside no floor, and whom they press: on their deck, below, at a spawn."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats
from ..build.entities.movers import MoverPath
from ..build.entities.player import describe_least
from ..build.level_assembly import describe_origin
from ..geometry.column_grid import ColumnGrid
from ..geometry.overlapping_pairs import distance_from_origin
from .context import NUDGE, UP, Context, Rank, Subject, describe_point, metres
from .flood import Flood

MAX_POSES, MAX_SAMPLES = 400, 200  # of a mover that are compared with what stands still; points of its faces
POSE_SPACING = 0.05  # m between two poses
INSET = 0.02  # m below its own faces: it may slide along a wall
MIN_CUT = 0.1  # part of a deck in a solid where a lift stops
SAME_LEG = 1e-6  # m between the ends of a leg of a path and of the way back
MIN_UPRIGHT = 0.7  # sine of the slope of a keyframe, at least: a flatter one pushes the player aside
MIN_TRAVEL = 1.0  # m between the lowest and the highest stop of a lift
MAX_MISS, MAX_LACK = 1.5, 6.5  # m from a stop to a floor that it misses in height, and before its rim
MIN_FERRY_LACK, MIN_LACK = 2.0, 4.5  # m before a floor from which one does not jump there
LANDING_REACH = (0.1, 0.3, 0.5)  # m from the edge of a deck to the floor beside it
SPAWN_POSES, CONTACT = 600, 0.9  # of a mover at a spawn; of the body's radii: nearer to its centre is in the body
HOLE = "make a hole for it there (in the floor of a room: `floor_holes`)"
SUPPORT = 0.2  # m around the feet in which a mover holds a player


def check_movers(context: Context, flood: Flood) -> None:
    check_spawns(context)
    for number, path in enumerate(context.paths, start=1):
        if not len(path.triangles):
            continue
        if path.period and not path.mover.motion.turns:
            check_path(context, path, number)
            check_stops(context, path, number)
            check_press(context, flood, path, number)


def legs(path: MoverPath) -> Iterator[tuple[Floats, Floats]]:
    """Start and offset (3,) of each leg of a path, without the ways back."""
    both = np.column_stack([path.origins, path.offsets])[path.offsets.any(axis=1)]
    backwards = np.column_stack([both[:, :3] + both[:, 3:], -both[:, 3:]])
    for k in range(len(both)):
        if not (np.abs(backwards[:k] - both[k]).max(axis=1) < SAME_LEG).any():
            yield path.home + both[k, :3], both[k, 3:]


def check_path(context: Context, path: MoverPath, number: int) -> None:
    """Report a mover that goes through a static solid between two stops, or with its deck into one at a stop.

    What else a mover is inside of at a stop is no finding: a door slides into its wall.
    """
    rows = np.nonzero(context.faces.mover_numbers == number)[0]
    corners, normals = context.corners[rows], context.normals[rows]
    middles = corners.mean(axis=1, keepdims=True)
    inner = np.concatenate([middles, 0.9 * corners + 0.1 * middles], axis=1) - path.stops()[1][0]
    points = (inner - INSET * normals[:, None]).reshape(-1, 3)
    size = np.sort(np.ptp(corners, axis=1), axis=1)[:, 1]
    deck = np.repeat((normals[:, 1] > 0.9) & (size > context.body.clear_depth), 5)
    thin = len(points) // MAX_SAMPLES + 1
    points, deck = points[::thin], deck[::thin]
    origin = context.origin_at(path.mover.place)
    rises = deck.any() and np.ptp(path.stops()[1][:, 1]) >= MIN_TRAVEL
    every = list(legs(path))
    for start, offset in every:
        count = min(MAX_POSES // len(every), math.ceil(float(np.linalg.norm(offset)) / POSE_SPACING)) + 1
        places = start + np.linspace(0.0, 1.0, count)[:, None, None] * offset + points
        inside = context.solids.pieces_around(places.reshape(-1, 3)).reshape(count, -1)
        passed = np.setdiff1d(inside, np.append(inside[[0, -1]], -1))
        stopped = inside[[0, -1]][:, deck] if rises else np.zeros(0, np.int64)
        if len(passed):
            at = places[np.nonzero(inside == passed[0])][0]
            message = (
                f"it goes through {context.describe_solid(int(passed[0]), at)} on its way, at {describe_point(at)}"
            )
            cure = "change its `path`, or make an opening there"
        elif stopped.size and (stopped >= 0).mean(axis=1).max() > MIN_CUT:
            end = int(np.argmax((stopped >= 0).mean(axis=1)))
            at = places[(0, -1)[end]][np.nonzero(deck)[0][np.argmax(stopped[end] >= 0)]]
            solid = context.describe_solid(int(stopped[end].max()), at)
            message = f"the lift cuts into {solid} where it stops, at {describe_point(at)}"
            cure = f"{HOLE}, or move it into the open with `at` or `path`"
        else:
            continue
        box = path.world_low - 0.5, path.world_high + 2.0
        context.add(Rank.OVERLAP, "overlap", origin, message, cure, None, box)
        return


def deck_edges(context: Context, number: int) -> Floats:
    """Points (n,3) close outside the edges of the decks of a mover, at its first stop."""
    size = np.sort(context.high - context.low, axis=1)[:, 1]
    decks = context.walkable & (context.faces.mover_numbers == number) & (size > context.body.clear_depth)
    corners = context.corners[decks][:40]
    along = np.roll(corners, -1, axis=-2) - corners
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    outward = np.cross(along / np.maximum(length, 1e-9), [0.0, 1.0, 0.0])
    points = [corners + part * along + far * outward for part in (0.2, 0.5, 0.8) for far in LANDING_REACH]
    return np.concatenate(points).reshape(-1, 3) if len(corners) else np.zeros((0, 3))


def floor_beside(context: Context, points: Floats, reach: float) -> tuple[float, int]:
    """Gap (m) from a deck up to the nearest static floor at points (n,3) around it, and its face; inf, -1: none."""
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    face = context.face_of[triangle]
    size = np.sort(context.high - context.low, axis=1)[face, 1]
    gap = height - points[point, 1]
    fits = context.walkable[face] & (size > 0.25) & context.static[face] & (np.abs(gap) <= reach + 1e-6)
    if not fits.any():
        return np.inf, -1
    k = np.nonzero(fits)[0][np.argmin(np.abs(gap[fits]))]
    return float(gap[k]), int(face[k])


def check_stops(context: Context, path: MoverPath, number: int) -> None:
    """Report a lift or ferry with a stop beside a floor, and another that misses the floor near it.

    A lift that comes to no floor at all, but close to one at both ends, misses both.
    """
    stops = path.stops()[1]
    edges = deck_edges(context, number) - stops[0]
    is_ferry = np.ptp(stops[:, 1]) < 0.05
    if not len(edges) or (not is_ferry and np.ptp(stops[:, 1]) < MIN_TRAVEL):
        return
    step = context.body.step_height
    found = [floor_beside(context, edges + stop, MAX_MISS) for stop in stops]
    level = [abs(gap) <= step + 1e-6 for gap, _ in found]
    reached = [stop[1] + gap for stop, (gap, _), fits in zip(stops, found, level, strict=True) if fits]
    noun, origin = "ferry" if is_ferry else "lift", context.origin_at(path.mover.place)
    for k, (stop, (gap, face)) in enumerate(zip(stops, found, strict=True)):
        place = describe_point(stop)
        if level[k] or any(abs(stop[1] + gap - height) < MAX_MISS for height in reached):
            continue
        if face >= 0 and not is_ferry and (reached or (not any(level) and all(one >= 0 for _, one in found))):
            side = "below" if gap > 0.0 else "above"
            message = f"the {noun} stops {metres(abs(gap))} {side} {context.describe(face)}, at {place}"
            cure = f"{'raise' if gap > 0.0 else 'lower'} the stop in `path` by {metres(abs(gap))}"
            context.add(Rank.BLOCKED, "step", origin, message, cure, stop)
            return
        if face < 0 and len(reached) == len(stops) - 1 and (path.mover.motion.pause > 0.0 or is_ferry):
            for apart in np.arange(2.0 * LANDING_REACH[-1], MAX_LACK, 0.1).tolist():
                beyond = apart - LANDING_REACH[-1]
                around = (beyond * np.array([math.cos(a), 0.0, math.sin(a)]) for a in np.arange(8) * math.pi / 4.0)
                ahead = next(
                    (f for g, f in (floor_beside(context, edges + stop + one, step) for one in around) if f >= 0), -1
                )
                if ahead >= 0:
                    if apart > (MIN_FERRY_LACK if is_ferry else MIN_LACK):
                        message = f"the {noun} stops {metres(apart)} before {context.describe(ahead)}, at {place}"
                        context.add(Rank.BLOCKED, "step", origin, message, "let its `path` end at that floor", stop)
                    return


def check_press(context: Context, flood: Flood, path: MoverPath, number: int) -> None:
    """Report a mover that presses whoever rides on it against a ceiling, or whoever waits below it to the floor."""
    body = context.body
    own = context.faces.mover_numbers == number
    origin = context.origin_at(path.mover.place)
    home = path.stops()[1][0]
    size = np.sort(context.high - context.low, axis=1)[:, 1]  # the second of the sides of each face
    for side, word in ((1.0, "rides on it"), (-1.0, "stands below it")):
        if side < 0.0 and is_boarded_below(context, path, number):
            continue
        faces = np.nonzero(own & (side * context.normals[:, 1] > 0.9) & (size > body.clear_depth))[0]
        if not len(faces):
            continue
        corners = context.corners[faces]
        middles = corners.mean(axis=1, keepdims=True)
        points = np.concatenate([middles, 0.7 * corners + 0.3 * middles], axis=1).reshape(-1, 3) - home
        points = points[:: len(points) // MAX_SAMPLES + 1]
        for start, offset in legs(path):
            length = float(np.linalg.norm(offset))
            if abs(offset[1]) < MIN_UPRIGHT * length:
                continue
            poses = min(MAX_POSES // 4, math.ceil(length / (4.0 * POSE_SPACING))) + 1
            places = (start + np.linspace(0.0, 1.0, poses)[:, None, None] * offset + points).reshape(-1, 3)
            if side > 0.0:
                limit, face = context.ceiling_above(places[:, ::2], places[:, 1])
                room = (limit - places[:, 1]).reshape(poses, -1)
            else:
                limit, face = context.ground_below(places[:, ::2], places[:, 1] - INSET, static=True)
                room = (places[:, 1] - limit).reshape(poses, -1)
            face = face.reshape(poses, -1)
            had, least = room.max(axis=0) >= body.clear_height, room.min(axis=0)
            same = face == face[np.argmin(room, axis=0), np.arange(room.shape[1])]  # of one floor or ceiling
            had = np.where(same, room, 0.0).max(axis=0) >= body.clear_height
            enough, none = (body.clear_height, 0.02) if side > 0.0 else (body.clear_crouch_height, -1.0)
            crushed = had & (least < enough) & (least > none)
            if side > 0.0 and not (crushed == had).all():  # another part of the deck leaves room
                continue
            if not crushed.any():
                continue
            k = int(np.nonzero(crushed)[0][np.argmin(least[crushed])])
            pose = int(np.argmin(room[:, k]))
            at = places.reshape(poses, -1, 3)[pose, k]
            other = int(face[pose, k])
            if not stands(flood, path, at, side, float(room[:, k].max())):
                continue
            message = f"it crushes a player who {word}, against {context.describe(other)}: at {describe_point(at)} it "
            message += f"leaves {max(least[k], 0.0):.2f} m"
            cure = f"leave {describe_least(body.clear_height)} m, or "
            cure += (
                HOLE if side > 0.0 else "keep players out with a wall, or let it wait for its rider (`starts: ridden`)"
            )
            others = [int(context.faces.origin[other])]
            context.add(Rank.BLOCKED, "low", origin, message, cure, at, None, others)
            return


def is_boarded_below(context: Context, path: MoverPath, number: int) -> bool:
    """Whether a mover comes down to where players step on to it, or moves only for them: they expect it there."""
    stops = path.stops()[1]
    edges = deck_edges(context, number) + stops[np.argmin(stops[:, 1])] - stops[0]
    is_level = floor_beside(context, edges, context.body.step_height)[1] >= 0
    return is_level or path.mover.motion.starts == "ridden"


def stands(flood: Flood, path: MoverPath, at: Floats, side: float, room: float) -> bool:
    """Whether a player comes onto a mover at one of its stops, or to the floor below it."""
    if side < 0.0:
        cells = flood.cells_in(at - np.array([0.5, room + 1.0, 0.5]), at + 0.5)
        return bool(flood.reached[cells].any())
    low, high = path.world_low - 1.0, path.world_high + 1.0
    low[1] += path.high[:, 1].max() - path.low[:, 1].min() + 1.0 - flood.up  # of the top of the mover
    return bool(flood.reached[flood.cells_in(low, high)].any())


def check_spawns(context: Context) -> None:
    """Report spawns into which a mover comes that does not carry the player: the first that comes."""
    radii = np.array(context.body.radii)
    for spawn in context.level.spawns:
        feet = np.array(spawn.feet)
        angle = spawn.heading * RADIANS_PER_HEADING_UNIT
        sine, cosine = math.sin(angle), math.cos(angle)
        axes = np.array([(cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)])  # right, up, back
        paths = [path for path in context.paths if len(path.triangles)]
        if any(carries(path, feet, context.body.step_height) for path in paths):
            continue
        centre = feet + radii[1] * UP
        meets = [(first_contact(path, centre, axes, radii), context.origin_at(path.mover.place)) for path in paths]
        seconds, origin = min(meets, default=(math.inf, 0))
        around = [context.origin_at(path.mover.place) for path in paths if encloses(path, centre)]
        if around or math.isfinite(seconds):
            when = f"comes here {seconds:.1f} s after the start" if seconds else "is here at the start"
            message = f"{describe_origin(context.origins[origin])} {when}, and pushes or crushes the player"
            if around:
                message = f"the player is inside {describe_origin(context.origins[around[0]])}"
            subject = Subject(spawn.place, f"spawn ({spawn.name})", spawn.intended)
            context.add(Rank.PLACE, "", subject, message, "move the spawn out of its way, or change its motion")


def first_contact(path: MoverPath, centre: Floats, axes: Floats, radii: Floats) -> float:
    """Seconds until a mover is in a body at rest, sampled over its longer period; inf if it never is."""
    far = radii.max()
    if not ((path.world_low - far < centre) & (centre < path.world_high + far)).all():
        return math.inf
    horizon = max(path.periods, default=0.0)
    times = np.unique(np.append(np.linspace(0.0, horizon, SPAWN_POSES), path.boundaries(horizon)))
    rotations, positions = path.poses(times)
    own = np.einsum("nji,nj->ni", rotations, centre - positions)  # the body's centre in the mover's frame
    for k in range(len(times)):
        near = ((path.low <= own[k] + far) & (path.high >= own[k] - far)).all(axis=1)
        if near.any():
            local = (path.triangles[near] - own[k]) @ rotations[k].T @ axes.T / radii
            if distance_from_origin(local).min() < CONTACT:
                return float(times[k])
    return math.inf


def triangles_at_start(path: MoverPath) -> tuple[Floats, Floats]:
    """Triangles (n,3,3) of a mover when the level starts, and whether each looks up (1), down (-1) or aside (0)."""
    rotations, positions = path.poses(np.zeros(1))
    triangles = path.triangles @ rotations[0].T + positions[0]
    return triangles, np.sign(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 1])


def encloses(path: MoverPath, point: Floats) -> bool:
    """Whether a point (3,) is in a solid of a mover when the level starts."""
    triangles, side = triangles_at_start(path)
    _, triangle, height = ColumnGrid(triangles).faces_at((point + NUDGE)[None, ::2])
    return bool(side[triangle[height > point[1]]].sum() > 0.5)


def carries(path: MoverPath, feet: Floats, step: float) -> bool:
    """Whether the top of a mover is under the feet (3,) of a player when the level starts."""
    triangles, side = triangles_at_start(path)
    low, high = triangles[side > 0.0].min(axis=1), triangles[side > 0.0].max(axis=1)
    under = (low[:, ::2] <= feet[::2] + SUPPORT).all(axis=1) & (high[:, ::2] >= feet[::2] - SUPPORT).all(axis=1)
    return bool((np.abs(high[under, 1] - feet[1]) <= step + 0.1).any())
