"""Resizing a piece by pulling its faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.piece_kind import Pull
from ....level.geometry.instance_transform import Matrix
from .piece_fields import PieceFields
from .transforms import rotate_point, to_local_offset

ORIGIN = (0.0, 0.0, 0.0)
PULLABLE_KINDS = frozenset(name for name, kind in PIECES.items() if kind.pull is not Pull.NOTHING)
MIN_AXIS_ALIGNMENT = 0.98  # component of a unit normal along an axis, for a face that can be pulled


@dataclass(frozen=True, slots=True)
class PulledFace:
    """A face in view: unit normal (world), and whether the rest of the piece lies behind it."""

    normal: tuple[float, float, float]
    is_outer: bool


def pull_face(document: YamlDocument, entry: DocumentEntry, frame: Matrix, face: PulledFace, by: float) -> None:
    """Move a face along its normal by metres of the world; the other faces stay."""
    fields = PieceFields(document, entry)
    pull = fields.record.pull
    if pull is Pull.NOTHING:
        raise EditRefused(f"a {entry.kind} has no face that can be moved: choose a number with Tab")
    x, y, z = to_local_offset(frame, [component * by for component in face.normal])
    is_outward = face.is_outer == (by > 0.0)  # the face moves away from the rest of the piece
    if pull is Pull.TURNED_SPAN:
        _pull_box(fields, (x, y, z), is_outward)
    elif pull is Pull.LINE:
        _pull_wall(fields, (x, y, z), face, is_outward)
    elif pull is Pull.TOP:
        if not _is_along_axis((x, y, z), 1) or not face.is_outer or face.normal[1] < 0.0:
            raise EditRefused(f"move the top of a {entry.kind}, or choose its radius with Tab")
        fields.set("height", _check_minimum((fields.number("height") or 0.0) + y, "height", fields))
    elif pull is Pull.SLAB and _is_along_axis((x, y, z), 1):
        _pull_floor(fields, y, face)
    else:
        _pull_span(fields, (x, y, z), is_outward)


def _is_along_axis(offset: Sequence[float], axis: int) -> bool:
    size = sum(component * component for component in offset) ** 0.5
    return bool(size > 0.0 and abs(offset[axis]) >= MIN_AXIS_ALIGNMENT * size)


def _dominant_axis(offset: Sequence[float]) -> int:
    for axis in range(3):
        if _is_along_axis(offset, axis):
            return axis
    raise EditRefused("this face is not along an axis: choose a number with Tab")


def _pull_span(fields: PieceFields, offset: Sequence[float], is_outward: bool) -> tuple[int, float]:
    """Move the one of `from` and `to` that the face belongs to."""
    axis = _dominant_axis(offset)
    start, end = fields.ends()
    index = axis if len(start) == 3 else (0, -1, 1)[axis]
    if index < 0:
        raise EditRefused("this face cannot be moved: choose a number with Tab")
    greater = (offset[axis] > 0.0) == is_outward  # the face on the side of greater numbers
    name, point = ("from", start) if (start[index] > end[index]) == greater else ("to", end)
    opposite = end if name == "from" else start
    before = point[index]
    point[index] = round(before + offset[axis], 6)
    if (point[index] - opposite[index]) * (before - opposite[index]) <= 1e-6:
        raise EditRefused("the piece would have no size left")
    fields.set(name, point)
    return axis, offset[axis]


def _pull_box(fields: PieceFields, offset: Sequence[float], is_outward: bool) -> None:
    """Compensate the rotation about the centre, which moves with the face: the other faces stay."""
    facing = fields.number("facing") or 0.0
    axis, by = _pull_span(fields, rotate_point(offset, ORIGIN, -facing), is_outward)
    if facing and axis != 1:
        half = [0.0, 0.0, 0.0]
        half[axis] = by / 2
        shift = [a - b for a, b in zip(rotate_point(half, ORIGIN, facing), half, strict=True)]
        for name, point in zip(("from", "to"), fields.ends(), strict=True):
            fields.set(name, [a + b for a, b in zip(point, shift, strict=True)])


def _pull_floor(fields: PieceFields, up: float, face: PulledFace) -> None:
    """Resize a floor: the top of a sheet lifts it, top or bottom of a slab change its thickness."""
    thickness = fields.number("thickness") or 0.0
    top = face.normal[1] > 0.0
    if top:
        fields.set("y", (fields.number("y") or 0.0) + up)
    if thickness > 0.0:
        fields.set("thickness", _check_minimum(thickness + (up if top else -up), "thickness", fields))
    elif not top:
        raise EditRefused("a floor without thickness has no underside: look at it from above")


def _pull_wall(fields: PieceFields, offset: Sequence[float], face: PulledFace, is_outward: bool) -> None:
    """Resize a wall at its top or at one of its ends."""
    if _is_along_axis(offset, 1):
        if face.normal[1] < 0.0 or not face.is_outer:
            raise EditRefused("move its top or an end, or choose a number with Tab")
        fields.set("height", _check_minimum((fields.number("height") or 0.0) + offset[1], "height", fields))
        return
    start, end = fields.ends()
    line = [b - a for a, b in zip(start, end, strict=True)]
    size = (line[0] ** 2 + line[1] ** 2) ** 0.5
    along = (offset[0] * line[0] + offset[2] * line[1]) / size
    if abs(along) < MIN_AXIS_ALIGNMENT * (offset[0] ** 2 + offset[2] ** 2) ** 0.5:
        raise EditRefused("move an end or the top of a wall; choose its thickness with Tab")
    name, point, sense = ("to", end, 1.0) if (along > 0.0) == is_outward else ("from", start, -1.0)
    if size + sense * along <= 0.01:
        raise EditRefused("the piece would have no size left")
    fields.set(name, [round(a + along * b / size, 6) for a, b in zip(point, line, strict=True)])


def _check_minimum(value: float, name: str, fields: PieceFields) -> float:
    field = fields.field(name)
    minimum = 0.01 if field is None else max(field.low, 0.01)
    if value < minimum - 1e-9:
        raise EditRefused("the piece would have no size left")
    return round(value, 6)
