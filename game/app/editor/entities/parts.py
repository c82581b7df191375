"""Parts of pieces that are points: moved, duplicated and deleted in the document."""

from __future__ import annotations

from dataclasses import replace

from ....core.vectors import Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_point
from ....level.format.level_file import PLACES
from ....level.geometry.instance_transform import exact_sin_cos
from ..document.field_access import PieceFields
from ..pieces import place_records, transforms
from ..pieces.resize import FIRST_STOP, set_stop
from ..selection import Selection

TURNED_FIELDS = frozenset(("path", "to"))  # points in the directions of the piece itself


def move(document: YamlDocument, entry: DocumentEntry, picked: Selection, displacement: Vector) -> None:
    """Move a selected piece, record or part by a displacement (m, world)."""
    offset = transforms.to_local_offset(picked.local_to_world, displacement)
    if picked.part is None:
        transforms.move_piece(document, entry, offset)
        return
    field, index = picked.part
    fields = PieceFields(document, entry)
    if field in TURNED_FIELDS:
        offset = _in_own_directions(fields, offset)
    if field == "path":
        stops = fields.rows("path") or [FIRST_STOP]
        if index >= len(stops):
            raise EditRefused("this stop is not written here")
        set_stop(fields, index, [a + b for a, b in zip(stops[index], offset, strict=True)])
    elif field == "cups":
        transforms.shift_cups(fields, (offset[0], offset[2]), index)
    else:
        point = fields.vector(field)
        if point is None:
            raise EditRefused(f"`{field}` is not written here")
        fields.set_vector(field, [a + b for a, b in zip(point, offset, strict=True)])


def duplicate(
    document: YamlDocument, entry: DocumentEntry, picked: Selection, displacement: Vector
) -> DocumentEntry | Selection:
    """Copy a selected piece, record or stop to a displacement (m, world); what is selected then."""
    if picked.kind in PLACES:
        copied = place_records.duplicate(document, entry)
    elif picked.part is None:
        copied = document.duplicate_piece(entry)
    elif picked.part[0] == "path":
        fields = PieceFields(document, entry)
        offset = _in_own_directions(fields, transforms.to_local_offset(picked.local_to_world, displacement))
        number = add_stop(fields, picked.part[1], offset)
        return replace(picked, part=("path", number), name=f"{picked.name.rpartition(' ')[0]} {number + 1}")
    else:
        raise EditRefused("there can be one of these only")
    transforms.move_piece(document, copied, transforms.to_local_offset(picked.local_to_world, displacement))
    return copied


def add_stop(fields: PieceFields, after: int, offset: Vector) -> int:
    """Add a stop to a path, at an offset (m, in the mover's own directions) from the stop `after`; its index."""
    stops = fields.rows("path") or [FIRST_STOP]
    after = min(after, len(stops) - 1)
    stops.insert(after + 1, [a + b for a, b in zip(stops[after], offset, strict=True)])
    _write_path(fields, stops)
    return after + 1


def delete(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
    """Remove a selected piece, record or part."""
    if picked.part is None:
        document.remove_piece(entry)
        return
    field, index = picked.part
    fields = PieceFields(document, entry)
    if field == "path":
        stops = fields.rows("path")
        if len(stops) <= 1:
            document.remove_field(entry, "path")
        else:
            _write_path(fields, stops[:index] + stops[index + 1 :])
    elif field == "cups":
        cups = fields.records("cups")
        texts = [cup.written for number, cup in enumerate(cups) if number != index]
        if texts:
            document.set_field(entry, "cups", f"[{', '.join(texts)}]")
        else:
            document.remove_field(entry, "cups")
    else:
        raise EditRefused("delete the piece that leads here: this point belongs to it")


def _in_own_directions(fields: PieceFields, offset: Vector) -> Vector:
    """An offset in the axes of the piece's parent, in those of the piece itself, which `facing` turns."""
    sine, cosine = exact_sin_cos(-(fields.number("facing") or 0.0))
    x, y, z = offset
    return x * cosine + z * sine + 0.0, y, z * cosine - x * sine + 0.0


def _write_path(fields: PieceFields, stops: list[list[float]]) -> None:
    if fields.is_written("path") and len(fields.rows("path")) == len(stops):
        fields.set_rows("path", stops)
    else:
        text = ", ".join(format_point(stop) for stop in stops)
        fields.document.set_field(fields.entry, "path", f"[{text}]")
