"""Faces: what flickers, cracks and faces the wrong way; pieces in each other, buried or in the air; decals."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ..build.level_assembly import describe_origin
from ..build.pieces import CLOSED_KINDS, POLYGON_KINDS, SHEET_KINDS, TERRAIN_KINDS
from ..build.shared_walls import measure_gap, placed_rooms
from ..format.surfaces import Surface
from ..geometry.faces import FaceArrays, join_columns, unit_normals
from ..geometry.instance_transform import PieceInstance
from ..geometry.overlapping_pairs import convex_separation, find_boxes_near, find_overlapping_pairs
from ..geometry.quads import split_into_triangles
from ..geometry.unique_rows import connected, number_unique_rows
from ..materials import AlphaMode, PictureError, PictureSource
from ..materials.picture_file import read_picture_header
from ..materials.texture_memory import estimate_texture_bytes
from .context import COPY_KINDS, UP, Context, Rank, Subject, describe_point, metres
from .flood import Flood

CRACK_WIDTH = (1e-4, 0.06)  # m: a gap between floors of this width counts as a mistake
MISSED_EDGE = (3e-3, 0.015)  # m from a corner to an edge; less is rounding to millimetres
MIN_ROOM_OVERLAP, MAX_ROOM_PAIRS = 0.05, 1000  # m, and pairs that are judged
MAX_STOP_FACES = 50_000  # of movers at all their stops; with more, only the first stops are judged
MIN_INSIDE = 5e-3  # m from the faces of a piece to the outside of a solid that it is inside of
TOUCH, MAX_HOVER = 0.02, 0.5  # m between pieces that touch; from ground up to a thing that was to stand on it
SIGHT = 80.0  # m from which a flicker is seen
# Half of the video memory of the smallest graphics cards that are sold with a display; the level's lightmap, shadow
# maps and frame buffers need the other half.
TEXTURE_BUDGET = 512 * 2**20
DECAL_REACH, MAX_DECAL_GAP = 1.0, 0.03  # m from a decal in which its surface is looked for, and to a surface it lies on
MAX_TILT, DECAL_INSET = 0.985, 0.94  # cosine of the tilt of a decal; part of its half sides that lies on its surface
MAX_DECALS = 2_000  # that are judged


def check_faces(context: Context, flood: Flood) -> None:
    check_rooms(context)
    check_enclosed(context)
    check_groups(context, flood)
    check_coplanar(context, flood)
    check_cracks(context)
    check_missed_edges(context)
    check_flipped(context)
    check_decals(context)
    check_texture_memory(context)


def check_rooms(context: Context) -> None:
    """Report rooms that stand in each other, or each wholly in the place of the other."""
    rooms = [room for room in placed_rooms(context.level.faces) if not room.mover]
    bounds = np.array([room.to_world(np.array(room.shell.hollow)) for room in rooms]).reshape(-1, 2, 3)
    low, high = bounds.min(axis=1), bounds.max(axis=1)
    pairs = np.column_stack(find_overlapping_pairs(low + MIN_ROOM_OVERLAP, high - MIN_ROOM_OVERLAP))
    for i, j in pairs[:MAX_ROOM_PAIRS].tolist():
        first, second = sorted((rooms[i].origin, rooms[j].origin))
        origins = [context.origins[index] for index in (first, second)]
        gap = measure_gap(rooms[i], rooms[j])
        box = np.minimum(low[i], low[j]) - 0.5, np.maximum(high[i], high[j]) + 0.5
        inside = (low[[i, j]] > low[[j, i]] - 1e-6).all(axis=1) & (high[[i, j]] < high[[j, i]] + 1e-6).all(axis=1)
        message = cure = ""
        if np.abs(bounds[i] - bounds[j]).max() < 1e-6 and first < second:
            message = f"it stands exactly in the place of {describe_origin(origins[0])}"
            cure = "move or remove one of them"
        elif gap is not None and gap.distance < -MIN_ROOM_OVERLAP and not inside.any():
            if all("shared" in origin.reported_kinds for origin in origins):
                continue
            message = (
                f"it overlaps {describe_origin(origins[0])} by {metres(-gap.distance)}: their walls stand in each other"
            )
            cure = f"move one of them {metres(gap.greatest - gap.distance)} away from the other, or make it smaller"
            lower, upper = (i, j) if low[i, 1] < low[j, 1] else (j, i)
            up = float(rooms[lower].bounds()[1][1] - low[upper, 1])
            if 0.0 < up < gap.greatest - gap.distance and high[lower, 1] < high[upper, 1]:
                message = f"it overlaps {describe_origin(origins[0])} by {metres(up)} of its height"
                cure = f"raise {describe_origin(context.origins[rooms[upper].origin])} by {metres(up)}"
        if message:
            context.add(Rank.OVERLAP, "overlap", second, message, cure, None, box, [first])


def check_enclosed(context: Context) -> None:
    """Report closed pieces that are wholly inside another solid: nobody sees them."""
    low, high, number = context.copies
    opaque = np.array([one.pbr is None or one.pbr.alpha_mode is AlphaMode.OPAQUE for one in context.level.surfaces])
    copies = np.unique(number[context.static & np.isin(context.kinds, CLOSED_KINDS)])
    inner, outer = find_boxes_near(low[copies], high[copies], low, high)
    lower = high[copies[inner]] <= high[outer] - MIN_INSIDE * UP
    copies = np.unique(copies[inner[(lower & (low[copies[inner]] >= low[outer])).all(axis=1)]])
    tops = (low + high)[copies] / 2.0 * [1.0, 0.0, 1.0] + high[copies] * [0.0, 1.0, 0.0]
    around = context.solids.pieces_around(tops)
    for copy, solid in zip(copies[around >= 0].tolist(), around[around >= 0].tolist(), strict=True):
        rows = np.nonzero((number == copy) & (context.normals[:, 1] > -0.5))[0]
        if not len(rows):
            continue
        own = int(context.faces.origin[rows[0]])
        middles = context.corners[rows].mean(axis=1, keepdims=True)
        points = np.concatenate([middles, 0.98 * context.corners[rows] + 0.02 * middles], axis=1)
        points += MIN_INSIDE * context.normals[rows][:, None]
        hides = opaque[context.faces.surface[context.faces.origin == solid]].all() and context.origins[solid].visible
        if (
            hides
            and context.origins[own].visible
            and (context.solids.pieces_around(points.reshape(-1, 3)) == solid).all()
        ):
            message = f"it is wholly inside {context.describe_solid(solid, middles[0, 0])}: nobody sees it"
            cure = "move it into the open, or remove it"
            box = low[copy] - TOUCH, high[copy] + TOUCH
            context.add(Rank.BURIED, "buried", own, message, cure, None, box, [solid])


def check_groups(context: Context, flood: Flood) -> None:
    """Report groups of pieces that touch nothing else: buried under terrain or below all else, or in the air."""
    low, high, number = context.copies
    static = np.zeros(len(low), np.bool_)
    static[number[context.static]] = True
    a, b = find_overlapping_pairs(low - TOUCH / 2.0, high + TOUCH / 2.0)
    joined = static[a] & static[b]
    group = connected(len(low), a[joined], b[joined])
    walked = np.zeros(len(low), np.bool_)
    walked[number[flood.face[flood.reached]]] = True
    used = np.bincount(group, walked, len(low)) > 0
    loose = static & ~used[group]
    if not loose.any() or not flood.is_known:
        return
    seen = context.level.faces.corners[~np.isin(context.level.faces.origin, context.faces.origin)]
    held = seen.min(axis=1) - TOUCH, seen.max(axis=1) + TOUCH  # what does not collide may hold a piece
    ground = flood.places[flood.reached, 1].min(initial=np.inf)
    first = np.zeros(len(low), np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    origin_of = context.faces.origin[first]
    standing = np.zeros(len(context.origins), np.bool_)
    standing[origin_of[static & ~loose]] = True
    for one in np.unique(group[loose]).tolist():
        members = np.nonzero((group == one) & static)[0]
        box_low, box_high = low[members].min(axis=0), high[members].max(axis=0)
        if (
            flood.is_carried((box_low + box_high) / 2.0)
            or ((box_low <= held[1]) & (held[0] <= box_high)).all(axis=1).any()
        ):
            continue
        lowest = int(members[np.argmin(low[members, 1])])
        index = int(origin_of[lowest])
        rows = np.nonzero(np.isin(number, members) & (context.normals[:, 1] > 0.5))[0]
        middles = context.corners[rows].mean(axis=1, keepdims=True)
        points = np.concatenate([middles, 0.9 * context.corners[rows] + 0.1 * middles], axis=1).reshape(-1, 3)
        roof, over = context.ceiling_above(points[:, ::2], points[:, 1])
        box = box_low - TOUCH, box_high + TOUCH
        if len(points) and (over >= 0).all():
            if np.isin(context.kinds[over], TERRAIN_KINDS).all():
                depth = float((roof - points[:, 1]).max())
                message, cure = (
                    f"it lies under {context.describe(int(over[0]))}: nobody sees it",
                    f"raise it by {depth + 0.05:.2f} m",
                )
                context.add(Rank.BURIED, "buried", index, message, cure, None, box)
                continue
            if box_high[1] + 0.3 < ground:
                message = f"it lies below all that one stands on, {metres(roof[0] - box_high[1])} under "
                message += f"{context.describe(int(over[0]))}: nobody sees it"
                cure = f"raise it by {metres(ground - box_low[1])}"
                context.add(Rank.BURIED, "buried", index, message, cure, None, box)
                continue
        plan = (box_low + box_high)[None, ::2] / 2.0
        height, below = context.ground_below(plan, box_low[None, 1] + 1e-3)
        gap = float(box_low[1] - height[0])
        copied = standing[origin_of[members]].any()
        if below[0] >= 0 and (TOUCH < gap < MAX_HOVER or copied):
            message = f"it hangs in the air at {describe_point((box_low + box_high) / 2.0)}, {metres(gap)} above "
            message += f"{context.describe(int(below[0]))}, and touches nothing"
            if copied:
                message += ": its other copies stand"
            context.add(Rank.IN_THE_AIR, "floating", index, message, "move it to what it is to stand on", None, box)


def check_coplanar(context: Context, flood: Flood) -> None:
    """Report overlapping visible faces in one plane with one normal: duplicates, or two surfaces that flicker.

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
        mover = faces.mover_numbers
        rests = np.array([True, *(path.rests_at_start for path in context.paths)])
        at_start = (stop[i] == 0) & (stop[j] == 0)
        meet = (mover[i] == 0) | (mover[j] == 0)
        meet |= at_start & ((mover[i] == mover[j]) | (rests[mover[i]] & rests[mover[j]]))
        i, j = i[meet], j[meet]
    axis = np.argmax(np.abs(normals[i]), axis=1)
    plane_axes = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = [np.take_along_axis(faces.corners[k], np.repeat(plane_axes[:, None], 4, axis=1), axis=2) for k in (i, j)]
    penetrates = convex_separation(*flat) < -2e-3
    i, j = i[penetrates], j[penetrates]
    used, ranks = np.unique(np.concatenate([i, j]), return_inverse=True)
    outlines = _outlines(faces.corners[used])[ranks.reshape(2, -1)]
    alike = (outlines[0] == outlines[1]).all(axis=1)
    differs = alike | (faces.surface[i] != faces.surface[j])
    i, j, alike = i[differs], j[differs], alike[differs]
    middle = (np.maximum(low[i], low[j]) + np.minimum(high[i], high[j])) / 2.0
    seen = _is_seen(context, flood, middle, normals[i])
    reported: set[tuple[int, int]] = set()
    for k in np.nonzero(seen)[0].tolist():
        pair = int(i[k]), int(j[k])
        first, second = sorted(int(faces.origin[face]) for face in pair)
        if (first, second) in reported:
            continue
        reported.add((first, second))
        box = np.maximum(low[i[k]], low[j[k]]) - 0.05, np.minimum(high[i[k]], high[j[k]]) + 0.05
        copies = [level.faces.instances[int(faces.instance[face])] for face in pair]
        if alike[k] and first == second and _report_copies(context, copies):
            continue
        subject = "a copy of itself" if first == second else describe_origin(level.origins[first])
        message = (
            f"a face coincides with {subject}"
            if alike[k]
            else f"a face overlaps {subject} in the same plane and flickers"
        )
        cure = "move one of them"
        is_room = [level.origins[index].kind == "room" for index in (first, second)]
        if abs(normals[i[k], 1]) < 0.05 and all(is_room):
            cure = "rooms that share a wall need `shared: true` in one of them: one wall with the openings of both"
        if all(faces.rests[face] for face in pair) and all(is_room):
            cure = "move one of them, or write `floor: false` in one of the rooms"
        number = max(int(faces.mover_numbers[face]) for face in pair)
        if number and context.paths[number - 1].period:
            at = max(int(stop[face]) for face in pair)
            message += f" where the mover stops at {describe_point(context.paths[number - 1].stops()[1][at])}"
        side = int(np.argmax(np.abs(normals[i[k]])))
        word = (("west", "east"), ("down", "up"), ("north", "south"))[side][int(normals[i[k], side] > 0.0)]
        message += f": both face {word}, around {describe_point(middle[k])}"
        if "flicker" not in level.origins[first].reported_kinds:
            context.add(Rank.LOOK, "flicker", second, message, cure, middle[k], box, [first])


def _is_seen(context: Context, flood: Flood, points: Floats, normals: Floats) -> Flags:
    """Whether points (P,3) of faces are in no solid, and on the side of their plane where a player's eye comes."""
    seen = context.solids.pieces_around(points + 5e-3 * normals) < 0
    eyes = flood.eyes
    if not len(eyes):
        return seen
    for k in np.nonzero(seen)[0].tolist():
        offset = eyes - points[k]
        seen[k] = bool(((offset @ normals[k] > 0.02) & ((offset**2).sum(axis=1) < SIGHT**2)).any())
    return seen


def _report_copies(context: Context, copies: list[PieceInstance]) -> bool:
    """Report a `place` or `include` exactly on another, whose copies of a piece coincide. True if they are that."""
    one, two = copies
    links = next((pair for pair in zip(one.within, two.within, strict=False) if pair[0] != pair[1]), None)
    if links is None or one.frame != two.frame or any(kind not in COPY_KINDS for kind, _ in links):
        return False
    (_, earlier), (kind, later) = sorted(links, key=lambda link: (link[1].line, link[1].column))
    message = f"it stands exactly on the copy of line {earlier.line}"
    context.add(Rank.OVERLAP, "flicker", Subject(later, kind), message, "move or remove one of them")
    return True


def _faces_at_stops(context: Context, faces: FaceArrays) -> tuple[FaceArrays, Indices]:
    """The faces with movers at their first stop, then those of movers at their other stops; the stop (M,) of each."""
    first = context.at_stop(faces)
    stop = np.zeros(len(faces), np.int64)
    counts = [len(path.stops()[1]) for path in context.paths]
    sizes = np.bincount(faces.mover_numbers, minlength=len(counts) + 1)[1:].tolist()
    if max(counts, default=1) == 1 or sum(map(int.__mul__, counts, sizes)) > MAX_STOP_FACES:
        return first, stop
    blocks, stops = [first], [stop]
    for number in range(1, max(counts)):
        moving = np.isin(faces.mover_numbers, [m for m, count in enumerate(counts, start=1) if count > number])
        blocks.append(context.at_stop(faces.select(moving), number))
        stops.append(np.full(len(blocks[-1]), number))
    mover = np.concatenate([block.mover_numbers for block in blocks])
    return FaceArrays(*join_columns(blocks), mover=mover), np.concatenate(stops)


def _outlines(corners: Floats) -> Indices:
    """Key (M,4) of each face's outline: its distinct corner numbers, sorted, padded with -1."""
    outlines = np.sort(number_unique_rows(np.round(corners.reshape(-1, 3), 5) + 0.0).reshape(-1, 4), axis=1)
    outlines[:, 1:][outlines[:, 1:] == outlines[:, :-1]] = -1
    keys: Indices = np.sort(outlines, axis=1)[:, ::-1]
    return keys


def check_cracks(context: Context) -> None:
    """Report floors at the same height with a narrow gap between them, but not if they stand in each other."""
    size = np.sort(context.high - context.low, axis=1)[:, 1]  # the second of its sides
    chosen = np.nonzero(context.walkable & (size > context.body.radii[0]))[0]  # a foot fits on it
    reach = np.array([CRACK_WIDTH[1], MISSED_EDGE[1], CRACK_WIDTH[1]]) / 2.0
    pairs = find_overlapping_pairs(context.low[chosen] - reach, context.high[chosen] + reach)
    i, j = chosen[pairs[0]], chosen[pairs[1]]
    other_piece = context.faces.origin[i] != context.faces.origin[j]
    i, j = i[other_piece], j[other_piece]
    gap = convex_separation(context.corners[i][:, :, ::2], context.corners[j][:, :, ::2])
    copies = number_unique_rows(np.sort(context.copies[2][np.stack([i, j], axis=1)], axis=1))
    is_crack = (gap > CRACK_WIDTH[0]) & (gap < np.minimum(CRACK_WIDTH[1], np.minimum(size[i], size[j]) / 10.0))
    is_crack &= ~np.isin(copies, copies[gap < -CRACK_WIDTH[0]])
    for k in np.nonzero(is_crack)[0]:
        earlier, later = _by_file_order(context, int(i[k]), int(j[k]))
        message = f"there is a crack of {gap[k] * 1000:.1f} mm between this and {context.describe(earlier)}"
        report_crack(context, later, earlier, message, "move one of them until their edges meet")


def report_crack(context: Context, face: int, other: int, message: str, cure: str) -> None:
    """Report a crack at the first of two faces."""
    low, high = np.maximum(context.low[face], context.low[other]), np.minimum(context.high[face], context.high[other])
    others = [int(context.faces.origin[other])]
    context.add(Rank.LOOK, "crack", int(context.faces.origin[face]), message, cure, (low + high) / 2.0, None, others)


def _by_file_order(context: Context, first: int, second: int) -> tuple[int, int]:
    earlier, later = sorted((first, second), key=lambda face: int(context.faces.origin[face]))
    return earlier, later


def check_missed_edges(context: Context) -> None:
    """Report corners of quads and triangles that lie close to an open edge of another face, but not on it.

    A corner exactly on an edge (a T-junction) is correct: the walker passes it, and no gap is visible.
    """
    kinds = context.kinds
    faces = np.nonzero(np.isin(kinds, (*POLYGON_KINDS, *SHEET_KINDS)))[0]
    start, end, face = _open_edges(context.corners[faces])
    face = faces[face]
    is_polygon = np.isin(kinds[face], POLYGON_KINDS)
    reach = MISSED_EDGE[1] / 2
    i, j = find_overlapping_pairs(np.minimum(start, end) - reach, np.maximum(start, end) + reach)
    relevant = (face[i] != face[j]) & (is_polygon[i] | is_polygon[j])
    i, j = i[relevant], j[relevant]
    misses: list[tuple[float, int, int, int, int]] = []
    for corner_of, edge in ((i, j), (j, i)):
        along = end[edge] - start[edge]
        square = np.maximum(np.einsum("pd,pd->p", along, along), 1e-18)
        for at in (start, end):
            part = np.clip(np.einsum("pd,pd->p", at[corner_of] - start[edge], along) / square, 0.0, 1.0)
            gap = np.linalg.norm(at[corner_of] - start[edge] - part[:, None] * along, axis=-1)
            for k in np.nonzero((gap > MISSED_EDGE[0]) & (gap < MISSED_EDGE[1]) & is_polygon[corner_of])[0].tolist():
                own = int(face[corner_of[k]])
                number = int(np.argmin(np.linalg.norm(context.corners[own] - at[corner_of[k]], axis=1)))
                misses.append(
                    (-round(float(gap[k]), 6), -int(context.faces.origin[own]), own, number, int(face[edge[k]]))
                )
    reported: set[tuple[int, int]] = set()
    for negative_gap, _, own, number, other in sorted(misses):  # the widest gap first, at the later piece of the file
        pair = _by_file_order(context, own, other)
        if pair not in reported:
            reported.add(pair)
            gap = f"{-negative_gap * 1000:.1f} mm: a crack"
            message = f"corner {number + 1} misses the edge of {context.describe(other)} by {gap}"
            report_crack(context, own, other, message, "move the corner onto that edge")


def _open_edges(corners: Floats) -> tuple[Floats, Floats, Indices]:
    """Start and end (E,3) of the edges that only one of the faces (M,4,3) has, and the index (E,) of that face."""
    if not len(corners):
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64)
    start = number_unique_rows(np.round(corners.reshape(-1, 3) / CRACK_WIDTH[0]).astype(np.int64))
    end = np.roll(start.reshape(-1, 4), -1, axis=1).reshape(-1)
    key = np.minimum(start, end) * (int(start.max()) + 1) + np.maximum(start, end)
    _, edge, count = np.unique(key, return_inverse=True, return_counts=True)
    alone = np.nonzero((count[edge.reshape(-1)] == 1) & (start != end))[0]
    return corners.reshape(-1, 3)[alone], np.roll(corners, -1, axis=1).reshape(-1, 3)[alone], alone // 4


def check_flipped(context: Context) -> None:
    """Report quads and triangles that face the opposite way to most of their neighbours."""
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
    neighbours = np.bincount(np.concatenate([half_edge, twin]) // 4, minlength=len(faces))
    outlines = _outlines(faces.corners)
    apart = (outlines[half_edge // 4] != outlines[twin // 4]).any(axis=1)  # a copy in one place is no neighbour
    same_way = ((start < end)[half_edge] == (start < end)[twin]) & apart
    opposed: dict[int, list[int]] = {}
    for a, b in zip((half_edge[same_way] // 4).tolist(), (twin[same_way] // 4).tolist(), strict=True):
        opposed.setdefault(a, []).append(b)
        opposed.setdefault(b, []).append(a)
    reported: set[int] = set()
    order = sorted(opposed, key=lambda face: (-len(opposed[face]) / neighbours[face], -len(opposed[face]), -face))
    for face in order:
        if 2 * len(opposed[face]) > neighbours[face] and not reported & set(opposed[face]):
            reported.add(face)
            neighbour = context.level.origins[int(faces.origin[opposed[face][0]])]
            message = f"it faces the opposite way to {describe_origin(neighbour)} next to it"
            cure, at = "list its corners in the opposite order", faces.corners[face].mean(axis=0)
            context.add(Rank.LOOK, "flipped", int(faces.origin[face]), message, cure, at)


def check_decals(context: Context) -> None:
    """Report decals that do not lie on a surface of their own tilt."""
    level = context.level
    is_decal = np.array([origin.kind == "decal" for origin in level.origins], np.bool_)
    decals = np.flatnonzero(is_decal[level.faces.origin])
    if not len(decals):
        return
    shows = np.array([origin.visible for origin in level.origins], np.bool_) & ~is_decal
    faces = level.faces.select(shows[level.faces.origin])
    triangles, owner = split_into_triangles(faces.corners, faces.is_triangle)
    normals = unit_normals(faces.corners)[owner]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    for face in decals[:MAX_DECALS].tolist():
        corners = level.faces.corners[face]
        outward = unit_normals(corners[None])[0]
        centre = corners.mean(axis=0)
        points = np.concatenate([centre[None], centre + DECAL_INSET * (corners - centre)])
        near = (low < points.max(axis=0) + DECAL_REACH).all(axis=1) & (high > points.min(axis=0) - DECAL_REACH).all(
            axis=1
        )
        depths = _depths(points, outward, triangles[near & (normals @ outward > MAX_TILT)])  # positive behind the decal
        nearest = depths[np.arange(5), np.abs(depths).argmin(axis=1)] if depths.shape[1] else np.full(5, np.inf)
        if np.abs(nearest).max() <= MAX_DECAL_GAP:
            continue
        cure = "move it onto a surface, and turn it with `facing`, `on` and `pitch`"
        if not np.isfinite(nearest[0]):
            message = (
                f"the decal lies on nothing: no surface of its direction is within {DECAL_REACH:g} m of its centre"
            )
        elif abs(nearest[0]) > MAX_DECAL_GAP:
            side = "in front of" if nearest[0] > 0 else "behind"
            message, cure = (
                f"the decal is {metres(abs(nearest[0]))} {side} its surface",
                f"move it by {metres(nearest[0])} towards it",
            )
        else:
            message, cure = "a part of the decal hangs over the edge of its surface", "make it smaller or move it"
        context.add(Rank.LOOK, "afloat", int(level.faces.origin[face]), message, cure, centre)


def _depths(points: Floats, outward: Floats, triangles: Floats) -> Floats:
    """Distances (P,N) from points against `outward` to triangles that are met there; infinite for others.

    A point is in a triangle if its barycentric coordinates in the plane are not negative.
    """
    if not len(triangles):
        return np.full((len(points), 0), np.inf)
    first = triangles[:, 0]
    along, across = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = np.cross(along, across)
    offset = points[:, None] - first
    depth = (offset * normal).sum(axis=-1) / (normal @ outward)
    foot = offset - depth[..., None] * outward
    size = (normal * normal).sum(axis=-1)
    v = (np.cross(foot, across) * normal).sum(axis=-1) / size
    w = (np.cross(along, foot) * normal).sum(axis=-1) / size
    met = (v > -1e-6) & (w > -1e-6) & (v + w < 1.0 + 1e-6) & (np.abs(depth) < DECAL_REACH)
    found: Floats = np.where(met, depth, np.inf)
    return found


def texture_bytes(surfaces: Iterable[Surface]) -> tuple[int, int]:
    """Number of different pictures of some surfaces, and the bytes of video memory that they need at full size."""
    sources = {entry.picture for surface in surfaces if surface.pbr is not None for entry in surface.pbr.maps}
    return len(sources), sum(_picture_bytes(source) for source in sources)


def _picture_bytes(source: PictureSource) -> int:
    """Bytes of one picture as a texture; 0 if it cannot be read any more."""
    try:
        if source.data:
            return 0
        with open(Path(source.path), "rb") as file:
            size = 2**62 if source.length < 0 else source.length
            header = read_picture_header(file, source.offset, size, source.path.suffix.lower() == ".tga")
    except (OSError, PictureError):
        return 0
    return estimate_texture_bytes(header.width, header.height)


def check_texture_memory(context: Context) -> None:
    """Report where all pictures of the level together exceed TEXTURE_BUDGET."""
    pictured = [surface for surface in context.level.surfaces if surface.pbr is not None and surface.pbr.maps]
    if not pictured:
        return
    count, size = texture_bytes(pictured)
    if size > TEXTURE_BUDGET:
        message = f"{count} pictures need {size >> 20} MiB of video memory; the budget is {TEXTURE_BUDGET >> 20} MiB"
        cure = "save the largest ones with half the pixels: each then needs a quarter"
        place = next((one.place for one in pictured if one.place.line), pictured[0].place)
        context.add(Rank.LOOK, "", Subject(place, "surfaces"), message, cure)
