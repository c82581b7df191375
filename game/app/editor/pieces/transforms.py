"""Moving, rotating, copying and deleting pieces, and points of them such as stops, in the document."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....core.vectors import Vector, to_point
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_scalar
from ....level.format.level_file import PLACE_LISTS, PLACES
from ....level.format.record_values import Many
from ....level.format.yaml_nodes import YamlList, YamlMapping
from ....level.geometry.instance_transform import Matrix, exact_sin_cos
from ..selection import Selection
from .piece_fields import PATH, FieldPath, PieceFields, Written

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
    if entry.kind == "array":  # its pieces and its centre of rotation
        if fields.is_written("around") or (fields.number("turn") or 0.0) != 0.0:
            fields.set("around", _shifted(fields.vector("around"), offset))
        for child in child_pieces(document, entry):
            move_piece(document, child, offset)
        return
    changes = {path: _shifted(value, offset) for path in fields.positions() if (value := fields.value(*path))}
    if offset[1] != 0.0 and fields.field("y") is not None:
        changes["y",] = (fields.number("y") or 0.0) + offset[1]
    if not changes:
        raise EditRefused(f"`{entry.kind}` has no position to change")
    fields.set_all(changes)


def _shifted(value: Any, offset: Sequence[float]) -> Any:
    """A point [x, z] or [x, y, z], or a list of them, moved by (x, y, z)."""
    if isinstance(value[0], list):
        return [_shifted(point, offset) for point in value]
    return [a + b for a, b in zip(value, offset if len(value) == 3 else (offset[0], offset[2]), strict=True)]


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


def rotate_piece(document: YamlDocument, entry: DocumentEntry, degrees: float) -> None:
    """Rotate a piece about its centre or foot, counter-clockwise seen from above. EditRefused if it cannot rotate."""
    fields = PieceFields(document, entry)
    facing = fields.field("facing")
    if facing is not None and not fields.is_written(facing.instead):
        fields.set("facing", (fields.number("facing") or 0.0) + degrees)
        return
    middle = pivot_point(document, entry)
    if facing is None and fields.record.has_corners():
        _check_quarter_turn(entry, degrees)
        _rotate_openings(fields, degrees)
    fields.set_all({
        path: _rotated(value, middle, degrees) for path in fields.positions() if (value := fields.value(*path))
    })  # fmt: skip


def _rotated(value: Any, middle: Sequence[float], degrees: float) -> Any:
    """A point, or a list of points, rotated about `middle`."""
    if isinstance(value[0], list):
        return [_rotated(point, middle, degrees) for point in value]
    return rotate_point(value, middle, degrees)


def pivot_point(document: YamlDocument, entry: DocumentEntry) -> Vector:
    """Point about which `rotate_piece` rotates a piece, in the axes of its parent. EditRefused if it has none."""
    fields = PieceFields(document, entry)
    if fields.field("at") is not None:
        points = [fields.vector("at") or [0.0, 0.0, 0.0]]
    elif outline := fields.outline():
        points = fields.rows(outline)
    elif fields.field("from") is not None:
        points = list(fields.ends())
    else:
        raise EditRefused(f"`{entry.kind}` has no direction: rotate what is in it, or put it into a group")
    middle = [sum(values) / len(values) for values in zip(*points, strict=True)]
    return (middle[0], middle[1] if len(middle) == 3 else 0.0, middle[-1])


def middle_of(entries: Sequence[DocumentEntry], document: YamlDocument) -> Vector:
    """Middle of the box around the pivots of some pieces."""
    pivots = [pivot_point(document, entry) for entry in entries]
    return to_point([(min(values) + max(values)) / 2.0 for values in zip(*pivots, strict=True)])


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


def _check_quarter_turn(entry: DocumentEntry, degrees: float) -> None:
    """EditRefused for a turn that leaves a piece along the axes no more."""
    if entry.kind == "terrain":
        raise EditRefused("terrain cannot be rotated: put it into a group to rotate it")
    if degrees % 90.0:
        raise EditRefused(f"a {entry.kind} stays along the axes: rotate it by 90° (with Shift), or put it into a group")


def _rotate_openings(fields: PieceFields, degrees: float) -> None:
    """Move doors and windows of a room to other walls, by quarter turns counter-clockwise."""
    start, end = fields.ends()
    lengths = [abs(end[0] - start[0]), abs(end[-1] - start[-1])]  # of its clear walls along x and z
    for name in ("doors", "windows"):
        changes: dict[FieldPath, Written] = {}
        for index in fields.entries(name):
            side, at = fields.text(name, index, "wall"), fields.number(name, index, "at")
            if side not in QUARTER_TURN_SIDE or at is None:
                continue
            for turn in range(round(degrees / 90.0) % 4):
                at = lengths[turn % 2] - at if side in REVERSED_WALLS else at
                side = QUARTER_TURN_SIDE[side]
            changes |= {(name, index, "wall"): side, (name, index, "at"): at}
        fields.set_all(changes)


# What is selected: a piece, a place such as a spawn, or a point of a piece


def move_selected(document: YamlDocument, entry: DocumentEntry, picked: Selection, displacement: Vector) -> None:
    """Move a selected piece or point by a displacement (m, world)."""
    offset = to_local_offset(picked.local_to_world, displacement)
    if picked.part is None:
        move_piece(document, entry, offset)
        return
    name, index = picked.part
    fields = PieceFields(document, entry)
    if name in fields.record.relative_points:
        offset = _in_own_directions(fields, offset)
    paths: list[FieldPath] = [path for path in fields.positions() if path[:2] == picked.part]  # in an entry
    paths = paths or [(name, index) if name == PATH else (name,)]
    values = {path: fields.value(*path) for path in paths}
    if None in values.values():
        raise EditRefused(f"`{name}` is not written here")
    fields.set_all({path: _shifted(value, offset) for path, value in values.items()})


def duplicate_selected(
    document: YamlDocument, entry: DocumentEntry, picked: Selection, displacement: Vector
) -> DocumentEntry | Selection:
    """Copy a selected piece, place or stop to a displacement (m, world); what is selected then."""
    offset = to_local_offset(picked.local_to_world, displacement)
    if picked.kind in PLACES:
        copied = _duplicate_place(document, entry)
    elif picked.part is None:
        copied = document.duplicate_piece(entry)
    elif picked.part[0] == PATH:
        fields = PieceFields(document, entry)
        stops = fields.rows(PATH)
        after = min(picked.part[1], len(stops) - 1)
        stops.insert(after + 1, _shifted(stops[after], _in_own_directions(fields, offset)))
        fields.set(PATH, stops)
        return replace(picked, part=(PATH, after + 1), name=f"{picked.name.rpartition(' ')[0]} {after + 2}")
    else:
        raise EditRefused("there can be one of these only")
    move_piece(document, copied, offset)
    return copied


def _duplicate_place(document: YamlDocument, entry: DocumentEntry) -> DocumentEntry:
    """A copy of a spawn or exit at the end of its list; a spawn's has a name of its own."""
    kind = entry.kind
    if kind not in PLACE_LISTS:
        raise EditRefused(f"a level has one {kind}")
    fields = {name: entry.field_text(name) or "" for name in entry.fields}
    if kind == "spawn":
        fields.pop("name", None)
        fields = {"name": format_scalar(free_name(document, kind)), **fields}
    text = ", ".join(f"{name}: {value}" for name, value in fields.items())
    return document.add_record(PLACE_LISTS[kind], f"{{{text}}}")


def free_name(document: YamlDocument, kind: str) -> str:
    """A name that no place of that kind has: `spawn 2`."""
    names = set(document.record_names(PLACE_LISTS[kind]))
    first = document.top_entry(kind)
    if first is not None:
        names.add(first.field_text("name") or "")
    return next(name for number in itertools.count(2) if (name := f"{kind} {number}") not in names)


def delete_selected(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
    """Remove a selected piece, place or point."""
    if picked.part is None:
        document.remove_piece(entry)
    elif picked.part[0] == PATH or isinstance(PieceFields(document, entry).field(picked.part[0]), Many):
        document.remove_item(entry, *picked.part)
    else:
        raise EditRefused("delete the piece that leads here: this point belongs to it")


def _in_own_directions(fields: PieceFields, offset: Vector) -> Vector:
    """An offset in the axes of the piece's parent, in those of the piece itself, which `facing` turns."""
    x, y, z = rotate_point(offset, (0.0, 0.0, 0.0), -(fields.number("facing") or 0.0))
    return x + 0.0, y, z + 0.0
