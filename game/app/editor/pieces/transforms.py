"""Moving and rotating pieces in the document, by the position fields of each kind."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.vectors import Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.numbers import Corners, Plan, Point
from ....level.format.piece_kind import Pull
from ....level.format.yaml_nodes import YamlList, YamlMapping
from ....level.geometry.instance_transform import Matrix, exact_sin_cos
from ..document.field_access import PieceFields, nested_value, scalar_number, scalar_text, set_scalar

POSITION_FIELDS = frozenset(("at", "from", "to"))  # fields with a position; other points are directions
QUARTER_TURN_SIDE = {"north": "west", "west": "south", "south": "east", "east": "north"}  # a quarter turn to the left
REVERSED_WALLS = frozenset(("north", "south"))  # walls along which `at` counts the other way after a quarter turn


def to_local_offset(frame: Matrix, displacement: Sequence[float]) -> Vector:
    """A displacement (m, world) in the axes and scale of a frame."""
    xx, xz, yy, zx, zz = frame
    size = xx * zz - xz * zx
    if size == 0.0 or yy == 0.0:
        raise EditRefused("its parent group has no size")
    x, y, z = displacement
    return ((zz * x - xz * z) / size, y / yy, (xx * z - zx * x) / size)


def move_piece(document: YamlDocument, entry: DocumentEntry, offset: Vector) -> None:
    """Move a piece by a displacement in the axes of its parent. EditRefused if it cannot be written."""
    fields = PieceFields(document, entry)
    if entry.kind == "array":
        _move_array(fields, offset)
        return
    flat = (offset[0], offset[2])
    moved = False
    for field in fields.record.fields.values():
        if field.name in fields.record.relative_points:
            continue
        if isinstance(field, Corners):
            rows = fields.rows(field.name)
            fields.set_rows(field.name, [_add_offset(row, offset) for row in rows])
            moved = True
        elif field.name == "holes":
            _shift_holes(fields, flat)
        elif field.name == "cups" and fields.is_written("cups"):
            shift_cups(fields, flat)
        elif field.name not in POSITION_FIELDS or not isinstance(field, Point | Plan):
            continue
        else:
            point = fields.vector(field.name)
            if point is not None:
                fields.set_vector(field.name, _add_offset(point, offset if len(point) == 3 else flat))
                moved = True
    if offset[1] != 0.0 and fields.field("y") is not None:
        fields.set_number("y", (fields.number("y") or 0.0) + offset[1])
        moved = True
    if not moved:
        raise EditRefused(f"`{entry.kind}` has no position to change")


def _add_offset(point: Sequence[float], offset: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(point, offset, strict=True)]


def _shift_holes(fields: PieceFields, flat: Sequence[float]) -> None:
    changes: dict[int, str] = {}
    for hole in fields.records("holes"):
        for name in ("from", "to"):
            node = nested_value(hole, name)
            if isinstance(node, YamlList):
                for item, by in zip(node.items, flat, strict=False):
                    set_scalar(item, scalar_number(item, "holes") + by, changes, "holes")
    if changes:
        fields.set_within("holes", changes)


def shift_cups(fields: PieceFields, flat: Sequence[float], only: int | None = None) -> None:
    """Move the cups of a terrain, or one of them, by (x, z)."""
    changes: dict[int, str] = {}
    for number, cup in enumerate(fields.records("cups")):
        node = nested_value(cup, "at")
        if isinstance(node, YamlList) and only in (None, number):
            for item, by in zip(node.items, flat, strict=False):
                set_scalar(item, scalar_number(item, "cups") + by, changes, "cups")
    if changes:
        fields.set_within("cups", changes)


def child_pieces(document: YamlDocument, entry: DocumentEntry) -> list[DocumentEntry]:
    """Pieces of a group or an array."""
    node = entry.field_node("of")
    if not isinstance(node, YamlList):
        raise EditRefused(f"the contents of this {entry.kind} are written elsewhere")
    found = []
    for item in node.items:
        if not isinstance(item, YamlMapping) or not item.pairs:
            raise EditRefused(f"a piece of this {entry.kind} is written elsewhere")
        place = item.pairs[0][0].place
        found.append(document.find_piece(place.line, place.column))
    return found


def _move_array(fields: PieceFields, offset: Vector) -> None:
    """Move an array: its pieces and its centre of rotation."""
    if fields.is_written("around") or (fields.number("turn") or 0.0) != 0.0:
        fields.set_vector("around", _add_offset(fields.vector("around") or [0.0, 0.0, 0.0], offset))
    for child in child_pieces(fields.document, fields.entry):
        move_piece(fields.document, child, offset)


def rotate_piece(document: YamlDocument, entry: DocumentEntry, degrees: float) -> None:
    """Rotate a piece about its centre or foot, counter-clockwise seen from above. EditRefused if it cannot rotate."""
    fields = PieceFields(document, entry)
    if fields.field("facing") is not None:
        fields.set_number("facing", (fields.number("facing") or 0.0) + degrees)
    elif outline := fields.outline():
        rows = fields.rows(outline)
        middle = [sum(values) / len(rows) for values in zip(*rows, strict=True)]
        fields.set_rows(outline, [rotate_point(row, middle, degrees) for row in rows])
    elif fields.record.pull is Pull.LINE:
        start, end = fields.ends()
        middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        fields.set_vector("from", rotate_point(start, middle, degrees))
        fields.set_vector("to", rotate_point(end, middle, degrees))
    elif fields.field("from") is not None and fields.field("to") is not None:
        _rotate_box_quarter(fields, degrees)
    else:
        raise EditRefused(f"`{entry.kind}` has no direction: rotate what is in it, or put it into a group")


def pivot_point(document: YamlDocument, entry: DocumentEntry) -> Vector:
    """Point about which `rotate_piece` rotates a piece, in the axes of its parent. EditRefused if it has none."""
    fields = PieceFields(document, entry)
    if fields.field("at") is not None:
        x, y, z = fields.vector("at") or (0.0, 0.0, 0.0)
        return (x, y, z)
    if outline := fields.outline():
        x, y, z = (sum(values) / len(values) for values in zip(*fields.rows(outline), strict=True))
        return (x, y, z)
    start, end = fields.vector("from"), fields.vector("to")
    if start is None or end is None:
        raise EditRefused(f"`{entry.kind}` has no direction: rotate what is in it, or put it into a group")
    middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    return (middle[0], middle[1] if len(middle) == 3 else 0.0, middle[-1])


def middle_of(entries: Sequence[DocumentEntry], document: YamlDocument) -> Vector:
    """Middle of the box around the pivots of some pieces."""
    pivots = [pivot_point(document, entry) for entry in entries]
    x, y, z = ((min(values) + max(values)) / 2.0 for values in zip(*pivots, strict=True))
    return (x, y, z)


def rotate_about(document: YamlDocument, entry: DocumentEntry, middle: Sequence[float], degrees: float) -> None:
    """Rotate a piece and its place about a point, in the axes of its parent."""
    pivot = pivot_point(document, entry)
    wanted = rotate_point(pivot, middle, degrees)
    rotate_piece(document, entry, degrees)
    offset = (wanted[0] - pivot[0], 0.0, wanted[2] - pivot[2])
    if any(abs(by) > 1e-9 for by in offset):
        move_piece(document, entry, offset)


def rotate_point(point: Sequence[float], middle: Sequence[float], degrees: float) -> list[float]:
    """[x, z] or [x, y, z] rotated about `middle`."""
    sine, cosine = exact_sin_cos(degrees)
    x, z = point[0] - middle[0], point[-1] - middle[-1]
    flat = [middle[0] + x * cosine + z * sine, middle[-1] + z * cosine - x * sine]
    return flat if len(point) == 2 else [flat[0], point[1], flat[1]]


def _rotate_box_quarter(fields: PieceFields, degrees: float) -> None:
    """Rotate an axis-aligned piece by quarter turns."""
    kind = fields.entry.kind
    if kind == "terrain":
        raise EditRefused("terrain cannot be rotated: put it into a group to rotate it")
    if degrees % 90.0:
        raise EditRefused(f"a {kind} stays along the axes: rotate it by 90° (with Shift), or put it into a group")
    start, end = fields.ends()
    middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    across, along = abs(end[0] - start[0]), abs(end[-1] - start[-1])  # the clear lengths of its walls
    for _ in range(round(degrees / 90.0) % 4):
        _rotate_openings(fields, across, along)
        across, along = along, across
    for name, point in zip(("from", "to"), fields.ends(), strict=True):
        fields.set_vector(name, rotate_point(point, middle, degrees))
    changes: dict[int, str] = {}
    for hole in fields.records("holes"):
        for name in ("from", "to"):
            node = nested_value(hole, name)
            if isinstance(node, YamlList) and len(node.items) == 2:
                corner = [scalar_number(item, "holes") for item in node.items]
                for item, value in zip(node.items, rotate_point(corner, middle, degrees), strict=True):
                    set_scalar(item, value, changes, "holes")
    if changes:
        fields.set_within("holes", changes)


def _rotate_openings(fields: PieceFields, across: float, along: float) -> None:
    """Move doors and windows of a room to the next wall after a counter-clockwise quarter turn."""
    for name in ("doors", "windows"):
        changes: dict[int, str] = {}
        for record in fields.records(name) if fields.field(name) is not None else []:
            wall = nested_value(record, "wall")
            at = nested_value(record, "at")
            side = scalar_text(wall)
            if wall is None or side not in QUARTER_TURN_SIDE:
                continue
            changes[id(wall)] = QUARTER_TURN_SIDE[side]
            if at is not None and side in REVERSED_WALLS:
                set_scalar(at, across - scalar_number(at, name), changes, name)
        if changes:
            fields.set_within(name, changes)
