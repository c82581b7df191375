"""Change of a part between two levels in a short phrase: it moved along one axis, or one of its faces did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.vectors import Floats
from ...level.build.entities.zones import LevelZone
from .level_parts import SHAPE, LevelPart, PartKind, zone_values

SAME_LENGTH = 1e-6  # m between two faces that count as one
ROUND_LENGTH = 0.01  # m; texts have two decimals of multiples of it
QUARTER_TURN = HEADING_UNITS_PER_TURN // 4
DIRECTIONS = (("west", "east"), ("lower", "higher"), ("north", "south"))  # of x, y, z: against the axis, along it
FACES = (("west side", "east side"), ("bottom", "top"), ("north side", "south side"))


@dataclass(frozen=True, slots=True)
class PartChange:
    """clause: `it lies 0.50 m further north`; predicate: the same without its subject."""

    clause: str
    predicate: str


def describe_change(before: LevelPart, after: LevelPart) -> PartChange | None:
    """How the second part differs from the first. None where no short phrase says it, and for movers."""
    if before.zone is not None and after.zone is not None:
        return describe_zone_change(before.zone, after.zone)
    if before.kind != PartKind.PIECE or after.kind != PartKind.PIECE:
        return None
    if {**before.values, SHAPE: b""} != {**after.values, SHAPE: b""}:
        return None
    corners = [np.frombuffer(part.values[SHAPE]) for part in (before, after) if len(part.values[SHAPE]) % (12 * 8) == 0]
    if len(corners) != 2 or len(corners[0]) != len(corners[1]):
        return None
    return _change_of_corners(corners[0].reshape(-1, 12), corners[1].reshape(-1, 12))


def describe_zone_change(before: LevelZone, after: LevelZone) -> PartChange | None:
    """The same of two zones of one kind."""
    if (before.kind, before.heading) != (after.kind, after.heading) or zone_values(before) != zone_values(after):
        return None
    if before.heading % QUARTER_TURN and before.half != after.half:
        return None
    order = [2, 1, 0] if before.heading // QUARTER_TURN % 2 else [0, 1, 2]
    ends = []
    for zone in (before, after):
        centre, half = np.array(zone.centre), np.array(zone.half)[order]
        ends.append(np.concatenate((centre - half, centre + half)))
    return _change_of_box(ends[0], ends[1])


def _change_of_corners(before: Floats, after: Floats) -> PartChange | None:
    """The change of the faces (n, 12) of a piece: of its box, if that explains the place of each corner."""
    points = before.reshape(-1, 3), after.reshape(-1, 3)
    ends = [np.concatenate((side.min(axis=0), side.max(axis=0))) for side in points]
    moved = ends[1] - ends[0]
    expected = points[0].copy()
    for axis in range(3):
        is_low, is_high = (np.abs(points[0][:, axis] - ends[0][k]) < SAME_LENGTH for k in (axis, axis + 3))
        if abs(moved[axis] - moved[axis + 3]) < SAME_LENGTH:
            expected[:, axis] += moved[axis]
        else:
            expected[:, axis] += np.where(is_low, moved[axis], np.where(is_high, moved[axis + 3], 0.0))
    if _sorted_faces(expected) != _sorted_faces(points[1]):
        return None
    is_moved = np.any(np.abs(expected - points[0]) > SAME_LENGTH, axis=1).reshape(-1, 4)
    if not is_moved.all() and not np.any(is_moved.any(axis=1) & ~is_moved.all(axis=1)):
        return None  # whole faces moved, such as a copy in an array, and the others did not
    return _change_of_box(ends[0], ends[1])


def _sorted_faces(points: Floats) -> list[list[float]]:
    return sorted((np.round(points, 6) + 0.0).reshape(-1, 12).tolist())


def _change_of_box(before: Floats, after: Floats) -> PartChange | None:
    """The change of a box (low x, y, z, high x, y, z; m) that moved along one axis, or of which one face did."""
    moved = after - before
    changed = np.flatnonzero(np.abs(moved) > SAME_LENGTH).tolist()
    if not changed:
        return None
    axis, amount = changed[0] % 3, float(moved[changed[0]])
    direction = DIRECTIONS[axis][int(amount > 0.0)]
    how = (
        f"{describe_length(abs(amount))} {direction}"
        if axis == 1
        else f"{describe_length(abs(amount))} further {direction}"
    )
    if len(changed) == 1:
        face = FACES[axis][changed[0] // 3]
        return PartChange(f"its {face} is {how}", f"has its {face} {how}")
    if changed == [axis, axis + 3] and abs(moved[axis] - moved[axis + 3]) < SAME_LENGTH:
        return PartChange(f"it lies {how}", f"lies {how}")
    return None


def describe_length(metres: float) -> str:
    """`0.50 m`, `0.125 m`, `5 mm`."""
    if metres < ROUND_LENGTH - SAME_LENGTH:
        return f"{metres * 1e3:.3g} mm"
    return f"{metres:.2f} m" if abs(metres - round(metres, 2)) < SAME_LENGTH else f"{metres:.3f} m"
