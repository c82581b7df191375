"""Resizing a piece: stepping the numbers of its schema, and pulling its faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number, format_point
from ....level.format.numbers import Number, Plan, Point, Ranged
from ....level.format.piece_kind import Pull
from ....level.format.record import Value
from ....level.format.record_values import Many
from ....level.format.values import Choice
from ....level.geometry.instance_transform import Matrix, exact_sin_cos
from ..document.field_access import PieceFields, nested_value, scalar_number, scalar_text, set_scalar
from .transforms import to_local_offset

AXES = {3: "xyz", 2: "xz"}
PULLABLE_KINDS = frozenset(name for name, kind in PIECES.items() if kind.pull is not Pull.NOTHING)
MIN_AXIS_ALIGNMENT = 0.98  # component of a unit normal along an axis, for a face that can be pulled
PATH = "path"  # stops of a mover
FIRST_STOP = [0.0, 0.0, 0.0]  # the one of a mover without a path
_STOP = Point("A stop of a path.")


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number of a piece: a field, a coordinate of a point (`index`), also of one in a list of points (`row`), or a
    number or word in an entry of a list (`record`, `inner`)."""

    label: str
    value: str  # as written; in brackets where it is only the default
    name: str
    field: Value[Any]
    index: int = -1
    record: int = -1
    inner: str = ""
    is_written: bool = True  # false where `value` shows a default
    row: int = -1


def own_row(fields: PieceFields, field: Value[Any]) -> list[NumberField]:
    """Row of a field with one value; none where it is written in another form."""
    text = fields.shown(field)
    is_written = fields.is_written(field.name)
    return [NumberField(field.name, text, field.name, field, is_written=is_written)] if text else []


def number_fields(document: YamlDocument, entry: DocumentEntry) -> list[NumberField]:
    """Numbers that can be stepped: single numbers, then coordinates of points, then doors and windows."""
    fields = PieceFields(document, entry)
    single = []
    points = []
    nested = []
    for field in fields.record.fields.values():
        if isinstance(field, Ranged) and field.is_number:
            single += own_row(fields, field)
        elif isinstance(field, Point | Plan):
            values = _vector_fields(fields, field)
            is_written = fields.is_written(field.name)
            for index, value in enumerate(values):
                label = f"{field.name} {AXES[len(values)][index]}"
                text = format_number(value) if is_written else f"({format_number(value)})"
                points.append(NumberField(label, text, field.name, field, index, is_written=is_written))
        elif isinstance(field, Many):
            nested += _nested_fields(fields, field)
    return [*single, *points, *nested]


def stop_fields(fields: PieceFields, stop: int) -> list[NumberField]:
    """Coordinates of one stop of a mover's path, relative to the mover and in its directions."""
    try:
        stops = fields.rows(PATH) or [FIRST_STOP]
    except EditRefused:
        return []
    if stop >= len(stops):
        return []
    return [
        NumberField(f"stop {stop + 1} {axis}", format_number(value), PATH, _STOP, index, row=stop)
        for index, (axis, value) in enumerate(zip(AXES[3], stops[stop], strict=True))
    ]


def set_stop(fields: PieceFields, stop: int, point: Sequence[float]) -> None:
    """Write one stop of a mover's path."""
    stops = fields.rows(PATH) or [FIRST_STOP]
    stops[stop] = list(point)
    if fields.is_written(PATH):
        fields.set_rows(PATH, stops)
    else:
        fields.document.set_field(fields.entry, PATH, f"[{', '.join(format_point(each) for each in stops)}]")


def number_point(fields: PieceFields, number: NumberField) -> list[float]:
    """The point that a coordinate belongs to."""
    point = fields.vector(number.name) if number.row < 0 else (fields.rows(number.name) or [FIRST_STOP])[number.row]
    assert point is not None
    return point


def set_number_point(fields: PieceFields, number: NumberField, point: Sequence[float]) -> None:
    """Write the point that a coordinate belongs to."""
    if number.row < 0:
        fields.set_vector(number.name, point)
    else:
        set_stop(fields, number.row, point)


def _vector_fields(fields: PieceFields, field: Value[Any]) -> list[float]:
    try:
        return fields.vector(field.name) or []
    except EditRefused:
        return []


def _nested_fields(fields: PieceFields, field: Many[Any]) -> list[NumberField]:
    found = []
    try:
        records = fields.records(field.name)
    except EditRefused:
        return []
    for number, record in enumerate(records):
        for inner in field.record.fields.values():
            node = nested_value(record, inner.name)
            if isinstance(inner, Number | Choice) and node is not None:
                label = f"{field.record.kind} {number + 1} {inner.name}"
                found.append(NumberField(label, scalar_text(node), field.name, inner, -1, number, inner.name))
    return found


def step_value(
    document: YamlDocument, entry: DocumentEntry, number: NumberField, sense: int, grid: float, fine: bool
) -> None:
    """Step a number by `sense` (1 or -1) within its limits. EditRefused at a limit."""
    fields = PieceFields(document, entry)
    field = number.field
    assert isinstance(field, Ranged)

    def stepped(value: float) -> float:
        by = field.step_size(value, grid, fine, number.index >= 0)
        return field.stepped(value, sense * by, number.label)

    if number.record >= 0:
        node = nested_value(fields.records(number.name)[number.record], number.inner)
        assert node is not None
        changes: dict[int, str] = {}
        set_scalar(node, stepped(scalar_number(node, number.name)), changes, number.name)
        fields.set_within(number.name, changes)
    elif number.index >= 0:
        point = number_point(fields, number)
        point[number.index] = stepped(point[number.index])
        set_number_point(fields, number, point)
    else:
        now = fields.number(number.name)
        if now is None:
            raise EditRefused(f"`{number.name}` is automatic: type a value")
        fields.set_number(number.name, stepped(now))


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
        fields.set_number("height", _check_minimum((fields.number("height") or 0.0) + y, "height", fields))
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
    fields.set_vector(name, point)
    return axis, offset[axis]


def _pull_box(fields: PieceFields, offset: Sequence[float], is_outward: bool) -> None:
    """Compensate the rotation about the centre, which moves with the face: the other faces stay."""
    facing = fields.number("facing") or 0.0
    sine, cosine = exact_sin_cos(-facing)
    x, y, z = offset
    local = (x * cosine + z * sine, y, z * cosine - x * sine)
    axis, by = _pull_span(fields, local, is_outward)
    if facing and axis != 1:
        half = [0.0, 0.0, 0.0]
        half[axis] = by / 2
        turned_sine, turned_cosine = exact_sin_cos(facing)
        shift = (
            half[0] * turned_cosine + half[2] * turned_sine - half[0],
            0.0,
            half[2] * turned_cosine - half[0] * turned_sine - half[2],
        )
        for name, point in zip(("from", "to"), fields.ends(), strict=True):
            fields.set_vector(name, [a + b for a, b in zip(point, shift, strict=True)])


def _pull_floor(fields: PieceFields, up: float, face: PulledFace) -> None:
    """Resize a floor: the top of a sheet lifts it, top or bottom of a slab change its thickness."""
    thickness = fields.number("thickness") or 0.0
    top = face.normal[1] > 0.0
    if top:
        fields.set_number("y", (fields.number("y") or 0.0) + up)
    if thickness > 0.0:
        fields.set_number("thickness", _check_minimum(thickness + (up if top else -up), "thickness", fields))
    elif not top:
        raise EditRefused("a floor without thickness has no underside: look at it from above")


def _pull_wall(fields: PieceFields, offset: Sequence[float], face: PulledFace, is_outward: bool) -> None:
    """Resize a wall at its top or at one of its ends."""
    if _is_along_axis(offset, 1):
        if face.normal[1] < 0.0 or not face.is_outer:
            raise EditRefused("move its top or an end, or choose a number with Tab")
        fields.set_number("height", _check_minimum((fields.number("height") or 0.0) + offset[1], "height", fields))
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
    fields.set_vector(name, [round(a + along * b / size, 6) for a, b in zip(point, line, strict=True)])


def _check_minimum(value: float, name: str, fields: PieceFields) -> float:
    field = fields.field(name)
    minimum = 0.01 if field is None else max(field.low, 0.01)
    if value < minimum - 1e-9:
        raise EditRefused("the piece would have no size left")
    return round(value, 6)
