"""Checks of lifts and other movers: they press the player against a ceiling, miss a floor, or go through a wall."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...core.vectors import Floats, Indices
from ..build.entities.movers import MoverPath
from ..build.entities.player import describe_least
from ..build.level_assembly import describe_origin
from ..build.pieces import NATURAL_KINDS
from .clearance import MIN_LEDGE_WIDTH, edge_points, sample_points
from .lint_context import LintContext, describe_point, zone_bounds
from .places import MAX_LEAP, destinations, is_carried

POSE_SPACING = 0.3  # m between two poses of a lift that are compared with what is above it
MAX_POSES = 400  # of one keyframe
MAX_SAMPLES = 200  # points of the deck of one lift
MIN_UPRIGHT = 0.7  # sine of the slope of a keyframe, at least: a flatter one pushes the player aside
FRAME_SLACK = 0.5  # m from `at` to the first stop of a path that was written as a place in the level
SAME_CEILING = 0.05  # m by which the height of a ceiling may change along a keyframe
MIN_TRAVEL = 1.0  # m between the lowest and the highest stop of a lift
MAX_MISS = 1.5  # m from a stop to a floor that it misses; a floor further away is not meant
MAX_FERRY_MISS = 3.0  # m from a ferry to floors that it misses alike at both of its ends
MIN_EARLY, MAX_EARLY = 1.5, 10.0  # m from the last stop of a lift to the floor that its path was made for
MAX_DECKS = 40  # faces of one lift
DECK_POINTS = 25  # along each side of a deck, at which a wall cuts into it
LANDING_REACH = (0.1, 0.3, 0.5)  # m from the edge of a deck to the floor beside it
SAME_LEG = 1e-6  # m between the ends of a leg of a path and of the way back
PATH_SPACING = 0.05  # m between two poses of a mover that are compared with the walls around it
INSET = 0.02  # m below its own faces: it may slide along a wall
MIN_SPEED, USUAL_SPEED = 0.02, 0.3  # m/s of what seems to move, and of slow movers
CABIN_HEIGHT = 0.5  # m: a face of the lift this far above another one is a roof, not its deck


def sliding(context: LintContext) -> Iterator[tuple[int, MoverPath, Floats, int]]:
    """Movers that do not turn, but those with a finding about their place: number, path, stops (n,3) and origin."""
    for number, path in enumerate(context.paths, start=1):
        origin = _origin_of(context, path)
        if path.period and not path.mover.motion.turns and origin not in context.misplaced:
            yield number, path, path.stops()[1], origin


def check_lifts(context: LintContext) -> None:
    """Warn about lifts on which a player cannot stay: at some place the whole deck has too little room above it.

    Only movers that neither turn nor swing are judged, and only those parts of the deck on which a player can stand
    somewhere else on the way.
    """
    for number, path, _, origin in sliding(context):
        crush = _find_crush(context, path, _deck_points(context, path, number))
        if crush is not None and "low" not in context.origin_of_face(crush[1]).reported_kinds:
            room, face, place = crush
            message = f"the lift presses the player against {context.describe_face(face)}: "
            message += f"at {describe_point(place)} it leaves {room:.2f} m above its deck"
            cure = f"leave {describe_least(context.body.clear_height)} m: move the stop, make a hole above the lift"
            context.warn_origin("low", origin, message, cure)
            set_misplaced(context, path, number, "low")


def _deck_points(context: LintContext, path: MoverPath, number: int) -> Floats:
    """Points (n,3) on the walkable faces of a mover, relative to its position, without the roof of a cabin."""
    own = (context.faces.mover_numbers == number) & context.walkable
    points, _ = sample_points(context, np.nonzero(own & (context.breadth > MIN_LEDGE_WIDTH))[0])
    points = points[:: len(points) // MAX_SAMPLES + 1]
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    below = own[context.face_of[triangle]] & (height < points[point, 1] - CABIN_HEIGHT)
    deck: Floats = np.delete(points, point[below], axis=0) - path.stops()[1][0]
    return deck


def _find_crush(context: LintContext, path: MoverPath, deck: Floats) -> tuple[float, int, Floats] | None:
    """The least room (m) above a deck where no part of it has room, the face above, and the point (3,) of the deck.

    Each upright keyframe is judged by itself. A deck that comes down through a floor is no crush: the player stays on
    the floor. So the same ceiling must leave room for the player at another pose of the keyframe.
    """
    found = []
    for start, offset in zip(path.origins, path.offsets, strict=True):
        length = float(np.linalg.norm(offset))
        if not len(deck) or abs(offset[1]) < MIN_UPRIGHT * length or length == 0.0:
            continue
        count = min(MAX_POSES, math.ceil(length / POSE_SPACING)) + 1
        points = path.home + start + np.linspace(0.0, 1.0, count)[:, None, None] * offset + deck
        ceiling, face = context.ceiling_above(points[..., ::2].reshape(-1, 2), points[..., 1].ravel(), 0.02, True)
        ceiling, face = ceiling.reshape(count, len(deck)), face.reshape(count, len(deck))
        room = ceiling - points[..., 1]
        used = np.nonzero((room >= context.body.clear_height).any(axis=0))[0]
        if not len(used):
            continue
        blocked = np.nonzero(room[:, used].max(axis=1) < context.body.clear_crouch_height)[0]
        for pose in blocked.tolist():
            k = int(used[np.argmax(room[pose, used])])
            same = (ceiling[:, k] < ceiling[pose, k] + SAME_CEILING) & (ceiling[:, k] > ceiling[pose, k] - SAME_CEILING)
            if room[same, k].max() >= context.body.clear_height:
                found.append((float(room[pose, k]), int(face[pose, k]), points[pose, k]))
    return min(found, key=lambda crush: crush[0], default=None)


def check_lift_places(context: LintContext) -> None:
    """Warn about lifts whose path has y and z swapped, and lifts that cut into a static solid at a stop.

    A path is swapped if its deck is level with a floor at its first stop and never comes higher or lower, and if the
    path with y and z swapped would bring it to another floor.
    """
    zones = context.level.all_zones
    for number, path, stops, origin in sliding(context):
        edges = _deck_edges(context, number) - stops[0]
        gap, face = _floor_beside(context, edges + stops[0])
        rises = np.ptp(stops[:, 1]) >= MIN_TRAVEL and len(edges) > 0
        floor, now = -1, "it comes to no floor"
        if np.ptp(stops[:, 1]) < SAME_CEILING and np.ptp(stops[:, 2]) >= MIN_TRAVEL and face >= 0 and not gap:
            now = f"it stays at one height, on {context.describe_face(face)}"
            swapped = stops[0] + (stops - stops[0])[:, [0, 2, 1]]
            dives = any(one.facts.is_water and one.contains(stop.tolist()) for one in zones for stop in swapped)
            swapped = swapped[(np.abs(swapped - stops[0])[:, 1] > MAX_MISS) & (not dives)]
            ends = [_floor_beside(context, edges + stop) for stop in swapped]
            floor = next((end for gap, end in ends if end >= 0 and not gap), -1)
        elif rises and face >= 0 and not gap:
            floor = _floor_of_swapped(context, edges, stops)
        if floor >= 0:
            message = f"{now}: with y and z of its `path` swapped it would come to {context.describe_face(floor)}"
            cure = "swap the last two numbers of each point of `path`: a point is [x, y, z], and y is the height"
            context.warn_origin("step", origin, message, f"{cure}; or add `intended: [step]`")
            set_misplaced(context, path, number, "step")
        elif rises:
            deck = _whole_deck(context, number) - stops[0]
            for stop, into in zip([*stops, *stops], np.repeat([INSET, -INSET], len(stops)), strict=True):
                places = stop + deck + np.array([0.0, into, 0.0])
                around = context.solids.pieces_around(places)
                if into < 0.0 and not _lies_in_another(context, number, around):
                    continue
                around[np.isin(around, list(context.misplaced))] = -1
                if not (around >= 0).any():
                    continue
                first = int(np.argmax(around >= 0))
                piece = context.describe_solid(int(around[first]), places[first])
                message = f"the lift cuts into {piece} where it stops, at {describe_point(places[first])}"
                back = (stops[0] - stop) * [1.0, 0.0, 1.0]
                length = float(np.linalg.norm(back))
                nearer = (k / 10.0 for k in range(1, math.ceil(length * 10.0)))
                outside = (d for d in nearer if (context.solids.pieces_around(places + d * back / length) < 0).all())
                end = next(outside, 0.0)
                cure = f"end its `path` {end:.1f} m nearer" if end else "move it into the open with `at`"
                context.warn_origin("overlap", origin, message, cure)
                set_misplaced(context, path, number, "overlap")
                break


def _floor_of_swapped(context: LintContext, edges: Floats, stops: Floats) -> int:
    """The floor (its face) to which a lift comes with y and z of its path swapped, if it comes to none now; else -1."""
    now = [_floor_beside(context, edges + stop)[1] for stop in stops[1:]]
    swapped = (stops[0] + (stops - stops[0])[:, [0, 2, 1]])[1:]
    found = [_floor_beside(context, edges + stop) for stop in swapped if abs(stop[1] - stops[0, 1]) > MAX_MISS]
    meant = [face for gap, face in found if face >= 0 and not gap and context.kinds[face] not in NATURAL_KINDS]
    return meant[0] if meant and max(now) < 0 else -1


def _lies_in_another(context: LintContext, number: int, around: Indices) -> bool:
    """Whether the deck of a lift lies in a piece (n,) of another surface: one of its own may be let into that."""
    decks = context.faces.surface[context.walkable & (context.faces.mover_numbers == number)]
    tops = context.faces.surface[context.walkable & np.isin(context.faces.origin, around[around >= 0])]
    return bool(len(tops)) and not np.isin(tops, decks).any()


def check_frames(context: LintContext) -> None:
    """Warn about movers whose path or pieces are where `at` is, counted from `at`: places in the level are meant."""
    for number, path in enumerate(context.paths, start=1):
        points = np.array(path.mover.spec.path).reshape(-1, 3)
        box = [path.low.min(axis=0), path.high.max(axis=0)] if len(path.triangles) else np.zeros((2, 3))
        size, middle = float(np.ptp(box, axis=0).max()), np.mean(box, axis=0)
        far = float(np.linalg.norm(path.home[::2]))
        if len(points) and np.linalg.norm(points[0] - path.home) < FRAME_SLACK < far:
            message = f"its `path` is relative to `at`, and begins {np.linalg.norm(points[0]):.3g} m away from there"
            cure = f"write `path: [{', '.join(describe_point(point, '[]') for point in points - points[0])}]`"
        elif size and np.linalg.norm((middle - path.home)[::2]) < size / 2.0 and far > 2.0 * size:
            message = f"its pieces are placed around its `at`, and stand {np.linalg.norm(middle):.3g} m away from there"
            cure = "remove `at`, or subtract it from their numbers"
        else:
            continue
        context.warn_origin("void", _origin_of(context, path), message, cure)
        set_misplaced(context, path, number, "void")


def check_stops(context: LintContext) -> None:
    """Warn about lifts with a stop that misses a floor beside it by more than a step.

    A lift is a mover that does not turn, and whose deck is level with a floor at another stop, or misses the floors of
    two stops in the same way. A floor that it has at another stop is not missed: a platform may rise from it.
    """
    for number, path, stops, _ in sliding(context):
        is_ferry = np.ptp(stops[:, 1]) < SAME_CEILING
        if not is_ferry and np.ptp(stops[:, 1]) < MIN_TRAVEL:
            continue
        edges = _deck_edges(context, number) - stops[0]
        if not len(edges):
            continue
        if path.mover.motion.pause == 0.0 and not is_ferry:
            stops = stops[[np.argmin(stops[:, 1]), np.argmax(stops[:, 1])]]
        found = [_floor_beside(context, edges + stop) for stop in stops]
        reached = [stop[1] + gap for stop, (gap, face) in zip(stops, found, strict=True) if face >= 0 and not gap]
        lost = [stop for stop, (_, face) in zip(stops, found, strict=True) if face < 0]
        if len(lost) == len(reached) == 1:
            ends = stops[0] + stops[-1] - lost[0], lost[0], MIN_EARLY if is_ferry else MAX_LEAP
            _warn_of_early_end(context, path, edges + lost[0], *ends)
            if not is_ferry:
                _warn_of_passed_floor(context, path, edges + lost[0], lost[0], reached[0])
                _warn_of_empty_top(context, path, edges + lost[0], lost[0], reached[0])
        if is_ferry:
            if not reached:
                _warn_of_other_height(context, path, edges, stops)
                set_misplaced(context, path, number, "step")
            continue
        level = [stop for stop, (gap, face) in zip(stops, found, strict=True) if face >= 0 and not gap]
        _warn_of_wall(context, path, edges, level)
        missed = [
            (stop, gap, face)
            for stop, (gap, face) in zip(stops, found, strict=True)
            if gap and all(abs(stop[1] + gap - height) > MAX_MISS for height in reached)
        ]
        gaps = [gap for _, gap, _ in missed]
        heights = [stop[1] for stop, _, _ in missed]
        apart = not reached and len(gaps) > 1 and np.ptp(gaps) > SAME_CEILING
        if not missed or (not reached and (np.ptp(heights) < MIN_TRAVEL or (apart and len(found) > len(gaps) == 2))):
            continue
        turn = "raise" if gaps[-1] > gaps[0] else "lower"
        rest = f", and {turn} its other stop in `path` by {np.ptp(gaps):.3g} m" if apart else ""
        _warn_of_gap(context, path, missed[0], "the lift", "the stop in `path`" if reached else "`at`", rest)


def _warn_of_gap(
    context: LintContext, path: MoverPath, missed: tuple[Floats, float, int], noun: str, what: str, rest: str = ""
) -> None:
    """Warn about a mover with a stop (3,) that misses a floor (its face) by a gap, m. what: to move; rest: of it"""
    stop, gap, face = missed
    top, low = context.high[face, 1], stop[1] + path.low[:, 1].min()
    ground = context.ground_below(stop[None, ::2], top[None] - INSET, top[None] + INSET)
    by = min(abs(gap), low - top) if ground.face[0] >= 0 and low > top else abs(gap)  # onto it, not into it
    side, turn = ("below", "raise") if gap > 0.0 else ("above", "lower")
    message = f"{noun} stops {abs(gap):.3g} m {side} {context.describe_face(face)}, at {describe_point(stop)}"
    context.warn_origin("step", _origin_of(context, path), message, f"{turn} {what} by {by:.3g} m{rest}")


def _warn_of_other_height(context: LintContext, path: MoverPath, edges: Floats, stops: Floats) -> None:
    """Warn about a ferry over water or a drop between two floors of one height, that stops at another one at both."""
    middle = stops[[0, -1]].mean(axis=0)
    zones = (zone_bounds(one) for one in context.level.all_zones if one.facts.is_water)
    over_water = any((low <= middle)[::2].all() and (high >= middle)[::2].all() for low, high in zones)
    ground = context.ground_below(middle[None, ::2], np.array([middle[1] - MAX_FERRY_MISS]), middle[None, 1])
    if not over_water and ground.face[0] >= 0:
        return
    _, under = _floors_beside(context, edges + middle, MAX_FERRY_MISS)
    ends = [_floors_beside(context, edges + stop, MAX_FERRY_MISS) for stop in stops[[0, -1]]]
    (first, faces), (last, _) = ((gaps[far], face[far]) for gaps, face in ends for far in [~np.isin(face, under)])
    alike = np.abs(first[:, None] - last).min(axis=1, initial=np.inf) < SAME_CEILING
    if alike.any():
        k = int(np.argmin(np.where(alike, np.abs(first), np.inf)))
        missed = (stops[0], float(first[k]), int(faces[k]))
        _warn_of_gap(context, path, missed, "the ferry", "`at`")


def _warn_of_passed_floor(context: LintContext, path: MoverPath, edges: Floats, stop: Floats, lowest: float) -> None:
    """Warn about a lift that stops (3,) high above all floors, and passes one above its lowest stop on its way."""
    point, triangle, height = context.plan.faces_at(edges[:, ::2])
    face = context.face_of[triangle]
    fits = (height > lowest + MIN_TRAVEL) & (height < edges[point, 1] - MAX_MISS) & context.walkable[face]
    fits &= (context.breadth[face] > MIN_LEDGE_WIDTH) & (context.faces.mover_numbers[face] == 0)
    served = np.abs(destinations(context) - stop).max(axis=1) < MAX_LEAP
    if not fits.any() or served.any():
        return
    last = np.nonzero(fits)[0][np.argmax(height[fits])]
    if "low" in context.origin_of_face(int(face[last])).reported_kinds:
        return
    floor = context.describe_face(int(face[last]))
    old = stop[1] - path.home[1]
    message = f"the lift stops at {describe_point(stop)}, level with no floor, and passes {floor} without a stop"
    cure = f"write {old + height[last] - edges[point[last], 1]:.4g} instead of {old:.4g} in its `path`"
    context.warn_origin("step", _origin_of(context, path), message, cure)


def _warn_of_empty_top(context: LintContext, path: MoverPath, edges: Floats, stop: Floats, lowest: float) -> None:
    """Warn about a lift up to a stop (3,) with nothing to stand on or to come to in a leap, if a floor is as high."""
    low, high = edges.min(axis=0) - MAX_LEAP, edges.max(axis=0) + MAX_LEAP
    low[1] = lowest + MIN_TRAVEL
    floors = (context.faces.mover_numbers == 0) & (context.normals[:, 1] > 0.3)
    near = floors & (context.low <= high).all(axis=1) & (context.high >= low).all(axis=1)
    meant = np.nonzero(floors & (np.abs(context.high[:, 1] - edges[0, 1]) < INSET) & (context.breadth > MIN_TRAVEL))[0]
    is_served = _is_served(context, path, stop) or is_carried(context, low, high)
    if stop[1] > low[1] and len(meant) and not (near.any() or is_served):
        floor = context.describe_face(int(meant[0]))
        message = f"the lift goes up to nothing at {describe_point(stop)}; {floor}, which is as high, is elsewhere"
        context.warn_origin("step", _origin_of(context, path), message, "move it there with `at`")


def _is_served(context: LintContext, path: MoverPath, stop: Floats) -> bool:
    """Whether another mover or a destination is within a leap of a stop (3,)."""
    others = any(
        one is not path and (np.abs(np.clip(stop, one.world_low, one.world_high) - stop) < MAX_LEAP).all()
        for one in context.paths
    )
    return others or bool((np.abs(destinations(context) - stop).max(axis=1) < MAX_LEAP).any())


def _warn_of_wall(context: LintContext, path: MoverPath, edges: Floats, stops: list[Floats]) -> None:
    """Warn about a lift that stops (3,) before a wall: a solid stands between its deck and all floors beside it."""
    for stop in stops:
        points = edges + stop
        around = context.solids.pieces_around(points + np.array([0.0, context.body.clear_crouch_height, 0.0]))
        closed = np.maximum.accumulate((around >= 0).reshape(-1, len(LANDING_REACH)), axis=1).reshape(-1)
        floor = _floor_beside(context, points)[1]
        if closed.any() and _floor_beside(context, points[~closed])[1] < 0:
            wall = context.describe_solid(int(around.max()), stop)
            message = f"the lift stops at {describe_point(stop)} before {wall}: it has no doorway to "
            cure = "make a doorway there, or move the lift to one"
            context.warn_origin("closed", _origin_of(context, path), message + context.describe_face(floor), cure)


def _warn_of_early_end(
    context: LintContext, path: MoverPath, edges: Floats, start: Floats, stop: Floats, least: float = MAX_LEAP
) -> None:
    """Warn about a lift from a start (3,) whose stop (3,) is more than `least` (m) before a floor at its height."""
    way = (stop - start) * [1.0, 0.0, 1.0]
    if not way.any() or _is_served(context, path, stop):
        return
    ahead = way / np.linalg.norm(way)
    way_on = np.arange(0.0, MAX_EARLY, 0.2).tolist()
    found = [_floor_beside(context, edges + far * ahead) for far in way_on]
    floors = [(far, face) for far, (gap, face) in zip(way_on, found, strict=True) if face >= 0 and not gap]
    if floors and floors[0][0] > least:
        far, face = floors[0]
        noun = "ferry" if least == MIN_EARLY else "lift"
        message = f"the {noun} stops {far:.2g} m before {context.describe_face(face)}, at {describe_point(stop)}"
        context.warn_origin("step", _origin_of(context, path), message, f"make its `path` {far:.2g} m longer that way")


def _origin_of(context: LintContext, path: MoverPath) -> int:
    return next(index for index, origin in enumerate(context.level.origins) if origin.place == path.mover.place)


def set_misplaced(context: LintContext, path: MoverPath, number: int, kind: str) -> None:
    """After a warning of a kind about a mover, give no other about its place and that of what it carries."""
    if not context.has_warned(kind, _origin_of(context, path)):
        return
    carried = context.level.faces.origin[context.level.faces.mover_numbers == number]
    context.misplaced |= {_origin_of(context, path), *carried.tolist()}


def _deck_edges(context: LintContext, number: int) -> Floats:
    """Points (n,3) close outside the edges of the largest decks of a mover, at its first stop."""
    own = context.walkable & (context.faces.mover_numbers == number) & (context.breadth > context.body.clear_depth)
    decks = np.nonzero(own)[0]
    decks = decks[np.argsort(-context.breadth[decks], kind="stable")][:MAX_DECKS]
    return edge_points(context.corners[decks], LANDING_REACH).reshape(-1, 3)


def _whole_deck(context: LintContext, number: int) -> Floats:
    """Points (n,3) all over the largest deck of a mover, a little inside its edges, at its first stop."""
    own = np.nonzero(context.walkable & (context.faces.mover_numbers == number))[0]
    a, b, c, d = context.corners[own[np.argmax(context.breadth[own])]]
    parts = np.linspace(0.02, 0.98, DECK_POINTS)
    u, v = (grid.reshape(-1, 1) for grid in np.meshgrid(parts, parts))
    points: Floats = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    return points


def _floors_beside(context: LintContext, points: Floats, reach: float = MAX_MISS) -> tuple[Floats, Indices]:
    """Gaps (n,) of at most `reach` (m) from a deck up to the static floors at points (n,3) around it; their faces."""
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    face = context.face_of[triangle]
    gap = height - points[point, 1]
    fits = context.walkable[face] & (context.breadth[face] > MIN_LEDGE_WIDTH) & (context.faces.mover_numbers[face] == 0)
    fits &= np.abs(gap) <= reach + 1e-6
    return gap[fits], face[fits]


def _floor_beside(context: LintContext, points: Floats) -> tuple[float, int]:
    """Gap (m) from a deck up to the nearest static floor at points (n,3) around it, and the floor's face.

    0.0 where one is within a step; 0.0 and -1 where none is within MAX_MISS.
    """
    gap, face = _floors_beside(context, points)
    if not len(gap):
        return 0.0, -1
    k = int(np.argmin(np.abs(gap)))
    return (0.0 if abs(gap[k]) <= context.body.step_height + 1e-6 else float(gap[k])), int(face[k])


def check_paths(context: LintContext) -> None:
    """Warn about movers that hardly move, and those that go through a static solid between two stops.

    What a mover is inside of at a stop is no finding: a door slides into its wall. Movers that turn are not judged.
    """
    for number, path, stops, origin in sliding(context):
        spec = path.mover.spec
        seconds, length = spec.seconds, float(np.linalg.norm(np.diff(spec.path, axis=0), axis=1).sum())
        if 0.1 < length < MIN_SPEED * seconds:
            meant = next(seconds / k for k in (10.0, 100.0, 1000.0, 1e4, 1e5) if length >= USUAL_SPEED * seconds / k)
            message = f"it takes {seconds:.4g} s for the {length:.3g} m of its path: it hardly moves"
            context.warn_origin("still", origin, message, f"write `seconds: {meant:g}`")
        if "low" in context.level.origins[origin].intended or context.has_warned("low", origin):
            continue
        rows = context.face_of[context.faces.mover_numbers[context.face_of] == number]
        triangles = context.triangles[context.faces.mover_numbers[context.face_of] == number]
        middles = triangles.mean(axis=1, keepdims=True)
        inner = np.concatenate([middles, 0.9 * triangles + 0.1 * middles], axis=1) - stops[0]
        points = (inner - INSET * context.normals[rows][:, None]).reshape(-1, 3)
        points = points[:: len(points) // MAX_SAMPLES + 1]
        legs = np.column_stack([path.origins, path.offsets])[path.offsets.any(axis=1)]
        backwards = np.column_stack([legs[:, :3] + legs[:, 3:], -legs[:, 3:]])
        forth = [k for k in range(len(legs)) if not (np.abs(backwards[:k] - legs[k]).max(axis=1) < SAME_LEG).any()]
        for start, offset in zip(path.home + legs[forth, :3], legs[forth, 3:], strict=True):
            count = min(MAX_POSES // len(forth), math.ceil(float(np.linalg.norm(offset)) / PATH_SPACING)) + 1
            places = start + np.linspace(0.0, 1.0, count)[:, None, None] * offset + points
            inside = context.solids.pieces_around(places.reshape(-1, 3)).reshape(count, -1)
            passed = np.setdiff1d(inside, np.append(inside[[0, -1]], -1))
            if len(passed) and "low" not in context.level.origins[int(passed[0])].reported_kinds:
                piece = describe_origin(context.level.origins[int(passed[0])])
                at = describe_point(places[np.nonzero(inside == passed[0])][0])
                message = f"it goes through {piece} on its way, at {at}"
                context.warn_origin("overlap", origin, message, "change its `path`, make an opening there")
                break
