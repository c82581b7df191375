"""Moving and turning pieces by what is written: each kind by the fields that say where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from ...level.edit import Draft, EditRefused, Entry
from ...level.edit.yaml_tree import List, Mapping
from ...level.format.schema.fields import Kind
from ...level.geometry.instance_transform import Matrix, sin_cos
from .field_access import Written, change, part, plain

Vector = tuple[float, float, float]

PLACES = frozenset(("at", "from", "to"))  # fields that say where a piece is; others of the kind are ways
QUARTER = {"north": "west", "west": "south", "south": "east", "east": "north"}  # a quarter turn to the left
REVERSED = frozenset(("north", "south"))  # walls along which `at` counts the other way after a quarter turn


def own_way(frame: Matrix, way: Sequence[float]) -> Vector:
    """A way in the world in the directions and lengths of what stands in a frame."""
    xx, xz, yy, zx, zz = frame
    size = xx * zz - xz * zx
    if size == 0.0 or yy == 0.0:
        raise EditRefused("what it stands in has no size")
    x, y, z = way
    return ((zz * x - xz * z) / size, y / yy, (xx * z - zx * x) / size)


def move(draft: Draft, entry: Entry, way: Vector) -> None:
    """Move a piece by a way in the directions of what it stands in. EditRefused where that cannot be written."""
    written = Written(draft, entry)
    if entry.kind == "array":
        _move_array(written, way)
        return
    flat = (way[0], way[2])
    moved = False
    for field in written.record.fields:
        if field.kind is Kind.CORNERS:
            rows = written.rows(field.name)
            written.set_rows(field.name, [_sum(row, way) for row in rows])
            moved = True
        elif field.name == "holes":
            _shift_holes(written, flat)
        elif field.name not in PLACES or field.kind not in (Kind.POINT, Kind.PLAN):
            continue
        else:
            point = written.vector(field.name)
            if point is not None:
                written.set_vector(field.name, _sum(point, way if len(point) == 3 else flat))
                moved = True
    if way[1] != 0.0 and written.field("y") is not None:
        written.set_number("y", (written.number("y") or 0.0) + way[1])
        moved = True
    if not moved:
        raise EditRefused(f"`{entry.kind}` says nowhere where it is")


def _sum(point: Sequence[float], way: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(point, way, strict=True)]


def _shift_holes(written: Written, flat: Sequence[float]) -> None:
    changes: dict[int, str] = {}
    for hole in written.records("holes"):
        for name in ("from", "to"):
            node = part(hole, name)
            if isinstance(node, List):
                for item, by in zip(node.items, flat, strict=False):
                    change(item, plain(item, "holes") + by, changes, "holes")
    if changes:
        written.set_within("holes", changes)


def children(draft: Draft, entry: Entry) -> list[Entry]:
    """The pieces that a group or an array holds."""
    node = entry.node("of")
    if not isinstance(node, List):
        raise EditRefused(f"what this {entry.kind} holds is written elsewhere")
    found = []
    for item in node.items:
        if not isinstance(item, Mapping) or not item.pairs:
            raise EditRefused(f"a piece of this {entry.kind} is written elsewhere")
        found.append(draft.piece(item.pairs[0][0].line, item.pairs[0][0].column))
    return found


def _move_array(written: Written, way: Vector) -> None:
    """An array stands where its pieces and the point that they turn about do."""
    if written.given("around") or (written.number("turn") or 0.0) != 0.0:
        written.set_vector("around", _sum(written.vector("around") or [0.0, 0.0, 0.0], way))
    for child in children(written.draft, written.entry):
        move(written.draft, child, way)


def turn(draft: Draft, entry: Entry, degrees: float) -> None:
    """Turn a piece about its own middle or foot, counter-clockwise seen from above. EditRefused where it has no way."""
    written = Written(draft, entry)
    if written.field("facing") is not None:
        written.set_facing((written.number("facing") or 0.0) + degrees)
    elif written.field("corners") is not None:
        rows = written.rows("corners")
        middle = [sum(values) / len(rows) for values in zip(*rows, strict=True)]
        written.set_rows("corners", [_turned(row, middle, degrees) for row in rows])
    elif entry.kind in ("wall", "arch"):
        one, other = written.vector("from"), written.vector("to")
        assert one is not None
        assert other is not None
        middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        written.set_vector("from", _turned(one, middle, degrees))
        written.set_vector("to", _turned(other, middle, degrees))
    elif written.field("from") is not None and written.field("to") is not None:
        _turn_square(written, degrees)
    else:
        raise EditRefused(f"`{entry.kind}` looks nowhere: turn what is in it, or put it into a group")


def _turned(point: Sequence[float], middle: Sequence[float], degrees: float) -> list[float]:
    """[x, z] or [x, y, z] turned about `middle`."""
    sine, cosine = sin_cos(degrees)
    x, z = point[0] - middle[0], point[-1] - middle[-1]
    flat = [middle[0] + x * cosine + z * sine, middle[-1] + z * cosine - x * sine]
    return flat if len(point) == 2 else [flat[0], point[1], flat[1]]


def _turn_square(written: Written, degrees: float) -> None:
    """What lies along the axes: a quarter turn at a time."""
    kind = written.entry.kind
    if kind == "terrain":
        raise EditRefused("terrain lies as its heights do: put it into a group to turn it")
    if degrees % 90.0:
        raise EditRefused(f"a {kind} lies along the axes: turn it by 90° (with Shift), or put it into a group")
    one, other = written.vector("from"), written.vector("to")
    assert one is not None
    assert other is not None
    middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
    across, along = abs(other[0] - one[0]), abs(other[-1] - one[-1])  # the clear lengths of its walls
    for _ in range(round(degrees / 90.0) % 4):
        _quarter_openings(written, across, along)
        across, along = along, across
    for name in ("from", "to"):
        point = written.vector(name)
        assert point is not None
        written.set_vector(name, _turned(point, middle, degrees))
    changes: dict[int, str] = {}
    for hole in written.records("holes"):
        for name in ("from", "to"):
            node = part(hole, name)
            if isinstance(node, List) and len(node.items) == 2:
                was = [plain(item, "holes") for item in node.items]
                for item, value in zip(node.items, _turned(was, middle, degrees), strict=True):
                    change(item, value, changes, "holes")
    if changes:
        written.set_within("holes", changes)


def _quarter_openings(written: Written, across: float, along: float) -> None:
    """Doors and windows of a room after a quarter turn to the left: other walls, counted from the other end."""
    for name in ("doors", "windows"):
        changes: dict[int, str] = {}
        for record in written.records(name) if written.field(name) is not None else []:
            wall, at = part(record, "wall"), part(record, "at")
            side = getattr(wall, "text", "")
            if wall is None or side not in QUARTER:
                continue
            changes[id(wall)] = QUARTER[side]
            if at is not None and side in REVERSED:
                change(at, across - plain(at, name), changes, name)
        if changes:
            written.set_within(name, changes)
