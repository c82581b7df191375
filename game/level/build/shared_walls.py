"""Shared walls: rooms whose walls stand in the same place get one wall, with the openings of both.

The copies of the rooms of the whole level are compared, so that rooms in groups, arrays and prefabs share walls too.
Each face of the common solid is made by one room: by the one that it faces, else by the first whose wall it bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..geometry.column_grid import TooManyCandidates
from ..geometry.faces import FaceArrays, join_columns
from ..geometry.overlapping_pairs import find_overlapping_pairs
from ..geometry.vertex_arrays import join_vertices
from .entities.landmarks import Box, RoomShell
from .level_assembly import LevelAssembly, describe_origin
from .pieces import rectilinear_grid, rooms

GAP_TOLERANCE = 1e-4  # m by which the distance of two rooms may miss one or two wall thicknesses
MAX_ROOM_PAIRS = 10_000  # measured, 0.1 ms each: rooms in a grid have three pairs each
NEAR_DISTANCE = 1.0  # m between the walls of two rooms: one further away is not named where a room shares no wall
PROBE = 2e-4  # m from a face to the points in front of it and behind it; cells are at least 1 mm wide
MAX_ROOM_CELLS = 400_000  # of one room with the grid lines of its neighbours
PLAN_AXES = (0, 2)

Quads = tuple[Floats, Ints, Flags]  # corners (M,4,3) in the room's own frame, surface (M,), rests (M,)


@dataclass(frozen=True, eq=False)
class PlacedRoom:
    """One copy of a room. axes (3,3): from its own axes to the world's, with scale. at (3,): its corner `low`, m.

    origin, instance: as those of its faces. mover: number of the mover that carries it, 0 for none. rows: of its faces.
    """

    shell: RoomShell
    axes: Floats
    at: Floats
    origin: int
    instance: int
    mover: int = 0
    rows: Indices = field(default_factory=lambda: np.zeros(0, np.int64))

    def to_world(self, points: Floats) -> Floats:
        """Points (..., 3) of its own frame in the world."""
        if np.array_equal(self.axes, np.eye(3)) and tuple(self.at) == self.shell.low:
            return points
        placed: Floats = (points - np.array(self.shell.low)) @ self.axes.T + self.at
        return placed

    def holds(self, points: Floats) -> Flags:
        """Mask (...) of points (..., 3) of the world that are in its hollow, or on its floor."""
        local = (points - self.at) @ np.linalg.inv(self.axes).T
        size = np.subtract(self.shell.high, self.shell.low)
        return np.asarray(((local > -GAP_TOLERANCE) & (local < size)).all(axis=-1))

    def bounds(self) -> tuple[Floats, Floats]:
        """Box of its walls in the world."""
        (x, y, z), (u, v, w) = self.shell.outside
        corners = self.to_world(np.array([(a, b, c) for a in (x, u) for b in (y, v) for c in (z, w)]))
        return corners.min(axis=0), corners.max(axis=0)


@dataclass(frozen=True, slots=True)
class RoomGap:
    """Distance (m) of the inner faces of two rooms, negative where the rooms overlap, and the least and the greatest
    distance at which they can share a wall. shareable: whether they can."""

    distance: float
    least: float
    greatest: float
    shareable: bool


@dataclass(frozen=True, slots=True)
class _Shape:
    """Boxes of a room in the frame of another one. cuts: openings and holes."""

    outside: Box
    hollow: Box
    cuts: tuple[Box, ...]


def placed_rooms(faces: FaceArrays) -> list[PlacedRoom]:
    """All copies of the rooms of a level, in the order of their markers."""
    if faces not in _rooms_of:
        _rooms_of[faces] = _place_rooms(faces)
    return _rooms_of[faces]


_rooms_of: WeakKeyDictionary[FaceArrays, list[PlacedRoom]] = WeakKeyDictionary()  # by the faces, which are immutable


def _place_rooms(faces: FaceArrays) -> list[PlacedRoom]:
    return [
        PlacedRoom(
            marker.payload,
            instance_axes(faces.instances[marker.instance].frame),
            np.array(marker.at),
            marker.origin,
            marker.instance,
            marker.mover,
        )
        for marker in faces.marks
        if isinstance(marker.payload, RoomShell)
    ]


def instance_axes(frame: tuple[float, float, float, float, float]) -> Floats:
    """Matrix (3,3) of a `PieceInstance.frame`."""
    xx, xz, yy, zx, zz = frame
    return np.array([(xx, 0.0, xz), (0.0, yy, 0.0), (zx, 0.0, zz)])


def measure_gap(a: PlacedRoom, b: PlacedRoom) -> RoomGap | None:
    """Gap between two rooms; None if they are not at right angles, or not side by side."""
    other = _shape_in(a, b)
    if other is None:
        return None
    own = _own_shape(a)
    if min(_separation(own.outside, other.outside, 1), 0.0) > -GAP_TOLERANCE:
        return None
    between = {axis: _separation(own.hollow, other.hollow, axis) for axis in PLAN_AXES}
    axis = max(between, key=between.__getitem__)
    walls = [own.hollow[0][axis] - own.outside[0][axis], other.hollow[0][axis] - other.outside[0][axis]]
    outside = sorted(_separation(own.outside, other.outside, axis) for axis in PLAN_AXES)
    touches = outside[1] < GAP_TOLERANCE and outside[0] < -GAP_TOLERANCE
    apart = not _intersects(own.outside, other.hollow) and not _intersects(own.hollow, other.outside)
    return RoomGap(between[axis], max(walls), sum(walls), touches and apart)


def share_walls(assembly: LevelAssembly, faces: FaceArrays) -> FaceArrays:
    """The faces with the walls of rooms with `shared: true` merged. Call it before any face is removed."""
    copies = placed_rooms(faces)
    if not any(copy.shell.shared for copy in copies):
        return faces
    copies = _with_rows(faces, copies)
    try:
        neighbours = _find_neighbours(assembly, copies)
    except TooManyCandidates:
        place = assembly.origins[copies[0].origin].place
        message = "too many rooms overlap; their walls are not shared"
        assembly.report.add("warning", place, "room.shared", message, "spread them out, or make fewer copies")
        return faces
    built = {k: quads for k, near in neighbours.items() if (quads := _merged_quads(copies, k, near)) is not None}
    added = sum(len(corners) - len(copies[k].rows) for k, (corners, _, _) in built.items())
    remaining = assembly.budget.remaining
    if added > remaining["quad"]:
        message = f"the shared walls need {added} more quads; {remaining['quad']} are left"
        place = assembly.origins[copies[next(iter(built))].origin].place
        assembly.report.add("dropped", place, "room.shared", message, "use fewer or larger rooms")
        return faces
    remaining["quad"] -= added
    return _replace_rows(faces, copies, built)


def _with_rows(faces: FaceArrays, copies: Sequence[PlacedRoom]) -> list[PlacedRoom]:
    """The copies with their rows of the faces. The copies of a piece follow each other, and have equally many."""
    order = np.argsort(faces.origin, kind="stable")
    ends = {copy.origin: np.searchsorted(faces.origin, [copy.origin, copy.origin + 1], sorter=order) for copy in copies}
    count = dict.fromkeys(ends, 0)
    for copy in copies:
        count[copy.origin] += 1
    number = dict.fromkeys(ends, 0)
    found = []
    for copy in copies:
        first, last = ends[copy.origin].tolist()
        size = (last - first) // count[copy.origin]
        start = first + size * number[copy.origin]
        number[copy.origin] += 1
        found.append(replace(copy, rows=order[start : start + size]))
    return found


def _find_neighbours(assembly: LevelAssembly, copies: Sequence[PlacedRoom]) -> dict[int, list[int]]:
    """By number of a copy, those with which it shares walls. Reports `shared` where no copy of a piece shares any."""
    bounds = [copy.bounds() for copy in copies]
    low, high = np.array([low for low, _ in bounds]), np.array([high for _, high in bounds])
    first, second = find_overlapping_pairs(low - NEAR_DISTANCE / 2, high + NEAR_DISTANCE / 2)
    if len(first) > MAX_ROOM_PAIRS:
        raise TooManyCandidates
    neighbours: dict[int, list[int]] = {}
    misses: dict[int, tuple[float, RoomGap, PlacedRoom]] = {}  # by piece: by how much its nearest room misses the gap
    for i, j in sorted(zip(first.tolist(), second.tolist(), strict=True)):
        a, b = copies[i], copies[j]
        if not (a.shell.shared or b.shell.shared) or a.mover != b.mover:
            continue
        gap = measure_gap(a, b)
        if gap is None:
            continue
        if gap.shareable and len(a.rows) and len(b.rows):
            neighbours.setdefault(i, []).append(j)
            neighbours.setdefault(j, []).append(i)
        missed = max(gap.least - gap.distance, gap.distance - gap.greatest)
        for copy, other in ((a, b), (b, a)):
            if copy.origin not in misses or missed < misses[copy.origin][0]:
                misses[copy.origin] = missed, gap, other
    done = {copies[k].origin for k in neighbours}
    for copy in copies:
        if copy.shell.shared and copy.origin not in done:
            done.add(copy.origin)
            _report_unshared(assembly, copy, misses.get(copy.origin))
    return neighbours


def _report_unshared(assembly: LevelAssembly, copy: PlacedRoom, miss: tuple[float, RoomGap, PlacedRoom] | None) -> None:
    origin = assembly.origins[copy.origin]
    place = origin.place
    message = "`shared` has no effect: there is no other room beside it"
    cure = "remove it, or add a room beside it"
    if miss is not None:
        _, gap, other = miss
        near = describe_origin(assembly.origins[other.origin])
        message = f"`shared` has no effect: the gap to {near} is {gap.distance:.4g} m"
        if gap.distance < 0.0:
            message = f"it overlaps {near} by {-gap.distance:.4g} m: `shared` has no effect"
        shift = gap.distance - gap.least
        nearer = f"{abs(shift):.4g} m {'nearer to' if shift > 0.0 else 'away from'} the other"
        cure = (
            f"move one of them {nearer}: the inner faces of rooms that share a wall are {gap.least:.4g} m apart "
            f"(one wall), at most {gap.greatest:.4g} m (two walls)"
        )
        place = copy.shell.place
        for index in (copy.origin, other.origin):
            room = assembly.origins[index]
            assembly.origins[index] = replace(room, reported_kinds=room.reported_kinds | {"shared"})
    assembly.report.warn_of_lack(place, origin.label, message, cure)


def _own_shape(room: PlacedRoom) -> _Shape:
    shell = room.shell
    return _Shape(shell.outside, shell.hollow, (*map(shell.opening_box, shell.openings), *shell.hole_boxes()))


def _shape_in(a: PlacedRoom, b: PlacedRoom) -> _Shape | None:
    """Room `b` in the frame of `a`, with its coordinates snapped to those of `a`; None if it is at another angle."""
    inverse = np.linalg.inv(a.axes)
    axes = inverse @ b.axes
    at = inverse @ (b.at - a.at) + np.array(a.shell.low)
    straight = max(abs(axes[0, 0]), abs(axes[2, 2]))
    across = max(abs(axes[0, 2]), abs(axes[2, 0]))
    if min(straight, across) > 1e-6 * max(straight, across):
        return None
    own = _own_shape(a)
    keys = [
        np.array([corner[axis] for box in (own.outside, own.hollow, *own.cuts) for corner in box]) for axis in range(3)
    ]

    def place(box: Box) -> Box:
        corners = (np.array(box) - np.array(b.shell.low)) @ axes.T + at
        for axis in range(3):
            for corner in corners:
                nearest = keys[axis][np.argmin(np.abs(keys[axis] - corner[axis]))]
                corner[axis] = nearest if abs(nearest - corner[axis]) < GAP_TOLERANCE else corner[axis]
        (x, y, z), (u, v, w) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return (x, y, z), (u, v, w)

    theirs = _own_shape(b)
    return _Shape(place(theirs.outside), place(theirs.hollow), tuple(map(place, theirs.cuts)))


def _separation(first: Box, second: Box, axis: int) -> float:
    """Distance of two boxes along an axis; negative where they overlap."""
    return max(second[0][axis] - first[1][axis], first[0][axis] - second[1][axis])


def _intersects(first: Box, second: Box) -> bool:
    return all(_separation(first, second, axis) < -GAP_TOLERANCE for axis in range(3))


def _extend_cuts(room: _Shape, towards: Box) -> tuple[Box, ...]:
    """Cuts of a room, those towards the hollow of another room extended to it: through the walls of both."""
    extended = []
    for low, high in room.cuts:
        first, last = list(low), list(high)
        for axis in PLAN_AXES:
            if last[axis] > room.hollow[1][axis] + PROBE and towards[0][axis] > last[axis]:
                last[axis] = towards[0][axis]
            if first[axis] < room.hollow[0][axis] - PROBE and towards[1][axis] < first[axis]:
                first[axis] = towards[1][axis]
        extended.append(((first[0], first[1], first[2]), (last[0], last[1], last[2])))
    return tuple(extended)


def _contains(box: Box, points: Floats) -> Flags:
    """Mask (P,) of points (P,3) in a box."""
    inside: Flags = np.all((points > np.array(box[0])) & (points < np.array(box[1])), axis=1)
    return inside


@dataclass(frozen=True, eq=False)
class _Merged:
    """A room and its neighbours, in the order of their copies, in the frame of the room. cuts: of all, extended."""

    shapes: tuple[_Shape, ...]
    own: int
    cuts: tuple[Box, ...]

    def in_wall(self, number: int, points: Floats) -> Flags:
        """Mask (P,) of points in the walls or the roof of a room, openings included."""
        shape = self.shapes[number]
        return _contains(shape.outside, points) & ~_contains(shape.hollow, points)

    def is_solid(self, points: Floats) -> Flags:
        solid = np.zeros(len(points), np.bool_)
        for number in range(len(self.shapes)):
            solid |= self.in_wall(number, points)
        for cut in self.cuts:
            solid &= ~_contains(cut, points)
        return solid

    def makes(self, front: Floats, behind: Floats, upright: Flags) -> Flags:
        """Mask (M,) of faces that the room makes; front, behind (M,3): points on both sides of each."""
        maker = np.full(len(front), -1)
        for number, shape in enumerate(self.shapes):
            maker[(maker < 0) & upright & _contains(shape.hollow, front)] = number
        for number in range(len(self.shapes)):
            maker[(maker < 0) & self.in_wall(number, behind)] = number
        made: Flags = (maker == self.own) & ~self.is_solid(front)
        return made


def _merged_quads(copies: Sequence[PlacedRoom], number: int, near: Sequence[int]) -> Quads | None:
    """Quads of a copy that shares walls with the copies `near`; None if they are too many."""
    room = copies[number]
    members = sorted({number, *near})
    shapes = tuple(_own_shape(room) if k == number else _shape_in(room, copies[k]) or _own_shape(room) for k in members)
    own = members.index(number)
    cuts: list[Box] = [*shapes[own].cuts]
    for k, shape in enumerate(shapes):
        if k != own:
            cuts += (*shape.cuts, *_extend_cuts(shape, shapes[own].hollow), *_extend_cuts(shapes[own], shape.hollow))
    outside = shapes[own].outside
    cuts = [cut for cut in cuts if all(_separation(cut, outside, axis) < GAP_TOLERANCE for axis in range(3))]
    boxes = [*cuts, *(box for shape in shapes for box in (shape.outside, shape.hollow))]
    lines = [sorted({corner[axis] for box in boxes for corner in box}) for axis in range(3)]
    grid, solid = rooms.room_cells(room.shell, lines, cuts)
    if solid.size > MAX_ROOM_CELLS:
        return None
    merged = _Merged(shapes, own, tuple(cuts))
    boundary = rectilinear_grid.build_boundary_quads(*grid, solid)
    upright = boundary.side // 2 != 1
    centre = boundary.corners.mean(axis=1)
    step = np.zeros_like(centre)
    step[np.arange(len(centre)), boundary.side // 2] = np.where(boundary.side % 2 == 0, PROBE, -PROBE)
    made = merged.makes(centre + step, centre - step, upright)
    boundary = rectilinear_grid.BoundaryQuads(boundary.corners[made], boundary.side[made])
    corners = boundary.corners
    surface = rooms.shell_surfaces(room.shell, boundary)
    rests = rooms.shell_rests(grid, boundary)
    if room.shell.has_floor and not room.shell.floor:
        floor = rooms.room_floor(room.shell, grid, solid, rectilinear_grid.build_boundary_quads)
        floor = floor[_owned_floor(copies, members, merged, floor.mean(axis=1))]
        corners = np.concatenate([corners, floor])
        surface = np.concatenate([surface, np.full(len(floor), room.shell.surfaces.floor, np.int32)])
        rests = np.concatenate([rests, np.ones(len(floor), np.bool_)])
    return corners, surface, rests


def _owned_floor(copies: Sequence[PlacedRoom], members: Sequence[int], merged: _Merged, centres: Floats) -> Flags:
    """Mask (M,) of floor quads that the room makes: in a shared doorway, the first room with a floor at that height."""
    above = centres + np.array([0.0, PROBE, 0.0])
    owned: Flags = np.ones(len(centres), np.bool_)
    height = merged.shapes[merged.own].hollow[0][1]
    for number, member in enumerate(members[: merged.own]):
        if copies[member].shell.has_floor and abs(merged.shapes[number].hollow[0][1] - height) < GAP_TOLERANCE:
            owned &= ~merged.in_wall(number, above)
    return owned


def _replace_rows(faces: FaceArrays, copies: Sequence[PlacedRoom], built: dict[int, Quads]) -> FaceArrays:
    """The faces with other quads for some copies, in the place of their first faces."""
    kept = np.ones(len(faces), np.bool_)
    blocks = []
    keys = []
    for k, (corners, surface, rests) in built.items():
        copy = copies[k]
        count = len(corners)
        kept[copy.rows] = False
        frame = None
        if faces.texture_frame is not None:
            frame = copy.to_world(
                rooms.room_texture_frames(corners, np.array(copy.shell.outside), np.array(copy.shell.hollow))
            )
        blocks.append(
            FaceArrays(
                copy.to_world(corners),
                surface,
                np.full(count, copy.origin, np.int32),
                rests & (copy.mover == 0),
                np.zeros(count, np.bool_),
                np.full(count, copy.instance, np.int32),
                mover=np.full(count, copy.mover, np.int32),
                texture_frame=frame,
            )
        )
        keys.append(np.full(count, copy.rows.min()))
    blocks.insert(0, faces.select(kept))
    mover = None if faces.mover is None else np.concatenate([block.mover_numbers for block in blocks])
    corners, surface, origin, rests, smooth, instance = join_columns(blocks)
    rows = FaceArrays(corners, surface, origin, rests, smooth, instance, faces.instances, faces.marks, mover)
    joined = replace(rows, **join_vertices(blocks))  # type: ignore[arg-type]
    return joined.select(np.argsort(np.concatenate([np.nonzero(kept)[0], *keys]), kind="stable"))
