"""Checks of what overlaps: rooms, pieces that nobody sees, faces that flicker, and quads that face the wrong way."""

from __future__ import annotations

import math

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..build.level_assembly import describe_origin
from ..build.pieces import CLOSED_KINDS, POLYGON_KINDS
from ..build.shared_walls import measure_gap, placed_rooms
from ..geometry.faces import FaceArrays, join_columns, unit_normals
from ..geometry.instance_transform import PieceInstance
from ..geometry.overlapping_pairs import convex_separation, find_boxes_near, find_overlapping_pairs
from ..geometry.unique_rows import number_unique_rows
from .clearance import TOUCHING, touching_copies
from .fittings import MAX_LEGS, TOUCH
from .lint_context import COPY_KINDS, WALL_MAX_NORMAL_Y, LintContext, Subject, describe_point
from .water import swapped_corners

MIN_ROOM_OVERLAP, MAX_ROOM_PAIRS = 0.05, 1000  # m, and pairs that are judged
MAX_BURIED = 0.05  # m of terrain over a piece
MIN_BELOW_ALL, MAX_FLOOR = 0.3, 1.0  # m from a piece below all else up to that, and of the thickness of a floor over it
MIN_INSIDE = 5e-3  # m from the faces of a piece to the outside of a solid that it is inside of
MAX_STOP_FACES = 50_000  # of movers at all their stops; with more, only the first stops are judged


def check_overlapping_rooms(context: LintContext) -> None:
    """Warn about rooms of which each cuts into the other: neither is inside the other. Then judge neither by others."""
    rooms = [room for room in placed_rooms(context.level.faces) if room.origin in context.static_origins]
    bounds = np.array([room.to_world(np.array(room.shell.hollow)) for room in rooms]).reshape(-1, 2, 3)
    low, high = bounds.min(axis=1), bounds.max(axis=1)
    pairs = np.column_stack(find_overlapping_pairs(low + MIN_ROOM_OVERLAP, high - MIN_ROOM_OVERLAP))
    for i, j in pairs[:MAX_ROOM_PAIRS].tolist():
        gap = measure_gap(rooms[i], rooms[j])
        alike = np.abs(bounds[i] - bounds[j]).max() < 1e-6 and not rooms[i].mover and not rooms[j].mover
        inside = (low[[i, j]] > low[[j, i]] - 1e-6).all(axis=1) & (high[[i, j]] < high[[j, i]] + 1e-6).all(axis=1)
        pair = sorted((rooms[i].origin, rooms[j].origin))
        first, second = (context.level.origins[index] for index in pair)
        if alike and pair[0] < pair[1] and "overlap" not in first.intended:
            message = f"it stands exactly in the place of {describe_origin(first)}"
            context.warn_origin("overlap", pair[1], message, "move or remove one of them")
            context.misplaced.update(pair)
            continue
        apart = gap is None or gap.distance > -MIN_ROOM_OVERLAP or rooms[i].mover != rooms[j].mover
        if gap is None or apart or inside.any() or "overlap" in first.intended | second.intended:
            continue
        context.misplaced.update(pair)
        if not ("shared" in first.reported_kinds and "shared" in second.reported_kinds):
            lower, upper = (i, j) if low[i, 1] < low[j, 1] else (j, i)
            up, aside = float(rooms[lower].bounds()[1][1] - low[upper, 1]), gap.greatest - gap.distance
            message = f"it overlaps {describe_origin(first)} by {-gap.distance:.4g} m: their walls stand in each other"
            cure = f"move one of them {aside:.4g} m away from the other, or make it smaller"
            if 0.0 < up < aside and high[lower, 1] < high[upper, 1] and low[lower, 1] + up < low[upper, 1]:
                below, above = (describe_origin(context.level.origins[rooms[k].origin]) for k in (lower, upper))
                message = f"it overlaps {describe_origin(first)} by {up:.4g} m of its height"
                cure = f"let {below} end at a height of {high[lower, 1] - up:.4g}, or raise {above} by {up:.4g} m"
            context.warn_origin("overlap", pair[1], message, cure)


def check_enclosed(context: LintContext) -> None:
    """Warn about closed pieces that are wholly inside another solid: nobody sees them."""
    low, high, number = context.piece_bounds
    copies = np.unique(number[(context.faces.mover_numbers == 0) & np.isin(context.kinds, CLOSED_KINDS)])
    inner, outer = find_boxes_near(low[copies], high[copies], low, high)
    lower = high[copies[inner]] <= high[outer] - [0.0, MIN_INSIDE, 0.0]
    copies = np.unique(copies[inner[(lower & (low[copies[inner]] >= low[outer])).all(axis=1)]])
    around = context.solids.pieces_around((low + high)[copies] / 2.0 * [1.0, 0.0, 1.0] + high[copies] * [0.0, 1.0, 0.0])
    for copy, solid in zip(copies[around >= 0].tolist(), around[around >= 0].tolist(), strict=True):
        rows = np.nonzero((number == copy) & (context.normals[:, 1] > -0.5))[0]
        middles = context.corners[rows].mean(axis=1, keepdims=True)
        points = np.concatenate([middles, 0.98 * context.corners[rows] + 0.02 * middles], axis=1)
        points += MIN_INSIDE * context.normals[rows][:, None]
        shows = context.opaque[context.faces.surface[context.faces.origin == solid]].all()
        shows &= context.level.origins[solid].visible and context.origin_of_face(int(rows[0])).visible
        if shows and (context.solids.pieces_around(points.reshape(-1, 3)) == solid).all():
            message = f"it is wholly inside {context.describe_solid(solid, middles[0, 0])}: nobody sees it"
            cure, other = "move it into the open, or remove it", int(np.argmax(context.faces.origin == solid))
            context.warn_face("buried", int(rows[0]), message, cure, other)
            context.misplaced.add(int(context.faces.origin[rows[0]]))
            context.enclosed.add(context.level.faces.instances[int(context.faces.instance[rows[0]])].within)


def check_buried(context: LintContext) -> None:
    """Warn about pieces that nobody sees: nothing touches them, and their tops lie under terrain, or below all else."""
    low, high, number = context.piece_bounds
    order = np.argsort(low[:, 1], kind="stable")
    below = np.maximum.accumulate(high[order, 1])[:-1] + MIN_BELOW_ALL < low[order, 1][1:]
    far_down = np.zeros(len(low), np.bool_)  # below an empty layer
    far_down[order[: int(np.nonzero(below)[0].max(initial=-1)) + 1]] = True
    chosen = context.terrain.any() | far_down[number]
    tops = np.nonzero(context.walkable & (context.faces.mover_numbers == 0) & ~context.terrain & chosen)[0]
    if not len(tops):
        return
    corners = context.corners[tops]
    middles = corners.mean(axis=1, keepdims=True)
    points = np.concatenate([middles, 0.9 * corners + 0.1 * middles], axis=1).reshape(-1, 3)
    roof, over = context.ceiling_above(points[:, ::2], points[:, 1], TOUCHING)
    under = (over >= 0) & context.terrain[over] & (roof > points[:, 1] + MAX_BURIED)

    def whole(under: Flags) -> Flags:
        """The copies (K,) whose tops are all under something."""
        copies = np.zeros(len(low), np.bool_)
        copies[number[tops]] = True
        copies[number[tops][~under.reshape(-1, 5).all(axis=1)]] = False
        return copies

    buried, covered = whole(under), whole((over >= 0) & ~context.terrain[over])
    seen = -np.inf if covered.all() else low[~covered, 1].min()
    deep = covered & far_down & (high[:, 1] + MIN_BELOW_ALL < seen)
    natural = np.isin(np.arange(len(low)), number[context.terrain])
    places = [one.at for one in context.level.faces.marks] + [zone.centre for zone in context.level.all_zones]
    for copy in np.nonzero(deep)[0][:MAX_LEGS].tolist():
        group = touching_copies(context, copy, np.ones(len(low), np.bool_), np.inf)
        box = low[group].min(axis=0), high[group].max(axis=0)
        top = int(np.argmax(number[tops] == copy))
        space = np.array(box)
        space[:, 1] = high[copy, 1] + TOUCH, roof[top * 5 : top * 5 + 5].max()
        between = ((space[0] < at).all() and (at < space[1]).all() for at in places)  # it may be the ground of these
        if deep[group].all() and not context.has_carrier(*box) and not any(between):
            _warn_of_deep(context, int(tops[top]), low[copy], high[copy], float(roof[top * 5]), int(over[top * 5]))
            context.misplaced.add(int(context.faces.origin[tops[top]]))
    for copy in np.nonzero(buried & ~deep)[0].tolist():
        group = touching_copies(context, copy, ~natural, np.inf)
        face = int(tops[number[tops] == copy][0])
        if buried[group].all() and np.ptp([low[group, 1].min(), high[group, 1].max()]) < context.body.clear_height:
            own = under & (np.repeat(number[tops], 5) == copy)
            depth = float((roof - points[:, 1])[own].max())
            message = f"it lies under {context.describe_face(int(over[own][0]))}: nobody sees it"
            context.warn_face("buried", face, message, f"raise it by {math.ceil(depth * 100.0 + 5.0) / 100.0:g} m")


def _warn_of_deep(context: LintContext, face: int, low: Floats, high: Floats, roof: float, over: int) -> None:
    """Warn about a piece, in a box low, high (3,), that is below all else, under a face at the height `roof`."""
    middle = (low + high)[None] / 2.0
    floor = context.ground_below(middle[:, ::2], np.array([roof - 0.01]), np.array([roof + MAX_FLOOR]))
    top = float(floor.height[0]) if floor.face[0] >= 0 else roof
    cure = f"raise it by {top - low[1]:.4g} m"
    for words, first, last in swapped_corners(low, high):
        plan = (first + last)[None, ::2] / 2.0
        rests = context.ground_below(plan, first[None, 1] - TOUCH, first[None, 1] + TOUCH).face[0] >= 0
        if rests and "one of" not in words:
            cure = f"swap the last two numbers of {words}: a point is [x, y, z], and y is the height"
            break
    message = f"it lies below all else, {roof - high[1]:.3g} m under {context.describe_face(over)}: nobody sees it"
    context.warn_face("buried", face, message, cure)


def check_coplanar_faces(context: LintContext) -> None:
    """Warn about overlapping visible faces in one plane with one normal: duplicates, or two surfaces that flicker.

    Movers are judged at each of their stops, against what stands still.
    """
    level = context.level
    visible = np.array([origin.visible for origin in level.origins], dtype=np.bool_)
    faces, stop = _faces_at_stops(context, level.faces.select(visible[level.faces.origin]))
    normals = unit_normals(faces.corners)
    offset = np.einsum("md,md->m", normals, faces.corners[:, 0])
    key = np.round(np.column_stack([normals * 1e4, offset * 1e3])).astype(np.int64)
    low, high = faces.corners.min(axis=1), faces.corners.max(axis=1)
    shrink = np.minimum(2e-3, (high - low) / 4)
    i, j = find_overlapping_pairs(low + shrink - 1e-6, high - shrink + 1e-6, number_unique_rows(key))
    if context.paths:
        meet = _pairs_that_meet(context, faces.mover_numbers, stop, i, j)
        i, j = i[meet], j[meet]
    axis = np.argmax(np.abs(normals[i]), axis=1)
    plane_axes = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = [
        np.take_along_axis(faces.corners[index], np.repeat(plane_axes[:, None], 4, axis=1), axis=2) for index in (i, j)
    ]
    penetrates = convex_separation(*flat) < -2e-3
    i, j = i[penetrates], j[penetrates]
    used, ranks = np.unique(np.concatenate([i, j]), return_inverse=True)
    outlines = _face_corner_keys(faces.corners[used])[ranks.reshape(2, -1)]
    alike = (outlines[0] == outlines[1]).all(axis=1)
    same = np.nonzero(alike & (faces.origin[i] == faces.origin[j]))[0]
    copies, which = np.unique(faces.instance[np.stack([i, j], 1)[same]], axis=0, return_inverse=True)
    placed = {number: level.faces.instances[number] for number in np.unique(copies).tolist()}
    told = np.array([_warn_of_copies(context, placed[one], placed[two]) for one, two in copies.tolist()], np.bool_)
    explained = same[told[which.reshape(-1)]]
    later = np.maximum(faces.origin[i], faces.origin[j])
    reported = np.setdiff1d(np.nonzero(alike | (faces.surface[i] != faces.surface[j]))[0], explained)
    if len(context.paths) and len(reported):
        reported = reported[~_is_buried(context, faces, i[reported], j[reported], normals)]
    _, first = np.unique(later[reported], return_index=True)
    for pair in reported[np.sort(first)].tolist():
        upright = abs(float(normals[i[pair], 1])) < WALL_MAX_NORMAL_Y
        _report_pair(context, faces, (int(i[pair]), int(j[pair])), bool(alike[pair]), stop, upright)


def _warn_of_copies(context: LintContext, one: PieceInstance, two: PieceInstance) -> bool:
    """Warn about a `place` or `include` exactly on another, whose copies of a piece coincide. True if they are that."""
    links = next((pair for pair in zip(one.within, two.within, strict=False) if pair[0] != pair[1]), None)
    if links is None or one.frame != two.frame or any(kind not in COPY_KINDS for kind, _ in links):
        return False
    (_, earlier), (kind, later) = sorted(links, key=lambda link: (link[1].line, link[1].column))
    message = f"it stands exactly on the copy of line {earlier.line}"
    context.warn("flicker", Subject(later, kind, frozenset()), message, "move or remove one of them")
    return True


def _faces_at_stops(context: LintContext, faces: FaceArrays) -> tuple[FaceArrays, Indices]:
    """The faces with movers at their first stop, then those of movers at their other stops; the stop (M,) of each."""
    first = context.at_stop(faces)
    stop = np.zeros(len(faces), np.int64)
    counts = [len(path.stops()[1]) for path in context.paths]
    sizes = np.bincount(faces.mover_numbers, minlength=len(counts) + 1)[1:].tolist()
    if max(counts, default=1) == 1 or sum(map(int.__mul__, counts, sizes)) > MAX_STOP_FACES:
        return first, stop
    blocks = [first]
    stops = [stop]
    for number in range(1, max(counts)):
        moving = np.isin(faces.mover_numbers, [m for m, count in enumerate(counts, start=1) if count > number])
        blocks.append(context.at_stop(faces.select(moving), number))
        stops.append(np.full(len(blocks[-1]), number))
    mover = np.concatenate([block.mover_numbers for block in blocks])
    return FaceArrays(*join_columns(blocks), mover=mover), np.concatenate(stops)


def _pairs_that_meet(context: LintContext, mover: Ints, stop: Indices, i: Indices, j: Indices) -> Flags:
    """Mask (P,) of pairs of faces that are ever where they are compared.

    Two movers are compared where both stand at the start of the level; parts of one mover once.
    """
    rests = np.array([True, *(path.rests_at_start for path in context.paths)])
    static = (mover[i] == 0) | (mover[j] == 0)
    at_start = (stop[i] == 0) & (stop[j] == 0)
    meet: Flags = static | (at_start & ((mover[i] == mover[j]) | (rests[mover[i]] & rests[mover[j]])))
    return meet


def _is_buried(context: LintContext, faces: FaceArrays, i: Indices, j: Indices, normals: Floats) -> Flags:
    """Mask (P,) of overlapping faces of which one is of a mover, and which lie in a third piece: a door in its wall."""
    low = np.maximum(faces.corners[i].min(axis=1), faces.corners[j].min(axis=1))
    high = np.minimum(faces.corners[i].max(axis=1), faces.corners[j].max(axis=1))
    inside = context.solids.pieces_around((low + high) / 2.0 + 5e-3 * normals[i]) >= 0
    moving = (faces.mover_numbers[i] > 0) | (faces.mover_numbers[j] > 0)
    buried: Flags = inside & moving
    return buried


def _report_pair(
    context: LintContext, faces: FaceArrays, pair: tuple[int, int], alike: bool, stop: Indices, upright: bool
) -> None:
    """Report two faces in one plane at the later of their pieces."""
    level = context.level
    first, second = sorted(int(faces.origin[face]) for face in pair)
    if {first, second} & context.misplaced or "flicker" in level.origins[first].reported_kinds:
        return
    subject = "a copy of itself" if first == second else describe_origin(level.origins[first])
    overlaps = f"a face overlaps {subject} in the same plane and flickers"
    message = f"a face coincides with {subject}" if alike else overlaps
    cure = "move one of them"
    if upright and level.origins[first].kind == level.origins[second].kind == "room":
        cure = "rooms that share a wall need `shared: true` in one of them: one wall with the openings of both"
    if all(faces.rests[face] and level.origins[int(faces.origin[face])].kind == "room" for face in pair):
        cure = "move one of them, or write `floor: false` in one of the rooms"
    for face in pair:
        number = int(faces.mover_numbers[face])
        if number and context.paths[number - 1].period:
            message += f" where the mover stops at {describe_point(context.paths[number - 1].stops()[1][stop[face]])}"
            break
    side = _side_name(unit_normals(faces.corners[list(pair[:1])])[0])
    message += f": both face {side}, around {_middle(faces, pair)}"
    context.warn_origin("flicker", second, message, cure)


def _side_name(normal: Floats) -> str:
    """Direction that a unit normal points to most."""
    axis = int(np.argmax(np.abs(normal)))
    return (("west", "east"), ("down", "up"), ("north", "south"))[axis][int(normal[axis] > 0.0)]


def _middle(faces: FaceArrays, pair: tuple[int, int]) -> str:
    """Middle of the part that two faces share, m."""
    corners = faces.corners[list(pair)]
    return describe_point((corners.min(axis=1).max(axis=0) + corners.max(axis=1).min(axis=0)) / 2.0)


def _face_corner_keys(corners: Floats) -> Indices:
    """Key (M,4) of each face's outline: its distinct corner numbers, sorted, padded with -1."""
    outlines = np.sort(number_unique_rows(np.round(corners.reshape(-1, 3), 5) + 0.0).reshape(-1, 4), axis=1)
    outlines[:, 1:][outlines[:, 1:] == outlines[:, :-1]] = -1
    keys: Indices = np.sort(outlines, axis=1)[:, ::-1]
    return keys


def check_flipped_quads(context: LintContext) -> None:
    """Warn about quads and triangles that face the opposite way to most of their neighbours."""
    faces = context.level.faces
    is_polygon = np.array([origin.kind in POLYGON_KINDS for origin in context.level.origins], dtype=np.bool_)
    faces = faces.select(is_polygon[faces.origin])
    if not len(faces):
        return
    start = number_unique_rows(np.round(faces.corners.reshape(-1, 3), 4) + 0.0)
    end = np.roll(start.reshape(-1, 4), -1, axis=1).reshape(-1)
    edge = np.minimum(start, end) * (int(start.max()) + 1) + np.maximum(start, end)
    edge[start == end] = -1 - np.nonzero(start == end)[0]  # zero length: a key of its own
    _, first, edge_number, users = np.unique(edge, return_index=True, return_inverse=True, return_counts=True)
    half_edge = np.sort(first[users == 2])
    last = np.zeros(len(first), np.int64)
    last[edge_number.reshape(-1)] = np.arange(len(edge))
    twin = last[edge_number.reshape(-1)[half_edge]]
    neighbour_count = np.bincount(np.concatenate([half_edge, twin]) // 4, minlength=len(faces))
    outlines = _face_corner_keys(faces.corners)
    apart = (outlines[half_edge // 4] != outlines[twin // 4]).any(axis=1)  # a copy in one place is no neighbour
    same_direction = ((start < end)[half_edge] == (start < end)[twin]) & apart
    opposed: dict[int, list[int]] = {}
    for face_a, face_b in zip(
        (half_edge[same_direction] // 4).tolist(), (twin[same_direction] // 4).tolist(), strict=True
    ):
        opposed.setdefault(face_a, []).append(face_b)
        opposed.setdefault(face_b, []).append(face_a)
    reported: set[int] = set()
    for face in sorted(
        opposed, key=lambda face: (-len(opposed[face]) / neighbour_count[face], -len(opposed[face]), -face)
    ):
        if 2 * len(opposed[face]) > neighbour_count[face] and not reported & set(opposed[face]):
            reported.add(face)
            neighbour = context.level.origins[int(faces.origin[opposed[face][0]])]
            message = f"it faces the opposite way to {describe_origin(neighbour)} next to it"
            context.warn_origin("flipped", int(faces.origin[face]), message, "list its corners in the opposite order")
